//===- MapReaderTest.cpp - a map from its JSON form -----------------------===//
#include "map/LinkMapJson.h"
#include "support/MapText.h"
#include "support/TestFiles.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

/// A map that has every member, written as README.md of map/ says.
constexpr const char *kWhole = R"x({
"unknown": {"of": ["another", "version"]},
"format": "xlink map", "version": 3, "machine": "nyuzi", "output": "a.elf",
"addressBits": 32,
"entry": {"name": "_start", "address": "0x1000"},
"regions": [
  {"name": "rom", "origin": "0x1000", "length": 4096, "used": 20, "loadOnly": 4},
  {"name": "ram", "origin": "0x8000", "length": 256, "used": 4, "builtin": true,
   "reservations": [{"name": ".heap", "kind": "heap", "address": "0x8004", "size": 16},
                    {"name": ".stack", "kind": "stack", "address": "0x8014", "size": 8},
                    {"kind": "other", "address": "0x8020", "size": 0}]}],
"files": [
  {"path": "a.o", "source": "a.c"},
  {"path": "lib.a", "member": "m.o", "symbol": "f", "neededBy": 0},
  {"path": "lib.a", "member": "n.o", "symbol": "g"}],
"patterns": [
  {}, {"script": "x.ld", "line": 7, "text": "*(.text)"
}],
"outputs": [
  {"name": ".text", "address": "0x1000", "size": 16, "align": 4, "flags": "AX",
   "region": 0, "parts": [
     {"name": ".text", "file": 0, "address": "0x1000", "size": 6, "align": 4,
      "pattern": 1, "live": "root", "symbols": [
        {"name": "_start", "size": 4, "kind": "function"},
        {"name": "l", "address": "0x1004", "local": true},
        {"name": "w", "address": "0x1004", "size": 2, "kind": "object", "weak": true},
        {"name": "t", "address": "0x1004", "kind": "tls"},
        {"name": "", "address": "0x1004", "kind": "section"}]},
     {"kind": "padding", "address": "0x1006", "size": 2, "cause": "alignment"},
     {"name": ".text.f", "file": 1, "address": "0x1008", "size": 2, "live": "reference", "from": 0},
     {"kind": "linker", "name": ".got", "address": "0x100a", "size": 2, "live": "dependent", "from": 0},
     {"kind": "data", "address": "0x100c", "size": 2, "live": "group", "from": 2},
     {"kind": "common", "name": "c", "file": 2, "address": "0x100e", "size": 2, "live": "description"}]},
  {"name": ".data", "address": "0x8000", "loadAddress": "0x1010", "size": 4,
   "align": 1, "flags": "WAMSILOGTC0x80000000", "region": 1, "loadRegion": 0},
  {"name": ".bss", "address": "0xfffffff0", "size": 16, "align": 1, "type": 8, "flags": "WA"}],
"absolutes": [{"name": "LIMIT", "address": "0xffffffff"}],
"references": [[0, [2, 3, 1], 4], [1], [2, [0, 2147483647, 0], [4, 1, 0]]],
"discarded": [
  {"name": ".a", "file": 0, "size": 1, "reason": "unused"},
  {"size": 2, "reason": "comdat"}, {"size": 3, "reason": "script"},
  {"size": 4, "reason": "folded"}, {"size": 5, "reason": "debug"},
  {"size": 18446744073709551615, "reason": "excluded"}],
"relocations": [{"type": "R_NYUZI_ABS32", "count": 5}],
"stacks": [
  {"root": "_start", "kind": "entry", "bytes": 40, "limit": 64,
   "path": [{"function": "_start", "bytes": 16}, {"function": "f", "bytes": 24}, {"function": "u"}]},
  {"root": "t", "kind": "thread", "bytes": 8, "bounded": false, "path": []}]
}
)x";

std::string messagesOf(StringRef text) {
  Diagnostics diag;
  const bool read = readLinkMap("m.json", text, diag).has_value();
  std::string all;
  for (const Diagnostic &d : diag.all())
    all += d.text + "\n";
  EXPECT_EQ(read, all.empty());
  return all;
}

