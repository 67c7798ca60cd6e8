//===- WhyLive.cpp - why sections live, or are dead -----------------------===//
//
// Problem: a program is larger than it should be, and the reason for a section
// is many references away. Or a section was collected that the program needs:
// others refer to it, but they are dead too, since others that refer to them
// are; somewhere an edge is missing.
//
// Method: the collection follows references in the order that is fastest, so
// LiveSearch searches in breadth from all roots together, along the edges of
// LiveGraph: a section that is reached first is reached by the fewest
// references, and of equal ways the first in the order of roots and inputs
// counts. The search begins with the placement that the collection saw, for
// orphans that are refused later have kept others alive. Each piece of a
// mergeable section has a way of its own. Answers read ways backwards.
//
// The edges among dead sections begin at
// a section that no other refers to, or at a circle of sections that refer to
// each other and that no other refers to: a strongly connected component that
// no edge leads into. A search in breadth from all beginnings has the shortest
// chain to each dead section. Members of a group do not count as referring to
// each other.
//
// Cost: placing the sections once more, one visit of each relocation for all
// questions, and a line for each
// reference of a chain; see ChainPrinter.
//
//===----------------------------------------------------------------------===//
#include "base/Digraph.h"
#include "base/Grouped.h"
#include "placement/Placement.h"
#include "report/Why.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

LiveSearch::LiveSearch(const Program &program)
    : placement(placeSections(program, reported)),
      frames(readEhFrames(program, placement, reported)),
      graph(program, placement, frames), found(program.sections.size(), kNone) {
  LiveGraph::Walk walk;
  std::vector<SectionId> queue;
  auto reach = [&](const Edge &edge) {
    const SectionId id = edge.link.to;
    if (graph.discarded(id) || !program.sections[id].parsed)
      return;
    const ParsedSection &p = *program.sections[id].parsed;
    const bool first = found[id] == kNone;
    const uint32_t number = uint32_t(edges.size());
    const uint64_t byte = edge.link.whole ? kWhole : edge.link.offset;
    if (p.flags & ELF::SHF_MERGE ? !pieces[id].try_emplace(byte, number).second
                                 : !first)
      return;
    edges.push_back(edge);
    if (!first)
      return;
    found[id] = number;
    // A section that only describes others leads nowhere.
    if (graph.collectable(id) || graph.uncollected(id) ||
        (!(p.flags & ELF::SHF_ALLOC) &&
         edge.link.kind != LiveEdge::Description))
      queue.push_back(id);
  };
  size_t next = 0; // of the queue
  auto drain = [&] {
    for (; next < queue.size(); ++next) {
      const SectionId id = queue[next];
      graph.forEachLink(id, walk, [&](const LiveLink &link) {
        reach({link, id});
      });
    }
  };
  graph.forEachRoot(walk, [&](const LiveRoot &root, const LiveLink &link) {
    reach({link, {}, root});
  });
  drain();
  // Debug information, .comment and their like live with sections of their file
  // that take memory.
  for (const InputFile &file : program.files) {
    const SectionId home =
        graph.memoryOf(file, [&](SectionId id) { return found[id] != kNone; });
    for (uint32_t i = 1; home != kNone && i < file.object->sections.size();
         ++i) {
      const SectionId id = file.sectionBase + i;
      const ParsedSection &p = file.object->sections[i];
      if (p.kind != SectionKind::Regular || (p.flags & ELF::SHF_ALLOC))
        continue;
      const bool grouped =
          p.group &&
          graph.onlyDescribes(file, file.object->groups[p.group - 1]);
      if (found[id] == kNone && (grouped || !graph.collectable(id)))
        reach({{id, LiveEdge::Description}, home});
    }
  }
  drain();
}

const LiveSearch::Edge *LiveSearch::find(SectionId id, uint64_t begin,
                                         uint64_t end) const {
  const auto it = pieces.find(id);
  if (it == pieces.end())
    return find(id);
  uint32_t best = kNone;
  for (auto at = it->second.lower_bound(begin);
       at != it->second.end() && at->first < end; ++at)
    best = std::min(best, at->second);
  if (const auto whole = it->second.find(kWhole); whole != it->second.end())
    best = std::min(best, whole->second);
  return best == kNone ? nullptr : &edges[best];
}

//===----------------------------------------------------------------------===//
// Live sections
//===----------------------------------------------------------------------===//

using LiveStep = LiveSearch::Edge;

