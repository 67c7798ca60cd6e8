//===- RegionChecks.cpp - what does not fit into its memory ---------------===//
#include "layout/Checks.h"
#include "layout/EhFrame.h"
#include "layout/ExecutableMemory.h"
#include "layout/MarkLive.h"
#include "layout/SectionTraits.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Whether a section takes room in its region: (INFO) and its like do for what
/// would be loaded.
static bool takesRegion(const OutputView &out) {
  return out.occupies() ||
         (out.kept && out.addressed && out.size != 0 && (out.traits & Load));
}

static StringRef nameOf(const Link &link, RegionId id) {
  return link.program.script.memory[id.index()].name;
}

/// How much of each region is used.
static IdVector<RegionId, Size> usedByRegion(const Link &link) {
  const auto &regions = link.geometry.regions;
  IdVector<RegionId, Size> used(regions.size());
  for (const OutputView &out : link.outputs())
    if (out.region != kNone && takesRegion(out))
      used[out.region] =
          std::max(used[out.region],
                   out.place.end().sizeFrom(regions[out.region].origin));
  return used;
}

/// What --gc-sections would take out of some sections, largest output section
/// first: a note, or "" where it was given, has nothing to begin at, or takes
/// nothing. Merged pieces and unwind records that would go do not count.
static std::string collectableNote(const Link &link,
                                   ArrayRef<SectionId> parts) {
  const Program &program = link.program;
  if (program.config.gcSections || program.entrySymbol == kNone)
    return "";
  Diagnostics reportedAlready;
  const Liveness liveness =
      findLive(program, link.placement,
               readEhFrames(program, link.placement, reportedAlready));
  Size total;
  std::vector<std::pair<OutputId, Size>> outputs;
  for (SectionId part : parts) {
    if (liveness.lives(part))
      continue;
    const Size size = link.contents.sections[part].size;
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

/// Region, size, used, by how much, where it happened, the five largest
/// contributors, and regions with room.
static Message overflow(const Link &link, RegionId id, OutputId firstOutside,
                        Size used) {
  const RegionPlace &r = link.geometry.regions[id];
  const std::string name = nameOf(link, id).str();
  std::vector<std::string> notes;
  notes.push_back("region '" + name + "': " + hex(r.length) + " (" +
                  std::to_string(r.length) + ") bytes at " + hex(r.origin) +
                  ", used " + hex(used) + " (" + std::to_string(used) + ")");
  std::vector<SectionId> parts;
  for (const OutputView &out : link.outputs()) {
    if (!takesRegion(out) ||
        (out.region != id && (out.lmaRegion != id || out.isNoBits())))
      continue;
    for (SectionId member : out.members)
      if (link.placed(member) && link.contents.sections[member].size)
        parts.push_back(member);
  }
  const std::string collectable = collectableNote(link, parts);
  for (std::string &note : link.largestNotes(std::move(parts), 5))
    notes.push_back(std::move(note));
  std::string room;
  const IdVector<RegionId, Size> all = usedByRegion(link);
  for (RegionId other : link.geometry.regions.ids()) {
    const Size length = link.geometry.regions[other].length;
    if (other != id && all[other] < length)
      room += (room.empty() ? "" : ", ") +
              ("'" + nameOf(link, other).str() + "' " +
               std::to_string(length - all[other]) + " bytes");
  }
  if (!room.empty())
    notes.push_back("regions with room: " + room);
  if (!collectable.empty())
    notes.push_back(collectable);
  return {"section '" + link.output(firstOutside).name +
              "' will not fit in region '" + name + "': overflowed by " +
              std::to_string(used - r.length) + " bytes",
          std::move(notes)};
}

/// Where code in a region must end.
static Address codeEndOf(const Link &link, RegionId id) {
  const RegionPlace &r = link.geometry.regions[id];
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
    if (link.placed(id) &&
        link.addressOf(id) + link.contents.sections[id].size > end)
      return id;
  return SectionId();
}

/// What a region has left for code, behind all that has found room there.
static Size codeRoomLeft(const Link &link, RegionId id) {
  const Address end = codeEndOf(link, id);
  Address used = link.geometry.regions[id].origin;
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

/// A section that moved on as far as it could, and what each region has for it.
static Message noRoom(const Link &link, SectionId id, const OutputView &last) {
  std::vector<OutputId> tried = link.placement.passedOver.find(id)->second;
  tried.push_back(last.id);
  std::vector<RegionId> regions;
  for (OutputId output : tried)
    if (const RegionId region = link.facts.outputs[output].region;
        !is_contained(regions, region))
      regions.push_back(region);
  std::vector<std::string> notes;
  for (RegionId region : regions) {
    const RegionPlace &r = link.geometry.regions[region];
    notes.push_back(
        "region '" + nameOf(link, region).str() +
        "': " + std::to_string(r.length) + " bytes at " + hex(r.origin) + ", " +
        std::to_string(codeRoomLeft(link, region)) + " bytes left for code");
  }
  return {link.program.sectionName(id) +
              " does not fit in any of its regions: " +
              std::to_string(link.contents.sections[id].size) +
              " bytes, aligned to " +
              std::to_string(link.program.sections[id].parsed->align),
          std::move(notes)};
}

/// Where first fit found no room: the section of an output section that ends
/// behind its region after all.
static SectionId homeless(const Link &link, const OutputView &out) {
  if (link.program.regionFill() != RegionFill::FirstFit)
    return SectionId();
  const SectionId id =
      firstBehind(link, out, link.geometry.regions[out.region].end());
  return id != kNone && link.placement.passedOver.contains(id) ? id
                                                               : SectionId();
}

namespace {

/// The sections of one region, by address or by load address.
struct Occupants {
  std::vector<OutputId> byAddress, byLoadAddress;
};

} // namespace

/// In the order of the output.
static IdVector<RegionId, Occupants> occupantsOf(const Link &link) {
  IdVector<RegionId, Occupants> all(link.geometry.regions.size());
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
  const RegionPlace &r = link.geometry.regions[id];
  OutputId firstOutside;
  Size used;
  bool outside = false;
  for (OutputId occupant : occupants) {
    const OutputView out = link.output(occupant);
    const Address begin = byLoadAddress ? out.loadAddress : out.address;
    if (begin < r.origin) {
      // What follows one that is outside is outside too.
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
  for (RegionId id : link.geometry.regions.ids()) {
    checkRegion(link, id, occupants[id].byAddress, false, diag);
    checkRegion(link, id, occupants[id].byLoadAddress, true, diag);
  }
}

} // namespace xlink
