//===- Contents.h - contents of the output --------------------------------===//
#ifndef XLINK_SECTIONS_CONTENTS_H
#define XLINK_SECTIONS_CONTENTS_H

#include "model/EhRecords.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// The contents of live, placed sections: unwind tables without records of
/// dropped code, equal pieces stored once, used GOT slots. Moves sections with
/// such pieces together.
Contents settleContents(const Program &program, Placement &placement,
                        Liveness liveness, const std::vector<EhFrame> &frames);

} // namespace xlink
#endif
