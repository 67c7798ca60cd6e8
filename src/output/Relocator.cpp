//===- Relocator.cpp ------------------------------------------------------===//
//
// Problem: every relocation of every placed section must be computed, checked
// and stored, in any order, on any thread, with the same result and messages.
//
// Method: the machine's table says everything; this file only gathers S, A, P,
// base and G. Values come from one array by (file, symbol), rows from one array
// by type. What fails is recorded, not described. Nearly all relocations are a
// sum of defined symbol, addend and place in a section that stays as it is:
// there is one loop for these, which leaves all others to the general way. The
// values of a section's symbols are asked for together, and arrive together.
//
// Cost: two array reads, one row evaluation and one read-modify-write each.
//
//===----------------------------------------------------------------------===//
#include "output/Relocator.h"
#include "layout/BaseGroups.h"
#include "script/ScriptParser.h"
#include "sections/SettleContributions.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// What the relocations of one section have in common.
struct Relocator::Site {
  SectionId id;
  uint64_t size; ///< of the section
  uint32_t cut;  ///< see Contribution
  FileId fileId;
  const InputFile &file;
  uint64_t address; ///< of the section's first byte
  bool alloc;
  unsigned word; ///< size of its words, when they are reversed; 0: they are not
  /// What a reference into a discarded section reads; nothing: it is an error.
  std::optional<uint64_t> tombstone;
  bool describesOnce; ///< see Relocator::describesOnce

  RelocationProblem problem(RelocationProblem::Kind kind,
                            uint32_t index) const {
    return {kind, id, index};
  }
};

Relocator::Relocator(const Link &link, const SymbolValues &values)
    : link(link), program(link.program), values(values) {
  const Target &target = *program.target;
  // Rows are in the order of their numbers, which are those of an Elf32_Rela.
  const ArrayRef<RelocationRow> known = target.relocations;
  rows.resize((known.empty() ? 0 : known.back().number + 1) + 1);
  for (const RelocationRow &row : known)
    rows[row.number] = CompiledRow(row, target, program.state);
}

/// What -z dead-reloc-in-nonalloc says; else 0, or 1 where 0 would end a list.
/// Unwind tables are ALLOC and still only describe other sections.
static std::optional<uint64_t> tombstoneOf(const Config &config,
                                           const ParsedSection &section) {
  if (!(section.flags & ELF::SHF_ALLOC))
    for (const auto &[glob, value] : reverse(config.deadReferences))
      if (globMatch({glob, true}, section.name))
        return value;
  if (section.name == ".debug_loc" || section.name == ".debug_ranges")
    return 1;
  if (!(section.flags & ELF::SHF_ALLOC) || section.name == ".eh_frame")
    return 0;
  return std::nullopt;
}

/// What a relocation finds: of a merged section's symbol, whether the piece
/// that the addend selects is in the output.
ValueKind Relocator::kindOf(const InputFile &file, const Relocation &rel,
                            bool describesOnce) const {
  const ValueKind kind = values.kind[file.symbolBase + rel.symbol];
  if (describesOnce && kind == ValueKind::Normal && isFolded(file, rel.symbol))
    return ValueKind::Discarded;
  if (kind != ValueKind::Merged || !program.config.gcSections)
    return kind;
  const ParsedSymbol &sym = file.object->symbols[rel.symbol];
  const uint64_t offset = sym.value + uint64_t(rel.addend);
  return offset <= file.object->sections[sym.section].size &&
                 link.isDeadPiece(file.sectionBase + sym.section, offset)
             ? ValueKind::Discarded
             : kind;
}

bool Relocator::describesOnce(const ParsedSection &section) const {
  return !link.contributions.folds.empty() &&
         section.name.starts_with(".debug_") && section.name != ".debug_line";
}

/// Whether a symbol is defined in a section that an identical one stands for.
bool Relocator::isFolded(const InputFile &file, uint32_t symbol) const {
  const SectionId home = program.sectionOf(file, symbol);
  return home != kNone && link.contributions.sections[home].folded != kNone;
}

/// Whether an addend to a section's symbol leaves a mergeable section. Joined
/// with others by -r, it would select a piece of another input.
bool Relocator::isBeyondMergeable(const InputFile &file,
                                  const Relocation &rel) const {
  const ParsedSymbol &sym = file.object->symbols[rel.symbol];
  if (program.symbolIds[file.symbolBase + rel.symbol] != kNone ||
      sym.type != ELF::STT_SECTION || sym.place != SymbolPlace::Section)
    return false;
  const SectionId target = file.sectionBase + sym.section;
  return sym.value + uint64_t(rel.addend) >
             file.object->sections[sym.section].size &&
         isMergeable(link, target);
}

/// Whether a symbol of the file is a place in a section.
bool Relocator::isPlace(const InputFile &file, uint32_t symbol) const {
  const SymbolId id = program.symbolIds[file.symbolBase + symbol];
  if (id == kNone)
    return file.object->symbols[symbol].place == SymbolPlace::Section;
  const SymbolKind kind = link.symbol(id).kind;
  return kind == SymbolKind::Defined || kind == SymbolKind::Output;
}

