//===- CallGraph.h - functions, calls and needs of a program --------------===//
#ifndef XLINK_REPORT_CALLGRAPH_H
#define XLINK_REPORT_CALLGRAPH_H

#include "base/Diagnostics.h"
#include "base/Digraph.h"
#include "map/LinkMap.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/JSON.h"
#include <array>

namespace xlink {

/// A number that objects give a function.
struct StatedValue {
  enum : uint8_t { Nothing, Value, Unresolved } kind = Nothing;
  uint64_t value = 0;
  uint64_t key = 0;       ///< the symbol that gave it, Program::symbolKey
  llvm::StringRef symbol; ///< Unresolved: the symbol that it depends on
  bool recursive = false; ///< Unresolved: it depends on itself alone
};

/// The functions, their calls, their use of globals and their own needs, from
/// the statements of the inputs' expression sections (spec: XS1 ABI, Figure 7),
/// and from other sources (stackGraph). Of a function that several objects
/// define, the object whose definition is in force is heard.
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
    bool isStated = false; ///< an object states its calls or its stack
    Node owner = kNone;    ///< the function that a statement is part of
    std::array<StatedValue, kResourceCount> own;   ///< of the function alone
    std::array<StatedValue, kResourceCount> total; ///< with all its callees

    // From stackGraph.
    SectionId section; ///< where it begins; kNone: it is undefined
    uint64_t offset = 0;
    std::optional<uint64_t> frame;       ///< bytes of its own
    std::optional<uint64_t> withCallees; ///< bytes with all its callees
    bool dynamic = false;      ///< its frame is larger than `frame`, or may be
    bool isAlias = false;      ///< another name; it calls its function
    bool called = false;       ///< by others
    bool addressTaken = false; ///< by data, or by code as data
    bool indirect = false;     ///< it calls through a pointer
    bool calls = false;        ///< there are calls in its code, stated or not
    bool callsNoted = false;   ///< a compiler's file has all of its calls
    bool callsStated = false;  ///< --stack-calls has the callees of `indirect`
    llvm::StringRef indirectPlace; ///< "work.c:5:31", or empty

    /// Whether it is a function: no other name of one, no part of one, and no
    /// global that one uses.
    bool isFunction() const {
      return !isStatement && !isAlias && (section != kNone || called);
    }
    /// Its own need of a resource where nothing is stated about that. A
    /// compiler that states anything about a function states all its needs;
    /// but every function has a frame, if only one of no words.
    std::optional<uint64_t> implied(Resource resource) const;
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

  /// The graph of the statements alone. Addresses and results must be fixed.
  static CallGraph ofStatements(const Link &link, const SymbolValues &values);

  /// Reads the statements; readTotals() and settle() follow.
  CallGraph(const Link &link, const SymbolValues &values);
  /// The node of a symbol that a file names.
  Node nodeOf(FileId file, uint32_t symbol) {
    const uint32_t slot = link.program.files[file].symbolBase + symbol;
    return nodeOfKey(link.program.symbolKey(file, symbol), file, symbol,
                     link.program.symbolIds[slot]);
  }
  /// That of the definition that a file has, whether it is in force or not.
  Node addDefinition(FileId file, uint32_t symbol) {
    const uint32_t slot = link.program.files[file].symbolBase + symbol;
    const SymbolId id = link.program.symbolIds[slot];
    if (id == kNone || (link.program.symbols[id].file == file &&
                        link.program.symbols[id].index == symbol))
      return nodeOf(file, symbol);
    // The name means something else; the function is there all the same.
    return nodeOfKey(Program::kLocalKey | slot, file, symbol, kNone);
  }
  /// That of a set of functions, which is in no chain of calls.
  Node addSet() {
    Symbol &set = symbols.emplace_back();
    set.defined = set.isSet = set.isAlias = true;
    return Node(symbols.size() - 1);
  }
  void addCall(Node caller, Node callee) {
    stated.emplace_back(caller, callee);
  }
  /// Reads the result symbols of functions, when all functions are there.
  void readTotals();
  /// Makes the edges, when all calls are there.
  void settle();

  size_t size() const { return symbols.size(); }
  const Symbol &operator[](Node node) const { return symbols[node]; }
  Symbol &operator[](Node node) { return symbols[node]; }
  /// The callees of a function, each once, in the order of the statements.
  llvm::ArrayRef<Node> callees(Node node) const { return calls.callees(node); }
  /// The functions that run in parallel with others, but not the entry.
  std::vector<Node> threads() const {
    llvm::SetVector<Node> list;
    for (const Parallel &parallel : parallels)
      for (Node node : {parallel.first, parallel.second})
        if (node != entry)
          list.insert(node);
    return {list.begin(), list.end()};
  }
  /// The name of a function for users, or a description where it has none.
  std::string nameOf(Node node) const { return nameOf(node, /*shown=*/true); }
  /// The same in JSON: as in the file.
  std::string nameInFile(Node node) const {
    return llvm::json::fixUTF8(nameOf(node, /*shown=*/false));
  }
  /// The same inside of a sentence: names in quotes.
  std::string quoted(Node node) const {
    return isUnnamed(node) ? nameOf(node) : "'" + nameOf(node) + "'";
  }

