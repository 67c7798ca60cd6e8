//===- MapPartsTest.cpp - parts of a map in its JSON ----------------------===//
//
// Every output section has its own parts, in order, and those without any are
// there.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMap.h"
#include "map/LinkMapJson.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

/// A map of output sections with so many parts, each of a byte and with a
/// symbol that bears its number.
struct PartsMap {
  explicit PartsMap(ArrayRef<size_t> counts) {
    size_t all = 0;
    for (size_t count : counts)
      all += count;
    map.machine = "nyuzi";
    map.output = "a.out";
    map.parts.resize(all);
    for (size_t count : counts) {
      const auto first = uint32_t(map.symbols.size());
      MapOutput &output = map.outputs.emplace_back();
      output.name = "o";
      output.address = first;
      output.size = count;
      output.firstPart = first;
      output.parts = uint32_t(count);
      for (uint32_t i = first; i < first + count; ++i) {
        MapPart &part = map.parts[i];
        part.output = uint32_t(map.outputs.size() - 1);
        part.address = i;
        part.size = 1;
        part.firstSymbol = i;
        part.symbols = 1;
        map.symbols.push_back(
            {map.keep("s" + std::to_string(i)), i, 1, MapSymbol::Object});
      }
    }
  }
  LinkMap map;
};

/// The numbers of the symbols of each output section.
std::vector<std::vector<std::string>> symbolsIn(StringRef text) {
  std::vector<std::vector<std::string>> symbols;
  Expected<json::Value> read = json::parse(text);
  if (!read) {
    ADD_FAILURE() << toString(read.takeError());
    return symbols;
  }
  for (const json::Value &output : *read->getAsObject()->getArray("outputs")) {
    symbols.emplace_back();
    if (const json::Array *parts = output.getAsObject()->getArray("parts"))
      for (const json::Value &part : *parts)
        for (const json::Value &symbol :
             *part.getAsObject()->getArray("symbols"))
          symbols.back().push_back(
              symbol.getAsObject()->getString("name")->str());
  }
  return symbols;
}

TEST(MapParts, WhereverOutputSectionsBeginAndEnd) {
  const std::vector<std::vector<size_t>> shapes = {
      {}, {0}, {0, 0}, {1}, {0, 1, 0}, {2, 1, 0, 0, 3, 0}};
  for (const std::vector<size_t> &shape : shapes) {
    SCOPED_TRACE(testing::PrintToString(shape));
    const PartsMap made(shape);
    const std::string text = mapJson(made.map);
    std::vector<std::vector<std::string>> expected;
    size_t number = 0;
    for (size_t count : shape) {
      expected.emplace_back();
      for (size_t i = 0; i < count; ++i)
        expected.back().push_back("s" + std::to_string(number++));
    }
    EXPECT_EQ(symbolsIn(text), expected);
    Diagnostics diag;
    const std::optional<LinkMap> again = readLinkMap("m.json", text, diag);
    ASSERT_TRUE(again) << (diag.all().empty() ? "" : diag.all()[0].text);
    EXPECT_EQ(mapJson(*again), text);
  }
}

} // namespace
} // namespace xlink::test
