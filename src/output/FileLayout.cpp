//===- FileLayout.cpp -----------------------------------------------------===//
//
// Problem: a loader maps pages of the file, so offsets must agree with
// addresses modulo the alignment of a segment, and sections of one segment keep
// their distances.
//
// Method: PT_LOADs one behind the other, each at the next offset that agrees;
// then everything else in layout order.
//
// Cost: linear in output sections.
//
//===----------------------------------------------------------------------===//
#include "output/FileLayout.h"
#include "base/Diagnostics.h"

using namespace llvm;

namespace xlink {

/// A file without headers in which nothing is written yet.
static FileLayout emptyLayout(const Link &link) {
  const size_t outputs = link.placement.outputs.size();
  FileLayout file;
  file.headers.resize(outputs);
  file.offsets.resize(outputs);
  file.written.resize(outputs);
  for (const Segment &s : link.addresses.segments)
    file.segments.push_back({0, s.fileSize, s.memSize, 0});
  return file;
}

/// The groups of a relocatable output.
static std::vector<KeptGroup> keptGroups(const Link &link) {
  std::vector<KeptGroup> kept;
  const Config &config = link.program.config;
  if (!config.relocatable || link.program.dissolvesGroups())
    return kept;
  for (FileId f : link.program.files.ids()) {
    const InputFile &file = link.program.files[f];
    const auto &groups = file.object->groups;
    for (uint32_t g = 0; g < groups.size(); ++g)
      if (any_of(groups[g].members, [&](uint32_t member) {
            return link.placed(file.sectionBase + member);
          }))
        kept.push_back({f, g});
  }
  return kept;
}

/// Of each output section its PT_LOAD, kNone: none.
using SegmentOf = IdVector<OutputId, uint32_t>;

/// Where a segment's bytes may begin in the file: behind all others, or with a
/// section at the end of the segment in front: its bytes serve both.
static Size sharedBegin(const Link &link, const FileLayout &file,
                        const SegmentOf &segmentOf, uint32_t index) {
  const Segment &segment = link.addresses.segments[index];
  if (segment.hasHeaders)
    return file.end;
  const OutputId first = segment.sections.front();
  const uint32_t other = segmentOf[first];
  if (other == index ||
      link.addresses.segments[other].sections.back() != first ||
      file.segments[other].end != file.end || link.output(first).isNoBits() ||
      link.addresses.outputs[first].address != segment.address)
    return file.end;
  const uint64_t mask = std::max<uint64_t>(segment.align, 1) - 1;
  const Size begin = file.offsets[first];
  return (uint64_t(begin) - segment.address.wrapped()) & mask ? file.end
                                                              : begin;
}

/// Loaded bytes: a segment's sections keep their distances in the file.
static SegmentOf placeLoads(const Link &link, FileLayout &file) {
  const std::vector<Segment> &segments = link.addresses.segments;
  SegmentOf segmentOf(link.placement.outputs.size(), kNone);
  for (uint32_t i = 0; i < segments.size(); ++i)
    if (segments[i].type == ELF::PT_LOAD)
      for (OutputId id : segments[i].sections)
        if (segmentOf[id] == kNone)
          segmentOf[id] = i;
  for (uint32_t i = 0; i < segments.size(); ++i) {
    const Segment &segment = segments[i];
    SegmentPlace &place = file.segments[i];
    if (segment.type != ELF::PT_LOAD ||
        (segment.sections.empty() && !segment.hasHeaders))
      continue;
    place = placeInFile(link.program, segment,
                        sharedBegin(link, file, segmentOf, i));
    file.end = std::max(file.end, place.end);
    for (OutputId id : segment.sections) {
      const OutputPlace &out = link.addresses.outputs[id];
      if (segmentOf[id] != i)
        continue;
      Size within = out.loadAddress.sizeFrom(segment.base);
      // Where nothing stands, a load address may be anywhere.
      if (out.size == 0 &&
          (out.loadAddress < segment.base || within > place.fileSize))
        within = place.fileSize;
      file.offsets[id] = place.offset + within;
    }
  }
  return segmentOf;
}

/// Segments that only point at bytes of others, or at sections that are in no
/// PT_LOAD. `loadedEnd`: of the bytes of PT_LOADs.
static void placeOthers(const Link &link, const SegmentOf &segmentOf,
                        Size loadedEnd, FileLayout &file) {
  const std::vector<Segment> &segments = link.addresses.segments;
  for (size_t i = 0; i < segments.size(); ++i) {
    const Segment &segment = segments[i];
    if (segment.type == ELF::PT_PHDR)
      file.segments[i].offset = headersSize(link.program, 0);
    else if (segment.type != ELF::PT_LOAD && !segment.sections.empty()) {
      const OutputId first = segment.sections.front();
      file.segments[i].offset = segmentOf[first] == kNone
                                    ? file.offsets[first]
                                    : std::min(file.offsets[first], loadedEnd);
    }
  }
}

/// Places the sections that are in no PT_LOAD.
static void placeRest(const Link &link, const SegmentOf &segmentOf,
                      FileLayout &file) {
  uint32_t last = kNone; // the PT_LOAD that was passed last
  for (const OutputView &out : link.outputsInOrder()) {
    if (segmentOf[out.id] != kNone) {
      last = segmentOf[out.id];
      continue;
    }
    if (!out.kept)
      continue;
    Size &offset = file.offsets[out.id];
    const bool empty = out.isAlloc() && out.size == 0;
    if (empty && last != kNone) {
      // Readers put a section without bytes into the segment that its address
      // and its offset both lie in.
      const Segment &segment = link.addresses.segments[last];
      const Size within = out.loadAddress.sizeFrom(segment.base);
      if (segment.base <= out.loadAddress &&
          within <= file.segments[last].memSize) {
        offset = file.segments[last].offset +
                 std::min(within, file.segments[last].fileSize);
        continue;
      }
    }
    if (out.isNoBits() || empty) {
      offset = file.end;
      continue;
    }
    // A loaded section in no segment is aligned by its address alone.
    const bool byAddress = out.isAlloc() && !link.program.config.relocatable;
    const uint64_t align = file.compressed.count(out.id)
                               ? link.program.addressSize()
                           : byAddress ? 1
                                       : out.align;
    file.end = file.end.alignedTo(std::max<uint64_t>(align, 1));
    offset = file.end;
    file.end += file.sizeOf(out);
  }
}

FileLayout layOutElf(const Link &link, CompressedSections compressed) {
  FileLayout file = emptyLayout(link);
  file.compressed = std::move(compressed);
  file.elf = true;
  file.groups = keptGroups(link);
  file.sectionCount += uint32_t(file.groups.size());
  for (const OutputView &out : link.outputsInOrder())
    if (out.kept)
      file.headers[out.id] = file.sectionCount++;
  for (const OutputView &out : link.outputs())
    file.written[out.id] = out.hasBytes();
  file.begin = file.end = link.addresses.headersSize;
  const SegmentOf segmentOf = placeLoads(link, file);
  const Size loadedEnd = file.end;
  placeRest(link, segmentOf, file);
  placeOthers(link, segmentOf, loadedEnd, file);
  return file;
}

bool isMadeFromImage(const Program &program) {
  // A binary file without filler of its own is written as ELF files are.
  return program.output.format != OutputFormat::Elf &&
         (program.output.format != OutputFormat::Binary ||
          program.config.gapFill || program.config.padImage != 1);
}

FileLayout layOutFile(const Link &link, CompressedSections compressed) {
  if (link.program.output.format == OutputFormat::Elf)
    return layOutElf(link, std::move(compressed));
  return layOutBytes(link, /*gaps=*/!isMadeFromImage(link.program));
}

std::vector<LoadedBytes> loadedBytes(const Link &link, Address begin,
                                     Address end) {
  const IdVector<OutputId, Address> places = link.loadedTo();
  std::vector<LoadedBytes> list;
  for (const OutputView &out : link.outputs())
    if (out.hasBytes() && out.isAlloc())
      list.push_back({places[out.id], out.size, out.id, 0});
  llvm::stable_sort(list, [](const LoadedBytes &a, const LoadedBytes &b) {
    return a.address < b.address;
  });
  for (LoadedBytes &bytes : list) {
    const Address from = std::max(bytes.address, begin);
    bytes.size = std::min(bytes.end(), end).sizeFrom(from);
    bytes.offset = from.sizeFrom(bytes.address);
    bytes.address = from;
  }
  llvm::erase_if(list, [](const LoadedBytes &b) { return b.size == 0; });
  return list;
}

std::string overlapText(const Link &link, ArrayRef<LoadedBytes> loaded) {
  for (size_t i = 1; i < loaded.size(); ++i)
    if (loaded[i].address < loaded[i - 1].end())
      return "sections '" + link.output(loaded[i - 1].output).name + "' and '" +
             link.output(loaded[i].output).name + "' are both loaded to " +
             hex(loaded[i].address);
  return "";
}

FileLayout layOutBytes(const Link &link, bool gaps) {
  FileLayout file = emptyLayout(link);
  const std::vector<LoadedBytes> list = loadedBytes(link);
  for (const LoadedBytes &bytes : list) {
    const Size offset =
        gaps ? bytes.address.sizeFrom(list.front().address) : file.end;
    file.written[bytes.output] = true;
    file.offsets[bytes.output] = offset;
    file.end = std::max(file.end, offset + bytes.size);
  }
  return file;
}

} // namespace xlink
