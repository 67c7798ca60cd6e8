//===- SymbolValues.cpp ---------------------------------------------------===//
//
// Problem: millions of relocations ask for the value of (file, symbol index).
// Following file -> symbol -> section -> output section for each of them costs
// three times what one array does.
//
// Method: globals first, in runs of SymbolIds; then, file by file, one value
// and one kind for each symbol index. Runs and files are shared out to threads.
//
// Cost: one pass over all symbols, 9 bytes each.
//
//===----------------------------------------------------------------------===//
#include "layout/SymbolValues.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Globals that one thread takes at a time.
static constexpr size_t kGlobalsOfRun = 4096;

static ValueKind kindOf(Resolution resolution) {
  switch (resolution) {
  case Resolution::Known:
    break;
  case Resolution::Undefined:
    return ValueKind::Unresolved;
  case Resolution::Recursive:
    return ValueKind::Recursive;
  }
  return ValueKind::Normal;
}

static ValueKind kindOf(const Link &link, const BoundSymbol &s) {
  switch (s.kind) {
  case SymbolKind::Defined:
    return link.placed(s.section) && !link.isDeadPiece(s.section, s.value)
               ? ValueKind::Normal
               : ValueKind::Discarded;
  case SymbolKind::Absolute:
  case SymbolKind::Output:
    return kindOf(s.resolution);
  default:
    return s.strongReference ? ValueKind::Undefined : ValueKind::UndefinedWeak;
  }
}

static void computeFile(const Link &link, FileId f,
                        const IdVector<SymbolId, ValueKind> &kinds,
                        SymbolValues &values) {
  const InputFile &file = link.program.files[f];
  const ParsedObject &object = *file.object;
  for (uint32_t i = 0; i < object.symbols.size(); ++i) {
    uint32_t slot = file.symbolBase + i;
    uint64_t &address = values.address[slot];
    ValueKind &kind = values.kind[slot];
    address = 0;
    kind = ValueKind::Normal;
    SymbolId id = link.program.symbolIds[slot];
    if (id != kNone) {
      address = values.globals[id];
      kind = kinds[id];
      continue;
    }
    const ParsedSymbol &sym = object.symbols[i];
    if (sym.place == SymbolPlace::Absolute) {
      address = sym.value;
      continue;
    }
    if (sym.place != SymbolPlace::Section) {
      // Symbol 0, and nameless undefined locals, are 0.
      continue;
    }
    const SectionId section = file.sectionBase + sym.section;
    if (!link.placed(section))
      kind = ValueKind::Discarded;
    else if (link.contents.sections[section].merge != kNone &&
             sym.type == ELF::STT_SECTION)
      kind = ValueKind::Merged;
    else if (link.isDeadPiece(section, sym.value))
      kind = ValueKind::Discarded;
    else
      address = link.addressOf(section, sym.value);
  }
}

SymbolValues computeSymbolValues(const Link &link) {
  const Program &program = link.program;
  SymbolValues values;
  values.globals.extend(program.symbols.size());
  IdVector<SymbolId, ValueKind> kinds(program.symbols.size());
  const size_t count = program.symbols.size();
  auto computeRun = [&](size_t run) {
    for (SymbolId id :
         idRange(SymbolId(run * kGlobalsOfRun),
                 SymbolId(std::min(count, (run + 1) * kGlobalsOfRun)))) {
      const BoundSymbol symbol = link.symbol(id);
      kinds[id] = kindOf(link, symbol);
      values.globals[id] =
          kinds[id] == ValueKind::Normal ? link.addressOf(symbol) : 0;
    }
  };
  program.parallel.forEach(divideCeil(count, kGlobalsOfRun), count * 64,
                           computeRun);
  values.address.resize(program.symbolIds.size());
  values.kind.resize(program.symbolIds.size());
  program.parallel.forEach(
      program.files.size(), program.symbolIds.size() * 32,
      [&](size_t f) { computeFile(link, FileId(f), kinds, values); });
  for (const LocalResult &r : link.geometry.localResults) {
    values.address[r.slot] = r.value;
    values.kind[r.slot] = kindOf(r.resolution);
  }
  return values;
}

} // namespace xlink
