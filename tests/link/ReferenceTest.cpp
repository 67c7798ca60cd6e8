//===- ReferenceTest.cpp - against what another linker made ---------------===//
//
// testdata/objects/nyuzi: real compiler output, linked by the vendor's linker
// with every section at an address of its own; the same link must give the same
// bytes. testdata/objects/xs1: a program that computes with every field of the
// ABI; the layout and the results of its link-time expressions are known by
// hand. (Its fields are checked one by one in testdata/golden/xs1-sample.)
//
//===----------------------------------------------------------------------===//
#include "support/LinkHarness.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <gtest/gtest.h>
#include <tuple>

using namespace llvm;

namespace xlink::test {
namespace {

std::string sample(StringRef path) {
  return std::string(XLINK_TESTDATA) + "/objects/" + path.str();
}

//===----------------------------------------------------------------------===//
// Nyuzi
//===----------------------------------------------------------------------===//

struct Program {
  const char *name;
  std::vector<const char *> objects;
};

class NyuziReference : public testing::TestWithParam<Program> {
protected:
  void SetUp() override {
    LinkHarness harness;
    std::vector<std::string> arguments = {"-O0", "-T", "fixed.ld"};
    harness.file("fixed.ld", readTestFile(sample("nyuzi/fixed.ld")));
    for (const char *object : GetParam().objects) {
      harness.file(object,
                   readTestFile(sample(std::string("nyuzi/") + object)));
      arguments.push_back(object);
    }
    linked = harness.link(arguments);
    ASSERT_EQ(linked.status, 0) << linked.errors;
    EXPECT_EQ(linked.errors, "");
    ours.emplace(linked.image());
    theirs.emplace(readTestFile(
        sample(std::string("nyuzi/reference/") + GetParam().name + ".elf")));
  }

