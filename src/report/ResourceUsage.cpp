//===- ResourceUsage.cpp - what the entry and every thread need -----------===//
//
// Problem: how large must a thread's stack be, and how many of the machine's
// few threads, timers and channel ends does a program take? Compilers state
// what each function takes itself and whom it calls, or give the sum as a
// result symbol. Some calls have no bound: recursion, functions that nobody
// defines, assembly that states nothing. The report has to name them, not to
// guess.
//
// Method: the statements say what a function takes of each resource, itself or
// with all that it calls; DeepestCalls adds that up. What nobody states is
// none, where anything is stated about the function at all.
//
// Cost: linear in the graph for each resource, and what is printed.
//
//===----------------------------------------------------------------------===//
#include "report/ResourceUsage.h"
#include "report/CallTexts.h"
#include "report/DeepestCalls.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

namespace {

using Node = CallGraph::Node;

constexpr Resource kResources[kResourceCount] = {
    Resource::StackWords, Resource::Threads, Resource::Timers,
    Resource::ChannelEnds};
constexpr const char *kLabels[kResourceCount] = {"stack words", "threads",
                                                 "timers", "channel ends"};
constexpr const char *kKeys[kResourceCount] = {"stackWords", "threads",
                                               "timers", "channelEnds"};

/// What is known of a resource, by function.
DeepestCalls resourceOf(const CallGraph &graph, Resource resource) {
  auto stated = [](const StatedValue &v) {
    return v.kind != StatedValue::Nothing;
  };
  const uint64_t none = resource == Resource::Threads ? 1 : 0;
  std::vector<FunctionShare> shares(graph.size());
  for (Node node = 0; node < graph.size(); ++node) {
    const CallGraph::Symbol &function = graph[node];
    FunctionShare &share = shares[node];
    share.own = function.own[size_t(resource)];
    share.sum = function.total[size_t(resource)];
    // Who states anything about a function states all that it takes; but every
    // function has a frame, if only one of no words.
    if (function.isStatement ||
        (function.defined && resource != Resource::StackWords &&
         (any_of(function.own, stated) || any_of(function.total, stated))))
      share.implied = none;
  }
  return DeepestCalls(graph, resource, std::move(shares));
}

} // namespace

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

} // namespace

std::optional<StackNeed> stackNeed(const Link &link,
                                   const SymbolValues &values) {
  CallGraph graph(link, values);
  if (graph.entry() == kNone)
    return std::nullopt;
  const DeepestCalls usage = resourceOf(graph, Resource::StackWords);
  const CallNeed &entry = usage[graph.entry()];
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

/// The answer about one resource of a root.
static void writeResource(raw_ostream &text, json::OStream &json,
                          const CallGraph &graph, const DeepestCalls &usage,
                          size_t r, Node node) {
  const CallNeed &need = usage[node];
  const StringRef symbol = graph[node].total[r].symbol;
  auto members = [&](const CallPhrase &phrase) {
    for (const auto &[key, value] : phrase.json)
      json.attribute(key, value);
  };
  text << "    " << kLabels[r] << ": "
       << (need.bounded ? std::to_string(need.total) : "unbounded");
  json.attribute("total", need.bounded ? json::Value(need.total) : nullptr);
  if (need.fromSymbol) {
    text << ", the value of " << symbol;
    json.attribute("symbol", json::fixUTF8(symbol));
  }
  if (need.own)
    text << ", its own " << *need.own;
  json.attribute("own", need.own);
  text << '\n';
  if (need.bounded && kResources[r] == Resource::StackWords) {
    const CallPhrase path =
        chainPhrase(graph, usage.path(node, kMostJsonNames));
    text << "      deepest path: " << path.text << '\n';
    members(path);
  }
  if (!need.bounded)
    json.attributeArray("unbounded", [&] {
      for (uint32_t index : need.reasons) {
        const CallPhrase reason = reasonPhrase(graph, usage.reason(index));
        text << "      " << reason.text << '\n';
        json.object([&] { members(reason); });
      }
    });
  if (need.moreReasons) {
    text << "      and more\n";
    json.attribute("more", true);
  }
}

void writeResourceUsage(raw_ostream &text, json::OStream &json,
                        const Link &link, const SymbolValues &values) {
  CallGraph graph(link, values);
  const std::vector<Root> roots = rootsOf(graph);
  std::vector<DeepestCalls> usages;
  for (Resource resource : kResources)
    usages.push_back(resourceOf(graph, resource));
  text << "Resource usage\n";
  if (roots.empty())
    text << "  no entry, and no functions that run in parallel\n";
  auto write = [&](const Root &root) {
    const char *const kind = root.isEntry ? "entry" : "thread";
    text << "  " << graph.nameOf(root.node) << " (" << kind << ")\n";
    json.attribute("function", nameIn(graph, root.node));
    json.attribute("kind", kind);
    for (size_t r = 0; r < kResourceCount; ++r)
      json.attributeObject(kKeys[r], [&] {
        writeResource(text, json, graph, usages[r], r, root.node);
      });
  };
  json.object([&] {
    json.attributeArray("roots", [&] {
      for (const Root &root : roots)
        json.object([&] { write(root); });
    });
  });
}

} // namespace xlink
