//===- Driver.h - one link, as a library call -----------------------------===//
//
// Everything a link needs comes in with the request, everything it says comes
// out with the result. There are no globals: links may run at the same time in
// several threads, and may share a cache of parsed objects.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_DRIVER_DRIVER_H
#define XLINK_DRIVER_DRIVER_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include "base/Parallel.h"
#include "input/InputFiles.h"
#include "output/OutputFile.h"

namespace xlink {

struct LinkRequest {
  /// The command line without the program's name.
  std::vector<std::string> arguments;
  /// Where inputs are read from; null: the operating system.
  llvm::vfs::FileSystem *fileSystem = nullptr;
  /// PREFIX/bin/xlink, where machine files are in PREFIX/share/xlink/machines;
  /// empty: there are none.
  std::string executable;
  /// Where outputs go; null: the operating system.
  OutputSink *sink = nullptr;
  /// Parsed objects shared with other links; null: none.
  ObjectCache *cache = nullptr;
  /// Fill LinkResult::symbols.
  bool wantSymbols = false;
  /// So many threads, whatever the command line says; 0: as that says.
  unsigned threads = 0;
  /// Called by each thread of a link that uses several; may be empty.
  Parallel::ThreadStart threadStart;
  /// The process ends after this link: its memory need not be given back.
  bool leaveMemory = false;
};

struct LinkedSymbol {
  std::string name;
  uint64_t value = 0, size = 0;
};

struct LinkResult {
  int status = 1;                      ///< exit status: 0 or 1
  std::vector<Diagnostic> diagnostics; ///< in order
  std::string text;                    ///< --help, --version and the like
  std::vector<std::string> outputs;    ///< files written
  std::vector<LinkedSymbol> symbols;   ///< defined globals
  bool color = false;                  ///< print messages in colour
  MessageFormat format = MessageFormat::Text; ///< --diagnostics-format
};

/// Runs one link.
LinkResult link(const LinkRequest &request);

} // namespace xlink
#endif
