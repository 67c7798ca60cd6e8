//===- EhFrame.h - unwind tables, record by record ------------------------===//
#ifndef XLINK_SECTIONS_EHFRAME_H
#define XLINK_SECTIONS_EHFRAME_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// Reads the .eh_frame sections that have a place in the output or may get one.
/// A section that is no sequence of records is an error.
std::vector<EhFrame> readEhFrames(const Program &program,
                                  const Placement &placement,
                                  Diagnostics &diag);

/// The section whose code an FDE describes: kNone if that is no input section
/// (an absolute address), 0, which is never placed, if the link uses another
/// copy of the code.
SectionId describedSection(const Program &program, const EhFrame &frame,
                           const EhRecord &fde);

/// Leaves out FDEs of code that is not in the output and CIEs that no FDE
/// needs; of equal CIEs of one output section the first stays, except with -O0.
/// At most one terminator stays, behind the last record.
void cutEhFrames(const Program &program, const Placement &placement,
                 const std::vector<EhFrame> &frames,
                 Contributions &contributions);

} // namespace xlink
#endif
