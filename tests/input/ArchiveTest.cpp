//===- ArchiveTest.cpp - the dialects of archives -------------------------===//
#include "Reading.h"

using namespace xlink;
using namespace xlink::test;

static Bytes defining(const char *name) {
  return machineObject("nyuzi", std::string("Symbols:\n  - Name: ") + name +
                                    "\n    Binding: STB_GLOBAL\n    Index: "
                                    "SHN_ABS\n");
}
static Bytes odd(Bytes bytes) {
  if (bytes.size() % 2 == 0)
    bytes.push_back(0);
  return bytes;
}

/// Three members: a short name, one of 16 characters, one that is long.
static std::vector<MemberSpec> threeMembers() {
  return {{"a.o", odd(defining("alpha"))},
          {"sixteen_chars_.o", defining("beta")},
          {"a_rather_long_member_name.o", odd(defining("gamma"))}};
}

static void expectThree(const ReadArchive &r, bool hasIndex) {
  ASSERT_TRUE(r.archive) << testing::PrintToString(r.errors);
  std::vector<MemberSpec> members = threeMembers();
  ASSERT_EQ(r.archive->members.size(), 3u);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(r.archive->members[i].name, members[i].name);
    EXPECT_EQ(r.archive->members[i].size, members[i].data.size());
    if (!r.archive->thin) {
      EXPECT_TRUE(r.archive->members[i].data ==
                  llvm::ArrayRef<uint8_t>(members[i].data));
    }
  }
  EXPECT_EQ(r.archive->hasIndex, hasIndex);
  ASSERT_EQ(r.archive->symbols.size(), hasIndex ? 3u : 0u);
  const char *names[] = {"alpha", "beta", "gamma"};
  for (size_t i = 0; hasIndex && i < 3; ++i) {
    EXPECT_EQ(r.archive->symbols[i].name(), names[i]);
    EXPECT_EQ(r.archive->symbols[i].member, i);
  }
}

TEST(Archive, AllFormatsWithAndWithoutIndex) {
  for (ArchiveFormat format :
       {ArchiveFormat::Gnu, ArchiveFormat::Gnu64, ArchiveFormat::Bsd,
        ArchiveFormat::Bsd64, ArchiveFormat::Thin})
    for (bool index : {true, false}) {
      SCOPED_TRACE(testing::Message() << "format " << int(format));
      ReadArchive r = readArchive(makeArchive(threeMembers(), format, index));
      expectThree(r, index);
      EXPECT_EQ(r.archive->thin, format == ArchiveFormat::Thin);
    }
}

TEST(Archive, Empty) {
  ReadArchive r = readArchive(makeArchive({}, ArchiveFormat::Gnu, false));
  ASSERT_TRUE(r.archive);
  EXPECT_TRUE(r.archive->members.empty());
  EXPECT_FALSE(r.archive->hasIndex);
}

TEST(Archive, AnIndexWithoutSymbolsIsNone) {
  // What an ar writes that does not know the machine.
  Bytes text = {'h', 'i'};
  ReadArchive r = readArchive(makeArchive({{"a.txt", text}}));
  ASSERT_TRUE(r.archive);
  EXPECT_FALSE(r.archive->hasIndex);
  EXPECT_EQ(r.archive->members.size(), 1u);
}

TEST(Archive, MembersNeedNotBePadded) {
  // Two members of odd size, one right behind the other.
  std::string s = "!<arch>\n";
  for (const char *name : {"a.o/", "b.o/"}) {
    std::string header(60, ' ');
    header.replace(0, 4, name);
    header.replace(48, 1, "3");
    header.replace(58, 2, "`\n");
    s += header + "xyz";
  }
  ReadArchive r = readArchive(Bytes(s.begin(), s.end()));
  ASSERT_TRUE(r.archive) << testing::PrintToString(r.errors);
  ASSERT_EQ(r.archive->members.size(), 2u);
  EXPECT_EQ(r.archive->members[1].name, "b.o");
  EXPECT_EQ(r.archive->members[1].offset, 8u + 63u);
}

TEST(Archive, SortedBsdIndex) {
  Bytes bytes = makeArchive(threeMembers(), ArchiveFormat::Bsd);
  std::string name = "__.SYMDEF SORTED";
  std::copy(name.begin(), name.end(), bytes.begin() + 8);
  expectThree(readArchive(bytes), true);
}

TEST(Archive, BsdNamesArePaddedWithNul) {
  std::vector<MemberSpec> members = {
      {std::string("a.o\0\0\0\0\0", 8), defining("alpha")}};
  ReadArchive r = readArchive(makeArchive(members, ArchiveFormat::Bsd, false));
  ASSERT_TRUE(r.archive);
  EXPECT_EQ(r.archive->members[0].name, "a.o");
  EXPECT_EQ(r.archive->members[0].size, members[0].data.size());
}

TEST(Archive, ThinMembersAreFilesBesideTheArchive) {
  Bytes bytes = makeArchive({{"sub/a.o", {}}, {"/abs/b.o", {}}},
                            ArchiveFormat::Thin, false);
  ReadArchive r = readArchive(bytes, "dir/lib.a");
  ASSERT_TRUE(r.archive) << testing::PrintToString(r.errors);
  EXPECT_EQ(r.archive->members[0].name, "sub/a.o");
  EXPECT_EQ(r.archive->members[0].thinPath, "dir/sub/a.o");
  EXPECT_EQ(r.archive->members[1].thinPath, "/abs/b.o");
  r = readArchive(bytes, "lib.a");
  EXPECT_EQ(r.archive->members[0].thinPath, "sub/a.o");
}

TEST(Archive, ManyMembersAndSymbols) {
  Bytes object = defining("alpha");
  std::vector<MemberSpec> members;
  for (int i = 0; i < 20000; ++i)
    members.push_back({"member_number_" + std::to_string(i) + ".o", object});
  ReadArchive r = readArchive(makeArchive(members));
  ASSERT_TRUE(r.archive);
  EXPECT_EQ(r.archive->members.size(), 20000u);
  EXPECT_EQ(r.archive->symbols.back().member, 19999u);
}
