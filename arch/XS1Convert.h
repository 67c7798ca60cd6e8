//===- XS1Convert.h - array bounds that C callers do not pass -------------===//
#ifndef XLINK_ARCH_XS1CONVERT_H
#define XLINK_ARCH_XS1CONVERT_H

#include "arch/Conversion.h"

namespace xlink {

/// For callers without the bounds that a function of XC expects.
extern const CallConverter xs1CallConverter;

} // namespace xlink
#endif