  std::vector<std::pair<Node, Node>> stated; ///< calls, before settle()
  Digraph calls;
  Digraph::Components groups; ///< of functions that call each other
  /// Calls, and those that only the formula of a function's sum tells of; and
  /// their groups.
  Digraph callsOfSums;
  Digraph::Components groupsOfSums;
  std::vector<Access> accesses;
  std::vector<Parallel> parallels;
  Node entry = kNone; ///< kNone: there is no entry symbol

  // From stackGraph: names, and calls that the graph does not show.

  /// The functions of a name, in the file or demangled, aliases resolved; for
  /// --stack-limit and --stack-calls.
  llvm::StringMap<std::vector<Node>> byName;
  /// Sections with several functions and no call between them that has a
  /// relocation: the assembler may have resolved such calls.
  std::vector<SectionId> silentSections;
  /// Branches into the middle of functions from which calls lead back to the
  /// branch: they count as the end of those calls.
  uint64_t returningBranches = 0;
  uint64_t namelessCalls = 0; ///< from code that no symbol names

private:
  struct Formula {
    FileId file;
    const ExprEntry *entry;
  };

  std::string nameOf(Node node, bool shown) const;
  /// A statement whose compiler's name means nothing to users.
  bool isUnnamed(Node node) const {
    const Symbol &s = symbols[node];
    return s.visible.empty() && s.isStatement && s.owner != kNone &&
           !symbols[s.owner].isStatement;
  }
  Node nodeOfKey(uint64_t key, FileId file, uint32_t symbol, SymbolId id);
  /// Whether a file may speak about a function: not when the definition that it
  /// speaks of lost against another one.
  bool isHeard(FileId file, uint32_t symbol) const {
    const InputFile &input = link.program.files[file];
    SymbolId id = link.program.symbolIds[input.symbolBase + symbol];
    return id == kNone ||
           input.object->symbols[symbol].place == SymbolPlace::Undefined ||
           link.program.symbols[id].file == file;
  }
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
};

/// The graph of the inputs' statements and of all functions of live code, with
/// frames from .stack_sizes and from compilers' files, and calls from
/// relocations, those files and --stack-calls. Stacks are in bytes. Addresses
/// must be fixed. Malformed tables are warnings.
CallGraph stackGraph(const Link &link, const SymbolValues &values,
                     Diagnostics &diag);

/// So many functions of a chain are printed, with its last one.
constexpr size_t kMostNames = 20;
/// The same in JSON.
constexpr size_t kMostJsonNames = 100;

/// The beginning and the end of a chain of calls.
struct CallChain {
  std::vector<CallGraph::Node> nodes;
  size_t omitted = 0; ///< before the last
};

/// A phrase about calls as text, and its members of a JSON object, in the order
/// in which they are written.
struct CallPhrase {
  std::string text;
  std::vector<std::pair<const char *, llvm::json::Value>> json;
};

/// The need of a function with all its callees.
struct CallNeed {
  bool bounded = false;
  bool fromSymbol = false; ///< the sum is stated by an object
  /// The function's own part, stated or the rest of a sum.
  std::optional<uint64_t> own;
  uint64_t total = 0;              ///< without a bound: at least that
  CallGraph::Node deepest = kNone; ///< the callee that needs most
  std::vector<uint32_t> reasons;   ///< indices, ascending
  bool moreReasons = false;
};

/// One resource of all functions.
class DeepestCalls {
public:
  using Node = CallGraph::Node;

  DeepestCalls(const CallGraph &graph, Resource resource);

  const CallNeed &operator[](Node node) const { return needs[node]; }
  /// Why a need has no bound: `reason`, and its subject.
  const CallPhrase &reason(uint32_t index) const { return reasonList[index]; }
  /// The deepest chain of calls from a function, or the deepest that is known:
  /// at most kMostJsonNames functions and the last.
  CallChain path(Node node) const;
  /// "main -> f -> (3 more) -> g"; in JSON `path`, and `omittedBeforeLast`
  /// where some are left out.
  CallPhrase pathPhrase(Node node) const { return phrase(path(node)); }

private:
  bool hasOnlySum(Node node) const {
    return own(node).kind == StatedValue::Nothing &&
           sum(node).kind != StatedValue::Nothing;
  }
  const StatedValue &own(Node node) const {
    return graph[node].own[size_t(resource)];
  }
  const StatedValue &sum(Node node) const {
    return graph[node].total[size_t(resource)];
  }
  CallPhrase phrase(const CallChain &chain) const;
  void blame(CallNeed &need, CallPhrase reason) {
    need.reasons.push_back(uint32_t(reasonList.size()));
    reasonList.push_back(std::move(reason));
  }
  /// A reason whose subject is a function.
  void blameFor(CallNeed &need, const char *reason, std::string text,
                Node node) {
    blame(need, {text + graph.nameOf(node),
                 {{"reason", reason}, {"function", graph.nameInFile(node)}}});
  }
  /// A number depends on an undefined symbol.
  void blameValue(CallNeed &need, Node node, llvm::StringRef symbol) {
    blame(need, {graph.nameOf(node) + " depends on the unresolved symbol " +
                     symbol.str(),
                 {{"reason", "unresolved"},
                  {"symbol", llvm::json::fixUTF8(symbol)},
                  {"function", graph.nameInFile(node)}}});
  }
  void blameCycle(CallNeed &need, const Digraph::Components &in,
                  uint32_t group);
  uint64_t ownValue(Node node, CallNeed &need);
  uint32_t nearestRecursion(Node node);
  void computeSum(Node node);
  void compute(uint32_t group);
  void explainSum(Node node);

