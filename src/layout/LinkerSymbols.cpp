//===- LinkerSymbols.cpp --------------------------------------------------===//
#include "layout/LinkerSymbols.h"
#include "sections/InitTables.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

/// Whether __start_NAME and __stop_NAME can be written in C.
static bool isCIdentifier(StringRef s) {
  return !s.empty() && !isDigit(s[0]) &&
         all_of(s, [](char c) { return isAlnum(c) || c == '_'; });
}

void collectLinkerSymbols(const PartialLink &partial, OutputInfo &info) {
  const Program &program = partial.program;
  IdSet<SymbolId> scripted(program.symbols.size());
  partial.placement.forEachAssignment([&](const AssignmentCommand &a) {
    if (SymbolId id = program.symbols.find(a.name); id != kNone)
      scripted.insert(id);
  });
  info.initTableSymbols = initTableSymbols(partial, scripted);
  auto undefined = [&](SymbolId id) {
    const Symbol &s = program.symbols[id];
    return s.kind == SymbolKind::Undefined && !s.scriptDefined &&
           !scripted.contains(id);
  };
  auto wanted = [&](SymbolId id) {
    return undefined(id) && program.symbols[id].referenced;
  };
  for (const BaseSymbol &base : program.target->baseSymbols) {
    const SymbolId id = program.symbols.find(base.name);
    info.baseSymbols.push_back(id);
    info.ownBase.push_back(undefined(id));
  }
  for (const SectionSymbol &s : program.target->sectionSymbols) {
    SymbolId id = program.symbols.find(s.name);
    if (id != kNone && wanted(id))
      info.linkerSymbols.push_back({id, info.outputNamed(s.section), s.atEnd});
  }
  for (SymbolId id : program.assignableInOrder()) {
    if (program.symbols[id].kind != SymbolKind::Undefined)
      continue;
    StringRef name = program.symbols[id].name;
    bool atEnd = name.consume_front("__stop_");
    if (!atEnd && !name.consume_front("__start_"))
      continue;
    OutputId out = isCIdentifier(name) ? info.outputNamed(name) : OutputId();
    if (out != kNone && wanted(id))
      info.linkerSymbols.push_back({id, out, atEnd});
  }
}

} // namespace xlink
