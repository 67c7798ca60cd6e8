//===- ScriptRun.cpp ------------------------------------------------------===//
//
// Problem: a name's value while a script runs depends on its definition
// (inputs, an earlier or later statement, the linker), on the place of the
// reading statement and on earlier rounds.
//
// Method: GNU ld's rules. Names have the values that this run has given them so
// far, or those of the round before. PROVIDEs take effect as their names are
// found needed; their number only grows. A symbol that is computed from itself
// is assigned in the last walk only, as it would never settle.
//
// Cost: one look-up in a hash table for each name in an expression.
//
//===----------------------------------------------------------------------===//
#include "layout/ScriptRun.h"
#include "model/ScriptVisitor.h"
#include "script/ScriptParser.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Queries of expressions
//===----------------------------------------------------------------------===//

ScriptValue ScriptRun::dot() {
  const uint64_t address = counter.wrapped(); // of the end: 0
  if (current == kNone)
    return ScriptValue::absolute(address);
  return ScriptValue::relative(address - sectionAddress(current.index()),
                               current.index());
}

std::optional<ScriptValue> ScriptRun::symbol(StringRef name) {
  name = partial.program.wrapping.meaning(name);
  const SymbolId id = partial.program.symbols.find(name);
  if (id == kNone)
    return std::nullopt;
  now.names.needed.insert(id);
  const Link all = link();
  const BoundSymbol s = all.symbol(id);
  readsItself |=
      name == assigning && !(s.kind == SymbolKind::Absolute && isAssigned(s));
  switch (s.kind) {
  case SymbolKind::Absolute:
    return ScriptValue::absolute(s.value);
  case SymbolKind::Output:
    return ScriptValue::relative(s.value, s.output.index());
  case SymbolKind::Defined: {
    // COMMON has no place yet when GNU ld decides about PROVIDEs.
    readsUnknown |=
        !now.placed && isCommon(partial.program.sections[s.section]);
    if (!partial.placed(s.section))
      return ScriptValue::absolute(0);
    const uint32_t output =
        partial.placement.sections[s.section].output.index();
    return ScriptValue::relative(all.addressOf(s) - sectionAddress(output),
                                 output);
  }
  default:
    readsUnknown |=
        s.kind == SymbolKind::Common || !now.names.given.contains(id);
    // Assigned further down, or PROVIDEd: known from the next round on. A
    // symbol that inputs refer to, all of them weakly, is 0.
    if (!diag)
      return ScriptValue::number(0);
    if (!now.waiting.contains(id) &&
        (s.scriptDefined ||
         (s.file != kNone && s.referenced && !s.strongReference)))
      return ScriptValue::number(0);
    return std::nullopt;
  }
}

bool ScriptRun::defined(StringRef name) {
  const SymbolId id =
      partial.program.symbols.find(partial.program.wrapping.meaning(name));
  if (id == kNone)
    return false;
  const Symbol &input = partial.program.symbols[id];
  const AssignedSymbol none;
  const AssignedSymbol &a =
      input.slot == kNone ? none : now.symbols[input.slot];
  const bool byScript = a.kind != SymbolKind::Undefined && !a.linkerDefined;
  // An input's definition counts everywhere, also where the script's own
  // replaces it further down; regions are made once all is assigned (GNU ld).
  if ((!input.scriptDefined && !byScript) || beforeStatements)
    return (input.isDefined() || a.kind != SymbolKind::Undefined) &&
           !a.provided;
  return isAssigned(input) || input.isDefined();
}

std::optional<EvaluationEnvironment::SectionInfo>
ScriptRun::section(StringRef name) {
  readsUnknown |= !now.placed;
  const OutputId id = info.outputNamed(name);
  if (id == kNone)
    return std::nullopt;
  const OutputPlace &out = now.outputs[id];
  const OutputSectionInfo &f = info.outputs[id];
  return SectionInfo{id.index(), out.address.wrapped(),
                     out.loadAddress.wrapped(), f.kept ? out.size : Size(),
                     f.made ? out.align : 0};
}

std::string ScriptRun::nearestName(const Expr &function) {
  std::vector<StringRef> names;
  if (function.kind == ExprKind::Origin || function.kind == ExprKind::Length)
    for (const MemoryCommand &region : partial.program.script.memory)
      names.push_back(region.name);
  else
    for (const OutputSection &out : partial.placement.outputs)
      names.push_back(out.name);
  return nearestSpelling(function.name, names);
}

