//===- AddressAssignment.cpp ----------------------------------------------===//
//
// Problem: addresses depend on script expressions, which depend on symbols,
// sizes, regions and header sizes, which depend on addresses; a name may be used
// before it is assigned, and link-time expressions of the inputs take part.
//
// Method: run the whole script from top to bottom as often as it takes. Within a
// round, names have the values that the round has given them so far, or those of
// the round before. When a round leaves every address, size and value as it found
// it, that is the answer, and one more round with the same outcome reports what is
// wrong with it. The rules of a single round are GNU ld's: which cursor a section
// starts at, when alignment applies, what its load address follows from.
//
// Cost: one visit of each input section a round; scripts without forward
// references take two rounds and the reporting one.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/BaseGroups.h"
#include "layout/MergeSections.h"
#include "script/ScriptEvaluator.h"
#include "script/ScriptParser.h"
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

namespace {

class Assigner final : public EvaluationEnvironment {
public:
  Assigner(Link &link, Expressions &expressions)
      : link(link), expressions(expressions) {}
  void run();

  // EvaluationEnvironment
  ScriptValue dot() override;
  bool insideSection() override { return current != kNone; }
  std::optional<ScriptValue> symbol(StringRef name) override;
  bool defined(StringRef name) override;
  std::optional<SectionInfo> section(StringRef name) override;
  uint64_t sectionAddress(uint32_t id) override {
    return link.outputs[id].address;
  }
  std::optional<RegionInfo> region(StringRef name) override;
  std::optional<uint64_t> constant(StringRef name) override;
  uint64_t sizeOfHeaders() override { return link.headersSize; }
  std::optional<uint64_t> segmentStart(StringRef name) override;
  void problem(const ScriptLocation &where, std::string text) override;

private:
  void prepare();
  void prepareRegions();
  void chooseRegions();
  uint32_t regionByAttributes(const OutputSection &out) const;
  void propagateLoadRegions();
  bool effective(const AssignmentCommand &a);
  bool forcesSection(const OutputSection &out);
  void round();
  std::optional<uint64_t> assign(const AssignmentCommand &a);
  uint64_t check(const AssertCommand &a);
  template <class Statement> void runStatement(Statement &statement);
  void setSymbol(StringRef name, const ScriptValue &value);
  void placeOutput(OutputId id);
  void runItems(OutputId id, const OutputSectionCommand *command);
  void moveDot(const ScriptLocation &where, uint64_t to);
  void setLoadAddress(OutputId id, uint64_t alignment, uint64_t dotDelta);
  void advanceRegions(OutputId id);
  void endOverlay(OutputId id);
  void evaluatePhdrs();
  uint64_t number(const Expr *expr, uint64_t otherwise);
  uint64_t alignment(const Expr *expr, uint64_t otherwise);
  std::vector<uint64_t> state() const;
  std::string movingName(const std::vector<uint64_t> &before,
                         const std::vector<uint64_t> &after) const;
  void reportUnsettled(const std::vector<uint64_t> &before,
                       const std::vector<uint64_t> &after);
  std::optional<uint64_t> valueOf(FileId file, uint32_t symbol);
  void collectLinkerSymbols();
  void defineLinkerSymbols();
  std::vector<uint8_t> fillBytes(const FillPattern &pattern);
  std::optional<uint64_t> optionAddress(const std::optional<std::string> &text,
                                        const char *option);

  Link &link;
  Expressions &expressions;
  uint64_t counter = 0;      ///< the location counter, absolute
  OutputId current = kNone;  ///< the section whose statements run
  uint64_t defaultCursor = 0; ///< where a section without a region begins
  uint32_t defaultLast = kNone; ///< last section outside any region
  bool reporting = false;
  StringMap<OutputId> outputByName;
  StringMap<uint32_t> regionByName;
  StringSet<> assigned;      ///< names this round has assigned so far
  /// A symbol of the linker's at the start or end of an output section.
  struct LinkerSymbol {
    SymbolId id;
    OutputId output; ///< kNone: no such section, the value is 0
    bool atEnd;
  };
  std::vector<LinkerSymbol> linkerSymbols;
  std::vector<SymbolId> baseSymbols; ///< parallel to target->baseSymbols
  std::optional<uint64_t> textSegment, textAddress, dataSegment, bssSegment;
};

} // namespace

//===----------------------------------------------------------------------===//
// What expressions ask for
//===----------------------------------------------------------------------===//

