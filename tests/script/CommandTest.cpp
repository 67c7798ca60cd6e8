//===- CommandTest.cpp - commands of the top level ------------------------===//
#include "script/ScriptTestSupport.h"

using namespace xlink;
using namespace xlink::test;

TEST(ScriptCommands, Names) {
  EXPECT_EQ(dumpOf("ENTRY(_start)"), "entry _start");
  EXPECT_EQ(dumpOf("ENTRY(\"a b\");"), "entry a b");
  EXPECT_EQ(dumpOf("ENTRY(a) ENTRY(b)"), "entry b");
  EXPECT_EQ(dumpOf("OUTPUT(dir/a.out)"), "output dir/a.out");
  EXPECT_EQ(dumpOf("OUTPUT_ARCH(i386:x86-64)"), "");
  EXPECT_EQ(dumpOf("SEARCH_DIR(\"=/usr/lib\"); SEARCH_DIR(lib-2)"),
            "dir =/usr/lib\ndir lib-2");
  EXPECT_EQ(dumpOf("EXTERN(a b,c, d)"),
            "extern a\nextern b\nextern c\nextern d");
  EXPECT_EQ(dumpOf("TARGET(binary)"), "");
  EXPECT_EQ(dumpOf("FORCE_COMMON_ALLOCATION"), "force-common");
  EXPECT_EQ(dumpOf("INHIBIT_COMMON_ALLOCATION;"), "inhibit-common");
  EXPECT_EQ(dumpOf("NOCROSSREFS(.a .b) NOCROSSREFS_TO(.c, .d)"),
            "nocrossrefs .a .b\nnocrossrefs-to .c .d");
}

TEST(ScriptCommands, OutputFormat) {
  // Every name but those of images is some ELF.
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(elf32-xcore)"), "");
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(binary-ish)"), "");
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(binary)"), "format binary");
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(ihex)"), "format ihex");
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(srec)"), "format srec");
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(verilog)"), "format verilog");
  // The first of three names counts, and the last command.
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(\"elf32\",\"binary\",\"little\")"), "");
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(\"binary\",\"big\",\"little\")"),
            "format binary");
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(elf32) OUTPUT_FORMAT(binary)"),
            "format binary");
  EXPECT_EQ(dumpOf("OUTPUT_FORMAT(binary) OUTPUT_FORMAT(elf32)"), "");
}

TEST(ScriptCommands, Inputs) {
  EXPECT_EQ(dumpOf("INPUT(a.o,b.o c.o)"), "input a.o\ninput b.o\ninput c.o");
  EXPECT_EQ(dumpOf("INPUT(-lfoo \"a b.o\")"), "input -lfoo\ninput a b.o");
  EXPECT_EQ(dumpOf("GROUP ( libc.a AS_NEEDED ( libm.a, libd.a ) x.o )"),
            "input libc.a group 1\ninput libm.a as-needed group 1\n"
            "input libd.a as-needed group 1\ninput x.o group 1");
  EXPECT_EQ(dumpOf("GROUP(a.a) INPUT(b.o) GROUP(c.a)"),
            "input a.a group 1\ninput b.o\ninput c.a group 2");
  EXPECT_EQ(dumpOf("STARTUP(crt0.o)"), "input crt0.o startup");
  EXPECT_EQ(dumpOf("INPUT()"), "");
}

