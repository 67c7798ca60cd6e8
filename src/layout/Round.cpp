//===- Round.cpp ----------------------------------------------------------===//
//
// Problem: a section's address depends on the statements before it, on its
// region's cursor, on alignments and on values that may be assigned later. The
// rules are GNU ld's: the cursor at which a section starts, its alignment, its
// load address.
//
// Method: the script from top to bottom, once. README.md lists the rules with
// their functions. The sections of one statement follow each other; their
// distances depend on the first one's address only by its remainder modulo the
// largest alignment, so a statement whose remainder is that of the round before
// keeps their places without a look at them.
//
// --enable-non-contiguous-regions: GNU ld's method. A section that would end
// behind its region's end moves on to the next place that takes it, which the
// same round reaches later; dot then stands at the region's end, so that all
// behind it in that output section moves on too. A first round, in which every
// output section counts, finds those with inputs; they stay, even if all of
// these move on. A section without another place stays, and its region
// overflows.
//
// Cost: one visit of each statement; of each section in the first round, and
// when it moves by less than its alignment. Moving takes one look at all
// sections that may come to a place.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/ScriptRun.h"
#include "layout/Segments.h"
#include "placement/Placement.h"
#include "placement/SectionTraits.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <map>
#include <utility>

using namespace llvm;

namespace xlink {

bool canMoveOn(const Placement &placement, SectionId id) {
  auto it = placement.laterMatches.find(id);
  return it != placement.laterMatches.end() && !it->second.empty();
}

/// Where an address is loaded at the distance of a section.
static Address loadedLike(const OutputPlace &section, Address address) {
  return address.mapped(section.address, section.loadAddress);
}

namespace {

struct Round : ScriptRun {
  /// This round's own placement and facts: sections move on in them, and later
  /// statements of the round find them there.
  struct Own {
    Placement placement;
    OutputInfo info;
    bool anyMoved = false;
  };

  /// `own`: the targets of `partial` and `info`, if sections move on; else
  /// null.
  Round(const PartialLink &partial, const OutputInfo &info,
        Expressions &expressions, Addresses &now, const RoundOptions &options,
        Own *own)
      : ScriptRun(partial, info, now, options.diag, options.undefined),
        expressions(expressions), options(options), own(own) {}

  /// A section whose statements run.
  struct Running {
    OutputId id;
    Address end;       ///< of sections that take room
    bool takesMemory;  ///< room that dot makes is memory
    uint64_t subalign; ///< 0: none
    const Expr *subalignment;
    std::optional<Address> full; ///< where its region ends, if sections move on
    bool firstFit; ///< sections behind one that moves on need not follow
    std::vector<SectionId> moved; ///< no room for them
  };

  Expressions &expressions;
  const RoundOptions &options;
  Own *const own;
  Address defaultCursor;      ///< where a section without a region begins
  OutputId defaultLast;       ///< last section outside any region
  uint64_t withoutRegion = 0; ///< sections for which no region fits
  OutputId firstWithoutRegion;

  const OutputSection &outputSection(OutputId id) const {
    return partial.placement.outputs[id];
  }
  /// The cursor of a region; without one, where the location counter's own
  /// space goes on.
  Address &cursorOf(RegionId region) {
    return region == kNone ? defaultCursor : now.regions[region].cursor;
  }
  OutputId &lastOf(RegionId region) {
    return region == kNone ? defaultLast : now.regions[region].lastOutput;
  }

  /// Whether a section neither goes into the output nor moves dot. A symbol
  /// inside makes it count.
  bool leavesDot(OutputId id) const {
    const OutputSection &out = outputSection(id);
    if (options.everySection || info.outputs[id].kept || out.overlayLast)
      return false;
    for (uint32_t i = 0; i < out.items.size(); ++i) {
      const ScriptCommand *command = out.items[i].command;
      if (!command || command->kind != CommandKind::Assignment)
        continue;
      auto &a = static_cast<const AssignmentCommand &>(*command);
      if (!a.isDot() && effective(a, statementOf(out, i)))
        return false;
    }
    return true;
  }

