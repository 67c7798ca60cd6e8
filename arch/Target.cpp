//===- Target.cpp - the list of machines ----------------------------------===//
//
// Adding a machine: write arch/NAME.machine and add it here.
//
//===----------------------------------------------------------------------===//

#include "arch/Containers.h"
#include "arch/MachineFile.h"
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
    if (target->hasName(name))
      return target;
  return nullptr;
}

void Machine::setFile(StringRef path) {
  char *copy = memory.Allocate<char>(path.size() + 1);
  *std::copy(path.begin(), path.end(), copy) = 0;
  target.file = copy;
}

const Target *Machines::add(std::unique_ptr<Machine> machine) {
  loaded.push_back(std::move(machine));
  return &loaded.back()->target;
}

const Target *Machines::ofFile(StringRef path) const {
  for (const auto &machine : loaded)
    if (path == machine->target.file)
      return &machine->target;
  return nullptr;
}

const Target *Machines::find(bool is64, bool isBig, uint16_t number) const {
  for (const auto &machine : reverse(loaded)) // behind those that it extends
    if (machine->target.is64 == is64 && machine->target.isBig == isBig &&
        is_contained(machine->target.machines, number))
      return &machine->target;
  return findTarget(is64, isBig, number);
}

std::vector<StringRef> Machines::files() const {
  std::vector<StringRef> list;
  for (const auto &machine : loaded)
    list.push_back(machine->target.file);
  return list;
}

const Target *findTarget(bool is64, bool isBig, uint16_t machine) {
  for (const Target *target : kTargets)
    if (target->is64 == is64 && target->isBig == isBig &&
        is_contained(target->machines, machine))
      return target;
  return nullptr;
}

} // namespace xlink
