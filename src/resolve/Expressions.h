//===- Expressions.h - link-time expression sections ----------------------===//
#ifndef XLINK_RESOLVE_EXPRESSIONS_H
#define XLINK_RESOLVE_EXPRESSIONS_H

#include "base/Diagnostics.h"
#include "base/Digraph.h"
#include "model/Addresses.h"
#include "model/Program.h"
#include "llvm/ADT/DenseMap.h"
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
  bool empty() const { return entryCount == 0; }

  /// Address of a symbol that is no result: (file, symbol index) -> value, or
  /// nothing when it is undefined.
  using AddressOf =
      llvm::function_ref<std::optional<uint64_t>(FileId, uint32_t)>;

  /// Computes every result from addresses, and stores it in `now`: in its
  /// symbol (globals) or in the local results.
  void evaluate(AddressOf addressOf, Addresses &now);
  /// Once, after the last evaluation: failed assertions.
  void report(AddressOf addressOf, Diagnostics &diag) const;

private:
  struct Value {
    uint32_t value = 0;
    Resolution resolution = Resolution::Known;
  };
  /// The result of a node, or the value that an object gives.
  struct Operand {
    FileId file;
    ExprOperand given;
    uint32_t node = kNone;
    /// Of an element of a set: the function that must be linked for the element
    /// to count, a symbol of the file; kNone: the element always counts.
    uint32_t guard = kNone;
    bool counts = true;
  };
  /// An entry that assigns, or a set.
  struct Node {
    ExprOp op; ///< of a set: the operation over its elements
    std::vector<Operand> operands = {};
    uint64_t key = 0;      ///< of an entry's result: Program::symbolKey
    uint32_t inObject = 0; ///< the result's value in the object
    Value result = {};
  };
  struct Assertion {
    FileId file;
    const ExprEntry *entry;
  };

  template <class Fn> void forEachEntry(Fn fn) const;
  Operand operandOf(FileId file, const ExprOperand &given) const;
  void addOperands(uint32_t node, FileId file, const ExprEntry &entry);
  Value valueOf(const Operand &operand, AddressOf addressOf) const;
  Value compute(const Node &node, AddressOf addressOf) const;
  Value recursion(const Digraph::Components &groups, uint32_t group,
                  AddressOf addressOf) const;
  bool fails(const Assertion &assertion, AddressOf addressOf) const;

  const Program &program;
  std::vector<Node> nodes; ///< entries, and behind them sets
  uint32_t entryCount = 0;
  std::vector<Assertion> assertions;
  llvm::DenseMap<uint64_t, uint32_t> byResult; ///< symbolKey -> node
  /// The elements of each set by its symbolKey, in command-line order.
  llvm::DenseMap<uint64_t, std::vector<Operand>> elements;
  llvm::DenseMap<std::pair<uint64_t, unsigned>, uint32_t> sets; ///< key, op
};

} // namespace xlink
#endif
