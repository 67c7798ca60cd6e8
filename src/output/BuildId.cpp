//===- BuildId.cpp --------------------------------------------------------===//
//
// Problem: a debugger or a crash report has to find the file that a program
// came from; names and times say nothing, and the note that does is part of
// what it identifies.
//
// Method: the hash is that of the finished file, in which the note's own bytes
// are zero, as are the places of --crc, which covers the note: headers, symbols
// and debugging sections count. So equal links give equal notes, and who sets
// the bytes to zero can check them. GNU ld hashes the same things in another
// order: its note of a link is another one.
//
// Cost: the output is held in memory as a whole, and hashed by one thread.
//
//===----------------------------------------------------------------------===//
#include "output/BuildId.h"
#include "sections/SyntheticSections.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/SHA1.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

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

void fillBuildId(const Link &link, const FileLayout &layout,
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
    uint8_t bytes[8];
    support::endian::write64le(bytes, xxh3_64bits(ArrayRef<uint8_t>(image)));
    return put(bytes);
  }
  default:
    return;
  }
}

} // namespace xlink
