//===- StackUsage.cpp -----------------------------------------------------===//
//
// Problem: a stack that is too small overwrites what lies below it, long after
// the tests. How deep can each one get, and is there room for that?
//
// Method: StackSources and the statements of the inputs give one graph of
// functions, with bytes; DeepestCalls adds them up. Roots are the functions
// that run on a stack of their own. What bounds them is a symbol of the program
// or an option. A need without a bound is at least what is known of it: if that
// exceeds the limit already, the stack is too small whatever the rest is.
//
// Cost: linear in functions and calls, and in relocations of live code.
//
//===----------------------------------------------------------------------===//
#include "report/StackUsage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

using Node = CallGraph::Node;

/// Whose limits the user gave.
static constexpr const char *kOption = "--stack-limit";

StackUsage::StackUsage(const Link &link, const SymbolValues &values,
                       Diagnostics &diag)
    : link(link), sources(link, graph, diag), graph(link, values, &sources),
      calls(graph, Resource::StackWords, shares()) {
  findRoots(values, diag);
}

/// What is known of each function, in bytes.
std::vector<FunctionShare> StackUsage::shares() const {
  const uint64_t word = link.program.addressSize();
  const size_t words = size_t(Resource::StackWords);
  auto join = [&](StatedValue stated, const std::optional<uint64_t> &bytes) {
    if (stated.kind == StatedValue::Value)
      stated.value *= word;
    if (bytes && stated.kind != StatedValue::Unresolved) {
      stated.value = std::max(stated.value, *bytes);
      stated.kind = StatedValue::Value;
    }
    return stated;
  };
  std::vector<FunctionShare> list(graph.size());
  for (Node node = 0; node < graph.size(); ++node) {
    const CallGraph::Symbol &function = graph[node];
    FunctionShare &share = list[node];
    share.own = join(function.own[words], function.frame);
    share.sum = join(function.total[words], function.withCallees);
    if (function.isStatement || function.isAlias)
      share.implied = 0;
  }
  return list;
}

std::string StackUsage::lineOf(Node node) const {
  const CallGraph::Symbol &info = graph[node];
  return info.section == kNone
             ? ""
             : link.program.sourceLine(info.section, info.offset);
}

std::string StackUsage::fileOf(Node node) const {
  const CallGraph::Symbol &info = graph[node];
  return info.section == kNone
             ? ""
             : link.program.fileName(link.program.sections[info.section].file);
}

