//===- PatternIndexTest.cpp - which patterns a name can meet --------------===//
#include "placement/PatternRules.h"
#include "script/ScriptParser.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

/// Patterns, numbered by their order.
struct Patterns {
  explicit Patterns(std::vector<std::string> list) : texts(std::move(list)) {
    for (const std::string &text : texts)
      globs.push_back({text, text.find_first_of("*?[\\") != std::string::npos});
    for (uint32_t i = 0; i < globs.size(); ++i)
      index.add(&globs[i], i);
  }
  /// The patterns that match, of those that the index says can.
  std::vector<uint32_t> matching(StringRef name) {
    std::vector<uint32_t> result;
    index.forEachList(name, [&](ArrayRef<uint32_t> numbers) {
      EXPECT_TRUE(std::is_sorted(numbers.begin(), numbers.end()));
      steps += numbers.size();
      for (uint32_t i : numbers)
        if (globMatch(globs[i], name))
          result.push_back(i);
    });
    std::sort(result.begin(), result.end());
    return result;
  }

  const std::vector<std::string> texts;
  std::vector<GlobPattern> globs;
  PatternIndex index;
  uint64_t steps = 0;
};

TEST(PatternIndex, MissesNone) {
  std::mt19937 random(5);
  auto text = [&](const char *letters, size_t count) {
    std::string result;
    for (size_t i = random() % (random() % 2 ? 6 : 14); i > 0; --i)
      result += letters[random() % count];
    return result;
  };
  for (unsigned trial = 0; trial < 300; ++trial) {
    std::vector<std::string> list;
    for (unsigned i = 0; i < 1 + trial % 40; ++i)
      list.push_back(text("aab*?", 5));
    Patterns patterns(list);
    for (unsigned i = 0; i < 30; ++i) {
      const std::string name = text("aab", 3);
      std::vector<uint32_t> expected;
      for (uint32_t p = 0; p < list.size(); ++p)
        if (globMatch(patterns.globs[p], name))
          expected.push_back(p);
      EXPECT_EQ(patterns.matching(name), expected) << name;
    }
  }
}

TEST(PatternIndex, AnyName) {
  PatternIndex index;
  index.add(nullptr, 7);
  std::vector<uint32_t> found;
  index.forEachList("x", [&](ArrayRef<uint32_t> numbers) {
    found.insert(found.end(), numbers.begin(), numbers.end());
  });
  EXPECT_EQ(found, std::vector<uint32_t>{7});
}

// ".text.f12.*" meets what begins so, not all that begins with ".te".
TEST(PatternIndex, LongPrefixesCount) {
  const unsigned count = 100000;
  std::vector<std::string> list = {".text.*"};
  for (unsigned i = 0; i < count; ++i)
    list.push_back(".text.f" + std::to_string(i) + ".*");
  Patterns patterns(list);
  for (unsigned i = 0; i < count; ++i)
    EXPECT_EQ(patterns.matching(".text.f" + std::to_string(i) + ".x"),
              (std::vector<uint32_t>{0, i + 1}));
  EXPECT_EQ(patterns.steps, 2 * count);
}

} // namespace
} // namespace xlink::test