  /// The address that the script or an option gives a section.
  std::optional<uint64_t> givenAddress(OutputId id) {
    const OutputSection &out = outputSection(id);
    const OutputSectionInfo &f = info.outputs[id];
    if (f.startOption != kNone)
      return now.options.starts[f.startOption];
    if (out.overlay) {
      if (id != out.overlayFirst)
        return sectionAddress(out.overlayFirst.index());
      if (out.overlay->address)
        return number(out.overlay->address.get(), 0);
      return std::nullopt;
    }
    if (out.command && out.command->address)
      return number(out.command->address.get(), 0);
    // Orphans without SHF_ALLOC, and all sections of a relocatable output.
    if (!out.command && (!wantsRegion(now.outputs[id].traits) ||
                         partial.program.config.relocatable))
      return 0;
    return std::nullopt;
  }

  /// A section without a named region goes to the first one whose attributes
  /// fit. If there are regions but none fits, that is an error if it needs
  /// memory.
  void chooseRegion(OutputId id, bool ignored) {
    const OutputSection &out = outputSection(id);
    OutputPlace &place = now.outputs[id];
    if (place.region != kNone || !wantsRegion(place.traits))
      return;
    place.region =
        regionByAttributes(partial.program.script, out.name, place.traits);
    if (!diag || ignored || place.region != kNone || now.regions.empty() ||
        !(place.traits & Alloc) || !takesRoom(place.traits))
      return;
    // Of a region that is not declared there is an error already.
    if (out.command &&
        !(out.overlay ? out.overlay->region : out.command->region).empty())
      return;
    if (withoutRegion++ == 0)
      firstWithoutRegion = id;
  }

  /// Sections for which there is no region: one message for all of them.
  void reportWithoutRegion() {
    if (withoutRegion == 0)
      return;
    const OutputSection &out = outputSection(firstWithoutRegion);
    std::string text = (out.command ? locationText(out.command->where) : "") +
                       "no memory region for section '" + out.name + "'";
    std::vector<std::string> notes;
    if (withoutRegion > 1)
      notes.push_back("nor for " + countOf(withoutRegion - 1, "more section",
                                           "more sections"));
    notes.push_back("no region's attributes fit; '> REGION' behind '}' names "
                    "one");
    if (partial.program.config.checkSections)
      diag->error(text, std::move(notes));
    else
      diag->warn(WarningGroup::Script,
                 text + ": it follows the location counter", std::move(notes));
  }

  /// The alignment of a section that stands where its region's cursor is. That
  /// which SUBALIGN gave its last input replaces all else (GNU ld).
  uint64_t ownAlignment(OutputId id, uint64_t scriptAlign) const {
    const OutputSectionInfo &f = info.outputs[id];
    const uint64_t subalign = now.outputs[id].subalign;
    return std::max(f.groupAlign, subalign && !options.everySection
                                      ? subalign
                                      : std::max(scriptAlign, f.inputAlign));
  }

  /// The bytes of =fill, of the section's own or else its OVERLAY's.
  std::vector<uint8_t> fillOf(const OutputSection &out) {
    const FillPattern *fill = out.command ? &out.command->fill : nullptr;
    if (out.overlay && !*fill)
      fill = &out.overlay->fill;
    if (!fill || !*fill)
      return {};
    return fillBytes(*fill, number(fill->value.get(), 0));
  }

  void placeOutput(OutputId id) {
    const OutputSection &out = outputSection(id);
    const OutputSectionInfo &f = info.outputs[id];
    OutputPlace &place = now.outputs[id];
    place.dotBehind.reset();
    if (out.dropped)
      return;
    const bool ignored = leavesDot(id);
    place.traits = f.traits;
    if (options.makeRoom && options.makeRoom->contains(id))
      place.traits |= Alloc;
    place.region = f.region;
    place.lmaRegion = f.lmaRegion;
    const std::optional<uint64_t> given = givenAddress(id);
    if (given)
      counter = *given; // also where nothing comes to stand
    if (!f.made)
      return;
    Address dot = counter;
    const uint64_t scriptAlign =
        alignment(out.command ? out.command->align.get() : nullptr, 1);
    // An address that the script gives is taken as it is, but for ALIGN().
    uint64_t sectionAlign = scriptAlign;
    if (!given) {
      chooseRegion(id, ignored);
      counter = cursorOf(place.region);
      sectionAlign = ownAlignment(id, scriptAlign);
    }
    const Address before = counter;
    place.overflows = false;
    advance(counter.alignedTo(sectionAlign));
    const Size dotDelta = counter.sizeFrom(before);
    const Address begin = counter;
    // Debug information stands at 0 everywhere, but its size moves dot (GNU
    // ld).
    const bool atZero = !given && !wantsRegion(place.traits) && !f.addressed &&
                        f.holdsSections && !out.overlay;
    if (atZero)
      counter = 0;

    const Address start = counter;
    place.address = start;
    current = id;
    place.fill = fillOf(out);
    counter = runItems(id, ignored);
    current = kNone;
    place.align = ownAlignment(id, scriptAlign);
    if (!ignored)
      dot = start;
    setLoadAddress(id, sectionAlign, dotDelta, dot);
    if (ignored) {
      counter = dot;
      return;
    }
    if (!takesRoom(place.traits))
      counter = start;
    if (atZero)
      advance(begin + place.size);
    endOverlay(id);
    place.dotBehind = counter;
    advanceRegions(id);
  }

