//===- WhyDead.cpp --------------------------------------------------------===//
//
// Problem: a section that somebody needs was collected. Others refer to it, but
// they are dead too, since others that refer to them are; somewhere an edge is
// missing.
//
// Method: the edges among dead sections, as the collection knows them
// (LiveGraph). Where such a chain begins there is a section that no other
// refers to, or a circle of sections that refer to each other and that no
// other refers to. A depth-first search over all gives an order in which the
// last one that is finished is such a beginning; taking away what it reaches,
// so is the last one of the rest (Kosaraju's). A search in breadth from all
// beginnings then has the shortest chain to each dead section. Members of a
// group do not count as referring to each other.
//
// Cost: one visit of each relocation of dead sections, for all questions; see
// ChainCutter for the chains.
//
//===----------------------------------------------------------------------===//
#include "report/WhyDead.h"
#include "base/Grouped.h"
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
  std::vector<SectionId> finished() const;
  void findWays();
  /// Calls fn with the edges that lead away from a section.
  ArrayRef<uint32_t> awayFrom(SectionId id) const {
    return byFrom.of(id.index());
  }

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

/// All dead sections, each behind those that it leads to, circles aside.
std::vector<SectionId> DeadGraph::finished() const {
  std::vector<SectionId> order;
  IdVector<SectionId, bool> seen(program.sections.size());
  std::vector<std::pair<SectionId, size_t>> stack; // and the next edge
  for (SectionId start : dead) {
    if (seen[start])
      continue;
    seen[start] = true;
    stack.push_back({start, 0});
    while (!stack.empty()) {
      auto &[id, next] = stack.back();
      const ArrayRef<uint32_t> away = awayFrom(id);
      if (next == away.size()) {
        order.push_back(id);
        stack.pop_back();
        continue;
      }
      const SectionId to = edges[away[next++]].link.to;
      if (!seen[to]) {
        seen[to] = true;
        stack.push_back({to, 0});
      }
    }
  }
  return order;
}

void DeadGraph::findWays() {
  const std::vector<SectionId> order = finished();
  IdVector<SectionId, bool> seen(program.sections.size());
  std::vector<SectionId> queue, beginnings;
  auto spread = [&](auto found) {
    for (size_t next = 0; next < queue.size(); ++next)
      for (uint32_t i : awayFrom(queue[next]))
        if (const SectionId to = edges[i].link.to; !seen[to]) {
          seen[to] = true;
          found(to, i);
          queue.push_back(to);
        }
    queue.clear();
  };
  for (SectionId id : reverse(order)) {
    if (seen[id])
      continue;
    seen[id] = true;
    beginnings.push_back(id);
    queue.push_back(id);
    spread([](SectionId, uint32_t) {});
  }
  // In the order of the inputs, so that of equal ways the first one stands.
  llvm::sort(beginnings);
  way.assign(program.sections.size(), kNone);
  seen.assign(program.sections.size(), false);
  for (SectionId id : beginnings)
    seen[id] = true;
  queue = beginnings;
  spread([&](SectionId to, uint32_t edge) { way[to] = edge; });
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

/// What is said of one target that the collection dropped.
struct DeadAnswer {
  Fate fate;
  ArrayRef<uint32_t> referrers; ///< into the graph
  ChainCutter::Chain chain;     ///< up to the target's section
  std::vector<const DeadGraph::Edge *> steps;
  /// The first of those that refer to it and are not in the chain.
  std::vector<const DeadGraph::Edge *> others;
  const PatternRule *rule = nullptr; ///< that would take it
  bool described = false;            ///< it lives with its file

  /// The one of those that refer to it that the chain names; null: none.
  const DeadGraph::Edge *named() const {
    return steps.empty() ? nullptr : steps.back();
  }
};

/// How many of those that refer to something are named beside its chain.
constexpr size_t kOthers = 5;

class DeadAnswers {
public:
  explicit DeadAnswers(WhyContext &context)
      : context(context), program(context.program), fates(context),
        cutter(context.program.sections.size()) {}
  DeadAnswer of(const WhyTarget &target);
  std::string text(const WhyTarget &target);
  json::Object json(const WhyTarget &target);

private:
  std::string keepText(const WhyTarget &target, const DeadAnswer &answer);
  std::string aliveText(const WhyTarget &target);

  WhyContext &context;
  const Program &program;
  Fates fates;
  ChainCutter cutter;
  std::optional<DeadGraph> graph;
};

} // namespace

static constexpr unsigned kWantedDead =
    WhyNames::Symbols | WhyNames::Sections | WhyNames::Unused;

