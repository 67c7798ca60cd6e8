//===- ImageFormats.cpp ---------------------------------------------------===//
//
// Problem: programmers of flash memories and simulations read no ELF files, but
// text with a few bytes a line and their address.
//
// Method: a function for each format, from blocks of bytes to the file, and a
// table of them. The files are those that objcopy of binutils writes from the
// ELF output, byte for byte, so that a build can leave objcopy out without a
// change: lines of 16 bytes that end as in DOS and begin anew with
// each section, one type of S-record for the whole file and none that counts
// them (S5), and Intel HEX with segments (record types 02 and 03) below 1 MiB
// and linear addresses (04 and 05) above. They differ where objcopy loses
// something:
//
//   * S-records whose type has no room for the entry are of the next type that
//     has; objcopy cuts the entry's upper bytes off.
//   * Load addresses beyond 32 bits are errors; objcopy cuts them off in
//     S-records, and takes the topmost 2 GiB of 64 bits for 32-bit addresses in
//     Intel HEX.
//
// Images.cpp decides which bytes are loaded where, and has the differences to
// objcopy in that.
//
// Cost: linear in the bytes, of which a text takes two to three for each.
//
//===----------------------------------------------------------------------===//
#include "output/Images.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace llvm;

namespace xlink {

/// Bytes of data in a line of each text format.
static constexpr size_t kLine = 16;

/// The bytes of a record, and the file as far as it is written.
using RecordBytes = SmallVector<uint8_t, 32>;
using FileBytes = std::vector<uint8_t>;

/// Appends the low bytes of a number, the highest of them first.
static void appendNumber(RecordBytes &to, uint64_t value, unsigned bytes) {
  while (bytes-- > 0)
    to.push_back(uint8_t(value >> (8 * bytes)));
}

static void appendLine(FileBytes &out, const Twine &line) {
  const std::string text = (line + "\r\n").str();
  out.insert(out.end(), text.begin(), text.end());
}

static uint8_t sumOf(ArrayRef<uint8_t> bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), uint8_t(0));
}

//===----------------------------------------------------------------------===//
// Bytes alone
//===----------------------------------------------------------------------===//

static FileBytes writeBinary(const Image &image) {
  if (image.blocks.empty())
    return {};
  FileBytes out(image.blocks.back().end().sizeFrom(image.begin), image.fill);
  for (const ImageBlock &block : image.blocks)
    std::copy(block.bytes.begin(), block.bytes.end(),
              out.begin() + block.address.sizeFrom(image.begin));
  return out;
}

//===----------------------------------------------------------------------===//
// Intel HEX
//===----------------------------------------------------------------------===//

/// The types of its records.
enum IntelRecord : uint8_t {
  kData,
  kEnd,
  kSegment,      ///< the upper 16 of 20 bits of the base of data's offsets
  kStartSegment, ///< CS and IP of the entry
  kLinear,       ///< the upper 16 of 32 bits of that base
  kStartLinear,  ///< the entry
};

static void intelRecord(FileBytes &out, IntelRecord type, uint32_t offset,
                        ArrayRef<uint8_t> data) {
  RecordBytes record = {uint8_t(data.size())};
  appendNumber(record, offset, 2);
  record.push_back(type);
  record.append(data.begin(), data.end());
  record.push_back(uint8_t(-sumOf(record)));
  appendLine(out, ":" + toHex(record));
}

/// A record without an address, of a number.
static void intelNumber(FileBytes &out, IntelRecord type, uint64_t number,
                        unsigned bytes) {
  RecordBytes data;
  appendNumber(data, number, bytes);
  intelRecord(out, type, 0, data);
}

