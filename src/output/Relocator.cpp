//===- Relocator.cpp ------------------------------------------------------===//
//
// Problem: every relocation of every placed section must be computed, checked
// and stored, in any order, on any thread, with the same result and messages.
//
// Method: the machine's table has each relocation's arithmetic; this file only
// gathers S, A, P, base and G. Values come from one array by (file, symbol),
// rows from one array by type. Errors are recorded as numbers, not described.
//
// Cost: two array reads, one row evaluation and one read-modify-write each.
//
//===----------------------------------------------------------------------===//
#include "output/Relocator.h"
#include "script/ScriptParser.h"
#include "sections/SettleContributions.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

/// The properties of a section that its relocations share.
struct Relocator::Site {
  SectionId id;
  uint64_t size; ///< of the section
  uint32_t cut;  ///< see Contribution
  FileId fileId;
  const InputFile &file;
  uint64_t address; ///< of the section's first byte
  bool alloc;
  unsigned word; ///< size of its words, when they are reversed; 0: they are not
  /// The value of a reference into a discarded section; nothing: an error.
  std::optional<uint64_t> tombstone;
  bool describesOnce; ///< see Relocator::describesOnce

  RelocationProblem problem(RelocationProblem::Kind kind,
                            uint32_t index) const {
    return {kind, id, index};
  }
};

/// The value that relocations subtract; nothing: the program has none.
static std::optional<uint64_t>
baseValue(const Link &link, const SymbolValues &values, const Base &base) {
  const Program &program = link.program;
  switch (base.kind) {
  case BaseKind::Cpu:
    return program.state.fieldBase;
  case BaseKind::Symbol:
    if (const SymbolId id = program.symbols.find(base.symbol);
        id != kNone && link.symbol(id).isDefined())
      return values.globals[id];
    break;
  case BaseKind::TlsStart:
    if (const OutputId first = link.info.threadLocalStart; first != kNone)
      return link.output(first).address.wrapped() + base.plus;
    break;
  case BaseKind::Got:
    if (program.gotSection != kNone)
      return link.addressOf(program.gotSection).wrapped();
    break;
  case BaseKind::Flag:
    break;
  }
  return std::nullopt;
}

Relocator::Relocator(const Link &link, const SymbolValues &values)
    : link(link), program(link.program), values(values) {
  const Target &target = *program.target;
  // Rows are in the order of their numbers, which are those of an Elf32_Rela.
  const ArrayRef<RelocationRow> known = target.relocations;
  rows.resize((known.empty() ? 0 : known.back().number + 1) + 1);
  for (const Base &base : target.bases)
    bases.push_back(baseValue(link, values, base));
  for (const RelocationRow &row : known) {
    rows[row.number] = CompiledRow(row, target, program.state);
    if (row.subtractsBase() && !row.usesBaseSymbol())
      rows[row.number].setBase(bases[row.base]);
  }
}

/// The value of -z dead-reloc-in-nonalloc; else 0, or 1 where 0 would end a
/// list. Unwind tables are ALLOC and still only describe other sections.
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

/// Whether a symbol's offset in its section with an addend lies behind the
/// section.
static bool isBeyond(const InputFile &file, const Relocation &rel) {
  const ParsedSymbol &sym = file.object->symbols[rel.symbol];
  return sym.value + uint64_t(rel.addend) >
         file.object->sections[sym.section].size;
}

RelocationTarget Relocator::targetOf(const InputFile &file,
                                     const Relocation &rel,
                                     bool describesOnce) const {
  const uint32_t slot = file.symbolBase + rel.symbol;
  const ValueKind kind = values.kind[slot];
  if (kind == ValueKind::Merged) {
    if (isBeyond(file, rel))
      return {.kind = kind, .beyond = true};
    // The addend selects the piece; the addend itself is then in S.
    const ParsedSymbol &sym = file.object->symbols[rel.symbol];
    const auto byte = link.whereIs(file.sectionBase + sym.section,
                                   sym.value + uint64_t(rel.addend));
    if (!byte)
      return {ValueKind::Discarded};
    return {kind, link.addressOf(byte->section).wrapped() + byte->offset, 0,
            byte->section};
  }
  if (describesOnce && kind == ValueKind::Normal)
    if (const SectionId home = program.sectionOf(file, rel.symbol);
        home != kNone && link.contributions.sections[home].folded != kNone)
      return {ValueKind::Discarded};
  return {kind, values.address[slot], rel.addend};
}

