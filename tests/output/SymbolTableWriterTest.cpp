//===- SymbolTableWriterTest.cpp - the output's symbols ------------------===//
#include "layout/AddressAssignment.h"
#include "output/Tables.h"
#include "support/HandLaid.h"
#include "llvm/Object/ELFTypes.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A table of an output that is read.
struct Rendered : OutputSymbols {
  const object::ELF32LE::Sym &symbol(size_t index) const {
    return reinterpret_cast<const object::ELF32LE::Sym *>(symtab.data())[index];
  }
  std::string name(size_t index) const {
    return reinterpret_cast<const char *>(strtab.data()) +
           symbol(index).st_name;
  }
};

TEST(SymbolIndex, OfEachFileAndSymbol) {
  HandLaid laid("nyuzi", "SECTIONS { .text : { *(.text) } }");
  laid.config.emitRelocations = true;
  laid.file("a.o")
      .section(".text", "ax", 8)
      .define("inner", 4, ELF::STB_LOCAL)
      .define("main")
      .refer("other");
  laid.file("b.o").section(".text", "ax", 8).define("other");
  laid.place();
  laid.settle();
  const Link link(laid.partial(), laid.info, laid.addresses);
  const SymbolValues values = computeSymbolValues(link);
  FileLayout layout;
  layout.headers.assign(laid.placement.outputs.size(), 1);
  const Rendered table{makeSymbolTable({link, values, layout})};
  const std::vector<uint32_t> &indices = table.indices.symbols;
  ASSERT_EQ(indices.size(), laid.program.symbolIds.size());
  auto nameOf = [&](FileId file, uint32_t symbol) {
    const uint32_t index =
        indices[laid.program.files[file].symbolBase + symbol];
    EXPECT_NE(index, 0u);
    return table.name(index);
  };
  EXPECT_EQ(nameOf(FileId(0), 1), "inner");
  EXPECT_EQ(nameOf(FileId(0), 2), "main");
  EXPECT_EQ(nameOf(FileId(0), 3), "other");
  EXPECT_EQ(nameOf(FileId(1), 1), "other");
  EXPECT_EQ(indices[laid.program.files[FileId(0)].symbolBase], 0u);
}

// The null symbol, locals of all files, then globals.
TEST(SymbolOrder, OfManyFiles) {
  constexpr unsigned kFiles = 30, kLocals = 950, kGlobals = 290;
  HandLaid laid("nyuzi", "SECTIONS { .text : { *(.text) } }");
  std::vector<std::string> locals = {""}, globals;
  for (unsigned f = 0; f < kFiles; ++f) {
    auto &file = laid.file("f" + std::to_string(f) + ".o");
    file.section(".text", "ax", 8);
    for (unsigned i = 0; i < kLocals; ++i) {
      locals.push_back("l" + std::to_string(f * kLocals + i));
      file.define(locals.back(), i % 8, ELF::STB_LOCAL);
    }
    for (unsigned i = 0; i < kGlobals; ++i) {
      globals.push_back("global" + std::to_string(f * kGlobals + i));
      file.define(globals.back(), i % 8);
    }
  }
  laid.place();
  laid.settle();
  const Link link(laid.partial(), laid.info, laid.addresses);
  const SymbolValues values = computeSymbolValues(link);
  // Header indices that only .symtab_shndx has room for, and others.
  for (uint32_t header : {1u, 70'000u}) {
    FileLayout layout;
    layout.headers.assign(laid.placement.outputs.size(), header);
    const Rendered table{makeSymbolTable({link, values, layout})};
    EXPECT_EQ(table.shndx.empty(), header == 1);
    EXPECT_EQ(table.firstGlobal, locals.size());
    ASSERT_EQ(table.count, locals.size() + globals.size());
    for (size_t i = 0; i < table.count; ++i) {
      const auto &symbol = table.symbol(i);
      const bool isLocal = i < locals.size();
      ASSERT_EQ(table.name(i),
                isLocal ? locals[i] : globals[i - locals.size()]);
      ASSERT_EQ(symbol.getBinding(),
                isLocal ? ELF::STB_LOCAL : ELF::STB_GLOBAL);
      const uint32_t home = i ? header : 0;
      ASSERT_EQ(symbol.st_shndx,
                home == 70'000 ? uint32_t(ELF::SHN_XINDEX) : home);
      if (!table.shndx.empty()) {
        ASSERT_EQ(support::endian::read32le(table.shndx.data() + i * 4), home);
      }
    }
  }
}

} // namespace
} // namespace xlink::test
