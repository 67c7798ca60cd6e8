//===- Icf.cpp ------------------------------------------------------------===//
//
// Problem: compilers make the same function many times, under many names. Two
// sections are the same when their bytes are, and when each relocation of one
// finds the same target as that of the other. The targets may be two functions
// that are the same in turn, also each other or themselves.
//
// Method: lld's, a refinement of partitions. At first all sections of one
// output section whose bytes, flags and relocations agree are one class, where
// references into sections that could be folded count as equal. Then, round
// after round, a class is split where such references lead to different
// classes, until nothing changes: the members of a class cannot be told apart.
// The first of a class, in the order of the output, stays.
//
// With `safe`, a section takes part only when its address is never compared:
// the object's table of address-significant symbols says so (.llvm_addrsig),
// or, where there is none, every relocation that refers to it is a call or a
// branch.
//
// Cost: a sort of all sections by their bytes; a pass over the
// relocations of classes that have two members or more for each round, of which
// there are as many as the longest chain of references needs. Nothing without
// the option.
//
//===----------------------------------------------------------------------===//
#include "placement/Placement.h"
#include "resolve/ScriptSymbols.h"
#include "sections/LiveGraph.h"
#include "sections/SettleContributions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/DataExtractor.h"
#include <map>

using namespace llvm;

namespace xlink {

namespace {

/// The target of a relocation, as far as that can be compared.
struct IcfTarget {
  enum Kind : uint8_t {
    Symbol,   ///< `id` is a symbol's key: it finds the same or it does not
    Value,    ///< the number `offset`
    Section,  ///< byte `offset` of the section `id`
    Candidate ///< byte `offset` of one that may be folded itself
  } kind = Symbol;
  uint64_t id = 0, offset = 0;
};

struct Icf {
  const Program &program;
  const Placement &placement;
  const std::vector<EhFrame> &frames;
  Contributions &contributions;
  const PartialLink link{program, placement, contributions};
  IdVector<SectionId, bool> excluded{};
  std::vector<SectionId> candidates = {};  ///< in the order of the output
  IdVector<SectionId, uint32_t> classOf{}; ///< kNone: no candidate
  std::vector<std::vector<SectionId>> classes = {};

  void exclude(SectionId id) {
    if (id != kNone)
      excluded[id] = true;
  }

  /// Functions of the same bytes may have different exception tables, and the
  /// descriptions of a function in memory may differ too.
  void excludeByFrames() {
    for (const EhFrame &frame : frames)
      for (const EhRecord &record : frame.records)
        if (!record.isCie() && record.relocEnd - record.relocBegin >
                                   uint32_t(record.function != kNone))
          exclude(describedSection(program, frame, record));
    for (SectionId id : program.sections.ids(1)) {
      const InputSection &s = program.sections[id];
      if (s.parsed && (s.parsed->flags & ELF::SHF_LINK_ORDER) &&
          (s.parsed->flags & ELF::SHF_ALLOC))
        exclude(linkedTo(program, id));
    }
  }

  /// Symbols that the user names, and the entry.
  void excludeByNames() {
    auto excludeSymbol = [&](SymbolId id) {
      if (id != kNone && program.symbols[id].kind == SymbolKind::Defined)
        exclude(program.symbols[id].section);
    };
    for (const std::string &name : program.config.keepUnique)
      excludeSymbol(program.symbols.find(name));
    if (program.target->entrySectionFirst)
      excludeSymbol(program.entrySymbol);
    if (program.config.icf != IcfLevel::Safe)
      return;
    for (StringRef name : symbolsReadByScript(program))
      excludeSymbol(program.symbols.find(name));
    for (const InputFile &file : program.files)
      for (const ExprEntry &entry : file.object->expressions)
        if (assigns(entry.meaning))
          for (const ExprOperand &operand : entry.operands)
            if (operand.kind == ExprOperand::Symbol)
              exclude(program.sectionOf(file, operand.value));
  }

  /// The table of symbols whose address matters, as compilers write it: numbers
  /// in LEB128. False: the object has none that could be trusted.
  bool readAddressTable(const InputFile &file) {
    const ParsedObject &object = *file.object;
    for (uint32_t i = 0; i < object.sections.size(); ++i) {
      const ParsedSection &s = object.sections[i];
      // Tools that renumber symbols without knowing the table leave no sh_link.
      if (s.type != ELF::SHT_LLVM_ADDRSIG || object.moreOf(i).link == 0)
        continue;
      const DataExtractor data(s.data(), /*IsLittleEndian=*/true, 8);
      DataExtractor::Cursor at(0);
      std::vector<uint64_t> symbols;
      while (at && !data.eof(at))
        symbols.push_back(data.getULEB128(at));
      const bool isWhole = !errorToBool(at.takeError());
      if (!isWhole || any_of(symbols, [&](uint64_t symbol) {
            return symbol >= object.symbols.size();
          }))
        return false;
      for (uint64_t symbol : symbols)
        exclude(program.sectionOf(file, uint32_t(symbol)));
      return true;
    }
    return false;
  }

