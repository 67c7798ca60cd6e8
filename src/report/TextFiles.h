//===- TextFiles.h - writing what reports say -----------------------------===//
#ifndef XLINK_REPORT_TEXTFILES_H
#define XLINK_REPORT_TEXTFILES_H

#include "base/Diagnostics.h"
#include "base/LongText.h"
#include "base/Parallel.h"
#include "output/OutputFile.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <string>
#include <vector>

namespace xlink {

/// Files of text that are written at the same time.
class TextFiles {
public:
  TextFiles();
  ~TextFiles(); ///< files that are not committed leave nothing

  /// Opens one more. `what` names it in messages: "map file". What fails is
  /// reported by commit().
  void open(const char *what, std::string path, OutputSink &sink);
  /// Makes a text for each file that was opened, in their order from `first`
  /// on, and writes them. Touches neither the sink nor what others may use
  /// meanwhile, so several threads may write different files.
  void write(llvm::ArrayRef<LongText> texts, const Parallel &parallel,
             size_t first = 0);
  /// Why one of them cannot be written; "": so far nothing went wrong.
  std::string error() const;
  /// Gives up the files, which leave nothing.
  void close();
  /// The files appear in their order, and so do the errors: "cannot write map
  /// file x.map: No space left on device".
  void commit(Diagnostics &diag);

private:
  class PieceWriter;
  struct Opened {
    const char *what;
    std::string path, error;
    std::unique_ptr<PieceWriter> writer; ///< null: it could not be opened
  };
  std::vector<Opened> files;
};

/// The same for a single file.
void writeTextFile(const char *what, const std::string &path,
                   const LongText &text, OutputSink &sink, Diagnostics &diag);

} // namespace xlink
#endif
