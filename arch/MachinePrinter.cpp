//===- MachinePrinter.cpp - a machine as the text of a machine file -------===//
//
// Prints what MachineReader.cpp reads, in one canonical form: declarations in
// the order of their list there, with all that differs from a default, then
// rows. Read back, the text gives an equal machine.
//
//===----------------------------------------------------------------------===//

#include "arch/MachineText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

namespace {

/// A name as a word if it is one, else in quotes.
std::string name(StringRef text) {
  const bool isWord = !text.empty() && all_of(text, [](char c) {
    return isAlnum(c) || StringRef("_.$@").contains(c);
  });
  return isWord ? text.str() : "\"" + text.str() + "\"";
}

class Printer {
public:
  explicit Printer(const Target &target) : target(target), out(text) {}

  std::string run() {
    out << "MACHINE " << target.name << " {\n";
    identity();
    policies();
    addresses();
    for (const Cpu &cpu : target.cpus)
      printCpu(cpu);
    for (const RelocationRow &row : target.relocations)
      printRow(row);
    out << "}\n" << StringRef(target.script).ltrim();
    return text;
  }

private:
  void identity();
  void policies();
  void addresses();
  void printCpu(const Cpu &cpu);
  void printRow(const RelocationRow &row);
  void printUse(const RelocationRow &row);

  template <class T>
  void list(StringRef word, ArrayRef<T> items, StringRef indent = "  ") {
    if (items.empty())
      return;
    out << indent << word;
    for (const T &item : items)
      if constexpr (std::is_same_v<T, const char *>)
        out << " " << name(item);
      else
        out << " " << hexText(item);
    out << ";\n";
  }
  void number(StringRef word, uint64_t value, uint64_t usual) {
    if (value != usual)
      out << "  " << word << " " << value << ";\n";
  }

