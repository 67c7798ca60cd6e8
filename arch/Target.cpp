//===- Target.cpp - the list of machines, helpers of their hooks ----------===//
//
// Adding a machine: write arch/NAME.cpp with its Target and arch/NAME.ld with
// its default layout, then add it to the two lines here.
//
//===----------------------------------------------------------------------===//

#include "arch/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace xlink {

extern const Target xs1Target, nyuziTarget, aphelionTarget, dpuTarget,
    colossusTarget;

/// In the order of the documentation.
static constexpr const Target *kTargets[] = {
    &xs1Target, &nyuziTarget, &aphelionTarget, &dpuTarget, &colossusTarget};

ArrayRef<const Target *> allTargets() { return kTargets; }

const Target *findTarget(StringRef name) {
  for (const Target *target : kTargets)
    if (name == target->name || is_contained(target->aliases, name))
      return target;
  return nullptr;
}

const Target *findTarget(bool is64, uint16_t machine) {
  for (const Target *target : kTargets)
    if (target->is64 == is64 && is_contained(target->machines, machine))
      return target;
  return nullptr;
}

const Memory *memoryAt(const Target &target, uint64_t address) {
  const Memory *memory = find_if(target.memories, [address](const Memory &m) {
    return m.begin <= address && address < m.end;
  });
  return memory == target.memories.end() ? nullptr : memory;
}

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
