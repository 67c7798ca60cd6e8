//===- ParallelUsageTest.cpp - many globals, many calls -------------------===//
#include "link/Linking.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

Linked link(StringRef lines) {
  LinkHarness links;
  links.file("a.o", statementObject(
                        ("code _start f g h k\ndata x y\n" + lines).str()));
  return links.link({"a.o"});
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
