//===- BuildIdTest.cpp - --build-id ---------------------------------------===//
#include "link/NamedObjects.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/SHA1.h"

using namespace llvm;

namespace xlink::test {
namespace {

struct Links {
  LinkHarness harness;
  explicit Links(const char *machine = "nyuzi") {
    harness.file("a.o", namedObject(machine, {"f"}, {"f"}));
    harness.file("b.o", namedObject(machine, {"g"}, {"g"}));
    harness.file("discard.ld",
                 "SECTIONS { /DISCARD/ : { *(.note*) } .data : { *(.data) } "
                 ".rodata : { *(.rodata) } }");
    harness.file("keep.ld", "SECTIONS { .id : { KEEP(*(.note.gnu.build-id)) } "
                            ".data : { *(.data) } .rodata : { *(.rodata) } }");
  }
  Linked link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0"});
    return harness.link(arguments);
  }
  std::string note(std::vector<std::string> arguments) {
    return bytesOf(quiet(link(std::move(arguments))), ".note.gnu.build-id");
  }
};

/// Note header and name in front of so many bytes.
std::string header(const char *size) {
  return std::string("04000000") + size + "00000003000000474e5500";
}

/// The output with zeros where the note identifies it.
Bytes withoutId(const Bytes &image, const OutSection &note) {
  Bytes bytes = image;
  std::fill(bytes.begin() + note.offset + 16,
            bytes.begin() + note.offset + note.size, 0);
  return bytes;
}

TEST(BuildId, HashesOfTheOutput) {
  for (const char *machine : bothClasses) {
    Links links(machine);
    for (const char *option : {"--build-id", "--build-id=sha1"}) {
      Linked linked = links.link({"a.o", option});
      OutFile out = quiet(linked);
      const OutSection *note = out.section(".note.gnu.build-id");
      ASSERT_NE(note, nullptr);
      EXPECT_EQ(note->type, uint32_t(ELF::SHT_NOTE));
      EXPECT_EQ(note->flags, uint64_t(ELF::SHF_ALLOC));
      EXPECT_EQ(note->align, 4u);
      auto hash = SHA1::hash(withoutId(linked.image(), *note));
      EXPECT_EQ(hexDigits(note->bytes),
                header("14") + hexDigits(Bytes(hash.begin(), hash.end())));
    }
    Linked linked = links.link({"a.o", "--build-id=md5"});
    OutFile out = quiet(linked);
    const OutSection *note = out.section(".note.gnu.build-id");
    auto hash = MD5::hash(withoutId(linked.image(), *note));
    EXPECT_EQ(hexDigits(note->bytes),
              header("10") + hexDigits(Bytes(hash.begin(), hash.end())));
  }
}

// Equal links are equal; what differs anywhere has another note.
TEST(BuildId, SaysWhatWasLinked) {
  Links links;
  for (const char *option :
       {"--build-id=fast", "--build-id=md5", "--build-id=sha1"}) {
    const std::string first = links.note({"a.o", option});
    EXPECT_EQ(links.note({"a.o", option}), first);
    EXPECT_EQ(links.note({"a.o", option, "--threads=1"}), first);
    EXPECT_NE(links.note({"a.o", "b.o", option}), first);
    EXPECT_NE(links.note({"a.o", option, "--defsym=x=1"}), first);
  }
  EXPECT_EQ(links.note({"a.o", "--build-id=fast"}).substr(0, 32), header("08"));
}

TEST(BuildId, RandomBytes) {
  Links links;
  const std::string first = links.note({"a.o", "--build-id=uuid"});
  EXPECT_EQ(first.substr(0, 32), header("10"));
  EXPECT_EQ(first.size(), 64u);
  EXPECT_NE(links.note({"a.o", "--build-id=uuid"}), first);
}

TEST(BuildId, GivenBytes) {
  Links links;
  EXPECT_EQ(links.note({"a.o", "--build-id=0xdeadBEEF"}),
            header("04") + "deadbeef");
  EXPECT_EQ(links.note({"a.o", "--build-id=0Xde-ad:be"}),
            header("03") + "deadbe");
  for (const char *wrong : {"0x", "0xabc", "0xzz", "0x12:3", "0x:"})
    expectFailure(links.link({"a.o", std::string("--build-id=") + wrong}),
                  std::string("xlink: error: option '--build-id': '") + wrong +
                      "' is not made of pairs of hexadecimal digits\n");
  expectFailure(links.link({"a.o", "--build-id=sha256"}),
                "xlink: error: option '--build-id': 'sha256' is none of none, "
                "fast, md5, sha1, uuid\n");
}

TEST(BuildId, None) {
  Links links;
  EXPECT_EQ(links.note({"a.o"}), "none");
  EXPECT_EQ(links.note({"a.o", "--build-id", "--build-id=none"}), "none");
  // An image of memory has no notes (GNU ld).
  EXPECT_EQ(links.link({"a.o", "--oformat=binary", "--build-id"}).image(),
            links.link({"a.o", "--oformat=binary"}).image());
}

// Nothing refers to the note, and it stays.
TEST(BuildId, CollectionKeepsIt) {
  Links links;
  OutFile out =
      quiet(links.link({"a.o", "-u", "f", "--gc-sections", "--build-id"}));
  EXPECT_NE(out.section(".note.gnu.build-id"), nullptr);
}

TEST(BuildId, Scripts) {
  Links links;
  EXPECT_EQ(
      bytesOf(quiet(links.link({"a.o", "-T", "keep.ld", "--build-id=0x1234"})),
              ".id"),
      header("02") + "1234");
  Linked linked = links.link({"a.o", "-T", "keep.ld", "--build-id"});
  OutFile out = quiet(linked);
  auto hash = SHA1::hash(withoutId(linked.image(), *out.section(".id")));
  EXPECT_EQ(bytesOf(out, ".id"),
            header("14") + hexDigits(Bytes(hash.begin(), hash.end())));
  for (const char *option : {"--build-id", "--build-id=0x12"})
    warned(links.link({"a.o", "-T", "discard.ld", option}),
           "xlink: warning: the script discards '.note.gnu.build-id': "
           "--build-id has no effect\n");
}

// Every machine's own script has a place for it.
TEST(BuildId, BuiltInScripts) {
  for (const char *machine : {"xs1", "nyuzi", "aphelion", "dpu", "colossus"}) {
    LinkHarness links;
    links.file("a.o", machineObject(machine, R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 16 }
)"));
    Linked linked = links.link({"a.o", "-e", "0", "--build-id=0x12", "-w"});
    EXPECT_EQ(linked.errors, "") << machine;
    if (linked.status != 0)
      continue;
    OutFile out(linked.image());
    EXPECT_EQ(bytesOf(out, ".note.gnu.build-id"), header("01") + "12")
        << machine;
  }
}

// IRAM and WRAM of the DPU have room for code and variables alone.
TEST(BuildId, DpuHasItInMram) {
  LinkHarness links;
  links.file("a.o", dpu(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 16 }
)"));
  OutFile out = quiet(links.link({"a.o", "-e", "0", "--build-id"}));
  ASSERT_NE(out.section(".note.gnu.build-id"), nullptr);
  EXPECT_EQ(out.section(".note.gnu.build-id")->address, 0x08000000u);
  EXPECT_EQ(out.value("__sys_used_mram_end"), 0x08000028u);
  out = quiet(links.link({"a.o", "-e", "0"}));
  EXPECT_EQ(out.section(".note.gnu.build-id"), nullptr);
  EXPECT_EQ(out.value("__sys_used_mram_end"), 0x08000000u);
}

} // namespace
} // namespace xlink::test
