//===- InputLoader.cpp ----------------------------------------------------===//
//
// Problem: objects, archives, libraries and scripts stand on the command line
// in an order that decides the output, and scripts name further files.
//
// Method: a serial walk opens files and expands scripts in place; then every
// object is parsed by any free thread, into the slot of its position, and the
// resolver takes the inputs in their order meanwhile.
//
// Cost: one open, stat and read (or map) a file; one pass over each object.
//
//===----------------------------------------------------------------------===//
#include "resolve/InputLoader.h"
#include "base/MappedFile.h"
#include "input/MachineFiles.h"
#include "model/ScriptVisitor.h"
#include "resolve/NamedOutputs.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>
#include <utility>

using namespace llvm;

namespace xlink {

/// Scripts that name scripts that name scripts: more than this is a mistake.
static constexpr unsigned kMaxScriptDepth = 32;
static constexpr unsigned kMaxScripts = 4096;

std::shared_ptr<MemoryBuffer> openPart(Program &program, vfs::FileSystem *fs,
                                       const std::string &path,
                                       std::string &error) {
  FileNumber number;
  std::shared_ptr<MemoryBuffer> buffer = openFile(fs, path, error, &number);
  if (buffer) {
    program.addReadFile(ReadFile::Part, path, number);
    program.owners.push_back(buffer);
  }
  return buffer;
}

InputLoader::InputLoader(Program &program, Diagnostics &diagnostics,
                         vfs::FileSystem *fs, ObjectCache *cache)
    : program(program), diagnostics(diagnostics), fs(fs), cache(cache),
      opener(fs, program.config.sysroot) {
  for (const std::string &directory : program.config.libraryPaths)
    opener.addSearchPath(directory);
}

std::shared_ptr<const ParsedObject>
InputLoader::parse(const ObjectName &name, ArrayRef<uint8_t> bytes,
                   std::shared_ptr<const void> owner, DiagnosticBuffer &diag) {
  std::shared_ptr<const ParsedObject> object =
      cache && !program.target->file
          ? cache->get(name, bytes, *program.target, diag)
          : parseObject(name, bytes, *program.target, std::move(owner), diag);
  // Only collection has a use for smaller sections.
  if (program.config.gcSections && !program.config.relocatable)
    object = cutBlocks(std::move(object), *program.target);
  if (object)
    own(object);
  return object;
}

void InputLoader::own(std::shared_ptr<const void> object) {
  std::lock_guard<std::mutex> lock(ownersMutex);
  program.owners.push_back(std::move(object));
}

/// A text that lives as long as the link.
StringRef InputLoader::keep(std::string text) {
  const auto kept = std::make_shared<const std::string>(std::move(text));
  own(kept);
  return *kept;
}

void InputLoader::note(ReadFile::Kind kind, const OpenedFile &file) {
  program.readFiles.push_back({kind, file.path, file.number});
}

void InputLoader::openItem(const InputItem &item, OpenedAhead opened) {
  if (program.config.checkScript && item.kind != InputItem::Script)
    return;
  switch (item.kind) {
  case InputItem::File:
    return openPath(item.text, item, std::move(opened));
  case InputItem::Library: {
    std::string path = opener.findLibrary(item.text);
    if (path.empty())
      return diagnostics.error(askedAt() + "unable to find library -l" +
                                   item.text,
                               opener.libraryNotes(item.text));
    given.insert(path);
    return openPath(keep(path), item);
  }
  case InputItem::Script: {
    std::string found = opener.findFile(item.text), error;
    const StringRef path = keep(found.empty() ? item.text : found);
    std::unique_ptr<OpenedFile> file = opener.open(path, error);
    if (!file)
      return diagnostics.error("cannot open linker script " + item.text + ": " +
                               error);
    if (program.config.verbose)
      diagnostics.note("using external linker script " + printable(path) +
                       ":\n" + file->buffer->getBuffer().str());
    if (isMachineFile(file->buffer->getBuffer()) && !readMachine(*file))
      return;
    size_t before = program.script.commands.size();
    readScript(*file, item);
    // Behind its INPUTs.
    note(ReadFile::Script, *file);
    // A script with INSERT adds to the built-in one, any other replaces it.
    if (none_of(
            drop_begin(program.script.commands, before),
            [](const CommandPtr &c) { return c->kind == CommandKind::Insert; }))
      program.builtinScript = false;
    return;
  }
  case InputItem::Defsym:
    if (auto command = parseDefsym(item.text, program.script, diagnostics))
      program.script.commands.push_back(std::move(command)); // in order with -T
    return;
  }
}

/// A script with a machine in front of it. Where -m names none it is the link's
/// machine, with its default script; else the script is what remains to read.
bool InputLoader::readMachine(OpenedFile &file) {
  MachineLoader loader(program.config, fs, program.machines, diagnostics);
  std::unique_ptr<Machine> machine =
      loader.read(file.path, file.buffer->getBuffer());
  if (!machine)
    return false;
  if (program.config.machines.empty() && !program.target) {
    const Target &target = machine->target;
    for (uint16_t number : target.machines)
      if (const Target *known = findTarget(target.is64, target.isBig, number);
          known && !target.isBig && !machine->isExtension)
        diagnostics.error(
            file.path.str() + ": e_machine " + hex(number) + " is that of " +
                known->name,
            {"-m " + file.path.str() +
             ", or 'extends' in the file, says that it is meant"});
    note(ReadFile::Script, file);
    program.target = program.machines.add(std::move(machine));
    return false;
  }
  file.buffer =
      MemoryBuffer::getMemBufferCopy(machine->target.script, file.path);
  return true;
}

//===----------------------------------------------------------------------===//
// Files that scripts' patterns name
//===----------------------------------------------------------------------===//

/// A pattern with a plain file name loads that file where its script stands,
/// which decides its place among the inputs. Where the command line or another
/// script gives the file as well, that decides how it is loaded
/// (--whole-archive, --start-lib), and its place if it stands in front (GNU
/// ld). All this shows only at the end: until then the place is kept.
/// The patterns of a section ordering file stand in front of the section's own.
void InputLoader::reserveNamedFiles(ArrayRef<CommandPtr> commands,
                                    const InputItem &modes) {
  auto reserve = [&](const InputDescription &d) {
    if (d.hasArchive || d.file.wild || d.file.text.empty() ||
        !named.insert(d.file.text).second)
      return;
    pending.push_back(
        {nullptr, modes.wholeArchive, modes.lazy, /*isNamed=*/false, &d});
  };
  auto reserveOrdered = [&](const OutputSectionCommand &section) {
    for (const CommandPtr &command : program.script.ordering)
      visitCommand(*command, [&](const OutputSectionCommand &ordered) {
        if (ordered.name == section.name)
          forEachCommandIn(ordered, reserve);
      });
  };
  for (const CommandPtr &command : commands)
    forEachCommandIn(*command, ScriptVisitor{reserveOrdered, reserve});
}

/// A pattern without parentheses names a file.
void InputLoader::missingNamedFile(const InputDescription &pattern) {
  const std::string where = locationText(pattern.where),
                    name = pattern.file.text.str();
  if (!pattern.file.text.starts_with("."))
    return diagnostics.error(where + "cannot open " + name +
                             ": No such file or directory");
  diagnostics.error(
      where + "no file '" + name + "'; sections are written " +
      (pattern.keep ? "KEEP(*(" + name + "))" : "*(" + name + ")"));
}

/// Puts files into the places that reserveNamedFiles() kept.
void InputLoader::openNamedFiles() {
  if (named.empty())
    return;
  for (const InputItem &item : program.config.inputs)
    if (item.kind == InputItem::File)
      given.insert(item.text);
  std::vector<Pending> all = std::move(pending), result;
  pending.clear();
  std::map<std::string, size_t> firstGiven;
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].file && all[i].isNamed)
      firstGiven.emplace(all[i].file->path, i);
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].pattern) {
      if (all[i].file)
        result.push_back(std::move(all[i]));
      continue;
    }
    const std::string name = all[i].pattern->file.text.str();
    const std::string found = opener.findFile(name);
    const std::string &path = found.empty() ? name : found;
    auto it = firstGiven.find(name);
    if (it == firstGiven.end())
      it = firstGiven.find(path);
    if (it != firstGiven.end()) {
      if (it->second > i && all[it->second].file)
        result.push_back(std::move(all[it->second]));
      continue;
    }
    if (given.count(name) || !given.insert(path).second)
      continue; // a library, or a script among the inputs
    if (found.empty())
      missingNamedFile(*all[i].pattern);
    else
      openPath(keep(path),
               {InputItem::File, path, all[i].wholeArchive, all[i].lazy});
    std::move(pending.begin(), pending.end(), std::back_inserter(result));
    pending.clear();
  }
  pending = std::move(result);
}

