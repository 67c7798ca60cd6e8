//===- DiagnosticsFormatTest.cpp - what the tool prints of messages -------===//
//
// The tool adds to what a link reports: the line of a script, the option that
// switches a warning off, and the form that --diagnostics-format asks for.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes object() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '00000000' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)");
}

/// What the tool says of a program and this script.
std::string messages(StringRef script, std::vector<std::string> options = {}) {
  const TemporaryDirectory directory;
  directory.write("a.o", object());
  directory.write("a.ld", script.str());
  options.insert(options.end(), {"-T", "a.ld", "a.o", "-o", "out"});
  const ToolRun run = runTool(directory, options);
  EXPECT_EQ(directory.exists("out"), run.status == 0);
  return run.messages;
}

constexpr const char *kUndeclared = "MEMORY { rom : ORIGIN = 0, LENGTH = 1K\n"
                                    "  sram : ORIGIN = 4K, LENGTH = 1K }\n"
                                    "SECTIONS {\n"
                                    "  .text : { *(.text) } > srma\n"
                                    "}\n";

TEST(DiagnosticsFormat, RegionThatIsNotDeclared) {
  EXPECT_EQ(
      messages(kUndeclared),
      "xlink: error: a.ld:4:26: memory region 'srma' is not declared; did "
      "you mean 'sram'?\n"
      ">>>   .text : { *(.text) } > srma\n"
      ">>>                          ^\n");
  EXPECT_EQ(messages(kUndeclared, {"--diagnostics-format=gcc"}),
            "a.ld:4:26: error: memory region 'srma' is not declared; did you "
            "mean 'sram'?\n"
            "    .text : { *(.text) } > srma\n"
            "                           ^\n");
  EXPECT_EQ(messages(kUndeclared, {"--diagnostics-format=json"}),
            R"({"version":1,"severity":"error","text":)"
            R"("a.ld:4:26: memory region 'srma' is not declared; did you mean )"
            R"('sram'?","file":"a.ld","line":4,"column":26,"excerpt":)"
            R"(["  .text : { *(.text) } > srma",)"
            R"("                         ^"],"notes":[]})"
            "\n");
}

// Syntax errors have had their line all along, and get no second one.
TEST(DiagnosticsFormat, SyntaxError) {
  EXPECT_EQ(messages("SECTIONS { .text : { *(.text) }\n  x = 4 +; }\n"),
            "xlink: error: a.ld:2:10: expected an expression but found ';'\n"
            ">>>   x = 4 +; }\n"
            ">>>          ^\n");
}

TEST(DiagnosticsFormat, LinesOfIncludedScripts) {
  const TemporaryDirectory directory;
  directory.write("a.o", object());
  directory.write("inc.ld", std::string("\n  ASSERT(0, \"no\")\n"));
  directory.write("a.ld", std::string("INCLUDE inc.ld\n"));
  const ToolRun run = runTool(directory, {"-T", "a.ld", "a.o"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages, "xlink: error: inc.ld:2:3: assertion failed: no\n"
                          ">>>   ASSERT(0, \"no\")\n"
                          ">>>   ^\n");
}

TEST(DiagnosticsFormat, LongLines) {
  const std::string blanks(300, ' ');
  EXPECT_EQ(messages("SECTIONS { .text : { *(.text) } " + blanks +
                     "ASSERT(0, \"no\") }\n"),
            "xlink: error: a.ld:1:333: assertion failed: no\n>>> " +
                std::string(75, ' ') + "ASSERT(0, \"no\") }\n>>> " +
                std::string(75, ' ') + "^\n");
}

TEST(DiagnosticsFormat, WarningsNameTheirGroup) {
  const char *script = "SECTIONS { .text : { *(.text) } }\n";
  EXPECT_EQ(messages(script, {"-e", "none"}),
            "xlink: warning: cannot find entry symbol none; defaulting to 0x0 "
            "[--no-warn-entry]\n");
  EXPECT_EQ(messages(script, {"-e", "none", "--fatal-warnings"}),
            "xlink: error: cannot find entry symbol none; defaulting to 0x0 "
            "[--fatal-warnings, --no-warn-entry]\n");
  EXPECT_EQ(messages(script, {"-e", "none", "--no-warn-entry"}), "");
}

// The form is known from the command line on, even a bad one.
TEST(DiagnosticsFormat, BadCommandLine) {
  EXPECT_EQ(messages("", {"--threads=x", "--diagnostics-format=gcc"}),
            "xlink: error: option '--threads': 'x' is not a number of "
            "threads\n");
  EXPECT_EQ(messages("", {"--diagnostics-format=msvc"}),
            "xlink: error: option '--diagnostics-format': 'msvc' is none of "
            "text, json, gcc\n");
}

} // namespace
} // namespace xlink::test
