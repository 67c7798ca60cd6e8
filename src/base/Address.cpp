//===- Address.cpp --------------------------------------------------------===//
#include "base/Address.h"
#include "llvm/ADT/StringExtras.h"

namespace xlink {

std::string hex(Address address) {
  if (!address.isByte())
    return address.isEnd() ? "0x10000000000000000" : "beyond 64 bits";
  return "0x" + llvm::utohexstr(address.value(), /*LowerCase=*/true);
}

} // namespace xlink
