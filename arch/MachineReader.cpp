//===- MachineReader.cpp - the declarations of a machine file -------------===//
//
// Problem: a user describes a processor that xlink does not know, in a file
// that any tool may have written. It is data: it names no other file and holds
// no code, so the worst that it can cause is a wrong program.
//
// Method: one pass over tokens, without recursion. A problem is reported at its
// token, and reading goes on behind the next ';', up to kMachineProblems.
//
//     file    = [ 'FORMAT' 1 ';' ] 'MACHINE' NAME [ 'extends' NAME ]
//               '{' { item } '}' script
//     item    = [ 'replace' ] row | declaration ';' | test
//
// kDeclarations lists the declarations; MachineRows.cpp reads rows and tests.
//
// Cost: linear in the file, which has at most kMachineFileSize bytes.
//
//===----------------------------------------------------------------------===//

#include "arch/MachineReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Parts and lists
//===----------------------------------------------------------------------===//

const char *MachineReader::keep(StringRef text) {
  char *copy = machine->memory.Allocate<char>(text.size() + 1);
  *std::copy(text.begin(), text.end(), copy) = 0;
  return copy;
}

bool MachineReader::part(const char *&name) {
  if (in.token().kind == MachineToken::Text)
    return part(Quoted{name});
  const std::optional<StringRef> word = in.word("a name");
  if (word)
    name = keep(*word);
  return word.has_value();
}

bool MachineReader::part(Quoted quoted) {
  const std::optional<StringRef> text = in.quoted();
  if (text)
    quoted.text = keep(*text);
  return text.has_value();
}

void MachineReader::names(ArrayRef<const char *> &list) {
  std::vector<const char *> names;
  do
    if (!part(names.emplace_back()))
      return;
  while (!in.is(";") && names.size() < 256);
  list = keep(ArrayRef(names));
}

template <class T> void MachineReader::numbers(ArrayRef<T> &list, size_t most) {
  std::vector<T> numbers;
  do
    if (!part(numbers.emplace_back()))
      return;
  while (!in.is(";") && numbers.size() < most);
  list = keep(ArrayRef(numbers));
}

