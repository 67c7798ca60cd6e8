//===- InitTables.cpp - --init-tables: tables for start-up code -----------===//
//
// Problem: before main, initialised data has to be copied from its load address
// to its address, and sections without bytes have to be cleared. Start-up code
// that does so by symbols of the script has to change with the script, and an
// omission shows only when the program is debugged.
//
// Method: the linker lists all of these sections in the form, and under the
// names, that CMSIS's start-up code reads:
//
//     { load address, address, words }   from __copy_table_start__ on
//     { address, words }                 from __zero_table_start__ on
//
// Every field has the size of an address, and words are of four bytes: that is
// how a compiler lays out `struct { const uint32_t *from; uint32_t *to;
// uint32_t words; }`, also where pointers have eight bytes.
//
// The size of the tables depends on load addresses, which depend on the size of
// the tables. So the size is a result of each round of address assignment and
// an argument of the next.
//
// Start-up code writes whole words. A section that ends inside a word gets the
// rest of it too, unless that belongs to another section or to no memory.
//
// Cost: one visit of each output section a round.
//
//===----------------------------------------------------------------------===//
#include "base/ByteOrder.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace xlink {

/// The bytes that start-up code moves at a time.
static constexpr uint64_t kWord = 4;

namespace {

/// A line of one of the tables.
struct InitEntry {
  OutputId output;
  Address load, address;
  Size size;
  bool clears; ///< it is one of the zero table
};

} // namespace

void createInitTables(Program &program) {
  if (!program.config.initTables)
    return;
  // The entries are written over this; a section without bytes would take none
  // in the file.
  const uint64_t align = program.addressSize();
  program.initTables =
      program.addMadeSection(".init_tables", ELF::SHT_PROGBITS, ELF::SHF_ALLOC,
                             align, std::vector<uint8_t>(align), align);
  for (const char *name : kInitTableNames)
    if (SymbolId id = program.symbols.find(name); id != kNone)
      program.makeAssignable(id);
}

/// Names that GCC gives sections whose contents outlive a reset, and scripts
/// keep: "NAME" and "NAME.*".
static bool isNamed(StringRef section, StringRef name) {
  return section.consume_front(name) &&
         (section.empty() || section.starts_with("."));
}

/// The entry of an output section, if it has one; `load`: where it is loaded
/// to.
static std::optional<InitEntry> entryOf(const OutputView &out, Address load) {
  // Members of an overlay are brought in while the program runs.
  if (!out.occupies() || out.overlay || isNamed(out.name, ".persistent"))
    return std::nullopt;
  if (!out.isNoBits())
    return load == out.address
               ? std::nullopt
               : std::optional(InitEntry{out.id, load, out.address, out.size,
                                         /*clears=*/false});
  // Room that only the script makes is a stack or a heap.
  if (out.noload || isNamed(out.name, ".noinit") || !out.info.holdsSections)
    return std::nullopt;
  return InitEntry{out.id, out.address, out.address, out.size,
                   /*clears=*/true};
}

/// All entries, in the order of the output.
static std::vector<InitEntry> entriesOf(const Link &link) {
  const IdVector<OutputId, Address> loadedTo = link.loadedTo();
  std::vector<InitEntry> entries;
  for (const OutputView &out : link.outputsInOrder())
    if (std::optional<InitEntry> entry = entryOf(out, loadedTo[out.id]))
      entries.push_back(*entry);
  return entries;
}

InitTableCounts countInitEntries(const Link &link) {
  InitTableCounts counts;
  if (link.program.initTables == kNone || !link.placed(link.program.initTables))
    return counts;
  for (const InitEntry &entry : entriesOf(link))
    ++(entry.clears ? counts.clears : counts.copies);
  return counts;
}

Size initTableOffset(const Link &link, size_t symbol) {
  InitTableCounts counts = link.addresses.initTables;
  if (symbol == 0)
    return Size();
  if (symbol != 3)
    counts.clears = 0;
  return counts.bytes(link.program.addressSize());
}

