//===- Checks.cpp - errors of a finished layout ---------------------------===//
#include "layout/Checks.h"
#include "placement/Placement.h"
#include "placement/SectionTraits.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;

namespace xlink {

std::string addressRange(Address begin, Size size) {
  return "[" + hex(begin) + ", " + hex(begin + size - 1) + "]";
}

std::string regionText(const Link &link, RegionId id) {
  const RegionPlace &place = link.addresses.regions[id];
  return "'" + link.program.script.memory[id.index()].name.str() + "' " +
         addressRange(place.origin, place.length);
}

/// Calls fn for each section that begins before the end of the one before it,
/// in memory or in load addresses, by which it sorts them. Only bytes are
/// loaded.
static void
forEachOverlap(const Link &link, std::vector<OutputId> &ids, bool loaded,
               function_ref<void(const OutputView &, const OutputView &)> fn) {
  auto begin = [&](OutputId id) {
    const OutputPlace &place = link.addresses.outputs[id];
    return loaded ? place.loadAddress : place.address;
  };
  llvm::stable_sort(
      ids, [&](OutputId a, OutputId b) { return begin(a) < begin(b); });
  OutputId last;
  for (OutputId id : ids) {
    if (loaded && link.info.outputs[id].isNoBits())
      continue;
    const OutputId before = std::exchange(last, id);
    if (before != kNone &&
        begin(id) < begin(before) + link.addresses.outputs[before].size)
      fn(link.output(before), link.output(id));
  }
}

/// Why two sections share addresses, or load addresses: the script states them,
/// or the sections' regions share them.
static std::vector<std::string> overlapCauses(const Link &link,
                                              const OutputView &a,
                                              const OutputView &b, bool load) {
  std::vector<std::string> notes;
  std::string stated;
  for (const OutputView *out : {&a, &b})
    if (out->command && (load ? out->command->lma : out->command->address))
      stated += (stated.empty() ? "" : ", ") + out->name + " at " +
                StringRef(locationText(out->command->where)).rtrim(": ").str();
  if (!stated.empty())
    notes.push_back("the script states addresses: " + stated);
  const RegionId x = load ? a.lmaRegion : a.region,
                 y = load ? b.lmaRegion : b.region;
  const auto &regions = link.addresses.regions;
  if (x != kNone && y != kNone && x != y &&
      regions[x].origin < regions[y].end() &&
      regions[y].origin < regions[x].end())
    notes.push_back("regions " + regionText(link, x) + " and " +
                    regionText(link, y) + " share addresses");
  return notes;
}

/// Sections that share addresses. Load addresses must never meet. If sections
/// begin at exactly the same VMA the script makes overlays, with OVERLAY or by
/// hand, which are meant to share addresses (GNU ld); other sections that
/// overlap in such a script give a warning.
static void checkOverlaps(const Link &link, Diagnostics &diag) {
  std::vector<OutputId> ids;
  for (const OutputView &out : link.outputs())
    if (out.occupies())
      ids.push_back(out.id);
  auto address = [&](OutputId id) {
    return link.addresses.outputs[id].address;
  };
  llvm::stable_sort(
      ids, [&](OutputId a, OutputId b) { return address(a) < address(b); });
  const bool overlays =
      std::adjacent_find(ids.begin(), ids.end(), [&](OutputId a, OutputId b) {
        return address(a) == address(b);
      }) != ids.end();
  DenseSet<OutputId> reported;
  for (bool loaded : {true, false})
    forEachOverlap(link, ids, loaded, [&](auto &before, auto &out) {
      // Equal VMA and LMA overlap once, not twice.
      const bool inPlace = out.loadAddress == out.address &&
                           before.loadAddress == before.address;
      if (reported.contains(out.id) ||
          (overlays && !loaded && before.address == out.address) ||
          (loaded && !overlays && inPlace))
        return;
      auto range = [&](const OutputView &o) {
        return o.name + " range is " +
               addressRange(loaded ? o.loadAddress : o.address, o.size);
      };
      const std::string text = "section " + before.name +
                               (loaded && !inPlace ? " load" : " virtual") +
                               " address range overlaps with " + out.name;
      std::vector<std::string> notes{range(before), range(out)};
      append_range(notes, overlapCauses(link, before, out, loaded && !inPlace));
      if (overlays && !loaded)
        return diag.warn(WarningGroup::Script, text, std::move(notes));
      diag.error(text, std::move(notes));
      reported.insert(out.id);
    });
}

/// Sections that PHDRS puts into one segment stand in the file as their load
/// addresses do; no option makes two of them share bytes there.
static void checkFileOverlaps(const Link &link, Diagnostics &diag) {
  for (const Segment &segment : link.addresses.segments) {
    if (segment.type != ELF::PT_LOAD)
      continue;
    std::vector<OutputId> ids;
    llvm::copy_if(segment.sections, std::back_inserter(ids),
                  [&](OutputId id) { return link.output(id).occupies(); });
    auto range = [&](const OutputView &out) {
      return out.name + " range in its segment is " +
             addressRange(out.loadAddress.mapped(segment.base, 0), out.size);
    };
    forEachOverlap(link, ids, /*loaded=*/true, [&](auto &before, auto &out) {
      diag.error("section " + before.name + " file range overlaps with " +
                     out.name,
                 {range(before), range(out)});
    });
  }
}

/// A segment maps memory to load addresses at one distance. With PHDRS a script
/// can ask for more of it than that; members of an overlay do so on purpose.
static void checkSegmentDistances(const Link &link, Diagnostics &diag) {
  for (const auto &[segment, command] :
       zip(link.addresses.segments, link.program.script.phdrs)) {
    if (segment.type != ELF::PT_LOAD)
      continue;
    for (OutputId id : segment.sections) {
      const OutputView out = link.output(id);
      if (!out.occupies() || out.overlay ||
          out.address.mapped(segment.address, segment.base) == out.loadAddress)
        continue;
      diag.warn(WarningGroup::Script,
                "section '" + out.name + "' cannot be loaded where segment '" +
                    command.name.str() + "' maps it",
                {"the segment maps " + hex(segment.base) + " to " +
                     hex(segment.address),
                 "the section is loaded at " + hex(out.loadAddress) +
                     " and stands at " + hex(out.address)});
      break; // the others follow from it
    }
  }
}

/// "a.ld:3:5: segment 'text'"
static std::string segmentText(const PhdrCommand &p) {
  return locationText(p.where) + "segment '" + p.name.str() + "'";
}

std::string sectionText(const OutputView &out) {
  return (out.command ? locationText(out.command->where) : "") + "section '" +
         out.name + "'";
}

/// Headers that a segment holds alone are loaded where no section is.
static void checkHeadersAlone(const Link &link, const Segment &headers,
                              const PhdrCommand &command, Diagnostics &diag) {
  const IdVector<OutputId, Address> loadedTo = link.loadedTo();
  for (const Segment &load : link.addresses.segments) {
    if (load.type != ELF::PT_LOAD)
      continue;
    for (OutputId id : load.sections)
      if (loadedTo[id] < headers.loadAddress + headers.memSize &&
          headers.loadAddress < loadedTo[id] + link.addresses.outputs[id].size)
        return diag.error(segmentText(command) + " has no room for headers",
                          {"they would stand at " + hex(headers.loadAddress) +
                           ", where section '" + link.output(id).name +
                           "' is loaded"});
  }
}

/// The headers stand at the beginning of the file: segments that hold them come
/// first, have room for them below their sections, and PT_PHDR lies in one.
static void checkHeaderSegments(const Link &link, Diagnostics &diag) {
  const PhdrCommand *without = nullptr;
  bool loaded = false;
  const auto headers = zip(link.addresses.segments, link.program.script.phdrs);
  for (const auto &[segment, p] : headers) {
    if (segment.type != ELF::PT_LOAD)
      continue;
    if (!p.fileHeader && !p.programHeaders) {
      without = without ? without : &p;
      continue;
    }
    // A loader of a file header alone does not see the others.
    loaded |= p.programHeaders || !segment.sections.empty();
    if (without)
      diag.error(segmentText(p) +
                 " cannot hold headers: the PT_LOAD before it, '" +
                 without->name.str() + "', holds none");
    else if (!segment.hasHeaders)
      diag.error(segmentText(p) + " has no room for headers",
                 {"they would stand below its first section, which is at " +
                  hex(segment.address)});
    else if (segment.sections.empty())
      checkHeadersAlone(link, segment, p, diag);
  }
  for (const auto &[segment, p] : headers)
    if (segment.type == ELF::PT_PHDR && !loaded)
      diag.error(
          locationText(p.where) +
              "no PT_LOAD holds the headers that segment '" + p.name.str() +
              "' describes",
          {"write FILEHDR and PHDRS behind the PT_LOAD that is to hold them"});
}

/// With PHDRS every loaded section needs one of its headers.
static void checkPhdrsUsed(const Link &link, Diagnostics &diag) {
  if (link.addresses.phdrsMissing)
    diag.error("PHDRS declares segments, but no section is in one",
               {"write ':SEGMENT' behind the '}' of an output section"});
  if (diag.failed())
    return; // it may be for want of a header that is named wrong
  IdSet<OutputId> inSegment(link.placement.outputs.size());
  for (const Segment &segment : link.addresses.segments)
    for (OutputId id : segment.sections)
      inSegment.insert(id);
  for (const OutputView &out : link.outputsInOrder())
    if (out.kept && out.isAlloc() && !out.noload && out.size != 0 &&
        !inSegment.contains(out.id))
      diag.warn(WarningGroup::Script,
                sectionText(out) +
                    " takes memory and is in no segment, so nothing loads it");
}

/// Where memory has pages, one page has the rights of the last segment that is
/// mapped to it. Firmware without pages has such segments everywhere: the check
/// needs an option that states the page size.
static void checkSharedPages(const Link &link, Diagnostics &diag) {
  const uint64_t page = link.program.pageSize();
  if (page <= 4 || !link.program.config.maxPageSize)
    return;
  const Segment *before = nullptr;
  for (const Segment &segment : link.addresses.segments) {
    if (segment.type != ELF::PT_LOAD || segment.memSize == 0 ||
        segment.sections.empty())
      continue;
    if (before && before->flags != segment.flags &&
        (before->address + before->memSize - 1).alignedDown(page) ==
            segment.address.alignedDown(page))
      diag.warn(WarningGroup::Script,
                "segments of different rights share the page at " +
                    hex(segment.address.alignedDown(page)) +
                    ", which gets those of '" +
                    link.output(segment.sections.front()).name + "'",
                {"put '. = ALIGN(CONSTANT(MAXPAGESIZE));' in front of it in "
                 "the script, or link with -n for memory without pages"});
    before = &segment;
  }
}

/// Whether bytes end behind the machine's last address, or begin there.
static bool outsideAddressSpace(const Link &link, Address begin, Size size) {
  return !link.program.space().holds(begin, size);
}

/// A section that runs over the last address, and the reason of its size.
static Message describeOverflow(const Link &link, const OutputView &out) {
  std::vector<SectionId> members;
  llvm::copy_if(out.members, std::back_inserter(members), [&](SectionId id) {
    return link.placed(id) && link.sizeOf(id);
  });
  return {sectionText(out) +
              (out.size ? " at " + hex(out.address) + " ends" : " begins") +
              " behind the machine's address space",
          link.largestNotes(std::move(members), 5)};
}

/// Sections that end behind the last address, of memory or load address; also
/// those without memory, whose header could not hold their address.
static void checkAddressSpace(const Link &link, Diagnostics &diag) {
  for (const OutputView &out : link.outputs()) {
    if (!out.kept)
      continue;
    if (out.place.overflows) {
      diag.error([&] { return describeOverflow(link, out); });
    } else if (outsideAddressSpace(link, out.address, out.size)) {
      diag.error("section '" + out.name + "' at " + hex(out.address) +
                 " with size " + hex(out.size) +
                 " does not fit the machine's address space");
    } else if (!out.occupies() || out.isNoBits()) {
      continue;
    } else if (!out.loadAddress.isByte() && (out.traits & Load)) {
      diag.error("section '" + out.name + "' with size " + hex(out.size) +
                 " would be loaded outside of the machine's address space");
    } else if (outsideAddressSpace(link, out.loadAddress.wrapped(), out.size)) {
      diag.error("section '" + out.name + "' with size " + hex(out.size) +
                 ", loaded at " + hex(out.loadAddress) +
                 ", does not fit the machine's address space");
    }
  }
}

/// Segments of PHDRS that end behind the last address. For a load address only
/// loaded bytes count.
static void checkSegmentRanges(const Link &link, Diagnostics &diag) {
  for (const auto &[s, command] :
       zip(link.addresses.segments, link.program.script.phdrs))
    if (outsideAddressSpace(link, s.address, s.memSize) ||
        outsideAddressSpace(link, s.loadAddress, s.fileSize))
      return diag.error(segmentText(command) + " at " + hex(s.address) +
                        " with size " + hex(s.memSize) + ", loaded at " +
                        hex(s.loadAddress) +
                        ", does not fit the machine's address space");
}

/// Thread-local sections are the template of a thread's data: bytes, which are
/// copied, then zeros.
static void checkThreadLocal(const Link &link, Diagnostics &diag) {
  OutputId bytes, zeros, between;
  auto loadOf = [&](OutputId id) {
    return find_if(link.addresses.segments, [&](const Segment &s) {
      return s.type == ELF::PT_LOAD && is_contained(s.sections, id);
    });
  };
  for (const OutputView &out : link.outputsInOrder()) {
    if (!out.kept || !out.isAlloc() || out.size == 0)
      continue;
    if (!(out.flags & ELF::SHF_TLS)) {
      between = out.id;
    } else if (out.isNoBits()) {
      zeros = out.id;
    } else {
      const OutputId odd = zeros != kNone   ? zeros
                           : bytes != kNone ? between
                                            : OutputId();
      if (odd != kNone)
        return diag.error("thread-local section '" + out.name +
                          "' stands behind '" + link.output(odd).name +
                          "': what has bytes comes first, without a gap");
      // Elsewhere in the file or in memory the copy would not find it.
      if (bytes != kNone && loadOf(bytes) != loadOf(out.id))
        return diag.error("thread-local section '" + out.name +
                          "' is in another segment than '" +
                          link.output(bytes).name +
                          "': what has bytes is copied in one piece");
      bytes = out.id;
      between = kNone;
    }
  }
}

/// Numbers that do not fit ELF32 and are no address of a section. Negative
/// numbers and the end of the address space, which scripts give to stacks, are
/// modulo 2^32.
static void checkWords(const Link &link, uint64_t entry, Diagnostics &diag) {
  if (link.program.target->is64)
    return;
  auto fits = [](uint64_t value) {
    return value <= uint64_t(1) << 32 || value >> 32 == 0xffffffff;
  };
  for (SymbolId id : link.program.assignableInOrder()) {
    const BoundSymbol s = link.symbol(id);
    const uint64_t value = link.addressOf(s);
    if (s.scriptDefined && s.isDefined() && !fits(value))
      diag.error("symbol '" + link.program.shownName(s.name) + "' is " +
                 hex(value) + ", which an ELF32 file has no room for");
  }
  if (link.program.entrySymbol == kNone && entry >> 32)
    diag.error("the entry address " + hex(entry) +
               " does not fit the machine's address space");
  for (const OutputView &out : link.outputs())
    if (out.kept && out.align >> 32)
      diag.error("section '" + out.name + "' is aligned to " + hex(out.align) +
                 ", which an ELF32 file has no room for");
}

/// Names behind `:` that PHDRS does not declare.
static void checkPhdrNames(const Link &link, Diagnostics &diag) {
  std::vector<StringRef> declared;
  for (const PhdrCommand &p : link.program.script.phdrs)
    declared.push_back(p.name);
  for (const OutputView &out : link.outputs()) {
    if (!out.kept || !out.command)
      continue;
    std::vector<StringRef> names = out.command->phdrs;
    if (out.overlay)
      llvm::append_range(names, out.overlay->phdrs);
    for (StringRef name : names) {
      if (name == kNoSegmentName || is_contained(declared, name))
        continue;
      const std::string near = nearestSpelling(name, declared);
      diag.error(locationText(
                     wordPlace(link.program.script, name, out.command->where)) +
                 "section '" + out.name +
                 "' is assigned to the program header '" + name.str() +
                 "', which PHDRS does not declare" +
                 (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
  }
}

/// Whether a script says itself that a section takes no memory: by its type, or
/// by the address 0 that it customarily gives to debug sections and attributes.
static bool meantForNoMemory(const OutputView &out) {
  const OutputSectionCommand &c = *out.command;
  return out.addressed || c.type != OutputType::Normal ||
         (c.address && c.address->kind == ExprKind::Number &&
          c.address->number == 0);
}

/// Whether a section is of a kind that only describes the program and never
/// takes memory: notes for tools, debug information, attributes.
static bool onlyDescribes(const OutputView &out) {
  const StringRef name = out.name;
  static const char *const prefixes[] = {".debug", ".zdebug", ".stab",
                                         ".mdebug"};
  return name == ".comment" || name == ".line" || name == ".reginfo" ||
         name.ends_with(".attributes") ||
         any_of(prefixes, [&](StringRef p) { return name.starts_with(p); });
}

/// Something that a KEEP holds for its own sake, but that no memory will hold.
static void checkKept(const Link &link, const OutputView &out,
                      Diagnostics &diag) {
  if (out.isAlloc() || meantForNoMemory(out))
    return;
  for (const OutputItem &item : out.items) {
    if (!item.command || item.command->kind != CommandKind::InputDescription ||
        !static_cast<const InputDescription &>(*item.command).keep)
      continue;
    for (uint32_t i = item.begin; i < item.end; ++i)
      if (link.placed(out.members[i]))
        return diag.warn(WarningGroup::Script,
                         locationText(item.command->where) + "KEEP of " +
                             link.program.sectionName(out.members[i]) +
                             ", which has no SHF_ALLOC and is not in memory");
  }
}

/// Warns of sections without memory that a script puts into a region or keeps.
static void checkPlacement(const Link &link, Diagnostics &diag) {
  for (const OutputView &out : link.outputs()) {
    if (!out.kept)
      continue;
    const OutputSectionCommand *c = out.command;
    const bool described = !out.isAlloc() && onlyDescribes(out);
    if (c && !c->region.empty() && !out.isAlloc() && !out.addressed &&
        !described)
      diag.warn(WarningGroup::Script,
                sectionText(out) +
                    " has no SHF_ALLOC and takes no room in region '" +
                    c->region.str() + "'");
    else if (c && !link.program.builtinScript && !described)
      checkKept(link, out, diag);
  }
}

/// Warns of orphans in a region, those of a family at once: a script that
/// misspells a pattern makes one of every section that it was meant for.
static void checkOrphans(const Link &link, Diagnostics &diag) {
  MapVector<std::pair<RegionId, StringRef>, OrphanFamily> groups;
  for (const OutputView &out : link.outputs())
    if (!out.command && out.region != kNone && out.occupies() &&
        !is_contained(link.placement.hintedFamilies, familyOf(out.name)))
      for (SectionId id : out.members)
        if (link.placed(id) && link.sizeOf(id) != 0)
          groups[{out.region, familyOf(out.name)}].add(id, out.name);
  constexpr size_t kMostGroups = 5;
  uint64_t shown = 0, rest = 0;
  for (const auto &[key, group] : groups) {
    if (shown++ >= kMostGroups) {
      rest += group.count;
      continue;
    }
    const std::string region =
        "region '" + link.program.script.memory[key.first.index()].name.str() +
        "'";
    const std::string first = link.program.sectionName(group.first);
    if (group.count == 1)
      diag.warn(WarningGroup::Orphan,
                first + ": no pattern matches this section, which went to " +
                    region);
    else
      diag.warn(WarningGroup::Orphan,
                group.describe(link.program) + " and went to " + region,
                {"the first: " + first + "; --orphan-handling=warn lists all"});
  }
  if (rest)
    diag.warn(WarningGroup::Orphan,
              "no pattern matches " +
                  countOf(rest, "more input section", "more input sections") +
                  " that went to memory regions",
              {"--orphan-handling=warn lists all"});
}

/// An address that an option gives to a section that does not exist.
static void checkSectionStarts(const Link &link, Diagnostics &diag) {
  for (const SectionStart &start : link.program.config.sectionStart) {
    bool exists = *start.segment;
    for (const OutputView &out : link.outputs())
      exists |= out.kept && out.name == start.section;
    if (!exists)
      diag.warn(WarningGroup::Script, std::string("option '") + start.option +
                                          "': there is no section '" +
                                          start.section + "'");
  }
}

/// Segments with more permissions than a program should have at once, in GNU
/// ld's words.
static void checkPermissions(const Link &link, Diagnostics &diag) {
  const Config &config = link.program.config;
  if (!config.warnRwx)
    return;
  constexpr uint32_t all = ELF::PF_R | ELF::PF_W | ELF::PF_X;
  for (const Segment &s : link.addresses.segments) {
    const bool load = s.type == ELF::PT_LOAD && (s.flags & all) == all;
    const bool tls = s.type == ELF::PT_TLS && (s.flags & ELF::PF_X);
    if (s.memSize == 0 || (!load && !tls))
      continue;
    std::string text = link.program.output.path +
                       (load ? " has a LOAD segment with RWX permissions"
                             : " has a TLS segment with execute permission");
    std::vector<std::string> notes = {"it begins at " + hex(s.address)};
    for (OutputId id : s.sections)
      notes.front() += (id == s.sections.front() ? " and holds " : ", ") +
                       link.output(id).name;
    if (config.rwxIsError)
      diag.error(std::move(text), std::move(notes));
    else
      diag.warn(WarningGroup::General, std::move(text), std::move(notes));
  }
}

/// Reports SHF_LINK_ORDER sections that stay while the described one goes (GNU
/// ld, lld), and sections that go in spite of KEEP.
static void checkLinked(const Link &link, Diagnostics &diag) {
  const Program &program = link.program;
  if (!anyLinked(link.placement))
    return;
  for (SectionId id : program.sections.ids(1)) {
    if (!program.sections[id].parsed)
      continue;
    const SectionId target = linkedTo(program, id);
    if (target == kNone || link.placed(target))
      continue;
    const SectionPlace &place = link.placement.sections[id];
    if (link.placed(id))
      diag.error(program.sectionName(id) +
                 ": sh_link points to discarded section " +
                 program.sectionName(target));
    else if (place.keep && place.discarded &&
             link.placement.sections[target].discarded &&
             !program.sections[target].discarded)
      diag.warn(WarningGroup::Script,
                program.sectionName(id) +
                    " is discarded in spite of KEEP: it describes " +
                    program.sectionName(target) + ", which is discarded");
  }
}

void checkLayout(const Link &link, uint64_t entry, bool afterErrors,
                 Diagnostics &diag) {
  const bool hasPhdrs = link.program.script.hasPhdrs;
  checkSectionStarts(link, diag);
  if (!afterErrors) {
    checkPlacement(link, diag);
    if (!link.program.builtinScript &&
        link.program.config.orphans != OrphanHandling::Warn) // which lists them
      checkOrphans(link, diag);
  }
  checkLinked(link, diag);
  if (link.program.config.relocatable) {
    // Sections may share addresses that mean nothing yet; there is no segment.
    checkAddressSpace(link, diag);
    checkRegions(link, diag);
    return;
  }
  checkPhdrNames(link, diag);
  if (hasPhdrs)
    checkPhdrsUsed(link, diag);
  checkSharedPages(link, diag);
  checkAddressSpace(link, diag);
  if (hasPhdrs && !diag.failed())
    checkSegmentRanges(link, diag);
  checkThreadLocal(link, diag);
  checkWords(link, entry, diag);
  if (hasPhdrs)
    checkHeaderSegments(link, diag);
  checkPermissions(link, diag);
  checkRegions(link, diag);
  checkInitTables(link, diag);
  checkCode(link, diag);
  if (link.program.config.checkSections)
    checkOverlaps(link, diag);
  if (hasPhdrs && !diag.failed())
    checkFileOverlaps(link, diag);
  if (hasPhdrs)
    checkSegmentDistances(link, diag);
}

} // namespace xlink
