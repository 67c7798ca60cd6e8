//===- SymbolValues.cpp ---------------------------------------------------===//
//
// Problem: millions of relocations read the value of (file, symbol index).
// Following file -> symbol -> section -> output section for each of them costs
// three times as much as one array.
//
// Method: globals first; then, file by file, one value and one kind for each
// symbol index. Threads share globals, and then files.
//
// Cost: one pass over all symbols, 9 bytes each.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "llvm/BinaryFormat/ELF.h"
#include <atomic>

using namespace llvm;

namespace xlink {

static ValueKind kindOf(Resolution resolution) {
  return resolution == Resolution::Undefined   ? ValueKind::Unresolved
         : resolution == Resolution::Recursive ? ValueKind::Recursive
                                               : ValueKind::Normal;
}

namespace {

/// A symbol's value for relocations.
struct ResolvedValue {
  ValueKind kind;
  uint64_t address = 0;
};

} // namespace

static ResolvedValue valueIn(const Link &link, SectionId section,
                             uint64_t offset) {
  if (link.placed(section))
    if (const auto byte = link.whereIs(section, offset))
      return {ValueKind::Normal,
              link.addressOf(byte->section).wrapped() + byte->offset};
  return {ValueKind::Discarded};
}

/// Of a global symbol.
static ResolvedValue valueOf(const Link &link, SymbolId id) {
  const Symbol &s = link.program.symbols[id];
  if (s.slot == kNone && s.kind == SymbolKind::Defined) // nearly all
    return valueIn(link, s.section, s.value);
  const BoundSymbol bound = link.symbol(id);
  switch (bound.kind) {
  case SymbolKind::Defined:
    return valueIn(link, bound.section, bound.value);
  case SymbolKind::Absolute:
  case SymbolKind::Output: {
    const ValueKind kind = kindOf(bound.resolution);
    return {kind, kind == ValueKind::Normal ? link.addressOf(bound) : 0};
  }
  default:
    return {bound.strongReference ? ValueKind::Undefined
                                  : ValueKind::UndefinedWeak};
  }
}

/// Of a local one. Symbol 0, and nameless undefined ones, are 0.
static ResolvedValue valueOf(const Link &link, const InputFile &file,
                             const ParsedSymbol &s) {
  if (s.place == SymbolPlace::Absolute)
    return {ValueKind::Normal, s.value};
  if (s.place != SymbolPlace::Section)
    return {ValueKind::Normal};
  const SectionId section = file.sectionBase + s.section;
  if (s.type == ELF::STT_SECTION && link.placed(section) &&
      link.contributions.sections[section].merge != kNone)
    return {ValueKind::Merged};
  return valueIn(link, section, s.value);
}

SymbolValues computeSymbolValues(const Link &link) {
  const Program &program = link.program;
  SymbolValues values;
  values.globals.resize(program.symbols.size());
  IdVector<SymbolId, ValueKind> kinds(program.symbols.size());
  std::atomic<bool> anyUndefined = false;
  program.symbols.forEach(program.parallel, [&](SymbolId id) {
    const ResolvedValue value = valueOf(link, id);
    kinds[id] = value.kind;
    values.globals[id] = value.address;
    if (value.kind == ValueKind::Undefined)
      anyUndefined = true;
  });
  values.anyUndefined = anyUndefined;
  values.address.resize(program.symbolIds.size());
  values.kind.resize(program.symbolIds.size());
  program.parallel.forEach(
      program.files.size(), program.symbolIds.size() * 32, [&](size_t f) {
        const InputFile &file = program.files[FileId(f)];
        for (uint32_t i = 0; i < file.object->symbols.size(); ++i) {
          const uint32_t slot = file.symbolBase + i;
          const SymbolId id = program.symbolIds[slot];
          const ResolvedValue value =
              id != kNone ? ResolvedValue{kinds[id], values.globals[id]}
                          : valueOf(link, file, file.object->symbols[i]);
          values.address[slot] = value.address;
          values.kind[slot] = value.kind;
        }
      });
  for (const LocalResult &r : link.addresses.localResults) {
    values.address[r.slot] = r.value;
    values.kind[r.slot] = kindOf(r.resolution);
  }
  return values;
}

} // namespace xlink
