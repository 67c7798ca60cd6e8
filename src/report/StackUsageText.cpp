//===- StackUsageText.cpp - --stack-usage, printed ------------------------===//
#include "report/CallTexts.h"
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

/// "3 functions", "1 function"
std::string counted(uint64_t count, const char *what) {
  const bool hisses = StringRef(what).ends_with("ch");
  return std::to_string(count) + " " + what +
         (count == 1 ? ""
          : hisses   ? "es"
                     : "s");
}

class TextWriter {
public:
  TextWriter(const Link &link, const StackUsage &usage)
      : link(link), usage(usage), graph(usage.functions()), out(text) {}
  std::string run();

private:
  void writeFrame(Node node, const std::string &bytes);
  void writePath(Node node);
  void writeRoot(ArrayRef<StackRoot> group);
  void writeLargestFrames();
  void writeUnseen();

  const Link &link;
  const StackUsage &usage;
  const CallGraph &graph;
  std::string text;
  raw_string_ostream out;
};

} // namespace

/// "       104  main at src/task.c:12"
void TextWriter::writeFrame(Node node, const std::string &bytes) {
  out << right_justify(bytes, 10) << "  " << graph.nameOf(node);
  if (const std::string line = usage.lineOf(node); !line.empty())
    out << " at " << line;
  out << "\n";
}

void TextWriter::writePath(Node node) {
  const CallChain chain = usage.path(node, kMostNames);
  for (size_t i = 0; i < chain.nodes.size(); ++i) {
    if (chain.omitted && i + 1 == chain.nodes.size())
      out << right_justify("...", 10) << "  "
          << counted(chain.omitted, "more function") << "\n";
    const std::optional<uint64_t> own = usage.own(chain.nodes[i]);
    writeFrame(chain.nodes[i], own ? std::to_string(*own) : "?");
  }
}

void TextWriter::writeRoot(ArrayRef<StackRoot> group) {
  const StackRoot &root = group.front();
  const CallNeed &need = usage.need(root.node);
  out << "  " << graph.nameOf(root.node) << " (" << usage.kindOf(group)
      << "): ";
  const char *const atLeast = need.bounded ? "" : "at least ";
  if (!need.bounded)
    out << "unbounded, ";
  out << atLeast << counted(need.total, "byte");
  if (root.limit && need.total > *root.limit)
    out << " of " << *root.limit << ", " << atLeast << need.total - *root.limit
        << " too many";
  else if (root.limit && need.bounded)
    out << " of " << *root.limit << ", " << *root.limit - need.total << " left";
  else if (root.limit) // what is not known may take the rest and more
    out << "; nobody knows whether " << *root.limit << " are enough";
  out << "\n";
  writePath(root.node);
  for (uint32_t index : need.reasons)
    out << "    " << reasonText(graph, usage.reason(index)) << "\n";
  if (need.moreReasons)
    out << "    and more\n";
}

void TextWriter::writeLargestFrames() {
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
    writeFrame(node, std::to_string(*usage.own(node)));
}

/// What the figures above do not know.
void TextWriter::writeUnseen() {
  const StackSources &sources = usage.knownFrom();
  const uint64_t open = usage.openFunctions();
  const ArrayRef<SectionId> silent = sources.silentSections();
  const uint64_t switches = sources.jumpsOfSwitches();
  if (!open && silent.empty() && !sources.namelessCalls() &&
      !sources.returningBranches() && !switches)
    return;
  out << "  Not seen\n";
  if (open)
    out << "    whether " << counted(open, "function")
        << (open == 1 ? " calls" : " call")
        << " through pointers: such calls have no relocation; --stack-calls "
           "states them\n";
  if (switches)
    out << "    whether " << counted(switches, "jump")
        << (switches == 1 ? " through a register stays in its function, as a "
                            "switch does; --stack-calls states what else it "
                            "reaches\n"
                          : " through registers stay in their functions, as "
                            "switches do; --stack-calls states what else they "
                            "reach\n");
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
    out << "    whether " << counted(branches, "branch")
        << (branches == 1 ? " into the middle of a caller goes"
                          : " into the middle of callers go")
        << " back there for good\n";
  if (const uint64_t nameless = sources.namelessCalls())
    out << "    who makes " << counted(nameless, "call")
        << " from code that has no symbol\n";
}

