//===- XeTest.cpp - programs in XE containers -----------------------------===//
//
// testdata/objects/xs1 is a program that uses every field of the ABI. It is
// linked here into XE files, which a walker of the test's own takes apart: it
// shares no code with the linker, the CRC-32 included. (The same files, booted
// in the AXE simulator, exit with 42.)
//
//===----------------------------------------------------------------------===//
#include "arch/XE.h"
#include "Linking.h"
#include <functional>
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

//===----------------------------------------------------------------------===//
// The walker
//===----------------------------------------------------------------------===//

struct Sector {
  uint64_t at = 0;
  uint16_t type = 0;
  Bytes data; ///< without pad bytes
  uint32_t crc = 0;
  Bytes covered; ///< header to last pad byte
};

uint64_t number(const Bytes &b, size_t at, unsigned size) {
  uint64_t v = 0;
  for (unsigned i = 0; i < size; ++i)
    v |= uint64_t(at + i < b.size() ? b[at + i] : 0) << 8 * i;
  return v;
}

/// CRC-32 of ISO 3309 by long division, one bit at a time.
uint32_t crc32Of(const Bytes &bytes) {
  uint32_t crc = 0xffffffff;
  for (uint8_t byte : bytes)
    for (unsigned bit = 0; bit < 8; ++bit) {
      bool one = (crc ^ (byte >> bit)) & 1;
      crc >>= 1;
      if (one)
        crc ^= 0xEDB88320;
    }
  return ~crc;
}

/// The sectors of a sound version 2 file, the last one left out.
std::vector<Sector> walk(const Bytes &file) {
  std::vector<Sector> sectors;
  if (file.size() < 8) {
    ADD_FAILURE() << "no XE file was written";
    return sectors;
  }
  EXPECT_EQ(hexDigits(Bytes(file.begin(), file.begin() + 8)),
            "584d4f5302000000");
  for (size_t at = 8; at + 12 <= file.size();) {
    Sector s;
    s.at = at;
    s.type = uint16_t(number(file, at, 2));
    EXPECT_EQ(number(file, at + 2, 2), 0u);
    uint64_t length = number(file, at + 4, 8);
    if (s.type == 0x5555) {
      EXPECT_EQ(length, 0u);
      EXPECT_EQ(at + 12, file.size()) << "bytes behind the last sector";
      return sectors;
    }
    EXPECT_GE(length, 8u);
    EXPECT_EQ(length % 4, 0u);
    EXPECT_LE(length, file.size() - at - 12);
    if (length < 8 || length > file.size() - at - 12)
      return sectors;
    size_t body = at + 12, end = body + length;
    uint8_t pad = file[body];
    EXPECT_LT(pad, 4);
    EXPECT_EQ(number(file, body + 1, 3), 0u);
    EXPECT_EQ(number(file, end - 4 - pad, pad), 0u) << "pad bytes";
    s.data.assign(file.begin() + body + 4, file.begin() + end - 4 - pad);
    s.crc = uint32_t(number(file, end - 4, 4));
    s.covered.assign(file.begin() + at, file.begin() + end - 4);
    Bytes covered(4, 0);
    covered.insert(covered.end(), s.covered.begin(), s.covered.end());
    EXPECT_EQ(s.crc, crc32Of(covered)) << "sector at " << at;
    sectors.push_back(std::move(s));
    at = end;
  }
  ADD_FAILURE() << "no last sector";
  return sectors;
}

/// "4:0 2:0,0 5:0,0 3": types, and places where the type has one.
std::string outline(const std::vector<Sector> &sectors) {
  std::string text;
  for (const Sector &s : sectors) {
    text += (text.empty() ? "" : " ") + std::to_string(s.type);
    if (s.type == 4)
      text += ":" + std::to_string(number(s.data, 0, 2));
    if (s.type == 2 || s.type == 5)
      text += ":" + std::to_string(number(s.data, 0, 2)) + "," +
              std::to_string(number(s.data, 2, 2));
  }
  return text;
}

