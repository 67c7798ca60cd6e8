//===- MarkLive.cpp -------------------------------------------------------===//
//
// Problem: with a section for each function and object, what nothing refers to
// need not be in memory. Roots are what runs without being called: the entry,
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
#include "sections/MarkLive.h"
#include "sections/LiveGraph.h"
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
      : program(program), graph(program, placement, frames) {}
  Liveness run();

private:
  void prepare();
  void addRoots();
  void begin(SectionId id, LiveEdge::Kind kind);
  void note(const LiveLink &link);
  void need(SectionId id);
  void reach(const LiveLink &link, SectionId from);
  void drain();
  bool describes(SectionId id) const;
  void markDescriptions();
  void dropDescriptions(const InputFile &file);

  bool lives(SectionId id) const { return live[id]; }

  const Program &program;
  const LiveGraph graph;
  LiveGraph::Walk walk;
  Liveness liveness;
  IdVector<SectionId, uint8_t> live; ///< bytes
  std::vector<SectionId> reached;    ///< the next level
  DenseSet<SectionId> needed;        ///< without SHF_ALLOC; see need()
};

} // namespace

void Marker::prepare() {
  live.resize(program.sections.size());
  for (SectionId id : program.sections.ids())
    live[id] = id.index() == 0 || !graph.collectable(id);
  liveness.edges.resize(program.sections.size());
}

/// A section that lives for its own sake.
void Marker::begin(SectionId id, LiveEdge::Kind kind) {
  if (lives(id))
    return;
  live[id] = true;
  liveness.edges[id] = {kind, {}};
  reached.push_back(id);
}

/// An offset in a mergeable section. One beyond four bytes is behind the last
/// piece, and so is the largest of four bytes.
static uint32_t clampOffset(uint64_t offset) {
  return uint32_t(std::min<uint64_t>(offset, ~0u));
}

/// A section without SHF_ALLOC that is a root or referred to by what lives, so
/// that it is there for more than its file's sake: what it refers to lives too.
void Marker::need(SectionId id) {
  if (needed.insert(id).second && !graph.collectable(id))
    reached.push_back(id);
}

/// What a link says of a section beside that it lives.
void Marker::note(const LiveLink &link) {
  const SectionId id = link.to;
  if (!graph.tellsMore(id))
    return;
  const uint64_t flags = program.sections[id].parsed->flags;
  if (!(flags & ELF::SHF_ALLOC))
    need(id);
  if (!(flags & ELF::SHF_MERGE))
    return;
  if (link.whole)
    liveness.allPieces.insert(id);
  else
    liveness.livePieces[id].push_back(clampOffset(link.offset));
}

/// `from` is kNone: a root.
void Marker::reach(const LiveLink &link, SectionId from) {
  if (link.whole || link.kind == LiveEdge::Reference)
    note(link);
  if (from == kNone)
    return begin(link.to, LiveEdge::Root);
  if (lives(link.to))
    return;
  live[link.to] = true;
  liveness.edges[link.to] = {link.kind, from};
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
    for (size_t i = 0; i < level.size(); ++i) {
      graph.forEachLink(
          level[i], walk,
          [&](SectionId to) { return !lives(to) || graph.tellsMore(to); },
          [&](const LiveLink &link) {
            if (link.kind == LiveEdge::Reference && link.name == kNone)
              reach(link, level[i]);
            else
              later.push_back({level[i], link});
          });
    }
    for (const auto &[from, link] : later)
      reach(link, from);
    later.clear();
  }
}

/// Whether a section takes no memory and is there for its own file's sake.
bool Marker::describes(SectionId id) const {
  const ParsedSection &p = *program.sections[id].parsed;
  return !(p.flags & ELF::SHF_ALLOC) && !needed.contains(id) &&
         !(program.target->attributesType &&
           p.type == program.target->attributesType);
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
      begin(id, LiveEdge::Description);
  drain();
}

/// What describes a file of which nothing is left.
void Marker::dropDescriptions(const InputFile &file) {
  for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
    const SectionId id = file.sectionBase + i;
    if (program.sections[id].parsed && !graph.discarded(id) && describes(id))
      live[id] = false;
  }
}

Liveness Marker::run() {
  prepare();
  addRoots();
  drain();
  markDescriptions();
  liveness.live.assign(live.begin(), live.end());
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