std::vector<uint8_t> initTableBytes(const Link &link) {
  const SectionId id = link.program.initTables;
  if (id == kNone)
    return {};
  std::vector<uint8_t> bytes;
  const std::vector<InitEntry> entries = entriesOf(link);
  auto put = [&](uint64_t value) {
    const size_t at = bytes.size();
    bytes.resize(at + link.program.addressSize());
    writeNumber(value, MutableArrayRef<uint8_t>(bytes).drop_front(at),
                link.program.target->isBig);
  };
  for (bool clears : {false, true})
    for (const InitEntry &entry : entries) {
      if (entry.clears != clears)
        continue;
      if (!clears)
        put(entry.load.wrapped());
      put(entry.address.wrapped());
      put(uint64_t(entry.size.alignedTo(kWord)) / kWord);
    }
  bytes.resize(link.sizeOf(id));
  return bytes;
}

/// The owner of the rest of a section's last word: " and section '.bss' begins
/// in its last word"; "" if it is free.
static std::string behind(const Link &link, const InitEntry &entry) {
  const OutputView out = link.output(entry.output);
  const Address end = entry.address + entry.size;
  const Address wordEnd = end.alignedTo(kWord);
  for (const OutputView &other : link.outputs())
    if (other.id != out.id && other.occupies() && other.address < wordEnd &&
        other.address + other.size > end)
      return "section '" + other.name + "' begins in its last word";
  auto ends = [&](RegionId region, Address last) {
    return region != kNone && link.addresses.regions[region].end() < last;
  };
  const Address loadEnd = (entry.load + entry.size).alignedTo(kWord);
  const RegionId region = ends(out.region, wordEnd) ? out.region
                          : ends(out.lmaRegion, loadEnd) && !entry.clears
                              ? out.lmaRegion
                              : RegionId();
  if (region == kNone)
    return "";
  return "memory region '" +
         link.program.script.memory[region.index()].name.str() +
         "' ends in its last word";
}

/// An entry that start-up code could not work off by words.
static void checkEntry(const Link &link, const InitEntry &entry,
                       Diagnostics &diag) {
  const OutputView out = link.output(entry.output);
  const std::string text =
      "option '--init-tables': section '" + out.name + "' ";
  if (entry.address.wrapped() % kWord || entry.load.wrapped() % kWord) {
    diag.error(
        text + "is at " + hex(entry.address) +
            (entry.clears ? "" : ", loaded to " + hex(entry.load)) +
            ": start-up code moves words of 4 bytes",
        {"'" + out.name + " : ALIGN(4)' in the script aligns both addresses"});
    return;
  }
  if (uint64_t(entry.size) % kWord == 0)
    return;
  if (const std::string taken = behind(link, entry); !taken.empty())
    diag.error(text + "has " + std::to_string(entry.size) +
                   " bytes, no multiple of 4, and " + taken,
               {"'. = ALIGN(4);' at its end in the script completes the word"});
}

void checkInitTables(const Link &link, Diagnostics &diag) {
  const SectionId id = link.program.initTables;
  if (id == kNone)
    return;
  if (!link.placed(id))
    return diag.warn(WarningGroup::General,
                     "the script discards '.init_tables': --init-tables has no "
                     "effect");
  const OutputView home = link.output(link.section(id).output);
  const std::string where =
      "option '--init-tables': the tables are in section '" + home.name + "', ";
  if (home.isNoBits() || !home.isAlloc())
    diag.error(where + "which has no bytes that are loaded");
  else if (entryOf(home, link.loadedTo()[home.id]))
    diag.error(where + "which start-up code copies only after it has read them",
               {"the script can place '.init_tables' where it is loaded"});
  for (const InitEntry &entry : entriesOf(link))
    checkEntry(link, entry, diag);
}

} // namespace xlink
