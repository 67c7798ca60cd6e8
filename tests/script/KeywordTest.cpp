//===- KeywordTest.cpp - every word of the language in a script -----------===//
#include "script/ScriptTestSupport.h"
#include "support/ScriptKeywords.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {
struct Sample {
  StringRef word, script, tree; ///< tree: a part of the dump
};
} // namespace

/// Inside an output section.
#define BODY(text) "SECTIONS { .s : { " text " } }"

static const Sample samples[] = {
    {"/DISCARD/", "SECTIONS { /DISCARD/ : { } }", "discard"},
    {"ABSOLUTE", "x = ABSOLUTE(y);", "(ABSOLUTE y)"},
    {"ADDR", "x = ADDR(.t);", "(ADDR .t)"},
    {"AFTER", "SECTIONS { } INSERT AFTER .t", "insert after .t"},
    {"ALIGN", "SECTIONS { .s : ALIGN(ALIGN(1, 2)) { } }",
     "align (ALIGN2 0x1 0x2)"},
    {"ALIGNOF", "x = ALIGNOF(.t);", "(ALIGNOF .t)"},
    {"ALIGN_WITH_INPUT", "SECTIONS { .s : ALIGN_WITH_INPUT { } }",
     "align-with-input"},
    {"ASCIZ", BODY("ASCIZ \"a\""), "bytes 6100"},
    {"ASSERT", "ASSERT(1, \"m\")", "assert 0x1 \"m\""},
    {"AS_NEEDED", "INPUT(AS_NEEDED(a.o))", "a.o as-needed"},
    {"AT", "SECTIONS { .s : AT(4) { } .t : { } AT>rom }",
     "lma 0x4 {  }\nsection .t {  } AT>rom"},
    {"BEFORE", "SECTIONS { } INSERT BEFORE .t", "insert before .t"},
    {"BLOCK", "x = BLOCK(4);", "(BLOCK 0x4)"},
    {"BYTE", BODY("BYTE(1)"), "data1 0x1"},
    {"COMMON", BODY("*(COMMON)"), "*~(COMMON)"},
    {"CONSTANT", "x = CONSTANT(MAXPAGESIZE);", "(CONSTANT MAXPAGESIZE)"},
    {"CONSTRUCTORS", BODY("CONSTRUCTORS"), "{  }"},
    {"COPY", "SECTIONS { .s (COPY) : { } }", ".s COPY"},
    {"CREATE_OBJECT_SYMBOLS", BODY("CREATE_OBJECT_SYMBOLS"), "{  }"},
    {"DATA_SEGMENT_ALIGN", "x = DATA_SEGMENT_ALIGN(1, 2);",
     "(DATA_SEGMENT_ALIGN 0x1 0x2)"},
    {"DATA_SEGMENT_END", "x = DATA_SEGMENT_END(1);", "(DATA_SEGMENT_END 0x1)"},
    {"DATA_SEGMENT_RELRO_END", "x = DATA_SEGMENT_RELRO_END(1, 2);",
     "(DATA_SEGMENT_RELRO_END 0x1 0x2)"},
    {"DEFINED", "x = DEFINED(y);", "(DEFINED y)"},
    {"DSECT", "SECTIONS { .s (DSECT) : { } }", ".s DSECT"},
    {"ENTRY", "ENTRY(e)", "entry e"},
    {"EXCLUDE_FILE", BODY("*(EXCLUDE_FILE(a.o) .t)"), "exclude(a.o) .t"},
    {"EXTERN", "EXTERN(e)", "extern e"},
    {"FILEHDR", "PHDRS { p PT_LOAD FILEHDR; }", "p 0x1 filehdr"},
    {"FILL", BODY("FILL(0x12)"), "fill bytes 12"},
    {"FLAGS", "PHDRS { p PT_LOAD FLAGS(5); }", "flags 0x5"},
    {"FORCE_COMMON_ALLOCATION", "FORCE_COMMON_ALLOCATION", "force-common"},
    {"FORCE_GROUP_ALLOCATION", "FORCE_GROUP_ALLOCATION", "force-group"},
    {"GROUP", "GROUP(a.a)", "input a.a group 1"},
    {"HIDDEN", "HIDDEN(x = 1);", "hidden x = 0x1"},
    {"INCLUDE", "INCLUDE x.ld", "included = 0x1"},
    {"INFO", "SECTIONS { .s (INFO) : { } }", ".s INFO"},
    {"INHIBIT_COMMON_ALLOCATION", "INHIBIT_COMMON_ALLOCATION",
     "inhibit-common"},
    {"INPUT", "INPUT(a.o)", "input a.o"},
    {"INPUT_SECTION_FLAGS", BODY("INPUT_SECTION_FLAGS(SHF_WRITE) *(.t)"),
     "flags 0x1 *~(.t)"},
    {"INSERT", "SECTIONS { } INSERT AFTER .t", "insert after .t"},
    {"KEEP", BODY("KEEP(*(.t))"), "keep *~(.t)"},
    {"LD_FEATURE", "LD_FEATURE(\"SANE_EXPR\")", "sane-expr"},
    {"LENGTH", "MEMORY { r : ORIGIN = 1, LENGTH = LENGTH(q) }",
     "region r 0x1 (LENGTH q)"},
    {"LINKER_VERSION", BODY("LINKER_VERSION"), "{  }"},
    {"LOADADDR", "x = LOADADDR(.t);", "(LOADADDR .t)"},
    {"LOG2CEIL", "x = LOG2CEIL(8);", "(LOG2CEIL 0x8)"},
    {"LONG", BODY("LONG(1)"), "data4 0x1"},
    {"MAX", "x = MAX(1, 2);", "(MAX 0x1 0x2)"},
    {"MEMORY", "MEMORY { r : ORIGIN = 1, LENGTH = 2 }", "region r 0x1 0x2"},
    {"MIN", "x = MIN(1, 2);", "(MIN 0x1 0x2)"},
    {"NEXT", "x = NEXT(4);", "(NEXT 0x4)"},
    {"NOCROSSREFS", "NOCROSSREFS(.a .b)", "nocrossrefs .a .b"},
    {"NOCROSSREFS_TO", "NOCROSSREFS_TO(.a .b)", "nocrossrefs-to .a .b"},
    {"NOLOAD", "SECTIONS { .s (NOLOAD) : { } }", ".s NOLOAD"},
    {"ONLY_IF_RO", "SECTIONS { .s : ONLY_IF_RO { } }", "only-ro"},
    {"ONLY_IF_RW", "SECTIONS { .s : ONLY_IF_RW { } }", "only-rw"},
    {"ORIGIN", "MEMORY { r : ORIGIN = ORIGIN(q), LENGTH = 2 }",
     "region r (ORIGIN q) 0x2"},
    {"OUTPUT", "OUTPUT(a.elf)", "output a.elf"},
    {"OUTPUT_ARCH", "OUTPUT_ARCH(a)", ""},
    {"OUTPUT_FORMAT", "OUTPUT_FORMAT(binary)", "format binary"},
    {"OVERLAY", "SECTIONS { OVERLAY : { .s { } } }", "overlay { member .s"},
    {"PHDRS", "PHDRS { p PT_LOAD PHDRS; }", "p 0x1 phdrs"},
    {"PROVIDE", "PROVIDE(x = 1);", "provide x = 0x1"},
    {"PROVIDE_HIDDEN", "PROVIDE_HIDDEN(x = 1);", "provide hidden x = 0x1"},
    {"QUAD", BODY("QUAD(1)"), "data8 0x1"},
    {"READONLY", "SECTIONS { .s (READONLY) : { } }", ".s READONLY"},
    {"REGION_ALIAS", "MEMORY { r : o = 1, l = 2 } REGION_ALIAS(q, r)",
     "region r=q"},
    {"REVERSE", BODY("*(REVERSE(.t))"), "reverse name:.t"},
    {"SEARCH_DIR", "SEARCH_DIR(d)", "dir d"},
    {"SECTIONS", "SECTIONS { }", "sections"},
    {"SEGMENT_START", "x = SEGMENT_START(\"s\", 1);", "(SEGMENT_START s 0x1)"},
    {"SHORT", BODY("SHORT(1)"), "data2 0x1"},
    {"SIZEOF", "x = SIZEOF(.t);", "(SIZEOF .t)"},
    {"SIZEOF_HEADERS", "x = SIZEOF_HEADERS;", "(SIZEOF_HEADERS)"},
    {"SORT", BODY("*(SORT(.t))"), "name:.t"},
    {"SORT_BY_ALIGNMENT", BODY("*(SORT_BY_ALIGNMENT(.t))"), "align:.t"},
    {"SORT_BY_INIT_PRIORITY", BODY("*(SORT_BY_INIT_PRIORITY(.t))"), "init:.t"},
    {"SORT_BY_NAME", BODY("*(SORT_BY_NAME(.t))"), "name:.t"},
    {"SORT_NONE", BODY("*(SORT_NONE(.t))"), "none:.t"},
    {"SPECIAL", "SECTIONS { .s : SPECIAL { } }", "section .s {  }"},
    {"SQUAD", BODY("SQUAD(1)"), "sdata8 0x1"},
    {"STARTUP", "STARTUP(a.o)", "a.o startup"},
    {"SUBALIGN", "SECTIONS { .s : SUBALIGN(4) { } }", "subalign 0x4"},
    {"TARGET", "TARGET(t)", ""},
    {"TYPE", "SECTIONS { .s (TYPE = SHT_NOTE) : { } }", "type 0x7"},
    {"VERSION", "VERSION { }", "VERSION is not supported"},
    {"l", "MEMORY { r : o = 1, l = 2 }", "region r 0x1 0x2"},
    {"len", "MEMORY { r : o = 1, len = 2 }", "region r 0x1 0x2"},
    {"o", "MEMORY { r : o = 1, l = 2 }", "region r 0x1 0x2"},
    {"org", "MEMORY { r : org = 1, l = 2 }", "region r 0x1 0x2"},
    {"sizeof_headers", "x = sizeof_headers;", "(SIZEOF_HEADERS)"},
};

