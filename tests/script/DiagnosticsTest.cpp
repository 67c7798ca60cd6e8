//===- DiagnosticsTest.cpp - every message, literally ---------------------===//
#include "script/ScriptTestSupport.h"

using namespace xlink;
using namespace xlink::test;

namespace {
struct Row {
  const char *script, *messages;
};
} // namespace

// One message a row, save where several slips show that the parser goes on.
// clang-format off
static const Row rows[] = {
    {"ENTRY(_start",
     "a.ld:1:13: expected ')' but found end of file\n"
     ">>> ENTRY(_start\n"
     ">>>             ^\n"},
    {"ENTRY()",
     "a.ld:1:7: expected a symbol but found ')'\n"
     ">>> ENTRY()\n"
     ">>>       ^\n"},
    {"ENTRY(_start\nMEMORY { ram : ORIGIN = 0, LENGTH = 4K }\nSECTIONS { .text : { *(.text) } > ram }",
     "a.ld:2:1: expected ')' but found 'MEMORY'\n"
     ">>> MEMORY { ram : ORIGIN = 0, LENGTH = 4K }\n"
     ">>> ^\n"},
    {"SECTION { .text : { *(.text) } }",
     "a.ld:1:1: unknown command 'SECTION'; did you mean 'SECTIONS'?\n"
     ">>> SECTION { .text : { *(.text) } }\n"
     ">>> ^\n"},
    {"FOO",
     "a.ld:1:1: unknown command 'FOO'\n"
     ">>> FOO\n"
     ">>> ^\n"},
    {"LD_FEATURE()",
     "a.ld:1:12: expected the name of a feature but found ')'\n"
     ">>> LD_FEATURE()\n"
     ">>>            ^\n"},
    {"ASSERT(1, )",
     "a.ld:1:11: expected a message but found ')'\n"
     ">>> ASSERT(1, )\n"
     ">>>           ^\n"},
    {"x = ASSERT(1, );",
     "a.ld:1:15: expected a message but found ')'\n"
     ">>> x = ASSERT(1, );\n"
     ">>>               ^\n"},
    {"REGION_ALIAS()",
     "a.ld:1:14: expected the alias of a region but found ')'\n"
     ">>> REGION_ALIAS()\n"
     ">>>              ^\n"},
    {"LD_FEATURE(\"NICE\")",
     "a.ld:1:12: unknown feature 'NICE' of LD_FEATURE; known is SANE_EXPR\n"
     ">>> LD_FEATURE(\"NICE\")\n"
     ">>>            ^\n"},
    {"\"x y\"",
     "a.ld:1:1: unknown command \"x y\"\n"
     ">>> \"x y\"\n"
     ">>> ^\n"},
    {"1",
     "a.ld:1:1: expected a command or an assignment but found '1'\n"
     ">>> 1\n"
     ">>> ^\n"},
    {"x == 5;",
     "a.ld:1:1: expected '=' but found '=='\n"
     ">>> x == 5;\n"
     ">>> ^\n"},
    {"}",
     "a.ld:1:1: unexpected '}'\n"
     ">>> }\n"
     ">>> ^\n"},
    {".text : { *(.text) }",
     "a.ld:1:1: output section '.text' stands outside of SECTIONS\n"
     ">>> .text : { *(.text) }\n"
     ">>> ^\n"},
    {"KEEP(*(.text))",
     "a.ld:1:1: 'KEEP' stands outside of SECTIONS\n"
     ">>> KEEP(*(.text))\n"
     ">>> ^\n"},
    {"INCLUDE",
     "a.ld:1:8: expected the name of a file but found end of file\n"
     ">>> INCLUDE\n"
     ">>>        ^\n"},
    {"INCLUDE nothing.ld",
     "a.ld:1:9: cannot find the file 'nothing.ld' of INCLUDE\n"
     ">>> INCLUDE nothing.ld\n"
     ">>>         ^\n"},
    {"OUTPUT()",
     "a.ld:1:8: expected the name of a file but found ')'\n"
     ">>> OUTPUT()\n"
     ">>>        ^\n"},
    {"OUTPUT_FORMAT(a, b)",
     "a.ld:1:14: OUTPUT_FORMAT needs one name or three (default, big-endian, little-endian)\n"
     ">>> OUTPUT_FORMAT(a, b)\n"
     ">>>              ^\n"},
    {"OUTPUT_FORMAT(=)",
     "a.ld:1:15: expected the name of a format but found '='\n"
     ">>> OUTPUT_FORMAT(=)\n"
     ">>>               ^\n"},
    {"OUTPUT_ARCH()",
     "a.ld:1:13: expected an architecture but found ')'\n"
     ">>> OUTPUT_ARCH()\n"
     ">>>             ^\n"},
    {"SEARCH_DIR()",
     "a.ld:1:12: expected the name of a directory but found ')'\n"
     ">>> SEARCH_DIR()\n"
     ">>>            ^\n"},
    {"INPUT(a.o",
     "a.ld:1:10: expected the name of a file or ')' but found end of file\n"
     ">>> INPUT(a.o\n"
     ">>>          ^\n"},
    {"STARTUP()",
     "a.ld:1:9: expected the name of a file but found ')'\n"
     ">>> STARTUP()\n"
     ">>>         ^\n"},
    {"EXTERN(=)",
     "a.ld:1:8: expected a symbol but found '='\n"
     ">>> EXTERN(=)\n"
     ">>>        ^\n"},
    {"TARGET()",
     "a.ld:1:8: expected the name of a format but found ')'\n"
     ">>> TARGET()\n"
     ">>>        ^\n"},
    {"NOCROSSREFS(.a =)",
     "a.ld:1:16: expected an output section but found '='\n"
     ">>> NOCROSSREFS(.a =)\n"
     ">>>                ^\n"},
    {"INSERT .text",
     "a.ld:1:8: expected AFTER or BEFORE but found '.text'\n"
     ">>> INSERT .text\n"
     ">>>        ^\n"},
    {"INSERT AFTER ;",
     "a.ld:1:14: expected an output section but found ';'\n"
     ">>> INSERT AFTER ;\n"
     ">>>              ^\n"},
    {"INSERT AFTER .text",
     "a.ld:1:1: INSERT without a SECTIONS in front of it\n"
     ">>> INSERT AFTER .text\n"
     ">>> ^\n"},
    {"VERSION { V1 { global: a; }; };\nx = ;",
     "a.ld:1:1: VERSION is not supported: without dynamic linking symbols have no versions\n"
     ">>> VERSION { V1 { global: a; }; };\n"
     ">>> ^\n"
     "a.ld:2:5: expected an expression but found ';'\n"
     ">>> x = ;\n"
     ">>>     ^\n"},
    {"MEMORY ram",
     "a.ld:1:8: expected '{' but found 'ram'\n"
     ">>> MEMORY ram\n"
     ">>>        ^\n"},
    {"MEMORY { ram (rwq) : ORIGIN = 0, LENGTH = 1 }",
     "a.ld:1:15: unknown attribute 'q' of a region; known are r, w, x, a, i, l and !\n"
     ">>> MEMORY { ram (rwq) : ORIGIN = 0, LENGTH = 1 }\n"
     ">>>               ^\n"},
    {"MEMORY { ram () : ORIGIN = 0, LENGTH = 1 }",
     "a.ld:1:15: expected attributes of the region but found ')'\n"
     ">>> MEMORY { ram () : ORIGIN = 0, LENGTH = 1 }\n"
     ">>>               ^\n"},
    {"MEMORY { ram : ORIGN = 0, LENGTH = 1 }",
     "a.ld:1:16: expected ORIGIN but found 'ORIGN'\n"
     ">>> MEMORY { ram : ORIGN = 0, LENGTH = 1 }\n"
     ">>>                ^\n"},
    {"MEMORY { ram : ORIGIN = 0 LENGTH = 1 }",
     "a.ld:1:27: expected ',' but found 'LENGTH'\n"
     ">>> MEMORY { ram : ORIGIN = 0 LENGTH = 1 }\n"
     ">>>                           ^\n"},
    {"MEMORY { ram : ORIGIN = 0, LENTH = 1 }",
     "a.ld:1:28: expected LENGTH but found 'LENTH'\n"
     ">>> MEMORY { ram : ORIGIN = 0, LENTH = 1 }\n"
     ">>>                            ^\n"},
    {"MEMORY { ram : ORIGIN = 0, LENGTH = 1 ram : ORIGIN = 0, LENGTH = 1 }",
     "a.ld:1:39: memory region 'ram' is declared twice\n"
     ">>> MEMORY { ram : ORIGIN = 0, LENGTH = 1 ram : ORIGIN = 0, LENGTH = 1 }\n"
     ">>>                                       ^\n"},
    {"MEMORY { = }",
     "a.ld:1:10: expected a region's name but found '='\n"
     ">>> MEMORY { = }\n"
     ">>>          ^\n"},
    {"REGION_ALIAS(a b)",
     "a.ld:1:16: expected ',' but found 'b'\n"
     ">>> REGION_ALIAS(a b)\n"
     ">>>                ^\n"},
    {"MEMORY { ram : ORIGIN = 0, LENGTH = 1 } REGION_ALIAS(foo, rom) REGION_ALIAS(ram, ram) REGION_ALIAS(y, unlike)",
     "a.ld:1:59: memory region 'rom' is not declared; did you mean 'ram'?\n"
     ">>> MEMORY { ram : ORIGIN = 0, LENGTH = 1 } REGION_ALIAS(foo, rom) REGION_ALIAS(ram, ram) REGION_ALIAS(y, unlike)\n"
     ">>>                                                           ^\n"
     "a.ld:1:77: memory region 'ram' exists already\n"
     ">>> MEMORY { ram : ORIGIN = 0, LENGTH = 1 } REGION_ALIAS(foo, rom) REGION_ALIAS(ram, ram) REGION_ALIAS(y, unlike)\n"
     ">>>                                                                             ^\n"
     "a.ld:1:103: memory region 'unlike' is not declared\n"
     ">>> MEMORY { ram : ORIGIN = 0, LENGTH = 1 } REGION_ALIAS(foo, rom) REGION_ALIAS(ram, ram) REGION_ALIAS(y, unlike)\n"
     ">>>                                                                                                       ^\n"},
    {"MEMORY { ram : ORIGIN = 0, LENGTH = 1 } REGION_ALIAS(\"*default*\", ram)",
     "a.ld:1:54: memory region '*default*' exists already\n"
     ">>> MEMORY { ram : ORIGIN = 0, LENGTH = 1 } REGION_ALIAS(\"*default*\", ram)\n"
     ">>>                                                      ^\n"},
    {"PHDRS { = }",
     "a.ld:1:9: expected a segment's name but found '='\n"
     ">>> PHDRS { = }\n"
     ">>>         ^\n"},
    {"PHDRS { text PT_LOD; }",
     "a.ld:1:14: unknown segment type 'PT_LOD'; did you mean 'PT_LOAD'?\n"
     ">>> PHDRS { text PT_LOD; }\n"
     ">>>              ^\n"},
    {"PHDRS { text PT_LOAD FOO; }",
     "a.ld:1:22: expected FILEHDR, PHDRS, AT, FLAGS or ';' but found 'FOO'\n"
     ">>> PHDRS { text PT_LOAD FOO; }\n"
     ">>>                      ^\n"},
    {"PHDRS { text PT_LOAD }",
     "a.ld:1:22: expected FILEHDR, PHDRS, AT, FLAGS or ';' but found '}'\n"
     ">>> PHDRS { text PT_LOAD }\n"
     ">>>                      ^\n"},
    {"SECTIONS { 1text : { *(.text) } }",
     "a.ld:1:12: expected an output section or an assignment but found '1text'\n"
     ">>> SECTIONS { 1text : { *(.text) } }\n"
     ">>>            ^\n"},
    {"SECTIONS { *(.text) }",
     "a.ld:1:12: expected an output section or an assignment but found '*'\n"
     ">>> SECTIONS { *(.text) }\n"
     ">>>            ^\n"},
    {"SECTIONS { PROVID(x = 1); }",
     "a.ld:1:12: unknown command 'PROVID'; did you mean 'PROVIDE'?\n"
     ">>> SECTIONS { PROVID(x = 1); }\n"
     ">>>            ^\n"},
    {"SECTIONS { KEEP(*(.text)) }",
     "a.ld:1:12: 'KEEP' stands outside of an output section\n"
     ">>> SECTIONS { KEEP(*(.text)) }\n"
     ">>>            ^\n"},
    {"SECTIONS { MEMORY { } }",
     "a.ld:1:12: 'MEMORY' cannot stand inside SECTIONS\n"
     ">>> SECTIONS { MEMORY { } }\n"
     ">>>            ^\n"},
    {"SECTIONS { PROVIDE(. = 1); }",
     "a.ld:1:20: a symbol is needed here, not '.'\n"
     ">>> SECTIONS { PROVIDE(. = 1); }\n"
     ">>>                    ^\n"},
    {"SECTIONS { PROVIDE(x += 1); }",
     "a.ld:1:22: expected '=' but found '+='\n"
     ">>> SECTIONS { PROVIDE(x += 1); }\n"
     ">>>                      ^\n"},
    {"SECTIONS { ASSERT(1) }",
     "a.ld:1:20: expected ',' but found ')'\n"
     ">>> SECTIONS { ASSERT(1) }\n"
     ">>>                    ^\n"},
    {"SECTIONS { .text { *(.text) } }",
     "a.ld:1:18: expected ':' but found '{'\n"
     ">>> SECTIONS { .text { *(.text) } }\n"
     ">>>                  ^\n"},
    {"SECTIONS { .text : ALIGNN(4) { *(.text) } > ram x = 1; }",
     "a.ld:1:20: unknown attribute 'ALIGNN' of an output section; did you mean 'ALIGN'?\n"
     ">>> SECTIONS { .text : ALIGNN(4) { *(.text) } > ram x = 1; }\n"
     ">>>                    ^\n"},
    {"SECTIONS { .text : FOO { *(.text) } }",
     "a.ld:1:20: expected '{' but found 'FOO'\n"
     ">>> SECTIONS { .text : FOO { *(.text) } }\n"
     ">>>                    ^\n"},
    {"SECTIONS { .text : SUBALIGN(16) ALIGN(2) { } }",
     "a.ld:1:33: 'ALIGN' cannot stand behind 'SUBALIGN'\n"
     ">>> SECTIONS { .text : SUBALIGN(16) ALIGN(2) { } }\n"
     ">>>                                 ^\n"},
    {"SECTIONS { .text : ALIGN(4) ALIGN_WITH_INPUT { } }",
     "a.ld:1:12: ALIGN and ALIGN_WITH_INPUT do not go together\n"
     ">>> SECTIONS { .text : ALIGN(4) ALIGN_WITH_INPUT { } }\n"
     ">>>            ^\n"},
    {"SECTIONS { .text (NOLAOD) : { *(.text) } }",
     "a.ld:1:19: unknown type 'NOLAOD' of an output section; did you mean 'NOLOAD'?\n"
     ">>> SECTIONS { .text (NOLAOD) : { *(.text) } }\n"
     ">>>                   ^\n"},
    {"SECTIONS { .text (TYPE = SHT_PROGBIT) : { *(.text) } }",
     "a.ld:1:26: unknown section type 'SHT_PROGBIT'; did you mean 'SHT_PROGBITS'?\n"
     ">>> SECTIONS { .text (TYPE = SHT_PROGBIT) : { *(.text) } }\n"
     ">>>                          ^\n"},
    {"SECTIONS { .text (READONLY (TIPE = 1)) : { } }",
     "a.ld:1:29: expected TYPE but found 'TIPE'\n"
     ">>> SECTIONS { .text (READONLY (TIPE = 1)) : { } }\n"
     ">>>                             ^\n"},
    {"SECTIONS { .text : { *(.text) } > }",
     "a.ld:1:35: expected a region's name but found '}'\n"
     ">>> SECTIONS { .text : { *(.text) } > }\n"
     ">>>                                   ^\n"},
    {"SECTIONS { .text : { } AT> }",
     "a.ld:1:28: expected a region's name but found '}'\n"
     ">>> SECTIONS { .text : { } AT> }\n"
     ">>>                            ^\n"},
    {"SECTIONS { .text : { } : }",
     "a.ld:1:26: expected a segment's name but found '}'\n"
     ">>> SECTIONS { .text : { } : }\n"
     ">>>                          ^\n"},
    {"SECTIONS { .text : { } = }",
     "a.ld:1:26: expected an expression but found '}'\n"
     ">>> SECTIONS { .text : { } = }\n"
     ">>>                          ^\n"},
    {"SECTIONS { .text : { *(.text)\n  .data : { *(.data) }\n }",
     "a.ld:2:9: expected '(' but found ':'\n"
     ">>>   .data : { *(.data) }\n"
     ">>>         ^\n"
     ">>> is the '}' of output section '.text' in line 1 missing?\n"},
    {"SECTIONS {\n  .text : {\n    *(.text)\n",
     "a.ld:4:1: expected '}' but found end of file\n"
     ">>> the '{' of output section '.text' stands in line 2\n"},
    {"SECTIONS { .text : { KEPP(*(.text)) } }",
     "a.ld:1:22: unknown command 'KEPP'; did you mean 'KEEP'?\n"
     ">>> SECTIONS { .text : { KEPP(*(.text)) } }\n"
     ">>>                      ^\n"},
    {"SECTIONS { .text : { *(.text } .data : { *(.data) } }",
     "a.ld:1:30: expected a section's name or pattern but found '}'\n"
     ">>> SECTIONS { .text : { *(.text } .data : { *(.data) } }\n"
     ">>>                              ^\n"},
    {"SECTIONS { .text : { *(.text) x = 1 } .data : { *(.data) } > ram }",
     "a.ld:1:37: expected ';' but found '}'\n"
     ">>> SECTIONS { .text : { *(.text) x = 1 } .data : { *(.data) } > ram }\n"
     ">>>                                     ^\n"},
    {"SECTIONS { .text : { *() } }",
     "a.ld:1:24: expected a section's name or pattern but found ')'\n"
     ">>> SECTIONS { .text : { *() } }\n"
     ">>>                        ^\n"},
    {"SECTIONS { .text : { *(SORT(.text .data)) } }",
     "a.ld:1:35: expected ')' but found '.data'\n"
     ">>> SECTIONS { .text : { *(SORT(.text .data)) } }\n"
     ">>>                                   ^\n"},
    {"SECTIONS { .text : { *(SORT_NONE(SORT(.text))) } }",
     "a.ld:1:34: SORT cannot stand inside SORT_NONE\n"
     ">>> SECTIONS { .text : { *(SORT_NONE(SORT(.text))) } }\n"
     ">>>                                  ^\n"},
    {"SECTIONS { .text : { *(SORT_BY_INIT_PRIORITY(SORT(.text))) } }",
     "a.ld:1:46: SORT cannot stand inside SORT_BY_INIT_PRIORITY\n"
     ">>> SECTIONS { .text : { *(SORT_BY_INIT_PRIORITY(SORT(.text))) } }\n"
     ">>>                                              ^\n"},
    {"SECTIONS { .text : { *(REVERSE(REVERSE(.text))) } }",
     "a.ld:1:32: REVERSE cannot stand inside REVERSE\n"
     ">>> SECTIONS { .text : { *(REVERSE(REVERSE(.text))) } }\n"
     ">>>                                ^\n"},
    {"SECTIONS { .text : { *(SORT_BY_NAM(.text)) } }",
     "a.ld:1:24: unknown function 'SORT_BY_NAM' in a pattern; did you mean 'SORT_BY_NAME'?\n"
     ">>> SECTIONS { .text : { *(SORT_BY_NAM(.text)) } }\n"
     ">>>                        ^\n"},
    {"SECTIONS { .text : { SORT_BY_ALIGNMENT(*)(.text) } }",
     "a.ld:1:22: files can be sorted by name only\n"
     ">>> SECTIONS { .text : { SORT_BY_ALIGNMENT(*)(.text) } }\n"
     ">>>                      ^\n"},
    {"SECTIONS { .text : { KEEP() } }",
     "a.ld:1:27: expected a file's name or pattern but found ')'\n"
     ">>> SECTIONS { .text : { KEEP() } }\n"
     ">>>                           ^\n"},
    {"SECTIONS { .text : { INPUT_SECTION_FLAGS() *(.text) } }",
     "a.ld:1:42: expected a section flag but found ')'\n"
     ">>> SECTIONS { .text : { INPUT_SECTION_FLAGS() *(.text) } }\n"
     ">>>                                          ^\n"},
    {"SECTIONS { .text : { ) } }",
     "a.ld:1:22: expected a pattern or an assignment but found ')'\n"
     ">>> SECTIONS { .text : { ) } }\n"
     ">>>                      ^\n"},
    {"SECTIONS { .text : { BYTE(1 } }",
     "a.ld:1:29: expected ')' but found '}'\n"
     ">>> SECTIONS { .text : { BYTE(1 } }\n"
     ">>>                             ^\n"},
    {"SECTIONS { .text : { ASCIZ ; } }",
     "a.ld:1:28: expected a text but found ';'\n"
     ">>> SECTIONS { .text : { ASCIZ ; } }\n"
     ">>>                            ^\n"},
    {"SECTIONS { .text (TYPE = x) : { } }",
     "a.ld:1:26: the type of an output section has to be a constant\n"
     ">>> SECTIONS { .text (TYPE = x) : { } }\n"
     ">>>                          ^\n"},
    {"SECTIONS { .text : { SORT(CONSTRUCTORS } }",
     "a.ld:1:40: expected ')' but found '}'\n"
     ">>> SECTIONS { .text : { SORT(CONSTRUCTORS } }\n"
     ">>>                                        ^\n"},
    {"SECTIONS { OVERLAY 0x100 { } }",
     "a.ld:1:26: expected ':' but found '{'\n"
     ">>> SECTIONS { OVERLAY 0x100 { } }\n"
     ">>>                          ^\n"},
    {"SECTIONS { OVERLAY : { = } }",
     "a.ld:1:24: expected an output section but found '='\n"
     ">>> SECTIONS { OVERLAY : { = } }\n"
     ">>>                        ^\n"},
    {"x = MAXX(1, 2);",
     "a.ld:1:5: unknown function 'MAXX'; did you mean 'MAX'?\n"
     ">>> x = MAXX(1, 2);\n"
     ">>>     ^\n"},
    {"x = FOO(1);",
     "a.ld:1:5: unknown function 'FOO'\n"
     ">>> x = FOO(1);\n"
     ">>>     ^\n"},
    {"x = MAX(1);",
     "a.ld:1:10: expected ',' but found ')'\n"
     ">>> x = MAX(1);\n"
     ">>>          ^\n"},
    {"x = ALIGN();",
     "a.ld:1:11: expected an expression but found ')'\n"
     ">>> x = ALIGN();\n"
     ">>>           ^\n"},
    {"x = CONSTANT(FOO);",
     "a.ld:1:14: unknown constant 'FOO'; known are MAXPAGESIZE and COMMONPAGESIZE\n"
     ">>> x = CONSTANT(FOO);\n"
     ">>>              ^\n"},
    {"x = CONSTANT();",
     "a.ld:1:14: expected MAXPAGESIZE or COMMONPAGESIZE but found ')'\n"
     ">>> x = CONSTANT();\n"
     ">>>              ^\n"},
    {"x = ADDR();",
     "a.ld:1:10: expected an output section but found ')'\n"
     ">>> x = ADDR();\n"
     ">>>          ^\n"},
    {"x = ORIGIN();",
     "a.ld:1:12: expected a region's name but found ')'\n"
     ">>> x = ORIGIN();\n"
     ">>>            ^\n"},
    {"x = DEFINED();",
     "a.ld:1:13: expected a symbol but found ')'\n"
     ">>> x = DEFINED();\n"
     ">>>             ^\n"},
    {"x = SEGMENT_START(,1);",
     "a.ld:1:19: expected a segment's name but found ','\n"
     ">>> x = SEGMENT_START(,1);\n"
     ">>>                   ^\n"},
    {"x = ALIGN;",
     "a.ld:1:10: expected '(' but found ';'\n"
     ">>> x = ALIGN;\n"
     ">>>          ^\n"},
    {"x = 1 +;",
     "a.ld:1:8: expected an expression but found ';'\n"
     ">>> x = 1 +;\n"
     ">>>        ^\n"},
    {"x = (1 + 2;",
     "a.ld:1:11: expected ')' but found ';'\n"
     ">>> x = (1 + 2;\n"
     ">>>           ^\n"},
    {"x = a ? b;",
     "a.ld:1:10: expected ':' but found ';'\n"
     ">>> x = a ? b;\n"
     ">>>          ^\n"},
    {"x = 1 ? 2 : ;",
     "a.ld:1:13: expected an expression but found ';'\n"
     ">>> x = 1 ? 2 : ;\n"
     ">>>             ^\n"},
    {"x = @;",
     "a.ld:1:5: expected an expression but found '@'\n"
     ">>> x = @;\n"
     ">>>     ^\n"},
    {"x = /DISCARD/;",
     "a.ld:1:5: expected an expression but found '/DISCARD/'\n"
     ">>> x = /DISCARD/;\n"
     ">>>     ^\n"},
    {"x = 1.5;",
     "a.ld:1:5: malformed number: '1.5'\n"
     ">>> x = 1.5;\n"
     ">>>     ^\n"},
    {"x = 08;",
     "a.ld:1:5: digit 8 or 9 in an octal number: '08'\n"
     ">>> x = 08;\n"
     ">>>     ^\n"},
    {"x = 0xfffffffffffffffff;",
     "a.ld:1:5: number does not fit in 64 bits: '0xfffffffffffffffff'\n"
     ">>> x = 0xfffffffffffffffff;\n"
     ">>>     ^\n"},
    {"x = 99999999999999999999;",
     "a.ld:1:5: number does not fit in 64 bits: '99999999999999999999'\n"
     ">>> x = 99999999999999999999;\n"
     ">>>     ^\n"},
    {"x = 5\ny = 6;",
     "a.ld:2:1: expected ';' but found 'y'\n"
     ">>> y = 6;\n"
     ">>> ^\n"
     ">>> the assignment that ends in line 1 lacks ';'\n"},
    {"x = 5",
     "a.ld:1:6: expected ';' but found end of file\n"
     ">>> x = 5\n"
     ">>>      ^\n"},
    {"x = \"abc;\ny = 1;",
     "a.ld:1:5: quote is not closed\n"
     ">>> x = \"abc;\n"
     ">>>     ^\n"},
    {"x = 1; /* open",
     "a.ld:1:8: comment is not closed\n"
     ">>> x = 1; /* open\n"
     ">>>        ^\n"},
};
// clang-format on

