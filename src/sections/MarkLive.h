//===- MarkLive.h - garbage collection of sections ------------------------===//
#ifndef XLINK_SECTIONS_MARKLIVE_H
#define XLINK_SECTIONS_MARKLIVE_H

#include "model/Contributions.h"
#include "model/Placement.h"
#include "model/Program.h"
#include <vector>

namespace xlink {

/// What --gc-sections would keep, whether it was given or not.
Liveness findLive(const Program &program, const Placement &placement,
                  const std::vector<EhFrame> &frames);

/// --gc-sections: what lives, as far as roots reach it. Without the option
/// everything.
Liveness markLive(const Program &program, const Placement &placement,
                  const std::vector<EhFrame> &frames);

} // namespace xlink
#endif
