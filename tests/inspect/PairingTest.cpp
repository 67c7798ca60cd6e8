//===- PairingTest.cpp - what of one file is what of the other ------------===//
#include "inspect/Pairing.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

/// A file with sections as large as they need be, made by hand.
struct HandFile : LinkedFile {
  HandFile() {
    target = findTarget("nyuzi");
    type = ELF::ET_EXEC;
    sections.emplace_back();
  }
  HandFile &section(StringRef name, uint64_t address, StringRef bytes) {
    ElfSection s;
    s.name = name;
    s.type = ELF::SHT_PROGBITS;
    s.flags = ELF::SHF_ALLOC;
    s.address = address;
    s.size = bytes.size();
    s.data = {bytes.bytes_begin(), bytes.size()};
    sections.push_back(s);
    return *this;
  }
  /// In the last section.
  HandFile &symbol(StringRef name, uint64_t offset, uint64_t size,
                   uint8_t binding = ELF::STB_GLOBAL, StringRef source = "") {
    ElfSymbol s;
    s.name = name;
    s.section = sections.size() - 1;
    s.value = sections.back().address + offset;
    s.size = size;
    s.type = size ? ELF::STT_OBJECT : ELF::STT_NOTYPE;
    s.binding = binding;
    s.file = source;
    symbols.push_back(s);
    return *this;
  }
  HandFile &local(StringRef name, uint64_t offset, uint64_t size,
                  StringRef source) {
    return symbol(name, offset, size, ELF::STB_LOCAL, source);
  }
};

/// "0-1 2-0": partners by index.
std::string textOf(const Pairs &pairs) {
  std::string text;
  for (size_t i = 0; i < pairs.ofA.size(); ++i)
    if (pairs.ofA[i] != kNoIndex) {
      EXPECT_EQ(pairs.ofB[pairs.ofA[i]], i);
      text += (text.empty() ? "" : " ") + std::to_string(i) + "-" +
              std::to_string(pairs.ofA[i]);
    }
  return text;
}

/// "name 0+8", "- 8+4": the atoms of a file.
std::string textOf(const LinkedFile &file, const AtomTable &table) {
  std::string text;
  for (const Atom &atom : table.atoms)
    text +=
        (text.empty() ? "" : ", ") +
        (atom.symbol == kNoIndex ? "-" : file.symbols[atom.symbol].name.str()) +
        " " + std::to_string(atom.begin) + "+" + std::to_string(atom.size);
  return text;
}

TEST(Pairing, SectionsByNameAndOrder) {
  HandFile a, b;
  a.section("x", 0, "").section("y", 0, "").section("x", 0, "");
  b.section("y", 0, "").section("x", 0, "").section("z", 0, "");
  EXPECT_EQ(textOf(pairSections(a, b)), "1-2 2-1");
}

// Local symbols of one name go by their source files.
TEST(Pairing, LocalSymbolsBySource) {
  HandFile a, b;
  a.section("x", 0, "abcdefgh").local("n", 0, 4, "a.c").local("n", 4, 4, "b.c");
  b.section("x", 0, "abcdefgh").local("n", 0, 4, "b.c").local("n", 4, 4, "a.c");
  EXPECT_EQ(textOf(pairSymbols(a, b)), "0-1 1-0");
}

// A new one among many of a name does not shift those behind it.
TEST(Pairing, OneMoreOfAName) {
  HandFile a, b;
  a.section("x", 0, "11223344");
  b.section("x", 0, "1199223344");
  for (unsigned i = 0; i < 4; ++i)
    a.local("n", 2 * i, 2, "a.c");
  for (unsigned i = 0; i < 5; ++i)
    b.local("n", 2 * i, 2, "a.c");
  EXPECT_EQ(textOf(pairSymbols(a, b)), "0-0 1-2 2-3 3-4");
}

// Who becomes global, or stands in another section, is still the same.
TEST(Pairing, SymbolOfAnotherKind) {
  HandFile a, b;
  a.section("x", 0, "abcd").local("f", 0, 4, "a.c").symbol("g", 0, 0);
  b.section("y", 0, "abcd").symbol("f", 0, 4).local("g", 0, 0, "");
  EXPECT_EQ(textOf(pairSymbols(a, b)), "0-0 1-1");
}

TEST(Pairing, AtomsWithoutGaps) {
  HandFile a;
  a.section("x", 0x100, "0123456789abcdef");
  a.symbol("f", 4, 4).symbol("inner", 6, 2).symbol("alias", 4, 0);
  a.symbol("end", 12, 0).symbol("late", 12, 2);
  const Pairs self = pairSymbols(a, a);
  const AtomTable table = makeAtoms(a, self.ofA, a);
  EXPECT_EQ(textOf(a, table), "- 0+4, f 4+4, - 8+4, late 12+2, - 14+2");
  EXPECT_EQ(table.at(1, 5), 1u);
  EXPECT_EQ(table.at(1, 15), 4u);
  EXPECT_EQ(table.at(1, 16), kNoIndex);
  EXPECT_EQ(table.before(0), kNoIndex);
  EXPECT_EQ(table.behind(4), kNoIndex);
}

