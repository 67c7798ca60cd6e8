//===- MutationTest.cpp - damaged files never do harm ---------------------===//
//
// Seeded damage to real objects and to archives of them: flipped bytes, cut
// ends, and extreme values in the fields of headers. Whatever comes out, the
// reader either gives an object whose numbers are all in range, or reports
// errors that name the file; it neither crashes nor reads outside nor runs long
// (the buffers have exactly the file's size, so that the sanitizers see it).
//
//===----------------------------------------------------------------------===//
#include "Reading.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Compression.h"
#include <cstdlib>
#include <random>

using namespace xlink;
using namespace xlink::test;

namespace {

uint32_t rounds(uint32_t usual) {
  const char *text = std::getenv("XLINK_MUTATION_ROUNDS");
  return text ? uint32_t(std::atol(text)) : usual;
}

struct Sample {
  const char *machine;
  Bytes bytes;
};

/// 64 bits, and a group.
const char kWide[] = R"(
Sections:
  - Name: .text
    Type: SHT_PROGBITS
    Flags: [SHF_ALLOC]
    Content: '00000000000000000000000000000000'
  - Name: .rela.text
    Type: SHT_RELA
    Link: .symtab
    Info: .text
    Relocations:
      - Offset: 0
        Symbol: f
        Type: 4
  - Name: .group
    Type: SHT_GROUP
    Link: .symtab
    Info: f
    Members:
      - SectionOrType: GRP_COMDAT
      - SectionOrType: .text
Symbols:
  - Name: f
    Binding: STB_GLOBAL
    Section: .text
)";

/// A piece of a section, and SHT_REL.
const char kPieces[] = R"(
Sections:
  - Name: .text
    Type: SHT_PROGBITS
    Flags: [SHF_ALLOC]
  - Name: ''
    Type: 0x60000000
    Info: 1
    Content: '0000000000000000'
  - Name: .rel.text
    Type: SHT_REL
    Link: .symtab
    Info: 2
    Relocations:
      - Offset: 0
        Symbol: f
        Type: 2
      - Offset: 4
        Symbol: f
        Type: 1
Symbols:
  - Name: f
    Binding: STB_GLOBAL
    Index: 2
)";

/// A section whose bytes are compressed.
Bytes compressedObject(bool zstd) {
  llvm::SmallVector<uint8_t> packed;
  Bytes plain(600, 7);
  if (zstd)
    llvm::compression::zstd::compress(plain, packed);
  else
    llvm::compression::zlib::compress(plain, packed);
  std::string content;
  Bytes chdr(12);
  poke(chdr, 0, zstd ? 2 : 1, 4);
  poke(chdr, 4, plain.size(), 4);
  poke(chdr, 8, 1, 4);
  chdr.insert(chdr.end(), packed.begin(), packed.end());
  for (uint8_t byte : chdr) {
    content += "0123456789ABCDEF"[byte >> 4];
    content += "0123456789ABCDEF"[byte & 15];
  }
  return machineObject("nyuzi", "Sections:\n  - Name: .debug_info\n"
                                "    Type: SHT_PROGBITS\n"
                                "    Flags: [SHF_COMPRESSED]\n"
                                "    Content: '" +
                                    content + "'\n");
}

std::vector<Sample> samples() {
  std::vector<Sample> list;
  for (const char *name :
       {"start.o", "primes.o", "primes.g.o", "tables.o", "classes.o", "got.o"})
    list.push_back({"nyuzi", readTestFile(XLINK_TESTDATA "/objects/nyuzi/" +
                                          std::string(name))});
  for (const char *name : {"start.o", "work.o", "table.o"})
    list.push_back({"xs1", readTestFile(XLINK_TESTDATA "/objects/xs1/" +
                                        std::string(name))});
  // What the real ones lack.
  list.push_back({"aphelion", machineObject("aphelion", kWide)});
  list.push_back({"xs1", machineObject("xs1", kPieces)});
  for (bool zstd : {false, true})
    list.push_back({"nyuzi", compressedObject(zstd)});
  return list;
}

class Damage {
public:
  explicit Damage(uint32_t seed) : random(seed) {}

  uint64_t below(uint64_t n) { return n ? random() % n : 0; }

  uint64_t extreme() {
    static const uint64_t values[] = {0,
                                      1,
                                      2,
                                      3,
                                      0xff,
                                      0xfff1,
                                      0xfff2,
                                      0xffff,
                                      0x7fffffff,
                                      0x80000000,
                                      0xfffffffe,
                                      0xffffffff,
                                      0x10000,
                                      0x60000000,
                                      uint64_t(-1),
                                      uint64_t(1) << 63};
    return values[below(std::size(values))];
  }