TEST(ScriptDiagnostics, Literally) {
  for (const Row &row : rows)
    EXPECT_EQ(parse(row.script)->messages(), row.messages) << row.script;
}

TEST(ScriptDiagnostics, OneSlipOneMessage) {
  // Statements behind a faulty one are read again, and good ones are silent.
  EXPECT_EQ(parse("SECTIONS {\n"
                  "  .a : { *(.a }\n"
                  "  .b 0x : { *(.b) } > ram :text =0x90\n"
                  "  .c : { *(.c) } > ram AT> ;\n"
                  "  x = (1;\n"
                  "  .d : { *(.d) }\n"
                  "}\n"
                  "MEMORY { ram : ORIGIN = 0 LENGTH = 1 }\n"
                  "y = ;\n")
                ->messages(),
            "a.ld:2:15: expected a section's name or pattern but found '}'\n"
            ">>>   .a : { *(.a }\n"
            ">>>               ^\n"
            "a.ld:3:6: malformed number: '0x'\n"
            ">>>   .b 0x : { *(.b) } > ram :text =0x90\n"
            ">>>      ^\n"
            "a.ld:4:28: expected a region's name but found ';'\n"
            ">>>   .c : { *(.c) } > ram AT> ;\n"
            ">>>                            ^\n"
            "a.ld:5:9: expected ')' but found ';'\n"
            ">>>   x = (1;\n"
            ">>>         ^\n"
            "a.ld:8:27: expected ',' but found 'LENGTH'\n"
            ">>> MEMORY { ram : ORIGIN = 0 LENGTH = 1 }\n"
            ">>>                           ^\n"
            "a.ld:9:5: expected an expression but found ';'\n"
            ">>> y = ;\n"
            ">>>     ^\n");
}

