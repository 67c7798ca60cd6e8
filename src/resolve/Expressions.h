//===- Expressions.h - link-time expression sections ----------------------===//
#ifndef XLINK_RESOLVE_EXPRESSIONS_H
#define XLINK_RESOLVE_EXPRESSIONS_H

#include "model/Link.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace xlink {

/// The results of all inputs' link-time expressions. Made once after
/// resolution; evaluated whenever addresses have changed.
class Expressions {
public:
  explicit Expressions(Link &link);
  bool empty() const { return entries.empty(); }

  /// Address of a symbol that is no result: (file, symbol index) -> value, or
  /// nothing when it is undefined.
  using AddressOf =
      llvm::function_ref<std::optional<uint64_t>(FileId, uint32_t)>;

  /// Computes every result with today's addresses and stores it in its symbol
  /// (globals) or in link.localResults. Returns whether any result changed.
  bool evaluate(AddressOf addressOf);
  /// Once, after the last evaluation: cycles, failed assertions.
  void report(AddressOf addressOf);

private:
  struct Entry {
    FileId file;
    uint32_t entry; ///< index into the object's expressions
    uint64_t value = 0;
    enum : uint8_t { New, Busy, Resolved, Unresolved } state = New;
  };
  void compute(uint32_t root, AddressOf addressOf);
  uint32_t entryOf(FileId file, uint32_t symbol) const;
  std::string symbolName(FileId file, uint32_t symbol) const;

  Link &link;
  std::vector<Entry> entries; ///< those that assign
  std::vector<Entry> assertions;
  std::vector<uint32_t> bySymbol; ///< symbolBase + index -> entry or kNone
  std::vector<uint32_t> byGlobal; ///< SymbolId -> entry or kNone
  std::vector<std::vector<uint32_t>> cycles;
};

} // namespace xlink
#endif
