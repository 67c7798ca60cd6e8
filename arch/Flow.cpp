//===- Flow.cpp - calls and jumps, read from instructions -----------------===//
#include "arch/Flow.h"

namespace xlink {

Flow flowOf(llvm::ArrayRef<FlowPattern> patterns, uint64_t instruction) {
  for (const FlowPattern &pattern : patterns)
    if ((instruction & pattern.mask) == pattern.value)
      return pattern.flow;
  return Flow::Onward;
}

} // namespace xlink
