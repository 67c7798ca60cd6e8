//===- Images.cpp ---------------------------------------------------------===//
//
// Problem: a program is loaded into one memory or several, and the programmer
// of a memory reads the bytes of all of them, or a file for each, in its own
// format.
//
// Method: the loaded bytes are rendered into one buffer, section behind
// section; each file takes its part of them, by load address, adds filler where
// gaps are to be filled, and goes through its row of the formats. Anything that
// a format cannot hold, and any mistake (two bytes for one address, a file that
// is mostly filler), is an error before the file is opened.
//
// Bytes go where the ELF file's segments load them. objcopy goes by sections,
// whose load addresses it has to guess: it takes one that its segment does not
// map, such as a member of an overlay, to be loaded where it runs.
//
// A binary file does not say where its bytes go. That of a region begins at the
// region's ORIGIN, which its reader knows, and ends with the last byte that is
// loaded; the other formats hold the address of each byte and begin with the
// first. The address where execution begins stands in the file with the code,
// and in no other.
//
// Cost: the loaded bytes twice in memory; a link with --image renders them once
// more than without.
//
//===----------------------------------------------------------------------===//
#include "output/Images.h"
#include "base/MappedFile.h"
#include "output/SectionBytes.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

/// Puts filler between the blocks, if the link asks for it and the format does
/// not do so itself, in blocks as long as those of objcopy: each of them begins
/// a new line. objcopy begins one at a section without bytes too, and fills up
/// to such a one behind the last byte; here empty sections have no effect.
/// False: there would be too much filler. `filler`: the blocks refer to it.
static bool fillGaps(const Link &link, const ImageFormat &format, Image &image,
                     std::vector<uint8_t> &filler, Diagnostics &diag) {
  constexpr uint64_t fillerBlock = 8192;
  const bool fills = format.hasGaps && link.program.config.gapFill;
  Address end = image.begin;
  if (format.hasGaps && !image.blocks.empty())
    end = image.blocks.front().address;
  Size padding, largest;
  OutputId before, behind, last; // before and behind the largest gap
  std::vector<ImageBlock> filled;
  filler.resize(fillerBlock, image.fill);
  for (const ImageBlock &block : image.blocks) {
    const Size gap = block.address.sizeFrom(end);
    padding += gap;
    if (gap > largest) {
      largest = gap;
      before = last;
      behind = block.output;
    }
    if (padding <= kMaxPadding)
      for (; fills && end < block.address; end += fillerBlock)
        filled.push_back(
            {end, ArrayRef<uint8_t>(filler).take_front(std::min<uint64_t>(
                      fillerBlock, block.address.sizeFrom(end)))});
    filled.push_back(block);
    last = block.output;
    end = block.end();
  }
  if ((fills || !format.hasGaps) && padding > kMaxPadding) {
    diag.error(image.name.str() + " would hold " + std::to_string(padding) +
                   " bytes of filler, most of it in front of section '" +
                   link.output(behind).name + "'",
               gapNotes(link, before, behind));
    return false;
  }
  image.blocks = std::move(filled);
  return true;
}

/// --pad-image: flash that is written in units of so many bytes would keep what
/// it had in the last one, or refuse the image. `padding`: the block refers to
/// it.
static void padEnd(uint64_t unit, Image &image, std::vector<uint8_t> &padding) {
  const uint64_t rest =
      image.blocks.empty() ? 0 : image.blocks.back().end().wrapped() % unit;
  if (rest == 0)
    return;
  padding.resize(unit - rest, image.fill);
  image.blocks.push_back({image.blocks.back().end(), padding});
}

/// Why a format has no room for the addresses of an image; "": it has.
static std::string addressProblem(const Link &link, const ImageFormat &format,
                                  const Image &image) {
  const std::string beyond =
      std::string(", beyond the 32-bit addresses of ") + format.title;
  for (const ImageBlock &block : image.blocks)
    if (block.end() > format.end)
      return "section '" + link.output(block.output).name + "' is loaded to " +
             hex(block.address) + beyond;
  if (format.end <= image.entry)
    return "execution starts at " + hex(image.entry) + beyond;
  return "";
}

