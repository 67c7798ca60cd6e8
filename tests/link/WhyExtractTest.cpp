//===- WhyExtractTest.cpp - --why-extract ---------------------------------===//
#include "link/WhyProgram.h"

using namespace llvm;

namespace xlink::test {
namespace {

TEST(WhyExtract, AllMembers) {
  EXPECT_EQ(answersOf(whyProgram(), {"--why-extract"}),
            R"(why extracted: lib.a(work.o)
    main.o is an input of its own
    main.o:(.text._start+0x4) in _start refers to work::run(int), R_NYUZI_ABS32: lib.a(work.o) defines it
why extracted: lib.a(table.o)
    main.o is an input of its own
    main.o:(.text._start+0x4) in _start refers to work::run(int), R_NYUZI_ABS32: lib.a(work.o) defines it
    lib.a(work.o):(.text.run+0x4) in work::run(int) refers to table, R_NYUZI_ABS32: lib.a(table.o) defines it
)");
}

TEST(WhyExtract, ByMemberAndBySymbol) {
  const LinkHarness links = whyProgram();
  const std::string byMember = answersOf(links, {"--why-extract=table.o"});
  EXPECT_EQ(answersOf(links, {"--why-extract=lib.a(table.o)"}), byMember);
  EXPECT_EQ(answersOf(links, {"--why-extract=table"}), byMember);
  EXPECT_EQ(answersOf(links, {"--why-extract=lib.a(t*)"}), byMember);
  EXPECT_EQ(byMember, R"(why extracted: lib.a(table.o)
    main.o is an input of its own
    main.o:(.text._start+0x4) in _start refers to work::run(int), R_NYUZI_ABS32: lib.a(work.o) defines it
    lib.a(work.o):(.text.run+0x4) in work::run(int) refers to table, R_NYUZI_ABS32: lib.a(table.o) defines it
)");
}

/// Directories in front of a file may be left out, as in budgets.
TEST(WhyExtract, WithoutDirectories) {
  LinkHarness links;
  links.file("main.o", nyuzi(R"(
Symbols:
  - { Name: f, Binding: STB_GLOBAL }
)"));
  links.file("sdk/lib/librt.a", makeArchive({{"f.c.obj", nyuzi(R"(
Sections:
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '02000000' }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
)")}}));
  auto answers = [&](const std::string &question) {
    const Linked linked =
        links.link({"main.o", "sdk/lib/librt.a", "-e", "f", question});
    EXPECT_EQ(linked.errors, "") << question;
    return linked.text;
  };
  const std::string path = "sdk/lib/librt.a(f.c.obj)";
  for (std::string option : {"--why-extract=", "--why-live="}) {
    const std::string end = option == "--why-live=" ? ":(.text.f)" : "";
    const std::string whole = answers(option + path + end);
    EXPECT_NE(whole, "");
    EXPECT_EQ(answers(option + "librt.a(f.c.obj)" + end), whole);
    EXPECT_EQ(answers(option + "lib/librt.a(f.c.obj)" + end), whole);
    EXPECT_EQ(answers(option + "librt.a(f*)" + end), whole);
  }
  // No end of a word.
  EXPECT_NE(links
                .link({"main.o", "sdk/lib/librt.a", "-e", "f",
                       "--why-live=brt.a(f.c.obj):(.text.f)"})
                .errors.find("nothing in this link is called"),
            std::string::npos);
}

TEST(WhyExtract, NothingCameIn) {
  const Linked linked = LinkHarness()
                            .file("a.o", nyuzi("Symbols:\n  - { Name: _start, "
                                               "Index: SHN_ABS, Binding: "
                                               "STB_GLOBAL }\n"))
                            .link({"a.o", "--why-extract"});
  EXPECT_EQ(linked.text, "why extracted: no member of an archive takes part\n");
}

TEST(WhyExtract, WhatDidNotComeIn) {
  EXPECT_EQ(
      answersOf(whyProgram(), {"--why-extract=spare", "--why-extract=spare.o",
                               "--why-extract=_start"}),
      R"(why extracted: spare
    it is not in the link: lib.a(spare.o), which defines it, was not extracted: only weak references ask for it
why extracted: lib.a(spare.o)
    it was not extracted: only weak references ask for spare
why extracted: _start in main.o:(.text._start)
    main.o is an input of its own, no member of an archive
)");
}

TEST(WhyExtract, OptionsThatAsk) {
  const LinkHarness links = whyProgram();
  auto asked = [&](std::vector<std::string> more) {
    more.push_back("--why-extract=spare.o");
    return answersOf(links, std::move(more));
  };
  EXPECT_EQ(asked({"-u", "spare"}), R"(why extracted: lib.a(spare.o)
    -u spare: lib.a(spare.o) defines it
)");
  EXPECT_EQ(asked({"--require-defined=spare"}), R"(why extracted: lib.a(spare.o)
    --require-defined=spare: lib.a(spare.o) defines it
)");
  EXPECT_EQ(asked({"--undefined-glob=spa*"}), R"(why extracted: lib.a(spare.o)
    --undefined-glob matches spare: lib.a(spare.o) defines it
)");
  EXPECT_EQ(asked({"-e", "spare"}), R"(why extracted: lib.a(spare.o)
    entry symbol spare, by -e: lib.a(spare.o) defines it
)");
  EXPECT_EQ(asked({"--defsym=x=spare"}), R"(why extracted: lib.a(spare.o)
    the script or --defsym reads spare: lib.a(spare.o) defines it
)");
  EXPECT_EQ(asked({"--whole-archive"}), R"(why extracted: lib.a(spare.o)
    lib.a(spare.o) is in by --whole-archive
)");
  LinkHarness more = whyProgram();
  more.file("more.ld", "EXTERN(spare)\n");
  EXPECT_EQ(answersOf(more, {"more.ld", "--why-extract=spare.o"}),
            R"(why extracted: lib.a(spare.o)
    EXTERN(spare) at more.ld:1: lib.a(spare.o) defines it
)");
}

TEST(WhyExtract, StartLib) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: f, Binding: STB_GLOBAL }
)"));
  links.file("f.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: f, Section: .text, Binding: STB_GLOBAL }
)"));
  links.file("g.o", nyuzi("Symbols:\n  - { Name: g, Index: SHN_ABS, Binding: "
                          "STB_GLOBAL }\n"));
  const Linked linked =
      links.link({"a.o", "--start-lib", "f.o", "g.o", "--end-lib",
                  "--why-extract", "--why-extract=g.o", "-Map=-"});
  EXPECT_EQ(linked.errors, "");
  const size_t at = StringRef(linked.text).find("why extracted");
  EXPECT_EQ(StringRef(linked.text).drop_front(at).str(), R"(why extracted: f.o
    a.o is an input of its own
    a.o names f: f.o defines it
why extracted: g.o
    it was not extracted: nothing refers to what it defines, g
)");
  // The map is as it would be without the question.
  EXPECT_EQ(
      linked.text.substr(0, at),
      links.link({"a.o", "--start-lib", "f.o", "g.o", "--end-lib", "-Map=-"})
          .text);
}

/// lld's form, to the byte.
TEST(WhyExtract, TheTableOfLld) {
  const char table[] = "reference\textracted\tsymbol\n"
                       "main.o\tlib.a(work.o)\twork::run(int)\n"
                       "lib.a(work.o)\tlib.a(table.o)\ttable\n";
  const Linked linked = whyProgram().link(
      {"main.o", "lib.a", "-T", "s.ld", "--why-extract=why.txt"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text,
            "--why-extract: nothing in this link is called 'why.txt', so the "
            "file of that name has the table of all extracted members\n");
  const Bytes &file = linked.files.at("why.txt");
  EXPECT_EQ(std::string(file.begin(), file.end()), table);
  EXPECT_EQ(answersOf(whyProgram(), {"--why-extract=-"}), table);
  EXPECT_EQ(answersOf(whyProgram(),
                      {"--why-extract=-", "-e", "spare", "--no-demangle"}),
            "reference\textracted\tsymbol\n"
            "main.o\tlib.a(work.o)\t_ZN4work3runEi\n"
            "lib.a(work.o)\tlib.a(table.o)\ttable\n"
            "--entry\tlib.a(spare.o)\tspare\n");
}

TEST(WhyExtract, NoOutputOverwritesAnother) {
  LinkHarness links = whyProgram();
  expectFailure(
      links.link({"main.o", "lib.a", "--why-extract=./out"}),
      R"(xlink: error: table of extracted members './out' is the same as output file
>>> the output file is 'out'
)");
  expectFailure(
      links.link({"main.o", "lib.a", "--answers-json=main.o"}),
      R"(xlink: error: input file 'main.o' is the same as answers in JSON
)");
}

/// A glob is never the name of a file.
TEST(WhyExtract, GlobsThatMatchNothing) {
  const Linked linked =
      whyProgram().link({"main.o", "lib.a", "-T", "s.ld", "--why-extract=x*"});
  EXPECT_EQ(linked.errors, "xlink: warning: option '--why-extract': nothing "
                           "in this link is called 'x*'\n");
  EXPECT_EQ(linked.files.size(), 1u);
}

TEST(WhyExtract, Json) {
  const Linked linked = whyProgram().link(
      {"main.o", "lib.a", "-T", "s.ld", "--why-extract", "--why-extract=spare",
       "--why-extract=_start", "--answers-json=a.json"});
  expectAnswers(linked, "extract.json");
}

} // namespace
} // namespace xlink::test
