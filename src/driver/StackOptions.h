//===- StackOptions.h - setters of options about stacks -------------------===//
#ifndef XLINK_DRIVER_STACKOPTIONS_H
#define XLINK_DRIVER_STACKOPTIONS_H

#include "driver/OptionTable.h"

namespace xlink {

/// --stack-limit SYMBOL=BYTES
void addStackLimit(Settings &settings, llvm::StringRef value);

} // namespace xlink
#endif
