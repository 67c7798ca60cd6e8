//===- LargeIndexTest.cpp - indices that several threads read -------------===//
//
// An index of more than a megabyte is read in parts. The symbols, and what is
// said of faults, are those of one thread.
//
//===----------------------------------------------------------------------===//
#include "Reading.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

constexpr uint32_t kMembers = 50;

/// An archive of text files with an index of made up names.
struct Made {
  explicit Made(unsigned wordSize) : wordSize(wordSize) {
    for (uint32_t i = 0; i < 60000; ++i)
      names.push_back("name" + std::string(i % 23, 'x') + std::to_string(i));
    // Longer than several parts, and none at all.
    names[1000] = std::string(500000, 'l');
    names[1001] = "";
    names[59999] = "";
    for (uint32_t i = 0; i < names.size(); ++i)
      members.push_back(i * 7 / 3000 % kMembers);
  }

  static std::string header(StringRef name, uint64_t size) {
    std::string text(60, ' ');
    text.replace(0, name.size(), name.str());
    const std::string digits = std::to_string(size);
    text.replace(48, digits.size(), digits);
    text.replace(58, 2, "`\n");
    return text;
  }
  Bytes bytes() const {
    std::string strings;
    for (const std::string &name : names)
      strings += name + '\0';
    strings.resize(strings.size() - cut);
    const uint64_t size = (names.size() + 1) * wordSize + strings.size();
    uint64_t offset = 8 + 60 + size + size % 2;
    std::vector<uint64_t> offsets;
    std::string rest;
    for (uint32_t i = 0; i < kMembers; ++i) {
      offsets.push_back(offset + rest.size());
      rest += header("m" + std::to_string(i) + "/", 4) + "text";
    }
    std::string index;
    auto add = [&](uint64_t value) {
      char word[8];
      support::endian::write64be(word, value);
      index.append(word + 8 - wordSize, wordSize);
    };
    add(names.size() + countTooMuch);
    for (uint32_t i = 0; i < members.size(); ++i)
      add(offsets[members[i]] + (i % 4000 == wrongEvery));
    const std::string all =
        "!<arch>\n" + header(wordSize == 8 ? "/SYM64/" : "/", size) + index +
        strings + (size % 2 ? "\n" : "") + rest + behind;
    return Bytes(all.begin(), all.end());
  }

  unsigned wordSize;
  std::vector<std::string> names;
  std::vector<uint32_t> members;
  size_t cut = 0; ///< bytes that are missing at the end
  uint64_t countTooMuch = 0;
  uint32_t wrongEvery = 4000; ///< from here on, each 4000th offset is wrong
  std::string behind;
};

TEST(LargeIndex, Symbols) {
  for (unsigned wordSize : {4, 8}) {
    const Made made(wordSize);
    for (unsigned threads : {1, 2, 4}) {
      const ReadArchive r = readArchive(made.bytes(), "lib.a", threads);
      ASSERT_TRUE(r.archive) << testing::PrintToString(r.errors);
      EXPECT_EQ(r.archive->members.size(), kMembers);
      ASSERT_EQ(r.archive->symbols.size(), made.names.size());
      for (size_t i = 0; i < made.names.size(); ++i) {
        ASSERT_EQ(r.archive->symbols[i].name(), made.names[i]);
        ASSERT_EQ(r.archive->symbols[i].member, made.members[i]);
      }
    }
  }
}

void expectSameErrors(const Made &made, StringRef part) {
  const Bytes bytes = made.bytes();
  const ReadArchive one = readArchive(bytes, "lib.a", 1);
  ASSERT_FALSE(one.errors.empty());
  EXPECT_NE(one.errors.front().find(part.str()), std::string::npos)
      << one.errors.front();
  for (unsigned threads : {2, 4})
    EXPECT_EQ(readArchive(bytes, "lib.a", threads).errors, one.errors);
}

TEST(LargeIndex, Faults) {
  {
    SCOPED_TRACE("offsets");
    Made made(4);
    made.wrongEvery = 3999;
    expectSameErrors(made, "symbol 3999 (name");
  }
  {
    SCOPED_TRACE("end");
    Made made(8);
    made.cut = 1;
    expectSameErrors(made, "the name of symbol 59999 is beyond the end");
  }
  {
    SCOPED_TRACE("count");
    Made made(4);
    made.countTooMuch = 10000000;
    expectSameErrors(made, "its count of 10060000 symbols is beyond");
  }
  {
    SCOPED_TRACE("members");
    Made made(4);
    made.behind = "not a header";
    expectSameErrors(made, "the file ends after");
  }
  {
    SCOPED_TRACE("two");
    Made made(4);
    made.behind = Made::header("/", 4) + "text";
    expectSameErrors(made, "a second symbol index");
  }
}

} // namespace
