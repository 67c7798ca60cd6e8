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

const MachineReader::Declaration MachineReader::kDeclarations[] = {
    {"description", &MachineReader::readDescription},
    {"elf", &MachineReader::readElf},
    {"aliases", &MachineReader::readAliases},
    {"osabi", &MachineReader::readOsabi},
    {"e-flags", &MachineReader::readEFlags},
    {"entry", &MachineReader::readEntry},
    {"page", &MachineReader::readPage},
    {"fill", &MachineReader::readFill},
    {"segments", &MachineReader::readSegments},
    {"flags", &MachineReader::readFlags, true},
    {"attributes", &MachineReader::readAttributes},
    {"ignore", &MachineReader::readIgnore},
    {"got", &MachineReader::readGot},
    {"base", &MachineReader::readBase, true},
    {"symbol", &MachineReader::readSymbol, true},
    {"section-flag", &MachineReader::readSectionFlag, true},
    {"map", &MachineReader::readMap, true},
    {"memory", &MachineReader::readMemory, true},
    {"cpu", &MachineReader::readCpu, true},
    {"vectors", &MachineReader::readVectors},
    {"word", &MachineReader::readWord},
    {"local-labels", &MachineReader::readLocalLabels},
    {"prefetch", &MachineReader::readPrefetch},
    {"code-fills-regions", &MachineReader::readCodeFillsRegions},
    {"behaviour", &MachineReader::readBehaviour},
    {"vendor", &MachineReader::readVendor, true},
    {"start", &MachineReader::readStart},
    {"symbol-reader", &MachineReader::readSymbolReader},
    {"reserve", &MachineReader::readReserve, true},
    {"stack-size-with-callees", &MachineReader::readStackSizeWithCallees},
};

//===----------------------------------------------------------------------===//
// Storage and lists
//===----------------------------------------------------------------------===//

const char *MachineReader::keep(StringRef text) {
  char *copy = machine->memory.Allocate<char>(text.size() + 1);
  *std::copy(text.begin(), text.end(), copy) = 0;
  return copy;
}

ArrayRef<const char *> MachineReader::words(StringRef noun) {
  std::vector<const char *> list;
  do {
    const std::optional<StringRef> word = in.word(noun);
    if (!word)
      return {};
    list.push_back(keep(*word));
  } while (!in.is(";") && list.size() < 256);
  return keep(ArrayRef(list));
}

template <class T>
ArrayRef<T> MachineReader::numbers(uint64_t high, size_t most) {
  std::vector<T> list;
  do {
    const std::optional<uint64_t> number = in.number(0, high);
    if (!number)
      return {};
    list.push_back(T(*number));
  } while (!in.is(";") && list.size() < most);
  return keep(ArrayRef(list));
}

std::optional<size_t> MachineReader::choice(ArrayRef<StringRef> choices) {
  for (const auto &[i, word] : enumerate(choices))
    if (in.accept(word))
      return i;
  in.problem(in.token(), "expected " + join(choices, " or "));
  return std::nullopt;
}

