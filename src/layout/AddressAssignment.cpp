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
// Cost: one visit of each input section a round; scripts without forward
// references take two rounds and the reporting one.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/Assigner.h"
#include "layout/BaseGroups.h"
#include "layout/MergeSections.h"
#include "layout/Placement.h"
#include "script/ScriptEvaluator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

/// Rounds after which a script is taken not to settle. Honest scripts need a
/// handful; each forward reference through another one costs a round.
static constexpr unsigned kMaxRounds = 64;

uint64_t sectionAddress(const Link &link, SectionId id, uint64_t offset) {
  const InputSection &s = link.sections[id];
  if (s.merge != kNone)
    return sectionAddress(link, link.merges[s.merge].section,
                          mergedOffset(link, id, offset));
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
  if (current == kNone)
    return ScriptValue::absolute(counter);
  return ScriptValue::relative(counter - link.outputs[current].address,
                               current);
}

std::optional<ScriptValue> Assigner::symbol(StringRef name) {
  SymbolId id = link.symbols.find(name);
  if (id == kNone)
    return std::nullopt;
  const Symbol &s = link.symbols[id];
  switch (s.kind) {
  case SymbolKind::Absolute:
    return ScriptValue::absolute(s.value);
  case SymbolKind::Output:
    return ScriptValue::relative(s.value, s.section);
  case SymbolKind::Defined: {
    const InputSection &in = link.sections[s.section];
    if (!in.placed())
      return ScriptValue::absolute(0);
    return ScriptValue::relative(
        symbolAddress(link, s) - link.outputs[in.output].address, in.output);
  }
  default:
    // Assigned further down, or PROVIDEd: known from the next round on. A
    // symbol that inputs refer to, all of them weakly, is 0.
    if (s.scriptDefined || !reporting ||
        (s.file != kNone && s.referenced && !s.strongReference))
      return ScriptValue::number(0);
    return std::nullopt;
  }
}

bool Assigner::defined(StringRef name) {
  SymbolId id = link.symbols.find(name);
  if (id == kNone)
    return false;
  const Symbol &s = link.symbols[id];
  if (s.scriptDefined)
    return assigned.contains(name);
  return s.isDefined();
}

std::optional<EvaluationEnvironment::SectionInfo>
Assigner::section(StringRef name) {
  auto it = outputByName.find(name);
  if (it == outputByName.end())
    return std::nullopt;
  const OutputSection &out = link.outputs[it->second];
  return SectionInfo{it->second, out.address, out.loadAddress,
                     out.kept ? out.size : 0, out.align};
}

std::optional<EvaluationEnvironment::RegionInfo>
Assigner::region(StringRef name) {
  auto it = regionByName.find(name);
  if (it == regionByName.end())
    return std::nullopt;
  const MemoryRegion &r = link.regions[it->second];
  return RegionInfo{r.origin, r.length};
}

std::optional<uint64_t> Assigner::constant(StringRef name) {
  if (name == "MAXPAGESIZE" || name == "COMMONPAGESIZE")
    return link.pageSize();
  return std::nullopt;
}

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
  if (!isPowerOf2_64(value)) {
    problem(expr->where, "alignment " + hex(value) + " is not a power of two");
    return 1;
  }
  return value;
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

void Assigner::moveDot(const ScriptLocation &where, uint64_t to) {
  if (current != kNone && to < counter) {
    problem(where, "cannot move the location counter backwards (from " +
                       hex(counter) + " to " + hex(to) + ") in section '" +
                       link.outputs[current].name + "'");
    return;
  }
  counter = to;
}

