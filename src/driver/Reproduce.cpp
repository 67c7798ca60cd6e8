//===- Reproduce.cpp ------------------------------------------------------===//
//
// Problem: a link that somebody else can repeat needs its inputs, in an order
// and under names that mean the same to scripts, archives and options there.
//
// Method: lld's: a tar file with one directory, in it all files that were read,
// `response.txt` with the command line and `version.txt`. A file that lies
// below the working directory keeps its relative name, so that what scripts and
// thin archives name is found as it was, and patterns of scripts match as they
// did. Every other one stands below `root/`, by its absolute path. Options name
// the files there; outputs go to the directory itself.
//
// Cost: every file is read a second time.
//
//===----------------------------------------------------------------------===//
#include "driver/Reproduce.h"
#include "driver/OptionTable.h"
#include "driver/Options.h"
#include "output/TarFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace xlink {

/// Options whose value is the name of a file or directory that is read.
static constexpr StringLiteral kInputOptions[] = {
    "",
    "script",
    "default-script",
    "just-symbols",
    "library-path",
    "sysroot",
    "retain-symbols-file",
    "symbol-ordering-file",
    "section-ordering-file",
    "stack-calls",
    "xe-config",
    "size-budget",
    "baseline",
};
/// Those whose value is KEY=FILE.
static constexpr StringLiteral kKeyedInputOptions[] = {"xe-add"};
/// Those whose value is the name of a file that is written.
static constexpr StringLiteral kOutputOptions[] = {
    "output",   "Map",          "dependency-file", "print-gc-sections",
    "map-json", "answers-json", "html-report",     "time-trace",
};

namespace {

class Reproduction {
public:
  Reproduction(const Program &program, vfs::FileSystem *fs)
      : program(program), fs(fs) {}
  std::string place(StringRef path) const;
  std::string response() const;
  std::vector<StringRef> namedFiles() const;
  void addFiles(TarFile &tar, StringRef directory);
  bool overwrites(const FileIdentity &target) const;

private:
  std::string valueOf(StringRef option, StringRef value) const;
  void addFile(TarFile &tar, StringRef directory, StringRef path);

  const Program &program;
  vfs::FileSystem *fs;
  std::vector<std::unique_ptr<MemoryBuffer>> buffers;
};

} // namespace

/// The name of a file in the archive's directory.
std::string Reproduction::place(StringRef path) const {
  SmallString<256> clean(path);
  sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
  const StringRef first = clean.str().split('/').first;
  if (!sys::path::is_absolute(clean) && first != ".." && first != "root" &&
      clean != "response.txt" && clean != "version.txt")
    return clean.empty() ? "." : clean.str().str();
  if (fs)
    (void)fs->makeAbsolute(clean);
  else
    (void)sys::fs::make_absolute(clean);
  sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
  return "root/" + clean.str().ltrim('/').str();
}

std::string Reproduction::valueOf(StringRef option, StringRef value) const {
  if (is_contained(kInputOptions, option)) {
    // Below the sysroot, which has a place of its own.
    if (option == "library-path" &&
        (value.starts_with("=") || value.starts_with("$SYSROOT")))
      return value.str();
    if (value.empty())
      return "";
    const std::string name = place(value);
    return name[0] == '-' || name[0] == '@' ? "./" + name : name;
  }
  if (is_contained(kKeyedInputOptions, option)) {
    auto [key, file] = value.split('=');
    return file.empty() ? value.str() : key.str() + "=" + place(file);
  }
  if (is_contained(kOutputOptions, option))
    return sys::path::filename(value).str();
  if (option == "image") {
    auto [region, file] = value.split('=');
    return region.str() + "=" + sys::path::filename(file).str();
  }
  return value.str();
}

/// A word as the reader of response files takes it: a backslash escapes inside
/// of quotes too.
static std::string responseWord(StringRef word) {
  if (!word.empty() && all_of(word, [](char c) {
        return isAlnum(c) || StringRef("-_=./,:+@%").contains(c);
      }))
    return word.str();
  std::string text = "'";
  for (char c : word)
    text += c == '\''   ? std::string("'\\''")
            : c == '\\' ? std::string("\\\\")
                        : std::string(1, c);
  return text + "'";
}

/// The command line, an option on each line.
std::string Reproduction::response() const {
  std::string text;
  for (const auto &[name, given] : program.config.arguments) {
    if (name == "reproduce")
      continue;
    const std::string value = valueOf(name, given);
    std::string word;
    if (name.empty())
      word = value;
    else if (name.size() == 1)
      word = "-" + name + value;
    else
      word = "--" + name;
    if (name.size() > 1 &&
        (!value.empty() || findOption(name).kind == OptionKind::Value))
      word += "=" + value;
    text += responseWord(word) + "\n";
  }
  return text;
}

/// Adds a file that can be read.
void Reproduction::addFile(TarFile &tar, StringRef directory, StringRef path) {
  std::string error;
  std::unique_ptr<MemoryBuffer> buffer = openFile(fs, path, error);
  if (!buffer)
    return;
  tar.add((directory + "/" + place(path)).str(), buffer->getBuffer());
  buffers.push_back(std::move(buffer));
}

/// The files that the command line names, those too that were refused, and what
/// is read only when the output is written.
std::vector<StringRef> Reproduction::namedFiles() const {
  std::vector<StringRef> files;
  for (const auto &[name, value] : program.config.arguments) {
    if (is_contained(kKeyedInputOptions, name))
      files.push_back(StringRef(value).split('=').second);
    else if (is_contained(kInputOptions, name) && name != "library-path" &&
             name != "sysroot")
      files.push_back(value);
  }
  return files;
}

void Reproduction::addFiles(TarFile &tar, StringRef directory) {
  for (const ReadFile &file : program.readFiles)
    addFile(tar, directory, file.path);
  for (StringRef path : namedFiles())
    addFile(tar, directory, path);
}

/// Whether the archive would take the place of something that the link reads or
/// of its output.
bool Reproduction::overwrites(const FileIdentity &target) const {
  if (!target)
    return false;
  if (identityOf(fs, program.output.path) == target)
    return true;
  if (any_of(namedFiles(),
             [&](StringRef path) { return identityOf(fs, path) == target; }))
    return true;
  return any_of(program.readFiles, [&](const ReadFile &file) {
    return identityOf(fs, file.path, file.number) == target;
  });
}

void writeReproduction(const Program &program, vfs::FileSystem *fs,
                       OutputSink &sink, Diagnostics &diag) {
  const std::string &path = program.config.reproduceFile;
  if (path.empty())
    return;
  Reproduction reproduction(program, fs);
  // checkOutputNames has said so, where the link came that far.
  if (reproduction.overwrites(identityOf(fs, path))) {
    if (!diag.failed())
      diag.error("--reproduce would overwrite '" + path + "'");
    return;
  }
  const std::string directory = sys::path::stem(path).str();
  const std::string response = reproduction.response();
  const std::string version = versionText();
  TarFile tar;
  tar.add(directory + "/response.txt", response);
  tar.add(directory + "/version.txt", version);
  reproduction.addFiles(tar, directory);
  if (std::string error = tar.write(sink, path); !error.empty())
    diag.error("cannot write the archive of --reproduce " + path + ": " +
               error);
}

} // namespace xlink
