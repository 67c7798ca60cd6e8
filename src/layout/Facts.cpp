//===- Facts.cpp ----------------------------------------------------------===//
//
// Problem: addresses can be assigned only to known output sections with their
// kinds, their regions in the script and their alignments. None of these
// depends on an address.
//
// Method: one pass over the output sections of a placement for each kind of
// fact. Certain statements make an empty section exist: data, a dot that moves,
// a KEEP, and for some machines a symbol (GNU ld).
//
// Cost: linear in statements and members.
//
//===----------------------------------------------------------------------===//
#include "layout/Facts.h"
#include "layout/BaseGroups.h"
#include "layout/LinkerSymbols.h"
#include "layout/OutputKinds.h"
#include "layout/Regions.h"
#include "layout/ScriptRun.h"
#include "placement/SectionTraits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

Facts nameOutputs(const Parts &parts) {
  const Program &program = parts.program;
  Facts facts;
  facts.outputs.resize(parts.placement.outputs.size());
  for (OutputId id : parts.placement.outputs.ids())
    if (!parts.placement.outputs[id].dropped)
      facts.outputByName.try_emplace(parts.placement.outputs[id].name, id);
  for (size_t i = 0; i < program.script.memory.size(); ++i) {
    const MemoryCommand &m = program.script.memory[i];
    facts.regionByName.try_emplace(m.name, RegionId(i));
    for (StringRef alias : m.aliases)
      facts.regionByName.try_emplace(alias, RegionId(i));
  }
  // The last option for a section counts, in any spelling. A script that reads
  // a segment's start decides its use.
  const std::vector<SectionStart> &starts = program.config.sectionStart;
  for (uint32_t i = 0; i < starts.size(); ++i)
    if (OutputId id = facts.outputNamed(starts[i].section);
        id != kNone && program.options.starts[i] &&
        !is_contained(program.script.segmentStarts, starts[i].segment))
      facts.outputs[id].startOption = i;
  return facts;
}

void gatherInputs(const Parts &parts, OutputId id, OutputFacts &facts) {
  facts.holdsSections = false;
  facts.inputAlign = 1;
  const Placement &placement = parts.placement;
  for (SectionId member : placement.outputs[id].members)
    if (parts.placed(member)) {
      facts.holdsSections = true;
      facts.inputAlign =
          std::max(facts.inputAlign, placement.classOf(member).align);
    }
}

/// GNU ld: `. = 0`, `. += 0` and the like do not make an empty section exist,
/// any other dot assignment does.
static bool movesNothing(const AssignmentCommand &a) {
  const Expr &e = *a.value;
  if (e.kind == ExprKind::Number)
    return e.number == 0;
  // ALIGN(. != 0 ? a : 1) of default scripts, for the first section.
  if (e.kind == ExprKind::Align1) {
    const Expr &c = *e.args[0];
    auto isNumber = [](const Expr &x, uint64_t n) {
      return x.kind == ExprKind::Number && x.number == n;
    };
    return c.kind == ExprKind::Conditional && isNumber(*c.args[2], 1) &&
           c.args[0]->kind == ExprKind::NotEqual &&
           c.args[0]->args[0]->kind == ExprKind::Dot &&
           isNumber(*c.args[0]->args[1], 0);
  }
  return e.kind == ExprKind::Add && e.args[0]->kind == ExprKind::Dot &&
         e.args[1]->kind == ExprKind::Number && e.args[1]->number == 0;
}

/// Whether a statement makes its section exist though it is empty.
static bool forcesSection(const Program &program, const ScriptCommand &command,
                          const IdSet<SymbolId> &given) {
  if (command.kind == CommandKind::Data)
    return true;
  if (command.kind != CommandKind::Assignment)
    return false;
  auto &a = static_cast<const AssignmentCommand &>(command);
  if (a.isDot())
    return !movesNothing(a);
  if (!program.target->keepSymbolOnlySections)
    return false;
  // Whether a PROVIDE takes place is not decided yet.
  const SymbolId id = program.symbols.find(a.name);
  return !a.provide || (program.symbols[id].referenced && !given.contains(id));
}

