//===- LiveSearch.cpp -----------------------------------------------------===//
//
// Problem: the collection follows references in whatever order is fastest, so
// the reference that it found first is seldom the one that explains most. And
// without --gc-sections there was no collection.
//
// Method: a search in breadth from all roots together, along the edges that the
// collection knows (LiveGraph): what is reached first is reached by the fewest
// references, and of equal ways the first in the order of roots and inputs
// stands. One search answers all questions. It begins with the placement that
// the collection saw, for orphans that are refused later have kept others
// alive. Of mergeable sections each piece has a way of its own.
//
// Cost: placing the sections once more, and one visit of each live section and
// relocation.
//
//===----------------------------------------------------------------------===//
#include "report/LiveSearch.h"
#include "placement/Placement.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

/// What was wrong has been reported when the link placed its sections.
static Placement placeAgain(const Program &program) {
  Diagnostics reported;
  return placeSections(program, reported);
}

static std::vector<EhFrame> readFramesAgain(const Program &program,
                                            const Placement &placement) {
  Diagnostics reported;
  return readEhFrames(program, placement, reported);
}

void LiveSearch::reach(const Edge &edge) {
  const SectionId id = edge.link.to;
  if (graph.discarded(id) || !program.sections[id].parsed)
    return;
  const ParsedSection &p = *program.sections[id].parsed;
  const bool first = found[id] == kNone;
  const bool ofPieces = p.flags & ELF::SHF_MERGE;
  if (ofPieces) {
    const uint64_t byte = edge.link.whole ? kWhole : edge.link.offset;
    if (!seenBytes.insert({id, byte}).second)
      return;
    pieces[id].push_back({byte, uint32_t(edges.size())});
  } else if (!first) {
    return;
  }
  edges.push_back(edge);
  if (!first)
    return;
  found[id] = uint32_t(edges.size() - 1);
  // What only describes others leads nowhere.
  if (graph.collectable(id) || graph.uncollected(id) ||
      (!(p.flags & ELF::SHF_ALLOC) && edge.link.kind != LiveEdge::Description))
    queue.push_back(id);
}

void LiveSearch::drain() {
  while (next < queue.size()) {
    const SectionId id = queue[next++];
    graph.forEachLink(id, walk, [&](const LiveLink &link) {
      reach({link, id, {LiveRoot::Entry}});
    });
  }
}

/// Debug information, .comment and their like live with what of their file
/// takes memory.
void LiveSearch::reachDescriptions() {
  for (const InputFile &file : program.files) {
    const SectionId home =
        graph.memoryOf(file, [&](SectionId id) { return found[id] != kNone; });
    if (home == kNone)
      continue;
    for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
      const SectionId id = file.sectionBase + i;
      const ParsedSection &p = file.object->sections[i];
      if (p.kind != SectionKind::Regular || (p.flags & ELF::SHF_ALLOC))
        continue;
      const bool grouped =
          p.group &&
          graph.onlyDescribes(file, file.object->groups[p.group - 1]);
      if (found[id] == kNone && (grouped || !graph.collectable(id)))
        reach({{id, LiveEdge::Description}, home, {LiveRoot::Entry}});
    }
  }
  drain();
}

LiveSearch::LiveSearch(const Program &program)
    : program(program), placement(placeAgain(program)),
      frames(readFramesAgain(program, placement)),
      graph(program, placement, frames) {
  found.assign(program.sections.size(), kNone);
  graph.forEachRoot(walk, [&](const LiveRoot &root, const LiveLink &link) {
    reach({link, {}, root});
  });
  drain();
  reachDescriptions();
  for (auto &entry : pieces)
    llvm::sort(entry.second);
}

const LiveSearch::Edge *LiveSearch::find(SectionId id, uint64_t begin,
                                         uint64_t end) const {
  auto it = pieces.find(id);
  if (it == pieces.end())
    return find(id);
  uint32_t best = kNone;
  for (auto at = llvm::lower_bound(it->second, std::pair(begin, uint32_t(0)));
       at != it->second.end() && at->first < end; ++at)
    best = std::min(best, at->second);
  if (it->second.back().first == kWhole)
    best = std::min(best, it->second.back().second);
  return best == kNone ? nullptr : &edges[best];
}

} // namespace xlink