  /// One or several kinds of damage at once.
  void apply(Bytes &bytes) {
    for (uint64_t i = 0, n = 1 + below(3); i < n && !bytes.empty(); ++i)
      switch (below(6)) {
      case 0: // a byte
        bytes[below(bytes.size())] ^= uint8_t(1 + below(255));
        break;
      case 1: // some bytes
        for (uint64_t k = 0, m = 1 + below(16); k < m; ++k)
          bytes[below(bytes.size())] = uint8_t(random());
        break;
      case 2: // the end
        if (below(4) == 0)
          bytes.resize(below(bytes.size() + 1));
        break;
      case 3: // an aligned number anywhere
        number(bytes, below(bytes.size()) & ~uint64_t(3));
        break;
      case 4: // a field of the ELF header
        number(bytes, below(64));
        break;
      case 5: // a field of a section header
        if (bytes.size() >= 64 && bytes[0] == 0x7f) {
          bool is64 = bytes[4] == 2;
          uint64_t table = 0;
          std::memcpy(&table, bytes.data() + (is64 ? 40 : 32), is64 ? 8 : 4);
          if (table < bytes.size())
            number(bytes, table + (below(bytes.size() - table) & ~uint64_t(3)));
        }
        break;
      }
  }

private:
  void number(Bytes &bytes, uint64_t at) {
    static const unsigned sizes[] = {1, 2, 4, 4, 4, 8};
    unsigned size = sizes[below(std::size(sizes))];
    if (at + size <= bytes.size())
      poke(bytes, at, extreme(), size);
  }

  std::mt19937 random;
};

/// What later passes rely on.
void checkInvariants(const ParsedObject &object, const Target &target) {
  auto &sections = object.sections;
  ASSERT_FALSE(sections.empty());
  ASSERT_FALSE(object.symbols.empty());
  for (size_t i = 0; i < object.more.size(); ++i) {
    const MoreOfSection &m = object.more[i];
    ASSERT_LT(m.section, sections.size());
    ASSERT_TRUE(sections[m.section].hasMore);
    ASSERT_TRUE(i == 0 || object.more[i - 1].section < m.section);
    ASSERT_EQ(&object.moreOf(m.section), &m);
  }
  ASSERT_EQ(llvm::count_if(sections,
                           [](const ParsedSection &s) { return s.hasMore; }),
            ptrdiff_t(object.more.size()));
  uint64_t sum = 0;
  for (const ParsedSection &s : sections) {
    sum += s.name.size();
    if (s.kind != SectionKind::Regular)
      continue;
    ASSERT_TRUE(s.align != 0 && (s.align & (s.align - 1)) == 0);
    ASSERT_EQ(s.data().size(), s.type == llvm::ELF::SHT_NOBITS ? 0 : s.size);
    for (uint8_t byte : s.data())
      sum += byte;
    if (s.flags & llvm::ELF::SHF_MERGE) {
      ASSERT_NE(s.entsize, 0u);
      ASSERT_EQ(s.size % s.entsize, 0u);
    }
    ASSERT_LE(s.group, object.groups.size());
    ASSERT_LE(s.relocBegin, s.relocEnd);
    ASSERT_LE(s.relocEnd - s.relocBegin, object.relocations.size());
    for (uint32_t i = s.relocBegin; i < s.relocEnd; ++i) {
      const Relocation &r = object.relocations[i];
      const RelocationRow *row = findRelocation(target, r.type);
      ASSERT_LE(r.offset, s.size);
      ASSERT_LE(row ? row->bytes : 0, s.size - r.offset);
      ASSERT_LT(r.symbol, object.symbols.size());
      if (i != s.relocBegin) {
        ASSERT_LE(object.relocations[i - 1].offset, r.offset);
      }
    }
  }
  for (const ParsedSymbol &s : object.symbols) {
    sum += s.name.empty() ? 0 : s.name.back();
    ASSERT_LT(s.section, sections.size());
    ASSERT_EQ(s.section != 0, s.place == SymbolPlace::Section);
    ASSERT_LE(s.binding, llvm::ELF::STB_WEAK);
  }
  for (const ParsedGroup &g : object.groups)
    for (uint32_t m : g.members)
      ASSERT_TRUE(m != 0 && m < sections.size());
  for (const ExprEntry &e : object.expressions) {
    ASSERT_LT(e.result, object.symbols.size());
    for (const ExprOperand &o : e.operands) {
      sum += o.string.size();
      if (o.kind == ExprOperand::Symbol) {
        ASSERT_LT(o.value, object.symbols.size());
      }
    }
  }
  ASSERT_NE(sum, uint64_t(-1)); // so that the reads above happen
}

void checkMessages(const std::vector<std::string> &errors, const char *file) {
  ASSERT_LE(errors.size(), 11u);
  for (const std::string &text : errors) {
    ASSERT_TRUE(llvm::StringRef(text).starts_with(file)) << text;
    ASSERT_NE(text.back(), '.') << text;
  }
}

} // namespace