std::optional<EvaluationEnvironment::RegionInfo>
ScriptRun::region(StringRef name) {
  const RegionId id = info.regionNamed(name);
  if (id == kNone)
    return std::nullopt;
  return RegionInfo{now.regions[id].origin.wrapped(), now.regions[id].length};
}

std::optional<uint64_t> ScriptRun::segmentStart(StringRef name) {
  if (name == "text-segment")
    return now.options.textSegment;
  const std::vector<SectionStart> &starts = partial.program.config.sectionStart;
  for (size_t i = starts.size(); i-- > 0;)
    if (*starts[i].segment && starts[i].segment == name)
      return now.options.starts[i];
  return std::nullopt;
}

void ScriptRun::problem(const ScriptLocation &where, std::string text) {
  hadProblem = true;
  if (diag && !muted) {
    misvalued = true;
    diag->error(locationText(where) + text);
  }
}

void ScriptRun::undefinedSymbol(const Expr &name) {
  lacksValue = true;
  if (undefined && !muted)
    undefined->add(name);
}

/// 0 is 1, others are rounded up to powers of two (GNU ld).
uint64_t ScriptRun::alignment(const Expr *expr, uint64_t otherwise) {
  if (!expr)
    return otherwise;
  // Its own value counts, without its base (GNU ld).
  const uint64_t value = evaluate(*expr, *this).value;
  if (value <= 1 || isPowerOf2_64(value))
    return std::max<uint64_t>(value, 1);
  if (value >> 63) {
    problem(expr->where, "alignment " + hex(value) + " is too large");
    return 1;
  }
  const uint64_t rounded = PowerOf2Ceil(value);
  // GNU ld rounds up as well, and does not say so.
  if (diag && !muted && roundedUp.insert(expr).second)
    diag->warn(WarningGroup::Script,
               locationText(expr->where) + "alignment " + hex(value) +
                   " is not a power of two: " + hex(rounded) + " is used");
  return rounded;
}

std::vector<uint8_t> fillBytes(const FillPattern &pattern, uint64_t value) {
  if (!pattern.bytes.empty())
    return pattern.bytes;
  return {uint8_t(value >> 24), uint8_t(value >> 16), uint8_t(value >> 8),
          uint8_t(value)};
}

//===----------------------------------------------------------------------===//
// Before any statement
//===----------------------------------------------------------------------===//

void ScriptRun::evaluateOptions() {
  const OptionExpressions &options = partial.program.options;
  beforeStatements = true;
  if (const Expr *e = options.textSegment.get()) {
    now.options.textSegment = number(e, 0);
    if (!partial.program.space().holds(*now.options.textSegment, 0))
      problem(e->where, "address " + hex(*now.options.textSegment) +
                            " does not fit the machine's address space");
  }
  now.options.starts.resize(options.starts.size());
  for (size_t i = 0; i < options.starts.size(); ++i)
    now.options.starts[i] = number(options.starts[i].get(), 0);
  beforeStatements = false;
}

void ScriptRun::evaluateRegions() {
  beforeStatements = true;
  for (RegionId id : now.regions.ids()) {
    RegionPlace &r = now.regions[id];
    const MemoryCommand &m = partial.program.script.memory[id.index()];
    hadProblem = false;
    r.origin = number(m.origin.get(), 0);
    r.length = number(m.length.get(), 0);
    r.misread = hadProblem;
    r.cursor = r.origin;
    r.lastOutput = kNone;
  }
  beforeStatements = false;
}

bool evaluateRegions(const Link &link, Addresses &now, Diagnostics &diag) {
  now.regions.resize(link.program.script.memory.size());
  UndefinedNames undefined;
  ScriptRun(link, link.info, now, &diag, &undefined).evaluateRegions();
  for (const auto &[name, use] : undefined.all())
    diag.error(locationText(use.first) + "undefined symbol '" + name.str() +
               "'");
  return !diag.failed();
}

void ScriptRun::evaluatePhdrs() {
  now.phdrs.clear();
  for (const PhdrCommand &p : partial.program.script.phdrs) {
    ScriptPhdr &phdr = now.phdrs.emplace_back();
    phdr.type = uint32_t(number(p.type.get(), 0));
    if (p.flags)
      phdr.flags = uint32_t(number(p.flags.get(), 0));
    if (p.address)
      phdr.loadAddress = number(p.address.get(), 0);
  }
}

