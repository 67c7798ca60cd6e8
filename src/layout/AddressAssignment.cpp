//===- AddressAssignment.cpp ----------------------------------------------===//
//
// Problem: addresses depend on script expressions, which depend on symbols,
// sizes, regions and header sizes, which depend on addresses; a name may be
// used before it is assigned, and link-time expressions of the inputs take
// part.
//
// Method: run the whole script from top to bottom until a round leaves every
// address, size and value unchanged; one more round, with the same result,
// reports its problems. A last walk gives symbols their values between sections
// that no longer move: the addresses of empty sections then do not count. With
// PHDRS, sections without bytes get load addresses within their segment after
// it: for scripts LOADADDR stays the requested one.
//
// PROVIDE has no effect if its name is defined, or not needed; the names that
// an expression needs show only when it is evaluated, and may be of another
// PROVIDE. One walk over the assignments finds the certain definitions, the
// rounds find the rest: a chain of PROVIDEs takes a round for each of its
// links.
//
// --enable-non-contiguous-regions: after a round in which a section moved on,
// the next has the new placement. Sections move on finitely often, and PROVIDEs
// take effect finitely often; rounds count from the last such event.
//
// Cost: scripts without forward references take two rounds and the reporting
// one.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/OutputSections.h"
#include "layout/Regions.h"
#include "layout/ScriptRun.h"
#include "layout/Segments.h"
#include "placement/Placement.h"
#include "placement/SectionTraits.h"
#include "llvm/ADT/STLExtras.h"
#include <utility>

using namespace llvm;

namespace xlink {

/// Rounds after which a script counts as unsettled. Usual scripts need a few;
/// each forward reference through another one costs a round.
static constexpr unsigned kMaxRounds = 64;

namespace {

class AddressAssignment {
public:
  AddressAssignment(const Program &program, Placement placement,
                    const Contributions &contributions,
                    Expressions &expressions, Diagnostics &diag)
      : contributions(contributions), program(program),
        expressions(expressions),
        diag(diag), layout{std::move(placement), {}, {}, {}} {}
  Layout run();

private:
  PartialLink partial() const {
    return {program, layout.placement, contributions};
  }
  bool spills() const {
    return program.regionFill() == RegionFill::NextFit ||
           !layout.placement.laterMatches.empty();
  }
  void keepAligned();
  std::optional<IdSet<OutputId>> findRoom();
  RoundResult roundWith(const RoundOptions &options) const {
    return runRound(partial(), layout.info, expressions, layout.addresses,
                    options);
  }
  RoundResult round(Diagnostics *reportTo);
  void recompute();
  Addresses take(RoundResult result);
  bool orderByAddress();
  bool settle();
  void reportUnsettled(const Addresses &before, const Addresses &after);

