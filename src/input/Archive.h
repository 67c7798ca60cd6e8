//===- Archive.h - static libraries ---------------------------------------===//
#ifndef XLINK_INPUT_ARCHIVE_H
#define XLINK_INPUT_ARCHIVE_H

#include "base/Diagnostics.h"
#include "base/Parallel.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace xlink {

/// One member of an archive.
struct ArchiveMember {
  std::string name;             ///< without path for regular archives
  llvm::ArrayRef<uint8_t> data; ///< empty in a thin archive
  std::string thinPath; ///< thin: path of the file, resolved against the
                        ///< archive's directory
  uint64_t offset = 0;  ///< of its header in the archive
  uint64_t size = 0;    ///< as the header says
};

/// A symbol of the archive's index. An archive may have many more of them than
/// the link has symbols, so they are small.
struct ArchiveSymbol {
  const char *text; ///< the name, in the archive
  uint32_t length;
  uint32_t member; ///< index into members

  llvm::StringRef name() const { return {text, length}; }
};

/// A checked archive: GNU, BSD (with #1/N names) or thin format.
struct Archive {
  std::string path;
  bool thin = false;
  bool hasIndex = false;              ///< a usable symbol index was there
  std::vector<ArchiveMember> members; ///< special members left out
  std::vector<ArchiveSymbol> symbols; ///< of the index, in its order
  std::shared_ptr<const void> owner;
};

/// Reads the member headers, the name table and the index (GNU 32- and 64-bit,
/// BSD __.SYMDEF 32 and 64); null after an error. A malformed index is an error
/// as any other table is.
std::unique_ptr<Archive> parseArchive(llvm::StringRef path,
                                      llvm::ArrayRef<uint8_t> bytes,
                                      std::shared_ptr<const void> owner,
                                      DiagnosticBuffer &diag,
                                      const Parallel &parallel = Parallel(1));

} // namespace xlink
#endif
