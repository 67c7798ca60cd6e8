//===- ToolTest.cpp - the executable beside the library -------------------===//
//
// tool.test has its status, streams and files.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"
#include <sys/stat.h>

using namespace llvm;

namespace xlink::test {
namespace {

Bytes program() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)");
}

TEST(Tool, SameBytesAsTheLibrary) {
  TemporaryDirectory directory;
  directory.write("a.o", program());
  ToolRun run = runTool(directory, {"-o", "out", "a.o"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.messages, "");
  Bytes expected = LinkHarness().file("a.o", program()).link({"a.o"}).image();
  EXPECT_TRUE(directory.read("out") ==
              std::string(expected.begin(), expected.end()));
  struct stat st;
  ASSERT_EQ(stat(directory.path("out").c_str(), &st), 0);
  EXPECT_TRUE(st.st_mode & S_IXUSR) << "an executable";
}

} // namespace
} // namespace xlink::test