const Sector *find(const std::vector<Sector> &sectors, unsigned type,
                   unsigned nth = 0) {
  for (const Sector &s : sectors)
    if (s.type == type && nth-- == 0)
      return &s;
  ADD_FAILURE() << "no sector of type " << type;
  static const Sector none;
  return &none;
}

std::string textOf(const Sector &s) {
  return std::string(s.data.begin(), s.data.end());
}

/// An ELF sector's file, behind {u16 node, u16 tile, u64 0}.
Bytes programOf(const Sector &s) {
  EXPECT_EQ(number(s.data, 4, 8), 0u);
  return Bytes(s.data.begin() + 12, s.data.end());
}

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

class Xe : public testing::Test {
protected:
  Xe() {
    for (const char *name : {"start.o", "work.o", "table.o"})
      harness.file(name, readTestFile(std::string(XLINK_TESTDATA) +
                                      "/objects/xs1/" + name));
  }
  Linked linkProgram(std::vector<std::string> options) {
    for (const char *name : {"start.o", "work.o", "table.o"})
      options.push_back(name);
    return harness.link(options);
  }
  Linked linkXe(std::vector<std::string> options = {}) {
    options.insert(options.begin(), "--oformat=xe");
    return linkProgram(options);
  }
  /// The program as ELF, to be added for further tiles.
  Bytes elf(std::vector<std::string> options = {}) {
    return linkProgram(std::move(options)).image();
  }
  std::vector<Sector> sectors(const Linked &linked) {
    EXPECT_EQ(linked.status, 0);
    EXPECT_EQ(linked.errors, "");
    return walk(linked.image());
  }

  LinkHarness harness;
};

const char generated[] = R"(<XSystem>
  <System>
    <Nodes>
      <Node number="0" jtagId="0x2633">
        <Switch sLinks="0"/>
        <Processor number="0">
          <MemoryController>
            <Ram base="0x10000" size="0x10000"/>
          </MemoryController>
        </Processor>
      </Node>
    </Nodes>
    <Connections>
    </Connections>
    <JtagChain>
      <Node id="0"/>
    </JtagChain>
  </System>
</XSystem>
)";

TEST_F(Xe, HoldsTheLinkedProgram) {
  std::vector<Sector> s = sectors(linkXe());
  ASSERT_EQ(outline(s), "4:0 2:0,0 5:0,0 3");
  EXPECT_EQ(hexDigits(s[0].data), "000000003326000000000000");
  EXPECT_TRUE(programOf(s[1]) == elf()) << "not the file of --oformat elf";
  EXPECT_EQ(hexDigits(s[2].data), "000000000000000000000000");
  EXPECT_EQ(textOf(s[3]), generated);
}

TEST_F(Xe, NodeTypes) {
  EXPECT_EQ(number(find(sectors(linkXe({"--xe-node=g"})), 4)->data, 4, 4),
            0x2731u);
  EXPECT_EQ(number(find(sectors(linkXe({"--xe-node=l"})), 4)->data, 4, 4),
            0x2633u);
  EXPECT_EQ(number(find(sectors(linkXe({"--xe-node=xs2"})), 4)->data, 4, 4),
            0x5633u);
  EXPECT_EQ(number(find(sectors(linkXe({"--xe-node=xs3"})), 4)->data, 4, 4),
            0x6633u);
  std::vector<Sector> s = sectors(linkXe({"--xe-node=l", "--xe-node=0x5633"}));
  EXPECT_EQ(number(find(s, 4)->data, 4, 4), 0x5633u);
  EXPECT_NE(textOf(*find(s, 3)).find("jtagId=\"0x5633\""), std::string::npos);
}

