//===- InputLoader.h - the command line's inputs, opened and parsed -------===//
//
// Opens everything that the command line and its scripts name, in order;
// decides the machine; parses objects in parallel. What it leaves is an ordered
// list for the resolver; after it no file is opened except members of thin
// archives.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_RESOLVE_INPUTLOADER_H
#define XLINK_RESOLVE_INPUTLOADER_H

#include "input/InputFiles.h"
#include "model/Link.h"
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace xlink {

/// One element of the resolver's work list.
struct LoadedInput {
  std::shared_ptr<const ParsedObject> object; ///< an object, or
  std::unique_ptr<Archive> archive;           ///< an archive
  bool lazy = false; ///< --start-lib: an object that is used only when needed
  /// Archive without an index: its members, parsed (null: not an object).
  std::vector<std::shared_ptr<const ParsedObject>> members;
};

class InputLoader {
public:
  InputLoader(Link &link, llvm::vfs::FileSystem *fs, ObjectCache *cache);

  /// Opens and parses all inputs; sets link.target and link.script
  /// (--defsym becomes an assignment in it, at its place among the scripts).
  /// Errors go to link.diag; what could be read is returned all the same.
  std::vector<LoadedInput> run();

  /// Parses member `index` of `archive` (opening the file of a thin one).
  std::shared_ptr<const ParsedObject>
  loadMember(const Archive &archive, uint32_t index, DiagnosticBuffer &diag);

private:
  struct Pending {
    std::unique_ptr<OpenedFile> file;
    bool wholeArchive = false, lazy = false;
  };
  void openItem(const InputItem &item, unsigned depth);
  void openPath(llvm::StringRef path, const InputItem &modes, unsigned depth);
  void readScript(OpenedFile &file, const InputItem &modes, unsigned depth);
  void openNamedFiles(size_t firstCommand, const InputItem &modes,
                      unsigned depth);
  void chooseTarget();
  std::shared_ptr<const ParsedObject> parse(const ObjectName &name,
                                            llvm::ArrayRef<uint8_t> bytes,
                                            std::shared_ptr<const void> owner,
                                            DiagnosticBuffer &diag);

  Link &link;
  llvm::vfs::FileSystem *fs;
  ObjectCache *cache;
  FileOpener opener;
  std::vector<Pending> pending;
  std::set<std::string> opened;      ///< files of the command line so far
  std::set<std::string> openedEarly; ///< files that a script's pattern loaded
  std::vector<std::shared_ptr<Archive>> archivesInUse; ///< of --whole-archive
};

} // namespace xlink
#endif
