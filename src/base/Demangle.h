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
/// Whether demangled() may make something else of a name: cheap, and false for
/// nearly all of C.
inline bool isMangled(llvm::StringRef name) {
  return name.size() > 2 && name[0] == '_' &&
         (name[1] == 'Z' || name[1] == 'R');
}

} // namespace xlink
#endif