std::string TextWriter::run() {
  out << "Stack usage\n";
  if (usage.roots().empty())
    out << "  no entry, and no function that may begin a stack\n";
  size_t possible = 0;
  for (ArrayRef<StackRoot> group : usage.groups())
    if (group.front().kind != StackRoot::Possible || possible++ < kMostPossible)
      writeRoot(group);
  if (possible > kMostPossible)
    out << "  and " << counted(possible - kMostPossible, "possible root")
        << "\n";
  writeLargestFrames();
  writeUnseen();
  return text;
}

std::string stackReportText(const Link &link, const StackUsage &usage) {
  return TextWriter(link, usage).run();
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static json::Object objectOf(JsonMembers members) {
  json::Object object;
  for (auto &[key, value] : members)
    object[key] = std::move(value);
  return object;
}

static json::Array reasonsJson(const StackUsage &usage, const CallNeed &need) {
  json::Array reasons;
  for (uint32_t index : need.reasons)
    reasons.push_back(
        objectOf(reasonMembers(usage.functions(), usage.reason(index))));
  return reasons;
}

static json::Object rootJson(const StackUsage &usage, const StackRoot &root) {
  const CallGraph &graph = usage.functions();
  const CallNeed &need = usage.need(root.node);
  json::Object object{{"function", nameIn(graph, root.node)},
                      {"kind", usage.kindOf(root)},
                      {"bytes", need.total},
                      {"bounded", need.bounded}};
  if (root.limit) {
    object["limit"] = *root.limit;
    object["limitName"] = json::fixUTF8(root.limitName);
  }
  const CallChain chain = usage.path(root.node, kMostJsonNames);
  json::Array path;
  for (Node node : chain.nodes) {
    json::Object frame{{"function", nameIn(graph, node)},
                       {"bytes", usage.own(node)}};
    if (const std::string line = usage.lineOf(node); !line.empty())
      frame["source"] = json::fixUTF8(line);
    path.push_back(std::move(frame));
  }
  object["path"] = std::move(path);
  if (chain.omitted)
    object["omittedBeforeLast"] = uint64_t(chain.omitted);
  if (!need.bounded)
    object["unbounded"] = reasonsJson(usage, need);
  if (need.moreReasons)
    object["more"] = true;
  return object;
}

static json::Object functionJson(const StackUsage &usage, Node node) {
  const CallNeed &need = usage.need(node);
  json::Object object{{"function", nameIn(usage.functions(), node)},
                      {"own", usage.own(node)},
                      {"bytes", need.total},
                      {"bounded", need.bounded}};
  if (const std::string file = usage.fileOf(node); !file.empty())
    object["file"] = json::fixUTF8(file);
  if (usage.knownFrom().facts()[node].addressTaken)
    object["addressTaken"] = true;
  return object;
}

void stackUsageJson(json::OStream &out, const Link &link,
                    const StackUsage &usage) {
  json::Array sections;
  for (SectionId id : usage.knownFrom().silentSections())
    sections.push_back(json::fixUTF8(link.program.sectionName(id)));
  json::Object unseen{
      {"functionsWithUnknownPointers", usage.openFunctions()},
      {"jumpsOfSwitches", usage.knownFrom().jumpsOfSwitches()},
      {"sectionsWithoutLocalCalls", std::move(sections)},
      {"branchesIntoCallers", usage.knownFrom().returningBranches()},
      {"callsFromNamelessCode", usage.knownFrom().namelessCalls()}};
  out.object([&] {
    out.attributeArray("functions", [&] {
      for (Node node = 0; node < usage.functions().size(); ++node)
        if (usage.isFunction(node))
          out.value(functionJson(usage, node));
    });
    out.attributeArray("roots", [&] {
      for (const StackRoot &root : usage.roots())
        out.value(rootJson(usage, root));
    });
    out.attribute("unseen", std::move(unseen));
  });
}

} // namespace xlink
