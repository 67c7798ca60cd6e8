//===- CrossReference.cpp -------------------------------------------------===//
#include "report/CrossReference.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

/// How a file names a symbol, in the order of the table.
enum Role : uint8_t { Defines, Common, Refers };

struct SymbolReference {
  SymbolId symbol;
  Role role;
  FileId file;
};

} // namespace

/// A definition in a section that lost its COMDAT group is a reference to the
/// one that won.
static Role roleOf(const Program &program, const InputFile &file,
                   const ParsedSymbol &symbol) {
  switch (symbol.place) {
  case SymbolPlace::Section:
    if (program.sections[file.sectionBase + symbol.section].discarded)
      return Refers;
    return Defines;
  case SymbolPlace::Absolute:
    return Defines;
  case SymbolPlace::Common:
    return Common;
  case SymbolPlace::Undefined:
    break;
  }
  return Refers;
}

/// Calls fn(Mention, ParsedSymbol) for every global symbol of every file.
template <class Fn>
static void forEachReference(const Program &program, Fn fn) {
  for (FileId f : program.files.ids()) {
    const InputFile &file = program.files[f];
    const std::vector<ParsedSymbol> &symbols = file.object->symbols;
    for (uint32_t i = 1; i < symbols.size(); ++i) {
      SymbolId id = program.symbolIds[file.symbolBase + i];
      if (id != kNone)
        fn(SymbolReference{id, roleOf(program, file, symbols[i]), f},
           symbols[i]);
    }
  }
}

void writeCrossReferences(raw_ostream &out, const Program &program) {
  static constexpr size_t kFileColumn = 50;
  std::vector<SymbolReference> references;
  forEachReference(program,
                   [&](const SymbolReference &m, const ParsedSymbol &) {
                     references.push_back(m);
                   });
  std::sort(references.begin(), references.end(),
            [&](const SymbolReference &a, const SymbolReference &b) {
              if (a.symbol != b.symbol)
                return program.symbols[a.symbol].name <
                       program.symbols[b.symbol].name;
              return a.role != b.role ? a.role < b.role : a.file > b.file;
            });
  out << "\nCross Reference Table\n\n"
      << left_justify("Symbol", kFileColumn) << "File\n";
  SymbolId last;
  for (const SymbolReference &m : references) {
    const std::string name =
        m.symbol != last ? program.shownName(program.symbols[m.symbol].name)
                         : "";
    last = m.symbol;
    out << left_justify(name, kFileColumn)
        << (name.size() < kFileColumn ? "" : " ") << program.fileName(m.file)
        << "\n";
  }
}

void traceSymbols(const Program &program, Diagnostics &diag) {
  const std::vector<std::string> &names = program.config.traceSymbols;
  if (names.empty())
    return;
  DenseSet<SymbolId> ids;
  for (const std::string &name : names)
    if (SymbolId id = program.symbols.find(name); id != kNone)
      ids.insert(id);
  forEachReference(
      program, [&](const SymbolReference &m, const ParsedSymbol &symbol) {
        if (!ids.contains(m.symbol))
          return;
        const char *what = m.role == Defines  ? "definition of "
                           : m.role == Common ? "common definition of "
                           : symbol.place == SymbolPlace::Section
                               ? "discarded definition of "
                               : "reference to ";
        diag.note(program.fileName(m.file) + ": " + what +
                  program.shownName(program.symbols[m.symbol].name));
      });
  for (const std::string &name : names)
    if (SymbolId id = program.symbols.find(name);
        id != kNone && program.symbols[id].scriptDefined)
      diag.note("linker script: definition of " + program.shownName(name));
}

} // namespace xlink
