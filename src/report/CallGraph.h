//===- CallGraph.h - what objects state about their functions -------------===//
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
  llvm::StringRef symbol; ///< Unresolved: what it depends on
  bool recursive = false; ///< Unresolved: it depends on itself alone
};

class StackSources;

/// The functions, their calls and their use of globals, from the statements of
/// the inputs' expression sections (spec: XS1 ABI, Figure 7), and from others
/// if there are any (StackSources). Of a function that several objects define,
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

    // From StackSources.
    SectionId section; ///< where it begins; kNone: it is undefined
    uint64_t offset = 0;
    std::optional<uint64_t> frame;       ///< bytes of its own
    std::optional<uint64_t> withCallees; ///< bytes with all that it calls
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

  /// Addresses and results must be fixed.
  CallGraph(const Link &link, const SymbolValues &values,
            StackSources *more = nullptr);

  size_t size() const { return symbols.size(); }
  const Symbol &operator[](Node node) const { return symbols[node]; }
  const Digraph &calls() const { return edges; }
  /// What it calls, each once, in the order of the statements.
  llvm::ArrayRef<Node> callees(Node node) const { return edges.callees(node); }
  llvm::ArrayRef<Access> accesses() const { return accessList; }
  llvm::ArrayRef<Parallel> parallels() const { return parallelList; }
  /// Calls, and those that only the formula of a function's sum tells of.
  const Digraph &callsOfSums() const {
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

  /// Whether an object says what a function calls or takes.
  bool isStated(Node node) const {
    return symbols[node].isStated ||
           symbols[node].total[size_t(Resource::StackWords)].kind !=
               StatedValue::Nothing;
  }

private:
  friend class StackSources;
  /// The node of a symbol that a file names, of the definition that a file has,
  /// whether it is in force or not, and of a set, which is in no chain of
  /// calls.
  Node nodeOf(FileId file, uint32_t symbol);
  Node addDefinition(FileId file, uint32_t symbol);
  Node addSet();
  void addCall(Node caller, Node callee) {
    stated.emplace_back(caller, callee);
  }
  bool isUnnamed(Node node) const;
  Node nodeOfKey(uint64_t key, FileId file, uint32_t symbol, SymbolId id);
  bool isHeard(FileId file, uint32_t symbol) const;
  void read(FileId file, const ExprEntry &entry);
  StatedValue valueOf(FileId file, uint32_t symbol) const;
  void state(StatedValue &value, FileId file, const ExprOperand &operand);
  void readTotals();
  struct Formula {
    FileId file;
    const ExprEntry *entry;
  };
  const llvm::DenseMap<uint64_t, Formula> &formulas();
  void readFormulas();
  bool isResultSymbol(FileId file, uint32_t function, uint32_t symbol,
                      Resource resource) const;
  void findUnresolved();

  const Link &link;
  const SymbolValues &values;
  llvm::DenseMap<uint64_t, Node> byKey;
  llvm::DenseMap<uint64_t, Formula> formulaMap; ///< see formulas()
  std::vector<Symbol> symbols;
  std::vector<std::pair<Node, Node>> stated; ///< calls
  Digraph edges;
  Digraph sumEdges; ///< empty: formulas tell of no other calls
  std::vector<Access> accessList;
  std::vector<Parallel> parallelList;
  Node entryNode = kNone;
};

} // namespace xlink
#endif
