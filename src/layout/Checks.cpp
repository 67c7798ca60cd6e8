//===- Checks.cpp - errors of a finished layout ---------------------------===//
#include "layout/Checks.h"
#include "layout/Regions.h"
#include "placement/Placement.h"
#include "placement/SectionTraits.h"
#include "sections/InitTables.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;

namespace xlink {

std::string addressRange(Address begin, Size size) {
  return "[" + hex(begin) + ", " + hex(begin + size - 1) + "]";
}

namespace {

/// Sections that share addresses. Load addresses must never meet. If sections
/// begin at exactly the same VMA the script makes overlays, with OVERLAY or by
/// hand, which are meant to share addresses (GNU ld); other sections that
/// overlap in such a script give a warning.
class OverlapCheck {
public:
  OverlapCheck(const Link &link, Diagnostics &diag) : link(link), diag(diag) {}
  void run();

private:
  Address begin(OutputId id, bool byLoadAddress) const {
    const OutputPlace &place = link.addresses.outputs[id];
    return byLoadAddress ? place.loadAddress : place.address;
  }
  void check(bool byLoadAddress);
  void report(OutputId first, OutputId second, bool byLoadAddress);

  const Link &link;
  Diagnostics &diag;
  std::vector<OutputId> ids;
  DenseSet<OutputId> reported;
  bool overlays = false;
};

void OverlapCheck::report(OutputId first, OutputId second, bool byLoadAddress) {
  const OutputView before = link.output(first), out = link.output(second);
  // Equal VMA and LMA overlap once, not twice.
  const bool loadedInPlace =
      out.loadAddress == out.address && before.loadAddress == before.address;
  if (byLoadAddress && !overlays && loadedInPlace)
    return;
  const Address from = begin(first, byLoadAddress),
                to = begin(second, byLoadAddress);
  if (!byLoadAddress && overlays && from == to)
    return;
  auto compose = [&] {
    return Message{
        "section " + before.name +
            (byLoadAddress && !loadedInPlace ? " load" : " virtual") +
            " address range overlaps with " + out.name,
        {before.name + " range is " + addressRange(from, before.size),
         out.name + " range is " + addressRange(to, out.size)}};
  };
  if (overlays && !byLoadAddress) {
    diag.warn(WarningGroup::Script, compose);
    return;
  }
  diag.error(compose);
  reported.insert(second);
}

void OverlapCheck::check(bool byLoadAddress) {
  std::stable_sort(ids.begin(), ids.end(), [&](OutputId a, OutputId b) {
    return begin(a, byLoadAddress) < begin(b, byLoadAddress);
  });
  OutputId last;
  for (OutputId id : ids) {
    if (byLoadAddress && link.info.outputs[id].isNoBits())
      continue;
    const OutputId before = std::exchange(last, id);
    if (before != kNone && !reported.contains(id) &&
        begin(id, byLoadAddress) <
            begin(before, byLoadAddress) + link.addresses.outputs[before].size)
      report(before, id, byLoadAddress);
  }
}

void OverlapCheck::run() {
  for (const OutputView &out : link.outputs())
    if (out.occupies())
      ids.push_back(out.id);
  auto byAddress = [&](OutputId id) { return begin(id, false); };
  llvm::sort(ids, [&](OutputId a, OutputId b) {
    return std::pair(byAddress(a), a) < std::pair(byAddress(b), b);
  });
  overlays =
      std::adjacent_find(ids.begin(), ids.end(), [&](OutputId a, OutputId b) {
        return byAddress(a) == byAddress(b);
      }) != ids.end();
  check(/*byLoadAddress=*/true);
  check(/*byLoadAddress=*/false);
}

} // namespace

/// Sections that PHDRS puts into one segment stand in the file as their load
/// addresses do; no option makes two of them share bytes there.
static void checkFileOverlaps(const Link &link, Diagnostics &diag) {
  if (!link.program.script.hasPhdrs)
    return;
  for (const Segment &segment : link.addresses.segments) {
    if (segment.type != ELF::PT_LOAD)
      continue;
    std::vector<OutputId> spans;
    for (OutputId id : segment.sections)
      if (const OutputView out = link.output(id);
          out.occupies() && !out.isNoBits())
        spans.push_back(id);
    llvm::stable_sort(spans, [&](OutputId a, OutputId b) {
      return link.addresses.outputs[a].loadAddress <
             link.addresses.outputs[b].loadAddress;
    });
    for (size_t i = 1; i < spans.size(); ++i) {
      const OutputView a = link.output(spans[i - 1]), b = link.output(spans[i]);
      if (b.loadAddress >= a.loadAddress + a.size)
        continue;
      auto range = [&](const OutputView &out) {
        return addressRange(out.loadAddress.mapped(segment.base, 0), out.size);
      };
      diag.error([&] {
        return Message{"section " + a.name + " file range overlaps with " +
                           b.name,
                       {a.name + " range in its segment is " + range(a),
                        b.name + " range in its segment is " + range(b)}};
      });
    }
  }
}

/// A segment maps memory to load addresses at one distance. With PHDRS a script
/// can ask for more of it than that; members of an overlay do so on purpose.
static void checkSegmentDistances(const Link &link, Diagnostics &diag) {
  if (!link.program.script.hasPhdrs)
    return;
  for (size_t i = 0; i < link.addresses.segments.size(); ++i) {
    const Segment &segment = link.addresses.segments[i];
    if (segment.type != ELF::PT_LOAD)
      continue;
    for (OutputId id : segment.sections) {
      const OutputView out = link.output(id);
      if (!out.occupies() || out.overlay ||
          out.address.mapped(segment.address, segment.base) == out.loadAddress)
        continue;
      diag.warn(WarningGroup::Script, [&] {
        const StringRef name = link.program.script.phdrs[i].name;
        return Message{"section '" + out.name +
                           "' cannot be loaded where segment '" + name.str() +
                           "' maps it",
                       {"the segment maps " + hex(segment.base) + " to " +
                            hex(segment.address),
                        "the section is loaded at " + hex(out.loadAddress) +
                            " and stands at " + hex(out.address)}};
      });
      break; // the others follow from it
    }
  }
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
        return diag.error(locationText(command.where) + "segment '" +
                              command.name.str() + "' has no room for headers",
                          {"they would stand at " + hex(headers.loadAddress) +
                           ", where section '" + link.output(id).name +
                           "' is loaded"});
  }
}