/// Programs start in the order of their tiles, whatever order names them in.
TEST_F(Xe, TwoTilesOfANode) {
  harness.file("other.elf", elf({"--strip-all"}));
  std::vector<Sector> s = sectors(
      linkXe({"--xe-node=g", "--xe-tile=0,1", "--xe-add=0,0=other.elf"}));
  ASSERT_EQ(outline(s), "4:0 2:0,0 5:0,0 2:0,1 5:0,1 3");
  EXPECT_TRUE(programOf(s[1]) == elf({"--strip-all"}));
  EXPECT_TRUE(programOf(s[3]) == elf());
  std::string text = textOf(s[5]);
  EXPECT_NE(text.find("<Processor number=\"0\">"), std::string::npos);
  EXPECT_NE(text.find("<Processor number=\"1\">"), std::string::npos);
  EXPECT_EQ(text.find("<Node number=\"1\""), std::string::npos);
}

/// A node's number in an ELF sector is its index in the JTAG chain: what lies
/// before it must be listed, even with nothing to run.
TEST_F(Xe, NodesUpToTheLastOneUsed) {
  harness.file("other.elf", elf());
  std::vector<Sector> s =
      sectors(linkXe({"--xe-node=g", "--xe-add=2,3=other.elf"}));
  EXPECT_EQ(outline(s), "4:0 4:1 4:2 2:0,0 5:0,0 2:2,3 5:2,3 3");
  std::string text = textOf(s.back());
  EXPECT_EQ(StringRef(text).count("<Processor "), 1u + 1 + 4);
  EXPECT_NE(text.find("<Node id=\"2\"/>"), std::string::npos);
}

/// Boards number nodes as they like: descriptors repeat what the description
/// says, and a program goes to its place in the JTAG chain. (As in published
/// files of boards with a USB node, which has no tile.)
const char board[] = R"(<XSystem><System><Nodes>
<Node number="16385" jtagId="0x5633" userId="0x7">
<Processor number="0"/><Processor number="1"/></Node>
<Node number="5" jtagId="0x2633"><Processor number="0"/></Node>
<GlxNode number="32774"/>
</Nodes><Connections/>
<JtagChain><Node id="32774"/><Node id="16385"/></JtagChain>
</System></XSystem>
)";

TEST_F(Xe, ConfigOfOnesOwn) {
  harness.file("board.xml", board);
  std::vector<Sector> s =
      sectors(linkXe({"--xe-config=board.xml", "--xe-tile=1,1"}));
  EXPECT_EQ(outline(s), "4:16385 4:5 2:1,1 5:1,1 3");
  EXPECT_EQ(hexDigits(s[0].data), "014000003356000007000000");
  EXPECT_EQ(hexDigits(s[1].data), "050000003326000000000000");
  EXPECT_EQ(textOf(s[4]), board);
  for (const char *tile : {"0,0", "1,2", "2,0"})
    EXPECT_EQ(
        linkXe({"--xe-config=board.xml", std::string("--xe-tile=") + tile})
            .errors,
        std::string("xlink: error: out: node ") + tile[0] + ", tile " +
            tile[2] + " is not in the description of the system\n");
  harness.file("other.xml", "<XSystem/> anything");
  EXPECT_EQ(linkXe({"--xe-config=other.xml"}).errors,
            "xlink: error: other.xml: not the description of a system: it has "
            "no XSystem > System > Nodes > Node\n");
}

/// A node has as many tiles as its type.
TEST_F(Xe, TilesThatDoNotExist) {
  harness.file("other.elf", elf());
  EXPECT_EQ(linkXe({"--xe-add=0,9=other.elf"}).errors,
            "xlink: error: other.elf: node 0, tile 9 does not exist: a node of "
            "XS1-L has 1 tile\n");
  EXPECT_EQ(linkXe({"--xe-add=1,1=other.elf"}).errors,
            "xlink: error: other.elf: node 1, tile 1 does not exist: a node of "
            "XS1-L has 1 tile\n");
  EXPECT_EQ(linkXe({"--xe-node=g", "--xe-tile=0,4"}).errors,
            "xlink: error: out: node 0, tile 4 does not exist: a node of XS1-G "
            "has 4 tiles\n");
  EXPECT_EQ(linkXe({"--mcpu=xs2", "--xe-tile=0,2"}).errors,
            "xlink: error: out: node 0, tile 2 does not exist: a node of XS2-A "
            "has 2 tiles\n");
  sectors(linkXe({"--mcpu=xs2", "--xe-tile=0,1"}));
  // Of other types nobody knows.
  sectors(linkXe({"--xe-node=0x1234", "--xe-tile=0,9"}));
}

