//===- RelocationReader.cpp - SHT_REL and SHT_RELA ------------------------===//
//
// Problem: a section may have several relocation tables, of both kinds,
// anywhere in the file; later passes want one sorted run per section.
//
// Method: the tables (not their entries) are ordered by the section they apply
// to and read one after the other into one array, which was reserved at its
// final size. Assemblers write tables in ascending order, so only a run that
// turns out not to be sorted is sorted. Each relocation is checked for its
// symbol and its place: with both in order, applying it needs no test any more.
// Where there are no bytes only those stand that write none: they tie sections
// together.
//
// Cost: one pass over the entries, one allocation.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::ELF;
using llvm::object::ELF32LE;
using llvm::object::ELF64LE;

namespace xlink {

/// Appends the relocations of one table. `last` is the highest offset so far of
/// the section they apply to; clears `sorted` when one lies below it.
template <class ELFT, bool IsRela>
void ObjectReader::readRelocationTable(uint32_t tableIndex, uint32_t placeIndex,
                                       const RelocationIndex &rows,
                                       uint64_t &last, bool &sorted) {
  using Entry =
      std::conditional_t<IsRela, typename ELFT::Rela, typename ELFT::Rel>;
  const ParsedSection &table = object->sections[tableIndex];
  const ParsedSection &place = object->sections[placeIndex];
  ArrayRef<Entry> entries(reinterpret_cast<const Entry *>(table.data.data()),
                          table.size / sizeof(Entry));
  uint64_t symbolCount = object->symbols.size();
  for (const Entry &from : entries) {
    if (saturated())
      return;
    Relocation to;
    to.offset = from.r_offset;
    to.symbol = from.getSymbol(false);
    to.type = from.getType(false);
    to.addend = 0;
    if (to.symbol >= symbolCount) {
      error(headerText(tableIndex) + ": relocation " +
            Twine(&from - entries.begin()) + ": symbol index " +
            Twine(to.symbol) + " is out of range (" + Twine(symbolCount) +
            " symbols)");
      continue;
    }
    const RelocationRow *row = rows.find(to.type);
    if (place.isNoBits() && (!row || row->hasField())) {
      errorAt(placeIndex, to.offset,
              relocationName(target, to.type) +
                  " for a section that has no contents");
      continue;
    }
    uint64_t size = row ? row->bytes : 0;
    if (to.offset > place.size || size > place.size - to.offset) {
      errorAt(placeIndex, to.offset,
              relocationName(target, to.type) + " (" + Twine(size) +
                  " bytes) is beyond the end of the section (" +
                  hex(place.size) + " bytes)");
      continue;
    }
    if constexpr (IsRela) {
      to.addend = from.r_addend;
    } else if (row && row->hasField()) {
      std::optional<int64_t> addend =
          extractAddend(*row, place.data.data() + to.offset);
      if (!addend) {
        errorAt(placeIndex, to.offset,
                Twine("the addend of ") + row->name +
                    " in a table of type SHT_REL cannot be read back from its "
                    "field; use SHT_RELA");
        continue;
      }
      to.addend = *addend;
    }
    sorted &= to.offset >= last;
    last = std::max(last, to.offset);
    object->relocations.push_back(to);
  }
}

template <class ELFT> void ObjectReader::readRelocations() {
  std::vector<ParsedSection> &sections = object->sections;
  struct Job {
    uint32_t place, table;
  };
  std::vector<Job> jobs;
  uint64_t count = 0;
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i) {
    const ParsedSection &table = sections[i];
    if ((table.type != SHT_REL && table.type != SHT_RELA) || table.isPiece ||
        table.size == 0)
      continue;
    const ParsedSection &place = sections[table.info];
    if (place.kind != SectionKind::Regular)
      continue;
    jobs.push_back({table.info, i});
    count += table.size / table.entsize;
  }
  if (count > UINT32_MAX) {
    error("section table: " + Twine(count) + " relocations are too many");
    return;
  }
  auto byPlace = [](const Job &a, const Job &b) { return a.place < b.place; };
  if (!llvm::is_sorted(jobs, byPlace))
    llvm::stable_sort(jobs, byPlace);

  std::vector<Relocation> &relocations = object->relocations;
  relocations.reserve(count);
  RelocationIndex rows(target);
  for (size_t i = 0; i < jobs.size();) {
    uint32_t place = jobs[i].place;
    uint32_t begin = relocations.size();
    uint64_t last = 0;
    bool sorted = true;
    for (; i < jobs.size() && jobs[i].place == place; ++i)
      if (sections[jobs[i].table].type == SHT_RELA)
        readRelocationTable<ELFT, true>(jobs[i].table, place, rows, last,
                                        sorted);
      else
        readRelocationTable<ELFT, false>(jobs[i].table, place, rows, last,
                                         sorted);
    if (!sorted)
      std::stable_sort(relocations.begin() + begin, relocations.end(),
                       [](const Relocation &a, const Relocation &b) {
                         return a.offset < b.offset;
                       });
    sections[place].relocBegin = begin;
    sections[place].relocEnd = relocations.size();
  }
}

template void ObjectReader::readRelocations<ELF32LE>();
template void ObjectReader::readRelocations<ELF64LE>();

} // namespace xlink
