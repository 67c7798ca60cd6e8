//===- Crc.h - cyclic redundancy checks by their catalogue names ----------===//
#ifndef XLINK_OUTPUT_CRC_H
#define XLINK_OUTPUT_CRC_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <cstdint>
#include <string>

namespace xlink {

/// A row of the catalogue of parametrised CRC algorithms (reveng).
struct CrcKind {
  const char *name;  ///< its name there
  const char *alias; ///< another usual name, or null
  unsigned width;    ///< bits, a multiple of 8
  uint64_t polynomial, initial;
  bool reflected; ///< bits of each byte and of the result come lowest first
  uint64_t finalXor;

  unsigned bytes() const { return width / 8; }
};

/// By a name or an alias, in any case; null: there is none.
const CrcKind *findCrc(llvm::StringRef name);
/// All names, for messages.
std::string crcNames();

/// A CRC of bytes that come in pieces.
class Crc {
public:
  explicit Crc(const CrcKind &kind);
  /// Adds `count` bytes of this value.
  void add(uint8_t byte, uint64_t count = 1);
  void add(llvm::ArrayRef<uint8_t> bytes) {
    for (uint8_t byte : bytes)
      add(byte);
  }
  uint64_t value() const;

private:
  const CrcKind &kind;
  std::array<uint64_t, 256> table;
  uint64_t state; ///< in the upper bits
};

} // namespace xlink
#endif
