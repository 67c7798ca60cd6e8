//===- XS1Thunk.h - array bounds that C callers do not pass -------------===//
#ifndef XLINK_ARCH_XS1THUNK_H
#define XLINK_ARCH_XS1THUNK_H

#include "arch/Thunk.h"

namespace xlink {

/// For callers without the bounds that a function of XC expects.
extern const ThunkMaker xs1ThunkMaker;

} // namespace xlink
#endif
