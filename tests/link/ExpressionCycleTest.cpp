//===- ExpressionCycleTest.cpp - results that depend on themselves --------===//
//
// However many cycles there are and however they overlap, the work is a few
// steps an entry: counted, since time depends on the machine.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "resolve/Expressions.h"
#include "resolve/Resolver.h"
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

/// What evaluating and reporting an object's expressions takes and says.
struct Work {
  uint64_t steps = 0;
  std::vector<Diagnostic> messages;
};

Work workOf(const Bytes &bytes) {
  const Target *target = findTarget(StringRef("xs1"));
  DiagnosticBuffer problems;
  std::shared_ptr<const ParsedObject> object =
      parseObject({"a.o", "", "a.o"}, bytes, *target, nullptr, problems);
  EXPECT_NE(object, nullptr);
  Config config;
  Diagnostics diag;
  Program program(config);
  program.target = target;
  InputLoader loader(program, diag, nullptr, nullptr);
  std::vector<LoadedInput> inputs(1);
  inputs[0].object = object;
  Resolver(program, diag, loader).run(std::move(inputs));
  Expressions expressions(program);
  auto noAddress = [](FileId, uint32_t) { return std::nullopt; };
  Geometry geometry;
  geometry.symbols.resize(program.slotCount);
  expressions.evaluate(noAddress, geometry);
  expressions.report(noAddress, diag);
  return {expressions.steps(), diag.all()};
}

constexpr unsigned kCount = 100000;
constexpr unsigned kFewer = 10000; ///< building the objects takes the time
constexpr uint64_t kStepsEach = 12;

TEST(ExpressionCycle, OneLongOne) {
  auto next = [](unsigned i) { return i + 1; };
  Work work = workOf(sums(kCount, next, next));
  EXPECT_LE(work.steps, kStepsEach * kCount);
  ASSERT_EQ(work.messages.size(), 1u);
  EXPECT_EQ(work.messages[0].text,
            "a.o:(.expr): entry 0: 'r0' depends on itself");
  EXPECT_EQ(work.messages[0].notes,
            (std::vector<std::string>{
                "r0 of a.o", "which depends on r1 of a.o",
                "which depends on r2 of a.o", "which depends on r3 of a.o",
                "which depends on r4 of a.o", "which depends on r5 of a.o",
                "which depends on r6 of a.o", "which depends on r7 of a.o",
                "and so on, over 99992 more", "which depends on r0 of a.o"}));
}

// Each entry closes a cycle with every entry in front of it: with the chain
// behind the first, a cycle of each length.
TEST(ExpressionCycle, ManyThatOverlap) {
  auto next = [](unsigned i) { return i + 1; };
  auto first = [](unsigned) { return 0u; };
  Work work = workOf(sums(kCount, next, first));
  EXPECT_LE(work.steps, kStepsEach * kCount);
  EXPECT_EQ(work.messages.size(), 1u);
  for (unsigned length : {100u, 700u}) {
    work =
        workOf(sums(kFewer, next, [&](unsigned i) { return i - i % length; }));
    EXPECT_LE(work.steps, kStepsEach * kFewer);
    EXPECT_EQ(work.messages.size(), 1u);
  }
}

// Apart from each other, each is an error of its own.
TEST(ExpressionCycle, ManyApart) {
  auto pair = [](unsigned i) { return i ^ 1; };
  Work work = workOf(sums(kFewer, pair, pair));
  EXPECT_LE(work.steps, kStepsEach * kFewer);
  EXPECT_GT(work.messages.size(), 1u);
}

// The shortest way back is shown, and what only leads to a cycle is not.
TEST(ExpressionCycle, Shortest) {
  LinkHarness links;
  links.file("a.o",
             statementObject("code _start\nresult in\nresult a\nresult b\n"
                             "result c\nsum in a 1\nsum a b c\nsum b c 1\n"
                             "sum c a 1\n"));
  expectFailure(links.link({"a.o"}),
                "xlink: error: a.o:(.expr): entry 1: 'a' depends on itself\n"
                ">>> a of a.o\n"
                ">>> which depends on c of a.o\n"
                ">>> which depends on a of a.o\n");
}

} // namespace
} // namespace xlink::test
