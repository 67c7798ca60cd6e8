//===- AddressAssignment.cpp ----------------------------------------------===//
//
// Problem: addresses depend on script expressions, which depend on symbols,
// sizes, regions and header sizes, which depend on addresses; a name may be
// used before it is assigned, and link-time expressions of the inputs take
// part.
//
// Method: run the whole script from top to bottom as often as it takes. Within
// a round, names have the values that the round has given them so far, or those
// of the round before. When a round leaves every address, size and value as it
// found it, that is the answer, and one more round with the same outcome
// reports what is wrong with it. The rules of a single round are GNU ld's:
// which cursor a section starts at, when alignment applies, what its load
// address follows from. So is a last walk that gives symbols their values
// between sections that no longer move: the address of a section that turned
// out to be empty then counts for nothing.
//
// Which PROVIDEs take place is found on the way, as names turn out to be
// needed; that only grows, and counts as change. A symbol that is computed from
// itself waits for the last walk. With PHDRS, sections without bytes get load
// addresses within their segment after it: for scripts LOADADDR is what they
// asked for.
//
// Cost: one visit of each input section a round; scripts without forward
// references take two rounds and the reporting one.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/Assigner.h"
#include "layout/BaseGroups.h"
#include "layout/MergeSections.h"
#include "layout/Placement.h"
#include "layout/SectionTraits.h"
#include "script/ScriptEvaluator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;

namespace xlink {

/// Rounds after which a script is taken not to settle. Honest scripts need a
/// handful; each forward reference through another one costs a round.
static constexpr unsigned kMaxRounds = 64;

uint64_t sectionAddress(const Link &link, SectionId id, uint64_t offset) {
  const InputSection &s = link.sections[id];
  if (s.merge != kNone) {
    std::optional<MergedPlace> place = mergedPlace(link, id, offset);
    if (!place)
      return 0;
    const InputSection &home = link.sections[place->section];
    return link.outputs[home.output].address + home.offset + place->offset;
  }
  if (s.cut != kNone)
    offset = link.cuts[s.cut].offsetOf(offset);
  return link.outputs[s.output].address + s.offset + offset;
}

uint64_t symbolAddress(const Link &link, const Symbol &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Defined:
    if (!link.sections[symbol.section].placed())
      return 0;
    return sectionAddress(link, symbol.section, symbol.value);
  case SymbolKind::Output:
    return link.outputs[symbol.section].address + symbol.value;
  case SymbolKind::Absolute:
    return symbol.value;
  default:
    return 0;
  }
}

//===----------------------------------------------------------------------===//
// What expressions ask for
//===----------------------------------------------------------------------===//

ScriptValue Assigner::dot() {
  const uint64_t address = uint64_t(counter); // of the end: 0
  if (current == kNone)
    return ScriptValue::absolute(address);
  return ScriptValue::relative(address - link.outputs[current].address,
                               current);
}

std::optional<ScriptValue> Assigner::symbol(StringRef name) {
  needed.insert(name);
  SymbolId id = link.symbols.find(name);
  if (id == kNone)
    return std::nullopt;
  const Symbol &s = link.symbols[id];
  readsItself |= name == assigning &&
                 !(s.kind == SymbolKind::Absolute && assigned.contains(name));
  switch (s.kind) {
  case SymbolKind::Absolute:
    return ScriptValue::absolute(s.value);
  case SymbolKind::Output:
    return ScriptValue::relative(s.value, s.section);
  case SymbolKind::Defined: {
    const InputSection &in = link.sections[s.section];
    // COMMON has no place yet when GNU ld decides about PROVIDEs.
    readsUnknown |= firstRound && isCommon(in);
    if (!in.placed())
      return ScriptValue::absolute(0);
    return ScriptValue::relative(
        symbolAddress(link, s) - link.outputs[in.output].address, in.output);
  }
  default:
    readsUnknown |= s.kind == SymbolKind::Common || !given.contains(name);
    // Assigned further down, or PROVIDEd: known from the next round on. A
    // symbol that inputs refer to, all of them weakly, is 0.
    if (!reporting)
      return ScriptValue::number(0);
    if (!waiting.contains(name) &&
        (s.scriptDefined ||
         (s.file != kNone && s.referenced && !s.strongReference)))
      return ScriptValue::number(0);
    return std::nullopt;
  }
}

