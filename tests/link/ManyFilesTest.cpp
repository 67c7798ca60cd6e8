//===- ManyFilesTest.cpp - thousands of files on a command line -----------===//
//
// Many inputs are opened by several threads, before their turn. Their order,
// messages and reports are those of files that are opened one by one.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// More than the loader opens one by one.
constexpr unsigned kMany = 400;

/// An object with one word of data, 0x1234567.
Bytes word() {
  return nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '67452301' }
)");
}

struct ManyFiles {
  TemporaryDirectory directory;
  std::string list; ///< the response file's text
  std::string expected;

  ManyFiles() {
    const Bytes object = word();
    const std::string mark("\x67\x45\x23\x01", 4);
    const size_t at = toStringRef(object).find(mark);
    EXPECT_EQ(toStringRef(object).find(mark, at + 1), StringRef::npos);
    for (unsigned i = 0; i < kMany; ++i) {
      Bytes own = object;
      for (unsigned k = 0; k < 4; ++k)
        own[at + k] = uint8_t(i >> 8 * k);
      // Some are larger than a page.
      if (i % 100 == 7)
        own.resize(5000);
      const std::string name = (i % 3 ? "" : "sub/") + std::to_string(i) + ".o";
      directory.write(name, own);
      list += name + "\n";
      expected += std::string(own.begin() + at, own.begin() + at + 4);
    }
  }
  ToolRun link(std::vector<std::string> options) {
    directory.write("list", list);
    options.insert(options.end(),
                   {"-m", "nyuzi", "-e", "0", "--oformat", "binary", "@list"});
    return runTool(directory, options);
  }
};

TEST(ManyFiles, ComeInTheirOrder) {
  ManyFiles files;
  ToolRun run = files.link({"-o", "first"});
  EXPECT_EQ(run.messages, "");
  EXPECT_EQ(run.status, 0);
  EXPECT_TRUE(files.directory.read("first") == files.expected);
  EXPECT_EQ(files.link({"-o", "second", "--threads=1"}).status, 0);
  EXPECT_TRUE(files.directory.read("second") == files.expected);
}

TEST(ManyFiles, OfOtherKinds) {
  ManyFiles files;
  files.directory.write("lib.a", makeArchive({{"m.o", nyuzi(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '11223344' }
Symbols:
  - { Name: wanted, Section: .data, Binding: STB_GLOBAL }
)")}}));
  files.directory.write("more.ld", std::string("INPUT(more.o)\n"));
  files.directory.write("more.o", word());
  files.list = "lib.a\n" + files.list + "more.ld\n";
  const ToolRun run = files.link({"-o", "out", "-u", "wanted"});
  EXPECT_EQ(run.messages, "");
  // A member stands in front of its archive's successors.
  EXPECT_EQ(toHex(files.directory.read("out")),
            toHex("\x11\x22\x33\x44" + files.expected) + "67452301");
}

TEST(ManyFiles, ThatCannotBeRead) {
  ManyFiles files;
  files.directory.write("empty.o", std::string());
  files.directory.write("cut.o", std::string("\x7f"
                                             "ELF\1\1\1"));
  files.directory.write("sub/none/x.o", std::string("?"));
  files.list = "missing.o\n" + files.list + "empty.o\nsub/none\ncut.o\n";
  const ToolRun run = files.link({"-o", "out"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages,
            "xlink: error: cannot open missing.o: No such file or "
            "directory\n"
            "xlink: error: empty.o: file is empty\n"
            "xlink: error: cannot open sub/none: Is a directory\n"
            "xlink: error: cut.o: ELF header: the file ends after 0x7 "
            "bytes\n"
            "xlink: warning: undefined symbols are not reported, since not "
            "all inputs could be read [--no-warn-general]\n");
  EXPECT_FALSE(files.directory.exists("out"));
}

// Whether an output is an input is known of all of them.
TEST(ManyFiles, NoneIsOverwritten) {
  ManyFiles files;
  const std::string before = files.directory.read("sub/150.o");
  EXPECT_EQ(files.link({"-o", "sub/../sub/150.o"}).messages,
            "xlink: error: input file 'sub/150.o' is the same as output file\n"
            ">>> the output file is 'sub/../sub/150.o'\n");
  EXPECT_EQ(files.link({"-o", "out", "-Map=sub/150.o"}).messages,
            "xlink: error: input file 'sub/150.o' is the same as map file\n");
  EXPECT_TRUE(files.directory.read("sub/150.o") == before);
  EXPECT_FALSE(files.directory.exists("out"));
}

TEST(ManyFiles, AreNamedInTheDependencyFileAndTheTrace) {
  ManyFiles files;
  ToolRun run = files.link({"-o", "out", "--dependency-file=out.d", "-t"});
  EXPECT_EQ(run.messages, files.list);
  const std::string text = files.directory.read("out.d");
  std::string expected = "out:";
  for (StringRef rest = files.list; !rest.empty();) {
    StringRef name;
    std::tie(name, rest) = rest.split('\n');
    expected += " \\\n  " + name.str();
  }
  EXPECT_EQ(text.substr(0, expected.size()), expected);
}

} // namespace
} // namespace xlink::test
