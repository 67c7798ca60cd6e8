//===- DiffKeptTest.cpp - --diff where one file kept its relocations ------===//
#include "link/DiffFiles.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// Counts with what only describes one of the files left out.
json::Object bytesOf(const Bytes &a, const Bytes &b) {
  return countsOf(a, b, {"--diff-ignore=.rela*,symbols"});
}

// What the relocations of one file ask for is what the other one holds.
TEST(DiffKept, ByOneFileAlone) {
  const Bytes plain = linked({}, {"-Tdata=0x9000"}), kept = linked({}, {"-q"});
  for (const json::Object &counts :
       {bytesOf(kept, plain), bytesOf(plain, kept)}) {
    EXPECT_EQ(counts.getInteger("bytesReal").value_or(0), 0);
    EXPECT_EQ(counts.getInteger("bytesMoved"), 2);
    EXPECT_EQ(counts.getInteger("bytesProbablyMoved").value_or(0), 0);
  }
}

// A field that holds something else really differs, and is told with what it
// refers to.
TEST(DiffKept, AnotherTarget) {
  Bytes plain = linked({});
  const OutFile out(plain);
  poke(plain, out.section(".data")->offset + 4, out.value("early"), 4);
  expectDiff(
      diffOf(linked({}, {"-q"}), plain, {"--diff-ignore=.rela*,symbols"}),
      R"(2 files differ: 1 object changed; 1 byte really differs

Section .data
  pointer changed: 1 byte at 1 place
    +0x0: 18 10 00 00 -> 00 10 00 00, R_NYUZI_ABS32 4120 -> 4096: work::run(int) -> early
)");
}

// Where no relocation is, there is no reference, whatever the bytes look like.
TEST(DiffKept, NoReference) {
  const Words other = {.constant = "18100000"};
  const json::Object counts = bytesOf(
      linked({.constant = "00100000"}, {"-q"}),
      linked({.early = other.early + "cccccccc", .constant = "00100000"}));
  EXPECT_GT(counts.getInteger("grew").value_or(0), 0);
  EXPECT_EQ(counts.getInteger("bytesProbablyMoved").value_or(0), 0);
}

} // namespace
} // namespace xlink::test