template <class T>
void MachineReader::append(std::vector<T> &list, T value,
                           const MachineToken &at, size_t most) {
  if (list.size() == most)
    in.problem(at,
               "more than " + Twine(most) + " of '" + declaration.text + "'");
  else
    list.push_back(std::move(value));
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void MachineReader::readDescription() {
  if (const auto text = in.quoted())
    target.description = keep(*text);
}

void MachineReader::readElf() {
  const MachineToken at = in.token();
  const auto size = in.number();
  if (!size)
    return;
  if (*size != 32 && *size != 64)
    return in.problem(at, "an ELF class is 32 or 64");
  target.is64 = *size == 64;
  const auto order = choice({"little", "big"});
  if (!order)
    return;
  target.isBig = *order == 1;
  target.machines = numbers<uint16_t>(UINT16_MAX);
}

void MachineReader::readAliases() {
  const MachineToken at = in.token();
  target.aliases = words("a name");
  for (const char *alias : target.aliases)
    if (const Target *other = find(alias); other && other != extended)
      in.problem(at, Twine("'") + alias + "' is a name of the machine " +
                         other->name);
}

void MachineReader::readOsabi() {
  if (const auto number = in.number(0, 255))
    target.osabi = uint8_t(*number);
}

void MachineReader::readEFlags() {
  const auto flags = in.number(0, UINT32_MAX);
  if (!flags)
    return;
  target.flags = uint32_t(*flags);
  if (!in.accept("mask"))
    return;
  if (const auto mask = in.number(0, UINT32_MAX))
    target.flagsMask = uint32_t(*mask);
}

void MachineReader::readEntry() { target.entries = words("a symbol"); }

void MachineReader::readPage() {
  if (const auto size = in.power())
    target.maxPageSize = *size;
}

void MachineReader::readFill() { target.codeFill = numbers<uint8_t>(255, 16); }

void MachineReader::readSegments() {
  if (!in.expect("{"))
    return;
  while (!in.accept("}")) {
    const MachineToken word = in.take();
    auto answer = [&](bool &member, StringRef no, StringRef yes) {
      if (const auto index = choice({no, yes}))
        member = *index == 1;
    };
    if (word.text == "file-align") {
      if (const auto size = in.power(UINT32_MAX))
        target.segmentFileAlign = uint32_t(*size);
    } else if (word.text == "noload-in-segments") {
      answer(target.noloadInSegments, "no", "yes");
    } else if (word.text == "keep-symbol-only") {
      answer(target.keepSymbolOnlySections, "no", "yes");
    } else if (word.text == "gap-bytes") {
      answer(target.gapSectionsHaveBytes, "no", "yes");
    } else if (word.text == "entry-first") {
      answer(target.entrySectionFirst, "no", "yes");
    } else if (word.text == "script-numbers") {
      answer(target.scriptNumbersAbsolute, "relative", "absolute");
    } else {
      return in.unknown(word, "word",
                        {"file-align", "noload-in-segments", "keep-symbol-only",
                         "gap-bytes", "entry-first", "script-numbers"});
    }
    if (failed() || !in.expect(";"))
      return;
  }
}

void MachineReader::readFlags() {
  FlagsRule rule = {};
  const auto name =
      in.token().kind == MachineToken::Text ? in.quoted() : in.word("a name");
  if (!name || !in.expect("mask"))
    return;
  rule.name = keep(*name);
  const MachineToken at = in.token();
  const auto mask = in.number(0, UINT32_MAX);
  if (!mask)
    return;
  if (*mask == 0)
    return in.problem(at, "mask 0 has no bits");
  rule.mask = uint32_t(*mask);
  for (auto [word, member] :
       {std::pair("if", &rule.onlyIf), std::pair("any", &rule.any)})
    if (in.accept(word)) {
      const auto number = in.number(0, UINT32_MAX);
      if (!number)
        return;
      *member = uint32_t(*number);
    }
  const auto severity = choice({"warning", "error"});
  if (!severity)
    return;
  rule.isError = *severity == 1;
  const auto text = in.quoted();
  if (!text)
    return;
  rule.text = keep(*text);
  append(flagsRules, rule, at);
}

void MachineReader::readAttributes() {
  const auto type = in.number(1, UINT32_MAX);
  if (!type)
    return;
  target.attributesType = uint32_t(*type);
  if (!in.accept("vendor"))
    return;
  const auto vendor = in.token().kind == MachineToken::Text
                          ? in.quoted()
                          : in.word("the vendor's name");
  if (!vendor || !in.expect("tag"))
    return;
  target.attributesVendor = keep(*vendor);
  if (const auto tag = in.number(0, UINT32_MAX))
    target.attributesTag = uint32_t(*tag);
}

void MachineReader::readIgnore() {
  target.ignoredTypes = numbers<uint32_t>(UINT32_MAX);
}

void MachineReader::readGot() {
  const MachineToken at = in.token();
  const auto size = in.number();
  if (size && *size != 4 && *size != 8)
    in.problem(at, "a slot has 4 or 8 bytes");
  else if (size)
    target.gotSlotSize = uint32_t(*size);
}

void MachineReader::readBase() {
  const MachineToken at = in.token();
  const auto name = in.word("a name");
  if (!name)
    return;
  if (any_of(bases, [&](const Base &base) { return *name == base.name; }) ||
      any_of(baseSymbols,
             [&](const BaseSymbol &base) { return *name == base.shortName; }))
    return in.problem(at, "base '" + *name + "' is stated twice");
  const auto kind = choice({"flag", "symbol", "cpu", "tls-start"});
  if (!kind)
    return;
  Base base = {BaseKind(*kind), keep(*name)};
  if (base.kind == BaseKind::Flag)
    return readFlagBase(base.name, at);
  if (base.kind == BaseKind::Symbol) {
    const auto symbol = in.word("a symbol");
    if (!symbol)
      return;
    base.symbol = keep(*symbol);
  } else if (base.kind == BaseKind::TlsStart && (in.is("+") || in.is("-"))) {
    const bool minus = in.take().text == "-";
    const auto plus = in.number();
    if (!plus)
      return;
    base.plus = minus ? -*plus : *plus;
  }
  append(bases, base, at, 255);
}

/// The rest of a base at the sections with a flag.
void MachineReader::readFlagBase(const char *name, const MachineToken &at) {
  const auto flag = in.power();
  if (!flag)
    return;
  BaseSymbol symbol = {
      keep((Twine("_") + name).str()), *flag, 4, nullptr, nullptr, name};
  for (auto [word, member] : {std::pair("section", &symbol.section),
                              std::pair("last", &symbol.lastMark)})
    if (in.accept(word)) {
      const auto text = in.word("a section's name or a part of it");
      if (!text)
        return;
      *member = keep(*text);
    }
  append(baseSymbols, symbol, at, 255);
}

void MachineReader::readSymbol() {
  const MachineToken at = in.token();
  const auto name = in.word("a symbol");
  if (!name)
    return;
  const auto place = choice({"start", "end"});
  if (!place)
    return;
  const auto section = in.word("a section");
  if (!section)
    return;
  append(symbols, {keep(*name), keep(*section), *place == 1}, at);
}

void MachineReader::readSectionFlag() {
  const MachineToken at = in.token();
  const auto name = in.word("a name");
  if (!name)
    return;
  if (const auto flag = in.power())
    append(sectionFlags, {keep(*name), *flag}, at);
}

void MachineReader::readMap() {
  const MachineToken at = in.token();
  AddressMap map = {};
  uint64_t shift = 0;
  for (auto [word, member] :
       {std::pair("match", &map.match), std::pair("mask", &map.mask),
        std::pair("clear", &map.clear), std::pair("shift", &shift),
        std::pair("keep-low", &map.keepLow)}) {
    if (!in.expect(word))
      return;
    const auto number = in.number(0, member == &shift ? 63 : UINT64_MAX);
    if (!number)
      return;
    *member = *number;
  }
  map.shift = uint32_t(shift);
  append(maps, map, at);
}

void MachineReader::readMemory() {
  const MachineToken at = in.token();
  const auto name =
      at.kind == MachineToken::Text ? in.quoted() : in.word("a name");
  if (!name)
    return;
  Memory memory = {};
  memory.name = keep(*name);
  const auto begin = in.number();
  const auto end = begin ? in.number() : std::nullopt;
  if (!end)
    return;
  memory.begin = *begin;
  memory.end = *end;
  if (memory.begin >= memory.end)
    return in.problem(at, "memory '" + *name + "' has no bytes");
  const auto holds = choice({"code", "values", "other"});
  if (!holds)
    return;
  memory.holds = Memory::Holds(*holds);
  if (in.accept("unit")) {
    const auto unit = in.number(1, UINT32_MAX);
    const auto units = unit ? in.quoted() : std::nullopt;
    if (!units)
      return;
    memory.unit = uint32_t(*unit);
    memory.units = keep(*units);
  }
  for (const Memory &other : memories)
    if (memory.begin < other.end && other.begin < memory.end)
      return in.problem(at,
                        "memory '" + *name + "' overlaps '" + other.name + "'");
  append(memories, memory, at);
}

void MachineReader::readCpu() {
  const MachineToken at = in.token();
  const auto name = in.word("a name");
  if (!name || !in.expect("{"))
    return;
  if (any_of(cpus, [&](const Cpu &cpu) { return *name == cpu.name; }))
    return in.problem(at, "cpu '" + *name + "' is stated twice");
  Cpu cpu = {};
  cpu.name = keep(*name);
  std::vector<std::pair<const char *, const char *>> defines;
  while (!in.accept("}")) {
    readCpuItem(cpu, defines);
    if (failed() || !in.expect(";"))
      return;
  }
  cpu.defines = keep(ArrayRef(defines));
  append(cpus, cpu, at, 64);
  cpuTokens.resize(cpus.size(), at);
}

void MachineReader::readCpuItem(
    Cpu &cpu, std::vector<std::pair<const char *, const char *>> &defines) {
  const MachineToken at = in.take();
  auto range = [&](NamedRange &member) {
    const auto low = in.number(0, UINT64_MAX - 1);
    const auto high = low ? in.number(*low + 1) : std::nullopt;
    if (const auto text = high ? in.quoted() : std::nullopt)
      member = {*low, *high, keep(*text)};
  };
  if (at.text == "flags") {
    if (const auto flags = in.number(0, UINT32_MAX))
      cpu.flags = uint32_t(*flags);
  } else if (at.text == "define") {
    const auto name = in.word("a name");
    if (!name)
      return;
    const MachineToken value = in.token();
    if (value.kind == MachineToken::End || value.text == ";")
      return in.problem(value, "expected a value");
    in.take();
    append(defines, {keep(*name), keep(value.text)}, at);
  } else if (at.text == "fill") {
    cpu.fill = numbers<uint8_t>(255, 16);
  } else if (at.text == "base") {
    if (const auto base = in.number())
      cpu.base = *base;
  } else if (at.text == "no-code") {
    range(cpu.noCode);
  } else if (at.text == "executable") {
    range(cpu.executable);
  } else {
    in.unknown(at, "word",
               {"flags", "define", "fill", "base", "no-code", "executable"});
  }
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
  if (in.accept("align"))
    if (const auto align = in.power())
      target.vectorAlign = *align;
}

void MachineReader::readWord() {
  const MachineToken at = in.token();
  const auto size = in.power();
  if (size && *size > 8)
    in.problem(at, "a word has 1, 2, 4 or 8 bytes");
  else if (size)
    target.word = uint8_t(*size);
}

void MachineReader::readLocalLabels() {
  if (const auto index = choice({"discard", "keep"}))
    target.keepLocalLabels = *index == 1;
}

void MachineReader::readPrefetch() {
  if (const auto size = in.number(0, UINT32_MAX))
    target.prefetchBytes = uint32_t(*size);
}

void MachineReader::readCodeFillsRegions() { target.codeFillsRegions = true; }

void MachineReader::readVendor() {
  const MachineToken at = in.token();
  const auto number = in.number(0, UINT32_MAX);
  const auto name = number ? in.word("the vendor's symbol") : std::nullopt;
  if (name)
    append(vendors, {uint32_t(*number), keep(*name)}, at);
}

void MachineReader::readStart() {
  const auto address = in.number();
  const auto text = address ? in.quoted() : std::nullopt;
  if (!text)
    return;
  target.startAddress = *address;
  target.startFile = keep(*text);
}

void MachineReader::readSymbolReader() {
  if (const auto text = in.quoted())
    target.symbolReader = keep(*text);
}

void MachineReader::readStackSizeWithCallees() {
  if (const auto bit = in.power())
    target.stackSizeWithCallees = *bit;
}

/// A heap or stack, "reserve stack NAME begin SYMBOL size SYMBOL".
void MachineReader::readReserve() {
  const MachineToken at = in.token();
  const auto kind = choice({"heap", "stack"});
  if (!kind)
    return;
  Reservation reservation = {};
  reservation.kind = Reservation::Kind(*kind);
  // Names with a # stand in quotes.
  auto text = [&](const char *&member) {
    const auto name =
        in.token().kind == MachineToken::Text ? in.quoted() : in.word("a name");
    if (name)
      member = keep(*name);
    return name.has_value();
  };
  if (!text(reservation.name) || !in.expect("begin") ||
      !text(reservation.begin))
    return;
  const auto size = choice({"end", "size"});
  if (!size || !text(*size ? reservation.size : reservation.end))
    return;
  if (in.accept("thread") && !text(reservation.thread))
    return;
  if (in.accept("count")) {
    const auto count = in.number(1, 256);
    if (!count)
      return;
    reservation.count = unsigned(*count);
  }
  append(reservations, reservation, at);
}

void MachineReader::readBehaviour() {
  const MachineToken at = in.token();
  const auto name = in.word("a name");
  if (!name)
    return;
  if (!builtIn && target.behaviour != *name)
    return in.problem(at, "behaviour '" + *name +
                              "' is code of a machine that is built in; "
                              "'extends' that machine to have it");
  target.behaviour = keep(*name);
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

bool MachineReader::readHead() {
  if (in.accept("FORMAT") && (!in.number(1, 1) || !in.expect(";")))
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
    extended = find(*of);
    if (!extended) {
      in.problem(at, "no machine '" + *of + "' to extend");
      return false;
    }
    target = *extended;
    target.aliases = {};
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
    copy(rows, target.relocations);
    rowTokens.resize(rows.size());
    for (const RelocationRow &row : rows)
      rowByName[row.name] = row.number;
  }
  target.name = keep(*name);
  if (!target.description)
    target.description = target.name;
  return in.expect("{");
}

void MachineReader::readItem() {
  if (in.isNumber())
    return readRow(/*replaces=*/false);
  if (in.accept("replace"))
    return readRow(/*replaces=*/true);
  if (in.accept("TEST"))
    return readTest();
  declaration = in.take();
  const Declaration *known = find_if(kDeclarations, [&](const Declaration &d) {
    return d.word == declaration.text;
  });
  if (known == std::end(kDeclarations)) {
    std::vector<StringRef> words = {"TEST", "replace"};
    for (const Declaration &d : kDeclarations)
      words.push_back(d.word);
    return in.unknown(declaration, "word", words);
  }
  const uint32_t line = in.lineOf(declaration);
  if (const auto [first, isNew] = lines.try_emplace(known->word, line);
      !isNew && !known->repeats)
    return in.problem(declaration, "'" + known->word +
                                       "' is stated twice (line " +
                                       Twine(first->second) + ")");
  (this->*known->read)();
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
  while (!in.is("}") && !in.atEnd() && in.problemCount() < kMachineProblems) {
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
  } else if (in.problemCount() < kMachineProblems) {
    in.expect("}");
  }
  return in.problemCount() == 0 ? std::move(machine) : nullptr;
}

bool isMachineFile(StringRef text) {
  std::vector<MachineProblem> ignored;
  const MachineText in(text.take_front(kMachineFileSize), ignored);
  return in.is("MACHINE") || in.is("FORMAT");
}

std::unique_ptr<Machine> readMachine(StringRef text, bool builtIn,
                                     MachineLookup find,
                                     std::vector<MachineProblem> &problems) {
  return MachineReader(text, builtIn, find, problems).run();
}

} // namespace xlink
