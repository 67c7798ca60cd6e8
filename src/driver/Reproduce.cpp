//===- Reproduce.cpp ------------------------------------------------------===//
//
// Problem: to repeat a link elsewhere takes its inputs, in an order and under
// names that mean the same to scripts, archives and options there.
//
// Method: lld's: a tar file with one directory, in it all files that were read,
// `response.txt` with the command line and `version.txt`. A file that lies
// below the working directory keeps its relative name, so that files that
// scripts and thin archives name are found as before, and patterns of scripts
// match as they did. Every other one stands below `root/`, by its absolute
// path. Options name the files there; outputs go to the directory itself, under
// their last name and, where the name is taken, a number in front of it. A file
// behind ".." of a link stands where the link leads.
//
// The archive is of POSIX's ustar format, and goes where a link's other outputs
// do; LLVM's TarWriter writes to a file of the operating system alone. A block
// of 512 bytes describes a file, and its bytes fill whole blocks. A name that
// does not fit there stands in an extended header in front of it (pax). There
// are no times, owners or modes of the inputs' own.
//
// Cost: every file is read a second time.
//
//===----------------------------------------------------------------------===//
#include "driver/Options.h"
#include "report/Reports.h"
#include "report/Why.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <cstdio>
#include <cstring>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// The archive
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t kBlock = 512;

/// The header of one member (POSIX.1-1988).
struct TarHeader {
  char name[100], mode[8], owner[8], group[8], size[12], time[12], checksum[8];
  char type, link[100], magic[6], version[2], user[32], groupName[32];
  char device[16], prefix[155], unused[12];
};
static_assert(sizeof(TarHeader) == kBlock);

/// A header of a type: '0' is a file, 'x' more about the next member.
std::string headerOf(StringRef name, uint64_t size, char type) {
  TarHeader h;
  std::memset(&h, 0, sizeof(h));
  std::memcpy(h.name, name.data(), std::min(name.size(), sizeof(h.name)));
  std::memcpy(h.mode, "0000664", 8);
  std::memcpy(h.owner, "0000000", 8);
  std::memcpy(h.group, "0000000", 8);
  std::snprintf(h.size, sizeof(h.size), "%011llo", (unsigned long long)size);
  std::memcpy(h.time, "00000000000", 12);
  h.type = type;
  std::memcpy(h.magic, "ustar", 6);
  std::memcpy(h.version, "00", 2);
  std::memset(h.checksum, ' ', sizeof(h.checksum));
  unsigned sum = 0;
  for (size_t i = 0; i < kBlock; ++i)
    sum += reinterpret_cast<const unsigned char *>(&h)[i];
  std::snprintf(h.checksum, sizeof(h.checksum), "%06o", sum);
  return std::string(reinterpret_cast<const char *>(&h), kBlock);
}

/// "LENGTH path=NAME\n". The length counts its own digits.
std::string pathRecord(StringRef name) {
  const std::string rest = " path=" + name.str() + "\n";
  size_t length = rest.size();
  while (std::to_string(length).size() + rest.size() != length)
    length = std::to_string(length).size() + rest.size();
  return std::to_string(length) + rest;
}

/// An archive that is written to an output.
class TarFile {
public:
  TarFile(OutputSink &sink, StringRef path)
      : file(sink.open(path, std::nullopt, /*executable=*/false, error)) {}
  /// A file of this name in the archive; of two with one name the first counts.
  void add(StringRef name, StringRef bytes) {
    if (!names.insert(name).second)
      return;
    if (name.size() > sizeof(TarHeader::name)) {
      const std::string record = pathRecord(name);
      put(headerOf("path", record.size(), 'x'));
      put(record);
    }
    put(headerOf(name, bytes.size(), '0'));
    put(bytes);
  }
  /// Completes the archive: "" or the reason why it could not be written.
  std::string finish() {
    put(std::string(2 * kBlock, '\0'));
    return error.empty() ? file->commit() : error;
  }

private:
  /// Writes bytes and fills the block.
  void put(StringRef bytes) {
    if (error.empty() && !bytes.empty())
      error = file->writeAt(size, arrayRefFromStringRef(bytes));
    size += alignTo(bytes.size(), kBlock);
  }

  std::string error;
  std::unique_ptr<OutputFile> file; ///< null: `error` says why
  uint64_t size = 0;
  StringSet<> names;
};

} // namespace

//===----------------------------------------------------------------------===//
// The contents
//===----------------------------------------------------------------------===//

namespace {

/// A word as the reader of response files takes it: a backslash escapes inside
/// of quotes too.
std::string responseWord(StringRef word) {
  if (!word.empty() && all_of(word, [](char c) {
        return isAlnum(c) || StringRef("-_=./,:+@%").contains(c);
      }))
    return word.str();
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? "'\\''" : (c == '\\' ? "\\" : "") + std::string(1, c);
  return text + "'";
}

/// Of an option by its first spelling ("script"); "" are the inputs themselves.
FileUse fileUse(StringRef name) {
  const Option *option =
      name.empty() ? &optionTable().front() : findOption(name).option;
  return option ? option->file : FileUse::None;
}

class Reproduction {
public:
  /// The files that were read, and those that the command line names: some were
  /// refused, some are read only when the output is written.
  Reproduction(const Program &program, vfs::FileSystem *fs)
      : program(program), fs(filesOf(fs)) {
    for (const ReadFile &file : program.readFiles)
      files.push_back(file.path);
    for (const auto &[name, value] : program.config.arguments) {
      if (fileUse(name) == FileUse::ReadKeyed)
        files.push_back(StringRef(value).split('=').second);
      else if (fileUse(name) == FileUse::Read)
        files.push_back(value);
    }
    for (StringRef own : {"response.txt", "version.txt", "root"})
      taken.insert(own);
    for (StringRef file : files)
      for (std::string name = place(file); !name.empty();
           name = sys::path::parent_path(name).str())
        taken.insert(name);
  }

