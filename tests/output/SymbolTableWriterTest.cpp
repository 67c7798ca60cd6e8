//===- SymbolTableWriterTest.cpp - the output's symbols ------------------===//
#include "output/SymbolTableWriter.h"
#include "layout/SymbolValues.h"
#include "support/HandLaid.h"
#include "llvm/Object/ELFTypes.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// All of a table, as one who has memory for it would have it.
struct Rendered {
  std::vector<uint8_t> symtab, strtab, shndx;

  explicit Rendered(const SymbolTableWriter &table)
      : symtab(table.count() * table.entrySize(), 0xa5),
        strtab(table.nameBytes(), 0xa5),
        shndx(table.isExtended() ? table.count() * 4 : 0, 0xa5) {
    size_t symbol = 0;
    uint64_t name = 0;
    for (size_t i = 0; i < table.spans(); ++i) {
      const SymbolSpan span = table.span(i);
      EXPECT_EQ(span.symbol, symbol);
      EXPECT_EQ(span.name, name);
      table.render(i, part(symtab, symbol, span.symbols, table.entrySize()),
                   part(strtab, name, span.nameBytes, 1),
                   part(shndx, symbol, span.symbols, table.isExtended() * 4));
      symbol += span.symbols;
      name += span.nameBytes;
    }
    EXPECT_EQ(symbol, table.count());
    EXPECT_EQ(name, table.nameBytes());
  }
  const object::ELF32LE::Sym &symbol(size_t index) const {
    return reinterpret_cast<const object::ELF32LE::Sym *>(symtab.data())[index];
  }
  std::string name(size_t index) const {
    return reinterpret_cast<const char *>(strtab.data()) +
           symbol(index).st_name;
  }

private:
  static MutableArrayRef<uint8_t> part(std::vector<uint8_t> &all, size_t first,
                                       size_t count, size_t bytes) {
    return MutableArrayRef<uint8_t>(all).slice(first * bytes, count * bytes);
  }
};

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
  const Link link(laid.partial(), laid.info, laid.addresses);
  const SymbolValues values = computeSymbolValues(link);
  const IdVector<OutputId, uint32_t> headers(laid.placement.outputs.size(), 1);
  const SymbolTableWriter table(link, values, headers, /*wantIndices=*/true);
  ASSERT_EQ(table.indices().size(), laid.program.symbolIds.size());
  const Rendered rendered(table);
  auto nameOf = [&](FileId file, uint32_t symbol) {
    const uint32_t index =
        table.indices()[laid.program.files[file].symbolBase + symbol];
    EXPECT_NE(index, 0u);
    return rendered.name(index);
  };
  EXPECT_EQ(nameOf(FileId(0), 1), "inner");
  EXPECT_EQ(nameOf(FileId(0), 2), "main");
  EXPECT_EQ(nameOf(FileId(0), 3), "other");
  EXPECT_EQ(nameOf(FileId(1), 1), "other");
  EXPECT_EQ(table.indices()[laid.program.files[FileId(0)].symbolBase], 0u);
  EXPECT_TRUE(SymbolTableWriter(link, values, headers).indices().empty());
}

// Locals of all files, then globals; what is rendered together follows each
// other in both tables, and begins with the null symbol.
TEST(SymbolSpans, AreTheWholeTable) {
  constexpr unsigned kFiles = 3, kLocals = 9500, kGlobals = 2900;
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
    const IdVector<OutputId, uint32_t> headers(laid.placement.outputs.size(),
                                               header);
    const SymbolTableWriter table(link, values, headers);
    EXPECT_GE(table.spans(), 7u);
    for (size_t i = 0; i < table.spans(); ++i)
      EXPECT_LT(table.span(i).symbols, 9000u);
    EXPECT_EQ(table.isExtended(), header == 70'000);
    EXPECT_EQ(table.firstGlobal(), locals.size());
    ASSERT_EQ(table.count(), locals.size() + globals.size());
    const Rendered rendered(table);
    for (size_t i = 0; i < table.count(); ++i) {
      const auto &symbol = rendered.symbol(i);
      const bool isLocal = i < locals.size();
      ASSERT_EQ(rendered.name(i),
                isLocal ? locals[i] : globals[i - locals.size()]);
      ASSERT_EQ(symbol.getBinding(),
                isLocal ? ELF::STB_LOCAL : ELF::STB_GLOBAL);
      const uint32_t home = i ? header : 0;
      ASSERT_EQ(symbol.st_shndx,
                home == 70'000 ? uint32_t(ELF::SHN_XINDEX) : home);
      if (table.isExtended()) {
        ASSERT_EQ(support::endian::read32le(rendered.shndx.data() + i * 4),
                  home);
      }
    }
  }
}

} // namespace
} // namespace xlink::test
