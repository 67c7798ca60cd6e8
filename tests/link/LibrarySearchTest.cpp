//===- LibrarySearchTest.cpp - -l, -L and response files ------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes marked(StringRef name, StringRef mark) {
  return nyuzi((R"(
Sections:
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: ')" +
                mark + R"(' }
Symbols:
  - { Name: )" + name +
                ", Section: .rodata, Binding: STB_GLOBAL }\n")
                   .str());
}
Bytes library(StringRef mark) {
  return makeArchive({{"one.o", marked("one", mark)}});
}

struct Links {
  LinkHarness harness;
  Links() {
    harness.file("a.o", marked("a", "0a"));
    harness.file("first/libone.a", library("11"));
    harness.file("second/libone.a", library("22"));
    harness.file("second/libtwo.a", library("33"));
    harness.file("second/odd.lib", library("44"));
    harness.file("sys/usr/lib/libroot.a", library("55"));
  }
  std::string link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0", "-u", "one"});
    return bytesOf(quiet(harness.link(arguments)), ".rodata");
  }
};

TEST(LibrarySearch, DirectoriesInOrder) {
  Links links;
  EXPECT_EQ(links.link({"a.o", "-Lfirst", "-Lsecond", "-lone"}), "0a11");
  EXPECT_EQ(links.link({"a.o", "-L", "second", "-L", "first", "-l", "one"}),
            "0a22");
  EXPECT_EQ(links.link({"a.o", "--library-path=first", "-L", "second",
                        "--library=two"}),
            "0a33");
}

// As in GNU ld, a -L behind its -l counts too.
TEST(LibrarySearch, OptionOrderDoesNotMatter) {
  Links links;
  EXPECT_EQ(links.link({"a.o", "-lone", "-Lfirst"}), "0a11");
}

TEST(LibrarySearch, ByFileName) {
  Links links;
  EXPECT_EQ(links.link({"a.o", "-Lfirst", "-Lsecond", "-l:odd.lib"}), "0a44");
}

TEST(LibrarySearch, BelowTheSysroot) {
  Links links;
  EXPECT_EQ(links.link({"--sysroot=sys", "-L=/usr/lib", "a.o", "-lroot"}),
            "0a55");
  EXPECT_EQ(
      links.link({"--sysroot=sys", "-L$SYSROOT/usr/lib", "a.o", "-lroot"}),
      "0a55");
}

TEST(LibrarySearch, NotFound) {
  Links links;
  expectFailure(
      links.harness.link(
          {"-e", "0", "a.o", "-Lfirst", "-lnothing", "-l:none.a"}),
      "xlink: error: unable to find library -lnothing\n"
      ">>> searched: first\n"
      "xlink: error: unable to find library -l:none.a\n"
      ">>> searched: first\n"
      "xlink: warning: undefined symbols are not reported, since not all "
      "inputs could be read\n");
  links.harness.file("first/libnothing.so", StringRef("x"));
  expectFailure(links.harness.link({"-e", "0", "a.o", "-Lfirst", "-lnothing"}),
                "xlink: error: unable to find library -lnothing\n"
                ">>> searched: first\n"
                ">>> first/libnothing.so is a shared library, which no machine "
                "here can load\n"
                "xlink: warning: undefined symbols are not reported, since not "
                "all inputs could be read\n");
}

TEST(LibrarySearch, FilesAreNotSearched) {
  Links links;
  expectFailure(
      links.harness.link({"-e", "0", "a.o", "-Lfirst", "libone.a"}),
      "xlink: error: cannot open libone.a: No such file or "
      "directory\n"
      "xlink: warning: undefined symbols are not reported, since not all "
      "inputs could be read\n");
}

TEST(LibrarySearch, ResponseFile) {
  Links links;
  links.harness.file("args", StringRef("-L first\n'a.o'   -lone\n"));
  links.harness.file("outer", StringRef("@args -u a"));
  EXPECT_EQ(links.link({"@args"}), "0a11");
  EXPECT_EQ(links.link({"@outer"}), "0a11");
  expectFailure(links.harness.link({"@missing"}),
                "xlink: error: cannot open @missing: No such file or "
                "directory\n");
}

// A script among the inputs may bring files and directories.
TEST(LibrarySearch, InputScript) {
  Links links;
  links.harness.file("libone.ld",
                     StringRef("SEARCH_DIR(second)\nINPUT(a.o -lone)\n"));
  EXPECT_EQ(links.link({"libone.ld"}), "0a22");
}

TEST(LibrarySearch, NothingToLink) {
  expectFailure(LinkHarness().link({}), "xlink: error: no input files\n");
  LinkHarness empty;
  empty.file("lib.a", makeArchive({}, ArchiveFormat::Gnu, false));
  expectFailure(empty.link({"lib.a"}),
                "xlink: error: no input object says which machine to link "
                "for\n>>> use -m NAME\n");
  expectFailure(LinkHarness().link({"-m", "nyuzi"}),
                "xlink: error: no input files\n");
}

} // namespace
} // namespace xlink::test