void whyLive(WhyContext &context) {
  const Program &program = context.program;
  const bool collects = program.config.gcSections;
  ChainPrinter chains(program.sections.size());
  auto addChain = [&](WhyAnswer &answer, SectionId section,
                      const LiveStep &end) {
    // Only the last step may be that of a piece; all before are of sections.
    auto edgeTo = [&](uint32_t i, bool last) -> const LiveStep & {
      return last ? end : *context.search().find(SectionId(i));
    };
    auto begin = [&](uint32_t i, bool last, bool continued) {
      if (continued)
        answer.say(
            {program.sectionName(SectionId(i)) + " lives, as shown above",
             context.jsonOf(SectionId(i))},
            "continues");
      else
        answer.say(context.root(edgeTo(i, last)), "root");
    };
    chains.add(
        answer, section.index(),
        {[&](uint32_t i, bool last) { return edgeTo(i, last).from.index(); },
         begin,
         [&](uint32_t i, bool last) { return context.step(edgeTo(i, last)); }});
  };
  auto answerTo = [&](const WhyTarget &target) {
    const Fate fate = context.fateOf(target);
    WhyAnswer answer = context.begin("why live", target, fate);
    const LiveStep *last = nullptr;
    if (fate.kind == Fate::Lives || fate.kind == Fate::Folded) {
      const auto [begin, end] = context.pieceOf(target);
      last = begin == 0 && end == ~uint64_t(0)
                 ? context.search().find(target.section)
                 : context.search().find(target.section, begin, end);
    }
    if (!fate.text.empty())
      answer.line("it " + fate.text +
                  (fate.isCollected() ? "; --why-dead says more" : ""));
    else if (!last)
      answer.line(collects ? "it is not collected, whatever refers to it"
                           : "nothing that begins at a root refers to it");
    if (last)
      addChain(answer, target.section, *last);
    return answer;
  };
  context.ask("--why-live", program.config.whyLive,
              WhyNames::Symbols | WhyNames::Sections | WhyNames::Unused,
              answerTo);
  if (!context.text.empty() && !collects)
    context.text =
        "without --gc-sections everything lives, referred to or not\n" +
        context.text;
}

//===----------------------------------------------------------------------===//
// Dead sections
//===----------------------------------------------------------------------===//

namespace {

/// The references among sections that nothing reaches.
class DeadGraph {
public:
  DeadGraph(const Program &program, const LiveSearch &search);

  /// The references to a section in the order of the inputs; to some bytes of a
  /// mergeable one in the order of the bytes.
  ArrayRef<uint32_t> referrers(SectionId id,
                               std::pair<uint64_t, uint64_t> bytes) const;
  const LiveStep &operator[](uint32_t i) const { return edges[i]; }
  /// The last edge of the chain from a beginning; null: it is one itself.
  const LiveStep *before(SectionId id) const {
    return way[id] == kNone ? nullptr : &edges[way[id]];
  }
  /// Whether a beginning is in a circle, rather than referred to by nothing.
  bool inCircle(SectionId id) const { return byTo.count(id.index()) != 0; }

private:
  std::vector<LiveStep> edges;
  Grouped<uint32_t> byTo;            ///< by section: into `edges`
  IdVector<SectionId, uint32_t> way; ///< into `edges`, by section
};

} // namespace

DeadGraph::DeadGraph(const Program &program, const LiveSearch &search)
    : way(program.sections.size(), kNone) {
  const LiveGraph &graph = search.links();
  LiveGraph::Walk walk;
  std::vector<SectionId> dead;
  auto isMergeable = [&](SectionId id) {
    const ParsedSection *p = program.sections[id].parsed;
    return p && (p->flags & ELF::SHF_MERGE);
  };
  for (SectionId id : program.sections.ids(1)) {
    if (!graph.collectable(id) || search.find(id))
      continue;
    dead.push_back(id);
    graph.forEachLink(id, walk, [&](const LiveLink &link) {
      if (link.kind != LiveEdge::Group && link.to != id &&
          !graph.discarded(link.to) &&
          (isMergeable(link.to) || !search.find(link.to)))
        edges.push_back({link, id});
    });
  }
  byTo = Grouped<uint32_t>(way.size(), [&](auto fn) {
    for (uint32_t i = 0; i < edges.size(); ++i)
      fn(edges[i].link.to.index(), i);
  });
  for (SectionId id : program.sections.ids(1))
    if (isMergeable(id))
      llvm::stable_sort(byTo.of(id.index()), [&](uint32_t a, uint32_t b) {
        return edges[a].link.offset < edges[b].link.offset;
      });
  // Chains begin in components that no edge leads into.
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (const LiveStep &edge : edges)
    pairs.emplace_back(edge.from.index(), edge.link.to.index());
  const Digraph::Components groups = Digraph(way.size(), pairs).components();
  std::vector<bool> entered(groups.size());
  for (auto [from, to] : pairs)
    if (groups.of[from] != groups.of[to])
      entered[groups.of[to]] = true;
  const Grouped<uint32_t> byFrom(way.size(), [&](auto fn) {
    for (uint32_t i = 0; i < edges.size(); ++i)
      fn(edges[i].from.index(), i);
  });
  // In the order of the inputs: of equal ways the first one counts.
  std::vector<SectionId> queue;
  IdVector<SectionId, bool> seen(way.size());
  for (SectionId id : dead)
    if (const uint32_t group = groups.of[id.index()];
        !entered[group] && groups.members[group].front() == id.index()) {
      seen[id] = true;
      queue.push_back(id);
    }
  for (size_t next = 0; next < queue.size(); ++next)
    for (uint32_t i : byFrom.of(queue[next].index()))
      if (const SectionId to = edges[i].link.to; !seen[to]) {
        seen[to] = true;
        way[to] = i;
        queue.push_back(to);
      }
}

