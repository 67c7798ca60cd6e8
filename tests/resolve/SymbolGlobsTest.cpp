//===- SymbolGlobsTest.cpp - symbols by patterns --------------------------===//
//
// Many patterns find what each of them finds alone, which looks at all names,
// and look at few.
//
//===----------------------------------------------------------------------===//
#include "resolve/SymbolGlobs.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

struct Names {
  explicit Names(std::vector<std::string> list) : texts(std::move(list)) {
    for (const std::string &text : texts)
      symbols.insert(text);
  }
  /// What the patterns find: pattern by pattern, in the order of the table.
  std::vector<uint32_t> found(const std::vector<std::string> &patterns) {
    SymbolGlobs globs(symbols);
    std::vector<uint32_t> ids;
    globs.forEach(patterns, [&](SymbolId id) { ids.push_back(id.index()); });
    steps = globs.steps();
    return ids;
  }

  const std::vector<std::string> texts;
  SymbolTable symbols;
  uint64_t steps = 0;
};

TEST(SymbolGlobs, ManyFindWhatEachFinds) {
  std::mt19937 random(3);
  auto text = [&](const char *letters, size_t count) {
    std::string result;
    for (size_t i = random() % 6; i > 0; --i)
      result += letters[random() % count];
    return result;
  };
  for (unsigned trial = 0; trial < 300; ++trial) {
    std::vector<std::string> list, patterns;
    for (unsigned i = 0; i < 60; ++i)
      list.push_back(text("abc*", 4));
    for (unsigned i = 0; i < 20; ++i)
      patterns.push_back(text("abc*?\\", 6));
    Names names(list);
    std::vector<uint32_t> expected;
    for (const std::string &pattern : patterns)
      for (uint32_t id : names.found({pattern}))
        expected.push_back(id);
    EXPECT_EQ(names.found(patterns), expected) << "trial " << trial;
  }
}

// What joins the link because of a pattern counts for the next ones.
TEST(SymbolGlobs, NamesThatCome) {
  Names names({"a1", "a2"});
  const std::vector<std::string> patterns(10, "a*");
  std::vector<uint32_t> ids;
  SymbolGlobs globs(names.symbols);
  globs.forEach(patterns, [&](SymbolId id) {
    ids.push_back(id.index());
    names.symbols.insert("a0");
  });
  ASSERT_EQ(ids.size(), 2u + 9u * 3u);
  EXPECT_EQ(ids[4], 2u) << "in the order of the table";
}

uint64_t stepsFor(unsigned count, const char *end) {
  std::vector<std::string> list, patterns;
  for (unsigned i = 0; i < count; ++i) {
    list.push_back("s" + std::to_string(1000000 + i));
    patterns.push_back(list.back() + end);
  }
  Names names(list);
  EXPECT_EQ(names.found(patterns).size(), count);
  return names.steps;
}

TEST(SymbolGlobs, IsLinear) {
  const unsigned count = 100000;
  EXPECT_LE(stepsFor(count, ""), count);
  EXPECT_LE(stepsFor(count, "*"), 2 * count);
}

} // namespace
} // namespace xlink::test
