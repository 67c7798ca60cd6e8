//===- RelocationReader.cpp - SHT_REL and SHT_RELA ------------------------===//
//
// Problem: a section may have several relocation tables, of both kinds,
// anywhere in the file; later passes want one sorted run per section.
//
// Method: the tables (not their entries) are ordered by the section they apply
// to, and the symbol and place of each relocation are checked, so that applying
// it needs no test. A section without bytes may only have relocations that
// write none: they tie sections together. If each section has one table of
// Elf32_Rela in ascending order, as assemblers write them, the entries stay in
// the file (model/Relocations.h). Otherwise they become values in one array,
// and a run that is not in order is sorted.
//
// Cost: one pass over the entries; else a second one and one allocation.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace llvm::ELF;
using llvm::object::ELF32LE;
using llvm::object::ELF64LE;

namespace xlink {

/// A table, and the section it applies to.
struct ObjectReader::RelocationTable {
  uint32_t place, table;
};

/// All tables of an object, by place.
struct ObjectReader::RelocationWork {
  explicit RelocationWork(const Target &target) : rows(target) {}

  std::vector<RelocationTable> tables;
  const RelocationIndex rows;
  uint64_t count = 0; ///< entries of all tables
  bool kept = true;   ///< so far all can stay in the file
};

/// Whether a relocation keeps to the rules; reports when not.
template <class Entry>
bool ObjectReader::checkRelocation(const RelocationTable &job,
                                   const Entry &from,
                                   const RelocationRow *row) {
  const ParsedSection &table = object->sections[job.table];
  const ParsedSection &place = object->sections[job.place];
  const uint64_t offset = from.r_offset;
  const uint32_t symbol = from.getSymbol(false), type = from.getType(false);
  if (symbol >= object->symbols.size()) {
    error(headerText(job.table) + ": relocation " +
          Twine(&from - reinterpret_cast<const Entry *>(table.bytes)) +
          ": symbol index " + Twine(symbol) + " is out of range (" +
          Twine(object->symbols.size()) + " symbols)");
    return false;
  }
  if (place.isNoBits() && (!row || row->hasField())) {
    errorAt(job.place, offset,
            relocationName(target, type) +
                " for a section that has no contents");
    return false;
  }
  const uint64_t size = row ? row->bytes : 0;
  if (offset > place.size || size > place.size - offset) {
    errorAt(job.place, offset,
            relocationName(target, type) + " (" + Twine(size) +
                " bytes) is beyond the end of the section (" + hex(place.size) +
                " bytes)");
    return false;
  }
  return true;
}

/// Checks one table, and finds out whether its entries can stay in the file.
template <class ELFT, bool IsRela>
void ObjectReader::checkRelocationTable(const RelocationTable &job,
                                        RelocationWork &work) {
  using Entry =
      std::conditional_t<IsRela, typename ELFT::Rela, typename ELFT::Rel>;
  const ParsedSection &table = object->sections[job.table];
  const ParsedSection &place = object->sections[job.place];
  const uint64_t symbols = object->symbols.size();
  bool slots = false, sorted = true;
  uint64_t last = 0; // offset
  for (const Entry &from :
       ArrayRef(reinterpret_cast<const Entry *>(table.bytes),
                table.size / sizeof(Entry))) {
    const uint64_t offset = from.r_offset;
    const RelocationRow *row = work.rows.find(from.getType(false));
    const uint64_t size = row ? row->bytes : 0;
    // The common case in one condition; only a failure examines the kind of
    // fault.
    if (from.getSymbol(false) >= symbols || place.isNoBits() ||
        offset > place.size || size > place.size - offset) {
      if (saturated())
        return;
      if (!checkRelocation(job, from, row))
        continue;
    }
    slots |= row && row->terms().slot;
    sorted &= offset >= last;
    last = offset;
    if constexpr (!IsRela)
      if (row && row->hasField() &&
          !extractAddend(*row, place.bytes + offset)) {
        if (saturated())
          return;
        errorAt(job.place, offset,
                Twine("the addend of ") + row->name +
                    " in a table of type SHT_REL cannot be read back from its "
                    "field; use SHT_RELA");
      }
  }
  object->mayWantSlots |= slots;
  work.kept &= sorted && IsRela && !ELFT::Is64Bits;
}

/// Appends the relocations of a table that has been checked.
template <class ELFT, bool IsRela>
void ObjectReader::readRelocationTable(const RelocationTable &job,
                                       const RelocationWork &work) {
  using Entry =
      std::conditional_t<IsRela, typename ELFT::Rela, typename ELFT::Rel>;
  const ParsedSection &table = object->sections[job.table];
  const ParsedSection &place = object->sections[job.place];
  for (const Entry &from :
       ArrayRef(reinterpret_cast<const Entry *>(table.bytes),
                table.size / sizeof(Entry))) {
    Relocation to{from.r_offset, 0, from.getSymbol(false), from.getType(false)};
    if constexpr (IsRela)
      to.addend = from.r_addend;
    else if (const RelocationRow *row = work.rows.find(to.type);
             row && row->hasField())
      to.addend = *extractAddend(*row, place.bytes + to.offset);
    object->relocations.push_back(to);
  }
}

/// Leaves the entries of all tables in the file.
void ObjectReader::keepRelocations(const RelocationWork &work) {
  for (const RelocationTable &job : work.tables) {
    const ArrayRef<uint8_t> data = object->sections[job.table].data();
    ParsedSection &place = object->sections[job.place];
    place.relocBegin = Relocations::indexAt(data.data() - bytes.data());
    place.relocEnd =
        place.relocBegin + uint32_t(data.size() / Relocations::kEntrySize);
  }
  object->relocations.refer(bytes.data(), work.count);
}

template <class ELFT> void ObjectReader::readRelocations() {
  std::vector<ParsedSection> &sections = object->sections;
  RelocationWork work(target);
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i) {
    const ParsedSection &table = sections[i];
    if ((table.type != SHT_REL && table.type != SHT_RELA) || table.isPiece ||
        table.size == 0)
      continue;
    const uint32_t info = links[i].info;
    const ParsedSection &place = sections[info];
    if (place.kind != SectionKind::Regular)
      continue;
    work.tables.push_back({info, i});
    work.count += table.size / table.entsize;
  }
  object->mayWantSlots = false;
  if (work.count > UINT32_MAX) {
    error("section table: " + Twine(work.count) + " relocations are too many");
    return;
  }
  auto byPlace = [](const RelocationTable &a, const RelocationTable &b) {
    return a.place < b.place;
  };
  if (!llvm::is_sorted(work.tables, byPlace))
    llvm::stable_sort(work.tables, byPlace);

