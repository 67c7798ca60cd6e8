//===- VariableTable.h - which line declares a variable -------------------===//
#ifndef XLINK_DEBUG_VARIABLETABLE_H
#define XLINK_DEBUG_VARIABLETABLE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace xlink {

/// The sections of one object that describe variables, relocated.
struct EntrySections {
  llvm::StringRef entries;       ///< .debug_info
  llvm::StringRef abbreviations; ///< .debug_abbrev
  llvm::StringRef addresses;     ///< .debug_addr
};

/// Where a variable is declared.
struct Declaration {
  uint64_t table; ///< of its unit: offset of the line table
  uint64_t file;  ///< as that counts files
  uint64_t line;
};

/// The variables of one object that are at one address for good.
class VariableTable {
public:
  /// Reads all units, of DWARF 2 to 5, as far as they are sound.
  explicit VariableTable(const EntrySections &sections);
  /// Of the variable that begins at `address`.
  std::optional<Declaration> find(uint64_t address) const;

private:
  friend class EntryReader;
  struct Variable {
    uint64_t address;
    Declaration declaration;
  };

  std::vector<Variable> variables; ///< by address
};

} // namespace xlink
#endif