/// RAM, filler and the description follow --mcpu.
TEST_F(Xe, FollowsTheCpu) {
  struct {
    const char *cpu, *ram;
    uint64_t base, size;
    const char *filler;
    uint32_t jtagId;
  } cpus[] = {
      {"xs1", "<Ram base=\"0x10000\" size=\"0x10000\"/>", 0x10000, 0x10000,
       "0090", 0x2633},
      {"xs2", "<Ram base=\"0x40000\" size=\"0x40000\"/>", 0x40000, 0x40000,
       "ff17", 0x5633},
      {"xs3", "<Ram base=\"0x80000\" size=\"0x80000\"/>", 0x80000, 0x80000,
       "ff17", 0x6633},
  };
  harness.file("odd.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ],
      AddressAlign: 4, Content: '0178' }
Symbols:
  - { Name: odd, Section: .text, Binding: STB_GLOBAL }
  - { Name: .ram_base, Binding: STB_GLOBAL }
  - { Name: .ram_size, Binding: STB_GLOBAL }
)"));
  harness.file("end.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ],
      AddressAlign: 4, Content: '0278' }
)"));
  for (const auto &cpu : cpus) {
    SCOPED_TRACE(cpu.cpu);
    std::vector<Sector> s =
        sectors(linkXe({std::string("--mcpu=") + cpu.cpu, "odd.o", "end.o"}));
    ASSERT_EQ(outline(s), "4:0 2:0,0 5:0,0 3");
    EXPECT_NE(textOf(s.back()).find(cpu.ram), std::string::npos);
    EXPECT_EQ(number(s[0].data, 4, 4), cpu.jtagId);
    EXPECT_NE(textOf(s.back()).find("jtagId=\"" + hex(cpu.jtagId) + "\""),
              std::string::npos);
    OutFile out(programOf(s[1]));
    EXPECT_EQ(out.entry, cpu.base);
    EXPECT_EQ(out.value(".ram_base"), cpu.base);
    EXPECT_EQ(out.value(".ram_size"), cpu.size);
    uint64_t odd = out.value("odd");
    Bytes fill = {uint8_t(out.word(odd + 2, 1)), uint8_t(out.word(odd + 3, 1))};
    EXPECT_EQ(hexDigits(fill), cpu.filler);
    EXPECT_EQ(out.word(odd + 4, 2), 0x7802u);
  }
}

TEST_F(Xe, LeavesElfAlone) {
  EXPECT_TRUE(linkProgram({"--oformat=xe", "--oformat=elf"}).image() == elf());
  EXPECT_FALSE(linkProgram({"--oformat=xe", "--oformat=binary"}).image() ==
               linkXe().image());
}

