//===- Checksums.h - --crc: checks of loaded bytes, among them ------------===//
#ifndef XLINK_OUTPUT_CHECKSUMS_H
#define XLINK_OUTPUT_CHECKSUMS_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/Crc.h"
#include "output/FileLayout.h"
#include <vector>

namespace xlink {

/// Reports regions that --crc names and the script does not have.
void checkCrcRegions(const Program &program, Diagnostics &diag);

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
/// range or no place, and such that would change what another one has checked.
std::vector<Checksum>
findChecksums(const Link &link, const SymbolValues &values, Diagnostics &diag);

/// Puts zeros into the places of all of them. `image` is what is written, as
/// `layout` has it.
void clearChecksums(llvm::ArrayRef<Checksum> checksums,
                    const FileLayout &layout,
                    llvm::MutableArrayRef<uint8_t> image);

/// Computes them one after the other, each into its place.
void fillChecksums(const Link &link, llvm::ArrayRef<Checksum> checksums,
                   const FileLayout &layout,
                   llvm::MutableArrayRef<uint8_t> image);

} // namespace xlink
#endif
