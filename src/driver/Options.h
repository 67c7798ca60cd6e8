//===- Options.h - the command line ---------------------------------------===//
#ifndef XLINK_DRIVER_OPTIONS_H
#define XLINK_DRIVER_OPTIONS_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include "driver/OptionTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

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

/// An argument whose option is known.
struct Argument {
  const Option *option;  ///< the table's first row for an input
  llvm::StringRef value; ///< in an argument; "" where there is none
};

/// Splits arguments into options and values, in order. Unknown options, missing
/// and unwanted values are reported and left out. The result borrows from
/// `args`.
std::vector<Argument> normalize(llvm::ArrayRef<std::string> args,
                                DiagnosticBuffer &messages);

/// Arguments, and the response files that some of them come from.
struct ExpandedArguments {
  std::vector<std::string> words, paths;
};

/// Replaces each @FILE by the arguments that the file holds.
ExpandedArguments expandResponseFiles(llvm::ArrayRef<const char *> args,
                                      llvm::vfs::FileSystem *fs,
                                      DiagnosticBuffer &messages);

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
