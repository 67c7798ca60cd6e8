//===- Segments.cpp - program headers and file offsets --------------------===//
//
// Problem: loaders read segments, not sections. Consecutive sections share one
// as long as one mapping can serve them.
//
// Method: walk the loaded sections in layout order; a new PT_LOAD begins when
// permissions, memory region or the distance between load address and address
// change, when addresses go back, when bytes follow NOBITS, or behind a gap of
// a page and more, which would be bytes of the file. With -z noseparate-code
// permissions and regions do not count, except that a writable section on a new
// page after read-only ones begins a segment: GNU ld's rule. With -n and -N
// that does not count either. Headers join the first segment by GNU ld's rule:
// when they fit between the start of the page and the first section. Segments
// then stand in address order (gABI, "Program Header").
//
// Cost: linear in output sections, and in their `:phdr` words.
//
//===----------------------------------------------------------------------===//
#include "layout/Segments.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace xlink {

Size headersSize(const Program &program, size_t segments) {
  return program.target->is64 ? 64 + segments * 56 : 52 + segments * 32;
}

static uint32_t segmentFlags(const OutputView &out) {
  uint32_t flags = ELF::PF_R;
  if (out.flags & ELF::SHF_WRITE)
    flags |= ELF::PF_W;
  if (out.flags & ELF::SHF_EXECINSTR)
    flags |= ELF::PF_X;
  return flags;
}

/// Whether a section's memory belongs to a PT_LOAD at all.
static bool isLoaded(const Link &link, const OutputView &out) {
  if (!out.kept || !out.isAlloc())
    return false;
  return !out.noload || link.program.target->noloadInSegments;
}

/// Whether a loader must map two sections with different permissions. With
/// --no-rosegment read-only sections may share with code (lld).
static bool permissionsDiffer(const Link &link, const OutputView &a,
                              const OutputView &b) {
  const uint32_t flags = segmentFlags(a), differ = flags ^ segmentFlags(b);
  return link.program.config.readOnlySegment
             ? differ != 0
             : (differ & ELF::PF_W) || ((flags & ELF::PF_W) && differ);
}

/// Where pages count for nothing, gaps that a file need not hold still do.
static constexpr uint64_t kCommonPage = 0x1000;

/// `flags` are those of the segment so far, which ends with `last`.
static bool needsNewSegment(const Link &link, uint32_t flags,
                            const OutputView &last, const OutputView &out) {
  const uint64_t page = std::max<uint64_t>(link.program.pageSize(), 1);
  const bool paged = link.program.config.paging == Paging::Demand;
  const bool separate = link.program.config.separateCode && paged;
  if (separate &&
      (permissionsDiffer(link, last, out) || last.region != out.region))
    return true;
  // One mapping from load addresses to addresses has to serve both.
  if (out.address.mapped(last.address, last.loadAddress) != out.loadAddress)
    return true;
  const Address end =
      last.address + (last.isThreadZeros() ? Size() : last.size);
  bool zeros = last.isNoBits() && (separate || !last.isThreadZeros());
  if (out.address < end || (zeros && !out.isNoBits()))
    return true;
  if (separate)
    return out.address.sizeFrom(end) >= std::max<uint64_t>(page, 0x1000);
  if (!paged)
    return end.alignedTo(kCommonPage) < out.address.alignedDown(kCommonPage);
  const Address pageStart = out.address.alignedDown(page);
  if (end.alignedTo(page) < pageStart)
    return true;
  return !(flags & ELF::PF_W) && (segmentFlags(out) & ELF::PF_W) &&
         end <= pageStart;
}

