//===- LtoObjectTest.cpp - objects of GCC's link-time optimisation --------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

// Without code there is nothing to link.
TEST(LtoObject, Slim) {
  for (const char *machine : {"nyuzi", "aphelion"}) {
    LinkHarness links;
    const Bytes slim = machineObject(machine, R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 1 }
  - { Name: .gnu.lto_main.0.1234, Type: SHT_PROGBITS, Flags: [ SHF_EXCLUDE ], AddressAlign: 1, Content: '0102' }
Symbols:
  - { Name: __gnu_lto_slim, Index: SHN_COMMON, Type: STT_OBJECT, Value: 1, Size: 1, Binding: STB_GLOBAL }
)");
    links.file("slim.o", slim);
    const std::string text =
        ": holds no machine code, only what GCC's -flto reads\n"
        ">>> compile with -fno-lto, or with -ffat-lto-objects\n";
    expectFailure(links.link({"slim.o"}), "xlink: error: slim.o" + text);
    links.file("lib.a", makeArchive({{"slim.o", slim}}));
    expectFailure(links.link({"slim.o", "--whole-archive", "lib.a"}),
                  "xlink: error: slim.o" + text +
                      "xlink: error: lib.a(slim.o)" + text);
  }
}

// Of one that holds both the code is linked, and nothing else.
TEST(LtoObject, Fat) {
  for (const char *machine : {"nyuzi", "aphelion"})
    for (const char *flags : {"[ SHF_EXCLUDE ]", "[ ]"}) {
      LinkHarness links;
      links.file(
          "fat.o",
          machineObject(machine, std::string(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '01020304' }
  - { Name: .gnu.lto_main.0.1234, Type: SHT_PROGBITS, Flags: )") +
                                     flags +
                                     R"(, AddressAlign: 1, Content: '0102' }
Symbols:
  - { Name: main, Section: .text, Binding: STB_GLOBAL }
)"));
      OutFile out = quiet(links.link({"-e", "main", "fat.o"}));
      EXPECT_EQ(sectionNames(out).find(".gnu.lto"), std::string::npos);
      EXPECT_EQ(bytesOf(out, ".text").substr(0, 8), "01020304");
    }
}

} // namespace
} // namespace xlink::test
