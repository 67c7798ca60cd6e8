//===- MappedFile.h - reading files ---------------------------------------===//
#ifndef XLINK_BASE_MAPPEDFILE_H
#define XLINK_BASE_MAPPEDFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdint>
#include <memory>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// A regular file, however it is spelled: its device and its number there. Both
/// are 0 for other files: a device or a pipe may be read and written by many.
struct FileNumber {
  uint64_t device = 0, file = 0;

  explicit operator bool() const { return device || file; }
  bool operator==(const FileNumber &) const = default;
};

/// Which file a name leads to. One that does not exist yet is its directory's
/// number and its name there.
struct FileIdentity : FileNumber {
  std::string name;

  explicit operator bool() const { return device || file || !name.empty(); }
  bool operator==(const FileIdentity &) const = default;
};

/// `fs`, or the operating system where it is null.
llvm::vfs::FileSystem &filesOf(llvm::vfs::FileSystem *fs);
/// Reads `path` through `fs` (null: the operating system). Small files are
/// read, others mapped. On failure returns null and sets `error` to the
/// system's reason ("No such file or directory"). Directories are an error.
/// `number`, where given, receives that of the file that was read.
std::unique_ptr<llvm::MemoryBuffer> openFile(llvm::vfs::FileSystem *fs,
                                             llvm::StringRef path,
                                             std::string &error,
                                             FileNumber *number = nullptr);
/// The pages of a mapped file leave this process, and come back when they are
/// read: for a file of which little will be.
void leavePages(const llvm::MemoryBuffer &file);
/// Whether this process has read a pipe, which cannot be read again.
bool hasReadStream();
/// The identity of a file that is to be written.
FileIdentity identityOf(llvm::vfs::FileSystem *fs, llvm::StringRef path);
/// The same of a file that was read, whose `number` may be known.
inline FileIdentity identityOf(llvm::vfs::FileSystem *fs, llvm::StringRef path,
                               FileNumber number) {
  return number ? FileIdentity{number, ""} : identityOf(fs, path);
}
/// Whether `path` names a regular file.
bool fileExists(llvm::vfs::FileSystem *fs, llvm::StringRef path);
/// The path of this program, as the kernel was given it: /proc may be missing,
/// as in a bare root.
const char *executablePath();

} // namespace xlink
#endif