ScriptValue Assigner::dot() {
  if (current == kNone)
    return ScriptValue::absolute(counter);
  return ScriptValue::relative(counter - link.outputs[current].address, current);
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
  // A script that asks for what -Ttext, -Tdata or -Tbss gives decides itself
  // what to do with it; otherwise they place sections (GNU ld).
  for (auto [segment, section, value] :
       {std::tuple("text", ".text", &textAddress),
        std::tuple("data", ".data", &dataSegment),
        std::tuple("bss", ".bss", &bssSegment)})
    if (name == segment) {
      if (auto it = outputByName.find(section);
          *value && it != outputByName.end())
        link.outputs[it->second].fixedAddress.reset();
      return *value;
    }
  return std::nullopt;
}

void Assigner::problem(const ScriptLocation &where, std::string text) {
  if (reporting)
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
// Before the first round
//===----------------------------------------------------------------------===//

/// Whether an assignment takes place: PROVIDE steps back for a definition and
/// for a name that nobody needs.
bool Assigner::effective(const AssignmentCommand &a) {
  if (!a.provide)
    return true;
  SymbolId id = link.symbols.find(a.name);
  if (id == kNone || !link.symbols[id].referenced)
    return false;
  const Symbol &s = link.symbols[id];
  return s.provided || (!s.isDefined() && !s.scriptDefined);
}

/// GNU ld: `. = 0`, `. += 0` and the like do not make an empty section exist,
/// any other dot assignment does.
static bool movesNothing(const AssignmentCommand &a) {
  const Expr &e = *a.value;
  if (e.kind == ExprKind::Number)
    return e.number == 0;
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
    } else if (link.target->keepSymbolOnlySections && effective(a)) {
      return true;
    }
  }
  return false;
}

std::optional<uint64_t>
Assigner::optionAddress(const std::optional<std::string> &text,
                        const char *option) {
  if (!text)
    return std::nullopt;
  ExprPtr expr = parseExpression(option, *text, true, link.script, link.diag);
  if (!expr)
    return std::nullopt;
  return absoluteValue(evaluate(*expr, *this), *this);
}

void Assigner::prepareRegions() {
  for (const MemoryCommand &m : link.script.memory) {
    MemoryRegion &r = link.regions.emplace_back();
    r.command = &m;
    r.name = m.name.str();
    uint32_t index = uint32_t(link.regions.size() - 1);
    if (!regionByName.try_emplace(m.name, index).second)
      link.diag.error(locationText(m.where) + "memory region '" +
                      m.name.str() + "' is defined twice");
    for (StringRef alias : m.aliases)
      regionByName.try_emplace(alias, index);
  }
}

/// `> region` as written; without it, the first region whose attributes fit.
void Assigner::chooseRegions() {
  auto find = [&](StringRef name, const OutputSectionCommand &c) {
    auto it = regionByName.find(name);
    if (it != regionByName.end())
      return it->second;
    link.diag.error(locationText(c.where) + "memory region '" + name.str() +
                    "' is not declared");
    return kNone;
  };
  DenseSet<OutputId> named; // sections whose region the script names
  for (const LayoutCommand &command : link.layout) {
    if (command.output == kNone)
      continue;
    OutputSection &out = link.outputs[command.output];
    if (out.fixedAddress && link.builtinScript)
      continue; // outside the built-in memory map on purpose
    const OutputSectionCommand *c = out.command;
    StringRef lmaRegion = c ? c->lmaRegion : StringRef();
    StringRef region = c ? c->region : StringRef();
    if (out.overlay) {
      if (lmaRegion.empty())
        lmaRegion = out.overlay->lmaRegion;
      if (region.empty())
        region = out.overlay->region;
    }
    if (!lmaRegion.empty())
      out.lmaRegion = find(lmaRegion, *c);
    // AT> alone serves both addresses (GNU ld).
    if (region.empty() && !(c && c->address))
      region = lmaRegion;
    if (!region.empty()) {
      out.region = find(region, *c);
      named.insert(command.output);
      continue;
    }
    // An orphan shares the regions of the section it was put behind.
    if (out.orphanAfter != kNone && out.isAlloc()) {
      OutputId anchor = out.orphanAfter;
      while (link.outputs[anchor].orphanAfter != kNone)
        anchor = link.outputs[anchor].orphanAfter;
      if (named.contains(anchor)) {
        out.region = link.outputs[anchor].region;
        out.lmaRegion = link.outputs[anchor].lmaRegion;
        continue;
      }
    }
    if (!out.isAlloc() || !out.kept || (c && c->address) || out.fixedAddress)
      continue;
    out.region = regionByAttributes(out);
    if (out.region != kNone || link.regions.empty() ||
        (out.flags & ELF::SHF_TLS && out.isNoBits()))
      continue;
    std::string text = "no memory region for section '" + out.name + "'";
    if (link.config.checkSections)
      link.diag.error((c ? locationText(c->where) : std::string()) + text);
    else
      link.diag.warn(WarningGroup::Script,
                     text + ": it follows the location counter");
  }
}

