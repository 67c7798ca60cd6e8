//===- MutationTest.cpp - damaged scripts ---------------------------------===//
//
// Whatever a script contains, the parser ends, and the tree that it leaves can
// be walked and evaluated. Sanitizer builds look for the rest.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "script/ScriptTestSupport.h"
#include <random>

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

/// Every construct of the language once.
static const char kitchenSink[] = R"(
/* everything */
OUTPUT_FORMAT("elf32", "big", "little") OUTPUT_ARCH(a:b) ENTRY(_start)
SEARCH_DIR("=/usr/lib"); INPUT(a.o, AS_NEEDED(b.o) -lc) GROUP(libc.a libm.a)
STARTUP(crt0.o) EXTERN(x y) NOCROSSREFS(.a .b) NOCROSSREFS_TO(.a .b)
INCLUDE inc.ld
MEMORY {
  rom (rx!w) : ORIGIN = 0x8000, LENGTH = 64K
  ram (wx) : org = ORIGIN(rom) + LENGTH(rom), l = 1M - 0x100
}
REGION_ALIAS("data", ram);
PHDRS { text PT_LOAD FILEHDR PHDRS FLAGS(5); data PT_LOAD AT(0x100); }
PROVIDE(size = 4); HIDDEN(h = . + 1); x <<= 2; ASSERT(x > 1, "m")
SECTIONS {
  . = SEGMENT_START("text-segment", 0x400) + SIZEOF_HEADERS;
  .text ALIGN(0x10) : AT(LOADADDR(.x) + SIZEOF(.x)) ALIGN(4) SUBALIGN(8) {
    KEEP(*(SORT_NONE(.init))) *(EXCLUDE_FILE(*crt?.o) .text .text.*)
    lib.a:x.o(.t) SORT(*)(SORT_BY_NAME(SORT_BY_ALIGNMENT(.u*))) COMMON.o
    INPUT_SECTION_FLAGS(SHF_WRITE & !SHF_EXECINSTR) *(.f)
    BYTE(1) SHORT(2) LONG(3) QUAD(-1) SQUAD(~0) ASCIZ "a\101" FILL(0x90909090)
    . = ALIGN(8); y = . - ADDR(.text); INCLUDE body.ld
    ASSERT(DEFINED(z) ? z : 1, "n") CONSTRUCTORS
  } >rom :text :data =0x9090
  .two : { } AT>ram
  .bss (NOLOAD) : { *(.bss .bss.*) *(COMMON) *(REVERSE(.r)) }
  .ro (READONLY (TYPE = SHT_PROGBITS)) : ONLY_IF_RO { *(.ro) }
  OVERLAY 0x1000 : NOCROSSREFS AT(0x2000) { .o1 { *(.o1) } .o2 { *(.o2) } } >ram
  /DISCARD/ : { *(.comment) }
  . = DATA_SEGMENT_ALIGN(CONSTANT(MAXPAGESIZE), CONSTANT(COMMONPAGESIZE));
  z = LOG2CEIL(MAX(1, MIN(a, b))) << 3 | 1 && c || d ? e / f : g % h;
}
INSERT AFTER .text;
)";

static void walk(const std::vector<CommandPtr> &commands,
                 EvaluationEnvironment &env) {
  for (const CommandPtr &c : commands) {
    if (c->kind == CommandKind::Assignment)
      evaluate(*static_cast<AssignmentCommand &>(*c).value, env);
    if (c->kind == CommandKind::OutputSection) {
      auto &s = static_cast<OutputSectionCommand &>(*c);
      if (s.address)
        evaluate(*s.address, env);
      walk(s.commands, env);
    }
  }
}

static void check(const std::string &text) {
  auto parsed = parse(
      text, {{"inc.ld", text.substr(0, 200)}, {"body.ld", "*(.inc) b = 1;"}});
  dump(parsed->script);
  FakeEnvironment env = outsideEnvironment();
  walk(parsed->script.commands, env);
  env = insideEnvironment();
  walk(parsed->script.commands, env);
  for (const Diagnostic &d : parsed->diag.all())
    ASSERT_FALSE(d.text.empty());
}

TEST(ScriptMutations, KitchenSinkIsGood) {
  auto parsed = parse(kitchenSink, {{"inc.ld", ""}, {"body.ld", "b = 1;"}});
  EXPECT_TRUE(parsed->good) << parsed->messages();
}

TEST(ScriptMutations, NeverCrashNeverHang) {
  std::vector<std::string> bases = {kitchenSink, kitchenSink, kitchenSink};
  for (const Target *t : allTargets())
    bases.push_back(t->script);
  const char *const inserts[] = {
      "(",
      ")",
      "{",
      "}",
      ";",
      ",",
      ":",
      "=",
      "\"",
      "/*",
      "*/",
      "*",
      "?",
      "#",
      "\n",
      "@",
      "SORT(",
      "KEEP(",
      "INCLUDE inc.ld\n",
      "ASSERT(",
      "OVERLAY : {",
      "0x",
      "$",
      ".",
      "!",
      "\x01",
      "\xff",
      "AT>",
      " :x",
      "((((((",
      "1+",
      "-",
      ">>",
      "EXCLUDE_FILE(",
      "/DISCARD/",
      "[",
  };
  std::mt19937 random(20240601);
  auto pick = [&](size_t n) { return random() % n; };
  for (int i = 0; i < 1500; ++i) {
    std::string text = bases[i % bases.size()];
    for (size_t n = 1 + pick(4); n; --n) {
      size_t at = pick(text.size());
      switch (pick(6)) {
      case 0:
        text.erase(at, 1 + pick(20));
        break;
      case 1:
        text.insert(at, inserts[pick(std::size(inserts))]);
        break;
      case 2:
        text[at] = static_cast<char>(pick(256));
        break;
      case 3: { // a piece of it elsewhere
        std::string piece = text.substr(pick(text.size()), pick(200));
        text.insert(at, piece);
        break;
      }
      case 4:
        text.resize(at + 1);
        break;
      case 5:
        text.insert(at, std::string(pick(2000), "({-!*["[pick(6)]));
        break;
      }
      if (text.empty())
        text = " ";
    }
    SCOPED_TRACE(i);
    check(text);
  }
}

// A quadratic step would take minutes.
TEST(ScriptMutations, ManyOfEach) {
  auto good = [](const std::string &unit) {
    std::string text;
    for (int i = 0; i < 30000; ++i)
      text += unit;
    return parse("SECTIONS { .a : { " + text + " } }")->good;
  };
  for (const char *unit :
       {"*(.text .text.*) ", "x = . + 4; ", "/* comment */ ", "x=1;",
        "KEEP(*(SORT(.a.*))) ", "a.o ", "x = ((1)); ", "\n", "# line\n",
        "ASSERT(1, \"a\") ", "\" ", "[", "*:"})
    EXPECT_TRUE(good(unit)) << unit;
  for (const char *unit : {"(", "x = ", "} { "})
    EXPECT_FALSE(good(unit)) << unit;
}
