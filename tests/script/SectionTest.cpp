//===- SectionTest.cpp - output sections ----------------------------------===//
#include "script/ScriptTestSupport.h"

using namespace xlink;
using namespace xlink::test;

static std::string sections(const std::string &text) {
  std::string result = dumpOf("SECTIONS { " + text + " }");
  return result.rfind("sections\n", 0) == 0 ? result.substr(9) : result;
}

TEST(ScriptSections, Names) {
  EXPECT_EQ(sections(".text : { *(.text) }"), "section .text { *~(.text) }");
  for (std::string name : {".t-x", ".t+x", ".t/x", ".t~x", ".t$x", ".t:x",
                           ".t=x", ".t[x]", ".t\\x", ".t,x", "text", "$t"})
    EXPECT_EQ(sections(name + " : { }"), "section " + name + " {  }");
  EXPECT_EQ(sections("\"a b\" : { }"), "section a b {  }");
  EXPECT_EQ(sections("/DISCARD/ : { *(.note) }"),
            "section /DISCARD/ discard { *~(.note) }");
  EXPECT_EQ(sections(".a:{} .b:{}"), "section .a {  }\nsection .b {  }");
}

TEST(ScriptSections, AddressesAndTypes) {
  EXPECT_EQ(sections(".a 0x500 : { }"), "section .a at 0x500 {  }");
  EXPECT_EQ(sections(".a . : { }"), "section .a at . {  }");
  EXPECT_EQ(sections(".a (0x500) : { }"), "section .a at 0x500 {  }");
  EXPECT_EQ(sections(".a ALIGN(8) : { }"), "section .a at (ALIGN1 0x8) {  }");
  EXPECT_EQ(sections(".a BLOCK(8) : { }"), "section .a at (BLOCK 0x8) {  }");
  EXPECT_EQ(sections(".a x ? y : z : { }"), "section .a at (?: x y z) {  }");
  EXPECT_EQ(sections(".a (NOLOAD) : { }"), "section .a NOLOAD {  }");
  EXPECT_EQ(sections(".a(NOLOAD): { }"), "section .a NOLOAD {  }");
  EXPECT_EQ(sections(".a (COPY) : { }"), "section .a COPY {  }");
  EXPECT_EQ(sections(".a (INFO) : { }"), "section .a INFO {  }");
  EXPECT_EQ(sections(".a (OVERLAY) : { }"), "section .a OVERLAY {  }");
  EXPECT_EQ(sections(".a (DSECT) : { }"), "section .a DSECT {  }");
  EXPECT_EQ(sections(".a (READONLY) : { }"), "section .a READONLY {  }");
  EXPECT_EQ(sections(".a () : { }"), "section .a {  }");
  EXPECT_EQ(sections(".a (TYPE=SHT_NOTE) : { }"), "section .a type 0x7 {  }");
  EXPECT_EQ(sections(".a (TYPE = 7 + 1) : { }"),
            "section .a type (+ 0x7 0x1) {  }");
  EXPECT_EQ(sections(".a (READONLY (TYPE = SHT_PROGBITS)) : { }"),
            "section .a READONLY type 0x1 {  }");
  EXPECT_EQ(sections(".a (READONLY(TYPE=1)) : { }"),
            "section .a READONLY type 0x1 {  }");
  EXPECT_EQ(sections(".a 0x500 (NOLOAD) : { }"),
            "section .a at 0x500 NOLOAD {  }");
  EXPECT_EQ(sections(".a x (NOLOAD) : { }"), "section .a at x NOLOAD {  }");
}

TEST(ScriptSections, Attributes) {
  EXPECT_EQ(sections(".a : AT(0x100) ALIGN(4) SUBALIGN(8) ONLY_IF_RO { }"),
            "section .a lma 0x100 align 0x4 subalign 0x8 only-ro {  }");
  EXPECT_EQ(sections(".a : ALIGN(4) ONLY_IF_RW { }"),
            "section .a align 0x4 only-rw {  }");
  EXPECT_EQ(sections(".a : ALIGN_WITH_INPUT SPECIAL { }"),
            "section .a align-with-input {  }");
}

/// Whether `format`, a part of SECTIONS with %, is accepted with `words`.
static bool accepted(std::string format, const std::string &words) {
  format.replace(format.find('%'), 1, words);
  return parse("SECTIONS { " + format + " }")->good;
}

