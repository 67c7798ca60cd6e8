//===- MappedFile.cpp - reading files -------------------------------------===//
//
// Problem: a link of two small objects opens a handful of files, and each
// system call is a measurable part of it.
//
// Method: LLVM's buffers, which read small files and map those of some pages:
// fresh memory has to be cleared and filled page by page, while the pages of a
// file that was just written are there already. A mapped file that another
// process truncates during the link ends this one by SIGBUS, as with other
// linkers; small files do not take part in that.
//
// Cost: open, readlink, fstat, read (or map) and close for each file.
//
//===----------------------------------------------------------------------===//

#include "base/MappedFile.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <atomic>
#include <cerrno>
#include <cstring>

using namespace llvm;

namespace xlink {

static std::atomic<bool> streamRead = false;

vfs::FileSystem &filesOf(vfs::FileSystem *fs) {
  return fs ? *fs : *vfs::getRealFileSystem();
}

static bool isRegular(const ErrorOr<vfs::Status> &status) {
  return status && status->getType() == sys::fs::file_type::regular_file;
}

static FileNumber numberOf(const vfs::Status &status) {
  return {status.getUniqueID().getDevice(), status.getUniqueID().getFile()};
}

std::unique_ptr<MemoryBuffer> openFile(vfs::FileSystem *fs, StringRef path,
                                       std::string &error, FileNumber *number) {
  error.clear();
  ErrorOr<std::unique_ptr<vfs::File>> file = filesOf(fs).openFileForRead(path);
  // In-memory file systems refuse to open a directory with other words.
  const ErrorOr<vfs::Status> status =
      file ? (*file)->status() : filesOf(fs).status(path);
  if (status && status->getType() == sys::fs::file_type::directory_file)
    error = strerror(EISDIR);
  else if (!file)
    error = file.getError().message();
  if (!error.empty())
    return nullptr;
  if (!isRegular(status))
    streamRead = true;
  else if (number)
    *number = numberOf(*status);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = (*file)->getBuffer(
      path, isRegular(status) ? int64_t(status->getSize()) : -1,
      /*RequiresNullTerminator=*/false, /*IsVolatile=*/false);
  if (buffer)
    return std::move(*buffer);
  error = buffer.getError().message();
  return nullptr;
}

bool hasReadStream() { return streamRead; }

FileIdentity identityOf(vfs::FileSystem *fs, StringRef path) {
  if (const ErrorOr<vfs::Status> status = filesOf(fs).status(path))
    return isRegular(status) ? FileIdentity{numberOf(*status), ""}
                             : FileIdentity{};
  StringRef directory = sys::path::parent_path(path);
  if (const ErrorOr<vfs::Status> status =
          filesOf(fs).status(directory.empty() ? "." : directory))
    return {numberOf(*status), sys::path::filename(path).str()};
  return {{}, path.str()};
}

bool fileExists(vfs::FileSystem *fs, StringRef path) {
  return isRegular(filesOf(fs).status(path));
}

} // namespace xlink