/// Opens the files of the command line, where there are enough of them for
/// several threads to share. A caller's file system need not bear threads.
void InputLoader::openAhead() {
  constexpr size_t kMany = 128, kFileWork = 64 << 10;
  const std::vector<InputItem> &inputs = program.config.inputs;
  if (fs || inputs.size() < kMany)
    return;
  ahead.resize(inputs.size());
  program.parallel.forEach(
      inputs.size(), inputs.size() * kFileWork, [&](size_t i) {
        if (inputs[i].kind == InputItem::File)
          ahead[i].file = opener.open(inputs[i].text, ahead[i].error);
      });
}

/// `path` lives as long as the link.
void InputLoader::openPath(StringRef path, const InputItem &modes,
                           OpenedAhead opened) {
  std::string &error = opened.error;
  std::unique_ptr<OpenedFile> file = std::move(opened.file);
  if (!file && error.empty())
    file = opener.open(path, error);
  // GNU ld takes -R with a directory, or with nothing that exists, for the
  // run-time search path of a dynamic loader, which no output has.
  const bool symbolsOnly = modes.form == InputForm::JustSymbols;
  if (!file && symbolsOnly)
    return diagnostics.error(
        "cannot take symbols from " + path.str() + ": " + error,
        {"--just-symbols (-R) names a file; a run-time search path (--rpath) "
         "has no meaning in a static link"});
  if (!file)
    return diagnostics.error(askedAt() + "cannot open " + path.str() + ": " +
                             error);
  if (program.config.trace)
    diagnostics.note(printable(path));
  if (symbolsOnly && file->kind != FileKind::ElfRelocatable &&
      file->kind != FileKind::ElfOther)
    return diagnostics.error(path.str() +
                             ": --just-symbols takes an ELF executable or a "
                             "relocatable ELF object");
  const auto add = [&] {
    note(ReadFile::Input, *file);
    pending.push_back({std::move(file), modes.wholeArchive, modes.lazy,
                       modes.kind == InputItem::File && !symbolsOnly});
  };
  file->form = modes.form;
  if (modes.form == InputForm::Binary)
    file->kind = FileKind::Unknown; // whatever its first bytes look like
  if (modes.form != InputForm::Recognized)
    return add();
  switch (file->kind) {
  case FileKind::ElfRelocatable:
  case FileKind::Archive:
  case FileKind::ThinArchive:
    return add();
  case FileKind::Text:
    note(ReadFile::Input, *file);
    return readScript(*file, modes);
  case FileKind::Empty:
    return diagnostics.error(path.str() + ": file is empty");
  case FileKind::Bitcode:
    return diagnostics.error(
        path.str() +
        ": cannot link LLVM bitcode; compile and link without -flto");
  case FileKind::ElfOther:
    // The reader reports the fault of its header.
    pending.push_back({std::move(file)});
    return;
  case FileKind::Unknown:
    return diagnostics.error(
        path.str() + ": neither an ELF object, an archive nor a linker script");
  }
}

