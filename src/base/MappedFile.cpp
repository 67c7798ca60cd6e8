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
// Cost: open, fstat, read (or map) and close for each file.
//
//===----------------------------------------------------------------------===//

#include "base/MappedFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <atomic>
#include <cerrno>
#include <cstring>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;

namespace xlink {

static std::atomic<bool> streamRead = false;

vfs::FileSystem &filesOf(vfs::FileSystem *fs) {
  return fs ? *fs : *vfs::getRealFileSystem();
}

static bool isRegular(const ErrorOr<vfs::Status> &status) {
  return status && status->getType() == sys::fs::file_type::regular_file;
}

static FileNumber numberOf(sys::fs::UniqueID id) {
  return {id.getDevice(), id.getFile()};
}

/// The same as openFile() through the operating system, without the real name
/// of the file, for which LLVM's file system asks.
static ErrorOr<std::unique_ptr<MemoryBuffer>> openOnDisk(StringRef path,
                                                         FileNumber *number) {
  Expected<sys::fs::file_t> file = sys::fs::openNativeFileForRead(path);
  if (!file)
    return errorToErrorCode(file.takeError());
  sys::fs::file_status status;
  std::error_code error = sys::fs::status(*file, status);
  const bool hasSize = sys::fs::is_regular_file(status);
  if (!error && sys::fs::is_directory(status))
    error = std::make_error_code(std::errc::is_a_directory);
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = error;
  if (!error) {
    if (!hasSize)
      streamRead = true;
    else if (number)
      *number = numberOf(status.getUniqueID());
    buffer =
        MemoryBuffer::getOpenFile(*file, path, hasSize ? status.getSize() : -1,
                                  /*RequiresNullTerminator=*/false);
  }
  ::close(*file); // LLVM's function makes two system calls more
  return buffer;
}

std::unique_ptr<MemoryBuffer> openFile(vfs::FileSystem *fs, StringRef path,
                                       std::string &error, FileNumber *number) {
  error.clear();
  if (!fs) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = openOnDisk(path, number);
    if (buffer)
      return std::move(*buffer);
    error = buffer.getError().message();
    return nullptr;
  }
  ErrorOr<std::unique_ptr<vfs::File>> file = fs->openFileForRead(path);
  // In-memory file systems refuse to open a directory with other words.
  const ErrorOr<vfs::Status> status =
      file ? (*file)->status() : fs->status(path);
  if (status && status->getType() == sys::fs::file_type::directory_file)
    error = strerror(EISDIR);
  else if (!file)
    error = file.getError().message();
  if (!error.empty())
    return nullptr;
  if (!isRegular(status))
    streamRead = true;
  else if (number)
    *number = numberOf(status->getUniqueID());
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = (*file)->getBuffer(
      path, isRegular(status) ? int64_t(status->getSize()) : -1,
      /*RequiresNullTerminator=*/false, /*IsVolatile=*/false);
  if (buffer)
    return std::move(*buffer);
  error = buffer.getError().message();
  return nullptr;
}

void leavePages(const MemoryBuffer &file) {
  // Bytes that were read into memory have no other copy.
  if (file.getBufferKind() == MemoryBuffer::MemoryBuffer_MMap)
    ::madvise(const_cast<char *>(file.getBufferStart()), file.getBufferSize(),
              MADV_DONTNEED);
}

bool hasReadStream() { return streamRead; }

FileIdentity identityOf(vfs::FileSystem *fs, StringRef path) {
  if (const ErrorOr<vfs::Status> status = filesOf(fs).status(path))
    return isRegular(status) ? FileIdentity{numberOf(status->getUniqueID()), ""}
                             : FileIdentity{};
  StringRef directory = sys::path::parent_path(path);
  if (const ErrorOr<vfs::Status> status =
          filesOf(fs).status(directory.empty() ? "." : directory))
    return {numberOf(status->getUniqueID()), sys::path::filename(path).str()};
  return {{}, path.str()};
}

bool fileExists(vfs::FileSystem *fs, StringRef path) {
  return isRegular(filesOf(fs).status(path));
}

const char *executablePath() {
  return reinterpret_cast<const char *>(getauxval(AT_EXECFN));
}

} // namespace xlink
