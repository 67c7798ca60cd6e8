//===- FailedPartsTest.cpp - outputs that take no long runs ---------------===//
//
// Long runs that are in the output as they are in an input are written from
// there, with what is around them in one call. Where that fails, they are
// copied and all of it is written again.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/TestFiles.h"
#include <atomic>

using namespace llvm;

namespace xlink::test {
namespace {

/// Files in memory, the first calls of which write none of the parts.
class Reluctant : public OutputSink {
public:
  explicit Reluctant(unsigned failures) : failures(failures) {}
  std::unique_ptr<OutputFile> open(StringRef path, std::optional<uint64_t> size,
                                   bool executable,
                                   std::string &error) override {
    return std::make_unique<File>(*this,
                                  memory.open(path, size, executable, error));
  }
  MemorySink memory;
  std::atomic<unsigned> calls = 0;

private:
  struct File : OutputFile {
    File(Reluctant &sink, std::unique_ptr<OutputFile> file)
        : sink(sink), file(std::move(file)) {}
    std::string writeAt(uint64_t offset, ArrayRef<uint8_t> bytes) override {
      return file->writeAt(offset, bytes);
    }
    std::string writeParts(uint64_t offset,
                           ArrayRef<ArrayRef<uint8_t>> parts) override {
      if (sink.calls++ < sink.failures)
        return "Bad address";
      return OutputFile::writeParts(offset, parts);
    }
    std::string commit() override { return file->commit(); }
    Reluctant &sink;
    std::unique_ptr<OutputFile> file;
  };
  const unsigned failures;
};

/// A program of 192 KiB: a relocated word, two runs of different bytes, each
/// longer than what is copied at once, and a word around them.
Bytes programOn(Reluctant &sink) {
  const std::string ones(2 * 0x10000, '1'), twos(2 * 0x20000, '2');
  const Bytes object = nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 4 }
  - { Name: .one, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: ')" +
                             ones + R"(' }
  - { Name: .word, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '33333333' }
  - { Name: .two, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: ')" +
                             twos + R"(' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: _start, Type: 1 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)");
  const StringRef text =
      "SECTIONS { .all 0x1000 : { *(.text .one .word .two) } }";
  const Bytes script(text.bytes_begin(), text.bytes_end());
  TestFiles files; // which does not copy
  files.add("a.o", object);
  files.add("x.ld", script);
  LinkRequest request;
  request.arguments = {"a.o", "-T", "x.ld", "-o", "out", "--fatal-warnings"};
  request.fileSystem = &files;
  request.sink = &sink;
  for (const Diagnostic &d : link(request).diagnostics)
    ADD_FAILURE() << d.text;
  return sink.memory.files["out"];
}

TEST(FailedParts, AreCopied) {
  Reluctant none(0);
  const Bytes whole = programOn(none);
  ASSERT_GT(none.calls, 1u); // runs were written so
  const OutFile out(whole);
  EXPECT_EQ(hexDigits(out.sections[1].bytes),
            "00100000" + std::string(2 * 0x10000, '1') + "33333333" +
                std::string(2 * 0x20000, '2'));
  for (unsigned failures : {1u, 2u, 1000u}) {
    Reluctant some(failures);
    EXPECT_TRUE(programOn(some) == whole) << failures;
  }
}

} // namespace
} // namespace xlink::test