TEST(ScriptKeywords, EveryOneHasASample) {
  for (StringRef word : scriptKeywords())
    EXPECT_TRUE(any_of(samples, [&](auto &s) { return s.word == word; }))
        << word.str() << " has no sample";
  for (const Sample &s : samples) {
    EXPECT_TRUE(scriptKeywords().count(s.word)) << s.word.str();
    EXPECT_TRUE(s.script.contains(s.word)) << s.word.str();
  }
}

TEST(ScriptKeywords, EverySampleParses) {
  for (const Sample &s : samples) {
    std::string result = dumpOf(s.script, {{"x.ld", "included = 1;"}});
    EXPECT_NE(result.find(s.tree.str()), std::string::npos)
        << s.script.str() << "\n"
        << result;
    EXPECT_EQ(StringRef(result).contains("a.ld:"), s.word == "VERSION")
        << result;
  }
}

TEST(ScriptKeywords, WordsOfExpressions) {
  EXPECT_EQ(expressionWord(ExprKind::Negate), "-");
  EXPECT_EQ(expressionWord(ExprKind::Complement), "~");
  EXPECT_EQ(expressionWord(ExprKind::Sub), "-");
  EXPECT_EQ(expressionWord(ExprKind::Add), "+");
  EXPECT_EQ(expressionWord(ExprKind::LogicalOr), "||");
  EXPECT_EQ(expressionWord(ExprKind::Align1), "ALIGN");
  EXPECT_EQ(expressionWord(ExprKind::Align2), "ALIGN");
  EXPECT_EQ(expressionWord(ExprKind::SizeOfHeaders), "SIZEOF_HEADERS");
  // All but the leaves and the conditional have one.
  for (unsigned kind = 0; kind <= unsigned(ExprKind::Assert); ++kind) {
    auto k = ExprKind(kind);
    EXPECT_EQ(expressionWord(k).empty(),
              k == ExprKind::Number || k == ExprKind::Symbol ||
                  k == ExprKind::Dot || k == ExprKind::Conditional)
        << kind;
  }
}