/// The headers stand at the beginning of the file: segments that hold them come
/// first, have room for them below their sections, and PT_PHDR lies in one.
static void checkHeaderSegments(const Link &link, Diagnostics &diag) {
  if (!link.program.script.hasPhdrs)
    return;
  const PhdrCommand *without = nullptr;
  bool loaded = false;
  for (size_t i = 0; i < link.addresses.segments.size(); ++i) {
    const PhdrCommand &p = link.program.script.phdrs[i];
    if (link.addresses.segments[i].type != ELF::PT_LOAD)
      continue;
    if (!p.fileHeader && !p.programHeaders) {
      without = without ? without : &p;
      continue;
    }
    const Segment &segment = link.addresses.segments[i];
    // A loader of a file header alone does not see the others.
    loaded |= p.programHeaders || !segment.sections.empty();
    if (without)
      diag.error(locationText(p.where) + "segment '" + p.name.str() +
                 "' cannot hold headers: the PT_LOAD before it, '" +
                 without->name.str() + "', holds none");
    else if (!segment.hasHeaders)
      diag.error(locationText(p.where) + "segment '" + p.name.str() +
                     "' has no room for headers",
                 {"they would stand below its first section, which is at " +
                  hex(segment.address)});
    else if (segment.sections.empty())
      checkHeadersAlone(link, segment, p, diag);
  }
  for (size_t i = 0; i < link.addresses.segments.size(); ++i)
    if (link.addresses.segments[i].type == ELF::PT_PHDR && !loaded)
      diag.error(locationText(link.program.script.phdrs[i].where) +
                 "no PT_LOAD with PHDRS covers segment '" +
                 link.program.script.phdrs[i].name.str() + "'");
}

/// With PHDRS every loaded section needs one of its headers.
static void checkPhdrsUsed(const Link &link, Diagnostics &diag) {
  if (!link.program.script.hasPhdrs)
    return;
  if (link.addresses.phdrsMissing)
    diag.error("no sections assigned to phdrs");
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
                (out.command ? locationText(out.command->where) : "") +
                    "section '" + out.name +
                    "' takes memory and is in no segment, so nothing loads it");
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
  for (SectionId id : out.members)
    if (link.placed(id) && link.sizeOf(id))
      members.push_back(id);
  return {(out.command ? locationText(out.command->where) : "") + "section '" +
              out.name + "'" +
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
      diag.error([&] {
        return Message{"section '" + out.name + "' at " + hex(out.address) +
                       " with size " + hex(out.size) +
                       " does not fit the machine's address space"};
      });
    } else if (!out.occupies() || out.isNoBits()) {
      continue;
    } else if (!out.loadAddress.isByte() && (out.traits & Load)) {
      diag.error([&] {
        return Message{
            "section '" + out.name + "' with size " + hex(out.size) +
            " would be loaded outside of the machine's address space"};
      });
    } else if (outsideAddressSpace(link, out.loadAddress.wrapped(), out.size)) {
      diag.error([&] {
        return Message{"section '" + out.name + "' with size " + hex(out.size) +
                       ", loaded at " + hex(out.loadAddress) +
                       ", does not fit the machine's address space"};
      });
    }
  }
}

