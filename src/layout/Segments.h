//===- Segments.h - program headers and memory regions --------------------===//
#ifndef XLINK_LAYOUT_SEGMENTS_H
#define XLINK_LAYOUT_SEGMENTS_H

#include "base/Address.h"
#include "model/Link.h"
#include "model/Program.h"
#include "placement/SectionTraits.h"
#include <optional>
#include <string>

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

// GNU ld's rules about MEMORY: README.md has the scripts that show them.

/// Whether a section without a named region is put into one by attributes: if
/// it takes memory or is loaded.
inline bool wantsRegion(uint32_t traits) { return traits & (Alloc | Load); }

/// The first region with attributes that fit such a section.
RegionId regionByAttributes(const Script &script, llvm::StringRef name,
                            uint32_t traits);

/// Executable memory without a gap, of one range of the machine or of several
/// adjacent ones.
struct ExecutableRun {
  Address begin, end;
  Address codeEnd;  ///< `end`, less the prefetched bytes
  std::string name; ///< of the first range
};

/// The run that holds an address; nothing if no code may stand there, or the
/// machine declares no executable memory. A machine declares its executable
/// memory, its memory for data, and its processor's prefetch: so many bytes
/// behind the last instruction must be readable as code, or fetching it fails.
std::optional<ExecutableRun> executableRun(const Program &program, Address at);

} // namespace xlink
#endif
