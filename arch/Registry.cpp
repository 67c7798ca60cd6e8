//===- Registry.cpp - the list of machines --------------------------------===//
//
// Adding a machine: write arch/NAME.cpp with its Target and arch/NAME.ld with
// its default layout, then add it to the two lines here.
//
//===----------------------------------------------------------------------===//

#include "arch/Target.h"
#include "llvm/ADT/STLExtras.h"

namespace xlink {

extern const Target xs1Target, nyuziTarget, aphelionTarget, dpuTarget,
    colossusTarget;

/// In the order of the documentation.
static constexpr const Target *kTargets[] = {
    &xs1Target, &nyuziTarget, &aphelionTarget, &dpuTarget, &colossusTarget};

llvm::ArrayRef<const Target *> allTargets() { return kTargets; }

const Target *findTarget(llvm::StringRef name) {
  for (const Target *target : kTargets)
    if (name == target->name || llvm::is_contained(target->aliases, name))
      return target;
  return nullptr;
}

const Target *findTarget(bool is64, uint16_t machine) {
  for (const Target *target : kTargets)
    if (target->is64 == is64 && llvm::is_contained(target->machines, machine))
      return target;
  return nullptr;
}

} // namespace xlink
