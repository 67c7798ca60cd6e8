//===- SectionTraits.h - traits of an output section ----------------------===//
//
// A section's place, its region and its load address depend, in GNU ld, on
// properties that an output section gathers statement by statement. They are no
// ELF flags: a section that contains only symbols has none of them.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_PLACEMENT_SECTIONTRAITS_H
#define XLINK_PLACEMENT_SECTIONTRAITS_H

#include "model/Contributions.h"
#include "model/Placement.h"
#include "model/Program.h"
#include "llvm/ADT/StringSet.h"

namespace xlink {

enum SectionTrait : uint32_t {
  HasContents = 1,
  Alloc = 2,
  Load = 4,
  ReadOnly = 8,
  Code = 16,
  Data = 32,
  Tls = 64,
  NeverLoad = 128, ///< (NOLOAD) said so before anything was in it
  Small = 256,     ///< of an unused .sdata, for small orphans
};

/// Whether a section with these traits takes room in the image: .tbss does not.
inline bool takesRoom(uint32_t traits) {
  return (traits & (Load | Tls)) != Tls;
}

/// Whether a statement in a section can make room; `. = .` only keeps it.
bool movesDot(const OutputSection &out);

/// Whether the script puts bytes of its own into the section (BYTE ... ASCIZ).
bool hasData(const OutputSection &out);

/// The traits of an input section of a type, with flags.
uint32_t inputTraits(uint32_t type, uint64_t flags);
inline uint32_t inputTraits(const ParsedSection &section) {
  return inputTraits(section.type, section.flags);
}

/// The type that a section's name implies, else SHT_NULL (gABI, "Special
/// Sections", and GNU tools' additions).
uint32_t typeByName(llvm::StringRef name);

/// The traits of an output section after some of its statements.
struct GatheredTraits {
  bool made = false;     ///< something makes the section exist
  bool hasInput = false; ///< an input section is in it
  bool keep = false;     ///< one that KEEP names
  uint32_t traits = 0;   ///< SectionTrait bits
  uint32_t type = 0;     ///< sh_type; 0 where GNU ld knows none

  /// A statement without contents: a symbol, a fill, an address by option.
  /// `given`: traits that it gives a section that it makes.
  void addStatement(llvm::StringRef name, uint32_t given = 0);
  /// BYTE ... ASCIZ.
  void addData(llvm::StringRef name, OutputType outputType);
  void addInput(llvm::StringRef name, OutputType outputType,
                const SectionClass &section, bool kept);
};

/// Computes GatheredTraits of output sections.
class TraitGatherer {
public:
  TraitGatherer(const Program &program, const Placement &placement,
                const Liveness &liveness);
  /// Traits of one output section with its current members. With
  /// --enable-non-contiguous-regions, members that may move there count.
  GatheredTraits gather(OutputId id) const;

private:
  const Placement &placement;
  const Liveness &liveness;
  llvm::StringSet<> referenced;    ///< names in ADDR and LOADADDR
  IdSet<OutputId> mentionedBefore; ///< by statements in front of them
  llvm::StringSet<> started;       ///< names that options give an address
};

} // namespace xlink
#endif
