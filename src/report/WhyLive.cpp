//===- WhyLive.cpp - why sections live, or are dead -----------------------===//
//
// Problem: the reason for a live section may be many references away. A dead
// one may have references too, but from sections that are dead themselves.
//
// Method: LiveSearch searches in breadth from all roots together, along the
// edges of LiveGraph, so each section is reached by the fewest references; of
// equal ways the first in the order of roots and inputs counts. The search
// begins with the placement that the collection saw, for orphans that are
// refused later have kept others alive. Each piece of a mergeable section has a
// way of its own. Answers read ways backwards.
//
// Chains of dead sections begin at a section that no other refers to, or at a
// circle: a strongly connected component that no edge leads into. A search in
// breadth from all beginnings has the shortest chain to each. Members of a
// group do not count as referring to each other.
//
// Cost: placing the sections once more, one visit of each relocation for all
// questions, and a line for each reference of a chain; see Chains.
//
//===----------------------------------------------------------------------===//
#include "base/Digraph.h"
#include "base/Grouped.h"
#include "placement/Placement.h"
#include "report/Why.h"

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
    const uint64_t byte = edge.link.whole ? kAllBytes.second : edge.link.offset;
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

using LiveStep = LiveSearch::Edge;

const LiveStep *LiveSearch::find(SectionId id, ByteRange bytes) const {
  uint32_t best = found[id];
  const auto it = bytes == kAllBytes ? pieces.end() : pieces.find(id);
  if (it != pieces.end()) {
    best = kNone;
    const std::map<uint64_t, uint32_t> &to = it->second;
    for (auto at = to.lower_bound(bytes.first);
         at != to.end() && at->first < bytes.second; ++at)
      best = std::min(best, at->second);
    if (const auto whole = to.find(kAllBytes.second); whole != to.end())
      best = std::min(best, whole->second);
  }
  return best == kNone ? nullptr : &edges[best];
}

//===----------------------------------------------------------------------===//
// Live sections
//===----------------------------------------------------------------------===//

