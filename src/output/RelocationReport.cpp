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
#include "layout/BaseGroups.h"
#include "output/Relocator.h"
#include "sections/SettleContributions.h"

using namespace llvm;

namespace xlink {

namespace {

class RelocationReport {
public:
  explicit RelocationReport(const Link &link)
      : link(link), program(link.program), groups(link) {}

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
        for (std::string &note : groups.describe(
                 row.base, uint64_t(limits->second + 1) << row.shift))
          m.notes.push_back(std::move(note));
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
    case RelocationProblem::Fault:
    case RelocationProblem::OddWords:
      break;
    }
    return describeRange(problem, section.file, rel);
  }

  const Link &link;
  const Program &program;
  BaseGroupNotes groups;
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