TEST(ScriptDiagnostics, GivesUpAfterTwenty) {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "x = ;\n";
  auto parsed = parse(text);
  EXPECT_EQ(parsed->diag.all().size(), 20u);
  EXPECT_FALSE(parsed->good);
}

TEST(ScriptDiagnostics, LinesThatAreHardToShow) {
  // Blanks instead of tabs and control characters, so that the caret fits.
  EXPECT_EQ(parse("\tx =\x01;")->messages(),
            "a.ld:1:5: expected an expression but found '?'\n"
            ">>>  x = ;\n"
            ">>>     ^\n");
  EXPECT_EQ(parse("x = \"\xc3\xa4\" );")->messages(),
            "a.ld:1:10: expected ';' but found ')'\n"
            ">>> x = \"\xc3\xa4\" );\n"
            ">>>         ^\n");
  // Of a very long line the surroundings.
  std::string blanks(1000, ' ');
  EXPECT_EQ(parse("x = 1;" + blanks + "y = ;" + blanks)->messages(),
            "a.ld:1:1011: expected an expression but found ';'\n>>> " +
                std::string(71, ' ') + "y = ;" + std::string(74, ' ') +
                "\n>>> " + std::string(75, ' ') + "^\n");
  std::string longName(100, 'n');
  EXPECT_EQ(parse("x = 1 " + longName + ";")->firstError(),
            "a.ld:1:7: expected ';' but found '" + longName.substr(0, 40) +
                "...'");
}
