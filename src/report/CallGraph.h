//===- CallGraph.h - what objects state about their functions -------------===//
#ifndef XLINK_REPORT_CALLGRAPH_H
#define XLINK_REPORT_CALLGRAPH_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// A number that objects give a function.
struct StatedValue {
  enum : uint8_t { Nothing, Value, Unresolved } kind = Nothing;
  uint64_t value = 0;
  uint64_t key = 0;       ///< the symbol that gave it, Program::symbolKey
  llvm::StringRef symbol; ///< Unresolved: what it depends on
  bool recursive = false; ///< Unresolved: it depends on itself alone
};

/// The functions, their calls and their use of globals, from the statements of
/// the inputs' expression sections (spec: XS1 ABI, Figure 7). Of a function
/// that several objects define, the object whose definition is in force is
/// heard.
class CallGraph {
public:
  /// Index of a function, or of a global: both are symbols.
  using Node = uint32_t;

  struct Symbol {
    FileId file;    ///< where it was mentioned first
    uint32_t index; ///< its index there
    SymbolId id;    ///< kNone: local
    llvm::StringRef name;
    llvm::StringRef visible; ///< how users know it
    bool defined = false;
    /// No function but a part of one, to which compilers give a name of its
    /// own: the branches of a par, for example. It has no code and no frame.
    bool isStatement = false;
    Node owner = kNone; ///< the function that a statement is part of
    std::array<StatedValue, kResourceCount> own;   ///< of the function alone
    std::array<StatedValue, kResourceCount> total; ///< with all that it calls
  };
  /// A source line as an object gives it.
  struct Source {
    FileId file;
    const ExprOperand *operand = nullptr;
  };
  struct Access {
    Node function, global;
    ExprOp kind; ///< Passed, Reads, Writes
    Source source;
  };
  struct Parallel {
    Node first, second;
    Source source;
  };

  /// Addresses and results must be fixed.
  CallGraph(const Link &link, const SymbolValues &values);

  size_t size() const { return symbols.size(); }
  const Symbol &operator[](Node node) const { return symbols[node]; }
  /// What it calls, each once, in the order of the statements.
  llvm::ArrayRef<Node> callees(Node node) const {
    return llvm::ArrayRef(edges).slice(firstEdge[node],
                                       firstEdge[node + 1] - firstEdge[node]);
  }
  llvm::ArrayRef<Access> accesses() const { return accessList; }
  llvm::ArrayRef<Parallel> parallels() const { return parallelList; }
  /// The entry symbol, kNone without one.
  Node entry() const { return entryNode; }
  /// For whom a name is: people get it demangled, programs as it is in the
  /// file.
  enum class Reader : uint8_t { Person, Program };
  /// Its name for users, or a description where it has none.
  std::string nameOf(Node node, Reader reader = Reader::Person) const;
  /// The same inside of a sentence: names in quotes.
  std::string quoted(Node node) const {
    return isUnnamed(node) ? nameOf(node) : "'" + nameOf(node) + "'";
  }

  /// Groups of functions that call each other, callees before callers.
  struct Components {
    std::vector<uint32_t> of;    ///< by node
    std::vector<uint32_t> first; ///< by component: its nodes in `nodes`
    std::vector<Node> nodes;
    std::vector<bool> recursive;

    size_t size() const { return recursive.size(); }
    llvm::ArrayRef<Node> members(uint32_t component) const {
      return llvm::ArrayRef(nodes).slice(
          first[component], first[component + 1] - first[component]);
    }
  };
  /// Calls of nodes for which `isLeaf` holds are passed over.
  Components components(llvm::function_ref<bool(Node)> isLeaf) const;

private:
  bool isUnnamed(Node node) const;
  Node nodeOf(FileId file, uint32_t symbol);
  bool isHeard(FileId file, uint32_t symbol) const;
  void read(FileId file, const ExprEntry &entry);
  StatedValue valueOf(FileId file, uint32_t symbol) const;
  void state(StatedValue &value, FileId file, const ExprOperand &operand);
  void readTotals();
  bool isResultSymbol(FileId file, uint32_t function, uint32_t symbol,
                      Resource resource) const;
  void findUnresolved();

  const Link &link;
  const SymbolValues &values;
  llvm::DenseMap<uint64_t, Node> byKey;
  std::vector<Symbol> symbols;
  std::vector<std::pair<Node, Node>> calls; ///< as stated
  std::vector<uint32_t> firstEdge;
  std::vector<Node> edges;
  std::vector<Access> accessList;
  std::vector<Parallel> parallelList;
  Node entryNode = kNone;
};

} // namespace xlink
#endif
