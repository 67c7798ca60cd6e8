//===- XE.h - the XE container of XMOS devices ----------------------------===//
#ifndef XLINK_ARCH_XE_H
#define XLINK_ARCH_XE_H

#include "arch/Target.h"

namespace xlink {

/// `--oformat xe`, with --xe-tile, --xe-add, --xe-node and --xe-config;
/// `xlink-inspect xe`.
extern const Container xeContainer;

} // namespace xlink
#endif
