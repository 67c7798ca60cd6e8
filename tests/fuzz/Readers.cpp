//===- Readers.cpp - targets that read one kind of bytes ------------------===//
#include "arch/Containers.h"
#include "arch/MachineFile.h"
#include "base/Diagnostics.h"
#include "debug/LineTable.h"
#include "driver/Driver.h"
#include "driver/Options.h"
#include "fuzz/LinkTargets.h"
#include "fuzz/Links.h"
#include "input/StackFiles.h"
#include "input/TypeString.h"
#include "inspect/FileMap.h"
#include "inspect/Inspect.h"
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
#include "map/SizeBudget.h"
#include "map/TextMap.h"
#include "support/TestFiles.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace xlink::test {

static void requireJson(const char *what, StringRef text) {
  if (Expected<json::Value> value = json::parse(text); !value)
    trouble(std::string(what) + ": " + toString(value.takeError()));
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// The halves are files that may name each other: @a and @b.
void fuzzResponse(FuzzInput input) {
  const auto [first, second] = halves(input);
  const Bytes a(first.begin(), first.end()), b(second.begin(), second.end());
  TestFiles fs;
  fs.add("a", a);
  fs.add("b", b);
  Diagnostics diag;
  const ParsedCommandLine line = parseCommandLine({"@a"}, &fs, diag);
  if (line.ok == diag.failed())
    trouble("a command line is in order with errors, or not without");
  for (const Diagnostic &d : diag.all())
    if (d.text.empty())
      trouble("a message without text");
}

void fuzzMap(FuzzInput input) {
  const auto [first, second] = halves(input);
  Diagnostics diag;
  const std::optional<LinkMap> before = readLinkMap("a.json", first, diag);
  if (!before != diag.failed())
    return trouble("a map is read with errors, or not without");
  if (!before)
    return;
  const std::string text = mapJson(*before);
  const std::optional<LinkMap> again = readLinkMap("c.json", text, diag);
  if (!again)
    return trouble("what was read is not read again: " + diag.all()[0].text);
  if (mapJson(*again) != text)
    trouble("a map that is read again is another");
  const MapComparison same = compareMaps(*before, *again);
  if (!same.equal())
    trouble("a map differs from itself: " +
            comparisonText(same, {"a.json", "c.json"}));
  const std::optional<LinkMap> other = readLinkMap("b.json", second, diag);
  const LinkMap empty;
  const LinkMap &after = other ? *other : empty;
  const ComparisonNames names = {"a.json", "b.json"};
  const MapComparison changes = compareMaps(*before, after);
  comparisonText(changes, names);
  comparisonText(changes, names, /*markdown=*/true);
  requireJson("a comparison", comparisonJson(changes, names));
  requireJson("a page's comparison", comparisonOfPage(changes));
  requireJson("readable names", readableNames(*before, &after));
}

/// A map of GNU ld or lld, beside a file that has its sections: outputs made of
/// them is a map that can be read.
void fuzzLinkerMap(FuzzInput input) {
  Diagnostics diag;
  const std::optional<LinkMap> stated =
      readTextMap("a.map", textOf(input), diag);
  if (diag.all().size() != (stated ? 0 : 1))
    return trouble("a map is read with errors, or not with one");
  if (!stated)
    return;
  LinkedFile file;
  file.target = findTarget("aphelion");
  file.type = ELF::ET_EXEC;
  file.sections.resize(1);
  for (const MapOutput &out : stated->outputs) {
    ElfSection &section = file.sections.emplace_back();
    section.name = out.name;
    section.type = ELF::SHT_NOBITS;
    section.flags = ELF::SHF_ALLOC;
    section.address = out.address;
    section.size = out.size;
  }
  for (const MapPart &part : stated->parts) {
    ElfSymbol &symbol = file.symbols.emplace_back();
    symbol.name = part.name;
    symbol.value = part.address;
    symbol.size = part.size / 2;
    symbol.section = part.output + 1;
  }
  const std::optional<LinkMap> map =
      mapOfElf(file, &*stated, /*bySource=*/false, diag);
  if (!map)
    return trouble("the file is another one: " + diag.all()[0].text);
  if (!readLinkMap("a.json", mapJson(*map), diag))
    trouble("the output is not read: " + diag.all()[0].text);
  sizesText(sizesOf(*map), {"", "a"});
  requireJson("sizes", sizesJson(sizesOf(*map), {"", "a"}));
}

/// Stack usage, call graphs, stated calls and size budgets, all of one text.
void fuzzNotes(FuzzInput input) {
  const StringRef text = textOf(input);
  StackNotes notes;
  Diagnostics diag;
  readStackUsageFile(text, notes, diag);
  readCallGraphFile(text, notes, diag);
  readStackCalls("calls", text, diag);
  readSizeBudget("budget", text, diag);
  plainFunctionName(text);
}

/// A machine file loads, or says where it is wrong; what is printed of it reads
/// back equal.
void fuzzMachine(FuzzInput input) {
  const StringRef text = textOf(input);
  const auto find = [](StringRef name, bool) { return findTarget(name); };
  std::vector<MachineProblem> problems;
  const std::unique_ptr<Machine> machine =
      readMachine(text, /*builtIn=*/false, find, problems);
  if (machine ? !problems.empty() : problems.empty())
    return trouble("a machine is read with errors, or not without");
  if (problems.size() > kMachineProblems)
    trouble("too many messages");
  for (const MachineProblem &p : problems)
    if (p.text.empty() || p.line == 0 || p.line > text.count('\n') + 1)
      trouble("a message without a place: " + p.text);
  if (!machine)
    return;
  problems.clear();
  checkMachine(*machine, problems);
  printVectors(machine->target);
  const std::string printed = printMachine(machine->target);
  problems.clear();
  const std::unique_ptr<Machine> again =
      readMachine(printed, /*builtIn=*/false, find, problems);
  if (!again)
    return trouble("what is printed is not read: " + problems[0].text);
  if (printMachine(again->target) != printed)
    trouble("what is printed reads back as another machine");
}

/// A type string, or two of one symbol.
void fuzzTypes(FuzzInput input) {
  const auto [first, second] = halves(input);
  TypeString::Fault fault;
  const std::optional<TypeString> a = TypeString::parse(first, fault);
  if (!a) {
    if (fault.text.empty() || fault.offset > first.size())
      trouble("a fault of a type string has no text or place");
    return;
  }
  a->declare("name");
  a->declare("");
  a->callShape();
  const std::string outline = a->outline();
  if (!a->agrees(*a) || !a->saysTheSame(*a) || a->differsInBounds(*a))
    trouble("a type does not agree with itself");
  if (const std::optional<TypeString> plain = TypeString::parse(outline, fault);
      !plain)
    trouble("an outline cannot be read: " + fault.text);
  if (const std::optional<TypeString> b = TypeString::parse(second, fault)) {
    if (a->agrees(*b) != b->agrees(*a))
      trouble("types agree one way only");
    if (a->saysTheSame(*b) && !a->agrees(*b))
      trouble("types say the same and do not agree");
    a->differsInBounds(*b);
  }
}

void fuzzNames(FuzzInput input) {
  const StringRef name = textOf(input);
  if (demangled(name).size() > 4096 + 64 * name.size())
    trouble("a readable name is far longer than the name");
}

void fuzzSystem(FuzzInput input) {
  std::string error;
  const std::optional<SysConfig> system = readSysConfig(textOf(input), error);
  if (!system == error.empty())
    trouble("a description is read with an error, or not without");
  if (system)
    for (uint32_t i = 0; i < 4; ++i)
      system->hasTile(i, i);
}

//===----------------------------------------------------------------------===//
// Binary data
//===----------------------------------------------------------------------===//

void fuzzXe(FuzzInput input) {
  std::vector<TargetMessage> messages;
  xeContainer.list(input, messages);
  for (const TargetMessage &message : messages)
    if (message.text.empty())
      trouble("a message without text");
}

/// Sections one behind the other, each but the last behind 2 bytes of length.
void fuzzLines(FuzzInput input) {
  StringRef rest = textOf(input);
  StringRef parts[5];
  for (StringRef &part : parts) {
    if (rest.size() < 2)
      break;
    const size_t size = uint8_t(rest[0]) | size_t(uint8_t(rest[1])) << 8;
    part = rest.substr(2, size);
    rest = rest.drop_front(2 + part.size());
  }
  const LineTable lines({parts[0], parts[1], parts[2]});
  for (uint64_t address : {0, 1, 0x10, 0x1000, 0x10000, 0x10010})
    lines.find(0, address);
  lines.find(0, UINT64_MAX);
  for (const auto &[address, d] : readVariables({parts[3], parts[4], rest}))
    lines.lineOf(d.table, d.file, d.line);
  lines.lineOf(0, 1, 1);
  lines.lineOf(0, UINT64_MAX, UINT64_MAX);
}

/// A script whose sections are those of common programs.
static constexpr char kScript[] = R"(
MEMORY { F (rx) : ORIGIN = 0, LENGTH = 0x10000 R (rwx) : ORIGIN = 0x10000, LENGTH = 0x1000 }
_etext = ADDR(.text) + SIZEOF(.text);
__stack_top = ORIGIN(R) + LENGTH(R);
_sidata = LOADADDR(.data);
SECTIONS {
  .vectors : { *(.vectors) } > F
  .text : { _start = .; *(.text) } > F
  .rodata : { *(.rodata) } > F
  .data : AT(_sidata) { _sdata = .; *(.data) _edata = .; } > R
  .noinit (NOLOAD) : { *(.noinit) } > R AT> F
  .bss : { _sbss = .; *(.bss) _ebss = .; } > R
})";

