//===- Address.cpp --------------------------------------------------------===//
#include "base/Address.h"
#include "llvm/ADT/StringExtras.h"

namespace xlink {

std::string hex(Address address) {
  if (address.isNegative())
    return "below 0";
  if (!address.isByte())
    return address.isEnd() ? "0x10000000000000000" : "beyond 64 bits";
  return hex(Size(address.value()));
}

std::string hex(Size size) {
  return "0x" + llvm::utohexstr(size, /*LowerCase=*/true);
}

} // namespace xlink
