//===- Images.cpp ---------------------------------------------------------===//
//
// Problem: a program is loaded into one memory or several, and whoever fills
// them wants the bytes of all, or a file for each, in the format that the
// programmer of the memory reads.
//
// Method: everything that is loaded is rendered into one buffer, section behind
// section; each file takes of it what it is about, by load address, adds filler
// where gaps are to be filled, and goes through its row of the formats. What a
// format cannot hold, or what nobody can have meant (two bytes for one address,
// a file that is mostly filler), is an error before the file is opened.
//
// Bytes go where the ELF file's segments load them. objcopy goes by sections,
// whose load addresses it has to guess: it takes one that its segment does not
// map, such as a member of an overlay, to be loaded where it runs.
//
// A binary file does not say where its bytes go. That of a region begins at the
// region's ORIGIN, which is what whoever writes it into the memory knows, and
// ends with the last byte that is loaded; the other formats hold the address of
// each byte and begin with the first. Execution begins where the program says,
// so this stands in the file with the code, and in no other.
//
// Cost: the loaded bytes twice in memory; a link with --image renders them once
// more than without.
//
//===----------------------------------------------------------------------===//
#include "output/Images.h"
#include "output/ImageFormats.h"
#include "output/SectionBytes.h"
#include "output/Writer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

namespace {

/// A section's bytes.
struct LoadedBlock {
  ImageBlock block;
  OutputId output;
};

/// All of a link, by load address.
struct Loaded {
  std::vector<uint8_t> bytes; ///< what the blocks refer to
  std::vector<LoadedBlock> blocks;
};

/// One file, from what is loaded to its bytes.
class ImageFile {
public:
  ImageFile(const Link &link, const std::string &path,
            const ImageFormat &format, Diagnostics &diag)
      : link(link), path(path), format(format), diag(diag) {
    image.name = path;
    image.fill = link.program.config.gapFill.value_or(0);
  }
  /// Everything that is loaded.
  void takeAll(const Loaded &loaded, uint64_t entry);
  /// What is loaded into a region.
  void takeRegion(const Loaded &loaded, const RegionPlace &region,
                  uint64_t entry);
  bool empty() const { return blocks.empty(); }
  /// Writes the file, or reports why not.
  void write(OutputSink &sink);

private:
  bool refuse(const std::string &text);
  std::string nameOf(const LoadedBlock &block) const;
  bool disjoint();
  bool inRange();
  bool fillGaps();
  void addFiller(Address begin, Address end);

  const Link &link;
  const std::string &path;
  const ImageFormat &format;
  Diagnostics &diag;
  std::vector<LoadedBlock> blocks;
  std::vector<uint8_t> filler; ///< what blocks of filler refer to
  Image image;
};

} // namespace

void ImageFile::takeAll(const Loaded &loaded, uint64_t entry) {
  blocks = loaded.blocks;
  image.entry = entry;
  if (!empty())
    image.begin = blocks.front().block.address;
}

void ImageFile::takeRegion(const Loaded &loaded, const RegionPlace &region,
                           uint64_t entry) {
  image.begin = region.origin;
  for (const LoadedBlock &part : loaded.blocks) {
    const ImageBlock &all = part.block;
    const Address begin = std::max(all.address, region.origin);
    const Address end = std::min(all.end(), region.end());
    if (begin >= end)
      continue;
    blocks.push_back({{begin, all.bytes.slice(begin.sizeFrom(all.address),
                                              end.sizeFrom(begin))},
                      part.output});
    const OutputView out = link.output(part.output);
    const Address atEntry = Address(entry).mapped(out.address, out.loadAddress);
    if (out.address <= entry && begin <= atEntry && atEntry < end)
      image.entry = entry;
  }
}

bool ImageFile::refuse(const std::string &text) {
  diag.error("cannot write " + path + ": " + text);
  return false;
}

