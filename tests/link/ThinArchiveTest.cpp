//===- ThinArchiveTest.cpp - members that stay files of their own ---------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A definition of `both` and of `own`, in an object of some size.
Bytes defines(StringRef own, StringRef size) {
  return nyuzi((R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '00000000' }
  - { Name: .unused, Type: SHT_PROGBITS, Size: )" +
                size + R"( }
Symbols:
  - { Name: )" + own +
                R"(, Section: .text, Binding: STB_GLOBAL }
  - { Name: both, Section: .text, Binding: STB_GLOBAL }
)")
                   .str());
}

// A member that is not linked has offered a name that a linked object defines:
// the name outlives the member. Larger files are mapped, others read.
TEST(ThinArchive, NamesOfMembersThatWereNotLinked) {
  for (const char *size : {"16", "0x200000"}) {
    TemporaryDirectory directory;
    directory.write("member.o", defines("unused", size));
    directory.write("main.o", defines("_start", "16"));
    directory.write("thin.a",
                    makeArchive({{"member.o", defines("unused", size)}},
                                ArchiveFormat::Thin, /*withIndex=*/false));
    ToolRun run = runTool(directory, {"-o", "out", "thin.a", "main.o"});
    EXPECT_EQ(run.status, 0) << size;
    EXPECT_EQ(run.messages, "") << size;
    std::string image = directory.read("out");
    EXPECT_EQ(symbolNames(OutFile(Bytes(image.begin(), image.end()))),
              " | both _start")
        << size;
  }
}

// The same with a cache that has no room: nothing but the link keeps what it
// has parsed, here an object of --start-lib that nobody needs.
TEST(ThinArchive, NamesOfObjectsThatTheCacheDropped) {
  TemporaryDirectory directory;
  directory.write("lazy.o", defines("unused", "16"));
  directory.write("main.o", defines("_start", "16"));
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
  EXPECT_EQ(symbolNames(OutFile(sink.files["out"])), " | both _start");
}

} // namespace
} // namespace xlink::test
