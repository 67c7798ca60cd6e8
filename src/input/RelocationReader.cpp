//===- RelocationReader.cpp - SHT_REL and SHT_RELA ------------------------===//
//
// Problem: a section may have several relocation tables, of both kinds,
// anywhere in the file; later passes want one sorted run per section.
//
// Method: the tables (not their entries) are ordered by the section they apply
// to, and the symbol and place of each relocation are checked, so that applying
// it needs no test. A section without bytes may only have relocations that
// write none: they tie sections together. If each section has one table of
// little-endian Elf32_Rela in ascending order, as assemblers write them, the
// entries stay in the file (model/Relocations.h). Otherwise they become values
// in one array, and a run that is not in order is sorted.
//
// The last step of reading removes the tables, those of symbols and names too:
// if each function has a section of its own, every second section is one, and
// each pass would iterate over it. It renumbers the other sections, wherever an
// object names sections by number. A table that a symbol refers to stays.
//
// Cost: one pass over the entries; else a second one and one allocation. One
// pass over sections, symbols and members of groups.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <utility>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

/// A table, and the section it applies to.
struct ObjectReader::RelocationTable {
  uint32_t place, table;
};

/// The number of entries of a relocation table.
static uint64_t entriesOf(const ParsedSection &table) {
  return table.size / table.entsize;
}

/// An entry of a relocation table; of SHT_REL its addend is 0.
template <bool is64>
static inline Relocation relocationAt(const ParsedSection &table,
                                      uint32_t number, bool isBig) {
  RecordReader from(table.bytes + uint64_t(number) * table.entsize, is64,
                    isBig);
  Relocation to;
  to.offset = from.word();
  const uint64_t info = from.word();
  to.symbol = uint32_t(is64 ? info >> 32 : info >> 8);
  to.type = uint32_t(is64 ? info : info & 0xff);
  to.addend = table.type == SHT_RELA ? from.signedWord() : 0;
  return to;
}

/// Checks one table. `kept` becomes false if its entries cannot stay in the
/// file.
template <bool is64>
void ObjectReader::checkRelocationTable(const RelocationTable &job,
                                        bool &kept) {
  const ParsedSection &table = object->sections[job.table];
  const ParsedSection &place = object->sections[job.place];
  const bool isRela = table.type == SHT_RELA, isBig = target.isBig;
  const size_t symbols = object->symbols.size();
  const bool noBits = place.isNoBits();
  bool slots = false, sorted = true;
  uint64_t last = 0; // offset
  const RelocationRow *row = nullptr;
  uint32_t type = ~0u; // of the row, which the next one mostly shares
  for (uint32_t i = 0, e = uint32_t(entriesOf(table)); i < e && !saturated();
       ++i) {
    const Relocation from = relocationAt<is64>(table, i, isBig);
    if (from.type != type)
      row = findRelocation(target, type = from.type);
    const uint64_t size = row ? row->bytes : 0;
    auto fail = [&](const Twine &text) {
      errorAt(job.place, from.offset, relocationName(target, from.type) + text);
    };
    if (from.symbol >= symbols)
      headerError(job.table,
                  "relocation " + Twine(i) + ": " + noSymbol(from.symbol));
    else if (noBits && (!row || row->hasField()))
      fail(" for a section that has no contents");
    else if (from.offset > place.size || size > place.size - from.offset)
      fail(" (" + Twine(size) + " bytes) is beyond the end of the section (" +
           hex(place.size) + " bytes)");
    else if (!isRela && row && row->hasField() &&
             !extractAddend(*row, place.bytes + from.offset))
      errorAt(job.place, from.offset,
              Twine("the addend of ") + row->name +
                  " in a table of type SHT_REL cannot be read back from its "
                  "field; use SHT_RELA");
    slots |= row && row->addsSlot();
    sorted &= from.offset >= last;
    last = from.offset;
  }
  object->mayWantSlots |= slots;
  kept &= sorted && isRela && !is64 && !isBig;
}