//===----------------------------------------------------------------------===//
// Scripts
//===----------------------------------------------------------------------===//

/// Notes that a script is being read. Scripts that name scripts are limited in
/// depth and number, and one that names itself, directly or through others, is
/// an error, so that no set of files keeps the loader busy.
bool InputLoader::enterScript(const OpenedFile &file) {
  const std::string where = askedAt();
  auto it = find_if(scripts, [&](const OpenedFile *s) {
    return file.number ? s->number == file.number : s->path == file.path;
  });
  if (it != scripts.end()) {
    std::vector<std::string> notes;
    for (; it + 1 != scripts.end(); ++it)
      notes.push_back(((*it)->path + " names " + it[1]->path).str());
    diagnostics.error(where + "INPUT of the script '" + file.path.str() +
                          "' from within itself",
                      std::move(notes));
    return false;
  }
  if (scripts.size() >= kMaxScriptDepth || scriptCount >= kMaxScripts) {
    if (!tooManyScripts)
      diagnostics.error(where + "too many linker scripts (at most " +
                        std::to_string(kMaxScripts) + ", " +
                        std::to_string(kMaxScriptDepth) + " deep)");
    tooManyScripts = true; // the others would say the same
    return false;
  }
  ++scriptCount;
  scripts.push_back(&file);
  return true;
}

