//===- SizeAttributionTest.cpp - the tree of --print-size-attribution -----===//
#include "map/SizeAttribution.h"
#include "map/LinkMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FormatVariadic.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace llvm;
using namespace xlink;

namespace {

/// One output section of 100 bytes in a region that counts 110 as used.
class Maker {
public:
  LinkMap map;

  Maker() {
    map.regions.push_back({"rom", 0x1000, 1000, 110, 0, false, {}});
    MapOutput &o = map.outputs.emplace_back();
    o.name = ".text";
    o.address = o.loadAddress = 0x1004;
    o.flags = 6;
    o.region = 0;
  }
  uint32_t file(StringRef path, StringRef member = "") {
    map.files.push_back({path, member, "", LinkMap::kNoIndex, ""});
    return uint32_t(map.files.size() - 1);
  }
  MapPart &part(MapPart::Kind kind, StringRef name, uint64_t size,
                uint32_t file = LinkMap::kNoIndex) {
    MapOutput &o = map.outputs.back();
    MapPart &p = map.parts.emplace_back();
    p.kind = kind;
    p.name = name;
    p.size = size;
    p.file = file;
    p.address = o.address + o.size;
    p.firstSymbol = uint32_t(map.symbols.size());
    o.size += size;
    ++o.parts;
    return p;
  }
  void symbol(StringRef name, uint64_t offset, uint64_t size,
              MapSymbol::Kind kind = MapSymbol::Function) {
    MapPart &p = map.parts.back();
    map.symbols.push_back({name, p.address + offset, size, kind, false, false});
    ++p.symbols;
  }
};

/// Whether every node is the sum of its children.
bool addsUp(const SizeTree &tree) {
  return all_of(tree.nodes, [&](const SizeNode &node) {
    uint64_t sum = 0;
    for (uint32_t child : node.children)
      sum += tree.nodes[child].bytes;
    return node.children.empty() || sum == node.bytes;
  });
}

std::string attributionText(const LinkMap &map) {
  const SizeTree tree = attributeSizes(map);
  EXPECT_TRUE(addsUp(tree));
  std::string text;
  raw_string_ostream out(text);
  json::OStream json(nulls());
  writeSizeAttribution(out, json, tree, /*depth=*/0, /*demangle=*/true);
  return text;
}

LinkMap example() {
  Maker m;
  const uint32_t a = m.file("a.o"), b = m.file("lib.a", "b.o");
  m.map.files[b].source = "b.c";
  m.part(MapPart::Input, ".text.f", 40, a);
  m.symbol("_Z1fi", 0, 16);
  m.symbol("table", 16, 20, MapSymbol::Object);
  m.part(MapPart::Padding, "", 8).cause = "assignment to . at x.ld:3";
  m.part(MapPart::Input, ".text", 30, b);
  m.symbol("start", 2, 0);
  m.symbol("next", 10, 0);
  m.part(MapPart::Data, "", 2);
  m.part(MapPart::Linker, ".got", 20);
  for (const MapPart &part : m.map.parts)
    inferSizes(part, MutableArrayRef(m.map.symbols.data() + part.firstSymbol,
                                     part.symbols));
  return m.map;
}

TEST(SizeAttribution, Tree) {
  EXPECT_EQ(attributionText(example()),
            "       Bytes     Share  Whose\n"
            "         110   100.00%  all\n"
            "         110   100.00%    rom\n"
            "         100    90.91%      .text\n"
            "          40    36.36%        a.o\n"
            "          20    18.18%          table\n"
            "          16    14.55%          f(int)\n"
            "           4     3.64%          .text.f\n"
            "          30    27.27%        lib.a\n"
            "          30    27.27%          b.o  [b.c]\n"
            "          20    18.18%            next\n"
            "           8     7.27%            start\n"
            "           2     1.82%            .text\n"
            "          20    18.18%        <internal>\n"
            "          20    18.18%          .got\n"
            "           8     7.27%        padding\n"
            "           8     7.27%          assignment to . at x.ld:3\n"
            "           2     1.82%        script's data\n"
            "          10     9.09%      padding\n"
            "           6     5.45%        behind the last section\n"
            "           4     3.64%        in front of .text\n");
}

TEST(SizeAttribution, Json) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream out(stream);
  writeSizeAttribution(nulls(), out, attributeSizes(example()), 1, false);
  out.flush();
  EXPECT_EQ(stream.str(),
            R"({"bytes":110,"children":[{"bytes":110,"kind":"region",)"
            R"("name":"rom","share":1}],"kind":"all","name":"all","share":1})");
}

// Aliases, symbols inside of others, symbols that go beyond their part.
TEST(SizeAttribution, OverlappingSymbols) {
  Maker m;
  m.part(MapPart::Input, ".text", 100, m.file("a.o"));
  m.symbol("small", 0, 4);
  m.symbol("large", 0, 50);
  m.symbol("inside", 20, 10);
  m.symbol("beyond", 90, 1000);
  m.symbol("behind", 100, 4);
  EXPECT_THAT(attributionText(m.map),
              testing::HasSubstr("          50    45.45%          large\n"
                                 "          40    36.36%          .text\n"
                                 "          10     9.09%          beyond\n"));
}

// A section that is loaded in another region than it runs in has room in both;
// one whose two regions are the same, or that has no contents, in one.
TEST(SizeAttribution, LoadRegions) {
  auto bytes = [](uint32_t region, uint32_t loadRegion, uint32_t type) {
    Maker m;
    m.map.regions[0].used = 0;
    m.map.regions.push_back({"ram", 0x8000, 1000, 0, 0, false, {}});
    m.part(MapPart::Input, ".data", 100, m.file("a.o"));
    MapOutput &o = m.map.outputs[0];
    o.region = region;
    o.loadRegion = loadRegion;
    o.type = type;
    o.address = m.map.regions[region == 1].origin;
    o.loadAddress = m.map.regions[loadRegion == 1].origin;
    const SizeTree tree = attributeSizes(m.map);
    EXPECT_TRUE(addsUp(tree));
    std::string text;
    for (uint32_t child : tree.nodes[0].children)
      text += tree.nodes[child].name + "=" +
              std::to_string(tree.nodes[child].bytes) + " ";
    return text;
  };
  const uint32_t none = LinkMap::kNoIndex;
  for (uint32_t type : {ELF::SHT_PROGBITS, ELF::SHT_NOBITS}) {
    const bool loaded = type == ELF::SHT_PROGBITS;
    EXPECT_EQ(bytes(0, none, type), "rom=100 ");
    EXPECT_EQ(bytes(0, 0, type), "rom=100 ");
    EXPECT_EQ(bytes(1, 1, type), "ram=100 ");
    EXPECT_EQ(bytes(1, 0, type), loaded ? "ram=100 rom=100 " : "ram=100 ");
    EXPECT_EQ(bytes(0, 1, type), loaded ? "ram=100 rom=100 " : "rom=100 ");
  }
}

TEST(SizeAttribution, Nothing) {
  EXPECT_EQ(attributionText({}), "       Bytes     Share  Whose\n"
                                 "           0     0.00%  all\n");
}

} // namespace
