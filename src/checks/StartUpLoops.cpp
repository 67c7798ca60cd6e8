//===- StartUpLoops.cpp - what loops between two symbols miss -------------===//
//
// Problem: start-up code clears or copies the memory between two symbols of the
// script.
//
//   zero-end       The loop writes words, and an end (or start) is no multiple
//   of
//                  the machine's word: the last bytes keep what RAM had before,
//                  or the first ones of the neighbour are cleared; cores
//                  without unaligned stores fault. A program fails after some
//                  change of a variable's size.
//   outside-marks  A section that no pattern names (`.bss` beside `*(.bss.*)`,
//                  COMMON) joins the output section of its name behind the
//                  symbols, or `*(COMMON)`, `*(.data)` and the like stand
//                  outside of them: its variables are never cleared or copied.
//
// Method: marks of ReferredSymbols that lie in an output section which is
// cleared (without contents) or copied (stored elsewhere). A loop is an input
// section of code that refers to two marks. One that refers to memset, memcpy
// or the like has no loop of words.
//
// Silent: .noinit, which keeps its contents; sections of which the program
// refers to one mark or none, or to marks that delimit a part; for zero-end,
// room without variables, and tables that the code reads, since it does not
// refer to where they are stored. A statement
// outside of the marks is meant so, unless it takes all variables (`*(.bss*)`)
// and the marks are called like all of them.
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
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// Whether start-up code has to fill the section.
static bool isFilledAtStart(const OutputView &out) {
  return out.occupies() && !out.noload && !out.overlay &&
         !StringRef(out.name).contains("noinit") &&
         (out.isNoBits() ? (out.flags & ELF::SHF_WRITE) != 0
                         : out.loadAddress != out.address);
}

/// The code with a loop between two symbols; kNone: there is none.
static SectionId loopOf(const Program &program,
                        const ReferredSymbols &references, SymbolId a,
                        SymbolId b) {
  for (const ReferringPlace &from : references.of(a))
    if (from.section != kNone &&
        (program.sections[from.section].parsed->flags & ELF::SHF_EXECINSTR) &&
        any_of(references.of(b), [&](const ReferringPlace &other) {
          return other.section == from.section;
        }))
      return from.section;
  return {};
}

/// Whether a symbol is called like the start or the end of all variables that
/// are cleared or copied.
static bool isNamedLike(const Program &program, MarkName::Side side,
                        const ReferredMark &mark) {
  const MarkName name = readMarkName(program.symbols[mark.symbol].name);
  return name.side == side &&
         is_contained({"bss", "data", "zero", "zi"}, name.stem);
}

/// Whether an input section with bytes is there.
static bool hasInput(const Link &link, const OutputView &out) {
  return any_of(out.members, [&](SectionId id) {
    return link.placed(id) && link.sizeOf(id) != 0;
  });
}

/// Whether code refers to a value by a symbol.
static bool isReferredFrom(const ReferredSymbols &references, SectionId code,
                           uint64_t value) {
  return any_of(
      references.marksIn(value, value + 1), [&](const ReferredMark &m) {
        return m.symbol != kNone &&
               any_of(references.of(m.symbol), [&](const ReferringPlace &from) {
                 return from.section == code;
               });
      });
}

void checkZeroEnds(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  const Program &program = link.program;
  const uint64_t word = program.target->word;
  if (word < 2)
    return;
  for (const OutputView &out : link.outputsInOrder()) {
    if (!isFilledAtStart(out))
      continue;
    const uint64_t begin = out.address.wrapped(),
                   end = out.place.end().wrapped();
    const ReferredSymbols &references = finished.references();
    const ArrayRef<ReferredMark> marks = references.marksIn(begin, end + 1);
    // The end is the highest mark, the start the lowest one.
    if (marks.empty() || marks.back().symbol == kNone ||
        marks.front().symbol == kNone ||
        marks.back().value == marks.front().value)
      continue;
    const ReferredMark &first = marks.front(), &last = marks.back();
    // Others delimit a table in the section.
    if (first.value - begin >= word || end - last.value >= word)
      continue;
    const ReferredMark &odd = last.value % word ? last : first;
    if (odd.value % word == 0)
      continue;
    const SectionId loop =
        loopOf(program, references, first.symbol, last.symbol);
    if (loop == kNone || callsLibrary(program, loop) ||
        !(out.isNoBits() ? hasInput(link, out)
                         : isNamedLike(program, MarkName::Start, first) ||
                               isReferredFrom(references, loop,
                                              out.loadAddress.wrapped())))
      continue;
    found.add([&] {
      const std::string size = std::to_string(word);
      return Message{
          markText(program, odd) + " is no multiple of " + size +
              ": start-up code that fills '" + out.name +
              "' word by word leaves its last bytes, overwrites what follows, "
              "or faults",
          {"referred to by " +
               placeOf(program, references.of(odd.symbol).front()),
           &odd == &last ? "write '. = ALIGN(" + size + ");' in front of '" +
                               program.symbols[odd.symbol].name.str() + " = .;'"
                         : "write '" + out.name + " : ALIGN(" + size + ")'"}};
    });
  }
}

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
                       isNamedLike(program, MarkName::Start, low),
               isHigh = endsThere && isNamedLike(program, MarkName::End, high);
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
                  ": its variables begin with what RAM had before",
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
