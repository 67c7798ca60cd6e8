//===- InputFiles.h - names to opened files -------------------------------===//
#ifndef XLINK_INPUT_INPUTFILES_H
#define XLINK_INPUT_INPUTFILES_H

#include "input/Archive.h"
#include "input/ElfReader.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// A file's bytes and what they are.
struct OpenedFile {
  std::string path;
  std::shared_ptr<llvm::MemoryBuffer> buffer;
  FileKind kind = FileKind::Unknown;

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
  /// A script's file name: as it is, or in a search directory; "" if nowhere.
  std::string findFile(llvm::StringRef name) const;

private:
  llvm::vfs::FileSystem *fs;
  std::string sysroot;
  std::vector<std::string> searchPaths;
};

/// Parsed objects kept between links, by contents and name. Thread-safe.
class ObjectCache {
public:
  /// The parsed object of these bytes, parsed now if it is not there yet.
  std::shared_ptr<const ParsedObject> get(const ObjectName &name,
                                          llvm::ArrayRef<uint8_t> bytes,
                                          const Target &target,
                                          std::shared_ptr<const void> owner,
                                          DiagnosticBuffer &diag);

private:
  std::mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<const ParsedObject>> objects;
};

} // namespace xlink
#endif
