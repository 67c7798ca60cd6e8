//===- SectionWarnings.cpp ------------------------------------------------===//
//
// Problem: a library marks functions that only pretend to work: a section
// .gnu.warning.SYMBOL is a warning about uses of SYMBOL, .gnu.warning one about
// linking the file.
//
// Method: that of GNU ld. A symbol is used if it is undefined and not weak in
// another file than the defining one, even if --gc-sections drops the use. The
// relocations of files that mention such a symbol give the places.
//
// Cost: nothing without such sections; else one look at each file's symbols,
// and at the relocations of those that use one.
//
//===----------------------------------------------------------------------===//
#include "layout/SectionWarnings.h"
#include "layout/EnclosingSymbols.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

static constexpr StringLiteral kFileWarning(".gnu.warning");
static constexpr StringLiteral kSymbolWarning(".gnu.warning.");

bool isWarningSection(StringRef name) {
  return name == kFileWarning || name.starts_with(kSymbolWarning);
}

/// The text of a section: up to its first NUL.
static std::string textOf(const ParsedSection &section) {
  return toStringRef(section.data()).split('\0').first.rtrim().str();
}

/// Sections that are warnings, in the order of the inputs.
static std::vector<SectionId> warningSections(const Program &program) {
  std::vector<SectionId> found;
  for (const InputFile &file : program.files)
    if (file.object->mayHaveWarnings)
      for (uint32_t i = 1; i < file.object->sections.size(); ++i)
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
  auto usesOf = [&](uint32_t symbol) {
    const ParsedSymbol &s = object.symbols[symbol];
    return s.place == SymbolPlace::Undefined && s.binding == ELF::STB_GLOBAL
               ? uses.find(program.symbolIds[file.symbolBase + symbol])
               : uses.end();
  };
  bool any = false;
  for (uint32_t i = 0; i < object.symbols.size(); ++i)
    any |= usesOf(i) != uses.end();
  if (!any)
    return;
  for (uint32_t i = 0; i < object.sections.size(); ++i) {
    const ParsedSection &section = object.sections[i];
    if (program.sections[file.sectionBase + i].discarded)
      continue;
    for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
      const Relocation &rel = object.relocations[r];
      if (auto it = usesOf(rel.symbol); it != uses.end())
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
      Message m;
      m.text = textOf(*section.parsed);
      if (m.text.empty())
        m.text = "a warning without a text";
      if (ofFile) {
        m.text = program.fileName(section.file) + ": " + m.text;
        return m;
      }
      const FirstPlaces &places = uses[symbol];
      enclosing.addReferences(places, m.notes);
      EnclosingSymbols::addMore(places, m.notes);
      if (program.config.gcSections)
        m.notes.push_back("--gc-sections may drop what refers to it");
      m.notes.push_back("this warning is " + program.sectionName(id));
      return m;
    });
  }
}

} // namespace xlink
