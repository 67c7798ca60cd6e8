//===- TarFile.h - an archive of files in memory --------------------------===//
#ifndef XLINK_OUTPUT_TARFILE_H
#define XLINK_OUTPUT_TARFILE_H

#include "output/OutputFile.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <memory>
#include <string>

namespace xlink {

/// An archive that is written to an output.
class TarFile {
public:
  TarFile(OutputSink &sink, llvm::StringRef path);
  /// A file of this name in the archive; of two with one name the first counts.
  void add(llvm::StringRef name, llvm::StringRef bytes);
  /// Completes the archive: "" or the reason why it could not be written.
  std::string finish();

private:
  void put(llvm::StringRef bytes);

  std::unique_ptr<OutputFile> file; ///< null: `error` says why
  std::string error;
  uint64_t size = 0;
  llvm::StringSet<> names;
};

} // namespace xlink
#endif
