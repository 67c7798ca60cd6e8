//===- EhFrameTest.cpp - damaged unwind tables ----------------------------===//
#include "link/Linking.h"
#include "llvm/Support/Endian.h"
#include <random>
#include <set>

using namespace llvm;
using support::endian::read32le;
using support::endian::read64le;

namespace xlink::test {
namespace {

/// Expects records that make sense: they fit, FDEs have CIEs, and an end stands
/// at the end.
void expectSound(const OutFile &out) {
  const OutSection *s = out.section(".eh_frame");
  if (!s)
    return;
  std::set<uint64_t> cies;
  for (uint64_t at = 0; at < s->bytes.size();) {
    uint64_t id = at + 4, left = s->bytes.size() - at;
    uint64_t length = left < 4 ? left : read32le(s->bytes.data() + at);
    if (length == 0) {
      at += 4;
      EXPECT_EQ(at, s->bytes.size()) << "records behind an end";
      continue;
    }
    if (length == 0xffffffff && left >= 12) {
      length = read64le(s->bytes.data() + at + 4);
      id += 8;
    }
    ASSERT_TRUE(length >= 4 && length <= s->bytes.size() - id)
        << "no record fits at " << at;
    const uint32_t distance = read32le(s->bytes.data() + id);
    if (distance == 0) {
      cies.insert(at);
    } else {
      EXPECT_TRUE(cies.count(id - distance)) << "no CIE of " << at;
    }
    at = id + length;
  }
}

Bytes sample(const char *name) {
  return readTestFile(std::string(XLINK_TESTDATA) + "/objects/nyuzi/" + name);
}

/// C++ in two objects that share an instance of a template.
LinkHarness classes() {
  LinkHarness links;
  for (const char *name : {"start.o", "classes.o", "classes2.o", "console.o"})
    links.file(name, sample(name));
  return links;
}

/// Real tables with damaged bytes: an error, or records that make sense.
TEST(EhFrame, Mutants) {
  const Bytes original = sample("classes2.o");
  // The bytes of .eh_frame and of its relocations.
  const size_t begin = 0xec, size = 0x98, relocations = 0x2e8, count = 0x48;
  std::mt19937 random(20240607);
  size_t refused = 0, linked = 0;
  for (unsigned round = 0; round < 1000; ++round) {
    Bytes mutant = original;
    for (unsigned n = 1 + random() % 3; n; --n) {
      bool table = random() % 4 != 0;
      size_t at =
          table ? begin + random() % size : relocations + random() % count;
      switch (random() % 4) {
      case 0:
        mutant[at] ^= uint8_t(1 << random() % 8);
        break;
      case 1:
        mutant[at] = uint8_t(random());
        break;
      case 2:
        mutant[at] = uint8_t(mutant[at] + random() % 9 - 4);
        break;
      default: // a word of another place
        std::copy_n(original.begin() + begin + random() % (size / 4) * 4, 4,
                    mutant.begin() + (at & ~size_t(3)));
      }
    }
    LinkHarness links = classes();
    links.file("classes2.o", mutant);
    Linked result =
        links.link({round % 2 ? "-O0" : "-O1",
                    round % 3 ? "--gc-sections" : "--no-gc-sections", "start.o",
                    "classes.o", "classes2.o", "console.o"});
    SCOPED_TRACE(round);
    if (result.status) {
      EXPECT_NE(result.errors, "");
      EXPECT_TRUE(result.files.empty());
      ++refused;
      continue;
    }
    ++linked;
    expectSound(OutFile(result.image()));
    if (HasFailure())
      return;
  }
  EXPECT_GT(refused, 160u);
  EXPECT_GT(linked, 160u);
}

} // namespace
} // namespace xlink::test
