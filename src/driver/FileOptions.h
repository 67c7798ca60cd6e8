//===- FileOptions.h - options that name files ----------------------------===//
#ifndef XLINK_DRIVER_FILEOPTIONS_H
#define XLINK_DRIVER_FILEOPTIONS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace xlink {

/// The kind of file that the value of an option names.
enum class FileUse : uint8_t {
  None,         ///< no file
  Read,         ///< a file that is read
  ReadKeyed,    ///< KEY=FILE
  Directory,    ///< a directory in which files are looked for
  Written,      ///< a file that is written
  WrittenKeyed, ///< KEY=FILE
};

/// Of an option by its first spelling ("script"); "" are the inputs themselves.
FileUse fileUse(llvm::StringRef option);

} // namespace xlink
#endif