  /// Behind an overlay stands the end of its largest member.
  void endOverlay(OutputId id) {
    const OutputSection &out = outputSection(id);
    if (!out.overlayLast)
      return;
    counter = now.outputs[out.overlayFirst].address;
    for (OutputId member : idRange(out.overlayFirst, id + 1))
      counter = std::max(counter, now.outputs[out.overlayFirst].address +
                                      now.outputs[member].size);
  }

  /// Moves the cursors of the regions behind a section that takes memory.
  void advanceRegions(OutputId id) {
    const OutputSection &out = outputSection(id);
    const OutputPlace &place = now.outputs[id];
    if (!wantsRegion(place.traits))
      return;
    // A section that only an option places is in no region (GNU ld).
    if (place.region == kNone && !out.command &&
        info.outputs[id].startOption != kNone)
      return;
    cursorOf(place.region) = counter;
    if (place.lmaRegion != kNone && place.lmaRegion != place.region &&
        ((place.traits & Load) || (out.command && out.command->alignWithInput)))
      now.regions[place.lmaRegion].cursor =
          place.loadAddress + (takesRoom(place.traits) ? place.size : Size());
  }

  /// Load address of the section just laid out: AT, else behind the last one in
  /// its load region, else at the distance of the last section of its region
  /// (members of an overlay follow that one's end), else its address. `dot` is
  /// the script's location counter: a section that is not in the output does
  /// not move it.
  Address loadAddressOf(OutputId id, uint64_t sectionAlign, Size dotDelta,
                        Address dot) {
    const OutputSection &out = outputSection(id);
    const OutputPlace &place = now.outputs[id];
    const OutputSectionCommand *c = out.command;
    const bool firstOfOverlay = out.overlay && id == out.overlayFirst;
    const Expr *lma = firstOfOverlay ? out.overlay->lma.get()
                      : c            ? c->lma.get()
                                     : nullptr;
    if (lma)
      return number(lma, place.address.wrapped());
    if (place.lmaRegion != kNone) {
      const Address load = now.regions[place.lmaRegion].cursor;
      if (c && c->alignWithInput)
        return load + dotDelta;
      if (place.lmaRegion == place.region)
        return load.alignedTo(sectionAlign);
      return load.alignedTo(alignment(c ? c->align.get() : nullptr, 1));
    }
    const OutputId last = lastOf(place.region);
    if (last == kNone || !(place.traits & Alloc))
      return place.address;
    const OutputPlace &before = now.outputs[last];
    const bool backwards = dot < before.address && place.size != 0 &&
                           dot + place.size <= before.address;
    if (backwards)
      return place.address;
    const Address load = out.overlay && !firstOfOverlay
                             ? before.loadEnd()
                             : loadedLike(before, place.address);
    return load.alignedTo(sectionAlign);
  }

  void setLoadAddress(OutputId id, uint64_t sectionAlign, Size dotDelta,
                      Address dot) {
    OutputPlace &place = now.outputs[id];
    const Address load = loadAddressOf(id, sectionAlign, dotDelta, dot);
    place.loadAddress = load;
    if (place.lmaRegion != kNone)
      return;
    OutputId &last = lastOf(place.region);
    const OutputSection &out = outputSection(id);
    if ((out.overlay && id == out.overlayFirst) ||
        ((place.traits & Alloc) && takesRoom(place.traits) &&
         (place.size != 0 ||
          (last == kNone ? place.address != load
                         : dot >= now.outputs[last].address))))
      last = id;
  }

