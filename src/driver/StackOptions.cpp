//===- StackOptions.cpp - setters of options about stacks -----------------===//
#include "driver/StackOptions.h"

using namespace llvm;

namespace xlink {

void addStackLimit(Settings &s, StringRef value) {
  const auto [symbol, text] = value.rsplit('=');
  uint64_t bytes = 0;
  if (symbol.empty() || !parseNumber(text, bytes))
    return s.reject(value, "is not SYMBOL=BYTES with a number");
  s.config.stackLimits.push_back({symbol.str(), bytes});
}

} // namespace xlink
