//===- SampleObjectsTest.cpp - what real tools write ----------------------===//
#include "Reading.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace xlink;
using namespace xlink::test;
using namespace llvm::ELF;

static Read sample(const char *machine, const std::string &name) {
  return read(machine, readTestFile(XLINK_TESTDATA "/objects/" +
                                    (machine + ("/" + name))));
}

TEST(SampleObjects, AllParseWithoutAWord) {
  for (const char *name :
       {"start.o", "primes.o", "primes.g.o", "tables.o", "tables2.o",
        "classes.o", "classes2.o", "console.o", "got.o"}) {
    Read r = sample("nyuzi", name);
    EXPECT_THAT(r.errors, IsEmpty()) << name;
    EXPECT_THAT(r.warnings, IsEmpty()) << name;
  }
  for (const char *name : {"start.o", "work.o", "table.o"}) {
    Read r = sample("xs1", name);
    EXPECT_THAT(r.errors, IsEmpty()) << name;
    EXPECT_THAT(r.warnings, IsEmpty()) << name;
  }
}

TEST(SampleObjects, ExecutablesAreRefused) {
  for (const char *name :
       {"classes", "got", "primes", "primes-debug", "tables"})
    EXPECT_THAT(
        sample("nyuzi", "reference/" + (name + std::string(".elf"))).errors,
        ElementsAre("a.o: an executable (ET_EXEC) cannot be linked, "
                    "only relocatable objects"));
}

TEST(SampleObjects, CompilersOutputInDetail) {
  Read r = sample("nyuzi", "classes.o");
  ASSERT_TRUE(r.object);
  EXPECT_FALSE(r.object->groups.empty());
  for (const ParsedGroup &group : r.object->groups) {
    EXPECT_TRUE(group.comdat);
    EXPECT_TRUE(group.signature.starts_with("_Z")) << group.signature.str();
    EXPECT_GE(group.members.size(), 1u);
  }
  EXPECT_EQ(r.section(".init_array")->type, uint32_t(SHT_INIT_ARRAY));
  EXPECT_EQ(r.relocations(".init_array").size(), 1u);
  EXPECT_EQ(r.relocations(".init_array")[0].type, 1u);

  r = sample("nyuzi", "tables.o");
  ASSERT_TRUE(r.object);
  bool mergeable = false, common = false;
  for (const ParsedSection &s : r.object->sections)
    mergeable |=
        (s.flags & (SHF_MERGE | SHF_STRINGS)) == (SHF_MERGE | SHF_STRINGS);
  r = sample("nyuzi", "tables2.o");
  for (const ParsedSymbol &s : r.object->symbols)
    common |= s.place == SymbolPlace::Common;
  EXPECT_TRUE(mergeable);
  EXPECT_TRUE(common);
}

TEST(SampleObjects, ExpressionsAcrossObjects) {
  Read r = sample("xs1", "work.o");
  ASSERT_TRUE(r.object);
  EXPECT_EQ(r.object->expressions.size(), 9u);
  // The one with operator 37 gives a type.
  ASSERT_EQ(r.object->types.size(), 1u);
  EXPECT_EQ(r.object->types[0].name, "main");
  EXPECT_EQ(r.object->types[0].type, "f{si}(0)");
  EXPECT_EQ(r.object->machine, 203);
  EXPECT_TRUE(r.symbol("remote.nstackwords")->expressionOnly);
  EXPECT_FALSE(r.symbol("pick")->expressionOnly) << "an LSIZE20 needs it";
  EXPECT_EQ(sample("xs1", "table.o").object->machine, 0xB49E);
}
