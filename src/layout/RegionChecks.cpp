//===- RegionChecks.cpp - overflows of regions ----------------------------===//
#include "layout/Checks.h"
#include "layout/Regions.h"
#include "model/ScriptVisitor.h"
#include "placement/SectionTraits.h"
#include "sections/EhFrame.h"
#include "sections/LiveGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

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

/// The sizes that --gc-sections would remove from some sections, largest output
/// section first: a note, or "" if it was given, has no root, or removes
/// nothing. Merged pieces and unwind records do not count.
static std::string collectableNote(const Link &link,
                                   ArrayRef<SectionId> partial) {
  const Program &program = link.program;
  if (program.config.gcSections || program.entrySymbol == kNone)
    return "";
  Diagnostics reportedAlready;
  const Liveness liveness =
      markLive(program, link.placement,
               readEhFrames(program, link.placement, reportedAlready));
  Size total;
  std::vector<std::pair<OutputId, Size>> outputs;
  for (SectionId part : partial) {
    if (liveness.lives(part))
      continue;
    const Size size = link.sizeOf(part);
    const OutputId out = link.section(part).output;
    total += size;
    auto it = find_if(outputs, [&](const auto &o) { return o.first == out; });
    if (it == outputs.end())
      outputs.push_back({out, size});
    else
      it->second += size;
  }
  if (outputs.empty())
    return "";
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

namespace {

/// The largest contents of a region, for messages: input sections, and room
/// that the script reserves in an output section.
class Contributors {
public:
  explicit Contributors(const Link &link) : link(link) {}
  void add(const OutputView &out);
  std::vector<SectionId> sections() const;
  /// At most `most` notes: "24 bytes: a.o:(.text)".
  std::vector<std::string> notes(size_t most);

private:
  struct Part {
    Size size;
    SectionId section; ///< kNone: reserved by the script
    OutputId output;
    const ScriptCommand *largest = nullptr; ///< the largest reservation
    uint64_t further = 0;                   ///< other statements that reserve
  };
  std::string text(const Part &part) const;

  const Link &link;
  std::vector<Part> partial;
};

} // namespace

/// Statements that move dot or store data reserve the room up to the next one.
void Contributors::add(const OutputView &out) {
  Part reserved{Size(), kNone, out.id};
  Size most;
  for (uint32_t i = 0; i < out.items.size(); ++i) {
    const OutputItem &item = out.items[i];
    for (uint32_t m = item.begin; m < item.end; ++m) {
      const SectionId id = out.members[m];
      if (link.placed(id) && link.sizeOf(id))
        partial.push_back({link.sizeOf(id), id, out.id});
    }
    if (!item.command || item.begin != item.end)
      continue;
    const Size begin = link.item(out.section, i).offset;
    const Size end = i + 1 < out.items.size()
                         ? link.item(out.section, i + 1).offset
                         : out.size;
    if (end <= begin)
      continue;
    reserved.further += reserved.largest != nullptr;
    if (!reserved.largest || end - begin > most) {
      reserved.largest = item.command;
      most = end - begin;
    }
    reserved.size += end - begin;
  }
  if (reserved.largest)
    partial.push_back(reserved);
}

std::vector<SectionId> Contributors::sections() const {
  std::vector<SectionId> list;
  for (const Part &part : partial)
    if (part.section != kNone)
      list.push_back(part.section);
  return list;
}

std::string Contributors::text(const Part &part) const {
  const std::string bytes = std::to_string(part.size) + " bytes: ";
  if (part.section != kNone)
    return bytes + link.program.sectionName(part.section);
  std::string text =
      bytes + "reserved in section '" + link.output(part.output).name + "'";
  const std::string place = locationText(part.largest->where);
  if (StringRef at = StringRef(place).rtrim(": "); !at.empty())
    text += " by " + at.str();
  if (part.further)
    text +=
        " and " + countOf(part.further, "more statement", "more statements");
  return text;
}

std::vector<std::string> Contributors::notes(size_t most) {
  llvm::stable_sort(
      partial, [](const Part &a, const Part &b) { return a.size > b.size; });
  std::vector<std::string> list;
  for (size_t i = 0; i < std::min(most, partial.size()); ++i)
    list.push_back(text(partial[i]));
  return list;
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
  Contributors contributors(link);
  for (const OutputView &out : link.outputs())
    if (takesRegion(out) &&
        (out.region == id || (out.lmaRegion == id && !out.isNoBits())))
      contributors.add(out);
  for (std::string &note : contributors.notes(5))
    notes.push_back(std::move(note));
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
  if (std::string note = collectableNote(link, contributors.sections());
      !note.empty())
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
    if (link.placed(id) && link.addressOf(id) + link.sizeOf(id) > end)
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

/// Where first fit found no room: the section of an output section that ends
/// behind its region after all.
static SectionId homeless(const Link &link, const OutputView &out) {
  if (link.program.regionFill() != RegionFill::FirstFit)
    return SectionId();
  const SectionId id =
      firstBehind(link, out, link.addresses.regions[out.region].end());
  return id != kNone && link.placement.passedOver.contains(id) ? id
                                                               : SectionId();
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

namespace {

/// The sections of one region, by address or by load address.
struct Occupants {
  std::vector<OutputId> byAddress, byLoadAddress;
};

} // namespace

/// In the order of the output.
static IdVector<RegionId, Occupants> occupantsOf(const Link &link) {
  IdVector<RegionId, Occupants> all(link.addresses.regions.size());
  for (const OutputView &out : link.outputsInOrder()) {
    if (!takesRegion(out))
      continue;
    if (out.region != kNone)
      all[out.region].byAddress.push_back(out.id);
    if (out.lmaRegion != kNone && out.lmaRegion != out.region &&
        !out.isNoBits())
      all[out.lmaRegion].byLoadAddress.push_back(out.id);
  }
  return all;
}

static void checkRegion(const Link &link, RegionId id,
                        ArrayRef<OutputId> occupants, bool byLoadAddress,
                        Diagnostics &diag) {
  const RegionPlace &r = link.addresses.regions[id];
  OutputId firstOutside;
  Size used;
  bool outside = false;
  for (OutputId occupant : occupants) {
    const OutputView out = link.output(occupant);
    const Address begin = byLoadAddress ? out.loadAddress : out.address;
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
  if (const SectionId section =
          byLoadAddress ? SectionId() : homeless(link, out);
      section != kNone)
    diag.error([&] { return noRoom(link, section, out); });
  else
    diag.error([&] { return overflow(link, id, firstOutside, used); });
}

void checkRegions(const Link &link, Diagnostics &diag) {
  const IdVector<RegionId, Occupants> occupants = occupantsOf(link);
  for (RegionId id : link.addresses.regions.ids()) {
    if (diag.failed() && isUnknown(link, id))
      continue;
    checkRegion(link, id, occupants[id].byAddress, false, diag);
    checkRegion(link, id, occupants[id].byLoadAddress, true, diag);
  }
}

} // namespace xlink
