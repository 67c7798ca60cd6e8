//===- TextFile.h - a file that a report is written into ------------------===//
#ifndef XLINK_REPORT_TEXTFILE_H
#define XLINK_REPORT_TEXTFILE_H

#include "base/Diagnostics.h"
#include "model/Program.h"
#include "output/OutputFile.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace xlink {

/// One file of text, written from front to back. Not committed, it leaves
/// nothing.
class TextFile final : public llvm::raw_ostream {
public:
  /// Opens the file. `kind` names it in messages: "map file".
  TextFile(const char *kind, std::string path, OutputSink &sink);
  ~TextFile() override { flush(); }

  /// Why it cannot be written; "": so far nothing went wrong.
  const std::string &error() const { return failure; }
  /// The file appears, or an error does: "cannot write map file x.map: No space
  /// left on device".
  void commit(Diagnostics &diag);

private:
  void write_impl(const char *from, size_t size) override;
  uint64_t current_pos() const override { return written; }

  const char *const kind;
  const std::string path;
  std::string failure;
  std::unique_ptr<OutputFile> file; ///< null: it could not be opened
  uint64_t written = 0;
};

/// A file of one text.
void writeTextFile(const char *kind, const std::string &path,
                   llvm::StringRef text, OutputSink &sink, Diagnostics &diag);

/// --dependency-file: a rule of make that makes the output depend on every file
/// that was read, and an empty rule for each of these, so that removing one is
/// no error. Names are escaped for make and ninja: a space, # and $, and
/// backslashes in front of the first two. `further`: files that were read while
/// the output was made.
std::string dependencyText(const Program &program,
                           llvm::ArrayRef<std::string> further);

} // namespace xlink
#endif
