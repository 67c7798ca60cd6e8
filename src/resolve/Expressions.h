//===- Expressions.h - link-time expression sections ----------------------===//
#ifndef XLINK_RESOLVE_EXPRESSIONS_H
#define XLINK_RESOLVE_EXPRESSIONS_H

#include "base/Diagnostics.h"
#include "model/Geometry.h"
#include "model/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>
#include <vector>

namespace xlink {

/// The results of all inputs' link-time expressions. Made once after
/// resolution; evaluated whenever addresses have changed.
class Expressions {
public:
  /// Makes global results names that layout gives a value.
  explicit Expressions(Program &program);
  bool empty() const { return entries.empty(); }

  /// Address of a symbol that is no result: (file, symbol index) -> value, or
  /// nothing when it is undefined.
  using AddressOf =
      llvm::function_ref<std::optional<uint64_t>(FileId, uint32_t)>;

  /// Computes every result from addresses, and stores it in `now`: in its
  /// symbol (globals) or in the local results.
  void evaluate(AddressOf addressOf, Geometry &now);
  /// Once, after the last evaluation: failed assertions.
  void report(AddressOf addressOf, Diagnostics &diag) const;
  /// How many dependencies were looked at since evaluate() began: a measure of
  /// the work for tests.
  uint64_t steps() const { return stepCount; }

private:
  struct Entry {
    FileId file;
    uint32_t entry; ///< index into the object's expressions
    uint64_t value = 0;
    uint32_t order = 0; ///< of the first visit
    uint32_t low = 0;   ///< the earliest entry known to lead here
    enum : uint8_t { New, Busy, Done } state = New;
    Resolution resolution = Resolution::Known;
  };
  /// What an operand reads.
  struct Value {
    uint32_t value = 0;
    Resolution resolution = Resolution::Known;
  };
  const ExprEntry &expression(const Entry &entry) const;
  Value valueOf(FileId file, const ExprOperand &operand,
                AddressOf addressOf) const;
  void compute(uint32_t root, AddressOf addressOf);
  void finish(Entry &entry, AddressOf addressOf);
  void closeComponent(uint32_t root, std::vector<uint32_t> &open,
                      AddressOf addressOf);
  Value recursion(llvm::ArrayRef<uint32_t> members, AddressOf addressOf) const;
  /// The entry whose result an operand (0 or 1) of `node` reads, or kNone.
  uint32_t dependency(uint32_t node, unsigned operand) const;
  bool fails(const Entry &assertion, AddressOf addressOf) const;
  uint32_t entryOf(FileId file, uint32_t symbol) const;

  const Program &program;
  std::vector<Entry> entries; ///< those that assign
  std::vector<Entry> assertions;
  std::vector<uint32_t> bySymbol; ///< symbolBase + index -> entry or kNone
  std::vector<uint32_t> byGlobal; ///< SymbolId -> entry or kNone
  uint32_t nextOrder = 0;
  mutable uint64_t stepCount = 0;
};

} // namespace xlink
#endif
