//===- Inspect.cpp - the subcommands --------------------------------------===//
#include "inspect/Inspect.h"
#include "base/MappedFile.h"
#include "input/ElfReader.h"
#include "input/MachineFiles.h"
#include "inspect/FileMap.h"
#include "inspect/Options.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "map/Pairs.h"
#include "map/TextMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

namespace {

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// An ELF file, a container of ELF files, or a map of --map-json.
struct FinishedFile {
  std::string path = {};
  std::unique_ptr<MemoryBuffer> buffer = {};
  const Container *container = nullptr; ///< null: no container
  /// Contents of a container; of any other file, the file itself.
  std::vector<ContainerPart> parts = {};
  std::unique_ptr<MemoryBuffer> statedText = {};
  std::optional<LinkMap> stated = {}; ///< by the linker; its text is above
  std::optional<LinkMap> map = {};    ///< of the main program

  ArrayRef<uint8_t> bytes() const {
    return arrayRefFromStringRef(buffer->getBuffer());
  }
  /// The largest program of a container: others prepare a processor for it.
  /// Null: there is none.
  const ContainerPart *mainProgram() const {
    const ContainerPart *largest = nullptr;
    for (const ContainerPart &part : parts)
      if (part.program &&
          (!largest || part.bytes.size() > largest->bytes.size()))
        largest = &part;
    return largest;
  }
  /// The name of a part in messages: "a.xe: ELF of node 0, tile 0", "a.elf".
  std::string title(const ContainerPart &part) const {
    return part.name.empty() ? path : path + ": " + part.name;
  }
};

/// Opens a file; an error, and false, where that fails.
bool openFinished(const std::string &path, vfs::FileSystem *fs,
                  FinishedFile &file, Diagnostics &diag) {
  file.path = path;
  std::string error;
  file.buffer = openFile(fs, path, error);
  if (!file.buffer)
    diag.error("cannot open " + path + ": " + error);
  return file.buffer != nullptr;
}

/// The first container format of all machines that is the right one, or null.
const Container *findContainer(function_ref<bool(const Container &)> isRight) {
  for (const Target *target : allTargets())
    for (const Container *container : target->containers)
      if (isRight(*container))
        return container;
  return nullptr;
}

/// Fills in `container` and `parts`; false, and errors, if they are damaged.
bool readContainer(FinishedFile &file, Diagnostics &diag) {
  file.container = findContainer([&](const Container &c) {
    return c.magic && file.buffer->getBuffer().starts_with(c.magic);
  });
  if (!file.container) {
    file.parts.push_back({"", file.bytes(), /*program=*/true});
    return true;
  }
  std::vector<TargetMessage> messages;
  for (ContainerListing::Entry &entry :
       file.container->list(file.bytes(), messages).entries)
    if (entry.part)
      file.parts.push_back(std::move(*entry.part));
  bool good = true;
  for (const TargetMessage &message : messages)
    if (message.severity == TargetMessage::Error) {
      diag.error(file.path + ": " + message.text);
      good = false;
    }
  return good;
}

/// Reads a program, of any machine unless `-m` names one. A machine file that
/// is shipped says more of a machine than nothing.
std::optional<LinkedFile> readProgram(const FinishedFile &file,
                                      const ContainerPart &part,
                                      InspectOptions &options,
                                      vfs::FileSystem *fs, Diagnostics &diag) {
  const std::optional<ElfIdentity> id = readIdentity(part.bytes);
  auto isIn = [&](const Machines &machines) {
    return !id || machines.find(id->is64, id->isBig, id->machine);
  };
  const bool known = isIn(options.machines);
  const bool any = options.machines.files().empty();
  if (!known && any && !isIn(options.shipped)) {
    Config config;
    config.executable = options.executable;
    MachineLoader(config, fs, options.shipped, diag).ofIdentity(*id);
  }
  return readLinkedFile(file.title(part), part.bytes,
                        known || !any ? options.machines : options.shipped,
                        diag, {any, !options.sectionsAlone});
}

/// Reads the map that a linker wrote beside a file.
bool openStated(const std::string &path, vfs::FileSystem *fs,
                FinishedFile &file, Diagnostics &diag) {
  std::string error;
  file.statedText = openFile(fs, path, error);
  if (!file.statedText)
    diag.error("cannot open " + path + ": " + error);
  else
    file.stated = readTextMap(path, file.statedText->getBuffer(), diag);
  return file.stated.has_value();
}

/// Opens a file and fills in `map`: read from JSON, or made from the ELF file,
/// in a container from its main program. `text`: the path of the map that the
/// linker wrote beside that, or empty. An error, and false, if that fails.
bool openMap(const std::string &path, const std::string &text,
             InspectOptions &options, vfs::FileSystem *fs, FinishedFile &file,
             Diagnostics &diag) {
  if (!openFinished(path, fs, file, diag) || !readContainer(file, diag))
    return false;
  if (!text.empty() && !openStated(text, fs, file, diag))
    return false;
  const StringRef bytes = file.buffer->getBuffer();
  const ContainerPart *program = file.mainProgram();
  if (!file.container && bytes.ltrim().starts_with("{")) {
    if (file.stated || options.bySource)
      diag.error(path + ": is a map of xlink: options '--map' and "
                        "'--by-source' are for ELF files");
    else
      file.map = readLinkMap(path, bytes, diag);
  } else if (!file.container && !bytes.starts_with(ELF::ElfMagic)) {
    diag.error(path + ": is neither an ELF file nor a container or map of one");
  } else if (!program) {
    diag.error(path + ": has no program");
  } else if (const std::optional<LinkedFile> elf =
                 readProgram(file, *program, options, fs, diag)) {
    file.map = mapOfElf(*elf, file.stated ? &*file.stated : nullptr,
                        options.bySource, diag);
  }
  return file.map.has_value();
}

//===----------------------------------------------------------------------===//
// diff
//===----------------------------------------------------------------------===//

/// Parts of one name, in order. If one file has more programs of a name, the
/// largest are pairs: small ones prepare a processor for them. For the same
/// reason a program that is no container is compared with the largest one.
Pairs pairParts(const FinishedFile &a, const FinishedFile &b) {
  Pairs pairs(a.parts.size(), b.parts.size());
  auto nameIn = [&](const FinishedFile &file) {
    return [&](uint32_t i) {
      const ContainerPart &part = file.parts[i];
      return PairKey{part.program && a.container != b.container &&
                             part.bytes.size() ==
                                 file.mainProgram()->bytes.size()
                         ? StringRef()
                         : part.name};
    };
  };
  auto largest = [](const FinishedFile &file, ArrayRef<uint32_t> run,
                    size_t count) {
    SmallVector<uint32_t, 4> list(run);
    stable_sort(list, [&](uint32_t x, uint32_t y) {
      return file.parts[x].bytes.size() > file.parts[y].bytes.size();
    });
    list.resize(count);
    sort(list);
    return list;
  };
  pairs.round(nameIn(a), nameIn(b),
              [&](ArrayRef<uint32_t> runA, ArrayRef<uint32_t> runB) {
                const size_t count = std::min(runA.size(), runB.size());
                pairs.joinInOrder(largest(a, runA, count),
                                  largest(b, runB, count));
              });
  return pairs;
}

std::string bytesText(const ContainerPart &part) {
  return std::to_string(part.bytes.size()) + " bytes";
}

/// Compares two parts; false: one cannot be read, or they are of two machines.
bool compareParts(const FinishedFile &a, const ContainerPart &x,
                  const FinishedFile &b, const ContainerPart &y,
                  InspectOptions &options, vfs::FileSystem *fs, FileDiff &diff,
                  Diagnostics &diag) {
  if (!x.program || !y.program) {
    if (x.bytes != y.bytes)
      diff.container.push_back({x.name, bytesText(x),
                                x.bytes.size() == y.bytes.size()
                                    ? "the same size, other bytes"
                                    : bytesText(y)});
    return true;
  }
  const std::optional<LinkedFile> fileA = readProgram(a, x, options, fs, diag),
                                  fileB = readProgram(b, y, options, fs, diag);
  if (!fileA || !fileB)
    return false;
  if (!fileA->hasMachineOf(*fileB)) {
    auto machineOf = [&](const ContainerPart &part) {
      const ElfIdentity id = *readIdentity(part.bytes);
      return machineText(options.machines, id) + " of " +
             (id.isBig ? "big-endian " : "") + "ELF" + (id.is64 ? "64" : "32");
    };
    diag.error(fileB->name + ": is of machine " + machineOf(y) + ", and " +
               fileA->name + " of " + machineOf(x));
    return false;
  }
  ProgramDiff &program = diff.programs.emplace_back(
      comparePrograms(*fileA, *fileB, options.ignore));
  program.part = x.name.empty() ? y.name : x.name;
  return true;
}

InspectStatus diffFiles(InspectOptions &options, vfs::FileSystem *fs,
                        std::string &text, Diagnostics &diag) {
  FinishedFile a, b;
  const bool opened = openFinished(options.files[0], fs, a, diag);
  if (!openFinished(options.files[1], fs, b, diag) || !opened)
    return kTrouble;
  FileDiff diff{a.path, b.path, {}, {}};
  if (a.bytes() != b.bytes()) {
    const bool read = readContainer(a, diag);
    if (!readContainer(b, diag) || !read)
      return kTrouble;
    auto format = [](const FinishedFile &file) {
      return file.container ? file.container->name : "ELF";
    };
    addValues(diff.container, "format", format(a), format(b));
    bool good = true;
    const Pairs pairs = pairParts(a, b);
    for (uint32_t i = 0; i < a.parts.size(); ++i)
      if (const uint32_t j = pairs.ofA[i]; j != kNoIndex)
        good &=
            compareParts(a, a.parts[i], b, b.parts[j], options, fs, diff, diag);
      else
        diff.container.push_back(
            {a.parts[i].name, bytesText(a.parts[i]), "not there"});
    for (uint32_t j = 0; j < b.parts.size(); ++j)
      if (pairs.ofB[j] == kNoIndex)
        diff.container.push_back(
            {b.parts[j].name, "not there", bytesText(b.parts[j])});
    if (!good)
      return kTrouble;
  }
  text = options.format == InspectOptions::Json
             ? diffJson(diff)
             : diffText(diff, options.demangle);
  return countsOf(diff).empty() ? kSame : kDifferent;
}

//===----------------------------------------------------------------------===//
// compare, sizes, page
//===----------------------------------------------------------------------===//

InspectStatus compareFiles(InspectOptions &options, vfs::FileSystem *fs,
                           std::string &text, Diagnostics &diag) {
  // Both are read even if the first is bad: two messages in one run.
  FinishedFile before, after;
  const bool read =
      openMap(options.files[0], options.oldMap, options, fs, before, diag);
  if (!openMap(options.files[1], options.map, options, fs, after, diag) ||
      !read)
    return kTrouble;
  const MapComparison comparison = compareMaps(*before.map, *after.map);
  const ComparisonNames names{options.files[0], options.files[1],
                              options.demangle, options.rows};
  text = options.format == InspectOptions::Json
             ? comparisonJson(comparison, names)
             : comparisonText(comparison, names,
                              options.format == InspectOptions::Markdown);
  return comparison.equal() ? kSame : kDifferent;
}

InspectStatus showSizes(InspectOptions &options, vfs::FileSystem *fs,
                        std::string &text, Diagnostics &diag) {
  FinishedFile file;
  if (!openMap(options.files[0], options.map, options, fs, file, diag))
    return kTrouble;
  MapComparison sizes = sizesOf(*file.map);
  if (options.sectionsAlone)
    for (auto *rows : {&sizes.archives, &sizes.objects, &sizes.symbols,
                       &sizes.unnamed, &sizes.discarded})
      rows->clear();
  const ComparisonNames names{"", options.files[0], options.demangle,
                              options.rows};
  text = options.format == InspectOptions::Json ? sizesJson(sizes, names)
                                                : sizesText(sizes, names);
  return kSame;
}

InspectStatus makePage(InspectOptions &options, vfs::FileSystem *fs,
                       std::string &text, Diagnostics &diag) {
  FinishedFile file, older;
  const bool read =
      openMap(options.files[0], options.map, options, fs, file, diag);
  if ((!options.baseline.empty() &&
       !openMap(options.baseline, options.oldMap, options, fs, older, diag)) ||
      !read)
    return kTrouble;
  if (options.format == InspectOptions::Json) {
    text = mapJson(*file.map);
    return kSame;
  }
  const LinkMap *baseline = older.map ? &*older.map : nullptr;
  raw_string_ostream out(text);
  writeHtmlReport(out, mapJson(*file.map),
                  baseline ? comparisonOfPage(compareMaps(*baseline, *file.map))
                           : "",
                  options.demangle ? readableNames(*file.map, baseline) : "");
  return kSame;
}

//===----------------------------------------------------------------------===//
// checks
//===----------------------------------------------------------------------===//

InspectStatus checkFinished(InspectOptions &options, vfs::FileSystem *fs,
                            std::string &text, Diagnostics &diag) {
  FinishedFile file;
  if (!openFinished(options.files[0], fs, file, diag) ||
      !readContainer(file, diag))
    return kTrouble;
  const ContainerPart *program = file.mainProgram();
  if (!program) {
    diag.error(file.path + ": has no program");
    return kTrouble;
  }
  const std::optional<LinkedFile> elf =
      readProgram(file, *program, options, fs, diag);
  FileCheckOptions wishes = options.checks;
  wishes.demangle = options.demangle;
  const std::optional<FileCheckResult> result =
      elf ? checkFile(*elf, wishes, fs, diag) : std::nullopt;
  if (!result)
    return kTrouble;
  text = options.format == InspectOptions::Json ? checksJson(*result)
                                                : checksText(*result);
  return result->findings.empty() ? kSame : kDifferent;
}

//===----------------------------------------------------------------------===//
// xe
//===----------------------------------------------------------------------===//

std::string listingText(const ContainerListing &listing, StringRef file) {
  if (listing.title.empty())
    return "";
  std::string text = (file + ": " + listing.title + "\n").str();
  for (const ContainerListing::Entry &entry : listing.entries) {
    text += hex(entry.offset) + ": " + entry.kind;
    for (const ContainerListing::Fact &fact : entry.facts)
      text += ", " + fact.text;
    text += "\n";
  }
  return printableLines(text);
}

std::string listingJson(const ContainerListing &listing, StringRef file) {
  return jsonAnswer("xlink container", [&](json::OStream &json) {
    json.attribute("file", json::fixUTF8(file));
    json.attribute("title", listing.title);
    json.attributeArray("entries", [&] {
      for (const ContainerListing::Entry &entry : listing.entries)
        json.object([&] {
          json.attribute("offset", hex(entry.offset));
          json.attribute("kind", entry.kind);
          for (const ContainerListing::Fact &fact : entry.facts) {
            uint64_t number = 0;
            if (StringRef(fact.value).getAsInteger(10, number))
              json.attribute(fact.member, fact.value);
            else
              json.attribute(fact.member, number);
          }
        });
    });
  });
}

InspectStatus listContainer(InspectOptions &options, vfs::FileSystem *fs,
                            std::string &text, Diagnostics &diag) {
  FinishedFile file;
  if (!openFinished(options.files[0], fs, file, diag))
    return kTrouble;
  const Container *format = findContainer(
      [](const Container &c) { return c.name == StringRef("xe"); });
  std::vector<TargetMessage> messages;
  const ContainerListing listing = format->list(file.bytes(), messages);
  for (const TargetMessage &m : messages)
    if (m.severity == TargetMessage::Error)
      diag.error(file.path + ": " + m.text);
    else
      diag.warn(WarningGroup::General, file.path + ": " + m.text);
  text = options.format == InspectOptions::Json
             ? listingJson(listing, file.path)
             : listingText(listing, file.path);
  return kSame;
}

} // namespace

InspectResult inspect(const std::vector<std::string> &arguments,
                      vfs::FileSystem *fs, const std::string &executable) {
  // In the order of InspectOptions::Command.
  static constexpr decltype(&diffFiles) kCommands[] = {
      diffFiles, compareFiles,  showSizes,
      makePage,  checkFinished, listContainer};
  InspectResult result;
  Diagnostics diag;
  if (std::optional<InspectOptions> options =
          parseInspectOptions(arguments, diag)) {
    result.output = options->output;
    result.text = options->help;
    options->executable = executable;
    if (!options->machine.empty()) {
      Config config;
      config.machines = {options->machine};
      config.executable = executable;
      MachineLoader(config, fs, options->machines, diag).named();
    }
    if (!diag.failed())
      result.status =
          options->command == InspectOptions::Help
              ? kSame
              : kCommands[options->command](*options, fs, result.text, diag);
  }
  if (diag.failed())
    result.status = kTrouble;
  result.diagnostics = diag.all();
  return result;
}

} // namespace xlink