bool Assigner::defined(StringRef name) {
  SymbolId id = link.symbols.find(name);
  if (id == kNone)
    return false;
  const Symbol &s = link.symbols[id];
  // An input's definition counts everywhere, also where the script's own
  // replaces it further down; regions are made once all is assigned (GNU ld).
  if (!s.scriptDefined || beforeStatements)
    return s.isDefined() && !s.provided;
  return assigned.contains(name) ||
         (id < inputDefines.size() && inputDefines[id]);
}

std::optional<EvaluationEnvironment::SectionInfo>
Assigner::section(StringRef name) {
  auto it = outputByName.find(name);
  readsUnknown |= firstRound;
  if (it == outputByName.end())
    return std::nullopt;
  const OutputSection &out = link.outputs[it->second];
  return SectionInfo{it->second, out.address, out.loadAddress,
                     out.kept ? out.size : 0, out.made ? out.align : 0};
}

std::optional<EvaluationEnvironment::RegionInfo>
Assigner::region(StringRef name) {
  auto it = regionByName.find(name);
  if (it == regionByName.end())
    return std::nullopt;
  const MemoryRegion &r = link.regions[it->second];
  return RegionInfo{r.origin, r.length};
}

uint64_t Assigner::constant(ScriptConstant) { return link.pageSize(); }

std::optional<uint64_t> Assigner::segmentStart(StringRef name) {
  if (name == "text-segment")
    return textSegment;
  auto it = segments.find(name);
  return it == segments.end() ? std::nullopt : std::optional(it->second);
}

void Assigner::problem(const ScriptLocation &where, std::string text) {
  if (reporting && !muted)
    link.diag.error(locationText(where) + text);
}

uint64_t Assigner::number(const Expr *expr, uint64_t otherwise) {
  return expr ? absoluteValue(evaluate(*expr, *this), *this) : otherwise;
}

uint64_t Assigner::alignment(const Expr *expr, uint64_t otherwise) {
  if (!expr)
    return otherwise;
  uint64_t value = number(expr, 1);
  if (value == 0)
    return 1;
  if (isPowerOf2_64(value))
    return value;
  if (value >> 63) {
    problem(expr->where, "alignment " + xlink::hex(value) + " is too large");
    return 1;
  }
  // As GNU ld, which does not say so.
  const uint64_t rounded = PowerOf2Ceil(value);
  if (reporting && !muted && roundedUp.insert(expr).second)
    link.diag.warn(
        WarningGroup::Script,
        locationText(expr->where) + "alignment " + xlink::hex(value) +
            " is not a power of two: " + xlink::hex(rounded) + " is used");
  return rounded;
}

//===----------------------------------------------------------------------===//
// One round
//===----------------------------------------------------------------------===//

void Assigner::setSymbol(StringRef name, const ScriptValue &value) {
  SymbolId id = link.symbols.insert(name);
  Symbol &s = link.symbols[id];
  assigned.insert(name);
  s.scriptDefined = true;
  s.binding = ELF::STB_GLOBAL;
  s.type = ELF::STT_NOTYPE;
  s.size = 0;
  s.value = value.value;
  ScriptValue v = value;
  if (v.kind == ScriptValue::Number && current != kNone)
    v = ScriptValue::relative(v.value, current);
  if (v.kind == ScriptValue::Relative) {
    s.kind = SymbolKind::Output;
    s.section = v.section;
  } else {
    s.kind = SymbolKind::Absolute;
    s.section = kNone;
  }
}

/// "0x1c"
static std::string hex(Position value) {
  return value == kAddressEnd ? "0x10000000000000000"
                              : xlink::hex(uint64_t(value));
}

/// The next multiple of a power of two.
static Position alignUp(Position value, uint64_t alignment) {
  return (value + alignment - 1) & ~Position(alignment - 1);
}

