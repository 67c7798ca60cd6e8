//===- SymbolPrecedence.cpp -----------------------------------------------===//
//
// Problem: of several definitions of a name one counts, by the gABI's rules and
// by those of GNU ld for COMMON, and where two contradict each other somebody
// must hear of it.
//
// Method: a symbol is what the files so far have made of it, and each further
// one changes it or not. That concerns no other symbol, so that those of many
// names can be decided at once; only the order of one name's files counts.
//
// Cost: constant for each symbol of a file.
//
//===----------------------------------------------------------------------===//
#include "resolve/SymbolPrecedence.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// gABI: of two non-default visibilities the more constraining one holds.
static uint8_t mergeVisibility(uint8_t a, uint8_t b) {
  if (a == ELF::STV_DEFAULT)
    return b;
  if (b == ELF::STV_DEFAULT)
    return a;
  return std::min(a, b);
}

bool refers(const Program &program, FileId file, const ParsedSymbol &symbol) {
  return symbol.place == SymbolPlace::Undefined ||
         (symbol.place == SymbolPlace::Section &&
          program.sections[program.files[file].sectionBase + symbol.section]
              .discarded);
}

static void addReference(Symbol &s, FileId file, uint32_t index,
                         const ParsedSymbol &sym) {
  if (s.file == kNone && s.kind == SymbolKind::Undefined) {
    s.file = file;
    s.index = index;
  }
  if (sym.expressionOnly)
    return;
  s.referenced = true;
  if (sym.binding != ELF::STB_WEAK)
    s.strongReference = true;
}

static void addCommon(Symbol &s, FileId file, uint32_t index,
                      const ParsedSymbol &sym,
                      function_ref<void(DuplicateKind)> report) {
  if (s.kind == SymbolKind::Common) {
    report(sym.size > s.size   ? DuplicateKind::LargerCommon
           : sym.size < s.size ? DuplicateKind::SmallerCommon
                               : DuplicateKind::EqualCommons);
    // The largest size decides; the alignment is the strictest of all.
    s.value = std::max(s.value, sym.value);
    if (sym.size > s.size) {
      s.size = sym.size;
      s.file = file;
      s.index = index;
    }
    return;
  }
  if ((s.kind == SymbolKind::Defined || s.kind == SymbolKind::Absolute) &&
      s.binding != ELF::STB_WEAK)
    return report(DuplicateKind::CommonAfterStrong);
  s.kind = SymbolKind::Common;
  s.binding = ELF::STB_GLOBAL;
  s.type = ELF::STT_OBJECT;
  s.other = sym.other;
  s.value = sym.value;
  s.size = sym.size;
  s.file = file;
  s.index = index;
}

/// Whether a definition is an address that --just-symbols found in a section
/// of another program.
static bool comesFromSymbols(const Program &program, const Symbol &s) {
  return s.kind == SymbolKind::Absolute && s.file != kNone &&
         program.files[s.file].object->symbols[s.index].wasInSection;
}

/// Whether two strong definitions contradict each other.
static bool areDuplicates(const Program &program, const Symbol &s,
                          const ParsedSymbol &sym) {
  // Two equal absolute symbols say the same thing (GNU ld, lld).
  if (s.kind == SymbolKind::Absolute && sym.place == SymbolPlace::Absolute &&
      s.value == sym.value)
    return false;
  // Nor do two places that say where one thing is, the one of them in another
  // program (GNU ld: the first one counts).
  if (sym.wasInSection || comesFromSymbols(program, s))
    return false;
  return !s.scriptDefined && !program.config.allowMultipleDefinition;
}

static void addDefinition(const Program &program, Symbol &s, FileId file,
                          uint32_t index, const ParsedSymbol &sym,
                          function_ref<void(DuplicateKind)> report) {
  const bool weak = sym.binding == ELF::STB_WEAK;
  if (s.kind == SymbolKind::Defined || s.kind == SymbolKind::Absolute) {
    if (weak)
      return;
    if (s.binding != ELF::STB_WEAK) {
      if (areDuplicates(program, s, sym))
        report(DuplicateKind::Strong);
      return;
    }
  } else if (s.kind == SymbolKind::Common) {
    if (weak)
      return;
    report(DuplicateKind::StrongAfterCommon);
  }
  s.binding = sym.binding;
  s.type = sym.type;
  s.other = sym.other;
  s.value = sym.value;
  s.size = sym.size;
  s.file = file;
  s.index = index;
  if (sym.place == SymbolPlace::Absolute) {
    s.kind = SymbolKind::Absolute;
    s.section = kNone;
  } else {
    s.kind = SymbolKind::Defined;
    s.section = program.files[file].sectionBase + sym.section;
  }
}

