//===- Checks.cpp - what a finished layout must not do --------------------===//
#include "layout/AddressAssignment.h"
#include "layout/SectionTraits.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;

namespace xlink {

/// "[0x1000, 0x1fff]"
static std::string range(uint64_t begin, uint64_t size) {
  return "[" + hex(begin) + ", " + hex(begin + size - 1) + "]";
}

/// Whether a section takes memory.
static bool occupies(const OutputSection &out) {
  return out.kept && out.isAlloc() && out.size != 0 &&
         !((out.flags & ELF::SHF_TLS) && out.isNoBits());
}

/// Whether it takes room in its region: (INFO) and its like do for what would
/// be loaded.
static bool takesRegion(const OutputSection &out) {
  return occupies(out) ||
         (out.kept && out.addressed && out.size != 0 && (out.traits & Load));
}

/// Region, size, used, by how much, where it happened, the five largest
/// contributors, and regions with room.
static void reportOverflow(Link &link, uint32_t index, OutputId firstOutside,
                           uint64_t used) {
  const MemoryRegion &r = link.regions[index];
  const OutputSection &at = link.outputs[firstOutside];
  std::vector<std::string> notes;
  notes.push_back("region '" + r.name + "': " + hex(r.length) + " (" +
                  std::to_string(r.length) + ") bytes at " + hex(r.origin) +
                  ", used " + hex(used) + " (" + std::to_string(used) + ")");
  std::vector<SectionId> parts;
  std::vector<uint64_t> usedOf(link.regions.size(), 0);
  for (const OutputSection &out : link.outputs) {
    if (!takesRegion(out))
      continue;
    if (out.region != kNone && out.address >= link.regions[out.region].origin)
      usedOf[out.region] =
          std::max(usedOf[out.region],
                   out.address + out.size - link.regions[out.region].origin);
    if (out.region != index && (out.lmaRegion != index || out.isNoBits()))
      continue;
    for (SectionId id : out.members)
      if (link.sections[id].placed() && link.sections[id].size)
        parts.push_back(id);
  }
  for (std::string &note : link.largestNotes(std::move(parts), 5))
    notes.push_back(std::move(note));
  std::string room;
  for (uint32_t i = 0; i < link.regions.size(); ++i) {
    const MemoryRegion &other = link.regions[i];
    if (i != index && usedOf[i] < other.length)
      room += (room.empty() ? "" : ", ") +
              ("'" + other.name + "' " +
               std::to_string(other.length - usedOf[i]) + " bytes");
  }
  if (!room.empty())
    notes.push_back("regions with room: " + room);
  link.diag.error("section '" + at.name + "' will not fit in region '" +
                      r.name + "': overflowed by " +
                      std::to_string(used - r.length) + " bytes",
                  std::move(notes));
}

static void checkRegions(Link &link) {
  for (uint32_t i = 0; i < link.regions.size(); ++i) {
    const MemoryRegion &r = link.regions[i];
    for (bool byLoadAddress : {false, true}) {
      OutputId firstOutside = kNone;
      uint64_t used = 0;
      bool outside = false;
      for (const LayoutCommand &command : link.layout) {
        if (command.output == kNone)
          continue;
        const OutputSection &out = link.outputs[command.output];
        bool inRegion = byLoadAddress ? out.lmaRegion == i && out.region != i &&
                                            !out.isNoBits()
                                      : out.region == i;
        if (!inRegion || !takesRegion(out))
          continue;
        uint64_t begin = byLoadAddress ? out.loadAddress : out.address;
        if (begin < r.origin) {
          // What follows one that is outside is outside too.
          if (!outside)
            link.diag.error("address " + hex(begin) + " of section '" +
                            out.name + "' is not within region '" + r.name +
                            "' " + range(r.origin, r.length));
          outside = true;
          continue;
        }
        uint64_t end = SaturatingAdd(begin - r.origin, out.size);
        if (end > r.length && firstOutside == kNone)
          firstOutside = command.output;
        used = std::max(used, end);
      }
      if (firstOutside != kNone)
        reportOverflow(link, i, firstOutside, used);
    }
  }
}

/// Sections that share addresses. Load addresses must never meet. Where
/// sections begin at exactly the same VMA the script makes overlays, with
/// OVERLAY or by hand, and meeting is what they are for (GNU ld); other
/// sections that overlap in such a script are worth a warning all the same.
static void checkOverlaps(Link &link) {
  std::vector<OutputId> ids;
  for (OutputId id = 0; id < link.outputs.size(); ++id)
    if (occupies(link.outputs[id]))
      ids.push_back(id);
  DenseSet<OutputId> reported;
  bool overlays = false;
  auto check = [&](uint64_t OutputSection::*begin) {
    std::stable_sort(ids.begin(), ids.end(), [&](OutputId a, OutputId b) {
      return link.outputs[a].*begin < link.outputs[b].*begin;
    });
    const bool byLoadAddress = begin == &OutputSection::loadAddress;
    const OutputSection *last = nullptr;
    for (OutputId id : ids) {
      const OutputSection &out = link.outputs[id];
      if (byLoadAddress && out.isNoBits())
        continue;
      const OutputSection *before = std::exchange(last, &out);
      if (!before || out.*begin - before->*begin >= before->size ||
          reported.contains(id))
        continue;
      // Equal VMA and LMA overlap once, not twice.
      const bool loadedInPlace = out.loadAddress == out.address &&
                                 before->loadAddress == before->address;
      if (byLoadAddress && !overlays && loadedInPlace)
        continue;
      if (!byLoadAddress && overlays && out.*begin == before->*begin)
        continue;
      std::string text =
          "section " + before->name +
          (byLoadAddress && !loadedInPlace ? " load" : " virtual") +
          " address range overlaps with " + out.name;
      std::vector<std::string> notes = {
          before->name + " range is " + range(before->*begin, before->size),
          out.name + " range is " + range(out.*begin, out.size)};
      if (overlays && !byLoadAddress) {
        link.diag.warn(WarningGroup::Script, text, std::move(notes));
        continue;
      }
      link.diag.error(text, std::move(notes));
      reported.insert(id);
    }
  };
  llvm::sort(ids, [&](OutputId a, OutputId b) {
    return std::pair(link.outputs[a].address, a) <
           std::pair(link.outputs[b].address, b);
  });
  overlays =
      std::adjacent_find(ids.begin(), ids.end(), [&](OutputId a, OutputId b) {
        return link.outputs[a].address == link.outputs[b].address;
      }) != ids.end();
  check(&OutputSection::loadAddress);
  check(&OutputSection::address);
}

/// Sections that PHDRS puts into one segment stand in the file as their load
/// addresses do; no option makes two of them share bytes there.
static void checkFileOverlaps(Link &link) {
  if (!link.script.hasPhdrs)
    return;
  for (const Segment &segment : link.segments) {
    if (segment.type != ELF::PT_LOAD)
      continue;
    std::vector<const OutputSection *> spans;
    for (OutputId id : segment.sections)
      if (occupies(link.outputs[id]) && !link.outputs[id].isNoBits())
        spans.push_back(&link.outputs[id]);
    std::stable_sort(spans.begin(), spans.end(),
                     [](const OutputSection *a, const OutputSection *b) {
                       return a->loadAddress < b->loadAddress;
                     });
    for (size_t i = 1; i < spans.size(); ++i) {
      const OutputSection &a = *spans[i - 1], &b = *spans[i];
      uint64_t from = a.loadAddress - segment.base,
               to = b.loadAddress - segment.base;
      if (to - from < a.size)
        link.diag.error(
            "section " + a.name + " file range overlaps with " + b.name,
            {a.name + " range in its segment is " + range(from, a.size),
             b.name + " range in its segment is " + range(to, b.size)});
    }
  }
}

/// A segment maps memory to load addresses at one distance. With PHDRS a script
/// can ask for more of it than that; members of an overlay do so on purpose.
static void checkSegmentDistances(Link &link) {
  if (!link.script.hasPhdrs)
    return;
  for (size_t i = 0; i < link.segments.size(); ++i) {
    const Segment &segment = link.segments[i];
    if (segment.type != ELF::PT_LOAD)
      continue;
    for (OutputId id : segment.sections) {
      const OutputSection &out = link.outputs[id];
      if (!occupies(out) || out.overlay ||
          out.loadAddress - segment.base == out.address - segment.address)
        continue;
      link.diag.warn(WarningGroup::Script,
                     "section '" + out.name +
                         "' cannot be loaded where segment '" +
                         link.script.phdrs[i].name.str() + "' maps it",
                     {"the segment maps " + hex(segment.base) + " to " +
                          hex(segment.address),
                      "the section is loaded at " + hex(out.loadAddress) +
                          " and stands at " + hex(out.address)});
      break; // the others follow from it
    }
  }
}

/// The headers stand at the beginning of the file: segments that hold them come
/// first, have room for them below their sections, and PT_PHDR lies in one.
static void checkHeaderSegments(Link &link) {
  if (!link.script.hasPhdrs)
    return;
  const PhdrCommand *without = nullptr;
  bool loaded = false;
  for (size_t i = 0; i < link.segments.size(); ++i) {
    const PhdrCommand &p = link.script.phdrs[i];
    if (link.segments[i].type != ELF::PT_LOAD)
      continue;
    if (!p.fileHeader && !p.programHeaders) {
      without = without ? without : &p;
      continue;
    }
    if (link.segments[i].sections.empty())
      continue;
    loaded = true;
    if (without)
      link.diag.error(locationText(p.where) + "segment '" + p.name.str() +
                      "' cannot hold headers: the PT_LOAD before it, '" +
                      without->name.str() + "', holds none");
    else if (!link.segments[i].hasHeaders)
      link.diag.error(
          locationText(p.where) + "segment '" + p.name.str() +
              "' has no room for headers",
          {"they would stand below its first section, which is at " +
           hex(link.segments[i].address)});
  }
  for (size_t i = 0; i < link.segments.size(); ++i)
    if (link.segments[i].type == ELF::PT_PHDR && !loaded)
      link.diag.error(locationText(link.script.phdrs[i].where) +
                      "no PT_LOAD with PHDRS covers segment '" +
                      link.script.phdrs[i].name.str() + "'");
}

/// With PHDRS every loaded section needs one of its headers.
static void checkPhdrsUsed(Link &link) {
  if (link.script.hasPhdrs && link.phdrsMissing)
    link.diag.error("no sections assigned to phdrs");
}

/// Whether bytes end behind the machine's last address, or begin there.
static bool outsideAddressSpace(const Link &link, uint64_t begin,
                                uint64_t size) {
  const uint64_t last = link.target->is64 ? ~uint64_t(0) : 0xffffffff;
  return begin > last || (size && size - 1 > last - begin);
}

/// What ends behind the last address, of memory or of what is loaded; also
/// sections that take none, whose header could not say where they stand.
static void checkAddressSpace(Link &link) {
  for (const OutputSection &out : link.outputs) {
    if (!out.kept)
      continue;
    if (out.overflows) {
      std::vector<SectionId> parts;
      for (SectionId id : out.members)
        if (link.sections[id].placed() && link.sections[id].size)
          parts.push_back(id);
      link.diag.error(
          (out.command ? locationText(out.command->where) : "") + "section '" +
              out.name + "'" +
              (out.size ? " at " + hex(out.address) + " ends" : " begins") +
              " behind the machine's address space",
          link.largestNotes(std::move(parts), 5));
    } else if (outsideAddressSpace(link, out.address, out.size)) {
      link.diag.error("section '" + out.name + "' at " + hex(out.address) +
                      " with size " + hex(out.size) +
                      " does not fit the machine's address space");
    } else if (!occupies(out) || out.isNoBits()) {
      continue;
    } else if (out.loadOverflows) {
      link.diag.error(
          "section '" + out.name + "' with size " + hex(out.size) +
          " would be loaded outside of the machine's address space");
    } else if (outsideAddressSpace(link, out.loadAddress, out.size)) {
      link.diag.error("section '" + out.name + "' with size " + hex(out.size) +
                      ", loaded at " + hex(out.loadAddress) +
                      ", does not fit the machine's address space");
    }
  }
}

/// Segments that PHDRS puts where they end behind the last address. Of a load
/// address only what is loaded counts.
static void checkSegmentRanges(Link &link) {
  if (!link.script.hasPhdrs)
    return;
  for (size_t i = 0; i < link.segments.size() && !link.diag.failed(); ++i) {
    const Segment &s = link.segments[i];
    if (outsideAddressSpace(link, s.address, s.memSize) ||
        outsideAddressSpace(link, s.loadAddress, s.fileSize))
      link.diag.error(locationText(link.script.phdrs[i].where) + "segment '" +
                      link.script.phdrs[i].name.str() + "' at " +
                      hex(s.address) + " with size " + hex(s.memSize) +
                      ", loaded at " + hex(s.loadAddress) +
                      ", does not fit the machine's address space");
  }
}

/// Thread-local sections are the template of a thread's data: bytes, which are
/// copied, then zeros.
static void checkThreadLocal(Link &link) {
  const OutputSection *bytes = nullptr, *zeros = nullptr, *between = nullptr;
  for (const LayoutCommand &command : link.layout) {
    if (command.output == kNone)
      continue;
    const OutputSection &out = link.outputs[command.output];
    if (!out.kept || !out.isAlloc() || out.size == 0)
      continue;
    if (!(out.flags & ELF::SHF_TLS)) {
      between = &out;
    } else if (out.isNoBits()) {
      zeros = &out;
    } else {
      const OutputSection *odd = zeros ? zeros : bytes ? between : nullptr;
      if (odd)
        return link.diag.error("thread-local section '" + out.name +
                               "' stands behind '" + odd->name +
                               "': what has bytes comes first, without a gap");
      bytes = &out;
      between = nullptr;
    }
  }
}

/// Numbers that ELF32 has no room for and that are no address of a section.
/// What is below zero is meant modulo 2^32, and so is the end of the address
/// space, which scripts give to stacks.
static void checkWords(Link &link) {
  if (link.target->is64)
    return;
  auto fits = [](uint64_t value) {
    return value <= uint64_t(1) << 32 || value >> 32 == 0xffffffff;
  };
  for (SymbolId id = 0; id < link.symbols.size(); ++id) {
    const Symbol &s = link.symbols[id];
    if (s.scriptDefined && s.isDefined() && !fits(link.globalAddress[id]))
      link.diag.error("symbol '" + s.name.str() + "' is " +
                      hex(link.globalAddress[id]) +
                      ", which an ELF32 file has no room for");
  }
  if (link.entrySymbol == kNone && link.entryAddress >> 32)
    link.diag.error("the entry address " + hex(link.entryAddress) +
                    " does not fit the machine's address space");
  for (const OutputSection &out : link.outputs)
    if (out.kept && out.align >> 32)
      link.diag.error("section '" + out.name + "' is aligned to " +
                      hex(out.align) + ", which an ELF32 file has no room for");
}

/// Memory that holds data but cannot execute.
static void checkCode(Link &link) {
  auto [begin, end] = link.state.noCode;
  if (begin == end)
    return;
  for (const OutputSection &out : link.outputs)
    if (occupies(out) && (out.flags & ELF::SHF_EXECINSTR) &&
        out.address < end && out.address + (out.size - 1) >= begin)
      link.diag.error(
          "code in " + link.state.noCodeName + ": section '" + out.name +
              "' is at " + range(out.address, out.size),
          {link.state.noCodeName + " is " + range(begin, end - begin)});
}

/// Names behind `:` that PHDRS does not declare.
static void checkPhdrNames(Link &link) {
  auto check = [&](ArrayRef<StringRef> names, const OutputSection &out) {
    for (StringRef name : names) {
      if (name == "NONE" ||
          any_of(link.script.phdrs,
                 [&](const PhdrCommand &p) { return p.name == name; }))
        continue;
      link.diag.error(locationText(out.command->where) + "section '" +
                      out.name + "' is assigned to the program header '" +
                      name.str() + "', which PHDRS does not declare");
    }
  };
  for (const OutputSection &out : link.outputs) {
    if (!out.kept || !out.command)
      continue;
    check(out.command->phdrs, out);
    if (out.overlay)
      check(out.overlay->phdrs, out);
  }
}

/// Whether a script says itself that a section takes no memory: by its type, or
/// by the address 0 that it customarily gives to debug sections and attributes.
static bool meantForNoMemory(const OutputSection &out) {
  const OutputSectionCommand &c = *out.command;
  return out.addressed || c.type != OutputType::Normal ||
         (c.address && c.address->kind == ExprKind::Number &&
          c.address->number == 0);
}

/// Whether a section is of a kind that only describes the program and never
/// takes memory: notes for tools, debug information, attributes.
static bool onlyDescribes(const OutputSection &out) {
  const StringRef name = out.name;
  static const char *const prefixes[] = {".debug", ".zdebug", ".stab",
                                         ".mdebug"};
  return name == ".comment" || name == ".line" || name == ".reginfo" ||
         name.ends_with(".attributes") ||
         any_of(prefixes, [&](StringRef p) { return name.starts_with(p); });
}

/// Something that a KEEP holds for its own sake, but that no memory will hold.
static void checkKept(Link &link, const OutputSection &out) {
  if (out.isAlloc() || meantForNoMemory(out))
    return;
  for (const OutputItem &item : out.items) {
    if (!item.command || item.command->kind != CommandKind::InputDescription ||
        !static_cast<const InputDescription &>(*item.command).keep)
      continue;
    for (uint32_t i = item.begin; i < item.end; ++i)
      if (link.sections[out.members[i]].placed())
        return link.diag.warn(
            WarningGroup::Script,
            locationText(item.command->where) + "KEEP of " +
                link.sectionName(out.members[i]) +
                ", which has no SHF_ALLOC and is not in memory");
  }
}

/// What a script puts into a region or keeps although it takes no memory, and,
/// on request, what came into one by itself.
static void checkPlacement(Link &link) {
  for (const OutputSection &out : link.outputs) {
    if (!out.kept)
      continue;
    const OutputSectionCommand *c = out.command;
    const bool described = !out.isAlloc() && onlyDescribes(out);
    if (c && !c->region.empty() && !out.isAlloc() && !out.addressed &&
        !described)
      link.diag.warn(WarningGroup::Script,
                     locationText(c->where) + "section '" + out.name +
                         "' has no SHF_ALLOC and takes no room in region '" +
                         c->region.str() + "'");
    else if (c && !link.builtinScript && !described)
      checkKept(link, out);
    if (!link.builtinScript && !c && out.region != kNone && occupies(out) &&
        link.config.orphans != OrphanHandling::Warn) // which has said it
      link.diag.warn(WarningGroup::Orphan,
                     "section '" + out.name +
                         "' matches no pattern and went to region '" +
                         link.regions[out.region].name + "'");
  }
}

/// An address that an option gives to a section that does not exist.
static void checkSectionStarts(Link &link) {
  if (link.config.sectionStart.empty())
    return;
  StringSet<> names;
  for (const OutputSection &out : link.outputs)
    if (out.kept)
      names.insert(out.name);
  for (const SectionStart &start : link.config.sectionStart)
    if (!*start.segment && !names.contains(start.section))
      link.diag.warn(WarningGroup::Script,
                     std::string("option '") + start.option +
                         "': there is no section '" + start.section + "'");
}

void checkLayout(Link &link) {
  checkSectionStarts(link);
  checkPlacement(link);
  checkPhdrNames(link);
  checkPhdrsUsed(link);
  checkAddressSpace(link);
  checkSegmentRanges(link);
  checkThreadLocal(link);
  checkWords(link);
  checkHeaderSegments(link);
  checkRegions(link);
  checkCode(link);
  if (link.config.checkSections)
    checkOverlaps(link);
  if (!link.diag.failed())
    checkFileOverlaps(link);
  checkSegmentDistances(link);
}

} // namespace xlink
