//===- Configure.h - helpers of the machines' configure hooks -------------===//
//
// Part of the leaf arch/: reads options and ELF headers, knows no machine.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_ARCH_CONFIGURE_H
#define XLINK_ARCH_CONFIGURE_H

#include "arch/Target.h"

namespace xlink {

/// "0x40000", for script variables and messages.
std::string hexText(uint64_t value);

/// The value of --mcpu when `cpus` has it. Nothing when none was given, or one
/// that `machine` does not know: the latter adds an error with the valid ones.
std::optional<std::string> chosenCpu(llvm::StringRef machine,
                                     llvm::ArrayRef<const char *> cpus,
                                     const TargetOptions &options,
                                     std::vector<TargetMessage> &messages);

/// Compares a property of the inputs, such as an ABI version, with that of the
/// first input that has one, and adds a message "PROPERTY: a.o X, b.o Y" for
/// the first input of each other value: one bad library is one message, not one
/// a member. `read` returns nothing for an input that goes with everything;
/// `text` returns the value in words ("has version 2"). Returns the first input
/// that has one, or null.
const InputHeader *
requireSame(llvm::StringRef property, llvm::ArrayRef<InputHeader> headers,
            std::optional<uint32_t> (*read)(const InputHeader &),
            std::string (*text)(uint32_t value),
            TargetMessage::Severity severity,
            std::vector<TargetMessage> &messages);

} // namespace xlink
#endif
