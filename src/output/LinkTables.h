//===- LinkTables.h - relocations, groups, expressions of an output -------===//
#ifndef XLINK_OUTPUT_LINKTABLES_H
#define XLINK_OUTPUT_LINKTABLES_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/FileLayout.h"
#include "output/SymbolTableWriter.h"
#include "output/Table.h"
#include <vector>

namespace xlink {

/// What -r and -q keep: a RELA table for each output section that has
/// relocations, the groups of a relocatable output, and link-time expressions
/// and types of symbols with the indices that symbols and strings have in the
/// output.
struct LinkTables {
  std::vector<Table> groups; ///< parallel to FileLayout::groups
  std::vector<Table> others;
  /// Strings of expressions and types, behind the symbols' names.
  std::vector<uint8_t> strings;
};

/// `symbols` has the indices that they refer to. Header indices of relocation
/// tables begin at `firstHeader`; sh_link of all tables is left to the caller,
/// who knows where the symbols are.
LinkTables buildLinkTables(const Link &link, const SymbolValues &values,
                           const FileLayout &layout, uint32_t firstHeader,
                           const SymbolTableWriter &symbols, Diagnostics &diag);

} // namespace xlink
#endif
