//===- Segments.cpp - program headers and file offsets --------------------===//
//
// Problem: loaders see segments, not sections. Consecutive sections share one
// as long as one mapping can serve them.
//
// Method: walk the loaded sections in layout order; a new PT_LOAD begins when
// permissions, memory region or the distance between load address and address
// change, when addresses go back, when bytes follow NOBITS, or behind a gap of
// a page and more (nobody wants such gaps as bytes of a file). With -z
// noseparate-code permissions and regions do not count, except that what is
// written does not follow what is only read on a page of its own: GNU ld's
// rule. Headers join the first segment by GNU ld's rule: when they fit between
// the start of the page and the first section. Segments then stand in address
// order (gABI, "Program Header").
//
// Cost: linear in output sections.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;

namespace xlink {

uint64_t headersSize(const Link &link, size_t segments) {
  return link.target->is64 ? 64 + segments * 56 : 52 + segments * 32;
}

static uint32_t segmentFlags(const OutputSection &out) {
  uint32_t flags = ELF::PF_R;
  if (out.flags & ELF::SHF_WRITE)
    flags |= ELF::PF_W;
  if (out.flags & ELF::SHF_EXECINSTR)
    flags |= ELF::PF_X;
  return flags;
}

/// Whether a section's memory belongs to a PT_LOAD at all.
static bool isLoaded(const Link &link, const OutputSection &out) {
  if (!out.kept || !out.isAlloc())
    return false;
  return !out.noload || link.target->noloadInSegments;
}

static bool isTlsZero(const OutputSection &out) {
  return (out.flags & ELF::SHF_TLS) && out.isNoBits();
}

/// `flags` are those of the segment so far, which ends with `last`.
static bool needsNewSegment(const Link &link, uint32_t flags,
                            const OutputSection &last,
                            const OutputSection &out) {
  const uint64_t page = std::max<uint64_t>(link.pageSize(), 1);
  const bool separate = link.config.separateCode;
  if (separate &&
      (segmentFlags(last) != segmentFlags(out) || last.region != out.region))
    return true;
  if (out.loadAddress - out.address != last.loadAddress - last.address)
    return true;
  const uint64_t room = isTlsZero(last) ? 0 : last.size;
  bool zeros = last.isNoBits() && (separate || !isTlsZero(last));
  if (out.address < last.address || out.address - last.address < room ||
      (zeros && !out.isNoBits()))
    return true;
  const uint64_t end = last.address + room; // no more than out.address
  if (separate)
    return out.address - end >= std::max<uint64_t>(page, 0x1000);
  if (divideCeil(end, page) < out.address / page)
    return true;
  return !(flags & ELF::PF_W) && (segmentFlags(out) & ELF::PF_W) &&
         alignDown(end - 1, page) != alignDown(out.address, page);
}

/// Completes addresses, sizes and alignment from the segment's sections. With
/// PHDRS load addresses decide where a section stands in it: members of an
/// overlay share the others. Else all have one distance, and load addresses of
/// what has no bytes may lie behind the end of the address space.
static void measure(const Link &link, Segment &segment) {
  const auto place = link.script.hasPhdrs ? &OutputSection::loadAddress
                                          : &OutputSection::address;
  const OutputSection *first = nullptr;
  // Sections without a byte may stand anywhere.
  const bool allEmpty = all_of(segment.sections, [&](OutputId id) {
    return link.outputs[id].size == 0;
  });
  for (OutputId id : segment.sections) {
    const OutputSection &out = link.outputs[id];
    segment.align = std::max(segment.align, out.align);
    if ((out.size != 0 || allEmpty) && (!first || out.*place < first->*place))
      first = &out;
  }
  if (!first)
    return;
  segment.address = first->address;
  segment.loadAddress = segment.base = first->loadAddress;
  segment.memSize = segment.fileSize = 0;
  for (OutputId id : segment.sections) {
    const OutputSection &out = link.outputs[id];
    if (out.size == 0 && !allEmpty)
      continue;
    uint64_t size =
        isTlsZero(out) && segment.type == ELF::PT_LOAD ? 0 : out.size;
    // From the beginning on, as the end can be that of the address space.
    const uint64_t end = SaturatingAdd(out.*place - first->*place, size);
    segment.memSize = std::max(segment.memSize, end);
    if (!out.isNoBits())
      segment.fileSize = std::max(segment.fileSize, end);
  }
}

/// Lets a segment begin `room` bytes earlier, with the headers.
static void addHeaders(Segment &segment, uint64_t room) {
  segment.hasHeaders = true;
  segment.address -= room;
  segment.loadAddress -= room;
  segment.base -= room;
  segment.memSize += room;
  segment.fileSize += room;
}

/// GNU ld's rule: headers are loaded when they fit below the first section in
/// its page.
static void joinHeaders(Link &link, Segment &first, size_t count) {
  const uint64_t size = headersSize(link, count);
  uint64_t page = link.pageSize();
  uint64_t pageStart = first.address & ~(page - 1);
  uint64_t room = first.address - pageStart;
  if (room < size || first.fileSize == 0 || first.loadAddress < room)
    return;
  addHeaders(first, room);
}

/// The `:phdr` words that hold for a section: its own or its overlay's; those
/// of its anchor for an orphan. Empty: none of its own.
static ArrayRef<StringRef> phdrsOf(const Link &link, const OutputSection &out) {
  const OutputSection *owner = &out;
  while (owner->orphanAfter != kNone)
    owner = &link.outputs[owner->orphanAfter];
  if (owner->command && !owner->command->phdrs.empty())
    return owner->command->phdrs;
  if (owner->overlay)
    return owner->overlay->phdrs;
  return {};
}

/// The `:phdr` words of the first section behind `it` that has some.
static ArrayRef<StringRef>
nextPhdrs(const Link &link, std::vector<LayoutCommand>::const_iterator it) {
  for (; it != link.layout.end(); ++it)
    if (it->output != kNone)
      if (ArrayRef<StringRef> phdrs = phdrsOf(link, link.outputs[it->output]);
          !phdrs.empty())
        return phdrs;
  return {};
}

/// Gives a PT_LOAD its place in a file of which `end` bytes are taken; returns
/// how many are then.
static uint64_t placeInFile(const Link &link, Segment &segment, uint64_t end) {
  if (segment.hasHeaders) {
    segment.offset = 0;
  } else {
    uint64_t align = std::max<uint64_t>(segment.align, 1);
    // A segment without bytes needs no room, only an offset inside the file,
    // congruent where there is one.
    if (segment.fileSize)
      segment.offset = end + ((segment.address - end) & (align - 1));
    else
      segment.offset =
          end - std::min(end, (end - segment.address) & (align - 1));
  }
  if (uint32_t pad = link.target->segmentFileAlign; pad > 1) {
    segment.fileSize = alignTo(segment.fileSize, pad);
    segment.memSize = std::max(segment.memSize, segment.fileSize);
  }
  return segment.fileSize ? std::max(end, segment.offset + segment.fileSize)
                          : end;
}

/// A section without bytes whose load address is below what precedes it in its
/// segment is loaded behind that (GNU ld): of two of them, which move no load
/// region's cursor, the second would not be in the segment's memory.
static void stackLoadAddresses(Link &link, const Segment &segment) {
  if (segment.type != ELF::PT_LOAD)
    return;
  std::vector<OutputId> order = segment.sections;
  llvm::stable_sort(order, [&](OutputId a, OutputId b) {
    const OutputSection &x = link.outputs[a], &y = link.outputs[b];
    return std::tuple(x.loadAddress, x.address, x.isNoBits()) <
           std::tuple(y.loadAddress, y.address, y.isNoBits());
  });
  uint64_t end = 0;
  for (OutputId id : order) {
    OutputSection &out = link.outputs[id];
    if (out.size == 0)
      continue;
    if (out.isNoBits())
      out.loadAddress = std::max(out.loadAddress, end);
    end = SaturatingAdd(out.loadAddress, isTlsZero(out) ? 0 : out.size);
  }
}

static void buildFromPhdrs(Link &link) {
  for (size_t i = 0; i < link.phdrs.size(); ++i) {
    Segment &segment = link.segments.emplace_back();
    segment.type = link.phdrs[i].type;
    segment.align = segment.type == ELF::PT_LOAD ? link.pageSize() : 1;
    segment.hasHeaders =
        link.script.phdrs[i].fileHeader || link.script.phdrs[i].programHeaders;
    segment.flags = link.phdrs[i].flags.value_or(0);
  }
  // A section without :phdr goes where the one before it went, one before all
  // that have it where the next of them goes, even if that steps back (GNU ld).
  link.phdrsMissing = false;
  ArrayRef<StringRef> active;
  bool noneFollow = false;
  for (auto it = link.layout.begin(); it != link.layout.end(); ++it) {
    const LayoutCommand &command = *it;
    if (command.output == kNone || link.outputs[command.output].dropped)
      continue;
    const OutputSection &out = link.outputs[command.output];
    const ArrayRef<StringRef> own = phdrsOf(link, out);
    if (!own.empty())
      active = own;
    // Headers that it does not name itself do not take what is not loaded.
    const bool noload = out.command && out.command->type == OutputType::NoLoad;
    if (!isLoaded(link, out) || (noload && own.empty()))
      continue;
    if (active.empty() && !noneFollow) {
      active = nextPhdrs(link, it);
      noneFollow = active.empty();
    }
    link.phdrsMissing |= active.empty() && out.size != 0;
    for (size_t i = 0; i < link.script.phdrs.size(); ++i)
      if (std::find(active.begin(), active.end(), link.script.phdrs[i].name) !=
          active.end()) {
        link.segments[i].sections.push_back(command.output);
        if (!link.phdrs[i].flags)
          link.segments[i].flags |= segmentFlags(out);
      }
  }
  const bool is64 = link.target->is64;
  const uint64_t headers = headersSize(link, link.segments.size());
  uint64_t end = headers; // of what is in the file so far
  for (size_t i = 0; i < link.segments.size(); ++i) {
    Segment &segment = link.segments[i];
    measure(link, segment);
    const bool loads =
        segment.type == ELF::PT_LOAD && !segment.sections.empty();
    if (loads && segment.hasHeaders) {
      // The file from its beginning on: its sections stand behind all others.
      uint64_t page = std::max<uint64_t>(link.pageSize(), 1);
      uint64_t room = segment.address & (page - 1);
      if (room < end)
        room = alignTo(end - room, page) + room;
      segment.hasHeaders =
          room <= segment.address && room <= segment.loadAddress;
      if (segment.hasHeaders)
        addHeaders(segment, room);
    }
    if (loads)
      end = placeInFile(link, segment, end);
    if (link.phdrs[i].loadAddress)
      segment.loadAddress = *link.phdrs[i].loadAddress;
  }
  // PT_PHDR says where the program headers are within the loaded headers.
  for (Segment &segment : link.segments) {
    if (segment.type != ELF::PT_PHDR)
      continue;
    segment.sections.clear(); // those that follow its :phdr are elsewhere too
    const uint64_t headerSize = headersSize(link, 0);
    segment.offset = headerSize;
    segment.fileSize = segment.memSize = headers - headerSize;
    segment.align = is64 ? 8 : 4;
    segment.flags |= ELF::PF_R;
    for (const Segment &load : link.segments)
      if (load.type == ELF::PT_LOAD && load.hasHeaders) {
        segment.address = load.address + headerSize;
        segment.loadAddress = load.loadAddress + headerSize;
        break;
      }
  }
}

void buildSegments(Link &link) {
  link.segments.clear();
  if (link.script.hasPhdrs)
    return buildFromPhdrs(link);
  OutputId last = kNone;
  for (const LayoutCommand &command : link.layout) {
    if (command.output == kNone)
      continue;
    const OutputSection &out = link.outputs[command.output];
    // Empty sections have no bytes to map and separate nothing.
    if (!isLoaded(link, out) || out.size == 0)
      continue;
    if (last == kNone || needsNewSegment(link, link.segments.back().flags,
                                         link.outputs[last], out)) {
      Segment &segment = link.segments.emplace_back();
      segment.type = ELF::PT_LOAD;
      segment.align = link.pageSize();
    }
    link.segments.back().flags |= segmentFlags(out);
    link.segments.back().sections.push_back(command.output);
    last = command.output;
  }
  Segment tls;
  tls.type = ELF::PT_TLS;
  tls.flags = ELF::PF_R;
  for (const LayoutCommand &command : link.layout)
    if (command.output != kNone &&
        isLoaded(link, link.outputs[command.output]) &&
        (link.outputs[command.output].flags & ELF::SHF_TLS))
      tls.sections.push_back(command.output);
  for (Segment &segment : link.segments)
    measure(link, segment);
  std::stable_sort(
      link.segments.begin(), link.segments.end(),
      [](const Segment &a, const Segment &b) { return a.address < b.address; });
  if (!link.segments.empty())
    joinHeaders(link, link.segments.front(),
                link.segments.size() + !tls.sections.empty());
  if (!tls.sections.empty()) {
    measure(link, tls);
    link.segments.push_back(std::move(tls));
  }
}

void settleLoadAddresses(Link &link) {
  if (!link.script.hasPhdrs)
    return;
  for (const Segment &segment : link.segments)
    stackLoadAddresses(link, segment);
  buildSegments(link);
}

uint64_t assignFileOffsets(Link &link) {
  std::vector<Segment *> segmentOf(link.outputs.size(), nullptr);
  for (Segment &segment : link.segments)
    if (segment.type == ELF::PT_LOAD)
      for (OutputId id : segment.sections)
        if (!segmentOf[id])
          segmentOf[id] = &segment;
  uint64_t end = link.headersSize;
  // Loaded bytes: a segment's sections keep their distances in the file.
  for (Segment &segment : link.segments) {
    if (segment.type != ELF::PT_LOAD || segment.sections.empty())
      continue;
    end = placeInFile(link, segment, end);
    for (OutputId id : segment.sections) {
      OutputSection &out = link.outputs[id];
      if (segmentOf[id] != &segment)
        continue;
      uint64_t within = out.loadAddress - segment.base;
      // Where nothing stands, a load address may be anywhere.
      if (out.size == 0 && within > segment.fileSize)
        within = segment.fileSize;
      out.fileOffset = segment.offset + within;
    }
  }
  for (Segment &segment : link.segments)
    if (segment.type != ELF::PT_LOAD && !segment.sections.empty())
      segment.offset =
          std::min(link.outputs[segment.sections.front()].fileOffset, end);
  const Segment *last = nullptr;
  for (const LayoutCommand &command : link.layout) {
    if (command.output == kNone)
      continue;
    if (segmentOf[command.output]) {
      last = segmentOf[command.output];
      continue;
    }
    OutputSection &out = link.outputs[command.output];
    if (!out.kept)
      continue;
    if (out.isAlloc() && out.size == 0 && last &&
        out.loadAddress - last->base <= last->memSize) {
      // Readers put a section without bytes into the segment that its address
      // and its offset both lie in.
      out.fileOffset =
          last->offset + std::min(out.loadAddress - last->base, last->fileSize);
      continue;
    }
    if (out.isNoBits() || (out.isAlloc() && out.size == 0)) {
      out.fileOffset = end;
      continue;
    }
    end = alignTo(end, std::max<uint64_t>(out.isAlloc() ? 1 : out.align, 1));
    out.fileOffset = end;
    end += out.size;
  }
  return end;
}

} // namespace xlink