/// Whether an expression's value depends on where dot stands.
static bool readsDot(const Expr &e) {
  switch (e.kind) {
  case ExprKind::Dot:
  case ExprKind::Align1:
  case ExprKind::Block:
  case ExprKind::Next:
  case ExprKind::DataSegmentAlign:
    return true;
  default:
    return any_of(e.args, [](const ExprPtr &arg) { return readsDot(*arg); });
  }
}

/// Sets dot. Values of expressions are modulo 2^64, so a move that seems to go
/// back by more than half of that went over the end of the address space, or
/// just to it. Not so `. = 0` between sections, which begins anew.
void Assigner::moveDot(const AssignmentCommand &a, uint64_t to) {
  Position target = to;
  const uint64_t forwards = to - uint64_t(counter);
  if (target < counter && !(forwards >> 63) &&
      (current != kNone || readsDot(*a.value)))
    target = counter + forwards;
  if (current != kNone && target < counter) {
    problem(a.where, "cannot move the location counter backwards (from " +
                         hex(counter) + " to " + hex(Position(to)) +
                         ") in section '" + link.outputs[current].name + "'");
    return;
  }
  if (target > kAddressEnd && current == kNone)
    problem(a.where, "the location counter leaves the address space: from " +
                         hex(counter) + " forwards by " +
                         hex(Position(forwards)));
  advance(target);
}

/// Moves dot on. What would end behind the address space ends with it, and is
/// an error of the section (checkAddressSpace).
void Assigner::advance(Position to) {
  if (to > kAddressEnd) {
    to = kAddressEnd;
    if (current != kNone)
      link.outputs[current].overflows = true;
  }
  counter = to;
}

/// The value of an assignment to a symbol; notes whether it reads that.
ScriptValue Assigner::valueFor(const AssignmentCommand &a) {
  assigning = a.name;
  readsItself = readsUnknown = false;
  ScriptValue v = evaluate(*a.value, *this);
  assigning = StringRef();
  return v;
}

/// The value assigned; nothing when a PROVIDE steps back.
std::optional<uint64_t> Assigner::assign(const AssignmentCommand &a) {
  if (a.name != ".") {
    if (!takesPlace(a))
      return std::nullopt;
    ScriptValue v = valueFor(a);
    if (a.provide && !readsUnknown)
      given.insert(a.name);
    // Not once a round, which would never settle: once, at the end (GNU ld).
    if (readsItself && !finishing) {
      waiting.insert(a.name);
      SymbolId id = link.symbols.find(a.name);
      return id == kNone ? 0 : symbolAddress(link, link.symbols[id]);
    }
    waiting.erase(a.name);
    setSymbol(a.name, v);
    Symbol &s = link.symbols[link.symbols.find(a.name)];
    s.provided = a.provide;
    s.hidden = a.hidden;
    return symbolAddress(link, s);
  }
  ScriptValue v = evaluate(*a.value, *this);
  uint64_t to = v.value;
  if (v.kind == ScriptValue::Relative)
    to += link.outputs[v.section].address;
  else if (v.kind == ScriptValue::Number && current != kNone)
    to += link.outputs[current].address; // a number is an offset in here
  moveDot(a, to);
  return uint64_t(counter);
}

uint64_t Assigner::check(const AssertCommand &a) {
  uint64_t value = absoluteValue(evaluate(*a.condition, *this), *this);
  if (value == 0)
    problem(a.where, "assertion failed: " + a.message.str());
  return value;
}

/// An assignment or assertion, whose value the map shows.
template <class Statement> void Assigner::runStatement(Statement &statement) {
  const ScriptCommand &command = *statement.command;
  if (command.kind == CommandKind::Assert) {
    muted = !finishing;
    statement.value = check(static_cast<const AssertCommand &>(command));
    muted = false;
    return;
  }
  auto &assignment = static_cast<const AssignmentCommand &>(command);
  muted = (assignment.name == ".") == finishing;
  std::optional<uint64_t> value = assign(assignment);
  muted = false;
  statement.skipped = !value;
  statement.value = value.value_or(0);
}

