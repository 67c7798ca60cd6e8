//===- FinishedFile.cpp ---------------------------------------------------===//
#include "inspect/FinishedFile.h"
#include "base/MappedFile.h"
#include "inspect/Pairing.h"
#include "inspect/PropertyText.h"
#include "map/LinkMapJson.h"
#include "map/SymbolSizes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

ArrayRef<uint8_t> FinishedFile::bytes() const {
  return arrayRefFromStringRef(buffer->getBuffer());
}

bool FinishedFile::isElf() const {
  return buffer->getBuffer().starts_with(ElfMagic);
}

const ContainerPart *FinishedFile::mainProgram() const {
  const ContainerPart *largest = nullptr;
  for (const ContainerPart &part : parts)
    if (part.program && (!largest || part.bytes.size() > largest->bytes.size()))
      largest = &part;
  return largest;
}

std::string FinishedFile::title(const ContainerPart &part) const {
  return part.name.empty() ? path : path + ": " + part.name;
}

bool openFinished(const std::string &path, vfs::FileSystem *fs,
                  FinishedFile &file, Diagnostics &diag) {
  file.path = path;
  std::string error;
  file.buffer = openFile(fs, path, error);
  if (!file.buffer)
    diag.error("cannot open " + path + ": " + error);
  return file.buffer != nullptr;
}

/// The first container format that fits, of all machines; null: none does.
static const Container *
findContainer(function_ref<bool(const Container &)> fits) {
  for (const Target *target : allTargets())
    for (const Container *container : target->containers)
      if (fits(*container))
        return container;
  return nullptr;
}

const Container *findContainer(StringRef name) {
  return findContainer([&](const Container &c) { return c.name == name; });
}

bool takeApart(FinishedFile &file, Diagnostics &diag) {
  file.container = findContainer([&](const Container &c) {
    return c.magic && file.buffer->getBuffer().starts_with(c.magic);
  });
  if (!file.container) {
    file.parts.push_back({"", file.bytes(), /*program=*/true});
    return true;
  }
  std::vector<TargetMessage> messages;
  for (ContainerListing::Entry &entry :
       file.container->list(file.bytes(), messages).entries)
    if (entry.part)
      file.parts.push_back(std::move(*entry.part));
  bool good = true;
  for (const TargetMessage &message : messages)
    if (message.severity == TargetMessage::Error) {
      diag.error(file.path + ": " + message.text);
      good = false;
    }
  return good;
}

//===----------------------------------------------------------------------===//
// The map of an ELF file
//===----------------------------------------------------------------------===//

namespace {

/// Makes the map of an ELF file.
class ElfMap {
public:
  explicit ElfMap(const LinkedFile &file) : file(file) {}
  LinkMap run();

private:
  uint64_t loadAddress(const LinkedFile::Section &section) const;
  MapSymbol symbolOf(const LinkedFile::Symbol &from) const;
  uint32_t fileOf(StringRef source);
  void addSection(uint32_t index, std::vector<uint32_t> symbols);
  void addPart(uint32_t file, uint64_t begin, uint64_t end);

