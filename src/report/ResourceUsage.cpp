//===- ResourceUsage.cpp - what the entry and every thread need -----------===//
//
// Problem: how large must a thread's stack be, and how many of the machine's
// few threads, timers and channel ends does a program take? Compilers state
// what each function takes itself and whom it calls, or give the sum as a
// result symbol. Some calls have no bound: recursion, functions that nobody
// defines, assembly that states nothing. The report has to name them, not to
// guess.
//
// Method: for each resource the strongly connected components of the call
// graph, callees first. A function of which only the sum is known calls nobody
// as far as this is concerned: that is also how programmers bound a recursion.
// In a component of its own a function adds its share to the most of its
// callees. In a larger one nothing bounds the stack; other resources have a
// bound when no member takes any. Where only a sum is known, what the callees
// leave of it is the function's own. What has no bound inherits the reasons of
// its callees, at most kMostReasons of them.
//
// Each function points to the callee that needs most, and so to the deepest
// path. Paths may be as long as the program is large and there may be as many
// roots, so only their beginning and their last function are printed.
//
// Cost: linear in the graph for each resource, and what is printed.
//
//===----------------------------------------------------------------------===//
#include "report/ResourceUsage.h"
#include "report/CallGraph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

using Node = CallGraph::Node;

constexpr size_t kMostReasons = 8;
/// So many functions of a chain are printed, with its last one.
constexpr size_t kMostNames = 20;
constexpr size_t kMostJsonNames = 100;

constexpr Resource kResources[kResourceCount] = {
    Resource::StackWords, Resource::Threads, Resource::Timers,
    Resource::ChannelEnds};
constexpr const char *kLabels[kResourceCount] = {"stack words", "threads",
                                                 "timers", "channel ends"};
constexpr const char *kKeys[kResourceCount] = {"stackWords", "threads",
                                               "timers", "channelEnds"};

/// Why something has no bound.
struct Reason {
  enum Kind : uint8_t {
    Recursion, ///< `chain`, which ends where it begins; empty: nobody states
               ///< the calls, but the value of `symbol` depends on itself
    Undefined, ///< `node` is not defined
    Unstated,  ///< nobody says what `node` takes
    Value,     ///< what `node` takes depends on the undefined `symbol`
  } kind;
  Node node;
  StringRef symbol = {};
  std::vector<Node> chain = {};
};

/// The beginning and the end of a chain of calls.
struct Chain {
  std::vector<Node> nodes;
  size_t omitted = 0; ///< before the last
};

struct Need {
  bool bounded = false;
  bool fromSymbol = false; ///< the sum is a result symbol's value
  /// What the function takes itself, stated or what its callees leave of a sum.
  std::optional<uint64_t> own;
  uint64_t total = 0;
  Node deepest = kNone;             ///< the callee that needs most
  uint32_t length = 0;              ///< functions on the deepest path
  Node last = kNone;                ///< where that ends
  SmallVector<uint32_t, 2> reasons; ///< indices, ascending
  bool moreReasons = false;
};

/// One resource of all functions.
class Usage {
public:
  Usage(const CallGraph &graph, Resource resource)
      : graph(graph), resource(resource), needs(graph.size()) {
    groups = graph.components([&](Node node) { return hasOnlySum(node); });
    for (uint32_t group = 0; group < groups.size(); ++group)
      compute(group);
    findPaths();
  }

  const Need &operator[](Node node) const { return needs[node]; }
  const Reason &reason(uint32_t index) const { return reasonList[index]; }
  Chain path(Node node, size_t most) const;

private:
  const StatedValue &own(Node node) const {
    return graph[node].own[size_t(resource)];
  }
  const StatedValue &sum(Node node) const {
    return graph[node].total[size_t(resource)];
  }
  bool hasOnlySum(Node node) const {
    return own(node).kind == StatedValue::Nothing &&
           sum(node).kind != StatedValue::Nothing;
  }
  std::optional<uint64_t> ownValue(Node node, Need &need);
  void blame(Need &need, Reason reason) {
    need.reasons.push_back(uint32_t(reasonList.size()));
    reasonList.push_back(std::move(reason));
  }
  void inherit(Need &need, const Need &from) const;
  std::vector<Node> cycle(const CallGraph::Components &in, uint32_t group,
                          llvm::function_ref<bool(Node)> isLeaf) const;
  const CallGraph::Components &whole();
  Reason recursionOf(Node node);
  void compute(uint32_t group);
  void findPaths();