  uint64_t count = 0;
  for (const RelocationTable &job : work.tables) {
    const ParsedSection &table = sections[job.table];
    ParsedSection &place = sections[job.place];
    if (place.relocEnd == 0) { // its first table
      place.relocBegin = uint32_t(count);
    } else {
      work.kept = false;
    }
    count += table.size / table.entsize;
    place.relocEnd = uint32_t(count);
    if (table.type == SHT_RELA)
      checkRelocationTable<ELFT, true>(job, work);
    else
      checkRelocationTable<ELFT, false>(job, work);
  }
  if (errors || count == 0)
    return;
  if (work.kept && bytes.size() <= Relocations::kMaxFile)
    return keepRelocations(work);

  object->relocations.reserve(count);
  for (const RelocationTable &job : work.tables)
    if (sections[job.table].type == SHT_RELA)
      readRelocationTable<ELFT, true>(job, work);
    else
      readRelocationTable<ELFT, false>(job, work);
  std::vector<Relocation> &values = object->relocations.asValues();
  auto byOffset = [](const Relocation &a, const Relocation &b) {
    return a.offset < b.offset;
  };
  for (const ParsedSection &section : sections) {
    auto run = MutableArrayRef(values).slice(
        section.relocBegin, section.relocEnd - section.relocBegin);
    if (!llvm::is_sorted(run, byOffset))
      llvm::stable_sort(run, byOffset);
  }
}

template void ObjectReader::readRelocations<ELF32LE>();
template void ObjectReader::readRelocations<ELF64LE>();

} // namespace xlink