/// The message when the first `what` of the whole map is something else.
std::string with(StringRef what, StringRef other) {
  std::string text = kWhole;
  const size_t at = text.find(what.str());
  EXPECT_NE(at, std::string::npos) << what.str();
  text.replace(at, what.size(), other.str());
  return messagesOf(text);
}

TEST(MapReader, EveryMember) {
  Diagnostics diag;
  std::optional<LinkMap> map = readLinkMap("m.json", kWhole, diag);
  ASSERT_TRUE(map) << diag.all()[0].text;
  EXPECT_EQ(textOf(*map), R"(nyuzi a.elf 32 entry _start 1000
region rom 1000 length 4096 used 20 load 4 builtin 0
region ram 8000 length 256 used 4 load 0 builtin 1
  reservation .heap 0 8004 16
  reservation .stack 1 8014 8
  reservation  2 8020 0
file a.o() - - from a.c
file lib.a(m.o) f 0 from 
file lib.a(n.o) g - from 
pattern :0 
pattern x.ld:7 *(.text)
output .text 1000 load 1000 size 16 align 4 type 1 flags 6 region 0 load -
  part 0 .text file 0 1000 6 align 4 pattern 1 cause '' live 1 from -
    symbol _start 1000 4 kind 1 local 0 weak 0
    symbol l 1004 0 kind 0 local 1 weak 0
    symbol w 1004 2 kind 2 local 0 weak 1
    symbol t 1004 0 kind 3 local 0 weak 0
    symbol  1004 0 kind 4 local 0 weak 0
  part 4  file - 1006 2 align 1 pattern - cause 'alignment' live 0 from -
  part 0 .text.f file 1 1008 2 align 1 pattern - cause '' live 2 from 0
  part 2 .got file - 100a 2 align 1 pattern - cause '' live 3 from 0
  part 3  file - 100c 2 align 1 pattern - cause '' live 4 from 2
  part 1 c file 2 100e 2 align 1 pattern - cause '' live 5 from -
output .data 8000 load 1010 size 4 align 1 type 1 flags 80000ff3 region 1 load 0
output .bss fffffff0 load fffffff0 size 16 align 1 type 8 flags 3 region - load -
absolute LIMIT ffffffff 0 kind 0 local 0 weak 0
reference 0 2 3 1
reference 0 4 1 1
reference 2 0 2147483647 0
reference 2 4 1 0
discarded 0 .a file 0 1
discarded 1  file - 2
discarded 2  file - 3
discarded 3  file - 4
discarded 4  file - 5
discarded 5  file - 18446744073709551615
relocation R_NYUZI_ABS32 5
stack _start entry 40 bounded 1 limit 64 _start:16 f:24 u:?
stack t thread 8 bounded 0 limit 0
)");
}

TEST(MapReader, WhatIsWrittenIsReadAgain) {
  Diagnostics diag;
  std::optional<LinkMap> map = readLinkMap("m.json", kWhole, diag);
  ASSERT_TRUE(map);
  std::optional<LinkMap> again = readLinkMap("m.json", mapJson(*map), diag);
  ASSERT_TRUE(again) << diag.all()[0].text;
  EXPECT_EQ(textOf(*again), textOf(*map));
}

TEST(MapReader, OrderDoesNotMatter) {
  std::string text = kWhole;
  const size_t end = text.find("\"outputs\"");
  const size_t begin = text.find("\"files\"");
  const std::string files = text.substr(begin, end - begin);
  text.erase(begin, end - begin);
  text.insert(text.rfind('}'), "," + files.substr(0, files.rfind(',')));
  Diagnostics diag;
  EXPECT_TRUE(readLinkMap("m.json", text, diag));
}

