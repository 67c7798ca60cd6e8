//===- WhyFate.h - what became of something ------------------------------===//
#ifndef XLINK_REPORT_WHYFATE_H
#define XLINK_REPORT_WHYFATE_H

#include "report/WhyContext.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <utility>

namespace xlink {

/// Whether something is in the output, and what decided that.
struct Fate {
  enum Kind : uint8_t {
    Lives,
    DeadPiece,  ///< its section lives, the piece of it does not
    Collected,  ///< --gc-sections
    Comdat,     ///< another file's copy is in force
    Excluded,   ///< SHF_EXCLUDE
    Stripped,   ///< --strip-debug and its like
    Script,     ///< /DISCARD/
    Orphan,     ///< --orphan-handling=discard and the like
    Folded,     ///< --icf
    Unused,     ///< an archive's member that was not extracted
    Undefined,  ///< nothing defines it
    NoSection,  ///< a value that is in no input section
    LinkerMade, ///< made by the linker, never collected
    Cut         ///< an unwind table: its records live with their functions
  } kind = Lives;
  std::string text; ///< a sentence without its beginning; empty: Lives
  /// For programs: who decided, such as the file with the copy in force.
  llvm::json::Object by = {};

  /// Whether the collection could have kept it.
  bool isCollected() const { return kind == Collected || kind == DeadPiece; }
  /// Adds `fate`, its name, and `by`, if somebody decided.
  void addTo(llvm::json::Object &answer) const;
};

/// Tells what became of what questions name.
class Fates {
public:
  explicit Fates(WhyContext &context)
      : context(context), link(context.link), program(context.program) {}
  Fate of(const WhyTarget &target);
  /// The bytes of the piece that a symbol of a merged section names: from, and
  /// up to; of any other target all there are.
  std::pair<uint64_t, uint64_t> pieceOf(const WhyTarget &target) const;

private:
  Fate ofSymbol(const WhyTarget &target);
  Fate ofSection(SectionId id);
  Fate ofDiscarded(SectionId id);
  Fate ofUnused(const UnusedMember &member);
  FileId winnerOf(SectionId id);

  WhyContext &context;
  const Link &link;
  const Program &program;
  bool knowsGroups = false;
  llvm::StringMap<FileId> groups; ///< signature, or .gnu.linkonce name: of whom
  bool knowsOffers = false;
  llvm::StringMap<uint32_t> offers; ///< symbol: into Program::unusedMembers
};

} // namespace xlink
#endif
