//===- SyntheticSections.h - sections the linker makes itself -------------===//
#ifndef XLINK_SECTIONS_SYNTHETICSECTIONS_H
#define XLINK_SECTIONS_SYNTHETICSECTIONS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include <vector>

namespace xlink {

/// Makes `.got` if a relocation needs a slot or a symbol of the machine is in
/// it. One slot a symbol, in the order of first use.
void createGot(Program &program);
/// Adds xlink's version to `.comment`.
void createComment(Program &program);
/// Removes that from output sections in memory, despite patterns: addresses do
/// not depend on the linker's version.
void dropComment(const Program &program, Placement &placement,
                 const Liveness &liveness);

/// Bytes of the note in front of the hash: its header, and "GNU".
constexpr uint64_t kBuildIdHeader = 16;
/// --build-id: adds the note, without the bytes that are a hash of the output,
/// which output/BuildId fills in. An output that is no ELF file has none.
void createBuildId(Program &program);

/// Gives slots to symbols that live sections refer to.
void settleGot(const Program &program, const Placement &placement,
               Contributions &contributions);

/// Offset of the slot of a file's symbol from the GOT's start; kNone: no slot.
uint64_t gotSlotOffset(const Link &link, FileId file, uint32_t symbol);
/// The bytes of the GOT; empty without one.
std::vector<uint8_t> gotBytes(const Link &link, const SymbolValues &values);

//===----------------------------------------------------------------------===//
// --init-tables
//===----------------------------------------------------------------------===//

/// --init-tables: makes `.init_tables`, the names of which layout may define.
void createInitTables(Program &program);

/// The number of entries of each table, for the next round.
InitTableCounts countInitEntries(const Link &link);

/// The symbols at the beginnings and ends of the tables.
constexpr const char *kInitTableNames[] = {
    "__copy_table_start__", "__copy_table_end__", "__zero_table_start__",
    "__zero_table_end__"};

/// Offset of one of these from the section's start.
Size initTableOffset(const Link &link, size_t symbol);

/// The bytes of the section; empty without one.
std::vector<uint8_t> initTableBytes(const Link &link);

/// Reports sections that start-up code cannot copy or clear by words of four
/// bytes, and tables that it could not read.
void checkInitTables(const Link &link, Diagnostics &diag);

//===----------------------------------------------------------------------===//
// Code between callers and functions
//===----------------------------------------------------------------------===//

/// Makes code for callers that pass less than a function expects, by the types
/// that objects state (Target::thunkMaker): one section for each function
/// and way of calling it, in a file of the linker's own. These callers' symbols
/// of the function and of its stack words are the code's from then on. Before
/// any other made section.
void makeThunks(Program &program);

/// Reports live references that need such code and cannot have it.
void checkThunks(const Link &link, Diagnostics &diag);

} // namespace xlink
#endif