TEST_F(Xe, SameBytesForAnyNumberOfThreads) {
  EXPECT_TRUE(linkXe({"--threads=1"}).image() ==
              linkXe({"--threads=4"}).image());
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

TEST_F(Xe, OptionErrors) {
  harness.file("empty", "");
  harness.file("text", "text");
  harness.file("other.elf", elf());
  harness.file("big.elf", elf({"--mcpu=xs2"}));
  auto errors = [&](std::vector<std::string> options) {
    Linked linked = linkXe(options);
    EXPECT_EQ(linked.status, 1);
    EXPECT_TRUE(linked.files.empty());
    return linked.errors;
  };
  EXPECT_EQ(errors({"--xe-node=x"}),
            "xlink: error: option '--xe-node': 'x' is none of l (XS1-L), g "
            "(XS1-G), xs2 (XS2-A), xs3 (XS3-A), 0xNNNN (a JTAG ID)\n");
  EXPECT_EQ(errors({"--xe-tile=1"}),
            "xlink: error: option '--xe-tile': '1' is not NODE,TILE with "
            "numbers from 0 to 255\n");
  EXPECT_EQ(errors({"--xe-tile=-1,0", "--xe-tile=0,256"}),
            "xlink: error: option '--xe-tile': '-1,0' is not NODE,TILE with "
            "numbers from 0 to 255\n"
            "xlink: error: option '--xe-tile': '0,256' is not NODE,TILE with "
            "numbers from 0 to 255\n");
  EXPECT_EQ(errors({"--xe-add=other.elf"}),
            "xlink: error: option '--xe-add': 'other.elf' is not "
            "NODE,TILE=FILE with numbers from 0 to 255\n");
  EXPECT_EQ(errors({"--xe-add=1,0"}),
            "xlink: error: option '--xe-add': '1,0' names no file\n");
  EXPECT_EQ(errors({"--xe-add=1,0=none.elf"}),
            "xlink: error: cannot open none.elf: No such file or directory\n");
  EXPECT_EQ(errors({"--xe-config=none.xml"}),
            "xlink: error: cannot open none.xml: No such file or directory\n");
  EXPECT_EQ(errors({"--xe-config=empty"}),
            "xlink: error: empty: the file is empty, where the description of "
            "the system is expected\n");
  EXPECT_EQ(errors({"--xe-add=0,0=other.elf"}),
            "xlink: error: node 0, tile 0 has two programs: out and "
            "other.elf\n");
  for (const char *file : {"empty", "text", "work.o"})
    EXPECT_EQ(errors({std::string("--xe-add=1,0=") + file}),
              std::string("xlink: error: ") + file +
                  ": not a linked executable of this machine\n");
  EXPECT_EQ(
      StringRef(errors({"--xe-add=1,0=big.elf"})).split('\n').first.str(),
      "xlink: error: big.elf: segment 0 [0x40000, 0x4012a) is outside the RAM "
      "of node 1, tile 0 [0x10000, 0x20000)");
}

TEST_F(Xe, ProgramsWithBadHeaders) {
  Bytes bad = elf();
  poke(bad, 28, 0xfffffff0, 4); // e_phoff
  harness.file("headers.elf", bad);
  bad = elf();
  poke(bad, 52 + 4, 0x7fffffff, 4); // p_offset
  harness.file("segment.elf", bad);
  EXPECT_EQ(linkXe({"--xe-add=1,0=headers.elf"}).errors,
            "xlink: error: headers.elf: the program headers at offset "
            "0xfffffff0 are not in the file\n");
  EXPECT_EQ(linkXe({"--xe-add=1,0=segment.elf"}).errors,
            "xlink: error: segment.elf: segment 0 at offset 0x7fffffff with " +
                std::to_string(number(bad, 52 + 16, 4)) +
                " bytes is not in the file\n");
}

/// What is wrong with the link is said, and nothing about the container.
TEST_F(Xe, ErrorsOfTheLinkComeFirst) {
  Linked linked = harness.link({"--oformat=xe", "start.o"});
  EXPECT_EQ(linked.status, 1);
  EXPECT_TRUE(linked.files.empty());
  EXPECT_NE(linked.errors.find("undefined"), std::string::npos);
  EXPECT_EQ(linked.errors.find("executable"), std::string::npos);
}

TEST_F(Xe, OtherMachinesHaveNoSuchFormat) {
  harness.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ],
      Content: '00000000' }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  expectFailure(
      harness.link({"--oformat=xe", "a.o"}),
      "xlink: error: option '--oformat': 'xe' is not an output "
      "format of nyuzi (elf, binary, ihex, srec, verilog, readmemh)\n");
  expectFailure(
      harness.link({"--oformat=xx", "a.o"}),
      "xlink: error: option '--oformat': 'xx' is not a supported "
      "output format (elf, binary, ihex, srec, verilog, xe, readmemh)\n");
}

TEST_F(Xe, OptionsWithoutTheFormat) {
  Linked linked = linkProgram({"--xe-tile=1,0"});
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.errors, "xlink: warning: option '--xe-tile' has no effect "
                           "without --oformat=xe\n");
}

