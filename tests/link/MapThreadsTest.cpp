//===- MapThreadsTest.cpp - maps that several threads write ---------------===//
//
// Both maps are made in pieces, cut where a number of sections is reached. The
// program here is large enough for many pieces in one output section, and for
// threads to start. What stands at a cut must be as anywhere else: padding in
// front of a section, and COMMON symbols of a file, which share a line.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "map/LinkMapJson.h"
#include "llvm/ADT/StringExtras.h"
#include <gmock/gmock.h>

using namespace llvm;

namespace xlink::test {
namespace {

constexpr unsigned kMapObjects = 4, kSections = 2000, kCommon = 1000;

/// Sections of 4 bytes, each on a multiple of 8 and with a symbol, and COMMON
/// symbols.
Bytes object(unsigned number) {
  const std::string name = "f" + std::to_string(number) + "_";
  std::string sections = "Sections:\n", symbols = "Symbols:\n";
  for (unsigned i = 0; i < kSections; ++i) {
    const std::string own = name + std::to_string(i);
    sections += "  - { Name: .text." + own +
                ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
                "AddressAlign: 8, Content: '00000000' }\n";
    symbols += "  - { Name: " + own + ", Section: .text." + own +
               ", Binding: STB_GLOBAL, Size: 4 }\n";
  }
  for (unsigned i = 0; i < kCommon; ++i)
    symbols += "  - { Name: c" + name + std::to_string(i) +
               ", Index: SHN_COMMON, Value: 4, Size: 4, "
               "Binding: STB_GLOBAL }\n";
  return nyuzi(sections + symbols);
}

std::string fileText(const Linked &linked, const char *name) {
  auto it = linked.files.find(name);
  if (it == linked.files.end())
    return "no " + std::string(name);
  return toStringRef(it->second).str();
}

struct Maps {
  std::string text, json;
};

class MapThreads : public testing::Test {
protected:
  MapThreads() {
    static const std::vector<Bytes> objects = [] {
      std::vector<Bytes> made;
      for (unsigned i = 0; i < kMapObjects; ++i)
        made.push_back(object(i));
      return made;
    }();
    for (unsigned i = 0; i < kMapObjects; ++i) {
      names.push_back("o" + std::to_string(i) + ".o");
      links.file(names.back(), objects[i]);
    }
    links.file("x.ld", "SECTIONS { .text : { *(.text*) }\n"
                       ".bss : { *(COMMON) } }");
  }
  Maps link(const char *threads, const std::vector<std::string> &more = {}) {
    std::vector<std::string> arguments = names;
    for (const char *option : {"-T", "x.ld", "-e", "0", "-Map=m.map",
                               "--map-json=m.json", "--cref", threads})
      arguments.push_back(option);
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Linked linked = links.link(arguments);
    EXPECT_EQ(linked.errors, "");
    return {fileText(linked, "m.map"), fileText(linked, "m.json")};
  }

  LinkHarness links;
  std::vector<std::string> names;
};

// The list of what nothing refers to is cut as well.
TEST_F(MapThreads, DiscardedSections) {
  const std::vector<std::string> collect = {"--gc-sections", "-e", "f0_0"};
  std::string wanted;
  for (unsigned i = 0; i < kMapObjects; ++i)
    for (unsigned k = 0; k < kSections; ++k)
      if (i || k)
        wanted +=
            ".text.f" + std::to_string(i) + "_" + std::to_string(k) + "\n";
  const Maps one = link("--threads=1", collect);
  const size_t end = one.text.find("\nMemory Configuration");
  std::string listed;
  for (size_t at = one.text.find("\n .text.f"); at < end;
       at = one.text.find("\n .text.f", at + 1))
    listed += StringRef(one.text)
                  .substr(at + 2)
                  .take_until([](char letter) {
                    return letter == ' ' || letter == '\n';
                  })
                  .str() +
              "\n";
  EXPECT_TRUE(listed == wanted);
  for (const char *threads : {"--threads=2", "--threads=5"}) {
    const Maps many = link(threads, collect);
    EXPECT_TRUE(many.text == one.text) << threads;
    EXPECT_TRUE(many.json == one.json) << threads;
  }
}

TEST_F(MapThreads, TheSameWithAnyNumber) {
  const Maps one = link("--threads=1");
  for (const char *threads : {"--threads=2", "--threads=3", "--threads=8"}) {
    const Maps many = link(threads);
    EXPECT_TRUE(many.text == one.text) << threads;
    EXPECT_TRUE(many.json == one.json) << threads;
  }
}

TEST_F(MapThreads, NothingIsLostAtACut) {
  const Maps maps = link("--threads=2");
  const StringRef text =
      StringRef(maps.text).split("Linker script and memory map").second;
  EXPECT_EQ(text.count(" *fill* "), kMapObjects * kSections - 1);
  EXPECT_EQ(text.count("\n .text.f"), kMapObjects * kSections);
  EXPECT_EQ(text.count("\n COMMON "), kMapObjects);
  // Sections and symbols, each with the address behind the one in front of it.
  uint64_t last = 0;
  size_t symbols = 0;
  SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    const StringRef name = line.trim().rsplit(' ').second;
    uint64_t address;
    if (!line.starts_with("                0x") || !name.starts_with("f") ||
        line.trim().split(' ').first.getAsInteger(0, address))
      continue;
    EXPECT_EQ(address, symbols ? last + 8 : address) << line.str();
    last = address;
    ++symbols;
  }
  EXPECT_EQ(symbols, kMapObjects * kSections);
}

// The reader checks that parts stand one behind the other.
TEST_F(MapThreads, TheJsonIsWhole) {
  const Maps maps = link("--threads=2");
  Diagnostics diag;
  const std::optional<LinkMap> map = readLinkMap("m.json", maps.json, diag);
  ASSERT_TRUE(map) << diag.all()[0].text;
  EXPECT_EQ(map->symbols.size(), kMapObjects * (kSections + kCommon));
  EXPECT_EQ(map->patterns.size(), 2u);
}

} // namespace
} // namespace xlink::test
