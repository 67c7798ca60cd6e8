//===- Regions.cpp - memory regions, and their overflows ------------------===//
#include "layout/Checks.h"
#include "layout/Segments.h"
#include "model/ScriptVisitor.h"
#include "placement/SectionTraits.h"
#include "sections/LiveGraph.h"
#include "sections/SettleContributions.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Whether a region's attributes fit such a section. `w` stands for data: GNU
/// ld's data, and all memory that is neither read-only nor code.
static bool attributesFit(const MemoryCommand &region, StringRef name,
                          uint32_t traits) {
  if (name == ".text" && traits)
    traits |= ReadOnly;
  if ((traits & (Alloc | ReadOnly | Code)) == Alloc)
    traits |= Data;
  uint64_t flags = 0;
  if (traits & Alloc)
    flags |= ELF::SHF_ALLOC;
  if (traits & Data)
    flags |= ELF::SHF_WRITE;
  if (traits & Code)
    flags |= ELF::SHF_EXECINSTR;
  const bool readOnly = traits & ReadOnly, loaded = traits & Load;
  const bool wanted = (flags & region.flags) ||
                      (region.wantReadOnly && readOnly) ||
                      (region.wantLoaded && loaded);
  const bool refused = (flags & region.negFlags) ||
                       (region.excludeReadOnly && readOnly) ||
                       (region.excludeLoaded && loaded);
  return region.hasAttributes && wanted && !refused;
}

RegionId regionByAttributes(const Script &script, StringRef name,
                            uint32_t traits) {
  for (size_t i = 0; i < script.memory.size(); ++i)
    if (attributesFit(script.memory[i], name, traits))
      return RegionId(i);
  return kNone;
}

std::optional<ExecutableRun> executableRun(const Program &program, Address at) {
  std::optional<ExecutableRun> run;
  for (const NamedRange &range : program.state.executable) {
    if (!run || run->end != Address(range.begin)) {
      if (run && at < run->end)
        break;
      run = {Address(range.begin), Address(range.end), {}, range.name};
    }
    run->end = Address(range.end);
  }
  if (!run || at < run->begin || at >= run->end)
    return std::nullopt;
  const Size room = run->end.sizeFrom(run->begin);
  run->codeEnd =
      run->begin +
      (room - std::min<Size>(room, Size(program.target->prefetchBytes)));
  return run;
}

//===----------------------------------------------------------------------===//
// Overflows
//===----------------------------------------------------------------------===//

/// Whether a section takes room in its region: (INFO) and its like do if they
/// would be loaded.
static bool takesRegion(const OutputView &out) {
  return out.occupies() ||
         (out.kept && out.addressed && out.size != 0 && (out.traits & Load));
}

static StringRef nameOf(const Link &link, RegionId id) {
  return link.program.script.memory[id.index()].name;
}

/// The used size of each region.
static IdVector<RegionId, Size> usedByRegion(const Link &link) {
  const auto &regions = link.addresses.regions;
  IdVector<RegionId, Size> used(regions.size());
  for (const OutputView &out : link.outputs())
    if (out.region != kNone && takesRegion(out))
      used[out.region] =
          std::max(used[out.region],
                   out.place.end().sizeFrom(regions[out.region].origin));
  return used;
}

/// A content of a region, for messages: an input section, or the room that the
/// script reserves in an output section.
struct RegionPart {
  Size size;
  SectionId section;    ///< kNone: reserved by the script
  std::string reserved; ///< the text about that
};

/// The sizes that --gc-sections would remove from some sections, largest output
/// section first: a note, or "" if it was given, has no root, or removes
/// nothing. Merged pieces and unwind records do not count.
static std::string collectableNote(const Link &link,
                                   ArrayRef<RegionPart> parts) {
  const Program &program = link.program;
  if (program.config.gcSections || program.entrySymbol == kNone)
    return "";
  Diagnostics reportedAlready;
  const Liveness liveness =
      markLive(program, link.placement,
               readEhFrames(program, link.placement, reportedAlready));
  Size total;
  MapVector<OutputId, Size> byOutput;
  for (const RegionPart &part : parts) {
    if (part.section == kNone || liveness.lives(part.section))
      continue;
    byOutput[link.section(part.section).output] += part.size;
    total += part.size;
  }
  if (byOutput.empty())
    return "";
  auto outputs = byOutput.takeVector();
  llvm::stable_sort(outputs, [](const auto &a, const auto &b) {
    return a.second > b.second;
  });
  constexpr size_t kMostNamed = 5;
  std::string text = "--gc-sections would remove " + std::to_string(total) +
                     " bytes that nothing reaches: ";
  for (size_t i = 0; i < std::min(outputs.size(), kMostNamed); ++i)
    text += (i ? ", " : "") + std::to_string(outputs[i].second) + " of " +
            link.output(outputs[i].first).name;
  return text + (outputs.size() > kMostNamed ? " ..." : "");
}