  const CallGraph &graph;
  const Resource resource;
  Digraph::Components groups;    ///< of calls; a sum alone has no callees
  std::vector<uint32_t> nearest; ///< of nearestRecursion, once made
  /// By group of all calls: into `reasonList`.
  llvm::DenseMap<uint32_t, uint32_t> recursionReasons;
  std::vector<CallNeed> needs;
  std::vector<CallPhrase> reasonList;
};

/// A function on a stack of its own, or neighbouring threads that begin with
/// it and have stacks of one size.
struct StackRoot {
  CallGraph::Node node;
  enum Kind : uint8_t {
    Entry,
    Thread,   ///< an object says that it runs in parallel with others
    Numbered, ///< with memory set aside for `number` and those behind it
    Limited,  ///< --stack-limit names it
    Possible, ///< its address is taken, and no call of it is known
  } kind;
  std::optional<uint64_t> limit = {}; ///< bytes
  /// The source of the limit: "STACK_SIZE_TASKLET_#", "--stack-limit".
  const char *limitName = "";
  const char *thread = ""; ///< of a numbered one: "tasklet"
  unsigned number = 0, count = 1;
};

/// A name of a machine's Reservation, where # stands for a number.
std::string numbered(llvm::StringRef name, unsigned number);

/// The stacks of a program. Sizes are in bytes.
class StackUsage {
public:
  /// Addresses must be fixed. Malformed inputs go to `diag`, as warnings.
  StackUsage(const Link &link, const SymbolValues &values, Diagnostics &diag);

  /// --stack-usage as text, and the member "stackUsage" of --answers-json.
  void write(llvm::raw_ostream &text, llvm::json::OStream &json) const;
  /// The same for maps; `texts` keeps the names.
  std::vector<MapStack> forMap(llvm::BumpPtrAllocator &texts) const;
  /// Warns of each root that needs more than its limit, and of each with a
  /// limit from the command line whose need has no bound; errors with
  /// --error-stack-limit.
  void check(Diagnostics &diag) const {
    for (const StackRoot &root : roots)
      if (root.limit)
        checkRoot(root, diag);
  }

private:
  using Node = CallGraph::Node;

  void addNumbered(const SymbolValues &values);
  void addEntry(const SymbolValues &values);
  void addLimited(Diagnostics &diag);
  void addPossible();
  void checkRoot(const StackRoot &root, Diagnostics &diag) const;
  /// The source line where a function begins, or "".
  std::string lineOf(Node node) const {
    const CallGraph::Symbol &function = graph[node];
    return function.section == kNone
               ? ""
               : link.program.sourceLine(function.section, function.offset);
  }
  /// Bytes of a function's own; nothing where nothing is stated.
  std::optional<uint64_t> own(Node node) const {
    return calls[node].own ? calls[node].own
                           : graph[node].implied(Resource::StackWords);
  }
  void writeFunctions(llvm::json::OStream &json) const;
  /// "       104  main at src/task.c:12"
  void writeFrame(llvm::raw_ostream &text, Node node,
                  const std::string &line) const {
    const std::optional<uint64_t> bytes = own(node);
    text << llvm::right_justify(bytes ? std::to_string(*bytes) : "?", 10)
         << "  " << graph.nameOf(node) << (line.empty() ? "" : " at ") << line
         << "\n";
  }
  llvm::json::Object writePath(llvm::raw_ostream &text, Node node) const;
  llvm::json::Object writeRoot(llvm::raw_ostream &text,
                               const StackRoot &root) const;
  void writeRoots(llvm::raw_ostream &text, llvm::json::OStream &json) const;
  void writeLargestFrames(llvm::raw_ostream &text) const;
  llvm::json::Object writeUnseen(llvm::raw_ostream &text) const;

  const Link &link;
  CallGraph graph;
  DeepestCalls calls;
  /// The entry or the threads with stacks of a known size, other threads,
  /// functions of --stack-limit, then possible roots, the deepest first.
  std::vector<StackRoot> roots;
  std::string scriptLimit; ///< limitName of the entry's, from the script
};

} // namespace xlink
#endif