bool StackUsage::isFunction(Node node) const {
  const CallGraph::Symbol &info = graph[node];
  return !graph[node].isStatement && !info.isAlias &&
         (info.section != kNone || called[node]);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Threads for whose stacks the run-time sets memory aside, with a symbol that
/// says how much. Each begins where the program does.
void StackUsage::addNumbered(const SymbolValues &values) {
  if (graph.entry() == kNone)
    return;
  for (const Reservation &stack : link.program.target->reservations) {
    if (!stack.thread)
      continue;
    const auto [before, behind] = StringRef(stack.size).split('#');
    for (unsigned i = 0; i < stack.count; ++i) {
      const SymbolId id =
          link.program.symbols.find((before + Twine(i) + behind).str());
      if (id == kNone || !link.symbol(id).isDefined() ||
          values.globals[id] == 0)
        continue; // one that does not run
      rootList.push_back({graph.entry(), StackRoot::Numbered, i,
                          values.globals[id],
                          link.program.symbols[id].name.str(), stack.thread});
    }
  }
}

void StackUsage::addLimited(Diagnostics &diag) {
  for (const StackLimit &limit : link.program.config.stackLimits) {
    const ArrayRef<Node> nodes = sources.named(limit.symbol);
    if (nodes.empty()) {
      const std::string text = "--stack-limit: the program has no function '" +
                               link.program.shownName(limit.symbol) + "'";
      if (link.program.config.errorStackLimit)
        diag.error(text);
      else
        diag.warn(WarningGroup::Stack, text);
    }
    for (Node node : nodes) {
      auto same = [&](const StackRoot &root) {
        return root.node == node && root.kind != StackRoot::Numbered;
      };
      auto it = find_if(rootList, same);
      if (it == rootList.end())
        it = rootList.insert(rootList.end(), {node, StackRoot::Limited});
      it->limit = limit.bytes; // the last one counts
      it->limitName = kOption;
    }
  }
}

/// Functions that data refers to and that nobody is known to call: vectors of
/// interrupts, tables.
void StackUsage::addPossible() {
  std::vector<bool> taken = called;
  for (const StackRoot &root : rootList)
    taken[root.node] = true;
  std::vector<Node> possible;
  for (Node node = 0; node < graph.size(); ++node)
    if (!taken[node] && graph[node].addressTaken)
      possible.push_back(node);
  stable_sort(possible,
              [&](Node a, Node b) { return calls[a].total > calls[b].total; });
  for (Node node : possible)
    rootList.push_back({node, StackRoot::Possible});
}

void StackUsage::findRoots(const SymbolValues &values, Diagnostics &diag) {
  called.resize(graph.size());
  for (Node node = 0; node < graph.size(); ++node)
    for (Node callee : graph.callees(node))
      if (callee != node)
        called[callee] = true;
  addNumbered(values);
  std::vector<bool> seen(graph.size());
  auto add = [&](Node node, StackRoot::Kind kind) {
    if (node == kNone || seen[node])
      return;
    seen[node] = true;
    rootList.push_back({node, kind});
  };
  if (rootList.empty())
    add(graph.entry(), StackRoot::Entry);
  for (const CallGraph::Parallel &parallel : graph.parallels()) {
    add(parallel.first, StackRoot::Thread);
    add(parallel.second, StackRoot::Thread);
  }
  addLimited(diag);
  addPossible();
}

std::string StackUsage::kindOf(const StackRoot &root) const {
  switch (root.kind) {
  case StackRoot::Entry:
    return "entry";
  case StackRoot::Thread:
    return "thread";
  case StackRoot::Numbered:
    return std::string(root.thread) + " " + std::to_string(root.number);
  case StackRoot::Limited:
    return "limit";
  case StackRoot::Possible:
    return "possible root";
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

void StackUsage::checkGroup(ArrayRef<StackRoot> group,
                            Diagnostics &diag) const {
  const StackRoot &root = group.front();
  const CallNeed &need = calls[root.node];
  const bool given = root.limitName == kOption;
  const bool exceeds = need.total > *root.limit;
  if (!exceeds && (need.bounded || !given))
    return;
  std::string text = "the stack of " + graph.quoted(root.node);
  if (root.kind == StackRoot::Numbered)
    text += " in " + kindOf(group);
  text += need.bounded ? " needs " : " needs at least ";
  text += std::to_string(need.total) + " bytes";
  if (exceeds)
    text += ", " + std::to_string(need.total - *root.limit) + " more than the ";
  else
    text += " and has no known bound; it has the ";
  text += std::to_string(*root.limit) + " of " + limitOf(group);
  std::vector<std::string> notes = {
      "deepest path: " +
      chainPhrase(graph, path(root.node, kMostJsonNames)).text};
  for (uint32_t index : need.reasons)
    notes.push_back("no bound: " + reason(index).text);
  if (link.program.config.errorStackLimit)
    diag.error(std::move(text), std::move(notes));
  else
    diag.warn(WarningGroup::Stack, std::move(text), std::move(notes));
}

void StackUsage::check(Diagnostics &diag) const {
  for (ArrayRef<StackRoot> group : groups())
    if (group.front().limit)
      checkGroup(group, diag);
}

//===----------------------------------------------------------------------===//
// For reports
//===----------------------------------------------------------------------===//

std::vector<ArrayRef<StackRoot>> StackUsage::groups() const {
  std::vector<ArrayRef<StackRoot>> list;
  for (size_t begin = 0, end; begin < rootList.size(); begin = end) {
    const StackRoot &first = rootList[begin];
    end = begin + 1;
    while (first.kind == StackRoot::Numbered && end < rootList.size() &&
           rootList[end].kind == StackRoot::Numbered &&
           rootList[end].number == rootList[end - 1].number + 1 &&
           rootList[end].limit == first.limit)
      ++end;
    list.push_back(ArrayRef(rootList).slice(begin, end - begin));
  }
  return list;
}

std::string StackUsage::kindOf(ArrayRef<StackRoot> group) const {
  if (group.size() == 1)
    return kindOf(group.front());
  return std::string(group.front().thread) + "s " +
         std::to_string(group.front().number) + " to " +
         std::to_string(group.back().number);
}

std::string StackUsage::limitOf(ArrayRef<StackRoot> group) {
  return group.front().limitName +
         (group.size() == 1 ? "" : " to " + group.back().limitName);
}

uint64_t StackUsage::openFunctions() const {
  uint64_t count = 0;
  for (Node node = 0; node < graph.size(); ++node) {
    const CallGraph::Symbol &info = graph[node];
    count += isFunction(node) && info.section != kNone && !info.callsNoted &&
             !info.callsStated && !graph.isStated(node);
  }
  return count;
}

std::vector<MapStack> stacksOfMap(const StackUsage &usage,
                                  BumpPtrAllocator &texts) {
  auto keep = [&](StringRef text) { return text.copy(texts); };
  const CallGraph &graph = usage.functions();
  std::vector<MapStack> list;
  for (const StackRoot &root : usage.roots()) {
    const CallNeed &need = usage.need(root.node);
    MapStack &stack = list.emplace_back();
    stack.root = keep(nameIn(graph, root.node));
    stack.kind = keep(usage.kindOf(root));
    stack.bytes = need.total;
    stack.bounded = need.bounded;
    stack.limit = root.limit.value_or(0);
    for (Node node : usage.path(root.node, kMostJsonNames).nodes)
      stack.path.push_back({keep(nameIn(graph, node)), usage.own(node)});
  }
  return list;
}

} // namespace xlink