TEST(MapReader, OtherFiles) {
  EXPECT_EQ(messagesOf("xlink map"),
            "m.json:1:1: no JSON: Invalid JSON value\n");
  EXPECT_EQ(messagesOf("[]"), "m.json: is no object\n");
  EXPECT_EQ(messagesOf("{}"), "m.json: member 'format' is missing\n");
  EXPECT_EQ(messagesOf("{\"format\":\"xlink map\"}"),
            "m.json: member 'version' is missing\n");
  EXPECT_EQ(with("xlink map", "xlink answers"),
            "m.json: format: 'xlink answers' is not 'xlink map'\n");
  EXPECT_EQ(with("\"version\": 3", "\"version\": 2"), "");
  EXPECT_EQ(with("\"version\": 3", "\"version\": 1"), "");
  EXPECT_EQ(with("\"version\": 3", "\"version\": 0"),
            "m.json: version: 0 is not known; this xlink reads 1 to 3\n");
  // Of another version nothing else is looked at.
  EXPECT_EQ(messagesOf("{\"format\":\"xlink map\",\"version\":4,\"files\":0}"),
            "m.json: version: 4 is not known; this xlink reads 1 to 3\n");
  EXPECT_EQ(messagesOf(StringRef(kWhole).drop_back(3)),
            "m.json:48:76: no JSON: Expected , or } after object property\n");
  EXPECT_EQ(with("\"machine\"", "\"Machine\""),
            "m.json: member 'machine' is missing\n");
}

TEST(MapReader, Syntax) {
  EXPECT_EQ(messagesOf(""), "m.json:1:1: no JSON: Unexpected EOF\n");
  EXPECT_EQ(messagesOf("{"), "m.json:1:1: no JSON: Expected object key\n");
  EXPECT_EQ(messagesOf("{\n  \"a\" 1}"),
            "m.json:2:7: no JSON: Expected : after object key\n");
  EXPECT_EQ(messagesOf("{\"a\":1 \"b\":2}"),
            "m.json:1:8: no JSON: Expected , or } after object property\n");
  EXPECT_EQ(messagesOf("{\"a\":1,}"),
            "m.json:1:8: no JSON: Expected object key\n");
  EXPECT_EQ(messagesOf("{\"a\":[1}"),
            "m.json:1:8: no JSON: Expected , or ] after array element\n");
  EXPECT_EQ(messagesOf("{\"a\":[1,]}"),
            "m.json:1:9: no JSON: Invalid JSON value\n");
  EXPECT_EQ(messagesOf("{\"a\":\"b}"),
            "m.json:1:8: no JSON: Unterminated string\n");
  EXPECT_EQ(messagesOf("{\"a\":tru}"),
            "m.json:1:9: no JSON: Invalid JSON value (true?)\n");
  EXPECT_EQ(messagesOf("{\"a\":\"a\tb\"}"),
            "m.json:1:8: no JSON: Control character in string\n");
  EXPECT_EQ(messagesOf("{\n\"\xff\":1}"),
            "m.json:2:1: no JSON: Invalid UTF-8 sequence\n");
  EXPECT_EQ(messagesOf(std::string(kWhole) + "x"),
            "m.json:50:1: no JSON: Text after end of document\n");
}

TEST(MapReader, Nesting) {
  EXPECT_EQ(messagesOf(std::string(64, '[') + std::string(64, ']')),
            "m.json: is no object\n");
  EXPECT_EQ(messagesOf(std::string(1000000, '[')),
            "m.json: values nest deeper than 64 at byte 64\n");
  std::string objects;
  for (int i = 0; i < 100000; ++i)
    objects += "{\"a\":";
  EXPECT_EQ(messagesOf(objects),
            "m.json: values nest deeper than 64 at byte 320\n");
}