  /// --icf=safe: excludes sections whose address is taken.
  void findAddressTaken() {
    for (const InputFile &file : program.files) {
      const ParsedObject &object = *file.object;
      if (readAddressTable(file))
        continue;
      for (uint32_t i = 1; i < object.sections.size(); ++i) {
        const ParsedSection &s = object.sections[i];
        if (!(s.flags & ELF::SHF_ALLOC) || s.name == ".eh_frame" ||
            !link.placed(file.sectionBase + i))
          continue;
        for (uint32_t r = s.relocBegin; r < s.relocEnd; ++r) {
          const Relocation &rel = object.relocations[r];
          const RelocationRow *row = findRelocation(*program.target, rel.type);
          if (!row || row->takesAddress ||
              (row->use != Use::Call && row->use != Use::Branch))
            exclude(program.sectionOf(file, rel.symbol));
        }
      }
    }
  }

  /// lld's conditions, and that nothing ties the section to its place.
  bool eligible(SectionId id) const {
    const InputSection &s = program.sections[id];
    if (!s.parsed || s.file == kNone || excluded[id] || !link.placed(id))
      return false;
    const ParsedSection &p = *s.parsed;
    const Contribution &c = contributions.sections[id];
    // Initialisers are run, and sections with names of C are walked through,
    // even if they are equal.
    return p.kind == SectionKind::Regular && p.type == ELF::SHT_PROGBITS &&
           (p.flags & ELF::SHF_ALLOC) &&
           !(p.flags & (ELF::SHF_WRITE | ELF::SHF_LINK_ORDER | ELF::SHF_TLS)) &&
           p.size != 0 && !p.isPiece && c.merge == kNone && c.cut == kNone &&
           !isCIdentifier(p.name) && p.name != ".init" && p.name != ".fini" &&
           p.name != ".eh_frame" && !placement.sections[id].keep &&
           !(program.target->retainFlag &&
             (p.flags & program.target->retainFlag)) &&
           !placement.laterMatches.count(id) && !reversedWordSize(link, id);
  }

  void collect() {
    classOf.resize(program.sections.size(), kNone);
    placement.forEachOutput([&](OutputId, const OutputSection &out) {
      for (SectionId id : out.members)
        if (eligible(id)) {
          candidates.push_back(id);
          classOf[id] = 0;
        }
    });
  }

  IcfTarget find(const InputSection &section, const Relocation &rel) const {
    const InputFile &file = program.files[section.file];
    const uint64_t key = program.symbolKey(section.file, rel.symbol);
    const IcfTarget itself{IcfTarget::Symbol, key, uint64_t(rel.addend)};
    const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
    const ParsedSymbol &local = file.object->symbols[rel.symbol];
    const RelocationRow *row = findRelocation(*program.target, rel.type);
    // A slot belongs to a symbol; the values that a script assigns are not
    // known yet.
    if (!row || row->addsSlot() ||
        (id != kNone && program.symbols[id].slot != kNone))
      return itself;
    const SectionId home = program.sectionOf(file, rel.symbol);
    if (home == kNone)
      return id == kNone && local.place == SymbolPlace::Absolute
                 ? IcfTarget{IcfTarget::Value, 0,
                             local.value + uint64_t(rel.addend)}
                 : itself;
    if (!link.placed(home))
      return itself;
    // Only a section symbol's addend selects the piece of merged ones.
    uint64_t at = id != kNone ? program.symbols[id].value : local.value;
    uint64_t rest = uint64_t(rel.addend);
    if (id == kNone && local.type == ELF::STT_SECTION) {
      at += rest;
      rest = 0;
    }
    if (contributions.sections[home].merge != kNone) {
      const auto byte = link.whereIs(home, at);
      return byte ? IcfTarget{IcfTarget::Section, byte->section.index(),
                              byte->offset + rest}
                  : itself;
    }
    return {classOf[home] != kNone ? IcfTarget::Candidate : IcfTarget::Section,
            home.index(), at + rest};
  }

