//===- NamedFileTest.cpp - files that a script's patterns name ------------===//
//
// `x.o(.text)` loads x.o. Expectations: GNU ld 2.40, i386 objects of the same
// shape, unless a comment says otherwise.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes marked(StringRef name, StringRef mark) {
  return nyuzi((R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: ')" +
                mark + R"(' }
Symbols:
  - { Name: )" + name +
                ", Section: .data, Binding: STB_GLOBAL }\n")
                   .str());
}

struct Links {
  LinkHarness harness;
  Links() {
    harness.file("m.o", marked("m", "aa"))
        .file("f.o", marked("f", "01"))
        .file("g.o", marked("g", "02"))
        .file("lib/libc.a", makeArchive({{"1.o", marked("one", "11")},
                                         {"2.o", marked("two", "12")}}))
        .file("libc.a", makeArchive({{"1.o", marked("one", "11")},
                                     {"2.o", marked("two", "12")}}));
    harness.file("lib.ld", StringRef("SECTIONS { .lib : { libc.a(.text) } "
                                     ".data : { *(.data) } }"));
    harness.file("discard.ld", StringRef("SECTIONS { .data : { *(.data) } "
                                         "/DISCARD/ : { libc.a ( * ) } }"));
    harness.file("g.ld", StringRef("SECTIONS { .lib : { g.o(.text) } "
                                   ".data : { *(.data) } }"));
    harness.file("in.ld", StringRef("INPUT(g.o)"));
  }
  std::string link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0", "--no-warn-script"});
    return bytesOf(quiet(harness.link(arguments)), ".data");
  }
};

TEST(NamedFile, KeepsTheModesOfTheCommandLine) {
  Links links;
  for (const char *script : {"lib.ld", "discard.ld"}) {
    EXPECT_EQ(links.link({"-T", script, "m.o", "--whole-archive", "libc.a"}),
              "1112aa");
    EXPECT_EQ(links.link({"m.o", "--whole-archive", "libc.a",
                          "--no-whole-archive", "-T", script}),
              "aa1112");
    // GNU ld searches the archive at the script's place only, where nothing is
    // undefined yet; here its members stay on offer.
    EXPECT_EQ(links.link({"-T", script, "m.o", "libc.a", "-u", "two"}), "12aa");
    EXPECT_EQ(links.link({"-T", script, "m.o", "libc.a"}), "aa");
  }
  // GNU ld loads g.o.
  EXPECT_EQ(
      links.link({"-T", "g.ld", "m.o", "--start-lib", "g.o", "--end-lib"}),
      "aa");
  EXPECT_EQ(links.link({"-T", "g.ld", "m.o", "--start-lib", "g.o", "--end-lib",
                        "-u", "g"}),
            "02aa");
}

// A library is given by -l too (GNU ld: loaded twice, each member defined
// twice).
TEST(NamedFile, ALibraryOfTheCommandLine) {
  Links links;
  for (const char *script : {"lib.ld", "discard.ld"})
    EXPECT_EQ(links.link({"-T", script, "m.o", "-L.", "-Llib",
                          "--whole-archive", "-lc"}),
              "aa1112");
}

TEST(NamedFile, ItsPlace) {
  Links links;
  EXPECT_EQ(links.link({"-T", "g.ld", "m.o", "f.o"}), "02aa01");
  EXPECT_EQ(links.link({"-T", "g.ld", "m.o", "f.o", "g.o"}), "02aa01");
  EXPECT_EQ(links.link({"g.o", "-T", "g.ld", "m.o", "f.o"}), "02aa01");
  EXPECT_EQ(links.link({"m.o", "-T", "g.ld", "f.o", "g.o"}), "aa0201");
  EXPECT_EQ(links.link({"m.o", "f.o", "-T", "g.ld"}), "aa0102");
  EXPECT_EQ(links.link({"m.o", "in.ld", "f.o", "-T", "g.ld"}), "aa0201");
  EXPECT_EQ(links.link({"-T", "g.ld", "m.o", "in.ld", "f.o"}), "02aa01");
}

} // namespace
} // namespace xlink::test
