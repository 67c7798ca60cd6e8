//===- SymbolIndexTest.cpp - where inputs' symbols are in the table -------===//
#include "layout/SymbolValues.h"
#include "output/SymbolTableWriter.h"
#include "support/HandLaid.h"
#include "llvm/Object/ELFTypes.h"

using namespace llvm;

namespace xlink::test {
namespace {

TEST(SymbolIndex, OfEachFileAndSymbol) {
  HandLaid laid("nyuzi", "SECTIONS { .text : { *(.text) } }");
  laid.file("a.o")
      .section(".text", "ax", 8)
      .define("inner", 4, ELF::STB_LOCAL)
      .define("main")
      .refer("other");
  laid.file("b.o").section(".text", "ax", 8).define("other");
  laid.place();
  laid.settle();
  const Link link(laid.parts(), laid.facts, laid.geometry);
  const SymbolValues values = computeSymbolValues(link);
  const IdVector<OutputId, uint32_t> headers(laid.placement.outputs.size(), 1);
  const SymbolTableBytes bytes =
      buildSymbolTable(link, values, headers, /*wantIndices=*/true);
  ASSERT_EQ(bytes.indices.size(), laid.program.symbolIds.size());
  auto *table =
      reinterpret_cast<const object::ELF32LE::Sym *>(bytes.symtab.data());
  auto nameOf = [&](FileId file, uint32_t symbol) {
    const uint32_t index =
        bytes.indices[laid.program.files[file].symbolBase + symbol];
    EXPECT_NE(index, 0u);
    return std::string(reinterpret_cast<const char *>(bytes.strtab.data()) +
                       table[index].st_name);
  };
  EXPECT_EQ(nameOf(FileId(0), 1), "inner");
  EXPECT_EQ(nameOf(FileId(0), 2), "main");
  EXPECT_EQ(nameOf(FileId(0), 3), "other");
  EXPECT_EQ(nameOf(FileId(1), 1), "other");
  EXPECT_EQ(bytes.indices[laid.program.files[FileId(0)].symbolBase], 0u);
  EXPECT_TRUE(buildSymbolTable(link, values, headers).indices.empty());
}

} // namespace
} // namespace xlink::test