  const LinkedFile &file;
  LinkMap map;
  DenseMap<StringRef, uint32_t> files; ///< of map.files, by source
};

/// Where a segment loads a section from.
uint64_t ElfMap::loadAddress(const LinkedFile::Section &section) const {
  for (const LinkedFile::Segment &s : file.segments)
    if (s.type == PT_LOAD && section.address >= s.address &&
        section.address - s.address < s.memorySize)
      return s.loadAddress + (section.address - s.address);
  return section.address;
}

MapSymbol ElfMap::symbolOf(const LinkedFile::Symbol &from) const {
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

uint32_t ElfMap::fileOf(StringRef source) {
  const auto [it, isNew] = files.try_emplace(source, map.files.size());
  if (isNew)
    map.files.push_back({source, "", "", kNoIndex, source});
  return it->second;
}

/// Of the last output section, with the symbols that no part has yet.
void ElfMap::addPart(uint32_t of, uint64_t begin, uint64_t end) {
  MapOutput &out = map.outputs.back();
  MapPart part;
  part.name = out.name;
  part.file = of;
  part.output = uint32_t(map.outputs.size() - 1);
  part.address = out.address + begin;
  part.size = end - begin;
  part.firstSymbol = map.parts.empty() ? 0
                                       : map.parts.back().firstSymbol +
                                             map.parts.back().symbols;
  part.symbols = uint32_t(map.symbols.size()) - part.firstSymbol;
  map.parts.push_back(part);
  ++out.parts;
}

void ElfMap::addSection(uint32_t index, std::vector<uint32_t> symbols) {
  const LinkedFile::Section &section = file.sections[index];
  MapOutput &out = map.outputs.emplace_back();
  out.name = section.name;
  out.address = section.address;
  out.loadAddress = section.isLoaded() ? loadAddress(section) : out.address;
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
    all.push_back(symbolOf(file.symbols[s]));
  MapPart whole;
  whole.address = section.address;
  whole.size = section.size;
  inferSizes(whole, all);
  // What a symbol covers is its file's, up to where it ends.
  const uint32_t unknown = fileOf("(no file)");
  uint32_t of = unknown;
  uint64_t begin = 0, end = 0;
  auto go = [&](uint32_t next, uint64_t at) {
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
        go(unknown, end);
      go(all[i].local && !source.empty() ? fileOf(source) : unknown, offset);
      end = offset + std::min(all[i].size, section.size - offset);
    }
    map.symbols.push_back(all[i]);
  }
  if (end < section.size)
    go(unknown, end);
  addPart(of, begin, section.size);
}

LinkMap ElfMap::run() {
  map.machine = file.target->name;
  map.output = map.keep(file.name);
  map.addressBits = file.target->is64 ? 64 : 32;
  std::vector<std::vector<uint32_t>> bySection(file.sections.size());
  for (uint32_t i = 0; i < file.symbols.size(); ++i) {
    const LinkedFile::Symbol &s = file.symbols[i];
    if (isMark(s) || isBase(file, s))
      continue;
    if (s.section == LinkedFile::kAbsolute)
      map.absolutes.push_back(symbolOf(s));
    else if (s.isIn(file) && s.value >= file.sections[s.section].address &&
             file.offsetOf(s) < file.sections[s.section].size)
      bySection[s.section].push_back(i);
  }
  for (uint32_t i = 1; i < file.sections.size(); ++i)
    if (sectionKind(file.sections[i]) != SectionDiff::Table)
      addSection(i, std::move(bySection[i]));
  if (const auto entry = find_if(file.symbols,
                                 [&](const LinkedFile::Symbol &s) {
                                   return s.isIn(file) && !isMark(s) &&
                                          s.value == file.entry;
                                 });
      entry != file.symbols.end()) {
    map.entryName = entry->name;
    map.entry = file.entry;
  }
  return std::move(map);
}

} // namespace

LinkMap mapOfElf(const LinkedFile &file) { return ElfMap(file).run(); }

std::optional<LinkMap> mapOf(FinishedFile &file, Diagnostics &diag) {
  if (!takeApart(file, diag))
    return std::nullopt;
  if (!file.container && !file.isElf()) {
    const StringRef text = file.buffer->getBuffer();
    if (text.ltrim().starts_with("{"))
      return readLinkMap(file.path, text, diag);
    diag.error(file.path +
               ": is neither an ELF file nor a container or map of one");
    return std::nullopt;
  }
  const ContainerPart *program = file.mainProgram();
  if (!program) {
    diag.error(file.path + ": has no program");
    return std::nullopt;
  }
  const std::optional<LinkedFile> elf =
      readLinkedFile(file.title(*program), program->bytes, diag);
  return elf ? std::optional(mapOfElf(*elf)) : std::nullopt;
}

} // namespace xlink