//===----------------------------------------------------------------------===//
// Assignments
//===----------------------------------------------------------------------===//

void ScriptRun::noteAssigned(StringRef name) {
  if (SymbolId id = partial.program.symbols.find(name); id != kNone)
    if (SlotId slot = partial.program.symbols[id].slot; slot != kNone)
      assigned.insert(slot);
}

void ScriptRun::setSymbol(SymbolId id, const AssignmentCommand &a,
                          const ScriptValue &value) {
  const SlotId slot = partial.program.symbols[id].slot;
  assigned.insert(slot);
  AssignedSymbol &s = now.symbols[slot];
  // HIDDEN holds for all that is assigned to the name.
  const bool hidden = a.hidden || (s.hidden && !s.provided);
  s = AssignedSymbol();
  s.provided = a.provide;
  s.hidden = hidden;
  s.value = value.value;
  s.kind = SymbolKind::Absolute;
  // A number is an offset in the section that it stands in (GNU ld).
  if (value.kind == ScriptValue::Relative)
    s.output = OutputId(value.section);
  else if (value.kind == ScriptValue::Number &&
           !partial.program.target->scriptNumbersAbsolute)
    s.output = current;
  if (s.output != kNone)
    s.kind = SymbolKind::Output;
}

/// Whether an expression's value depends on where dot stands.
static bool readsDot(const Expr &e) {
  return anyNode(&e, [](const Expr &n) {
    switch (n.kind) {
    case ExprKind::Dot:
    case ExprKind::Align1:
    case ExprKind::Block:
    case ExprKind::Next:
    case ExprKind::DataSegmentAlign:
      return true;
    default:
      return false;
    }
  });
}

/// Sets dot. Values of expressions are modulo 2^64, so a move that seems to go
/// back by more than half of that went over the end of the address space, or
/// just to it. Not so `. = 0` between sections, which begins anew.
void ScriptRun::moveDot(const AssignmentCommand &a, uint64_t to) {
  Address target = to;
  const uint64_t forwards = to - counter.wrapped();
  if (target < counter && !(forwards >> 63) &&
      (current != kNone || readsDot(*a.value)))
    target = counter + forwards;
  if (current != kNone && target < counter) {
    problem(a.where, "cannot move the location counter backwards (from " +
                         hex(counter) + " to " + hex(to) + ") in section '" +
                         partial.placement.outputs[current].name + "'");
    return;
  }
  if (target.isBeyond() && current == kNone)
    problem(a.where, "the location counter leaves the address space: from " +
                         hex(counter) + " forwards by " + hex(forwards));
  advance(target);
}

Address ScriptRun::advance(Address to) {
  if (to.isBeyond()) {
    to = Address::end();
    if (current != kNone)
      now.outputs[current].overflows = true;
  }
  counter = to;
  return to;
}

ScriptValue ScriptRun::read(const AssignmentCommand &a) {
  assigning = a.name;
  readsItself = readsUnknown = false;
  const ScriptValue value = evaluate(*a.value, *this);
  assigning = StringRef();
  return value;
}

/// Decides about a PROVIDE that the run comes to, unless it has been decided
/// that it takes place: of those of one name the first does that finds it
/// needed. Inputs and options need a name from the beginning, an expression
/// once it was read. One whose value is not known yet does not keep the next
/// one from taking place as well (GNU ld).
bool ScriptRun::takesPlace(const AssignmentCommand &a, StatementId statement) {
  if (effective(a, statement))
    return true;
  const SymbolId id = partial.program.symbols.find(a.name);
  if (!now.names.needed.contains(id) || now.names.given.contains(id))
    return false;
  now.names.provides.insert(statement);
  return true;
}

std::optional<uint64_t> ScriptRun::assign(const AssignmentCommand &a,
                                          StatementId statement) {
  if (!a.isDot()) {
    if (!takesPlace(a, statement))
      return std::nullopt;
    const ScriptValue value = read(a);
    const SymbolId id = partial.program.symbols.find(a.name);
    if (a.provide && !readsUnknown)
      now.names.given.insert(id);
    // Not once a round, which would never settle: once, at the end (GNU ld).
    now.waiting.set(id, readsItself && !finishing);
    if (!now.waiting.contains(id))
      setSymbol(id, a, value);
    return link().addressOf(link().symbol(id));
  }
  ScriptValue v = evaluate(*a.value, *this);
  uint64_t to = v.value;
  if (v.kind == ScriptValue::Relative)
    to += sectionAddress(v.section);
  else if (v.kind == ScriptValue::Number && current != kNone)
    to += sectionAddress(current.index()); // a number is an offset in here
  moveDot(a, to);
  return counter.wrapped();
}

