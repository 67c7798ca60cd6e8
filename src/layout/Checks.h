//===- Checks.h - errors of a finished layout -----------------------------===//
#ifndef XLINK_LAYOUT_CHECKS_H
#define XLINK_LAYOUT_CHECKS_H

#include "base/Diagnostics.h"
#include "layout/AddressAssignment.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include <string>

namespace xlink {

/// Regions that overflow, sections that overlap or leave the address space,
/// code where the machine cannot execute. `entry` as it goes into the file.
/// `afterErrors`: nothing is said that may follow from an error in the script.
void checkLayout(const Link &link, uint64_t entry, bool afterErrors,
                 Diagnostics &diag);

/// The part about MEMORY.
void checkRegions(const Link &link, Diagnostics &diag);

/// Code in memory that does not execute, or at the end of executable memory.
/// Undeclared memory executes no code either, but addresses without a region,
/// from an option or in a script without MEMORY, are not checked there.
void checkCode(const Link &link, Diagnostics &diag);

/// "a.ld:9:5: section '.text'", or without a place for an orphan.
std::string sectionText(const OutputView &out);

/// ".text" of ".text.main": sections of one family have one place in a script.
inline llvm::StringRef familyOf(llvm::StringRef name) {
  return name.take_front(name.find('.', 1));
}
/// Sections of a family that no pattern matches.
struct OrphanFamily {
  SectionId first;
  uint64_t count = 0;
  bool bare = false, longer = false; ///< .text itself, .text.main

  void add(SectionId id, llvm::StringRef name) {
    if (count++ == 0)
      first = id;
    (name == familyOf(name) ? bare : longer) = true;
  }
  /// "100 input sections named '.text.*' match no pattern".
  std::string describe(const Program &program) const;
};

/// "[0x1000, 0x1fff]"
std::string addressRange(Address begin, Size size);
/// "'ram' [0x1000, 0x1fff]"
std::string regionText(const Link &link, RegionId id);

/// Whether a region's place or size is computed from a name without a value, or
/// by a division by zero, which is an error of its own.
bool isUnknown(const Link &link, RegionId region);

/// Reports undefined symbols that the script or relocations of live sections
/// need: each with up to three references, their number, and a near spelling.
/// Nothing if an input could not be read: it may define them.
void reportUndefined(const Link &link, const SymbolValues &values,
                     const UndefinedNames &readByScript, Diagnostics &diag);

/// NOCROSSREFS and NOCROSSREFS_TO, also those of overlays: relocations from one
/// of the listed output sections to another are errors.
void checkCrossReferences(const Link &link, Diagnostics &diag);

/// Whether a section is a warning of its file (.gnu.warning) or of a symbol
/// (.gnu.warning.SYMBOL).
bool isWarningSection(llvm::StringRef name);

/// Reports the warnings in sections of the inputs, each once, and drops those
/// sections; with -r the ones about symbols stay for the next link.
void giveSectionWarnings(Program &program, Diagnostics &diag);

} // namespace xlink
#endif
