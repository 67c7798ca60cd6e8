//===- DependencyFileTest.cpp - --dependency-file -------------------------===//
#include "link/Linking.h"

namespace xlink::test {
namespace {

Bytes defines(const char *name) {
  return nyuzi(std::string("Symbols:\n  - { Name: ") + name +
               ", Index: SHN_ABS, Binding: STB_GLOBAL }\n");
}
Bytes refers(const char *name) {
  return nyuzi(std::string("Symbols:\n  - { Name: ") + name +
               ", Binding: STB_GLOBAL }\n");
}

std::string rule(const Linked &linked) {
  auto it = linked.files.find("out.d");
  EXPECT_EQ(linked.errors, "");
  return it == linked.files.end()
             ? "none"
             : std::string(it->second.begin(), it->second.end());
}

TEST(DependencyFile, EveryFileOnce) {
  LinkHarness links;
  links.file("a.o", refers("x"))
      .file("dir/libx.a", makeArchive({{"m.o", defines("x")}}));
  links.file("s.ld", "INCLUDE part.ld").file("part.ld", "SECTIONS { }");
  EXPECT_EQ(rule(links.link({"-e", "0", "a.o", "-Ldir", "-lx", "-lx", "-T",
                             "s.ld", "--dependency-file=out.d"})),
            "out: \\\n"
            "  a.o \\\n"
            "  dir/libx.a \\\n"
            "  part.ld \\\n"
            "  s.ld\n"
            "\n"
            "a.o:\n"
            "\n"
            "dir/libx.a:\n"
            "\n"
            "part.ld:\n"
            "\n"
            "s.ld:\n");
}

TEST(DependencyFile, MembersOfThinArchives) {
  LinkHarness links;
  links.file("a.o", refers("x"))
      .file("x.o", defines("x"))
      .file("y.o", defines("y"))
      .file("thin.a",
            makeArchive({{"x.o", defines("x")}, {"y.o", defines("y")}},
                        ArchiveFormat::Thin));
  EXPECT_EQ(
      rule(links.link({"-e", "0", "a.o", "thin.a", "--dependency-file=out.d"})),
      "out: \\\n  a.o \\\n  thin.a \\\n  x.o\n\na.o:\n\nthin.a:\n\n"
      "x.o:\n");
  EXPECT_EQ(rule(links.link({"-e", "0", "--whole-archive", "thin.a",
                             "--dependency-file=out.d"})),
            "out: \\\n  thin.a \\\n  x.o \\\n  y.o\n\nthin.a:\n\nx.o:\n\n"
            "y.o:\n");
}

TEST(DependencyFile, Escapes) {
  LinkHarness links;
  links.file("a b.o", defines("a"))
      .file("c#d.o", defines("c"))
      .file("e$f.o", defines("e"))
      .file("g\\ h\\i.o", defines("g"));
  EXPECT_EQ(rule(links.link({"-e", "0", "a b.o", "c#d.o", "e$f.o", "g\\ h\\i.o",
                             "--dependency-file", "out.d"})),
            "out: \\\n"
            "  a\\ b.o \\\n"
            "  c\\#d.o \\\n"
            "  e$$f.o \\\n"
            "  g\\\\\\ h\\i.o\n"
            "\n"
            "a\\ b.o:\n"
            "\n"
            "c\\#d.o:\n"
            "\n"
            "e$$f.o:\n"
            "\n"
            "g\\\\\\ h\\i.o:\n");
}

TEST(DependencyFile, OnlyOfASuccess) {
  LinkHarness links;
  links.file("a.o", refers("x"));
  expectFailure(links.link({"-e", "0", "a.o", "--require-defined=x",
                            "--dependency-file=out.d"}),
                "xlink: error: required symbol not defined: x\n");
}

} // namespace
} // namespace xlink::test
