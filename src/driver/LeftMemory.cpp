//===- LeftMemory.cpp -----------------------------------------------------===//
//
// Problem: the system takes a process's memory back page by page, on one
// processor, before it tells anybody that the process has ended: after a link
// of 200,000 functions a tenth of what all of it takes.
//
// Method: memory is given back when the last process that has it ends. So a
// second one, which shares the memory and does nothing, ends a moment later. It
// learns that the first has gone from a pipe, the other end of which the system
// closes behind the point where memory would be given back. Whoever adopts
// orphans waits for it; where nobody does (a container whose first process is
// no init) it stays in the table of processes, without memory.
//
// Meanwhile files that are mapped or run are in use (among the mapped ones may
// be old outputs without a name, DiskSink), and no others: it closes
// what it has inherited and leaves the directory.
//
// Cost: some 50 us, for what takes the system 0.1 ms for each megabyte.
//
//===----------------------------------------------------------------------===//
#include "driver/LeftMemory.h"
#include <csignal>
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace xlink {

#ifndef __SANITIZE_THREAD__ // which knows no two processes of one memory

/// Closes the descriptors of a range. As all of the second process it makes
/// system calls alone: what the C library and sanitizers keep of a thread is
/// the first one's.
__attribute__((no_sanitize("address"))) static void closeRange(unsigned first,
                                                               unsigned last) {
#ifdef SYS_close_range // Linux 5.9
  syscall(SYS_close_range, first, last, 0);
#endif
  // Older systems: at least what others may wait for the end of.
  for (unsigned fd = first; fd <= last && fd <= STDERR_FILENO; ++fd)
    syscall(SYS_close, fd);
}

/// All that the second process does.
__attribute__((no_sanitize("address"))) static int waitForEnd(void *argument) {
  const int *const ends = static_cast<const int *>(argument);
  const unsigned kept = unsigned(ends[0]);
  // Its own writing end first: else the pipe would have one for ever.
  syscall(SYS_close, ends[1]);
  // The first process's last thread closes the pipe while it still has an end
  // to tell of, and this one, when it wakes, would take the processor away from
  // it. Linux does not let SCHED_BATCH do that (kernel/sched/fair.c).
  const sched_param none = {};
  if (syscall(SYS_sched_getscheduler, 0) == SCHED_OTHER)
    syscall(SYS_sched_setscheduler, 0, SCHED_BATCH, &none);
  if (kept > 0)
    closeRange(0, kept - 1);
  closeRange(kept + 1, ~0U);
  syscall(SYS_chdir, "/");
  char byte;
  syscall(SYS_read, kept, &byte, 1);
  return 0;
}

void leaveMemoryBehind() {
  // Both must outlast this call.
  static int ends[2];
  alignas(16) static char stack[16 << 10];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return;
  // What stops a link that hangs is for the first process.
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_SETMASK, &all, nullptr);
  clone(waitForEnd, stack + sizeof stack, CLONE_VM | SIGCHLD, ends);
}

#else

void leaveMemoryBehind() {}

#endif

} // namespace xlink
