//===- Wrapping.cpp -------------------------------------------------------===//
#include "model/Wrapping.h"

using namespace llvm;

namespace xlink {

Wrapping::Wrapping(const std::vector<std::string> &symbols) {
  for (const std::string &symbol : symbols)
    meanings.try_emplace(symbol, "__wrap_" + symbol);
  // A name that is wrapped itself is that first (GNU ld).
  for (const std::string &symbol : symbols)
    meanings.try_emplace("__real_" + symbol, symbol);
}

StringRef Wrapping::meaning(StringRef name) const {
  if (meanings.empty())
    return name;
  auto it = meanings.find(name);
  return it == meanings.end() ? name : StringRef(it->second);
}

} // namespace xlink
