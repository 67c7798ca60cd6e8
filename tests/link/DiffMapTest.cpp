//===- DiffMapTest.cpp - --diff-map: what maps know of two files ----------===//
#include "link/DiffFiles.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A program and its map.
struct Mapped {
  Bytes image;
  std::string map;
};
Mapped mapped(const Bytes &object, std::vector<std::string> more,
              const char *cref = "--cref") {
  LinkHarness links;
  links.file("a.o", object);
  more.insert(more.begin(), {"-o", "out", "a.o", "--map-json=map.json", cref});
  const Linked result = links.linkAsGiven(more);
  EXPECT_EQ(result.errors, "");
  const Bytes &map = result.files.at("map.json");
  return {result.image(), {map.begin(), map.end()}};
}

Linked diffOfMapped(const Mapped &a, const Mapped &b,
                    std::vector<std::string> options) {
  LinkHarness files;
  files.file("a.elf", a.image).file("b.elf", b.image);
  files.file("a.json", a.map).file("b.json", b.map);
  options.insert(options.begin(), "--diff");
  options.insert(options.end(), {"a.elf", "b.elf"});
  return files.linkAsGiven(options);
}

const std::vector<std::string> kBoth = {"--diff-map=a.json",
                                        "--diff-map=b.json"};

// Two stripped files are compared function by function.
TEST(DiffMap, NamesOfStrippedFiles) {
  const Mapped a = mapped(program({}), {"-s"}),
               b = mapped(program(wordsOfLongerEarly()),
                          {"-s", "-Tdata=0x2000"});
  expectDiff(
      diffOfMapped(a, b, kBoth),
      std::string(kEarlyGrew) +
          "  because of moved targets: 1 byte in 1 function or object\n");
}

/// A table without a name, and a pointer to its second word.
Bytes table() {
  return nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rodata.table, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '1122334455667788' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: .rodata.table, Type: 1, Addend: 4 } ] }
Symbols:
  - { Name: .rodata.table, Type: STT_SECTION, Section: .rodata.table }
  - { Name: _start, Section: .text, Type: STT_FUNC, Binding: STB_GLOBAL, Size: 4 }
)");
}

/// A count of the JSON form.
int64_t countOf(const Mapped &a, const Mapped &b,
                std::vector<std::string> options, StringRef what) {
  options.push_back("--diff=json");
  const Linked result = diffOfMapped(a, b, options);
  EXPECT_EQ(result.errors, "");
  Expected<json::Value> value = json::parse(result.text);
  if (!value) {
    ADD_FAILURE() << toString(value.takeError());
    return -1;
  }
  const json::Object &counts = *value->getAsObject()->getObject("counts");
  return counts.getInteger(what).value_or(0);
}

// What a map tells is no longer only probable, also of places without a symbol.
TEST(DiffMap, ReferencesBetweenParts) {
  const Mapped a = mapped(table(), {}),
               b = mapped(table(), {"--section-start=.rodata=0x9000"});
  EXPECT_EQ(countOf(a, b, {}, "bytesProbablyMoved"), 2);
  EXPECT_EQ(countOf(a, b, kBoth, "bytesMoved"), 2);
  EXPECT_EQ(countOf(a, b, kBoth, "bytesProbablyMoved"), 0);
  EXPECT_EQ(countOf(a, b, kBoth, "bytesReal"), 0);
  // One map alone knows nothing of the other file's parts.
  EXPECT_EQ(countOf(a, b, {"--diff-map=a.json"}, "bytesProbablyMoved"), 2);
  EXPECT_EQ(countOf(a, b, {"--diff-map=-", "--diff-map=b.json"},
                    "bytesProbablyMoved"),
            2);
}

// A word that only looks like the address of something that moved: no map knows
// of such a reference.
TEST(DiffMap, NoReference) {
  Mapped a = mapped(table(), {}), b = mapped(table(), {"-Tdata=0x9000"});
  for (Mapped *file : {&a, &b}) {
    const OutFile out(file->image);
    poke(file->image, out.section(".rodata")->offset,
         out.section(".data")->address, 4);
  }
  EXPECT_EQ(countOf(a, b, {}, "bytesReal"), 0);
  EXPECT_GT(countOf(a, b, kBoth, "bytesReal"), 0);
  EXPECT_NE(diffOfMapped(a, b, kBoth)
                .text.find("bytes without a name in a.o:(.rodata.table) "
                           "changed"),
            std::string::npos)
      << diffOfMapped(a, b, kBoth).text;
}

// Maps that do not tell of references are maps of the parts all the same.
TEST(DiffMap, WithoutReferences) {
  const char *const nothing = "--no-warnings";
  const Mapped a = mapped(table(), {}, nothing),
               b = mapped(table(), {"--section-start=.rodata=0x9000"}, nothing),
               crossed = mapped(table(), {});
  EXPECT_EQ(diffOfMapped(a, b, kBoth).errors,
            "xlink: warning: a.json: does not say which part refers to which; "
            "--map-json does with --cref\n"
            "xlink: warning: b.json: does not say which part refers to which; "
            "--map-json does with --cref\n");
  EXPECT_EQ(diffOfMapped(crossed, b, kBoth).errors,
            "xlink: warning: b.json: does not say which part refers to which; "
            "--map-json does with --cref\n");
  EXPECT_EQ(diffOfMapped(a, b, {"--diff-map=a.json"}).errors, "");
  std::vector<std::string> options = kBoth;
  options.push_back(nothing);
  EXPECT_EQ(countOf(a, b, options, "bytesProbablyMoved"), 2);
  EXPECT_EQ(countOf(a, b, options, "bytesReal"), 0);
}

TEST(DiffMap, Trouble) {
  const Mapped a = mapped(program({}), {}),
               b = mapped(program(wordsOfLongerEarly()), {});
  auto expect = [&](const std::vector<std::string> &options, StringRef text) {
    const Linked result = diffOfMapped(a, b, options);
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.text, "");
    EXPECT_EQ(result.errors, text.str());
  };
  expect({"--diff-map=b.json"},
         "xlink: error: b.json: is no map of a.elf: the file has no section "
         ".text of 36 bytes at 0x1000\n");
  expect({"--diff-map=-", "--diff-map=a.json"},
         "xlink: error: a.json: is no map of b.elf: the file has no section "
         ".text of 32 bytes at 0x1000\n");
  expect({"--diff-map=none.json"},
         "xlink: error: cannot open none.json: No such file or directory\n");
  expect({"--diff-map=a.json", "--diff-map=b.json", "--diff-map=c.json"},
         "xlink: error: option '--diff-map': given 3 times, for two files\n");
  expect({"--diff-map=a.elf"}, "xlink: error: a.elf:1:33: no JSON: "
                               "this is not UTF-8\n");
  Mapped strayed = a, relocatable = mapped(program({}), {"-r"});
  const size_t at = strayed.map.find("\"address\":\"0x1018\"");
  ASSERT_NE(at, std::string::npos);
  strayed.map.replace(at, 18, "\"address\":\"0x101c\"");
  EXPECT_EQ(diffOfMapped(strayed, b, {"--diff-map=a.json"}).errors,
            "xlink: error: a.json: is no map of a.elf: symbol _ZN4work3runEi "
            "is at 0x101c there, and at 0x1018 in the file\n");
  EXPECT_EQ(diffOfMapped(relocatable, b, {"--diff-map=a.json"}).errors,
            "xlink: error: a.json: a.elf is relocatable: its relocations say "
            "what a map would\n");
}

} // namespace
} // namespace xlink::test
