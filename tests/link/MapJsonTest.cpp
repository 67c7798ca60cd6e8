//===- MapJsonTest.cpp - --map-json ---------------------------------------===//
#include "link/Linking.h"
#include "llvm/Support/JSON.h"
#include <gmock/gmock.h>

using namespace llvm;

namespace xlink::test {
namespace {

std::string fileText(const Linked &linked, const char *name = "map.json") {
  auto it = linked.files.find(name);
  if (it == linked.files.end())
    return "no " + std::string(name);
  return {it->second.begin(), it->second.end()};
}

uint64_t address(const json::Object &o, StringRef key = "address") {
  uint64_t value = ~uint64_t(0);
  EXPECT_FALSE(o.getString(key).value_or("").getAsInteger(0, value));
  return value;
}

/// What any map must hold: it is JSON, its sections are those of the file, and
/// parts fill each section in order.
void expectSound(const Linked &linked) {
  Expected<json::Value> value = json::parse(fileText(linked));
  ASSERT_TRUE(bool(value)) << toString(value.takeError());
  const OutFile out(linked.image());
  const json::Array &outputs = *value->getAsObject()->getArray("outputs");
  ASSERT_LE(outputs.size(), out.sections.size() - 1);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const json::Object &o = *outputs[i].getAsObject();
    const OutSection &section = out.sections[i + 1];
    EXPECT_EQ(o.getString("name"), StringRef(section.name));
    EXPECT_EQ(address(o), section.address) << section.name;
    EXPECT_EQ(o.getInteger("size"), int64_t(section.size)) << section.name;
    uint64_t at = section.address;
    if (const json::Array *parts = o.getArray("parts"))
      for (const json::Value &part : *parts) {
        EXPECT_EQ(address(*part.getAsObject()), at) << section.name;
        at += uint64_t(*part.getAsObject()->getInteger("size"));
      }
    EXPECT_EQ(at, section.address + section.size) << section.name;
  }
}

LinkHarness inputs() {
  LinkHarness links;
  links.file("main.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .text.dead, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rodata.str1.1, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '6162006162006300' }
  - { Name: .rela.text, Type: SHT_RELA, Link: .symtab, Info: .text, Relocations: [ { Offset: 0, Type: 2, Symbol: helper }, { Offset: 4, Type: 3, Symbol: helper } ] }
Symbols:
  - { Name: main.c, Type: STT_FILE, Index: SHN_ABS }
  - { Name: here, Section: .text, Value: 4 }
  - { Name: _start, Type: STT_FUNC, Section: .text, Binding: STB_GLOBAL, Size: 8 }
  - { Name: helper, Binding: STB_GLOBAL }
  - { Name: shared, Index: SHN_COMMON, Value: 4, Size: 6, Binding: STB_GLOBAL }
)"));
  const Bytes member = nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 32, Content: '00000000' }
  - { Name: .rodata.str1.1, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '6200' }
Symbols:
  - { Name: helper, Type: STT_FUNC, Section: .text, Binding: STB_WEAK, Size: 4 }
)");
  links.file("libx.a", makeArchive({{"help.o", member}}));
  links.file("x.ld", "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 1K\n"
                     "ram : ORIGIN = 0x8000, LENGTH = 256 }\n"
                     "SECTIONS {\n"
                     "  .text : { *(.text .text.*)\n"
                     "    LONG(1)\n"
                     "    . = ALIGN(16); } >rom\n"
                     "  .rodata : { KEEP(*(.rodata*)) } >ram AT>rom\n"
                     "  .bss (NOLOAD) : { KEEP(*(COMMON)) } >ram\n"
                     "  .stack : { . += 32; } >ram\n"
                     "  end = .;\n"
                     "}\n");
  return links;
}