  const Contributions &contributions;
  const Program &program;
  Expressions &expressions;
  Diagnostics &diag;
  Layout layout;
  IdSet<SymbolId> given;   ///< names with a definition in any case
  IdSet<OutputId> hadSize; ///< outputs that held something at first
};

} // namespace

//===----------------------------------------------------------------------===//
// Names that have a definition
//===----------------------------------------------------------------------===//

/// Fills `names` before the first round: names that are needed from the
/// beginning, and those with a definition beside any PROVIDE, by an input or by
/// an assignment, except one that needs the name itself. `run` is over a
/// geometry in which nothing is placed.
static void findDefinitions(const PartialLink &partial, ScriptRun &run,
                            NameKnowledge &names) {
  const SymbolTable &symbols = partial.program.symbols;
  IdSet<SymbolId> needed(symbols.size());
  symbols.forEach(partial.program.parallel, [&](SymbolId id) {
    const Symbol &s = symbols[id];
    names.given.set(id, s.isDefined());
    // An operand of a link-time expression is a reference here, too.
    const bool operand = s.kind == SymbolKind::Undefined && !s.referenced;
    needed.set(id, s.strongReference ||
                       (s.file != kNone && (s.referenced || operand)));
  });
  partial.placement.forEachAssignment([&](const AssignmentCommand &a) {
    if (a.isDot() || a.provide)
      return;
    const SymbolId id = symbols.find(a.name);
    if (run.read(a).itself && !names.given.contains(id))
      return;
    names.given.insert(id);
    run.noteAssigned(a.name);
  });
  // Names that this walk has read count when the rounds read them.
  names.needed = std::move(needed);
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

LayoutStart startLayout(const PartialLink &partial, Diagnostics &diag) {
  const Program &program = partial.program;
  const Placement &placement = partial.placement;
  LayoutStart start{nameOutputs(partial), {}};
  Addresses &now = start.addresses;
  now.outputs.resize(placement.outputs.size());
  now.items.resize(placement.itemCount);
  now.offsets.resize(program.sections.size());
  now.statements.resize(placement.layout.size());
  now.regions.resize(program.script.memory.size());
  now.symbols.resize(program.slotCount());
  now.baseValues.resize(program.target->baseSymbols.size());
  now.options.starts.resize(program.options.starts.size());
  const size_t names = program.symbols.size();
  now.waiting.resize(names);
  now.names.needed.resize(names);
  now.names.given.resize(names);
  now.names.provides.resize(placement.layout.size() + placement.itemCount);
  ScriptRun run(partial, start.info, start.addresses, nullptr);
  findDefinitions(partial, run, start.addresses.names);
  run.evaluateOptions();
  start.info = computeOutputInfo(partial, start.addresses,
                                 start.addresses.names.given, {}, &diag);
  return start;
}

/// The output sections of a placement in which sections have moved on.
void AddressAssignment::recompute() {
  layout.info =
      computeOutputInfo(partial(), layout.addresses, given, hadSize, nullptr);
}

/// Makes a round's result the layout; returns the geometry so far.
Addresses AddressAssignment::take(RoundResult result) {
  Addresses before =
      std::exchange(layout.addresses, std::move(result.addresses));
  if (result.moved) {
    layout.placement = std::move(*result.moved);
    recompute();
  }
  return before;
}

/// Sections of nothing but room, and such that only describe the program, in
/// which dot moves: when every section counts (GNU ld's first pass), or else
/// among those that do. Where dot moves can depend on the region that they are
/// in because of it, so this is asked with them in none.
std::optional<IdSet<OutputId>> AddressAssignment::findRoom() {
  bool any = false;
  for (OutputId id : layout.info.outputs.ids()) {
    const OutputSection &out = layout.placement.outputs[id];
    const OutputSectionInfo &f = layout.info.outputs[id];
    any |= f.made && !out.dropped && !wantsRegion(f.traits) && movesDot(out) &&
           (f.holdsSections ||
            (f.region == kNone && !layout.addresses.regions.empty()));
  }
  if (!any)
    return std::nullopt;
  IdSet<OutputId> room(layout.info.outputs.size());
  RoundOptions options;
  options.makeRoom = &room;
  for (options.everySection = true;; options.everySection = false) {
    const Addresses found = roundWith(options).addresses;
    bool more = options.everySection;
    for (OutputId id : found.outputs.ids())
      if (!room.contains(id) && wantsRegion(found.outputs[id].traits) &&
          !wantsRegion(layout.info.outputs[id].traits)) {
        room.insert(id);
        more = true;
      }
    if (!more)
      return room;
  }
}

RoundResult AddressAssignment::round(Diagnostics *reportTo) {
  const std::optional<IdSet<OutputId>> room = findRoom();
  RoundOptions options;
  options.makeRoom = room ? &*room : nullptr;
  options.diag = reportTo;
  options.undefined = reportTo ? &layout.undefined : nullptr;
  // If sections move on, those without room overflow in the last round.
  options.spill = spills() && !reportTo;
  return roundWith(options);
}

/// A section of empty inputs has room after all where they are aligned more
/// than its beginning: by SUBALIGN, or than an address that the script gives.
/// It then exists (GNU ld). A round in which every section counts finds that.
void AddressAssignment::keepAligned() {
  std::vector<OutputId> candidates;
  for (OutputId id : layout.info.outputs.ids()) {
    const OutputSection &out = layout.placement.outputs[id];
    const OutputSectionInfo &f = layout.info.outputs[id];
    if (f.made && !f.kept && !out.dropped && out.command && f.holdsSections &&
        (out.command->subalign || (out.command->address && f.inputAlign > 1)))
      candidates.push_back(id);
  }
  if (candidates.empty())
    return;
  RoundOptions options;
  options.everySection = true;
  const Addresses all = roundWith(options).addresses;
  for (OutputId id : candidates)
    layout.info.outputs[id].kept = all.outputs[id].size != 0;
  layout.addresses.names = all.names;
}

/// Orders sections with SHF_LINK_ORDER by the addresses of those they describe.
/// The script's order differs where dot moves back or sections have moved on.
/// Returns whether anything changed.
bool AddressAssignment::orderByAddress() {
  std::vector<OutputId> order = layout.placement.outputsInOrder();
  llvm::stable_sort(order, [&](OutputId a, OutputId b) {
    return layout.addresses.outputs[a].address <
           layout.addresses.outputs[b].address;
  });
  return orderLinked(program, layout.placement, order);
}

/// Rounds until one leaves everything as it found it; false when none does.
bool AddressAssignment::settle() {
  bool ordered = false;
  for (unsigned rounds = 0;;) {
    RoundResult next = round(nullptr);
    const bool same = next.addresses == layout.addresses;
    const bool learned =
        next.addresses.names.provides != layout.addresses.names.provides;
    const bool moved = next.moved.has_value();
    const Addresses before = take(std::move(next));
    if (moved) {
      rounds = 0;
      ordered = false;
    } else if (same && (ordered || !orderByAddress())) {
      return true;
    } else if (same) {
      ordered = true; // once: in a chain each order would make another one
    } else if (learned) {
      rounds = 0;
    } else if (++rounds == kMaxRounds) {
      reportUnsettled(before, layout.addresses);
      return false;
    }
  }
}

/// Names the first difference between two rounds.
void AddressAssignment::reportUnsettled(const Addresses &before,
                                        const Addresses &after) {
  std::vector<std::string> notes;
  auto compare = [&](const char *kind, StringRef name, bool differ, auto a,
                     auto b) {
    if (differ && notes.empty())
      notes.push_back(std::string("still moving: ") + kind + " '" + name.str() +
                      "': " + hex(a) + ", then " + hex(b));
  };
  for (OutputId id : after.outputs.ids()) {
    const OutputPlace &a = before.outputs[id], &b = after.outputs[id];
    const StringRef name = layout.placement.outputs[id].name;
    compare("section", name, a.address != b.address, a.address, b.address);
    compare("section", name, a.size != b.size, a.size, b.size);
    compare("section", name, a.loadAddress != b.loadAddress, a.loadAddress,
            b.loadAddress);
  }
  for (SymbolId id : program.assignableInOrder())
    if (const SlotId slot = program.symbols[id].slot; slot != kNone) {
      const AssignedSymbol &a = before.symbols[slot], &b = after.symbols[slot];
      compare("symbol", program.shownName(program.symbols[id].name), a != b,
              a.value, b.value);
    }
  for (RegionId id : after.regions.ids()) {
    const RegionPlace &a = before.regions[id], &b = after.regions[id];
    const StringRef name = program.script.memory[id.index()].name;
    compare("region", name, a.origin != b.origin, a.origin, b.origin);
    compare("region", name, a.length != b.length, a.length, b.length);
  }
  diag.error("address assignment did not converge in " +
                 std::to_string(kMaxRounds) + " rounds",
             std::move(notes));
}

Layout AddressAssignment::run() {
  LayoutStart start = startLayout(partial(), diag);
  layout.info = std::move(start.info);
  layout.addresses = std::move(start.addresses);
  given = layout.addresses.names.given;
  if (!spills()) {
    keepAligned();
  } else {
    RoundOptions options;
    options.everySection = options.spill = true;
    take(roundWith(options));
    layout.addresses.placed = false; // for PROVIDEs that was none (GNU ld)
    hadSize.resize(layout.addresses.outputs.size());
    for (OutputId id : layout.addresses.outputs.ids())
      hadSize.set(id, layout.addresses.outputs[id].filled);
    recompute();
  }
  if (!settle())
    return std::move(layout);
  Addresses reported = round(&diag).addresses;
  if (reported != layout.addresses && !spills()) {
    reportUnsettled(layout.addresses, reported);
    return std::move(layout);
  }
  layout.addresses = std::move(reported);
  finishSymbols(partial(), layout.info, expressions, layout.addresses, diag,
                layout.undefined);
  stackLoadAddresses(partial(), layout.info, layout.addresses);
  return std::move(layout);
}

Layout assignAddresses(const Program &program, Placement placement,
                       const Contributions &contributions,
                       Expressions &expressions, Diagnostics &diag) {
  return AddressAssignment(program, std::move(placement), contributions,
                           expressions, diag)
      .run();
}

} // namespace xlink
