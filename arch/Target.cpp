//===- Target.cpp - the list of machines ----------------------------------===//
//
// Adding a machine: write arch/NAME.machine and add it here.
//
//===----------------------------------------------------------------------===//

#include "arch/Containers.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

namespace {

constexpr const Container *kReadMemH[] = {&readMemHContainer};
constexpr Behaviour readmemh = {.behaviour = "readmemh",
                                .containers = kReadMemH};

#include "aphelion.machine.inc"
#include "colossus.machine.inc"
#include "dpu.machine.inc"
#include "nyuzi.machine.inc"

} // namespace

extern const Target xs1Target; // with its code, in XS1.cpp
extern constinit const Target nyuziTarget = nyuziMachine,
                              aphelionTarget = aphelionMachine,
                              dpuTarget = dpuMachine,
                              colossusTarget = colossusMachine;

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

const Target *findTarget(bool is64, bool isBig, uint16_t machine) {
  for (const Target *target : kTargets)
    if (target->is64 == is64 && target->isBig == isBig &&
        is_contained(target->machines, machine))
      return target;
  return nullptr;
}

} // namespace xlink
