//===- IcfTest.cpp - --icf of random programs -----------------------------===//
#include "link/Linking.h"
#include <array>
#include <random>
#include <set>

using namespace llvm;

namespace xlink::test {
namespace {

/// A random program, and which of its functions cannot be told apart.
struct RandomProgram {
  explicit RandomProgram(unsigned seed) {
    std::mt19937 random(seed);
    const unsigned count = 4 + random() % 40, alphabet = 1 + random() % 3;
    for (unsigned i = 0; i < count; ++i) {
      letters.push_back(random() % alphabet);
      targets.push_back(
          {uint32_t(random() % count), uint32_t(random() % count)});
      if (random() % 2) // leaves, and many of a kind
        targets.back()[0] = i % 4;
    }
  }
  /// An object of these functions, each in a section of its own.
  Bytes object() const {
    std::string sections, symbols;
    for (size_t i = 0; i < letters.size(); ++i) {
      const std::string name = "f" + std::to_string(i), home = ".text." + name;
      sections += "  - { Name: " + home +
                  ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
                  "AddressAlign: 8, Content: '00000000000000000" +
                  std::to_string(letters[i]) + "00000000000000' }\n";
      sections += "  - { Name: .rela" + home +
                  ", Type: SHT_RELA, Info: " + home + ", Relocations: [ ";
      for (unsigned k = 0; k < 2; ++k)
        sections += "{ Offset: " + std::to_string(4 * k) + ", Symbol: f" +
                    std::to_string(targets[i][k]) + ", Type: 1 }, ";
      sections += "] }\n";
      symbols += "  - { Name: " + name + ", Section: " + home +
                 ", Size: 8, Binding: STB_GLOBAL }\n";
    }
    return nyuzi("Sections:\n" + sections + "Symbols:\n" + symbols);
  }
  /// How many kinds there are, by asking each pair until nothing changes.
  size_t kinds() const {
    const size_t n = letters.size();
    std::vector<std::vector<bool>> differ(n, std::vector<bool>(n));
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < n; ++i)
        for (size_t j = 0; j < n; ++j)
          if (!differ[i][j] && (letters[i] != letters[j] ||
                                differ[targets[i][0]][targets[j][0]] ||
                                differ[targets[i][1]][targets[j][1]]))
            differ[i][j] = changed = true;
    }
    size_t result = 0;
    for (size_t i = 0; i < n; ++i) {
      bool first = true;
      for (size_t j = 0; j < i; ++j)
        first &= differ[i][j];
      result += first;
    }
    return result;
  }
  std::vector<unsigned> letters;
  std::vector<std::array<unsigned, 2>> targets;
};

// Each symbol has its bytes, and refers to what it referred to; and nothing
// that is the same is there twice.
TEST(Icf, RandomPrograms) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    RandomProgram program(seed);
    LinkHarness links;
    links.file("a.o", program.object())
        .file("x.ld", "SECTIONS { . = 0x1000; .text : { *(.text.*) } }");
    const OutFile out =
        quiet(links.link({"--icf=all", "-e", "0", "-T", "x.ld", "a.o"}));
    std::set<uint64_t> addresses;
    for (size_t i = 0; i < program.letters.size(); ++i) {
      const uint64_t at = out.value("f" + std::to_string(i));
      addresses.insert(at);
      for (unsigned k = 0; k < 2; ++k)
        EXPECT_EQ(out.word(at + 4 * k),
                  out.value("f" + std::to_string(program.targets[i][k])))
            << seed << " f" << i;
      EXPECT_EQ(out.word(at + 8), program.letters[i]) << seed << " f" << i;
    }
    EXPECT_EQ(addresses.size(), program.kinds()) << seed;
    EXPECT_EQ(out.section(".text")->size, 16 * addresses.size()) << seed;
  }
}

} // namespace
} // namespace xlink::test
