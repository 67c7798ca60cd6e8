//===- DebugCompression.h - --compress-debug-sections ---------------------===//
#ifndef XLINK_OUTPUT_DEBUGCOMPRESSION_H
#define XLINK_OUTPUT_DEBUGCOMPRESSION_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/FileLayout.h"

namespace xlink {

/// What the file holds of debugging sections in another form: each of them that
/// is smaller so, with the header that says how it is compressed. Nothing for
/// an output that is no ELF file.
CompressedSections compressDebugSections(const Link &link,
                                         const SymbolValues &values);

} // namespace xlink
#endif
