//===- Relocator.cpp ------------------------------------------------------===//
//
// Problem: every relocation of every placed section must be computed, checked
// and stored, in any order, on any thread, with the same result and messages.
//
// Method: the machine's table says everything; this file only gathers S, A, P,
// base and G. Values come from one array by (file, symbol), rows from one array
// by type.
//
// Cost: two array reads, one row evaluation and one read-modify-write each.
//
//===----------------------------------------------------------------------===//
#include "output/Relocator.h"
#include "layout/BaseGroups.h"
#include "layout/ReversedWords.h"
#include "layout/SyntheticSections.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

Relocator::Relocator(const Link &link, const SymbolValues &values)
    : link(link), program(link.program), values(values),
      rows(*link.program.target) {}

std::string Relocator::where(SectionId id, const Relocation &rel) const {
  return program.place(id, rel.offset) + ": ";
}

std::string Relocator::symbolText(FileId file, uint32_t symbol) const {
  const InputFile &f = program.files[file];
  const ParsedSymbol &sym = f.object->symbols[symbol];
  if (!sym.name.empty())
    return "'" + sym.name.str() + "'";
  if (sym.place == SymbolPlace::Section)
    return "section " + f.object->sections[sym.section].name.str();
  return "symbol " + std::to_string(symbol);
}

std::vector<std::string> Relocator::definitionNote(FileId file,
                                                   uint32_t symbol) const {
  const InputFile &f = program.files[file];
  SymbolId id = program.symbolIds[f.symbolBase + symbol];
  std::string text = "references " + symbolText(file, symbol);
  const ParsedSymbol &sym = f.object->symbols[symbol];
  if (id == kNone) {
    if (sym.place == SymbolPlace::Section && !sym.name.empty())
      text += " defined in " +
              program.place(f.sectionBase + sym.section, sym.value);
    return {text};
  }
  const BoundSymbol s = link.symbol(id);
  if (s.kind == SymbolKind::Defined)
    text += " defined in " + program.place(s.section, s.value);
  else if (s.kind == SymbolKind::Output)
    text += " in output section " + link.output(s.output).name;
  else if (s.kind == SymbolKind::Absolute && s.scriptDefined)
    text += ", assigned by a script or --defsym";
  else if (s.kind == SymbolKind::Absolute && s.file != kNone)
    text += ", absolute, of " + program.fileName(s.file);
  return {text};
}

/// What a relocation finds: of a merged section's symbol, whether the piece
/// that the addend selects is in the output.
ValueKind Relocator::kindOf(FileId f, const Relocation &rel) const {
  const InputFile &file = program.files[f];
  const ValueKind kind = values.kind[file.symbolBase + rel.symbol];
  if (kind != ValueKind::Merged || !program.config.gcSections)
    return kind;
  const ParsedSymbol &sym = file.object->symbols[rel.symbol];
  const uint64_t offset = sym.value + uint64_t(rel.addend);
  return offset <= file.object->sections[sym.section].size &&
                 link.isDeadPiece(file.sectionBase + sym.section, offset)
             ? ValueKind::Discarded
             : kind;
}

