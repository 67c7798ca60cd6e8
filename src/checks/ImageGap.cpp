//===- ImageGap.cpp - images that are mostly filler -----------------------===//
//
// Without AT> the initial values of .data are loaded where they run, in RAM,
// and a binary image spans everything from the flash to there. Alignments of
// megabytes do the same inside of a section, in every format.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "output/FileLayout.h"
#include "output/Images.h"
#include "output/SectionBytes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// Filler that no cause explains is reported from this size on.
static constexpr uint64_t kMuchFiller = uint64_t(16) << 20;
/// Filler in front of initial values that are loaded to RAM.
static constexpr uint64_t kSomeFiller = 4096;

/// Zeros in front of the input sections of an output section, which their
/// alignment alone asks for.
static Size alignmentPadding(const Link &link, const OutputView &out) {
  Size padding;
  Address end = out.address;
  for (SectionId id : out.members) {
    if (!link.placed(id) || link.sizeOf(id) == 0)
      continue;
    const Address begin = link.addressOf(id);
    const Size gap = begin.sizeFrom(end);
    if (gap != 0 && gap < Size(link.program.sections[id].parsed->align))
      padding += gap;
    end = std::max(end, begin + link.sizeOf(id));
  }
  return padding;
}

/// The input section whose alignment is the largest.
static SectionId mostAligned(const Link &link, const OutputView &out) {
  SectionId most;
  for (SectionId id : out.members)
    if (link.placed(id) && link.sizeOf(id) != 0 &&
        (most == kNone || link.program.sections[id].parsed->align >
                              link.program.sections[most].parsed->align))
      most = id;
  return most;
}

/// The region of a section's load address.
static RegionId loadRegion(const OutputView &out) {
  return out.lmaRegion != kNone ? out.lmaRegion : out.region;
}

/// Whether the gap in front of a section is there because its initial values
/// have no place of their own in the flash. Memory that begins where that of
/// the section in front ends is the same.
static bool isLoadedInPlace(const Link &link, const OutputView &out,
                            const OutputView &before) {
  const RegionId from = loadRegion(before);
  return (out.flags & ELF::SHF_WRITE) && out.loadAddress == out.address &&
         out.lmaRegion == kNone && out.region != kNone && from != kNone &&
         from != out.region &&
         link.addresses.regions[from].end() !=
             link.addresses.regions[out.region].origin;
}

void checkImageGaps(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  const Program &program = link.program;
  const ImageFormat *format = findImageFormat(program.output.format);
  if (!format || program.config.relocatable)
    return;
  const std::vector<LoadedBytes> loaded = loadedBytes(link);
  if (loaded.empty())
    return;
  const bool fills = !format->hasGaps || program.config.gapFill;
  Size bytes, padding, filler, largest;
  OutputId culprit, before; // behind the largest gap, and in front of it
  const auto addGap = [&](Size gap, OutputId behind, OutputId front) {
    filler += gap;
    if (gap <= largest)
      return;
    largest = gap;
    culprit = behind;
    before = front;
  };
  for (const OutputView &out : link.outputs())
    if (out.hasBytes() && out.isAlloc())
      addGap(alignmentPadding(link, out), out.id, {});
  padding = filler;
  Address end = loaded.front().address;
  OutputId last;
  for (const LoadedBytes &part : loaded) {
    bytes += part.size;
    if (fills)
      addGap(part.address.sizeFrom(end), part.output, last);
    last = part.output;
    end = std::max(end, part.end());
  }
  if (filler - padding > kMaxPadding && !finished.ofFile)
    return; // which is an error
  bytes = bytes - std::min(bytes, padding);
  const bool inPlace =
      before != kNone &&
      isLoadedInPlace(link, link.output(culprit), link.output(before));
  if (filler <= std::max(bytes, Size(inPlace ? kSomeFiller : kMuchFiller)))
    return;
  found.add([&] {
    const std::string name = "'" + link.output(culprit).name + "'";
    Message m{"image '" + program.output.path + "' spans " +
              hex(loaded.front().address) + ".." + hex(end) + " for " +
              std::to_string(bytes) + " bytes: "};
    if (inPlace) {
      const RegionId from = loadRegion(link.output(before));
      m.text += name + " is loaded at its RAM address; did you mean 'AT> " +
                program.script.memory[from.index()].name.str() + "'?";
    } else {
      m.text += before == kNone
                    ? "alignment in " + name + " makes filler"
                    : "most of the filler stands in front of " + name;
      m.notes.push_back(std::to_string(largest) + " bytes of filler there");
    }
    const SectionId aligned =
        before == kNone ? mostAligned(link, link.output(culprit)) : SectionId();
    if (aligned != kNone)
      m.notes.push_back(
          program.sectionName(aligned) + " is aligned to " +
          std::to_string(program.sections[aligned].parsed->align));
    if (before != kNone)
      m.notes.push_back("'" + link.output(before).name + "' is loaded up to " +
                        hex(link.output(before).place.loadEnd()) + ", " + name +
                        " to " + hex(link.output(culprit).loadAddress));
    return m;
  });
}

} // namespace xlink
