//===- ReferenceChecks.cpp - references that are errors -------------------===//
//
// Problem: a message about an undefined name should show its references and the
// name that may have been meant.
//
// Method: every relocation of a placed section whose symbol is undefined counts
// for its name; names that the script reads were counted while it ran; places
// and spellings are only searched for shown messages. A near spelling takes a
// look at all names, so of thousands of undefined ones (--error-limit=0, a
// forgotten library) only the first get one. Before that come reasons that
// other names prove: one language that mangles the name and one that does not,
// and a local symbol.
//
// Cost: nothing without such names; else one visit of each relocation, one of
// the symbols of each file that a message names, and a bounded number of
// comparisons of names (SpellingHints).
//
// Code in one overlay must not refer to another one that may not be in memory:
// scripts list such output sections (NOCROSSREFS), and every relocation of
// their members is checked.
//
// A library marks functions that only pretend to work: a section
// .gnu.warning.SYMBOL is a warning about uses of SYMBOL, .gnu.warning one about
// linking the file. As in GNU ld a symbol is used if it is undefined and not
// weak in another file than the defining one, even if --gc-sections drops the
// use.
//
//===----------------------------------------------------------------------===//
#include "base/Diagnostics.h"
#include "layout/Checks.h"
#include "layout/EnclosingSymbols.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Undefined names that relocations need, with their references, in the order
/// of their first use.
static MapVector<SymbolId, FirstPlaces>
collectUses(const Link &link, const SymbolValues &values) {
  const Program &program = link.program;
  MapVector<SymbolId, FirstPlaces> uses;
  DenseSet<SymbolId> ignored;
  for (const std::string &name : program.config.ignoreUnresolved)
    if (SymbolId id = program.symbols.find(name); id != kNone)
      ignored.insert(id);
  auto use = [&](const InputFile &file, SectionId id, const Relocation &rel) {
    const uint32_t slot = file.symbolBase + rel.symbol;
    const SymbolId symbol = program.symbolIds[slot];
    if (symbol == kNone || values.kind[slot] != ValueKind::Undefined ||
        ignored.contains(symbol) || !link.keepsByte(id, rel.offset) ||
        file.object->symbols[rel.symbol].binding == ELF::STB_WEAK)
      return;
    const RelocationRow *row = findRelocation(*program.target, rel.type);
    if (row && row->hasField())
      uses[symbol].add(id, rel.offset);
  };
  for (const InputFile &file : program.files)
    for (uint32_t i = 0; i < file.object->sections.size(); ++i) {
      const ParsedSection &section = file.object->sections[i];
      if (link.placed(file.sectionBase + i))
        for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r)
          use(file, file.sectionBase + i, file.object->relocations[r]);
    }
  return uses;
}

/// The function's name without its parameters, of a name that C++ mangled.
static StringRef functionName(StringRef shown) {
  return shown.take_front(shown.find('('));
}

namespace {

/// Composes the messages of a link's undefined names.
struct UndefinedReport {
  using Notes = std::vector<std::string>;

  const Link &link;
  const Program &program;
  EnclosingSymbols enclosing;
  std::vector<StringRef> mangled; ///< defined names that C++ mangled
  SpellingHints hints;            ///< among defined names
  /// Local symbols by name, and the file of the first of them.
  DenseMap<StringRef, FileId> locals;
  unsigned looks = 100; ///< names that are still looked for among `mangled`

  UndefinedReport(const Link &link)
      : link(link), program(link.program), enclosing(link.program) {
    std::vector<StringRef> names;
    for (SymbolId id : program.symbols.ids())
      if (link.symbol(id).isDefined()) {
        const StringRef name = program.symbols[id].name;
        names.push_back(name);
        if (name.starts_with("_Z"))
          mangled.push_back(name);
      }
    hints = SpellingHints(std::move(names));
    for (FileId id : program.files.ids())
      for (const ParsedSymbol &s : program.files[id].object->symbols)
        if (s.binding == ELF::STB_LOCAL && s.place == SymbolPlace::Section &&
            s.type != ELF::STT_SECTION && s.type != ELF::STT_FILE)
          locals.try_emplace(s.name, id);
  }