  const CallGraph &graph;
  const Resource resource;
  CallGraph::Components groups;
  std::optional<CallGraph::Components> wholeGroups; ///< without leaves
  std::vector<Need> needs;
  std::vector<Reason> reasonList;
};

} // namespace

/// What a function takes itself; nothing, and a reason, when that is not known.
std::optional<uint64_t> Usage::ownValue(Node node, Need &need) {
  const CallGraph::Symbol &function = graph[node];
  const StatedValue &value = own(node);
  if (value.kind == StatedValue::Value)
    return value.value;
  if (value.kind == StatedValue::Unresolved) {
    blame(need, {Reason::Value, node, value.symbol});
  } else if (function.isStatement) {
    return resource == Resource::Threads ? 1 : 0;
  } else if (!function.defined) {
    blame(need, {Reason::Undefined, node});
  } else {
    // Who states anything about a function states all that it takes; but every
    // function has a frame, if only one of no words.
    auto stated = [](const StatedValue &v) {
      return v.kind != StatedValue::Nothing;
    };
    if (resource != Resource::StackWords &&
        (any_of(function.own, stated) || any_of(function.total, stated)))
      return resource == Resource::Threads ? 1 : 0;
    blame(need, {Reason::Unstated, node});
  }
  return std::nullopt;
}

void Usage::inherit(Need &need, const Need &from) const {
  need.moreReasons |= from.moreReasons;
  SmallVector<uint32_t, 16> merged;
  std::set_union(need.reasons.begin(), need.reasons.end(), from.reasons.begin(),
                 from.reasons.end(), std::back_inserter(merged));
  if (merged.size() > kMostReasons) {
    merged.resize(kMostReasons);
    need.moreReasons = true;
  }
  need.reasons.assign(merged.begin(), merged.end());
}

/// The shortest way from the first member of a group back to it; calls of
/// leaves do not count.
std::vector<Node> Usage::cycle(const CallGraph::Components &in, uint32_t group,
                               function_ref<bool(Node)> isLeaf) const {
  Node start = in.members(group).front();
  DenseMap<Node, Node> from;
  std::vector<Node> queue = {start};
  for (size_t i = 0; i < queue.size(); ++i)
    for (Node callee : graph.callees(queue[i])) {
      if (callee == start) {
        std::vector<Node> chain = {start};
        for (Node node = queue[i]; node != start; node = from[node])
          chain.push_back(node);
        chain.push_back(start);
        std::reverse(chain.begin(), chain.end());
        return chain;
      }
      if (in.of[callee] == group && !isLeaf(queue[i]) &&
          from.try_emplace(callee, queue[i]).second)
        queue.push_back(callee);
    }
  return {start, start};
}

/// The groups of all calls, of functions too of which only the sum is known.
const CallGraph::Components &Usage::whole() {
  if (!wholeGroups)
    wholeGroups = graph.components([](Node) { return false; });
  return *wholeGroups;
}

/// Why the sum of a function depends on itself: the nearest recursion among
/// its callees whose sums do so too.
Reason Usage::recursionOf(Node node) {
  auto noLeaf = [](Node) { return false; };
  DenseSet<Node> seen = {node};
  std::vector<Node> queue = {node};
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t group = whole().of[queue[i]];
    if (whole().recursive[group])
      return {Reason::Recursion, node, {}, cycle(whole(), group, noLeaf)};
    for (Node callee : graph.callees(queue[i]))
      if (sum(callee).recursive && seen.insert(callee).second)
        queue.push_back(callee);
  }
  return {Reason::Recursion, node, sum(node).symbol};
}

