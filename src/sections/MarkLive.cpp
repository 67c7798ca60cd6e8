//===- MarkLive.cpp -------------------------------------------------------===//
//
// Problem: with a section for each function and object, sections without a
// reference need not be in memory. Roots live without one: the entry,
// -u, KEEP, initialiser tables, retained sections, names that the script reads.
//
// Method: a search in breadth from the roots along the edges of LiveGraph,
// level by level, each in the order of the inputs. Of equal ways to a section
// that of the referring section wins that stands first in the inputs, and
// references win over groups, names and dependents.
//
// Of a mergeable section only the referenced pieces live. Sections that only
// describe others, such as debug information, live with anything of their file
// that takes memory.
//
// Cost: one visit of each live section and relocation, and a sort of each
// level.
//
//===----------------------------------------------------------------------===//
#include "sections/LiveGraph.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

class Marker {
public:
  Marker(const Program &program, const Placement &placement,
         const std::vector<EhFrame> &frames)
      : program(program), graph(program, placement, frames) {}
  Liveness run();

private:
  void addRoots();
  void note(const LiveLink &link);
  void reach(const LiveLink &link, SectionId from);
  void drain();
  void markDescriptions();
  void dropDescriptions(const InputFile &file);

  bool lives(SectionId id) const { return walk.reached[id]; }

  const Program &program;
  const LiveGraph graph;
  LiveGraph::Walk walk;
  Liveness liveness;
  std::vector<SectionId> reached; ///< the next level
  DenseSet<SectionId> needed;     ///< without SHF_ALLOC; see note()
};

} // namespace

/// More that a link says of a section than that it lives.
void Marker::note(const LiveLink &link) {
  const SectionId id = link.to;
  if (!graph.tellsMore(id))
    return;
  const uint64_t flags = program.sections[id].parsed->flags;
  // A section without SHF_ALLOC that is a root or referred to by a live one is
  // there for more than its file's sake: the sections it refers to live too.
  if (!(flags & ELF::SHF_ALLOC) && needed.insert(id).second &&
      !graph.collectable(id))
    reached.push_back(id);
  if (!(flags & ELF::SHF_MERGE))
    return;
  // An offset beyond four bytes is behind the last piece, and so is the largest
  // of four bytes.
  if (link.whole)
    liveness.allPieces.insert(id);
  else
    liveness.livePieces[id].push_back(
        uint32_t(std::min<uint64_t>(link.offset, ~0u)));
}

/// `from` is kNone: a root.
void Marker::reach(const LiveLink &link, SectionId from) {
  if (link.whole || link.kind == LiveEdge::Reference)
    note(link);
  if (lives(link.to))
    return;
  walk.reached[link.to] = true;
  const bool isRoot = from == kNone && link.kind != LiveEdge::Description;
  liveness.edges[link.to] = {isRoot ? LiveEdge::Root : link.kind, from};
  reached.push_back(link.to);
}

void Marker::addRoots() {
  graph.forEachRoot(walk, [&](const LiveRoot &root, const LiveLink &link) {
    if (root.kind == LiveRoot::Uncollected)
      return reached.push_back(link.to); // it lives already
    reach(link, {});
    // As in GNU ld the section of a symbol that the user names counts as one
    // that KEEP names: its output section exists even without a byte.
    if (root.isRequested() && link.name == kNone &&
        program.sections[link.to].parsed && !graph.discarded(link.to))
      liveness.requested.push_back(link.to);
  });
}

void Marker::drain() {
  std::vector<SectionId> level;
  std::vector<std::pair<SectionId, LiveLink>> later; // (from, link)
  while (!reached.empty()) {
    level.swap(reached);
    reached.clear();
    llvm::sort(level);
    for (SectionId from : level)
      graph.forEachLink(from, walk, [&](const LiveLink &link) {
        if (link.kind == LiveEdge::Reference && link.name == kNone)
          reach(link, from);
        else
          later.push_back({from, link});
      });
    for (const auto &[from, link] : later)
      reach(link, from);
    later.clear();
  }
}

/// Debug information, .comment and their like live with their file: with any
/// of its sections that takes memory (GNU ld). So do groups of nothing else.
void Marker::markDescriptions() {
  std::vector<std::vector<SectionId>> described(program.files.size());
  program.parallel.forEach(
      described.size(), program.sections.size() * 32, [&](size_t f) {
        const InputFile &file = program.files[FileId(f)];
        if (graph.memoryOf(file, [&](SectionId id) { return lives(id); }) ==
            kNone)
          return dropDescriptions(file);
        for (const ParsedGroup &group : file.object->groups)
          if (graph.onlyDescribes(file, group))
            for (uint32_t member : group.members)
              if (file.object->sections[member].kind == SectionKind::Regular)
                described[f].push_back(file.sectionBase + member);
      });
  for (const std::vector<SectionId> &members : described)
    for (SectionId id : members)
      reach({id, LiveEdge::Description}, {});
  drain();
}

/// Descriptions of a file of which nothing is left, unless they are needed for
/// more than its sake.
void Marker::dropDescriptions(const InputFile &file) {
  for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
    const SectionId id = file.sectionBase + i;
    const ParsedSection *p = program.sections[id].parsed;
    if (p && !graph.discarded(id) && !(p->flags & ELF::SHF_ALLOC) &&
        !needed.contains(id) &&
        !(program.target->attributesType &&
          p->type == program.target->attributesType))
      walk.reached[id] = false;
  }
}

Liveness Marker::run() {
  walk.reached.resize(program.sections.size());
  for (SectionId id : program.sections.ids())
    walk.reached[id] = id.index() == 0 || !graph.collectable(id);
  liveness.edges.resize(program.sections.size());
  addRoots();
  drain();
  markDescriptions();
  liveness.live.assign(walk.reached.begin(), walk.reached.end());
  return std::move(liveness);
}

Liveness markLive(const Program &program, const Placement &placement,
                  const std::vector<EhFrame> &frames) {
  return Marker(program, placement, frames).run();
}

} // namespace xlink
