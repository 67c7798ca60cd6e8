//===- StackFilesTest.cpp - files that tell of stacks ---------------------===//
//
// Lines are as gcc 12 and clang 14 write them.
//
//===----------------------------------------------------------------------===//
#include "input/StackFiles.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

std::string messagesOf(const Diagnostics &diag) {
  std::string text;
  for (const Diagnostic &d : diag.all())
    text += Diagnostics::format(d, false);
  return text;
}

/// "main 48", "f 16+" where it may be more; calls as "main -> f", and "main ->
/// ? at a.c:1:2" through a pointer.
std::string notesText(const StackNotes &notes) {
  std::string text;
  for (const NotedFunction &f : notes.functions)
    text += f.name.str() + " " + std::to_string(*f.bytes) +
            (f.dynamic ? "+" : "") + "\n";
  for (const NotedCall &call : notes.calls)
    text += call.caller.str() + " -> " +
            (call.indirect ? "?" : call.callee.str()) +
            (call.place.empty() ? "" : " at " + call.place.str()) + "\n";
  return text;
}

/// The notes in `text`, and behind them the messages.
std::string usageFile(StringRef text) {
  StackNotes notes;
  notes.path = "a.su";
  Diagnostics diag;
  readStackUsageFile(text, notes, diag);
  EXPECT_FALSE(notes.hasCalls);
  return notesText(notes) + messagesOf(diag);
}
std::string graphFile(StringRef text) {
  StackNotes notes;
  notes.path = "a.ci";
  Diagnostics diag;
  readCallGraphFile(text, notes, diag);
  EXPECT_TRUE(notes.hasCalls);
  return notesText(notes) + messagesOf(diag);
}
std::string statedCalls(StringRef text) {
  Diagnostics diag;
  std::string result;
  for (const StatedCalls &calls : readStackCalls("calls", text, diag)) {
    result += calls.place + " " + calls.caller.str() + ":";
    for (StringRef callee : calls.callees)
      result += " <" + callee.str() + ">";
    result += "\n";
  }
  return result + messagesOf(diag);
}

TEST(StackUsageFile, Compilers) {
  EXPECT_EQ(usageFile("a.c:6:38:rec\t32\tstatic\n"
                      "a.c:5:dyn\t8\tdynamic\n"
                      "a.c:7:5:main\t144\tdynamic,bounded\n"
                      "a.c:8:5:all\t4\tbounded\r\n"),
            "rec 32\ndyn 8+\nmain 144\nall 4\n");
  EXPECT_EQ(usageFile("C:\\x\\b.cc:1:101:int ns::S::f(int, char)\t8\tstatic\n"
                      "b.cc:2:47:T ns::tt(T) [with T = int]\t8\tstatic\n"),
            "int ns::S::f(int, char) 8\nT ns::tt(T) [with T = int] 8\n");
  EXPECT_EQ(usageFile(""), "");
}

TEST(StackUsageFile, Malformed) {
  const char kExpected[] =
      ": expected FILE:LINE:FUNCTION, a number of bytes and a word, with tabs "
      "between them\n";
  EXPECT_EQ(usageFile("a.c:1:2:f\t1\tstatic\n"
                      "a.c:1:2:f 1 static\n"
                      "\n"
                      "a.c:f\t1\tstatic\n"
                      "a.c:1:2:f\t-1\tstatic\n"
                      "a.c:1:2:f\t99999999999999999999\tstatic\n"
                      "a.c:1:2:\t1\tstatic\n"
                      "a.c:1:2:g\t1\tlarge\n"),
            std::string("f 1\n") + "xlink: warning: a.su:2" + kExpected +
                "xlink: warning: a.su:4" + kExpected +
                "xlink: warning: a.su:5" + kExpected +
                "xlink: warning: a.su:6" + kExpected +
                "xlink: warning: a.su:7" + kExpected +
                "xlink: warning: a.su: 1 more line that cannot be read\n");
  EXPECT_EQ(usageFile("a.c:1:2:g\t1\tlarge\n"),
            "xlink: warning: a.su:1: 'large' is not static, dynamic or "
            "bounded\n");
}

