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
#include <map>
#include <tuple>

using namespace llvm;

namespace xlink {

/// The group of the section of a symbol that `file` names, if it is another one
/// than `base`; else kNone. Symbols that the file defines itself are exempt, as
/// its compiler knew the section: compilers of XC count from cp to constants
/// that they put into the data region.
static uint32_t otherBase(const Link &link, const InputFile &file,
                          uint32_t symbol, uint32_t base) {
  const SymbolId id = link.program.symbolIds[file.symbolBase + symbol];
  if (id == kNone)
    return kNone;
  const BoundSymbol s = link.symbol(id);
  if (s.kind != SymbolKind::Defined || !link.placed(s.section) ||
      &link.program.files[s.file] == &file)
    return kNone;
  const uint32_t group =
      link.info.outputs[link.section(s.section).output].baseGroup;
  return group == base ? uint32_t(kNone) : group;
}

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

/// The alignment behind the filler of RelocationRow::alignsBehind.
static uint64_t alignmentBehind(const Relocation &rel) {
  return std::max<uint64_t>(NextPowerOf2(uint64_t(rel.addend)), 1);
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
  const bool kept = program.config.relocatable;
  if (!row || (row->isRefused() && !kept)) {
    problems.push_back(site.problem(site.alloc ? RelocationProblem::UnknownType
                                               : RelocationProblem::IgnoredType,
                                    index));
    return;
  }
  if (row->alignsBehind && site.alloc && !kept) {
    const uint64_t behind = site.address + *offset + uint64_t(rel.addend);
    if (uint64_t(rel.addend) > site.size - *offset ||
        behind % alignmentBehind(rel) != 0)
      problems.push_back(
          {RelocationProblem::Unaligned, site.id, index, {.place = behind}});
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

/// Applies the relocations of a section that stays as it is. Nearly all add a
/// defined symbol; apply() has the others, and those that fail. The variables
/// are the function's own: bytes that are written could be any member's.
void Relocator::applyDirect(const Site &site, uint32_t begin, uint32_t end,
                            uint8_t *bytes,
                            RelocationProblems &problems) const {
  const Relocations &relocations = site.file.object->relocations;
  const uint64_t *const addresses =
      values.address.data() + site.file.symbolBase;
  const ValueKind *const kinds = values.kind.data() + site.file.symbolBase;
  const ArrayRef<CompiledRow> compiled = rows;
  const uint64_t address = site.address;
  const bool alloc = site.alloc;
  // The piece that the last one selected: often several in a row do.
  RelocationTarget piece = {};
  uint32_t pieceSymbol = kNone;
  int64_t pieceAddend = 0;
  for (uint32_t i = begin; i < end; ++i) {
    const Relocation rel = relocations[i];
    const CompiledRow &row =
        compiled[std::min<size_t>(rel.type, compiled.size() - 1)];
    const ValueKind kind = kinds[rel.symbol];
    uint64_t sum = addresses[rel.symbol] + uint64_t(rel.addend);
    bool isDirect = row.isDirect() && kind == ValueKind::Normal;
    if (row.isDirect() && kind == ValueKind::Merged) {
      if (pieceSymbol != rel.symbol || pieceAddend != rel.addend)
        piece = targetOf(site.file, rel, false);
      pieceSymbol = rel.symbol;
      pieceAddend = rel.addend;
      sum = piece.S + uint64_t(piece.A);
      isDirect = piece.kind == kind && !piece.beyond;
    }
    if (!isDirect ||
        !row.apply(sum, address + rel.offset, alloc, bytes + rel.offset))
      apply(site, i, bytes, problems);
  }
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
  if (!word && site.cut == kNone && !site.describesOnce &&
      !program.config.relocatable)
    return applyDirect(site, parsed.relocBegin, parsed.relocEnd, bytes.data(),
                       problems);
  for (uint32_t i = parsed.relocBegin; i < parsed.relocEnd; ++i)
    apply(site, i, bytes.data(), problems);
}

//===----------------------------------------------------------------------===//
// Messages
//
// Problem: the text of a relocation error names a place, an arithmetic, a
// definition and the largest members of a group that is too large; of a hundred
// thousand such errors twenty are shown.
//
// Method: a record has the relocation's number and its operands; all else is in
// the frozen results and is looked up for the errors that will be shown. The
// size of a group and its largest members are measured once.
//
// Cost: a counter for each record; for each message some strings.
//
//===----------------------------------------------------------------------===//

namespace {

/// The size of a base symbol's group, and its largest members.
struct BaseGroupSize {
  BaseGroupSize(const Link &link, uint32_t group) {
    const char *lastMark = link.program.target->baseSymbols[group].lastMark;
    const Address begin = link.addresses.baseValues[group];
    Address end = begin;
    std::vector<SectionId> members;
    for (const OutputView &out : link.outputs()) {
      if (!out.kept || out.info.baseGroup != group)
        continue;
      end = std::max(end, out.address + out.size);
      anyLast |= lastMark && StringRef(out.name).contains(lastMark);
      for (SectionId member : out.members)
        if (link.placed(member) && link.sizeOf(member))
          members.push_back(member);
    }
    bytes = end.sizeFrom(begin);
    largest = link.largestNotes(std::move(members), 3);
  }
  uint64_t bytes = 0;
  std::vector<std::string> largest; ///< notes
  bool anyLast = false;             ///< something stands at the end already
};

class RelocationReport {
public:
  explicit RelocationReport(const Link &link)
      : link(link), program(link.program) {}

  /// `further`: problems of the object that share the message.
  Message compose(const RelocationProblem &problem, uint64_t further) {
    const SectionId id = problem.section;
    const SectionView section = link.section(id);
    if (problem.kind == RelocationProblem::OddWords)
      return {program.sectionName(id) + ": size " + hex(section.size) +
              " is not a multiple of " +
              std::to_string(reversedWordSize(link, id)) +
              "; its words are reversed in '" +
              link.output(section.output).name + "'"};
    const Relocation rel =
        program.files[section.file].object->relocations[problem.relocation];
    Message m = describe(problem, rel);
    m.text = program.place(id, rel.offset) + ": " + m.text;
    const std::string line = program.sourceLine(id, rel.offset);
    if (!line.empty())
      m.notes.insert(m.notes.begin(), "at " + line);
    if (further)
      m.notes.push_back("and " + std::to_string(further) + " more in " +
                        program.fileName(section.file));
    return m;
  }

  /// The number of problems like this one, of which an object has one message
  /// for each type of relocations; null: each has a message.
  uint64_t *alike(const RelocationProblem &problem) {
    if (problem.kind > RelocationProblem::Unaligned)
      return nullptr;
    const FileId file = program.sections[problem.section].file;
    const uint32_t type =
        program.files[file].object->relocations[problem.relocation].type;
    return &counts[{problem.kind, file, type}];
  }

  /// Values out of range for one type in one output section often have one
  /// cause. Other faults have each their own, "".
  std::string family(const RelocationProblem &problem) const {
    const SectionView section = link.section(problem.section);
    const ParsedObject &object = *program.files[section.file].object;
    const uint32_t type = object.relocations[problem.relocation].type;
    const RelocationRow &row = *findRelocation(*program.target, type);
    if (evaluate(row, *program.target, program.state, problem.operands).fault !=
        RelocationFault::Range)
      return "";
    return "relocations " + relocationName(*program.target, type) +
           " out of range in '" + link.output(section.output).name + "'";
  }

private:
  std::string symbolText(FileId file, uint32_t symbol) const {
    const InputFile &f = program.files[file];
    const ParsedSymbol &sym = f.object->symbols[symbol];
    if (!sym.name.empty())
      return "'" + program.shownName(sym.name) + "'";
    if (sym.place == SymbolPlace::Section)
      return "section " + f.object->sections[sym.section].name.str();
    return "symbol " + std::to_string(symbol);
  }

  /// The symbol's place, and of a COMDAT group the file whose copy was kept.
  std::vector<std::string> discardNotes(FileId file, uint32_t symbol) const {
    std::vector<std::string> notes = {definitionNote(file, symbol)};
    const InputFile &own = program.files[file];
    const ParsedSymbol &sym = own.object->symbols[symbol];
    const auto groupWith = [&](const ParsedGroup &group) {
      return sym.place == SymbolPlace::Section && group.comdat &&
             is_contained(group.members, sym.section);
    };
    const auto group = find_if(own.object->groups, groupWith);
    if (group == own.object->groups.end())
      return notes;
    for (const InputFile &first : program.files)
      if (any_of(first.object->groups, [&](const ParsedGroup &other) {
            return other.comdat && other.signature == group->signature;
          })) {
        if (&first != &own)
          notes.push_back("section group '" +
                          program.shownName(group->signature) +
                          "' is that of " + first.object->path +
                          "; its copy in " + own.object->path + " was dropped");
        break;
      }
    return notes;
  }

  std::string definitionNote(FileId file, uint32_t symbol) const {
    const InputFile &f = program.files[file];
    SymbolId id = program.symbolIds[f.symbolBase + symbol];
    std::string text = "references " + symbolText(file, symbol);
    const ParsedSymbol &sym = f.object->symbols[symbol];
    if (id == kNone) {
      if (sym.place == SymbolPlace::Section && !sym.name.empty())
        text += " defined in " +
                program.place(f.sectionBase + sym.section, sym.value) +
                program.atLine(f.sectionBase + sym.section, sym.value);
      return text;
    }
    const BoundSymbol s = link.symbol(id);
    if (s.kind == SymbolKind::Defined)
      text += " defined in " + program.place(s.section, s.value) +
              program.atLine(s.section, s.value);
    else if (s.kind == SymbolKind::Output)
      text += " in output section " + link.output(s.output).name;
    else if (s.kind == SymbolKind::Absolute && s.scriptDefined)
      text += ", assigned by a script or --defsym";
    else if (s.kind == SymbolKind::Absolute && s.file != kNone)
      text += ", absolute, of " + program.fileName(s.file);
    return text;
  }

  /// Which entry computes the value of a symbol.
  std::string expressionNote(FileId file, uint32_t symbol) const {
    if (SymbolId id =
            program.symbolIds[program.files[file].symbolBase + symbol];
        id != kNone) {
      file = program.symbols[id].file;
      symbol = program.symbols[id].index;
    }
    const ParsedObject &object = *program.files[file].object;
    for (const ExprEntry &entry : object.expressions)
      if (entry.result == symbol && assigns(entry.meaning))
        return "computed by entry " + std::to_string(entry.number) + " of " +
               object.path + "'s link-time expressions";
    return "computed by " + object.path;
  }

  /// The size of a base symbol's group, of which the field reaches `reach`
  /// bytes, its largest members, and the effect of moving to its end.
  void addGroupNotes(uint32_t group, uint64_t reach,
                     std::vector<std::string> &notes) {
    const BaseSymbol &base = program.target->baseSymbols[group];
    const BaseGroupSize &size =
        groups.try_emplace(group, link, group).first->second;
    const std::string name = base.shortName;
    notes.push_back(
        "the " + name + " region has " + std::to_string(size.bytes) +
        " bytes from " + hex(link.addresses.baseValues[group]) +
        (reach < size.bytes
             ? ", of which this form reaches " + std::to_string(reach)
             : ", all of which this form reaches: the symbol is not in it"));
    // Moving sections inside the region brings a symbol outside no nearer.
    if (reach >= size.bytes)
      return;
    llvm::append_range(notes, size.largest);
    if (base.lastMark)
      notes.push_back(std::string("sections with '") + base.lastMark +
                      "' in their name stand at the region's end" +
                      (size.anyLast ? "" : ", and there are none") +
                      ": large data there leaves room near " + name);
  }

  /// The sum that failed, and remedies.
  Message describeRange(const RelocationProblem &problem, FileId file,
                        const Relocation &rel) {
    const RelocationRow &row = *findRelocation(*program.target, rel.type);
    const RelocationOutcome outcome =
        evaluate(row, *program.target, program.state, problem.operands);
    Message m = {describeFault(row, *program.target, problem.operands, outcome),
                 {definitionNote(file, rel.symbol)}};
    if (outcome.fault != RelocationFault::Range)
      return m;
    if (row.hint)
      m.notes.push_back(row.hint);
    if (row.usesBaseSymbol())
      if (auto limits = fieldLimits(row))
        addGroupNotes(row.base, uint64_t(limits->second + 1) << row.shift,
                      m.notes);
    return m;
  }

  /// A part of a pair without the part at the place of its symbol.
  Message describeNoPair(FileId file, const Relocation &rel,
                         const RelocationRow &row) {
    const InputFile &in = program.files[file];
    const ParsedSymbol &sym = in.object->symbols[rel.symbol];
    std::string where = "in a section";
    if (sym.place == SymbolPlace::Section)
      where = "at " + hex(link.addressOf(in.sectionBase + sym.section) +
                          Size(sym.value));
    return {relocationName(*program.target, rel.type) + ": no " +
            relocationName(*program.target, row.pair.front()) + " " + where +
            ", where " + symbolText(file, rel.symbol) + " is"};
  }

  /// The message without the place in front.
  Message describe(const RelocationProblem &problem, const Relocation &rel) {
    const SectionView section = link.section(problem.section);
    const InputFile &in = program.files[section.file];
    const std::string symbol = symbolText(section.file, rel.symbol);
    const std::string type = relocationName(*program.target, rel.type);
    const std::string against = type + " against " + symbol;
    const RelocationRow *row = findRelocation(*program.target, rel.type);
    std::vector<std::string> advice;
    if (row && row->isRefused())
      advice.push_back(row->hint);
    switch (problem.kind) {
    case RelocationProblem::UnknownType:
      if (!row && !program.target->relocations.empty())
        advice.push_back(
            Twine(program.target->name).str() + " has types " +
            std::to_string(program.target->relocations.front().number) +
            " to " + std::to_string(program.target->relocations.back().number));
      return {row ? against + " is not supported" : against, advice};
    case RelocationProblem::IgnoredType:
      return {against + ": bytes left as they are", advice};
    case RelocationProblem::Unaligned:
      if (uint64_t(rel.addend) > section.size - rel.offset)
        return {type + ": the filler that its addend, " +
                std::to_string(rel.addend) +
                ", states is not inside of the section"};
      return {type + ": " + hex(problem.operands.place) +
                  ", behind its filler, is no multiple of " +
                  std::to_string(alignmentBehind(rel)),
              {row->hint}};
    case RelocationProblem::Discarded:
      return {"relocation refers to a symbol in a discarded section: " + symbol,
              discardNotes(section.file, rel.symbol)};
    case RelocationProblem::BeyondMerged: {
      const ParsedSymbol &sym = in.object->symbols[rel.symbol];
      const SectionId target = in.sectionBase + sym.section;
      return {"relocation refers to offset " +
              hex(sym.value + uint64_t(rel.addend)) + " of mergeable section " +
              program.sectionName(target) + ", which ends at " +
              hex(program.sections[target].parsed->size)};
    }
    case RelocationProblem::Unresolved:
      return {"the link-time value of " + symbol +
              " depends on an undefined symbol: 0 is used"};
    case RelocationProblem::Recursive:
      return {"the link-time value of " + symbol +
                  " depends on a recursion: 0 is used",
              {expressionNote(section.file, rel.symbol)}};
    case RelocationProblem::SlotAddend:
      return {against + " has addend " + std::to_string(rel.addend) +
              ", which reaches another slot"};
    case RelocationProblem::OtherBase: {
      const auto &bases = program.target->baseSymbols;
      const uint8_t own = row->base;
      const uint32_t other = otherBase(link, in, rel.symbol, own);
      return {against + " counts from " + bases[own].shortName +
                  "; its section belongs to " + bases[other].shortName,
              {definitionNote(section.file, rel.symbol)}};
    }
    case RelocationProblem::SplitWord:
      return {type + " is not inside of one word; the words of '" +
              section.parsed->name.str() + "' are reversed in '" +
              link.output(section.output).name + "'"};
    case RelocationProblem::NoBase:
      return {against + " counts from " +
              program.target->bases[row->base].name +
              ", which the program does not have"};
    case RelocationProblem::NoPair:
      return describeNoPair(section.file, rel, *row);
    case RelocationProblem::OtherVendor:
      return {against + " is a vendor's, and the relocation in front of it "
                        "names none that the machine file has"};
    case RelocationProblem::Fault:
    case RelocationProblem::OddWords:
      break;
    }
    return describeRange(problem, section.file, rel);
  }

  const Link &link;
  const Program &program;
  std::map<uint32_t, BaseGroupSize> groups;
  std::map<std::tuple<RelocationProblem::Kind, FileId, uint32_t>, uint64_t>
      counts; ///< see alike()
};

} // namespace

void reportProblems(const Link &link, ArrayRef<RelocationProblems> lists,
                    Diagnostics &diag) {
  RelocationReport report(link);
  for (const RelocationProblems &problems : lists)
    for (const RelocationProblem &problem : problems)
      if (uint64_t *count = report.alike(problem))
        ++*count;
  for (const RelocationProblems &problems : lists)
    for (const RelocationProblem &problem : problems) {
      uint64_t *const alike = report.alike(problem);
      const uint64_t count = alike ? std::exchange(*alike, 0) : 1;
      if (count == 0)
        continue;
      auto message = [&] { return report.compose(problem, count - 1); };
      switch (problem.kind) {
      case RelocationProblem::IgnoredType:
      case RelocationProblem::Unaligned:
      case RelocationProblem::SlotAddend:
      case RelocationProblem::OtherBase:
        diag.warn(WarningGroup::Relocation, message);
        break;
      case RelocationProblem::Unresolved:
      case RelocationProblem::Recursive:
        diag.warn(WarningGroup::Expression, message);
        break;
      case RelocationProblem::Fault:
        diag.error(report.family(problem), message);
        break;
      default:
        diag.error(message);
      }
    }
}

} // namespace xlink
