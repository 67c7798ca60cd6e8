//===- ParallelUsageTest.cpp - globals that parallel functions share ------===//
#include "link/Linking.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

Linked link(StringRef lines, std::vector<std::string> more = {}) {
  LinkHarness links;
  links.file("a.o", statementObject(
                        ("code _start f g h k\ndata x y\n" + lines).str()));
  std::vector<std::string> arguments = {"a.o"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return links.link(arguments);
}

const char kWriteRead[] = R"(
  parallel f g "main.xc:7"
  writes f x "f.xc:12"
  reads g x "g.xc:30"
)";
const char kConflict[] =
    "'f' and 'g' may run in parallel: 'f' writes 'x' and 'g' reads it\n"
    ">>> 'f' writes it: f.xc:12\n"
    ">>> 'g' reads it: g.xc:30\n"
    ">>> in parallel: main.xc:7\n";

TEST(ParallelUsage, WriteAndRead) {
  std::string warning = std::string("xlink: warning: ") + kConflict;
  warned(link(kWriteRead), warning);
  // The other way round.
  warned(link("parallel g f \"main.xc:7\"\nreads g x \"g.xc:30\"\n"
              "writes f x \"f.xc:12\""),
         "xlink: warning: 'g' and 'f' may run in parallel: 'f' writes 'x' and "
         "'g' reads it\n"
         ">>> 'f' writes it: f.xc:12\n"
         ">>> 'g' reads it: g.xc:30\n"
         ">>> in parallel: main.xc:7\n");
}

TEST(ParallelUsage, WriteAndWrite) {
  warned(link("parallel f g 7\nwrites f x 12\nreads g x 29\nwrites g x 30"),
         "xlink: warning: 'f' and 'g' may run in parallel: 'f' writes 'x' and "
         "'g' writes it\n"
         ">>> 'f' writes it: line 12 (a.o)\n"
         ">>> 'g' writes it: line 30 (a.o)\n"
         ">>> in parallel: line 7 (a.o)\n");
}

TEST(ParallelUsage, WriteAndReference) {
  warned(link("parallel f g 7\nwrites f x 12\npassed g x 30"),
         "xlink: warning: 'f' and 'g' may run in parallel: 'f' writes 'x' and "
         "'g' is passed it\n"
         ">>> 'f' writes it: line 12 (a.o)\n"
         ">>> 'g' is passed it: line 30 (a.o)\n"
         ">>> in parallel: line 7 (a.o)\n");
}

// Nothing is wrong with reading together, with different globals, or with what
// functions do of which nobody says that they run in parallel.
TEST(ParallelUsage, Silent) {
  quiet(link("parallel f g 7\nreads f x 1\nreads g x 2"));
  quiet(link("parallel f g 7\npassed f x 1\nreads g x 2\npassed g x 3"));
  quiet(link("parallel f g 7\nwrites f x 1\nreads g y 2"));
  quiet(link("parallel f h 7\nwrites f x 1\nreads g x 2"));
  quiet(link("writes f x 1\nwrites g x 2"));
  quiet(link("parallel f g 7\nwrites f x 1"));
  quiet(link("parallel f f 7\nreads f x 1"));
  quiet(link("parallel f g 7\nwrites f x 1\ncalls h g\nreads h x 2"));
}

TEST(ParallelUsage, ThroughCallees) {
  warned(link(R"(
  parallel f g "main.xc:7"
  calls f h
  calls h k
  writes k x "k.xc:4"
  calls g deep
  code deep
  calls deep deeper
  code deeper
  calls deeper deep
  reads deeper x "d.xc:9"
)"),
         "xlink: warning: 'f' and 'g' may run in parallel: 'f' writes 'x' and "
         "'g' reads it\n"
         ">>> 'f' writes it in 'k': k.xc:4\n"
         ">>> 'g' reads it in 'deeper': d.xc:9\n"
         ">>> in parallel: main.xc:7\n");
  // Both call the same function: it writes on both sides.
  warned(link("parallel f g 7\ncalls f h\ncalls g h\nwrites h x 5"),
         "xlink: warning: 'f' and 'g' may run in parallel: 'f' writes 'x' and "
         "'g' writes it\n"
         ">>> 'f' writes it in 'h': line 5 (a.o)\n"
         ">>> 'g' writes it in 'h': line 5 (a.o)\n"
         ">>> in parallel: line 7 (a.o)\n");
}

TEST(ParallelUsage, WithItself) {
  warned(link("parallel f f 7\nwrites f x 1\nreads f y 2"),
         "xlink: warning: 'f' may run in parallel with itself and writes 'x'\n"
         ">>> 'f' writes it: line 1 (a.o)\n"
         ">>> in parallel: line 7 (a.o)\n");
}

// A pair and a global are reported once, with the first statement about them.
TEST(ParallelUsage, Once) {
  std::string warning = std::string("xlink: warning: ") + kConflict;
  warned(link(std::string(kWriteRead) +
              "parallel f g 8\nparallel g f 9\nreads g x 31\nwrites f x 13"),
         warning);
}

