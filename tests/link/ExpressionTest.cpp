//===- ExpressionTest.cpp - a long chain of link-time expressions ---------===//
#include "link/Linking.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// An entry of .expr: result = operand + 1, the numbers of symbols.
std::string increment(uint32_t result, uint32_t operand) {
  const uint32_t words[] = {1 << 6 | 1, result, operand, 1, 0};
  std::string hex;
  for (uint32_t word : words) {
    uint8_t bytes[4];
    support::endian::write32le(bytes, word);
    hex += toHex(ArrayRef<uint8_t>(bytes), true);
  }
  return hex;
}

// A call chain as deep as one likes.
TEST(Expression, LongChain) {
  constexpr unsigned count = 20000;
  std::string entries, symbols;
  for (unsigned i = 1; i < count; ++i) {
    entries += increment(i, i + 1);
    symbols += "  - { Name: r" + std::to_string(i) +
               ", Index: SHN_ABS, Binding: STB_GLOBAL }\n";
  }
  LinkHarness links;
  links.file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, ShFlags: 0x6, AddressAlign: 4, Size: 8 }
  - { Name: .expr, Type: 0x14, EntSize: 4, Content: ')" +
                        entries + "' }\nSymbols:\n" + symbols + R"(
  - { Name: last, Index: SHN_ABS, Value: 5, Binding: STB_GLOBAL }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  EXPECT_EQ(quiet(links.link({"a.o"})).value("r1"), count - 1 + 5);
}

} // namespace
} // namespace xlink::test