  /// The command line, an option on each line.
  std::string response() {
    std::string text;
    for (const auto &[name, given] : program.config.arguments) {
      if (name == "reproduce")
        continue;
      const std::string value = valueOf(name, given);
      std::string word = value;
      if (name.size() == 1)
        word = "-" + name + value;
      else if (!name.empty())
        word = "--" + name +
               (value.empty() && findOption(name).kind != OptionKind::Value
                    ? ""
                    : "=" + value);
      text += responseWord(word) + "\n";
    }
    return text;
  }

  /// Adds those that can be read.
  void addFiles(TarFile &tar, StringRef directory) {
    for (StringRef path : files) {
      std::string error;
      std::unique_ptr<MemoryBuffer> buffer = openFile(&fs, path, error);
      if (buffer)
        tar.add((directory + "/" + place(path)).str(), buffer->getBuffer());
    }
  }

private:
  /// The absolute path without links, or "".
  std::string realPath(StringRef path) const {
    SmallString<256> real;
    return fs.getRealPath(path, real) ? "" : real.str().str();
  }

  /// The name of a file in the archive's directory.
  std::string place(StringRef path) const {
    SmallString<256> clean(path);
    sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
    // Behind a link to a directory ".." is another one.
    if (is_contained(split(path, '/'), ".."))
      if (const std::string real = realPath(path);
          !real.empty() &&
          real != realPath(clean.empty() ? "." : clean.str())) {
        StringRef below = real;
        const bool isBelow = below.consume_front(realPath(".")) &&
                             (below.empty() || below.consume_front("/"));
        clean = isBelow ? below : StringRef(real);
      }
    const StringRef first = clean.str().split('/').first;
    if (!sys::path::is_absolute(clean) && first != ".." && first != "root" &&
        clean != "response.txt" && clean != "version.txt")
      return clean.empty() ? "." : clean.str().str();
    (void)fs.makeAbsolute(clean);
    sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
    return "root/" + clean.str().ltrim('/').str();
  }

  /// That of an output: its last name, with a number in front where that is
  /// taken.
  std::string outputPlace(StringRef path) {
    std::string &name = outputs[path];
    if (!name.empty() || path.empty() || path == "-")
      return path == "-" ? "-" : name;
    const std::string last = sys::path::filename(path).str();
    name = last;
    for (unsigned number = 2; !taken.insert(name).second; ++number)
      name = std::to_string(number) + "-" + last;
    return name;
  }

  /// The machine file that a word of -m stands for, or "".
  std::string placeOfMachine(StringRef word) const {
    for (StringRef file : program.machines.files())
      if (word == file || word == sys::path::stem(file) ||
          program.machines.ofFile(file)->hasName(word))
        return "./" + place(file);
    return "";
  }

  std::string valueOf(StringRef option, StringRef value) {
    switch (fileUse(option)) {
    case FileUse::Directory:
      // Below the sysroot, which has a place of its own.
      if (value.starts_with("=") || value.starts_with("$SYSROOT"))
        return value.str();
      [[fallthrough]];
    case FileUse::Read: {
      if (value.empty())
        return "";
      const std::string name = place(value);
      return name[0] == '-' || name[0] == '@' ? "./" + name : name;
    }
    case FileUse::ReadKeyed: {
      auto [key, file] = value.split('=');
      return file.empty() ? value.str() : key.str() + "=" + place(file);
    }
    case FileUse::Written:
      return outputPlace(value);
    case FileUse::WrittenKeyed: {
      auto [key, rest] = value.split('=');
      const StringRef file = rest.take_front(rest.rfind(',')); // a format
      return key.str() + "=" + outputPlace(file) +
             rest.drop_front(file.size()).str();
    }
    case FileUse::None:
      break;
    }
    if (option == "machine" && !placeOfMachine(value).empty())
      return placeOfMachine(value);
    // A file, where it is no name of something else.
    if (option == "why-extract" &&
        is_contained(whyExtractFiles(program), value.str()))
      return outputPlace(value);
    return value.str();
  }

  const Program &program;
  vfs::FileSystem &fs;
  std::vector<StringRef> files;   ///< those that can be read or are named
  StringSet<> taken;              ///< places of files, and directories of these
  StringMap<std::string> outputs; ///< places by name
};

} // namespace

void writeReproduction(const Program &program, vfs::FileSystem *fs,
                       OutputSink &sink, Diagnostics &diag) {
  const std::string &path = program.config.reproduceFile;
  if (path.empty())
    return;
  // Said already, where the link came that far.
  Diagnostics unheard;
  if (!checkOutputNames(program, fs, unheard)) {
    if (!diag.failed())
      for (const Diagnostic &d : unheard.all())
        diag.append(d);
    return;
  }
  Reproduction reproduction(program, fs);
  std::string directory = sys::path::stem(path).str();
  if (directory.find_first_not_of('.') == std::string::npos)
    directory = "reproduce";
  const std::string response = reproduction.response();
  const std::string version = versionText();
  TarFile tar(sink, path);
  tar.add(directory + "/response.txt", response);
  tar.add(directory + "/version.txt", version);
  reproduction.addFiles(tar, directory);
  if (std::string error = tar.finish(); !error.empty())
    diag.error("cannot write the archive of --reproduce " + path + ": " +
               error);
}

} // namespace xlink
