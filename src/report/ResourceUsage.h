//===- ResourceUsage.h - what the entry and every thread need -------------===//
#ifndef XLINK_REPORT_RESOURCEUSAGE_H
#define XLINK_REPORT_RESOURCEUSAGE_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include <string>

namespace xlink {

/// --print-resource-usage: stack words, threads, timers and channel ends of the
/// entry and of every function that an object names as running in parallel with
/// another, each with all that it calls.
///
/// A function needs what it takes itself, and the most that one of its callees
/// needs: a callee gives everything back when it returns. One of a callee's
/// threads is the one that called it. The ABI leaves this open; it is how the
/// vendor's compilers make the values of their result symbols. Where an object
/// states no own value, the value of the function's result symbol (XS1:
/// f.nstackwords, f.maxthreads ...) is what it needs with all that it calls;
/// the report says so.
std::string resourceUsageText(const Link &link, const SymbolValues &values);
/// The same as JSON.
std::string resourceUsageJson(const Link &link, const SymbolValues &values);

} // namespace xlink
#endif
