//===- LinkedMap.cpp - maps of finished ELF files -------------------------===//
//
// Problem: a map has the symbols of a file that was stripped, but it may belong
// to another link. And the sizes of a file without a map are needed in the form
// of one.
//
// Method: useMap. Each output section of the map that takes memory must be a
// section of the file, with its name, address and size; without section headers
// it must lie in a segment. Global symbols that are in both must have one
// value. mapOfElf cuts sections at symbols, of which each covers its size.
//
// Cost: n log n in the sections and symbols.
//
//===----------------------------------------------------------------------===//
#include "inspect/LinkedFile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

//===----------------------------------------------------------------------===//
// A given map
//===----------------------------------------------------------------------===//

/// Adds the section of each output section of the map to `found`, or kNoIndex.
/// The result is an error, or "".
static std::string findSections(const LinkMap &map, const LinkedFile &file,
                                std::vector<uint32_t> &found) {
  if (map.machine != file.target->name)
    return "it is for " + printable(map.machine) + ", and the file for " +
           file.target->name;
  // By address and, in a file with section headers, by size and name.
  const bool named = file.hasSectionHeaders;
  std::map<std::tuple<uint64_t, uint64_t, StringRef>, uint32_t> sections;
  for (uint32_t i = 1; i < file.sections.size(); ++i)
    if (const ElfSection &s = file.sections[i]; s.isLoaded())
      sections.try_emplace({s.address, named ? s.size : 0, named ? s.name : ""},
                           i);
  for (const MapOutput &output : map.outputs) {
    uint32_t &index = found.emplace_back(kNoIndex);
    if (!(output.flags & SHF_ALLOC) || !output.size)
      continue;
    if (named) {
      const auto it = sections.find({output.address, output.size, output.name});
      index = it == sections.end() ? kNoIndex : it->second;
    } else if (const auto it = sections.upper_bound({output.address, 0, ""});
               it != sections.begin()) {
      const ElfSection &s = file.sections[std::prev(it)->second];
      const uint64_t offset = output.address - s.address;
      if (offset <= s.size && output.size <= s.size - offset)
        index = std::prev(it)->second;
    }
    // Without section headers, zeros behind a segment are in no section.
    if (index == kNoIndex && (named || output.type != SHT_NOBITS))
      return "the file has no section " + printable(output.name) + " of " +
             std::to_string(output.size) + " bytes at " + hex(output.address);
  }
  return "";
}

/// The error of the first global symbol with another value in the map, or "".
static std::string checkSymbols(const LinkMap &map, const LinkedFile &file) {
  DenseMap<StringRef, uint64_t> values;
  for (const std::vector<MapSymbol> *list : {&map.symbols, &map.absolutes})
    for (const MapSymbol &s : *list)
      if (!s.local)
        values.try_emplace(s.name, s.address);
  for (const ElfSymbol &s : file.symbols) {
    if (s.isMark() || s.binding == STB_LOCAL || !s.isIn(file) ||
        s.type == STT_TLS)
      continue;
    const auto found = values.find(s.name);
    if (found != values.end() && found->second != s.value)
      return "symbol " + printable(s.name) + " is at " + hex(found->second) +
             " there, and at " + hex(s.value) + " in the file";
  }
  return "";
}

static ElfSymbol symbolFromMap(const MapSymbol &from, uint32_t section,
                               StringRef source) {
  static constexpr uint8_t kTypes[] = {STT_NOTYPE, STT_FUNC, STT_OBJECT,
                                       STT_TLS, STT_SECTION};
  ElfSymbol to;
  to.name = from.name;
  to.value = from.address;
  to.size = from.size;
  to.section = section;
  to.type = kTypes[from.kind];
  to.binding = from.local ? STB_LOCAL : from.weak ? STB_WEAK : STB_GLOBAL;
  if (from.local)
    to.file = source;
  return to;
}

bool useMap(const LinkMap &map, StringRef mapName, LinkedFile &file,
            Diagnostics &diag) {
  if (!file.hasAddresses()) {
    diag.error(mapName.str() + ": " + file.name +
               " is relocatable: its relocations say what a map would");
    return false;
  }
  std::vector<uint32_t> sections;
  std::string problem = findSections(map, file, sections);
  if (problem.empty())
    problem = checkSymbols(map, file);
  if (!problem.empty()) {
    diag.error(mapName.str() + ": is no map of " + file.name + ": " + problem);
    return false;
  }
  if (!file.symbols.empty())
    return true;
  file.symbolsFromMap = true;
  for (const MapPart &part : map.parts) {
    const uint32_t section = sections[part.output];
    if (section == kNoIndex || !part.size)
      continue;
    const StringRef source =
        part.file == kNoIndex ? "" : map.files[part.file].source;
    for (uint32_t s = 0; s < part.symbols; ++s)
      file.symbols.push_back(
          symbolFromMap(map.symbols[part.firstSymbol + s], section, source));
  }
  for (const MapSymbol &symbol : map.absolutes)
    file.symbols.push_back(symbolFromMap(symbol, LinkedFile::kAbsolute, ""));
  return true;
}

