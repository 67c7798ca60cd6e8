//===- FirmwareOptions.cpp - setters of options about firmware images -----===//
#include "driver/FirmwareOptions.h"

using namespace llvm;

namespace xlink {

/// A decimal number, or a hexadecimal one after 0x.
static bool parseNumber(StringRef text, uint64_t &number) {
  const unsigned radix =
      text.consume_front("0x") || text.consume_front("0X") ? 16 : 10;
  return !text.empty() && !text.getAsInteger(radix, number);
}

void addDeadReference(Settings &s, StringRef value) {
  auto [glob, text] = value.rsplit('=');
  uint64_t number = 0;
  if (glob.empty() || !parseNumber(text, number))
    return s.reject("dead-reloc-in-nonalloc=" + value.str(),
                    "is not GLOB=VALUE with a number");
  s.config.deadReferences.emplace_back(glob.str(), number);
}

} // namespace xlink
