//===- MarkLive.cpp -------------------------------------------------------===//
//
// Problem: with a section for each function and object, what nothing refers to
// need not be in memory. Roots are what runs without being called: the entry,
// -u, KEEP, initialiser tables, retained sections, names that the script reads.
//
// Method: a search in breadth from the roots along the edges of LiveGraph,
// level by level. Several threads follow a level's references and claim what
// they reach. Of equal ways to a section that of the referring section wins
// that stands first in the inputs, whichever thread comes first. What is
// seldom, groups and names and dependents, waits in lists until the level has
// been followed; so nothing that threads read changes meanwhile but claims. The
// next level is put into the order of the inputs: neighbours share lines of
// memory.
//
// Of a mergeable section only the referenced pieces live. Sections that only
// describe others, such as debug information, live with anything of their file
// that takes memory.
//
// Cost: one visit of each live section and relocation. A level is sorted while
// it is small; a large one is collected by a look at every section's byte,
// which is not more than a constant part of the work in it.
//
//===----------------------------------------------------------------------===//
#include "sections/MarkLive.h"
#include "sections/LiveGraph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <atomic>

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
  /// What is followed behind the level.
  struct Later {
    SectionId from;
    LiveEdge::Kind kind;
    uint32_t what; ///< a group of its file, a symbol's name, or a dependent
  };
  /// What a part of a level's sections leads to, in their order.
  struct Found {
    std::vector<SectionId> claimed, needed;
    std::vector<Later> later;
    std::vector<std::pair<SectionId, uint32_t>> pieces; ///< with their offsets
  };
  /// A walk that leaves groups and names for later.
  struct Deferring {
    const LiveGraph::Walk &done;
    Found &found;
    SectionId from;
    uint64_t steps = 0;

    bool takesGroup(FileId file, uint32_t group) {
      if (!done.groups.contains({file, group}))
        found.later.push_back({from, LiveEdge::Group, group});
      return false;
    }
    bool takesName(SymbolId id, StringRef section) {
      if (!done.names.contains(section))
        found.later.push_back({from, LiveEdge::Reference, id.index()});
      return false;
    }
  };

  size_t rangeCount() const {
    return divideCeil(program.sections.size(), kRange);
  }
  template <class Fn> void forRanges(Fn fn) const;
  void prepare();
  void addRoots();
  void begin(SectionId id, LiveEdge::Kind kind);
  void note(const LiveLink &link);
  void need(SectionId id);
  void reach(const LiveLink &link, SectionId from);
  bool claim(SectionId id, SectionId from, Found &found);
  void follow(ArrayRef<SectionId> part, Found &found);
  void followLater(const Later &later);
  void takeFound(Found &found);
  void collectLevel();
  void drain();
  bool describes(SectionId id) const;
  void markDescriptions();
  void dropDescriptions(const InputFile &file);

  bool lives(SectionId id) const { return live[id]; }

  static constexpr size_t kRange = 1 << 14; ///< sections of forRanges

  const Program &program;
  const LiveGraph graph;
  LiveGraph::Walk walk;
  Liveness liveness;
  /// Bytes, of what lives and was reached by an earlier level.
  IdVector<SectionId, uint8_t> live;
  std::vector<SectionId> level; ///< whose references are followed, ascending
  std::vector<SectionId> next;  ///< reached by these
  std::vector<Found> parts;     ///< of the level, used again
  DenseSet<SectionId> needed;   ///< without SHF_ALLOC; see need()
};

} // namespace

void Marker::prepare() {
  live.assign(program.sections.size(), true);
  liveness.edges.extend(program.sections.size());
  forRanges([&](size_t, SectionId begin, SectionId end) {
    for (SectionId id : idRange(begin, end)) {
      live[id] = id.index() == 0 || !graph.collectable(id);
      liveness.edges[id] = {};
    }
  });
}

/// Calls fn(number, begin, end) for ranges of all sections, on several threads.
template <class Fn> void Marker::forRanges(Fn fn) const {
  const size_t count = program.sections.size();
  program.parallel.forEach(rangeCount(), count * 24, [&](size_t range) {
    fn(range, SectionId(range * kRange),
       SectionId(std::min(count, (range + 1) * kRange)));
  });
}