/// The first region whose attributes fit. GNU ld's `w` stands for data: writable
/// sections, and loaded ones without code even when they are read-only.
uint32_t Assigner::regionByAttributes(const OutputSection &out) const {
  bool readOnly = !(out.flags & ELF::SHF_WRITE);
  bool code = out.flags & ELF::SHF_EXECINSTR;
  bool loaded = !out.isNoBits();
  bool data = !readOnly && !code;
  for (SectionId id : out.members) {
    const ParsedSection &p = *link.sections[id].parsed;
    data |= link.sections[id].placed() && p.type != ELF::SHT_NOBITS &&
            !(p.flags & ELF::SHF_EXECINSTR);
  }
  uint64_t traits = out.flags & ~uint64_t(ELF::SHF_WRITE);
  if (data)
    traits |= ELF::SHF_WRITE;
  for (uint32_t i = 0; i < link.regions.size(); ++i) {
    const MemoryCommand &m = *link.regions[i].command;
    bool wanted = (traits & m.flags) || (m.wantReadOnly && readOnly) ||
                  (m.wantLoaded && loaded);
    bool refused = (traits & m.negFlags) || (m.excludeReadOnly && readOnly) ||
                   (m.excludeLoaded && loaded);
    if (m.hasAttributes && wanted && !refused)
      return i;
  }
  return kNone;
}

/// GNU ld: a section in the same region as the one before it, with no address of
/// its own, also shares its load region.
void Assigner::propagateLoadRegions() {
  const OutputSection *before = nullptr;
  for (const LayoutCommand &command : link.layout) {
    if (command.output == kNone)
      continue;
    OutputSection &out = link.outputs[command.output];
    const OutputSectionCommand *c = out.command;
    bool own = c && (c->lma || c->address);
    if (out.overlay)
      own |= command.output != out.overlayFirst || out.overlay->address ||
             out.overlay->lma;
    if (before && out.isAlloc() && out.lmaRegion == kNone && !own &&
        !out.fixedAddress && out.region == before->region)
      out.lmaRegion = before->lmaRegion;
    before = &out;
  }
}

void Assigner::prepare() {
  auto setFixed = [&](StringRef name, uint64_t address) {
    auto it = outputByName.find(name);
    if (it != outputByName.end())
      link.outputs[it->second].fixedAddress = address;
  };
  for (OutputId id = 0; id < link.outputs.size(); ++id)
    outputByName.try_emplace(link.outputs[id].name, id);
  const Config &config = link.config;
  textSegment = optionAddress(
      config.textSegment ? config.textSegment : config.imageBase,
      config.textSegment ? "-Ttext-segment" : "--image-base");
  dataSegment = optionAddress(config.dataSegment, "-Tdata");
  bssSegment = optionAddress(config.bssSegment, "-Tbss");
  textAddress = optionAddress(config.textAddress, "-Ttext");
  if (textAddress)
    setFixed(".text", *textAddress);
  if (dataSegment)
    setFixed(".data", *dataSegment);
  if (bssSegment)
    setFixed(".bss", *bssSegment);
  for (const auto &[name, text] : config.sectionStart)
    if (auto address = optionAddress(text, "--section-start"))
      setFixed(name, *address);

  for (OutputSection &out : link.outputs) {
    bool content = false;
    for (SectionId id : out.members)
      content |= link.sections[id].placed() && link.sections[id].size != 0;
    out.forced = forcesSection(out);
    out.kept = content || out.forced;
    if (!content && out.forced)
      if (uint32_t group = baseGroupOf(link, out); group != kNone)
        out.flags |= link.target->baseSymbols[group].sectionFlag;
  }
  alignBaseGroups(link);
  for (OutputSection &out : link.outputs)
    out.groupAlign = out.align;
  prepareRegions();
  chooseRegions();
  propagateLoadRegions();

  for (OutputSection &out : link.outputs)
    if (out.command && out.command->fill)
      out.fill = fillBytes(out.command->fill);
    else if (out.overlay && out.overlay->fill)
      out.fill = fillBytes(out.overlay->fill);
  collectLinkerSymbols();
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
  if (reporting && value == 0)
    link.diag.error(locationText(a.where) + "assertion failed: " +
                    a.message.str());
  return value;
}

