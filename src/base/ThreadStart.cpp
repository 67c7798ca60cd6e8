//===- ThreadStart.cpp ----------------------------------------------------===//
#include "base/ThreadStart.h"
#include <cerrno>

int xlink::startElsewhere(pthread_t &thread, void *(*run)(void *),
                          void *argument, const cpu_set_t &allowed) {
  cpu_set_t others = allowed;
  const int here = sched_getcpu();
  if (here >= 0 && here < CPU_SETSIZE)
    CPU_CLR(unsigned(here), &others);
  pthread_attr_t attributes;
  if (CPU_COUNT(&others) && pthread_attr_init(&attributes) == 0) {
    int error =
        pthread_attr_setaffinity_np(&attributes, sizeof others, &others);
    if (!error)
      error = pthread_create(&thread, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
    // Anything else may be a sandbox that knows no processors.
    if (!error || error == EAGAIN)
      return error;
  }
  return pthread_create(&thread, nullptr, run, argument);
}
