//===- AttributesTest.cpp - the processor's name in an attributes section
//--===//

#include "Machines.h"

using namespace xlink;

namespace {

/// A well-formed section for this processor.
std::vector<uint8_t> section(const std::string &cpu) {
  std::vector<uint8_t> bytes{'A'};
  auto word = [&](uint32_t value) {
    for (int i = 0; i < 4; ++i)
      bytes.push_back(uint8_t(value >> (8 * i)));
  };
  uint32_t inner = 1 + 4 + 1 + cpu.size() + 1;
  word(4 + 6 + inner);
  bytes.insert(bytes.end(), {'u', 'p', 'm', 'e', 'm', 0, 1});
  word(inner);
  bytes.push_back(5);
  bytes.insert(bytes.end(), cpu.begin(), cpu.end());
  bytes.push_back(0);
  return bytes;
}

std::optional<std::string> identity(const std::vector<uint8_t> &bytes) {
  return attributesIdentity(machine("dpu"), bytes);
}

TEST(Attributes, NameTheProcessor) {
  EXPECT_EQ(identity(section("v1A")), "v1A");
  EXPECT_EQ(identity(section("v1B")), "v1B");
}

TEST(Attributes, CutShortAreMalformed) {
  std::vector<uint8_t> whole = section("v1A");
  for (size_t size = 0; size < whole.size(); ++size) {
    // An exact copy, so that a read past the end is one past the allocation.
    std::vector<uint8_t> part(whole.begin(), whole.begin() + size);
    part.shrink_to_fit();
    EXPECT_EQ(identity(part), std::nullopt) << size;
  }
}

TEST(Attributes, SurviveAnyByte) {
  std::vector<uint8_t> whole = section("v1A");
  for (size_t i = 0; i < whole.size(); ++i)
    for (int value = 0; value < 256; ++value) {
      std::vector<uint8_t> changed = whole;
      changed[i] = uint8_t(value);
      identity(changed);
    }
  whole[0] = 'B';
  EXPECT_EQ(identity(whole), std::nullopt);
}

} // namespace