TEST(ParallelUsage, AcrossObjects) {
  LinkHarness links;
  links.file("a.o", statementObject("code _start f\nparallel f g \"a.xc:1\"\n"
                                    "writes f x \"a.xc:2\""));
  links.file("b.o", statementObject("code g\ndata x\nreads g x \"b.xc:3\""));
  warned(links.link({"a.o", "b.o"}),
         "xlink: warning: 'f' and 'g' may run in parallel: 'f' writes 'x' and "
         "'g' reads it\n"
         ">>> 'f' writes it: a.xc:2\n"
         ">>> 'g' reads it: b.xc:3\n"
         ">>> in parallel: a.xc:1\n");
}

// Locals of one name in two objects are two globals, as far as this goes.
TEST(ParallelUsage, LocalNames) {
  LinkHarness links;
  links.file("a.o", statementObject("code _start f\nparallel f g 1\n"
                                    "local x\nwrites f x 2"));
  links.file("b.o", statementObject("code g\nlocal x\nreads g x 3"));
  quiet(links.link({"a.o", "b.o"}));
}

// Compilers give whole messages for source lines, with room for the global.
// A statement has no name that users know: it is described, without quotes.
TEST(ParallelUsage, Statements) {
  warned(link("localresult thread.anon.3\ncalls k thread.anon.3\n"
              "calls thread.anon.3 f\nparallel thread.anon.3 g 7\n"
              "writes f x 12\nreads g x 30"),
         "xlink: warning: a statement of k that calls f and 'g' may run in "
         "parallel: a statement of k that calls f writes 'x' and 'g' reads it\n"
         ">>> a statement of k that calls f writes it in 'f': line 12 (a.o)\n"
         ">>> 'g' reads it: line 30 (a.o)\n"
         ">>> in parallel: line 7 (a.o)\n");
}

TEST(ParallelUsage, CompilersTexts) {
  warned(link(R"(
  parallel f g "main.xc:16:5: error: use of `%s' violates parallel usage rules\n    par\n    ^~~"
  writes f x "f.xc:2:3: note: object used here\n  x = 1;\n  ^"
  reads g x ""
  name x 0 "frame"
)"),
         "xlink: warning: 'f' and 'g' may run in parallel: 'f' writes 'frame' "
         "and 'g' reads it\n"
         ">>> 'f' writes it: f.xc:2:3: note: object used here\n"
         ">>>   x = 1;\n"
         ">>>   ^\n"
         ">>> 'g' reads it: a.o\n"
         ">>> in parallel: main.xc:16:5: error: use of `frame' violates "
         "parallel usage rules\n"
         ">>>     par\n"
         ">>>     ^~~\n");
}

TEST(ParallelUsage, AsAnError) {
  expectFailure(link(kWriteRead, {"--error-parallel-usage"}),
                std::string("xlink: error: ") + kConflict);
  // An error cannot be switched off by its warning's group.
  expectFailure(
      link(kWriteRead, {"--error-parallel-usage", "--no-warn-parallel-usage"}),
      std::string("xlink: error: ") + kConflict);
  warned(
      link(kWriteRead, {"--error-parallel-usage", "--no-error-parallel-usage"}),
      std::string("xlink: warning: ") + kConflict);
  expectFailure(link(kWriteRead, {"--fatal-warnings"}),
                std::string("xlink: error: ") + kConflict);
}

TEST(ParallelUsage, SwitchedOff) {
  quiet(link(kWriteRead, {"--no-warn-parallel-usage"}));
  quiet(link(kWriteRead, {"-w"}));
}

// More globals than fit into one word.
TEST(ParallelUsage, ManyGlobals) {
  std::string lines = "parallel f g 1\n", warnings;
  for (int i = 0; i < 150; ++i) {
    std::string x = "x" + std::to_string(i);
    lines += "data " + x + "\nwrites f " + x + " 2\nreads g " + x + " 3\n";
    if (i < 100)
      warnings += "xlink: warning: 'f' and 'g' may run in parallel: 'f' writes "
                  "'" +
                  x +
                  "' and 'g' reads it\n"
                  ">>> 'f' writes it: line 2 (a.o)\n"
                  ">>> 'g' reads it: line 3 (a.o)\n"
                  ">>> in parallel: line 1 (a.o)\n";
  }
  warnings += "xlink: warning: 50 more conflicts of functions that may run in "
              "parallel\n";
  warned(link(lines), warnings);
}

TEST(ParallelUsage, LongChain) {
  constexpr int count = 100000;
  std::string lines = "parallel f g 1\nwrites c0 x 2\nreads g x 3\n";
  for (int i = 0; i < count; ++i)
    lines += "calls " + (i + 1 == count ? "f" : "c" + std::to_string(i + 1)) +
             " c" + std::to_string(i) + "\n";
  warned(link(lines),
         "xlink: warning: 'f' and 'g' may run in parallel: 'f' writes 'x' and "
         "'g' reads it\n"
         ">>> 'f' writes it in 'c0': line 2 (a.o)\n"
         ">>> 'g' reads it: line 3 (a.o)\n"
         ">>> in parallel: line 1 (a.o)\n");
}

} // namespace
} // namespace xlink::test
