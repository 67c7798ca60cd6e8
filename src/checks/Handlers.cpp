//===- Handlers.cpp -------------------------------------------------------===//
//
// Problem: start-up code has a weak handler for each interrupt, an endless
// loop; the program defines the same name, and its definition wins. Where it
// does not, the first interrupt ends in the loop, and the program hangs.
// mangled-handler, misspelt-handler and weak-before-archive find why it did
// not.
//
// Method: of the weak definitions that code or data refers to
// (ReferredSymbols), and of names that the script PROVIDEs as a function, those
// with a counterpart: a function that no relocation and no other file refers
// to, so that nothing can call it.
//
// Cost: a look at the script without weak definitions in use. With them a look
// at all symbols.
//
//===----------------------------------------------------------------------===//
#include "checks/Handlers.h"
#include "model/ScriptVisitor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink {

Handlers::Handlers(const FinishedLink &finished) : finished(finished) {
  for (SymbolId id : program.weakDefinitions)
    addIfUsed(id);
  if (!program.builtinScript)
    forEachCommand(program.script, [&](const AssignmentCommand &a) {
      if (a.provide && a.value->kind == ExprKind::Symbol)
        addProvided(program.symbols.find(a.name),
                    program.symbols.find(a.value->name));
    });
}

bool Handlers::isFunction(const Symbol &s) const {
  return !s.referenced && s.kind == SymbolKind::Defined &&
         s.binding == ELF::STB_GLOBAL && s.section != kNone &&
         program.sections[s.section].parsed &&
         (s.type == ELF::STT_FUNC || s.type == ELF::STT_NOTYPE) &&
         (program.sections[s.section].parsed->flags & ELF::SHF_EXECINSTR);
}

void Handlers::eraseMentioned(std::vector<Counterpart> &list) const {
  if (list.empty())
    return;
  IdSet<SymbolId> candidates(program.symbols.size());
  for (const Counterpart &c : list)
    candidates.insert(c.function);
  const IdSet<SymbolId> used = mentioned(program, candidates);
  llvm::erase_if(list, [&](const Counterpart &c) {
    const Symbol &s = program.symbols[c.function];
    return used.contains(c.function) || c.function == program.entrySymbol ||
           link.placement.sections[s.section].keep;
  });
}

std::string Handlers::definition(SymbolId id) const {
  const Symbol &s = program.symbols[id];
  if (s.kind != SymbolKind::Defined)
    return program.shownName(s.name) + "' that the script provides";
  return program.shownName(s.name) + "' of " +
         program.place(s.section, s.value) + program.atLine(s.section, s.value);
}

void Handlers::addIfUsed(SymbolId id) {
  if (!usesOf(id).empty())
    weak.push_back(id);
}

/// PROVIDE(SysTick_Handler = Default_Handler) is a weak definition too.
void Handlers::addProvided(SymbolId id, SymbolId as) {
  if (id == kNone || as == kNone || link.definitionOf(as).section == kNone)
    return;
  const Symbol &s = program.symbols[id];
  const ParsedSection *code =
      program.sections[link.definitionOf(as).section].parsed;
  if (s.referenced && s.slot != kNone &&
      link.addresses.symbols[s.slot].provided && code &&
      (code->flags & ELF::SHF_EXECINSTR))
    addIfUsed(id);
}

const Handlers &FinishedLink::handlers() const {
  if (!defaults)
    defaults = std::make_shared<const Handlers>(*this);
  return *defaults;
}

bool isNamedLikeTable(const Program &program, SectionId id) {
  const StringRef name = program.sections[id].parsed->name;
  return isVectorTable(program, name) || isNamedLikeVectors(name);
}

} // namespace xlink
