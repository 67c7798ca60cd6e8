//===- Flow.h - calls and jumps, read from instructions -------------------===//
//
// A relocation tells where a call goes, but a call through a pointer has none.
// Who wants to see those reads the code, and needs to know no more of it than
// which instructions leave the one behind them, and whether a register says
// where to.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_ARCH_FLOW_H
#define XLINK_ARCH_FLOW_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace xlink {

/// Where execution goes from an instruction.
enum class Flow : uint8_t {
  Onward,       ///< to the next one, or where a condition or a return leads
  Call,         ///< to what its field says, and back
  Jump,         ///< to what its field says
  PointerCall,  ///< to where registers say, and back
  RegisterJump, ///< to where registers say: a call at the end of a function
                ///< through a pointer, or the table of a switch
};

/// Instructions of which the bits in `mask` are `value`.
struct FlowPattern {
  uint64_t mask, value;
  Flow flow;
};

/// What the first pattern that fits says of an instruction; Onward where none
/// does.
Flow flowOf(llvm::ArrayRef<FlowPattern> patterns, uint64_t instruction);

} // namespace xlink
#endif
