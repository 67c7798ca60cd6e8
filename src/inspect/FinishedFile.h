//===- FinishedFile.h - a file that a link left ---------------------------===//
#ifndef XLINK_INSPECT_FINISHEDFILE_H
#define XLINK_INSPECT_FINISHEDFILE_H

#include "inspect/LinkedFile.h"
#include "map/LinkMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// An ELF file, a container of ELF files, or a map of --map-json.
struct FinishedFile {
  std::string path;
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  const Container *container = nullptr; ///< null: no container
  /// What a container holds; of any other file, the file itself.
  std::vector<ContainerPart> parts;

  llvm::ArrayRef<uint8_t> bytes() const;
  bool isElf() const;
  /// The largest program of a container: others prepare a processor for it.
  /// Null: there is none.
  const ContainerPart *mainProgram() const;
  /// How messages call a part: "a.xe: ELF of node 0, tile 0", "a.elf".
  std::string title(const ContainerPart &part) const;
};

/// The container format of that name, of whatever machine; null: there is none.
const Container *findContainer(llvm::StringRef name);

/// Opens a file; an error, and false, where that fails.
bool openFinished(const std::string &path, llvm::vfs::FileSystem *fs,
                  FinishedFile &file, Diagnostics &diag);
/// Finds out whether it is a container, and fills in `parts`; errors are
/// reported, the result is then false.
bool takeApart(FinishedFile &file, Diagnostics &diag);

/// The map of a finished file, which must outlive it: what JSON says, or what
/// the symbol table and sections of an ELF file do, in a container of its
/// largest program.
std::optional<LinkMap> mapOf(FinishedFile &file, Diagnostics &diag);
/// The map of an ELF file. A section is cut at its symbols: what a local symbol
/// covers is of the source file that the table names for it, all else of no
/// known one.
LinkMap mapOfElf(const LinkedFile &file);

} // namespace xlink
#endif
