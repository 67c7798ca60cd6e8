//===- Writer.h - the output file -----------------------------------------===//
#ifndef XLINK_OUTPUT_WRITER_H
#define XLINK_OUTPUT_WRITER_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "output/FileLayout.h"
#include "output/OutputFile.h"

namespace xlink {

/// Writes the linked program to `sink` under Program::output. Copies and
/// relocates sections in parallel; relocation errors go to `diag`, and the
/// output is made visible only when it has none. `entry` is e_entry.
void writeOutput(const Link &link, const SymbolValues &values,
                 const FileLayout &layout, uint64_t entry, OutputSink &sink,
                 Diagnostics &diag);

} // namespace xlink
#endif
