//===- StackUsage.cpp -----------------------------------------------------===//
//
// Problem: a stack that is too small overwrites the memory below it, long after
// the tests. How deep can each one get, and is there room for that?
//
// Method: stackGraph gives one graph of functions, with bytes; DeepestCalls
// adds them up. Roots are the functions that run on a stack of their own. A
// symbol of the program or an option gives their limit. A need without a bound
// is at least its known part: if that exceeds the limit already, the stack is
// too small whatever the rest is.
//
// Cost: linear in functions and calls, and in relocations of live code.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "report/CallGraph.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

/// The source of limits that the user gave.
static constexpr const char *kOption = "--stack-limit";

// The text has an end; JSON has all of it.
static constexpr size_t kMostFrames = 10;
static constexpr size_t kMostPossible = 20;
static constexpr size_t kMostSections = 5;

StackUsage::StackUsage(const Link &link, const SymbolValues &values,
                       Diagnostics &diag)
    : link(link), graph(stackGraph(link, values, diag)),
      calls(graph, Resource::StackWords) {
  addNumbered(values);
  if (roots.empty() && graph.entry != kNone)
    addEntry(values);
  for (Node node : graph.threads())
    roots.push_back({node, StackRoot::Thread});
  addLimited(diag);
  addPossible();
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

std::string numbered(StringRef name, unsigned number) {
  const auto [before, behind] = name.split('#');
  if (before.size() == name.size())
    return name.str();
  return (before + Twine(number) + behind).str();
}

/// Threads for whose stacks the run-time sets memory aside, with a symbol that
/// gives its size. Each begins where the program does.
void StackUsage::addNumbered(const SymbolValues &values) {
  if (graph.entry == kNone)
    return;
  for (const Reservation &stack : link.program.target->reservations) {
    if (!stack.thread)
      continue;
    for (unsigned i = 0; i < stack.count; ++i) {
      const SymbolId id = link.program.symbols.find(numbered(stack.size, i));
      if (id == kNone || !link.symbol(id).isDefined() ||
          values.globals[id] == 0)
        continue; // it does not run
      if (StackRoot *last = roots.empty() ? nullptr : &roots.back();
          last && last->number + last->count == i &&
          last->limit == values.globals[id])
        ++last->count;
      else
        roots.push_back({graph.entry, StackRoot::Numbered, values.globals[id],
                         stack.size, stack.thread, i});
    }
  }
}

/// The entry runs on the stack that the script delimits.
void StackUsage::addEntry(const SymbolValues &values) {
  StackRoot &root =
      roots.emplace_back(StackRoot{graph.entry, StackRoot::Entry});
  if (std::optional<StackRoom> room = stackRoom({link, values})) {
    scriptLimit = room->name;
    root.limit = room->bytes;
    root.limitName = scriptLimit.c_str();
  }
}

void StackUsage::addLimited(Diagnostics &diag) {
  for (const StackLimit &limit : link.program.config.stackLimits) {
    const std::vector<Node> nodes = graph.byName.lookup(limit.symbol);
    if (nodes.empty())
      diag.warnOrError(link.program.config.errorStackLimit, WarningGroup::Stack,
                       "--stack-limit: the program has no function '" +
                           link.program.shownName(limit.symbol) + "'");
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
  std::vector<bool> taken(graph.size());
  for (const StackRoot &root : roots)
    taken[root.node] = true;
  const size_t known = roots.size();
  for (Node node = 0; node < graph.size(); ++node)
    if (!taken[node] && !graph[node].called && graph[node].addressTaken)
      roots.push_back({node, StackRoot::Possible});
  std::stable_sort(roots.begin() + known, roots.end(),
                   [&](const StackRoot &a, const StackRoot &b) {
                     return calls[a.node].total > calls[b.node].total;
                   });
}

/// "entry", "thread", "tasklet 3", "limit", "possible root"; of several threads
/// "tasklets 0 to 15".
static std::string kindOf(const StackRoot &root) {
  static constexpr const char *names[] = {"entry", "thread", "", "limit",
                                          "possible root"};
  if (root.kind != StackRoot::Numbered)
    return names[root.kind];
  const std::string first = std::to_string(root.number);
  return root.thread + (root.count == 1
                            ? " " + first
                            : "s " + first + " to " +
                                  std::to_string(root.number + root.count - 1));
}

/// Each of several threads by itself.
static std::vector<StackRoot> single(const StackRoot &root) {
  std::vector<StackRoot> list(root.count, root);
  for (unsigned i = 0; i < root.count; ++i) {
    list[i].number += i;
    list[i].count = 1;
  }
  return list;
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

void StackUsage::checkRoot(const StackRoot &root, Diagnostics &diag) const {
  const CallNeed &need = calls[root.node];
  const bool exceeds = need.total > *root.limit;
  if (!exceeds && (need.bounded || root.limitName != kOption))
    return;
  std::string text = "the stack of " + graph.quoted(root.node);
  if (root.kind == StackRoot::Numbered)
    text += " in " + kindOf(root);
  text += need.bounded ? " needs " : " needs at least ";
  text += std::to_string(need.total) + " bytes";
  if (exceeds)
    text += ", " + std::to_string(need.total - *root.limit) + " more than the ";
  else
    text += " and has no known bound; it has the ";
  text += std::to_string(*root.limit) + " of " +
          numbered(root.limitName, root.number);
  if (root.count != 1)
    text += " to " + numbered(root.limitName, root.number + root.count - 1);
  std::vector<std::string> notes = {"deepest path: " +
                                    calls.pathPhrase(root.node).text};
  for (uint32_t index : need.reasons)
    notes.push_back("no bound: " + calls.reason(index).text);
  diag.warnOrError(link.program.config.errorStackLimit, WarningGroup::Stack,
                   std::move(text), std::move(notes));
}

//===----------------------------------------------------------------------===//
// Text and JSON
//===----------------------------------------------------------------------===//

void StackUsage::writeFunctions(json::OStream &json) const {
  for (Node node = 0; node < graph.size(); ++node) {
    const CallGraph::Symbol &function = graph[node];
    if (!function.isFunction())
      continue;
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

/// The answer about a root; in JSON the members that several threads share.
json::Object StackUsage::writeRoot(raw_ostream &text,
                                   const StackRoot &root) const {
  const CallNeed &need = calls[root.node];
  const char *const atLeast = need.bounded ? "" : "at least ";
  text << "  " << graph.nameOf(root.node) << " (" << kindOf(root)
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
  for (const StackRoot &root : roots) {
    const bool shown =
        root.kind != StackRoot::Possible || possible++ < kMostPossible;
    json::Object object = writeRoot(shown ? text : nulls(), root);
    for (const StackRoot &one : single(root)) {
      object["kind"] = kindOf(one);
      if (one.limit) {
        object["limit"] = *one.limit;
        object["limitName"] = numbered(one.limitName, one.number);
      }
      json.value(json::Object(object));
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
    if (graph[node].isFunction() && own(node).value_or(0) != 0)
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
  uint64_t unknownFrames = 0;
  for (Node node = 0; node < graph.size(); ++node) {
    const CallGraph::Symbol &function = graph[node];
    open += function.isFunction() && function.section != kNone &&
            !function.callsNoted && !function.callsStated && !function.isStated;
    unknownFrames += function.isFunction() && function.section != kNone &&
                     !own(node) && !function.withCallees;
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
  if (open || unknownFrames || branches || nameless || !list.empty())
    text << "  Not seen\n";
  if (open)
    text << "    whether " << countOf(open, "function", "functions")
         << (open == 1 ? " calls" : " call")
         << " through pointers: such calls have no relocation; --stack-calls "
            "states them\n";
  if (unknownFrames)
    text << "    the frames of "
         << countOf(unknownFrames, "function", "functions")
         << ": compile with -fstack-size-section, or with -fstack-usage and "
            "link with --stack-usage-files; for assembly write a record of "
            ".stack_sizes, or a line of foo.su beside foo.o\n";
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
    text << "    the callers of " << countOf(nameless, "call", "calls")
         << ": code that has no symbol\n";
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
    MapStack stack;
    stack.root = keep(graph.nameInFile(root.node));
    stack.bytes = need.total;
    stack.bounded = need.bounded;
    stack.limit = root.limit.value_or(0);
    for (Node node : calls.path(root.node).nodes)
      stack.path.push_back({keep(graph.nameInFile(node)), own(node)});
    for (const StackRoot &one : single(root)) {
      stack.kind = keep(kindOf(one));
      list.push_back(stack);
    }
  }
  return list;
}

} // namespace xlink
