//===- LinkTargets.cpp - links of damaged objects, archives, scripts ------===//
#include "fuzz/LinkTargets.h"
#include "fuzz/Links.h"
#include "fuzz/MiniObject.h"
#include "input/Archive.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;

namespace xlink::test {

static void addText(FuzzedLink &link, const char *name, StringRef text) {
  link.files.emplace_back(name, Bytes(text.begin(), text.end()));
}

static void linkObjects(const char *machine, FuzzInput input, size_t most) {
  static const char *const names[] = {"a.o", "b.o", "c.o"};
  const WithOptions parts = splitOptions(input);
  FuzzedLink link;
  std::vector<Bytes> files = splitObjects(parts.bytes, most);
  addOptions(link, parts.options);
  if (parts.options >> 57 & 1) {
    addText(link, "order", "main\n_start\ng\n");
    link.option("--symbol-ordering-file=order");
  }
  if (parts.options >> 58 & 1) {
    addText(link, "calls", "main: *\n_start: g, h\n");
    link.option("--stack-calls=calls");
  }
  if (parts.options >> 59 & 1) {
    addText(link, "budget", "symbol * 4\nsection .text* 8\nobject a.o 1\n");
    link.option("--size-budget=budget");
  }
  if (parts.options >> 60 & 1 && StringRef(machine) == "xs1") {
    link.option("--oformat=xe");
    link.isElf = false;
  }
  if (parts.options >> 61 & 1 && files.size() > 1)
    link.arguments.insert(link.arguments.end(), {"-R", "b.o"});
  setMachine(link, machine);
  for (size_t i = 0; i < files.size(); ++i) {
    link.files.emplace_back(names[i], std::move(files[i]));
    link.option(names[i]);
  }
  linkChecked(link);
}

void fuzzObject(const char *machine, FuzzInput input) {
  linkObjects(machine, input, 1);
}
void fuzzObjects(const char *machine, FuzzInput input) {
  linkObjects(machine, input, 3);
}

//===----------------------------------------------------------------------===//
// -r
//===----------------------------------------------------------------------===//

/// What -r makes of these files.
static FuzzedResult relocatable(const std::vector<Bytes> &files,
                                StringRef machine) {
  static const char *const names[] = {"a.o", "b.o", "c.o"};
  FuzzedLink link;
  link.option("-r");
  setMachine(link, machine);
  link.isElf = false;
  for (size_t i = 0; i < files.size(); ++i) {
    link.files.emplace_back(names[i], files[i]);
    link.option(names[i]);
  }
  return linkChecked(link);
}

static FuzzedResult program(const std::vector<Bytes> &files, StringRef machine,
                            uint64_t options) {
  static const char *const names[] = {"a.o", "b.o", "c.o"};
  // Of those that -r leaves what they are about.
  static const char *const texts[] = {"--gc-sections", "--emit-relocs", "-O2",
                                      "-N"};
  FuzzedLink link;
  link.option("--unresolved-symbols=ignore-all");
  setMachine(link, machine);
  for (size_t i = 0; i < std::size(texts); ++i)
    if (options >> i & 1)
      link.option(texts[i]);
  for (size_t i = 0; i < files.size(); ++i) {
    link.files.emplace_back(names[i], files[i]);
    link.option(names[i]);
  }
  return linkChecked(link);
}

/// An object that -r made is sound when -r reads it and makes one of it that no
/// further -r changes.
static void checkEnd(const Bytes &object, StringRef machine) {
  const FuzzedResult again = relocatable({object}, machine);
  if (again.status != 0)
    return trouble("-r refuses what it made: " + again.text);
  const FuzzedResult third = relocatable({again.image}, machine);
  if (third.status != 0)
    return trouble("-r refuses what it made of what it made: " + third.text);
  if (third.imageIsWhole && third.image != again.image)
    trouble("-r does not come to an end");
}

void fuzzRelocatable(FuzzInput input) {
  const WithOptions parts = splitOptions(input);
  const std::vector<Bytes> files = splitObjects(parts.bytes, 3);
  const std::string machine = machineOf(files[0]);
  if (machine.empty())
    return;
  std::vector<Bytes> made;
  for (const Bytes &file : files) {
    FuzzedResult one = relocatable({file}, machine);
    if (one.status != 0 || !one.imageIsWhole)
      return;
    made.push_back(std::move(one.image));
  }
  checkEnd(made[0], machine);
  const FuzzedResult direct = program(files, machine, parts.options);
  const FuzzedResult through = program(made, machine, parts.options);
  // Sections whose flags keep -r from joining them may change their order, and
  // with it the places of code that is not aligned.
  const StringRef said = through.text;
  const bool moved =
      said.contains(" misaligned: ") || said.contains(" out of range: ");
  if (direct.status != through.status && !moved)
    trouble("the link says: " + direct.text +
            "of what -r made: " + through.text);
  if (files.size() == 1)
    return;
  const FuzzedResult all = relocatable(files, machine);
  if (all.status == 0 && all.imageIsWhole)
    program({all.image}, machine, parts.options);
}

//===----------------------------------------------------------------------===//
// Archives and scripts
//===----------------------------------------------------------------------===//

static constexpr uint8_t kGlobal = ELF::STB_GLOBAL << 4;
static constexpr uint32_t kCommon = ELF::SHN_COMMON;

/// The class's machine of scripts, and its relocation of a whole address.
static uint16_t machineNumber(bool is64) { return is64 ? 0xA9E1 : 9999; }
static uint32_t wholeAddress(bool is64) { return is64 ? 2 : 1; }

/// Start-up code refers to symbols that scripts assign; vectors to a weak
/// handler.
static Bytes mainObject(bool is64) {
  const uint64_t code = ELF::SHF_ALLOC | ELF::SHF_EXECINSTR;
  const uint64_t data = ELF::SHF_ALLOC | ELF::SHF_WRITE;
  const uint8_t weak = ELF::STB_WEAK << 4 | 2;
  return miniObject(is64, machineNumber(is64),
                    {{".text", 1, code, 64},
                     {".text.f", 1, code, 16},
                     {".rodata", 1, ELF::SHF_ALLOC, 12},
                     {".data", 1, data, 24},
                     {".bss", 8, data, 40},
                     {".vectors", 1, code, 16},
                     {".init_array.5", 14, data, 8},
                     {".comment", 1, 0, 9}},
                    {{"here", 1, 2, 4},
                     {"_start", 1, kGlobal | 2},
                     {"f", 2, kGlobal | 2, 0, 16},
                     {"x", 4, kGlobal | 1, 8, 8},
                     {"shared", kCommon, kGlobal | 1, 8, 16},
                     {"g", 0, kGlobal},
                     {"Tick_Handler", 2, weak},
                     {"_etext", 0, kGlobal},
                     {"_sdata", 0, kGlobal},
                     {"_edata", 0, kGlobal},
                     {"_sbss", 0, kGlobal},
                     {"_ebss", 0, kGlobal},
                     {"_sidata", 0, kGlobal}},
                    wholeAddress(is64),
                    {{1, 0, 8},
                     {1, 8, 9},
                     {1, 16, 10},
                     {1, 24, 11},
                     {1, 32, 12},
                     {1, 40, 13},
                     {6, 0, 2},
                     {6, 8, 7}});
}
static Bytes otherObject(bool is64) {
  const uint64_t code = ELF::SHF_ALLOC | ELF::SHF_EXECINSTR;
  return miniObject(is64, machineNumber(is64),
                    {{".text", 1, code, 8},
                     {".text.g", 1, code, 8},
                     {".data.y", 1, ELF::SHF_ALLOC | ELF::SHF_WRITE, 4},
                     {".bss.z", 8, ELF::SHF_ALLOC | ELF::SHF_WRITE, 8},
                     {".odd", 1, ELF::SHF_ALLOC, 4}},
                    {{"g", 2, kGlobal | 2},
                     {"main", 1, kGlobal | 2},
                     {"y", 3, kGlobal | 1, 0, 4},
                     {"_Z12Tick_Handlerv", 1, kGlobal | 2, 4, 2},
                     {"Tikc_Handler", 1, kGlobal | 2, 6, 2}});
}
static Bytes loneObject(bool is64) {
  return miniObject(is64, machineNumber(is64),
                    {{".text.h", 1, ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, 8}},
                    {{"h", 1, kGlobal | 2}});
}

void fuzzArchive(FuzzInput input) {
  const WithOptions parts = splitOptions(input);
  {
    DiagnosticBuffer diag;
    parseArchive("lib.a", parts.bytes, nullptr, diag);
  }
  static const Bytes main = mainObject(false), other = otherObject(false),
                     lone = loneObject(false);
  FuzzedLink link;
  link.files = {{"m.o", main},
                {"lib.a", Bytes(parts.bytes.begin(), parts.bytes.end())},
                {"main.o", other},
                {"lib/main.o", other},
                {"twin.o", lone},
                {"rich.o", lone}};
  addOptions(link, parts.options);
  if (parts.options >> 57 & 1)
    link.option("--reproduce=all.tar");
  if (parts.options >> 58 & 1)
    link.option("--start-lib");
  link.arguments.insert(link.arguments.end(),
                        {"-m", "nyuzi", "-u", "main", "m.o", "lib.a"});
  if (parts.options >> 59 & 1)
    link.option("lib.a");
  linkChecked(link);
}

/// The words of "/* args: WORDS */" that change nothing outside of the link.
static void addArguments(FuzzedLink &link, StringRef text) {
  const StringRef words = text.split("/* args: ").second.split("*/").first;
  SmallVector<StringRef, 8> list;
  words.split(list, ' ', 12, /*KeepEmpty=*/false);
  for (StringRef word : list) {
    if (!word.starts_with("-") || word.starts_with("-o") ||
        word.starts_with("--out"))
      continue;
    link.option(word.str());
    link.rules.apart &= word != "--no-check-sections";
  }
}

void fuzzScript(FuzzInput input) {
  const StringRef text = textOf(input);
  {
    Script script;
    Diagnostics diag;
    const auto none = [](StringRef) { return std::optional<IncludedText>(); };
    parseSectionOrdering("s.ld", text.str(), none, script, diag);
  }
  static const Bytes objects[2][3] = {
      {mainObject(false), otherObject(false), loneObject(false)},
      {mainObject(true), otherObject(true), loneObject(true)}};
  const bool is64 = input.size() & 1;
  FuzzedLink link;
  link.files = {{"a.o", objects[is64][0]},
                {"b.o", objects[is64][1]},
                {"c.o", objects[is64][2]},
                {"s.ld", Bytes(text.begin(), text.end())}};
  addText(link, "inc.ld", "*(.text.g) . = ALIGN(8);");
  addText(link, "inc/included.ld", "included = 4;");
  // PHDRS may leave sections out of all segments, or put them into one that no
  // loader copies.
  link.rules.covered = !text.contains("PHDRS");
  link.isElf = !text.contains("binary") && !text.contains("oformat") &&
               !text.contains("OUTPUT_FORMAT");
  link.arguments = {"-m", is64 ? "aphelion" : "nyuzi",
                    "--unresolved-symbols=ignore-all"};
  addArguments(link, text);
  if (input.size() & 2)
    link.option("--explain-script=json");
  link.arguments.insert(link.arguments.end(),
                        {"-T", "s.ld", "a.o", "b.o", "c.o"});
  const FuzzedResult result = linkChecked(link);
  if (result.status == 0 && result.imageIsWhole)
    checkFinished(result.image, text);
  link.option("--check-script");
  linkChecked(link);
}

} // namespace xlink::test