/// A statement of an output section. `end` is where what takes room ends.
void Assigner::runItem(OutputSection &out, OutputItem &item, Position &end,
                       bool takesMemory) {
  if (!item.command)
    return;
  switch (item.command->kind) {
  case CommandKind::Assignment:
  case CommandKind::Assert: {
    const Position before = counter;
    runStatement(item);
    // Room that dot makes is memory like any other.
    if (counter == before)
      break;
    end = counter;
    if (takesMemory)
      out.traits |= Alloc;
    break;
  }
  case CommandKind::Data: {
    auto &data = static_cast<const DataCommand &>(*item.command);
    const OutputId id = std::exchange(current, kNone);
    item.value = number(data.value.get(), 0); // dot is an address here (GNU ld)
    current = id;
    advance(counter + (data.value ? data.size : data.bytes.size()));
    end = counter;
    break;
  }
  case CommandKind::Fill:
    item.fill =
        fillBytes(static_cast<const FillCommand &>(*item.command).pattern);
    break;
  default:
    break;
  }
}

/// The statements of an output section; returns where it ends.
Position Assigner::runItems(OutputId id, bool ignored) {
  OutputSection &out = link.outputs[id];
  const OutputSectionCommand *command = out.command;
  const bool takesMemory = !command || command->type == OutputType::Normal ||
                           command->type == OutputType::NoLoad ||
                           command->type == OutputType::ReadOnly;
  const Expr *subalignment = command ? command->subalign.get() : nullptr;
  uint64_t subalign = alignment(subalignment, 0);
  const bool spills = link.config.nonContiguousRegions && !reporting &&
                      !ignored && out.region != kNone;
  Position regionEnd = 0;
  if (spills)
    regionEnd = Position(link.regions[out.region].origin) +
                link.regions[out.region].length;
  std::vector<SectionId> full; // no room for them
  Position end = counter;      // of what takes room
  for (OutputItem &item : out.items) {
    item.offset = uint64_t(counter - start);
    runItem(out, item, end, !ignored && takesMemory);
    // It sees what the section itself has assigned so far (GNU ld).
    if (subalignment && !subalignment->constant)
      subalign = alignment(subalignment, 0);
    for (uint32_t i = item.begin; i < item.end; ++i) {
      InputSection &s = link.sections[out.members[i]];
      if (!s.placed())
        continue;
      uint64_t align = subalign ? subalign : s.parsed->align;
      s.align = align;
      if (s.merge != kNone && s.size == 0) {
        // All of it is in other sections.
        out.align = std::max<uint64_t>({out.align, align, s.parsed->align});
        s.offset = uint64_t(counter - start);
        continue;
      }
      if (const Position aligned = alignUp(counter, align);
          aligned != counter) {
        advance(aligned);
        end = counter;
      }
      out.align = std::max<uint64_t>({out.align, align, s.parsed->align});
      if (spills && counter + s.size > regionEnd &&
          canMoveOn(link, out.members[i])) {
        full.push_back(out.members[i]);
        counter = regionEnd;
        continue;
      }
      s.offset = uint64_t(counter - start);
      advance(counter + s.size);
      end = counter;
    }
  }
  // Where a section moved on, dot stands at its region's end, which can be
  // before the beginning.
  out.size = ignored ? 0 : uint64_t(end - start);
  if (!full.empty()) {
    moveOn(link, id, full);
    anyMoved = true;
  }
  return ignored ? start : end;
}

/// Where an address is loaded at the distance of a section; the end of the
/// address space stands for what is outside of it.
static Position loadedLike(const OutputSection &section, uint64_t address) {
  if (section.loadAddress >= section.address)
    return Position(address) + (section.loadAddress - section.address);
  const uint64_t down = section.address - section.loadAddress;
  return address >= down ? Position(address - down) : kAddressEnd;
}