/// Traits, type and flags of one output section, and whether it exists.
static void describe(const Parts &parts, const TraitGatherer &gatherer,
                     OutputId id, const IdSet<SymbolId> &given, bool hadSize,
                     OutputFacts &facts) {
  const OutputSection &out = parts.placement.outputs[id];
  const GatheredTraits gathered = gatherer.gather(id);
  facts.traits = gathered.traits;
  facts.made = gathered.made;
  settleKind(parts, out, gathered.traits, facts);
  gatherInputs(parts, id, facts);
  const bool content = any_of(out.members, [&](SectionId member) {
    return parts.placed(member) && parts.contents.sections[member].size != 0;
  });
  const bool forced =
      gathered.keep || hadSize || any_of(out.items, [&](const OutputItem &i) {
        return i.command && forcesSection(parts.program, *i.command, given);
      });
  // Symbols and names may refer to an empty section in the next link: -r keeps
  // every made section (GNU ld).
  facts.kept =
      content || forced || (parts.program.config.relocatable && facts.made);
  facts.baseGroup = baseGroupOf(*parts.program.target, out, facts.flags);
  if (!content && forced && facts.baseGroup != kNone)
    facts.flags |=
        parts.program.target->baseSymbols[facts.baseGroup].sectionFlag;
}

/// PT_TLS is aligned as its strictest section: the first one begins with that.
static void alignThreadLocal(const Parts &parts, ScriptRun &run, Facts &facts) {
  OutputFacts *first = nullptr;
  parts.placement.forEachOutput([&](OutputId id, const OutputSection &out) {
    OutputFacts &f = facts.outputs[id];
    if (!f.kept)
      return;
    if ((f.flags & ELF::SHF_TLS) && facts.threadLocalStart == kNone)
      facts.threadLocalStart = id;
    if (!(f.traits & Tls))
      return;
    if (!first)
      first = &f;
    const OutputSectionCommand *c = out.command;
    // SUBALIGN of the first one replaces the alignment of its inputs.
    const Expr *subalign =
        c && first == &f && f.holdsSections ? c->subalign.get() : nullptr;
    first->groupAlign = std::max(
        {first->groupAlign, f.groupAlign,
         subalign ? run.alignment(subalign, 1)
                  : std::max(run.alignment(c ? c->align.get() : nullptr, 1),
                             f.inputAlign)});
  });
}

/// With --enable-non-contiguous-regions a section raises the alignment of every
/// place where it might have come (GNU ld).
static void alignPossible(const Parts &parts, Facts &facts) {
  for (const auto &[place, members] : parts.placement.possibleMembers)
    for (SectionId id : members)
      if (parts.contents.liveness.lives(id)) {
        uint64_t &align = facts.outputs[place.first].groupAlign;
        align =
            std::max<uint64_t>(align, parts.program.sections[id].parsed->align);
      }
}

Facts computeFacts(const Parts &parts, Geometry &start,
                   const IdSet<SymbolId> &given, const IdSet<OutputId> &hadSize,
                   Diagnostics *diag) {
  Facts facts = nameOutputs(parts);
  ScriptRun run(parts, facts, start, nullptr), types(parts, facts, start, diag);
  const TraitGatherer gatherer(parts.program, parts.placement,
                               parts.contents.liveness);
  for (OutputId id : facts.outputs.ids()) {
    OutputFacts &f = facts.outputs[id];
    describe(parts, gatherer, id, given, hadSize.contains(id), f);
    if (const OutputSectionCommand *c = parts.placement.outputs[id].command)
      if (c->typeValue && c->typeValue->kind != ExprKind::Number)
        f.type = uint32_t(types.number(c->typeValue.get(), 0));
  }
  if (!parts.program.config.relocatable) {
    alignBaseGroups(parts, facts);
    alignThreadLocal(parts, run, facts);
  }
  alignPossible(parts, facts);
  nameRegions(parts, run, facts, diag);
  handOnLoadRegions(parts, facts);
  if (!parts.program.config.relocatable)
    collectLinkerSymbols(parts, facts);
  return facts;
}

} // namespace xlink
