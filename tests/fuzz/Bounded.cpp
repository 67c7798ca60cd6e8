//===- Bounded.cpp - what a run of a target took --------------------------===//
//
// Time is that of the processor. The heap is counted by hooks of the address
// sanitizer, where that is in the process: the most that a run had at once.
//
//===----------------------------------------------------------------------===//
#include "fuzz/Targets.h"
#include "support/Sanitized.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace llvm;

extern "C" int __sanitizer_install_malloc_and_free_hooks(
    void (*)(const volatile void *, size_t), void (*)(const volatile void *))
    __attribute__((weak));
extern "C" size_t __sanitizer_get_allocated_size(const volatile void *)
    __attribute__((weak));

namespace xlink::test {

namespace {

int64_t heapNow = 0, heapPeak = 0;
uint64_t output = 0; ///< bytes that this run wrote
constexpr double kSecondsPerOutputByte = 3e-8;

void onMalloc(const volatile void *, size_t size) {
  heapNow += int64_t(size);
  heapPeak = std::max(heapPeak, heapNow);
}
void onFree(const volatile void *block) {
  if (block)
    heapNow -= int64_t(__sanitizer_get_allocated_size(block));
}

double processorSeconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return double(t.tv_sec) + double(t.tv_nsec) / 1e9;
}

void endProcess(StringRef text) {
  std::fprintf(stderr, "trouble: %s\n", text.str().c_str());
  std::abort();
}
void (*handler)(StringRef) = endProcess;

} // namespace

void noteOutput(uint64_t bytes) { output += bytes; }
void trouble(const std::string &text) { handler(text); }
void setTroubleHandler(void (*other)(StringRef)) { handler = other; }

const FuzzTarget *findFuzzTarget(StringRef name) {
  const auto it = find_if(fuzzTargets(),
                          [&](const FuzzTarget &t) { return name == t.name; });
  return it == fuzzTargets().end() ? nullptr : &*it;
}

void runBounded(const FuzzTarget &target, ArrayRef<uint8_t> input) {
  static const bool counts =
      kSanitized && __sanitizer_install_malloc_and_free_hooks &&
      __sanitizer_install_malloc_and_free_hooks(onMalloc, onFree);
  heapNow = heapPeak = 0;
  output = 0;
  const double start = processorSeconds();
  target.run(input);
  const double seconds = processorSeconds() - start;
  const Bounds &most = target.bounds;
  const double mostSeconds = most.seconds +
                             most.secondsPerByte * double(input.size()) +
                             kSecondsPerOutputByte * double(output);
  // The sink holds the output.
  const uint64_t mostHeap =
      most.heap + most.heapPerByte * input.size() + output;
  if (seconds > mostSeconds)
    trouble("took " + std::to_string(seconds) + " seconds of " +
            std::to_string(mostSeconds));
  if (counts && heapPeak > int64_t(mostHeap))
    trouble("had " + std::to_string(heapPeak) + " bytes of " +
            std::to_string(mostHeap));
}

} // namespace xlink::test
