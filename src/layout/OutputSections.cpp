//===- OutputSections.cpp - types and flags of output sections ------------===//
//
// Problem: addresses can be assigned only to known output sections with their
// kinds, their regions in the script and their alignments. None of these
// depends on an address.
//
// Method: one pass over the output sections of a placement for each kind of
// fact. Flags of members add up; types must agree or become PROGBITS; contents
// that cannot be merged further are not mergeable. Room that only dot makes is
// NOBITS (GNU ld). Certain statements make an empty section exist: data, a dot
// that moves, a KEEP, and for some machines a symbol (GNU ld).
//
// Cost: linear in statements and members.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/ScriptRun.h"
#include "layout/Segments.h"
#include "placement/Placement.h"
#include "placement/SectionTraits.h"
#include "sections/LiveGraph.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
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

//===----------------------------------------------------------------------===//
// Types and flags
//===----------------------------------------------------------------------===//

/// The output section that the first of its SHF_LINK_ORDER members describes.
static OutputId describedOutput(const PartialLink &partial,
                                const OutputSection &out) {
  if (!anyLinked(partial.placement))
    return kNone;
  for (const OutputItem &item : out.items)
    for (uint32_t i = item.begin; i < item.end; ++i)
      if (SectionId target = linkedTo(partial.program, out.members[i]);
          target != kNone && partial.placed(target))
        return partial.placement.sections[target].output;
  return kNone;
}

/// Flags for linkers, without a meaning in a program.
static uint64_t linkOnlyFlags(const Program &program) {
  const uint64_t ofFile = ELF::SHF_COMPRESSED | ELF::SHF_INFO_LINK;
  if (program.config.relocatable)
    return program.dissolvesGroups() ? ofFile | ELF::SHF_GROUP : ofFile;
  return ofFile | ELF::SHF_GROUP | ELF::SHF_EXCLUDE |
         program.target->retainFlag | program.target->removablePieceFlag;
}

/// The combined properties of the members; whether there are any.
static bool addMembers(const PartialLink &partial, const OutputSection &out,
                       OutputSectionInfo &info) {
  const uint64_t meaningless = linkOnlyFlags(partial.program);
  // Strings, constants and entries of other sizes are not mergeable together.
  constexpr uint64_t mergeFlags = ELF::SHF_MERGE | ELF::SHF_STRINGS;
  uint64_t flags = 0, mergeable = 0, entsize = 0;
  bool any = false, alike = true;
  for (SectionId id : out.members) {
    if (!partial.placed(id))
      continue;
    const SectionClass &p = partial.placement.classOf(id);
    // Bytes of different kinds are just bytes.
    info.type = info.type == 0 || info.type == p.type
                    ? p.type
                    : uint32_t(ELF::SHT_PROGBITS);
    flags |= p.flags & ~meaningless;
    alike &=
        !any || ((p.flags & mergeFlags) == mergeable && p.entsize == entsize);
    mergeable = p.flags & mergeFlags;
    entsize = p.entsize;
    any = true;
  }
  flags &= ~mergeFlags;
  if (alike && (mergeable & ELF::SHF_MERGE)) {
    flags |= mergeable;
    info.entsize = entsize;
  }
  if (info.link == kNone)
    flags &= ~uint64_t(ELF::SHF_LINK_ORDER);
  info.flags = flags;
  return any;
}

/// The script's properties of the section, which override those of its members.
static void applyCommand(const OutputSectionCommand &command,
                         OutputSectionInfo &info) {
  if (command.typeValue &&
      command.typeValue->kind == ExprKind::Number) // else: evaluated later
    info.type = uint32_t(command.typeValue->number);
  switch (command.type) {
  case OutputType::NoLoad:
    info.noload = true;
    info.type = ELF::SHT_NOBITS;
    break;
  case OutputType::DSect:
  case OutputType::Copy:
  case OutputType::Info:
  case OutputType::Overlay:
    info.addressed = info.isAlloc();
    info.flags &= ~uint64_t(ELF::SHF_ALLOC);
    break;
  case OutputType::ReadOnly:
    info.flags &= ~uint64_t(ELF::SHF_WRITE);
    break;
  case OutputType::Normal:
    break;
  }
}

