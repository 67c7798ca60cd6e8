//===- ScriptInsert.cpp - INSERT AFTER and BEFORE -------------------------===//
//
// Problem: INSERT moves the results of its SECTIONS behind or before an output
// section of another script, with the assignments around them. Patterns keep
// the script's order: those of the script with INSERT come first (GNU ld).
//
// Method: the statements of the layout remember the command that made them. Its
// own are taken out, then inserted where GNU ld puts them among the assignments
// behind a section (insertionPoint).
//
// Cost: linear in statements for each INSERT.
//
//===----------------------------------------------------------------------===//
#include "placement/Placement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

bool assignsDot(const LayoutCommand &c) {
  return c.output == kNone && c.command->kind == CommandKind::Assignment &&
         static_cast<const AssignmentCommand *>(c.command)->isDot();
}

/// Where statements are inserted that follow an output section. `from`: behind
/// that, or the layout's start.
static std::vector<LayoutCommand>::iterator
placeBehind(const Placement &placement, std::vector<LayoutCommand> &layout,
            std::vector<LayoutCommand>::iterator from) {
  const auto next =
      std::find_if(from, layout.end(),
                   [](const LayoutCommand &c) { return c.output != kNone; });
  auto dot = std::find_if(from, next, assignsDot);
  if (from == layout.begin() && dot != next)
    dot = std::find_if(dot + 1, next, assignsDot);
  // Dot can have been set up for a section that is empty, or in memory.
  auto setUp = [&](auto output) {
    bool anyInput = false;
    for (SectionId member : placement.outputs[output->output].members) {
      if (!placement.sections[member].placed())
        continue;
      if (placement.classOf(member).flags & ELF::SHF_ALLOC)
        return true;
      anyInput = true;
    }
    return !anyInput;
  };
  return insertionPoint(next, dot == next ? layout.end() : dot, layout.end(),
                        setUp);
}

/// `index`: of the INSERT among the script's commands.
static void insertOne(const InsertCommand &insert, uint32_t index,
                      Placement &placement, Diagnostics &diag) {
  std::vector<LayoutCommand> moved, rest;
  for (const LayoutCommand &c : placement.layout)
    (c.origin >= insert.firstCommand && c.origin < index ? moved : rest)
        .push_back(c);
  auto at = find_if(rest, [&](const LayoutCommand &c) {
    return c.output != kNone && placement.outputs[c.output].name == insert.name;
  });
  if (at == rest.end())
    return diag.error(locationText(insert.where) + "section '" +
                      insert.name.str() + "' of INSERT is not in any script");
  // BEFORE is behind the section in front, if that does not step back.
  auto standing = [&](const LayoutCommand &c) {
    if (c.output == kNone)
      return false;
    const OutputSection &out = placement.outputs[c.output];
    return !out.dropped || out.command->isDiscard();
  };
  auto from = at + 1;
  if (!insert.after)
    for (from = at; from != rest.begin() && !standing(*(from - 1));)
      --from;
  rest.insert(placeBehind(placement, rest, from), moved.begin(), moved.end());
  placement.layout = std::move(rest);
}

void moveInserted(const Program &program, Placement &placement,
                  Diagnostics &diag) {
  const auto &commands = program.script.commands;
  for (uint32_t i = 0; i < commands.size(); ++i)
    if (commands[i]->kind == CommandKind::Insert)
      insertOne(static_cast<const InsertCommand &>(*commands[i]), i, placement,
                diag);
}

} // namespace xlink