/// S, A, base and G of a relocation that finds `kind`; nothing where there is
/// no S, which is recorded.
std::optional<RelocationOperands>
Relocator::operandsOf(const Site &site, uint32_t index,
                      const RelocationRow &row, ValueKind kind,
                      RelocationProblems &problems) const {
  const Relocation &rel = site.file.object->relocations[index];
  RelocationOperands ops;
  ops.S = values.address[site.file.symbolBase + rel.symbol];
  ops.A = rel.addend;
  ops.alloc = site.alloc;
  ops.undefinedWeak =
      kind == ValueKind::UndefinedWeak || kind == ValueKind::Undefined;
  const UnresolvedPolicy policy = program.config.unresolved;
  ops.undefinedAccepted =
      ops.undefinedWeak &&
      policy >= (kind == ValueKind::Undefined ? UnresolvedPolicy::Warn
                                              : UnresolvedPolicy::Ignore);
  if (row.use == Use::Branch && !program.target->memories.empty())
    ops.inSection = isPlace(site.file, rel.symbol);
  if (kind == ValueKind::Merged) {
    // The addend selects the piece; what remains of it is already in S.
    const ParsedSymbol &sym = site.file.object->symbols[rel.symbol];
    const uint64_t offset = sym.value + uint64_t(rel.addend);
    const SectionId target = site.file.sectionBase + sym.section;
    if (offset > program.sections[target].parsed->size) {
      problems.push_back(site.problem(RelocationProblem::BeyondMerged, index));
      return std::nullopt;
    }
    ops.S = link.addressOf(target, offset);
    ops.A = 0;
  }
  // What only describes code that was collected needs no number.
  if ((kind == ValueKind::Unresolved || kind == ValueKind::Recursive) &&
      (site.alloc || !program.config.gcSections))
    problems.push_back(site.problem(kind == ValueKind::Recursive
                                        ? RelocationProblem::Recursive
                                        : RelocationProblem::Unresolved,
                                    index));
  if (row.usesBaseSymbol())
    ops.base = link.addresses.baseValues[row.base];
  if (row.addsSlot()) {
    ops.G = gotSlotOffset(link, site.fileId, rel.symbol);
    if (rel.addend != 0)
      problems.push_back(site.problem(RelocationProblem::SlotAddend, index));
  }
  return ops;
}

/// Stores the value of a relocation in its field, which is `offset` behind the
/// section's first byte.
void Relocator::apply(const Site &site, uint32_t index, uint64_t offset,
                      uint8_t *field, RelocationProblems &problems) const {
  const Relocation &rel = site.file.object->relocations[index];
  const CompiledRow &compiled = rowOf(rel.type);
  const RelocationRow *row = compiled.row();
  if (!row) {
    problems.push_back(site.problem(site.alloc ? RelocationProblem::UnknownType
                                               : RelocationProblem::IgnoredType,
                                    index));
    return;
  }
  if (!row->hasField())
    return;
  const ValueKind kind = kindOf(site.file, rel, site.describesOnce);
  // Reported with all its references; a weak one among them is 0.
  if (kind == ValueKind::Undefined &&
      program.config.unresolved == UnresolvedPolicy::Error &&
      site.file.object->symbols[rel.symbol].binding != ELF::STB_WEAK)
    return;
  if (kind == ValueKind::Discarded) {
    if (site.tombstone)
      deposit(*row, int64_t(*site.tombstone), field);
    else
      problems.push_back(site.problem(RelocationProblem::Discarded, index));
    return;
  }
  if (program.config.relocatable) { // the relocation is kept
    if (isBeyondMergeable(site.file, rel))
      problems.push_back(site.problem(RelocationProblem::BeyondMerged, index));
    return;
  }
  std::optional<RelocationOperands> ops =
      operandsOf(site, index, *row, kind, problems);
  if (!ops)
    return;
  ops->place = site.address + offset;
  ops->keepsAddress = takesAddressAt(*row, field);
  const RelocationOutcome outcome = compiled.evaluate(*ops);
  if (outcome.fault != RelocationFault::None) {
    problems.push_back({RelocationProblem::Fault, site.id, index, *ops});
    return;
  }
  deposit(*row, outcome.V, field);
  if (row->usesBaseSymbol() &&
      otherBase(link, site.file, rel.symbol, row->base) != kNone)
    problems.push_back(site.problem(RelocationProblem::OtherBase, index));
}

/// Where a relocation's field is in what the section contributes; nothing where
/// it is nowhere.
std::optional<uint64_t> Relocator::placeOf(const Site &site, uint32_t index,
                                           RelocationProblems &problems) const {
  const Relocation &rel = site.file.object->relocations[index];
  if (site.word) {
    const RelocationRow *row = rowOf(rel.type).row();
    if (!row || row->bytes == 0)
      return rel.offset; // writes nothing, and may be at the section's end
    if (rel.offset % site.word + row->bytes <= site.word)
      return reversedOffset(rel.offset, site.size, site.word);
    problems.push_back(site.problem(RelocationProblem::SplitWord, index));
    return std::nullopt;
  }
  if (site.cut == kNone)
    return rel.offset;
  const KeptRange *range = link.contributions.cuts[site.cut].find(rel.offset);
  if (!range)
    return std::nullopt;
  return range->to + (rel.offset - range->begin);
}