void Usage::compute(uint32_t group) {
  ArrayRef<Node> members = groups.members(group);
  const bool recursive = groups.recursive[group];
  if (!recursive && hasOnlySum(members.front())) {
    Node node = members.front();
    Need &need = needs[node];
    if (sum(node).recursive)
      return blame(need, recursionOf(node));
    if (sum(node).kind == StatedValue::Unresolved)
      return blame(need, {Reason::Value, node, sum(node).symbol});
    need.bounded = need.fromSymbol = true;
    need.total = sum(node).value;
    return;
  }
  Need all; // of a recursive group: what holds for each member
  uint64_t taken = 0, most = 0;
  for (Node node : members) {
    if (std::optional<uint64_t> value = ownValue(node, all))
      taken = std::max(taken, *value);
    for (Node callee : graph.callees(node)) {
      if (groups.of[callee] == group)
        continue;
      const Need &need = needs[callee];
      if (!need.bounded) {
        inherit(all, need);
      } else if (all.deepest == kNone || need.total > most) {
        most = need.total;
        all.deepest = callee;
      }
    }
  }
  if (recursive && (resource == Resource::StackWords ||
                    taken > (resource == Resource::Threads ? 1u : 0u)))
    blame(all,
          {Reason::Recursion,
           members.front(),
           {},
           cycle(groups, group, [&](Node node) { return hasOnlySum(node); })});
  all.bounded = all.reasons.empty();
  // The caller's thread is one of those that the callee counts.
  if (resource == Resource::Threads && most != 0)
    --most;
  all.total = taken + most;
  if (all.reasons.size() > kMostReasons) {
    all.reasons.resize(kMostReasons);
    all.moreReasons = true;
  }
  for (Node node : members)
    needs[node] = all;
}

/// Follows each function's deepest calls, every function once.
void Usage::findPaths() {
  // Below a function whose sum alone is known the sums lead on. They must get
  // smaller or lead out of every recursion, or the way could lead round.
  for (Node node = 0; node < needs.size(); ++node) {
    Need &need = needs[node];
    if (own(node).kind == StatedValue::Value)
      need.own = own(node).value;
    if (!need.fromSymbol)
      continue;
    uint64_t most = 0;
    bool known = true;
    for (Node callee : graph.callees(node)) {
      const Need &other = needs[callee];
      known &= other.bounded && other.total <= need.total &&
               !graph[callee].isStatement;
      if (!other.bounded || other.total > need.total)
        continue;
      most = std::max(most, other.total);
      if ((other.total < need.total ||
           whole().of[callee] != whole().of[node]) &&
          (need.deepest == kNone || other.total > needs[need.deepest].total))
        need.deepest = callee;
    }
    if (known && resource == Resource::StackWords)
      need.own = need.total - most;
    // Another callee, of which less is known, may be what the sum comes from.
    if (!known && need.deepest != kNone &&
        needs[need.deepest].total != need.total &&
        any_of(graph.callees(node), [&](Node callee) {
          return !needs[callee].bounded || needs[callee].total > need.total;
        }))
      need.deepest = kNone;
  }
  std::vector<Node> chain;
  for (Node root = 0; root < needs.size(); ++root) {
    Node node = root;
    while (node != kNone && needs[node].bounded && needs[node].length == 0) {
      chain.push_back(node);
      node = needs[node].deepest;
    }
    for (; !chain.empty(); chain.pop_back()) {
      Need &need = needs[chain.back()];
      bool ends = need.deepest == kNone;
      need.length = ends ? 1 : needs[need.deepest].length + 1;
      need.last = ends ? chain.back() : needs[need.deepest].last;
    }
  }
}

/// The deepest chain of calls from a function whose need is bounded.
Chain Usage::path(Node node, size_t most) const {
  Chain chain;
  const Need &start = needs[node];
  for (; node != kNone && chain.nodes.size() < most; node = needs[node].deepest)
    chain.nodes.push_back(node);
  if (node != kNone) {
    chain.omitted = start.length - most - 1;
    chain.nodes.push_back(start.last);
  }
  return chain;
}

