//===- PieceTest.cpp - unnamed pieces of a named section ------------------===//
//
// Objects of newer XS1 tools: `.text` is empty, and its content lies in unnamed
// sections of type 0x60000000 whose sh_info is its index.
//
//===----------------------------------------------------------------------===//
#include "Reading.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace xlink;
using namespace xlink::test;
using namespace llvm::ELF;

TEST(Piece, TakesNameTypeAndFlagsOfItsParent) {
  Read r = readYaml("xs1", R"(
Sections:
  - Name: .cp.rodata
    Type: SHT_PROGBITS
    Flags: [SHF_ALLOC]
  - Name: ''
    Type: 0x60000000
    ShFlags: 0x100040
    Info: 1
    AddressAlign: 4
    Content: '01020304'
  - Name: ' (1)'
    ShName: 0
    Type: 0x60000000
    ShFlags: 0x40
    Info: 1
    AddressAlign: 8
)");
  ASSERT_TRUE(r.object);
  const ParsedSection &parent = r.object->sections[1];
  EXPECT_FALSE(parent.isPiece);
  const ParsedSection &piece = r.object->sections[2];
  EXPECT_TRUE(piece.isPiece);
  EXPECT_EQ(piece.name, ".cp.rodata");
  EXPECT_EQ(piece.type, uint32_t(SHT_PROGBITS));
  EXPECT_EQ(piece.flags, uint64_t(SHF_ALLOC | 0x100000));
  EXPECT_EQ(piece.kind, SectionKind::Regular);
  EXPECT_THAT(piece.data(), ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(r.object->moreOf(2).parent, 1u);
  const ParsedSection &empty = r.object->sections[3];
  EXPECT_EQ(empty.flags & SHF_INFO_LINK, 0u);
  EXPECT_EQ(empty.fileFlags() & SHF_INFO_LINK, uint64_t(SHF_INFO_LINK));
  EXPECT_EQ(r.object->moreOf(3).parent, 1u);
  EXPECT_EQ(r.object->moreOf(1).parent, 0u);
  EXPECT_EQ(empty.kind, SectionKind::Regular) << "it carries an alignment";
  EXPECT_EQ(empty.align, 8u);
  EXPECT_EQ(empty.name, ".cp.rodata");
}

TEST(Piece, OfASectionWithoutContentsHasNone) {
  Read r = readYaml("xs1", R"(
Sections:
  - Name: .dp.bss
    Type: SHT_NOBITS
    Flags: [SHF_ALLOC, SHF_WRITE]
  - Name: ''
    Type: 0x60000000
    Info: 1
    ShOffset: 0x7ffffff0
    ShSize: 0x1000
)");
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->sections[2].type, uint32_t(SHT_NOBITS));
  EXPECT_EQ(r.object->sections[2].size, 0x1000u);
  EXPECT_TRUE(r.object->sections[2].data().empty());
}

TEST(Piece, SymbolsAndRelocationsReferToIt) {
  Read r = readYaml("xs1", R"(
Sections:
  - Name: .text
    Type: SHT_PROGBITS
    Flags: [SHF_ALLOC, SHF_EXECINSTR]
  - Name: ''
    Type: 0x60000000
    Info: 1
    Content: '00000000'
  - Name: .rela.text
    Type: SHT_RELA
    Link: .symtab
    Info: 2
    Relocations:
      - Offset: 0
        Symbol: f
        Type: 1
Symbols:
  - Name: f
    Binding: STB_GLOBAL
    Index: 2
)");
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.symbol("f")->section, 2u);
  const ParsedSection &piece = r.object->sections[2];
  EXPECT_EQ(piece.relocEnd - piece.relocBegin, 1u);
}

TEST(Piece, ParentsAreChecked) {
  auto withInfo = [](const char *info) {
    return errorsOf("xs1", std::string("Sections:\n  - Name: ''\n    Type: "
                                       "0x60000000\n    Info: ") +
                               info +
                               "\n  - Name: ' (1)'\n    ShName: 0\n    Type: "
                               "0x60000000\n    Info: 4\n  - Name: .bss\n"
                               "    Type: SHT_NOBITS\n  - Name: .a\n"
                               "    Type: SHT_PROGBITS\n");
  };
  EXPECT_THAT(withInfo("4"), IsEmpty());
  EXPECT_THAT(withInfo("0"),
              ElementsAre("a.o: section header 1: sh_info 0 of a piece is not "
                          "a section index (7 sections)"));
  EXPECT_THAT(withInfo("7"),
              ElementsAre("a.o: section header 1: sh_info 7 of a piece is not "
                          "a section index (7 sections)"));
  EXPECT_THAT(
      withInfo("2"),
      ElementsAre("a.o: section header 1: sh_info 2 of a piece is a piece "
                  "itself"));
  EXPECT_THAT(withInfo("5"),
              ElementsAre("a.o: section header 1: sh_info 5 of a piece is not "
                          "a section with contents"));
}

TEST(Piece, OtherMachinesKnowNoPieces) {
  Read r = readYaml("nyuzi", "Sections:\n  - Name: .x\n    Type: 0x60000000\n"
                             "    Info: 99\n    Content: '00'\n");
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.section(".x")->type, 0x60000000u);
  EXPECT_FALSE(r.section(".x")->isPiece);
}
