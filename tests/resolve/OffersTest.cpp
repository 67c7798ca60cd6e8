//===- OffersTest.cpp - names that indices of archives offer --------------===//
#include "resolve/Offers.h"
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

// More names than one shard takes, and each of them twice.
TEST(Offers, TheFirstOfEachName) {
  constexpr uint32_t kNames = 300000;
  std::vector<std::string> names;
  for (uint32_t i = 0; i < kNames; ++i)
    names.push_back("name" + std::to_string(i));
  std::vector<std::pair<StringRef, uint32_t>> forth, back;
  for (uint32_t i = 0; i < kNames; ++i) {
    forth.push_back({names[i], i});
    back.push_back({names[kNames - 1 - i], i});
  }
  const std::vector<LoadedInput> inputs = {archiveOf(forth), LoadedInput(),
                                           archiveOf(back)};
  for (unsigned threads : {1, 4}) {
    Offers offers;
    offers.assign(Parallel(threads), inputs);
    EXPECT_EQ(offers.firstOf(2), kNames);
    EXPECT_EQ(offers.inputOf(kNames - 1), 0u);
    EXPECT_EQ(offers.inputOf(kNames), 2u);
    EXPECT_EQ(offers[kNames].name(), names.back());
    for (uint32_t i = 0; i < kNames; ++i)
      ASSERT_EQ(offers.find(names[i], xxh3_64bits(names[i])), i);
    EXPECT_EQ(offers.find("other", xxh3_64bits(StringRef("other"))),
              uint32_t(kNone));
  }
}

TEST(NameFilter, KnowsEachSymbol) {
  std::deque<std::string> names;
  SymbolTable symbols;
  NameFilter filter;
  EXPECT_FALSE(filter.covers(symbols));
  filter.cover(symbols);
  EXPECT_TRUE(filter.covers(symbols));
  EXPECT_FALSE(filter.mayHave(xxh3_64bits(StringRef("f"))));
  for (uint32_t round = 0; round < 10; ++round) {
    for (uint32_t i = 0; i < 1000; ++i)
      symbols.insert(
          names.emplace_back(std::to_string(round) + "." + std::to_string(i)));
    EXPECT_FALSE(filter.covers(symbols));
    filter.cover(symbols);
    EXPECT_TRUE(filter.covers(symbols));
    for (SymbolId id : symbols.ids())
      ASSERT_TRUE(filter.mayHave(symbols[id].hash));
    uint32_t through = 0;
    for (uint32_t i = 0; i < 1000; ++i)
      through +=
          filter.mayHave(xxh3_64bits(StringRef("x" + std::to_string(i))));
    EXPECT_LT(through, 200u);
  }
}

TEST(Offers, NoneWithoutAnArchive) {
  Offers offers;
  offers.assign(Parallel(4), {});
  EXPECT_EQ(offers.find("f", xxh3_64bits(StringRef("f"))), uint32_t(kNone));
}

// What nothing mentions is no symbol; the others stand where the index offered
// them, whenever they were mentioned.
TEST(Offers, SymbolsInTheOrderOfOffers) {
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
  std::string names;
  for (SymbolId id : r.program.symbols.ids())
    if (const Symbol &s = r.program.symbols[id]; s.order != kNone)
      names += (names.empty() ? "" : " ") + s.name.str() + "=" +
               std::to_string(s.order);
  EXPECT_EQ(names, "x=0 last=1 p=2 q=3 r=4 z=5");
  EXPECT_EQ(r.homeOf("q"), "m0.o:(.text)");
}

} // namespace
