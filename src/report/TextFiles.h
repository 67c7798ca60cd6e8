//===- TextFiles.h - writing what reports say -----------------------------===//
#ifndef XLINK_REPORT_TEXTFILES_H
#define XLINK_REPORT_TEXTFILES_H

#include "base/Diagnostics.h"
#include "base/LongText.h"
#include "base/Parallel.h"
#include "output/OutputFile.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace xlink {

/// A text and the file that it belongs into.
struct TextFile {
  const char *what; ///< names it in messages: "map file"
  std::string path;
  LongText text;
};

/// Makes the texts and writes them, all at the same time. The files appear in
/// their order, and so do the errors: "cannot write map file x.map: No space
/// left on device".
void writeTextFiles(llvm::ArrayRef<TextFile> files, const Parallel &parallel,
                    OutputSink &sink, Diagnostics &diag);

} // namespace xlink
#endif
