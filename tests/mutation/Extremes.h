//===- Extremes.h - numbers and options at the ends of address spaces -----===//
#ifndef XLINK_TESTS_MUTATION_EXTREMES_H
#define XLINK_TESTS_MUTATION_EXTREMES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <string>
#include <vector>

namespace xlink::test {

/// A number from 0 to n - 1.
using Picker = llvm::function_ref<uint64_t(uint64_t n)>;

/// A number at or near 0, 2^31, 2^32, 2^63 or 2^64: most often so near that a
/// section of a usual size reaches over that end.
uint64_t nearAnEnd(Picker pick);
/// The same as a script or an option writes it.
std::string nearAnEndText(Picker pick);

/// An option with such a number in it, sometimes two.
std::vector<std::string> extremeOptions(Picker pick);

} // namespace xlink::test
#endif
