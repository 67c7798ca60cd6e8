//===- Placement.cpp ------------------------------------------------------===//
#include "model/Placement.h"

namespace xlink {

std::vector<OutputId> Placement::outputsInOrder() const {
  std::vector<OutputId> order;
  forEachOutput(
      [&](OutputId id, const OutputSection &) { order.push_back(id); });
  return order;
}

void Placement::number() {
  itemCount = 0;
  for (OutputSection &out : outputs) {
    out.firstItem = ItemId(itemCount);
    itemCount += uint32_t(out.items.size());
    for (uint32_t i = 0; i < out.items.size(); ++i)
      for (uint32_t m = out.items[i].begin; m < out.items[i].end; ++m)
        sections[out.members[m]].item = i;
  }
}

} // namespace xlink
