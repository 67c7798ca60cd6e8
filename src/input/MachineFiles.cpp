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

/// Directories of machine files, in the order of the search.
std::vector<std::string> MachineLoader::directories() const {
  std::vector<std::string> all = config.libraryPaths;
  if (const std::string directory = shippedIn(); !directory.empty())
    all.push_back(directory);
  return all;
}

/// The path of the file for a name, or "".
std::string MachineLoader::find(StringRef name,
                                ArrayRef<std::string> directories) const {
  FileOpener opener(fs, config.sysroot);
  for (const std::string &directory : directories)
    opener.addSearchPath(directory);
  return name.empty() ? "" : opener.findInPath((name + kEnding).str());
}

/// Paths of the machine files in a directory, in order.
std::vector<std::string> MachineLoader::filesIn(StringRef directory) const {
  std::vector<std::string> paths;
  std::error_code error;
  for (auto it = filesOf(fs).dir_begin(directory, error);
       !error && it != vfs::directory_iterator(); it.increment(error))
    if (it->path().ends_with(kEnding))
      paths.push_back(it->path().str());
  sort(paths);
  return paths;
}

/// The path of the first file with an alias, or "".
std::string MachineLoader::findAlias(StringRef alias) const {
  std::string error;
  for (const std::string &directory : directories())
    for (const std::string &path : filesIn(directory))
      if (const auto file = openFile(fs, path, error);
          file && hasAlias(file->getBuffer(), alias))
        return path;
  return "";
}

std::vector<std::string> MachineLoader::shipped() const {
  std::vector<std::string> names;
  for (const std::string &path : filesIn(shippedIn()))
    names.push_back(sys::path::stem(path).str());
  return names;
}

/// The machine that a file extends. That one extends none itself.
const Target *MachineLoader::extended(StringRef name, StringRef file) {
  std::vector<std::string> searched = directories();
  std::string own = sys::path::parent_path(file).str();
  if (own.empty())
    own = ".";
  erase(searched, own);
  searched.insert(searched.begin(), own);
  const std::string path = find(name, searched);
  if (!path.empty() && isExtended)
    diag.error("a machine that is extended extends none itself");
  if (path.empty())
    searchNotes = {
        (name + kEnding + " is in none of " + join(searched, ", ")).str()};
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
        return target || builtIn ? target : extended(name, path);
      },
      problems);
  for (const MachineProblem &problem : problems) {
    SmallVector<StringRef> lines;
    text.split(lines, '\n', problem.line);
    Diagnostic message = {Severity::Error, WarningGroup::General,
                          problem.at(path), std::exchange(searchNotes, {})};
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

const Target *MachineLoader::ofIdentity(const ElfIdentity &id) {
  for (const std::string &path : filesIn(shippedIn()))
    if (std::unique_ptr<Machine> machine = load(path))
      if (const Target &t = machine->target;
          t.is64 == id.is64 && t.isBig == id.isBig &&
          is_contained(t.machines, id.machine))
        return machines.add(std::move(machine));
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
    std::string path = isPath(word)       ? word
                       : findTarget(word) ? ""
                                          : find(word, directories());
    if (path.empty() && config.machines.size() == 1 && !findTarget(word))
      path = findAlias(word);
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