  const Target &target;
  std::string text;
  raw_string_ostream out;
};

void Printer::identity() {
  if (StringRef(target.description) != target.name)
    out << "  description \"" << target.description << "\";\n";
  out << "  elf " << (target.is64 ? 64 : 32)
      << (target.isBig ? " big" : " little");
  for (uint16_t machine : target.machines)
    out << " " << hexText(machine);
  out << ";\n";
  list("aliases", target.aliases);
  number("osabi", target.osabi, 0);
  if (target.flags != 0 || target.flagsMask != ~0u)
    out << "  e-flags " << hexText(target.flags) << " mask "
        << hexText(target.flagsMask) << ";\n";
  list("entry", target.entries);
  number("page", target.maxPageSize, 4);
  list("fill", target.codeFill);
  if (*target.behaviour)
    out << "  behaviour " << target.behaviour << ";\n";
}

void Printer::policies() {
  std::string words;
  auto answer = [&](StringRef word, bool value, bool usual, StringRef no,
                    StringRef yes) {
    if (value != usual)
      words += (" " + word + " " + (value ? yes : no) + ";").str();
  };
  if (target.segmentFileAlign != 1)
    words += " file-align " + utostr(target.segmentFileAlign) + ";";
  answer("noload-in-segments", target.noloadInSegments, true, "no", "yes");
  answer("keep-symbol-only", target.keepSymbolOnlySections, false, "no", "yes");
  answer("gap-bytes", target.gapSectionsHaveBytes, false, "no", "yes");
  answer("entry-first", target.entrySectionFirst, false, "no", "yes");
  answer("script-numbers", target.scriptNumbersAbsolute, false, "relative",
         "absolute");
  if (!words.empty())
    out << "  segments {" << words << " }\n";
  for (const FlagsRule &rule : target.flagsRules) {
    out << "  flags " << name(rule.name) << " mask " << hexText(rule.mask);
    if (rule.onlyIf)
      out << " if " << hexText(*rule.onlyIf);
    if (rule.any)
      out << " any " << hexText(*rule.any);
    out << (rule.isError ? " error" : " warning") << " \"" << rule.text
        << "\";\n";
  }
  if (target.attributesType != 0) {
    out << "  attributes " << hexText(target.attributesType);
    if (target.attributesVendor)
      out << " vendor " << name(target.attributesVendor) << " tag "
          << target.attributesTag;
    out << ";\n";
  }
  list("ignore", target.ignoredTypes);
  number("got", target.gotSlotSize, 0);
  for (const Vendor &vendor : target.vendors)
    out << "  vendor " << vendor.number << " " << vendor.name << ";\n";
}

void Printer::addresses() {
  for (const BaseSymbol &base : target.baseSymbols) {
    out << "  base " << base.shortName << " flag " << hexText(base.sectionFlag);
    if (base.section)
      out << " section " << base.section;
    if (base.lastMark)
      out << " last " << base.lastMark;
    out << ";\n";
  }
  for (const Base &base : target.bases) {
    if (base.kind == BaseKind::Got)
      continue; // rows name it without a declaration
    out << "  base " << base.name;
    if (base.kind == BaseKind::Symbol)
      out << " symbol " << base.symbol;
    else
      out << (base.kind == BaseKind::Cpu ? " cpu" : " tls-start");
    if (base.plus != 0)
      out << (int64_t(base.plus) < 0 ? " - " : " + ")
          << hexText(int64_t(base.plus) < 0 ? -base.plus : base.plus);
    out << ";\n";
  }
  for (const SectionSymbol &symbol : target.sectionSymbols)
    out << "  symbol " << symbol.name << (symbol.atEnd ? " end " : " start ")
        << symbol.section << ";\n";
  for (const SectionFlagName &flag : target.sectionFlags)
    out << "  section-flag " << flag.name << " " << hexText(flag.flag) << ";\n";
  for (const AddressMap &map : target.maps)
    out << "  map match " << hexText(map.match) << " mask " << hexText(map.mask)
        << " clear " << hexText(map.clear) << " shift " << map.shift
        << " keep-low " << hexText(map.keepLow) << ";\n";
  static constexpr StringRef kHolds[] = {"code", "values", "other"};
  for (const Memory &memory : target.memories) {
    out << "  memory " << name(memory.name) << " " << hexText(memory.begin)
        << " " << hexText(memory.end) << " " << kHolds[memory.holds];
    if (memory.units)
      out << " unit " << memory.unit << " \"" << memory.units << "\"";
    out << ";\n";
  }
  for (const Reservation &r : target.reservations) {
    out << "  reserve " << (r.kind == Reservation::Heap ? "heap " : "stack ")
        << name(r.name) << " begin " << name(r.begin)
        << (r.end ? " end " : " size ") << name(r.end ? r.end : r.size);
    if (r.thread)
      out << " thread " << name(r.thread);
    if (r.count != 1)
      out << " count " << r.count;
    out << ";\n";
  }
  if (target.startAddress)
    out << "  start " << hexText(*target.startAddress) << " \""
        << target.startFile << "\";\n";
  if (target.symbolReader)
    out << "  symbol-reader \"" << target.symbolReader << "\";\n";
  if (!target.vectors.empty()) {
    out << "  vectors " << join(target.vectors, " ");
    if (target.vectorAlign != 0)
      out << " align " << target.vectorAlign;
    out << ";\n";
  }
  number("instruction", target.instruction, 0);
  for (const FlowRule &rule : target.flows)
    out << "  flow " << hexText(rule.mask) << " " << hexText(rule.code) << " "
        << kFlowKinds[size_t(rule.kind)] << ";\n";
  number("word", target.word, target.is64 ? 8 : 4);
  if (!target.keepLocalLabels)
    out << "  local-labels discard;\n";
  number("prefetch", target.prefetchBytes, 0);
  if (target.codeFillsRegions)
    out << "  code-fills-regions;\n";
  if (target.stackSizeWithCallees != 0)
    out << "  stack-size-with-callees " << hexText(target.stackSizeWithCallees)
        << ";\n";
}

void Printer::printCpu(const Cpu &cpu) {
  out << "  cpu " << cpu.name << " {\n";
  if (cpu.flags)
    out << "    flags " << hexText(*cpu.flags) << ";\n";
  for (const auto &[word, value] : cpu.defines)
    out << "    define " << word << " " << name(value) << ";\n";
  list("fill", cpu.fill, "    ");
  if (cpu.base != 0)
    out << "    base " << hexText(cpu.base) << ";\n";
  auto range = [&](StringRef word, const NamedRange &range) {
    if (range.end)
      out << "    " << word << " " << hexText(range.begin) << " "
          << hexText(range.end) << " \"" << range.name << "\";\n";
  };
  range("no-code", cpu.noCode);
  range("executable", cpu.executable);
  out << "  }\n";
}

void Printer::printUse(const RelocationRow &row) {
  static constexpr StringRef kUses[] = {"data", "address", "call", "branch"};
  if (row.use != Use::Data)
    out << ", " << kUses[size_t(row.use)];
  if (row.takesAddress) {
    out << ", or-address";
    if (row.addressBit != kNoBit)
      out << " " << unsigned(row.addressBit);
  }
  if (row.alsoJumps)
    out << ", or-jump";
  if (!row.pair.empty()) {
    out << ", pair";
    for (uint32_t number : row.pair)
      out << " " << findRelocation(target, number)->name;
  }
  if (row.hint)
    out << ", hint \"" << row.hint << "\"";
}

void Printer::printRow(const RelocationRow &row) {
  out << "  " << left_justify(utostr(row.number), 3) << " " << row.name;
  if (row.hasField()) {
    const std::string check = checkText(row);
    out << ": " << unsigned(row.bytes) << ", value " << valueText(row, target)
        << (check.empty() ? "" : ", ") << check << ", bits "
        << fieldText(row, target);
    printUse(row);
  } else if (row.hint) {
    out << (row.alignsBehind ? " align-hint" : " refused") << " \"" << row.hint
        << "\"";
  }
  out << ";\n";
}

} // namespace

std::string printMachine(const Target &target) { return Printer(target).run(); }

} // namespace xlink
