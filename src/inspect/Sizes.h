//===- Sizes.h - the subcommand sizes -------------------------------------===//
#ifndef XLINK_INSPECT_SIZES_H
#define XLINK_INSPECT_SIZES_H

#include "map/LinkMap.h"
#include <map>
#include <string>
#include <vector>

namespace xlink {

/// What takes how much memory. A section that is loaded from one region and
/// runs in another one takes it twice.
struct Sizes {
  struct Row {
    std::string name;
    std::string in; ///< of a section its region, of a symbol its file; or empty
    uint64_t bytes = 0;
  };
  struct Table {
    const char *member; ///< its name in JSON
    const char *title;
    std::vector<Row> rows; ///< the largest first
  };
  std::string machine;
  uint64_t bytes = 0;
  /// Sections, archives, files and symbols. Those of sections and of files sum
  /// to `bytes`.
  std::vector<Table> tables;
};

Sizes sizesOf(const LinkMap &map);
/// `rows`: so many of each table, the rest as one sum.
std::string sizesText(const Sizes &sizes, llvm::StringRef file, size_t rows,
                      bool demangle);
std::string sizesJson(const Sizes &sizes, llvm::StringRef file);

} // namespace xlink
#endif