/// Type, flags, entry size and sh_link of an output section, as its members and
/// the script make them. `traits` counts with --enable-non-contiguous-regions.
static void settleKind(const PartialLink &partial, const OutputSection &out,
                       uint32_t traits, OutputSectionInfo &info) {
  info.link = describedOutput(partial, out);
  const bool any = addMembers(partial, out, info);
  // Room that a moving dot reserves (a heap, a stack) takes no bytes of a file.
  if (info.type == 0)
    info.type =
        StringRef(out.name).contains(".bss") ||
                (movesDot(out) && !partial.program.target->gapSectionsHaveBytes)
            ? ELF::SHT_NOBITS
            : ELF::SHT_PROGBITS;
  const bool data = hasData(out);
  if (info.type == ELF::SHT_NOBITS && data)
    info.type = ELF::SHT_PROGBITS;
  // An array of initialisers stays one with any contents (GNU ld), also .ctors.
  const uint32_t named = typeByName(out.name);
  if (info.type == ELF::SHT_PROGBITS &&
      (named == ELF::SHT_INIT_ARRAY || named == ELF::SHT_FINI_ARRAY ||
       named == ELF::SHT_PREINIT_ARRAY))
    info.type = named;
  // What only its script fills is read-only where data statements have made the
  // section (GNU ld); one that only moves dot is room for data.
  if (data || !any)
    info.flags |= ELF::SHF_ALLOC;
  if (!any && !(data && (traits & ReadOnly)))
    info.flags |= ELF::SHF_WRITE;
  // -N: the code is writable (GNU ld).
  if (partial.program.config.paging == Paging::Omagic && out.name == ".text")
    info.flags |= ELF::SHF_WRITE;
  if (out.command)
    applyCommand(*out.command, info);
  // All matching sections decide whether a section has bytes, as if all went
  // there (GNU ld).
  if (partial.program.config.nonContiguousRegions &&
      info.type == ELF::SHT_NOBITS && (traits & HasContents))
    info.type = ELF::SHT_PROGBITS;
}

//===----------------------------------------------------------------------===//
// Base symbols and regions
//===----------------------------------------------------------------------===//

/// Index into target->baseSymbols of the group of `out`, by the flags of its
/// content or, without content, by the family of its name (".cp.string" is of
/// the family of ".cp.rodata"); kNone: no group.
static uint32_t baseGroupOf(const Target &target, const OutputSection &out,
                            uint64_t flags) {
  ArrayRef<BaseSymbol> bases = target.baseSymbols;
  for (uint32_t i = 0; i < bases.size(); ++i)
    if (flags & bases[i].sectionFlag)
      return i;
  if (!out.members.empty())
    return kNone;
  for (uint32_t i = 0; i < bases.size(); ++i) {
    if (!bases[i].section)
      continue;
    std::string family = StringRef(bases[i].section).rsplit('.').first.str();
    if (!family.empty() && StringRef(out.name).starts_with(family + "."))
      return i;
  }
  return kNone;
}

/// Finds the output section at which each base symbol stands, and raises its
/// alignment to the largest in the group, so that everything keeps its
/// alignment relative to the base.
static void alignBaseGroups(const PartialLink &partial, OutputInfo &info) {
  ArrayRef<BaseSymbol> bases = partial.program.target->baseSymbols;
  info.baseStarts.assign(bases.size(), kNone);
  partial.placement.forEachOutput([&](OutputId id, const OutputSection &) {
    const OutputSectionInfo &f = info.outputs[id];
    if (!f.kept || f.baseGroup == kNone)
      return;
    OutputId &first = info.baseStarts[f.baseGroup];
    uint64_t least = f.inputAlign;
    if (first == kNone) {
      first = id;
      least = std::max<uint64_t>(least, bases[f.baseGroup].minAlign);
    }
    uint64_t &align = info.outputs[first].groupAlign;
    align = std::max(align, least);
  });
}

/// A section of the built-in script that an option gives an address: within its
/// region the next sections follow it; outside the built-in memory map it
/// stands alone.
static bool isApart(const PartialLink &partial, ScriptRun &run,
                    const OutputInfo &info, OutputId id, Address address) {
  const OutputSectionCommand &c = *partial.placement.outputs[id].command;
  const RegionId region = info.regionNamed(c.region);
  if (region == kNone)
    return true;
  const MemoryCommand &m = partial.program.script.memory[region.index()];
  const Address origin = run.number(m.origin.get(), 0);
  return address < origin || address >= origin + run.number(m.length.get(), 0);
}

