//===- DependencyTest.cpp - --dependency-file on values -------------------===//
#include "report/Reports.h"
#include "support/HandMade.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

std::string textOf(std::vector<std::string> files,
                   std::vector<std::string> further = {},
                   std::string output = "out") {
  HandMade made;
  made.program.output.path = output;
  for (const std::string &path : files)
    made.program.readFiles.push_back({ReadFile::Input, path, {}});
  return dependencyText(made.program, further);
}

// One rule, and an empty one for each file, so that make does not mind one that
// is gone.
TEST(DependencyFile, Rules) {
  EXPECT_EQ(textOf({"a.o", "dir/b.o"}), "out: \\\n"
                                        "  a.o \\\n"
                                        "  dir/b.o\n"
                                        "\n"
                                        "a.o:\n"
                                        "\n"
                                        "dir/b.o:\n");
}

TEST(DependencyFile, EachFileOnce) {
  EXPECT_EQ(textOf({"a.o", "b.o", "a.o"}, {"b.o", "c.bin"}),
            "out: \\\n  a.o \\\n  b.o \\\n  c.bin\n\na.o:\n\nb.o:\n\nc.bin:\n");
}

TEST(DependencyFile, NoFiles) { EXPECT_EQ(textOf({}), "out:\n"); }

/// How a name is written.
std::string written(std::string name) {
  const std::string text = textOf({}, {}, name);
  return text.substr(0, text.size() - 2);
}

// Make's rules: a dollar sign is two; a space or hash sign needs a backslash,
// and the backslashes in front of it one each.
TEST(DependencyFile, Names) {
  EXPECT_EQ(written("a b"), "a\\ b");
  EXPECT_EQ(written("a#b"), "a\\#b");
  EXPECT_EQ(written("$a"), "$$a");
  EXPECT_EQ(written("a\\b"), "a\\b");
  EXPECT_EQ(written("a\\ b"), "a\\\\\\ b");
  EXPECT_EQ(written("a\\\\#"), "a\\\\\\\\\\#");
}

} // namespace
