//===- SelfLoad.cpp - AT() that reads its own result ----------------------===//
//
// `_sidata = LOADADDR(.data); .data : AT(_sidata) ...`: the load address of
// .data is computed from itself. It becomes any number, often 0 or an address
// in RAM: variables begin with other values, or the image has a gap of
// megabytes. Cost: linear in the script.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace xlink {

void checkSelfLoads(const FinishedLink &finished, Findings &found) {
  const Script &script = finished.link.program.script;
  StringMap<SmallVector<const Expr *, 1>> assigned;
  std::vector<const OutputSectionCommand *> placed;
  forEachCommand(script,
                 ScriptVisitor{[&](const AssignmentCommand &a) {
                                 if (!a.isDot())
                                   assigned[a.name].push_back(a.value.get());
                               },
                               [&](const OutputSectionCommand &c) {
                                 if (c.lma)
                                   placed.push_back(&c);
                               }});
  for (const OutputSectionCommand *command : placed) {
    StringSet<> seen;
    std::vector<const Expr *> next = {command->lma.get()};
    bool ofItself = false;
    while (!next.empty() && !ofItself) {
      const Expr *e = next.back();
      next.pop_back();
      forEachNode(e, [&](const Expr &node) {
        ofItself |=
            node.kind == ExprKind::LoadAddr && node.name == command->name;
        if (node.kind == ExprKind::Symbol && seen.insert(node.name).second)
          append_range(next, assigned.lookup(node.name));
      });
    }
    const OutputId id = finished.link.info.outputNamed(command->name);
    if (!ofItself || id == kNone || !finished.link.output(id).occupies())
      continue;
    found.add([&] {
      const std::string name = command->name.str();
      return Message{
          locationText(command->where) + "AT() of section '" + name +
              "' reads LOADADDR(" + name + "), its own result, now " +
              hex(finished.link.output(id).loadAddress) +
              ": the initial values are stored anywhere",
          {"write '> REGION AT> FLASH' or AT(ADDR(PREVIOUS) + "
           "SIZEOF(PREVIOUS)) with the section in front, and LOADADDR(" +
           name + ") only in symbols for start-up code"}};
    });
  }
}

} // namespace xlink
