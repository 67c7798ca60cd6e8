//===- StartStopTest.cpp - __start_ and __stop_ symbols and collection ----===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A program that refers to where `set` begins and ends, in one member of which
/// it names a variable.
constexpr const char *kProgram = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .refs, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 8, Size: 24 }
  - { Name: set, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '01010101' }
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Relocations:
      - { Offset: 0, Type: 0, Symbol: refs }
  - Name: .rela.refs
    Type: SHT_RELA
    Info: .refs
    Relocations:
      - { Offset: 0, Type: 1, Symbol: __start_set }
      - { Offset: 8, Type: 1, Symbol: __stop_set }
Symbols:
  - { Name: main, Section: .text, Binding: STB_GLOBAL }
  - { Name: refs, Section: .refs, Binding: STB_GLOBAL }
  - { Name: first, Section: set, Binding: STB_GLOBAL }
  - { Name: __start_set, Binding: STB_GLOBAL }
  - { Name: __stop_set, Binding: STB_GLOBAL }
)";

constexpr const char *kOther = R"(
Sections:
  - { Name: set, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '02020202' }
Symbols:
  - { Name: second, Section: set, Binding: STB_GLOBAL }
)";

struct Links {
  LinkHarness harness;
  explicit Links(const char *machine) {
    harness.file("a.o", machineObject(machine, kProgram));
    harness.file("b.o", machineObject(machine, kOther));
  }
  Linked link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"-e", "main", "-u", "refs", "a.o", "b.o"});
    return harness.link(arguments);
  }
};

TEST(StartStop, KeepTheSections) {
  for (const char *machine : {"nyuzi", "aphelion"})
    for (std::vector<std::string> options :
         {std::vector<std::string>{},
          {"-z", "nostart-stop-gc"},
          {"-z", "start-stop-gc", "-z", "nostart-stop-gc"}}) {
      options.push_back("--gc-sections");
      EXPECT_EQ(bytesOf(quiet(Links(machine).link(options)), "set"),
                "0101010102020202");
    }
}

// What something else refers to stays, and the symbols enclose that.
TEST(StartStop, LetThemGo) {
  for (const char *machine : {"nyuzi", "aphelion"}) {
    Links links(machine);
    Linked linked =
        links.link({"--gc-sections", "-z", "start-stop-gc", "-u", "second"});
    OutFile out = quiet(linked);
    EXPECT_EQ(bytesOf(out, "set"), "02020202");
    const uint64_t refs = out.section(".refs") ? out.section(".refs")->address
                                               : out.value("refs");
    EXPECT_EQ(out.word(refs), out.section("set")->address);
    EXPECT_EQ(out.word(refs + 8), out.section("set")->address + 4);
    // Without --gc-sections there is nothing that goes.
    EXPECT_EQ(bytesOf(quiet(links.link({"-z", "start-stop-gc"})), "set"),
              "0101010102020202");
  }
}

// Nothing is left that they could enclose.
TEST(StartStop, NothingLeft) {
  Linked linked = Links("nyuzi").link({"--gc-sections", "-z", "start-stop-gc"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_NE(linked.errors.find("undefined symbol: __start_set"),
            std::string::npos)
      << linked.errors;
}

} // namespace
} // namespace xlink::test
