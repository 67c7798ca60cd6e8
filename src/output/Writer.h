//===- Writer.h - the output file -----------------------------------------===//
#ifndef XLINK_OUTPUT_WRITER_H
#define XLINK_OUTPUT_WRITER_H

#include "model/Link.h"
#include "output/OutputFile.h"
#include <memory>

namespace xlink {

/// Writes the linked program to `sink` under link.config.output. Copies and
/// relocates sections in parallel; relocation errors go to link.diag, and the
/// output is made visible only when the link has none.
void writeOutput(Link &link, OutputSink &sink);

} // namespace xlink
#endif
