//===- Parallel.h - threads of one link -----------------------------------===//
//
// LLVM's parallel strategy is process-wide, and xlink may run several links in
// one process; so each link owns its threads. None is started before there is
// work that one thread would not finish sooner.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_PARALLEL_H
#define XLINK_BASE_PARALLEL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <functional>
#include <memory>

namespace xlink {

/// The threads of a link; a value, cheap to copy: copies share them. With the
/// last copy they end.
class Parallel {
public:
  /// Called by each thread, once, before it first shares work.
  using ThreadStart = std::function<void()>;

  /// `threads` 0: as many as this process may use processors.
  explicit Parallel(unsigned threads, ThreadStart start = nullptr);
  unsigned threads() const { return count; }

  /// Calls fn(i) for each i in [0, n), on several threads when `bytes` of work
  /// (a rough measure: input bytes touched) is worth it. Returns when all calls
  /// have returned. fn must not throw; it may call this in turn, and then there
  /// are no more threads than before.
  void forEach(size_t n, size_t bytes,
               llvm::function_ref<void(size_t)> fn) const;

  /// Calls work(i) for each i as forEach() does, and then(i) in their order,
  /// one at a time, on any thread, once work(i) and all then() in front have
  /// returned.
  void forEachInOrder(size_t n, size_t bytes,
                      llvm::function_ref<void(size_t)> work,
                      llvm::function_ref<void(size_t)> then) const;

private:
  class Pool;
  unsigned count;
  std::shared_ptr<Pool> pool; ///< null: there is one thread
};

} // namespace xlink
#endif
