//===- ReadMemH.h - Nyuzi's memory images for $readmemh -------------------===//
#ifndef XLINK_ARCH_READMEMH_H
#define XLINK_ARCH_READMEMH_H

#include "arch/Target.h"

namespace xlink {

/// `--oformat readmemh`, with --readmemh-base.
extern const Container readMemHContainer;

} // namespace xlink
#endif