TEST(MapReader, MembersOfAnotherForm) {
  EXPECT_EQ(with("\"addressBits\": 32", "\"addressBits\": 16"),
            "m.json: addressBits: is neither 32 nor 64\n");
  EXPECT_EQ(with("\"length\": 4096", "\"length\": \"4096\""),
            "m.json: regions[0].length: is no number\n");
  EXPECT_EQ(with("\"length\": 4096, ", ""),
            "m.json: regions[0]: member 'length' is missing\n");
  EXPECT_EQ(with("\"kind\": \"stack\"", "\"kind\": \"pile\""),
            "m.json: regions[1].reservations[1].kind: 'pile' is none of heap, "
            "stack, other\n");
  EXPECT_EQ(with("\"size\": 2, \"cause\"", "\"size\": -2, \"cause\""),
            "m.json: outputs[0].parts[1].size: -2 is no whole number from 0 to "
            "18446744073709551615\n");
  EXPECT_EQ(with("\"kind\": \"function\"", "\"kind\": \"func\""),
            "m.json: outputs[0].parts[0].symbols[0].kind: 'func' is none of "
            "none, function, object, tls, section\n");
  EXPECT_EQ(with("\"flags\": \"AX\"", "\"flags\": \"XA\""),
            "m.json: outputs[0].flags: 'XA' are no section flags\n");
  EXPECT_EQ(with("[2, 3, 1]", "[2, 3]"),
            "m.json: references[0][1]: is not [to, count, calls]\n");
  EXPECT_EQ(with("[2, 3, 1]", "[2, 3, 2]"),
            "m.json: references[0][1][2]: 2 is no whole number from 0 to 1\n");
  EXPECT_EQ(with("[2, 3, 1]", "[2, 2147483648, 1]"),
            "m.json: references[0][1][1]: 2147483648 is no whole number from 0 "
            "to 2147483647\n");
  EXPECT_EQ(with("[2, 3, 1]", "\"2\""),
            "m.json: references[0][1]: is no array\n");
  EXPECT_EQ(with("[2, 3, 1]", "-1"),
            "m.json: references[0][1]: -1 is no whole number from 0 to "
            "4294967294\n");
  EXPECT_EQ(with("[1]", "[]"), "m.json: references[1]: is not [from, [to, "
                               "count, calls], ...]\n");
  EXPECT_EQ(with("\"name\": \"LIMIT\", \"address\": \"0xffffffff\"",
                 "\"name\": \"LIMIT\""),
            "m.json: absolutes[0]: member 'address' is missing\n");
  EXPECT_EQ(with("\"reason\": \"comdat\"", "\"reason\": \"\\u001b[31m\""),
            "m.json: discarded[1].reason: '\\x1b[31m' is none of unused, "
            "comdat, script, folded, debug, excluded, unknown\n");
}

TEST(MapReader, IndexesOutOfRange) {
  EXPECT_EQ(with("\"neededBy\": 0", "\"neededBy\": 3"),
            "m.json: files[1].neededBy: 3 is no file of the map, which has "
            "3\n");
  EXPECT_EQ(with("\"region\": 1", "\"region\": 2"),
            "m.json: outputs[1].region: 2 is no region of the map, which has "
            "2\n");
  EXPECT_EQ(with("\"loadRegion\": 0", "\"loadRegion\": 7"),
            "m.json: outputs[1].loadRegion: 7 is no region of the map, which "
            "has 2\n");
  EXPECT_EQ(with("\"file\": 1", "\"file\": 4294967295"),
            "m.json: outputs[0].parts[2].file: 4294967295 is no whole number "
            "from 0 to 4294967294\n");
  EXPECT_EQ(with("\"file\": 1", "\"file\": 4294967294"),
            "m.json: outputs[0].parts[2].file: 4294967294 is no file of the "
            "map, which has 3\n");
  EXPECT_EQ(with("\"from\": 2", "\"from\": 6"),
            "m.json: outputs[0].parts[4].from: 6 is no part of the map, which "
            "has 6\n");
  EXPECT_EQ(with("\"pattern\": 1", "\"pattern\": 2"),
            "m.json: outputs[0].parts[0].pattern: 2 is no pattern of the map, "
            "which has 2\n");
  EXPECT_EQ(
      with("[4, 1, 0]", "[9, 1, 0]"),
      "m.json: references[2][2][0]: 9 is no part of the map, which has 6\n");
  EXPECT_EQ(with("[2, [0,", "[9, [0,"),
            "m.json: references[2][0]: 9 is no part of the map, which has 6\n");
  EXPECT_EQ(with("\"name\": \".a\", \"file\": 0", "\"file\": 5"),
            "m.json: discarded[0].file: 5 is no file of the map, which has "
            "3\n");
}

