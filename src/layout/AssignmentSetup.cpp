//===- AssignmentSetup.cpp - before the first round -----------------------===//
//
// What address assignment needs to know before it runs the script: addresses
// that options give, sections that exist although they are empty, the memory
// region of each section, and the symbols that the linker defines itself.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/Assigner.h"
#include "layout/BaseGroups.h"
#include "layout/SectionTraits.h"
#include "layout/ThreadLocal.h"
#include "model/ScriptVisitor.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <utility>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Before the first round
//===----------------------------------------------------------------------===//

/// Whether an assignment takes place: PROVIDE steps back for a definition, for
/// a name that nobody needs, and for another PROVIDE of it.
bool Assigner::effective(const AssignmentCommand &a) const {
  return !a.provide || provides.contains(&a);
}

/// Decides about a PROVIDE that the round comes to, unless it has been decided
/// that it takes place: of those of one name the first does that finds it
/// needed. Inputs and options need a name from the beginning, an expression
/// once it was read. One whose value is not known yet does not keep the next
/// one from taking place as well (GNU ld).
bool Assigner::takesPlace(const AssignmentCommand &a) {
  if (effective(a))
    return true;
  if (!needed.contains(a.name) || given.contains(a.name))
    return false;
  provides.insert(&a);
  return true;
}

static bool hasCondition(const Expr &e) {
  return e.kind == ExprKind::Conditional ||
         any_of(e.args, [](const ExprPtr &arg) { return hasCondition(*arg); });
}

/// Follows what assignments read in any case, so that a chain of PROVIDEs does
/// not take a round for each. Where several PROVIDE a name, the order in which
/// rounds find it needed decides between them.
void Assigner::followProvides(ArrayRef<const AssignmentCommand *> assignments) {
  StringMap<std::pair<const AssignmentCommand *, unsigned>> provided;
  for (const AssignmentCommand *a : assignments)
    if (a->provide) {
      auto &[command, count] = provided[a->name];
      command = a;
      ++count;
    }
  std::vector<StringRef> waitingNames;
  auto read = [&](const AssignmentCommand &a) {
    if (!hasCondition(*a.value))
      forEachSymbol(a.value.get(), [&](StringRef name) {
        auto it = provided.find(name);
        if (it != provided.end() && it->second.second == 1 &&
            needed.insert(name).second)
          waitingNames.push_back(it->first());
      });
  };
  for (const auto &[name, entry] : provided)
    if (needed.contains(name))
      waitingNames.push_back(name);
  for (const AssignmentCommand *a : assignments)
    if (!a->provide)
      read(*a);
  while (!waitingNames.empty()) {
    const auto &[command, count] = provided[waitingNames.back()];
    waitingNames.pop_back();
    if (count == 1 && !given.contains(command->name))
      read(*command);
  }
}

/// Finds the names that are needed from the beginning and those that have a
/// definition whatever is PROVIDEd: by an input or by an assignment, but for
/// one that needs the name itself.
void Assigner::findDefinitions() {
  inputDefines.resize(link.symbols.size());
  for (SymbolId id = 0; id < link.symbols.size(); ++id) {
    const Symbol &s = link.symbols[id];
    inputDefines[id] = s.isDefined();
    if (s.isDefined())
      given.insert(s.name);
  }
  std::vector<const AssignmentCommand *> assignments;
  auto run = [&](const ScriptCommand *command) {
    if (!command || command->kind != CommandKind::Assignment)
      return;
    auto &a = static_cast<const AssignmentCommand &>(*command);
    assignments.push_back(&a);
    if (a.provide || a.name == ".")
      return;
    valueFor(a);
    if (readsItself && !given.contains(a.name))
      return;
    given.insert(a.name);
    assigned.insert(a.name);
  };
  for (const LayoutCommand &command : link.layout) {
    run(command.command);
    if (command.output != kNone)
      for (const OutputItem &item : link.outputs[command.output].items)
        run(item.command);
  }
  needed.clear(); // what this pass has read counts where the rounds read it
  for (SymbolId id = 0; id < link.symbols.size(); ++id)
    if (const Symbol &s = link.symbols[id];
        s.strongReference || (s.referenced && s.file != kNone))
      needed.insert(s.name);
  followProvides(assignments);
}