static FileBytes writeIntelHex(const Image &image) {
  FileBytes out;
  uint32_t base = 0;      // of the offsets of data
  bool inSegment = false; // set by a record of type 02
  for (const ImageBlock &block : image.blocks) {
    ArrayRef<uint8_t> rest = block.bytes;
    uint32_t address = uint32_t(block.address.value());
    while (!rest.empty()) {
      if (address - base > 0xffff) {
        base = address & 0xffff0000;
        // Segments suffice below 1 MiB, which readers of 16 bits know too. Some
        // readers add the two kinds of base.
        const bool needsSegment = address <= 0xfffff;
        if (needsSegment || inSegment)
          intelNumber(out, kSegment, needsSegment ? base >> 4 : 0, 2);
        if (!needsSegment)
          intelNumber(out, kLinear, base >> 16, 2);
        inSegment = needsSegment;
      }
      // Offsets have 16 bits and do not carry.
      const uint32_t offset = address - base;
      const size_t count =
          std::min({rest.size(), kLine, size_t(0x10000 - offset)});
      intelRecord(out, kData, offset, rest.take_front(count));
      rest = rest.drop_front(count);
      address += uint32_t(count);
    }
  }
  const uint32_t entry = uint32_t(image.entry);
  if (entry > 0xfffff)
    intelNumber(out, kStartLinear, entry, 4);
  else if (entry)
    intelNumber(out, kStartSegment,
                uint64_t(entry & 0xf0000) << 12 | (entry & 0xffff), 4);
  intelRecord(out, kEnd, 0, {});
  return out;
}

//===----------------------------------------------------------------------===//
// S-records
//===----------------------------------------------------------------------===//

/// S0 to S9: `addressBytes` of the address, then the data, and the complement
/// of the sum of all of these and their count.
static void sRecord(FileBytes &out, unsigned type, uint64_t address,
                    unsigned addressBytes, ArrayRef<uint8_t> data) {
  RecordBytes record = {uint8_t(addressBytes + data.size() + 1)};
  appendNumber(record, address, addressBytes);
  record.append(data.begin(), data.end());
  record.push_back(uint8_t(~sumOf(record)));
  appendLine(out, "S" + Twine(type) + toHex(record));
}

static FileBytes writeSRecords(const Image &image) {
  // The largest address decides on the type of all.
  uint64_t largest = image.entry;
  for (const ImageBlock &block : image.blocks)
    largest =
        std::max(largest, block.address.value() + (block.bytes.size() - 1));
  const unsigned type = largest <= 0xffff ? 1 : largest <= 0xffffff ? 2 : 3;
  const unsigned addressBytes = type + 1;

  FileBytes out;
  // The file's name; its end is cut off, as lines were once short.
  sRecord(out, 0, 0, 2, arrayRefFromStringRef(image.name.take_front(40)));
  for (const ImageBlock &block : image.blocks)
    for (size_t at = 0; at < block.bytes.size(); at += kLine)
      sRecord(out, type, block.address.value() + at, addressBytes,
              block.bytes.drop_front(at).take_front(kLine));
  sRecord(out, 10 - type, image.entry, addressBytes, {});
  return out;
}

//===----------------------------------------------------------------------===//
// Verilog
//===----------------------------------------------------------------------===//

/// For $readmemh of a memory of bytes. It has no place for the entry.
static FileBytes writeVerilog(const Image &image) {
  FileBytes out;
  for (const ImageBlock &block : image.blocks) {
    RecordBytes address;
    appendNumber(address, block.address.value(),
                 block.address.value() <= 0xffffffff ? 4 : 8);
    appendLine(out, "@" + toHex(address));
    for (size_t at = 0; at < block.bytes.size(); at += kLine) {
      const auto line = block.bytes.drop_front(at).take_front(kLine);
      appendLine(
          out,
          join(map_range(line, [](uint8_t byte) { return toHex(byte); }), " "));
    }
  }
  return out;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

const ImageFormat *findImageFormat(OutputFormat format) {
  static constexpr Address end32 = uint64_t(1) << 32;
  static constexpr ImageFormat formats[] = {
      {OutputFormat::Binary, "a binary file", Address::end(), false,
       writeBinary},
      {OutputFormat::IntelHex, "Intel HEX", end32, true, writeIntelHex},
      {OutputFormat::SRecord, "S-records", end32, true, writeSRecords},
      {OutputFormat::Verilog, "Verilog's format", Address::end(), true,
       writeVerilog},
  };
  for (const ImageFormat &row : formats)
    if (row.format == format)
      return &row;
  return nullptr;
}

} // namespace xlink
