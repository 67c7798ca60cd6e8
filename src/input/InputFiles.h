//===- InputFiles.h - names to opened files -------------------------------===//
#ifndef XLINK_INPUT_INPUTFILES_H
#define XLINK_INPUT_INPUTFILES_H

#include "base/Config.h"
#include "base/MappedFile.h"
#include "input/Archive.h"
#include "input/ElfReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// A file's bytes and their kind.
struct OpenedFile {
  llvm::StringRef path; ///< owned by the opener
  std::shared_ptr<llvm::MemoryBuffer> buffer;
  FileKind kind = FileKind::Unknown;
  InputForm form = InputForm::Recognized; ///< its kind
  FileNumber number; ///< empty: unknown, or no regular file

  llvm::ArrayRef<uint8_t> bytes() const {
    return {reinterpret_cast<const uint8_t *>(buffer->getBufferStart()),
            buffer->getBufferSize()};
  }
};

/// Opens files and finds libraries as GNU ld does: `-l NAME` is libNAME.a, `-l
/// :FILE` is FILE, both in the -L directories in order; there are no shared
/// libraries on any of the machines.
class FileOpener {
public:
  FileOpener(llvm::vfs::FileSystem *fs, std::string sysroot)
      : fs(fs), sysroot(std::move(sysroot)) {}

  void addSearchPath(llvm::StringRef directory);
  /// Opens `path`; null and a reason in `error` when that fails.
  std::unique_ptr<OpenedFile> open(llvm::StringRef path, std::string &error);
  /// The path of library `name` (without -l), or "".
  std::string findLibrary(llvm::StringRef name) const;
  /// Notes for a missing `name`: the directories searched, and shared libraries
  /// of that name, which cannot be linked.
  std::vector<std::string> libraryNotes(llvm::StringRef name) const;
  /// A script's file name: as it is, or in a search directory; "" if nowhere.
  std::string findFile(llvm::StringRef name) const;
  /// The path of a file in the first search directory that has it, or "".
  std::string findInPath(llvm::StringRef file) const;

private:
  llvm::vfs::FileSystem *fs;
  std::string sysroot;
  std::vector<std::string> searchPaths;
};

/// The object that -b binary makes of a file: its bytes are .data, with the
/// symbols _binary_NAME_start, _end and _size. NAME is the path as it was
/// given, with _ for all but letters and digits. `owner` keeps `bytes` alive.
std::shared_ptr<const ParsedObject>
wrapBinary(const ObjectName &name, llvm::ArrayRef<uint8_t> bytes,
           const Target &target, std::shared_ptr<const void> owner);

/// Parsed objects kept between links, by contents and name. Thread-safe.
///
/// A cached object owns a copy of its bytes: the file may be rewritten, its
/// archive may be large, and the caller's file system may end before the cache.
/// The cache is bounded; beyond that it drops the least recently used objects.
/// A link that uses such an object keeps it.
class ObjectCache {
public:
  static constexpr uint64_t kDefaultCapacity = uint64_t(512) << 20;

  /// Holds objects of about `capacity` bytes of memory together, file bytes and
  /// parsed data.
  explicit ObjectCache(uint64_t capacity = kDefaultCapacity)
      : capacity(capacity) {}

  /// The parsed object of these bytes, parsed now if it is not there yet. The
  /// warnings of parsing it go to `diag` each time.
  std::shared_ptr<const ParsedObject> get(const ObjectName &name,
                                          llvm::ArrayRef<uint8_t> bytes,
                                          const Target &target,
                                          DiagnosticBuffer &diag);

  /// Objects held, and the bytes they are counted with.
  size_t size() const {
    std::lock_guard<std::mutex> lock(mutex);
    return entries.size();
  }
  uint64_t bytes() const {
    std::lock_guard<std::mutex> lock(mutex);
    return total;
  }

private:
  struct Entry {
    std::string key;
    std::shared_ptr<const ParsedObject> object;
    std::vector<Diagnostic> warnings;
    uint64_t bytes;
  };
  using List = std::list<Entry>; ///< used last in front

  const uint64_t capacity;
  mutable std::mutex mutex;
  List entries;
  std::unordered_map<std::string, List::iterator> byKey;
  uint64_t total = 0;
};

} // namespace xlink
#endif