  /// C++ mangles the names of functions unless they are extern "C": one side of
  /// a call from one language to the other forgot it.
  Notes otherLanguage(StringRef name) {
    auto meaning = [&](const std::string &text, SymbolId id) {
      return Notes{"did you mean: " + text,
                   "defined in: " + program.fileName(program.symbols[id].file)};
    };
    if (name.starts_with("_Z")) {
      const std::string shown = demangled(name);
      const StringRef plain = functionName(shown);
      const SymbolId id = program.symbols.find(plain);
      if (plain.size() == shown.size() || id == kNone ||
          !link.symbol(id).isDefined())
        return {};
      return meaning("extern \"C\" " + plain.str(), id);
    }
    if (looks == 0)
      return {};
    --looks;
    const std::string begin = "_Z" + std::to_string(name.size()) + name.str();
    for (const StringRef candidate : mangled) {
      if (!candidate.starts_with(begin))
        continue;
      const std::string shown = demangled(candidate);
      if (functionName(shown) == name)
        return meaning(shown + ", which is not declared extern \"C\"",
                       program.symbols.find(candidate));
    }
    return {};
  }

  /// The surest hint: a second one would only blur it.
  Notes hintsFor(StringRef name) {
    if (Notes notes = otherLanguage(name); !notes.empty())
      return notes;
    if (const auto found = locals.find(name); found != locals.end())
      return {"a local symbol of this name is defined in: " +
              program.fileName(found->second) +
              "; is it static, or without .globl?"};
    const std::string near = hints.near(name);
    if (near.empty())
      return {};
    const FileId file = program.symbols[program.symbols.find(near)].file;
    return {"did you mean: " + program.shownName(near),
            "defined in: " + program.fileName(file)};
  }

  /// Of a name that the script reads (null: it does not), or that relocations
  /// need (null: none does).
  Message compose(StringRef name, const UndefinedNames::Use *read,
                  const FirstPlaces *uses) {
    Message m;
    const std::string shown = program.shownName(name);
    m.text =
        read ? locationText(read->first) + "undefined symbol '" + shown + "'"
             : "undefined symbol: " + shown;
    uint64_t more = read ? read->places - 1 : 0;
    if (uses) {
      enclosing.addReferences(*uses, m.notes);
      more += uses->count - uses->first.size();
    }
    if (more)
      m.notes.push_back(
          read ? "and " + countOf(more, "more place", "more places")
               : "referenced " + countOf(more, "more time", "more times"));
    llvm::append_range(m.notes, hintsFor(name));
    return m;
  }
};

} // namespace

void reportUndefined(const Link &link, const SymbolValues &values,
                     const UndefinedNames &readByScript, Diagnostics &diag) {
  if (link.program.inputsMissing && diag.failed()) {
    if (values.anyUndefined)
      diag.warn(WarningGroup::General,
                "undefined symbols are not reported, since not all inputs "
                "could be read");
    return;
  }
  const UnresolvedPolicy policy = link.program.config.unresolved;
  MapVector<SymbolId, FirstPlaces> list;
  if (policy != UnresolvedPolicy::Ignore && values.anyUndefined)
    list = collectUses(link, values);
  if (list.empty() && readByScript.all().empty())
    return;
  UndefinedReport report(link);
  // A name that the script lacks is an error even if relocations may lack it.
  for (const auto &[name, read] : readByScript.all()) {
    const SymbolId id =
        link.program.symbols.find(link.program.wrapping.meaning(name));
    auto uses = id == kNone ? list.end() : list.find(id);
    diag.error([&, &name = name, &read = read] {
      return report.compose(name, &read,
                            uses == list.end() ? nullptr : &uses->second);
    });
    if (uses != list.end())
      list.erase(uses);
  }
  for (const auto &[symbol, uses] : list) {
    auto compose = [&, symbol = symbol, &uses = uses] {
      return report.compose(link.program.symbols[symbol].name, nullptr, &uses);
    };
    if (policy == UnresolvedPolicy::Warn)
      diag.warn(WarningGroup::Symbol, compose);
    else
      diag.error(compose);
  }
}

