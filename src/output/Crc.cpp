//===- Crc.cpp - cyclic redundancy checks by their catalogue names --------===//
//
// Problem: a boot loader or a peripheral checks a program with the CRC that it
// happens to have, and there are dozens, which differ in few parameters.
//
// Method: the catalogue's model. A table has the remainder of each byte; it is
// made from the polynomial when one is asked for. The register is kept in the
// upper bits of 64, so that one loop serves every width; where bits come lowest
// first, bytes and result are reversed.
//
// Cost: a table of 256 entries, and one look into it for each byte.
//
//===----------------------------------------------------------------------===//
#include "output/Crc.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

// clang-format off
static constexpr CrcKind kKinds[] = {
    {"CRC-8/SMBUS",        "CRC-8",              8,  0x07, 0, false, 0},
    {"CRC-8/AUTOSAR",      nullptr,              8,  0x2f, 0xff, false, 0xff},
    {"CRC-8/MAXIM-DOW",    "CRC-8/MAXIM",        8,  0x31, 0, true, 0},
    {"CRC-8/ROHC",         nullptr,              8,  0x07, 0xff, true, 0},
    {"CRC-8/SAE-J1850",    nullptr,              8,  0x1d, 0xff, false, 0xff},
    {"CRC-16/ARC",         "CRC-16",             16, 0x8005, 0, true, 0},
    {"CRC-16/IBM-3740",    "CRC-16/CCITT-FALSE", 16, 0x1021, 0xffff, false, 0},
    {"CRC-16/GENIBUS",     nullptr,              16, 0x1021, 0xffff, false, 0xffff},
    {"CRC-16/IBM-SDLC",    "CRC-16/X-25",        16, 0x1021, 0xffff, true, 0xffff},
    {"CRC-16/KERMIT",      "CRC-16/CCITT",       16, 0x1021, 0, true, 0},
    {"CRC-16/MODBUS",      nullptr,              16, 0x8005, 0xffff, true, 0},
    {"CRC-16/SPI-FUJITSU", "CRC-16/AUG-CCITT",   16, 0x1021, 0x1d0f, false, 0},
    {"CRC-16/UMTS",        "CRC-16/BUYPASS",     16, 0x8005, 0, false, 0},
    {"CRC-16/USB",         nullptr,              16, 0x8005, 0xffff, true, 0xffff},
    {"CRC-16/XMODEM",      nullptr,              16, 0x1021, 0, false, 0},
    {"CRC-24/OPENPGP",     "CRC-24",             24, 0x864cfb, 0xb704ce, false, 0},
    {"CRC-32/ISO-HDLC",    "CRC-32",             32, 0x04c11db7, 0xffffffff, true, 0xffffffff},
    {"CRC-32/AUTOSAR",     nullptr,              32, 0xf4acfb13, 0xffffffff, true, 0xffffffff},
    {"CRC-32/BZIP2",       nullptr,              32, 0x04c11db7, 0xffffffff, false, 0xffffffff},
    {"CRC-32/CKSUM",       nullptr,              32, 0x04c11db7, 0, false, 0xffffffff},
    {"CRC-32/ISCSI",       "CRC-32C",            32, 0x1edc6f41, 0xffffffff, true, 0xffffffff},
    {"CRC-32/JAMCRC",      nullptr,              32, 0x04c11db7, 0xffffffff, true, 0},
    {"CRC-32/MPEG-2",      nullptr,              32, 0x04c11db7, 0xffffffff, false, 0},
    {"CRC-64/ECMA-182",    nullptr,              64, 0x42f0e1eba9ea3693, 0, false, 0},
    {"CRC-64/GO-ISO",      nullptr,              64, 0x1b, ~uint64_t(0), true, ~uint64_t(0)},
    {"CRC-64/WE",          nullptr,              64, 0x42f0e1eba9ea3693, ~uint64_t(0), false, ~uint64_t(0)},
    {"CRC-64/XZ",          "CRC-64",             64, 0x42f0e1eba9ea3693, ~uint64_t(0), true, ~uint64_t(0)},
};
// clang-format on

const CrcKind *findCrc(StringRef name) {
  for (const CrcKind &kind : kKinds)
    if (name.equals_insensitive(kind.name) ||
        (kind.alias && name.equals_insensitive(kind.alias)))
      return &kind;
  return nullptr;
}

std::string crcNames() {
  std::string names;
  for (const CrcKind &kind : kKinds)
    names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

Crc::Crc(const CrcKind &kind) : kind(kind) {
  const unsigned up = 64 - kind.width;
  constexpr uint64_t top = uint64_t(1) << 63;
  for (uint64_t byte = 0; byte < table.size(); ++byte) {
    uint64_t rest = byte << 56;
    for (int bit = 0; bit < 8; ++bit)
      rest = rest & top ? (rest << 1) ^ (kind.polynomial << up) : rest << 1;
    table[byte] = rest;
  }
  state = kind.initial << up;
}

void Crc::add(uint8_t byte, uint64_t count) {
  if (kind.reflected)
    byte = reverseBits(byte);
  while (count--)
    state = (state << 8) ^ table[(state >> 56) ^ byte];
}

uint64_t Crc::value() const {
  const uint64_t result =
      kind.reflected ? reverseBits(state) : state >> (64 - kind.width);
  return result ^ kind.finalXor;
}

} // namespace xlink