/// Adds the contents of an output section. Statements that move dot or store
/// data reserve the room up to the next one.
static void addParts(const Link &link, const OutputView &out,
                     std::vector<RegionPart> &parts) {
  Size reserved, most;
  const ScriptCommand *largest = nullptr; // the largest reservation
  uint64_t further = 0;                   // other statements that reserve
  for (uint32_t i = 0; i < out.items.size(); ++i) {
    const OutputItem &item = out.items[i];
    for (uint32_t m = item.begin; m < item.end; ++m) {
      const SectionId id = out.members[m];
      if (link.placed(id) && link.sizeOf(id))
        parts.push_back({link.sizeOf(id), id, {}});
    }
    if (!item.command || item.begin != item.end)
      continue;
    const Size begin = link.item(out.section, i).offset;
    const Size end = i + 1 < out.items.size()
                         ? link.item(out.section, i + 1).offset
                         : out.size;
    if (end <= begin)
      continue;
    further += largest != nullptr;
    if (!largest || end - begin > most) {
      largest = item.command;
      most = end - begin;
    }
    reserved += end - begin;
  }
  if (!largest)
    return;
  const std::string place = locationText(largest->where);
  const StringRef at = StringRef(place).rtrim(": ");
  bool literal = false; // dot becomes a number, meant as an address or not
  visitCommand(*largest, [&](const AssignmentCommand &a) {
    literal = a.isDot() && a.value->kind == ExprKind::Number;
  });
  parts.push_back({reserved, kNone,
                   "reserved in section '" + out.name + "'" +
                       (at.empty() ? "" : " by " + at.str()) +
                       (further ? " and " + countOf(further, "more statement",
                                                    "more statements")
                                : "") +
                       (literal ? "; inside of a section '.' counts from the "
                                  "section's start"
                                : "")});
}

/// ": 5011 of 4096 instructions", where the machine counts a memory in more
/// than bytes.
static std::string inUnits(const Link &link, const RegionPlace &r, Size used) {
  const Memory *memory = memoryAt(*link.program.target, r.origin.wrapped());
  if (!memory || !memory->units)
    return "";
  return ": " +
         std::to_string((uint64_t(used) + memory->unit - 1) / memory->unit) +
         " of " + std::to_string(uint64_t(r.length) / memory->unit) + " " +
         memory->units;
}

/// Whether a region suits such a section: by its attributes, if it has any, and
/// by the machine's memory there.
static bool suits(const Link &link, RegionId id, const OutputView &out) {
  const MemoryCommand &command = link.program.script.memory[id.index()];
  if (command.hasAttributes && !attributesFit(command, out.name, out.traits))
    return false;
  const Memory *memory = memoryAt(*link.program.target,
                                  link.addresses.regions[id].origin.wrapped());
  return !memory ||
         memory->holds ==
             (out.flags & ELF::SHF_EXECINSTR ? Memory::Code : Memory::Values);
}