std::string ImageFile::nameOf(const LoadedBlock &block) const {
  return "'" + link.output(block.output).name + "'";
}

/// Whether each address has one byte, which --no-check-sections leaves open.
bool ImageFile::disjoint() {
  for (size_t i = 1; i < blocks.size(); ++i)
    if (blocks[i].block.address < blocks[i - 1].block.end())
      return refuse("sections " + nameOf(blocks[i - 1]) + " and " +
                    nameOf(blocks[i]) + " are both loaded to " +
                    hex(blocks[i].block.address));
  return true;
}

/// Whether the format has the addresses.
bool ImageFile::inRange() {
  const std::string beyond =
      std::string(", beyond the 32-bit addresses of ") + format.title;
  for (const LoadedBlock &part : blocks)
    if (part.block.end() > format.end)
      return refuse("section " + nameOf(part) + " is loaded to " +
                    hex(part.block.address) + beyond);
  if (format.end <= image.entry)
    return refuse("execution starts at " + hex(image.entry) + beyond);
  return true;
}

/// Puts filler into a gap, in blocks as long as those of objcopy: each of them
/// begins a new line. objcopy begins one at a section without bytes too, and
/// fills up to such a one behind the last byte; what loads nothing should not
/// show here.
void ImageFile::addFiller(Address begin, Address end) {
  constexpr uint64_t block = 8192;
  filler.resize(block, image.fill);
  for (; begin < end; begin += block)
    image.blocks.push_back(
        {begin, ArrayRef<uint8_t>(filler).take_front(
                    std::min<uint64_t>(block, end.sizeFrom(begin)))});
}

/// Makes the image's blocks, with filler if there is to be some. Only gaps
/// between sections are filled, except that bytes without an address begin
/// where they have to. False: nobody wants so much filler.
bool ImageFile::fillGaps() {
  const bool fills = !format.hasGaps || link.program.config.gapFill;
  Address end =
      format.hasGaps && !empty() ? blocks.front().block.address : image.begin;
  Size padding, largest;
  const LoadedBlock *before = nullptr, *behind = nullptr; // the largest gap
  const LoadedBlock *last = nullptr;
  for (const LoadedBlock &part : blocks) {
    const Size gap = part.block.address.sizeFrom(end);
    padding += gap;
    if (gap > largest) {
      largest = gap;
      before = last;
      behind = &part;
    }
    last = &part;
    end = part.block.end();
  }
  if (fills && padding > kMaxPadding) {
    diag.error(path + " would hold " + std::to_string(padding) +
                   " bytes of filler, most of it in front of section " +
                   nameOf(*behind),
               gapNotes(link, before ? before->output : OutputId(kNone),
                        behind->output));
    return false;
  }
  for (const LoadedBlock &part : blocks) {
    if (format.hasGaps && fills && !image.blocks.empty())
      addFiller(image.blocks.back().end(), part.block.address);
    image.blocks.push_back(part.block);
  }
  return true;
}

void ImageFile::write(OutputSink &sink) {
  if (!disjoint() || !inRange() || !fillGaps())
    return;
  const std::vector<uint8_t> bytes = format.write(image);
  std::string error;
  std::unique_ptr<OutputFile> file =
      sink.open(path, bytes.size(), /*executable=*/false, error);
  if (file) {
    error = file->writeAt(0, bytes);
    if (error.empty())
      error = file->commit();
  }
  if (!error.empty())
    refuse(error);
}

