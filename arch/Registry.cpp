//===- Registry.cpp - the list of machines
//---------------------------------===//
//
// Adding a machine: write arch/NAME.cpp with its Target and arch/NAME.ld with
// its default layout, then add one line here.
//
//===----------------------------------------------------------------------===//

#include "arch/Target.h"
#include "llvm/ADT/STLExtras.h"

// In the order of the documentation; NAME stands for the object NAMETarget.
#define XLINK_MACHINES(MACHINE)                                                \
  MACHINE(xs1)                                                                 \
  MACHINE(nyuzi)                                                               \
  MACHINE(aphelion)                                                            \
  MACHINE(dpu)                                                                 \
  MACHINE(colossus)

namespace xlink {

#define MACHINE(NAME) extern const Target NAME##Target;
XLINK_MACHINES(MACHINE)
#undef MACHINE

#define MACHINE(NAME) &NAME##Target,
static constexpr const Target *kTargets[] = {XLINK_MACHINES(MACHINE)};
#undef MACHINE

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