/// Region, size, used, by how much, where it happened, the five largest
/// contributors, and regions with room that the section could go to.
static Message overflow(const Link &link, RegionId id, OutputId firstOutside,
                        Size used) {
  const RegionPlace &r = link.addresses.regions[id];
  const std::string name = nameOf(link, id).str();
  std::vector<std::string> notes;
  notes.push_back("region '" + name + "': " + hex(r.length) + " (" +
                  std::to_string(r.length) + ") bytes at " + hex(r.origin) +
                  ", used " + hex(used) + " (" + std::to_string(used) + ")" +
                  inUnits(link, r, used));
  std::vector<RegionPart> parts;
  for (const OutputView &out : link.outputs())
    if (takesRegion(out) &&
        (out.region == id || (out.lmaRegion == id && !out.isNoBits())))
      addParts(link, out, parts);
  llvm::stable_sort(parts, [](const RegionPart &a, const RegionPart &b) {
    return a.size > b.size;
  });
  for (const RegionPart &part : ArrayRef(parts).take_front(5))
    notes.push_back(std::to_string(part.size) + " bytes: " +
                    (part.section == kNone
                         ? part.reserved
                         : link.program.sectionName(part.section)));
  const OutputView outside = link.output(firstOutside);
  std::string room;
  const IdVector<RegionId, Size> all = usedByRegion(link);
  for (RegionId other : link.addresses.regions.ids()) {
    const Size length = link.addresses.regions[other].length;
    if (other != id && all[other] < length && suits(link, other, outside))
      room += (room.empty() ? "" : ", ") +
              ("'" + nameOf(link, other).str() + "' " +
               std::to_string(length - all[other]) + " bytes");
  }
  if (!room.empty())
    notes.push_back("regions with room: " + room);
  if (std::string note = collectableNote(link, parts); !note.empty())
    notes.push_back(std::move(note));
  return {"section '" + outside.name + "' will not fit in region '" + name +
              "': overflowed by " + std::to_string(used - r.length) + " bytes",
          std::move(notes)};
}

/// Where code in a region must end.
static Address codeEndOf(const Link &link, RegionId id) {
  const RegionPlace &r = link.addresses.regions[id];
  if (link.program.state.executable.empty())
    return r.end();
  const std::optional<ExecutableRun> run =
      executableRun(link.program, r.origin);
  return run ? std::min(r.end(), run->codeEnd) : r.origin;
}

/// The first of its sections that ends behind an address.
static SectionId firstBehind(const Link &link, const OutputView &out,
                             Address end) {
  for (SectionId id : out.members)
    if (link.placed(id) && link.sizeOf(id) != 0 &&
        link.addressOf(id) + link.sizeOf(id) > end)
      return id;
  return SectionId();
}

/// The room for code that a region has left, behind all its sections.
static Size codeRoomLeft(const Link &link, RegionId id) {
  const Address end = codeEndOf(link, id);
  Address used = link.addresses.regions[id].origin;
  for (const OutputView &out : link.outputs()) {
    if (out.region != id || !takesRegion(out))
      continue;
    const SectionId behind =
        out.place.end() > end ? firstBehind(link, out, end) : SectionId();
    used = std::max(used,
                    behind != kNone ? link.addressOf(behind) : out.place.end());
  }
  return end.sizeFrom(used);
}

/// A section that moved on as far as it could, and the room in each region for
/// it.
static Message noRoom(const Link &link, SectionId id, const OutputView &last) {
  std::vector<OutputId> tried = link.placement.passedOver.find(id)->second;
  tried.push_back(last.id);
  std::vector<RegionId> regions;
  for (OutputId output : tried)
    if (const RegionId region = link.info.outputs[output].region;
        !is_contained(regions, region))
      regions.push_back(region);
  std::vector<std::string> notes;
  for (RegionId region : regions) {
    const RegionPlace &r = link.addresses.regions[region];
    notes.push_back(
        "region '" + nameOf(link, region).str() +
        "': " + std::to_string(r.length) + " bytes at " + hex(r.origin) + ", " +
        std::to_string(codeRoomLeft(link, region)) + " bytes left for code");
  }
  return {link.program.sectionName(id) +
              " does not fit in any of its regions: " +
              std::to_string(link.sizeOf(id)) + " bytes, aligned to " +
              std::to_string(link.program.sections[id].parsed->align),
          std::move(notes)};
}

bool isUnknown(const Link &link, RegionId id) {
  bool unknown = link.addresses.regions[id].misread;
  forEachExpression(
      link.program.script.memory[id.index()], [&](const Expr &e, ExprRole) {
        forEachSymbol(&e, [&](StringRef name) {
          const SymbolId symbol =
              link.program.symbols.find(link.program.wrapping.meaning(name));
          unknown |= symbol == kNone || !link.symbol(symbol).isDefined();
        });
      });
  return unknown;
}

