//===- StackSizes.h - .stack_sizes taken apart ----------------------------===//
#ifndef XLINK_INPUT_STACKSIZES_H
#define XLINK_INPUT_STACKSIZES_H

#include "model/ObjectFile.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// The stack size of one function.
struct StackSize {
  uint32_t relocation; ///< names the function: into ParsedObject::relocations
  uint64_t size;       ///< the number, in bytes and flags of the machine
};

/// Why a section is not a sequence of entries, and where.
struct StackSizesError {
  uint64_t offset;
  std::string text;
};

/// Whether a section has stack sizes: .stack_sizes, .stack_sizes.NAME.
bool isStackSizes(const ParsedSection &section);

/// Reads the entries of such a section, a reference of `addressSize` bytes and
/// a number in ULEB128 each, into `sizes`. After an error, those in front of
/// it.
std::optional<StackSizesError> readStackSizes(const ParsedObject &object,
                                              const ParsedSection &section,
                                              unsigned addressSize,
                                              std::vector<StackSize> &sizes);

} // namespace xlink
#endif