//===----------------------------------------------------------------------===//
// --dump-xe
//===----------------------------------------------------------------------===//

/// 149 bytes, so three pad bytes.
const char small[] =
    "<XSystem><System><Nodes><Node number='0' jtagId='1'><Processor "
    "number='0'/></Node></Nodes><JtagChain><Node id='0'/></JtagChain></System>"
    "</XSystem>\n  ";

class DumpXe : public Xe {
protected:
  Linked dump(const Bytes &bytes) {
    LinkHarness reader;
    reader.file("a.xe", bytes);
    return reader.link({"--dump-xe=a.xe"});
  }
  /// The only message about a good file after `change`.
  std::string errorAfter(std::function<void(Bytes &)> change) {
    Bytes bytes = good;
    change(bytes);
    Linked linked = dump(bytes);
    EXPECT_EQ(linked.status, 1);
    StringRef text = linked.errors;
    EXPECT_TRUE(text.consume_front("xlink: error: a.xe: ")) << linked.errors;
    return text.rtrim().str();
  }
  /// Puts the right CRC into the sector at `at`.
  static void seal(Bytes &b, size_t at) {
    size_t end = at + 12 + number(b, at + 4, 8);
    Bytes covered(4, 0);
    covered.insert(covered.end(), b.begin() + at, b.begin() + end - 4);
    poke(b, end - 4, crc32Of(covered), 4);
  }

  void SetUp() override {
    harness.file("board.xml", small);
    good = linkXe({"--xe-config=board.xml"}).image();
    for (const Sector &s : walk(good))
      at[s.type] = s.at;
  }
  Bytes good;
  std::map<unsigned, size_t> at; ///< where the sector of a type begins
};

std::string hexOf(uint64_t v) { return hex(v); }

TEST_F(DumpXe, ListsSectors) {
  harness.file("other.elf", elf());
  Bytes file = linkXe({"--xe-node=g", "--xe-add=0,1=other.elf"}).image();
  std::vector<Sector> s = walk(file);
  ASSERT_EQ(outline(s), "4:0 2:0,0 5:0,0 2:0,1 5:0,1 3");
  auto line = [&](unsigned i, const std::string &what) {
    return hexOf(s[i].at) + ": " + what + "\n";
  };
  auto crc = [&](unsigned i) { return ", CRC " + hexOf(s[i].crc); };
  std::string elfText =
      ", " + std::to_string(elf().size()) + " bytes, entry 0x10000";
  Linked linked = dump(file);
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(
      linked.text,
      "a.xe: XE version 2, " + std::to_string(file.size()) + " bytes\n" +
          line(0, "node descriptor" + crc(0) +
                      ", routing ID 0, JTAG ID 0x2731 (XS1-G), user ID 0x0") +
          line(1, "ELF" + crc(1) + ", node 0, tile 0" + elfText) +
          line(2, "GOTO" + crc(2) + ", node 0, tile 0") +
          line(3, "ELF" + crc(3) + ", node 0, tile 1" + elfText) +
          line(4, "GOTO" + crc(4) + ", node 0, tile 1") +
          line(5, "SysConfig" + crc(5) + ", " +
                      std::to_string(s[5].data.size()) + " characters") +
          hexOf(file.size() - 12) + ": last\n");
}

