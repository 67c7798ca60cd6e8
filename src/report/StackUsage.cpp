//===- StackUsage.cpp -----------------------------------------------------===//
//
// Problem: a stack that is too small overwrites the memory below it, long after
// the tests. How deep can each one get, and is there room for that?
//
// Method: StackSources and the statements of the inputs give one graph of
// functions, with bytes; DeepestCalls adds them up. Roots are the functions
// that run on a stack of their own. A symbol of the program or an option gives
// their limit. A need without a bound is at least its known part: if that
// exceeds the limit already, the stack is too small whatever the rest is.
//
// Cost: linear in functions and calls, and in relocations of live code.
//
//===----------------------------------------------------------------------===//
#include "report/StackUsage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Whose limits the user gave.
static constexpr const char *kOption = "--stack-limit";

// The text has an end; JSON has all of it.
static constexpr size_t kMostFrames = 10;
static constexpr size_t kMostPossible = 20;
static constexpr size_t kMostSections = 5;

StackUsage::StackUsage(const Link &link, const SymbolValues &values,
                       Diagnostics &diag)
    : link(link), graph(stackGraph(link, values, diag)),
      calls(graph, Resource::StackWords), called(graph.size()) {
  for (Node node = 0; node < graph.size(); ++node)
    for (Node callee : graph.callees(node))
      if (callee != node)
        called[callee] = true;
  addNumbered(values);
  if (roots.empty() && graph.entry != kNone)
    roots.push_back({graph.entry, StackRoot::Entry});
  for (Node node : graph.threads())
    roots.push_back({node, StackRoot::Thread});
  addLimited(diag);
  addPossible();
}

/// The source line where a function begins, or "".
std::string StackUsage::lineOf(Node node) const {
  const CallGraph::Symbol &function = graph[node];
  return function.section == kNone
             ? ""
             : link.program.sourceLine(function.section, function.offset);
}

