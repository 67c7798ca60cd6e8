//===- MapTextsTest.cpp - names of any letters in the JSON of a map -------===//
//
// Letters that JSON escapes must be seen at every place of a name of every
// length: LLVM's reader says whether they were.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMap.h"
#include "map/LinkMapJson.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

TEST(MapTexts, LettersAtEveryPlaceOfEveryLength) {
  const std::string letters[] = {std::string(1, '\0'),
                                 "\x01",
                                 "\n",
                                 "\x1f",
                                 " ",
                                 "!",
                                 "\"",
                                 "#",
                                 "[",
                                 "\\",
                                 "]",
                                 "~",
                                 "\x7f",
                                 "\u00e9",
                                 "\u20ac",
                                 "\U0001f600"};
  LinkMap map;
  std::vector<std::string> names;
  for (size_t length = 0; length < 40; ++length)
    for (size_t at = 0; at <= length; ++at)
      for (const std::string &letter : letters)
        names.push_back(std::string(at, 'a') + letter +
                        std::string(length - at, 'z'));
  for (const std::string &name : names)
    map.regions.emplace_back().name = name;
  Expected<json::Value> read = json::parse(mapJson(map));
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  const json::Array &regions = *read->getAsObject()->getArray("regions");
  ASSERT_EQ(regions.size(), names.size());
  for (size_t i = 0; i < names.size(); ++i)
    ASSERT_EQ(regions[i].getAsObject()->getString("name"), StringRef(names[i]));
}

// Bytes that are no letters at all become the sign for that.
TEST(MapTexts, BytesThatAreNoText) {
  for (size_t length = 0; length < 40; ++length) {
    LinkMap map;
    const std::string name = std::string(length, 'a') + "\xff";
    map.regions.emplace_back().name = name;
    Expected<json::Value> read = json::parse(mapJson(map));
    ASSERT_TRUE(bool(read)) << toString(read.takeError());
    EXPECT_EQ(
        (*read->getAsObject()->getArray("regions"))[0].getAsObject()->getString(
            "name"),
        StringRef(std::string(length, 'a') + "\ufffd"));
  }
}

} // namespace
} // namespace xlink::test