/// Completes addresses, sizes and alignment from the segment's sections. With
/// PHDRS load addresses decide a section's position in it: members of an
/// overlay share the others. Else all have one distance, and load addresses of
/// sections without bytes may lie behind the end of the address space.
static void measure(const Link &link, Segment &segment) {
  const bool byLoad = link.program.script.hasPhdrs;
  auto placeOf = [&](const OutputPlace &out) {
    return byLoad ? out.loadAddress : out.address;
  };
  // Sections without a byte may stand anywhere.
  const bool allEmpty = all_of(segment.sections, [&](OutputId id) {
    return link.addresses.outputs[id].size == 0;
  });
  const OutputPlace *first = nullptr;
  for (OutputId id : segment.sections) {
    const OutputPlace &out = link.addresses.outputs[id];
    segment.align = std::max(segment.align, out.align);
    if ((out.size != 0 || allEmpty) &&
        (!first || placeOf(out) < placeOf(*first)))
      first = &out;
  }
  if (!first)
    return;
  segment.address = first->address;
  segment.loadAddress = segment.base = first->loadAddress;
  segment.memSize = segment.fileSize = 0;
  for (OutputId id : segment.sections) {
    const OutputView out = link.output(id);
    if (out.size == 0 && !allEmpty)
      continue;
    const bool noRoom = out.isThreadZeros() && segment.type == ELF::PT_LOAD;
    const Size end = placeOf(out.place).sizeFrom(placeOf(*first)) +
                     (noRoom ? Size() : out.size);
    segment.memSize = std::max(segment.memSize, end);
    if (!out.isNoBits())
      segment.fileSize = std::max(segment.fileSize, end);
  }
}

/// Lets a segment begin `room` bytes earlier, with the headers.
static void addHeaders(Segment &segment, Size room) {
  segment.hasHeaders = true;
  segment.address -= room;
  segment.loadAddress -= room;
  segment.base -= room;
  segment.memSize += room;
  segment.fileSize += room;
}

/// GNU ld's rule: headers are loaded when they fit below the first section in
/// its page, and nothing is loaded there.
static void joinHeaders(const Link &link, MutableArrayRef<Segment> segments,
                        size_t count) {
  if (segments.empty())
    return;
  Segment &first = segments.front();
  const Size size = headersSize(link.program, count);
  const Size room = first.address.sizeFrom(
      first.address.alignedDown(link.program.pageSize()));
  if (room >= size && first.fileSize != 0 &&
      !(first.loadAddress - room).isNegative() &&
      none_of(segments, [&](const Segment &s) {
        return s.loadAddress < first.loadAddress;
      }))
    addHeaders(first, room);
}

SegmentPlace placeInFile(const Program &program, const Segment &segment,
                         Size end) {
  SegmentPlace place{segment.headersBegin, segment.fileSize, segment.memSize,
                     end};
  // A segment without bytes needs no room, only an offset inside the file,
  // congruent where there is one.
  if (!segment.hasHeaders) {
    const uint64_t mask = std::max<uint64_t>(segment.align, 1) - 1;
    const uint64_t address = segment.address.wrapped();
    place.offset =
        segment.fileSize != 0
            ? end + ((address - uint64_t(end)) & mask)
            : end - std::min<uint64_t>(end, (uint64_t(end) - address) & mask);
  }
  if (uint32_t pad = program.target->segmentFileAlign; pad > 1) {
    place.fileSize = place.fileSize.alignedTo(pad);
    place.memSize = std::max(place.memSize, place.fileSize);
  }
  if (place.fileSize != 0)
    place.end = std::max(end, place.offset + place.fileSize);
  return place;
}

