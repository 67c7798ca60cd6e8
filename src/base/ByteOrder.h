//===- ByteOrder.h - numbers and records of ELF files ---------------------===//
//
// ELF's two classes differ in the width of addresses, and its two byte orders
// in the order of all bytes. Both are properties of the machine, which readers
// and writers take as values: there is one form of the code for the four kinds
// of files. `isBig` is Target::isBig, `is64` is Target::is64.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_BYTEORDER_H
#define XLINK_BASE_BYTEORDER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"
#include <cstdint>

namespace xlink {

constexpr llvm::endianness byteOrder(bool isBig) {
  return isBig ? llvm::endianness::big : llvm::endianness::little;
}
/// "big-endian", for messages.
constexpr const char *orderName(bool isBig) {
  return isBig ? "big-endian" : "little-endian";
}
inline uint16_t read16(const uint8_t *at, bool isBig) {
  return llvm::support::endian::read16(at, byteOrder(isBig));
}
inline uint32_t read32(const uint8_t *at, bool isBig) {
  return llvm::support::endian::read32(at, byteOrder(isBig));
}
inline uint64_t read64(const uint8_t *at, bool isBig) {
  return llvm::support::endian::read64(at, byteOrder(isBig));
}
inline void write32(uint8_t *at, uint32_t value, bool isBig) {
  llvm::support::endian::write32(at, value, byteOrder(isBig));
}
/// Writes the lowest bytes of a number, as many as there is room for, at most
/// 8.
inline void writeNumber(uint64_t value, llvm::MutableArrayRef<uint8_t> bytes,
                        bool isBig) {
  for (size_t i = 0, e = bytes.size(); i < e; ++i)
    bytes[isBig ? e - 1 - i : i] = uint8_t(value >> (8 * i));
}

/// Sizes of the records of an ELF class.
struct ElfSizes {
  uint32_t header, segmentHeader, sectionHeader, symbol, rel, rela, compression;
};
inline constexpr ElfSizes kElf32Sizes = {52, 32, 40, 16, 8, 12, 12};
inline constexpr ElfSizes kElf64Sizes = {64, 56, 64, 24, 16, 24, 24};
constexpr const ElfSizes &elfSizes(bool is64) {
  return is64 ? kElf64Sizes : kElf32Sizes;
}

/// Steps over the fields of a record. The caller has checked that the file has
/// all of it.
class RecordReader {
public:
  RecordReader(const uint8_t *at, bool is64, bool isBig)
      : at(at), is64(is64), isBig(isBig) {}
  uint8_t byte() { return *at++; }
  uint16_t half() { return next<uint16_t>(); }
  LLVM_ATTRIBUTE_ALWAYS_INLINE uint32_t number() { return next<uint32_t>(); }
  /// An address, an offset or a size: the class gives the width.
  LLVM_ATTRIBUTE_ALWAYS_INLINE uint64_t word() {
    return is64 ? next<uint64_t>() : number();
  }
  int64_t signedWord() {
    return is64 ? int64_t(next<uint64_t>()) : int32_t(number());
  }

private:
  // Little-endian files, nearly all, pay one test that is never true.
  template <class Number> LLVM_ATTRIBUTE_ALWAYS_INLINE Number next() {
    using namespace llvm;
    const auto value =
        support::endian::readNext<Number, endianness::little>(at);
    return LLVM_UNLIKELY(isBig) ? byteswap(value) : value;
  }
  const uint8_t *at;
  const bool is64, isBig;
};

/// Writes the fields of records one behind the other. There is room for them.
class RecordWriter {
public:
  RecordWriter(uint8_t *at, bool is64, bool isBig)
      : at(at), is64(is64), isBig(isBig) {}
  void byte(uint8_t value) { *at++ = value; }
  void half(uint16_t value) { next(value); }
  void number(uint32_t value) { next(value); }
  void word(uint64_t value) { is64 ? next(value) : number(uint32_t(value)); }

private:
  template <class Number> void next(Number value) {
    llvm::support::endian::write(at, value, byteOrder(isBig));
    at += sizeof(Number);
  }
  uint8_t *at;
  const bool is64, isBig;
};

} // namespace xlink
#endif
