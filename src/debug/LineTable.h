//===- LineTable.h - the decoder of .debug_line ---------------------------===//
#ifndef XLINK_DEBUG_LINETABLE_H
#define XLINK_DEBUG_LINETABLE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace xlink {

/// The sections of one object that line tables are in, relocated.
struct LineSections {
  llvm::StringRef lines;       ///< .debug_line
  llvm::StringRef lineStrings; ///< .debug_line_str
  llvm::StringRef strings;     ///< .debug_str
};

/// The lines of one object's code.
class LineTable {
public:
  /// Reads the tables of all units, of DWARF 2 to 5, as far as they are sound.
  explicit LineTable(const LineSections &sections);
  /// "src/work.c:12", of a byte of code; "" where no table speaks of it that
  /// begins at `begin` or behind it.
  std::string find(uint64_t begin, uint64_t address) const;

private:
  friend class LineTableReader;
  struct File {
    llvm::StringRef directory, name;
  };
  /// Bytes that were made of one line.
  struct Range {
    uint64_t low, high;
    uint64_t begin; ///< of the sequence that says so
    uint32_t file;  ///< into `files`
    uint32_t line;
  };

  std::vector<File> files;
  std::vector<Range> ranges; ///< by `low`
};

} // namespace xlink
#endif