/// A section that lives for its own sake.
void Marker::begin(SectionId id, LiveEdge::Kind kind) {
  if (lives(id))
    return;
  live[id] = true;
  liveness.edges[id] = {kind, {}};
  next.push_back(id);
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
    next.push_back(id);
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

/// By a link that is followed alone; `from` is kNone: a root.
void Marker::reach(const LiveLink &link, SectionId from) {
  const SectionId id = link.to;
  if (link.whole || link.kind == LiveEdge::Reference)
    note(link);
  if (from == kNone)
    return begin(id, LiveEdge::Root);
  if (lives(id) || liveness.edges[id].from != kNone)
    return;
  liveness.edges[id] = {link.kind, from};
  next.push_back(id);
}

void Marker::addRoots() {
  graph.forEachRoot(walk, [&](const LiveRoot &root, const LiveLink &link) {
    if (root.kind == LiveRoot::Uncollected)
      return next.push_back(link.to); // it lives already
    reach(link, {});
    // As in GNU ld the section of a symbol that the user names counts as one
    // that KEEP names: its output section exists even without a byte.
    if (root.isRequested() && link.name == kNone &&
        program.sections[link.to].parsed && !graph.discarded(link.to))
      liveness.requested.push_back(link.to);
  });
}

/// Reaches a section by a reference; false: that is all it says. Threads meet
/// here, and the least `from` stays.
bool Marker::claim(SectionId id, SectionId from, Found &found) {
  if (!lives(id)) {
    const std::atomic_ref<SectionId> edge(liveness.edges[id].from);
    SectionId other = edge.load(std::memory_order_relaxed);
    while (from < other) // kNone is more than all
      if (edge.compare_exchange_weak(other, from, std::memory_order_relaxed)) {
        if (other == kNone) { // the first that comes, and only that
          liveness.edges[id].kind = LiveEdge::Reference;
          found.claimed.push_back(id);
        }
        break;
      }
  }
  return graph.tellsMore(id);
}

void Marker::follow(ArrayRef<SectionId> part, Found &found) {
  Deferring deferring{walk, found, {}};
  for (size_t i = 0; i < part.size(); ++i) {
    // Sections of a level may be far from each other.
    constexpr size_t early = 8, late = 4;
    if (i + early < part.size())
      graph.prefetch(part[i + early]);
    if (i + late < part.size())
      graph.prefetchParsed(part[i + late]);
    const SectionId from = deferring.from = part[i];
    graph.forEachLink(
        from, deferring, [&](SectionId to) { return claim(to, from, found); },
        [&](const LiveLink &link) {
          if (link.kind != LiveEdge::Reference)
            return found.later.push_back({from, link.kind, link.to.index()});
          const uint64_t flags = program.sections[link.to].parsed->flags;
          if (flags & ELF::SHF_MERGE)
            found.pieces.push_back({link.to, clampOffset(link.offset)});
          if (!(flags & ELF::SHF_ALLOC) && !needed.contains(link.to))
            found.needed.push_back(link.to);
        });
  }
}

void Marker::followLater(const Later &later) {
  auto reachThis = [&](const LiveLink &link) { reach(link, later.from); };
  const FileId file = program.sections[later.from].file;
  if (later.kind == LiveEdge::Dependent) {
    reachThis({SectionId(later.what), LiveEdge::Dependent});
  } else if (later.kind == LiveEdge::Group) {
    if (walk.takesGroup(file, later.what))
      graph.followGroup(file, later.what, walk, reachThis);
  } else {
    const SymbolId name(later.what);
    if (walk.takesName(name, graph.sectionMeant(program.symbols[name])))
      graph.followName(name, {}, walk, reachThis);
  }
}

/// What threads have left of a part.
void Marker::takeFound(Found &found) {
  next.insert(next.end(), found.claimed.begin(), found.claimed.end());
  // Many of one section follow each other.
  std::vector<uint32_t> *pieces = nullptr;
  SectionId last;
  for (auto [id, offset] : found.pieces) {
    if (id != last)
      pieces = &liveness.livePieces[last = id];
    pieces->push_back(offset);
  }
  for (SectionId id : found.needed)
    need(id);
  found.claimed.clear();
  found.pieces.clear();
  found.needed.clear();
}

/// Makes a level of what has been reached.
void Marker::collectLevel() {
  constexpr size_t large = 64; ///< a part of all sections
  const bool scan =
      next.size() > program.sections.size() / large && !is_sorted(next);
  level.swap(next);
  next.clear();
  if (scan && none_of(level, [&](SectionId id) { return lives(id); })) {
    std::vector<std::vector<SectionId>> found(rangeCount());
    forRanges([&](size_t range, SectionId begin, SectionId end) {
      for (SectionId id : idRange(begin, end))
        if (!lives(id) && liveness.edges[id].from != kNone) {
          found[range].push_back(id);
          live[id] = true;
        }
    });
    level.clear();
    for (const std::vector<SectionId> &some : found)
      level.insert(level.end(), some.begin(), some.end());
    return;
  }
  if (!is_sorted(level))
    llvm::sort(level);
  for (SectionId id : level)
    live[id] = true;
}

void Marker::drain() {
  // A section and its relocations cost about as much as reading so many bytes.
  constexpr size_t partSize = 256, bytesEach = 2048;
  for (collectLevel(); !level.empty(); collectLevel()) {
    const size_t count = (level.size() + partSize - 1) / partSize;
    if (parts.size() < count)
      parts.resize(count);
    program.parallel.forEach(count, level.size() * bytesEach, [&](size_t p) {
      follow(ArrayRef(level).slice(p * partSize).take_front(partSize),
             parts[p]);
    });
    for (size_t p = 0; p < count; ++p)
      takeFound(parts[p]);
    for (size_t p = 0; p < count; ++p) {
      for (const Later &later : parts[p].later)
        followLater(later);
      parts[p].later.clear();
    }
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
