//===- Segments.h - program headers ---------------------------------------===//
#ifndef XLINK_LAYOUT_SEGMENTS_H
#define XLINK_LAYOUT_SEGMENTS_H

#include "model/Link.h"

namespace xlink {

/// Bytes of the ELF header and of so many program headers.
Size headersSize(const Program &program, size_t segments);

/// Builds now.segments from the places in `now`, which `link` refers to.
void buildSegments(const Link &link, Addresses &now);

/// With PHDRS, gives sections without bytes load addresses in their segment.
/// For scripts LOADADDR stays as it was (GNU ld).
void stackLoadAddresses(const PartialLink &partial, const OutputInfo &info,
                        Addresses &now);

/// Where a PT_LOAD stands in the file.
struct SegmentPlace {
  Size offset, fileSize, memSize;
  Size end; ///< bytes of the file that are taken then
};
/// Its place in a file of which `end` bytes are taken.
SegmentPlace placeInFile(const Program &program, const Segment &segment,
                         Size end);

} // namespace xlink
#endif