ArrayRef<uint32_t>
DeadGraph::referrers(SectionId id, std::pair<uint64_t, uint64_t> bytes) const {
  const ArrayRef<uint32_t> all = byTo.of(id.index());
  if (bytes.first == 0 && bytes.second == ~uint64_t(0))
    return all;
  auto before = [&](uint32_t i, uint64_t byte) {
    return edges[i].link.offset < byte;
  };
  const auto *first = llvm::lower_bound(all, bytes.first, before);
  return {first, std::lower_bound(first, all.end(), bytes.second, before)};
}

namespace {

class DeadAnswers {
public:
  explicit DeadAnswers(WhyContext &context)
      : context(context), program(context.program),
        chains(context.program.sections.size()) {}
  WhyAnswer of(const WhyTarget &target);

private:
  std::string aliveText(const WhyTarget &target);
  void addChain(WhyAnswer &answer, SectionId section);
  void addReferrers(WhyAnswer &answer, const WhyTarget &target, bool piece);
  void addWays(WhyAnswer &answer, const WhyTarget &target);

  WhyContext &context;
  const Program &program;
  ChainPrinter chains;
  std::optional<DeadGraph> graph;
};

} // namespace

/// Of a target in the output: the reason.
std::string DeadAnswers::aliveText(const WhyTarget &target) {
  const LiveStep *edge = context.search().find(target.section);
  if (!program.config.gcSections)
    return "it lives: without --gc-sections everything does";
  if (!edge)
    return "it lives: it is not collected";
  return "it lives: " +
         (edge->from == kNone ? context.root(*edge) : context.step(*edge)).text;
}

/// The chain to a section.
void DeadAnswers::addChain(WhyAnswer &answer, SectionId section) {
  auto begin = [&](uint32_t i, bool, bool continued) {
    const SectionId first(i);
    const std::string name = program.sectionName(first);
    json::Object begins = context.jsonOf(first);
    if (continued)
      return answer.say({name + " is dead, as shown above", std::move(begins)},
                        "continues");
    const bool circle = graph->inCircle(first);
    if (circle)
      begins["circle"] = true;
    answer.say({circle ? name + " is in a circle of dead sections that nothing "
                                "else refers to"
                       : "nothing refers to " + name,
                std::move(begins)},
               "begins");
  };
  chains.add(answer, section.index(),
             {[&](uint32_t i, bool) {
                const LiveStep *edge = graph->before(SectionId(i));
                return edge ? edge->from.index() : uint32_t(kNone);
              },
              begin,
              [&](uint32_t i, bool) {
                return context.step(*graph->before(SectionId(i)));
              }});
}

/// The chain to a target, and the first references that are not in it. The
/// chain of a piece leads to the first section that refers to it.
void DeadAnswers::addReferrers(WhyAnswer &answer, const WhyTarget &target,
                               bool piece) {
  constexpr size_t most = 5;
  const SectionId id = target.section;
  auto add = [&](const char *words, const LiveStep &edge, const char *member) {
    Phrase step = context.step(edge);
    answer.add(words + step.text, std::move(step.json), member);
  };
  const ArrayRef<uint32_t> referrers =
      graph->referrers(id, context.pieceOf(target));
  const LiveStep *named = nullptr; // the last step of the chain
  if (!piece) {
    addChain(answer, id);
    named = graph->before(id);
  } else if (!referrers.empty()) {
    named = &(*graph)[referrers.front()];
    addChain(answer, named->from);
    add("", *named, "chain");
  }
  size_t left = referrers.size() - (named ? 1 : 0), shown = 0;
  // One more, since the chain may name one of them.
  for (uint32_t i : referrers.take_front(most + 1)) {
    const LiveStep &edge = (*graph)[i];
    if (shown == most || &edge == named)
      continue;
    add("dead as well: ", edge, "others");
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
    Phrase rule = WhyContext::rule(context.rules()[i]);
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
  const Fate fate = context.fateOf(target);
  WhyAnswer answer = context.begin("why dead", target, fate);
  answer.line(fate.kind == Fate::Lives ? aliveText(target) : "it " + fate.text);
  if (!fate.isCollected())
    return answer;
  if (!context.search().links().collectable(target.section)) {
    answer.line("it describes its file, of which nothing lives that takes "
                "memory");
    return answer;
  }
  if (!graph)
    graph.emplace(program, context.search());
  addReferrers(answer, target, fate.kind == Fate::DeadPiece);
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
