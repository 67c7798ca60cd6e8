//===- InitTables.h - --init-tables: tables for start-up code -------------===//
#ifndef XLINK_SECTIONS_INITTABLES_H
#define XLINK_SECTIONS_INITTABLES_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// --init-tables: makes `.init_tables`, the names of which layout may define.
void createInitTables(Program &program);

/// The number of entries of each table, for the next round.
InitTableCounts countInitEntries(const Link &link);

/// The symbols at the beginnings and ends of the tables, in the order of
/// initTableOffset; kNone if the name is defined, or not referenced.
std::vector<SymbolId> initTableSymbols(const PartialLink &link,
                                       const IdSet<SymbolId> &scripted);

/// Offset from the section's start: of __copy_table_start__,
/// __copy_table_end__, __zero_table_start__ or __zero_table_end__.
Size initTableOffset(const Link &link, size_t symbol);

/// The bytes of the section; empty without one.
std::vector<uint8_t> initTableBytes(const Link &link);

/// Reports sections that start-up code cannot copy or clear by words of four
/// bytes, and tables that it could not read.
void checkInitTables(const Link &link, Diagnostics &diag);

} // namespace xlink
#endif
