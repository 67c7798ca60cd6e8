//===- ArchiveErrorTest.cpp - damaged archives ----------------------------===//
#include "Reading.h"

using namespace xlink;
using namespace xlink::test;

static std::string header(std::string name, std::string size,
                          std::string end = "`\n") {
  name.resize(48, ' ');
  size.resize(10, ' ');
  return name + size + end;
}
static std::vector<std::string> archiveErrors(const std::string &s) {
  return readArchive(Bytes(s.begin(), s.end())).errors;
}
static const std::string kMagic = "!<arch>\n";
static std::string big(uint32_t v) {
  return {char(v >> 24), char(v >> 16), char(v >> 8), char(v)};
}
static std::string little(uint32_t v) {
  return {char(v), char(v >> 8), char(v >> 16), char(v >> 24)};
}

TEST(ArchiveError, Magic) {
  EXPECT_THAT(archiveErrors("!<arch>"),
              ElementsAre("lib.a: no archive: it does not begin with '!<arch>' "
                          "or '!<thin>'"));
}

TEST(ArchiveError, Headers) {
  EXPECT_THAT(archiveErrors(kMagic + "rest"),
              ElementsAre("lib.a: member header at offset 0x8: the file ends "
                          "after 0x4 of 0x3c bytes"));
  EXPECT_THAT(archiveErrors(kMagic + header("a.o/", "2", "xx") + "hi"),
              ElementsAre("lib.a: member header at offset 0x8: does not end in "
                          "a backquote and a newline"));
  EXPECT_THAT(archiveErrors(kMagic + header("a.o/", "2", "`\n") + "hi" +
                            header("b.o/", "0x12")),
              ElementsAre("lib.a: member header at offset 0x46: size '0x12' is "
                          "not a number"));
  EXPECT_THAT(archiveErrors(kMagic + header("a.o/", "")),
              ElementsAre("lib.a: member header at offset 0x8: size '' is not "
                          "a number"));
  EXPECT_THAT(archiveErrors(kMagic + header("/", "0") + header("", "0")),
              testing::Contains("lib.a: member header at offset 0x44: the "
                                "member has no name"));
}

TEST(ArchiveError, TruncatedLastMember) {
  Bytes bytes = makeArchive({{"a.o", Bytes(100)}}, ArchiveFormat::Gnu, false);
  bytes.resize(bytes.size() - 1);
  EXPECT_THAT(readArchive(bytes).errors,
              ElementsAre("lib.a: member header at offset 0x8: size 0x64 is "
                          "beyond the end of the file (0xa7 bytes)"));
}

TEST(ArchiveError, LongNames) {
  EXPECT_THAT(
      archiveErrors(kMagic + header("/0", "0")),
      ElementsAre("lib.a: member header at offset 0x8: name '/0' refers "
                  "to a name table, but there is none before it"));
  std::string table = kMagic + header("//", "6") + "a.o/\nb";
  EXPECT_THAT(archiveErrors(table + header("/6", "0")),
              ElementsAre("lib.a: member header at offset 0x4a: name offset 6 "
                          "is beyond the end of the name table (0x6 bytes)"));
  EXPECT_THAT(archiveErrors(table + header("/5", "0")),
              ElementsAre("lib.a: member header at offset 0x4a: name at offset "
                          "5 of the name table has no end"));
  EXPECT_THAT(archiveErrors(table + header("/4", "0")),
              ElementsAre("lib.a: member header at offset 0x4a: name at offset "
                          "4 of the name table is empty"));
  EXPECT_THAT(archiveErrors(table + header("/x", "0")),
              ElementsAre("lib.a: member header at offset 0x4a: name '/x' is "
                          "not an offset into the name table"));
  EXPECT_THAT(archiveErrors(table + header("//", "0")),
              ElementsAre("lib.a: member header at offset 0x4a: a second name "
                          "table"));
}

TEST(ArchiveError, BsdNames) {
  EXPECT_THAT(
      archiveErrors(kMagic + header("#1/9", "8") + "12345678"),
      ElementsAre("lib.a: member header at offset 0x8: name length in "
                  "'#1/9' is not a number up to the member's size 0x8"));
}