//===----------------------------------------------------------------------===//
// A map from symbols and sections
//===----------------------------------------------------------------------===//

static MapSymbol symbolForMap(const ElfSymbol &from) {
  MapSymbol to;
  to.name = from.name;
  to.address = from.value;
  to.size = from.size;
  to.kind = from.type == STT_FUNC     ? MapSymbol::Function
            : from.type == STT_OBJECT ? MapSymbol::Object
            : from.type == STT_TLS    ? MapSymbol::ThreadLocal
                                      : MapSymbol::None;
  to.local = from.binding == STB_LOCAL;
  to.weak = from.binding == STB_WEAK;
  return to;
}

namespace {

/// Makes the map of an ELF file.
class ElfMap {
public:
  explicit ElfMap(const LinkedFile &file) : file(file) {}

  LinkMap run() {
    map.machine = file.target->name;
    map.output = map.keep(file.name);
    map.addressBits = file.target->is64 ? 64 : 32;
    std::vector<std::vector<uint32_t>> bySection(file.sections.size());
    for (uint32_t i = 0; i < file.symbols.size(); ++i) {
      const ElfSymbol &s = file.symbols[i];
      if (s.isMark())
        continue;
      if (s.isIn(file) && s.value == file.entry && map.entryName.empty()) {
        map.entryName = s.name;
        map.entry = file.entry;
      }
      if (s.isBase(*file.target))
        continue;
      if (s.section == LinkedFile::kAbsolute)
        map.absolutes.push_back(symbolForMap(s));
      else if (s.isIn(file) && s.value >= file.sections[s.section].address &&
               file.offsetOf(s) < file.sections[s.section].size)
        bySection[s.section].push_back(i);
    }
    for (uint32_t i = 1; i < file.sections.size(); ++i)
      if (!file.sections[i].isTable())
        addSection(file.sections[i], std::move(bySection[i]));
    return std::move(map);
  }

private:
  uint32_t fileOf(StringRef source) {
    const auto [it, isNew] = files.try_emplace(source, map.files.size());
    if (isNew)
      map.files.push_back({source, "", "", kNoIndex, source});
    return it->second;
  }

  /// A part of the last output section, with the symbols that no part has yet.
  void addPart(uint32_t of, uint64_t begin, uint64_t end) {
    MapOutput &out = map.outputs.back();
    MapPart part;
    part.name = out.name;
    part.file = of;
    part.output = uint32_t(map.outputs.size() - 1);
    part.address = out.address + begin;
    part.size = end - begin;
    part.firstSymbol = firstFree;
    part.symbols = uint32_t(map.symbols.size()) - firstFree;
    firstFree = uint32_t(map.symbols.size());
    map.parts.push_back(part);
    ++out.parts;
  }

  void addSection(const ElfSection &section, std::vector<uint32_t> symbols) {
    MapOutput &out = map.outputs.emplace_back();
    out.name = section.name;
    out.address = out.loadAddress = section.address;
    for (const ElfSegment &s : reverse(file.segments))
      if (section.isLoaded() && s.type == PT_LOAD &&
          section.address >= s.address &&
          section.address - s.address < s.memorySize)
        out.loadAddress = s.loadAddress + (section.address - s.address);
    out.size = section.size;
    out.align = section.align;
    out.type = section.type;
    out.flags = section.flags;
    out.firstPart = uint32_t(map.parts.size());
    if (!section.size)
      return;
    stable_sort(symbols, [&](uint32_t x, uint32_t y) {
      return file.symbols[x].value < file.symbols[y].value;
    });
    std::vector<MapSymbol> all;
    for (uint32_t s : symbols)
      all.push_back(symbolForMap(file.symbols[s]));
    MapPart whole;
    whole.address = section.address;
    whole.size = section.size;
    inferSizes(whole, all);
    // A symbol's bytes belong to its file, up to its end.
    const uint32_t unknown = fileOf("(no file)");
    uint32_t of = unknown;
    uint64_t begin = 0, end = 0;
    auto changeFile = [&](uint32_t next, uint64_t at) {
      if (next != of && at > begin) {
        addPart(of, begin, at);
        begin = at;
      }
      of = next;
    };
    for (size_t i = 0; i < all.size(); ++i) {
      const uint64_t offset = all[i].address - section.address;
      if (all[i].size && offset >= end) {
        const StringRef source = file.symbols[symbols[i]].file;
        if (offset > end)
          changeFile(unknown, end);
        changeFile(all[i].local && !source.empty() ? fileOf(source) : unknown,
                   offset);
        end = offset + std::min(all[i].size, section.size - offset);
      }
      map.symbols.push_back(all[i]);
    }
    if (end < section.size)
      changeFile(unknown, end);
    addPart(of, begin, section.size);
  }

  const LinkedFile &file;
  LinkMap map;
  uint32_t firstFree = 0; ///< of map.symbols: the first that no part has
  DenseMap<StringRef, uint32_t> files; ///< in map.files, by source
};

} // namespace

LinkMap mapOfElf(const LinkedFile &file) { return ElfMap(file).run(); }

} // namespace xlink
