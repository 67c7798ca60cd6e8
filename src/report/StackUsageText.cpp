//===- StackUsageText.cpp - --stack-usage, printed ------------------------===//
#include "report/StackUsage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

using Node = CallGraph::Node;

namespace {

/// What is printed for people has an end; JSON has all of it.
constexpr size_t kMostFrames = 10;
constexpr size_t kMostPossible = 20;
constexpr size_t kMostSections = 5;

class StackWriter {
public:
  StackWriter(raw_ostream &out, json::OStream &json, const Link &link,
              const StackUsage &usage)
      : out(out), json(json), link(link), usage(usage),
        graph(usage.functions()) {}
  void run();

private:
  void writeFunctions();
  void writeFrame(Node node, const std::string &line);
  json::Object writePath(Node node);
  json::Object writeRoot(ArrayRef<StackRoot> group);
  void writeRoots();
  void writeLargestFrames();
  void writeUnseen();

  raw_ostream &out;
  json::OStream &json;
  const Link &link;
  const StackUsage &usage;
  const CallGraph &graph;
};

} // namespace

void StackWriter::writeFunctions() {
  for (Node node = 0; node < graph.size(); ++node) {
    if (!usage.isFunction(node))
      continue;
    const CallNeed &need = usage.need(node);
    json::Object object{{"function", nameIn(graph, node)},
                        {"own", usage.own(node)},
                        {"bytes", need.total},
                        {"bounded", need.bounded}};
    if (const std::string file = usage.fileOf(node); !file.empty())
      object["file"] = json::fixUTF8(file);
    if (graph[node].addressTaken)
      object["addressTaken"] = true;
    json.value(std::move(object));
  }
}

/// "       104  main at src/task.c:12"
void StackWriter::writeFrame(Node node, const std::string &line) {
  const std::optional<uint64_t> own = usage.own(node);
  out << right_justify(own ? std::to_string(*own) : "?", 10) << "  "
      << graph.nameOf(node) << (line.empty() ? "" : " at ") << line << "\n";
}

/// The deepest path from a function: of a long one people get the beginning and
/// the last.
json::Object StackWriter::writePath(Node node) {
  const CallChain chain = usage.path(node, kMostJsonNames);
  const size_t last = chain.nodes.size() - 1, all = last + chain.omitted;
  json::Array path;
  for (size_t i = 0; i <= last; ++i) {
    const Node at = chain.nodes[i];
    const std::string line = usage.lineOf(at);
    json::Object frame{{"function", nameIn(graph, at)},
                       {"bytes", usage.own(at)}};
    if (!line.empty())
      frame["source"] = json::fixUTF8(line);
    path.push_back(std::move(frame));
    if (i == last && all > kMostNames)
      out << right_justify("...", 10) << "  "
          << countOf(all - kMostNames, "more function", "more functions")
          << "\n";
    if (i < kMostNames || i == last)
      writeFrame(at, line);
  }
  json::Object object{{"path", std::move(path)}};
  if (chain.omitted)
    object["omittedBeforeLast"] = uint64_t(chain.omitted);
  return object;
}

/// The answer about roots that need and have the same; in JSON the members that
/// they share.
json::Object StackWriter::writeRoot(ArrayRef<StackRoot> group) {
  const StackRoot &root = group.front();
  const CallNeed &need = usage.need(root.node);
  out << "  " << graph.nameOf(root.node) << " (" << usage.kindOf(group)
      << "): ";
  const char *const atLeast = need.bounded ? "" : "at least ";
  if (!need.bounded)
    out << "unbounded, ";
  out << atLeast << countOf(need.total, "byte", "bytes");
  if (root.limit && need.total > *root.limit)
    out << " of " << *root.limit << ", " << atLeast << need.total - *root.limit
        << " too many";
  else if (root.limit && need.bounded)
    out << " of " << *root.limit << ", " << *root.limit - need.total << " left";
  else if (root.limit) // what is not known may take the rest and more
    out << "; nobody knows whether " << *root.limit << " are enough";
  out << "\n";
  json::Object object = writePath(root.node);
  object["function"] = nameIn(graph, root.node);
  object["bytes"] = need.total;
  object["bounded"] = need.bounded;
  json::Array reasons;
  for (uint32_t index : need.reasons) {
    CallPhrase reason = usage.reason(index);
    out << "    " << reason.text << "\n";
    json::Object members;
    for (auto &[key, value] : reason.json)
      members[key] = std::move(value);
    reasons.push_back(std::move(members));
  }
  if (!need.bounded)
    object["unbounded"] = std::move(reasons);
  if (need.moreReasons) {
    out << "    and more\n";
    object["more"] = true;
  }
  return object;
}

