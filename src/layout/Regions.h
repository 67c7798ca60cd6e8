//===- Regions.h - which region a section goes to -------------------------===//
//
// GNU ld's rules about MEMORY, each a function. src/layout/README.md names the
// scripts that show them.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_LAYOUT_REGIONS_H
#define XLINK_LAYOUT_REGIONS_H

#include "base/Address.h"
#include "model/Program.h"
#include "placement/SectionTraits.h"
#include <optional>
#include <string>

namespace xlink {

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