std::vector<std::string> gapNotes(const Link &link, OutputId before,
                                  OutputId behind) {
  std::vector<std::string> notes;
  const OutputView out = link.output(behind);
  const auto regionName = [&](RegionId id) {
    return "'" + link.program.script.memory[id.index()].name.str() + "'";
  };
  if (before != kNone) {
    const OutputView first = link.output(before);
    notes.push_back("'" + first.name + "' is loaded up to " +
                    hex((first.loadAddress + first.size).wrapped()) + ", '" +
                    out.name + "' to " + hex(out.loadAddress));
    if ((out.flags & ELF::SHF_WRITE) && out.region != kNone &&
        first.region != kNone && first.region != out.region &&
        out.lmaRegion == kNone && out.loadAddress == out.address)
      notes.push_back("its place is memory region " + regionName(out.region) +
                      "; to store its initial values behind '" + first.name +
                      "', write AT> and region " + regionName(first.region));
  }
  notes.push_back("ihex, srec and verilog without --gap-fill hold no filler; "
                  "--image writes a file for each memory region");
  return notes;
}

/// Renders what is loaded, in a file as `layout` has it. With errors,
/// what comes back means nothing.
static Loaded renderLoaded(const Link &link, const SymbolValues &values,
                           const FileLayout &layout, uint64_t entry,
                           Diagnostics &diag) {
  MemorySink memory;
  writeOutput(link, values, layout, entry, memory, diag);
  Loaded loaded;
  if (diag.failed())
    return loaded;
  loaded.bytes = std::move(memory.files[link.program.output.path]);
  const ArrayRef<uint8_t> bytes(loaded.bytes);
  for (const LoadedBytes &part : loadedBytes(link))
    loaded.blocks.push_back(
        {{part.address, bytes.slice(layout.offsets[part.output], part.size)},
         part.output});
  return loaded;
}

void checkImages(const Program &program, Diagnostics &diag) {
  const Config &config = program.config;
  std::string names;
  for (const MemoryCommand &region : program.script.memory)
    names += (names.empty() ? "" : ", ") + region.name.str();
  for (const RegionImage &image : config.images)
    if (program.regionNamed(image.region) == kNone)
      diag.error("option '--image': there is no memory region '" +
                     image.region + "'",
                 {names.empty() ? "the script has no MEMORY"
                                : "the script has the regions " + names});
  if (config.gapFill && config.images.empty() && config.crcs.empty() &&
      program.output.format == OutputFormat::Elf)
    diag.warn(WarningGroup::General,
              "option '--gap-fill' has no effect without --image, --crc or an "
              "--oformat of images");
}

void writeImage(const Link &link, const SymbolValues &values,
                const FileLayout &layout, uint64_t entry, OutputSink &sink,
                Diagnostics &diag) {
  const OutputChoice &output = link.program.output;
  const Loaded loaded = renderLoaded(link, values, layout, entry, diag);
  const ImageFormat *format = findImageFormat(output.format);
  if (diag.failed() || !format)
    return;
  ImageFile file(link, output.path, *format, diag);
  file.takeAll(loaded, entry);
  file.write(sink);
}

void writeRegionImages(const Link &link, const SymbolValues &values,
                       const FileLayout &layout, uint64_t entry,
                       OutputSink &sink, Diagnostics &diag) {
  const Config &config = link.program.config;
  if (config.images.empty())
    return;
  // What relocations have to say was said when the output was written.
  Diagnostics repeated;
  // A hash that identifies the output is that of the whole file.
  const bool whole = link.program.buildIdNote != kNone;
  const Loaded loaded = renderLoaded(
      link, values, whole ? layout : layOutLoaded(link), entry, repeated);
  for (const Diagnostic &d : repeated.all())
    if (d.severity == Severity::Error)
      diag.append(d);
  if (repeated.failed())
    return;
  for (const RegionImage &image : config.images) {
    const RegionId id = link.program.regionNamed(image.region);
    const ImageFormat *format = findImageFormat(image.format);
    if (id == kNone || !format)
      continue;
    ImageFile file(link, image.path, *format, diag);
    file.takeRegion(loaded, link.addresses.regions[id], entry);
    if (file.empty())
      diag.warn(WarningGroup::General,
                "nothing is loaded into memory region '" + image.region +
                    "': " + image.path + " holds no bytes");
    file.write(sink);
  }
}

} // namespace xlink
