//===- SectionNumbers.cpp - sections without relocation tables ------------===//
//
// Problem: if each function has a section of its own, every second section is a
// table of relocations. No pass needs it once it is read, but each would
// iterate over it and hold data for it.
//
// Method: the last step removes the tables and renumbers the other sections,
// wherever an object names sections by number. A table that a symbol refers to
// stays. Before that, the needed links of sh_link and sh_info go into the
// object, by the new numbers.
//
// Cost: one pass over sections, symbols and members of groups.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

static bool isTable(const ParsedSection &section) {
  return section.kind == SectionKind::Ignored &&
         (section.type == SHT_REL || section.type == SHT_RELA);
}

/// The number of removed sections.
static constexpr uint32_t kNoSection = ~uint32_t(0);

/// By section: its new number. Empty: all keep theirs.
std::vector<uint32_t> ObjectReader::numberSections() const {
  const std::vector<ParsedSection> &sections = object->sections;
  if (std::none_of(sections.begin(), sections.end(), isTable))
    return {};
  std::vector<uint32_t> numbers(sections.size());
  for (uint32_t i = 0; i < sections.size(); ++i)
    numbers[i] = isTable(sections[i]) ? kNoSection : 0;
  for (const ParsedSymbol &symbol : object->symbols)
    if (symbol.place == SymbolPlace::Section)
      numbers[symbol.section] = 0;
  uint32_t next = 0;
  for (uint32_t &number : numbers)
    if (number != kNoSection)
      number = next++;
  return numbers;
}

/// The new number of a section, 0: it is left out.
static uint32_t newNumber(ArrayRef<uint32_t> numbers, uint32_t index) {
  if (index >= numbers.size())
    return index;
  return numbers[index] == kNoSection ? 0 : numbers[index];
}

/// Keeps the needed values of sh_link and sh_info, by the sections' new
/// numbers.
void ObjectReader::keepMore(ArrayRef<uint32_t> numbers) {
  for (uint32_t i = 1; i < object->sections.size(); ++i) {
    ParsedSection &section = object->sections[i];
    const bool linked =
        (section.flags & SHF_LINK_ORDER) || section.type == SHT_LLVM_ADDRSIG;
    const uint32_t link = linked ? links[i].link : 0;
    const uint32_t parent = section.isPiece ? links[i].info : 0;
    section.hasMore = (link || parent) && !isTable(section);
    if (section.hasMore)
      object->more.push_back({newNumber(numbers, i), newNumber(numbers, link),
                              newNumber(numbers, parent)});
  }
}

void ObjectReader::leaveOutTables() {
  if (errors != 0)
    return;
  const std::vector<uint32_t> numbers = numberSections();
  keepMore(numbers);
  if (numbers.empty())
    return;
  auto renumber = [&](uint32_t &index) { index = newNumber(numbers, index); };
  std::vector<ParsedSection> kept;
  kept.reserve(
      size_t(std::count_if(numbers.begin(), numbers.end(), [](uint32_t number) {
        return number != kNoSection;
      })));
  for (uint32_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != kNoSection)
      kept.push_back(object->sections[i]);
  object->sections = std::move(kept);
  for (ParsedSymbol &symbol : object->symbols)
    if (symbol.place == SymbolPlace::Section)
      renumber(symbol.section);
  for (ParsedGroup &group : object->groups) {
    renumber(group.section);
    std::erase_if(group.members, [&](uint32_t member) {
      return numbers[member] == kNoSection;
    });
    for (uint32_t &member : group.members)
      renumber(member);
  }
}

} // namespace xlink
