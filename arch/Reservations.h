//===- Reservations.h - what run-times set aside --------------------------===//
#ifndef XLINK_ARCH_RESERVATIONS_H
#define XLINK_ARCH_RESERVATIONS_H

#include "llvm/ADT/ArrayRef.h"

namespace xlink {

struct Target;

/// Memory that the run-time of a machine sets aside: between two symbols, or
/// from one on for so many bytes as another one's value.
struct Reservation {
  enum Kind : uint8_t { Heap, Stack } kind;
  const char *name;           ///< how reports call it
  const char *begin;          ///< the symbol at its start
  const char *end = nullptr;  ///< the symbol behind it, or
  const char *size = nullptr; ///< the symbol whose value is its size in bytes
  /// Of a stack of a thread's own, which runs what the entry runs: how people
  /// call such a thread.
  const char *thread = nullptr;
  unsigned count = 1; ///< # in the names stands for 0 to count - 1
};

/// What a machine's usual run-time sets aside for heaps and stacks: nothing for
/// most.
llvm::ArrayRef<Reservation> reservationsOf(const Target &target);

} // namespace xlink
#endif
