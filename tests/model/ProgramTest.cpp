//===- ProgramTest.cpp - what a program says of its parts -----------------===//
#include "support/HandMade.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

TEST(Program, Places) {
  HandMade made;
  made.file("lib.a(b.o)").section(".text", "ax", 16);
  made.enter();
  const SectionId text = made.sectionNamed(".text");
  EXPECT_EQ(made.program.sectionName(text), "lib.a(b.o):(.text)");
  EXPECT_EQ(made.program.place(text, 0x1c), "lib.a(b.o):(.text+0x1c)");
  EXPECT_EQ(made.program.fileName(kNone), "<internal>");
}

// Of a part that was cut out, the place is the one in the file.
TEST(Program, PlacesInCutSections) {
  HandMade made;
  HandObject &a = made.file("a.o").section(".text", "ax", 16);
  a.object->sections[1].hasMore = true;
  a.object->more = {{.section = 1, .cutAt = 0x100}};
  made.enter();
  EXPECT_EQ(made.program.place(made.sectionNamed(".text"), 4),
            "a.o:(.text+0x104)");
}

TEST(Program, SectionsOfItsOwn) {
  HandMade made;
  const SectionId got = made.program.addMadeSection(
      ".got", ELF::SHT_PROGBITS, sectionFlags("aw"), 8, {1, 2, 3}, 3);
  EXPECT_EQ(made.program.sectionName(got), "<internal>:(.got)");
  EXPECT_EQ(made.program.sections[got].parsed->data(),
            ArrayRef<uint8_t>({1, 2, 3}));
  EXPECT_EQ(made.program.sections[got].parsed->align, 8u);
  EXPECT_FALSE(isCommon(made.program.sections[got]));
}

// A common symbol's section belongs to a file but has no index there.
TEST(Program, CommonSections) {
  HandMade made;
  made.file("a.o").section(".bss", "aw", 4);
  made.enter();
  const SectionId common = made.program.addMadeSection(
      "COMMON", ELF::SHT_NOBITS, sectionFlags("aw"), 4, {}, 8);
  made.program.sections[common].file = FileId(0);
  EXPECT_TRUE(isCommon(made.program.sections[common]));
  EXPECT_FALSE(isCommon(made.program.sections[made.sectionNamed(".bss")]));
  EXPECT_FALSE(isCommon(made.program.sections[SectionId(0)]));
}

// One number for a symbol, whichever file names it; local ones of two files
// never share one.
TEST(Program, SymbolKeys) {
  HandMade made;
  made.file("a.o")
      .section(".a", "a", 4)
      .define("l", 0, ELF::STB_LOCAL)
      .define("g");
  made.file("b.o")
      .section(".b", "a", 4)
      .define("l", 0, ELF::STB_LOCAL)
      .refer("g");
  made.enter();
  const Program &p = made.program;
  EXPECT_EQ(p.symbolKey(FileId(0), 2), p.symbolKey(FileId(1), 2));
  EXPECT_NE(p.symbolKey(FileId(0), 1), p.symbolKey(FileId(1), 1));
  EXPECT_GE(p.symbolKey(FileId(0), 1), Program::kLocalKey);
  EXPECT_LT(p.symbolKey(FileId(0), 2), Program::kLocalKey);
}

TEST(Program, AssignableOnce) {
  HandMade made;
  const SymbolId a = made.program.symbols.insert("a"),
                 b = made.program.symbols.insert("b");
  made.program.makeAssignable(b);
  made.program.makeAssignable(a);
  made.program.makeAssignable(b);
  EXPECT_EQ(made.program.slotCount(), 2u);
  EXPECT_EQ(made.program.symbols[b].slot, SlotId(0));
  EXPECT_EQ(made.program.symbols[a].slot, SlotId(1));
}

TEST(Program, PageSizeOfMachineOrOption) {
  HandMade made("nyuzi");
  EXPECT_EQ(made.program.pageSize(), made.program.target->maxPageSize);
  made.config.maxPageSize = 64;
  EXPECT_EQ(made.program.pageSize(), 64u);
}

TEST(Program, AddressSpaces) {
  EXPECT_EQ(HandMade("nyuzi").program.space().end(),
            Address(uint64_t(1) << 32));
  EXPECT_TRUE(HandMade("aphelion").program.space().end().isEnd());
}

TEST(SymbolTable, OneSymbolAName) {
  SymbolTable symbols;
  EXPECT_EQ(symbols.find("a"), kNone);
  const SymbolId a = symbols.insert("a");
  EXPECT_EQ(symbols.insert("a"), a);
  EXPECT_EQ(symbols.find("a"), a);
  EXPECT_EQ(symbols[a].kind, SymbolKind::Undefined);
  EXPECT_EQ(symbols[a].name, "a");
}

// Names are told apart though their hashes are equal, and found again when the
// table has grown.
TEST(SymbolTable, GrowsAndCollides) {
  SymbolTable symbols;
  std::deque<std::string> names;
  for (unsigned i = 0; i < 1000; ++i)
    EXPECT_EQ(symbols.insert(names.emplace_back("n" + std::to_string(i)),
                             /*hash=*/i % 3),
              SymbolId(i));
  for (unsigned i = 0; i < 1000; ++i)
    EXPECT_EQ(symbols.insert(names[i], i % 3), SymbolId(i));
  EXPECT_EQ(symbols.size(), 1000u);
}

} // namespace
