//===- Diff.cpp - --diff A B ----------------------------------------------===//
#include "inspect/Diff.h"
#include "base/MappedFile.h"
#include "inspect/DiffText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
    return true;
  }
  std::vector<TargetMessage> messages;
  file.parts = file.container->parts(file.bytes(), messages);
  bool good = true;
  for (const TargetMessage &message : messages)
    if (message.severity == TargetMessage::Error) {
      diag.error(file.path + ": " + message.text);
      good = false;
    }
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
    // Of each name the first with the first, and so on.
    std::map<std::string, std::vector<const ContainerPart *>> waiting;
    for (const ContainerPart &part : reverse(b.parts))
      waiting[nameOf(b, part)].push_back(&part);
    for (const ContainerPart &part : a.parts) {
      auto &others = waiting[nameOf(a, part)];
      if (others.empty()) {
        diff.container.push_back({part.name, sizeText(part), "not there"});
        continue;
      }
      good &= compare(part, *others.back());
      others.pop_back();
    }
    for (const ContainerPart &part : b.parts)
      if (is_contained(waiting[nameOf(b, part)], &part))
        diff.container.push_back({part.name, "not there", sizeText(part)});
    if (!good)
      return std::nullopt;
    return std::move(diff);
  }

private:
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
    return llvm::none_of(file.parts,
                         [&](const ContainerPart &other) {
                           return other.program &&
                                  other.bytes.size() > part.bytes.size();
                         })
               ? ""
               : part.name;
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
    const std::optional<LinkedFile> fileA =
        readLinkedFile(title(a, x), x.bytes, diag);
    const std::optional<LinkedFile> fileB =
        readLinkedFile(title(b, y), y.bytes, diag);
    if (!fileA || !fileB)
      return false;
    ProgramDiff program = comparePrograms(*fileA, *fileB, ignore);
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
  if (!open(config.inputs[0].text, fs, a, diag) |
      !open(config.inputs[1].text, fs, b, diag))
    return kTrouble;
  FileDiff diff{a.path, b.path, {}, {}};
  if (a.bytes() != b.bytes()) {
    if (!takeApart(a, diag) | !takeApart(b, diag))
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
