//===- DeepestCalls.cpp - what functions need with all callees
//---------------===//
//
// Problem: how much of a resource, such as stack, does a function need with all
// its callees? Functions are known by themselves, or only with their callees.
// Some calls have no bound: recursion, functions without a definition or a
// statement, calls through pointers. They have to be named, not guessed at.
//
// Method: the strongly connected components of the calls, callees first. A
// function of which only the sum is known has no callees as far as this is
// concerned: that is also how programmers bound a recursion. In a component of
// its own a function adds its share to the most of its callees. In a larger one
// nothing bounds the stack; other resources have a bound when no member takes
// any. Where only a sum is known, the rest that the callees leave of it is the
// function's own. A need without a bound inherits the reasons of its callees,
// at most kMostReasons of them, and its known part: all its members are on one
// way round, so the largest share and the deepest way out of it add up.
//
// Each function points to the callee that needs most, and so to the deepest
// path. Paths may be as long as the program is large, so only their beginning
// and their last function are given.
//
// Cost: linear in the graph, and in each path that is asked for.
//
//===----------------------------------------------------------------------===//
#include "report/CallGraph.h"
#include "report/Reports.h"

using namespace llvm;

namespace xlink {

/// So many reasons are kept of a need without a bound.
static constexpr size_t kMostReasons = 8;

DeepestCalls::DeepestCalls(const CallGraph &graph, Resource resource)
    : graph(graph), resource(resource), needs(graph.size()) {
  groups = graph.calls.components([&](Node node) { return hasOnlySum(node); });
  for (uint32_t group = 0; group < groups.size(); ++group)
    compute(group);
  for (Node node = 0; node < needs.size(); ++node) {
    if (own(node).kind == StatedValue::Value)
      needs[node].own = own(node).value;
    if (needs[node].fromSymbol)
      explainSum(node);
  }
}

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

/// A chain without sets, of which at most kMostJsonNames functions and the last
/// are left.
static CallChain shortened(const CallGraph &graph,
                           std::vector<CallGraph::Node> nodes) {
  erase_if(nodes, [&](CallGraph::Node node) { return graph[node].isSet; });
  CallChain chain{std::move(nodes)};
  if (chain.nodes.size() > kMostJsonNames + 1) {
    chain.omitted = chain.nodes.size() - kMostJsonNames - 1;
    chain.nodes[kMostJsonNames] = chain.nodes.back();
    chain.nodes.resize(kMostJsonNames + 1);
  }
  return chain;
}

CallChain DeepestCalls::path(Node node) const {
  std::vector<Node> nodes;
  for (; node != kNone; node = needs[node].deepest)
    nodes.push_back(node);
  return shortened(graph, std::move(nodes));
}

CallPhrase DeepestCalls::phrase(const CallChain &chain) const {
  CallPhrase phrase;
  json::Array path;
  const size_t last = chain.nodes.size() - 1, all = last + chain.omitted;
  for (size_t i = 0; i <= last; ++i) {
    path.push_back(graph.nameInFile(chain.nodes[i]));
    if (i >= kMostNames && i != last)
      continue;
    if (i == last && all > kMostNames)
      phrase.text += " -> (" + std::to_string(all - kMostNames) + " more)";
    phrase.text += (i ? " -> " : "") + graph.nameOf(chain.nodes[i]);
  }
  phrase.json.emplace_back("path", std::move(path));
  if (chain.omitted)
    phrase.json.emplace_back("omittedBeforeLast", uint64_t(chain.omitted));
  return phrase;
}

/// The functions of a recursion.
void DeepestCalls::blameCycle(CallNeed &need, const Digraph::Components &in,
                              uint32_t group) {
  CallPhrase reason = phrase(shortened(graph, graph.calls.cycle(in, group)));
  reason.text = "recursion " + reason.text;
  reason.json.insert(reason.json.begin(), {"reason", "recursion"});
  blame(need, std::move(reason));
}

/// The function's own part, as far as it is known; reasons when it may be more.
uint64_t DeepestCalls::ownValue(Node node, CallNeed &need) {
  const CallGraph::Symbol &function = graph[node];
  uint64_t value = 0;
  if (own(node).kind == StatedValue::Value)
    value = own(node).value;
  else if (own(node).kind == StatedValue::Unresolved)
    blameValue(need, node, own(node).symbol);
  else if (const std::optional<uint64_t> implied = function.implied(resource))
    value = *implied;
  else if (function.defined)
    blameFor(need, "unstated", "unknown need of ", node);
  else
    blame(need,
          {"unresolved symbol " + graph.nameOf(node),
           {{"reason", "unresolved"}, {"symbol", graph.nameInFile(node)}}});
  if (function.dynamic)
    blameFor(need, "dynamic", "dynamic frame of ", node);
  if (function.indirect && !function.callsStated) {
    blameFor(need, "indirect", "indirect call in ", node);
    if (const StringRef place = function.indirectPlace; !place.empty()) {
      reasonList.back().text += " at " + place.str();
      reasonList.back().json.emplace_back("place", json::fixUTF8(place));
    }
  }
  return value;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// The group of the recursion that the sum of a function depends on, the
/// nearest among its callees whose sums do so too; kNone: there is none.
uint32_t DeepestCalls::nearestRecursion(Node node) {
  if (!nearest.empty())
    return nearest[node];
  const Digraph::Components &all = graph.groups;
  std::vector<uint64_t> distance(graph.size(), kNone);
  nearest.assign(graph.size(), kNone);
  for (uint32_t group = 0; group < all.size(); ++group) // callees first
    for (Node at : all.members[group]) {
      if (all.recursive[group]) {
        nearest[at] = group;
        distance[at] = 0;
        continue;
      }
      for (Node callee : graph.callees(at))
        if (sum(callee).recursive && distance[callee] + 1 < distance[at]) {
          nearest[at] = nearest[callee];
          distance[at] = distance[callee] + 1;
        }
    }
  return nearest[node];
}

/// A function of which only the sum is known.
void DeepestCalls::computeSum(Node node) {
  CallNeed &need = needs[node];
  const StatedValue &sum = this->sum(node);
  if (sum.kind == StatedValue::Value) {
    need.bounded = need.fromSymbol = true;
    need.total = sum.value;
    return;
  }
  if (!sum.recursive)
    return blameValue(need, node, sum.symbol);
  // One reason stands for all functions that depend on a recursion: thousands
  // can be in it.
  const uint32_t group = nearestRecursion(node);
  if (group == kNone)
    return blame(
        need,
        {"recursion: the value of " + sum.symbol.str() + " depends on itself",
         {{"reason", "recursion"}, {"symbol", json::fixUTF8(sum.symbol)}}});
  const auto [it, fresh] =
      recursionReasons.try_emplace(group, uint32_t(reasonList.size()));
  if (fresh)
    blameCycle(need, graph.groups, group);
  else
    need.reasons.push_back(it->second);
}

void DeepestCalls::compute(uint32_t group) {
  const std::vector<Node> &members = groups.members[group];
  const bool recursive = groups.recursive[group];
  if (!recursive && hasOnlySum(members.front()))
    return computeSum(members.front());
  CallNeed all; // of each member of a recursive group
  uint64_t taken = 0, most = 0;
  for (Node node : members) {
    taken = std::max(taken, ownValue(node, all));
    for (Node callee : graph.callees(node)) {
      if (groups.of[callee] == group)
        continue;
      const CallNeed &need = needs[callee];
      append_range(all.reasons, need.reasons);
      all.moreReasons |= need.moreReasons;
      if (all.deepest == kNone || need.total > most) {
        most = need.total;
        all.deepest = callee;
      }
    }
  }
  if (recursive && (resource == Resource::StackWords ||
                    taken > (resource == Resource::Threads ? 1u : 0u)))
    blameCycle(all, groups, group);
  all.bounded = all.reasons.empty();
  // The caller's thread is one of those that the callee counts.
  if (resource == Resource::Threads && most != 0)
    --most;
  // A number that no memory has is as good as the largest one.
  all.total = taken + most < taken ? UINT64_MAX : taken + most;
  llvm::sort(all.reasons);
  all.reasons.erase(llvm::unique(all.reasons), all.reasons.end());
  if (all.reasons.size() > kMostReasons) {
    all.reasons.resize(kMostReasons);
    all.moreReasons = true;
  }
  for (Node node : members)
    needs[node] = all;
}

/// Below a function whose sum alone is known the sums lead on. They must get
/// smaller or lead out of every recursion, or the way could lead round.
void DeepestCalls::explainSum(Node node) {
  CallNeed &need = needs[node];
  uint64_t most = 0;
  const ArrayRef<Node> callees = graph.callsOfSums.callees(node);
  const std::vector<uint32_t> &group = graph.groupsOfSums.of;
  bool known = !graph[node].calls || !callees.empty() || need.total == 0;
  bool deeper = false; // a callee of which less is known
  for (Node callee : callees) {
    const CallNeed &other = needs[callee];
    const bool fits = other.bounded && other.total <= need.total;
    known &= fits && !graph[callee].isStatement;
    deeper |= !fits;
    if (!fits)
      continue;
    most = std::max(most, other.total);
    if ((other.total < need.total || group[callee] != group[node]) &&
        (need.deepest == kNone || other.total > needs[need.deepest].total))
      need.deepest = callee;
  }
  if (known && resource == Resource::StackWords)
    need.own = need.total - most;
  // The sum may come from the other callee.
  if (deeper && need.deepest != kNone &&
      needs[need.deepest].total != need.total)
    need.deepest = kNone;
}

//===----------------------------------------------------------------------===//
// The report about resources
//
// Problem: how large must a thread's stack be, and how many of the machine's
// few threads, timers and channel ends does a program need? Compilers state
// the own part of each function and its callees, or give the sum as a result
// symbol.
//
// Method: DeepestCalls adds up the statements about each resource. A number
// that is not stated is 0 where anything is stated about the function at all.
//
// Cost: linear in the graph for each resource, and in the text.
//
//===----------------------------------------------------------------------===//

namespace {

using Node = CallGraph::Node;

// By Resource.
constexpr const char *kLabels[kResourceCount] = {"stack words", "threads",
                                                 "timers", "channel ends"};
constexpr const char *kKeys[kResourceCount] = {"stackWords", "threads",
                                               "timers", "channelEnds"};

} // namespace

std::optional<StackNeed> stackNeed(const Link &link,
                                   const SymbolValues &values) {
  const CallGraph graph = CallGraph::ofStatements(link, values);
  if (graph.entry == kNone)
    return std::nullopt;
  const DeepestCalls usage(graph, Resource::StackWords);
  const CallNeed &entry = usage[graph.entry];
  if (entry.bounded)
    return StackNeed{graph.nameOf(graph.entry), entry.total};
  // Start-up code often states nothing but its callees.
  const size_t stack = size_t(Resource::StackWords);
  if (graph[graph.entry].own[stack].kind != StatedValue::Nothing ||
      graph[graph.entry].total[stack].kind != StatedValue::Nothing)
    return std::nullopt;
  Node deepest = kNone;
  for (Node callee : graph.callees(graph.entry))
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

/// The answer about one resource of a root.
static void writeResource(raw_ostream &text, json::OStream &json,
                          const CallGraph &graph, const DeepestCalls &usage,
                          size_t r, Node node) {
  const CallNeed &need = usage[node];
  auto write = [&](const CallPhrase &phrase) {
    text << "      " << phrase.text << '\n';
    for (const auto &[key, value] : phrase.json)
      json.attribute(key, value);
  };
  text << "    " << kLabels[r] << ": "
       << (need.bounded ? std::to_string(need.total) : "unbounded");
  json.attribute("total", need.bounded ? json::Value(need.total) : nullptr);
  if (need.fromSymbol) {
    const StringRef symbol = graph[node].total[r].symbol;
    text << ", the value of " << symbol;
    json.attribute("symbol", json::fixUTF8(symbol));
  }
  if (need.own)
    text << ", its own " << *need.own;
  json.attribute("own", need.own);
  text << '\n';
  if (need.bounded && Resource(r) == Resource::StackWords) {
    CallPhrase path = usage.pathPhrase(node);
    path.text = "deepest path: " + path.text;
    write(path);
  }
  if (!need.bounded)
    json.attributeArray("unbounded", [&] {
      for (uint32_t index : need.reasons)
        json.object([&] { write(usage.reason(index)); });
    });
  if (need.moreReasons) {
    text << "      and more\n";
    json.attribute("more", true);
  }
}

void writeResourceUsage(raw_ostream &text, json::OStream &json,
                        const Link &link, const SymbolValues &values) {
  const CallGraph graph = CallGraph::ofStatements(link, values);
  std::vector<DeepestCalls> usages;
  for (size_t r = 0; r < kResourceCount; ++r)
    usages.emplace_back(graph, Resource(r));
  std::vector<Node> roots = graph.threads();
  if (graph.entry != kNone)
    roots.insert(roots.begin(), graph.entry);
  text << "Resource usage\n";
  if (roots.empty())
    text << "  no entry, and no functions that run in parallel\n";
  auto writeRoot = [&](Node root) {
    const char *const kind = root == graph.entry ? "entry" : "thread";
    text << "  " << graph.nameOf(root) << " (" << kind << ")\n";
    json.attribute("function", graph.nameInFile(root));
    json.attribute("kind", kind);
    for (size_t r = 0; r < kResourceCount; ++r)
      json.attributeObject(kKeys[r], [&] {
        writeResource(text, json, graph, usages[r], r, root);
      });
  };
  json.object([&] {
    json.attributeArray("roots", [&] {
      for (Node root : roots)
        json.object([&] { writeRoot(root); });
    });
  });
}

} // namespace xlink
