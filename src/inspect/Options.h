//===- Options.h - the command line of xlink-inspect ----------------------===//
#ifndef XLINK_INSPECT_OPTIONS_H
#define XLINK_INSPECT_OPTIONS_H

#include "arch/MachineFile.h"
#include "base/Diagnostics.h"
#include "inspect/FileChecks.h"
#include "inspect/FileDiff.h"

namespace xlink {

/// A subcommand, its files and its options.
struct InspectOptions {
  enum Command : uint8_t {
    Diff,
    Compare,
    Sizes,
    Page,
    Checks,
    Container,
    Help
  };
  enum Format : uint8_t { Text, Markdown, Json };
  Command command = Help;
  std::string help; ///< of Help: the text to print
  std::vector<std::string> files;
  Format format = Text;
  bool demangle = true;
  DiffIgnore ignore;    ///< diff --ignore
  size_t rows = 20;     ///< --rows: of a table
  std::string output;   ///< page -o; empty: standard output
  std::string baseline; ///< page --baseline; empty: none
  /// --map, --old-map: texts that linkers wrote beside the last file, and
  /// beside OLD; empty: none.
  std::string map, oldMap;
  bool bySource = false;      ///< --by-source
  bool sectionsAlone = false; ///< sizes --sections
  FileCheckOptions checks;
  std::string machine;    ///< -m: a machine file; empty: none
  std::string executable; ///< beside which machine files are; empty: none
  Machines machines;      ///< that of `machine`, when it is read
  Machines shipped;       ///< machines whose files are beside the executable
};

/// Reads the arguments behind the program's name. Errors are reported; then
/// there is no result.
std::optional<InspectOptions>
parseInspectOptions(llvm::ArrayRef<std::string> arguments, Diagnostics &diag);

} // namespace xlink
#endif
