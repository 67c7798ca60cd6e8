//===- ObjectCacheTest.cpp - objects kept between links -------------------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"

using namespace llvm;

namespace xlink::test {
namespace {

ObjectName named(llvm::StringRef path) { return {path, ""}; }

/// An object whose parsing warns: a link order that leads nowhere.
Bytes warning() {
  return nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_LINK_ORDER ], Link: .data, Content: '00' }
Symbols: []
)");
}

Bytes holding(uint8_t byte, const char *size) {
  return nyuzi(std::string("Sections:\n  - { Name: .data, Type: SHT_PROGBITS, "
                           "Content: '") +
               hexDigits({byte}) + "', Size: " + size + " }\nSymbols: []\n");
}

std::vector<std::string> texts(DiagnosticBuffer &diag) {
  std::vector<std::string> result;
  for (const Diagnostic &d : diag.take())
    result.push_back(d.text);
  return result;
}

TEST(ObjectCache, WarnsEachTime) {
  const Target *target = findTarget(StringRef("nyuzi"));
  Bytes bytes = warning();
  ObjectCache cache;
  DiagnosticBuffer first, second;
  auto a = cache.get(named("a.o"), bytes, *target, first);
  auto b = cache.get(named("a.o"), bytes, *target, second);
  EXPECT_EQ(a, b);
  std::vector<std::string> warnings = texts(first);
  EXPECT_EQ(warnings.size(), 1u);
  EXPECT_EQ(texts(second), warnings);
}

TEST(ObjectCache, FatalWarningsEachTime) {
  TemporaryDirectory directory;
  directory.write("a.o", warning());
  ObjectCache cache;
  MemorySink sink;
  LinkRequest request;
  request.arguments = {"-e", "0",  "--fatal-warnings", directory.path("a.o"),
                       "-o", "out"};
  request.cache = &cache;
  request.sink = &sink;
  EXPECT_EQ(link(request).status, 1);
  EXPECT_EQ(link(request).status, 1);
  EXPECT_EQ(cache.size(), 1u);
}

// What was not used for the longest time goes first.
TEST(ObjectCache, IsBounded) {
  const Target *target = findTarget(StringRef("nyuzi"));
  ObjectCache cache(1 << 20);
  DiagnosticBuffer diag;
  Bytes kept = holding(0xff, "0x10000");
  auto first = cache.get(named("kept.o"), kept, *target, diag);
  uint64_t one = cache.bytes();
  EXPECT_GT(one, 0x10000u);
  EXPECT_LT(one, 0x11000u);
  std::weak_ptr<const ParsedObject> dropped =
      cache.get(named("a.o"), holding(0, "0x10000"), *target, diag);
  for (unsigned i = 1; i < 100; ++i) {
    cache.get(named("a.o"), holding(uint8_t(i), "0x10000"), *target, diag);
    EXPECT_EQ(cache.get(named("kept.o"), kept, *target, diag), first);
    EXPECT_LE(cache.bytes(), uint64_t(1) << 20);
  }
  EXPECT_TRUE(dropped.expired());
  EXPECT_EQ(cache.size(), (1 << 20) / one);
}

// An object that is too large for the cache is parsed all the same.
TEST(ObjectCache, WithoutRoom) {
  const Target *target = findTarget(StringRef("nyuzi"));
  ObjectCache cache(100);
  DiagnosticBuffer diag;
  EXPECT_NE(cache.get(named("a.o"), holding(0, "16"), *target, diag), nullptr);
  EXPECT_EQ(cache.size(), 0u);
  EXPECT_EQ(cache.bytes(), 0u);
}

// The bytes may go, and change, while the cache keeps the object.
TEST(ObjectCache, OwnsItsBytes) {
  const Target *target = findTarget(StringRef("nyuzi"));
  ObjectCache cache;
  DiagnosticBuffer diag;
  Bytes bytes = holding(0x5a, "16"), same = bytes;
  cache.get(named("a.o"), bytes, *target, diag);
  std::fill(bytes.begin(), bytes.end(), uint8_t(0xee));
  auto object = cache.get(named("a.o"), same, *target, diag);
  EXPECT_EQ(object->sections[1].name, ".data");
  EXPECT_EQ(object->sections[1].data()[0], 0x5a);
}

} // namespace
} // namespace xlink::test