template <class T>
void MachineReader::append(std::vector<T> &list, T value, size_t most) {
  if (list.size() == most)
    in.problem(declaration,
               "more than " + Twine(most) + " of '" + declaration.text + "'");
  else
    list.push_back(std::move(value));
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

const MachineReader::Declaration MachineReader::kDeclarations[] = {
    {"description",
     [](MachineReader &r) { r.part(Quoted{r.target.description}); }},
    {"elf", [](MachineReader &r) { r.readElf(); }},
    {"aliases",
     [](MachineReader &r) {
       const MachineToken at = r.in.token();
       r.names(r.target.aliases);
       for (const char *alias : r.target.aliases)
         if (const Target *other = r.find(alias, /*builtIn=*/true);
             other && other != r.extended &&
             StringRef(other->name) != r.target.name)
           r.in.problem(at, Twine("'") + alias + "' is a name of the machine " +
                                other->name);
     }},
    {"osabi", [](MachineReader &r) { r.part(r.target.osabi); }},
    {"e-flags",
     [](MachineReader &r) {
       r.part(r.target.flags) && r.optional("mask", r.target.flagsMask);
     }},
    {"entry", [](MachineReader &r) { r.names(r.target.entries); }},
    {"page",
     [](MachineReader &r) {
       r.in.power(r.target.maxPageSize, uint64_t(1) << 32);
     }},
    {"fill", [](MachineReader &r) { r.numbers(r.target.codeFill, 16); }},
    {"segments", [](MachineReader &r) { r.readSegments(); }},
    {"flags", [](MachineReader &r) { r.readFlags(); }, true},
    {"attributes",
     [](MachineReader &r) {
       r.in.number(1, UINT32_MAX, r.target.attributesType) &&
           r.optional("vendor", r.target.attributesVendor, "tag",
                      r.target.attributesTag);
     }},
    {"ignore", [](MachineReader &r) { r.numbers(r.target.ignoredTypes); }},
    {"got",
     [](MachineReader &r) {
       const MachineToken at = r.in.token();
       uint32_t &size = r.target.gotSlotSize;
       if (r.part(size) && size != 4 && size != 8)
         r.in.problem(at, "a slot has 4 or 8 bytes");
     }},
    {"base", [](MachineReader &r) { r.readBase(); }, true},
    {"symbol",
     [](MachineReader &r) {
       SectionSymbol symbol = {};
       if (r.parts(symbol.name, oneOf({"start", "end"}, symbol.atEnd),
                   symbol.section))
         r.append(r.symbols, symbol);
     },
     true},
    {"section-flag",
     [](MachineReader &r) {
       SectionFlagName flag = {};
       if (r.parts(flag.name, Power{flag.flag}))
         r.append(r.sectionFlags, flag);
     },
     true},
    {"map",
     [](MachineReader &r) {
       AddressMap map = {};
       if (r.parts("match", map.match, "mask", map.mask, "clear", map.clear,
                   "shift") &&
           r.in.number(0, 63, map.shift) && r.parts("keep-low", map.keepLow))
         r.append(r.maps, map);
     },
     true},
    {"memory", [](MachineReader &r) { r.readMemory(); }, true},
    {"reserve", [](MachineReader &r) { r.readReserve(); }, true},
    {"cpu", [](MachineReader &r) { r.readCpu(); }, true},
    {"vectors", [](MachineReader &r) { r.readVectors(); }},
    {"word",
     [](MachineReader &r) {
       const MachineToken at = r.in.token();
       uint64_t size = 0;
       if (r.part(Power{size}) && size > 8)
         r.in.problem(at, "a word has 1, 2, 4 or 8 bytes");
       r.target.word = uint8_t(size);
     }},
    {"instruction",
     [](MachineReader &r) { r.in.number(1, 16, r.target.instruction); }},
    {"flow",
     [](MachineReader &r) {
       const MachineToken at = r.in.token();
       FlowRule rule = {};
       uint8_t kind = 0;
       if (!r.parts(rule.mask, rule.code, oneOf(kFlowKinds, kind)))
         return;
       if (rule.code & ~rule.mask)
         r.in.problem(at, hexText(rule.code) +
                              " has bits outside of the mask " +
                              hexText(rule.mask));
       rule.kind = FlowKind(kind);
       r.append(r.flows, rule);
     },
     true},
    {"local-labels",
     [](MachineReader &r) {
       r.part(oneOf({"discard", "keep"}, r.target.keepLocalLabels));
     }},
    {"prefetch", [](MachineReader &r) { r.part(r.target.prefetchBytes); }},
    {"code-fills-regions",
     [](MachineReader &r) { r.target.codeFillsRegions = true; }},
    {"behaviour",
     [](MachineReader &r) {
       const MachineToken at = r.in.token();
       const char *name = nullptr;
       if (!r.part(name))
         return;
       if (!r.builtIn && StringRef(name) != r.target.behaviour)
         return r.in.problem(at, Twine("behaviour '") + name +
                                     "' is code of a machine that is built "
                                     "in; 'extends' that machine to have it");
       r.target.behaviour = name;
     }},
    {"vendor",
     [](MachineReader &r) {
       Vendor vendor = {};
       if (r.parts(vendor.number, vendor.name))
         r.append(r.vendors, vendor);
     },
     true},
    {"start",
     [](MachineReader &
            r) { r.parts(r.target.startAddress, Quoted{r.target.startFile}); }},
    {"symbol-reader",
     [](MachineReader &r) { r.part(Quoted{r.target.symbolReader}); }},
    {"stack-size-with-callees",
     [](MachineReader &r) { r.part(Power{r.target.stackSizeWithCallees}); }},
};

void MachineReader::readElf() {
  const MachineToken at = in.token();
  unsigned size = 0;
  if (!part(size))
    return;
  if (size != 32 && size != 64)
    return in.problem(at, "an ELF class is 32 or 64");
  target.is64 = size == 64;
  if (!part(oneOf({"little", "big"}, target.isBig)))
    return;
  numbers(target.machines);
  if (any_of(rowTokens,
             [](const MachineToken &at) { return !at.text.empty(); }))
    return in.problem(declaration, "'elf' stands behind rows, which are read "
                                   "by its class and byte order");
  if (extended && extended->isBig != target.isBig)
    turnRows();
}

void MachineReader::readSegments() {
  const struct {
    StringRef word, no, yes;
    bool &member;
  } choices[] = {
      {"noload-in-segments", "no", "yes", target.noloadInSegments},
      {"keep-symbol-only", "no", "yes", target.keepSymbolOnlySections},
      {"gap-bytes", "no", "yes", target.gapSectionsHaveBytes},
      {"entry-first", "no", "yes", target.entrySectionFirst},
      {"script-numbers", "relative", "absolute", target.scriptNumbersAbsolute}};
  if (!in.expect("{"))
    return;
  while (!failed() && !in.accept("}")) {
    const MachineToken word = in.take();
    const auto *choice =
        find_if(choices, [&](const auto &c) { return c.word == word.text; });
    uint64_t align = target.segmentFileAlign;
    if (choice != std::end(choices)) {
      part(oneOf({choice->no, choice->yes}, choice->member));
    } else if (word.text == "file-align") {
      in.power(align, UINT32_MAX);
      target.segmentFileAlign = uint32_t(align);
    } else {
      std::vector<StringRef> words = {"file-align"};
      for (const auto &c : choices)
        words.push_back(c.word);
      in.unknown(word, "word", words);
    }
    if (!failed())
      in.expect(";");
  }
}

void MachineReader::readFlags() {
  FlagsRule rule = {};
  if (!parts(rule.name, "mask"))
    return;
  const MachineToken at = in.token();
  if (!part(rule.mask))
    return;
  if (rule.mask == 0)
    return in.problem(at, "mask 0 has no bits");
  if (optional("if", rule.onlyIf) && optional("any", rule.any) &&
      parts(oneOf({"warning", "error"}, rule.isError), Quoted{rule.text}))
    append(flagsRules, rule);
}

void MachineReader::readBase() {
  const MachineToken at = in.token();
  Base base = {};
  if (!part(base.name))
    return;
  const StringRef name = base.name;
  if (any_of(bases, [&](const Base &b) { return name == b.name; }) ||
      any_of(baseSymbols,
             [&](const BaseSymbol &b) { return name == b.shortName; }))
    return in.problem(at, "base '" + name + "' is stated twice");
  if (!part(oneOf({"flag", "symbol", "cpu", "tls-start"}, base.kind)))
    return;
  if (base.kind == BaseKind::Flag) {
    BaseSymbol symbol = {
        keep(("_" + name).str()), 0, 4, nullptr, nullptr, base.name};
    if (part(Power{symbol.sectionFlag}) &&
        optional("section", symbol.section) &&
        optional("last", symbol.lastMark))
      append(baseSymbols, symbol, 255);
    return;
  }
  if (base.kind == BaseKind::Symbol && !part(base.symbol))
    return;
  if (base.kind == BaseKind::TlsStart && (in.is("+") || in.is("-"))) {
    const bool minus = in.take().text == "-";
    if (!part(base.plus))
      return;
    base.plus = minus ? -base.plus : base.plus;
  }
  append(bases, base, 255);
}

void MachineReader::readMemory() {
  const MachineToken at = in.token();
  Memory memory = {};
  if (!parts(memory.name, memory.begin, memory.end,
             oneOf({"code", "values", "other"}, memory.holds)))
    return;
  if (in.accept("unit") &&
      !(in.number(1, UINT32_MAX, memory.unit) && part(Quoted{memory.units})))
    return;
  const std::string title = "memory '" + std::string(memory.name) + "' ";
  if (memory.begin >= memory.end)
    return in.problem(at, title + "has no bytes");
  for (const Memory &other : memories)
    if (memory.begin < other.end && other.begin < memory.end)
      return in.problem(at, title + "overlaps '" + other.name + "'");
  append(memories, memory);
}

/// A heap or stack, "reserve stack NAME begin SYMBOL size SYMBOL".
void MachineReader::readReserve() {
  Reservation r = {};
  bool hasSize = false;
  if (parts(oneOf({"heap", "stack"}, r.kind), r.name, "begin", r.begin,
            oneOf({"end", "size"}, hasSize)) &&
      part(hasSize ? r.size : r.end) && optional("thread", r.thread) &&
      (!in.accept("count") || in.number(1, 256, r.count)))
    append(reservations, r);
}

void MachineReader::readCpu() {
  const MachineToken at = in.token();
  Cpu cpu = {};
  if (!parts(cpu.name, "{"))
    return;
  if (any_of(cpus, [&](const Cpu &c) { return StringRef(c.name) == cpu.name; }))
    return in.problem(at, Twine("cpu '") + cpu.name + "' is stated twice");
  std::vector<std::pair<const char *, const char *>> defines;
  while (!in.accept("}"))
    if (!readCpuItem(cpu, defines) || failed() || !in.expect(";"))
      return;
  cpu.defines = keep(ArrayRef(defines));
  append(cpus, cpu, 64);
  cpuTokens.resize(cpus.size(), at);
}

bool MachineReader::readCpuItem(
    Cpu &cpu, std::vector<std::pair<const char *, const char *>> &defines) {
  const MachineToken at = in.take();
  auto range = [&](NamedRange &range) {
    return part(range.begin) &&
           in.number(range.begin + 1, UINT64_MAX, range.end) &&
           part(Quoted{range.name});
  };
  if (at.text == "flags")
    return part(cpu.flags);
  if (at.text == "base")
    return part(cpu.base);
  if (at.text == "no-code")
    return range(cpu.noCode);
  if (at.text == "executable")
    return range(cpu.executable);
  if (at.text == "fill") {
    numbers(cpu.fill, 16);
    return true;
  }
  if (at.text == "define") {
    auto &[name, value] = defines.emplace_back();
    return parts(name, value);
  }
  in.unknown(at, "word",
             {"flags", "define", "fill", "base", "no-code", "executable"});
  return false;
}

void MachineReader::readVectors() {
  std::vector<const char *> patterns;
  while (!in.is(";") && !in.is("align") && patterns.size() < 256) {
    std::string pattern; // of words and wildcards without blanks between them
    size_t end = in.token().offset;
    while (!in.is(";") && !in.atEnd() && in.token().offset == end) {
      end += in.token().text.size();
      pattern += in.take().text;
    }
    patterns.push_back(keep(pattern));
  }
  if (patterns.empty())
    return in.problem(in.token(), "expected a pattern of section names");
  target.vectors = keep(ArrayRef(patterns));
  optional("align", Power{target.vectorAlign});
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

/// Begins with a copy of another machine.
void MachineReader::extend(const Target &base) {
  machine->isExtension = true;
  target = base;
  target.aliases = {};
  target.file = nullptr;
  auto copy = [](auto &list, const auto &from) {
    list.assign(from.begin(), from.end());
  };
  copy(baseSymbols, target.baseSymbols);
  copy(bases, target.bases);
  copy(symbols, target.sectionSymbols);
  copy(sectionFlags, target.sectionFlags);
  copy(maps, target.maps);
  copy(memories, target.memories);
  copy(reservations, target.reservations);
  copy(cpus, target.cpus);
  cpuTokens.resize(cpus.size());
  copy(flagsRules, target.flagsRules);
  copy(vendors, target.vendors);
  copy(flows, target.flows);
  copy(rows, target.relocations);
  rowTokens.resize(rows.size());
  for (const RelocationRow &row : rows)
    rowByName[row.name] = row.number;
}

bool MachineReader::readHead() {
  unsigned format = 1;
  if (in.accept("FORMAT") && !(in.number(1, 1, format) && in.expect(";")))
    return false;
  if (!in.expect("MACHINE"))
    return false;
  const auto name = in.word("the machine's name");
  if (!name)
    return false;
  if (in.accept("extends")) {
    const MachineToken at = in.token();
    const auto of = in.word("a machine");
    if (!of)
      return false;
    extended = find(*of, /*builtIn=*/false);
    if (!extended) {
      in.problem(at, "no machine '" + *of + "' to extend");
      return false;
    }
    extend(*extended);
  }
  target.name = keep(*name);
  if (!target.description)
    target.description = target.name;
  return in.expect("{");
}

/// Whether the script begins, in front of the '}' of the block.
static bool isScript(const MachineToken &at) {
  return is_contained({"SECTIONS", "MEMORY", "ENTRY", "PHDRS", "PROVIDE",
                       "OUTPUT_FORMAT", "OUTPUT_ARCH", "ASSERT", "INCLUDE"},
                      at.text);
}

void MachineReader::readItem() {
  if (in.isNumber())
    return readRow(/*replaces=*/false);
  if (in.accept("replace"))
    return readRow(/*replaces=*/true);
  if (in.accept("TEST"))
    return readTest();
  declaration = in.take();
  const Declaration *known =
      lookUp(ArrayRef(kDeclarations), declaration, "word");
  if (!known)
    return;
  const uint32_t line = in.lineOf(declaration);
  if (const auto [first, isNew] = lines.try_emplace(known->word, line);
      !isNew && !known->repeats)
    return in.problem(declaration, "'" + known->word +
                                       "' is stated twice (line " +
                                       Twine(first->second) + ")");
  known->read(*this);
}

/// Each cpu defines the words of the script.
void MachineReader::checkDefines() {
  StringRef rest = target.script;
  std::set<StringRef> seen;
  while (rest.contains('@')) {
    rest = rest.split('@').second;
    const StringRef word = rest.take_while(
        [](char c) { return isUpper(c) || isDigit(c) || c == '_'; });
    rest = rest.drop_front(word.size());
    if (word.empty() || !rest.consume_front("@") || !seen.insert(word).second)
      continue;
    for (const auto &[cpu, at] : zip(cpus, cpuTokens))
      if (none_of(cpu.defines,
                  [&](const auto &define) { return word == define.first; }))
        in.problem(at, Twine("cpu '") + cpu.name + "' has no 'define " + word +
                           "', and the script says @" + word + "@");
  }
}

void MachineReader::finish() {
  if (!extended && !lines.count("elf"))
    in.problem({MachineToken::End, "", 0},
               "no 'elf' says which files are the machine's");
  if (target.isBig && !StringRef(target.behaviour).empty())
    in.problem({MachineToken::End, "", 0},
               Twine("behaviour '") + target.behaviour +
                   "' is code for little-endian machines");
  if (target.entries.empty())
    target.entries = keep(ArrayRef<const char *>({"_start"}));
  if (target.word == 0)
    target.word = target.is64 ? 8 : 4;
  target.baseSymbols = keep(ArrayRef(baseSymbols));
  target.bases = keep(ArrayRef(bases));
  target.sectionSymbols = keep(ArrayRef(symbols));
  target.sectionFlags = keep(ArrayRef(sectionFlags));
  target.maps = keep(ArrayRef(maps));
  target.memories = keep(ArrayRef(memories));
  target.reservations = keep(ArrayRef(reservations));
  target.cpus = keep(ArrayRef(cpus));
  target.flagsRules = keep(ArrayRef(flagsRules));
  target.vendors = keep(ArrayRef(vendors));
  target.flows = keep(ArrayRef(flows));
  finishRows();
  checkDefines();
}

std::unique_ptr<Machine> MachineReader::run() {
  if (text.size() > kMachineFileSize) {
    in.problem({MachineToken::End, "", 0},
               "a machine file has at most 1048576 bytes, this one has " +
                   Twine(text.size()));
    return nullptr;
  }
  if (!readHead())
    return nullptr;
  while (!in.is("}") && !in.atEnd() && !isScript(in.token()) &&
         in.problemCount() < kMachineProblems) {
    const bool isBlock = in.is("cpu") || in.is("segments");
    problemsBefore = in.problemCount();
    readItem();
    if (failed() || !(isBlock ? in.accept(";") || true : in.expect(";")))
      in.recover();
  }
  const size_t end = in.token().offset + 1;
  if (in.problemCount() < kMachineProblems && in.is("}")) {
    std::string script(text);
    for (char &c : MutableArrayRef(script.data(), end))
      if (c != '\n')
        c = ' ';
    if (builtIn)
      target.script = keep(text.substr(end).ltrim());
    else if (!extended || !StringRef(script).trim().empty())
      target.script = keep(script);
    finish();
  } else if (isScript(in.token())) {
    in.problem(in.token(), "the '}' of MACHINE is missing in front of '" +
                               in.token().text + "'");
  } else if (in.problemCount() == 0) {
    in.expect("}");
  }
  return in.problemCount() == 0 ? std::move(machine) : nullptr;
}

bool isMachineFile(StringRef text) {
  std::vector<MachineProblem> ignored;
  const MachineText in(text.take_front(kMachineFileSize), ignored);
  return in.is("MACHINE") || in.is("FORMAT");
}

bool hasAlias(StringRef text, StringRef alias) {
  std::vector<MachineProblem> ignored;
  MachineText in(text.take_front(kMachineFileSize), ignored);
  bool found = false;
  while (isMachineFile(text) && !in.atEnd() && !found)
    if (in.take().text == "aliases")
      while (!in.atEnd() && !in.is(";") && !found)
        found = in.take().text == alias;
  return found;
}

std::unique_ptr<Machine> readMachine(StringRef text, bool builtIn,
                                     MachineLookup find,
                                     std::vector<MachineProblem> &problems) {
  return MachineReader(text, builtIn, find, problems).run();
}

} // namespace xlink
