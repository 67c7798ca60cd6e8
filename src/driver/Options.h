//===- Options.h - the command line ---------------------------------------===//
#ifndef XLINK_DRIVER_OPTIONS_H
#define XLINK_DRIVER_OPTIONS_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// The command line, as far as it could be understood.
struct ParsedCommandLine {
  Config config;
  bool ok = false; ///< no error was reported
};

/// Parses the arguments (without argv[0]); response files are read through `fs`
/// (null: the operating system). Reports every mistake to `diag`, after giving
/// it the policy (--error-limit, -w, ...) that the arguments ask for.
ParsedCommandLine parseCommandLine(llvm::ArrayRef<const char *> args,
                                   llvm::vfs::FileSystem *fs,
                                   Diagnostics &diag);

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

/// The policy that `config` asks of a link's messages.
Diagnostics::Policy diagnosticPolicy(const Config &config);

/// --help.
std::string helpText(bool all);
/// --version and -v: one line; -V: with the machines.
std::string versionText(bool withMachines = false);

} // namespace xlink
#endif