/// Load address of the section just laid out. Without one of its own it keeps
/// the distance of the last section of its region (members of an overlay follow
/// that one's end). `dot` is where the location counter stands for the script:
/// a section that is not in the output does not move it.
void Assigner::setLoadAddress(OutputId id, uint64_t sectionAlign,
                              uint64_t dotDelta, Position dot) {
  OutputSection &out = link.outputs[id];
  const OutputSectionCommand *c = out.command;
  uint32_t &last =
      out.region != kNone ? link.regions[out.region].lastOutput : defaultLast;
  const bool firstOfOverlay = out.overlay && id == out.overlayFirst;
  Position load = out.address;
  const Expr *lma = firstOfOverlay ? out.overlay->lma.get()
                    : c            ? c->lma.get()
                                   : nullptr;
  if (lma) {
    load = number(lma, out.address);
  } else if (out.lmaRegion != kNone) {
    load = link.regions[out.lmaRegion].cursor;
    if (c && c->alignWithInput)
      load += dotDelta;
    else if (out.lmaRegion == out.region)
      load = alignUp(load, sectionAlign);
    else
      load = alignUp(load, alignment(c ? c->align.get() : nullptr, 1));
  } else if (last != kNone && (out.traits & Alloc)) {
    const OutputSection &before = link.outputs[last];
    const bool backwards = dot < before.address && out.size != 0 &&
                           dot + out.size <= before.address;
    if (!backwards)
      load = alignUp(out.overlay && !firstOfOverlay
                         ? Position(before.loadAddress) + before.size
                         : loadedLike(before, out.address),
                     sectionAlign);
  }
  // What has no bytes is not loaded anywhere.
  out.loadOverflows =
      (out.traits & Load) && out.size != 0 && load >= kAddressEnd;
  out.loadAddress = uint64_t(load);
  if (out.lmaRegion != kNone)
    return;
  if (firstOfOverlay ||
      ((out.traits & Alloc) && takesRoom(out) &&
       (out.size != 0 || (last == kNone ? out.address != out.loadAddress
                                        : dot >= link.outputs[last].address))))
    last = id;
}

/// Moves the cursors of the regions behind a section that takes memory.
void Assigner::advanceRegions(OutputId id) {
  const OutputSection &out = link.outputs[id];
  if (!(out.traits & (Alloc | Load)))
    return;
  // What only an option places is in no region at all (GNU ld).
  if (out.region == kNone && !out.command && out.fixedAddress)
    return;
  (out.region == kNone ? defaultCursor : link.regions[out.region].cursor) =
      counter;
  if (out.lmaRegion != kNone && out.lmaRegion != out.region &&
      ((out.traits & Load) || (out.command && out.command->alignWithInput)))
    link.regions[out.lmaRegion].cursor =
        Position(out.loadAddress) + (takesRoom(out) ? out.size : 0);
}

/// Whether a section neither goes into the output nor moves dot. A symbol
/// inside makes it count.
bool Assigner::leavesDot(const OutputSection &out) {
  return !marking && !out.kept && !out.overlayLast &&
         none_of(out.items, [&](const OutputItem &item) {
           if (!item.command || item.command->kind != CommandKind::Assignment)
             return false;
           auto &a = static_cast<const AssignmentCommand &>(*item.command);
           return a.name != "." && effective(a);
         });
}

/// The address that the script or an option gives a section.
std::optional<uint64_t> Assigner::givenAddress(OutputId id) {
  const OutputSection &out = link.outputs[id];
  if (out.fixedAddress)
    return *out.fixedAddress;
  if (out.overlay) {
    if (id != out.overlayFirst)
      return link.outputs[out.overlayFirst].address;
    if (out.overlay->address)
      return number(out.overlay->address.get(), 0);
    return std::nullopt;
  }
  if (out.command && out.command->address)
    return number(out.command->address.get(), 0);
  // Orphans without SHF_ALLOC, which no memory holds.
  if (!out.command && !(out.traits & (Alloc | Load)))
    return 0;
  return std::nullopt;
}