/// A file among the inputs that is no object and no archive counts as a script.
/// Where it cannot be read as one it may be anything: one error says so.
void InputLoader::parseScriptOf(const OpenedFile &file, bool fromOption) {
  Diagnostics own;
  parseScript(
      file.path, file.buffer->getBuffer().str(),
      [&](StringRef name) { return readIncluded(name); }, program.script,
      fromOption ? diagnostics : own);
  for (const Diagnostic &d : own.all()) {
    if (d.severity != Severity::Error) {
      diagnostics.warn(d.group, d.text, d.notes);
      continue;
    }
    StringRef reason = d.text;
    if (reason.consume_front(file.path))
      reason.consume_front(":");
    return diagnostics.error(
        file.path.str() +
            ": neither an object nor an archive; as a linker "
            "script: " +
            reason.str(),
        d.notes);
  }
}

/// The file of an INCLUDE.
std::optional<IncludedText> InputLoader::readIncluded(StringRef name) {
  const std::string path = opener.findFile(name);
  std::string error;
  if (path.empty())
    return std::nullopt;
  const auto buffer = openPart(program, fs, path, error);
  if (!buffer)
    return std::nullopt;
  ++scriptCount;
  return IncludedText{path, buffer->getBuffer().str()};
}

void InputLoader::readScript(OpenedFile &file, const InputItem &modes) {
  if (!enterScript(file))
    return;
  size_t commands = program.script.commands.size();
  size_t inputs = program.script.inputs.size();
  size_t directories = program.script.searchDirs.size();
  bool hadSections = program.script.hasSections;
  bool fromOption = modes.kind == InputItem::Script;
  parseScriptOf(file, fromOption);
  // A script among the inputs adds to the one in use (GNU ld).
  if (!fromOption && !hadSections && program.script.hasSections)
    diagnostics.warn(WarningGroup::Script,
                     file.path.str() +
                         " contains output sections; did you forget -T?",
                     {"without -T they stand behind those of the script in "
                      "use, which takes what its patterns match"});
  for (size_t i = directories; i < program.script.searchDirs.size(); ++i)
    opener.addSearchPath(program.script.searchDirs[i]);
  openScriptInputs(inputs, modes);
  if (fromOption)
    reserveNamedFiles(ArrayRef(program.script.commands).drop_front(commands),
                      modes);
  scripts.pop_back();
}

/// Opens the inputs that the script just read names, program.script.inputs from
/// `first` on.
void InputLoader::openScriptInputs(size_t first, const InputItem &modes) {
  if (program.config.checkScript)
    return;
  size_t end = program.script.inputs.size();
  uint32_t group = 0;
  auto enterGroup = [&](uint32_t next) {
    if (group && group != next)
      program.groupMarks.push_back({program.readFiles.size(), false});
    if (next && group != next)
      program.groupMarks.push_back({program.readFiles.size(), true});
    group = next;
  };
  for (size_t i = first; i < end && !tooManyScripts; ++i) {
    enterGroup(program.script.inputs[i].group);
    StringRef name = program.script.inputs[i].name;
    InputItem item = modes;
    size_t before = pending.size();
    asked = program.script.inputs[i].where;
    if (name.consume_front("-l")) {
      item.kind = InputItem::Library;
      item.text = name.str();
      openItem(item);
    } else {
      given.insert(name);
      // A script among the inputs means files beside it first (GNU ld).
      const StringRef directory = sys::path::parent_path(scripts.back()->path);
      std::string path = (directory + "/" + name).str();
      if (modes.kind == InputItem::Script || directory.empty() ||
          sys::path::is_absolute(name) || opener.findFile(path) != path)
        path = opener.findFile(name);
      item.kind = InputItem::File;
      item.text = path.empty() ? name.str() : path;
      given.insert(item.text);
      openPath(keep(item.text), item);
    }
    // STARTUP: the first file of the link, wherever the script stands.
    if (program.script.inputs[i].startup && pending.size() > before)
      std::rotate(pending.begin(), pending.begin() + before, pending.end());
  }
  enterGroup(0);
}

