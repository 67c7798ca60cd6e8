//===- Contributions.cpp --------------------------------------------------===//
#include "model/Contributions.h"
#include <algorithm>

namespace xlink {

/// The last range that begins at `offset` or before, or the end.
static auto rangeBefore(const std::vector<KeptRange> &kept, uint64_t offset) {
  auto it = std::upper_bound(
      kept.begin(), kept.end(), offset,
      [](uint64_t value, const KeptRange &r) { return value < r.begin; });
  return it == kept.begin() ? kept.end() : it - 1;
}

const KeptRange *CutSection::find(uint64_t offset) const {
  auto it = rangeBefore(kept, offset);
  return it != kept.end() && offset < it->end ? &*it : nullptr;
}

uint64_t CutSection::offsetOf(uint64_t offset) const {
  auto it = rangeBefore(kept, offset);
  return it == kept.end() ? 0 : it->to + std::min(offset, it->end) - it->begin;
}

} // namespace xlink