/// The alignment of a section that stands where its region's cursor is.
uint64_t Assigner::ownAlignment(const OutputSection &out,
                                uint64_t scriptAlign) {
  uint64_t align = std::max(out.groupAlign, scriptAlign);
  if (!link.holdsSections(out))
    return align;
  // SUBALIGN moves sections closer, but the first one stands where it would
  // without (GNU ld).
  if (out.command && !marking)
    align = std::max(align, alignment(out.command->subalign.get(), 1));
  for (SectionId member : out.members)
    if (const InputSection &s = link.sections[member]; s.placed())
      align = std::max({align, s.parsed->align, marking ? 1 : s.align});
  return align;
}

void Assigner::placeOutput(OutputId id) {
  OutputSection &out = link.outputs[id];
  dotBehind[id].reset();
  if (out.dropped)
    return;
  const OutputSectionCommand *c = out.command;
  const bool ignored = leavesDot(out);
  const std::optional<uint64_t> given = givenAddress(id);
  if (given)
    counter = *given; // also where nothing comes to stand
  if (!out.made)
    return;
  Position dot = counter;
  const uint64_t scriptAlign = alignment(c ? c->align.get() : nullptr, 1);
  // An address that the script gives is taken as it is, but for ALIGN().
  uint64_t sectionAlign = scriptAlign;
  if (!given) {
    chooseRegion(out, ignored);
    counter =
        out.region != kNone ? link.regions[out.region].cursor : defaultCursor;
    sectionAlign = ownAlignment(out, scriptAlign);
  }
  const Position before = counter;
  out.overflows = false;
  advance(alignUp(counter, sectionAlign));
  const uint64_t dotDelta = uint64_t(counter - before);
  const Position begin = counter;
  // Debug information stands at 0 everywhere, but its size moves dot (GNU ld).
  const bool inNoMemory = !given && !(out.traits & (Alloc | Load)) &&
                          !out.addressed && link.holdsSections(out);
  if (inNoMemory)
    counter = 0;

  start = counter;
  out.address = uint64_t(start);
  out.align = std::max(out.groupAlign, scriptAlign);
  current = id;
  counter = runItems(id, ignored);
  current = kNone;
  if (!ignored)
    dot = start;
  setLoadAddress(id, sectionAlign, dotDelta, dot);
  if (ignored) {
    counter = dot;
    return;
  }
  if (!takesRoom(out))
    counter = start;
  if (inNoMemory)
    advance(begin + out.size);
  endOverlay(id);
  dotBehind[id] = counter;
  advanceRegions(id);
}

/// Behind an overlay stands the end of its largest member.
void Assigner::endOverlay(OutputId id) {
  const OutputSection &out = link.outputs[id];
  if (!out.overlayLast)
    return;
  const OutputSection &first = link.outputs[out.overlayFirst];
  counter = first.address;
  for (OutputId member = out.overlayFirst; member <= id; ++member)
    counter =
        std::max(counter, Position(first.address) + link.outputs[member].size);
}

void Assigner::evaluatePhdrs() {
  link.phdrs.clear();
  for (const PhdrCommand &p : link.script.phdrs) {
    ScriptPhdr &phdr = link.phdrs.emplace_back();
    phdr.type = uint32_t(number(p.type.get(), 0));
    if (p.flags)
      phdr.flags = uint32_t(number(p.flags.get(), 0));
    if (p.address)
      phdr.loadAddress = number(p.address.get(), 0);
  }
}

void Assigner::round() {
  assigned.clear();
  dotBehind.assign(link.outputs.size(), std::nullopt);
  counter = 0;
  defaultCursor = 0;
  defaultLast = kNone;
  beforeStatements = true;
  evaluateOptions();
  for (MemoryRegion &r : link.regions) {
    r.origin = number(r.command->origin.get(), 0);
    r.length = number(r.command->length.get(), 0);
    r.cursor = r.origin;
    r.lastOutput = kNone;
  }
  beforeStatements = false;
  for (LayoutCommand &command : link.layout) {
    if (command.output != kNone) {
      placeOutput(command.output);
      continue;
    }
    runStatement(command);
    defaultCursor = counter; // also behind a section in a region (GNU ld)
  }
  defineLinkerSymbols();
  expressions.evaluate([&](FileId f, uint32_t s) { return valueOf(f, s); });
  evaluatePhdrs();
  buildSegments(link);
  link.headersSize = headersSize(link, link.segments.size());
}

