//===- Thunk.h - code for calls that pass less than the callee expects ----===//
//
// Two languages can declare one function in ways that look alike and pass
// different arguments. Where objects state types, the linker sees it, and the
// machine may have code between caller and callee that makes the call right.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_ARCH_THUNK_H
#define XLINK_ARCH_THUNK_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlink {

struct TargetState;

/// A parameter, or a result, in the declaration of one side of a call.
struct PassedValue {
  enum Kind : uint8_t {
    Basic,   ///< `code` is its type string's code ("ull")
    Address, ///< a pointer of C, a reference
    Handle,  ///< a port or an enumeration: a number
    Other,   ///< a structure, a pointer of XC, an interface ...
  } kind = Other;
  llvm::StringRef code;
  /// An array whose size its type leaves open, in a language that passes the
  /// size along.
  bool hasBound = false;
};

/// A function, in the declaration of one side of a call.
struct CallShape {
  bool open = false;     ///< there is no prototype
  bool variadic = false; ///< further arguments may follow
  std::vector<PassedValue> results, parameters;

  /// Whether the sizes of arrays are passed behind the parameters.
  bool hasBounds() const {
    for (const PassedValue &parameter : parameters)
      if (parameter.hasBound)
        return true;
    return false;
  }
};

/// Code that is called in a function's place and calls it.
struct ThunkCode {
  std::vector<uint8_t> code; ///< empty: the function can be called itself
  uint32_t align = 1;
  uint32_t stackWords = 0; ///< of the code itself
  /// Where the code refers to the function.
  struct Reference {
    uint32_t offset = 0, type = 0; ///< in the code; number of the relocation
    int64_t addend = 0;
  } reference;
  /// Why there is none although it is needed, and the parameter, counted from
  /// 1, of which the callee would not get the bound.
  struct Failure {
    uint32_t parameter = 0;
    std::string reason;
  };
  std::optional<Failure> failure;
};

/// How a machine makes such code.
struct ThunkMaker {
  ThunkCode (*convert)(const CallShape &caller, const CallShape &callee,
                       const TargetState &state);
  /// The symbol of the code by which callers that state `type` call `function`.
  std::string (*name)(llvm::StringRef function, llvm::StringRef type);
};

/// XS1's, for callers without the bounds that a function of XC expects.
extern const ThunkMaker xs1ThunkMaker;

} // namespace xlink
#endif
