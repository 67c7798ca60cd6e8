//===- ObjectCacheKeyTest.cpp - which objects the cache takes for one -----===//
#include "Reading.h"
#include "input/InputFiles.h"

using namespace xlink;
using namespace xlink::test;

namespace {

Bytes holding(const char *byte) {
  return machineObject("nyuzi",
                       std::string("Sections:\n  - { Name: .data, Type: "
                                   "SHT_PROGBITS, Content: '") +
                           byte + "' }\nSymbols: []\n");
}

struct ObjectCacheKey : testing::Test {
  std::shared_ptr<const ParsedObject> get(llvm::StringRef path,
                                          const Bytes &bytes,
                                          llvm::StringRef machine = "nyuzi",
                                          llvm::StringRef archive = "") {
    DiagnosticBuffer diag;
    auto object = cache.get({path, archive}, bytes, *findTarget(machine), diag);
    messages = diag.take().size();
    return object;
  }

  ObjectCache cache;
  size_t messages = 0;
};

} // namespace

TEST_F(ObjectCacheKey, IsAllOfIt) {
  const Bytes bytes = holding("11"), same = holding("11");
  EXPECT_EQ(get("a.o", bytes), get("a.o", same));
  EXPECT_EQ(cache.size(), 1u);
}

// Files of the same bytes: messages and patterns of scripts go by their names.
TEST_F(ObjectCacheKey, Path) {
  const Bytes bytes = holding("11");
  auto a = get("a.o", bytes), b = get("b.o", bytes), again = get("a.o", bytes);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->path, "a.o");
  EXPECT_EQ(b->path, "b.o");
  EXPECT_EQ(a, again);
  EXPECT_EQ(cache.size(), 2u);
}

// Patterns of scripts ask for the archive of a member.
TEST_F(ObjectCacheKey, Archive) {
  const Bytes bytes = holding("11");
  auto file = get("lib.a(a.o)", bytes);
  auto member = get("lib.a(a.o)", bytes, "nyuzi", "lib.a");
  ASSERT_TRUE(file && member);
  EXPECT_EQ(file->archive, "");
  EXPECT_EQ(member->archive, "lib.a");
}

// A file that was written anew, with as many bytes.
TEST_F(ObjectCacheKey, Bytes) {
  auto a = get("a.o", holding("11")), b = get("a.o", holding("22"));
  ASSERT_TRUE(a && b);
  EXPECT_EQ(a->sections[1].data()[0], 0x11);
  EXPECT_EQ(b->sections[1].data()[0], 0x22);
}

// A link for another machine refuses what one for its own has read.
TEST_F(ObjectCacheKey, Machine) {
  const Bytes bytes = holding("11");
  EXPECT_TRUE(get("a.o", bytes));
  EXPECT_EQ(messages, 0u);
  EXPECT_FALSE(get("a.o", bytes, "xs1"));
  EXPECT_EQ(messages, 1u);
  EXPECT_TRUE(get("a.o", bytes));
}
