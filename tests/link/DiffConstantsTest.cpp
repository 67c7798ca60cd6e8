//===- DiffConstantsTest.cpp - --diff of constants behind a base ----------===//
//
// Functions load a constant each, which they count from a base. What the base
// is called is no name of the constants.
//
//===----------------------------------------------------------------------===//
#include "link/DiffFiles.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// The constants, and the place of the one that each function loads.
struct Pool {
  std::string constants = "11111111222222223333333344444444";
  std::vector<unsigned> loads = {0, 4};
  std::string more = ""; ///< lines of the symbol table
};
/// The first two exchanged, and the code with them.
const Pool kTurned = {"22222222111111113333333344444444", {4, 0}};

Bytes linkOf(const Pool &pool, const std::vector<std::string> &more = {}) {
  constexpr const char *kNames[] = {"_start", "g", "h"};
  std::string code, relocations, symbols;
  for (size_t i = 0; i < pool.loads.size(); ++i) {
    const std::string at = std::to_string(4 * i);
    code += "006cc077";
    relocations += "{ Offset: " + at +
                   ", Symbol: .cp.rodata, Type: 4, Addend: " +
                   std::to_string(pool.loads[i]) + " }, ";
    symbols += std::string("  - { Name: ") + kNames[i] +
               ", Section: .text, Value: " + at +
               ", Type: STT_FUNC, Binding: STB_GLOBAL, Size: 4 }\n";
  }
  LinkHarness links;
  links.file("a.o", xs1(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: ')" +
                        code + R"(' }
  - { Name: .cp.rodata, Type: SHT_PROGBITS, ShFlags: 0x20000002, AddressAlign: 4, Content: ')" +
                        pool.constants + R"(' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ )" +
                        relocations + R"( ] }
Symbols:
  - { Name: .cp.rodata, Type: STT_SECTION, Section: .cp.rodata }
  - { Name: _cp, Binding: STB_GLOBAL }
)" + symbols + pool.more));
  std::vector<std::string> arguments = {"-o", "out", "a.o"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Linked result = links.linkAsGiven(arguments);
  EXPECT_EQ(result.errors, "");
  return result.image();
}
/// What --diff says where both files have kept their relocations.
Linked diffOfKept(const Pool &a, const Pool &b) {
  return diffOf(linkOf(a, {"-q"}), linkOf(b, {"-q"}), {"--diff-ignore=.rela*"});
}

// The symbol of the base has the same place in both; what stands there has not.
TEST(DiffConstants, AnotherOrder) {
  expectDiff(
      diffOf(linkOf({}), linkOf(kTurned)),
      R"(2 files differ: 0 bytes really differ, 10 because of moved targets

Section .text
  because of moved targets: 2 bytes in 2 functions or objects, probably: no relocations tell

Section .cp.rodata
  because of moved targets: 8 bytes in 1 function or object, probably: no relocations tell
)");
  const char kCertain[] =
      R"(2 files differ: 0 bytes really differ, 10 because of moved targets

Section .text
  because of moved targets: 2 bytes in 2 functions or objects

Section .cp.rodata
  because of moved targets: 8 bytes in 1 function or object
)";
  expectDiff(diffOfKept({}, kTurned), kCertain);
  expectDiff(diffOf(linkOf({}), linkOf(kTurned, {"-q"}),
                    {"--diff-ignore=.rela*,symbols"}),
             kCertain);
}

// Code that does not follow reads another constant now.
TEST(DiffConstants, ExchangedBelowTheirCode) {
  const char kExchanged[] =
      R"(2 files differ: 1 range without a name changed; 8 bytes really differ

Section .cp.rodata
  bytes without a name changed: 8 bytes at 1 place
    +0x0: 11 11 11 11 22 22 22 22 -> 22 22 22 22 11 11 11 11
)";
  expectDiff(diffOf(linkOf({}), linkOf({kTurned.constants})), kExchanged);
  expectDiff(diffOfKept({}, {kTurned.constants}), kExchanged);
  expectDiff(
      diffOf(linkOf({}), linkOf({kTurned.constants, {4, 4}})),
      R"(2 files differ: 1 range without a name changed; 8 bytes really differ, 1 because of moved targets

Section .text
  because of moved targets: 1 byte in 1 function or object, probably: no relocations tell

Section .cp.rodata
  bytes without a name changed: 8 bytes at 1 place
    +0x0: 11 11 11 11 22 22 22 22 -> 22 22 22 22 11 11 11 11
)");
}

// Where relocations tell of all fields, one that stays is enough.
TEST(DiffConstants, OneOfThreeStays) {
  expectDiff(
      diffOfKept({.loads = {0, 4, 0}}, {kTurned.constants, {4, 0, 0}}),
      R"(2 files differ: 1 range without a name changed; 4 bytes really differ, 6 because of moved targets

Section .text
  because of moved targets: 2 bytes in 2 functions or objects

Section .cp.rodata
  bytes without a name changed: 4 bytes at 1 place; 4 bytes because of moved targets
    +0x0: 11 11 11 11 -> 22 22 22 22
  because of moved targets: 4 bytes in 1 function or object
)");
}

TEST(DiffConstants, OneOfThemChanged) {
  Pool other = kTurned;
  other.constants.replace(16, 8, "55555555");
  expectDiff(
      diffOf(linkOf({}), linkOf(other)),
      R"(2 files differ: 1 range without a name changed; 4 bytes really differ, 10 because of moved targets

Section .text
  because of moved targets: 2 bytes in 2 functions or objects, probably: no relocations tell

Section .cp.rodata
  bytes without a name changed: 4 bytes at 1 place; 8 bytes because of moved targets
    +0x8: 33 33 33 33 -> 55 55 55 55
  because of moved targets: 8 bytes in 1 function or object, probably: no relocations tell
)");
}

// What comes to where room was has moved; what came to where a constant was,
// without being known elsewhere, is another one.
TEST(DiffConstants, RoomTaken) {
  expectDiff(
      diffOf(linkOf({"00000000222222223333333311111111", {12, 4}}),
             linkOf({"11111111222222223333333344444444", {0, 4}})),
      R"(2 files differ: 1 range without a name changed; 4 bytes really differ, 5 because of moved targets

Section .text
  because of moved targets: 1 byte in 1 function or object, probably: no relocations tell

Section .cp.rodata
  bytes without a name changed: 4 bytes at 1 place; 4 bytes because of moved targets
    +0xc: 11 11 11 11 -> 44 44 44 44
  because of moved targets: 4 bytes in 1 function or object, probably: no relocations tell
)");
}

// A constant of several words is referred to by its first one.
TEST(DiffConstants, SeveralWords) {
  expectDiff(
      diffOf(linkOf({"111111112222222233333333", {0, 8}}),
             linkOf({"333333331111111122222222", {4, 0}})),
      R"(2 files differ: 0 bytes really differ, 14 because of moved targets

Section .text
  because of moved targets: 2 bytes in 2 functions or objects, probably: no relocations tell

Section .cp.rodata
  because of moved targets: 12 bytes in 1 function or object, probably: no relocations tell
)");
}

// A constant with a name is told by that, where the base is, too.
TEST(DiffConstants, Named) {
  Pool named, other = kTurned;
  named.more = other.more =
      "  - { Name: limit, Section: .cp.rodata, Type: STT_OBJECT, Binding: "
      "STB_GLOBAL, Size: 4, Value: 8 }\n";
  other.constants.replace(16, 8, "55555555");
  expectDiff(
      diffOf(linkOf(named), linkOf(other)),
      R"(2 files differ: 1 object changed; 4 bytes really differ, 10 because of moved targets

Section .text
  because of moved targets: 2 bytes in 2 functions or objects, probably: no relocations tell

Section .cp.rodata
  limit changed: 4 bytes at 1 place
    +0x0: 33 33 33 33 -> 55 55 55 55
  because of moved targets: 8 bytes in 1 function or object, probably: no relocations tell
)");
  named.more = other.more =
      "  - { Name: limit, Section: .cp.rodata, Type: STT_OBJECT, Binding: "
      "STB_GLOBAL, Size: 4 }\n";
  other = {"55555555222222223333333344444444", {0, 4}, named.more};
  expectDiff(diffOf(linkOf(named), linkOf(other)),
             R"(2 files differ: 1 object changed; 4 bytes really differ

Section .cp.rodata
  limit changed: 4 bytes at 1 place
    +0x0: 11 11 11 11 -> 55 55 55 55
)");
}

// What only one file has behind a name is gone from there, but no change where
// it stands elsewhere.
TEST(DiffConstants, AloneInOneFile) {
  const std::string name =
      "  - { Name: limit, Section: .cp.rodata, Type: STT_OBJECT, Binding: "
      "STB_GLOBAL, Size: 4, Value: 8 }\n";
  const json::Object counts =
      countsOf(linkOf({"22222222000000003333333311111111", {12, 0}, name}),
               linkOf({"222222221111111133333333", {4, 0}, name}));
  EXPECT_EQ(counts.getInteger("shrank"), 1);
  EXPECT_EQ(counts.getInteger("bytesReal").value_or(0), 0);
  EXPECT_EQ(counts.getInteger("bytesMoved"), 9);
}

} // namespace
} // namespace xlink::test
