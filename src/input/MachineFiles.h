//===- MachineFiles.h - machines that files describe ----------------------===//
#ifndef XLINK_INPUT_MACHINEFILES_H
#define XLINK_INPUT_MACHINEFILES_H

#include "arch/MachineFile.h"
#include "base/Config.h"
#include "base/Diagnostics.h"
#include "input/ElfReader.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Finds and reads machine files into `machines`; reports what is wrong.
class MachineLoader {
public:
  MachineLoader(const Config &config, llvm::vfs::FileSystem *fs,
                Machines &machines, Diagnostics &diag)
      : config(config), fs(fs), machines(machines), diag(diag) {}

  /// The machine that -m names: a path (with '/' or ".machine"), a machine that
  /// is built in, or a file in a directory of -L or of those that are shipped:
  /// NAME.machine, else one with NAME among its aliases. Null: there is no -m,
  /// or an error was reported.
  const Target *named();
  /// The first one among the files that are shipped with the class, the byte
  /// order and the number of an ELF file; null: there is none.
  const Target *ofIdentity(const ElfIdentity &id);
  /// The machine of the file at a path, with its tests; null after an error.
  std::unique_ptr<Machine> load(const std::string &path);
  /// The same of a file's text.
  std::unique_ptr<Machine> read(llvm::StringRef path, llvm::StringRef text);
  /// Names of the files that are shipped, in order.
  std::vector<std::string> shipped() const;

private:
  std::string shippedIn() const;
  std::vector<std::string> directories() const;
  std::vector<std::string> filesIn(llvm::StringRef directory) const;
  std::string find(llvm::StringRef name,
                   llvm::ArrayRef<std::string> directories) const;
  std::string findAlias(llvm::StringRef alias) const;
  const Target *extended(llvm::StringRef name, llvm::StringRef file);
  const Target *ofFirstObject() const;
  void unknown(const std::string &name);

  const Config &config;
  llvm::vfs::FileSystem *fs;
  Machines &machines;
  Diagnostics &diag;
  bool isExtended = false; ///< what is read is the file that another extends
  /// Where a machine was not found that the file extends.
  std::vector<std::string> searchNotes;
};

} // namespace xlink
#endif
