//===- CrossReference.cpp -------------------------------------------------===//
#include "report/CrossReference.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

namespace {

/// How a file names a symbol, in the order of the table.
enum Role : uint8_t { Defines, Common, Refers };

struct Mention {
  SymbolId symbol;
  Role role;
  FileId file;
};

} // namespace

/// A definition in a section that lost its COMDAT group is a reference to the
/// one that won.
static Role roleOf(const Link &link, const InputFile &file,
                   const ParsedSymbol &symbol) {
  switch (symbol.place) {
  case SymbolPlace::Section:
    if (link.sections[file.sectionBase + symbol.section].discarded)
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
template <class Fn> static void forEachMention(const Link &link, Fn fn) {
  for (FileId f = 0; f < link.files.size(); ++f) {
    const InputFile &file = link.files[f];
    const std::vector<ParsedSymbol> &symbols = file.object->symbols;
    for (uint32_t i = 1; i < symbols.size(); ++i) {
      SymbolId id = link.symbolIds[file.symbolBase + i];
      if (id != kNone)
        fn(Mention{id, roleOf(link, file, symbols[i]), f}, symbols[i]);
    }
  }
}

std::string crossReferenceText(const Link &link) {
  static constexpr size_t kFileColumn = 50;
  std::vector<Mention> mentions;
  forEachMention(link, [&](const Mention &m, const ParsedSymbol &) {
    mentions.push_back(m);
  });
  std::sort(mentions.begin(), mentions.end(),
            [&](const Mention &a, const Mention &b) {
              if (a.symbol != b.symbol)
                return link.symbols[a.symbol].name <
                       link.symbols[b.symbol].name;
              return a.role != b.role ? a.role < b.role : a.file > b.file;
            });
  std::string text = "\nCross Reference Table\n\nSymbol" +
                     std::string(kFileColumn - 6, ' ') + "File\n";
  SymbolId last = kNone;
  for (const Mention &m : mentions) {
    StringRef name = m.symbol != last ? link.symbols[m.symbol].name : "";
    last = m.symbol;
    text += name;
    text.append(name.size() < kFileColumn ? kFileColumn - name.size() : 1, ' ');
    text += link.fileName(m.file) + "\n";
  }
  return text;
}

void traceSymbols(const Link &link) {
  const std::vector<std::string> &names = link.config.traceSymbols;
  if (names.empty())
    return;
  auto traced = [&](SymbolId id) {
    return is_contained(names, link.symbols[id].name);
  };
  forEachMention(link, [&](const Mention &m, const ParsedSymbol &symbol) {
    if (!traced(m.symbol))
      return;
    const char *what = m.role == Defines  ? "definition of "
                       : m.role == Common ? "common definition of "
                       : symbol.place == SymbolPlace::Section
                           ? "discarded definition of "
                           : "reference to ";
    link.diag.note(link.fileName(m.file) + ": " + what + symbol.name.str());
  });
  for (const std::string &name : names)
    if (SymbolId id = link.symbols.find(name);
        id != kNone && link.symbols[id].scriptDefined)
      link.diag.note("linker script: definition of " + name);
}

} // namespace xlink
