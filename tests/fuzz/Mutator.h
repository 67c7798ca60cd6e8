//===- Mutator.h - mutations that know what they change -------------------===//
#ifndef XLINK_TESTS_FUZZ_MUTATOR_H
#define XLINK_TESTS_FUZZ_MUTATOR_H

#include "fuzz/Targets.h"

namespace xlink::test {

/// libFuzzer's custom mutator for inputs of this form: changes `data` in place,
/// which has room for `most` bytes, and returns its new size.
size_t mutateInput(InputForm form, uint8_t *data, size_t size, size_t most,
                   unsigned seed);

} // namespace xlink::test
#endif
