//===- ArchiveTest.cpp - members join when they are needed ----------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A member `name` whose section holds the byte `mark` and which needs `needs`.
Bytes member(StringRef name, StringRef mark, std::vector<std::string> needs,
             StringRef binding = "STB_GLOBAL") {
  std::string relocations, undefined;
  for (size_t i = 0; i < needs.size(); ++i) {
    relocations += "      - { Offset: " + std::to_string(4 * i) +
                   ", Symbol: " + needs[i] + ", Type: 1 }\n";
    undefined +=
        "  - { Name: " + needs[i] + ", Binding: " + binding.str() + " }\n";
  }
  return nyuzi((R"(
Sections:
  - { Name: .rodata, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: ')" +
                mark + R"(' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: )" +
                std::to_string(4 * needs.size()) + R"( }
  - Name: .rela.data
    Type: SHT_RELA
    Info: .data
    Relocations:
)" + (relocations.empty() ? "      []\n" : relocations) +
                R"(Symbols:
  - { Name: )" + name +
                ", Section: .rodata, Binding: STB_GLOBAL }\n" + undefined)
                   .str());
}

/// Links and shows which members joined, in which order: their marks.
std::string marks(const LinkHarness &links, std::vector<std::string> files) {
  files.insert(files.begin(), {"-e", "0"});
  return bytesOf(quiet(links.link(files)), ".rodata");
}

TEST(Archive, OnlyWhatIsNeeded) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {"one"}));
  links.file("lib.a", makeArchive({{"two.o", member("two", "02", {})},
                                   {"one.o", member("one", "01", {})},
                                   {"three.o", member("three", "03", {})}}));
  EXPECT_EQ(marks(links, {"a.o", "lib.a"}), "0a01");
}

// Depth first: what a member needs follows the member at once.
TEST(Archive, ExtractionOrder) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {"one", "two"}));
  links.file("lib.a", makeArchive({{"three.o", member("three", "03", {})},
                                   {"two.o", member("two", "02", {})},
                                   {"one.o", member("one", "01", {"three"})}}));
  // The archive stands first: references meet its offers one by one.
  EXPECT_EQ(marks(links, {"lib.a", "a.o"}), "0a010302");
  // The archive stands last: its index is walked in order.
  EXPECT_EQ(marks(links, {"a.o", "lib.a"}), "0a020103");
}

// The DPU driver has the library before the start-up object that needs it.
TEST(Archive, AvailableToLaterInputs) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {}));
  links.file("crt0.o", member("start", "0c", {"one"}));
  links.file("lib.a", makeArchive({{"one.o", member("one", "01", {})}}));
  EXPECT_EQ(marks(links, {"a.o", "lib.a", "crt0.o"}), "0a0c01");
}

TEST(Archive, ArchivesThatNeedEachOther) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {"one"}));
  links.file("x.a", makeArchive({{"one.o", member("one", "01", {"two"})},
                                 {"three.o", member("three", "03", {})}}));
  links.file("y.a", makeArchive({{"two.o", member("two", "02", {"three"})}}));
  EXPECT_EQ(marks(links, {"a.o", "x.a", "y.a"}), "0a010203");
  EXPECT_EQ(marks(links, {"y.a", "x.a", "a.o"}), "0a010203");
  EXPECT_EQ(marks(links, {"--start-group", "x.a", "y.a", "--end-group", "a.o"}),
            "0a010203");
  EXPECT_EQ(marks(links, {"-(", "x.a", "y.a", "-)", "a.o"}), "0a010203");
}

// Two archives offer a name: the first on the command line serves.
TEST(Archive, FirstOfferServes) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {"one"}));
  links.file("x.a", makeArchive({{"one.o", member("one", "11", {})}}));
  links.file("y.a", makeArchive({{"one.o", member("one", "22", {})}}));
  EXPECT_EQ(marks(links, {"a.o", "x.a", "y.a"}), "0a11");
  EXPECT_EQ(marks(links, {"a.o", "y.a", "x.a"}), "0a22");
  EXPECT_EQ(marks(links, {"y.a", "x.a", "a.o"}), "0a22");
}

TEST(Archive, ADefinitionInAnObjectServesFirst) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {"one"}));
  links.file("b.o", member("one", "0b", {}));
  links.file("lib.a", makeArchive({{"one.o", member("one", "01", {})}}));
  EXPECT_EQ(marks(links, {"b.o", "lib.a", "a.o"}), "0b0a");
}