/// The headers that PHDRS declares, with the sections that ask for them.
static void fillPhdrs(const Link &link, Addresses &now) {
  const std::vector<PhdrCommand> &commands = link.program.script.phdrs;
  for (size_t i = 0; i < now.phdrs.size(); ++i) {
    Segment &segment = now.segments.emplace_back();
    segment.type = now.phdrs[i].type;
    segment.align = segment.type == ELF::PT_LOAD ? link.program.pageSize() : 1;
    segment.hasHeaders = commands[i].fileHeader || commands[i].programHeaders;
    segment.flags = now.phdrs[i].flags.value_or(0);
  }
  // The `:phdr` words of each section: its own or its overlay's; those of its
  // anchor, which came into being before it, for an orphan.
  IdVector<OutputId, ArrayRef<StringRef>> phdrs;
  for (const OutputSection &out : link.placement.outputs) {
    ArrayRef<StringRef> &own = phdrs.emplace_back();
    if (out.orphanAfter != kNone)
      own = phdrs[out.orphanAfter];
    else if (out.command && !out.command->phdrs.empty())
      own = out.command->phdrs;
    else if (out.overlay)
      own = out.overlay->phdrs;
  }
  // A section without :phdr goes where the one before it went, one before all
  // that have it where the next of them goes, even if that steps back (GNU ld).
  now.phdrsMissing = false;
  ArrayRef<StringRef> active;
  bool noneFollow = false;
  const ArrayRef<LayoutCommand> layout = link.placement.layout;
  for (size_t at = 0; at < layout.size(); ++at) {
    const OutputId id = layout[at].output;
    if (id == kNone || link.placement.outputs[id].dropped)
      continue;
    const OutputView out = link.output(id);
    const ArrayRef<StringRef> own = phdrs[out.id];
    if (!own.empty())
      active = own;
    // Headers that it does not name itself do not take sections that are not
    // loaded.
    const bool noload = out.command && out.command->type == OutputType::NoLoad;
    if (!isLoaded(link, out) || (noload && own.empty()))
      continue;
    if (active.empty() && !noneFollow) {
      for (const LayoutCommand &c : layout.drop_front(at))
        if (c.output != kNone && active.empty())
          active = phdrs[c.output];
      noneFollow = active.empty();
    }
    now.phdrsMissing |= active.empty() && out.size != 0;
    for (StringRef name : active)
      for (size_t i = 0; i < commands.size(); ++i) {
        std::vector<OutputId> &sections = now.segments[i].sections;
        if (commands[i].name != name ||
            (!sections.empty() && sections.back() == out.id))
          continue; // or its name stands there twice
        sections.push_back(out.id);
        if (!now.phdrs[i].flags)
          now.segments[i].flags |= segmentFlags(out);
      }
  }
}

/// Lets a segment that holds the headers begin with the file.
static void takeHeaders(const Program &program, Segment &segment, Size end) {
  // Its sections stand behind all others.
  const uint64_t page = std::max<uint64_t>(program.pageSize(), 1);
  Size room = segment.address.sizeFrom(segment.address.alignedDown(page));
  if (room < end)
    room += (end - room).alignedTo(page);
  segment.hasHeaders = !(segment.address - room).isNegative() &&
                       !(segment.loadAddress - room).isNegative();
  if (segment.hasHeaders)
    addHeaders(segment, room);
}

/// A PT_LOAD without sections holds the headers that it asks for alone. Their
/// addresses are their offsets in the file (GNU ld, but for PHDRS alone).
static void holdHeaders(const Program &program, const PhdrCommand &command,
                        size_t segments, Segment &segment) {
  const Size file = headersSize(program, 0);
  segment.headersBegin = command.fileHeader ? Size() : file;
  segment.fileSize = segment.memSize =
      (command.programHeaders ? headersSize(program, segments) : file) -
      segment.headersBegin;
  segment.address = segment.loadAddress = segment.base =
      Address() + segment.headersBegin;
  if (!command.flags)
    segment.flags = ELF::PF_R;
}

/// PT_PHDR says where the program headers are within the loaded headers.
static void placePhdrHeader(const Program &program, Segment &segment,
                            ArrayRef<Segment> segments) {
  segment.sections.clear(); // those that follow its :phdr are elsewhere too
  const Size begin = headersSize(program, 0);
  segment.fileSize = segment.memSize =
      headersSize(program, segments.size()) - begin;
  segment.align = program.addressSize();
  segment.flags |= ELF::PF_R;
  for (const Segment &load : segments)
    if (load.type == ELF::PT_LOAD && load.hasHeaders) {
      segment.address = load.address + (begin - load.headersBegin);
      segment.loadAddress = load.loadAddress + (begin - load.headersBegin);
      break;
    }
}

