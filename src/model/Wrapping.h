//===- Wrapping.h - references that mean another name ---------------------===//
//
// --wrap=SYMBOL puts code between the callers of a function and the function:
// who refers to SYMBOL without defining it gets __wrap_SYMBOL, and that may
// refer to the function itself as __real_SYMBOL. Definitions keep their names.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_WRAPPING_H
#define XLINK_MODEL_WRAPPING_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace xlink {

class Wrapping {
public:
  /// `symbols`: the values of --wrap.
  explicit Wrapping(const std::vector<std::string> &symbols);

  /// The name that a reference to `name` means, which is the same one for most.
  /// It lives as long as this object or as `name` does.
  llvm::StringRef meaning(llvm::StringRef name) const;
  /// Whether every name means itself.
  bool empty() const { return meanings.empty(); }

private:
  llvm::StringMap<std::string> meanings;
};

} // namespace xlink
#endif
