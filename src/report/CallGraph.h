//===- CallGraph.h - functions, calls and statements of a program ---------===//
#ifndef XLINK_REPORT_CALLGRAPH_H
#define XLINK_REPORT_CALLGRAPH_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "report/Digraph.h"
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
  llvm::StringRef symbol; ///< Unresolved: the symbol that it depends on
  bool recursive = false; ///< Unresolved: it depends on itself alone
};

/// The functions, their calls and their use of globals, from the statements of
/// the inputs' expression sections (spec: XS1 ABI, Figure 7), and from other
/// sources (stackGraph). Of a function that several objects define,
/// the object whose definition is in force is heard.
class CallGraph {
public:
  /// Index of a function, or of a global: both are symbols.
  using Node = Digraph::Node;

  struct Symbol {
    FileId file;    ///< where it was mentioned first
    uint32_t index; ///< its index there
    SymbolId id;    ///< kNone: local
    llvm::StringRef name;
    llvm::StringRef visible; ///< the name for users
    bool defined = false;
    /// No function but a part of one, to which compilers give a name of its
    /// own: the branches of a par, for example. It has no code and no frame.
    bool isStatement = false;
    /// A set of functions: its callers call each of its callees.
    bool isSet = false;
    /// A file states its calls or its frame.
    bool isStated = false;
    Node owner = kNone; ///< the function that a statement is part of
    std::array<StatedValue, kResourceCount> own;   ///< of the function alone
    std::array<StatedValue, kResourceCount> total; ///< with all its callees

    // From stackGraph.
    SectionId section; ///< where it begins; kNone: it is undefined
    uint64_t offset = 0;
    std::optional<uint64_t> frame;       ///< bytes of its own
    std::optional<uint64_t> withCallees; ///< bytes with all its callees
    bool dynamic = false;      ///< its frame is larger than `frame`, or may be
    bool isAlias = false;      ///< another name; it calls its function
    bool addressTaken = false; ///< by data, or by code as data
    bool indirect = false;     ///< it calls through a pointer
    bool calls = false;        ///< there are calls in its code, stated or not
    bool callsNoted = false;   ///< a compiler's file has all of its calls
    bool callsStated = false;  ///< --stack-calls has the callees of `indirect`
    llvm::StringRef indirectPlace; ///< "work.c:5:31", or empty
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

  /// Reads the statements; readTotals() and settle() follow. Addresses and
  /// results must be fixed.
  CallGraph(const Link &link, const SymbolValues &values);

  /// The node of a symbol that a file names.
  Node nodeOf(FileId file, uint32_t symbol);
  /// That of the definition that a file has, whether it is in force or not.
  Node addDefinition(FileId file, uint32_t symbol);
  /// That of a set of functions, which is in no chain of calls.
  Node addSet();
  void addCall(Node caller, Node callee) {
    stated.emplace_back(caller, callee);
  }
  /// So far.
  llvm::ArrayRef<std::pair<Node, Node>> statedCalls() const { return stated; }
  Symbol &edit(Node node) { return symbols[node]; }
  /// Reads the result symbols of functions, when all functions are there.
  void readTotals();
  /// Makes the edges, when all calls are there.
  void settle();

  size_t size() const { return symbols.size(); }
  const Symbol &operator[](Node node) const { return symbols[node]; }
  const Digraph &calls() const { return edges; }
  /// The groups of functions that call each other.
  const Digraph::Components &groups() const { return groupList; }
  /// The callees of a function, each once, in the order of the statements.
  llvm::ArrayRef<Node> callees(Node node) const { return edges.callees(node); }
  /// Calls, and those that only the formula of a function's sum tells of; and
  /// their groups.
  const Digraph &callsOfSums() const { return sumEdges ? *sumEdges : edges; }
  const Digraph::Components &groupsOfSums() const {
    return sumEdges ? sumGroupList : groupList;
  }
  llvm::ArrayRef<Access> accesses() const { return accessList; }
  llvm::ArrayRef<Parallel> parallels() const { return parallelList; }
  /// The entry symbol, kNone without one.
  Node entry() const { return entryNode; }
  /// The functions that run in parallel with others, but not the entry.
  std::vector<Node> threads() const;
  /// The name of a function for users, or a description where it has none.
  std::string nameOf(Node node) const { return nameOf(node, /*shown=*/true); }
  /// The same in JSON: as in the file.
  std::string nameInFile(Node node) const;
  /// The same inside of a sentence: names in quotes.
  std::string quoted(Node node) const {
    return isUnnamed(node) ? nameOf(node) : "'" + nameOf(node) + "'";
  }
  /// Whether an object states a function's calls or its need.
  bool isStated(Node node) const {
    return symbols[node].isStated ||
           symbols[node].total[size_t(Resource::StackWords)].kind !=
               StatedValue::Nothing;
  }

private:
  struct Formula {
    FileId file;
    const ExprEntry *entry;
  };

  std::string nameOf(Node node, bool shown) const;
  bool isUnnamed(Node node) const;
  Node nodeOfKey(uint64_t key, FileId file, uint32_t symbol, SymbolId id);
  bool isHeard(FileId file, uint32_t symbol) const;
  void read(FileId file, const ExprEntry &entry);
  StatedValue valueOf(FileId file, uint32_t symbol) const;
  void readResource(Node function, Resource resource, FileId file,
                    const ExprEntry &entry);
  llvm::DenseMap<uint64_t, Node>
  largestElements(const llvm::DenseMap<uint64_t, Node> &functions) const;
  void readFormulas();
  void findUnresolved();

  const Link &link;
  const SymbolValues &values;
  llvm::DenseMap<uint64_t, Node> byKey;
  /// The assignments to symbols, by symbolKey().
  llvm::DenseMap<uint64_t, Formula> formulas;
  std::vector<Symbol> symbols;
  std::vector<std::pair<Node, Node>> stated; ///< calls
  Digraph edges;
  Digraph::Components groupList;
  std::optional<Digraph> sumEdges; ///< nothing: formulas tell of no more calls
  Digraph::Components sumGroupList;
  std::vector<Access> accessList;
  std::vector<Parallel> parallelList;
  Node entryNode = kNone;
};

/// The graph of the statements alone.
CallGraph statementGraph(const Link &link, const SymbolValues &values);

} // namespace xlink
#endif