void ObjectReader::readRelocations() {
  std::vector<ParsedSection> &sections = object->sections;
  std::vector<RelocationTable> tables;
  uint64_t count = 0;
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i) {
    const ParsedSection &table = sections[i];
    if ((table.type != SHT_REL && table.type != SHT_RELA) || table.isPiece ||
        table.size == 0 ||
        sections[headerOf(i).info].kind != SectionKind::Regular)
      continue;
    tables.push_back({headerOf(i).info, i});
    count += entriesOf(table);
  }
  object->mayWantSlots = false;
  if (count > UINT32_MAX)
    return error("section table: " + Twine(count) +
                 " relocations are too many");
  llvm::stable_sort(tables,
                    [](const RelocationTable &a, const RelocationTable &b) {
                      return a.place < b.place;
                    });

  bool kept = bytes.size() <= Relocations::kMaxFile;
  uint32_t next = 0;
  for (const RelocationTable &job : tables) {
    ParsedSection &place = sections[job.place];
    if (place.relocEnd == 0) // its first table
      place.relocBegin = next;
    else
      kept = false;
    next += uint32_t(entriesOf(sections[job.table]));
    place.relocEnd = next;
    if (target.is64)
      checkRelocationTable<true>(job, kept);
    else
      checkRelocationTable<false>(job, kept);
  }
  if (errors || count == 0)
    return;
  if (kept) {
    // The entries of all tables stay in the file.
    for (const RelocationTable &job : tables) {
      const ParsedSection &table = sections[job.table];
      ParsedSection &place = sections[job.place];
      place.relocBegin = Relocations::indexAt(table.bytes - bytes.data());
      place.relocEnd = place.relocBegin + uint32_t(entriesOf(table));
    }
    return object->relocations.refer(bytes.data(), count);
  }

  object->relocations.reserve(count);
  for (const RelocationTable &job : tables) {
    const ParsedSection &table = sections[job.table];
    for (uint32_t i = 0, e = uint32_t(entriesOf(table)); i < e; ++i) {
      Relocation to = target.is64 ? relocationAt<true>(table, i, target.isBig)
                                  : relocationAt<false>(table, i, target.isBig);
      if (table.type == SHT_REL)
        if (const RelocationRow *row = findRelocation(target, to.type);
            row && row->hasField())
          to.addend =
              *extractAddend(*row, sections[job.place].bytes + to.offset);
      object->relocations.push_back(to);
    }
  }
  MutableArrayRef<Relocation> values = object->relocations.asValues();
  auto byOffset = [](const Relocation &a, const Relocation &b) {
    return a.offset < b.offset;
  };
  for (const ParsedSection &section : sections) {
    auto run =
        values.slice(section.relocBegin, section.relocEnd - section.relocBegin);
    if (!llvm::is_sorted(run, byOffset))
      llvm::stable_sort(run, byOffset);
  }
}

//===----------------------------------------------------------------------===//
// Leaving out the tables
//===----------------------------------------------------------------------===//

/// Whether all of it is in other fields of the object.
static bool isTable(const ParsedSection &section) {
  return section.kind == SectionKind::Ignored &&
         is_contained(
             {SHT_REL, SHT_RELA, SHT_SYMTAB, SHT_SYMTAB_SHNDX, SHT_STRTAB},
             section.type);
}

thread_local std::vector<ParsedSection> ObjectReader::roomForSections;

void ObjectReader::leaveOutTables() {
  if (errors != 0)
    return;
  std::vector<ParsedSection> &sections = object->sections;
  std::vector<bool> stays(sections.size());
  for (uint32_t i = 0; i < sections.size(); ++i)
    stays[i] = !isTable(sections[i]);
  for (const ParsedSymbol &symbol : object->symbols)
    if (symbol.place == SymbolPlace::Section)
      stays[symbol.section] = true;
  // The new number of each section, 0: it is left out.
  std::vector<uint32_t> numbers(sections.size());
  uint32_t kept = 0;
  for (uint32_t i = 0; i < sections.size(); ++i)
    if (stays[i])
      numbers[i] = kept++;
  auto renumbered = [&](uint32_t index) {
    return index < numbers.size() ? numbers[index] : index;
  };
  for (uint32_t i = 0; i < sections.size(); ++i) {
    ParsedSection &section = sections[i];
    const bool isOrdered = section.flags & SHF_LINK_ORDER,
               isAddressTable = section.type == SHT_LLVM_ADDRSIG;
    uint32_t link = (isOrdered || isAddressTable) && i ? headerOf(i).link : 0;
    if (link == i) // which was reported
      link = 0;
    const uint32_t parent = section.isPiece ? headerOf(i).info : 0;
    section.hasMore = (link || parent) && !isTable(section);
    if (section.hasMore)
      object->more.push_back({numbers[i],
                              isAddressTable ? link : renumbered(link),
                              renumbered(parent)});
    if (stays[i])
      sections[numbers[i]] = section;
  }
  roomForSections = std::exchange(
      sections, {sections.begin(), sections.begin() + ptrdiff_t(kept)});
  for (ParsedSymbol &symbol : object->symbols)
    if (symbol.place == SymbolPlace::Section)
      symbol.section = numbers[symbol.section];
  for (ParsedGroup &group : object->groups) {
    group.section = numbers[group.section];
    std::erase_if(group.members,
                  [&](uint32_t member) { return !stays[member]; });
    for (uint32_t &member : group.members)
      member = numbers[member];
  }
}

} // namespace xlink