/// The value assigned; nothing when a PROVIDE steps back.
std::optional<uint64_t> Assigner::assign(const AssignmentCommand &a) {
  if (a.name != ".") {
    if (!effective(a))
      return std::nullopt;
    ScriptValue v = evaluate(*a.value, *this);
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
  moveDot(a.where, to);
  return counter;
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

void Assigner::runItems(OutputId id, const OutputSectionCommand *command) {
  OutputSection &out = link.outputs[id];
  uint64_t subalign = alignment(command ? command->subalign.get() : nullptr, 0);
  for (OutputItem &item : out.items) {
    item.offset = counter - out.address;
    if (item.command) {
      switch (item.command->kind) {
      case CommandKind::Assignment:
      case CommandKind::Assert:
        runStatement(item);
        break;
      case CommandKind::Data: {
        auto &data = static_cast<const DataCommand &>(*item.command);
        item.value = number(data.value.get(), 0);
        counter += data.value ? data.size : data.bytes.size();
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
    for (uint32_t i = item.begin; i < item.end; ++i) {
      InputSection &s = link.sections[out.members[i]];
      if (!s.placed())
        continue;
      uint64_t align = subalign ? subalign : s.parsed->align;
      s.align = uint32_t(align);
      counter = alignTo(counter, align);
      out.align = std::max<uint64_t>({out.align, align, s.parsed->align});
      s.offset = counter - out.address;
      counter += s.size;
    }
  }
}

/// Load address of the section just laid out (GNU ld, lang_size_sections).
void Assigner::setLoadAddress(OutputId id, uint64_t sectionAlign,
                              uint64_t dotDelta) {
  OutputSection &out = link.outputs[id];
  const OutputSectionCommand *c = out.command;
  uint32_t &last =
      out.region != kNone ? link.regions[out.region].lastOutput : defaultLast;
  // A section that nothing but symbols went to has no SHF_ALLOC for GNU ld.
  bool holds = out.size != 0 || hasData(out) || link.holdsSections(out);
  out.loadAddress = out.address;
  const Expr *lma = c ? c->lma.get() : nullptr;
  if (out.overlay && id == out.overlayFirst && out.overlay->lma)
    lma = out.overlay->lma.get();
  if (lma) {
    out.loadAddress = number(lma, out.address);
  } else if (out.lmaRegion != kNone) {
    uint64_t lma = link.regions[out.lmaRegion].cursor;
    if (c && c->alignWithInput)
      lma += dotDelta;
    else if (out.lmaRegion == out.region)
      lma = alignTo(lma, sectionAlign);
    else
      lma = alignTo(lma, alignment(c ? c->align.get() : nullptr, 1));
    out.loadAddress = lma;
  } else if (out.overlay && id != out.overlayFirst) {
    // Members of an overlay are loaded one behind the other, empty ones too.
    const OutputSection &before = link.outputs[id - 1];
    out.loadAddress = alignTo(before.loadAddress + before.size, sectionAlign);
  } else if (last != kNone && out.isAlloc() && holds) {
    const OutputSection &before = link.outputs[last];
    // Keep the distance of the section before, unless dot moved backwards.
    if (!(out.address < before.address && out.size != 0 &&
          out.address + out.size <= before.address))
      out.loadAddress = alignTo(
          out.address + before.loadAddress - before.address, sectionAlign);
  }
  bool tracks =
      out.isAlloc() && holds &&
      (out.size != 0 || (last == kNone && out.address != out.loadAddress) ||
       (last != kNone && out.address >= link.outputs[last].address));
  if (tracks && out.lmaRegion == kNone)
    last = id;
}

void Assigner::advanceRegions(OutputId id) {
  OutputSection &out = link.outputs[id];
  // A section that only has an address takes room by what it holds of the
  // inputs: GNU ld does not count the script's own data there.
  if (!out.isAlloc() && none_of(out.members, [&](SectionId member) {
        return link.sections[member].placed() &&
               link.sections[member].parsed->type != ELF::SHT_NOBITS;
      }))
    return;
  if (out.region == kNone) {
    // What only an option places is in no region at all (GNU ld).
    if (out.command || !out.fixedAddress)
      defaultCursor = counter;
    return;
  }
  link.regions[out.region].cursor = counter;
  if (out.lmaRegion != kNone && out.lmaRegion != out.region && !out.isNoBits())
    link.regions[out.lmaRegion].cursor = out.loadAddress + out.size;
}

/// Whether nothing but patterns that matched nothing stands in a section.
static bool onlyPatterns(const OutputSection &out) {
  return out.members.empty() && all_of(out.items, [](const OutputItem &item) {
           return item.command &&
                  item.command->kind == CommandKind::InputDescription;
         });
}

/// Whether symbols behind a section that is not in the output see dot as they
/// would without it. A symbol inside makes it count.
bool Assigner::leavesDot(const OutputSection &out) {
  return !out.kept && none_of(out.items, [&](const OutputItem &item) {
    if (!item.command || item.command->kind != CommandKind::Assignment)
      return false;
    auto &a = static_cast<const AssignmentCommand &>(*item.command);
    return a.name != "." && effective(a);
  });
}

void Assigner::placeOutput(OutputId id) {
  OutputSection &out = link.outputs[id];
  dotBehind[id].reset();
  if (out.dropped)
    return;
  const OutputSectionCommand *c = out.command;
  bool alloc = out.isAlloc();
  uint64_t savedCounter = counter;
  const Expr *address = c ? c->address.get() : nullptr;
  if (out.overlay && id == out.overlayFirst)
    address = out.overlay->address.get();
  bool inOverlay = out.overlay && id != out.overlayFirst;
  bool hasAddress = out.fixedAddress || address || inOverlay;
  if (out.fixedAddress)
    counter = *out.fixedAddress;
  else if (inOverlay)
    counter = link.outputs[out.overlayFirst].address;
  else if (address)
    counter = number(address, 0);
  else if (!alloc && out.kept && !out.addressed)
    counter = 0;
  if (!out.kept && onlyPatterns(out)) {
    // Patterns that matched nothing: only an address given has an effect, but
    // expressions may ask where the section would be.
    const uint64_t dot = counter;
    if (!hasAddress)
      counter =
          out.region != kNone ? link.regions[out.region].cursor : defaultCursor;
    uint64_t scriptAlign = alignment(c ? c->align.get() : nullptr, 1);
    out.address = counter = alignTo(counter, scriptAlign);
    out.size = 0;
    setLoadAddress(id, scriptAlign, 0);
    counter = dot;
    endOverlay(id);
    if (out.overlayLast)
      dotBehind[id] = counter;
    return;
  }
  if (!hasAddress && (alloc || out.addressed))
    counter =
        out.region != kNone ? link.regions[out.region].cursor : defaultCursor;

  uint64_t before = counter;
  uint64_t scriptAlign = alignment(c ? c->align.get() : nullptr, 1);
  // An address that the script gives is taken as it is, but for ALIGN().
  uint64_t sectionAlign =
      hasAddress ? scriptAlign : std::max(out.groupAlign, scriptAlign);
  if (!hasAddress && link.holdsSections(out)) {
    // SUBALIGN moves sections closer, but the first one stands where it would
    // without (GNU ld).
    sectionAlign =
        std::max(sectionAlign, alignment(c ? c->subalign.get() : nullptr, 1));
    for (SectionId member : out.members)
      if (link.sections[member].placed())
        sectionAlign = std::max<uint64_t>(sectionAlign,
                                          link.sections[member].parsed->align);
  }
  counter = alignTo(counter, sectionAlign);
  uint64_t dotDelta = counter - before;

  out.address = counter;
  out.align = std::max(out.groupAlign, scriptAlign);
  current = id;
  runItems(id, c);
  current = kNone;
  out.size = counter - out.address;
  setLoadAddress(id, sectionAlign, dotDelta);
  if (!alloc && !out.addressed) {
    // Stands at 0, as debug information does everywhere, but moves dot, also
    // back to the 0 that a script may give it (GNU ld).
    counter = (hasAddress ? out.address : savedCounter) + (c ? out.size : 0);
    if (!leavesDot(out))
      dotBehind[id] = counter;
    return;
  }
  if (out.size == 0 || ((out.flags & ELF::SHF_TLS) && out.isNoBits()))
    counter = out.address; // .tbss takes no room in the image
  if (leavesDot(out))
    counter = hasAddress ? before : savedCounter;
  endOverlay(id);
  if (!leavesDot(out) || out.overlayLast)
    dotBehind[id] = counter;
  // A section without a byte still counts where it holds sections (GNU ld).
  if (out.size != 0 || (!leavesDot(out) && link.holdsSections(out)))
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
    counter = std::max(counter, first.address + link.outputs[member].size);
}

void Assigner::evaluatePhdrs() {
  link.phdrs.clear();
  for (const PhdrCommand &p : link.script.phdrs) {
    ScriptPhdr &phdr = link.phdrs.emplace_back();
    phdr.type = p.type ? uint32_t(number(p.type.get(), 0))
                       : StringSwitch<uint32_t>(p.typeName)
                             .Case("PT_NULL", ELF::PT_NULL)
                             .Case("PT_LOAD", ELF::PT_LOAD)
                             .Case("PT_DYNAMIC", ELF::PT_DYNAMIC)
                             .Case("PT_INTERP", ELF::PT_INTERP)
                             .Case("PT_NOTE", ELF::PT_NOTE)
                             .Case("PT_SHLIB", ELF::PT_SHLIB)
                             .Case("PT_PHDR", ELF::PT_PHDR)
                             .Case("PT_TLS", ELF::PT_TLS)
                             .Case("PT_GNU_STACK", ELF::PT_GNU_STACK)
                             .Default(ELF::PT_LOAD);
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
  for (MemoryRegion &r : link.regions) {
    r.origin = number(r.command->origin.get(), 0);
    r.length = number(r.command->length.get(), 0);
    r.cursor = r.origin;
    r.lastOutput = kNone;
  }
  for (LayoutCommand &command : link.layout) {
    if (command.output != kNone) {
      placeOutput(command.output);
      continue;
    }
    runStatement(command);
    if (command.command->kind == CommandKind::Assignment)
      defaultCursor = counter; // also behind a section in a region (GNU ld)
  }
  defineLinkerSymbols();
  expressions.evaluate([&](FileId f, uint32_t s) { return valueOf(f, s); });
  evaluatePhdrs();
  buildSegments(link);
  const bool is64 = link.target->is64;
  link.headersSize = (is64 ? 64 : 52) + link.segments.size() * (is64 ? 56 : 32);
}

/// Symbols and assertions once more, with dot as the sections that exist leave
/// it.
void Assigner::finishSymbols() {
  finishing = true;
  assigned.clear();
  uint64_t dot = 0;
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
      counter = out.address + item.offset;
      runStatement(item);
    }
    current = kNone;
    dot = dotBehind[command.output].value_or(dot);
  }
  defineLinkerSymbols();
  expressions.evaluate([&](FileId f, uint32_t s) { return valueOf(f, s); });
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

void Assigner::run() {
  link.baseValues.assign(link.target->baseSymbols.size(), 0);
  prepare();
  for (;;) {
    std::vector<uint64_t> before, after;
    unsigned rounds = 0;
    do {
      before = std::move(after);
      round();
      after = state();
    } while (before != after && ++rounds < kMaxRounds);
    if (rounds == kMaxRounds)
      return reportUnsettled(before, after);
    if (!link.config.nonContiguousRegions || link.diag.failed() ||
        !moveOverflowing(link))
      break;
    prepareOutputs();
  }
  reporting = true;
  round();
  finishSymbols();
  expressions.report([&](FileId f, uint32_t s) { return valueOf(f, s); });
}

void assignAddresses(Link &link, Expressions &expressions) {
  Assigner(link, expressions).run();
}

} // namespace xlink
