//===- OutsideMarks.cpp - variables that loops miss -----------------------===//
//
// Problem: start-up code clears or copies the memory between two symbols of the
// script. A section that no pattern names (`.bss` beside `*(.bss.*)`, COMMON)
// joins the output section of its name behind the symbols, or `*(COMMON)`,
// `*(.data)` and the like stand outside of them: its variables are never
// cleared or copied.
//
// Method: marks of ReferredSymbols, as for zero-end.
//
// Silent: .noinit; sections of which the program refers to one mark or none. A
// statement outside of the marks is meant so, unless it takes all variables
// (`*(.bss*)`) and the marks are called like all of them.
//
// Cost: a search among the marks for each output section; its members only
// where there are two marks.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"
#include "layout/Checks.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

/// Whether a statement takes variables that start-up code has to clear or copy,
/// and no special kind of them.
static bool takesVariables(const ScriptCommand *command) {
  if (!command || command->kind != CommandKind::InputDescription)
    return false;
  return any_of(static_cast<const InputDescription &>(*command).patterns,
                [](const SectionPattern &p) {
                  return p.isCommon() ||
                         is_contained({".bss", ".sbss", ".data", ".sdata"},
                                      plainPrefix(p.name.text).rtrim('.'));
                });
}

/// The statement of an output section that assigns a mark; the number of its
/// statements: none does.
static size_t statementOf(const Program &program, const OutputView &out,
                          const ReferredMark &mark) {
  return size_t(
      find_if(
          out.items,
          [&](const OutputItem &item) {
            return item.command &&
                   item.command->kind == CommandKind::Assignment &&
                   static_cast<const AssignmentCommand &>(*item.command).name ==
                       program.symbols[mark.symbol].name;
          }) -
      out.items.begin());
}

void checkOutsideMarks(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  const Program &program = link.program;
  for (const OutputView &out : link.outputsInOrder()) {
    if (!isFilledAtStart(out) || !out.command)
      continue;
    const ReferredSymbols &references = finished.references();
    const uint64_t begin = out.address.wrapped(),
                   end = out.place.end().wrapped();
    SmallVector<ReferredMark> marks;
    copy_if(references.marksIn(begin, end + 1), std::back_inserter(marks),
            [&](const ReferredMark &m) {
              return m.symbol != kNone &&
                     link.symbol(m.symbol).output == out.id;
            });
    if (marks.size() < 2)
      continue;
    const ReferredMark &low = marks.front(), &high = marks.back();
    const bool endsThere = // of a range that begins in the section
        none_of(references.marksIn(end, end + 16), [&](const ReferredMark &m) {
          return m.symbol != kNone &&
                 readMarkName(program.symbols[m.symbol].name).side ==
                     MarkName::End;
        });
    // Of an empty range both marks are in one place.
    const bool orphans = endsThere || low.value != high.value;
    const bool isLow = references.marksIn(begin, begin + 1).empty() &&
                       isNamedLikeAll(program, MarkName::Start, low),
               isHigh =
                   endsThere && isNamedLikeAll(program, MarkName::End, high);
    const size_t lowAt = isLow ? statementOf(program, out, low) : 0;
    for (size_t k = 0; k < out.items.size(); ++k) {
      const OutputItem &item = out.items[k];
      for (uint32_t i = item.begin; i < item.end; ++i) {
        const SectionId id = out.members[i];
        if (item.command ? !(isLow || isHigh) || !takesVariables(item.command)
                         : !orphans)
          break;
        if (!link.placed(id) || link.sizeOf(id) == 0)
          continue;
        const uint64_t at = link.addressOf(id).wrapped();
        const bool isBehind = at >= high.value && (!item.command || isHigh);
        const bool isInFront = item.command && isLow && k < lowAt &&
                               lowAt < out.items.size() && at < low.value;
        if (!isBehind && !isInFront)
          continue;
        const ReferredMark &mark = isBehind ? high : low;
        found.add([&] {
          return Message{
              program.sectionName(id) +
                  (item.command ? " is in '" : " joins '") + out.name +
                  "' at " + hex(at) +
                  (isBehind ? ", behind " : ", in front of ") +
                  markText(program, mark) +
                  (isBehind ? ", up to which" : ", from which") +
                  " start-up code " + (out.isNoBits() ? "clears" : "copies") +
                  ": its variables begin with the old contents of RAM",
              {std::string(
                   item.command
                       ? "its pattern is on the other side of the symbol"
                       : "no pattern of the script takes it") +
                   "; the symbol is referred to by " +
                   placeOf(program, mark.from),
               "write *(" + program.sections[id].parsed->name.str() +
                   (isBehind ? ") in front of" : ") behind") +
                   " the symbol's statement"}};
        });
      }
    }
  }
}

} // namespace xlink