  /// A statement of an output section, and the sections it takes.
  void runItem(Running &r, uint32_t index) {
    const OutputSection &out = outputSection(r.id);
    OutputPlace &place = now.outputs[r.id];
    const OutputItem &item = out.items[index];
    ItemPlace &at = now.items[out.firstItem + index];
    at.offset = counter.sizeFrom(place.address);
    if (item.command)
      switch (item.command->kind) {
      case CommandKind::Assignment:
      case CommandKind::Assert: {
        const Address before = counter;
        runStatement(*item.command, statementOf(out, index), at);
        if (counter == before)
          break;
        // Room that dot makes is memory like any other.
        r.end = counter;
        if (r.takesMemory)
          place.traits |= Alloc;
        break;
      }
      case CommandKind::Data: {
        // In their values dot is an address (GNU ld).
        auto &data = static_cast<const DataCommand &>(*item.command);
        current = kNone;
        at.value = number(data.value.get(), 0);
        current = r.id;
        r.end = advance(counter + (data.value ? data.size : data.bytes.size()));
        break;
      }
      case CommandKind::Fill:
        at.value = number(
            static_cast<const FillCommand &>(*item.command).pattern.value.get(),
            0);
        break;
      default:
        break;
      }
    // It sees the section's own earlier assignments (GNU ld).
    if (r.subalignment && !r.subalignment->constant)
      r.subalign = alignment(r.subalignment, 0);
    if (item.begin != item.end && !placeAgain(r, at))
      placeMembers(r, item, at);
    at.subalign = r.subalign;
    if (at.holds)
      place.subalign = r.subalign;
  }

  /// Places the sections of a statement as in the round before, if they begin
  /// at the same remainder; returns whether that is so.
  bool placeAgain(Running &r, const ItemPlace &at) {
    if (own || at.align == 0 || at.subalign != r.subalign ||
        (counter.wrapped() & (at.align - 1)) != at.phase ||
        counter + at.size > Address::end())
      return false;
    counter += at.size;
    if (at.holds)
      r.end = counter;
    return true;
  }

  /// Whether a section that can move on fits behind dot. By first fit that is
  /// code, which stands where it can be executed.
  bool hasRoom(const Running &r, Size size) const {
    if (counter + size > *r.full)
      return false;
    if (!r.firstFit || partial.program.state.executable.empty())
      return true;
    const std::optional<ExecutableRun> run =
        executableRun(partial.program, counter);
    return run && counter + size <= run->codeEnd;
  }

  /// Places the sections of a statement, one behind the other.
  void placeMembers(Running &r, const OutputItem &item, ItemPlace &at) {
    const OutputSection &out = outputSection(r.id);
    const Address begin = counter;
    at.holds = false;
    at.align = 1;
    bool varies = false;
    for (uint32_t i = item.begin; i < item.end; ++i) {
      const SectionId id = out.members[i];
      if (!partial.placed(id))
        continue;
      const Contribution &c = partial.contributions.sections[id];
      const bool isTable = id == partial.program.initTables;
      const Size size = isTable ? link().sizeOf(id) : c.size;
      const uint64_t align = partial.contributions.followsMerged(c) ? 1
                             : r.subalign                           ? r.subalign
                                          : partial.placement.classOf(id).align;
      at.align = std::max(at.align, align);
      Size &offset = now.offsets[id];
      if (c.merge != kNone && size == 0) { // all of it is in other sections
        offset = counter.sizeFrom(begin);
        continue;
      }
      const Address before = counter, endBefore = r.end;
      if (const Address aligned = counter.alignedTo(align); aligned != counter)
        r.end = advance(aligned);
      if (r.full && canMoveOn(partial.placement, id) && !hasRoom(r, size)) {
        r.moved.push_back(id);
        counter = r.firstFit ? before : *r.full;
        r.end = r.firstFit ? endBefore : r.end;
        continue;
      }
      offset = counter.sizeFrom(begin);
      r.end = advance(counter + size);
      at.holds = true;
      varies |= isTable; // its size
    }
    at.phase = begin.wrapped() & (at.align - 1);
    at.size = counter.sizeFrom(begin);
    if (varies || now.outputs[r.id].overflows)
      at.align = 0;
  }

