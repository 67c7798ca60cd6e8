//===- WhyDead.cpp --------------------------------------------------------===//
//
// Problem: a section that somebody needs was collected. Others refer to it, but
// they are dead too, since others that refer to them are; somewhere an edge is
// missing.
//
// Method: the edges among dead sections, as the collection knows them
// (LiveGraph). Where such a chain begins there is a section that no other
// refers to, or a circle of sections that refer to each other and that no
// other refers to: a strongly connected component that no edge leads into. A
// search in breadth from all beginnings then has the shortest chain to each
// dead section. Members of a group do not count as referring to each other.
//
// Cost: one visit of each relocation of dead sections, for all questions; see
// ChainCutter for the chains.
//
//===----------------------------------------------------------------------===//
#include "base/Grouped.h"
#include "report/Digraph.h"
#include "report/Why.h"
#include "report/WhyFate.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

namespace {

/// The references among sections that nothing reaches.
class DeadGraph {
public:
  DeadGraph(const Program &program, const LiveSearch &search);

  struct Edge {
    SectionId from;
    LiveLink link;
  };
  /// Those to a section in the order of the inputs; to some bytes of a
  /// mergeable one in the order of the bytes.
  ArrayRef<uint32_t> referrers(SectionId id, uint64_t begin,
                               uint64_t end) const;
  const Edge &operator[](uint32_t i) const { return edges[i]; }
  /// The last edge of the chain from a beginning; null: it is one itself.
  const Edge *before(SectionId id) const {
    return way[id] == kNone ? nullptr : &edges[way[id]];
  }
  /// Whether a beginning is in a circle, rather than referred to by nothing.
  bool inCircle(SectionId id) const { return byTo.count(id.index()) != 0; }

private:
  void collectEdges();
  void findWays();

  const Program &program;
  const LiveSearch &search;
  std::vector<SectionId> dead;
  std::vector<Edge> edges;
  Grouped<uint32_t> byFrom, byTo;    ///< by section: into `edges`
  IdVector<SectionId, uint32_t> way; ///< into `edges`, by section
};

} // namespace

DeadGraph::DeadGraph(const Program &program, const LiveSearch &search)
    : program(program), search(search) {
  collectEdges();
  findWays();
}

void DeadGraph::collectEdges() {
  const LiveGraph &graph = search.links();
  LiveGraph::Walk walk;
  for (SectionId id : program.sections.ids(1)) {
    if (!graph.collectable(id) || search.find(id))
      continue;
    dead.push_back(id);
    graph.forEachLink(id, walk, [&](const LiveLink &link) {
      const InputSection &to = program.sections[link.to];
      const bool piece = to.parsed && (to.parsed->flags & ELF::SHF_MERGE);
      if (link.kind != LiveEdge::Group && link.to != id &&
          !graph.discarded(link.to) && (piece || !search.find(link.to)))
        edges.push_back({id, link});
    });
  }
  auto byEnd = [&](auto endOf) {
    return Grouped<uint32_t>(program.sections.size(), [&](auto fn) {
      for (uint32_t i = 0; i < edges.size(); ++i)
        fn(endOf(edges[i]).index(), i);
    });
  };
  byFrom = byEnd([](const Edge &edge) { return edge.from; });
  byTo = byEnd([](const Edge &edge) { return edge.link.to; });
  for (SectionId id : program.sections.ids(1))
    if (const ParsedSection *p = program.sections[id].parsed;
        p && (p->flags & ELF::SHF_MERGE))
      llvm::stable_sort(byTo.of(id.index()), [&](uint32_t a, uint32_t b) {
        return edges[a].link.offset < edges[b].link.offset;
      });
}

void DeadGraph::findWays() {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const Edge &edge : edges)
    pairs.emplace_back(edge.from.index(), edge.link.to.index());
  const Digraph::Components groups =
      Digraph(program.sections.size(), pairs).components();
  std::vector<bool> entered(groups.size());
  for (auto [from, to] : pairs)
    if (groups.of[from] != groups.of[to])
      entered[groups.of[to]] = true;
  std::vector<SectionId> queue;
  for (SectionId id : dead)
    if (const uint32_t group = groups.of[id.index()];
        !entered[group] && groups.members(group).front() == id.index())
      queue.push_back(id);
  // In the order of the inputs, so that of equal ways the first one stands.
  way.assign(program.sections.size(), kNone);
  IdVector<SectionId, bool> seen(program.sections.size());
  for (SectionId id : queue)
    seen[id] = true;
  for (size_t next = 0; next < queue.size(); ++next)
    for (uint32_t i : byFrom.of(queue[next].index()))
      if (const SectionId to = edges[i].link.to; !seen[to]) {
        seen[to] = true;
        way[to] = i;
        queue.push_back(to);
      }
}

ArrayRef<uint32_t> DeadGraph::referrers(SectionId id, uint64_t begin,
                                        uint64_t end) const {
  const ArrayRef<uint32_t> all = byTo.of(id.index());
  if (begin == 0 && end == ~uint64_t(0))
    return all;
  auto before = [&](uint32_t i, uint64_t byte) {
    return edges[i].link.offset < byte;
  };
  const auto *first = llvm::lower_bound(all, begin, before);
  return {first, std::lower_bound(first, all.end(), end, before)};
}

