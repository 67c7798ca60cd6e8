//===- GoldenTest.cpp - whole links against stored outputs ----------------===//
//
// testdata/golden/NAME holds a small program of one machine:
//
//   OBJECT.yaml     becomes OBJECT.o; a line "# e_flags: 0x21" sets e_flags
//   LIBRARY.members becomes LIBRARY.a, one member a line; "format: bsd" first
//                   makes BSD names and no index
//   command         the link's arguments, one a line; a path that begins with
//                   objects/ is a file of testdata
//   out.elf         what the link must write, byte for byte
//   out.dump        the same as text, for the eye and for reviews
//   expect.tsv      what the machine's documents say, written by hand
//
// Equal bytes are one half: tools/check-golden compares out.elf with
// expect.tsv, with arithmetic of its own, and is run here as well.
//
// XLINK_REGENERATE_GOLDENS=1 writes out.elf instead (tools/regenerate-goldens).
//
//===----------------------------------------------------------------------===//
#include "link/Goldens.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

void write(const std::string &path, const Bytes &bytes) {
  std::error_code error;
  raw_fd_ostream out(path, error);
  ASSERT_FALSE(error) << path << ": " << error.message();
  out.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

class Goldens : public testing::TestWithParam<std::string> {};

TEST_P(Goldens, ByteForByte) {
  Golden golden(GetParam());
  Linked linked = golden.harness.link(golden.arguments);
  ASSERT_EQ(linked.status, 0) << linked.errors;
  EXPECT_EQ(linked.errors, "");
  const std::string path = golden.directory + "/out.elf";
  if (std::getenv("XLINK_REGENERATE_GOLDENS")) {
    write(path, linked.image());
    return;
  }
  const Bytes expected = readTestFile(path);
  const Bytes &image = linked.image();
  size_t at = std::mismatch(image.begin(), image.end(), expected.begin(),
                            expected.end())
                  .first -
              image.begin();
  EXPECT_TRUE(image == expected)
      << image.size() << " bytes instead of " << expected.size()
      << ", the first difference at offset 0x" << utohexstr(at, true) << "\n"
      << "If the change is meant: tools/regenerate-goldens BUILD, then look at "
         "the changes of out.dump.";
}

TEST_P(Goldens, SameBytesForAnyNumberOfThreads) {
  Golden golden(GetParam());
  std::vector<std::string> one = golden.arguments, many = golden.arguments;
  one.push_back("--threads=1");
  many.push_back("--threads=7");
  Linked first = golden.harness.link(one), second = golden.harness.link(many);
  ASSERT_EQ(first.status, 0) << first.errors;
  EXPECT_TRUE(first.image() == second.image());
}

INSTANTIATE_TEST_SUITE_P(Links, Goldens, testing::ValuesIn(goldens()),
                         [](const auto &info) {
                           return goldenTestName(info.param);
                         });

TEST(GoldenCheck, OutputsAgreeWithTheMachinesDocuments) {
  ASSERT_GE(goldens().size(), 5u);
  auto python = sys::findProgramByName("python3");
  ASSERT_TRUE(python) << "python3: " << python.getError().message();
  if (std::getenv("XLINK_REGENERATE_GOLDENS"))
    GTEST_SKIP() << "outputs are just being written";
  std::string command = "'" + *python + "' '" + XLINK_SOURCE_DIR +
                        "/tools/check-golden' --self-test 2>&1";
  FILE *pipe = popen(command.c_str(), "r");
  ASSERT_TRUE(pipe);
  std::string text;
  char buffer[4096];
  while (size_t size = fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, size);
  EXPECT_EQ(pclose(pipe), 0) << text;
}

} // namespace
} // namespace xlink::test
