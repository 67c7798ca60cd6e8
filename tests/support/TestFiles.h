//===- TestFiles.h - the input files of a link in memory ------------------===//
#ifndef XLINK_TESTS_SUPPORT_TESTFILES_H
#define XLINK_TESTS_SUPPORT_TESTFILES_H

#include "support/ObjectBuilder.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <map>
#include <string>

namespace xlink::test {

/// Files by path, in a root that is the current directory. Unlike those of
/// LLVM's InMemoryFileSystem the buffers are copies, which go with their owner:
/// what looks at a file whose buffer was given back is found by the sanitizer,
/// and reads rubbish without it.
///
/// The bytes belong to the caller and outlive the file system.
class TestFiles final : public llvm::vfs::FileSystem {
public:
  void add(llvm::StringRef path, const Bytes &bytes);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;
  llvm::vfs::directory_iterator dir_begin(const llvm::Twine &,
                                          std::error_code &error) override;
  llvm::ErrorOr<std::string> getCurrentWorkingDirectory() const override;
  std::error_code setCurrentWorkingDirectory(const llvm::Twine &) override;

private:
  std::map<std::string, const Bytes *> files;
};

} // namespace xlink::test
#endif
