//===- XeTest.cpp - damaged XE containers ---------------------------------===//
#include "Linking.h"
#include "arch/Containers.h"
#include <array>
#include <map>
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

uint64_t number(const Bytes &b, size_t at, unsigned size) {
  uint64_t v = 0;
  for (unsigned i = 0; i < size; ++i)
    v |= uint64_t(at + i < b.size() ? b[at + i] : 0) << 8 * i;
  return v;
}

/// Where the sectors of a sound file begin, by their types, of which it has one
/// each; the last one left out.
std::map<unsigned, size_t> sectorsOf(const Bytes &file) {
  std::map<unsigned, size_t> at;
  for (size_t i = 8; i + 12 < file.size(); i += 12 + number(file, i + 4, 8))
    at[unsigned(number(file, i, 2))] = i;
  return at;
}

/// 149 bytes, so three pad bytes.
const char board[] =
    "<XSystem><System><Nodes><Node number='0' jtagId='1'><Processor "
    "number='0'/></Node></Nodes><JtagChain><Node id='0'/></JtagChain></System>"
    "</XSystem>\n  ";

/// Whatever the bytes, the listing ends, and a damaged file is never called
/// good: each of these changes hits something that is checked.
TEST(DumpXe, DamagedFiles) {
  LinkHarness links;
  for (const char *name : {"start.o", "work.o", "table.o"})
    links.file(name, readTestFile(std::string(XLINK_TESTDATA) +
                                  "/objects/xs1/" + name));
  links.file("board.xml", board);
  const Bytes good = links
                         .link({"--oformat=xe", "--xe-config=board.xml",
                                "start.o", "work.o", "table.o"})
                         .image();
  std::map<unsigned, size_t> at = sectorsOf(good);
  ASSERT_EQ(at.size(), 4u);
  std::mt19937 random(20240607);
  auto below = [&](size_t n) { return size_t(random() % n); };
  for (unsigned round = 0; round < 6000; ++round) {
    Bytes file = good;
    switch (round % 4) {
    case 0: // a bit
      file[below(file.size())] ^= uint8_t(1u << below(8));
      break;
    case 1: // a length, with everything behind it out of place
      poke(file, at[std::array<unsigned, 4>{2, 3, 4, 5}[below(4)]] + 4,
           round % 8 < 4 ? below(64) * 4 : uint64_t(random()) << below(33), 8);
      break;
    case 2: // the end
      file.resize(below(file.size()));
      break;
    case 3: { // bytes taken out
      size_t from = below(file.size()), count = 1 + below(40);
      file.erase(file.begin() + from,
                 file.begin() + std::min(file.size(), from + count));
      break;
    }
    }
    std::vector<TargetMessage> messages;
    xeContainer.list(file, messages);
    bool error = false;
    for (const TargetMessage &m : messages)
      if (m.severity == TargetMessage::Error) {
        error = true;
        EXPECT_TRUE(StringRef(m.text).starts_with("offset 0x")) << m.text;
      }
    EXPECT_EQ(error, file != good) << "round " << round;
  }
}

} // namespace
} // namespace xlink::test