  /// The statements of an output section; returns where it ends.
  Address runItems(OutputId id, bool ignored) {
    const Address start = counter;
    const OutputSection &out = outputSection(id);
    const OutputSectionCommand *c = out.command;
    const OutputType type = c ? c->type : OutputType::Normal;
    const Expr *subalign = c ? c->subalign.get() : nullptr;
    Running r{id,
              counter,
              !ignored &&
                  (type == OutputType::Normal || type == OutputType::NoLoad ||
                   type == OutputType::ReadOnly),
              alignment(subalign, 0),
              subalign,
              {},
              partial.program.regionFill() == RegionFill::FirstFit,
              {}};
    if (const RegionId region = now.outputs[id].region;
        own && !ignored && region != kNone)
      r.full = now.regions[region].end();
    for (uint32_t i = 0; i < out.items.size(); ++i)
      runItem(r, i);
    // Where a section moved on, dot stands at its region's end, which can be
    // before the beginning.
    now.outputs[id].size = ignored ? Size() : r.end.sizeFrom(start);
    now.outputs[id].filled = !ignored && r.end != start;
    if (!r.moved.empty()) {
      moveOn(partial.program, own->placement, id, r.moved,
             [&](OutputId changed) {
               gatherInputs(partial, changed, own->info.outputs[changed]);
             });
      own->anyMoved = true;
    }
    return ignored ? start : r.end;
  }

  void run() {
    evaluateOptions();
    evaluateRegions();
    const std::vector<LayoutCommand> &layout = partial.placement.layout;
    for (uint32_t i = 0; i < layout.size(); ++i) {
      if (layout[i].output != kNone) {
        placeOutput(layout[i].output);
        continue;
      }
      runStatement(*layout[i].command, StatementId(i), now.statements[i]);
      defaultCursor = counter; // also behind a section in a region (GNU ld)
    }
    reportWithoutRegion();
    defineOthers(expressions);
    evaluatePhdrs();
    buildSegments(link(), now);
    // It never shrinks: SIZEOF_HEADERS may move sections, and so change the
    // number of headers.
    now.headersSize = std::max(
        now.headersSize, headersSize(partial.program, now.segments.size()));
    now.initTables = countInitEntries(link());
    now.placed = true;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Sections that move on
//===----------------------------------------------------------------------===//

/// Puts sections into a description, at the places that they would have had
/// from the beginning.
static void insertMembers(Placement &placement, OutputId output,
                          uint32_t itemIndex,
                          const DenseSet<SectionId> &added) {
  OutputSection &out = placement.outputs[output];
  OutputItem &item = out.items[itemIndex];
  std::vector<SectionId> members(out.members.begin(),
                                 out.members.begin() + item.begin);
  uint32_t at = item.begin;
  for (SectionId possible : placement.possibleMembers[{output, itemIndex}])
    if (added.contains(possible))
      members.push_back(possible);
    else if (at < item.end && out.members[at] == possible)
      members.push_back(out.members[at++]);
  members.insert(members.end(), out.members.begin() + at, out.members.end());
  const uint32_t grown = uint32_t(members.size() - out.members.size());
  out.members = std::move(members);
  item.end += grown;
  for (OutputItem &behind :
       MutableArrayRef(out.items).drop_front(itemIndex + 1)) {
    behind.begin += grown;
    behind.end += grown;
  }
}

void moveOn(const Program &program, Placement &placement, OutputId from,
            ArrayRef<SectionId> sections,
            function_ref<void(OutputId)> changed) {
  const DenseSet<SectionId> moved(sections.begin(), sections.end());
  removeMembers(placement.outputs[from],
                [&](SectionId id) { return moved.contains(id); });
  changed(from);
  bool anyLost = false;
  std::map<std::pair<OutputId, uint32_t>, DenseSet<SectionId>> added;
  for (SectionId id : sections) {
    placement.passedOver[id].push_back(from);
    auto &places = placement.laterMatches[id];
    const LaterMatch to = places.back();
    places.pop_back();
    SectionPlace &place = placement.sections[id];
    place.output = to.output;
    place.item = to.item;
    if (to.output == kNone)
      place.discarded = anyLost = true;
    else
      added[{to.output, to.item}].insert(id);
  }
  for (const auto &[to, ids] : added) {
    insertMembers(placement, to.first, to.second, ids);
    changed(to.first);
  }
  if (anyLost)
    for (OutputId id : dropDependents(program, placement))
      changed(id);
}

RoundResult runRound(const PartialLink &partial, const OutputInfo &info,
                     Expressions &expressions, const Addresses &before,
                     const RoundOptions &options) {
  RoundResult result{before, std::nullopt};
  if (!options.spill) {
    Round(partial, info, expressions, result.addresses, options, nullptr).run();
    return result;
  }
  Round::Own own{partial.placement, info};
  const PartialLink ownParts{partial.program, own.placement,
                             partial.contributions};
  Round(ownParts, own.info, expressions, result.addresses, options, &own).run();
  if (own.anyMoved)
    result.moved = std::move(own.placement);
  return result;
}

} // namespace xlink
