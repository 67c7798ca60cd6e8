//===- LibFuzzer.cpp - a target as libFuzzer's ----------------------------===//
//
// Compiled once for each target, XLINK_FUZZ_TARGET being its name.
//
//===----------------------------------------------------------------------===//
#include "fuzz/Mutator.h"
#include "fuzz/Targets.h"
#include <cstdlib>

using namespace xlink::test;

/// LLVM's libraries know nothing of the marks that LLVM's allocator and
/// libstdc++'s vector set for the sanitizer where they are compiled with it.
extern "C" const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "detect_leaks=0:malloc_context_size=3:quarantine_size_mb=16";
}

static const FuzzTarget &theTarget() {
  static const FuzzTarget *target = findFuzzTarget(XLINK_FUZZ_TARGET);
  if (!target)
    std::abort();
  return *target;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  runBounded(theTarget(), {data, size});
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  return mutateInput(theTarget().form, data, size, most, seed);
}
