//===- BuiltinScriptsTest.cpp - the machines' default layouts -------------===//
#include "arch/Target.h"
#include "script/ScriptTestSupport.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

/// The script with every @NAME@ replaced by 0x1000.
static std::string scriptOf(const Target &target) {
  std::string text = target.script;
  for (size_t at; (at = text.find('@')) != std::string::npos;)
    text.replace(at, text.find('@', at + 1) + 1 - at, "0x1000");
  return text;
}

static std::string scriptOf(StringRef name) {
  const Target *target = findTarget(name);
  return target ? scriptOf(*target) : "";
}

static std::string sectionNames(const Script &script) {
  std::string result;
  for (const CommandPtr &c : script.commands)
    if (c->kind == CommandKind::OutputSection)
      result += (result.empty() ? "" : " ") +
                static_cast<OutputSectionCommand &>(*c).name.str();
  return result;
}

/// The output section that an input section of that name goes to.
static std::string placeOf(const Script &script, StringRef input) {
  for (const CommandPtr &c : script.commands) {
    if (c->kind != CommandKind::OutputSection)
      continue;
    auto &s = static_cast<OutputSectionCommand &>(*c);
    for (const CommandPtr &inner : s.commands) {
      if (inner->kind != CommandKind::InputDescription)
        continue;
      for (auto &p : static_cast<InputDescription &>(*inner).patterns)
        if (globMatch(p.name, input))
          return s.name.str();
    }
  }
  return "";
}

TEST(BuiltinScripts, AllParse) {
  for (const Target *t : allTargets()) {
    auto parsed = parse(scriptOf(*t));
    EXPECT_TRUE(parsed->good) << t->name << "\n" << parsed->messages();
    EXPECT_TRUE(parsed->script.hasSections) << t->name;
    EXPECT_FALSE(parsed->script.hasPhdrs) << t->name;
  }
}

TEST(BuiltinScripts, Order) {
  EXPECT_EQ(sectionNames(parse(scriptOf("xs1"))->script),
            ".text .init .fini .rodata .eh_frame .cp.rodata .cp.rodata.4 "
            ".cp.const4 .cp.const8 .cp.rodata.cst4 .cp.rodata.cst16 "
            ".cp.rodata.string .cp.string .cp.rodata.large .ctors .dtors "
            ".init_array .bss .dp.data .dp.data.4 .dp.rodata .dp.bss "
            ".dp.bss.4 .dp.data.large .dp.bss.large");
  EXPECT_EQ(sectionNames(parse(scriptOf("nyuzi"))->script),
            ".rodata .eh_frame .text .init_array .got .data .bss");
  EXPECT_EQ(sectionNames(parse(scriptOf("aphelion"))->script),
            ".rodata .eh_frame .init .text .fini .preinit_array .init_array "
            ".fini_array .tdata .tbss .data .bss");
  EXPECT_EQ(
      sectionNames(parse(scriptOf("dpu"))->script),
      ".text .atomic .data .data.__sys_host .data.__sys_profiling "
      ".data.stacks .data.sw_cache .mram.noinit .note.gnu.build-id .mram");
  EXPECT_EQ(sectionNames(parse(scriptOf("colossus"))->script),
            ".text .rodata .eh_frame .init_array .data .bss");
}

TEST(BuiltinScripts, NoPatternSwallowsItsNeighbours) {
  auto parsed = parse(scriptOf("xs1"));
  for (StringRef name : {".text",
                         ".rodata",
                         ".eh_frame",
                         ".cp.rodata",
                         ".cp.rodata.4",
                         ".cp.const4",
                         ".cp.const8",
                         ".cp.rodata.cst4",
                         ".cp.rodata.cst16",
                         ".cp.rodata.string",
                         ".cp.string",
                         ".cp.rodata.large",
                         ".ctors",
                         ".dtors",
                         ".init_array",
                         ".bss",
                         ".dp.data",
                         ".dp.data.4",
                         ".dp.rodata",
                         ".dp.bss",
                         ".dp.bss.4",
                         ".dp.data.large",
                         ".dp.bss.large"})
    EXPECT_EQ(placeOf(parsed->script, name), name);
  EXPECT_EQ(placeOf(parsed->script, ".text.main"), ".text");
  EXPECT_EQ(placeOf(parsed->script, "COMMON"), ".bss");
  EXPECT_EQ(placeOf(parsed->script, ".dp.data.mine"), ""); // by its flag
  EXPECT_EQ(placeOf(parsed->script, ".debug_info"), "");

  auto dpu = parse(scriptOf("dpu"));
  EXPECT_EQ(placeOf(dpu->script, ".text.__bootstrap"), ".text");
  EXPECT_EQ(placeOf(dpu->script, ".dpu_host"), ".data.__sys_host");
  EXPECT_EQ(placeOf(dpu->script, ".mram.noinit.x"), ".mram.noinit");
  EXPECT_EQ(placeOf(dpu->script, ".mram.x"), ".mram");
  EXPECT_EQ(placeOf(dpu->script, ".bss.x"), ".data");
}