void Relocator::apply(SectionId id, const Relocation &rel, uint64_t place,
                      bool alloc, uint64_t tombstone, uint8_t *field,
                      DiagnosticBuffer &diag) const {
  const RelocationRow *row = rows.find(rel.type);
  const SectionView section = link.section(id);
  if (!row) {
    std::string text = where(id, rel) +
                       relocationName(*program.target, rel.type) + " against " +
                       symbolText(section.file, rel.symbol);
    if (alloc)
      diag.error(text);
    else
      diag.warn(WarningGroup::Relocation, text + ": bytes left as they are");
    return;
  }
  if (row->formula == Formula::None)
    return;

  const InputFile &file = program.files[section.file];
  uint32_t slot = file.symbolBase + rel.symbol;
  RelocationOperands ops;
  ops.A = rel.addend;
  ops.place = place;
  ops.alloc = alloc;
  ops.S = values.address[slot];
  switch (kindOf(section.file, rel)) {
  case ValueKind::Normal:
    break;
  case ValueKind::UndefinedWeak:
    ops.undefinedWeak = true;
    break;
  case ValueKind::Undefined:
    // Reported with all its references; a weak one among them is 0.
    if (file.object->symbols[rel.symbol].binding != ELF::STB_WEAK &&
        program.config.unresolved == UnresolvedPolicy::Error)
      return;
    ops.undefinedWeak = true;
    break;
  case ValueKind::Discarded:
    if (!alloc || tombstone != kNone) {
      deposit(*row, int64_t(tombstone == kNone ? 0 : tombstone), field);
      return;
    }
    diag.error(where(id, rel) +
                   "relocation refers to a symbol in a discarded section: " +
                   symbolText(section.file, rel.symbol),
               definitionNote(section.file, rel.symbol));
    return;
  case ValueKind::Merged: {
    // The addend selects the piece; what remains of it is already in S.
    const ParsedSymbol &sym = file.object->symbols[rel.symbol];
    uint64_t offset = sym.value + uint64_t(rel.addend);
    SectionId target = file.sectionBase + sym.section;
    if (offset > program.sections[target].parsed->size) {
      diag.error(where(id, rel) + "relocation refers to offset " + hex(offset) +
                 " of mergeable section " + program.sectionName(target) +
                 ", which ends at " +
                 hex(program.sections[target].parsed->size));
      return;
    }
    ops.S = link.addressOf(target, offset);
    ops.A = 0;
    break;
  }
  case ValueKind::Unresolved:
    // What only describes code that was collected needs no number.
    if (!alloc && program.config.gcSections)
      break;
    diag.warn(WarningGroup::Expression,
              where(id, rel) + "the link-time value of " +
                  symbolText(section.file, rel.symbol) +
                  " depends on an undefined symbol: 0 is used");
    break;
  }
  if (row->formula == Formula::BaseRel && row->base != kFieldBase)
    ops.base = link.geometry.baseValues[row->base];
  if (row->formula == Formula::GotOffset) {
    ops.G = gotSlotOffset(link, section.file, rel.symbol);
    if (rel.addend != 0)
      diag.warn(WarningGroup::Relocation,
                where(id, rel) + relocationName(*program.target, rel.type) +
                    " against " + symbolText(section.file, rel.symbol) +
                    " has addend " + std::to_string(rel.addend) +
                    ", which reaches another slot");
  }

  RelocationOutcome outcome =
      evaluate(*row, *program.target, program.state, ops);
  if (outcome.fault == RelocationFault::None) {
    deposit(*row, outcome.V, field);
    return;
  }
  std::vector<std::string> notes = definitionNote(section.file, rel.symbol);
  if (row->hint && outcome.fault == RelocationFault::Range)
    notes.push_back(row->hint);
  if (row->formula == Formula::BaseRel && row->base != kFieldBase &&
      outcome.fault == RelocationFault::Range)
    if (auto limits = fieldLimits(*row))
      for (std::string &note : describeBaseGroup(
               link, row->base, uint64_t(limits->second + 1) << row->shift))
        notes.push_back(std::move(note));
  diag.error(where(id, rel) +
                 describeFault(*row, *program.target, ops, outcome),
             std::move(notes));
}

/// Where a relocation's field is when the section's words are reversed; nothing
/// and an error when it is not inside of one word.
std::optional<uint64_t> Relocator::reversedPlace(SectionId id,
                                                 const Relocation &rel,
                                                 unsigned word,
                                                 DiagnosticBuffer &diag) const {
  const RelocationRow *row = rows.find(rel.type);
  const SectionView section = link.section(id);
  if (!row || row->bytes == 0)
    return rel.offset; // writes nothing, and may be at the section's end
  if (rel.offset % word + row->bytes <= word)
    return reversedOffset(rel.offset, section.size, word);
  diag.error(where(id, rel) + relocationName(*program.target, rel.type) +
             " is not inside of one word; the words of '" +
             section.parsed->name.str() + "' are reversed in '" +
             link.output(section.output).name + "'");
  return std::nullopt;
}

void Relocator::relocate(SectionId id, MutableArrayRef<uint8_t> bytes,
                         DiagnosticBuffer &diag) const {
  const SectionView section = link.section(id);
  const ParsedSection &parsed = *section.parsed;
  if (section.file == kNone)
    return;
  const unsigned word = reversedWordSize(link, id);
  if (word && section.size % word) {
    diag.error(program.sectionName(id) + ": size " + hex(section.size) +
               " is not a multiple of " + std::to_string(word) +
               "; its words are reversed in '" +
               link.output(section.output).name + "'");
    return;
  }
  if (parsed.relocBegin == parsed.relocEnd)
    return;
  const ParsedObject &object = *program.files[section.file].object;
  uint64_t address = link.addressOf(id);
  bool alloc = parsed.flags & ELF::SHF_ALLOC;
  // What a reference into a discarded section reads: 0, or 1 where 0 would end
  // a list. Unwind tables are ALLOC and still only describe other sections.
  uint64_t tombstone = kNone;
  if (parsed.name == ".debug_loc" || parsed.name == ".debug_ranges")
    tombstone = 1;
  else if (!alloc || parsed.name == ".eh_frame")
    tombstone = 0;
  for (uint32_t i = parsed.relocBegin; i < parsed.relocEnd; ++i) {
    const Relocation &rel = object.relocations[i];
    uint64_t offset = rel.offset;
    if (section.cut != kNone) {
      const KeptRange *range = link.contents.cuts[section.cut].find(offset);
      if (!range)
        continue;
      offset = range->to + (offset - range->begin);
    }
    if (word) {
      std::optional<uint64_t> reversed = reversedPlace(id, rel, word, diag);
      if (!reversed)
        continue;
      offset = *reversed;
    }
    apply(id, rel, address + offset, alloc, tombstone, bytes.data() + offset,
          diag);
  }
}

} // namespace xlink
