//===- Diff.cpp - the subcommand diff -------------------------------------===//
#include "inspect/Diff.h"
#include "inspect/FileDiff.h"
#include "inspect/FinishedFile.h"
#include "inspect/KnownParts.h"
#include "map/LinkMapJson.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

/// One of the two files, and the map of its largest program.
struct Opened : FinishedFile {
  std::string mapPath; ///< of --map; empty: none
  std::optional<LinkMap> given;
};

/// Two maps that could tell which references moved, if they had any.
void warnOfMapsWithout(const Opened &a, const Opened &b, Diagnostics &diag) {
  if (!a.given || !b.given)
    return;
  for (const Opened *file : {&a, &b})
    if (!file->given->crossed)
      diag.warn(WarningGroup::General,
                file->mapPath + ": does not say which part refers to which; "
                                "--map-json does with --cref");
}

/// The maps of --map: of the first file, then of the second.
bool readMaps(const InspectOptions &options, vfs::FileSystem *fs, Opened &a,
              Opened &b, Diagnostics &diag) {
  if (options.maps.size() > 2) {
    diag.error("option '--map': given " + std::to_string(options.maps.size()) +
               " times, for two files");
    return false;
  }
  bool good = true;
  for (size_t i = 0; i < options.maps.size(); ++i) {
    Opened &file = i ? b : a;
    file.mapPath = options.maps[i];
    if (file.mapPath == "-") // none
      continue;
    file.given = readLinkMapFile(fs, file.mapPath, diag);
    good &= file.given.has_value();
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
    const Pairs pairs = pairParts();
    for (uint32_t i = 0; i < a.parts.size(); ++i)
      if (pairs.ofA[i] != Pairs::kNone)
        good &= compare(a.parts[i], b.parts[pairs.ofA[i]]);
      else
        diff.container.push_back(
            {a.parts[i].name, sizeText(a.parts[i]), "not there"});
    for (uint32_t i = 0; i < b.parts.size(); ++i)
      if (pairs.ofB[i] == Pairs::kNone)
        diff.container.push_back(
            {b.parts[i].name, "not there", sizeText(b.parts[i])});
    if (!good)
      return std::nullopt;
    return std::move(diff);
  }

private:
  /// For each part of the first file the one of the second: of each name the
  /// first with the first, and so on. Where one file has more programs of a
  /// name the largest are pairs: small ones prepare a processor for them.
  Pairs pairParts() const {
    Pairs pairs(a.parts.size(), b.parts.size());
    auto nameIn = [&](const Opened &file) {
      return [&](uint32_t i) { return PairKey{nameOf(file, file.parts[i])}; };
    };
    auto largest = [](const Opened &file, ArrayRef<uint32_t> run,
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
  static std::string formatOf(const Opened &file) {
    return file.container ? file.container->name : "ELF";
  }
  static std::string sizeText(const ContainerPart &part) {
    return std::to_string(part.bytes.size()) + " bytes";
  }
  /// A program by itself is compared with the largest one of a container: the
  /// others prepare the processors for it.
  StringRef nameOf(const Opened &file, const ContainerPart &part) const {
    if (!part.program || a.container == b.container)
      return part.name;
    return part.bytes.size() == file.mainProgram()->bytes.size() ? StringRef()
                                                                 : part.name;
  }
  /// Places the parts of a map, which is of the largest program; names of a
  /// file without any become its own. False: it is another file's.
  bool useMap(const Opened &file, const ContainerPart &part,
              LinkedFile &program, std::optional<PartTable> &parts) {
    if (!file.given || part.bytes.size() != file.mainProgram()->bytes.size())
      return true;
    parts = PartTable::place(*file.given, file.mapPath, program, diag);
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
    std::optional<LinkedFile> fileA = readLinkedFile(a.title(x), x.bytes, diag);
    std::optional<LinkedFile> fileB = readLinkedFile(b.title(y), y.bytes, diag);
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

InspectStatus diffFiles(const InspectOptions &options, vfs::FileSystem *fs,
                        std::string &text, Diagnostics &diag) {
  Opened a, b;
  const bool openedA = openFinished(options.files[0], fs, a, diag);
  if (!openFinished(options.files[1], fs, b, diag) || !openedA ||
      !readMaps(options, fs, a, b, diag))
    return kTrouble;
  FileDiff diff{a.path, b.path, {}, {}};
  if (a.bytes() != b.bytes()) {
    const bool apartA = takeApart(a, diag);
    if (!takeApart(b, diag) || !apartA)
      return kTrouble;
    std::optional<FileDiff> found =
        PartComparer(a, b, options.ignore, diag).run();
    if (!found)
      return kTrouble;
    diff = std::move(*found);
  }
  text = options.format == InspectOptions::Json
             ? diffJson(diff)
             : diffText(diff, options.demangle);
  return countsOf(diff).any() ? kDifferent : kSame;
}

} // namespace xlink