//===----------------------------------------------------------------------===//
// Prohibited references
//===----------------------------------------------------------------------===//

namespace {
/// A list of output sections that must not refer to each other.
struct NoReferenceList {
  std::vector<OutputId> outputs;
  DenseSet<OutputId> targets; ///< forbidden targets
  bool toFirst = false;       ///< only references to the first are prohibited
};
} // namespace

static std::vector<NoReferenceList> collectLists(const Link &link) {
  std::vector<NoReferenceList> lists;
  const auto &outputs = link.placement.outputs;
  auto add = [&](ArrayRef<StringRef> names, bool toFirst) {
    NoReferenceList &list = lists.emplace_back();
    list.toFirst = toFirst;
    for (StringRef name : names) {
      // Of several sections of a name, the first.
      const auto found = find_if(
          outputs, [&](const OutputSection &out) { return out.name == name; });
      const OutputId id = found == outputs.end()
                              ? OutputId()
                              : OutputId(found - outputs.begin());
      if (id != kNone && (!toFirst || list.outputs.empty()))
        list.targets.insert(id);
      list.outputs.push_back(id);
    }
  };
  for (const NoCrossRefs &n : link.program.script.noCrossRefs)
    add(n.sections, n.toFirst);
  for (const CommandPtr &command : link.program.script.commands) {
    if (command->kind != CommandKind::Overlay)
      continue;
    auto &overlay = static_cast<const OverlayCommand &>(*command);
    if (!overlay.noCrossRefs)
      continue;
    std::vector<StringRef> names;
    for (const auto &section : overlay.sections)
      names.push_back(section->name);
    add(names, false);
  }
  return lists;
}

/// The output section a relocation's symbol stands in, or kNone.
static OutputId targetOutput(const Link &link, const InputFile &file,
                             uint32_t symbol) {
  const SymbolId id = link.program.symbolIds[file.symbolBase + symbol];
  if (id != kNone)
    if (const BoundSymbol s = link.symbol(id); s.kind != SymbolKind::Defined)
      return s.kind == SymbolKind::Output ? s.output : OutputId();
  const SectionId home = link.program.sectionOf(file, symbol);
  return home == kNone ? OutputId() : link.placement.sections[home].output;
}

static void checkMember(const Link &link, const NoReferenceList &list,
                        OutputId from, SectionId id, Diagnostics &diag) {
  const InputSection &s = link.program.sections[id];
  if (!link.placed(id) || s.file == kNone)
    return;
  const InputFile &file = link.program.files[s.file];
  for (uint32_t r = s.parsed->relocBegin; r < s.parsed->relocEnd; ++r) {
    const Relocation &rel = file.object->relocations[r];
    if (!link.keepsByte(id, rel.offset))
      continue;
    OutputId to = targetOutput(link, file, rel.symbol);
    if (to == kNone || to == from || !list.targets.contains(to))
      continue;
    diag.error([&] {
      const ParsedSymbol &sym = file.object->symbols[rel.symbol];
      const auto &outputs = link.placement.outputs;
      const std::string line = link.program.sourceLine(id, rel.offset);
      std::vector<std::string> notes;
      if (!line.empty())
        notes.push_back("at " + line);
      return Message{link.program.place(id, rel.offset) +
                         ": prohibited cross reference from '" +
                         outputs[from].name + "' to '" +
                         (sym.name.empty() ? outputs[to].name
                                           : link.program.shownName(sym.name)) +
                         "' in '" + outputs[to].name + "'",
                     std::move(notes)};
    });
  }
}

