//===- VectorTable.cpp - interrupt tables that cannot be found ------------===//
//
// The register that holds the address of the interrupt table ignores its low
// bits. A table at another address than a multiple of its size, rounded up to a
// power of two, works for the first entries or not at all: the processor takes
// handlers from in front of it. It often begins with a boot loader that moves
// the program by a few hundred bytes.
//
// The machine says which sections are tables, and perhaps a smaller alignment
// (`vectors` in a machine file); other machines are silent. Sections that are
// called like them are tables too, and so is room for one in RAM: from a symbol
// of the script that is called so, and that code refers to, to the end of its
// section or the symbol for the table's end. A table may be in several input
// sections that follow each other. Programs with room for a copy in RAM, at an
// address that can be held, are silent.
//
// Cost: a look at the name of each input section and of each symbol of the
// script, for machines with tables.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "checks/ReferredSymbols.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

bool isVectorTable(const Program &program, StringRef section) {
  return any_of(program.target->vectors, [&](const char *pattern) {
    return globMatch({pattern, /*wild=*/true}, section);
  });
}

/// Whether there is room in RAM for a copy, at an address that can be held: the
/// program moves its table.
static bool isMoved(const Link &link, Size size, uint64_t align) {
  return any_of(link.outputs(), [&](const OutputView &out) {
    return out.occupies() && (out.flags & ELF::SHF_WRITE) && out.size >= size &&
           isNamedLikeVectors(out.name) &&
           out.address.alignedDown(align) == out.address;
  });
}

namespace {

struct VectorTables {
  const FinishedLink &finished;
  Findings &found;
  const Link &link = finished.link;
  const Program &program = link.program;

  bool isPart(SectionId id) const {
    const ParsedSection *parsed = program.sections[id].parsed;
    return link.placed(id) && link.sizeOf(id) != 0 && parsed &&
           (isVectorTable(program, parsed->name) ||
            (!(parsed->flags & ELF::SHF_EXECINSTR) &&
             isNamedLikeVectors(parsed->name)));
  }
  void check(const std::string &text, Address begin, Size size) {
    const uint64_t bytes = std::min<uint64_t>(size, uint64_t(1) << 63);
    const uint64_t align =
        program.target->vectorAlign
            ? program.target->vectorAlign
            : PowerOf2Ceil(std::max<uint64_t>(bytes, program.target->word));
    if (size == 0 || begin.alignedDown(align) == begin ||
        isMoved(link, size, align))
      return;
    found.add([&] {
      return Message{text + ", an interrupt table of " + std::to_string(size) +
                         " bytes, is at " + hex(begin) +
                         ", which is no multiple of " + std::to_string(align) +
                         ": the processor takes handlers from another place",
                     {"write '. = ALIGN(" + std::to_string(align) +
                      ");' in front of it, or move the region's ORIGIN"}};
    });
  }
  /// Whether the script writes the first entries: LONG(_stack_start).
  static bool beginsWithData(const OutputView &out) {
    for (const OutputItem &item : out.items)
      if (!item.command || item.command->kind != CommandKind::Assignment)
        return item.command && item.command->kind == CommandKind::Data;
    return false;
  }
  void checkSections(const OutputView &out) {
    for (size_t i = 0; i < out.members.size(); ++i) {
      const SectionId first = out.members[i];
      if (!isPart(first))
        continue;
      Address begin = link.addressOf(first);
      Address end = begin;
      if (i == 0 && beginsWithData(out))
        begin = out.address;
      for (; i < out.members.size() && isPart(out.members[i]); ++i)
        end = link.addressOf(out.members[i]) + link.sizeOf(out.members[i]);
      check(program.sectionName(first), begin, end.sizeFrom(begin));
    }
  }
  /// Room that the script sets aside.
  void checkRoom(SymbolId id) {
    const StringRef name = program.symbols[id].name;
    if (!StringRef(name.lower()).contains("vector") ||
        name.contains_insensitive("size") || name.contains_insensitive("load"))
      return;
    const MarkName mark = readMarkName(name);
    const BoundSymbol symbol = link.symbol(id);
    if (mark.side == MarkName::End || symbol.kind != SymbolKind::Output ||
        finished.references().of(id).empty())
      return;
    const OutputView out = link.output(symbol.output);
    const Address begin = Address(finished.values.globals[id]);
    Address end = out.place.end();
    for (SymbolId other : program.assignable) {
      const Address value = Address(finished.values.globals[other]);
      if (begin < value && value < end &&
          link.symbol(other).kind == SymbolKind::Output)
        if (const MarkName last = readMarkName(program.symbols[other].name);
            last.side == MarkName::End &&
            (last.stem == mark.stem || mark.side == MarkName::None))
          end = value;
    }
    // Sections there are a table if its end is known.
    const auto isInTable = [&](SectionId id) {
      return link.placed(id) && link.sizeOf(id) != 0 &&
             (isPart(id) ||
              (end == out.place.end() && begin <= link.addressOf(id)));
    };
    if (!out.occupies() || end <= begin || any_of(out.members, isInTable))
      return;
    check("'" + program.shownName(name) + "'", begin, end.sizeFrom(begin));
  }
};

} // namespace

void checkVectorAlignment(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  if (link.program.target->vectors.empty())
    return;
  VectorTables tables{finished, found};
  for (const OutputView &out : link.outputsInOrder())
    if (out.occupies())
      tables.checkSections(out);
  for (SymbolId id : link.program.assignable)
    tables.checkRoom(id);
}

// Sections of functions and objects have names of the program's:
// .text.vector_add is none, and .after_vectors holds code.
bool isNamedLikeVectors(StringRef name) {
  for (StringRef prefix : {".text.", ".rodata.", ".data.", ".bss.", ".after_"})
    if (name.starts_with(prefix))
      return false;
  const std::string lower = name.lower();
  const StringRef word = lower;
  // Constants of handlers, and tables that code reads.
  if (word.ends_with(".literal") || word.contains("sw_"))
    return false;
  return word.contains("vector") || word.contains("intvec") ||
         word.contains("exctbl") || word.ends_with("irq_table") ||
         word.ends_with("interrupts") || word.ends_with(".ivt") ||
         word.ends_with("isr_table");
}

} // namespace xlink
