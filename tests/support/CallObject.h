//===- CallObject.h - objects whose functions call each other -------------===//
//
// Objects of any machine whose content is a call graph, a function on each
// line:
//
//   main 48 f ~g      takes 48 bytes, calls f and branches to g
//   local h - &f      a local one of unknown size that takes the address of f
//   * f g             data with the addresses of f and g
//
// Each function has a section of its own, and an entry in .stack_sizes where
// its bytes are known. Symbols that no line defines are undefined.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_SUPPORT_CALLOBJECT_H
#define XLINK_TESTS_SUPPORT_CALLOBJECT_H

#include "support/ObjectBuilder.h"
#include "llvm/ADT/StringRef.h"

namespace xlink::test {

/// The object of `machine`: nyuzi, aphelion, dpu or colossus.
Bytes callObject(llvm::StringRef machine, llvm::StringRef lines);

} // namespace xlink::test
#endif
