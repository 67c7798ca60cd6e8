//===- ZeroEnd.cpp - loops that end within a word -------------------------===//
//
// Problem: start-up code clears or copies the memory between two symbols of the
// script, word by word, and an end (or start) is no multiple of the machine's
// word: the last bytes keep the old contents of RAM, or the first ones of the
// neighbour are cleared; cores without unaligned stores fault. A program fails
// after some change of a variable's size.
//
// Method: marks of ReferredSymbols that lie in an output section which is
// cleared (without contents) or copied (stored elsewhere). A loop is an input
// section of code that refers to two marks. One that refers to memset, memcpy
// or the like has no loop of words.
//
// Silent: .noinit, which keeps its contents; sections of which the program
// refers to one mark or none, or to marks that delimit a part; room without
// variables; tables that code reads, which does not refer to where they are
// stored.
//
// Cost: a search among the marks for each output section.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"
#include "layout/Checks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

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
                         : isNamedLikeAll(program, MarkName::Start, first) ||
                               isReferredFrom(references, loop,
                                              out.loadAddress.wrapped())))
      continue;
    found.add([&] {
      const std::string size = std::to_string(word);
      return Message{
          markText(program, odd) + " is no multiple of " + size +
              ": start-up code that fills '" + out.name +
              "' word by word leaves its last bytes, overwrites its neighbour, "
              "or faults",
          {"referred to by " +
               placeOf(program, references.of(odd.symbol).front()),
           &odd == &last ? "write '. = ALIGN(" + size + ");' in front of '" +
                               program.symbols[odd.symbol].name.str() + " = .;'"
                         : "write '" + out.name + " : ALIGN(" + size + ")'"}};
    });
  }
}

} // namespace xlink
