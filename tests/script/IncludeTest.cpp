//===- IncludeTest.cpp - INCLUDE ------------------------------------------===//
#include "script/ScriptTestSupport.h"

using namespace xlink;
using namespace xlink::test;

TEST(ScriptInclude, EveryPlace) {
  EXPECT_EQ(dumpOf("INCLUDE top.ld; y = 2;", {{"top.ld", "x = 1;"}}),
            "x = 0x1\ny = 0x2");
  EXPECT_EQ(dumpOf("INCLUDE \"a b.ld\"", {{"a b.ld", "ENTRY(e)"}}), "entry e");
  EXPECT_EQ(dumpOf("SECTIONS { INCLUDE s.ld .b : { } }",
                   {{"s.ld", ".a : { *(.a) } x = .;"}}),
            "sections\nsection .a { *~(.a) }\nx = .\nsection .b {  }");
  EXPECT_EQ(dumpOf("SECTIONS { .a : { INCLUDE b.ld\n x = .; } }",
                   {{"b.ld", "*(.a) KEEP(*(.b))"}}),
            "sections\nsection .a { *~(.a); keep *~(.b); x = . }");
  EXPECT_EQ(dumpOf("MEMORY { INCLUDE m.ld\n b : o = 2, l = 2 }",
                   {{"m.ld", "a : o = 1, l = 1"}}),
            "region a 0x1 0x1\nregion b 0x2 0x2");
}

TEST(ScriptInclude, Nested) {
  EXPECT_EQ(dumpOf("INCLUDE b.ld INCLUDE c.ld",
                   {{"b.ld", "b = 1; INCLUDE c.ld"}, {"c.ld", "c = 1;"}}),
            "b = 0x1\nc = 0x1\nc = 0x1");
}

TEST(ScriptInclude, PlacesInMessages) {
  auto parsed = parse("\nINCLUDE b.ld\nx = ;",
                      {{"b.ld", "\n\n INCLUDE c.ld"}, {"c.ld", "y = ;"}});
  EXPECT_EQ(parsed->messages(),
            "c.ld:1:5: expected an expression but found ';'\n"
            ">>> y = ;\n"
            ">>>     ^\n"
            ">>> included from b.ld:3\n"
            ">>> included from a.ld:2\n"
            "a.ld:3:5: expected an expression but found ';'\n"
            ">>> x = ;\n"
            ">>>     ^\n");
}

TEST(ScriptInclude, PlacesInTheTree) {
  auto parsed = parse("INCLUDE b.ld", {{"b.ld", "\n x = 1;"}});
  ASSERT_TRUE(parsed->good);
  const ScriptLocation &where = parsed->script.commands[0]->where;
  EXPECT_EQ(where.file, "b.ld");
  EXPECT_EQ(where.line, 2u);
  EXPECT_EQ(where.column, 2u);
}

TEST(ScriptInclude, BlocksEndInTheirFile) {
  EXPECT_EQ(parse("SECTIONS { INCLUDE b.ld }", {{"b.ld", ".a : { *(.a) } }"}})
                ->messages(),
            "b.ld:1:16: unexpected '}'\n"
            ">>> .a : { *(.a) } }\n"
            ">>>                ^\n"
            ">>> included from a.ld:1\n");
  EXPECT_EQ(parse("SECTIONS { INCLUDE b.ld } x = 1;", {{"b.ld", ".a : { "}})
                ->messages(),
            "b.ld:1:8: expected '}' but found end of file\n"
            ">>> .a : { \n"
            ">>>        ^\n"
            ">>> the '{' of output section '.a' stands in line 1\n"
            ">>> included from a.ld:1\n");
}

TEST(ScriptInclude, Cycles) {
  auto parsed = parse("INCLUDE b.ld",
                      {{"b.ld", "INCLUDE c.ld"}, {"c.ld", "INCLUDE b.ld"}});
  EXPECT_EQ(parsed->messages(),
            "c.ld:1:9: INCLUDE of 'b.ld' from within itself\n"
            ">>> INCLUDE b.ld\n"
            ">>>         ^\n"
            ">>> included from b.ld:1\n"
            ">>> included from a.ld:1\n");
}

TEST(ScriptInclude, Depth) {
  Files files;
  for (int i = 0; i < 100; ++i)
    files["f" + std::to_string(i)] = "INCLUDE f" + std::to_string(i + 1);
  auto parsed = parse("INCLUDE f0", files);
  EXPECT_EQ(parsed->firstError(), "f62:1:9: too many INCLUDEs (at most 4096, "
                                  "64 deep)");
  EXPECT_EQ(parsed->diag.all().size(), 1u);
}

TEST(ScriptInclude, Number) {
  // Each file twice in the one before: 2^40 without a limit.
  Files files;
  for (int i = 0; i < 40; ++i) {
    std::string next = "INCLUDE f" + std::to_string(i + 1) + "\n";
    files["f" + std::to_string(i)] = next + next;
  }
  files["f40"] = "x = 1;";
  auto parsed = parse("INCLUDE f0", files);
  EXPECT_NE(parsed->firstError().find("too many INCLUDEs"), std::string::npos);
  EXPECT_EQ(parsed->diag.all().size(), 1u);
}
