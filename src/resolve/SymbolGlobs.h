//===- SymbolGlobs.h - symbols by patterns --------------------------------===//
#ifndef XLINK_RESOLVE_SYMBOLGLOBS_H
#define XLINK_RESOLVE_SYMBOLGLOBS_H

#include "model/SymbolTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <string>

namespace xlink {

/// Finds what --undefined-glob names.
class SymbolGlobs {
public:
  explicit SymbolGlobs(const SymbolTable &symbols) : symbols(symbols) {}
  /// For each pattern: calls fn for the symbols whose names match, in the order
  /// of the table. What fn enters counts from the next pattern on.
  void forEach(llvm::ArrayRef<std::string> patterns,
               llvm::function_ref<void(SymbolId)> fn);
  /// How many names were looked at: a measure of the work for tests.
  uint64_t steps() const { return stepCount; }

private:
  void index();
  std::vector<SymbolId> candidates(llvm::StringRef prefix) const;

  const SymbolTable &symbols;
  std::map<llvm::StringRef, SymbolId> byName;
  uint64_t stepCount = 0;
};

} // namespace xlink
#endif