TEST(Mutation, Objects) {
  std::vector<Sample> list = samples();
  unsigned good = 0, bad = 0;
  for (uint32_t seed = 0; seed < rounds(1500); ++seed)
    for (size_t i = 0; i < list.size(); ++i) {
      SCOPED_TRACE(testing::Message() << "sample " << i << ", seed " << seed);
      Bytes bytes = list[i].bytes;
      Damage(seed * 100 + uint32_t(i)).apply(bytes);
      identifyFile(bytes);
      readIdentity(bytes);
      Read r = read(list[i].machine, bytes);
      ASSERT_NO_FATAL_FAILURE(checkMessages(r.errors, "a.o:"));
      if (r.object) {
        ASSERT_NO_FATAL_FAILURE(checkInvariants(
            *r.object, *findTarget(llvm::StringRef(list[i].machine))));
      }
      ++(r.object ? good : bad);
    }
  // Damage that is always or never noticed would test little.
  EXPECT_GT(good, 1000u);
  EXPECT_GT(bad, 1000u);
}

TEST(Mutation, EveryTruncation) {
  for (const Sample &sample : samples())
    for (size_t size = 0; size < sample.bytes.size(); size += 1 + size / 97) {
      Bytes bytes(sample.bytes.begin(), sample.bytes.begin() + size);
      ASSERT_NO_FATAL_FAILURE(
          checkMessages(read(sample.machine, bytes).errors, "a.o:"));
    }
}

TEST(Mutation, EveryHeaderFieldAtItsExtremes) {
  for (const Sample &sample : samples()) {
    bool is64 = sample.bytes[4] == 2;
    uint64_t table = sectionHeaderOffset(sample.bytes, 0);
    auto tryAll = [&](uint64_t begin, uint64_t end) {
      for (uint64_t at = begin; at < end; at += 2)
        for (uint64_t value :
             {uint64_t(0), uint64_t(0xffffffff), uint64_t(0x7fffffff),
              uint64_t(0xffff), uint64_t(-1)})
          for (unsigned size : {2u, 4u, is64 ? 8u : 4u}) {
            Bytes bytes = sample.bytes;
            if (at + size > bytes.size())
              continue;
            poke(bytes, at, value, size);
            Read r = read(sample.machine, bytes);
            ASSERT_NO_FATAL_FAILURE(checkMessages(r.errors, "a.o:"));
          }
    };
    tryAll(4, is64 ? 64 : 52);
    tryAll(table, std::min<uint64_t>(sample.bytes.size(), table + 10 * 40));
  }
}

TEST(Mutation, Archives) {
  std::vector<MemberSpec> members;
  for (const Sample &sample : samples())
    members.push_back(
        {"member_" + std::to_string(members.size() * 1000000) + ".o",
         Bytes(sample.bytes.begin(),
               sample.bytes.begin() +
                   std::min<size_t>(sample.bytes.size(), 200))});
  unsigned good = 0, bad = 0;
  for (ArchiveFormat format :
       {ArchiveFormat::Gnu, ArchiveFormat::Gnu64, ArchiveFormat::Bsd,
        ArchiveFormat::Bsd64, ArchiveFormat::Thin}) {
    // The index is made from whole objects, the contents then cut short: what
    // lies in the members does not matter here, what surrounds them does.
    std::vector<MemberSpec> whole;
    for (size_t i = 0; i < 3; ++i)
      whole.push_back({"w" + std::to_string(i) + ".o", samples()[i].bytes});
    for (const Bytes &original : {makeArchive(whole, format, true),
                                  makeArchive(members, format, false)})
      for (uint32_t seed = 0; seed < rounds(2000); ++seed) {
        SCOPED_TRACE(testing::Message()
                     << "format " << int(format) << ", seed " << seed);
        Bytes bytes = original;
        Damage damage(seed);
        damage.apply(bytes);
        // And some near the front, where the index and the names are.
        for (int k = 0; k < 3 && bytes.size() > 400; ++k)
          bytes[8 + damage.below(392)] ^=
              damage.below(3) ? 0 : 1 << damage.below(8);
        ReadArchive r = readArchive(bytes);
        ASSERT_NO_FATAL_FAILURE(checkMessages(r.errors, "lib.a:"));
        ++(r.archive ? good : bad);
        if (!r.archive)
          continue;
        for (const ArchiveSymbol &symbol : r.archive->symbols)
          ASSERT_LT(symbol.member, r.archive->members.size());
        for (const ArchiveMember &member : r.archive->members)
          ASSERT_FALSE(member.name.empty());
      }
  }
  EXPECT_GT(good, 1000u);
  EXPECT_GT(bad, 1000u);
}