bool Relocator::describesOnce(const ParsedSection &section) const {
  return !link.contributions.folds.empty() &&
         section.name.starts_with(".debug_") && section.name != ".debug_line";
}

/// Whether an addend to a section's symbol leaves a mergeable section. Joined
/// with others by -r, it would select a piece of another input.
bool Relocator::isBeyondMergeable(const InputFile &file,
                                  const Relocation &rel) const {
  const ParsedSymbol &sym = file.object->symbols[rel.symbol];
  return program.symbolIds[file.symbolBase + rel.symbol] == kNone &&
         sym.type == ELF::STT_SECTION && sym.place == SymbolPlace::Section &&
         isBeyond(file, rel) &&
         isMergeable(link, file.sectionBase + sym.section);
}

/// Whether a symbol of the file is a place in a section.
bool Relocator::isPlace(const InputFile &file, uint32_t symbol) const {
  const SymbolId id = program.symbolIds[file.symbolBase + symbol];
  if (id == kNone)
    return file.object->symbols[symbol].place == SymbolPlace::Section;
  const SymbolKind kind = link.symbol(id).kind;
  return kind == SymbolKind::Defined || kind == SymbolKind::Output;
}

/// The sum of the relocation, of a type that the row names, at the symbol's
/// place; nothing: there is none.
std::optional<int64_t> Relocator::pairedValue(const InputFile &file,
                                              const Relocation &rel,
                                              const RelocationRow &row) const {
  const ParsedObject &object = *file.object;
  const ParsedSymbol &sym = object.symbols[rel.symbol];
  if (sym.place != SymbolPlace::Section)
    return std::nullopt;
  const ParsedSection &home = object.sections[sym.section];
  // Assemblers write relocations in the order of their places.
  uint32_t first = home.relocBegin, count = home.relocEnd - first;
  while (count > 0)
    if (const uint32_t half = count / 2;
        object.relocations[first + half].offset < sym.value) {
      first += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  for (; first < home.relocEnd; ++first) {
    const Relocation other = object.relocations[first];
    if (other.offset != sym.value)
      break;
    if (!is_contained(row.pair, other.type))
      continue;
    const CompiledRow &compiled = rowOf(other.type);
    const RelocationTarget target = targetOf(file, other, false);
    RelocationOperands ops;
    ops.S = target.S;
    ops.A = target.A;
    ops.place =
        link.addressOf(file.sectionBase + sym.section).wrapped() + other.offset;
    ops.undefinedWeak = target.kind == ValueKind::UndefinedWeak ||
                        target.kind == ValueKind::Undefined;
    return compiled.evaluate(ops).sum - int64_t(carries(*compiled.row()));
  }
  return std::nullopt;
}

/// Whether the entry in front, at the same place, names the vendor.
bool Relocator::isOfVendor(const InputFile &file, uint32_t index,
                           const Relocation &rel) const {
  if (index == 0)
    return false;
  const Relocation before = file.object->relocations[index - 1];
  return before.offset == rel.offset &&
         any_of(program.target->vendors, [&](const Vendor &vendor) {
           return before.type == vendor.number &&
                  file.object->symbols[before.symbol].name == vendor.name;
         });
}

/// The operands of a relocation, without the place.
RelocationOperands Relocator::operandsOf(const Site &site, uint32_t index,
                                         const Relocation &rel,
                                         const RelocationRow &row,
                                         const RelocationTarget &target,
                                         RelocationProblems &problems) const {
  const ValueKind kind = target.kind;
  RelocationOperands ops;
  ops.S = target.S;
  ops.A = target.A;
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
  // A description of code that was collected needs no number.
  if ((kind == ValueKind::Unresolved || kind == ValueKind::Recursive) &&
      (site.alloc || !program.config.gcSections))
    problems.push_back(site.problem(kind == ValueKind::Recursive
                                        ? RelocationProblem::Recursive
                                        : RelocationProblem::Unresolved,
                                    index));
  if (row.subtractsBase())
    ops.base = row.usesBaseSymbol() ? link.addresses.baseValues[row.base]
                                    : bases[row.base].value_or(0);
  if (row.addsSlot()) {
    ops.G = gotSlotOffset(link, site.fileId, rel.symbol);
    if (rel.addend != 0)
      problems.push_back(site.problem(RelocationProblem::SlotAddend, index));
  }
  return ops;
}

/// The offset of a relocation's field in the section's contribution; nothing
/// where the field was cut out, or crosses a reversed word.
std::optional<uint64_t> Relocator::placeOf(const Site &site, uint32_t index,
                                           const Relocation &rel,
                                           RelocationProblems &problems) const {
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

/// Stores the value of a relocation in its field. `bytes`: of the section.
void Relocator::apply(const Site &site, uint32_t index, uint8_t *bytes,
                      RelocationProblems &problems) const {
  const Relocation rel = site.file.object->relocations[index];
  const std::optional<uint64_t> offset = placeOf(site, index, rel, problems);
  if (!offset)
    return;
  uint8_t *field = bytes + *offset;
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
  const RelocationTarget target = targetOf(site.file, rel, site.describesOnce);
  // Reported with all its references; a weak one among them is 0.
  if (target.kind == ValueKind::Undefined &&
      program.config.unresolved == UnresolvedPolicy::Error &&
      site.file.object->symbols[rel.symbol].binding != ELF::STB_WEAK)
    return;
  if (target.kind == ValueKind::Discarded) {
    if (site.tombstone)
      deposit(*row, int64_t(*site.tombstone), field);
    else
      problems.push_back(site.problem(RelocationProblem::Discarded, index));
    return;
  }
  const bool kept = program.config.relocatable;
  if (kept ? isBeyondMergeable(site.file, rel) : target.beyond)
    problems.push_back(site.problem(RelocationProblem::BeyondMerged, index));
  if (kept || target.beyond)
    return;
  RelocationOperands ops = operandsOf(site, index, rel, *row, target, problems);
  ops.place = site.address + *offset;
  if (row->subtractsBase() && !row->usesBaseSymbol() && !bases[row->base])
    problems.push_back(site.problem(RelocationProblem::NoBase, index));
  if (isVendors(*program.target, rel.type) &&
      !isOfVendor(site.file, index, rel))
    problems.push_back(site.problem(RelocationProblem::OtherVendor, index));
  if (!row->pair.empty()) {
    const std::optional<int64_t> paired = pairedValue(site.file, rel, *row);
    if (!paired)
      problems.push_back(site.problem(RelocationProblem::NoPair, index));
    ops.S = uint64_t(paired.value_or(0));
    ops.A = 0;
  }
  ops.keepsAddress = takesAddressAt(*row, field);
  const RelocationOutcome outcome = compiled.evaluate(ops);
  if (outcome.fault != RelocationFault::None) {
    problems.push_back({RelocationProblem::Fault, site.id, index, ops});
    return;
  }
  deposit(*row, outcome, field);
  if (row->usesBaseSymbol() &&
      otherBase(link, site.file, rel.symbol, row->base) != kNone)
    problems.push_back(site.problem(RelocationProblem::OtherBase, index));
}

/// Applies a relocation that adds a defined symbol, as nearly all do, to a
/// section that stays as it is; false: it is of another kind, or fails.
bool Relocator::applyDirect(const Site &site, const Relocation &rel,
                            uint8_t *bytes) const {
  const CompiledRow &row = rowOf(rel.type);
  const size_t slot = site.file.symbolBase + rel.symbol;
  const ValueKind kind = values.kind[slot];
  uint64_t sum = values.address[slot] + uint64_t(rel.addend);
  if (!row.isDirect() ||
      (kind != ValueKind::Normal && kind != ValueKind::Merged))
    return false;
  if (kind == ValueKind::Merged) {
    const RelocationTarget target = targetOf(site.file, rel, false);
    if (target.kind != kind || target.beyond)
      return false;
    sum = target.S + uint64_t(target.A);
  }
  const RelocationOutcome outcome =
      row.compute(sum, site.address + rel.offset, row.fieldBase(), site.alloc);
  if (outcome.fault != RelocationFault::None)
    return false;
  row.store(outcome.V, bytes + rel.offset);
  return true;
}

void Relocator::relocate(SectionId id, uint64_t address,
                         MutableArrayRef<uint8_t> bytes,
                         RelocationProblems &problems) const {
  const InputSection &section = program.sections[id];
  const ParsedSection &parsed = *section.parsed;
  if (section.file == kNone)
    return;
  const unsigned word = reversedWordSize(link, id);
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
  const bool isPlain = !word && site.cut == kNone && !site.describesOnce &&
                       !program.config.relocatable;
  for (uint32_t i = parsed.relocBegin; i < parsed.relocEnd; ++i)
    if (!isPlain ||
        !applyDirect(site, file.object->relocations[i], bytes.data()))
      apply(site, i, bytes.data(), problems);
}

} // namespace xlink
