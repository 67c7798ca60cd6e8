//===- SmallFiles.h - reading very many small files -----------------------===//
#ifndef XLINK_BASE_SMALLFILES_H
#define XLINK_BASE_SMALLFILES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace xlink {

/// A file that may be small, and what is in it.
struct SmallFile {
  const std::string *path;
  /// Null: it was not read, for whatever reason. It has no name.
  std::shared_ptr<llvm::MemoryBuffer> contents;
};

/// Reads ELF objects of less than a page, many with one system call. It leaves
/// to others whatever else it is given, and everything where the system does
/// not have io_uring, or does not allow it. Others have to open what it leaves
/// while it lives. Thread-safe.
class SmallFiles {
public:
  /// Files of one call of read(), at most.
  static constexpr size_t most = 64;

  SmallFiles();
  ~SmallFiles();
  void read(llvm::MutableArrayRef<SmallFile> files);

private:
  class Ring;
  std::mutex mutex;
  std::vector<std::unique_ptr<Ring>> idle, withPipes;
  bool refused = false; ///< by the system
};

} // namespace xlink
#endif