void ScriptRun::runStatement(const ScriptCommand &command,
                             StatementId statement, StatementValue &result) {
  if (command.kind == CommandKind::Assert) {
    muted = !finishing;
    auto &a = static_cast<const AssertCommand &>(command);
    lacksValue = false;
    result.value = absoluteValue(evaluate(*a.condition, *this), *this);
    // What follows an error about a value may follow from it.
    if (result.value == 0 && !lacksValue && !misvalued && diag && !muted) {
      std::vector<std::string> notes;
      const Expr &e = *a.condition;
      if (is_contained({ExprKind::Equal, ExprKind::NotEqual, ExprKind::Less,
                        ExprKind::LessEqual, ExprKind::Greater,
                        ExprKind::GreaterEqual},
                       e.kind))
        notes.push_back(hex(number(e.args[0].get(), 0)) + " " +
                        expressionWord(e.kind).str() + " " +
                        hex(number(e.args[1].get(), 0)) + " is false");
      diag->error(locationText(a.where) +
                      "assertion failed: " + a.message.str(),
                  std::move(notes));
    }
    muted = false;
    return;
  }
  auto &assignment = static_cast<const AssignmentCommand &>(command);
  muted = assignment.isDot() == finishing;
  std::optional<uint64_t> value = assign(assignment, statement);
  muted = false;
  result.skipped = !value;
  result.value = value.value_or(0);
}

//===----------------------------------------------------------------------===//
// Symbols of others
//===----------------------------------------------------------------------===//

void ScriptRun::defineLinkerSymbols() {
  auto define = [&](SymbolId id, OutputId out, Size offset, bool hidden) {
    AssignedSymbol &s = now.symbols[partial.program.symbols[id].slot];
    s.linkerDefined = true;
    s.hidden = hidden;
    s.kind = out == kNone ? SymbolKind::Absolute : SymbolKind::Output;
    s.output = out;
    s.value = offset;
  };
  for (const LinkerSymbol &s : info.linkerSymbols)
    define(s.id, s.output,
           s.output != kNone && s.atEnd ? now.outputs[s.output].size : Size(),
           /*hidden=*/true);
  for (size_t i = 0; i < info.initTableSymbols.size(); ++i)
    if (const SymbolId id = info.initTableSymbols[i]; id != kNone) {
      const SectionView tables = link().section(partial.program.initTables);
      define(id, tables.output, tables.offset + initTableOffset(link(), i),
             /*hidden=*/true);
    }
  for (uint32_t g = 0; g < info.baseSymbols.size(); ++g) {
    const SymbolId id = info.baseSymbols[g];
    if (info.ownBase[g]) {
      now.symbols[partial.program.symbols[id].slot].linkerDefined = true;
      if (OutputId start = info.baseStarts[g]; start != kNone)
        define(id, start, 0, /*hidden=*/false);
    }
    now.baseValues[g] = link().addressOf(link().symbol(id));
  }
}

std::optional<uint64_t> ScriptRun::valueOf(FileId f, uint32_t index) const {
  const InputFile &file = partial.program.files[f];
  SymbolId id = partial.program.symbolIds[file.symbolBase + index];
  const Link all = link();
  if (id == kNone) {
    const ParsedSymbol &local = file.object->symbols[index];
    if (local.place == SymbolPlace::Absolute)
      return local.value;
    if (local.place != SymbolPlace::Section)
      return std::nullopt;
    SectionId section = file.sectionBase + local.section;
    if (!partial.placed(section))
      return std::nullopt;
    return all.addressOf(section, local.value);
  }
  const BoundSymbol s = all.symbol(id);
  if (s.resolution != Resolution::Known || !s.isDefined() ||
      (s.kind == SymbolKind::Defined && !partial.placed(s.section)))
    return std::nullopt;
  return all.addressOf(s);
}

void ScriptRun::defineOthers(Expressions &expressions) {
  defineLinkerSymbols();
  expressions.evaluate([&](FileId f, uint32_t s) { return valueOf(f, s); },
                       now);
}

void ScriptRun::reportResults(const Expressions &expressions) const {
  expressions.report([&](FileId f, uint32_t s) { return valueOf(f, s); },
                     *diag);
}

} // namespace xlink
