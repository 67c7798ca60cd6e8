//===- Checksums.cpp - --crc and --build-id: hashes of the output in it ---===//
//
// Problem: a program that checks its own memory needs a number that depends on
// all loaded bytes, and stands among them. A debugger or a crash report finds
// the file of a program by a note that is part of that file.
//
// Method: both are made when everything else is in its place. For --crc the
// loaded bytes of a range are read by load address. Where nothing is loaded,
// the byte of --gap-fill counts, or zero, as in a binary image. The place of
// the result does not count at all: the byte in front of it is followed by the
// one behind it. So a check of the program needs no copy of it, only two calls,
// and one where the place stands at an end of the range.
//
// A range can hold the places of others. They are computed in the order of the
// command line, so a later one sees final bytes; one that would see a place
// that is filled later is an error.
//
// The hash of --build-id comes first. It is that of the finished file, in which
// the note's own bytes are zero, as are the places of --crc: headers, symbols
// and debugging sections count. So equal links give equal notes, and a reader
// that sets the bytes to zero can check them. GNU ld hashes the same things in
// another order: its note of a link is another one.
//
// A boot loader or a peripheral checks a program with the CRC that it happens
// to have, and there are dozens, which differ in few parameters: those of the
// catalogue's model. A table, made from the polynomial, has the remainder of
// each byte. The register is kept in the upper bits of 64, so that one loop
// serves every width; where bits come lowest first, bytes and result are
// reversed.
//
// Cost: the output in memory as a whole; one pass over the bytes of each range,
// and one over the file.
//
//===----------------------------------------------------------------------===//
#include "output/Checksums.h"
#include "base/ByteOrder.h"
#include "output/SectionBytes.h"
#include "sections/SyntheticSections.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/SHA1.h"
#include <array>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Kinds of CRC
//===----------------------------------------------------------------------===//

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

