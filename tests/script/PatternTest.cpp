//===- PatternTest.cpp - what stands in an output section -----------------===//
#include "script/ScriptTestSupport.h"

using namespace xlink;
using namespace xlink::test;

TEST(ScriptPatterns, Files) {
  EXPECT_EQ(dumpBody("*(.text)"), "*~(.text)");
  EXPECT_EQ(dumpBody("t.o(.text) [a-z]?.o (.data) \"a b.o\"(.bss)"),
            "t.o(.text); [a-z]?.o~(.data); a b.o(.bss)");
  EXPECT_EQ(dumpBody("t.o u.o; *v.o"), "t.o(); u.o(); *v.o~()");
  EXPECT_EQ(dumpBody("*lib/*.o(.text)"), "*lib/*.o~(.text)");
  EXPECT_EQ(dumpBody("a=b.o(.text)"), "a=b.o(.text)");
  EXPECT_EQ(dumpBody("lib.a:x.o(.t) lib*.a:(.t) :y.o(.t) \"l.a:z.o\"(.t)"),
            "[lib.a : x.o](.t); [lib*.a~ : ](.t); [ : y.o](.t); "
            "[l.a : z.o](.t)");
  EXPECT_EQ(dumpBody("SORT(*)(.a) SORT_BY_NAME(x*)(.b) SORT_NONE(*)(.c) "
                     "REVERSE(*)(.d) SORT(REVERSE(*))(.e)"),
            "sorted-name *~(.a); sorted-name x*~(.b); sorted-none *~(.c); "
            "sorted-name reverse *~(.d); sorted-name reverse *~(.e)");
}

TEST(ScriptPatterns, Sections) {
  EXPECT_EQ(dumpBody("*(.text .text.* .t[0-9] .rodata.?)"),
            "*~(.text .text.*~ .t[0-9]~ .rodata.?~)");
  EXPECT_EQ(dumpBody("*(.a , .b, .c,.d)"), "*~(.a .b .c,.d)");
  EXPECT_EQ(dumpBody("*(\".a b\" COMMON)"), "*~(.a b COMMON)");
  EXPECT_EQ(dumpBody("*(*) *(COMMON)"), "*~(*~); *~(COMMON)");
  EXPECT_EQ(dumpBody("*(SORT)"), "*~(SORT)");
  EXPECT_EQ(dumpBody("*(.a);*(.b),*(.c)"), "*~(.a); *~(.b); *~(.c)");
}

// GNU ld: a list in brackets that stand apart is one for all files.
TEST(ScriptPatterns, Brackets) {
  EXPECT_EQ(dumpBody("[ .stab ]"), "*~(.stab)");
  EXPECT_EQ(dumpBody("[ .a .b* ] *(.c)"), "*~(.a .b*~); *~(.c)");
  EXPECT_EQ(dumpBody("[ .a, .b ]"), "*~(.a .b)");
  EXPECT_EQ(dumpBody("KEEP([ .a ])"), "keep *~(.a)");
  EXPECT_EQ(dumpBody("[ SORT(.a) EXCLUDE_FILE(x.o) .b ]"),
            "*~(name:.a exclude(x.o) .b)");
  EXPECT_EQ(dumpBody("[.text]"), "[.text]~()");
  EXPECT_NE(dumpBody("[ .a").find("expected a section's name or pattern but "
                                  "found '}'"),
            std::string::npos);
}

TEST(ScriptPatterns, Sorting) {
  EXPECT_EQ(dumpBody("*(SORT(.a) SORT_BY_NAME(.b*) SORT_BY_ALIGNMENT(.c) "
                     "SORT_BY_INIT_PRIORITY(.d.*) SORT_NONE(.e) .f)"),
            "*~(name:.a name:.b*~ align:.c init:.d.*~ none:.e .f)");
  EXPECT_EQ(dumpBody("*(SORT_BY_NAME(SORT_BY_ALIGNMENT(.a)) "
                     "SORT_BY_ALIGNMENT(SORT(.b)) SORT(SORT(.c)) "
                     "SORT_BY_ALIGNMENT(SORT_BY_ALIGNMENT(.d)))"),
            "*~(name:align:.a align:name:.b name:.c align:.d)");
  EXPECT_EQ(dumpBody("*(REVERSE(.a) REVERSE(SORT_BY_INIT_PRIORITY(.b)) "
                     "SORT_BY_NAME(REVERSE(.c)))"),
            "*~(reverse name:.a reverse init:.b reverse name:.c)");
}