void checkCrossReferences(const Link &link, Diagnostics &diag) {
  for (const NoReferenceList &list : collectLists(link))
    for (size_t i = list.toFirst ? 1 : 0; i < list.outputs.size(); ++i)
      if (OutputId from = list.outputs[i]; from != kNone)
        for (SectionId id : link.placement.outputs[from].members)
          checkMember(link, list, from, id, diag);
}

//===----------------------------------------------------------------------===//
// Warnings that inputs carry
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kFileWarning(".gnu.warning");
static constexpr StringLiteral kSymbolWarning(".gnu.warning.");

bool isWarningSection(StringRef name) {
  return name == kFileWarning || name.starts_with(kSymbolWarning);
}

/// Sections that are warnings, in the order of the inputs.
static std::vector<SectionId> warningSections(const Program &program) {
  std::vector<SectionId> found;
  for (const InputFile &file : program.files)
    for (uint32_t i = 1;
         file.object->mayHaveGnuSections && i < file.object->sections.size();
         ++i)
      if (const SectionId id = file.sectionBase + i;
          !program.sections[id].discarded &&
          isWarningSection(file.object->sections[i].name))
        found.push_back(id);
  return found;
}

/// Adds the places at which a file refers to some of the symbols.
static void addUses(const Program &program, const InputFile &file,
                    DenseMap<SymbolId, FirstPlaces> &uses) {
  const ParsedObject &object = *file.object;
  for (uint32_t i = 0; i < object.sections.size(); ++i) {
    const ParsedSection &section = object.sections[i];
    if (program.sections[file.sectionBase + i].discarded)
      continue;
    for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
      const Relocation &rel = object.relocations[r];
      const ParsedSymbol &s = object.symbols[rel.symbol];
      if (s.place != SymbolPlace::Undefined || s.binding != ELF::STB_GLOBAL)
        continue;
      if (auto it = uses.find(program.symbolIds[file.symbolBase + rel.symbol]);
          it != uses.end())
        it->second.add(file.sectionBase + i, rel.offset);
    }
  }
}

void giveSectionWarnings(Program &program, Diagnostics &diag) {
  const std::vector<SectionId> sections = warningSections(program);
  if (sections.empty())
    return;
  /// The symbol that a section warns of; kNone: nothing uses it.
  auto symbolOf = [&](SectionId id) {
    StringRef name = program.sections[id].parsed->name;
    if (!name.consume_front(kSymbolWarning))
      return SymbolId();
    const SymbolId symbol = program.symbols.find(name);
    return symbol != kNone && program.symbols[symbol].strongReference
               ? symbol
               : SymbolId();
  };
  DenseMap<SymbolId, FirstPlaces> uses;
  for (SectionId id : sections)
    if (const SymbolId symbol = symbolOf(id); symbol != kNone)
      uses.try_emplace(symbol);
  if (!uses.empty())
    for (const InputFile &file : program.files)
      addUses(program, file, uses);
  EnclosingSymbols enclosing(program);
  for (SectionId id : sections) {
    InputSection &section = program.sections[id];
    const bool ofFile = section.parsed->name == kFileWarning;
    section.discarded = ofFile || !program.config.relocatable;
    const SymbolId symbol = symbolOf(id);
    if (!ofFile && symbol == kNone)
      continue;
    diag.warn(WarningGroup::Symbol, [&] {
      // Up to the first NUL.
      const StringRef given =
          toStringRef(section.parsed->data()).split('\0').first.rtrim();
      Message m{given.empty() ? "a warning without a text" : given.str()};
      if (ofFile) {
        m.text = program.fileName(section.file) + ": " + m.text;
        return m;
      }
      const FirstPlaces &places = uses[symbol];
      enclosing.addReferences(places, m.notes);
      if (const uint64_t more = places.count - places.first.size())
        m.notes.push_back("referenced " +
                          countOf(more, "more time", "more times"));
      if (program.config.gcSections)
        m.notes.push_back("--gc-sections may drop what refers to it");
      m.notes.push_back("this warning is " + program.sectionName(id));
      return m;
    });
  }
}

} // namespace xlink
