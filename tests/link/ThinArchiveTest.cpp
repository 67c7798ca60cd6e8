//===- ThinArchiveTest.cpp - names that outlive their objects ------------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A definition of `both` and of `own`.
Bytes definesBothAnd(StringRef own) {
  return nyuzi((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
Symbols:
  - { Name: )" + own +
                R"(, Section: .text, Binding: STB_GLOBAL }
  - { Name: both, Section: .text, Binding: STB_GLOBAL }
)")
                   .str());
}

// An object of --start-lib that no reference needs has offered a name that a
// linked object defines: the name outlives the object, also with a cache that
// has no room, where nothing but the link keeps what it has parsed.
TEST(ThinArchive, NamesOfObjectsThatTheCacheDropped) {
  TemporaryDirectory directory;
  directory.write("lazy.o", definesBothAnd("unused"));
  directory.write("main.o", definesBothAnd("_start"));
  ObjectCache cache(0);
  MemorySink sink;
  LinkRequest request;
  request.arguments = {"-o",          "out",
                       "--start-lib", directory.path("lazy.o"),
                       "--end-lib",   directory.path("main.o")};
  request.cache = &cache;
  request.sink = &sink;
  LinkResult result = link(request);
  ASSERT_EQ(result.status, 0);
  EXPECT_EQ(symbolNames(OutFile(sink.files["out"])), " | _start both");
}

} // namespace
} // namespace xlink::test
