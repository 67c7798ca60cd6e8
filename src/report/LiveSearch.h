//===- LiveSearch.h - shortest chains of references -----------------------===//
#ifndef XLINK_REPORT_LIVESEARCH_H
#define XLINK_REPORT_LIVESEARCH_H

#include "sections/LiveGraph.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace xlink {

/// How what lives is reached from the roots, by the fewest references. Also
/// tells what would live where nothing is collected.
class LiveSearch {
public:
  /// The last step of a section's shortest chain.
  struct Edge {
    LiveLink link;
    SectionId from; ///< kNone: a root, for the reason in `root`
    LiveRoot root;  ///< of a root alone
  };

  /// Searches at once: the answers to all questions.
  explicit LiveSearch(const Program &program);

  /// Null: nothing reaches the section.
  const Edge *find(SectionId id) const {
    const uint32_t i = found[id];
    return i == kNone ? nullptr : &edges[i];
  }
  /// The same of the piece of a mergeable section that has the bytes from
  /// `begin` to, not including, `end`.
  const Edge *find(SectionId id, uint64_t begin, uint64_t end) const;
  const LiveGraph &links() const { return graph; }
  /// As patterns placed the sections, before orphans came.
  const Placement &matched() const { return placement; }

private:
  void reach(const Edge &edge);
  void reachDescriptions();
  void drain();

  const Program &program;
  const Placement placement;
  const std::vector<EhFrame> frames;
  const LiveGraph graph;
  LiveGraph::Walk walk;
  std::vector<Edge> edges;             ///< the nearest first
  IdVector<SectionId, uint32_t> found; ///< into `edges`
  std::vector<SectionId> queue;
  size_t next = 0; ///< of the queue
  /// Of mergeable sections: bytes that something refers to, kWhole for all, and
  /// the edge.
  static constexpr uint64_t kWhole = ~uint64_t(0);
  llvm::DenseMap<SectionId, std::vector<std::pair<uint64_t, uint32_t>>> pieces;
  llvm::DenseSet<std::pair<SectionId, uint64_t>> seenBytes;
};

} // namespace xlink
#endif
