//===- RelocatableChainTest.cpp - -r, then the link -----------------------===//
//
// What -r makes of inputs stands for them: the link of it gives the program
// that the inputs give. The small programs of testdata/golden, whose bytes the
// machines' documents confirm, are linked through one, two and three steps.
//
//===----------------------------------------------------------------------===//
#include "link/Goldens.h"
#include "link/Linking.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink::test {
namespace {

class RelocatableChain : public testing::TestWithParam<std::string> {
protected:
  RelocatableChain() : golden(GetParam()) {
    for (const std::string &argument : golden.arguments)
      (isInput(argument) ? inputs : options).push_back(argument);
  }
  static bool isInput(StringRef argument) {
    return argument.ends_with(".o") || argument.ends_with(".a");
  }
  /// -r of some inputs, under a name.
  void join(std::vector<std::string> parts, const std::string &name) {
    parts.insert(parts.begin(), {"-r", "-m", machine()});
    Linked linked = golden.harness.link(parts);
    ASSERT_EQ(linked.status, 0) << linked.errors;
    EXPECT_EQ(linked.errors, "");
    golden.harness.file(name, linked.image());
  }
  std::string machine() const {
    auto it = find(golden.arguments, "-m");
    return it == golden.arguments.end() ? "" : *(it + 1);
  }
  /// The bytes of the whole program.
  Bytes program(const std::vector<std::string> &of) {
    std::vector<std::string> arguments = options;
    arguments.insert(arguments.end(), of.begin(), of.end());
    Linked linked = golden.harness.link(arguments);
    EXPECT_EQ(linked.status, 0) << linked.errors;
    EXPECT_EQ(linked.errors, "");
    return linked.image();
  }

  /// Expects the program `of` these inputs to be `direct`. Slots of a GOT come
  /// in the order in which relocations ask for them; -r joins sections, and so
  /// changes that order: with a GOT sections and symbols must be the same.
  void expectSame(const Bytes &direct, const std::vector<std::string> &of) {
    const Bytes via = program(of);
    const OutFile a(direct), b(via);
    if (!a.section(".got")) {
      EXPECT_TRUE(via == direct);
      return;
    }
    EXPECT_EQ(layoutOf(b), layoutOf(a));
    EXPECT_EQ(symbolNames(b), symbolNames(a));
    for (size_t i = 0; i < std::min(a.symbols.size(), b.symbols.size()); ++i)
      EXPECT_EQ(b.symbols[i].value, a.symbols[i].value) << a.symbols[i].name;
    for (const char *name : {".rodata", ".data", ".init_array"})
      EXPECT_EQ(bytesOf(b, name), bytesOf(a, name));
  }

  Golden golden;
  std::vector<std::string> inputs, options;
};

// Object by object, twice: the order of everything stays, so does every byte.
TEST_P(RelocatableChain, OfEachObject) {
  const Bytes direct = program(inputs);
  LinkHarness once = golden.harness.eachThroughRelocatable();
  golden.harness = once;
  EXPECT_TRUE(program(inputs) == direct);
  golden.harness = once.eachThroughRelocatable();
  EXPECT_TRUE(program(inputs) == direct);
}

// All at once, and in two steps, archives among them: -r takes the members that
// it refers to, as the link does. What it joins is sorted by name, not by file
// (as with GNU ld), and so is the program that it is compared with.
TEST_P(RelocatableChain, OfAll) {
  options.push_back("--sort-section=name");
  const Bytes direct = program(inputs);
  join(inputs, "all.o");
  expectSame(direct, {"all.o"});
  join({"all.o"}, "again.o");
  expectSame(direct, {"again.o"});
}

TEST_P(RelocatableChain, OfSomeAndTheRest) {
  const Bytes direct = program(inputs);
  join({inputs.front()}, "first.o");
  std::vector<std::string> rest(inputs.begin() + 1, inputs.end());
  rest.insert(rest.begin(), "first.o");
  EXPECT_TRUE(program(rest) == direct);
  join(rest, "all.o");
  options.push_back("--sort-section=name");
  expectSame(program(inputs), {"all.o"});
}

INSTANTIATE_TEST_SUITE_P(Links, RelocatableChain, testing::ValuesIn(goldens()),
                         [](const auto &info) {
                           return goldenTestName(info.param);
                         });

} // namespace
} // namespace xlink::test