TEST(BuiltinScripts, Regions) {
  auto value = [](const Script &s, StringRef name) {
    for (const MemoryCommand &m : s.memory)
      if (m.name == name)
        return dump(*m.origin) + " " + dump(*m.length);
    return std::string();
  };
  auto dpu = parse(scriptOf("dpu"));
  EXPECT_EQ(value(dpu->script, "iram"), "0x80000000 0x1000");
  EXPECT_EQ(value(dpu->script, "wram"), "0x0 0x1000");
  EXPECT_EQ(value(dpu->script, "mram"), "0x8000000 0x4000000");
  EXPECT_EQ(value(dpu->script, "atomic"), "0xf0000000 0x1000");
  EXPECT_EQ(value(parse(scriptOf("xs1"))->script, "ram"), "0x1000 0x1000");
  EXPECT_EQ(value(parse(scriptOf("colossus"))->script, "tile"),
            "0x1000 0x1000");
  EXPECT_TRUE(parse(scriptOf("nyuzi"))->script.memory.empty());
}

TEST(BuiltinScripts, VariablesAreThoseOfTheMachine) {
  // What the script asks for and nothing else; all other @ would be an error.
  auto variables = [](StringRef name) {
    std::vector<std::string> found;
    StringRef text = findTarget(name)->script;
    while (text.contains('@')) {
      text = text.split('@').second;
      auto [variable, rest] = text.split('@');
      if (!is_contained(found, variable.str()))
        found.push_back(variable.str());
      text = rest;
    }
    return found;
  };
  using testing::UnorderedElementsAre;
  EXPECT_THAT(variables("xs1"), UnorderedElementsAre("RAM_BASE", "RAM_SIZE"));
  EXPECT_THAT(variables("colossus"),
              UnorderedElementsAre("TILE_BASE", "TILE_SIZE", "REGION0_SIZE"));
  EXPECT_TRUE(variables("nyuzi").empty());
  EXPECT_TRUE(variables("aphelion").empty());
  EXPECT_THAT(variables("dpu"),
              UnorderedElementsAre("CPU", "IRAM", "WRAM", "ATOMIC",
                                   "OWN_ATOMIC", "THREADS"));
}

/// A script in the manner of those that firmware brings.
TEST(BuiltinScripts, ScriptsFromTheWild) {
  EXPECT_TRUE(parse("ENTRY(_start)\n"
                    "SECTIONS\n{\n"
                    "  . = 0xfffee000;\n"
                    "  .text : { *(.text) *(.rodata) *(.eh_frame) }\n"
                    "  .data : { *(.data) }\n"
                    "  .bss : { *(.bss) }\n}\n")
                  ->good);
  EXPECT_TRUE(
      parse("ENTRY(boot)\n"
            "MEMORY {\n"
            "  iram (rx) : ORIGIN = 0x80000000, LENGTH = IRAM_SIZE\n"
            "  wram (wa) : ORIGIN = 0x00000000, LENGTH = 64K\n"
            "}\n"
            "SECTIONS\n{\n"
            "  .text : { *(.text.boot) *(.text) *(.text.*) } > iram\n"
            "  .data : {\n"
            "    KEEP(*(.data.zero))\n"
            "    . += MAX(8, .);\n"
            "    HIDDEN(end_imm = .);\n"
            "    ASSERT(end_imm < 2048, \"out of reach\")\n"
            "    *(.data .data.*)\n"
            "    . = ALIGN(8);\n"
            "  } > wram\n"
            "  .stacks (NOLOAD) : {\n"
            "    ASSERT(((S0  % 8 == 0) && (S0  > 0)) || (N <= 0 ), \"S0\")\n"
            "    ASSERT((N > 0 ) || (S0  == 0) , \"S0 not needed\")\n"
            "    stack0 = .;\n"
            "    . += S0;\n"
            "  } > wram\n"
            "  .heap (NOLOAD): {\n"
            "    . = ALIGN(8);\n"
            "    PROVIDE(heap_end = (ORIGIN(wram) + LENGTH(wram)));\n"
            "  } > wram\n"
            "}\n")
          ->good);
}
