//===- MarkLive.cpp -------------------------------------------------------===//
//
// Problem: with a section for each function and object, what nothing refers to
// need not be in memory. Roots are what runs without being called: the entry,
// -u, KEEP, initialiser tables, retained sections, names that the script reads.
//
// Method: mark from the roots along the edges of LiveGraph, with an explicit
// stack. Of a mergeable section only the referenced pieces live. Sections that
// only describe others, such as debug information, live with anything of their
// file that takes memory.
//
// Cost: one visit of each live section and relocation.
//
//===----------------------------------------------------------------------===//
#include "layout/MarkLive.h"
#include "layout/LiveGraph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

class Marker {
public:
  Marker(const Program &program, const Placement &placement,
         const std::vector<EhFrame> &frames)
      : program(program), placement(placement),
        graph(program, placement, frames) {}
  Liveness run();

private:
  void prepare();
  void addRoots();
  void mark(const LiveLink &link);
  void markSection(SectionId id, LiveEdge::Kind kind);
  void drain();
  bool describes(SectionId id) const;
  void markDescriptions();

  const Program &program;
  const Placement &placement;
  const LiveGraph graph;
  LiveGraph::Walk walk;
  Liveness liveness;
  std::vector<SectionId> stack;
  SectionId following;           ///< whose references are looked at
  DenseSet<SectionId> requested; ///< Liveness::requested, to be asked
  DenseSet<SectionId>
      needed; ///< without SHF_ALLOC, but referred to by what has
};

} // namespace

void Marker::prepare() {
  liveness.live.assign(program.sections.size(), true);
  liveness.edges.resize(program.sections.size());
  for (SectionId id : program.sections.ids(1))
    if (graph.collectable(id))
      liveness.live[id.index()] = false;
}

void Marker::markSection(SectionId id, LiveEdge::Kind kind) {
  if (liveness.lives(id) || graph.discarded(id))
    return;
  liveness.live[id.index()] = true;
  liveness.edges[id] = {
      kind == LiveEdge::Reference && following == kNone ? LiveEdge::Root : kind,
      following};
  stack.push_back(id);
}

void Marker::mark(const LiveLink &link) {
  const SectionId id = link.to;
  const InputSection &s = program.sections[id];
  if (link.whole) {
    if (s.parsed->flags & ELF::SHF_MERGE)
      liveness.allPieces.insert(id);
  } else if (link.kind == LiveEdge::Reference && !graph.discarded(id) &&
             s.parsed) {
    if (!(s.parsed->flags & ELF::SHF_ALLOC))
      needed.insert(id);
    if (s.file != kNone && (s.parsed->flags & ELF::SHF_MERGE))
      liveness.livePieces[id].push_back(
          uint32_t(std::min<uint64_t>(link.offset, ~0u)));
  }
  markSection(id, link.kind);
}

void Marker::addRoots() {
  graph.forEachRoot(walk, [&](const LiveRoot &root, const LiveLink &link) {
    if (root.kind == LiveRoot::Uncollected)
      return stack.push_back(link.to); // it lives already
    mark(link);
    // As in GNU ld the section of a symbol that the user names counts as one
    // that KEEP names: its output section exists even without a byte.
    if (root.isRequested() && link.name == kNone &&
        program.sections[link.to].parsed && !graph.discarded(link.to))
      liveness.requested.push_back(link.to);
  });
  requested.insert(liveness.requested.begin(), liveness.requested.end());
}

void Marker::drain() {
  while (!stack.empty()) {
    following = stack.back();
    stack.pop_back();
    graph.forEachLink(following, walk,
                      [&](const LiveLink &link) { mark(link); });
    following = kNone;
  }
}

/// Whether a section takes no memory and is there for its own file's sake.
bool Marker::describes(SectionId id) const {
  const ParsedSection &p = *program.sections[id].parsed;
  return !(p.flags & ELF::SHF_ALLOC) && p.type != ELF::SHT_NOTE &&
         !placement.sections[id].keep && !requested.contains(id) &&
         !(program.target->retainFlag &&
           (p.flags & program.target->retainFlag)) &&
         !(program.target->attributesType &&
           p.type == program.target->attributesType);
}

/// Debug information, .comment and their like live with their file: with any
/// of its sections that takes memory (GNU ld). So do groups of nothing else.
void Marker::markDescriptions() {
  for (const InputFile &file : program.files) {
    const std::vector<ParsedSection> &sections = file.object->sections;
    const bool used = graph.memoryOf(file, [&](SectionId id) {
      return liveness.lives(id);
    }) != kNone;
    for (uint32_t i = 1; !used && i < sections.size(); ++i) {
      const SectionId id = file.sectionBase + i;
      if (program.sections[id].parsed && !graph.discarded(id) &&
          describes(id) && !needed.contains(id))
        liveness.live[id.index()] = false;
    }
    if (!used)
      continue;
    for (const ParsedGroup &group : file.object->groups)
      if (graph.onlyDescribes(file, group))
        for (uint32_t member : group.members)
          if (sections[member].kind == SectionKind::Regular)
            markSection(file.sectionBase + member, LiveEdge::Description);
  }
  drain();
}

Liveness Marker::run() {
  prepare();
  addRoots();
  drain();
  markDescriptions();
  liveness.steps = walk.steps;
  return std::move(liveness);
}

Liveness findLive(const Program &program, const Placement &placement,
                  const std::vector<EhFrame> &frames) {
  return Marker(program, placement, frames).run();
}

Liveness markLive(const Program &program, const Placement &placement,
                  const std::vector<EhFrame> &frames) {
  if (!program.config.gcSections)
    return Liveness();
  return Marker(program, placement, frames).run();
}

} // namespace xlink
