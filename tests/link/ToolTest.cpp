//===- ToolTest.cpp - the executable: status, streams, files --------------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace xlink::test {
namespace {

Bytes program(StringRef needs = "") {
  std::string text = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 8 }
)";
  if (!needs.empty())
    text += ("  - { Name: .rela.text, Type: SHT_RELA, Info: .text, "
             "Relocations: [ { Offset: 0, Symbol: " +
             needs + ", Type: 1 } ] }\n")
                .str();
  text += "Symbols:\n  - { Name: _start, Section: .text, Binding: STB_GLOBAL "
          "}\n";
  if (!needs.empty())
    text += ("  - { Name: " + needs + ", Binding: STB_GLOBAL }\n").str();
  return nyuzi(text);
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

TEST(Tool, DefaultOutputName) {
  TemporaryDirectory directory;
  directory.write("a.o", program());
  EXPECT_EQ(runTool(directory, {"a.o"}).status, 0);
  EXPECT_EQ(directory.list(), "a.o a.out");
}

TEST(Tool, AnErrorLeavesTheOldOutput) {
  TemporaryDirectory directory;
  directory.write("a.o", program("nowhere"));
  directory.write("out", std::string("precious"));
  ToolRun run = runTool(directory, {"-o", "out", "a.o"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages, "xlink: error: undefined symbol: nowhere\n"
                          ">>> referenced by a.o:(.text+0x0)\n");
  EXPECT_EQ(directory.read("out"), "precious");
  EXPECT_EQ(directory.list(), "a.o out") << "no temporary file stays";
}

TEST(Tool, AnErrorMakesNoOutput) {
  TemporaryDirectory directory;
  directory.write("a.o", program("nowhere"));
  EXPECT_EQ(runTool(directory, {"-o", "out", "a.o"}).status, 1);
  EXPECT_EQ(directory.list(), "a.o");
}

TEST(Tool, ReplacesTheOldOutput) {
  TemporaryDirectory directory;
  directory.write("a.o", program());
  directory.write("out", std::string("old"));
  EXPECT_EQ(runTool(directory, {"-o", "out", "a.o"}).status, 0);
  EXPECT_EQ(directory.read("out").substr(0, 4), "\x7f"
                                                "ELF");
  EXPECT_EQ(directory.list(), "a.o out");
}

TEST(Tool, OutputThatCannotBeOpened) {
  TemporaryDirectory directory;
  directory.write("a.o", program());
  ToolRun run = runTool(directory, {"-o", "missing/out", "a.o"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages, "xlink: error: cannot open output file missing/out: "
                          "No such file or directory\n");
  EXPECT_EQ(runTool(directory, {"-o", ".", "a.o"}).status, 1);
  EXPECT_EQ(directory.list(), "a.o");
}

TEST(Tool, DevNullStays) {
  TemporaryDirectory directory;
  directory.write("a.o", program());
  EXPECT_EQ(runTool(directory, {"-o", "/dev/null", "a.o"}).status, 0);
  struct stat st;
  ASSERT_EQ(stat("/dev/null", &st), 0);
  EXPECT_TRUE(S_ISCHR(st.st_mode));
}

// The input may be the output's old content.
TEST(Tool, InputThatCannotBeRead) {
  TemporaryDirectory directory;
  ToolRun run = runTool(directory, {"-m", "nyuzi", "gone.o"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages,
            "xlink: error: cannot open gone.o: No such file or directory\n");
  run = runTool(directory, {"-m", "nyuzi", "."});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(StringRef(run.messages)
                  .starts_with("xlink: error: cannot open "
                               ".: "))
      << run.messages;
}

TEST(Tool, SaysWhatItIs) {
  TemporaryDirectory directory;
  ToolRun run = runTool(directory, {"--version"});
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.messages.find(XLINK_VERSION), std::string::npos);
  // configure scripts look for this.
  EXPECT_NE(run.messages.find("GNU"), std::string::npos) << run.messages;
  run = runTool(directory, {"--help"});
  EXPECT_EQ(run.status, 0);
  EXPECT_NE(run.messages.find("--gc-sections"), std::string::npos);
  run = runTool(directory, {"--no-such-option"});
  EXPECT_EQ(run.status, 1);
  EXPECT_TRUE(StringRef(run.messages).starts_with("xlink: error: "))
      << run.messages;
}

// Colour is for terminals.
TEST(Tool, NoColourInFiles) {
  TemporaryDirectory directory;
  EXPECT_EQ(runTool(directory, {"gone.o"}).messages.find('\x1b'),
            std::string::npos);
  EXPECT_NE(runTool(directory, {"--color-diagnostics=always", "gone.o"})
                .messages.find("\x1b["),
            std::string::npos);
}

} // namespace
} // namespace xlink::test
