//===- StackSizes.cpp -----------------------------------------------------===//
#include "input/StackSizes.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;

namespace xlink {

bool isStackSizes(const ParsedSection &section) {
  return section.kind == SectionKind::Regular && !section.isNoBits() &&
         (section.name == ".stack_sizes" ||
          section.name.starts_with(".stack_sizes."));
}

std::optional<StackSizesError> readStackSizes(const ParsedObject &object,
                                              const ParsedSection &section,
                                              unsigned addressSize,
                                              std::vector<StackSize> &sizes) {
  const ArrayRef<uint8_t> bytes = section.data();
  uint32_t next = section.relocBegin; // relocations are sorted by offset
  for (uint64_t at = 0; at < bytes.size();) {
    if (bytes.size() - at < addressSize)
      return StackSizesError{at, "the reference to a function is cut off"};
    while (next < section.relocEnd && object.relocations[next].offset < at)
      ++next;
    if (next == section.relocEnd || object.relocations[next].offset != at)
      return StackSizesError{at, "no relocation says which function is meant"};
    const uint64_t number = at + addressSize;
    unsigned length = 0;
    const char *error = nullptr;
    const uint64_t size = decodeULEB128(bytes.data() + number, &length,
                                        bytes.data() + bytes.size(), &error);
    if (error)
      return StackSizesError{number, "the size is no ULEB128 number"};
    sizes.push_back({next, size});
    at = number + length;
  }
  return std::nullopt;
}

} // namespace xlink
