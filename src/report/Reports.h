//===- Reports.h - which reports a link was asked for ---------------------===//
#ifndef XLINK_REPORT_REPORTS_H
#define XLINK_REPORT_REPORTS_H

#include "model/Link.h"
#include "output/OutputFile.h"

namespace xlink {

/// What must exist even when the link fails: the map, the table of cross
/// references, the use of memory regions and of resources, the collected
/// sections, the types. Addresses must be fixed. Texts for standard output
/// become notes.
void reportLayout(const Link &link, OutputSink &sink);

/// What belongs to an output that was written: the dependency file.
void reportSuccess(const Link &link, OutputSink &sink);

} // namespace xlink
#endif
