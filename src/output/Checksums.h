//===- Checksums.h - --crc and --build-id: hashes of the output in it -----===//
#ifndef XLINK_OUTPUT_CHECKSUMS_H
#define XLINK_OUTPUT_CHECKSUMS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/FileLayout.h"

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

/// One --crc at work.
struct Checksum {
  const CrcRequest *request;
  const CrcKind *kind;
  OutputId output;    ///< the section that holds its place, at
  Size offset;        ///< this offset
  Address place;      ///< which is loaded to this address
  Address begin, end; ///< the range

  Address placeEnd() const { return place + kind->bytes(); }
};

/// All of a link, in the order of the command line; reports those that have no
/// range or no place, and those that would change bytes that another one has
/// checked.
std::vector<Checksum>
findChecksums(const Link &link, const SymbolValues &values, Diagnostics &diag);

/// Whether --build-id asks for a hash of the output, and the script has not
/// discarded the note; warns where it has.
bool hashesOutput(const Link &link, Diagnostics &diag);

/// Puts into `image`, the whole output, the hash of --build-id, if
/// `identifies`, and then the checksums, one after the other, each into its
/// place.
void fillHashes(const Link &link, const FileLayout &layout,
                llvm::ArrayRef<Checksum> checksums, bool identifies,
                llvm::MutableArrayRef<uint8_t> image);

} // namespace xlink
#endif