/// The same of a chain at hand.
static Chain shortened(ArrayRef<Node> nodes, size_t most) {
  Chain chain;
  chain.nodes = nodes.take_front(most).vec();
  if (nodes.size() > most) {
    chain.omitted = nodes.size() - most - 1;
    chain.nodes.push_back(nodes.back());
  }
  return chain;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

namespace {

struct Root {
  Node node;
  bool isEntry;
};

/// The entry, then all functions that run in parallel with others.
std::vector<Root> rootsOf(const CallGraph &graph) {
  std::vector<Root> roots;
  std::vector<bool> seen(graph.size());
  auto add = [&](Node node, bool isEntry) {
    if (node == kNone || seen[node])
      return;
    seen[node] = true;
    roots.push_back({node, isEntry});
  };
  add(graph.entry(), true);
  for (const CallGraph::Parallel &parallel : graph.parallels()) {
    add(parallel.first, false);
    add(parallel.second, false);
  }
  return roots;
}

std::string chainText(const CallGraph &graph, const Chain &chain) {
  std::string text;
  for (size_t i = 0; i < chain.nodes.size(); ++i) {
    if (i)
      text += " -> ";
    if (chain.omitted && i + 1 == chain.nodes.size())
      text += "(" + std::to_string(chain.omitted) + " more) -> ";
    text += graph.nameOf(chain.nodes[i]);
  }
  return text;
}

std::string reasonText(const CallGraph &graph, const Reason &reason) {
  switch (reason.kind) {
  case Reason::Recursion:
    if (reason.chain.empty())
      return "recursion: the value of " + reason.symbol.str() +
             " depends on itself";
    return "recursion " + chainText(graph, shortened(reason.chain, kMostNames));
  case Reason::Undefined:
    return "unresolved symbol " + graph.nameOf(reason.node);
  case Reason::Unstated:
    return "nothing stated about " + graph.nameOf(reason.node);
  case Reason::Value:
    return graph.nameOf(reason.node) + " depends on the unresolved symbol " +
           reason.symbol.str();
  }
  return "";
}

} // namespace

std::optional<StackNeed> stackNeed(const Link &link,
                                   const SymbolValues &values) {
  CallGraph graph(link, values);
  if (graph.entry() == kNone)
    return std::nullopt;
  const Usage usage(graph, Resource::StackWords);
  const Need &entry = usage[graph.entry()];
  if (entry.bounded)
    return StackNeed{graph.nameOf(graph.entry()), entry.total};
  // Start-up code often states nothing but whom it calls.
  const size_t stack = size_t(Resource::StackWords);
  if (graph[graph.entry()].own[stack].kind != StatedValue::Nothing ||
      graph[graph.entry()].total[stack].kind != StatedValue::Nothing)
    return std::nullopt;
  Node deepest = kNone;
  for (Node callee : graph.callees(graph.entry()))
    if (usage[callee].bounded && usage[callee].total != 0 &&
        (deepest == kNone || usage[callee].total > usage[deepest].total))
      deepest = callee;
  if (deepest == kNone)
    return std::nullopt;
  return StackNeed{graph.nameOf(deepest), usage[deepest].total};
}

bool sharesStack(const Program &program) {
  return program.target->stackSharesMemory &&
         any_of(program.files, [](const InputFile &file) {
           return !file.object->expressions.empty();
         });
}

std::string resourceUsageText(const Link &link, const SymbolValues &values) {
  CallGraph graph(link, values);
  std::vector<Root> roots = rootsOf(graph);
  std::vector<std::array<std::string, kResourceCount>> parts(roots.size());
  for (size_t r = 0; r < kResourceCount; ++r) {
    Usage usage(graph, kResources[r]);
    for (size_t i = 0; i < roots.size(); ++i) {
      Node node = roots[i].node;
      const Need &need = usage[node];
      std::string &text = parts[i][r];
      text = std::string("    ") + kLabels[r] + ": " +
             (need.bounded ? std::to_string(need.total) : "unbounded");
      if (need.fromSymbol)
        text += ", the value of " + graph[node].total[r].symbol.str();
      if (need.own)
        text += ", its own " + std::to_string(*need.own);
      text += "\n";
      if (!need.bounded)
        for (uint32_t index : need.reasons)
          text += "      " + reasonText(graph, usage.reason(index)) + "\n";
      if (need.moreReasons)
        text += "      and more\n";
      if (need.bounded && kResources[r] == Resource::StackWords)
        text += "      deepest path: " +
                chainText(graph, usage.path(node, kMostNames)) + "\n";
    }
  }
  std::string text = "Resource usage\n";
  if (roots.empty())
    text += "  no entry, and no functions that run in parallel\n";
  for (size_t i = 0; i < roots.size(); ++i) {
    text += "  " + graph.nameOf(roots[i].node) +
            (roots[i].isEntry ? " (entry)\n" : " (thread)\n");
    for (const std::string &part : parts[i])
      text += part;
  }
  return text;
}

static std::string nameIn(const CallGraph &graph, Node node) {
  return json::fixUTF8(graph.nameOf(node, CallGraph::Reader::Program));
}

static void writePath(json::OStream &writer, const CallGraph &graph,
                      const Chain &chain) {
  writer.attributeArray("path", [&] {
    for (Node node : chain.nodes)
      writer.value(nameIn(graph, node));
  });
  if (chain.omitted)
    writer.attribute("omittedBeforeLast", uint64_t(chain.omitted));
}

/// Why a need has no bound.
static void writeReason(json::OStream &writer, const CallGraph &graph,
                        const Reason &reason) {
  switch (reason.kind) {
  case Reason::Recursion:
    writer.attribute("reason", "recursion");
    if (reason.chain.empty())
      writer.attribute("symbol", json::fixUTF8(reason.symbol));
    else
      writePath(writer, graph, shortened(reason.chain, kMostJsonNames));
    break;
  case Reason::Undefined:
    writer.attribute("reason", "unresolved");
    writer.attribute("symbol", nameIn(graph, reason.node));
    break;
  case Reason::Unstated:
    writer.attribute("reason", "unstated");
    writer.attribute("function", nameIn(graph, reason.node));
    break;
  case Reason::Value:
    writer.attribute("reason", "unresolved");
    writer.attribute("symbol", json::fixUTF8(reason.symbol));
    writer.attribute("function", nameIn(graph, reason.node));
    break;
  }
}

std::string resourceUsageJson(const Link &link, const SymbolValues &values) {
  CallGraph graph(link, values);
  std::vector<Root> roots = rootsOf(graph);
  std::vector<Usage> usages;
  for (Resource resource : kResources)
    usages.emplace_back(graph, resource);

  std::string text;
  raw_string_ostream out(text);
  json::OStream writer(out, 2);
  auto describe = [&](const Usage &usage, size_t r, Node node) {
    const Need &need = usage[node];
    if (need.bounded)
      writer.attribute("total", need.total);
    else
      writer.attribute("total", nullptr);
    if (need.fromSymbol)
      writer.attribute("symbol", json::fixUTF8(graph[node].total[r].symbol));
    if (need.own)
      writer.attribute("own", *need.own);
    else
      writer.attribute("own", nullptr);
    if (need.bounded && kResources[r] == Resource::StackWords)
      writePath(writer, graph, usage.path(node, kMostJsonNames));
    if (need.bounded)
      return;
    writer.attributeArray("unbounded", [&] {
      for (uint32_t index : need.reasons) {
        const Reason &reason = usage.reason(index);
        writer.object([&] { writeReason(writer, graph, reason); });
      }
    });
    if (need.moreReasons)
      writer.attribute("more", true);
  };
  writer.object([&] {
    writer.attributeArray("roots", [&] {
      for (const Root &root : roots)
        writer.object([&] {
          writer.attribute("function", nameIn(graph, root.node));
          writer.attribute("kind", root.isEntry ? "entry" : "thread");
          for (size_t r = 0; r < kResourceCount; ++r)
            writer.attributeObject(kKeys[r],
                                   [&] { describe(usages[r], r, root.node); });
        });
    });
  });
  return text;
}

} // namespace xlink
