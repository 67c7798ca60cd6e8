//===- Inflate.cpp --------------------------------------------------------===//
#include "input/Inflate.h"
#include "base/ByteOrder.h"
#include "input/ObjectReader.h"
#include "llvm/ADT/Twine.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Compression.h"
#include <new>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

/// The most that a byte can stand for. DEFLATE: 258 bytes for two bits of one
/// bit each, length and distance (RFC 1951, 3.2.5).
static constexpr uint64_t kDeflateRatio = 258 * 8 / 2;
/// Zstandard: a block of four bytes that repeats one of them, up to 128 KB (RFC
/// 8878, 3.1.1.2).
static constexpr uint64_t kZstdRatio = (uint64_t(128) << 10) / 4;
static constexpr uint64_t kMaxInflated = uint64_t(4) << 30;

static Error fail(const Twine &text) {
  return createStringError(inconvertibleErrorCode(), text);
}

Expected<Inflated> inflateSection(ArrayRef<uint8_t> contents, bool is64,
                                  bool isBig) {
  const uint32_t headerSize = elfSizes(is64).compression;
  if (contents.size() < headerSize)
    return fail("sh_size " + hex(contents.size()) +
                " is too small for a compression header (" + hex(headerSize) +
                " bytes)");
  RecordReader header(contents.data(), is64, isBig);
  const uint32_t type = header.number();
  if (is64)
    header.number(); // ch_reserved
  const uint64_t size = header.word(), align = header.word();
  if (type != ELFCOMPRESS_ZLIB && type != ELFCOMPRESS_ZSTD)
    return fail("ch_type " + hex(type) + " is neither zlib nor zstd");
  if (const char *fault = alignmentFault(align))
    return fail("ch_addralign " + hex(align) + fault);
  const ArrayRef<uint8_t> packed = contents.drop_front(headerSize);
  const bool isZlib = type == ELFCOMPRESS_ZLIB;
  const uint64_t ratio = isZlib ? kDeflateRatio : kZstdRatio;
  if (size > kMaxInflated || size / ratio > packed.size())
    return fail("ch_size " + hex(size) + " is too large for " +
                hex(packed.size()) + " compressed bytes");
  const auto format =
      isZlib ? compression::Format::Zlib : compression::Format::Zstd;
  const char *formatName = isZlib ? "zlib" : "zstd";
  if (const char *reason = compression::getReasonIfUnsupported(format))
    return fail(Twine(formatName) + " contents cannot be read: " + reason);

  Inflated result;
  result.bytes.reset(new (std::nothrow) uint8_t[size]);
  if (!result.bytes)
    return fail("not enough memory for ch_size " + hex(size));
  size_t got = size;
  if (Error problem =
          isZlib
              ? compression::zlib::decompress(packed, result.bytes.get(), got)
              : compression::zstd::decompress(packed, result.bytes.get(), got))
    return fail(Twine(formatName) + " contents cannot be decompressed: " +
                toString(std::move(problem)));
  if (got != size)
    return fail("ch_size is " + hex(size) + ", but the " + formatName +
                " contents have " + hex(got) + " bytes");
  result.size = size;
  result.align = align ? align : 1;
  return result;
}

} // namespace xlink
