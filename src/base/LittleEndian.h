//===- LittleEndian.h - numbers of any size as bytes ----------------------===//
#ifndef XLINK_BASE_LITTLEENDIAN_H
#define XLINK_BASE_LITTLEENDIAN_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace xlink {

/// Writes the lowest bytes of a number, as many as there is room for, at most
/// 8, the lowest first.
inline void writeLittle(uint64_t value, llvm::MutableArrayRef<uint8_t> bytes) {
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = uint8_t(value >> (8 * i));
}

} // namespace xlink
#endif
