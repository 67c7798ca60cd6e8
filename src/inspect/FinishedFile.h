//===- FinishedFile.h - a file that a link left ---------------------------===//
#ifndef XLINK_INSPECT_FINISHEDFILE_H
#define XLINK_INSPECT_FINISHEDFILE_H

#include "inspect/LinkedFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// An ELF file, a container of ELF files, or a map of --map-json.
struct FinishedFile {
  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  const Container *container = nullptr; ///< null: no container
  /// Contents of a container; of any other file, the file itself.
  std::vector<ContainerPart> parts;
  std::optional<LinkMap> map; ///< of the main program
  std::string mapPath;        ///< of --map; empty: none

  llvm::ArrayRef<uint8_t> bytes() const;
  /// The largest program of a container: others prepare a processor for it.
  /// Null: there is none.
  const ContainerPart *mainProgram() const;
  /// The name of a part in messages: "a.xe: ELF of node 0, tile 0", "a.elf".
  std::string title(const ContainerPart &part) const;
};

/// The first container format of all machines that is the right one, or null.
const Container *
findContainer(llvm::function_ref<bool(const Container &)> isRight);

/// Opens a file; an error, and false, where that fails.
bool openFinished(const std::string &path, llvm::vfs::FileSystem *fs,
                  FinishedFile &file, Diagnostics &diag);
/// Fills in `container` and `parts`; false, and errors, if they are damaged.
bool readContainer(FinishedFile &file, Diagnostics &diag);

/// Opens a file and fills in `map`: read from JSON, or made from the ELF file,
/// in a container from its main program. An error, and false, if that fails.
bool openMap(const std::string &path, llvm::vfs::FileSystem *fs,
             FinishedFile &file, Diagnostics &diag);

} // namespace xlink
#endif
