//===- KnownParts.cpp -----------------------------------------------------===//
//
// Problem: where two files have no names, only their links knew what stands
// there. Both wrote it into their maps, but a map can be another link's.
//
// Method: each output section of the map that takes memory must be a section of
// the file, with name, address and size; of a file without section headers it
// must lie in a segment. Global symbols that the file has, too, must have the
// value that the map says. Then each part is a range of a section. Parts of two
// files are paired by what they were in the inputs: the file, by the longest
// common end of its path (map/MapMatching.h), and the section's name; of
// several those of equal size first.
//
// Cost: n log n in the parts, symbols and references of the maps.
//
//===----------------------------------------------------------------------===//
#include "inspect/KnownParts.h"
#include "base/Demangle.h"
#include "map/MapMatching.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

//===----------------------------------------------------------------------===//
// One file
//===----------------------------------------------------------------------===//

static bool takesMemory(const MapOutput &output) {
  return (output.flags & SHF_ALLOC) && output.size;
}

namespace {

/// Finds the sections of a file that output sections of its map are.
class SectionFinder {
public:
  explicit SectionFinder(const LinkedFile &file) : file(file) {
    for (uint32_t i = 1; i < file.sections.size(); ++i)
      if (const LinkedFile::Section &s = file.sections[i]; s.isLoaded())
        sections.emplace(file.hasSectionHeaders ? Key(s.address, s.size, s.name)
                                                : Key(s.address, 0, ""),
                         i);
  }
  /// Its index, or kNone.
  uint32_t find(const MapOutput &output) const {
    if (file.hasSectionHeaders) {
      const auto found =
          sections.find({output.address, output.size, output.name});
      return found == sections.end() ? Pairs::kNone : found->second;
    }
    auto found = sections.upper_bound({output.address, 0, ""});
    if (found == sections.begin())
      return Pairs::kNone;
    --found;
    const LinkedFile::Section &s = file.sections[found->second];
    const uint64_t offset = output.address - s.address;
    return offset <= s.size && output.size <= s.size - offset ? found->second
                                                              : Pairs::kNone;
  }

private:
  /// Address, size and name; of a file without section headers, the address.
  using Key = std::tuple<uint64_t, uint64_t, StringRef>;
  const LinkedFile &file;
  std::map<Key, uint32_t> sections;
};

} // namespace

bool PartTable::placeParts(StringRef mapName, const LinkedFile &file,
                           Diagnostics &diag) {
  const std::string no = mapName.str() + ": is no map of " + file.name + ": ";
  if (map->machine != file.target->name) {
    diag.error(no + "it is for " + printable(map->machine) +
               ", and the file for " + file.target->name);
    return false;
  }
  const SectionFinder finder(file);
  ofPart.assign(map->parts.size(), Pairs::kNone);
  for (const MapOutput &output : map->outputs) {
    if (!takesMemory(output))
      continue;
    const uint32_t section = finder.find(output);
    if (section == Pairs::kNone) {
      // A segment without section headers has no zeros that follow it.
      if (!file.hasSectionHeaders && output.type == SHT_NOBITS)
        continue;
      diag.error(no + "the file has no section " + printable(output.name) +
                 " of " + std::to_string(output.size) + " bytes at " +
                 hex(output.address));
      return false;
    }
    for (uint32_t p = 0; p < output.parts; ++p)
      if (const MapPart &part = map->parts[output.firstPart + p]; part.size)
        places.push_back({section,
                          part.address - file.sections[section].address,
                          part.size, output.firstPart + p});
  }
  sort(places, [](const Place &x, const Place &y) {
    return std::tie(x.section, x.begin) < std::tie(y.section, y.begin);
  });
  for (uint32_t i = 0; i < places.size(); ++i)
    ofPart[places[i].part] = i;
  return true;
}

/// The first global symbol that the file has elsewhere than the map says.
static const LinkedFile::Symbol *
strayed(const LinkMap &map, const LinkedFile &file, uint64_t &inMap) {
  DenseMap<StringRef, uint64_t> values;
  auto add = [&](ArrayRef<MapSymbol> symbols) {
    for (const MapSymbol &s : symbols)
      if (!s.local)
        values.try_emplace(s.name, s.address);
  };
  add(map.symbols);
  add(map.absolutes);
  for (const LinkedFile::Symbol &s : file.symbols) {
    if (isMark(s) || s.binding == STB_LOCAL || !s.isIn(file) ||
        s.type == STT_TLS)
      continue;
    const auto found = values.find(s.name);
    if (found == values.end() || found->second == s.value)
      continue;
    inMap = found->second;
    return &s;
  }
  return nullptr;
}