TEST(MapReader, SizesThatDoNotFit) {
  EXPECT_EQ(with("\"size\": 16, \"align\": 1, \"type\"",
                 "\"size\": 17, \"align\": 1, \"type\""),
            "m.json: outputs[2]: address 0xfffffff0 and size 17 go past the "
            "end of a 32-bit address space\n");
  EXPECT_EQ(with("\"address\": \"0x8000\"", "\"address\": \"0x100008000\""),
            "m.json: outputs[1]: address 0x100008000 and size 4 go past the "
            "end of a 32-bit address space\n");
  EXPECT_EQ(with("\"address\": \"0x100e\", \"size\": 2",
                 "\"address\": \"0x100e\", \"size\": 3"),
            "m.json: outputs[0].parts[5]: is not inside its output section "
            "'.text'\n");
  EXPECT_EQ(with("\"address\": \"0x100e\", \"size\": 2",
                 "\"address\": \"0x100e\", \"size\": 18446744073709551615"),
            "m.json: outputs[0].parts[5]: address 0x100e and size "
            "18446744073709551615 go past the end of a 32-bit address space\n");
  EXPECT_EQ(with("\"name\": \".text\", \"file\": 0, \"address\": \"0x1000\"",
                 "\"name\": \".text\", \"file\": 0, \"address\": \"0xfff\""),
            "m.json: outputs[0].parts[0]: is not inside its output section "
            "'.text'\n");
  EXPECT_EQ(with("\"address\": \"0x1008\"", "\"address\": \"0x1007\""),
            "m.json: outputs[0].parts[2]: begins before the part in front of "
            "it ends\n");
}

TEST(MapReader, Files) {
  const Bytes bytes(kWhole, kWhole + strlen(kWhole));
  TestFiles files;
  files.add("m.json", bytes);
  Diagnostics diag;
  EXPECT_TRUE(readLinkMapFile(&files, "m.json", diag));
  EXPECT_FALSE(readLinkMapFile(&files, "none.json", diag));
  ASSERT_EQ(diag.all().size(), 1u);
  EXPECT_EQ(diag.all()[0].text,
            "cannot open none.json: No such file or directory");
}

// Whatever is done to a map, it is read or refused with one message, and what
// is read can be written and read again.
TEST(MapReader, DamagedMaps) {
  const std::string whole = kWhole;
  const char *words[] = {"4294967295", "-1", "18446744073709551615",
                         "\"\"",       "[]", "{}",
                         "null",       "0"};
  std::mt19937 random(7);
  unsigned good = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string text = whole;
    for (unsigned n = 1 + random() % 3; n; --n) {
      const size_t at = random() % text.size();
      switch (random() % 4) {
      case 0:
        text[at] = char(random());
        break;
      case 1:
        text.erase(at, random() % 40);
        break;
      case 2:
        text.insert(at, whole, random() % whole.size(), random() % 60);
        break;
      default: // another value for a number
        const size_t from = text.find_first_of("0123456789", at);
        if (from != std::string::npos)
          text.replace(from, text.find_first_not_of("0123456789", from) - from,
                       words[random() % std::size(words)]);
      }
    }
    Diagnostics diag;
    std::optional<LinkMap> map = readLinkMap("m.json", text, diag);
    ASSERT_EQ(diag.all().size(), map ? 0u : 1u) << text;
    if (!map)
      continue;
    ++good;
    std::optional<LinkMap> again = readLinkMap("m.json", mapJson(*map), diag);
    ASSERT_TRUE(again) << diag.all()[0].text << "\n" << text;
    ASSERT_EQ(mapJson(*again), mapJson(*map));
  }
  EXPECT_GT(good, 125u);
}

} // namespace
} // namespace xlink::test
