//===- OutputInfo.h - output sections without addresses -------------------===//
//
// Everything that follows from a Placement and its Contributions alone: types
// and flags of output sections, which of them exist, the alignment that others
// ask of them, the region that the script names for them. Computed once for a
// Placement.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_OUTPUTINFO_H
#define XLINK_MODEL_OUTPUTINFO_H

#include "model/Ids.h"
#include "model/Symbols.h"
#include "llvm/ADT/StringMap.h"

namespace xlink {

struct OutputSectionInfo {
  uint32_t type = 0;  ///< sh_type
  uint64_t flags = 0; ///< sh_flags
  uint64_t entsize = 0;
  OutputId link;          ///< its index goes into sh_link
  bool noload = false;    ///< (NOLOAD)
  bool addressed = false; ///< (COPY), (INFO) ...: takes addresses, not memory
  uint32_t traits = 0;    ///< SectionTrait bits, as its statements gather them
  bool made = false;      ///< its script or the inputs put anything into it
  bool kept = false;      ///< goes into the output
  bool holdsSections = false; ///< an input section of it is in the output
  uint64_t inputAlign = 1;    ///< that of these
  uint64_t groupAlign = 1;    ///< that others ask of it: its base-symbol group,
                              ///< sections that might move here
  RegionId region, lmaRegion; ///< that the script names, or its anchor's
  uint32_t baseGroup = kNone; ///< into Target::baseSymbols
  /// The last --section-start and the like for it: into Config::sectionStart.
  uint32_t startOption = kNone;

  bool isAlloc() const { return flags & llvm::ELF::SHF_ALLOC; }
  bool isNoBits() const { return type == llvm::ELF::SHT_NOBITS; }
  /// .tbss: zeros of each thread's template, which take no memory themselves.
  bool isThreadZeros() const {
    return (flags & llvm::ELF::SHF_TLS) && isNoBits();
  }
};

/// A symbol of the linker's at the start or end of an output section.
struct LinkerSymbol {
  SymbolId id;
  OutputId output; ///< kNone: no such section, the value is 0
  bool atEnd;
};

struct OutputInfo {
  IdVector<OutputId, OutputSectionInfo> outputs;
  llvm::StringMap<OutputId> outputByName; ///< the first that is not dropped
  llvm::StringMap<RegionId> regionByName; ///< aliases too
  std::vector<LinkerSymbol> linkerSymbols;
  /// At the beginnings and ends of the tables of --init-tables; empty: none.
  std::vector<SymbolId> initTableSymbols;
  std::vector<SymbolId> baseSymbols; ///< parallel to Target::baseSymbols
  std::vector<bool> ownBase;         ///< the linker defines it
  std::vector<OutputId> baseStarts;  ///< first section of each such group
  OutputId threadLocalStart;         ///< first section with SHF_TLS

  OutputId outputNamed(llvm::StringRef name) const {
    auto it = outputByName.find(name);
    return it == outputByName.end() ? OutputId() : it->second;
  }
  RegionId regionNamed(llvm::StringRef name) const {
    auto it = regionByName.find(name);
    return it == regionByName.end() ? RegionId() : it->second;
  }
};

} // namespace xlink
#endif