namespace {

/// How many of those that refer to something are named beside its chain.
constexpr size_t kOthers = 5;

class DeadAnswers {
public:
  explicit DeadAnswers(WhyContext &context)
      : context(context), program(context.program), fates(context),
        cutter(context.program.sections.size()) {}
  WhyAnswer of(const WhyTarget &target);

private:
  const DeadGraph::Edge *addChain(WhyAnswer &answer, SectionId last,
                                  const DeadGraph::Edge *toPiece);
  void addOthers(WhyAnswer &answer, ArrayRef<uint32_t> referrers,
                 const DeadGraph::Edge *named);
  void addWays(WhyAnswer &answer, const WhyTarget &target);
  std::string aliveText(const WhyTarget &target);

  WhyContext &context;
  const Program &program;
  Fates fates;
  ChainCutter cutter;
  std::optional<DeadGraph> graph;
};

} // namespace

/// Of what is in the output: what keeps it there.
std::string DeadAnswers::aliveText(const WhyTarget &target) {
  const LiveSearch::Edge *edge = context.search().find(target.section);
  if (!program.config.gcSections)
    return "it lives: without --gc-sections everything does";
  if (!edge)
    return "it lives: it is not collected";
  return "it lives: " + (edge->from == kNone
                             ? context.root(*edge)
                             : context.step(edge->from, edge->link))
                            .text;
}

/// The chain to a section and, if there is one, the step from there to a piece;
/// returns the last step.
const DeadGraph::Edge *DeadAnswers::addChain(WhyAnswer &answer, SectionId last,
                                             const DeadGraph::Edge *toPiece) {
  const ChainCutter::Chain chain = cutter.cut(last.index(), [&](uint32_t i) {
    const DeadGraph::Edge *edge = graph->before(SectionId(i));
    return edge ? edge->from.index() : uint32_t(kNone);
  });
  const SectionId first(chain.steps.front());
  const std::string name = program.sectionName(first);
  json::Object begins = context.jsonOf(first);
  if (chain.continued) {
    answer.say(name + " is dead, as shown above", "continues",
               std::move(begins));
  } else if (graph->inCircle(first)) {
    begins["circle"] = true;
    answer.say(name + " is in a circle of dead sections that nothing else "
                      "refers to",
               "begins", std::move(begins));
  } else {
    answer.say("nothing refers to " + name, "begins", std::move(begins));
  }
  const DeadGraph::Edge *named = nullptr;
  auto add = [&](const DeadGraph::Edge *edge) {
    Said step = context.step(edge->from, edge->link);
    answer.add(step.text, "chain", std::move(step.json));
    named = edge;
  };
  for (uint32_t i : ArrayRef(chain.steps).drop_front())
    add(graph->before(SectionId(i)));
  if (toPiece)
    add(toPiece);
  return named;
}

/// The first of those that refer to it and are not in the chain.
void DeadAnswers::addOthers(WhyAnswer &answer, ArrayRef<uint32_t> referrers,
                            const DeadGraph::Edge *named) {
  size_t left = referrers.size() - (named ? 1 : 0), shown = 0;
  // One more, since the chain may name one of them.
  for (uint32_t i : referrers.take_front(kOthers + 1)) {
    const DeadGraph::Edge &edge = (*graph)[i];
    if (shown == kOthers || &edge == named)
      continue;
    Said step = context.step(edge.from, edge.link);
    answer.add("dead as well: " + step.text, "others", std::move(step.json));
    ++shown;
  }
  if (left -= shown)
    answer.line("and " +
                countOf(left, "more dead reference", "more dead references"));
  answer.json["references"] = int64_t(referrers.size());
}

/// Ways to keep it.
void DeadAnswers::addWays(WhyAnswer &answer, const WhyTarget &target) {
  std::string text = "would be kept by ";
  const uint32_t i = context.rules().first(program.sections[target.section],
                                           /*keepOnly=*/false);
  if (i != kNone) {
    Said rule = WhyContext::rule(context.rules()[i]);
    text += (program.builtinScript ? "a script with KEEP around "
                                   : "KEEP around ") +
            rule.text;
    answer.json["pattern"] = std::move(rule.json);
  } else {
    text += "a pattern with KEEP that takes it";
  }
  if (target.kind == WhyTarget::Global)
    text += ", -u " + target.name.str();
  answer.line(text + " or a reference from a section that lives");
}

WhyAnswer DeadAnswers::of(const WhyTarget &target) {
  WhyAnswer answer = context.begin("why dead", target);
  const Fate fate = fates.of(target);
  fate.addTo(answer.json);
  answer.line(fate.kind == Fate::Lives ? aliveText(target) : "it " + fate.text);
  if (!fate.isCollected())
    return answer;
  const SectionId id = target.section;
  const LiveSearch &search = context.search();
  if (!search.links().collectable(id)) {
    answer.line("it describes its file, of which nothing lives that takes "
                "memory");
    return answer;
  }
  if (!graph)
    graph.emplace(program, search);
  const auto [begin, end] = fates.pieceOf(target);
  const ArrayRef<uint32_t> referrers = graph->referrers(id, begin, end);
  // Of a piece the chain leads to the first that refers to it.
  const DeadGraph::Edge *named = nullptr;
  if (fate.kind != Fate::DeadPiece) {
    named = addChain(answer, id, nullptr);
  } else if (!referrers.empty()) {
    const DeadGraph::Edge &edge = (*graph)[referrers.front()];
    named = addChain(answer, edge.from, edge.from == id ? nullptr : &edge);
  }
  addOthers(answer, referrers, named);
  addWays(answer, target);
  return answer;
}

void whyDead(WhyContext &context) {
  DeadAnswers answers(context);
  context.ask("--why-dead", context.program.config.whyDead,
              WhyNames::Symbols | WhyNames::Sections | WhyNames::Unused,
              [&](const WhyTarget &target) { return answers.of(target); });
}

} // namespace xlink
