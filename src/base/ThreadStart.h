//===- ThreadStart.h - threads that begin on another processor ------------===//
#ifndef XLINK_BASE_THREADSTART_H
#define XLINK_BASE_THREADSTART_H

#include <pthread.h>
#include <sched.h>

namespace xlink {

/// Starts a thread on one of the processors in `allowed` that is not the one of
/// the caller, if there is any; on those it stays until it binds itself to
/// others. A system that is busy would start it on the caller's, and leave both
/// there for up to 20 ms, as it does not move what has run a moment ago.
/// Returns what pthread_create does.
int startElsewhere(pthread_t &thread, void *(*run)(void *), void *argument,
                   const cpu_set_t &allowed);

} // namespace xlink
#endif