/// `inside`: the sections that have their addresses in a region, and those
/// whose load addresses alone are there. One message for a region.
static void checkRegion(const Link &link, RegionId id,
                        ArrayRef<OutputId> inside, Diagnostics &diag) {
  const RegionPlace &r = link.addresses.regions[id];
  OutputId firstOutside;
  Size used;
  bool outside = false;
  for (OutputId member : inside) {
    const OutputView out = link.output(member);
    const Address begin = out.region == id ? out.address : out.loadAddress;
    if (begin < r.origin) {
      // Sections behind one outside are outside too.
      if (!outside)
        diag.error("address " + hex(begin) + " of section '" + out.name +
                   "' is not within region '" + nameOf(link, id).str() + "' " +
                   addressRange(r.origin, r.length));
      outside = true;
      continue;
    }
    const Size end = (begin + out.size).sizeFrom(r.origin);
    if (end > r.length && firstOutside == kNone)
      firstOutside = out.id;
    used = std::max(used, end);
  }
  if (firstOutside == kNone)
    return;
  const OutputView out = link.output(firstOutside);
  // The section for which first fit found no room.
  const SectionId section =
      out.region != id || link.program.regionFill() != RegionFill::FirstFit
          ? SectionId()
          : firstBehind(link, out, r.end());
  if (section != kNone && link.placement.passedOver.contains(section))
    diag.error([&] { return noRoom(link, section, out); });
  else
    diag.error([&] { return overflow(link, id, firstOutside, used); });
}

void checkRegions(const Link &link, Diagnostics &diag) {
  IdVector<RegionId, std::vector<OutputId>> inside(
      link.addresses.regions.size());
  for (const OutputView &out : link.outputsInOrder()) {
    if (!takesRegion(out))
      continue;
    if (out.region != kNone)
      inside[out.region].push_back(out.id);
    if (out.lmaRegion != kNone && out.lmaRegion != out.region &&
        !out.isNoBits())
      inside[out.lmaRegion].push_back(out.id);
  }
  for (RegionId id : inside.ids())
    if (!diag.failed() || !isUnknown(link, id))
      checkRegion(link, id, inside[id], diag);
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

/// Code that begins in executable memory and ends too near to its end.
static Message prefetched(const Link &link, const OutputView &out,
                          const ExecutableRun &run) {
  const std::string bytes = std::to_string(link.program.target->prefetchBytes);
  std::vector<std::string> notes = {
      run.name + " ends at " + hex(run.end) + "; code may end at " +
      hex(run.codeEnd) + ", as the processor reads " + bytes + " bytes ahead"};
  if (const SectionId id = firstBehind(link, out, run.codeEnd); id != kNone)
    notes.push_back("the first section that reaches there: " +
                    link.program.sectionName(id) + " at " +
                    addressRange(link.addressOf(id), link.sizeOf(id)));
  return {"code in the last " + bytes + " bytes of " + run.name + ": " +
              placeText(out),
          std::move(notes)};
}

/// Code in memory of which the machine says nothing.
static Message outside(const Link &link, const OutputView &out) {
  std::vector<std::string> notes;
  for (const NamedRange &range : link.program.state.executable)
    notes.push_back(std::string(range.name) + " is " +
                    addressRange(range.begin, range.end - range.begin));
  return {"code outside of executable memory: " + placeText(out),
          std::move(notes)};
}

void checkCode(const Link &link, Diagnostics &diag) {
  const TargetState &state = link.program.state;
  const uint64_t begin = state.noCode.begin, end = state.noCode.end;
  const std::string name = state.noCode.name;
  for (const OutputView &out : link.outputs()) {
    if (!out.occupies() || !(out.flags & ELF::SHF_EXECINSTR))
      continue;
    if (begin != end && meets(out, begin, end)) {
      diag.error("code in " + name + ": " + placeText(out),
                 {name + " is " + addressRange(begin, end - begin)});
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
    const bool known = any_of(state.executable, [&](const NamedRange &range) {
      return meets(out, range.begin, range.end);
    });
    const bool addressGiven =
        out.info.startOption != kNone || link.program.script.memory.empty();
    if (known || !addressGiven)
      diag.error([&] { return outside(link, out); });
  }
}

} // namespace xlink
