//===- SectionContents.cpp - compression, mergeability, notes -------------===//
//
// Compressed sections (debug information, as a rule) are inflated while the
// object is parsed, in the parsing thread: all later passes see plain bytes.
// The input states the size to allocate, so it is limited to the most that the
// compressed bytes can hold.
//
// Some machines have a note in place of e_flags. Notes are {u32 name size, u32
// description size, u32 type, name, description}, both texts padded to
// multiples of 4, in sequence in SHT_NOTE sections. A note that runs beyond its
// section ends the section: a damaged note is no reason to refuse an object.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
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

void ObjectReader::inflate(uint32_t index) {
  ParsedSection &section = object->sections[index];
  auto fail = [&](const Twine &text) { headerError(index, text); };
  if (section.flags & SHF_ALLOC)
    return fail("SHF_COMPRESSED and SHF_ALLOC exclude each other");
  if (section.isNoBits())
    return fail("SHF_COMPRESSED in a section without contents");
  if (section.size < sizes.compression)
    return fail("sh_size " + hex(section.size) +
                " is too small for a compression header (" +
                hex(sizes.compression) + " bytes)");
  RecordReader header(section.bytes, target.is64, target.isBig);
  const uint32_t type = header.number();
  if (target.is64)
    header.number(); // ch_reserved
  const uint64_t size = header.word(), align = header.word();
  if (type != ELFCOMPRESS_ZLIB && type != ELFCOMPRESS_ZSTD)
    return fail("ch_type " + hex(type) + " is neither zlib nor zstd");
  if (const char *fault = alignmentFault(align))
    return fail("ch_addralign " + hex(align) + fault);
  ArrayRef<uint8_t> packed = section.data().drop_front(sizes.compression);
  const bool isZlib = type == ELFCOMPRESS_ZLIB;
  const uint64_t ratio = isZlib ? kDeflateRatio : kZstdRatio;
  if (size > kMaxInflated || size / ratio > packed.size())
    return fail("ch_size " + hex(size) + " is too large for " +
                hex(packed.size()) + " compressed bytes");
  auto format = isZlib ? compression::Format::Zlib : compression::Format::Zstd;
  const char *formatName = isZlib ? "zlib" : "zstd";
  if (const char *reason = compression::getReasonIfUnsupported(format))
    return fail(Twine(formatName) + " contents cannot be read: " + reason);

  std::unique_ptr<uint8_t[]> plain(new (std::nothrow) uint8_t[size]);
  if (!plain)
    return fail("not enough memory for ch_size " + hex(size));
  size_t got = size;
  if (Error problem =
          isZlib ? compression::zlib::decompress(packed, plain.get(), got)
                 : compression::zstd::decompress(packed, plain.get(), got))
    return fail(Twine(formatName) + " contents cannot be decompressed: " +
                toString(std::move(problem)));
  if (got != size)
    return fail("ch_size is " + hex(size) + ", but the " + formatName +
                " contents have " + hex(got) + " bytes");
  section.setData({plain.get(), size});
  section.align = align ? align : 1;
  section.flags &= ~uint64_t(SHF_COMPRESSED);
  section.wasCompressed = true;
  storage->inflated.push_back(std::move(plain));
}

/// Whether a section consists of whole entries: others are not merged (GNU ld).
static bool hasWholeEntries(const ParsedSection &section) {
  if (section.size % section.entsize != 0)
    return false;
  return !(section.flags & SHF_STRINGS) || section.size == 0 ||
         all_of(section.data().take_back(section.entsize),
                [](uint8_t byte) { return byte == 0; });
}

void ObjectReader::readContents() {
  for (uint32_t i = 1, e = object->sections.size(); i < e && !saturated();
       ++i) {
    ParsedSection &section = object->sections[i];
    // Statements are read as they are in the object that -r makes: inflated.
    const bool states =
        section.kind == SectionKind::Expr || section.kind == SectionKind::Types;
    if (section.kind != SectionKind::Regular && !states)
      continue;
    if (section.flags & SHF_COMPRESSED) {
      unsigned before = errors;
      inflate(i);
      if (errors != before)
        continue;
    }
    if (!states && (section.flags & SHF_MERGE) && !hasWholeEntries(section)) {
      section.flags &= ~uint64_t(SHF_MERGE);
      section.wasMerge = true;
    }
  }
}

/// A text without the zeros at its end.
static StringRef textOf(ArrayRef<uint8_t> bytes) {
  return toStringRef(bytes).rtrim('\0');
}

void ObjectReader::readCpuNote() {
  if (!target.cpuNoteName)
    return;
  constexpr uint64_t headerSize = 12;
  for (const ParsedSection &section : object->sections) {
    if (section.type != ELF::SHT_NOTE)
      continue;
    ArrayRef<uint8_t> rest = section.data();
    while (rest.size() >= headerSize) {
      const uint64_t nameSize = read32(rest.data(), target.isBig);
      const uint64_t textAt = headerSize + alignTo<4>(nameSize);
      const uint64_t textSize = read32(rest.data() + 4, target.isBig);
      if (textAt + textSize > rest.size())
        break;
      if (read32(rest.data() + 8, target.isBig) == target.cpuNoteType &&
          textOf(rest.slice(headerSize, nameSize)) == target.cpuNoteName) {
        object->cpu = textOf(rest.slice(textAt, textSize));
        return;
      }
      rest = rest.drop_front(
          std::min<uint64_t>(textAt + alignTo<4>(textSize), rest.size()));
    }
  }
}

} // namespace xlink