/// Segments of PHDRS that end behind the last address. For a load address only
/// loaded bytes count.
static void checkSegmentRanges(const Link &link, Diagnostics &diag) {
  if (!link.program.script.hasPhdrs)
    return;
  for (size_t i = 0; i < link.addresses.segments.size() && !diag.failed();
       ++i) {
    const Segment &s = link.addresses.segments[i];
    if (outsideAddressSpace(link, s.address, s.memSize) ||
        outsideAddressSpace(link, s.loadAddress, s.fileSize))
      diag.error(locationText(link.program.script.phdrs[i].where) +
                 "segment '" + link.program.script.phdrs[i].name.str() +
                 "' at " + hex(s.address) + " with size " + hex(s.memSize) +
                 ", loaded at " + hex(s.loadAddress) +
                 ", does not fit the machine's address space");
  }
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
      diag.error([&] {
        return Message{"symbol '" + link.program.shownName(s.name) + "' is " +
                       hex(value) + ", which an ELF32 file has no room for"};
      });
  }
  if (link.program.entrySymbol == kNone && entry >> 32)
    diag.error("the entry address " + hex(entry) +
               " does not fit the machine's address space");
  for (const OutputView &out : link.outputs())
    if (out.kept && out.align >> 32)
      diag.error([&] {
        return Message{"section '" + out.name + "' is aligned to " +
                       hex(out.align) +
                       ", which an ELF32 file has no room for"};
      });
}

/// Names behind `:` that PHDRS does not declare.
static void checkPhdrNames(const Link &link, Diagnostics &diag) {
  StringSet<> declared;
  for (const PhdrCommand &p : link.program.script.phdrs)
    declared.insert(p.name);
  auto check = [&](ArrayRef<StringRef> names, const OutputView &out) {
    for (StringRef name : names)
      if (name != kNoSegmentName && !declared.contains(name))
        diag.error([&] {
          return Message{locationText(wordPlace(link.program.script, name,
                                                out.command->where)) +
                         "section '" + out.name +
                         "' is assigned to the program header '" + name.str() +
                         "', which PHDRS does not declare"};
        });
  };
  for (const OutputView &out : link.outputs()) {
    if (!out.kept || !out.command)
      continue;
    check(out.command->phdrs, out);
    if (out.overlay)
      check(out.overlay->phdrs, out);
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
        return diag.warn(WarningGroup::Script, [&] {
          return Message{locationText(item.command->where) + "KEEP of " +
                         link.program.sectionName(out.members[i]) +
                         ", which has no SHF_ALLOC and is not in memory"};
        });
  }
}

/// Warns of sections without memory that a script puts into a region or keeps,
/// and, on request, of orphans in a region.
static void checkPlacement(const Link &link, Diagnostics &diag) {
  for (const OutputView &out : link.outputs()) {
    if (!out.kept)
      continue;
    const OutputSectionCommand *c = out.command;
    const bool described = !out.isAlloc() && onlyDescribes(out);
    if (c && !c->region.empty() && !out.isAlloc() && !out.addressed &&
        !described)
      diag.warn(WarningGroup::Script, [&] {
        return Message{locationText(c->where) + "section '" + out.name +
                       "' has no SHF_ALLOC and takes no room in region '" +
                       c->region.str() + "'"};
      });
    else if (c && !link.program.builtinScript && !described)
      checkKept(link, out, diag);
    if (!link.program.builtinScript && !c && out.region != kNone &&
        out.occupies() &&
        link.program.config.orphans !=
            OrphanHandling::Warn) // which has said it
      diag.warn(WarningGroup::Orphan, [&] {
        const StringRef region =
            link.program.script.memory[out.region.index()].name;
        return Message{"section '" + out.name +
                       "' matches no pattern and went to region '" +
                       region.str() + "'"};
      });
  }
}