TEST(ScriptCommands, Memory) {
  EXPECT_EQ(dumpOf("MEMORY { ram (rwx) : ORIGIN = 0x100, LENGTH = 4K }"),
            "region ram flags 5 not 0 ro 0x100 0x1000");
  EXPECT_EQ(dumpOf("MEMORY { rom (r!wx) : org = 0, len = 1M\n"
                   " ram(!rx): o=0x100, l=2K, c (ail) : o = 1, l = 1 }"),
            "region rom flags 0 not 5 ro 0x0 0x100000\n"
            "region ram flags 0 not 4 !ro 0x100 0x800\n"
            "region c flags 2 not 0 load 0x1 0x1");
  // As in GNU ld a second mark turns the sense back.
  EXPECT_EQ(dumpOf("MEMORY { ram (! w ! X) : o = a + 4, l = b * 2 }"),
            "region ram flags 4 not 1 (+ a 0x4) (* b 0x2)");
  EXPECT_EQ(dumpOf("MEMORY { a-1 : ORIGIN = 0, LENGTH = 1 }\n"
                   "REGION_ALIAS(\"x\", a-1); REGION_ALIAS(y, x)"),
            "region a-1=x=y 0x0 0x1");
  EXPECT_EQ(dumpOf("MEMORY { }"), "");
  // GNU ld: a comma between regions, or nothing; neither in front nor behind.
  for (auto [text, fault] : {
           std::pair(
               "o = 0, l = 1; b : o = 1, l = 1",
               "a.ld:1:26: expected ',' or the next region but found ';'"),
           std::pair(
               "o = 0, l = 1; ",
               "a.ld:1:26: expected ',' or the next region but found ';'"),
           std::pair("o = 0, l = 1, ",
                     "a.ld:1:28: expected a region's name but found '}'"),
           std::pair("o = 0, l = 1,, b : o = 1, l = 1",
                     "a.ld:1:27: expected a region's name but found ','"),
       })
    EXPECT_THAT(dumpOf("MEMORY { a : " + std::string(text) + "}"),
                testing::StartsWith(fault));
}

TEST(ScriptCommands, Phdrs) {
  EXPECT_EQ(dumpOf("PHDRS { headers PT_PHDR PHDRS;\n"
                   "  text PT_LOAD FILEHDR PHDRS AT(0x100) FLAGS(5);\n"
                   "  x 0x6474e551 FLAGS ( 6 ) AT ( 4 ) ; }"),
            "phdr headers 0x6 phdrs\n"
            "phdr text 0x1 filehdr phdrs at 0x100 flags 0x5\n"
            "phdr x 0x6474e551 at 0x4 flags 0x6\n"
            "phdrs");
}

// The words are numbers, all of them.
TEST(ScriptCommands, SegmentTypes) {
  EXPECT_EQ(dumpOf("PHDRS { a PT_NULL; b PT_DYNAMIC; c PT_INTERP; d PT_NOTE;\n"
                   "e PT_SHLIB; f PT_TLS; g PT_GNU_STACK; h PT_GNU_EH_FRAME;\n"
                   "i PT_GNU_RELRO; j PT_GNU_PROPERTY; }"),
            "phdr a 0x0\nphdr b 0x2\nphdr c 0x3\nphdr d 0x4\nphdr e 0x5\n"
            "phdr f 0x7\nphdr g 0x6474e551\nphdr h 0x6474e550\n"
            "phdr i 0x6474e552\nphdr j 0x6474e553\nphdrs");
}

// The alphabet of names on the left is that of the place, where a blank ends
// the name (GNU ld 2.44).
TEST(ScriptCommands, NamesOnTheLeft) {
  EXPECT_EQ(dumpOf("__note-ABI-tag_start = .;"), "__note-ABI-tag_start = .");
  EXPECT_EQ(dumpOf("a=b = 5; c+d = 1; e/f = 2; g:h = 3; i,j = 4; k[l = 5;"),
            "a=b = 0x5\nc+d = 0x1\ne/f = 0x2\ng:h = 0x3\ni,j = 0x4\n"
            "k[l = 0x5");
  EXPECT_EQ(dumpOf("a-b = 4; a-b += 5;"), "a-b = 0x4\na-b = (+ a-b 0x5)");
  EXPECT_EQ(dumpOf("PROVIDE(a-b = 5); HIDDEN(c-d = 6);"),
            "provide a-b = 0x5\nhidden c-d = 0x6");
  EXPECT_EQ(dumpOf("x = a-b + \"a-b\";"), "x = (+ (- a b) a-b)");
  EXPECT_EQ(dumpOf("x = DEFINED(\"a-b\");"), "x = (DEFINED a-b)");
  EXPECT_EQ(dumpBody("a-b = .; a*b = 5; a?b = 6; a[b] = 7; a!b = 8;"),
            "a-b = .; a*b = 0x5; a?b = 0x6; a[b] = 0x7; a!b = 0x8");
  // Without blanks GNU ld refuses these; here they are what they look like.
  EXPECT_EQ(dumpOf("a = 4; a-=1;"), "a = 0x4\na = (- a 0x1)");
  EXPECT_EQ(dumpBody("a+=1;"), "a = (+ a 0x1)");
}

