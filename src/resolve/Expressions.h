//===- Expressions.h - link-time expression sections ----------------------===//
#ifndef XLINK_RESOLVE_EXPRESSIONS_H
#define XLINK_RESOLVE_EXPRESSIONS_H

#include "base/Diagnostics.h"
#include "model/Addresses.h"
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
  void evaluate(AddressOf addressOf, Addresses &now);
  /// Once, after the last evaluation: failed assertions.
  void report(AddressOf addressOf, Diagnostics &diag) const;
  /// How many dependencies were looked at since evaluate() began: a measure of
  /// the work for tests.
  uint64_t steps() const { return stepCount; }

private:
  struct Value {
    uint32_t value = 0;
    Resolution resolution = Resolution::Known;
  };
  /// An entry of an object's expressions.
  struct Stated {
    FileId file;
    uint32_t entry; ///< index into the object's expressions
  };
  /// One that makes its first operand an element of a set.
  struct Element : Stated {
    uint64_t set; ///< a key: elements of one key are in one set
    bool live = true;
  };
  /// What has a value: an entry that assigns, or a set.
  struct Node {
    ExprOp op;            ///< of a set: what puts its elements together
    bool reduces = false; ///< an entry whose first operand is a set
    uint32_t set = kNone; ///< ... the set's node
    uint32_t firstElement = 0, elementCount = 0; ///< of a set
    uint32_t value = 0;
    uint32_t order = 0; ///< of the first visit
    uint32_t low = 0;   ///< the earliest node known to lead here
    enum : uint8_t { New, Busy, Done } state = New;
    Resolution resolution = Resolution::Known;
  };
  /// An operand: what another node computes, or what an object gives. An
  /// element that does not count is neither.
  struct Operand {
    uint32_t node = kNone;
    FileId file = {};
    const ExprOperand *given = nullptr;
  };

  bool isResult(Program &program, const Stated &entry);
  uint64_t setKey(FileId file, uint32_t symbol) const;
  void makeSets();
  void findLiveElements(AddressOf addressOf);
  /// The node of the entry whose result a symbol is, or kNone.
  uint32_t entryOf(FileId file, uint32_t symbol) const;
  const ExprEntry &expression(const Stated &stated) const;
  unsigned operandCount(uint32_t node) const;
  Operand operand(uint32_t node, unsigned i) const;
  Operand givenBy(FileId file, const ExprOperand &given) const;
  std::optional<Value> valueOf(const Operand &operand,
                               AddressOf addressOf) const;
  Value valueOf(const Stated &stated, unsigned i, AddressOf addressOf) const;
  static Value combine(ExprOp op, Value a, Value b);
  Value compute(uint32_t node, AddressOf addressOf) const;
  Value recursion(llvm::ArrayRef<uint32_t> members, AddressOf addressOf) const;
  void closeComponent(uint32_t root, std::vector<uint32_t> &open,
                      AddressOf addressOf);
  void visit(uint32_t root, AddressOf addressOf);
  bool fails(const Stated &assertion, AddressOf addressOf) const;

  const Program &program;
  std::vector<Stated> entries;   ///< those that assign
  std::vector<Node> nodes;       ///< of each entry, and then those of sets
  std::vector<Element> elements; ///< by set, those of one in command-line order
  std::vector<Stated> assertions;
  std::vector<uint32_t> bySymbol; ///< symbolBase + index -> node or kNone
  std::vector<uint32_t> byGlobal; ///< SymbolId -> node or kNone
  uint32_t nextOrder = 0;
  mutable uint64_t stepCount = 0;
};

} // namespace xlink
#endif
