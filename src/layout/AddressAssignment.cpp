//===- AddressAssignment.cpp ----------------------------------------------===//
//
// Problem: addresses depend on script expressions, which depend on symbols,
// sizes, regions and header sizes, which depend on addresses; a name may be
// used before it is assigned, and link-time expressions of the inputs take
// part.
//
// Method: run the whole script from top to bottom until a round leaves every
// address, size and value unchanged; one more round, with the same result,
// reports its problems. While sections move, a symbol can have the address of a
// section that will not exist, and one that is computed from itself would grow
// with every round: so with final addresses the assignments run once more (GNU
// ld). Dot in front of a statement is then its value when the section was laid
// out, or the end of the last section in the output. With PHDRS, sections
// without bytes get load addresses within their segment after it: for scripts
// LOADADDR stays the requested one.
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
#include "layout/ScriptRun.h"
#include "layout/Segments.h"
#include "placement/Placement.h"
#include "placement/SectionTraits.h"
#include "llvm/ADT/STLExtras.h"
#include <tuple>
#include <utility>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Final values of symbols
//===----------------------------------------------------------------------===//

/// Whether a value is a place that dot tells, and no distance or number.
static bool followsDot(const Expr &e) {
  auto any = [&] {
    return any_of(e.args, [](const ExprPtr &arg) { return followsDot(*arg); });
  };
  switch (e.kind) {
  case ExprKind::Dot:
  case ExprKind::Align1:
  case ExprKind::Block:
  case ExprKind::Next:
    return true;
  case ExprKind::Add:
  case ExprKind::And:
  case ExprKind::Or:
  case ExprKind::Conditional:
  case ExprKind::Align2:
  case ExprKind::Min:
  case ExprKind::Max:
  case ExprKind::DataSegmentAlign:
  case ExprKind::DataSegmentEnd:
    return any();
  case ExprKind::Sub:
    return followsDot(*e.args[0]) &&
           (e.args[1]->constant || e.args[1]->kind == ExprKind::SizeOf);
  default:
    return false;
  }
}

namespace {

/// The last walk: symbols, and the data that scripts compute from them.
struct Finish : ScriptRun {
  Finish(const PartialLink &partial, const OutputInfo &info,
         Expressions &expressions, Addresses &now, Diagnostics &diag,
         UndefinedNames &undefined)
      : ScriptRun(partial, info, now, &diag, &undefined),
        expressions(expressions) {
    finishing = true;
  }

  Expressions &expressions;

  /// A statement between sections. A symbol with a place that dot tells belongs
  /// to the section `near` (GNU ld and lld).
  void runBetween(const ScriptCommand &command, StatementId statement,
                  OutputId near) {
    StatementValue &result = now.statements[statement.index()];
    runStatement(command, statement, result);
    if (command.kind != CommandKind::Assignment || result.skipped)
      return;
    auto &a = static_cast<const AssignmentCommand &>(command);
    if (a.isDot() || !followsDot(*a.value))
      return;
    const SymbolId id = partial.program.symbols.find(a.name);
    if (AssignedSymbol &s = now.symbols[partial.program.symbols[id].slot];
        s.kind == SymbolKind::Absolute)
      s.output = near;
  }

  void runSymbols() {
    Address dot;
    const std::vector<LayoutCommand> &layout = partial.placement.layout;
    auto inMemory = [&](OutputId id) {
      return id != kNone && info.outputs[id].kept && info.outputs[id].isAlloc();
    };
    // The next section in memory behind each statement, and the last before it.
    std::vector<OutputId> next(layout.size() + 1);
    for (size_t i = layout.size(); i-- > 0;)
      next[i] = inMemory(layout[i].output) ? layout[i].output : next[i + 1];
    OutputId before;
    bool moved = false; ///< dot was assigned behind it
    for (uint32_t i = 0; i < layout.size(); ++i) {
      const OutputId id = layout[i].output;
      if (id == kNone) {
        counter = dot;
        runBetween(*layout[i].command, StatementId(i),
                   next[i] != kNone && (moved || before == kNone) ? next[i]
                                                                  : before);
        moved |= assignsDot(layout[i]);
        dot = counter;
        continue;
      }
      if (inMemory(id)) {
        before = id;
        moved = false;
      }
      const OutputSection &out = partial.placement.outputs[id];
      if (out.dropped)
        continue;
      current = id;
      for (uint32_t k = 0; k < out.items.size(); ++k) {
        const ScriptCommand *command = out.items[k].command;
        if (!command || (command->kind != CommandKind::Assignment &&
                         command->kind != CommandKind::Assert))
          continue;
        ItemPlace &item = now.items[out.firstItem + k];
        counter = now.outputs[id].address + item.offset;
        runStatement(*command, statementOf(out, k), item);
      }
      current = kNone;
      dot = now.outputs[id].dotBehind.value_or(dot);
    }
    defineOthers(expressions);
  }