/// A GOTO sector of a file that an old tool wrote: the CRC of version 1.
TEST_F(DumpXe, ReadsVersion1) {
  Bytes file = {'X', 'M', 'O', 'S', 1, 0, 0, 0};
  const uint8_t descriptor[] = {4, 0, 0, 0, 20, 0, 0,    0,    0,    0,    0,
                                0, 0, 0, 0, 0,  0, 0,    0,    0,    0x33, 0x26,
                                0, 0, 0, 0, 0,  0, 0x98, 0xce, 0xcd, 0x7c};
  file.insert(file.end(), std::begin(descriptor), std::end(descriptor));
  const uint8_t last[12] = {0x55, 0x55};
  file.insert(file.end(), std::begin(last), std::end(last));
  Linked linked = dump(file);
  EXPECT_EQ(linked.status, 0);
  EXPECT_EQ(linked.text, "a.xe: XE version 1, 52 bytes\n"
                         "0x8: node descriptor, CRC 0x7ccdce98, routing ID 0, "
                         "JTAG "
                         "ID 0x2633 (XS1-L), user ID 0x0\n"
                         "0x28: last\n");
  EXPECT_EQ(linked.errors,
            "xlink: warning: a.xe: no ELF sector: there is nothing to run\n"
            "xlink: warning: a.xe: no SysConfig sector: a simulator does not "
            "know the system\n");
  file[24] ^= 1;
  EXPECT_NE(dump(file).errors.find("0x24: the node descriptor sector has CRC "
                                   "0x7ccdce98, its contents 0x"),
            std::string::npos);
}

TEST_F(DumpXe, MalformedHeaders) {
  EXPECT_EQ(errorAfter([](Bytes &b) { b[0] = 'x'; }),
            "offset 0x0: not an XE file: it does not begin with \"XMOS\"");
  EXPECT_EQ(errorAfter([](Bytes &b) { b.clear(); }),
            "offset 0x0: not an XE file: it does not begin with \"XMOS\"");
  EXPECT_EQ(errorAfter([](Bytes &b) { b.resize(6); }),
            "offset 0x6: the file ends inside its header");
  EXPECT_EQ(errorAfter([](Bytes &b) { b[4] = 3; }),
            "offset 0x4: version 3 of the format is not known; 1 and 2 are");
  EXPECT_EQ(errorAfter([](Bytes &b) { b[6] = 1; }),
            "offset 0x5: bytes 5 to 7 of the header are not 0");
  EXPECT_EQ(errorAfter([](Bytes &b) { b.resize(b.size() - 12); }),
            "offset " + hexOf(good.size() - 12) +
                ": the file ends without a sector of type 0x5555");
  EXPECT_EQ(errorAfter([](Bytes &b) { b.resize(b.size() - 1); }),
            "offset " + hexOf(good.size() - 12) +
                ": the file ends inside a sector's header");
  EXPECT_EQ(errorAfter([](Bytes &b) { b.resize(b.size() + 3); }),
            "offset " + hexOf(good.size()) +
                ": 3 bytes follow the last sector");
}

TEST_F(DumpXe, MalformedSectors) {
  const size_t go = at[5], config = at[3], node = at[4];
  EXPECT_EQ(errorAfter([&](Bytes &b) { poke(b, go + 4, ~0ull, 8); }),
            "offset " + hexOf(go + 4) +
                ": the GOTO sector has a length of 0xffffffffffffffff, with " +
                hexOf(good.size() - go - 12) + " bytes left in the file");
  EXPECT_EQ(errorAfter([&](Bytes &b) { b[b.size() - 8] = 4; }),
            "offset " + hexOf(good.size() - 8) +
                ": the last sector has a length of 0x4, with 0x0 bytes left in "
                "the file");
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              b[b.size() - 8] = 4;
              b.resize(b.size() + 4);
            }),
            "offset " + hexOf(good.size()) + ": the last sector has contents");
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              b[go + 2] = 1;
              seal(b, go);
            }),
            "offset " + hexOf(go + 2) +
                ": bytes 2 and 3 of the GOTO sector are not 0");
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              b[go + 13] = 1;
              seal(b, go);
            }),
            "offset " + hexOf(go + 13) +
                ": bytes 1 to 3 of the GOTO sector's contents are not 0");
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              b[config + 12] = 4;
              seal(b, config);
            }),
            "offset " + hexOf(config + 12) +
                ": the SysConfig sector has a pad count of 4, of 152 "
                "bytes\n"
                "xlink: warning: a.xe: no SysConfig sector: a simulator does "
                "not know the system");
  // 149 bytes and three pad bytes.
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              b[config + 16 + 150] = 1;
              seal(b, config);
            }),
            "offset " + hexOf(config + 16 + 150) +
                ": a pad byte of the SysConfig sector is not 0");
  EXPECT_EQ(
      errorAfter([&](Bytes &b) { b[config + 17] ^= 1; }),
      "offset " + hexOf(config + 168) + ": the SysConfig sector has CRC " +
          hexOf(number(good, config + 168, 4)) + ", its contents " + [&] {
            Bytes b = good;
            b[config + 17] ^= 1;
            seal(b, config);
            return hexOf(number(b, config + 168, 4));
          }());
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              poke(b, go + 4, 4, 8);
              b.erase(b.begin() + go + 16, b.begin() + go + 32);
            }),
            "offset " + hexOf(go + 12) +
                ": the GOTO sector has 4 bytes, too few for pad count and CRC\n"
                "xlink: warning: a.xe: no GOTO or CALL starts the program of "
                "node 0, tile 0");
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              poke(b, go + 4, 0, 8);
              b.erase(b.begin() + go + 12, b.begin() + go + 32);
            }),
            "offset " + hexOf(go + 12) +
                ": the GOTO sector is empty\n"
                "xlink: warning: a.xe: no GOTO or CALL starts the program of "
                "node 0, tile 0");
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              poke(b, node + 4, 16, 8);
              b.erase(b.begin() + node + 12 + 12, b.begin() + node + 12 + 16);
              seal(b, node);
            }),
            "offset " + hexOf(node + 16) +
                ": the node descriptor sector has 8 bytes of data, not 12");
}