/// Whether a symbol of that kind is a label that a compiler made.
bool temporary(StringRef name, uint8_t binding = ELF::STB_LOCAL,
               uint8_t type = ELF::STT_NOTYPE, uint64_t size = 0) {
  ElfSymbol s;
  s.name = name;
  s.binding = binding;
  s.type = type;
  s.size = size;
  // Each is a mark as well.
  EXPECT_TRUE(s.isMark() || !s.isTemporary()) << name.str();
  return s.isTemporary();
}

// Labels: ".L" and anything, names of sections, and what says of which kind the
// bytes behind it are: "$d", a letter, or that and "." and anything (the ABI of
// Arm, "Mapping symbols").
TEST(Pairing, TemporarySymbols) {
  for (const char *name :
       {".L", ".L0", ".Ltmp3", ".", ".text", ".l", "$a", "$d", "$t", "$x", "$Z",
        "$z", "$A", "$d.", "$d.1", "$d.12", "$x.any"})
    EXPECT_TRUE(temporary(name)) << name;
  for (const char *name :
       {"", "L", "L0", "text", "a", "d.1", "$", "$$", "$1", "$1.1", "$.1", "$_",
        "$dd", "$d1", "$d$", "$d_1", "$dd.1", "x$d", "_.L"})
    EXPECT_FALSE(temporary(name)) << name;
}

// Global and weak symbols belong to the program.
TEST(Pairing, TemporarySymbolsAreLocal) {
  for (const char *name : {".L0", ".text", "$d", "$d.1"}) {
    EXPECT_FALSE(temporary(name, ELF::STB_GLOBAL)) << name;
    EXPECT_FALSE(temporary(name, ELF::STB_WEAK)) << name;
  }
}

// What has a type or a size is an object or a function, but for ".L": compilers
// call constants so.
TEST(Pairing, TemporarySymbolsHaveNoTypeAndNoSize) {
  for (const char *name : {".text", "$d", "$d.1"}) {
    EXPECT_FALSE(temporary(name, ELF::STB_LOCAL, ELF::STT_OBJECT)) << name;
    EXPECT_FALSE(temporary(name, ELF::STB_LOCAL, ELF::STT_FUNC)) << name;
    EXPECT_FALSE(temporary(name, ELF::STB_LOCAL, ELF::STT_NOTYPE, 1)) << name;
  }
  EXPECT_TRUE(temporary(".LC0", ELF::STB_LOCAL, ELF::STT_OBJECT, 8));
  EXPECT_TRUE(temporary(".LC0", ELF::STB_LOCAL, ELF::STT_NOTYPE, 1));
}

TEST(Pairing, Marks) {
  ElfSymbol s;
  const auto marks = [&](StringRef name, uint8_t type, uint8_t binding) {
    s.name = name;
    s.type = type;
    s.binding = binding;
    return s.isMark();
  };
  EXPECT_TRUE(marks("a.c", ELF::STT_FILE, ELF::STB_LOCAL));
  EXPECT_TRUE(marks("x", ELF::STT_SECTION, ELF::STB_LOCAL));
  EXPECT_TRUE(marks("", ELF::STT_NOTYPE, ELF::STB_LOCAL));
  EXPECT_TRUE(marks("", ELF::STT_FUNC, ELF::STB_GLOBAL));
  EXPECT_TRUE(marks("$d.1", ELF::STT_NOTYPE, ELF::STB_LOCAL));
  for (uint8_t type :
       {ELF::STT_NOTYPE, ELF::STT_OBJECT, ELF::STT_FUNC, ELF::STT_TLS})
    for (uint8_t binding : {ELF::STB_LOCAL, ELF::STB_GLOBAL, ELF::STB_WEAK})
      EXPECT_FALSE(marks("x", type, binding)) << int(type) << int(binding);
}

// They have no partner and cut nothing.
TEST(Pairing, MarksCutNothing) {
  HandFile a;
  a.section("x", 0x100, "0123456789abcdef").local("f", 0, 0, "a.c");
  a.local(".L1", 2, 2, "a.c").local("$d.1", 4, 0, "a.c");
  a.local(".x", 6, 0, "a.c").local("$d", 8, 0, "a.c").local("g", 12, 0, "a.c");
  const Pairs self = pairSymbols(a, a);
  EXPECT_EQ(textOf(self), "0-0 5-5");
  EXPECT_EQ(textOf(a, makeAtoms(a, self.ofA, a)), "f 0+12, g 12+4");
}