static void buildFromPhdrs(const Link &link, Addresses &now) {
  const Program &program = link.program;
  fillPhdrs(link, now);
  // The end of the file so far.
  Size end = headersSize(program, now.segments.size());
  for (size_t i = 0; i < now.segments.size(); ++i) {
    Segment &segment = now.segments[i];
    measure(link, segment);
    const bool loads = segment.type == ELF::PT_LOAD &&
                       (segment.hasHeaders || !segment.sections.empty());
    if (loads && segment.sections.empty())
      holdHeaders(program, program.script.phdrs[i], now.segments.size(),
                  segment);
    else if (loads && segment.hasHeaders)
      takeHeaders(program, segment, end);
    if (loads) {
      const SegmentPlace place = placeInFile(program, segment, end);
      segment.fileSize = place.fileSize;
      segment.memSize = place.memSize;
      end = place.end;
    }
    if (now.phdrs[i].loadAddress)
      segment.loadAddress = *now.phdrs[i].loadAddress;
  }
  for (Segment &segment : now.segments)
    if (segment.type == ELF::PT_PHDR)
      placePhdrHeader(program, segment, now.segments);
}

/// One segment after the other, as long as one mapping can serve the sections.
static void joinSections(const Link &link, Addresses &now) {
  OutputId last;
  for (const OutputView &out : link.outputsInOrder()) {
    // Empty sections have no bytes to map and separate nothing.
    if (!isLoaded(link, out) || out.size == 0)
      continue;
    if (last == kNone || needsNewSegment(link, now.segments.back().flags,
                                         link.output(last), out)) {
      Segment &segment = now.segments.emplace_back();
      segment.type = ELF::PT_LOAD;
      segment.align = link.program.pageSize();
    }
    now.segments.back().flags |= segmentFlags(out);
    now.segments.back().sections.push_back(out.id);
    last = out.id;
  }
}

void buildSegments(const Link &link, Addresses &now) {
  now.segments.clear();
  if (link.program.config.relocatable)
    return; // nothing to load
  if (link.program.script.hasPhdrs)
    return buildFromPhdrs(link, now);
  joinSections(link, now);
  Segment tls;
  tls.type = ELF::PT_TLS;
  tls.flags = ELF::PF_R;
  for (const OutputView &out : link.outputsInOrder())
    if (isLoaded(link, out) && (out.flags & ELF::SHF_TLS))
      tls.sections.push_back(out.id);
  for (Segment &segment : now.segments)
    measure(link, segment);
  llvm::stable_sort(now.segments, [](const Segment &a, const Segment &b) {
    return a.address < b.address;
  });
  joinHeaders(link, now.segments, now.segments.size() + !tls.sections.empty());
  if (!tls.sections.empty()) {
    measure(link, tls);
    now.segments.push_back(std::move(tls));
  }
}

/// A section without bytes whose load address is below the end of the one
/// before it in its segment is loaded behind that (GNU ld): of two of them,
/// which move no load region's cursor, the second would not be in the segment's
/// memory.
void stackLoadAddresses(const PartialLink &partial, const OutputInfo &info,
                        Addresses &now) {
  if (!partial.program.script.hasPhdrs || partial.program.config.relocatable)
    return;
  for (const Segment &segment : now.segments) {
    if (segment.type != ELF::PT_LOAD)
      continue;
    std::vector<OutputId> order = segment.sections;
    auto key = [&](OutputId id) {
      return std::tuple(now.outputs[id].loadAddress, now.outputs[id].address,
                        info.outputs[id].isNoBits());
    };
    llvm::stable_sort(order,
                      [&](OutputId a, OutputId b) { return key(a) < key(b); });
    Address end;
    for (OutputId id : order) {
      OutputPlace &out = now.outputs[id];
      const OutputSectionInfo &f = info.outputs[id];
      if (out.size == 0)
        continue;
      if (f.isNoBits())
        out.loadAddress = std::max(out.loadAddress, end);
      end = out.loadAddress + (f.isThreadZeros() ? Size() : out.size);
    }
  }
  buildSegments(Link(partial, info, now), now);
}

} // namespace xlink