TEST(CallGraphFile, Gcc) {
  EXPECT_EQ(graphFile(R"(graph: { title: "a.c"
node: { title: "a.c:rec" label: "rec\na.c:6:38\n32 bytes (static)\n0 dynamic objects" }
edge: { sourcename: "a.c:rec" targetname: "a.c:rec" label: "a.c:6:87" }
node: { title: "dyn" label: "dyn\na.c:5:31\n16 bytes (dynamic)\n1 dynamic objects" }
node: { title: "__indirect_call" label: "Indirect Call Placeholder" shape : ellipse }
edge: { sourcename: "dyn" targetname: "__indirect_call" label: "a.c:5:80" }
node: { title: "puts" label: "puts\n/usr/include/stdio.h:1:2" shape : ellipse }
edge: { sourcename: "dyn" targetname: "puts" }
}
)"),
            "rec 32\ndyn 16+\n"
            "rec -> rec at a.c:6:87\ndyn -> ? at a.c:5:80\ndyn -> puts\n");
}

TEST(CallGraphFile, Malformed) {
  EXPECT_EQ(
      graphFile("node: { label: \"f\" }\n"
                "node: { title: \"f\" label: \"f\\n-3 bytes (static)\" }\n"
                "node: { title: \"f\" label: \"f\\n3 bytes (large)\" }\n"
                "node: { title: \"f\" label: \"f }\n"
                "edge: { sourcename: \"f\" }\n"
                "\x01\x02\n"),
      "xlink: warning: a.ci:1: a node without a title\n"
      "xlink: warning: a.ci:2: a node whose label does not say how many "
      "bytes it takes, as in '48 bytes (static)'\n"
      "xlink: warning: a.ci:3: a node whose label does not say how many "
      "bytes it takes, as in '48 bytes (static)'\n"
      "xlink: warning: a.ci:4: a node whose label does not say how many "
      "bytes it takes, as in '48 bytes (static)'\n"
      "xlink: warning: a.ci:5: an edge without sourcename and "
      "targetname\n"
      "xlink: warning: a.ci: 1 more line that cannot be read\n");
  EXPECT_EQ(graphFile("\x01\x02\n"),
            "xlink: warning: a.ci:1: expected graph, node, edge or '}'\n");
}

TEST(StackCalls, Lines) {
  EXPECT_EQ(statedCalls("# comment\n"
                        "\n"
                        "main: f, g*  # behind\n"
                        "  ns::run(int, long) : ns::a(int, long), t<1, 2>\n"),
            "calls:3 main: <f> <g*>\n"
            "calls:4 ns::run(int, long): <ns::a(int, long)> <t<1, 2>>\n");
}

TEST(StackCalls, Malformed) {
  EXPECT_EQ(statedCalls("main\n: f\nmain:\nmain: f,, g\nns::f\n"),
            "xlink: error: calls:1: expected 'CALLER: CALLEE, CALLEE ...'\n"
            "xlink: error: calls:2: expected the name of a function in front "
            "of ':'\n"
            "xlink: error: calls:3: expected what 'main' calls behind ':'\n"
            "xlink: error: calls:4: expected the name of a function between "
            "commas\n"
            "xlink: error: calls:5: expected 'CALLER: CALLEE, CALLEE ...'\n");
}

TEST(PlainFunctionName, Spellings) {
  EXPECT_EQ(plainFunctionName("f"), "f");
  EXPECT_EQ(plainFunctionName("f.constprop.0"), "f");
  EXPECT_EQ(plainFunctionName("static int ns::S::f(int, const char*)"),
            "ns::S::f");
  EXPECT_EQ(plainFunctionName("ns::S::f(int, char const*)"), "ns::S::f");
  EXPECT_EQ(plainFunctionName("T ns::tt(T) [with T = int]"), "ns::tt");
  EXPECT_EQ(plainFunctionName("int ns::tt<int>(int)"), "ns::tt");
  EXPECT_EQ(plainFunctionName(""), "");
}

} // namespace
} // namespace xlink::test