TEST(ScriptPatterns, ExcludeFile) {
  EXPECT_EQ(dumpBody("EXCLUDE_FILE(x.o *y.o, z.o) *(.a .b)"),
            "exclude(x.o *y.o~ z.o) *~(.a .b)");
  EXPECT_EQ(dumpBody("*(EXCLUDE_FILE(x.o) .a .b EXCLUDE_FILE(*y.o) .c)"),
            "*~(exclude(x.o) .a .b exclude(*y.o~) .c)");
  EXPECT_EQ(
      dumpBody("*(SORT(EXCLUDE_FILE(x.o) .a) EXCLUDE_FILE(y.o) SORT(.b))"),
      "*~(exclude(x.o) name:.a exclude(y.o) name:.b)");
  EXPECT_EQ(dumpBody("SORT(EXCLUDE_FILE(x.o) *)(.a)"),
            "exclude(x.o) sorted-name *~(.a)");
}

TEST(ScriptPatterns, SectionFlags) {
  EXPECT_EQ(dumpBody("INPUT_SECTION_FLAGS(SHF_WRITE & !SHF_EXECINSTR) *(.a)"),
            "flags 0x1 flags! 0x4 *~(.a)");
  EXPECT_EQ(dumpBody("INPUT_SECTION_FLAGS(SHF_A&!SHF_B&0x10) "
                     "EXCLUDE_FILE(x.o) *(.a)"),
            "flags 0x10 flag SHF_A flag! SHF_B exclude(x.o) *~(.a)");
  EXPECT_EQ(dumpBody("INPUT_SECTION_FLAGS(SHF_ALLOC & 4 & !010 & !SHF_CP "
                     "& !SHF_TLS) *(.a)"),
            "flags 0x6 flags! 0x408 flag! SHF_CP *~(.a)");
  EXPECT_EQ(dumpBody("KEEP(INPUT_SECTION_FLAGS(SHF_A) *(.a))"),
            "keep flag SHF_A *~(.a)");
}

TEST(ScriptPatterns, SectionFlagWords) {
  EXPECT_EQ(sectionFlag("SHF_WRITE"), 1u);
  EXPECT_EQ(sectionFlag("SHF_EXCLUDE"), 0x80000000u);
  EXPECT_EQ(sectionFlag("SHF_GNU_RETAIN"), 0x200000u);
  EXPECT_EQ(sectionFlag("0x12"), 0x12u);
  EXPECT_EQ(sectionFlag("12"), 12u);
  // A machine's own names are for the machine to know.
  EXPECT_EQ(sectionFlag("SHF_CP"), std::nullopt);
  EXPECT_EQ(sectionFlag("shf_write"), std::nullopt);
  EXPECT_EQ(sectionFlag("4k"), std::nullopt);
}

TEST(ScriptPatterns, Names) {
  auto parsed = parse("SECTIONS { .s : { *(COMMON .COMMON COMMON*) } "
                      "/DISCARD/ : { } . = 4; x = 5; }");
  auto &section = static_cast<const OutputSectionCommand &>(
      *parsed->script.commands.front());
  EXPECT_FALSE(section.isDiscard());
  auto &patterns =
      static_cast<const InputDescription &>(*section.commands.front()).patterns;
  ASSERT_EQ(patterns.size(), 3u);
  EXPECT_TRUE(patterns[0].isCommon());
  EXPECT_FALSE(patterns[1].isCommon());
  EXPECT_FALSE(patterns[2].isCommon());
  auto assignment = [&](size_t i) -> const AssignmentCommand & {
    return static_cast<const AssignmentCommand &>(*parsed->script.commands[i]);
  };
  EXPECT_TRUE(
      static_cast<const OutputSectionCommand &>(*parsed->script.commands[1])
          .isDiscard());
  EXPECT_TRUE(assignment(2).isDot());
  EXPECT_FALSE(assignment(3).isDot());
}

