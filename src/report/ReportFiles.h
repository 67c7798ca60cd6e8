//===- ReportFiles.h - the files that reports are written into ------------===//
#ifndef XLINK_REPORT_REPORTFILES_H
#define XLINK_REPORT_REPORTFILES_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "map/SizeBudget.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/OutputFile.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Refuses a link that would write one of its inputs, or two of its outputs to
/// one file, however the names are spelled; only regular files count.
/// Returns whether all is well. Before anything is written.
bool checkOutputNames(const Program &program, llvm::vfs::FileSystem *fs,
                      Diagnostics &diag);

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

/// The maps that a link was asked for: -Map, --map-json, --html-report. Those
/// that go into files are opened and committed with the link's other outputs,
/// and in between made beside other readers of the link.
class Maps {
public:
  /// Addresses must be fixed.
  Maps(const Link &link, const SymbolValues &values)
      : link(link), values(values), config(link.program.config) {}

  /// Stacks for the value, to be set before it is made. The texts are in
  /// `stackTexts`.
  std::vector<MapStack> stacks;
  llvm::BumpPtrAllocator stackTexts;
  /// The older map; nothing: there is none, or it cannot be read.
  std::optional<Baseline> baseline;

  /// The link as a value, made at the first call.
  const LinkMap &value();
  void text(llvm::raw_ostream &out); ///< -Map, with the cross references
  void json(llvm::raw_ostream &out); ///< --map-json
  void page(llvm::raw_ostream &out); ///< --html-report
  /// No page compares with an older map that cannot be read.
  bool hasPage() const {
    return !config.htmlReport.empty() && (config.baseline.empty() || baseline);
  }

  /// Opens the files, which are not yet, or once more; those that are printed
  /// are none.
  void open(OutputSink &sink);
  /// Writes them. Only reads the link.
  void write();
  /// Why one of them cannot be written; "": so far nothing went wrong.
  std::string error() const;
  /// Whether write() has something to do.
  bool inFiles() const { return !files.empty(); }
  /// The files appear; failures are reported.
  void commit(Diagnostics &diag);

private:
  const Link &link;
  const SymbolValues &values;
  const Config &config;
  std::optional<LinkMap> map;
  /// With the function that writes each.
  std::vector<
      std::pair<std::unique_ptr<TextFile>, void (Maps::*)(llvm::raw_ostream &)>>
      files;
};

} // namespace xlink
#endif
