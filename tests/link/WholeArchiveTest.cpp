//===- WholeArchiveTest.cpp - --whole-archive and --start-lib -------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes marked(StringRef name, StringRef mark, StringRef needs = "") {
  std::string text = (R"(
Sections:
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: ')" +
                      mark + "' }\n")
                         .str();
  if (!needs.empty())
    text +=
        (R"(  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: )" +
         needs + ", Type: 1 } ] }\n")
            .str();
  text += ("Symbols:\n  - { Name: " + name +
           ", Section: .rodata, Binding: STB_GLOBAL }\n")
              .str();
  if (!needs.empty())
    text += ("  - { Name: " + needs + ", Binding: STB_GLOBAL }\n").str();
  return nyuzi(text);
}

struct Links {
  LinkHarness harness;
  Links() {
    harness.file("a.o", marked("a", "0a", "two"));
    harness.file("x.a", makeArchive({{"1.o", marked("one", "01")},
                                     {"2.o", marked("two", "02")},
                                     {"3.o", marked("three", "03")}}));
    harness.file("y.a", makeArchive({{"4.o", marked("four", "04")}}));
    harness.file("p.o", marked("one", "11"));
    harness.file("q.o", marked("two", "12", "five"));
    harness.file("r.o", marked("five", "15"));
  }
  std::string link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0"});
    return bytesOf(quiet(harness.link(arguments)), ".rodata");
  }
};

TEST(WholeArchive, EveryMemberInOrder) {
  Links links;
  EXPECT_EQ(links.link({"a.o", "x.a", "y.a"}), "0a02");
  EXPECT_EQ(links.link({"a.o", "--whole-archive", "x.a", "y.a"}), "0a01020304");
  EXPECT_EQ(links.link(
                {"--whole-archive", "x.a", "--no-whole-archive", "a.o", "y.a"}),
            "0102030a");
}

TEST(WholeArchive, PushAndPopState) {
  Links links;
  EXPECT_EQ(links.link({"a.o", "--push-state", "--whole-archive", "x.a",
                        "--pop-state", "y.a"}),
            "0a010203");
}

TEST(WholeArchive, ForLibrariesToo) {
  Links links;
  links.harness.file("dir/libz.a",
                     makeArchive({{"9.o", marked("nine", "09")}}));
  EXPECT_EQ(links.link({"a.o", "x.a", "-Ldir", "--whole-archive", "-lz"}),
            "0a0209");
}

TEST(StartLib, ObjectsAreMembers) {
  Links links;
  EXPECT_EQ(
      links.link({"a.o", "--start-lib", "p.o", "q.o", "r.o", "--end-lib"}),
      "0a1215");
  EXPECT_EQ(
      links.link({"--start-lib", "r.o", "q.o", "p.o", "--end-lib", "a.o"}),
      "0a1215");
  EXPECT_EQ(links.link({"p.o", "--start-lib", "q.o", "r.o", "--end-lib"}),
            "11");
}

TEST(StartLib, Unbalanced) {
  Links links;
  expectFailure(links.harness.link({"a.o", "--start-lib", "q.o"}),
                "xlink: error: --start-lib without --end-lib\n");
  expectFailure(links.harness.link({"a.o", "--end-lib"}),
                "xlink: error: --end-lib without --start-lib\n");
  expectFailure(links.harness.link({"--pop-state", "a.o"}),
                "xlink: error: --pop-state without --push-state\n");
}

} // namespace
} // namespace xlink::test