/// An address that an option gives to a section that does not exist.
static void checkSectionStarts(const Link &link, Diagnostics &diag) {
  if (link.program.config.sectionStart.empty())
    return;
  StringSet<> names;
  for (const OutputView &out : link.outputs())
    if (out.kept)
      names.insert(out.name);
  for (const SectionStart &start : link.program.config.sectionStart)
    if (!*start.segment && !names.contains(start.section))
      diag.warn(WarningGroup::Script, std::string("option '") + start.option +
                                          "': there is no section '" +
                                          start.section + "'");
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

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

static bool meets(const OutputView &out, Address begin, Address end) {
  return out.address < end && out.address + out.size > begin;
}

/// "section '.text' is at [0x1000, 0x1fff]"
static std::string placeText(const OutputView &out) {
  return "section '" + out.name + "' is at " +
         addressRange(out.address, out.size);
}

/// The first input section that ends behind an address.
static void noteFirstBeyond(const Link &link, const OutputView &out,
                            Address end, std::vector<std::string> &notes) {
  for (SectionId id : out.members) {
    if (!link.placed(id))
      continue;
    const Address at = link.addressOf(id);
    const Size size = link.sizeOf(id);
    if (size && at + size > end) {
      notes.push_back("the first section that reaches there: " +
                      link.program.sectionName(id) + " at " +
                      addressRange(at, size));
      return;
    }
  }
}

/// Code that begins in executable memory and ends too near to its end.
static Message prefetched(const Link &link, const OutputView &out,
                          const ExecutableRun &run) {
  const std::string bytes = std::to_string(link.program.target->prefetchBytes);
  std::vector<std::string> notes = {
      run.name + " ends at " + hex(run.end) + "; code may end at " +
      hex(run.codeEnd) + ", as the processor reads " + bytes + " bytes ahead"};
  noteFirstBeyond(link, out, run.codeEnd, notes);
  return {"code in the last " + bytes + " bytes of " + run.name + ": " +
              placeText(out),
          std::move(notes)};
}

/// Code in memory of which the machine says nothing.
static Message outside(const Link &link, const OutputView &out) {
  std::vector<std::string> notes;
  for (const MemoryRange &range : link.program.state.executable)
    notes.push_back(range.name + " is " +
                    addressRange(range.begin, range.end - range.begin));
  return {"code outside of executable memory: " + placeText(out),
          std::move(notes)};
}

/// Code in memory that does not execute, or at the end of executable memory.
/// Undeclared memory executes no code either, but addresses without a region,
/// from an option or in a script without MEMORY, are not checked there.
static void checkCode(const Link &link, Diagnostics &diag) {
  const TargetState &state = link.program.state;
  const auto [begin, end] = state.noCode;
  for (const OutputView &out : link.outputs()) {
    if (!out.occupies() || !(out.flags & ELF::SHF_EXECINSTR))
      continue;
    if (begin != end && meets(out, begin, end)) {
      diag.error([&, begin = begin, end = end] {
        return Message{
            "code in " + state.noCodeName + ": " + placeText(out),
            {state.noCodeName + " is " + addressRange(begin, end - begin)}};
      });
      continue;
    }
    if (state.executable.empty())
      continue;
    const std::optional<ExecutableRun> run =
        executableRun(link.program, out.address);
    if (run && out.address + out.size <= run->codeEnd)
      continue;
    if (run && out.address + out.size <= run->end) {
      diag.error([&] { return prefetched(link, out, *run); });
      continue;
    }
    const bool known = any_of(state.executable, [&](const MemoryRange &range) {
      return meets(out, range.begin, range.end);
    });
    const bool addressGiven =
        out.info.startOption != kNone || link.program.script.memory.empty();
    if (known || !addressGiven)
      diag.error([&] { return outside(link, out); });
  }
}

void checkLayout(const Link &link, uint64_t entry, Diagnostics &diag) {
  checkSectionStarts(link, diag);
  checkPlacement(link, diag);
  checkLinked(link, diag);
  if (link.program.config.relocatable) {
    // Sections may share addresses that mean nothing yet; there is no segment.
    checkAddressSpace(link, diag);
    checkRegions(link, diag);
    return;
  }
  checkPhdrNames(link, diag);
  checkPhdrsUsed(link, diag);
  checkSharedPages(link, diag);
  checkAddressSpace(link, diag);
  checkSegmentRanges(link, diag);
  checkThreadLocal(link, diag);
  checkWords(link, entry, diag);
  checkHeaderSegments(link, diag);
  checkPermissions(link, diag);
  checkRegions(link, diag);
  checkInitTables(link, diag);
  checkCode(link, diag);
  if (link.program.config.checkSections)
    OverlapCheck(link, diag).run();
  if (!diag.failed())
    checkFileOverlaps(link, diag);
  checkSegmentDistances(link, diag);
}

} // namespace xlink
