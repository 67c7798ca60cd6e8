//===- RelocationReport.cpp -----------------------------------------------===//
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
#include "output/Relocator.h"
#include "sections/SettleContributions.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace xlink {

uint32_t otherBase(const Link &link, const InputFile &file, uint32_t symbol,
                   uint32_t base) {
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

  Message compose(const RelocationProblem &problem) {
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
    return m;
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

  /// The message without the place in front.
  Message describe(const RelocationProblem &problem, const Relocation &rel) {
    const SectionView section = link.section(problem.section);
    const InputFile &in = program.files[section.file];
    const std::string symbol = symbolText(section.file, rel.symbol);
    const std::string type = relocationName(*program.target, rel.type);
    const std::string against = type + " against " + symbol;
    switch (problem.kind) {
    case RelocationProblem::UnknownType:
      return {against};
    case RelocationProblem::IgnoredType:
      return {against + ": bytes left as they are"};
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
      const uint8_t own = findRelocation(*program.target, rel.type)->base;
      const uint32_t other = otherBase(link, in, rel.symbol, own);
      return {against + " counts from " + bases[own].shortName +
                  "; its section belongs to " + bases[other].shortName,
              {definitionNote(section.file, rel.symbol)}};
    }
    case RelocationProblem::SplitWord:
      return {type + " is not inside of one word; the words of '" +
              section.parsed->name.str() + "' are reversed in '" +
              link.output(section.output).name + "'"};
    case RelocationProblem::NoBase: {
      const RelocationRow &row = *findRelocation(*program.target, rel.type);
      return {against + " counts from " + program.target->bases[row.base].name +
              ", which the program does not have"};
    }
    case RelocationProblem::NoPair: {
      const RelocationRow &row = *findRelocation(*program.target, rel.type);
      const ParsedSymbol &sym = in.object->symbols[rel.symbol];
      std::string where = "in a section";
      if (sym.place == SymbolPlace::Section)
        where = "at " + hex(link.addressOf(in.sectionBase + sym.section) +
                            Size(sym.value));
      return {type + ": no " +
              relocationName(*program.target, row.pair.front()) + " " + where +
              ", where " + symbol + " is"};
    }
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
};

} // namespace

void reportProblems(const Link &link, ArrayRef<RelocationProblems> lists,
                    Diagnostics &diag) {
  RelocationReport report(link);
  for (const RelocationProblems &problems : lists)
    for (const RelocationProblem &problem : problems) {
      auto message = [&] { return report.compose(problem); };
      switch (problem.kind) {
      case RelocationProblem::IgnoredType:
      case RelocationProblem::SlotAddend:
      case RelocationProblem::OtherBase:
        diag.warn(WarningGroup::Relocation, message);
        break;
      case RelocationProblem::Unresolved:
      case RelocationProblem::Recursive:
        diag.warn(WarningGroup::Expression, message);
        break;
      default:
        diag.error(message);
      }
    }
}

} // namespace xlink