DeadAnswer DeadAnswers::of(const WhyTarget &target) {
  DeadAnswer answer;
  answer.fate = fates.of(target);
  if (!answer.fate.isCollected())
    return answer;
  const SectionId id = target.section;
  const LiveSearch &search = context.search();
  if (!search.links().collectable(id)) {
    answer.described = true;
    return answer;
  }
  if (!graph)
    graph.emplace(program, search);
  const auto [begin, end] = fates.pieceOf(target);
  answer.referrers = graph->referrers(id, begin, end);
  const uint32_t rule =
      context.rules().first(program.sections[id], /*keepOnly=*/false);
  if (rule != kNone)
    answer.rule = &context.rules()[rule];
  if (answer.fate.kind == Fate::DeadPiece && answer.referrers.empty())
    return answer;
  // Of a piece the chain leads to the first that refers to it.
  const SectionId last = answer.fate.kind == Fate::DeadPiece
                             ? (*graph)[answer.referrers.front()].from
                             : id;
  answer.chain = cutter.cut(last.index(), [&](uint32_t i) {
    const DeadGraph::Edge *edge = graph->before(SectionId(i));
    return edge ? edge->from.index() : uint32_t(kNone);
  });
  for (uint32_t i : ArrayRef(answer.chain.steps).drop_front())
    answer.steps.push_back(graph->before(SectionId(i)));
  if (last != id)
    answer.steps.push_back(&(*graph)[answer.referrers.front()]);
  // One more, since the chain may name one of them.
  for (uint32_t i : answer.referrers.take_front(kOthers + 1))
    if (const DeadGraph::Edge *edge = &(*graph)[i];
        answer.others.size() < kOthers && edge != answer.named())
      answer.others.push_back(edge);
  return answer;
}

/// Of what is in the output: what keeps it there.
std::string DeadAnswers::aliveText(const WhyTarget &target) {
  const LiveSearch::Edge *edge = context.search().find(target.section);
  if (!program.config.gcSections)
    return "it lives: without --gc-sections everything does";
  if (!edge)
    return "it lives: it is not collected";
  return "it lives: " + (edge->from == kNone
                             ? context.rootText(*edge)
                             : context.stepText(edge->from, edge->link));
}

std::string DeadAnswers::keepText(const WhyTarget &target,
                                  const DeadAnswer &answer) {
  std::vector<std::string> ways;
  if (answer.rule)
    ways.push_back((program.builtinScript ? "a script with KEEP around "
                                          : "KEEP around ") +
                   WhyContext::ruleText(*answer.rule));
  else
    ways.push_back("a pattern with KEEP that takes it");
  if (target.kind == WhyTarget::Global)
    ways.push_back("-u " + target.name.str());
  ways.push_back("a reference from a section that lives");
  std::string text;
  for (size_t i = 0; i < ways.size(); ++i)
    text += (i == 0 ? "" : i + 1 < ways.size() ? ", " : " or ") + ways[i];
  return "would be kept by " + text;
}

std::string DeadAnswers::text(const WhyTarget &target) {
  const DeadAnswer answer = of(target);
  std::string text = "why dead: " + context.titleOf(target) + "\n";
  auto line = [&](const std::string &what) {
    text += "    " + printable(what) + "\n";
  };
  if (answer.fate.kind == Fate::Lives) {
    line(aliveText(target));
    return text;
  }
  line("it " + answer.fate.text);
  if (!answer.fate.isCollected())
    return text;
  if (answer.described) {
    line("it describes its file, of which nothing lives that takes memory");
    return text;
  }
  if (!answer.chain.steps.empty()) {
    const SectionId first(answer.chain.steps.front());
    const std::string name = program.sectionName(first);
    line(answer.chain.continued ? name + " is dead, as shown above"
         : graph->inCircle(first)
             ? name + " is in a circle of dead sections that nothing else "
                      "refers to"
             : "nothing refers to " + name);
  }
  for (const DeadGraph::Edge *step : answer.steps)
    line(context.stepText(step->from, step->link));
  for (const DeadGraph::Edge *edge : answer.others)
    line("dead as well: " + context.stepText(edge->from, edge->link));
  if (const size_t left = answer.referrers.size() - (answer.named() ? 1 : 0) -
                          answer.others.size())
    line("and " + countOf(left, "more dead reference", "more dead references"));
  line(keepText(target, answer));
  return text;
}

json::Object DeadAnswers::json(const WhyTarget &target) {
  const DeadAnswer answer = of(target);
  json::Object o = context.jsonOf(target);
  answer.fate.addTo(o);
  if (!answer.chain.steps.empty()) {
    const SectionId first(answer.chain.steps.front());
    json::Object begin = context.jsonOf(first);
    if (!answer.chain.continued && graph->inCircle(first))
      begin["circle"] = true;
    o[answer.chain.continued ? "continues" : "begins"] = std::move(begin);
    json::Array chain;
    for (const DeadGraph::Edge *step : answer.steps)
      chain.push_back(context.stepJson(step->from, step->link));
    if (!chain.empty())
      o["chain"] = std::move(chain);
  }
  if (answer.fate.isCollected() && !answer.described) {
    o["references"] = int64_t(answer.referrers.size());
    json::Array others;
    for (const DeadGraph::Edge *edge : answer.others)
      others.push_back(context.stepJson(edge->from, edge->link));
    if (!others.empty())
      o["others"] = std::move(others);
    if (answer.rule)
      o["pattern"] = context.ruleJson(*answer.rule);
  }
  return o;
}

std::string whyDeadText(WhyContext &context) {
  DeadAnswers answers(context);
  return context.textOf(
      "--why-dead", context.program.config.whyDead, kWantedDead,
      [&](const WhyTarget &target) { return answers.text(target); });
}

void whyDeadJson(WhyContext &context, json::OStream &out) {
  DeadAnswers answers(context);
  context.writeAnswersTo(
      out, "--why-dead", context.program.config.whyDead, kWantedDead,
      [&](const WhyTarget &target) { return answers.json(target); });
}

} // namespace xlink
