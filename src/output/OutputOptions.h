//===- OutputOptions.h - checks of options about outputs ------------------===//
#ifndef XLINK_OUTPUT_OUTPUTOPTIONS_H
#define XLINK_OUTPUT_OUTPUTOPTIONS_H

#include "base/Diagnostics.h"
#include "model/Program.h"

namespace xlink {

/// Reports regions that --image and --crc name and the script does not have, a
/// --gap-fill without effect, and options that do not go together with -r:
/// formats without relocations, those that need addresses, and --gc-sections
/// without a root. The script must be there. False: the link ends here.
bool checkOutputOptions(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