/// Symbols and assertions once more, with dot as the sections that exist leave
/// it; then the data that scripts compute from them.
void Assigner::finishSymbols() {
  finishing = true;
  assigned.clear();
  Position dot = 0;
  for (LayoutCommand &command : link.layout) {
    if (command.output == kNone) {
      counter = dot;
      runStatement(command);
      dot = counter;
      continue;
    }
    OutputSection &out = link.outputs[command.output];
    if (out.dropped)
      continue;
    current = command.output;
    for (OutputItem &item : out.items) {
      if (!item.command || (item.command->kind != CommandKind::Assignment &&
                            item.command->kind != CommandKind::Assert))
        continue;
      counter = Position(out.address) + item.offset;
      runStatement(item);
    }
    current = kNone;
    dot = dotBehind[command.output].value_or(dot);
  }
  defineLinkerSymbols();
  expressions.evaluate([&](FileId f, uint32_t s) { return valueOf(f, s); });
  finishData();
}

/// Data from final values. What DEFINED answers depends on where it stands.
void Assigner::finishData() {
  muted = true; // reported before
  assigned.clear();
  auto pass = [&](const ScriptCommand *command, bool skipped) {
    if (command && command->kind == CommandKind::Assignment && !skipped)
      assigned.insert(static_cast<const AssignmentCommand *>(command)->name);
  };
  for (const LayoutCommand &command : link.layout) {
    pass(command.command, command.skipped);
    if (command.output == kNone)
      continue;
    OutputSection &out = link.outputs[command.output];
    for (OutputItem &item : out.items) {
      pass(item.command, item.skipped);
      if (!out.kept || !item.command || item.command->kind != CommandKind::Data)
        continue;
      counter = Position(out.address) + item.offset;
      item.value = number(
          static_cast<const DataCommand &>(*item.command).value.get(), 0);
    }
  }
  muted = false;
}

//===----------------------------------------------------------------------===//
// Until nothing moves
//===----------------------------------------------------------------------===//

std::vector<uint64_t> Assigner::state() const {
  std::vector<uint64_t> s;
  for (const OutputSection &out : link.outputs)
    s.insert(s.end(), {out.address, out.size, out.loadAddress});
  for (SymbolId id = 0; id < link.symbols.size(); ++id)
    if (link.symbols[id].scriptDefined || link.symbols[id].expressionResult)
      s.push_back(symbolAddress(link, link.symbols[id]));
  for (const LocalResult &r : link.localResults)
    s.push_back(r.value);
  for (const MemoryRegion &r : link.regions)
    s.insert(s.end(), {r.origin, r.length});
  s.push_back(link.headersSize);
  // What is known of names grows from round to round; values follow.
  s.insert(s.end(),
           {needed.size(), given.size(), provides.size(), waiting.size()});
  return s;
}

std::string Assigner::movingName(const std::vector<uint64_t> &before,
                                 const std::vector<uint64_t> &after) const {
  size_t i = 0;
  for (const OutputSection &out : link.outputs)
    for (int k = 0; k < 3; ++k, ++i)
      if (before[i] != after[i])
        return "section '" + out.name + "': " + hex(before[i]) + ", then " +
               hex(after[i]);
  for (SymbolId id = 0; id < link.symbols.size(); ++id)
    if (link.symbols[id].scriptDefined || link.symbols[id].expressionResult) {
      if (before[i] != after[i])
        return "symbol '" + link.symbols[id].name.str() +
               "': " + hex(before[i]) + ", then " + hex(after[i]);
      ++i;
    }
  i += link.localResults.size(); // follow from what stood before
  for (const MemoryRegion &r : link.regions)
    for (int k = 0; k < 2; ++k, ++i)
      if (before[i] != after[i])
        return "region '" + r.name + "': " + hex(before[i]) + ", then " +
               hex(after[i]);
  return "";
}

