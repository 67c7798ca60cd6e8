//===- Column.h - columns of tables for people ----------------------------===//
#ifndef XLINK_INSPECT_COLUMN_H
#define XLINK_INSPECT_COLUMN_H

#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <string>

namespace xlink {

/// The text at the right of a column, with a space in front at least: numbers
/// may be as long as they like.
inline std::string column(llvm::StringRef text, size_t width = 12) {
  return std::string(width - std::min(width - 1, text.size()), ' ') +
         text.str();
}

} // namespace xlink
#endif
