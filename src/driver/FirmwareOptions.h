//===- FirmwareOptions.h - setters of options about firmware images -------===//
#ifndef XLINK_DRIVER_FIRMWAREOPTIONS_H
#define XLINK_DRIVER_FIRMWAREOPTIONS_H

#include "driver/OptionTable.h"

namespace xlink {

/// --crc SYMBOL=RANGE[,KIND]
void addCrc(Settings &settings, llvm::StringRef value);

/// -z dead-reloc-in-nonalloc=GLOB=VALUE
void addDeadReference(Settings &settings, llvm::StringRef value);

/// --compress-debug-sections=TYPE
void setDebugCompression(Settings &settings, llvm::StringRef value);

} // namespace xlink
#endif