/// Compares two files both ways, and looks for mistakes in one.
void fuzzDiff(FuzzInput input) {
  const WithOptions parts = splitOptions(input);
  const std::vector<Bytes> files = splitObjects(parts.bytes, 2);
  const Bytes &a = files[0], &b = files.back();
  TestFiles fs;
  fs.add("a", a);
  fs.add("b", b);
  const auto compare = [&](std::vector<std::string> arguments) {
    if (parts.options & 1)
      arguments.push_back("--ignore=symbols,debug");
    return inspect(arguments, &fs);
  };
  const InspectResult text = compare({"diff", "a", "b"});
  const InspectResult back = compare({"diff", "--json", "b", "a"});
  if (text.status != back.status)
    trouble("two files differ one way only");
  if (text.status != 2 && !(parts.options & 1) &&
      (text.status == 0) != (a == b))
    trouble("status " + std::to_string(text.status) + " of files that are " +
            (a == b ? "equal" : "not equal"));
  if (back.status != 2)
    requireJson("a difference", back.text);
  const InspectResult sizes =
      inspect({"sizes", "--json", "--by-source", "b"}, &fs);
  inspect({"page", "a", "--baseline=b", "-o", "page"}, &fs);
  const InspectResult changes = inspect({"compare", "--json", "a", "b"}, &fs);
  if (sizes.status != 2)
    requireJson("sizes", sizes.text);
  if (changes.status != 2)
    requireJson("a comparison", changes.text);
  checkFinished(b, parts.options & 2 ? kScript : "");
}

} // namespace xlink::test