/// Opens the file of an option: "the list of symbols to retain".
std::shared_ptr<MemoryBuffer> InputLoader::openList(const std::string &path,
                                                    const char *title) {
  if (path.empty())
    return nullptr;
  std::string error;
  std::shared_ptr<MemoryBuffer> buffer = openPart(program, fs, path, error);
  if (!buffer)
    diagnostics.error(std::string("cannot open ") + title + " " + path + ": " +
                      error);
  return buffer;
}

/// --retain-symbols-file: names with white space between them.
/// --symbol-ordering-file: a name on each line; a line that begins with # says
/// nothing (lld).
void InputLoader::readSymbolLists() {
  if (const auto buffer = openList(program.config.retainSymbolsFile,
                                   "the list of symbols to retain")) {
    SmallVector<StringRef, 0> names;
    SplitString(buffer->getBuffer(), names);
    program.retained.emplace();
    for (StringRef name : names)
      program.retained->insert(name);
  }
  const std::string &path = program.config.symbolOrderingFile;
  const auto buffer = openList(path, "the symbol ordering file");
  StringSet<> seen;
  for (StringRef line :
       split(buffer ? buffer->getBuffer() : StringRef(), '\n')) {
    line = line.trim();
    if (line.empty() || line.starts_with("#"))
      continue;
    if (seen.insert(line).second)
      program.symbolOrder.push_back(line);
    else
      diagnostics.warn(
          WarningGroup::SymbolOrdering,
          path + ": duplicate ordered symbol: " + program.shownName(line));
  }
}

/// --section-ordering-file: found like a script.
void InputLoader::readSectionOrdering() {
  const std::string &name = program.config.sectionOrderingFile;
  const std::string found = name.empty() ? "" : opener.findFile(name);
  const std::string &path = found.empty() ? name : found;
  if (const auto buffer = openList(path, "the section ordering file"))
    parseSectionOrdering(
        path, buffer->getBuffer().str(),
        [&](StringRef included) { return readIncluded(included); },
        program.script, diagnostics);
}

static bool isArchive(const OpenedFile &file) {
  return file.kind == FileKind::Archive || file.kind == FileKind::ThinArchive;
}

/// The machine of an ELF file; null: none here.
static const Target *targetOf(const Program &program, const ElfIdentity &id) {
  return program.machines.find(id.is64, id.isBig, id.machine);
}

/// Chooses the machine of an ELF file. False: it is none, or with `known` of no
/// machine here, which is an error without.
bool InputLoader::chooseTargetBy(ArrayRef<uint8_t> bytes, StringRef name,
                                 bool known) {
  const std::optional<ElfIdentity> id = readIdentity(bytes);
  program.target = id ? targetOf(program, *id) : nullptr;
  if (!id || program.target || known)
    return program.target;
  diagnostics.error(
      name.str() + ": e_machine " + machineText(program.machines, *id) +
          " of an ELF" + (id->is64 ? "64" : "32") +
          (id->isBig ? " big-endian" : "") +
          " file belongs to none of the machines",
      {"xlink -m NAME says which machine is meant; --help lists them; -m "
       "FILE.machine describes another one"});
  return true;
}

/// The same of a file, or of the first member of an archive that tells.
bool InputLoader::chooseTargetBy(const OpenedFile &file, bool known) {
  if (!isArchive(file))
    return chooseTargetBy(file.bytes(), file.path, known);
  DiagnosticBuffer ignored; // parsing it for the link reports the same
  auto archive = parseArchive(file.path, file.bytes(), nullptr, ignored);
  if (!archive)
    return false;
  return any_of(archive->members, [&](const ArchiveMember &member) {
    const std::string name = archive->path + "(" + member.name + ")";
    if (!archive->thin)
      return chooseTargetBy(member.data, name, known);
    std::string error;
    auto buffer = openFile(fs, member.thinPath, error);
    return buffer && chooseTargetBy(arrayRefFromStringRef(buffer->getBuffer()),
                                    name, known);
  });
}