void resolveSymbol(const Program &program, Symbol &s, FileId file,
                   uint32_t index, function_ref<void(DuplicateKind)> report) {
  const ParsedSymbol &sym = program.files[file].object->symbols[index];
  s.visibility = mergeVisibility(s.visibility, sym.visibility);
  if (refers(program, file, sym))
    return addReference(s, file, index, sym);
  auto tell = [&](DuplicateKind kind) {
    if (kind == DuplicateKind::Strong ||
        (program.config.warnCommon && s.file != kNone))
      report(kind);
  };
  if (sym.place == SymbolPlace::Common)
    return addCommon(s, file, index, sym, tell);
  addDefinition(program, s, file, index, sym, tell);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static std::string definedAt(const Program &program, FileId file,
                             uint32_t index) {
  if (file == kNone)
    return "<command line>";
  const InputFile &f = program.files[file];
  const ParsedSymbol &sym = f.object->symbols[index];
  switch (sym.place) {
  case SymbolPlace::Section:
    return program.place(f.sectionBase + sym.section, sym.value) +
           program.atLine(f.sectionBase + sym.section, sym.value);
  case SymbolPlace::Absolute:
    return f.object->path + ":(*ABS*, value " + hex(sym.value) + ")";
  case SymbolPlace::Common:
    return f.object->path + ":(COMMON)";
  case SymbolPlace::Undefined:
    break;
  }
  return f.object->path;
}

static Message duplicateMessage(const Program &program, const Symbol &old,
                                FileId file, uint32_t index) {
  Message m{"duplicate symbol: " + program.shownName(old.name),
            {"defined in " + definedAt(program, old.file, old.index),
             "defined in " + definedAt(program, file, index)}};
  const std::string &path = program.files[file].object->path;
  if (old.file != file && program.files[old.file].object->path == path)
    m.notes.push_back(path + " is linked twice");
  // The command line names an archive, not each of its members.
  for (const Inclusion &i : program.inclusions)
    if (i.file == old.file || i.file == file)
      m.notes.push_back(
          program.fileName(i.file) + " was extracted for '" +
          program.shownName(program.symbols[i.symbol].name) + "'" +
          (i.by == kNone ? std::string()
                         : ", which " + program.fileName(i.by) + " refers to"));
  return m;
}

/// "b.o: common of 'x' overridden by definition from a.o"
static Message commonMessage(const Program &program, DuplicateKind kind,
                             const Symbol &old, FileId file) {
  const std::string here = program.fileName(file) + ": ",
                    from = " from " + program.fileName(old.file),
                    name = "'" + old.name.str() + "'";
  switch (kind) {
  case DuplicateKind::LargerCommon:
    return {here + "common of " + name + " overriding smaller common" + from};
  case DuplicateKind::SmallerCommon:
    return {here + "common of " + name + " overridden by larger common" + from};
  case DuplicateKind::CommonAfterStrong:
    return {here + "common of " + name + " overridden by definition" + from};
  case DuplicateKind::StrongAfterCommon:
    return {here + "definition of " + name + " overriding common" + from};
  default:
    return {program.fileName(file) + " and " + program.fileName(old.file) +
            ": multiple common of " + name};
  }
}

void reportDuplicate(const Program &program, Diagnostics &diagnostics,
                     const DuplicateDefinition &duplicate) {
  if (duplicate.kind == DuplicateKind::Strong)
    diagnostics.error([&] {
      return duplicateMessage(program, duplicate.old, duplicate.file,
                              duplicate.index);
    });
  else
    diagnostics.warn(WarningGroup::Symbol, [&] {
      return commonMessage(program, duplicate.kind, duplicate.old,
                           duplicate.file);
    });
}

} // namespace xlink
