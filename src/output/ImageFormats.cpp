//===- ImageFormats.cpp ---------------------------------------------------===//
//
// Problem: who programs a flash memory or fills the memory of a simulation
// reads no ELF files, but text with a few bytes a line and their address.
//
// Method: a function for each format, from blocks of bytes to the file, and a
// table of them. The files are those that objcopy of binutils writes from the
// ELF output, byte for byte, so that a build can leave objcopy out and see that
// nothing changed: lines of 16 bytes that end as in DOS and begin anew with
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
// Which bytes are loaded where is Images.cpp's business, and says there what
// objcopy sees in another way.
//
// Cost: linear in the bytes, of which a text takes two to three for each.
//
//===----------------------------------------------------------------------===//
#include "output/ImageFormats.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

/// Bytes of data in a line of each format.
constexpr size_t kLine = 16;
/// Characters of a line with so many bytes, in whichever format.
constexpr size_t kLongestLine = 50;

/// The text of a file, as it grows.
class HexText {
public:
  explicit HexText(const Image &image) {
    size_t lines = 4;
    for (const ImageBlock &block : image.blocks)
      lines += block.bytes.size() / kLine + 2;
    out.reserve(lines * kLongestLine);
  }
  void put(StringRef text) { out.insert(out.end(), text.begin(), text.end()); }
  void byte(uint8_t value) {
    constexpr char digits[] = "0123456789ABCDEF";
    out.push_back(uint8_t(digits[value >> 4]));
    out.push_back(uint8_t(digits[value & 15]));
    sum += value;
  }
  /// The low bytes of a number, the highest of them first.
  void number(uint64_t value, unsigned bytes) {
    while (bytes-- > 0)
      byte(uint8_t(value >> (8 * bytes)));
  }
  void endLine() { put("\r\n"); }

  std::vector<uint8_t> out;
  uint8_t sum = 0; ///< of the bytes since it was set to 0
};

//===----------------------------------------------------------------------===//
// Bytes alone
//===----------------------------------------------------------------------===//

std::vector<uint8_t> writeBinary(const Image &image) {
  if (image.blocks.empty())
    return {};
  std::vector<uint8_t> out(image.blocks.back().end().sizeFrom(image.begin),
                           image.fill);
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
  kSegment,      ///< the upper 16 of 20 bits of what data is counted from
  kStartSegment, ///< CS and IP of the entry
  kLinear,       ///< the upper 16 of 32 bits of it
  kStartLinear,  ///< the entry
};

class IntelHexWriter {
public:
  explicit IntelHexWriter(const Image &image) : image(image), text(image) {}
  std::vector<uint8_t> run();

private:
  void record(IntelRecord type, uint16_t offset, ArrayRef<uint8_t> bytes);
  void numberRecord(IntelRecord type, uint64_t number, unsigned bytes);
  void moveBase(uint32_t address);
  void start(uint32_t entry);

  const Image &image;
  HexText text;
  uint32_t base = 0;      ///< what offsets of data are counted from
  bool inSegment = false; ///< by a record of type 02
};

} // namespace

void IntelHexWriter::record(IntelRecord type, uint16_t offset,
                            ArrayRef<uint8_t> bytes) {
  text.put(":");
  text.sum = 0;
  text.byte(uint8_t(bytes.size()));
  text.number(offset, 2);
  text.byte(type);
  for (uint8_t byte : bytes)
    text.byte(byte);
  text.byte(uint8_t(-text.sum));
  text.endLine();
}

/// A record without an address, of a number.
void IntelHexWriter::numberRecord(IntelRecord type, uint64_t number,
                                  unsigned bytes) {
  uint8_t data[4];
  for (unsigned i = 0; i < bytes; ++i)
    data[i] = uint8_t(number >> (8 * (bytes - 1 - i)));
  record(type, 0, {data, bytes});
}

