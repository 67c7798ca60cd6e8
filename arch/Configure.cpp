//===- Configure.cpp - helpers of the machines' configure hooks -----------===//

#include "arch/Configure.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace xlink {

std::string hexText(uint64_t value) {
  return "0x" + utohexstr(value, /*LowerCase=*/true);
}

std::optional<std::string> chosenCpu(StringRef machine,
                                     ArrayRef<const char *> cpus,
                                     const TargetOptions &options,
                                     std::vector<TargetMessage> &messages) {
  if (options.cpu.empty())
    return std::nullopt;
  if (is_contained(cpus, StringRef(options.cpu)))
    return options.cpu;
  std::string valid;
  for (const char *cpu : cpus)
    valid += (valid.empty() ? "" : ", ") + std::string(cpu);
  messages.push_back({TargetMessage::Error,
                      "unknown --mcpu value '" + options.cpu + "' for " +
                          machine.str() +
                          (cpus.empty() ? ": this machine has no variants"
                                        : "; valid values: " + valid)});
  return std::nullopt;
}

const InputHeader *
requireSame(StringRef property, ArrayRef<InputHeader> headers,
            std::optional<uint32_t> (*read)(const InputHeader &),
            std::string (*text)(uint32_t value),
            TargetMessage::Severity severity,
            std::vector<TargetMessage> &messages) {
  const InputHeader *first = nullptr;
  SmallVector<uint32_t, 4> seen; // the first input's value, then reported ones
  for (const InputHeader &header : headers) {
    std::optional<uint32_t> value = read(header);
    if (!value || is_contained(seen, *value))
      continue;
    seen.push_back(*value);
    if (!first) {
      first = &header;
      continue;
    }
    messages.push_back(
        {severity, (property + ": " + first->file + " " + text(seen.front()) +
                    ", " + header.file + " " + text(*value))
                       .str()});
  }
  return first;
}

} // namespace xlink
