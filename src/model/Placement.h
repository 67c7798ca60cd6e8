//===- Placement.h - input sections in output sections, in order ----------===//
//
// The script's statements at work, the output sections they make, and the input
// sections in each: made by running the script's patterns and by placing
// orphans. A value: a pass that moves a section on makes another one.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_PLACEMENT_H
#define XLINK_MODEL_PLACEMENT_H

#include "model/Ids.h"
#include "model/ScriptTree.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace xlink {

/// One statement of an output section at work: a script command, or sections.
struct OutputItem {
  /// Null: orphans appended by placement.
  const ScriptCommand *command = nullptr;
  uint32_t begin = 0, end = 0; ///< its sections, in OutputSection::members
};

struct OutputSection {
  std::string name;
  const OutputSectionCommand *command = nullptr; ///< null: an orphan
  OutputId orphanAfter; ///< an orphan has its regions and segments
  const OverlayCommand *overlay = nullptr; ///< the OVERLAY it is a member of
  OutputId overlayFirst;                   ///< that overlay's first member
  bool overlayLast = false;
  /// Made for COMMON that no pattern takes: in no region, not even that of the
  /// location counter, when load regions are handed on (GNU ld).
  bool forCommon = false;
  bool dropped = false; ///< /DISCARD/, or ONLY_IF_RO or ONLY_IF_RW not holding
  ItemId firstItem;     ///< the number of its first item among those of all
  std::vector<OutputItem> items;
  std::vector<SectionId> members;
};

/// A statement of the top level at work, in the order of the output.
struct LayoutCommand {
  const ScriptCommand *command = nullptr; ///< assignment or assert, or
  OutputId output;                        ///< an output section
  uint32_t origin = kNone; ///< index of the script's command, for INSERT
};

/// The properties of an input section that count for its output section. A link
/// has a dozen such classes, however many sections: a pass over all members
/// need not read each of them.
struct SectionClass {
  uint32_t type = 0; ///< as in ParsedSection, all four
  uint64_t flags = 0;
  uint64_t entsize = 0;
  uint64_t align = 1;
  bool common = false; ///< a file's COMMON symbol
  bool unwind = false; ///< it is called .eh_frame

  auto operator<=>(const SectionClass &) const = default;
};

/// Where an input section belongs.
struct SectionPlace {
  OutputId output;   ///< kNone: nowhere (yet)
  uint32_t item = 0; ///< into OutputSection::items
  /// Into Placement::classes; 0: resolution discarded it.
  uint32_t classIndex : 30 = 0;
  bool discarded : 1 = false; ///< by resolution, /DISCARD/ or --orphan-handling
  bool keep : 1 = false;      ///< matched a KEEP, or named by the user

  /// Whether it goes into the output, if it lives.
  bool placed() const { return output != kNone && !discarded; }
};

/// Another place for a section that its region has no room for.
struct LaterMatch {
  OutputId output; ///< kNone: /DISCARD/
  uint32_t item;   ///< into OutputSection::items
};

/// A pattern of the script that took no section.
struct UnmatchedPattern {
  const InputDescription *description;
  const SectionPattern *pattern;
};

/// Which rule gave an orphan its place (layout/README.md, "Orphans").
enum class OrphanRule : uint8_t {
  SameName,    ///< joins the first section of its name that is like it
  UnusedName,  ///< joins the last section of its name that nothing uses
  WithCommon,  ///< COMMON: where the script asks for COMMON first
  CommonInBss, ///< COMMON: .bss
  NewBss,      ///< COMMON: a .bss behind everything
  CommonLost,  ///< COMMON: /DISCARD/ is the first to ask for it
  BaseGroup,   ///< behind the others of its base symbol
  WellKnown,   ///< behind the section that its kind follows by name
  SameTraits,  ///< behind the last section with its traits
  NearTraits,  ///< behind the last section with similar traits
  NoNeighbour, ///< there is no such section: in front of all others
  BesideNotes, ///< notes stay together, and nothing comes between them
  AtEnd,       ///< it takes no memory: behind everything
  Refused,     ///< --orphan-handling=discard
  ByName,      ///< -r: with others of its name
};

/// Where the rule put it.
struct OrphanReason {
  OrphanRule rule = OrphanRule::SameName;
  /// The section that it follows or joins by the rule; kNone: none.
  OutputId anchor = {};
  /// The orphan of its kind that came before it, behind which it stands; kNone:
  /// none did.
  OutputId previous = {};
  bool alone = false; ///< --unique: it joins nothing
};

struct Placement {
  IdVector<OutputId, OutputSection> outputs;
  std::vector<LayoutCommand> layout; ///< in the order of the output
  IdVector<SectionId, SectionPlace> sections;
  /// In the order of the inputs; [0] is of no section.
  std::vector<SectionClass> classes;
  std::vector<UnmatchedPattern> unmatched; ///< in script order
  /// Families of orphans (familyOf) that a message about such a pattern counts.
  std::vector<llvm::StringRef> hintedFamilies;
  uint32_t itemCount = 0; ///< of all outputs
  /// Where sections move on, see RegionFill: where else a section matches, the
  /// next place last.
  llvm::DenseMap<SectionId, std::vector<LaterMatch>> laterMatches;
  /// There: by output and item, all that are there or may come there, in order.
  std::map<std::pair<OutputId, uint32_t>, std::vector<SectionId>>
      possibleMembers;
  /// And the output sections that had no room for a section, in order.
  llvm::DenseMap<SectionId, std::vector<OutputId>> passedOver;
  /// Of each orphan, in a link with --why-placed.
  llvm::DenseMap<SectionId, OrphanReason> orphanReasons;

  const SectionClass &classOf(SectionId id) const {
    return classes[sections[id].classIndex];
  }
  /// Calls fn(OutputId, const OutputSection &) in the order of the output.
  template <class Fn> void forEachOutput(Fn fn) const {
    for (const LayoutCommand &command : layout)
      if (command.output != kNone)
        fn(command.output, outputs[command.output]);
  }
  /// The output sections in the order of the output.
  std::vector<OutputId> outputsInOrder() const {
    std::vector<OutputId> order;
    forEachOutput(
        [&](OutputId id, const OutputSection &) { order.push_back(id); });
    return order;
  }
  /// Calls fn(const AssignmentCommand &) for each assignment in the order of
  /// the output, those in output sections too.
  template <class Fn> void forEachAssignment(Fn fn) const {
    const auto visit = [&](const ScriptCommand *command) {
      if (command && command->kind == CommandKind::Assignment)
        fn(static_cast<const AssignmentCommand &>(*command));
    };
    for (const LayoutCommand &command : layout) {
      visit(command.command);
      if (command.output != kNone)
        for (const OutputItem &item : outputs[command.output].items)
          visit(item.command);
    }
  }
  /// Numbers the items, and sets each member's item.
  void number() {
    itemCount = 0;
    for (OutputSection &out : outputs) {
      out.firstItem = ItemId(itemCount);
      itemCount += uint32_t(out.items.size());
      for (uint32_t i = 0; i < out.items.size(); ++i)
        for (uint32_t m = out.items[i].begin; m < out.items[i].end; ++m)
          sections[out.members[m]].item = i;
    }
  }
};

} // namespace xlink
#endif