  /// Data from final values. The value of DEFINED depends on its place.
  void runData() {
    muted = true; // reported before
    assigned.clear();
    const std::vector<LayoutCommand> &layout = partial.placement.layout;
    auto pass = [&](const ScriptCommand *command, bool skipped) {
      if (command && command->kind == CommandKind::Assignment && !skipped)
        noteAssigned(static_cast<const AssignmentCommand *>(command)->name);
    };
    for (uint32_t i = 0; i < layout.size(); ++i) {
      pass(layout[i].command, now.statements[i].skipped);
      const OutputId id = layout[i].output;
      if (id == kNone)
        continue;
      const OutputSection &out = partial.placement.outputs[id];
      for (uint32_t k = 0; k < out.items.size(); ++k) {
        const ScriptCommand *command = out.items[k].command;
        ItemPlace &item = now.items[out.firstItem + k];
        pass(command, item.skipped);
        if (!info.outputs[id].kept || !command ||
            command->kind != CommandKind::Data)
          continue;
        counter = now.outputs[id].address + item.offset;
        item.value =
            number(static_cast<const DataCommand &>(*command).value.get(), 0);
      }
    }
    muted = false;
  }
};

} // namespace

void finishSymbols(const PartialLink &partial, const OutputInfo &info,
                   Expressions &expressions, Addresses &now, Diagnostics &diag,
                   UndefinedNames &undefined) {
  Finish last(partial, info, expressions, now, diag, undefined);
  last.runSymbols();
  last.runData();
  last.reportResults(expressions);
}

//===----------------------------------------------------------------------===//
// Rounds
//===----------------------------------------------------------------------===//

/// Rounds after which a script counts as unsettled. Usual scripts need a few;
/// each forward reference through another one costs a round.
static constexpr unsigned kMaxRounds = 64;

namespace {

struct AddressAssignment {
  const Program &program;
  const Contributions &contributions;
  Expressions &expressions;
  Diagnostics &diag;
  Layout layout;
  IdSet<SymbolId> given = {};   ///< names with a definition in any case
  IdSet<OutputId> hadSize = {}; ///< outputs that held something at first

  PartialLink partial() const {
    return {program, layout.placement, contributions};
  }
  bool spills() const {
    return program.regionFill() == RegionFill::NextFit ||
           !layout.placement.laterMatches.empty();
  }
  RoundResult roundWith(const RoundOptions &options) const {
    return runRound(partial(), layout.info, expressions, layout.addresses,
                    options);
  }

  /// The output sections of a placement in which sections have moved on.
  void recompute() {
    layout.info =
        computeOutputInfo(partial(), layout.addresses, given, hadSize, nullptr);
  }

  /// Makes a round's result the layout; returns the geometry so far.
  Addresses take(RoundResult result) {
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
  /// among those that do. Where dot moves can depend on the region that they
  /// are in because of it, so this is asked with them in none.
  std::optional<IdSet<OutputId>> findRoom() {
    bool any = false;
    for (OutputId id : layout.info.outputs.ids()) {
      const OutputSection &out = layout.placement.outputs[id];
      const OutputSectionInfo &f = layout.info.outputs[id];
      any |= f.made && !out.dropped && !wantsRegion(f.traits) &&
             movesDot(out) &&
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

  RoundResult round(Diagnostics *reportTo) {
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
  void keepAligned() {
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

  /// Orders sections with SHF_LINK_ORDER by the addresses of those they
  /// describe. The script's order differs where dot moves back or sections have
  /// moved on. Returns whether anything changed.
  bool orderByAddress() {
    std::vector<OutputId> order = layout.placement.outputsInOrder();
    llvm::stable_sort(order, [&](OutputId a, OutputId b) {
      return layout.addresses.outputs[a].address <
             layout.addresses.outputs[b].address;
    });
    if (!orderLinked(program, layout.placement, order))
      return false;
    for (ItemPlace &item : layout.addresses.items)
      item.align = 0;
    return true;
  }

  /// Rounds until one leaves everything as it found it; false when none does.
  bool settle() {
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
  void reportUnsettled(const Addresses &before, const Addresses &after) {
    std::vector<std::string> notes;
    auto compare = [&](const char *kind, StringRef name, bool differ, auto a,
                       auto b) {
      if (differ && notes.empty())
        notes.push_back(std::string("still moving: ") + kind + " '" +
                        name.str() + "': " + hex(a) + ", then " + hex(b));
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
        const AssignedSymbol &a = before.symbols[slot],
                             &b = after.symbols[slot];
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

  Layout run() {
    std::tie(layout.info, layout.addresses) = startLayout(partial(), diag);
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
};

} // namespace

//===----------------------------------------------------------------------===//
// Before the first round
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
    run.read(a);
    if (run.readsItself && !names.given.contains(id))
      return;
    names.given.insert(id);
    run.noteAssigned(a.name);
  });
  // Names that this walk has read count when the rounds read them.
  names.needed = std::move(needed);
}

std::pair<OutputInfo, Addresses> startLayout(const PartialLink &partial,
                                             Diagnostics &diag) {
  const Program &program = partial.program;
  const Placement &placement = partial.placement;
  OutputInfo info = nameOutputs(partial);
  Addresses now;
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
  ScriptRun run(partial, info, now, nullptr);
  findDefinitions(partial, run, now.names);
  run.evaluateOptions();
  info = computeOutputInfo(partial, now, now.names.given, {}, &diag);
  return {std::move(info), std::move(now)};
}

Layout assignAddresses(const Program &program, Placement placement,
                       const Contributions &contributions,
                       Expressions &expressions, Diagnostics &diag) {
  return AddressAssignment{program,
                           contributions,
                           expressions,
                           diag,
                           {std::move(placement), {}, {}, {}}}
      .run();
}

} // namespace xlink
