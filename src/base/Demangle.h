//===- Demangle.h - mangled names for people ------------------------------===//
#ifndef XLINK_BASE_DEMANGLE_H
#define XLINK_BASE_DEMANGLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace xlink {

/// The name that a C++ or Rust compiler mangled, as the source has it; `name`
/// itself where it is not mangled, or where its expansion would be too long to
/// read. Bounded in time and memory, whatever the name is.
std::string demangled(llvm::StringRef name);

} // namespace xlink
#endif
