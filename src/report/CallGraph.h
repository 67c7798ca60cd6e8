//===- CallGraph.h - what objects state about their functions -------------===//
#ifndef XLINK_REPORT_CALLGRAPH_H
#define XLINK_REPORT_CALLGRAPH_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "report/CallEdges.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
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

class CallGraph;

/// What else than statements tells of functions and their calls.
class CallSource {
public:
  virtual ~CallSource() = default;
  /// Adds functions, by CallGraph::addDefinition.
  virtual void addFunctions(CallGraph &graph) = 0;
  /// Adds calls, by CallGraph::addCall. What objects state about functions is
  /// known, but for the calls.
  virtual void addCalls(CallGraph &graph) = 0;
};

/// The functions, their calls and their use of globals, from the statements of
/// the inputs' expression sections (spec: XS1 ABI, Figure 7), and from another
/// source if there is one. Of a function that several objects define, the
/// object whose definition is in force is heard.
class CallGraph {
public:
  /// Index of a function, or of a global: both are symbols.
  using Node = CallEdges::Node;

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
    /// A set of functions: its callers call each of its callees.
    bool isSet = false;
    /// A file says of it what it calls or takes.
    bool isStated = false;
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
  CallGraph(const Link &link, const SymbolValues &values,
            CallSource *more = nullptr);

  size_t size() const { return symbols.size(); }
  const Symbol &operator[](Node node) const { return symbols[node]; }
  const CallEdges &calls() const { return edges; }
  /// What it calls, each once, in the order of the statements.
  llvm::ArrayRef<Node> callees(Node node) const { return edges.callees(node); }
  llvm::ArrayRef<Access> accesses() const { return accessList; }
  llvm::ArrayRef<Parallel> parallels() const { return parallelList; }
  /// Calls, and those that only the formula of a function's sum tells of.
  const CallEdges &callsOfSums() const {
    return sumEdges.size() == edges.size() ? sumEdges : edges;
  }
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

  /// For a CallSource: the node of a symbol that a file names, of the
  /// definition that a file has, whether it is in force or not, and a call.
  Node nodeOf(FileId file, uint32_t symbol);
  Node addDefinition(FileId file, uint32_t symbol);
  void addCall(Node caller, Node callee) {
    stated.emplace_back(caller, callee);
  }
  llvm::ArrayRef<std::pair<Node, Node>> addedCalls() const { return stated; }
  /// For a CallSource: a set of functions, which are its callees. It is in no
  /// chain of calls.
  Node addSet();
  /// Whether an object says what a function calls or takes.
  bool isStated(Node node) const {
    return symbols[node].isStated ||
           symbols[node].total[size_t(Resource::StackWords)].kind !=
               StatedValue::Nothing;
  }

private:
  bool isUnnamed(Node node) const;
  Node nodeOfKey(uint64_t key, FileId file, uint32_t symbol, SymbolId id);
  bool isHeard(FileId file, uint32_t symbol) const;
  void read(FileId file, const ExprEntry &entry);
  StatedValue valueOf(FileId file, uint32_t symbol) const;
  void state(StatedValue &value, FileId file, const ExprOperand &operand);
  void readTotals();
  void readFormulas();
  bool isResultSymbol(FileId file, uint32_t function, uint32_t symbol,
                      Resource resource) const;
  void findUnresolved();

  const Link &link;
  const SymbolValues &values;
  llvm::DenseMap<uint64_t, Node> byKey;
  std::vector<Symbol> symbols;
  std::vector<std::pair<Node, Node>> stated; ///< calls
  CallEdges edges;
  CallEdges sumEdges; ///< empty: formulas tell of no other calls
  std::vector<Access> accessList;
  std::vector<Parallel> parallelList;
  Node entryNode = kNone;
};

} // namespace xlink
#endif