TEST(MapJson, WholeMap) {
  const Linked linked =
      inputs().link({"main.o", "libx.a", "-T", "x.ld", "--gc-sections",
                     "--map-json=map.json", "--cref"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, "");
  expectSound(linked);
  EXPECT_EQ(
      fileText(linked),
      R"x({"format":"xlink map","version":3,"machine":"nyuzi","output":"out","addressBits":32,"entry":{"name":"_start","address":"0x1000"},
"regions":[
{"name":"rom","origin":"0x1000","length":1024,"used":53,"loadOnly":5},
{"name":"ram","origin":"0x8000","length":256,"used":46,"reservations":[{"name":".stack","kind":"stack","address":"0x800e","size":32}]}],
"files":[
{"path":"main.o","source":"main.c"},
{"path":"libx.a","member":"help.o","symbol":"helper","neededBy":0}],
"patterns":[
{"script":"x.ld","line":4,"text":"*(.text .text.*)"},
{"script":"x.ld","line":5,"text":"LONG 0x1"},
{"script":"x.ld","line":7,"text":"*(.rodata*)"},
{"script":"x.ld","line":8,"text":"*(COMMON)"}],
"outputs":[
{"name":".text","address":"0x1000","size":48,"align":32,"flags":"AX","region":0,"parts":[
{"name":".text","file":0,"address":"0x1000","size":8,"align":4,"pattern":0,"live":"root","symbols":[{"name":"_start","size":8,"kind":"function"},{"name":"here","address":"0x1004","local":true}]},
{"kind":"padding","address":"0x1008","size":24,"cause":"alignment of libx.a(help.o):(.text) to 32"},
{"name":".text","file":1,"address":"0x1020","size":4,"align":32,"pattern":0,"live":"reference","from":0,"symbols":[{"name":"helper","size":4,"kind":"function","weak":true}]},
{"kind":"data","address":"0x1024","size":4,"pattern":1},
{"kind":"padding","address":"0x1028","size":8,"cause":"assignment to . at x.ld:6"}]},
{"name":".rodata","address":"0x8000","loadAddress":"0x1030","size":5,"align":1,"flags":"AMS","region":1,"loadRegion":0,"parts":[
{"name":".rodata.str1.1","file":0,"address":"0x8000","size":5,"pattern":2,"live":"root"},
{"name":".rodata.str1.1","file":1,"address":"0x8005","size":0,"pattern":2,"live":"root"}]},
{"name":".bss","address":"0x8008","loadAddress":"0x1035","size":6,"align":4,"type":8,"flags":"WA","region":1,"loadRegion":0,"parts":[
{"kind":"common","name":"COMMON","file":0,"address":"0x8008","size":6,"align":4,"pattern":3,"live":"root","symbols":[{"name":"shared","size":6,"kind":"object"}]}]},
{"name":".stack","address":"0x800e","loadAddress":"0x1035","size":32,"align":1,"type":8,"flags":"WA","region":1,"loadRegion":0,"parts":[
{"kind":"padding","address":"0x800e","size":32,"cause":"assignment to . at x.ld:9"}]},
{"name":".comment","address":"0x0","size":12,"align":1,"flags":"MS","parts":[
{"kind":"linker","name":".comment","address":"0x0","size":12}]}],
"absolutes":[
{"name":"end","address":"0x802e"}],
"discarded":[
{"name":".text.dead","file":0,"size":4,"reason":"unused"}],
"references":[
[0,[2,2,1]]],
"relocations":[
{"type":"R_NYUZI_BRANCH20","count":1},
{"type":"R_NYUZI_BRANCH25","count":1}]}
)x");
}

// What relocations refer to is as much as all else: who wants it says so.
TEST(MapJson, ReferencesWhereSomebodyAsks) {
  auto mapOf = [](std::vector<std::string> more) {
    more.insert(more.begin(),
                {"main.o", "libx.a", "-T", "x.ld", "--map-json=map.json"});
    return fileText(inputs().link(more));
  };
  const std::string without = mapOf({}), with = mapOf({"--cref"});
  EXPECT_EQ(mapOf({"--html-report=a.html"}), with);
  const size_t begin = with.find(",\n\"references\":[\n");
  ASSERT_NE(begin, std::string::npos);
  EXPECT_NE(with.find("\"relocations\":[", begin), std::string::npos);
  EXPECT_EQ(without, with.substr(0, begin) + "}\n");
}

