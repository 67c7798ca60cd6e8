//===- SyntheticSections.cpp ----------------------------------------------===//
#include "layout/SyntheticSections.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Gives a slot to each symbol that live relocations want one for, in the order
/// of the inputs; returns the size of all.
static uint64_t assignSlots(Link &link) {
  uint64_t size = 0;
  DenseMap<uint64_t, uint64_t> slots;
  for (FileId f = 0; f < link.files.size(); ++f) {
    const InputFile &file = link.files[f];
    for (uint32_t i = 0; i < file.object->sections.size(); ++i) {
      const ParsedSection &section = file.object->sections[i];
      const InputSection &s = link.sections[file.sectionBase + i];
      if (s.discarded || !s.live)
        continue;
      for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
        const Relocation &rel = file.object->relocations[r];
        const RelocationRow *row = findRelocation(*link.target, rel.type);
        if (row && row->formula == Formula::GotOffset &&
            slots.try_emplace(link.symbolKey(f, rel.symbol), size).second)
          size += link.target->gotSlotSize;
      }
    }
  }
  link.gotSlots.clear();
  for (auto [key, offset] : slots)
    link.gotSlots.push_back({key, offset});
  std::sort(link.gotSlots.begin(), link.gotSlots.end());
  return size;
}

void createGot(Link &link) {
  if (link.target->gotSlotSize == 0)
    return;
  const uint64_t size = assignSlots(link);
  bool wanted = size != 0;
  for (const SectionSymbol &s : link.target->sectionSymbols)
    if (StringRef(s.section) == ".got")
      if (SymbolId id = link.symbols.find(s.name); id != kNone)
        wanted |= link.symbols[id].referenced;
  if (!wanted)
    return;
  link.gotSection = link.addMadeSection(
      ".got", ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_WRITE,
      link.target->gotSlotSize, std::vector<uint8_t>(size), size);
  link.gotDescription = &link.madeSections.back();
}

void shrinkGot(Link &link) {
  if (!link.config.gcSections || link.gotSection == kNone)
    return;
  const uint64_t size = assignSlots(link);
  ParsedSection &got = *link.gotDescription;
  got.data = got.data.take_front(size);
  got.size = link.sections[link.gotSection].size = size;
}

uint64_t gotSlotOffset(const Link &link, FileId file, uint32_t symbol) {
  uint64_t key = link.symbolKey(file, symbol);
  auto it = std::lower_bound(link.gotSlots.begin(), link.gotSlots.end(),
                             std::pair<uint64_t, uint64_t>(key, 0));
  return it != link.gotSlots.end() && it->first == key ? it->second : kNone;
}

void fillGot(Link &link) {
  if (link.gotSection == kNone || link.gotSlots.empty())
    return;
  // The made section's bytes are ours to write; addMadeSection keeps them.
  ArrayRef<uint8_t> data = link.sections[link.gotSection].parsed->data;
  uint8_t *bytes = const_cast<uint8_t *>(data.data());
  for (auto [key, offset] : link.gotSlots) {
    uint64_t value = key & Link::kLocalKey ? link.valueAddress[uint32_t(key)]
                                           : link.globalAddress[uint32_t(key)];
    for (uint32_t i = 0; i < link.target->gotSlotSize; ++i)
      bytes[offset + i] = uint8_t(value >> (8 * i));
  }
}

void createComment(Link &link) {
  static const char text[] = "xlink " XLINK_VERSION;
  std::vector<uint8_t> bytes(text, text + sizeof(text));
  uint64_t size = bytes.size();
  link.addMadeSection(".comment", ELF::SHT_PROGBITS,
                      ELF::SHF_MERGE | ELF::SHF_STRINGS, 1, std::move(bytes),
                      size);
  link.madeSections.back().entsize = 1;
}

} // namespace xlink
