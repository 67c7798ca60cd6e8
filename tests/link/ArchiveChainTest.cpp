//===- ArchiveChainTest.cpp - a chain as long as an archive ---------------===//
//
// Each of 20,000 members needs the next one. Extraction goes depth first, so a
// resolver that recurses would overflow its stack here.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace xlink::test {
namespace {

constexpr unsigned kLength = 20000;

std::string numbered(unsigned i) {
  std::string digits = std::to_string(i);
  return "sym" + std::string(5 - digits.size(), '0') + digits;
}

/// The member that defines sym00000 and needs sym00001. All members differ from
/// it in digits alone, which is how the chain is made fast enough for a test.
Bytes pattern() {
  return nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: sym00001, Type: 1 } ] }
Symbols:
  - { Name: sym00000, Section: .data, Binding: STB_GLOBAL }
  - { Name: sym00001, Binding: STB_GLOBAL }
)");
}

Bytes link(Bytes object, unsigned i) {
  auto replace = [&](StringRef from, const std::string &to) {
    StringRef text(reinterpret_cast<const char *>(object.data()),
                   object.size());
    size_t at = text.find(from);
    ASSERT_NE(at, StringRef::npos);
    std::copy(to.begin(), to.end(), object.begin() + at);
  };
  replace("sym00000", "own_____");
  replace("sym00001", "next____");
  replace("own_____", numbered(i));
  replace("next____", numbered((i + 1) % kLength));
  return object;
}

TEST(ArchiveChain, TwentyThousandMembers) {
  Bytes model = pattern();
  std::vector<MemberSpec> members;
  for (unsigned i = 0; i < kLength; ++i)
    members.push_back({std::to_string(i) + ".o", link(model, i)});
  for (bool index : {true, false}) {
    LinkHarness links;
    links.file("lib.a", makeArchive(members, ArchiveFormat::Gnu, index));
    Linked linked = links.link({"-e", "0", "-u", "sym00000", "lib.a", "-s"});
    EXPECT_EQ(linked.errors, "");
    OutFile out(linked.image());
    const OutSection *data = out.section(".data");
    ASSERT_TRUE(data);
    ASSERT_EQ(data->size, 4u * kLength);
    // In chain order every word points at the next, and the last at the first.
    for (unsigned i = 0; i < kLength; ++i)
      ASSERT_EQ(support::endian::read32le(&data->bytes[4 * i]),
                data->address + 4 * ((i + 1) % kLength))
          << i;
  }
}

} // namespace
} // namespace xlink::test