TEST(MapJson, OfALinkThatFails) {
  const Linked linked =
      inputs().link({"main.o", "-T", "x.ld", "--map-json=map.json"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_EQ(linked.files.count("out"), 0u);
  Expected<json::Value> value = json::parse(fileText(linked));
  EXPECT_TRUE(bool(value)) << toString(value.takeError());
}

TEST(MapJson, OnStandardOutput) {
  const Linked linked = inputs().link({"main.o", "libx.a", "--map-json=-"});
  EXPECT_THAT(linked.text, testing::StartsWith("{\"format\":\"xlink map\""));
  EXPECT_EQ(linked.files.count("-"), 0u);
}

// Nothing has an address, and nothing is in a region.
TEST(MapJson, OfARelocatableOutput) {
  const Linked linked = inputs().link({"-r", "main.o", "--map-json=map.json"});
  EXPECT_EQ(linked.errors, "");
  expectSound(linked);
  EXPECT_THAT(fileText(linked), testing::HasSubstr("\"regions\":[],"));
}

TEST(MapJson, OfABinaryImage) {
  const Linked linked =
      inputs().link({"main.o", "libx.a", "-T", "x.ld", "--oformat=binary",
                     "--map-json=map.json"});
  EXPECT_EQ(linked.errors, "");
  EXPECT_TRUE(bool(json::parse(fileText(linked))));
}

// What nobody expects in a name, and 64 bits.
TEST(MapJson, StrangeNames) {
  LinkHarness links;
  links.file("a.o", aphelion(R"(
Sections:
  - { Name: '.text"\ä', Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '0000000000000000' }
Symbols:
  - { Name: "a\nb", Section: '.text"\ä', Binding: STB_GLOBAL }
)"));
  links.file("x.ld", "SECTIONS { .x 0xffffffffffffff00 : { *(.text*) } }");
  const Linked linked =
      links.link({"a.o", "-T", "x.ld", "-e", "0", "--map-json=map.json"});
  EXPECT_EQ(linked.errors, "");
  expectSound(linked);
  EXPECT_THAT(fileText(linked), testing::HasSubstr(R"("name":".text\"\\ä")"));
  EXPECT_THAT(fileText(linked),
              testing::HasSubstr(
                  R"("symbols":[{"name":"a\nb","size":8,"inferred":true}])"));
}

// Every reason, and where that is known.
TEST(MapJson, Discarded) {
  const char *group = R"(
Sections:
  - { Name: .group, Type: SHT_GROUP, Link: .symtab, Info: f, Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text.f } ] }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], Content: '01' }
  - { Name: .text.g, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Content: '0202' }
  - { Name: .out, Type: SHT_PROGBITS, Flags: [ SHF_EXCLUDE ], Content: '03' }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: '04' }
  - { Name: .note, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: '05' }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_WEAK }
)";
  LinkHarness links;
  links.file("a.o", nyuzi(group)).file("b.o", nyuzi(group));
  links.file("x.ld", "SECTIONS { .text : { *(.text*) }\n"
                     "/DISCARD/ : { *(.note) } }");
  const Linked linked = links.link({"a.o", "b.o", "-T", "x.ld", "-e", "f", "-S",
                                    "--gc-sections", "--map-json=map.json"});
  EXPECT_EQ(linked.errors, "");
  const std::string all = fileText(linked);
  const StringRef text =
      StringRef(all).split("\"discarded\":").second.split("],").first;
  EXPECT_EQ(text.str(), R"([
{"name":".group","file":0,"size":8,"reason":"excluded"},
{"name":".text.g","file":0,"size":2,"reason":"unused"},
{"name":".out","file":0,"size":1,"reason":"excluded"},
{"name":".debug_info","file":0,"size":1,"reason":"debug"},
{"name":".note","file":0,"size":1,"reason":"script"},
{"name":".group","file":1,"size":8,"reason":"excluded"},
{"name":".text.f","file":1,"size":1,"reason":"comdat"},
{"name":".text.g","file":1,"size":2,"reason":"unused"},
{"name":".out","file":1,"size":1,"reason":"excluded"},
{"name":".debug_info","file":1,"size":1,"reason":"debug"},
{"name":".note","file":1,"size":1,"reason":"script"}]}
)");
}

TEST(MapJson, SameFileAsAnotherOutput) {
  const Linked linked = inputs().link({"main.o", "libx.a", "--map-json=out"});
  expectFailure(linked,
                "xlink: error: map in JSON 'out' is the same as output file\n");
}

TEST(MapJson, AnswersInTheSameFile) {
  const Linked linked =
      inputs().link({"main.o", "libx.a", "--answers-json=f", "--map-json=f"});
  expectFailure(
      linked, "xlink: error: answers in JSON 'f' is the same as map in JSON\n");
}

} // namespace
} // namespace xlink::test