TEST(ArchiveError, NestedThinArchives) {
  EXPECT_THAT(
      archiveErrors("!<thin>\n" + header("//", "8") + "inner.a\n" +
                    header("/0:68", "9")),
      ElementsAre("lib.a: member header at offset 0x4c: nested archives "
                  "in a thin archive are not supported"));
}

TEST(ArchiveError, GnuIndex) {
  auto index = [](const std::string &data) {
    return archiveErrors(kMagic + header("/", std::to_string(data.size())) +
                         data);
  };
  EXPECT_THAT(index("12"), ElementsAre("lib.a: symbol index at offset 0x8: its "
                                       "size 0x2 is too small for a count"));
  EXPECT_THAT(index(big(0xffffffff) + big(8)),
              ElementsAre("lib.a: symbol index at offset 0x8: its count of "
                          "4294967295 symbols is beyond the end of the index "
                          "(0x8 bytes)"));
  EXPECT_THAT(index(big(1) + big(8) + "f\0"),
              ElementsAre("lib.a: symbol index at offset 0x8: the name of "
                          "symbol 0 is beyond the end of the index"));
  // Its own header is no member; nor is the middle of one.
  EXPECT_THAT(index(big(1) + big(8) + std::string("f\0", 2)),
              ElementsAre("lib.a: symbol index at offset 0x8: symbol 0 (f): "
                          "offset 0x8 is not that of a member header"));
  std::string data = big(1) + big(8 + 60 + 10 + 1) + std::string("f\0", 2);
  EXPECT_THAT(
      archiveErrors(kMagic + header("/", "10") + data + header("a.o/", "0")),
      ElementsAre("lib.a: symbol index at offset 0x8: symbol 0 (f): "
                  "offset 0x4f is not that of a member header"));
}

TEST(ArchiveError, BsdIndex) {
  auto index = [](const std::string &data) {
    return archiveErrors(
        kMagic + header("__.SYMDEF", std::to_string(data.size())) + data);
  };
  EXPECT_THAT(index("1234"),
              ElementsAre("lib.a: symbol index at offset 0x8: its size 0x4 is "
                          "too small for the sizes of its tables"));
  EXPECT_THAT(index(little(8) + little(0)),
              ElementsAre("lib.a: symbol index at offset 0x8: its table of "
                          "symbols has 0x8 bytes, in an index of 0x8 bytes"));
  EXPECT_THAT(index(little(4) + little(0) + little(0)),
              ElementsAre("lib.a: symbol index at offset 0x8: its table of "
                          "symbols has 0x4 bytes, in an index of 0xc bytes"));
  EXPECT_THAT(index(little(0) + little(0xffffffff)),
              ElementsAre("lib.a: symbol index at offset 0x8: its string table "
                          "has 0xffffffff bytes, in an index of 0x8 bytes"));
  EXPECT_THAT(index(little(0) + little(2) + "ab"),
              ElementsAre("lib.a: symbol index at offset 0x8: its string table "
                          "does not end in NUL"));
  EXPECT_THAT(index(little(8) + little(9) + little(8) + little(2) +
                    std::string("f\0", 2)),
              ElementsAre("lib.a: symbol index at offset 0x8: symbol 0: name "
                          "offset 0x9 is beyond the end of its string table "
                          "(0x2 bytes)"));
}

TEST(ArchiveError, TwoIndices) {
  EXPECT_THAT(
      archiveErrors(kMagic + header("/", "4") + big(0) +
                    header("/SYM64/", "8") + big(0) + big(0)),
      ElementsAre("lib.a: member header at offset 0x48: a second symbol "
                  "index; the first is at offset 0x8"));
}

TEST(ArchiveError, EveryBadNameIsReportedUpToALimit) {
  std::string s = kMagic;
  for (int i = 0; i < 50; ++i)
    s += header("/7", "0");
  std::vector<std::string> errors = archiveErrors(s);
  ASSERT_EQ(errors.size(), 11u);
  EXPECT_EQ(errors.back(), "lib.a: further errors in this file are not shown");
}
