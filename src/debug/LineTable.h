//===- LineTable.h - lines of code and of variables in DWARF --------------===//
#ifndef XLINK_DEBUG_LINETABLE_H
#define XLINK_DEBUG_LINETABLE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace xlink {

class LineFinder;
struct Program;

/// The sections of one object that line tables are in, relocated.
struct LineSections {
  llvm::StringRef lines;       ///< .debug_line
  llvm::StringRef lineStrings; ///< .debug_line_str
  llvm::StringRef strings;     ///< .debug_str
  bool isBig = false;          ///< the order of their bytes
};

/// The lines of one object's code.
class LineTable {
public:
  /// Code of one unit, without gaps.
  struct Sequence {
    uint64_t low, high;
    uint64_t table; ///< offset of the unit's table in .debug_line
  };
  /// Reads the tables of all units, of DWARF 2 to 5, as far as they are sound.
  /// `lines` false: their sequences alone, no line is found then.
  explicit LineTable(const LineSections &sections, bool lines = true);
  /// "src/work.c:12", of a byte of code; "" if no table covers it that begins
  /// at `begin` or later.
  std::string find(uint64_t begin, uint64_t address) const;
  /// "src/work.c:12", line 12 of a file as the table at `offset` of .debug_line
  /// counts them, or "".
  std::string lineOf(uint64_t offset, uint64_t file, uint64_t line) const;

  std::vector<Sequence> sequences; ///< in the order of the section

private:
  friend class LineTableReader;
  /// Texts that end at their first NUL, which is searched when they are shown:
  /// many files may share one long text.
  struct File {
    llvm::StringRef directory, name;
  };
  /// Code of one line.
  struct Range {
    uint64_t low, high;
    uint64_t begin; ///< of the sequence that says so
    uint32_t file;  ///< into `files`
    uint32_t line;
  };

  /// The files of one unit's table.
  struct Unit {
    uint64_t offset; ///< in .debug_line
    uint32_t first, count;
    bool fromZero; ///< its files are counted from 0
  };
  std::string text(uint32_t file, uint64_t line) const;

  std::vector<Unit> units; ///< by offset
  std::vector<File> files;
  std::vector<Range> ranges; ///< by `low`
  const bool hasLines;
};

/// The sections of one object that describe variables and units, relocated.
struct EntrySections {
  llvm::StringRef entries;       ///< .debug_info
  llvm::StringRef abbreviations; ///< .debug_abbrev
  llvm::StringRef addresses;     ///< .debug_addr
  bool isBig = false;            ///< the order of their bytes
  // For the names of units.
  llvm::StringRef strings = {};       ///< .debug_str
  llvm::StringRef lineStrings = {};   ///< .debug_line_str
  llvm::StringRef stringOffsets = {}; ///< .debug_str_offsets
};

/// Where a variable is declared.
struct Declaration {
  uint64_t table; ///< of its unit: offset of the line table
  uint64_t file;  ///< as that counts files
  uint64_t line;
};

/// The variables of one object that are at one address for good, by that; the
/// first at an address holds.
using VariableTable = std::map<uint64_t, Declaration>;

struct EntryTables {
  VariableTable variables;
  /// Names of compiled files, "src/work.c", by offset of the line table.
  std::map<uint64_t, llvm::StringRef> units;
};
/// Reads all units, of DWARF 2 to 5, as far as they are sound.
EntryTables readEntries(const EntrySections &sections);
inline VariableTable readVariables(const EntrySections &sections) {
  return readEntries(sections).variables;
}

/// Finds source lines in the DWARF of a program's objects. Reads each object
/// once, on demand; an unreadable one has no lines.
std::unique_ptr<LineFinder> makeSourceLines(const Program &program);

} // namespace xlink
#endif
