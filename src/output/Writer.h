//===- Writer.h - the output file -----------------------------------------===//
#ifndef XLINK_OUTPUT_WRITER_H
#define XLINK_OUTPUT_WRITER_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/FileLayout.h"
#include "output/OutputFile.h"

namespace xlink {

/// Everything that an output is made from.
struct LinkedProgram {
  const Link &link;
  const SymbolValues &values;
  const FileLayout &layout;
  uint64_t entry = 0; ///< where execution begins: e_entry
};

/// Writes the linked program to `sink` under Program::output. Copies and
/// relocates sections in parallel; relocation errors go to `diag`, and the
/// output is made visible only when it has none.
void writeOutput(const LinkedProgram &output, OutputSink &sink,
                 Diagnostics &diag);

/// Writes a file with these bytes; "" or the reason why not.
std::string writeWhole(OutputSink &sink, llvm::StringRef path,
                       llvm::ArrayRef<uint8_t> bytes);

} // namespace xlink
#endif