/// An assignment or assertion, whose value the map shows.
template <class Statement> void Assigner::runStatement(Statement &statement) {
  const ScriptCommand &command = *statement.command;
  if (command.kind == CommandKind::Assert) {
    statement.value = check(static_cast<const AssertCommand &>(command));
    return;
  }
  std::optional<uint64_t> value =
      assign(static_cast<const AssignmentCommand &>(command));
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
      out.align = std::max(out.align, align);
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
  } else if (last != kNone && out.isAlloc()) {
    const OutputSection &before = link.outputs[last];
    if (out.overlay && id != out.overlayFirst)
      out.loadAddress =
          alignTo(before.loadAddress + before.size, sectionAlign);
    // Keep the distance of the section before, unless dot moved backwards.
    else if (!(out.address < before.address && out.size != 0 &&
          out.address + out.size <= before.address))
      out.loadAddress =
          alignTo(out.address + before.loadAddress - before.address,
                  sectionAlign);
  }
  bool tracks =
      out.isAlloc() &&
      (out.size != 0 || (last == kNone && out.address != out.loadAddress) ||
       (last != kNone && out.address >= link.outputs[last].address));
  if (tracks && out.lmaRegion == kNone)
    last = id;
}

void Assigner::advanceRegions(OutputId id) {
  OutputSection &out = link.outputs[id];
  if (out.region == kNone) {
    defaultCursor = counter;
    return;
  }
  link.regions[out.region].cursor = counter;
  if (out.lmaRegion != kNone && out.lmaRegion != out.region && !out.isNoBits())
    link.regions[out.lmaRegion].cursor = out.loadAddress + out.size;
}

/// Whether nothing but patterns that matched nothing stands in a section.
static bool onlyPatterns(const OutputSection &out) {
  return out.members.empty() &&
         all_of(out.items, [](const OutputItem &item) {
           return item.command &&
                  item.command->kind == CommandKind::InputDescription;
         });
}

void Assigner::placeOutput(OutputId id) {
  OutputSection &out = link.outputs[id];
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
    // Patterns that matched nothing: only an address given has an effect.
    out.address = out.loadAddress = counter;
    out.size = 0;
    endOverlay(id);
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
  if (!hasAddress)
    for (SectionId member : out.members)
      if (link.sections[member].placed())
        sectionAlign = std::max<uint64_t>(
            sectionAlign, c && c->subalign
                              ? alignment(c->subalign.get(), 1)
                              : link.sections[member].parsed->align);
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
    // Stands at 0, as debug information does everywhere, but moves dot (GNU ld).
    counter = savedCounter + (hasAddress || !c ? 0 : out.size);
    return;
  }
  if (out.size == 0 || ((out.flags & ELF::SHF_TLS) && out.isNoBits()))
    counter = out.address; // .tbss takes no room in the image
  endOverlay(id);
  if (out.size != 0)
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
        return "symbol '" + link.symbols[id].name.str() + "': " +
               hex(before[i]) + ", then " + hex(after[i]);
      ++i;
    }
  return "an expression's result";
}

void Assigner::reportUnsettled(const std::vector<uint64_t> &before,
                               const std::vector<uint64_t> &after) {
  std::vector<std::string> notes;
  if (before.size() == after.size())
    notes.push_back("still moving: " + movingName(before, after));
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
  std::vector<uint64_t> before, after;
  unsigned rounds = 0;
  do {
    before = std::move(after);
    round();
    after = state();
  } while (before != after && ++rounds < kMaxRounds);
  if (rounds == kMaxRounds)
    return reportUnsettled(before, after);
  reporting = true;
  round();
  expressions.report([&](FileId f, uint32_t s) { return valueOf(f, s); });
}

void assignAddresses(Link &link, Expressions &expressions) {
  Assigner(link, expressions).run();
}

} // namespace xlink
