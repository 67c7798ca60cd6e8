//===- ExpressionCycleTest.cpp - results that depend on themselves --------===//
//
// However many cycles there are and however they overlap, the work is linear:
// with anything more these tests take ages.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "resolve/Expressions.h"
#include "support/ResolveSymbols.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string result(unsigned i) { return "r" + std::to_string(i); }

/// Results 0 .. count - 1; the i-th is the sum of those that `first` and
/// `second` name.
template <class First, class Second>
Bytes sums(unsigned count, First first, Second second) {
  std::string lines = "code _start\n";
  for (unsigned i = 0; i < count; ++i)
    lines += "result " + result(i) + "\n";
  for (unsigned i = 0; i < count; ++i)
    lines += "sum " + result(i) + " " + result(first(i) % count) + " " +
             result(second(i) % count) + "\n";
  return statementObject(lines);
}

/// How many results of an object's expressions depend on themselves.
uint64_t recursiveIn(const Bytes &bytes) {
  const Target *target = findTarget(StringRef("xs1"));
  DiagnosticBuffer problems;
  std::shared_ptr<const ParsedObject> object =
      parseObject({"a.o", ""}, bytes, *target, nullptr, problems);
  EXPECT_NE(object, nullptr);
  Config config;
  Diagnostics diag;
  Program program(config);
  program.target = target;
  InputLoader loader(program, diag, nullptr, nullptr);
  std::vector<LoadedInput> inputs(1);
  inputs[0].object = object;
  resolveSymbols(program, inputs, loader, diag);
  Expressions expressions(program);
  auto noAddress = [](FileId, uint32_t) { return std::nullopt; };
  Addresses addresses;
  addresses.symbols.resize(program.slotCount());
  expressions.evaluate(noAddress, addresses);
  expressions.report(noAddress, diag);
  EXPECT_TRUE(diag.all().empty());
  uint64_t recursive = 0;
  for (SlotId slot : addresses.symbols.ids())
    recursive += addresses.symbols[slot].resolution == Resolution::Recursive;
  return recursive;
}

constexpr unsigned kCount = 100000;
constexpr unsigned kFewer = 10000; ///< building the objects takes the time

TEST(ExpressionCycle, OneLongOne) {
  auto next = [](unsigned i) { return i + 1; };
  EXPECT_EQ(recursiveIn(sums(kCount, next, next)), kCount);
}

// Each entry closes a cycle with every entry in front of it: with the chain
// behind the first, a cycle of each length.
TEST(ExpressionCycle, ManyThatOverlap) {
  auto next = [](unsigned i) { return i + 1; };
  auto first = [](unsigned) { return 0u; };
  EXPECT_EQ(recursiveIn(sums(kCount, next, first)), kCount);
  for (unsigned length : {100u, 700u}) {
    EXPECT_EQ(recursiveIn(sums(kFewer, next,
                               [&](unsigned i) { return i - i % length; })),
              kFewer);
  }
}

// Apart from each other.
TEST(ExpressionCycle, ManyApart) {
  auto pair = [](unsigned i) { return i ^ 1; };
  EXPECT_EQ(recursiveIn(sums(kFewer, pair, pair)), kFewer);
}

// A set is put together once, however many take its maximum.
TEST(ExpressionCycle, ManyOfOneSet) {
  std::string lines = "code _start\n";
  for (unsigned i = 0; i < kFewer; ++i) {
    lines += "result " + result(i) + "\n";
    lines += "setmax " + result(i) + " group 0\n";
    lines += "element group " + std::to_string(i) + " _start\n";
  }
  EXPECT_EQ(recursiveIn(statementObject(lines)), 0u);
}

} // namespace
} // namespace xlink::test