TEST(ScriptCommands, Assignments) {
  EXPECT_EQ(dumpOf("x = 1; y=2, .=3; \"a b\" = 4;"),
            "x = 0x1\ny = 0x2\n. = 0x3\na b = 0x4");
  EXPECT_EQ(dumpOf("x += 1; x -= 1; x *= 2; x /= 2; x %= 3; x <<= 1; x >>= 1;"
                   "x &= 1; x |= 1; x ^= 1;"),
            "x = (+ x 0x1)\nx = (- x 0x1)\nx = (* x 0x2)\nx = (/ x 0x2)\n"
            "x = (% x 0x3)\nx = (<< x 0x1)\nx = (>> x 0x1)\nx = (& x 0x1)\n"
            "x = (| x 0x1)\nx = (^ x 0x1)");
  EXPECT_EQ(dumpOf(". += 4; x+=1; x-=1; x/=2; x =1; x= 1;"),
            ". = (+ . 0x4)\nx = (+ x 0x1)\nx = (- x 0x1)\nx = (/ x 0x2)\n"
            "x = 0x1\nx = 0x1");
  EXPECT_EQ(dumpOf("x = a ? b : c;"), "x = (?: a b c)");
  EXPECT_EQ(dumpOf("PROVIDE(x = 1); PROVIDE_HIDDEN(y = 2) HIDDEN(z=3);"),
            "provide x = 0x1\nprovide hidden y = 0x2\nhidden z = 0x3");
  EXPECT_EQ(dumpOf("PROVIDE(.ram_base = 1)"), "provide .ram_base = 0x1");
  // A command's word can be a symbol too.
  EXPECT_EQ(dumpOf("TARGET = 1;"), "TARGET = 0x1");
}

TEST(ScriptCommands, SourceTextOfAssignments) {
  auto p = parse("x = 1 + /* c */ 2 ; PROVIDE( y = 3 );");
  ASSERT_TRUE(p->good);
  auto text = [&](size_t i) {
    return static_cast<AssignmentCommand &>(*p->script.commands[i]).text;
  };
  EXPECT_EQ(text(0), "x = 1 + /* c */ 2");
  EXPECT_EQ(text(1), "PROVIDE( y = 3 )");
}

TEST(ScriptCommands, Assertions) {
  EXPECT_EQ(dumpOf("ASSERT(x < 4, \"too large\")"),
            "assert (< x 0x4) \"too large\"");
  EXPECT_EQ(
      dumpOf("ASSERT(1, \"a\"); ASSERT(2, \"b\"), ASSERT(3, \"c\") x = 1;"),
      "assert 0x1 \"a\"\nassert 0x2 \"b\"\nassert 0x3 \"c\"\nx = 0x1");
}

TEST(ScriptCommands, Insert) {
  EXPECT_EQ(
      dumpOf("x = 1; SECTIONS { .a : { *(.a) } y = 2; } INSERT AFTER .text;"
             "SECTIONS { .b : { } } INSERT BEFORE .data"),
      "sections\nx = 0x1\nsection .a { *~(.a) }\ny = 0x2\n"
      "insert after .text from 1\nsection .b {  }\n"
      "insert before .data from 4");
}

TEST(ScriptCommands, SeveralSections) {
  EXPECT_EQ(dumpOf("SECTIONS { x = 1; } ; SECTIONS{.a : { }};"),
            "sections\nx = 0x1\nsection .a {  }");
}

TEST(ScriptCommands, SeveralScriptsFillOneTree) {
  Script script;
  Diagnostics diag;
  auto none = [](llvm::StringRef) -> std::optional<IncludedText> {
    return std::nullopt;
  };
  EXPECT_TRUE(parseScript("a.ld", "ENTRY(a) x = 1;", none, script, diag));
  EXPECT_TRUE(parseScript("b.ld", "y = 2;", none, script, diag));
  EXPECT_EQ(dump(script), "entry a\nx = 0x1\ny = 0x2");
  EXPECT_EQ(script.commands[0]->where.file, "a.ld");
  EXPECT_EQ(script.commands[1]->where.file, "b.ld");
}

TEST(ScriptCommands, Empty) {
  EXPECT_EQ(dumpOf(""), "");
  EXPECT_EQ(dumpOf(" ;; /* nothing */ ; # really\n"), "");
}
