//===- SectionNumbers.cpp - sections without relocation tables ------------===//
//
// Problem: where each function has a section of its own, every second section
// is a table of relocations. Once those are read nobody asks about it, but each
// later pass would go through it, and hold something for it.
//
// Method: the last step leaves the tables out and numbers what is behind them
// anew, in all places where an object names sections by number. A table that a
// symbol, or a section with SHF_LINK_ORDER, refers to stays.
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

/// The number of what is left out.
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
  for (const ParsedSection &section : sections)
    if ((section.flags & SHF_LINK_ORDER) && section.link < sections.size())
      numbers[section.link] = 0;
  uint32_t next = 0;
  for (uint32_t &number : numbers)
    if (number != kNoSection)
      number = next++;
  return numbers;
}

void ObjectReader::leaveOutTables() {
  const std::vector<uint32_t> numbers = numberSections();
  if (numbers.empty() || errors != 0)
    return;
  auto renumber = [&](uint32_t &index) {
    if (index < numbers.size())
      index = numbers[index] == kNoSection ? 0 : numbers[index];
  };
  std::vector<ParsedSection> kept;
  kept.reserve(
      size_t(std::count_if(numbers.begin(), numbers.end(), [](uint32_t number) {
        return number != kNoSection;
      })));
  for (uint32_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == kNoSection)
      continue;
    ParsedSection &section = kept.emplace_back(object->sections[i]);
    // Of groups and symbol tables these are no sections, and nobody's business
    // any more.
    renumber(section.link);
    renumber(section.info);
  }
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
