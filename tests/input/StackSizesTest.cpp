//===- StackSizesTest.cpp - .stack_sizes taken apart ----------------------===//
#include "input/StackFiles.h"
#include <gtest/gtest.h>

namespace xlink::test {
namespace {

/// A section of these bytes, with relocations at these offsets.
struct Sizes {
  Sizes(std::vector<uint8_t> given, std::vector<uint64_t> places)
      : bytes(std::move(given)) {
    for (uint64_t place : places)
      object.relocations.push_back({place, 0, 1, 1});
    section.name = ".stack_sizes";
    section.kind = SectionKind::Regular;
    section.type = llvm::ELF::SHT_PROGBITS;
    section.setData(bytes);
    section.relocEnd = uint32_t(places.size());
  }
  /// "0:48 1:300", relocation and size, then the error.
  std::string read(unsigned addressSize = 4) const {
    std::vector<StackSize> sizes;
    const auto error = readStackSizes(object, section, addressSize, sizes);
    std::string text;
    for (const StackSize &size : sizes)
      text += (text.empty() ? "" : " ") + std::to_string(size.relocation) +
              ":" + std::to_string(size.size);
    if (error)
      text += " " + std::to_string(error->offset) + ": " + error->text;
    return text;
  }

  std::vector<uint8_t> bytes;
  ParsedObject object;
  ParsedSection section;
};

TEST(StackSizes, Entries) {
  EXPECT_EQ(Sizes({}, {}).read(), "");
  EXPECT_EQ(Sizes({0, 0, 0, 0, 48}, {0}).read(), "0:48");
  EXPECT_EQ(Sizes({0, 0, 0, 0, 0xac, 2, 1, 2, 3, 4, 0}, {0, 6}).read(),
            "0:300 1:0");
  EXPECT_EQ(Sizes({0, 0, 0, 0, 0, 0, 0, 0, 48}, {0}).read(8), "0:48");
}

TEST(StackSizes, Malformed) {
  EXPECT_EQ(Sizes({0, 0, 0, 0, 48, 0, 0, 0}, {0, 5}).read(),
            "0:48 5: the reference to a function is cut off");
  EXPECT_EQ(Sizes({0, 0, 0, 0, 48}, {1}).read(),
            " 0: no relocation says which function is meant");
  EXPECT_EQ(Sizes({0, 0, 0, 0}, {0}).read(),
            " 4: the size is no ULEB128 number");
  EXPECT_EQ(Sizes({0, 0, 0, 0, 0x80}, {0}).read(),
            " 4: the size is no ULEB128 number");
  EXPECT_EQ(Sizes({0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                   0xff, 0x7f},
                  {0})
                .read(),
            " 4: the size is no ULEB128 number");
}

TEST(StackSizes, Names) {
  Sizes sizes({}, {});
  EXPECT_TRUE(isStackSizes(sizes.section));
  sizes.section.name = ".stack_sizes.f";
  EXPECT_TRUE(isStackSizes(sizes.section));
  sizes.section.name = ".stack_sizesf";
  EXPECT_FALSE(isStackSizes(sizes.section));
  sizes.section.name = ".stack_sizes";
  sizes.section.type = llvm::ELF::SHT_NOBITS;
  EXPECT_FALSE(isStackSizes(sizes.section));
}

} // namespace
} // namespace xlink::test
