//===- ResourceUsage.cpp --------------------------------------------------===//
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
#include "report/CallGraph.h"
#include "report/Reports.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

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