  Linked linked;
  std::optional<OutFile> ours, theirs;
};

/// Sections whose bytes both linkers must agree on. Not .eh_frame, where the
/// vendor's linker joins equal CIEs, and not .debug_str, whose order is free.
bool comparable(const OutSection &section) {
  StringRef name = section.name;
  return is_contained({".text", ".rodata", ".init_array", ".got", ".data"},
                      name) ||
         (name.starts_with(".debug_") && name != ".debug_str");
}

TEST_P(NyuziReference, EqualBytes) {
  size_t compared = 0;
  for (const OutSection &section : theirs->sections) {
    if (!comparable(section) || section.size == 0)
      continue;
    SCOPED_TRACE(section.name);
    const OutSection *mine = ours->section(section.name);
    ASSERT_TRUE(mine);
    EXPECT_EQ(mine->address, section.address);
    EXPECT_EQ(mine->size, section.size);
    EXPECT_TRUE(mine->bytes == section.bytes) << "different bytes";
    ++compared;
  }
  EXPECT_GE(compared, 2u) << ".text and .rodata at least";
  // And nothing that the reference does not have.
  for (const OutSection &section : ours->sections)
    if (comparable(section)) {
      EXPECT_TRUE(theirs->section(section.name)) << section.name;
    }
}

TEST_P(NyuziReference, EqualMemoryLayout) {
  EXPECT_EQ(ours->entry, theirs->entry);
  const OutSection *mine = ours->section(".bss"),
                   *other = theirs->section(".bss");
  ASSERT_EQ(bool(mine), bool(other));
  if (mine) {
    EXPECT_EQ(mine->address, other->address);
    EXPECT_EQ(mine->size, other->size);
  }
}

/// Names, values and sizes, sorted: local names may occur more than once.
std::vector<std::tuple<std::string, uint64_t, uint64_t>>
namedSymbols(const OutFile &file) {
  std::vector<std::tuple<std::string, uint64_t, uint64_t>> symbols;
  for (const OutSymbol &symbol : file.symbols)
    if (!symbol.name.empty() && symbol.type != ELF::STT_SECTION &&
        symbol.type != ELF::STT_FILE)
      symbols.push_back({symbol.name, symbol.value, symbol.size});
  sort(symbols);
  return symbols;
}

TEST_P(NyuziReference, EqualSymbols) {
  auto mine = namedSymbols(*ours), other = namedSymbols(*theirs);
  EXPECT_GT(other.size(), 5u);
  for (const auto &symbol : other)
    EXPECT_TRUE(is_contained(mine, symbol))
        << std::get<0>(symbol) << " 0x" << utohexstr(std::get<1>(symbol));
  for (const auto &symbol : mine)
    EXPECT_TRUE(is_contained(other, symbol))
        << std::get<0>(symbol) << " 0x" << utohexstr(std::get<1>(symbol));
}

INSTANTIATE_TEST_SUITE_P(
    Programs, NyuziReference,
    testing::Values(
        Program{"primes", {"start.o", "primes.o", "console.o"}},
        Program{"primes-debug", {"start.o", "primes.g.o", "console.o"}},
        Program{"tables", {"start.o", "tables.o", "tables2.o", "console.o"}},
        Program{"classes", {"start.o", "classes.o", "classes2.o", "console.o"}},
        Program{"got", {"start.o", "got.o", "console.o"}}),
    [](const auto &info) {
      std::string name = info.param.name;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

//===----------------------------------------------------------------------===//
// XS1
//===----------------------------------------------------------------------===//

/// Links the sample program; `edit` may change an object before.
template <typename Edit>
Linked linkSample(std::vector<std::string> arguments, Edit edit) {
  LinkHarness harness;
  for (const char *object : {"start.o", "work.o", "table.o"}) {
    Bytes bytes = readTestFile(sample(std::string("xs1/") + object));
    edit(bytes);
    harness.file(object, std::move(bytes));
    arguments.push_back(object);
  }
  Linked linked = harness.link(arguments);
  EXPECT_EQ(linked.status, 0) << linked.errors;
  EXPECT_EQ(linked.errors, "");
  return linked;
}
Linked linkSample(std::vector<std::string> arguments = {}) {
  return linkSample(std::move(arguments), [](Bytes &) {});
}

TEST(XS1Reference, ResultsOfExpressions) {
  OutFile out(linkSample().image());
  const std::pair<const char *, uint64_t> results[] = {
      {"helper.nstackwords", 1},   // 1 + 0
      {"remote.nstackwords", 300}, // 299 up to a multiple of 4
      {"main.nstackwords", 347},   // the larger of both, and 47
      {"pick", 5},                 // (3 < 4) * 6 - 1
      {"span", 3},                 // pick - 2
      {"table.globound", 3},       // a plain number
  };
  for (auto [name, value] : results) {
    SCOPED_TRACE(name);
    EXPECT_EQ(out.value(name), value);
    EXPECT_EQ(out.symbol(name)->shndx, ELF::SHN_ABS);
    EXPECT_EQ(out.symbol(name)->binding, ELF::STB_GLOBAL);
  }
  EXPECT_FALSE(out.section(".expr")) << "executables carry no expressions";
  // The local results of both objects are different symbols of one name.
  std::vector<uint64_t> locals;
  for (const OutSymbol &symbol : out.symbols)
    if (symbol.name == ".LLNK1")
      locals.push_back(symbol.value);
  llvm::sort(locals);
  EXPECT_EQ(locals, (std::vector<uint64_t>{1, 300}));
}

TEST(XS1Reference, Structure) {
  Linked linked = linkSample();
  OutFile out(linked.image());
  EXPECT_EQ(out.type, ELF::ET_EXEC);
  EXPECT_EQ(out.machine, ELF::EM_XCORE) << "one object has the older number";
  EXPECT_EQ(out.flags, 0u);
  EXPECT_EQ(out.entry, 0x10000u);
  EXPECT_EQ(out.value("_start"), 0x10000u);

  // Start-up code relies on six sections, and the bases lie in two of them.
  for (const char *name :
       {".cp.rodata", ".dp.data", ".dp.bss", ".bss", ".ctors", ".dtors"})
    EXPECT_TRUE(out.section(name)) << name;
  EXPECT_EQ(out.value("_cp"), out.section(".cp.rodata")->address);
  EXPECT_EQ(out.value("_dp"), out.section(".dp.data")->address);
  for (auto [name, section] :
       {std::pair("_cp", ".cp.rodata"), std::pair("_dp", ".dp.data")}) {
    const OutSymbol *symbol = out.symbol(name);
    EXPECT_EQ(symbol->binding, ELF::STB_GLOBAL);
    EXPECT_EQ(symbol->type, ELF::STT_NOTYPE);
    EXPECT_EQ(out.sections[symbol->shndx].name, section);
  }
  // The constant pool is one block, the data region another.
  const OutSection *pool = out.section(".cp.rodata"),
                   *four = out.section(".cp.const4"),
                   *data = out.section(".dp.data"),
                   *zeros = out.section(".dp.bss");
  EXPECT_EQ(four->address, pool->address + pool->size);
  EXPECT_EQ(zeros->address, data->address + data->size);
  EXPECT_EQ(zeros->type, ELF::SHT_NOBITS);

  // Headers are not loaded; segments ascend and stay inside RAM.
  uint64_t end = 0x10000;
  for (const OutSegment &segment : out.segments) {
    EXPECT_EQ(segment.type, ELF::PT_LOAD);
    EXPECT_GE(segment.offset, 52 + 32 * out.segments.size());
    EXPECT_GE(segment.address, end);
    EXPECT_EQ(segment.loadAddress, segment.address);
    end = segment.address + segment.memSize;
  }
  EXPECT_LT(end, 0x20000u);
}

TEST(XS1Reference, OtherCoresAndOlderObjects) {
  OutFile larger(linkSample({"--mcpu=xs2"}).image());
  EXPECT_EQ(larger.entry, 0x40000u);
  EXPECT_EQ(larger.value("main.nstackwords"), 347u);

  OutFile older(linkSample({}, [](Bytes &object) {
                  setMachine(object, 0xB49E);
                }).image());
  EXPECT_EQ(older.machine, 0xB49E) << "when all objects have it";
}

} // namespace
} // namespace xlink::test