TEST_F(DumpXe, ContentsThatDoNotGoTogether) {
  const size_t elf = at[2], go = at[5];
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              b[elf + 16 + 12] = 0;
              seal(b, elf);
            }),
            "offset " + hexOf(elf + 28) + ": the ELF sector holds no ELF file");
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              b[elf + 16 + 4] = 8;
              seal(b, elf);
            }),
            "offset " + hexOf(elf + 20) +
                ": the address of an ELF sector is not 0");
  EXPECT_EQ(errorAfter([&](Bytes &b) {
              b[go + 16 + 2] = 1;
              seal(b, go);
            }),
            "offset " + hexOf(go + 16) +
                ": GOTO for node 0, tile 1, which has no program yet\n"
                "xlink: warning: a.xe: no GOTO or CALL starts the program of "
                "node 0, tile 0");
}

TEST_F(DumpXe, NoSuchFile) {
  expectFailure(LinkHarness().link({"--dump-xe", "none.xe"}),
                "xlink: error: cannot open none.xe: No such file or "
                "directory\n");
}

/// Whatever the bytes, the listing ends, and a damaged file is never called
/// good: each of these changes hits something that is checked.
TEST_F(DumpXe, DamagedFiles) {
  std::mt19937 random(20240607);
  auto below = [&](size_t n) { return size_t(random() % n); };
  for (unsigned round = 0; round < 6000; ++round) {
    Bytes file = good;
    switch (round % 4) {
    case 0: // a bit
      file[below(file.size())] ^= uint8_t(1u << below(8));
      break;
    case 1: // a length, with everything behind it out of place
      poke(file, at[std::array<unsigned, 4>{2, 3, 4, 5}[below(4)]] + 4,
           round % 8 < 4 ? below(64) * 4 : uint64_t(random()) << below(33), 8);
      break;
    case 2: // the end
      file.resize(below(file.size()));
      break;
    case 3: { // bytes taken out
      size_t from = below(file.size()), count = 1 + below(40);
      file.erase(file.begin() + from,
                 file.begin() + std::min(file.size(), from + count));
      break;
    }
    }
    std::vector<TargetMessage> messages;
    xeContainer.dump(file, messages);
    bool error = false;
    for (const TargetMessage &m : messages)
      if (m.severity == TargetMessage::Error) {
        error = true;
        EXPECT_TRUE(StringRef(m.text).starts_with("offset 0x")) << m.text;
      }
    EXPECT_EQ(error, file != good) << "round " << round;
  }
}

} // namespace
} // namespace xlink::test
