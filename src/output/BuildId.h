//===- BuildId.h - the note that identifies an output ---------------------===//
#ifndef XLINK_OUTPUT_BUILDID_H
#define XLINK_OUTPUT_BUILDID_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "output/FileLayout.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace xlink {

/// Whether --build-id asks for a hash of the output, and the script has not
/// discarded the note; warns where it has.
bool hashesOutput(const Link &link, Diagnostics &diag);

/// Puts the hash of `image`, the whole output, into its note, which holds zeros
/// until then.
void fillBuildId(const Link &link, const FileLayout &layout,
                 llvm::MutableArrayRef<uint8_t> image);

} // namespace xlink
#endif
