//===- Diff.cpp - --diff A B ----------------------------------------------===//
#include "inspect/Diff.h"
#include "base/MappedFile.h"
#include "inspect/DiffText.h"
#include "inspect/KnownParts.h"
#include "map/LinkMapReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace xlink {

namespace {

/// A word of --diff-ignore and what it sets.
struct IgnoreWord {
  const char *word;
  bool DiffIgnore::*member;
};
constexpr IgnoreWord kWords[] = {{"build-id", &DiffIgnore::buildId},
                                 {"comment", &DiffIgnore::comment},
                                 {"debug", &DiffIgnore::debug},
                                 {"symbols", &DiffIgnore::symbols},
                                 {"tables", &DiffIgnore::tables}};

/// One of the two files: an ELF file, or a container of them.
struct Opened {
  std::string path;
  std::unique_ptr<MemoryBuffer> buffer;
  const Container *container = nullptr;
  std::vector<ContainerPart> parts; ///< of an ELF file, itself
  size_t largest = 0;               ///< of the programs, in bytes
  std::string mapPath;              ///< of --diff-map; empty: none
  std::optional<LinkMap> map;       ///< of the largest program

  ArrayRef<uint8_t> bytes() const {
    return arrayRefFromStringRef(buffer->getBuffer());
  }
};

const Container *containerOf(StringRef bytes) {
  for (const Target *target : allTargets())
    for (const Container *container : target->containers)
      if (container->magic && bytes.starts_with(container->magic))
        return container;
  return nullptr;
}

bool open(const std::string &path, vfs::FileSystem *fs, Opened &file,
          Diagnostics &diag) {
  file.path = path;
  std::string error;
  file.buffer = openFile(fs, path, error);
  if (!file.buffer) {
    diag.error("cannot open " + path + ": " + error);
    return false;
  }
  return true;
}

bool takeApart(Opened &file, Diagnostics &diag) {
  file.container = containerOf(file.buffer->getBuffer());
  if (!file.container) {
    file.parts.push_back({"", file.bytes(), /*program=*/true});
    file.largest = file.bytes().size();
    return true;
  }
  std::vector<TargetMessage> messages;
  file.parts = file.container->parts(file.bytes(), messages);
  for (const ContainerPart &part : file.parts)
    if (part.program)
      file.largest = std::max(file.largest, part.bytes.size());
  bool good = true;
  for (const TargetMessage &message : messages)
    if (message.severity == TargetMessage::Error) {
      diag.error(file.path + ": " + message.text);
      good = false;
    }
  return good;
}

/// Two maps that could tell which references moved, if they had any.
void warnOfMapsWithout(const Opened &a, const Opened &b, Diagnostics &diag) {
  if (!a.map || !b.map)
    return;
  for (const Opened *file : {&a, &b})
    if (!file->map->crossed)
      diag.warn(WarningGroup::General,
                file->mapPath + ": does not say which part refers to which; "
                                "--map-json does with --cref");
}

/// The maps of --diff-map: of the first file, then of the second.
bool readMaps(const Config &config, vfs::FileSystem *fs, Opened &a, Opened &b,
              Diagnostics &diag) {
  if (config.diffMaps.size() > 2) {
    diag.error("option '--diff-map': given " +
               std::to_string(config.diffMaps.size()) +
               " times, for two files");
    return false;
  }
  bool good = true;
  for (size_t i = 0; i < config.diffMaps.size(); ++i) {
    Opened &file = i ? b : a;
    file.mapPath = config.diffMaps[i];
    if (file.mapPath == "-") // none
      continue;
    file.map = readLinkMapFile(fs, file.mapPath, diag);
    good &= file.map.has_value();
  }
  warnOfMapsWithout(a, b, diag);
  return good;
}

/// Compares the parts of two files.
class PartComparer {
public:
  PartComparer(const Opened &a, const Opened &b, const DiffIgnore &ignore,
               Diagnostics &diag)
      : a(a), b(b), ignore(ignore), diag(diag) {}

