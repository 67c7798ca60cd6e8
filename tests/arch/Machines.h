//===- Machines.h - what the tests of arch/ share
//--------------------------===//
#ifndef XLINK_TESTS_ARCH_MACHINES_H
#define XLINK_TESTS_ARCH_MACHINES_H

#include "arch/Target.h"
#include "gtest/gtest.h"
#include <string>
#include <vector>

namespace xlink {

/// The machine of this -m name; ends the test program when there is none.
inline const Target &machine(llvm::StringRef name) {
  const Target *target = findTarget(name);
  if (!target) {
    ADD_FAILURE() << "no machine " << name.str();
    std::abort();
  }
  return *target;
}

/// The row of this name.
inline const RelocationRow &rowOf(const Target &target, llvm::StringRef name) {
  for (const RelocationRow &row : target.relocations)
    if (name == row.name)
      return row;
  ADD_FAILURE() << "no relocation " << name.str();
  std::abort();
}

/// The state of a link and the messages on the way to it.
struct Configured {
  TargetState state;
  std::vector<TargetMessage> messages;

  /// All messages, "error: ...", "mismatch: ..." or "warning: ...".
  std::vector<std::string> texts() const {
    std::vector<std::string> all;
    for (const TargetMessage &message : messages)
      all.push_back((message.severity == TargetMessage::Error ? "error: "
                     : message.severity == TargetMessage::Mismatch
                         ? "mismatch: "
                         : "warning: ") +
                    message.text);
    return all;
  }
};

inline Configured configured(const Target &target,
                             std::vector<InputHeader> headers = {},
                             const TargetOptions &options = {}) {
  Configured result;
  configure(target, options, headers, result.state, result.messages);
  return result;
}

} // namespace xlink
#endif