/// Where the piece of a merged section is that a relocation selects; nothing:
/// there is none.
std::optional<uint64_t> Relocator::pieceAddress(const InputFile &file,
                                                uint32_t symbol,
                                                int64_t addend) const {
  const ParsedSymbol &sym = file.object->symbols[symbol];
  const uint64_t offset = sym.value + uint64_t(addend);
  if (offset > file.object->sections[sym.section].size)
    return std::nullopt;
  const auto byte = link.whereIs(file.sectionBase + sym.section, offset);
  if (!byte)
    return std::nullopt;
  return link.addressOf(byte->section).wrapped() + byte->offset;
}

/// Applies relocations of a section of which each byte is where it was, whose
/// copy is in `bytes`. What is asked for each of them is in variables here:
/// bytes that are written could be anybody's.
void Relocator::applyDirect(const Site &site, uint32_t begin, uint32_t end,
                            uint8_t *bytes,
                            RelocationProblems &problems) const {
  const InputFile &file = site.file;
  const Relocations::Run relocations = file.object->relocations.run(begin);
  const CompiledRow *const compiled = rows.data();
  const uint32_t noType = uint32_t(rows.size() - 1);
  const uint64_t *const addresses = values.address.data() + file.symbolBase;
  const ValueKind *const kinds = values.kind.data() + file.symbolBase;
  const uint64_t address = site.address;
  // What the last one selected of a merged section. Several in a row select
  // the same: the halves of an address.
  uint32_t lastSymbol = UINT32_MAX; // none yet
  int64_t lastAddend = 0;
  uint64_t piece = 0;
  const auto ask = [&](uint32_t i) {
    const uint32_t symbol = relocations[i].symbol;
    __builtin_prefetch(addresses + symbol);
    __builtin_prefetch(kinds + symbol);
  };
  constexpr uint32_t kAhead = 16;
  const uint32_t count = end - begin;
  for (uint32_t i = 0; i < std::min(count, kAhead); ++i)
    ask(i);
  for (uint32_t i = 0; i < count; ++i) {
    if (i + kAhead < count)
      ask(i + kAhead);
    const Relocation rel = relocations[i];
    assert(rel.symbol < file.object->symbols.size());
    const ValueKind kind = kinds[rel.symbol];
    uint64_t sum = addresses[rel.symbol] + uint64_t(rel.addend);
    if (kind == ValueKind::Merged) {
      if (lastSymbol != rel.symbol || lastAddend != rel.addend) {
        const std::optional<uint64_t> found =
            pieceAddress(file, rel.symbol, rel.addend);
        if (!found) {
          applyAny(site, begin + i, bytes, problems);
          continue;
        }
        lastSymbol = rel.symbol;
        lastAddend = rel.addend;
        piece = *found;
      }
      sum = piece;
    }
    const CompiledRow &row = compiled[std::min(rel.type, noType)];
    if (row.isDirect() &&
        (kind == ValueKind::Normal || kind == ValueKind::Merged)) {
      const RelocationOutcome outcome =
          row.compute(sum, address + rel.offset, row.fieldBase(), site.alloc);
      if (outcome.fault == RelocationFault::None) {
        row.store(outcome.V, bytes + rel.offset);
        continue;
      }
    }
    applyAny(site, begin + i, bytes, problems);
  }
}

/// Applies one of any kind.
void Relocator::applyAny(const Site &site, uint32_t index, uint8_t *bytes,
                         RelocationProblems &problems) const {
  if (std::optional<uint64_t> offset = placeOf(site, index, problems))
    apply(site, index, *offset, bytes + *offset, problems);
}

void Relocator::relocate(SectionId id, uint64_t address,
                         MutableArrayRef<uint8_t> bytes, bool mayReverse,
                         RelocationProblems &problems) const {
  const InputSection &section = program.sections[id];
  const ParsedSection &parsed = *section.parsed;
  if (section.file == kNone)
    return;
  const unsigned word = mayReverse ? reversedWordSize(link, id) : 0;
  if (word && bytes.size() % word) {
    problems.push_back({RelocationProblem::OddWords, id});
    return;
  }
  if (parsed.relocBegin == parsed.relocEnd)
    return;
  const InputFile &file = program.files[section.file];
  const Site site = {id,
                     bytes.size(),
                     link.contributions.sections[id].cut,
                     section.file,
                     file,
                     address,
                     bool(parsed.flags & ELF::SHF_ALLOC),
                     word,
                     tombstoneOf(program.config, parsed),
                     describesOnce(parsed)};
  if (!word && site.cut == kNone && !site.describesOnce &&
      !program.config.relocatable)
    return applyDirect(site, parsed.relocBegin, parsed.relocEnd, bytes.data(),
                       problems);
  for (uint32_t i = parsed.relocBegin; i < parsed.relocEnd; ++i)
    applyAny(site, i, bytes.data(), problems);
}

} // namespace xlink