TEST(ScriptPatterns, Keep) {
  EXPECT_EQ(
      dumpBody("KEEP(*(.init)) KEEP (*(SORT(.ctors.*) .ctors)); KEEP(t.o)"),
      "keep *~(.init); keep *~(name:.ctors.*~ .ctors); keep t.o()");
  EXPECT_EQ(dumpBody("KEEP(EXCLUDE_FILE(x.o) *(.a))"),
            "keep exclude(x.o) *~(.a)");
}

TEST(ScriptPatterns, Data) {
  EXPECT_EQ(dumpBody("BYTE(1) SHORT(x + 1); LONG(.) QUAD(-1), SQUAD(-1)"),
            "data1 0x1; data2 (+ x 0x1); data4 .; data8 (neg 0x1); "
            "sdata8 (neg 0x1)");
  EXPECT_EQ(dumpBody("ASCIZ \"hi\" ASCIZ(\"\\n\\101\\x\")"),
            "bytes 686900; bytes 0a417800");
}

TEST(ScriptPatterns, Nothing) {
  EXPECT_EQ(dumpBody("CONSTRUCTORS SORT(CONSTRUCTORS) "
                     "SORT_BY_NAME( CONSTRUCTORS ) CREATE_OBJECT_SYMBOLS "
                     "LINKER_VERSION *(.a)"),
            "*~(.a)");
}

TEST(ScriptPatterns, Statements) {
  EXPECT_EQ(dumpBody("x = .; . = ALIGN(4); . += 8; PROVIDE(y = .) HIDDEN(z = .)"
                     " PROVIDE_HIDDEN(w = .); ASSERT(x < 8, \"m\")"),
            "x = .; . = (ALIGN1 0x4); . = (+ . 0x8); provide y = .; "
            "hidden z = .; provide hidden w = .; assert (< x 0x8) \"m\"");
  // Without blanks, where a pattern could have the same characters.
  EXPECT_EQ(dumpBody("x=.;.+=4;.=ALIGN(8);y=MAX(1,2);z=(1);w=a*4;*(.t)v=.;"),
            "x = .; . = (+ . 0x4); . = (ALIGN1 0x8); y = (MAX 0x1 0x2); "
            "z = 0x1; w = (* a 0x4); *~(.t); v = .");
  EXPECT_EQ(dumpBody("x-=1; x*=2; x/=2; x|=1; x&=1; x<<=1; x^=1; x%=2;"),
            "x = (- x 0x1); x = (* x 0x2); x = (/ x 0x2); x = (| x 0x1); "
            "x = (& x 0x1); x = (<< x 0x1); x = (^ x 0x1); x = (% x 0x2)");
  EXPECT_EQ(
      dumpBody("ASSERT(a, \"1\") ASSERT(b, \"2\")\n*(.t) ASSERT(c, \"3\");"),
      "assert a \"1\"; assert b \"2\"; *~(.t); assert c \"3\"");
}

TEST(ScriptPatterns, SourceText) {
  auto p = parse("SECTIONS { .t : { KEEP( *(.a  .b) ) x.o } }");
  ASSERT_TRUE(p->good);
  auto &s = static_cast<OutputSectionCommand &>(*p->script.commands[0]);
  auto text = [&](size_t i) {
    return static_cast<InputDescription &>(*s.commands[i]).text;
  };
  EXPECT_EQ(text(0), "*(.a  .b)");
  EXPECT_EQ(text(1), "x.o");
  auto &d = static_cast<InputDescription &>(*s.commands[0]);
  EXPECT_EQ(d.patterns[1].where.column, 31u);
}
