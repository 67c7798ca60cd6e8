//===- MachineFiles.cpp ---------------------------------------------------===//
#include "input/MachineFiles.h"
#include "input/ElfReader.h"
#include "input/InputFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace xlink {

constexpr StringLiteral kEnding = ".machine";

static bool isPath(StringRef word) {
  return word.contains('/') || word.ends_with(kEnding);
}

/// The directory of the files that are shipped, or "".
std::string MachineLoader::shippedIn() const {
  SmallString<128> path;
  if (config.executable.empty() ||
      filesOf(fs).getRealPath(config.executable, path))
    return "";
  const StringRef prefix = sys::path::parent_path(sys::path::parent_path(path));
  return (prefix + "/share/xlink/machines").str();
}

/// The path of the file for a name, or "".
std::string MachineLoader::find(StringRef name) const {
  FileOpener opener(fs, config.sysroot);
  for (const std::string &directory : config.libraryPaths)
    opener.addSearchPath(directory);
  if (const std::string directory = shippedIn(); !directory.empty())
    opener.addSearchPath(directory);
  return name.empty() ? "" : opener.findInPath((name + kEnding).str());
}

std::vector<std::string> MachineLoader::shipped() const {
  std::vector<std::string> names;
  std::error_code error;
  vfs::FileSystem &files = filesOf(fs);
  for (auto it = files.dir_begin(shippedIn(), error);
       !error && it != vfs::directory_iterator(); it.increment(error))
    if (StringRef name = sys::path::filename(it->path());
        name.consume_back(kEnding))
      names.push_back(name.str());
  sort(names);
  return names;
}

/// The machine that a file extends. That one extends none itself.
const Target *MachineLoader::extended(StringRef name) {
  const std::string path = find(name);
  if (!path.empty() && isExtended)
    diag.error("a machine that is extended extends none itself");
  if (path.empty() || isExtended)
    return nullptr;
  isExtended = true;
  std::unique_ptr<Machine> machine = load(path);
  isExtended = false;
  return machine ? machines.add(std::move(machine)) : nullptr;
}

std::unique_ptr<Machine> MachineLoader::read(StringRef path, StringRef text) {
  std::vector<MachineProblem> problems;
  std::unique_ptr<Machine> machine = readMachine(
      text, /*builtIn=*/false,
      [&](StringRef name, bool builtIn) {
        const Target *target = findTarget(name);
        return target || builtIn ? target : extended(name);
      },
      problems);
  for (const MachineProblem &problem : problems) {
    SmallVector<StringRef> lines;
    text.split(lines, '\n', problem.line);
    Diagnostic message = {Severity::Error, WarningGroup::General,
                          problem.at(path)};
    message.excerpt = lineExcerpt(lines[problem.line - 1], problem.column - 1);
    diag.append(std::move(message));
  }
  if (machine)
    machine->setFile(path);
  return machine;
}

std::unique_ptr<Machine> MachineLoader::load(const std::string &path) {
  std::string error;
  const std::unique_ptr<MemoryBuffer> buffer = openFile(fs, path, error);
  if (buffer)
    return read(path, buffer->getBuffer());
  diag.error("cannot open machine file " + path + ": " + error);
  return nullptr;
}

/// The machine of the first object on the command line, or null.
const Target *MachineLoader::ofFirstObject() const {
  for (const InputItem &item : config.inputs) {
    std::string error;
    const auto buffer =
        item.kind == InputItem::File ? openFile(fs, item.text, error) : nullptr;
    if (!buffer)
      continue;
    if (const auto id =
            readIdentity(arrayRefFromStringRef(buffer->getBuffer())))
      return machines.find(id->is64, id->isBig, id->machine);
  }
  return nullptr;
}

void MachineLoader::unknown(const std::string &name) {
  std::vector<StringRef> names;
  for (const Target *target : allTargets())
    names.push_back(target->name);
  std::vector<std::string> notes = {"the machines are " + join(names, ", ")};
  const std::vector<std::string> files = shipped();
  if (!files.empty())
    notes.push_back("files in " + shippedIn() + ": " + join(files, ", "));
  names.insert(names.end(), files.begin(), files.end());
  if (std::string near = nearestSpelling(name, names); !near.empty())
    notes.push_back("did you mean '" + near + "'?");
  if (const Target *target = ofFirstObject())
    notes.push_back("the objects are for '" + std::string(target->name) +
                    "': leave out -m, or use -m " + target->name);
  diag.error("unknown machine '" + name + "'", std::move(notes));
}

const Target *MachineLoader::named() {
  if (config.machines.empty())
    return nullptr;
  const Target *file = nullptr;
  std::string option; // that names the file
  for (const std::string &word : config.machines) {
    const std::string path = isPath(word)       ? word
                             : findTarget(word) ? ""
                                                : find(word);
    if (path.empty() || (file && path == file->file))
      continue;
    if (file) {
      diag.error("-m " + option + " and -m " + word + " are two machines");
      return nullptr;
    }
    std::unique_ptr<Machine> machine = load(path);
    if (!machine)
      return nullptr;
    option = word;
    file = machines.add(std::move(machine));
  }
  if (!file) {
    const std::string &last = config.machines.back();
    const Target *target = findTarget(last);
    if (!target)
      unknown(last);
    return target;
  }
  // Compilers have a word of their own for -m.
  for (const std::string &word : config.machines)
    if (!isPath(word) && word != option && !file->hasName(word)) {
      std::vector<std::string> notes;
      if (!findTarget(word))
        notes.push_back("'aliases " + word + ";' in " + file->file +
                        " makes it a name of " + file->name);
      diag.error("-m " + word + " and -m " + option + " are two machines",
                 std::move(notes));
      return nullptr;
    }
  return file;
}

} // namespace xlink
