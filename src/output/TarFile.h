//===- TarFile.h - an archive of files in memory --------------------------===//
#ifndef XLINK_OUTPUT_TARFILE_H
#define XLINK_OUTPUT_TARFILE_H

#include "output/OutputFile.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace xlink {

/// What a tar file holds. The bytes belong to the caller and stay until write()
/// is done.
class TarFile {
public:
  /// A file of this name in the archive; of two with one name the first counts.
  void add(std::string name, llvm::StringRef bytes);
  /// Writes the archive to `path`: "" or the reason why it could not be.
  std::string write(OutputSink &sink, llvm::StringRef path) const;

private:
  struct Member {
    std::string name;
    llvm::StringRef bytes;
  };
  std::vector<Member> members;
};

} // namespace xlink
#endif