namespace {

/// A CRC of bytes that come in pieces.
class Crc {
public:
  explicit Crc(const CrcKind &kind) : kind(kind) {
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
  /// Adds `count` bytes of this value.
  void add(uint8_t byte, uint64_t count = 1) {
    if (kind.reflected)
      byte = reverseBits(byte);
    while (count--)
      state = (state << 8) ^ table[(state >> 56) ^ byte];
  }
  void add(ArrayRef<uint8_t> bytes) {
    for (uint8_t byte : bytes)
      add(byte);
  }
  uint64_t value() const {
    const uint64_t result =
        kind.reflected ? reverseBits(state) : state >> (64 - kind.width);
    return result ^ kind.finalXor;
  }

private:
  const CrcKind &kind;
  std::array<uint64_t, 256> table;
  uint64_t state; ///< in the upper bits
};

} // namespace

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// The beginning of messages about one.
static std::string nameOf(const CrcRequest &request) {
  return "option '--crc=" + request.text + "': ";
}

/// The range of a region: as in its binary image, from its beginning to the
/// last byte that is loaded into it.
static void findRange(const Link &link, Checksum &sum) {
  if (sum.request->range) {
    sum.begin = sum.request->range->first;
    sum.end = sum.request->range->second;
    return;
  }
  const RegionPlace &region =
      link.addresses.regions[link.program.regionNamed(sum.request->region)];
  sum.begin = sum.end = region.origin;
  for (const LoadedBytes &bytes :
       loadedBytes(link, region.origin, region.end()))
    sum.end = std::max(sum.end, bytes.end());
}

/// The problem of a range: nothing in it, two bytes for one address, or filler
/// beyond any use. "": it has none.
static std::string rangeProblem(const Link &link, const Checksum &sum) {
  const std::vector<LoadedBytes> loaded = loadedBytes(link, sum.begin, sum.end);
  if (loaded.empty())
    return sum.request->range ? "nothing is loaded there"
                              : "nothing is loaded into memory region '" +
                                    sum.request->region + "'";
  if (std::string overlap = overlapText(link, loaded); !overlap.empty())
    return overlap;
  Size padding = sum.end.sizeFrom(sum.begin);
  for (const LoadedBytes &bytes : loaded)
    padding = padding - bytes.size;
  if (padding > kMaxPadding)
    return "the range would hold " + std::to_string(padding) +
           " bytes of filler";
  return "";
}

/// Finds the place of the result; "": found, else the problem of the symbol.
static std::string findPlace(const Link &link, const SymbolValues &values,
                             Checksum &sum) {
  const Program &program = link.program;
  const std::string &name = sum.request->symbol;
  const std::string shown = "symbol '" + program.shownName(name) + "' ";
  const SymbolId id = program.symbols.find(name);
  if (id == kNone)
    return shown + "is not defined";
  const BoundSymbol symbol = link.symbol(id);
  if (!symbol.isDefined())
    return shown + "is not defined";
  if (symbol.kind == SymbolKind::Defined && !link.placed(symbol.section))
    return shown + "is in no section of the output";
  sum.output = symbol.kind == SymbolKind::Output ? symbol.output
               : symbol.kind == SymbolKind::Defined
                   ? link.section(symbol.section).output
                   : OutputId();
  if (sum.output == kNone)
    return shown + "is a number, and no place in a section";
  const OutputView out = link.output(sum.output);
  if (!out.hasBytes() || !out.isAlloc())
    return shown + "is in section '" + out.name +
           "', which has no bytes that are loaded";
  const uint64_t bytes = sum.kind->bytes();
  const Address at = values.globals[id];
  if (at < out.address || at.sizeFrom(out.address) > out.size ||
      out.size - at.sizeFrom(out.address) < bytes)
    return shown + "leaves no room for " + std::to_string(bytes) +
           " bytes in section '" + out.name + "'";
  if (symbol.size && symbol.size < bytes)
    return shown + "has " + std::to_string(symbol.size) + " bytes, " +
           sum.kind->name + " has " + std::to_string(bytes);
  sum.offset = at.sizeFrom(out.address);
  sum.place = link.loadedTo()[out.id] + sum.offset;
  return "";
}

/// Whether a result that comes later changes bytes that this one has checked,
/// or overwrites this one.
static bool overlaps(Address begin, Address end, const Checksum &later) {
  return later.place < end && begin < later.placeEnd();
}

static void checkOrder(const Link &link, ArrayRef<Checksum> sums,
                       Diagnostics &diag) {
  for (size_t i = 0; i < sums.size(); ++i)
    for (size_t k = i + 1; k < sums.size(); ++k) {
      const std::string name =
          "'" + link.program.shownName(sums[k].request->symbol) + "'";
      if (overlaps(sums[i].place, sums[i].placeEnd(), sums[k]))
        diag.error(nameOf(*sums[k].request) + "its place is that of '" +
                   link.program.shownName(sums[i].request->symbol) + "'");
      else if (overlaps(sums[i].begin, sums[i].end, sums[k]))
        diag.error(nameOf(*sums[i].request) + "the range holds " + name +
                       ", which is computed later",
                   {"--crc options take effect in their order: that of " +
                    name + " has to stand in front"});
    }
}

std::vector<Checksum>
findChecksums(const Link &link, const SymbolValues &values, Diagnostics &diag) {
  std::vector<Checksum> sums;
  for (const CrcRequest &request : link.program.config.crcs) {
    if (!request.range && link.program.regionNamed(request.region) == kNone)
      continue; // was reported
    Checksum sum{};
    sum.request = &request;
    sum.kind = findCrc(request.kind);
    findRange(link, sum);
    std::string problem = findPlace(link, values, sum);
    if (problem.empty())
      problem = rangeProblem(link, sum);
    if (problem.empty())
      sums.push_back(sum);
    else
      diag.error(nameOf(request) + problem);
  }
  checkOrder(link, sums, diag);
  return sums;
}

bool hashesOutput(const Link &link, Diagnostics &diag) {
  const SectionId note = link.program.buildIdNote;
  if (note == kNone)
    return false;
  if (!link.placed(note)) {
    diag.warn(WarningGroup::General, "the script discards '.note.gnu.build-id':"
                                     " --build-id has no effect");
    return false;
  }
  const BuildIdKind kind = link.program.config.buildId;
  return kind != BuildIdKind::Given && kind != BuildIdKind::Uuid;
}

/// Puts the hash of the output into its note, which holds zeros until then.
static void fillBuildId(const Link &link, const FileLayout &layout,
                        MutableArrayRef<uint8_t> image) {
  const SectionView note = link.section(link.program.buildIdNote);
  const Size at = layout.offsets[note.output] + note.offset + kBuildIdHeader;
  const uint64_t size = note.size - kBuildIdHeader;
  if (!layout.written[note.output] || at > image.size() ||
      size > image.size() - at)
    return; // NOLOAD: it has no bytes in the file
  auto put = [&](ArrayRef<uint8_t> hash) {
    std::copy_n(hash.begin(), std::min<uint64_t>(size, hash.size()),
                image.begin() + uint64_t(at));
  };
  switch (link.program.config.buildId) {
  case BuildIdKind::Md5:
    return put(MD5::hash(image));
  case BuildIdKind::Sha1:
    return put(SHA1::hash(image));
  case BuildIdKind::Fast: {
    uint8_t bytes[8]; // in one order on all machines, as lld has it
    writeNumber(xxh3_64bits(ArrayRef<uint8_t>(image)), bytes, /*isBig=*/false);
    return put(bytes);
  }
  default:
    return;
  }
}

/// Adds the bytes of a range from `begin` to `end`.
static void addRange(const Link &link, const FileLayout &layout,
                     ArrayRef<uint8_t> image, Address begin, Address end,
                     Crc &crc) {
  const uint8_t filler = link.program.config.gapFill.value_or(0);
  Address at = begin;
  for (const LoadedBytes &bytes : loadedBytes(link, begin, end)) {
    crc.add(filler, bytes.address.sizeFrom(at));
    crc.add(
        image.slice(layout.offsets[bytes.output] + bytes.offset, bytes.size));
    at = bytes.end();
  }
  crc.add(filler, end.sizeFrom(at));
}

void fillHashes(const Link &link, const FileLayout &layout,
                ArrayRef<Checksum> checksums, bool identifies,
                MutableArrayRef<uint8_t> image) {
  const auto placeIn = [&](const Checksum &sum) {
    return image.slice(layout.offsets[sum.output] + sum.offset,
                       sum.kind->bytes());
  };
  for (const Checksum &sum : checksums)
    for (uint8_t &byte : placeIn(sum))
      byte = 0;
  if (identifies)
    fillBuildId(link, layout, image);
  for (const Checksum &sum : checksums) {
    Crc crc(*sum.kind);
    // Its own place is left out, wherever it stands.
    const Address front = std::clamp(sum.place, sum.begin, sum.end);
    const Address back = std::clamp(sum.placeEnd(), sum.begin, sum.end);
    addRange(link, layout, image, sum.begin, front, crc);
    addRange(link, layout, image, back, sum.end, crc);
    writeNumber(crc.value(), placeIn(sum), link.program.target->isBig);
  }
}

} // namespace xlink
