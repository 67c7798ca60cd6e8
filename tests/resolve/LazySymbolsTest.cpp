//===- LazySymbolsTest.cpp - names that archives could define -------------===//
#include "resolve/LazySymbols.h"
#include "resolve/Resolving.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

/// An input that is an archive with an index, which says (name, member).
LoadedInput
archiveOf(ArrayRef<std::pair<StringRef, uint32_t>> index,
          std::vector<std::shared_ptr<const ParsedObject>> members = {}) {
  auto archive = std::make_shared<Archive>();
  archive->path = "lib.a";
  archive->hasIndex = true;
  for (const auto &[name, member] : index)
    archive->symbols.push_back({name.data(), uint32_t(name.size()), member});
  LoadedInput input;
  input.archive = std::move(archive);
  input.members = std::move(members);
  return input;
}

TEST(LazySymbols, TheFirstOfEachName) {
  constexpr uint32_t kNames = 100000;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < kNames; ++i)
    names.push_back("name" + std::to_string(i));
  std::vector<std::pair<StringRef, uint32_t>> forth, back;
  for (uint32_t i = 0; i < kNames; ++i) {
    forth.push_back({names[i], i});
    if (i % 2)
      back.push_back({names[kNames - 1 - i], i});
  }
  forth.resize(kNames / 4 * 3);
  const LoadedInput first = archiveOf(forth), second = archiveOf(back);
  for (unsigned threads : {1, 4}) {
    LazySymbols lazy;
    lazy.addIndex(0, first.archive->symbols);
    lazy.addIndex(2, second.archive->symbols);
    lazy.build(Parallel(threads));
    const uint32_t all = uint32_t(forth.size() + back.size());
    for (uint32_t i = 0; i < kNames; ++i) {
      const uint64_t hash = xxh3_64bits(names[i]);
      const auto found = lazy.find(names[i], hash, all);
      const bool isFirst = i < forth.size(), isSecond = i % 2 == 0;
      ASSERT_EQ(found.has_value(), isFirst || isSecond) << i;
      if (!found)
        continue;
      const uint32_t number =
          isFirst ? i : uint32_t(forth.size()) + (kNames - 1 - i) / 2;
      ASSERT_FALSE(lazy.find(names[i], hash, number)) << i;
      ASSERT_TRUE(lazy.find(names[i], hash, number + 1)) << i;
      EXPECT_EQ(found->input, isFirst ? 0u : 2u);
      EXPECT_EQ(found->member, isFirst ? i : kNames - 1 - i);
    }
    EXPECT_EQ(lazy.hashOf(1), xxh3_64bits(names[1]));
  }
}

TEST(LazySymbols, NoneWithoutAnArchive) {
  LazySymbols lazy;
  lazy.build(Parallel(1));
  EXPECT_FALSE(lazy.find("f", xxh3_64bits(StringRef("f")), 1));
}

// A name of an index is a symbol when something mentions it; its member comes
// in there.
TEST(LazySymbols, BecomeSymbolsWhenMentioned) {
  Resolving r, members;
  HandObject &m0 = members.input("m0.o");
  m0.section(".text", "ax", 8).define("p").define("q");
  HandObject &m1 = members.input("m1.o");
  m1.section(".text", "ax", 8).define("r");
  r.input("a.o").refer("x").refer("last");
  r.inputs.push_back(
      archiveOf({{"p", 0u}, {"q", 0u}, {"unused", 2u}, {"r", 1u}, {"last", 1u}},
                {m0.object, m1.object, nullptr}));
  r.input("z.o").refer("z").refer("r").refer("q");
  EXPECT_EQ(r.resolve(), "");
  EXPECT_EQ(r.fileNames(), "a.o m1.o z.o m0.o");
  EXPECT_EQ(r.homeOf("q"), "m0.o:(.text)");
  EXPECT_TRUE(r.program.symbols.find("unused") == kNone);
}

} // namespace