std::optional<PartTable> PartTable::place(const LinkMap &map, StringRef mapName,
                                          const LinkedFile &file,
                                          Diagnostics &diag) {
  if (!file.hasAddresses()) {
    diag.error(mapName.str() + ": " + file.name +
               " is relocatable: its relocations say what a map would");
    return std::nullopt;
  }
  PartTable table(map);
  if (!table.placeParts(mapName, file, diag))
    return std::nullopt;
  uint64_t inMap = 0;
  if (const LinkedFile::Symbol *s = strayed(map, file, inMap)) {
    diag.error(mapName.str() + ": is no map of " + file.name + ": symbol " +
               printable(s->name) + " is at " + hex(inMap) + " there, and at " +
               hex(s->value) + " in the file");
    return std::nullopt;
  }
  for (const MapReference &r : map.references)
    table.edges.push_back(uint64_t(r.from) << 32 | r.to);
  sort(table.edges);
  for (const MapSymbol &s : map.absolutes)
    table.absolute.push_back(s.address);
  sort(table.absolute);
  return table;
}

const PartTable::Place *PartTable::at(uint32_t section, uint64_t offset) const {
  const auto found = std::upper_bound(
      places.begin(), places.end(), std::tuple(section, offset),
      [](const std::tuple<uint32_t, uint64_t> &value, const Place &place) {
        return value < std::tie(place.section, place.begin);
      });
  if (found == places.begin())
    return nullptr;
  const Place &place = *std::prev(found);
  return place.section == section && offset < place.end() ? &place : nullptr;
}

const PartTable::Place *PartTable::placeOf(uint32_t part) const {
  return ofPart[part] == Pairs::kNone ? nullptr : &places[ofPart[part]];
}

bool PartTable::refers(uint32_t from, uint32_t to) const {
  return std::binary_search(edges.begin(), edges.end(),
                            uint64_t(from) << 32 | to);
}

bool PartTable::hasAbsolute(uint64_t address) const {
  return std::binary_search(absolute.begin(), absolute.end(), address);
}

std::string PartTable::text(uint32_t part) const {
  const MapPart &of = map->parts[part];
  if (of.kind == MapPart::Data)
    return "data of the script in " + map->outputs[of.output].name.str();
  return of.file == LinkMap::kNoIndex
             ? of.name.str()
             : map->fileName(of.file) + ":(" + of.name.str() + ")";
}

void takeSymbols(const PartTable &parts, LinkedFile &file) {
  const LinkMap &map = parts.linkMap();
  auto take = [&](const MapSymbol &from, uint32_t section, StringRef source) {
    static constexpr uint8_t kTypes[] = {STT_NOTYPE, STT_FUNC, STT_OBJECT,
                                         STT_TLS, STT_SECTION};
    LinkedFile::Symbol to;
    to.name = from.name;
    to.value = from.address;
    to.size = from.size;
    to.section = section;
    to.type = kTypes[from.kind];
    to.binding = from.local ? STB_LOCAL : from.weak ? STB_WEAK : STB_GLOBAL;
    if (from.local)
      to.file = source;
    file.symbols.push_back(to);
  };
  for (uint32_t p = 0; p < map.parts.size(); ++p) {
    const PartTable::Place *place = parts.placeOf(p);
    if (!place)
      continue;
    const MapPart &part = map.parts[p];
    const StringRef source = part.file == LinkMap::kNoIndex
                                 ? StringRef()
                                 : map.files[part.file].source;
    for (uint32_t s = 0; s < part.symbols; ++s)
      take(map.symbols[part.firstSymbol + s], place->section, source);
  }
  for (const MapSymbol &symbol : map.absolutes)
    take(symbol, LinkedFile::kAbsolute, "");
  file.symbolsFromMap = true;
}

//===----------------------------------------------------------------------===//
// Both files
//===----------------------------------------------------------------------===//

KnownParts::KnownParts(PartTable inA, PartTable inB)
    : a(std::move(inA)), b(std::move(inB)),
      pairs(a.linkMap().parts.size(), b.linkMap().parts.size()) {
  const LinkMap &mapA = a.linkMap(), &mapB = b.linkMap();
  const std::vector<uint32_t> files = matchFiles(mapA, mapB);
  // With the size first, then without it.
  for (const bool sized : {true, false}) {
    // Of a part that is in file `file` of the second map.
    auto key = [&](const PartTable &table, uint32_t index, uint32_t file) {
      const MapPart &part = table.linkMap().parts[index];
      return table.placeOf(index) && !table.isPadding(index)
                 ? std::optional(PairKey{part.name,
                                         {},
                                         {},
                                         uint64_t(part.kind) << 32 | file,
                                         sized ? part.size : 0})
                 : std::nullopt;
    };
    pairs.round(
        [&](uint32_t i) -> std::optional<PairKey> {
          const uint32_t file = mapA.parts[i].file;
          if (file == kNoIndex)
            return key(a, i, file);
          return files[file] == kNoIndex ? std::nullopt
                                         : key(a, i, files[file]);
        },
        [&](uint32_t j) { return key(b, j, mapB.parts[j].file); });
  }
}

bool KnownParts::fit(uint32_t partA, uint32_t partB) const {
  if (partA == Pairs::kNone || partB == Pairs::kNone)
    return partA == partB;
  if (a.isPadding(partA) || b.isPadding(partB))
    return a.isPadding(partA) && b.isPadding(partB);
  return pairs.ofA[partA] == partB;
}

} // namespace xlink
