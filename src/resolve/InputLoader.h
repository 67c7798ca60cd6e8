//===- InputLoader.h - the command line's inputs, opened and parsed -------===//
//
// Opens every file that the command line and its scripts name, in order;
// decides the machine; parses objects in parallel. The result is an ordered
// list for the resolver; after it no file is opened except members of thin
// archives.
//
// All that it opens and parses belongs to Program::owners from then on, whether
// it joins the link or not: symbols, diagnostics and reports borrow names from
// it.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_RESOLVE_INPUTLOADER_H
#define XLINK_RESOLVE_INPUTLOADER_H

#include "base/Diagnostics.h"
#include "input/InputFiles.h"
#include "model/Program.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/StringSet.h"
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xlink {

/// One element of the resolver's work list.
struct LoadedInput {
  std::shared_ptr<const ParsedObject> object; ///< an object, or
  std::shared_ptr<const Archive> archive;     ///< an archive
  bool lazy = false; ///< --start-lib: an object that is used only when needed
  /// Archive without an index: its members, parsed (null: not an object).
  std::vector<std::shared_ptr<const ParsedObject>> members;
};

/// Takes the inputs while the loader parses further ones.
class InputConsumer {
public:
  virtual ~InputConsumer() = default;
  /// All inputs are known and archives are read, but no object is parsed.
  /// `bytes`: of all objects.
  virtual void begin(llvm::ArrayRef<LoadedInput> inputs, uint64_t bytes) = 0;
  /// An input is parsed. Called in their order, one at a time, on any thread.
  virtual void take(uint32_t input) = 0;
};

class InputLoader {
public:
  InputLoader(Program &program, Diagnostics &diagnostics,
              llvm::vfs::FileSystem *fs, ObjectCache *cache);

  /// Opens and parses all inputs; sets program.target and program.script
  /// (--defsym becomes an assignment in it, at its place among the scripts).
  /// Errors go to diagnostics; `consumer` gets the inputs that could be read
  /// all the same. Returns their number.
  size_t run(InputConsumer &consumer);

  /// Parses member `index` of `archive` (opening the file of a thin one). May
  /// be called from several threads at once. `taken`: it is part of the link;
  /// else its symbols are asked for, and a file that is no object of this
  /// machine has none.
  std::shared_ptr<const ParsedObject> loadMember(const Archive &archive,
                                                 uint32_t index, bool taken,
                                                 DiagnosticBuffer &diag);

private:
  struct Pending {
    std::unique_ptr<OpenedFile> file;
    bool wholeArchive = false, lazy = false;
    bool isNamed = false; ///< by its path, and not as a library
    /// No file, but the place for the one that a pattern names; null: a file.
    const InputDescription *pattern = nullptr;
  };
  /// A file, or the reason why there is none; neither: it was not asked for.
  struct OpenedAhead {
    std::unique_ptr<OpenedFile> file;
    std::string error;
  };
  void openAhead();
  void openItem(const InputItem &item, OpenedAhead opened = {});
  void openPath(llvm::StringRef path, const InputItem &modes,
                OpenedAhead opened = {});
  void missingNamedFile(const InputDescription &pattern);
  bool readMachine(OpenedFile &file);
  void parseScriptOf(const OpenedFile &file, bool fromOption);
  void readScript(OpenedFile &file, const InputItem &modes);
  void reserveNamedFiles(llvm::ArrayRef<CommandPtr> commands,
                         const InputItem &modes);
  void openNamedFiles();
  bool enterScript(const OpenedFile &file);
  void openScriptInputs(size_t first, const InputItem &modes);
  std::shared_ptr<llvm::MemoryBuffer> openList(const std::string &path,
                                               const char *title);
  void readSymbolLists();
  void readSectionOrdering();
  std::optional<IncludedText> readIncluded(llvm::StringRef name);
  void chooseTarget();
  bool chooseTargetBy(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef name,
                      bool known);
  bool chooseTargetBy(const OpenedFile &file, bool known);
  struct Job;
  void addArchive(const Pending &p, std::vector<Job> &jobs);
  void parseAll(std::vector<Job> &jobs, InputConsumer &consumer);
  std::shared_ptr<const ParsedObject> parseInput(const OpenedFile &file,
                                                 DiagnosticBuffer &diag);
  void own(std::shared_ptr<const void> object);
  llvm::StringRef keep(std::string text);
  void note(ReadFile::Kind kind, const OpenedFile &file);
  std::shared_ptr<const ParsedObject> parse(const ObjectName &name,
                                            llvm::ArrayRef<uint8_t> bytes,
                                            std::shared_ptr<const void> owner,
                                            DiagnosticBuffer &diag);

  Program &program;
  Diagnostics &diagnostics;
  llvm::vfs::FileSystem *fs;
  ObjectCache *cache;
  FileOpener opener;
  std::vector<OpenedAhead> ahead; ///< by Config::inputs, or empty
  std::vector<Pending> pending;
  std::vector<LoadedInput> loaded; ///< the results
  /// Files by the names that scripts and libraries give them; in the end also
  /// those of the command line, where a pattern names a file.
  llvm::StringSet<> given;
  llvm::StringSet<> named; ///< by the names that scripts' patterns give
  /// Scripts whose inputs are being opened, the innermost one last.
  std::vector<const OpenedFile *> scripts;
  ScriptLocation asked; ///< where the innermost one names its input
  /// The same as the beginning of a message; "" for the command line's inputs.
  std::string askedAt() const {
    return scripts.empty() ? "" : locationText(asked);
  }
  unsigned scriptCount = 0; ///< read so far, INCLUDEs among them
  bool tooManyScripts = false;
  std::mutex ownersMutex; ///< guards program.owners while members are loaded
};

/// Opens a file that is no input, but takes part in the link: it is noted among
/// those that were read, and stays. Null: there is none, for the reason in
/// `error`.
std::shared_ptr<llvm::MemoryBuffer> openPart(Program &program,
                                             llvm::vfs::FileSystem *fs,
                                             const std::string &path,
                                             std::string &error);

} // namespace xlink
#endif
