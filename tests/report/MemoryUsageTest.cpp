//===- MemoryUsageTest.cpp - --print-memory-usage on values ---------------===//
#include "report/MemoryUsage.h"
#include "support/HandLaid.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

/// The row of a region of such a length that is used so far.
std::string row(uint64_t used, const std::string &length,
                const std::string &name = "ram",
                const char *machine = "nyuzi") {
  HandLaid h(machine, "MEMORY { " + name +
                          " : ORIGIN = 0x1000, LENGTH = " + length + " }");
  h.lay();
  h.geometry.regions[RegionId(0)].cursor = Address(0x1000) + used;
  const std::string text = memoryUsageText(h.link());
  return text.substr(text.find('\n') + 1);
}

// GNU ld's columns: name 16, numbers 10 and a unit, percent of two digits.
TEST(MemoryUsage, Columns) {
  EXPECT_EQ(row(100, "1000"), "             ram:         100 B       1000 B    "
                              " 10.00%");
  EXPECT_EQ(row(0x80, "256", "a_name_of_20_letters"),
            "a_name_of_20_letters:         128 B        256 B     50.00%");
}

// "In the largest unit that divides it, 0 included."
TEST(MemoryUsage, Units) {
  EXPECT_THAT(row(1024, "2K"), testing::HasSubstr("1 KB         2 KB"));
  EXPECT_THAT(row(1025, "2K"), testing::HasSubstr("1025 B         2 KB"));
  EXPECT_THAT(row(3 << 20, "1024M"), testing::HasSubstr("3 MB         1 GB"));
  EXPECT_THAT(row(0, "1K"), testing::HasSubstr("0 GB         1 KB"));
  EXPECT_THAT(row(0, "1K"), testing::EndsWith("  0.00%"));
}

TEST(MemoryUsage, Overflow) {
  EXPECT_THAT(row(3, "2"), testing::EndsWith("150.00%"));
}

TEST(MemoryUsage, NoLength) {
  EXPECT_EQ(row(0, "0"), "             ram:          0 GB");
}

TEST(MemoryUsage, Header) {
  HandLaid h("nyuzi", "");
  h.lay();
  EXPECT_EQ(memoryUsageText(h.link()),
            "Memory region         Used Size  Region Size  %age Used");
}

// A region that is used up to the end of the address space.
TEST(MemoryUsage, UpToTheEndOf64Bits) {
  HandLaid h("aphelion",
             "MEMORY { m : ORIGIN = 0xfffffffffffffc00, LENGTH = 1K }\n"
             "SECTIONS { .x : { *(.x) } >m }");
  h.file("a.o").section(".x", "ax", 1024);
  h.lay();
  EXPECT_THAT(memoryUsageText(h.link()), testing::EndsWith("100.00%"));
}

} // namespace