  /// Nothing where a part cannot be read.
  std::optional<FileDiff> run() {
    diff.fileA = a.path;
    diff.fileB = b.path;
    if (a.container != b.container)
      diff.container.push_back({"format", formatOf(a), formatOf(b)});
    bool good = true;
    const std::vector<const ContainerPart *> partners = pairParts();
    for (size_t i = 0; i < a.parts.size(); ++i) {
      const ContainerPart &part = a.parts[i];
      if (partners[i])
        good &= compare(part, *partners[i]);
      else
        diff.container.push_back({part.name, sizeText(part), "not there"});
    }
    std::vector<bool> taken(b.parts.size());
    for (const ContainerPart *part : partners)
      if (part)
        taken[part - b.parts.data()] = true;
    for (const ContainerPart &part : b.parts)
      if (!taken[&part - b.parts.data()])
        diff.container.push_back({part.name, "not there", sizeText(part)});
    if (!good)
      return std::nullopt;
    return std::move(diff);
  }

private:
  /// For each part of the first file the one of the second: of each name the
  /// first with the first, and so on. Where one file has more programs of a
  /// name the largest are pairs: small ones prepare a processor for them.
  std::vector<const ContainerPart *> pairParts() const {
    using Parts = std::vector<size_t>;
    auto byName = [&](const Opened &file) {
      std::map<std::string, Parts> lists;
      for (size_t i = 0; i < file.parts.size(); ++i)
        lists[nameOf(file, file.parts[i])].push_back(i);
      return lists;
    };
    auto largest = [](const Opened &file, Parts list, size_t count) {
      stable_sort(list, [&](size_t x, size_t y) {
        return file.parts[x].bytes.size() > file.parts[y].bytes.size();
      });
      list.resize(count);
      sort(list);
      return list;
    };
    std::vector<const ContainerPart *> partners(a.parts.size());
    const auto others = byName(b);
    for (const auto &[name, list] : byName(a)) {
      const auto found = others.find(name);
      if (found == others.end())
        continue;
      const size_t count = std::min(list.size(), found->second.size());
      const Parts inA = largest(a, list, count),
                  inB = largest(b, found->second, count);
      for (size_t i = 0; i < count; ++i)
        partners[inA[i]] = &b.parts[inB[i]];
    }
    return partners;
  }
  static std::string formatOf(const Opened &file) {
    return file.container ? file.container->name : "ELF";
  }
  static std::string sizeText(const ContainerPart &part) {
    return std::to_string(part.bytes.size()) + " bytes";
  }
  /// A program by itself is compared with the largest one of a container: the
  /// others prepare the processors for it.
  std::string nameOf(const Opened &file, const ContainerPart &part) const {
    if (!part.program || a.container == b.container)
      return part.name;
    return part.bytes.size() == file.largest ? "" : part.name;
  }
  /// Places the parts of a map, which is of the largest program; names of a
  /// file without any become its own. False: it is another file's.
  bool useMap(const Opened &file, const ContainerPart &part,
              LinkedFile &program, std::optional<PartTable> &parts) {
    if (!file.map || part.bytes.size() != file.largest)
      return true;
    parts = PartTable::place(*file.map, file.mapPath, program, diag);
    if (parts && program.symbols.empty())
      takeSymbols(*parts, program);
    return parts.has_value();
  }
  bool compare(const ContainerPart &x, const ContainerPart &y) {
    if (!x.program || !y.program) {
      if (x.bytes != y.bytes)
        diff.container.push_back({x.name, sizeText(x),
                                  x.bytes.size() == y.bytes.size()
                                      ? "the same size, other bytes"
                                      : sizeText(y)});
      return true;
    }
    auto title = [](const Opened &file, const ContainerPart &part) {
      return part.name.empty() ? file.path : file.path + ": " + part.name;
    };
    std::optional<LinkedFile> fileA =
        readLinkedFile(title(a, x), x.bytes, diag);
    std::optional<LinkedFile> fileB =
        readLinkedFile(title(b, y), y.bytes, diag);
    if (!fileA || !fileB)
      return false;
    std::optional<PartTable> partsA, partsB;
    const bool usedA = useMap(a, x, *fileA, partsA);
    if (!useMap(b, y, *fileB, partsB) || !usedA)
      return false;
    std::optional<KnownParts> known;
    if (partsA && partsB)
      known.emplace(std::move(*partsA), std::move(*partsB));
    ProgramDiff program =
        comparePrograms(*fileA, *fileB, ignore, known ? &*known : nullptr);
    program.part = x.name.empty() ? y.name : x.name;
    diff.programs.push_back(std::move(program));
    return true;
  }

  const Opened &a, &b;
  const DiffIgnore &ignore;
  Diagnostics &diag;
  FileDiff diff;
};

} // namespace

std::string diffIgnoreWords() {
  std::string words;
  for (const IgnoreWord &word : kWords)
    words += std::string(words.empty() ? "" : ", ") + word.word;
  return words;
}

bool addDiffIgnore(StringRef word, DiffIgnore &ignore) {
  for (const IgnoreWord &known : kWords)
    if (word == known.word) {
      ignore.*known.member = true;
      return true;
    }
  if (!word.starts_with(".") && !word.contains('*') && !word.contains('?') &&
      !word.contains('['))
    return false;
  ignore.sections.push_back(word.str());
  return true;
}

DiffStatus diffFiles(const Config &config, vfs::FileSystem *fs,
                     std::string &text, Diagnostics &diag) {
  const bool files = all_of(config.inputs, [](const InputItem &input) {
    return input.kind == InputItem::File;
  });
  if (config.inputs.size() != 2 || !files) {
    diag.error("option '--diff': compares two files, not " +
               (files ? std::to_string(config.inputs.size())
                      : std::string("libraries, scripts or symbols")));
    return kTrouble;
  }
  DiffIgnore ignore;
  for (const std::string &word : config.diffIgnore)
    addDiffIgnore(word, ignore);
  Opened a, b;
  const bool openedA = open(config.inputs[0].text, fs, a, diag);
  if (!open(config.inputs[1].text, fs, b, diag) || !openedA)
    return kTrouble;
  if (!readMaps(config, fs, a, b, diag))
    return kTrouble;
  FileDiff diff{a.path, b.path, {}, {}};
  if (a.bytes() != b.bytes()) {
    const bool apartA = takeApart(a, diag);
    if (!takeApart(b, diag) || !apartA)
      return kTrouble;
    std::optional<FileDiff> found = PartComparer(a, b, ignore, diag).run();
    if (!found)
      return kTrouble;
    diff = std::move(*found);
  }
  if (config.diff == ReportFormat::Json) {
    raw_string_ostream out(text);
    writeDiffJson(diff, out);
  } else {
    text += diffText(diff, config.demangle);
  }
  return countsOf(diff).any() ? kDifferent : kSame;
}

} // namespace xlink