/// Regions that the script names: with `>`, with AT>, for an overlay, and for
/// an orphan those of the section it was placed behind. Unknown names go to
/// `diag`; null: nowhere. `run` evaluates ORIGIN and LENGTH.
static void nameRegions(const PartialLink &partial, ScriptRun &run,
                        OutputInfo &info, Diagnostics *diag) {
  StringSet<> undeclared; // reported already
  auto find = [&](StringRef name, const OutputSectionCommand &c) {
    const RegionId region = info.regionNamed(name);
    if (region != kNone || !diag || !undeclared.insert(name).second)
      return region;
    const Script &script = partial.program.script;
    diag->error(locationText(wordPlace(script, name, c.where)) +
                undeclaredRegion(script, name));
    return region;
  };
  const Program &program = partial.program;
  // One that steps back by its ONLY_IF still passes regions on (GNU ld).
  for (OutputId id : partial.placement.outputs.ids()) {
    const OutputSection &out = partial.placement.outputs[id];
    OutputSectionInfo &f = info.outputs[id];
    const OutputSectionCommand *c = out.command;
    if (!c)
      continue;
    if (program.builtinScript && f.startOption != kNone &&
        isApart(partial, run, info, id,
                run.number(program.options.starts[f.startOption].get(), 0)))
      continue;
    StringRef lmaRegion = out.overlay ? out.overlay->lmaRegion : c->lmaRegion;
    StringRef region = out.overlay ? out.overlay->region : c->region;
    if (!lmaRegion.empty())
      f.lmaRegion = find(lmaRegion, *c);
    // AT> alone serves both addresses (GNU ld).
    if (region.empty() && !c->address)
      region = lmaRegion;
    if (!region.empty())
      f.region = find(region, *c);
  }
  for (OutputId id : partial.placement.outputs.ids()) {
    const OutputSection &out = partial.placement.outputs[id];
    if (out.command || out.orphanAfter == kNone)
      continue;
    // The anchor may be an earlier orphan. AT> alone serves both addresses.
    OutputSectionInfo &f = info.outputs[id];
    f.region = info.outputs[out.orphanAfter].region;
    f.lmaRegion = info.outputs[out.orphanAfter].lmaRegion;
    if (f.region == kNone)
      f.region = f.lmaRegion;
  }
}

/// Whether a section has an address of its own, for load regions.
static bool hasOwnAddress(OutputId id, const OutputSection &out,
                          const OutputSectionInfo &info) {
  const OutputSectionCommand *c = out.command;
  if (c ? c->lma || c->address : !wantsRegion(info.traits))
    return true;
  return out.overlay &&
         (id != out.overlayFirst || out.overlay->address || out.overlay->lma);
}

/// A section in the same region as the one before it, with no address of its
/// own, also shares its load region. The location counter's own space counts
/// as a region here.
static void handOnLoadRegions(const PartialLink &partial, OutputInfo &info) {
  OutputId before;
  partial.placement.forEachOutput([&](OutputId id, const OutputSection &out) {
    OutputSectionInfo &f = info.outputs[id];
    if (before != kNone && f.lmaRegion == kNone && f.startOption == kNone &&
        !hasOwnAddress(id, out, f) && f.region == info.outputs[before].region &&
        !out.forCommon && !partial.placement.outputs[before].forCommon)
      f.lmaRegion = info.outputs[before].lmaRegion;
    before = id;
  });
}

//===----------------------------------------------------------------------===//
// Names that the linker defines itself
//===----------------------------------------------------------------------===//

/// Defines referenced names that no input defines and no script assigns: the
/// machine's, __start_NAME and __stop_NAME; and the base symbols.
static void collectLinkerSymbols(const PartialLink &partial, OutputInfo &info) {
  const Program &program = partial.program;
  IdSet<SymbolId> scripted(program.symbols.size());
  partial.placement.forEachAssignment([&](const AssignmentCommand &a) {
    if (SymbolId id = program.symbols.find(a.name); id != kNone)
      scripted.insert(id);
  });
  auto undefined = [&](SymbolId id) {
    const Symbol &s = program.symbols[id];
    return s.kind == SymbolKind::Undefined && !s.scriptDefined &&
           !scripted.contains(id);
  };
  auto wanted = [&](SymbolId id) {
    return undefined(id) && program.symbols[id].referenced;
  };
  if (program.initTables != kNone && partial.placed(program.initTables))
    for (const char *name : kInitTableNames) {
      const SymbolId id = program.symbols.find(name);
      info.initTableSymbols.push_back(id != kNone && wanted(id) &&
                                              program.symbols[id].slot != kNone
                                          ? id
                                          : SymbolId());
    }
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

//===----------------------------------------------------------------------===//
// All properties
//===----------------------------------------------------------------------===//

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