/// Whether a node is a function: no other name of one, no part of one, and no
/// global that one uses.
bool StackUsage::isFunction(Node node) const {
  const CallGraph::Symbol &function = graph[node];
  return !function.isStatement && !function.isAlias &&
         (function.section != kNone || called[node]);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Threads for whose stacks the run-time sets memory aside, with a symbol that
/// gives its size. Each begins where the program does.
void StackUsage::addNumbered(const SymbolValues &values) {
  if (graph.entry == kNone)
    return;
  for (const Reservation &stack : link.program.target->reservations) {
    if (!stack.thread)
      continue;
    const auto [before, behind] = StringRef(stack.size).split('#');
    for (unsigned i = 0; i < stack.count; ++i) {
      const std::string name = (before + Twine(i) + behind).str();
      const SymbolId id = link.program.symbols.find(name);
      if (id != kNone && link.symbol(id).isDefined() &&
          values.globals[id] != 0) // else it does not run
        roots.push_back({graph.entry, StackRoot::Numbered, i,
                         values.globals[id], name, stack.thread});
    }
  }
}

/// An error with --error-stack-limit.
void StackUsage::warn(std::string text, std::vector<std::string> notes,
                      Diagnostics &diag) const {
  if (link.program.config.errorStackLimit)
    diag.error(std::move(text), std::move(notes));
  else
    diag.warn(WarningGroup::Stack, std::move(text), std::move(notes));
}

void StackUsage::addLimited(Diagnostics &diag) {
  for (const StackLimit &limit : link.program.config.stackLimits) {
    const std::vector<Node> nodes = graph.byName.lookup(limit.symbol);
    if (nodes.empty())
      warn("--stack-limit: the program has no function '" +
               link.program.shownName(limit.symbol) + "'",
           {}, diag);
    for (Node node : nodes) {
      auto it = find_if(roots, [&](const StackRoot &root) {
        return root.node == node && root.kind != StackRoot::Numbered;
      });
      if (it == roots.end())
        it = roots.insert(roots.end(), {node, StackRoot::Limited});
      it->limit = limit.bytes; // the last one counts
      it->limitName = kOption;
    }
  }
}

/// Functions that data refers to and that have no known call: vectors of
/// interrupts, tables.
void StackUsage::addPossible() {
  std::vector<bool> taken = called;
  for (const StackRoot &root : roots)
    taken[root.node] = true;
  std::vector<Node> possible;
  for (Node node = 0; node < graph.size(); ++node)
    if (!taken[node] && graph[node].addressTaken)
      possible.push_back(node);
  stable_sort(possible,
              [&](Node a, Node b) { return calls[a].total > calls[b].total; });
  for (Node node : possible)
    roots.push_back({node, StackRoot::Possible});
}

/// Runs of numbered roots, all others alone.
std::vector<StackUsage::Group> StackUsage::groups() const {
  std::vector<Group> list;
  for (size_t begin = 0, end; begin < roots.size(); begin = end) {
    const StackRoot &first = roots[begin];
    end = begin + 1;
    while (first.kind == StackRoot::Numbered && end < roots.size() &&
           roots[end].kind == StackRoot::Numbered &&
           roots[end].number == roots[end - 1].number + 1 &&
           roots[end].limit == first.limit)
      ++end;
    list.push_back(ArrayRef(roots).slice(begin, end - begin));
  }
  return list;
}

/// "entry", "thread", "tasklet 3", "tasklets 0 to 15", "limit",
/// "possible root"
std::string StackUsage::kindOf(Group group) {
  static constexpr const char *names[] = {"entry", "thread", "", "limit",
                                          "possible root"};
  const StackRoot &first = group.front();
  if (first.kind != StackRoot::Numbered)
    return names[first.kind];
  const std::string number = std::to_string(first.number);
  return first.thread +
         (group.size() == 1
              ? " " + number
              : "s " + number + " to " + std::to_string(group.back().number));
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

void StackUsage::checkGroup(Group group, Diagnostics &diag) const {
  const StackRoot &root = group.front();
  const CallNeed &need = calls[root.node];
  const bool exceeds = need.total > *root.limit;
  if (!exceeds && (need.bounded || root.limitName != kOption))
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
  text += std::to_string(*root.limit) + " of " + root.limitName;
  if (group.size() != 1)
    text += " to " + group.back().limitName;
  std::vector<std::string> notes = {"deepest path: " +
                                    calls.pathPhrase(root.node).text};
  for (uint32_t index : need.reasons)
    notes.push_back("no bound: " + calls.reason(index).text);
  warn(std::move(text), std::move(notes), diag);
}

void StackUsage::check(Diagnostics &diag) const {
  for (Group group : groups())
    if (group.front().limit)
      checkGroup(group, diag);
}

//===----------------------------------------------------------------------===//
// Text and JSON
//===----------------------------------------------------------------------===//

void StackUsage::writeFunctions(json::OStream &json) const {
  for (Node node = 0; node < graph.size(); ++node) {
    if (!isFunction(node))
      continue;
    const CallGraph::Symbol &function = graph[node];
    json::Object object{{"function", graph.nameInFile(node)},
                        {"own", own(node)},
                        {"bytes", calls[node].total},
                        {"bounded", calls[node].bounded}};
    if (function.section != kNone)
      object["file"] = json::fixUTF8(
          link.program.fileName(link.program.sections[function.section].file));
    if (function.addressTaken)
      object["addressTaken"] = true;
    json.value(std::move(object));
  }
}

/// "       104  main at src/task.c:12"
void StackUsage::writeFrame(raw_ostream &text, Node node,
                            const std::string &line) const {
  const std::optional<uint64_t> bytes = own(node);
  text << right_justify(bytes ? std::to_string(*bytes) : "?", 10) << "  "
       << graph.nameOf(node) << (line.empty() ? "" : " at ") << line << "\n";
}

/// The deepest path from a function: of a long one the text has the beginning
/// and the last.
json::Object StackUsage::writePath(raw_ostream &text, Node node) const {
  const CallChain chain = calls.path(node);
  const size_t last = chain.nodes.size() - 1, all = last + chain.omitted;
  json::Array path;
  for (size_t i = 0; i <= last; ++i) {
    const Node at = chain.nodes[i];
    const std::string line = lineOf(at);
    json::Object frame{{"function", graph.nameInFile(at)}, {"bytes", own(at)}};
    if (!line.empty())
      frame["source"] = json::fixUTF8(line);
    path.push_back(std::move(frame));
    if (i == last && all > kMostNames)
      text << right_justify("...", 10) << "  "
           << countOf(all - kMostNames, "more function", "more functions")
           << "\n";
    if (i < kMostNames || i == last)
      writeFrame(text, at, line);
  }
  json::Object object{{"path", std::move(path)}};
  if (chain.omitted)
    object["omittedBeforeLast"] = uint64_t(chain.omitted);
  return object;
}

/// The answer about a group; in JSON the members that its roots share.
json::Object StackUsage::writeGroup(raw_ostream &text, Group group) const {
  const StackRoot &root = group.front();
  const CallNeed &need = calls[root.node];
  const char *const atLeast = need.bounded ? "" : "at least ";
  text << "  " << graph.nameOf(root.node) << " (" << kindOf(group)
       << "): " << (need.bounded ? "" : "unbounded, ") << atLeast
       << countOf(need.total, "byte", "bytes");
  if (root.limit && need.total > *root.limit)
    text << " of " << *root.limit << ", " << atLeast << need.total - *root.limit
         << " too many";
  else if (root.limit && need.bounded)
    text << " of " << *root.limit << ", " << *root.limit - need.total
         << " left";
  else if (root.limit) // the unknown part may take the rest and more
    text << "; the limit of " << *root.limit << " may not be enough";
  text << "\n";
  json::Object object = writePath(text, root.node);
  object["function"] = graph.nameInFile(root.node);
  object["bytes"] = need.total;
  object["bounded"] = need.bounded;
  json::Array reasons;
  for (uint32_t index : need.reasons) {
    const CallPhrase &reason = calls.reason(index);
    text << "    " << reason.text << "\n";
    json::Object members;
    for (const auto &[key, value] : reason.json)
      members[key] = value;
    reasons.push_back(std::move(members));
  }
  if (!need.bounded)
    object["unbounded"] = std::move(reasons);
  if (need.moreReasons) {
    text << "    and more\n";
    object["more"] = true;
  }
  return object;
}

void StackUsage::writeRoots(raw_ostream &text, json::OStream &json) const {
  if (roots.empty())
    text << "  no entry, and no function that may begin a stack\n";
  size_t possible = 0;
  for (Group group : groups()) {
    const bool shown =
        group.front().kind != StackRoot::Possible || possible++ < kMostPossible;
    json::Object common = writeGroup(shown ? text : nulls(), group);
    for (const StackRoot &root : group) {
      common["kind"] = kindOf(root);
      if (root.limit) {
        common["limit"] = *root.limit;
        common["limitName"] = json::fixUTF8(root.limitName);
      }
      json.value(json::Object(common));
    }
  }
  if (possible > kMostPossible)
    text << "  and "
         << countOf(possible - kMostPossible, "possible root", "possible roots")
         << "\n";
}

void StackUsage::writeLargestFrames(raw_ostream &text) const {
  std::vector<Node> nodes;
  for (Node node = 0; node < graph.size(); ++node)
    if (isFunction(node) && own(node).value_or(0) != 0)
      nodes.push_back(node);
  stable_sort(nodes, [&](Node a, Node b) { return *own(a) > *own(b); });
  if (!nodes.empty())
    text << "  Largest frames\n";
  for (Node node : ArrayRef(nodes).take_front(kMostFrames))
    writeFrame(text, node, lineOf(node));
}

/// The calls that are not known.
json::Object StackUsage::writeUnseen(raw_ostream &text) const {
  uint64_t open = 0; // functions of which calls through pointers are not known
  for (Node node = 0; node < graph.size(); ++node) {
    const CallGraph::Symbol &function = graph[node];
    open += isFunction(node) && function.section != kNone &&
            !function.callsNoted && !function.callsStated && !function.isStated;
  }
  const uint64_t branches = graph.returningBranches,
                 nameless = graph.namelessCalls;
  json::Array sections;
  std::string list;
  for (SectionId id : graph.silentSections) {
    const std::string name = link.program.sectionName(id);
    if (sections.size() < kMostSections)
      list += (list.empty() ? "" : ", ") + name;
    sections.push_back(json::fixUTF8(name));
  }
  if (sections.size() > kMostSections)
    list += formatv(" and {0} more", sections.size() - kMostSections);
  if (open || branches || nameless || !list.empty())
    text << "  Not seen\n";
  if (open)
    text << "    whether " << countOf(open, "function", "functions")
         << (open == 1 ? " calls" : " call")
         << " through pointers: such calls have no relocation; --stack-calls "
            "states them\n";
  if (!list.empty())
    text << "    calls between functions of one section, which assemblers may "
            "resolve: "
         << list << "; -ffunction-sections shows them\n";
  if (branches)
    text << "    whether " << countOf(branches, "branch", "branches")
         << (branches == 1 ? " into the middle of a caller goes"
                           : " into the middle of callers go")
         << " back there for good\n";
  if (nameless)
    text << "    who makes " << countOf(nameless, "call", "calls")
         << " from code that has no symbol\n";
  return json::Object{{"functionsWithUnknownPointers", open},
                      {"sectionsWithoutLocalCalls", std::move(sections)},
                      {"branchesIntoCallers", branches},
                      {"callsFromNamelessCode", nameless}};
}

void StackUsage::write(raw_ostream &text, json::OStream &json) const {
  text << "Stack usage\n";
  json.object([&] {
    json.attributeArray("functions", [&] { writeFunctions(json); });
    json.attributeArray("roots", [&] { writeRoots(text, json); });
    writeLargestFrames(text);
    json.attribute("unseen", writeUnseen(text));
  });
}

std::vector<MapStack> StackUsage::forMap(BumpPtrAllocator &texts) const {
  auto keep = [&](StringRef text) { return text.copy(texts); };
  std::vector<MapStack> list;
  for (const StackRoot &root : roots) {
    const CallNeed &need = calls[root.node];
    MapStack &stack = list.emplace_back();
    stack.root = keep(graph.nameInFile(root.node));
    stack.kind = keep(kindOf(root));
    stack.bytes = need.total;
    stack.bounded = need.bounded;
    stack.limit = root.limit.value_or(0);
    for (Node node : calls.path(root.node).nodes)
      stack.path.push_back({keep(graph.nameInFile(node)), own(node)});
  }
  return list;
}

} // namespace xlink
