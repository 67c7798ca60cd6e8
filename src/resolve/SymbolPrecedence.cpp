//===- SymbolPrecedence.cpp -----------------------------------------------===//
//
// Problem: of several definitions of a name one counts, by the gABI's rules and
// by those of GNU ld for COMMON; two that contradict each other are reported.
//
// Method: a symbol is the result of the files so far, and each further file
// changes it or leaves it.
//
// Cost: constant for each symbol of a file.
//
//===----------------------------------------------------------------------===//
#include "resolve/Resolver.h"
#include "llvm/ADT/STLExtras.h"
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
  // -r keeps the type of the first reference that has one (GNU ld).
  if (!s.isDefined() && s.type == ELF::STT_NOTYPE)
    s.type = sym.type;
  s.referenced = true;
  if (sym.binding != ELF::STB_WEAK)
    s.strongReference = true;
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

/// --warn-common: "b.o: common of 'x' overridden by definition from a.o".
/// `how`: "common of ? overridden by definition", of a symbol that is `old` so
/// far.
static void warnCommon(const Program &program, const Symbol &old, FileId file,
                       StringRef how, Diagnostics &diagnostics) {
  if (!program.config.warnCommon || old.file == kNone)
    return;
  diagnostics.warn(WarningGroup::Symbol, [&] {
    const auto [before, behind] = how.split('?');
    return Message{program.fileName(file) + ": " + before.str() + "'" +
                   old.name.str() + "'" + behind.str() + " from " +
                   program.fileName(old.file)};
  });
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

/// Makes a file's symbol the one that counts.
static void take(Symbol &s, FileId file, uint32_t index,
                 const ParsedSymbol &sym) {
  s.binding = sym.binding;
  s.type = sym.type;
  s.other = sym.other;
  s.value = sym.value;
  s.size = sym.size;
  s.file = file;
  s.index = index;
}

void define(const Program &program, Symbol &s, FileId file, uint32_t index) {
  const InputFile &f = program.files[file];
  const ParsedSymbol &sym = f.object->symbols[index];
  take(s, file, index, sym);
  const bool isAbsolute = sym.place == SymbolPlace::Absolute;
  s.kind = isAbsolute ? SymbolKind::Absolute : SymbolKind::Defined;
  s.section = isAbsolute ? SectionId() : f.sectionBase + sym.section;
}

static void addCommon(const Program &program, Symbol &s, FileId file,
                      uint32_t index, const ParsedSymbol &sym,
                      Diagnostics &diagnostics) {
  if (s.kind == SymbolKind::Common) {
    if (sym.size == s.size && program.config.warnCommon)
      diagnostics.warn(WarningGroup::Symbol, [&] {
        return Message{program.fileName(file) + " and " +
                       program.fileName(s.file) + ": multiple common of '" +
                       s.name.str() + "'"};
      });
    else if (sym.size != s.size)
      warnCommon(program, s, file,
                 sym.size > s.size ? "common of ? overriding smaller common"
                                   : "common of ? overridden by larger common",
                 diagnostics);
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
    return warnCommon(program, s, file, "common of ? overridden by definition",
                      diagnostics);
  take(s, file, index, sym);
  s.kind = SymbolKind::Common;
  s.binding = ELF::STB_GLOBAL;
  s.type = ELF::STT_OBJECT;
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
  // Two equal absolute symbols do not (GNU ld, lld).
  if (s.kind == SymbolKind::Absolute && sym.place == SymbolPlace::Absolute &&
      s.value == sym.value)
    return false;
  // Nor do two places of one object, one of them in another program (GNU ld:
  // the first one counts).
  if (sym.wasInSection || comesFromSymbols(program, s))
    return false;
  return !s.scriptDefined && !program.config.allowMultipleDefinition;
}

static void addDefinition(const Program &program, Symbol &s, FileId file,
                          uint32_t index, const ParsedSymbol &sym,
                          Diagnostics &diagnostics) {
  const bool isDefined =
      s.kind == SymbolKind::Defined || s.kind == SymbolKind::Absolute;
  if (sym.binding == ELF::STB_WEAK &&
      (isDefined || s.kind == SymbolKind::Common))
    return;
  if (isDefined && s.binding != ELF::STB_WEAK) {
    if (areDuplicates(program, s, sym))
      diagnostics.error(
          "symbols of " + program.fileName(file) + " that are defined already",
          [&] { return duplicateMessage(program, s, file, index); });
    return;
  }
  if (s.kind == SymbolKind::Common)
    warnCommon(program, s, file, "definition of ? overriding common",
               diagnostics);
  define(program, s, file, index);
}

void resolveSymbol(const Program &program, Symbol &s, FileId file,
                   uint32_t index, Diagnostics &diagnostics) {
  const ParsedSymbol &sym = program.files[file].object->symbols[index];
  s.visibility = mergeVisibility(s.visibility, sym.visibility);
  if (refers(program, file, sym))
    addReference(s, file, index, sym);
  else if (sym.place == SymbolPlace::Common)
    addCommon(program, s, file, index, sym, diagnostics);
  else
    addDefinition(program, s, file, index, sym, diagnostics);
}

void checkThreadLocals(const Program &program, Diagnostics &diag) {
  if (none_of(program.files,
              [](const InputFile &f) { return f.object->hasThreadLocals; }))
    return;
  IdSet<SymbolId> reported(program.symbols.size());
  for (FileId file : program.files.ids()) {
    const InputFile &f = program.files[file];
    for (uint32_t i = 1; i < f.object->symbols.size(); ++i) {
      const SymbolId id = program.symbolIds[f.symbolBase + i];
      const ParsedSymbol &sym = f.object->symbols[i];
      if (id == kNone || sym.expressionOnly)
        continue;
      const Symbol &s = program.symbols[id];
      const bool isThreadLocal = s.type == ELF::STT_TLS;
      if (s.kind != SymbolKind::Defined || s.file == kNone || s.file == file ||
          (sym.type == ELF::STT_TLS) == isThreadLocal || reported.contains(id))
        continue;
      reported.insert(id);
      diag.error([&] {
        const std::string other =
            refers(program, file, sym)
                ? "referred to by " + f.object->path
                : "defined in " + definedAt(program, file, i);
        return Message{program.shownName(s.name) + " is thread-local in one "
                                                   "file and not in another",
                       {std::string(isThreadLocal ? "thread-local" : "plain") +
                            ": defined in " +
                            definedAt(program, s.file, s.index),
                        std::string(isThreadLocal ? "plain" : "thread-local") +
                            ": " + other,
                        "declare it alike in both, with or without "
                        "thread_local"}};
      });
    }
  }
}

} // namespace xlink
