//===- Reservations.cpp ---------------------------------------------------===//
#include "arch/Reservations.h"
#include "arch/Target.h"

using namespace llvm;

namespace xlink {

extern constinit const Target dpuTarget;

/// What the SDK's script and start-up code call them.
static constexpr Reservation kDpu[] = {{.kind = Reservation::Stack,
                                        .name = "STACK_SIZE_TASKLET_#",
                                        .begin = "__sys_stack_thread_#",
                                        .size = "STACK_SIZE_TASKLET_#",
                                        .thread = "tasklet",
                                        .count = 24},
                                       {.kind = Reservation::Heap,
                                        .name = "heap",
                                        .begin = "__sys_heap_pointer_reset",
                                        .end = "__sys_heap_pointer_end"}};

ArrayRef<Reservation> reservationsOf(const Target &target) {
  if (&target == &dpuTarget)
    return kDpu;
  return {};
}

} // namespace xlink