/// GNU ld: `. = 0`, `. += 0` and the like do not make an empty section exist,
/// any other dot assignment does.
static bool movesNothing(const AssignmentCommand &a) {
  const Expr &e = *a.value;
  if (e.kind == ExprKind::Number)
    return e.number == 0;
  // ALIGN(. != 0 ? a : 1) of default scripts, for what stands first.
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

bool Assigner::forcesSection(const OutputSection &out) {
  for (const OutputItem &item : out.items) {
    if (!item.command)
      continue;
    if (item.command->kind == CommandKind::Data)
      return true;
    if (item.command->kind != CommandKind::Assignment)
      continue;
    auto &a = static_cast<const AssignmentCommand &>(*item.command);
    if (a.name == ".") {
      if (!movesNothing(a))
        return true;
    } else if (link.target->keepSymbolOnlySections) {
      // Whether a PROVIDE takes place is not decided yet.
      SymbolId id = a.provide ? link.symbols.find(a.name) : kNone;
      if (!a.provide || (id != kNone && link.symbols[id].referenced &&
                         !given.contains(a.name)))
        return true;
    }
  }
  return false;
}

/// The addresses that options give. The last option for a section counts,
/// however it is spelled. A script that asks for a segment's start decides
/// itself what to do with it.
void Assigner::parseOptions() {
  const Config &config = link.config;
  auto parse = [&](StringRef text, const char *option) {
    return parseExpression(option, text, true, link.script, link.diag);
  };
  auto add = [&](const std::string &text, const char *option) {
    if (ExprPtr value = parse(text, option))
      optionAddresses.push_back({std::move(value), kNone, "", true});
  };
  if (config.textSegment)
    add(*config.textSegment, "-Ttext-segment");
  else if (config.imageBase)
    add(*config.imageBase, "--image-base");
  for (const SectionStart &start : config.sectionStart) {
    ExprPtr value = parse(start.address, start.option);
    if (!value)
      continue;
    auto it = outputByName.find(start.section);
    const bool places = it != outputByName.end() &&
                        !is_contained(link.script.segmentStarts, start.segment);
    optionAddresses.push_back(
        {std::move(value), places ? it->second : kNone, start.segment, false});
  }
}

void Assigner::evaluateOptions() {
  for (const OptionAddress &o : optionAddresses) {
    const uint64_t address = number(o.value.get(), 0);
    if (o.textSegment && !link.target->is64 && address >> 32)
      problem(o.value->where, "address " + hex(address) +
                                  " does not fit the machine's address space");
    if (o.textSegment)
      textSegment = address;
    if (!o.segment.empty())
      segments[o.segment] = address;
    if (o.output != kNone)
      link.outputs[o.output].fixedAddress = address;
  }
}

void Assigner::prepareRegions() {
  link.regions.clear();
  regionByName.clear();
  for (const MemoryCommand &m : link.script.memory) {
    MemoryRegion &r = link.regions.emplace_back();
    r.command = &m;
    r.name = m.name.str();
    uint32_t index = uint32_t(link.regions.size() - 1);
    regionByName.try_emplace(m.name, index);
    for (StringRef alias : m.aliases)
      regionByName.try_emplace(alias, index);
  }
}

/// Regions that the script names. An orphan shares those of the section it was
/// placed behind. Others are chosen by attributes, once it is known what the
/// section holds.
void Assigner::nameRegions() {
  auto find = [&](StringRef name, const OutputSectionCommand &c) {
    auto it = regionByName.find(name);
    if (it != regionByName.end())
      return it->second;
    link.diag.error(locationText(c.where) + "memory region '" + name.str() +
                    "' is not declared");
    return kNone;
  };
  // One that steps back by its ONLY_IF still passes regions on (GNU ld).
  for (OutputSection &out : link.outputs) {
    const OutputSectionCommand *c = out.command;
    if (!c)
      continue;
    if (out.fixedAddress && link.builtinScript) {
      // Within its region it takes along what follows; outside the built-in
      // memory map it stands alone, on purpose.
      auto it = regionByName.find(c->region);
      if (it == regionByName.end())
        continue;
      const MemoryCommand &m = *link.regions[it->second].command;
      if (*out.fixedAddress - number(m.origin.get(), 0) >=
          number(m.length.get(), 0))
        continue;
    }
    StringRef lmaRegion = c->lmaRegion, region = c->region;
    if (out.overlay) {
      lmaRegion = out.overlay->lmaRegion;
      region = out.overlay->region;
    }
    if (!lmaRegion.empty())
      out.lmaRegion = find(lmaRegion, *c);
    // AT> alone serves both addresses (GNU ld).
    if (region.empty() && !c->address)
      region = lmaRegion;
    if (!region.empty())
      out.region = find(region, *c);
  }
  // An orphan's anchor may be an orphan that was created before it.
  for (OutputSection &out : link.outputs)
    if (!out.command && out.orphanAfter != kNone) {
      const OutputSection &anchor = link.outputs[out.orphanAfter];
      out.region = anchor.region;
      out.lmaRegion = anchor.lmaRegion;
      if (out.region == kNone)
        out.region = out.lmaRegion;
    }
}

/// A section that no region is named for goes to the first one whose attributes
/// fit. Where there are regions but none fits, that is an error for what needs
/// memory.
void Assigner::chooseRegion(OutputSection &out, bool ignored) {
  if (out.region != kNone || !(out.traits & (Alloc | Load)))
    return;
  out.region = regionByAttributes(out);
  if (!reporting || ignored || out.region != kNone || link.regions.empty() ||
      !(out.traits & Alloc) || !takesRoom(out))
    return;
  std::string text = "no memory region for section '" + out.name + "'";
  if (link.config.checkSections)
    link.diag.error((out.command ? locationText(out.command->where) : "") +
                    text);
  else
    link.diag.warn(WarningGroup::Script,
                   text + ": it follows the location counter");
}

/// The first region whose attributes fit. `w` stands for data: what GNU ld
/// knows as such, and all memory that is neither read-only nor code.
uint32_t Assigner::regionByAttributes(const OutputSection &out) const {
  uint32_t traits = out.traits;
  if (out.name == ".text" && traits)
    traits |= ReadOnly;
  if ((traits & (Alloc | ReadOnly | Code)) == Alloc)
    traits |= Data;
  uint64_t flags = 0;
  if (traits & Alloc)
    flags |= ELF::SHF_ALLOC;
  if (traits & Data)
    flags |= ELF::SHF_WRITE;
  if (traits & Code)
    flags |= ELF::SHF_EXECINSTR;
  const bool readOnly = traits & ReadOnly, loaded = traits & Load;
  for (uint32_t i = 0; i < link.regions.size(); ++i) {
    const MemoryCommand &m = *link.regions[i].command;
    bool wanted = (flags & m.flags) || (m.wantReadOnly && readOnly) ||
                  (m.wantLoaded && loaded);
    bool refused = (flags & m.negFlags) || (m.excludeReadOnly && readOnly) ||
                   (m.excludeLoaded && loaded);
    if (m.hasAttributes && wanted && !refused)
      return i;
  }
  return kNone;
}

/// A section in the same region as the one before it, with no address of its
/// own, also shares its load region (GNU ld). The location counter's own space
/// counts as a region here.
void Assigner::propagateLoadRegions() {
  const OutputSection *before = nullptr;
  for (const LayoutCommand &command : link.layout) {
    if (command.output == kNone)
      continue;
    OutputSection &out = link.outputs[command.output];
    const OutputSectionCommand *c = out.command;
    bool own = c ? c->lma || c->address : !(out.traits & (Alloc | Load));
    if (out.overlay)
      own |= command.output != out.overlayFirst || out.overlay->address ||
             out.overlay->lma;
    if (before && out.lmaRegion == kNone && !own && !out.fixedAddress &&
        out.region == before->region && !out.forCommon && !before->forCommon)
      out.lmaRegion = before->lmaRegion;
    before = &out;
  }
}

void Assigner::prepare() {
  for (OutputId id = 0; id < link.outputs.size(); ++id)
    if (!link.outputs[id].dropped)
      outputByName.try_emplace(link.outputs[id].name, id);
  findDefinitions();
  beforeStatements = true;
  parseOptions();
  evaluateOptions();
  beforeStatements = false;
  prepareOutputs();
  collectLinkerSymbols();
}

/// What follows from the members of output sections.
void Assigner::prepareOutputs() {
  TraitGatherer gatherer(link);
  for (OutputId id = 0; id < link.outputs.size(); ++id) {
    OutputSection &out = link.outputs[id];
    const GatheredTraits gathered = gatherer.gather(id);
    if (out.command && out.command->typeValue &&
        out.command->typeValue->kind != ExprKind::Number)
      out.type = uint32_t(number(out.command->typeValue.get(), 0));
    out.traits = gathered.traits;
    out.made = gathered.made;
    bool content = false;
    for (SectionId member : out.members)
      content |=
          link.sections[member].placed() && link.sections[member].size != 0;
    const bool forced = forcesSection(out) || gathered.keep || out.hadSize;
    out.kept = content || forced;
    if (!content && forced)
      if (uint32_t group = baseGroupOf(link, out); group != kNone)
        out.flags |= link.target->baseSymbols[group].sectionFlag;
  }
  alignBaseGroups(link);
  alignThreadLocal(link, [&](const OutputSection &out) {
    return alignment(out.command ? out.command->align.get() : nullptr, 1);
  });
  // Wherever a section might have come it raises the alignment (GNU ld).
  for (const auto &[place, members] : link.possibleMembers)
    for (SectionId id : members)
      if (link.sections[id].live) {
        uint64_t &align = link.outputs[place.first].align;
        align = std::max<uint64_t>(align, link.sections[id].parsed->align);
      }
  for (OutputSection &out : link.outputs)
    out.groupAlign = out.align;
  prepareRegions();
  nameRegions();
  propagateLoadRegions();

  for (OutputSection &out : link.outputs)
    if (out.command && out.command->fill)
      out.fill = fillBytes(out.command->fill);
    else if (out.overlay && out.overlay->fill)
      out.fill = fillBytes(out.overlay->fill);
}

/// A fill expression stands for its low four bytes, the highest first.
std::vector<uint8_t> Assigner::fillBytes(const FillPattern &pattern) {
  if (!pattern.bytes.empty())
    return pattern.bytes;
  uint64_t v = number(pattern.value.get(), 0);
  return {uint8_t(v >> 24), uint8_t(v >> 16), uint8_t(v >> 8), uint8_t(v)};
}

//===----------------------------------------------------------------------===//
// Symbols of the linker's own
//===----------------------------------------------------------------------===//

static bool isCIdentifier(StringRef s) {
  return !s.empty() && !isDigit(s[0]) &&
         all_of(s, [](char c) { return isAlnum(c) || c == '_'; });
}

/// Names that are referenced, that no input defines and no script assigns.
void Assigner::collectLinkerSymbols() {
  StringSet<> scripted;
  auto note = [&](const ScriptCommand *command) {
    if (command && command->kind == CommandKind::Assignment)
      scripted.insert(static_cast<const AssignmentCommand *>(command)->name);
  };
  for (const LayoutCommand &command : link.layout)
    note(command.command);
  for (const OutputSection &out : link.outputs)
    for (const OutputItem &item : out.items)
      note(item.command);
  auto wanted = [&](SymbolId id) {
    const Symbol &s = link.symbols[id];
    return s.referenced && s.kind == SymbolKind::Undefined &&
           !s.scriptDefined && !scripted.contains(s.name);
  };
  for (const BaseSymbol &base : link.target->baseSymbols) {
    SymbolId id = link.symbols.insert(base.name);
    baseSymbols.push_back(id);
    // The base exists for relocations that subtract it, referenced or not.
    Symbol &s = link.symbols[id];
    s.linkerDefined = s.kind == SymbolKind::Undefined && !s.scriptDefined &&
                      !scripted.contains(s.name);
  }
  auto outputNamed = [&](StringRef name) {
    auto it = outputByName.find(name);
    return it == outputByName.end() ? kNone : it->second;
  };
  for (const SectionSymbol &s : link.target->sectionSymbols) {
    SymbolId id = link.symbols.find(s.name);
    if (id != kNone && wanted(id))
      linkerSymbols.push_back({id, outputNamed(s.section), s.atEnd});
  }
  for (SymbolId id = 0; id < link.symbols.size(); ++id) {
    if (link.symbols[id].kind != SymbolKind::Undefined)
      continue;
    StringRef name = link.symbols[id].name;
    bool atEnd = name.consume_front("__stop_");
    if (!atEnd && !name.consume_front("__start_"))
      continue;
    OutputId out = isCIdentifier(name) ? outputNamed(name) : kNone;
    if (out != kNone && wanted(id))
      linkerSymbols.push_back({id, out, atEnd});
  }
}

void Assigner::defineLinkerSymbols() {
  auto define = [&](SymbolId id, OutputId out, uint64_t offset) {
    Symbol &s = link.symbols[id];
    s.linkerDefined = true;
    s.binding = ELF::STB_GLOBAL;
    s.kind = out == kNone ? SymbolKind::Absolute : SymbolKind::Output;
    s.section = out;
    s.value = offset;
  };
  for (const LinkerSymbol &s : linkerSymbols) {
    uint64_t offset =
        s.output != kNone && s.atEnd ? link.outputs[s.output].size : 0;
    define(s.id, s.output, offset);
    link.symbols[s.id].visibility = ELF::STV_HIDDEN;
  }
  for (uint32_t g = 0; g < baseSymbols.size(); ++g) {
    Symbol &s = link.symbols[baseSymbols[g]];
    if (s.linkerDefined)
      if (OutputId start = baseGroupStart(link, g); start != kNone)
        define(baseSymbols[g], start, 0);
    link.baseValues[g] = symbolAddress(link, s);
  }
}

} // namespace xlink