void Assigner::reportUnsettled(const std::vector<uint64_t> &before,
                               const std::vector<uint64_t> &after) {
  std::vector<std::string> notes;
  if (before.size() == after.size())
    if (std::string name = movingName(before, after); !name.empty())
      notes.push_back("still moving: " + name);
  link.diag.error("address assignment did not converge in " +
                      std::to_string(kMaxRounds) + " rounds",
                  std::move(notes));
}

std::optional<uint64_t> Assigner::valueOf(FileId f, uint32_t index) {
  const InputFile &file = link.files[f];
  SymbolId id = link.symbolIds[file.symbolBase + index];
  const ParsedSymbol &local = file.object->symbols[index];
  if (id == kNone) {
    if (local.place == SymbolPlace::Absolute)
      return local.value;
    if (local.place != SymbolPlace::Section)
      return std::nullopt;
    SectionId section = file.sectionBase + local.section;
    if (!link.sections[section].placed())
      return std::nullopt;
    return xlink::sectionAddress(link, section, local.value);
  }
  const Symbol &s = link.symbols[id];
  if (s.unresolved || !s.isDefined())
    return std::nullopt;
  return symbolAddress(link, s);
}

/// A section of empty inputs has room after all where they are aligned more
/// than its beginning: by SUBALIGN, or than an address that the script gives.
/// It then exists (GNU ld).
void Assigner::keepAligned() {
  std::vector<OutputId> candidates;
  for (OutputId id = 0; id < link.outputs.size(); ++id) {
    const OutputSection &out = link.outputs[id];
    if (out.made && !out.kept && !out.dropped && out.command &&
        (out.command->address || out.command->subalign) &&
        any_of(out.members, [&](SectionId member) {
          return link.sections[member].placed() &&
                 (link.sections[member].align > 1 || out.command->subalign);
        }))
      candidates.push_back(id);
  }
  // A section of nothing but room is in memory once dot has moved in it, which
  // may be in this round alone, before it is in its region.
  const bool onlyRoom =
      !link.regions.empty() && any_of(link.outputs, [](const OutputSection &o) {
        return o.made && !o.dropped && o.command && o.region == kNone &&
               !(o.traits & (Alloc | Load)) && movesDot(o);
      });
  if (candidates.empty() && !onlyRoom)
    return;
  marking = true;
  round();
  marking = false;
  for (OutputId id : candidates)
    link.outputs[id].kept = link.outputs[id].size != 0;
}

void Assigner::run() {
  link.baseValues.assign(link.target->baseSymbols.size(), 0);
  prepare();
  if (!link.config.nonContiguousRegions) {
    keepAligned();
  } else { // finds that as well
    marking = true;
    round();
    marking = false;
    for (OutputSection &out : link.outputs)
      out.hadSize = out.size != 0;
    settleMoved(link);
    prepareOutputs();
  }
  std::vector<uint64_t> before, after;
  size_t taken = 0; // PROVIDEs so far
  for (unsigned rounds = 0;;) {
    before = std::move(after);
    round();
    firstRound = false;
    after = state();
    if (std::exchange(anyMoved, false)) {
      settleMoved(link);
      prepareOutputs();
      rounds = 0; // sections move on finitely often
    } else if (before == after) {
      break;
    } else if (std::exchange(taken, provides.size()) != provides.size()) {
      rounds = 0; // and so do PROVIDEs take place
    } else if (++rounds == kMaxRounds) {
      return reportUnsettled(before, after);
    }
  }
  reporting = true;
  round();
  // Where sections move on, this round lets what has no room overflow.
  if (std::vector<uint64_t> reported = state();
      reported != after && !link.config.nonContiguousRegions)
    return reportUnsettled(after, reported);
  finishSymbols();
  settleLoadAddresses(link);
  expressions.report([&](FileId f, uint32_t s) { return valueOf(f, s); });
}

void assignAddresses(Link &link, Expressions &expressions) {
  Assigner(link, expressions).run();
}

} // namespace xlink