/// A file of the bytes that are loaded between two addresses, in a format.
/// `bytes`: of the output as the layout has them.
static void writeBytes(const LinkedProgram &output, ArrayRef<uint8_t> bytes,
                       const ImageFormat &format, Image image, Address end,
                       OutputSink &sink, Diagnostics &diag) {
  const Link &link = output.link;
  image.fill = link.program.config.gapFill.value_or(0);
  const std::vector<LoadedBytes> loaded = loadedBytes(link, image.begin, end);
  for (const LoadedBytes &part : loaded)
    image.blocks.push_back(
        {part.address,
         bytes.slice(output.layout.offsets[part.output] + part.offset,
                     part.size),
         part.output});
  std::vector<uint8_t> filler, padding;
  std::string error = overlapText(link, loaded);
  if (error.empty())
    error = addressProblem(link, format, image);
  if (error.empty()) {
    if (!fillGaps(link, format, image, filler, diag))
      return;
    padEnd(link.program.config.padImage, image, padding);
    error = writeWhole(sink, image.name, format.write(image));
  }
  if (!error.empty())
    diag.error("cannot write " + image.name.str() + ": " + error);
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

/// Renders the output, as the layout has it. With errors the result means
/// nothing.
static std::vector<uint8_t> renderLoaded(const LinkedProgram &output,
                                         Diagnostics &diag) {
  MemorySink memory;
  writeOutput(output, memory, diag);
  return std::move(memory.files[output.link.program.output.path]);
}

void writeImage(const LinkedProgram &output, OutputSink &sink,
                Diagnostics &diag) {
  const OutputChoice &choice = output.link.program.output;
  const std::vector<uint8_t> bytes = renderLoaded(output, diag);
  const ImageFormat *format = findImageFormat(choice.format);
  if (diag.failed() || !format)
    return;
  const std::vector<LoadedBytes> loaded = loadedBytes(output.link);
  const Address begin = loaded.empty() ? Address() : loaded.front().address;
  writeBytes(output, bytes, *format, {choice.path, begin, output.entry},
             Address::end(), sink, diag);
}

/// Whether execution begins with bytes that are loaded into a region.
static bool holdsEntry(const LinkedProgram &output,
                       ArrayRef<LoadedBytes> loaded) {
  return any_of(loaded, [&](const LoadedBytes &bytes) {
    const OutputView out = output.link.output(bytes.output);
    const Address atEntry =
        Address(output.entry).mapped(out.address, out.loadAddress);
    return out.address <= output.entry && bytes.address <= atEntry &&
           atEntry < bytes.end();
  });
}

void writeRegionImages(const LinkedProgram &output, OutputSink &sink,
                       Diagnostics &diag) {
  const Link &link = output.link;
  if (link.program.config.images.empty())
    return;
  // Messages of relocations were reported when the output was written.
  Diagnostics repeated;
  // A hash that identifies the output is that of the whole file.
  const bool whole = link.program.buildIdNote != kNone;
  const FileLayout layout =
      whole ? output.layout : layOutBytes(link, /*gaps=*/false);
  const LinkedProgram rendered = {link, output.values, layout, output.entry};
  const std::vector<uint8_t> bytes = renderLoaded(rendered, repeated);
  for (const Diagnostic &d : repeated.all())
    if (d.severity == Severity::Error)
      diag.append(d);
  if (repeated.failed())
    return;
  for (const RegionImage &wanted : link.program.config.images) {
    const RegionId id = link.program.regionNamed(wanted.region);
    const ImageFormat *format = findImageFormat(wanted.format);
    if (id == kNone || !format)
      continue;
    const RegionPlace &region = link.addresses.regions[id];
    const std::vector<LoadedBytes> loaded =
        loadedBytes(link, region.origin, region.end());
    const uint64_t entry = holdsEntry(output, loaded) ? output.entry : 0;
    if (loaded.empty())
      diag.warn(WarningGroup::General,
                "nothing is loaded into memory region '" + wanted.region +
                    "': " + wanted.path + " holds no bytes");
    writeBytes(rendered, bytes, *format, {wanted.path, region.origin, entry},
               region.end(), sink, diag);
  }
}

//===----------------------------------------------------------------------===//
// Containers
//
// Some machines boot files that hold linked programs among other things. The
// machine makes their bytes; here its hooks and the link are joined: the format
// is found, further files are read, messages reported, the result written.
//
//===----------------------------------------------------------------------===//

static const Container *findContainer(const Target &target, StringRef name) {
  for (const Container *container : target.containers)
    if (name == container->name)
      return container;
  return nullptr;
}

std::vector<std::string> writeContainer(const LinkedProgram &output,
                                        OutputSink &sink, vfs::FileSystem *fs,
                                        Diagnostics &diag) {
  const Program &program = output.link.program;
  const std::string &path = program.output.path;
  std::vector<std::string> files;
  const std::vector<uint8_t> elf = renderLoaded(output, diag);
  const Container *container =
      findContainer(*program.target, program.config.container);
  // With errors there is nothing to wrap: all of them are reported.
  if (diag.failed() || !container)
    return files;

  std::vector<ContainerOption> options;
  for (const auto &[option, value] : program.config.containerOptions)
    if (StringRef(option).split('-').first == container->name)
      options.push_back({option, value});
  std::vector<std::unique_ptr<MemoryBuffer>> buffers;
  auto read = [&](StringRef file,
                  std::string &error) -> std::optional<ArrayRef<uint8_t>> {
    std::unique_ptr<MemoryBuffer> buffer = openFile(fs, file, error);
    if (!buffer)
      return std::nullopt;
    files.push_back(file.str());
    buffers.push_back(std::move(buffer));
    return arrayRefFromStringRef(buffers.back()->getBuffer());
  };
  std::vector<TargetMessage> messages;
  std::vector<uint8_t> bytes =
      container->write({elf, path, program.state, options, read}, messages);
  for (TargetMessage &m : messages)
    if (m.severity == TargetMessage::Error)
      diag.error(std::move(m.text));
    else
      diag.warn(WarningGroup::General, std::move(m.text));
  if (diag.failed())
    return files;

  const std::string error = writeWhole(sink, path, bytes);
  if (!error.empty())
    diag.error("cannot write " + path + ": " + error);
  return files;
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

void checkContainer(const Program &program, Diagnostics &diag) {
  const std::string &name = program.config.container;
  if (!name.empty() && !findContainer(*program.target, name)) {
    std::string valid;
    for (const OutputFormatName &row : kOutputFormats)
      valid += std::string(valid.empty() ? "" : ", ") + row.name;
    for (const Container *container : program.target->containers)
      valid += std::string(", ") + container->name;
    diag.error("option '--oformat': '" + name +
               "' is not an output format of " + program.target->name + " (" +
               valid + ")");
  }
  for (const auto &[option, value] : program.config.containerOptions) {
    StringRef owner = StringRef(option).split('-').first;
    if (owner != name)
      diag.warn(WarningGroup::General, "option '--" + option +
                                           "' has no effect without "
                                           "--oformat=" +
                                           owner.str());
  }
}

static void checkImages(const Program &program, Diagnostics &diag) {
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

/// False: the link ends here.
static bool checkRelocatable(const Program &program, Diagnostics &diag) {
  const Config &config = program.config;
  const uint64_t before = diag.errorCount();
  if (!config.relocatable)
    return true;
  if (program.output.format != OutputFormat::Elf || !config.container.empty())
    diag.error("option '-r': only an ELF file holds relocations; leave out "
               "'--oformat'");
  const std::pair<bool, const char *> forPrograms[] = {
      {!config.images.empty(), "--image"},
      {!config.crcs.empty(), "--crc"},
      {config.initTables, "--init-tables"},
      {config.icf != IcfLevel::None, "--icf"},
  };
  for (auto [given, option] : forPrograms)
    if (given)
      diag.error(std::string("option '-r': what it makes has no addresses yet; "
                             "leave '") +
                 option + "' to the link of the program");
  const bool anyRoot = config.entry || !config.undefined.empty() ||
                       !config.undefinedGlobs.empty() ||
                       !config.requireDefined.empty() ||
                       !program.script.externs.empty();
  if (config.gcSections && !anyRoot)
    diag.error("option '--gc-sections': with -r nothing says what to keep; "
               "name it by -e or -u");
  return diag.errorCount() == before;
}

bool checkOutputOptions(const Program &program, Diagnostics &diag) {
  checkImages(program, diag);
  for (const CrcRequest &request : program.config.crcs)
    if (!request.range && program.regionNamed(request.region) == kNone)
      diag.error("option '--crc=" + request.text +
                 "': " + undeclaredRegion(program.script, request.region));
  return checkRelocatable(program, diag);
}

} // namespace xlink
