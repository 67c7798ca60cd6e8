//===- MappedFile.h - reading files ---------------------------------------===//
#ifndef XLINK_BASE_MAPPEDFILE_H
#define XLINK_BASE_MAPPEDFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Reads `path` through `fs` (null: the operating system). Small files are
/// read, files above 1 MB are mapped. On failure returns null and sets `error`
/// to the system's reason ("No such file or directory"). Directories are an
/// error.
std::unique_ptr<llvm::MemoryBuffer>
openFile(llvm::vfs::FileSystem *fs, llvm::StringRef path, std::string &error);
/// Whether `path` names a regular file (used for library search).
bool fileExists(llvm::vfs::FileSystem *fs, llvm::StringRef path);

} // namespace xlink
#endif