void whyLive(WhyContext &context) {
  const Program &program = context.program;
  const bool collects = program.config.gcSections;
  Chains chains(program.sections.size());
  auto addChain = [&](WhyAnswer &answer, SectionId section,
                      const LiveStep &end) {
    // Only the last step may be that of a piece; all before are of sections.
    auto edgeTo = [&](uint32_t i, bool last) -> const LiveStep & {
      return last ? end : *context.search().find(SectionId(i));
    };
    const auto [chain, continued] =
        chains.endingAt(section.index(), [&](uint32_t i, bool last) {
          return edgeTo(i, last).from.index();
        });
    const SectionId first(chain.front());
    if (continued)
      answer.say({program.sectionName(first) + " lives, as shown above",
                  context.jsonOf(first)},
                 "continues");
    else
      answer.say(context.root(edgeTo(chain.front(), chain.size() == 1)),
                 "root");
    for (size_t i = 1; i < chain.size(); ++i)
      answer.add(context.step(edgeTo(chain[i], i + 1 == chain.size())),
                 "chain");
  };
  auto answerTo = [&](const WhyTarget &target) {
    const Fate fate = context.fateOf(target);
    WhyAnswer answer = context.begin("why live", target, fate);
    const LiveStep *last = nullptr;
    if (fate.kind == Fate::Lives || fate.kind == Fate::Folded)
      last = context.search().find(target.section, context.pieceOf(target));
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
              WhyTarget::Symbols | WhyTarget::Section | WhyTarget::Unused,
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

/// Answers from the references among sections that nothing reaches.
class DeadAnswers {
public:
  explicit DeadAnswers(WhyContext &context)
      : context(context), program(context.program),
        chains(program.sections.size()), way(program.sections.size(), kNone) {
    const LiveSearch &search = context.search();
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
    findChains(dead);
  }

  WhyAnswer of(const WhyTarget &target) {
    const Fate fate = context.fateOf(target);
    WhyAnswer answer = context.begin("why dead", target, fate);
    if (fate.kind == Fate::Lives) {
      const LiveStep *edge = context.search().find(target.section);
      answer.line("it lives: " + (!program.config.gcSections
                                      ? "without --gc-sections everything does"
                                  : !edge ? "it is not collected"
                                  : edge->from == kNone
                                      ? context.root(*edge).text
                                      : context.step(*edge).text));
      return answer;
    }
    answer.line("it " + fate.text);
    if (!fate.isCollected())
      return answer;
    if (!context.search().links().collectable(target.section)) {
      answer.line("it describes its file, of which nothing lives that takes "
                  "memory");
      return answer;
    }
    addReferrers(answer, target, fate.kind == Fate::DeadPiece);
    addWays(answer, target);
    return answer;
  }

private:
  /// Searches from the components that no edge leads into, in the order of the
  /// inputs: of equal ways the first one counts.
  void findChains(ArrayRef<SectionId> dead) {
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

  void addChain(WhyAnswer &answer, SectionId section) {
    const auto [chain, continued] =
        chains.endingAt(section.index(), [&](uint32_t i, bool) -> uint32_t {
          const uint32_t edge = way[SectionId(i)];
          return edge == kNone ? uint32_t(kNone) : edges[edge].from.index();
        });
    const SectionId first(chain.front());
    const std::string name = program.sectionName(first);
    json::Object begins = context.jsonOf(first);
    if (continued) {
      answer.say({name + " is dead, as shown above", std::move(begins)},
                 "continues");
    } else if (byTo.count(first.index())) {
      begins["circle"] = true;
      answer.say({name + " is in a circle of dead sections that nothing else "
                         "refers to",
                  std::move(begins)},
                 "begins");
    } else {
      answer.say({"nothing refers to " + name, std::move(begins)}, "begins");
    }
    for (uint32_t thing : ArrayRef(chain).drop_front())
      answer.add(context.step(edges[way[SectionId(thing)]]), "chain");
  }

  /// The chain to a target, and the first references that are not in it. The
  /// chain of a piece leads to the first section that refers to it.
  void addReferrers(WhyAnswer &answer, const WhyTarget &target, bool piece) {
    constexpr size_t most = 5;
    ArrayRef<uint32_t> referrers = byTo.of(target.section.index());
    if (const ByteRange bytes = context.pieceOf(target); bytes != kAllBytes) {
      auto before = [&](uint32_t i, uint64_t byte) {
        return edges[i].link.offset < byte;
      };
      referrers = {llvm::lower_bound(referrers, bytes.first, before),
                   llvm::lower_bound(referrers, bytes.second, before)};
    }
    uint32_t named = kNone; // the last step of the chain
    if (!piece) {
      addChain(answer, target.section);
      named = way[target.section];
    } else if (!referrers.empty()) {
      named = referrers.front();
      addChain(answer, edges[named].from);
      answer.add(context.step(edges[named]), "chain");
    }
    size_t left = referrers.size() - (named != kNone), shown = 0;
    // One more, since the chain may name one of them.
    for (uint32_t i : referrers.take_front(most + 1)) {
      if (shown == most || i == named)
        continue;
      Phrase step = context.step(edges[i]);
      step.text = "dead as well: " + step.text;
      answer.add(std::move(step), "others");
      ++shown;
    }
    if (left -= shown)
      answer.line("and " +
                  countOf(left, "more dead reference", "more dead references"));
    answer.json["references"] = int64_t(referrers.size());
  }

  /// Ways to keep it.
  void addWays(WhyAnswer &answer, const WhyTarget &target) {
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

  WhyContext &context;
  const Program &program;
  Chains chains;
  std::vector<LiveStep> edges;
  /// By section: into `edges`, in the order of the inputs, for a mergeable
  /// section in the order of its bytes.
  Grouped<uint32_t> byTo;
  /// By section: the last edge of the chain to it, into `edges`; kNone: it is
  /// the beginning of one.
  IdVector<SectionId, uint32_t> way;
};

} // namespace

void whyDead(WhyContext &context) {
  DeadAnswers answers(context);
  context.ask("--why-dead", context.program.config.whyDead,
              WhyTarget::Symbols | WhyTarget::Section | WhyTarget::Unused,
              [&](const WhyTarget &target) { return answers.of(target); });
}

} // namespace xlink