void StackWriter::writeRoots() {
  if (usage.roots().empty())
    out << "  no entry, and no function that may begin a stack\n";
  size_t possible = 0;
  for (ArrayRef<StackRoot> group : usage.groups()) {
    const bool shown =
        group.front().kind != StackRoot::Possible || possible++ < kMostPossible;
    StackWriter silent(nulls(), json, link, usage);
    json::Object common = (shown ? *this : silent).writeRoot(group);
    for (const StackRoot &root : group) {
      common["kind"] = usage.kindOf(root);
      if (root.limit) {
        common["limit"] = *root.limit;
        common["limitName"] = json::fixUTF8(root.limitName);
      }
      json.value(json::Object(common));
    }
  }
  if (possible > kMostPossible)
    out << "  and "
        << countOf(possible - kMostPossible, "possible root", "possible roots")
        << "\n";
}

void StackWriter::writeLargestFrames() {
  std::vector<Node> nodes;
  for (Node node = 0; node < graph.size(); ++node)
    if (usage.isFunction(node) && usage.own(node).value_or(0) != 0)
      nodes.push_back(node);
  const size_t count = std::min(nodes.size(), kMostFrames);
  std::partial_sort(
      nodes.begin(), nodes.begin() + count, nodes.end(), [&](Node a, Node b) {
        return std::pair(*usage.own(b), a) < std::pair(*usage.own(a), b);
      });
  nodes.resize(count);
  if (nodes.empty())
    return;
  out << "  Largest frames\n";
  for (Node node : nodes)
    writeFrame(node, usage.lineOf(node));
}

/// What the figures above do not know.
void StackWriter::writeUnseen() {
  const StackSources &sources = usage.knownFrom();
  const uint64_t open = usage.openFunctions();
  const ArrayRef<SectionId> silent = sources.silentSections();
  json::Array sections;
  for (SectionId id : silent)
    sections.push_back(json::fixUTF8(link.program.sectionName(id)));
  json.value(json::Object{{"functionsWithUnknownPointers", open},
                          {"sectionsWithoutLocalCalls", std::move(sections)},
                          {"branchesIntoCallers", sources.returningBranches()},
                          {"callsFromNamelessCode", sources.namelessCalls()}});
  if (!open && silent.empty() && !sources.namelessCalls() &&
      !sources.returningBranches())
    return;
  out << "  Not seen\n";
  if (open)
    out << "    whether " << countOf(open, "function", "functions")
        << (open == 1 ? " calls" : " call")
        << " through pointers: such calls have no relocation; --stack-calls "
           "states them\n";
  if (!silent.empty()) {
    out << "    calls between functions of one section, which assemblers may "
           "resolve: ";
    for (size_t i = 0; i < std::min(silent.size(), kMostSections); ++i)
      out << (i ? ", " : "") << link.program.sectionName(silent[i]);
    if (silent.size() > kMostSections)
      out << " and " << silent.size() - kMostSections << " more";
    out << "; -ffunction-sections shows them\n";
  }
  if (const uint64_t branches = sources.returningBranches())
    out << "    whether " << countOf(branches, "branch", "branches")
        << (branches == 1 ? " into the middle of a caller goes"
                          : " into the middle of callers go")
        << " back there for good\n";
  if (const uint64_t nameless = sources.namelessCalls())
    out << "    who makes " << countOf(nameless, "call", "calls")
        << " from code that has no symbol\n";
}

void StackWriter::run() {
  out << "Stack usage\n";
  json.object([&] {
    json.attributeArray("functions", [&] { writeFunctions(); });
    json.attributeArray("roots", [&] { writeRoots(); });
    writeLargestFrames();
    json.attributeBegin("unseen");
    writeUnseen();
    json.attributeEnd();
  });
}

void writeStackUsage(raw_ostream &text, json::OStream &json, const Link &link,
                     const StackUsage &usage) {
  StackWriter(text, json, link, usage).run();
}

} // namespace xlink