/// Lets the offsets of data reach an address that they do not reach yet.
/// Segments suffice below 1 MiB, which readers of 16 bits know too.
void IntelHexWriter::moveBase(uint32_t address) {
  base = address & 0xffff0000;
  if (address <= 0xfffff) {
    numberRecord(kSegment, base >> 4, 2);
    inSegment = true;
    return;
  }
  // Some readers add the two kinds of base.
  if (inSegment)
    numberRecord(kSegment, 0, 2);
  inSegment = false;
  numberRecord(kLinear, base >> 16, 2);
}

void IntelHexWriter::start(uint32_t entry) {
  if (entry == 0)
    return;
  if (entry <= 0xfffff)
    numberRecord(kStartSegment,
                 uint64_t(entry & 0xf0000) << 12 | (entry & 0xffff), 4);
  else
    numberRecord(kStartLinear, entry, 4);
}

std::vector<uint8_t> IntelHexWriter::run() {
  for (const ImageBlock &block : image.blocks) {
    ArrayRef<uint8_t> rest = block.bytes;
    uint32_t address = uint32_t(block.address.value());
    while (!rest.empty()) {
      if (address - base > 0xffff)
        moveBase(address);
      // Offsets have 16 bits and do not carry.
      const uint32_t offset = address - base;
      const size_t count =
          std::min({rest.size(), kLine, size_t(0x10000 - offset)});
      record(kData, uint16_t(offset), rest.take_front(count));
      rest = rest.drop_front(count);
      address += uint32_t(count);
    }
  }
  start(uint32_t(image.entry));
  record(kEnd, 0, {});
  return std::move(text.out);
}

static std::vector<uint8_t> writeIntelHex(const Image &image) {
  return IntelHexWriter(image).run();
}

//===----------------------------------------------------------------------===//
// S-records
//===----------------------------------------------------------------------===//

/// S0 to S9: `addressBytes` of the address, then the data, and the complement
/// of the sum of all of these and their count.
static void sRecord(HexText &text, char type, uint64_t address,
                    unsigned addressBytes, ArrayRef<uint8_t> bytes) {
  text.put("S");
  text.put(StringRef(&type, 1));
  text.sum = 0;
  text.byte(uint8_t(addressBytes + bytes.size() + 1));
  text.number(address, addressBytes);
  for (uint8_t byte : bytes)
    text.byte(byte);
  text.byte(uint8_t(~text.sum));
  text.endLine();
}

static std::vector<uint8_t> writeSRecords(const Image &image) {
  // The largest address decides on the type of all.
  uint64_t largest = image.entry;
  for (const ImageBlock &block : image.blocks)
    largest =
        std::max(largest, block.address.value() + (block.bytes.size() - 1));
  const unsigned type = largest <= 0xffff ? 1 : largest <= 0xffffff ? 2 : 3;
  const unsigned addressBytes = type + 1;

  HexText text(image);
  // The file's name; its end is cut off, as lines were once short.
  const StringRef name = image.name.take_front(40);
  sRecord(text, '0', 0, 2,
          {reinterpret_cast<const uint8_t *>(name.data()), name.size()});
  for (const ImageBlock &block : image.blocks)
    for (size_t at = 0; at < block.bytes.size(); at += kLine)
      sRecord(text, char('0' + type), block.address.value() + at, addressBytes,
              block.bytes.drop_front(at).take_front(kLine));
  sRecord(text, char('0' + 10 - type), image.entry, addressBytes, {});
  return std::move(text.out);
}

//===----------------------------------------------------------------------===//
// Verilog
//===----------------------------------------------------------------------===//

/// For $readmemh of a memory of bytes. It has no place for the entry.
static std::vector<uint8_t> writeVerilog(const Image &image) {
  HexText text(image);
  for (const ImageBlock &block : image.blocks) {
    const uint64_t address = block.address.value();
    text.put("@");
    text.number(address, address <= 0xffffffff ? 4 : 8);
    text.endLine();
    for (size_t at = 0; at < block.bytes.size(); at += kLine) {
      const size_t end = std::min(at + kLine, block.bytes.size());
      for (size_t i = at; i < end; ++i) {
        text.put(i == at ? "" : " ");
        text.byte(block.bytes[i]);
      }
      text.endLine();
    }
  }
  return std::move(text.out);
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
