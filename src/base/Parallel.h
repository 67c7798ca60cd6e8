//===- Parallel.h - threads of one link -----------------------------------===//
//
// LLVM's parallel strategy is process-wide, and xlink may run several links in
// one process; so each link owns its threads. No thread is ever started for a
// call that one thread finishes sooner.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_PARALLEL_H
#define XLINK_BASE_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>

namespace xlink {

/// How many threads a link may use; a value, cheap to copy.
class Parallel {
public:
  /// `threads` 0: as many as the machine has.
  explicit Parallel(unsigned threads);
  unsigned threads() const { return count; }

  /// Calls fn(i) for each i in [0, n), on several threads when `bytes` of work
  /// (a rough measure: input bytes touched) is worth starting them. Returns
  /// when all calls have returned. fn must not throw.
  void forEach(size_t n, size_t bytes,
               llvm::function_ref<void(size_t)> fn) const;

private:
  unsigned count;
};

} // namespace xlink
#endif
