//===- OutputSections.cpp - types and flags of output sections ------------===//
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
#include "layout/OutputSections.h"
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

OutputInfo nameOutputs(const PartialLink &partial) {
  const Program &program = partial.program;
  OutputInfo info;
  info.outputs.resize(partial.placement.outputs.size());
  for (OutputId id : partial.placement.outputs.ids())
    if (!partial.placement.outputs[id].dropped)
      info.outputByName.try_emplace(partial.placement.outputs[id].name, id);
  for (size_t i = 0; i < program.script.memory.size(); ++i) {
    const MemoryCommand &m = program.script.memory[i];
    info.regionByName.try_emplace(m.name, RegionId(i));
    for (StringRef alias : m.aliases)
      info.regionByName.try_emplace(alias, RegionId(i));
  }
  // The last option for a section counts, in any spelling. A script that reads
  // a segment's start decides its use.
  const std::vector<SectionStart> &starts = program.config.sectionStart;
  for (uint32_t i = 0; i < starts.size(); ++i)
    if (OutputId id = info.outputNamed(starts[i].section);
        id != kNone && program.options.starts[i] &&
        !is_contained(program.script.segmentStarts, starts[i].segment))
      info.outputs[id].startOption = i;
  return info;
}

void gatherInputs(const PartialLink &partial, OutputId id,
                  OutputSectionInfo &info) {
  info.holdsSections = false;
  info.inputAlign = 1;
  const Placement &placement = partial.placement;
  for (SectionId member : placement.outputs[id].members)
    if (partial.placed(member)) {
      info.holdsSections = true;
      info.inputAlign =
          std::max(info.inputAlign, placement.classOf(member).align);
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
static void describe(const PartialLink &partial, const TraitGatherer &gatherer,
                     OutputId id, const IdSet<SymbolId> &given, bool hadSize,
                     OutputSectionInfo &info) {
  const OutputSection &out = partial.placement.outputs[id];
  const GatheredTraits gathered = gatherer.gather(id);
  info.traits = gathered.traits;
  info.made = gathered.made;
  settleKind(partial, out, gathered.traits, info);
  gatherInputs(partial, id, info);
  const bool content = any_of(out.members, [&](SectionId member) {
    return partial.placed(member) &&
           partial.contributions.sections[member].size != 0;
  });
  const bool forced =
      gathered.keep || hadSize || any_of(out.items, [&](const OutputItem &i) {
        return i.command && forcesSection(partial.program, *i.command, given);
      });
  // Symbols and names may refer to an empty section in the next link: -r keeps
  // every made section (GNU ld).
  info.kept =
      content || forced || (partial.program.config.relocatable && info.made);
  info.baseGroup = baseGroupOf(*partial.program.target, out, info.flags);
  if (!content && forced && info.baseGroup != kNone)
    info.flags |=
        partial.program.target->baseSymbols[info.baseGroup].sectionFlag;
}

/// PT_TLS is aligned as its strictest section: the first one begins with that.
static void alignThreadLocal(const PartialLink &partial, ScriptRun &run,
                             OutputInfo &info) {
  OutputSectionInfo *first = nullptr;
  partial.placement.forEachOutput([&](OutputId id, const OutputSection &out) {
    OutputSectionInfo &f = info.outputs[id];
    if (!f.kept)
      return;
    if ((f.flags & ELF::SHF_TLS) && info.threadLocalStart == kNone)
      info.threadLocalStart = id;
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
static void alignPossible(const PartialLink &partial, OutputInfo &info) {
  for (const auto &[place, members] : partial.placement.possibleMembers)
    for (SectionId id : members)
      if (partial.contributions.liveness.lives(id)) {
        uint64_t &align = info.outputs[place.first].groupAlign;
        align = std::max<uint64_t>(align,
                                   partial.program.sections[id].parsed->align);
      }
}

OutputInfo computeOutputInfo(const PartialLink &partial, Addresses &start,
                             const IdSet<SymbolId> &given,
                             const IdSet<OutputId> &hadSize,
                             Diagnostics *diag) {
  OutputInfo info = nameOutputs(partial);
  ScriptRun run(partial, info, start, nullptr),
      types(partial, info, start, diag);
  const TraitGatherer gatherer(partial.program, partial.placement,
                               partial.contributions.liveness);
  for (OutputId id : info.outputs.ids()) {
    OutputSectionInfo &f = info.outputs[id];
    describe(partial, gatherer, id, given, hadSize.contains(id), f);
    if (const OutputSectionCommand *c = partial.placement.outputs[id].command)
      if (c->typeValue && c->typeValue->kind != ExprKind::Number)
        f.type = uint32_t(types.number(c->typeValue.get(), 0));
  }
  if (!partial.program.config.relocatable) {
    alignBaseGroups(partial, info);
    alignThreadLocal(partial, run, info);
  }
  alignPossible(partial, info);
  nameRegions(partial, run, info, diag);
  handOnLoadRegions(partial, info);
  if (!partial.program.config.relocatable)
    collectLinkerSymbols(partial, info);
  return info;
}

} // namespace xlink