// All pairs: in the order of the list, each once (GNU ld and lld).
TEST(ScriptSections, WordsStandInOrder) {
  struct Place {
    const char *format;
    std::vector<std::string> words;
  };
  const std::vector<std::string> tail = {"> r", "AT> q", ":p", "=1"};
  const std::vector<Place> places = {
      {".s : % { }",
       {"AT(0)", "ALIGN(4)", "ALIGN_WITH_INPUT", "SUBALIGN(4)", "ONLY_IF_RO"}},
      {".s : % { }",
       {"AT(0)", "ALIGN(4)", "ALIGN_WITH_INPUT", "SUBALIGN(4)", "ONLY_IF_RW"}},
      {".s : % { }", {"AT(0)", "SUBALIGN(4)", "SPECIAL"}},
      {".s : { } %", tail},
      {"OVERLAY : % { .m { } }", {"NOCROSSREFS", "AT(0)"}},
      {"OVERLAY : { .m { } } %", tail},
      {"OVERLAY : { .m { } % }", {":p", "=1"}},
  };
  for (const Place &place : places)
    for (size_t i = 0; i < place.words.size(); ++i)
      for (size_t j = 0; j < place.words.size(); ++j) {
        const std::string pair = place.words[i] + " " + place.words[j];
        if (pair == "=1 > r") // a comparison
          continue;
        const bool good = (i < j || (i == j && place.words[i] == ":p")) &&
                          pair != "ALIGN(4) ALIGN_WITH_INPUT" &&
                          // One load address.
                          !(place.words[0] == "AT(0)" && pair == "AT> q");
        EXPECT_EQ(accepted(place.format, pair), good)
            << place.format << ": " << pair;
      }
  // One of the three.
  for (const char *pair : {"ONLY_IF_RO ONLY_IF_RW", "ONLY_IF_RW ONLY_IF_RO",
                           "ONLY_IF_RO SPECIAL", "SPECIAL ONLY_IF_RW"})
    EXPECT_FALSE(accepted(".s : % { }", pair)) << pair;
  // Members are where their OVERLAY is.
  for (const char *word : {"> r", "AT> q", "> r AT> q"})
    EXPECT_FALSE(accepted("OVERLAY : { .m { } % }", word)) << word;
}

TEST(ScriptSections, Tails) {
  EXPECT_EQ(sections(".a : { } >ram AT>rom :text :note =0x90"),
            "section .a {  } >ram AT>rom :text :note fill bytes 90");
  EXPECT_EQ(sections(".a : { } > ram AT > rom : NONE, .b : { }"),
            "section .a {  } >ram AT>rom :NONE\nsection .b {  }");
  EXPECT_EQ(sections(".a : { } >ram AT>rom; x = 1;"),
            "section .a {  } >ram AT>rom\nx = 0x1");
  EXPECT_EQ(sections(".a : { } >ram-1 AT : { }"),
            "section .a {  } >ram-1\nsection AT {  }");
}

TEST(ScriptSections, Fills) {
  // Digits of a plain hexadecimal number are the pattern.
  EXPECT_EQ(sections(".a : { } =0x9090"), "section .a {  } fill bytes 9090");
  EXPECT_EQ(sections(".a : { } =0x0090"), "section .a {  } fill bytes 0090");
  EXPECT_EQ(sections(".a : { } =0x123"), "section .a {  } fill bytes 0123");
  EXPECT_EQ(sections(".a : { } =0X0123456789abcdef0123 .b : { }"),
            "section .a {  } fill bytes 0123456789abcdef0123\nsection .b {  }");
  EXPECT_EQ(sections(".a : { } >ram =0x90"),
            "section .a {  } >ram fill bytes 90");
  EXPECT_EQ(sections(".a : { } =0x90 /DISCARD/ : { }"),
            "section .a {  } fill bytes 90\nsection /DISCARD/ discard {  }");
  // Everything else is a value.
  EXPECT_EQ(sections(".a : { } =0x90+1"), "section .a {  } fill (+ 0x90 0x1)");
  EXPECT_EQ(sections(".a : { } =(0x90)"), "section .a {  } fill bytes 90");
  EXPECT_EQ(sections(".a : { } =+0x90"), "section .a {  } fill 0x90");
  EXPECT_EQ(sections(".a : { } =$90"), "section .a {  } fill 0x90");
  EXPECT_EQ(sections(".a : { } =0x1K"), "section .a {  } fill 0x400");
  EXPECT_EQ(sections(".a : { } =0x90 > ram"),
            "section .a {  } fill (> 0x90 ram)");
  EXPECT_EQ(sections(".a : { } =1 >> 4"), "section .a {  } fill (>> 0x1 0x4)");
  EXPECT_EQ(dumpBody("FILL(0x1234) FILL(0x12 + 1); FILL(1)"),
            "fill bytes 1234; fill (+ 0x12 0x1); fill 0x1");
}

TEST(ScriptSections, Statements) {
  EXPECT_EQ(sections(". = 0x100; .+=4; x=.; PROVIDE(y = .); HIDDEN(z = .);"
                     "PROVIDE_HIDDEN(w = .); ASSERT(x, \"m\") ENTRY(e)"),
            "entry e\nsections\n. = 0x100\n. = (+ . 0x4)\nx = .\n"
            "provide y = .\nhidden z = .\nprovide hidden w = .\n"
            "assert x \"m\"");
}

TEST(ScriptSections, Overlay) {
  EXPECT_EQ(
      sections("OVERLAY 0x1000 : NOCROSSREFS AT (0x4000) {\n"
               "  .text0 { o1/*.o(.text) } :p =0x90\n"
               "  .t-1 { *(.t1) }\n"
               "} >ram :q =1"),
      "overlay at 0x1000 lma 0x4000 nocrossrefs { "
      "member .text0 { o1/*.o~(.text) } :p fill bytes 90 "
      "member .t-1 { *~(.t1) } } >ram :q fill 0x1; "
      "provide __load_start_text0 = (LOADADDR .text0); "
      "provide __load_stop_text0 = (+ (LOADADDR .text0) (SIZEOF .text0)); "
      "provide __load_start_t1 = (LOADADDR .t-1); "
      "provide __load_stop_t1 = (+ (LOADADDR .t-1) (SIZEOF .t-1))");
  EXPECT_EQ(sections("OVERLAY : { }"), "overlay { }");
  EXPECT_EQ(sections("OVERLAY : { } >ram AT>rom"), "overlay { } >ram AT>rom");
}