TEST(Archive, WeakReferencePullsNothing) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {"one"}, "STB_WEAK"));
  links.file("b.o", member("b", "0b", {"one"}));
  links.file("lib.a", makeArchive({{"one.o", member("one", "01", {})}}));
  EXPECT_EQ(marks(links, {"a.o", "lib.a"}), "0a");
  EXPECT_EQ(marks(links, {"lib.a", "a.o"}), "0a");
  // A strong reference elsewhere does, for the weak one too.
  EXPECT_EQ(marks(links, {"lib.a", "a.o", "b.o"}), "0a0b01");
}

TEST(Archive, EveryFormat) {
  std::vector<MemberSpec> members = {
      {"a_name_longer_than_fifteen.o", member("two", "02", {})},
      {"one.o", member("one", "01", {"two"})}};
  struct {
    const char *what;
    ArchiveFormat format;
    bool index;
  } formats[] = {{"GNU", ArchiveFormat::Gnu, true},
                 {"GNU, 64-bit index", ArchiveFormat::Gnu64, true},
                 {"GNU, no index", ArchiveFormat::Gnu, false},
                 {"BSD", ArchiveFormat::Bsd, true},
                 {"BSD, 64-bit index", ArchiveFormat::Bsd64, true},
                 {"BSD, no index", ArchiveFormat::Bsd, false},
                 {"thin", ArchiveFormat::Thin, true},
                 {"thin, no index", ArchiveFormat::Thin, false}};
  for (const auto &f : formats) {
    LinkHarness links;
    links.file("a.o", member("a", "0a", {"one"}));
    links.file("dir/lib.a", makeArchive(members, f.format, f.index));
    // A thin archive's paths start at its own directory.
    if (f.format == ArchiveFormat::Thin)
      for (const MemberSpec &m : members)
        links.file("dir/" + m.name, m.data);
    EXPECT_EQ(marks(links, {"a.o", "dir/lib.a"}), "0a0102") << f.what;
  }
}

TEST(Archive, MissingMemberOfAThinArchive) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {"one"}));
  links.file("lib.a", makeArchive({{"gone.o", member("one", "01", {})}},
                                  ArchiveFormat::Thin));
  expectFailure(
      links.link({"-e", "0", "a.o", "lib.a"}),
      "xlink: error: lib.a: cannot open member gone.o: No such file "
      "or directory\n"
      "xlink: warning: undefined symbols are not reported, since not all "
      "inputs could be read\n");
}

TEST(Archive, MemberOfAnotherMachine) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {"one"}));
  Bytes foreign = member("one", "01", {});
  setMachine(foreign, 245);
  links.file("lib.a", makeArchive({{"one.o", foreign}}));
  Linked linked = links.link({"-e", "0", "a.o", "lib.a"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(
      StringRef(linked.errors).starts_with("xlink: error: lib.a(one.o): "))
      << linked.errors;
  EXPECT_TRUE(linked.files.empty());
  // Nothing needs it, nothing is wrong.
  links.file("b.o", member("b", "0b", {}));
  EXPECT_EQ(marks(links, {"b.o", "lib.a"}), "0b");
}

TEST(Archive, WhatIsNoObjectIsPassedOver) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {"one"}));
  Bytes text = {'h', 'e', 'l', 'l', 'o', '\n'};
  links.file("lib.a",
             makeArchive({{"README", text}, {"one.o", member("one", "01", {})}},
                         ArchiveFormat::Gnu, false));
  OutFile out = warned(links.link({"-e", "0", "a.o", "lib.a"}),
                       "xlink: warning: lib.a(README): passed over: not an "
                       "ELF object\n");
  EXPECT_EQ(bytesOf(out, ".rodata"), "0a01");
}

TEST(Archive, Empty) {
  LinkHarness links;
  links.file("a.o", member("a", "0a", {}));
  links.file("lib.a", StringRef("!<arch>\n"));
  EXPECT_EQ(marks(links, {"a.o", "lib.a"}), "0a");
  // Nothing in it says which machine is meant.
  expectFailure(links.link({"lib.a"}),
                "xlink: error: no input object says which machine to link "
                "for\n>>> use -m NAME\n");
}

// The machine may be known from an archive alone.
TEST(Archive, DecidesTheMachine) {
  LinkHarness links;
  links.file("lib.a", makeArchive({{"one.o", member("one", "01", {})}}));
  OutFile out = quiet(links.link({"-e", "0", "-u", "one", "lib.a"}));
  EXPECT_EQ(out.machine, 9999u);
  EXPECT_EQ(bytesOf(out, ".rodata"), "01");
}

} // namespace
} // namespace xlink::test