void InputLoader::chooseTarget() {
  if (program.target || !program.config.machines.empty())
    return; // -T, -m
  // The first object decides, else the first archive with a member of a known
  // machine, else the first archive.
  auto decides = [&](bool archives, bool known) {
    return any_of(pending, [&](const Pending &p) {
      return p.file->form == InputForm::Recognized &&
             isArchive(*p.file) == archives && chooseTargetBy(*p.file, known);
    });
  };
  if (decides(false, false) || decides(true, true) || decides(true, false))
    return;
  if (!diagnostics.failed() && pending.empty())
    diagnostics.error("no input files");
  else if (!diagnostics.failed())
    diagnostics.error("no input object says which machine to link for",
                      {"use -m NAME"});
}

std::shared_ptr<const ParsedObject>
InputLoader::loadMember(const Archive &archive, uint32_t index, bool taken,
                        DiagnosticBuffer &diag) {
  const ArchiveMember &member = archive.members[index];
  const std::string path = archive.path + "(" + member.name + ")";
  const ObjectName name{path, archive.path};
  ArrayRef<uint8_t> bytes = member.data;
  std::shared_ptr<const void> owner = archive.owner;
  if (archive.thin) {
    std::string error;
    std::shared_ptr<MemoryBuffer> buffer = openFile(fs, member.thinPath, error);
    if (!buffer) {
      diag.error(archive.path + ": cannot open member " + member.thinPath +
                 ": " + error);
      return nullptr;
    }
    bytes = arrayRefFromStringRef(buffer->getBuffer());
    owner = buffer;
  }
  switch (identifyFile(bytes)) {
  case FileKind::ElfRelocatable:
  case FileKind::ElfOther:
    if (const auto id = readIdentity(bytes);
        !taken && id && targetOf(program, *id) != program.target)
      return nullptr;
    return parse(name, bytes, std::move(owner), diag);
  case FileKind::Bitcode:
    diag.error(path +
               ": cannot link LLVM bitcode; compile and link without -flto");
    return nullptr;
  default:
    if (taken)
      diag.error(path + ": not an ELF object");
    else
      diag.warn(WarningGroup::General,
                path + ": passed over: not an ELF object");
    return nullptr;
  }
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// One object to parse.
struct InputLoader::Job {
  uint32_t input;  ///< that it belongs to
  uint32_t member; ///< kNone: the object itself
  const OpenedFile *file;
  const Archive *archive;
  DiagnosticBuffer diag = {};
};

/// An archive says how many objects there are to parse: with --whole-archive
/// all its members, each an input; without an index all, for the names that
/// they define; else none yet.
void InputLoader::addArchive(const Pending &p, std::vector<Job> &jobs) {
  DiagnosticBuffer diag;
  std::shared_ptr<const Archive> archive = parseArchive(
      p.file->path, p.file->bytes(), p.file->buffer, diag, program.parallel);
  diagnostics.append(std::move(diag));
  if (!archive)
    return;
  own(archive);
  const uint32_t count = uint32_t(archive->members.size());
  if (!p.wholeArchive) {
    LoadedInput &input = loaded.emplace_back();
    input.archive = archive;
    if (archive->hasIndex) {
      // The walk along the members brought in the pages around each header.
      leavePages(*p.file->buffer);
      if (archive->thin)
        for (const ArchiveMember &member : archive->members)
          program.offered.push_back(member.thinPath);
      return;
    }
    input.members.resize(count);
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (p.wholeArchive)
      loaded.emplace_back().lazy = p.lazy;
    jobs.push_back(
        {uint32_t(loaded.size() - 1), i, p.file.get(), archive.get()});
    if (archive->thin)
      program.readFiles.push_back(
          {ReadFile::Part, archive->members[i].thinPath, {}});
  }
}

/// Parses an input that is no archive.
std::shared_ptr<const ParsedObject>
InputLoader::parseInput(const OpenedFile &file, DiagnosticBuffer &diag) {
  const ObjectName name{file.path, ""};
  if (file.form == InputForm::Recognized)
    return parse(name, file.bytes(), file.buffer, diag);
  std::shared_ptr<const ParsedObject> object =
      file.form == InputForm::Binary
          ? wrapBinary(name, file.bytes(), *program.target, file.buffer)
          : parseObject(name, file.bytes(), *program.target, file.buffer, diag,
                        /*justSymbols=*/true);
  if (object)
    own(object);
  return object;
}

/// Parses all objects, each into its input, and hands the inputs on.
void InputLoader::parseAll(std::vector<Job> &jobs, InputConsumer &consumer) {
  size_t bytes = 0;
  for (const Job &job : jobs)
    bytes += job.archive ? job.archive->members[job.member].size
                         : job.file->bytes().size();
  consumer.begin(loaded, bytes);
  uint32_t next = 0;
  const auto takeUpTo = [&](size_t end) {
    for (; next < end; ++next)
      consumer.take(next);
  };
  program.parallel.forEachInOrder(
      jobs.size(), bytes,
      [&](size_t i) {
        Job &job = jobs[i];
        LoadedInput &input = loaded[job.input];
        const bool taken = !input.archive;
        (taken ? input.object : input.members[job.member]) =
            job.archive ? loadMember(*job.archive, job.member, taken, job.diag)
                        : parseInput(*job.file, job.diag);
      },
      // Inputs in front of that of the next job are complete.
      [&](size_t i) {
        takeUpTo(i + 1 < jobs.size() ? jobs[i + 1].input : loaded.size());
      });
  takeUpTo(loaded.size());
  for (Job &job : jobs) {
    if (!loaded[job.input].archive) {
      diagnostics.append(std::move(job.diag));
      continue;
    }
    // The definitions of such a member are not known: it cannot be taken.
    for (Diagnostic &d : job.diag.take())
      diagnostics.warn(d.group, std::move(d.text), std::move(d.notes));
  }
}

size_t InputLoader::run(InputConsumer &consumer) {
  const Config &config = program.config;
  if (config.trace)
    for (StringRef file : program.machines.files())
      diagnostics.note(printable(file));
  readSectionOrdering();
  openAhead();
  const StringRef entry = program.script.entry; // it counts more than others'
  auto mark = config.groupMarks.begin();
  for (size_t i = 0; i <= config.inputs.size(); ++i) {
    for (; mark != config.groupMarks.end() && mark->at == i; ++mark)
      program.groupMarks.push_back({program.readFiles.size(), mark->begins});
    if (i < config.inputs.size())
      openItem(config.inputs[i],
               ahead.empty() ? OpenedAhead() : std::move(ahead[i]));
  }
  // Behind the rest of the command line, and only where no -T replaced the
  // built-in script (GNU ld).
  if (!config.defaultScript.empty() && program.builtinScript)
    openItem({InputItem::Script, config.defaultScript});
  if (!entry.empty())
    program.script.entry = entry;
  if (config.checkScript)
    return {};
  // Those of sections of the built-in script.
  reserveNamedFiles(program.script.ordering, InputItem());
  openNamedFiles();
  readSymbolLists();
  chooseTarget();
  if (!program.target)
    return 0;
  for (const Base &base : program.target->bases)
    if (base.kind == BaseKind::Symbol)
      program.script.externs.push_back(base.symbol);
  std::vector<Job> jobs;
  loaded.reserve(pending.size());
  jobs.reserve(pending.size());
  for (const Pending &p : pending) {
    if (isArchive(*p.file)) {
      addArchive(p, jobs);
      continue;
    }
    loaded.emplace_back().lazy = p.lazy;
    jobs.push_back({uint32_t(loaded.size() - 1), kNone, p.file.get(), nullptr});
  }
  parseAll(jobs, consumer);
  program.inputsMissing |= diagnostics.faultCount() != 0;
  // The files' buffers stay: objects refer to them.
  own(std::make_shared<std::vector<Pending>>(std::move(pending)));
  return loaded.size();
}

} // namespace xlink