// A mark that only one linker defines does not cut a function in two.
TEST(Pairing, MarksOfOneLinker) {
  HandFile a, b;
  a.section("x", 0, "01234567").symbol("f", 0, 0).symbol("mark", 4, 0);
  b.section("x", 0, "01234567").symbol("f", 0, 0);
  const Pairs symbols = pairSymbols(a, b);
  const AtomTable inA = makeAtoms(a, symbols.ofA, b),
                  inB = makeAtoms(b, symbols.ofB, a);
  EXPECT_EQ(textOf(a, inA), "f 0+8");
  EXPECT_EQ(textOf(b, inB), "f 0+8");
}

// Fields are counted from a base; what stands there has another name or none.
TEST(Pairing, BasesAreNoNames) {
  HandFile a, b;
  for (HandFile *file : {&a, &b}) {
    file->target = findTarget("xs1");
    file->section("x", 0, "01234567").symbol("_cp", 0, 0).symbol("f", 4, 0);
  }
  const Pairs symbols = pairSymbols(a, b), sections = pairSections(a, b);
  EXPECT_EQ(textOf(symbols), "0-0 1-1");
  EXPECT_EQ(textOf(a, makeAtoms(a, symbols.ofA, b)), "- 0+4, f 4+4");
  EXPECT_EQ(textOf(pairAtoms(a, b, symbols, sections).pairs), "0-0 1-1");
}

// Sizes end where the section does, and symbols at or behind that, or in front
// of it, cut nothing.
TEST(Pairing, AtomsAtTheEndOfASection) {
  HandFile a;
  a.section("x", 0x100, "01234567").symbol("f", 0, 2).symbol("g", 6, 3);
  a.symbol("end", 8, 0).symbol("behind", 9, 4).symbol("front", -1, 4);
  const Pairs self = pairSymbols(a, a);
  const AtomTable table = makeAtoms(a, self.ofA, a);
  EXPECT_EQ(textOf(a, table), "f 0+2, - 2+4, g 6+2");
  EXPECT_EQ(table.at(1, 0), 0u);
  EXPECT_EQ(table.at(1, 1), 0u);
  EXPECT_EQ(table.at(1, 2), 1u);
  EXPECT_EQ(table.at(1, 7), 2u);
  EXPECT_EQ(table.at(1, 8), kNoIndex);
  EXPECT_EQ(table.at(0, 0), kNoIndex);
  EXPECT_EQ(table.before(2), 1u);
  EXPECT_EQ(table.behind(1), 2u);
  EXPECT_EQ(table.ofSymbol,
            (std::vector<uint32_t>{0, 2, kNoIndex, kNoIndex, kNoIndex}));
}

// Of several symbols at one place the largest says how far they go.
TEST(Pairing, SeveralSymbolsAtOnePlace) {
  HandFile a;
  a.section("x", 0, "01234567").symbol("small", 2, 2).symbol("large", 2, 4);
  a.local("last", 6, 1, "a.c").symbol("global", 6, 1);
  const Pairs self = pairSymbols(a, a);
  const AtomTable table = makeAtoms(a, self.ofA, a);
  EXPECT_EQ(textOf(a, table), "- 0+2, large 2+4, global 6+1, - 7+1");
  EXPECT_EQ(table.ofSymbol, (std::vector<uint32_t>{1, 1, 2, 2}));
}

// A size that only the partner knows does not reach over a symbol, or the end.
TEST(Pairing, SizesThatThePartnerKnows) {
  HandFile a, b;
  a.section("x", 0, "0123456789").symbol("f", 0, 0).symbol("in", 3, 0);
  a.symbol("g", 6, 0);
  b.section("x", 0, "0123456789").symbol("f", 0, 5).symbol("in", 3, 2);
  b.symbol("g", 6, 9);
  EXPECT_EQ(textOf(a, makeAtoms(a, pairSymbols(a, b).ofA, b)),
            "f 0+3, in 3+2, - 5+1, g 6+4");
}

// A base symbol at the place of an object is not that object.
TEST(Pairing, BaseAtTheBeginning) {
  HandFile a, b;
  a.section("x", 0, "0123").symbol("base", 0, 0).symbol("old", 0, 4);
  b.section("x", 0, "98760123").symbol("base", 0, 0).symbol("fresh", 0, 4);
  b.symbol("old", 4, 4);
  const Pairs symbols = pairSymbols(a, b), sections = pairSections(a, b);
  EXPECT_EQ(textOf(pairAtoms(a, b, symbols, sections).pairs), "0-1");
}

} // namespace
} // namespace xlink::test
