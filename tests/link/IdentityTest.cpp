//===- IdentityTest.cpp - files that do not belong together ---------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes object(StringRef machine, StringRef symbol) {
  return machineObject(machine,
                       (R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
Symbols:
  - { Name: )" + symbol +
                        ", Section: .text, Binding: STB_GLOBAL }\n")
                           .str(),
                       machine == "dpu" ? std::optional<uint32_t>(0x02800000)
                                        : std::nullopt);
}

// The first object decides the machine, -m before any.
TEST(Identity, WrongMachine) {
  LinkHarness links;
  links.file("a.o", object("nyuzi", "_start"));
  links.file("b.o", object("dpu", "b"));
  Linked linked = links.link({"a.o", "b.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(StringRef(linked.errors).starts_with("xlink: error: b.o: "))
      << linked.errors;
  EXPECT_NE(linked.errors.find("dpu"), std::string::npos) << linked.errors;
  EXPECT_NE(linked.errors.find("nyuzi"), std::string::npos) << linked.errors;
  linked = links.link({"-m", "dpu", "a.o", "b.o"});
  EXPECT_TRUE(StringRef(linked.errors).starts_with("xlink: error: a.o: "))
      << linked.errors;
  quiet(links.link({"-m", "nyuzi", "a.o"}));
}

TEST(Identity, WrongClass) {
  LinkHarness links;
  links.file("a.o", object("nyuzi", "_start"));
  links.file("b.o", object("aphelion", "b"));
  for (auto files : {std::vector<std::string>{"a.o", "b.o"},
                     std::vector<std::string>{"b.o", "a.o"}}) {
    Linked linked = links.link(files);
    EXPECT_EQ(linked.status, 1);
    EXPECT_TRUE(StringRef(linked.errors)
                    .starts_with("xlink: error: " + files[1] + ": "))
        << linked.errors;
    EXPECT_TRUE(linked.files.empty());
  }
}

TEST(Identity, UnknownMachine) {
  Bytes foreign = object("nyuzi", "_start");
  setMachine(foreign, 243);
  LinkHarness links;
  links.file("a.o", foreign);
  expectFailure(
      links.link({"a.o"}),
      "xlink: error: a.o: e_machine 0xf3 (riscv) of an ELF32 file belongs to "
      "none of the machines\n"
      ">>> xlink -m NAME says which machine is meant; --help lists "
      "them\n");
  expectFailure(links.link({"-m", "nyuzy", "a.o"}),
                "xlink: error: unknown machine 'nyuzy'\n"
                ">>> the machines are xs1, nyuzi, aphelion, dpu, colossus\n"
                ">>> did you mean 'nyuzi'?\n");
}

TEST(Identity, MachineAlias) {
  LinkHarness links;
  links.file("a.o", object("colossus", "_start"));
  EXPECT_EQ(quiet(links.link({"-m", "ipu", "a.o"})).machine, 248u);
}

// What is relocatable input and what is not.
TEST(Identity, NotRelocatable) {
  LinkHarness links;
  links.file("a.o", object("nyuzi", "_start"));
  links.file("a.elf", quiet(links.link({"a.o"})).is64
                          ? Bytes()
                          : links.link({"a.o"}).image());
  Linked linked = links.link({"a.elf"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(StringRef(linked.errors).starts_with("xlink: error: a.elf: "))
      << linked.errors;
}

TEST(Identity, Bitcode) {
  LinkHarness links;
  links.file("a.o", object("nyuzi", "_start"));
  const char *why =
      ": cannot link LLVM bitcode; compile and link without -flto\n";
  Bytes raw = {'B', 'C', 0xC0, 0xDE, 0, 0, 0, 0};
  Bytes wrapped = {0xDE, 0xC0, 0x17, 0x0B, 0, 0, 0, 0};
  links.file("raw.o", raw).file("wrapped.o", wrapped);
  expectFailure(links.link({"a.o", "raw.o", "wrapped.o"}),
                std::string("xlink: error: raw.o") + why +
                    "xlink: error: wrapped.o" + why);
  links.file("lib.a", makeArchive({{"lto.o", raw}}));
  expectFailure(links.link({"a.o", "--whole-archive", "lib.a"}),
                std::string("xlink: error: lib.a(lto.o)") + why);
}

TEST(Identity, RefusedKindsOfOutput) {
  LinkHarness links;
  links.file("a.o", object("nyuzi", "_start"));
  expectFailure(links.link({"-shared", "a.o"}),
                "xlink: error: option '-shared' is not supported: none of the "
                "machines has a dynamic loader; outputs are static "
                "executables\n");
  expectFailure(links.link({"-pie", "a.o"}),
                "xlink: error: option '-pie' is not supported: none of the "
                "machines has a loader that could move an executable\n");
  quiet(links.link({"-static", "--no-dynamic-linker", "a.o"}));
}

TEST(Identity, ForeignWordsOfZ) {
  LinkHarness links;
  links.file("a.o", object("nyuzi", "_start"));
  warned(links.link({"-z", "xs1-place=offset", "a.o"}),
         "xlink: warning: unknown -z keyword 'xs1-place=offset' ignored\n");
  quiet(links.link({"-z", "noexecstack", "-z", "relro", "a.o"}));
}

TEST(Identity, McpuOfAMachineWithout) {
  LinkHarness links;
  links.file("a.o", object("nyuzi", "_start"));
  expectFailure(links.link({"--mcpu=fast", "a.o"}),
                "xlink: error: unknown --mcpu value 'fast' for nyuzi: this "
                "machine has no variants\n");
}

} // namespace
} // namespace xlink::test