  /// All that a section's class depends on, its bytes and the classes of
  /// candidates that it refers to aside.
  std::vector<uint64_t> propertiesOf(SectionId id) const {
    const InputSection &s = program.sections[id];
    const ParsedSection &p = *s.parsed;
    std::vector<uint64_t> result = {placement.sections[id].output.index(),
                                    p.flags, p.align, p.entsize};
    for (uint32_t r = p.relocBegin; r < p.relocEnd; ++r) {
      const Relocation &rel = program.files[s.file].object->relocations[r];
      const IcfTarget target = find(s, rel);
      const uint64_t to =
          target.kind == IcfTarget::Candidate ? uint64_t(kNone) : target.id;
      append_range(result, std::initializer_list<uint64_t>{rel.offset, rel.type,
                                                           target.kind, to,
                                                           target.offset});
    }
    return result;
  }

  /// The first classes, and the numbers of their members.
  void classify() {
    using Properties = std::pair<StringRef, std::vector<uint64_t>>;
    std::map<Properties, uint32_t> known;
    for (SectionId id : candidates) {
      const StringRef bytes = toStringRef(program.sections[id].parsed->data());
      const auto [it, isNew] = known.try_emplace({bytes, propertiesOf(id)},
                                                 uint32_t(classes.size()));
      if (isNew)
        classes.emplace_back();
      classes[it->second].push_back(id);
    }
    for (uint32_t c = 0; c < classes.size(); ++c)
      for (SectionId id : classes[c])
        classOf[id] = c;
  }

  /// Splits classes whose members refer to different ones. False: there are
  /// none.
  bool refine() {
    bool changed = false;
    for (size_t c = 0, count = classes.size(); c < count; ++c) {
      if (classes[c].size() < 2)
        continue;
      std::map<std::vector<uint32_t>, std::vector<SectionId>> byTargets;
      std::vector<const std::vector<SectionId> *> split; // by first member
      for (SectionId id : classes[c]) {
        const InputSection &s = program.sections[id];
        std::vector<uint32_t> targets;
        for (uint32_t r = s.parsed->relocBegin; r < s.parsed->relocEnd; ++r)
          if (const IcfTarget found =
                  find(s, program.files[s.file].object->relocations[r]);
              found.kind == IcfTarget::Candidate)
            targets.push_back(classOf[SectionId(uint32_t(found.id))]);
        std::vector<SectionId> &same = byTargets[targets];
        same.push_back(id);
        if (same.size() == 1)
          split.push_back(&same);
      }
      if (split.size() < 2)
        continue;
      changed = true;
      for (size_t i = 1; i < split.size(); ++i) {
        for (SectionId id : *split[i])
          classOf[id] = uint32_t(classes.size());
        classes.push_back(*split[i]);
      }
      classes[c] = *split[0];
    }
    return changed;
  }

  void fold() {
    for (SectionId id : candidates) {
      const std::vector<SectionId> &same = classes[classOf[id]];
      if (same.front() != id)
        continue;
      for (SectionId other : drop_begin(same)) {
        contributions.folds.emplace_back(id, other);
        contributions.sections[other].folded = id;
        contributions.sections[other].size = Size();
      }
    }
  }

  void run() {
    excluded.resize(program.sections.size());
    excludeByFrames();
    excludeByNames();
    if (program.config.icf == IcfLevel::Safe)
      findAddressTaken();
    collect();
    classify();
    while (refine())
      ;
    fold();
  }
};

} // namespace

void foldIdentical(const Program &program, const Placement &placement,
                   const std::vector<EhFrame> &frames,
                   Contributions &contributions) {
  if (program.config.icf != IcfLevel::None)
    Icf{program, placement, frames, contributions}.run();
}

Placement withoutFolded(const Program &program, Placement placement,
                        const Contributions &contributions) {
  if (contributions.folds.empty())
    return placement;
  auto isFolded = [&](SectionId id) {
    return contributions.sections[id].folded != kNone;
  };
  for (OutputSection &out : placement.outputs)
    removeMembers(out, isFolded);
  dropDependents(program, placement, isFolded);
  placement.number();
  return placement;
}

std::string foldedSectionsText(const Program &program,
                               const Contributions &contributions) {
  std::string text;
  SectionId last;
  for (auto [kept, folded] : contributions.folds) {
    if (kept != last)
      text += "selected section " + program.sectionName(kept) + "\n";
    last = kept;
    text +=
        "  removing identical section " + program.sectionName(folded) + "\n";
  }
  return text;
}

} // namespace xlink
