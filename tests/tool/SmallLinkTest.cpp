//===- SmallLinkTest.cpp - a small link costs what a process costs --------===//
//
// Most links are small, and a small link's time is its system calls: so the
// tool is a static executable that starts no thread below a few megabytes of
// input.
//
//===----------------------------------------------------------------------===//
#include "support/ToolProcess.h"
#include "llvm/Object/ELF.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

Bytes caller() {
  return machineObject("nyuzi", R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0000000000000000' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: work, Type: 3 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: work, Binding: STB_GLOBAL }
)");
}
Bytes callee() {
  return machineObject("nyuzi", R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '0000000000000000' }
Symbols:
  - { Name: work, Section: .text, Binding: STB_GLOBAL }
)");
}

TEST(SmallLink, FewSystemCallsAndNoThread) {
  TemporaryDirectory directory;
  directory.write("a.o", caller());
  directory.write("b.o", callee());
  ToolRun run = runTool(directory, {"-o", "out", "a.o", "b.o"},
                        {0, 0, /*countCalls=*/true});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.messages, "");
  EXPECT_EQ(directory.list(), "a.o b.o out");
  if (!run.observed)
    GTEST_SKIP() << "this system does not allow ptrace";
  EXPECT_EQ(run.threads, 0u);
  EXPECT_GT(run.systemCalls, 5u) << "the count does not work";
  EXPECT_LE(run.systemCalls, 60u);
}

// The counters see what they are there to see.
TEST(SmallLink, LargeOnesStartThreads) {
  TemporaryDirectory directory;
  Bytes big = machineObject("nyuzi", R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 0x300000 }
)");
  for (const char *name : {"a.o", "b.o", "c.o", "d.o"})
    directory.write(name, big);
  for (const char *threads : {"1", "3"}) {
    ToolRun run = runTool(directory,
                          {"-o", "out", "-e", "0", "a.o", "b.o", "c.o", "d.o",
                           std::string("--threads=") + threads},
                          {0, 0, /*countCalls=*/true});
    EXPECT_EQ(run.status, 0);
    if (!run.observed)
      GTEST_SKIP() << "this system does not allow ptrace";
    EXPECT_EQ(run.threads > 0, threads[0] != '1') << threads;
  }
}

TEST(SmallLink, TheToolIsStatic) {
  Bytes bytes = readTestFile(buildDirectory() + "/xlink");
  StringRef text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
  auto file = object::ELFFile<object::ELF64LE>::create(text);
  ASSERT_TRUE(bool(file)) << toString(file.takeError());
  auto headers = file->program_headers();
  ASSERT_TRUE(bool(headers)) << toString(headers.takeError());
  EXPECT_FALSE(headers->empty());
  for (const auto &header : *headers)
    EXPECT_NE(header.p_type, unsigned(ELF::PT_INTERP));
  auto dynamic = file->dynamicEntries();
  ASSERT_TRUE(bool(dynamic)) << toString(dynamic.takeError());
  for (const auto &entry : *dynamic)
    EXPECT_NE(entry.d_tag, ELF::DT_NEEDED);
}

} // namespace
} // namespace xlink::test
