//===- StackFilesTest.cpp - stacks told by files beside objects -----------===//
#include "link/Linking.h"
#include "support/CallObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

const char kObject[] = R"(
  _start - run
  run - leaf
  leaf -
  first -
  second -
  _ZN2ns3useEi -
  * first second _ZN2ns3useEi
)";

struct StackFiles : testing::Test {
  StackFiles() { links.file("dir/a.o", callObject("nyuzi", kObject)); }
  Linked link(std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"dir/a.o", "--stack-usage",
                                          "--stack-usage-files"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return links.link(arguments);
  }
  /// The first `count` lines of the report behind its head.
  static std::string roots(const Linked &linked, size_t count) {
    StringRef rest = linked.text;
    EXPECT_TRUE(rest.consume_front("Stack usage\n")) << linked.text;
    std::string text;
    for (; count; --count) {
      const auto [line, more] = rest.split('\n');
      text += line.str() + "\n";
      rest = more;
    }
    return text;
  }
  LinkHarness links;
};

TEST_F(StackFiles, Usage) {
  links.file("dir/a.su", "a.c:1:5:_start\t8\tstatic\n"
                         "a.c:2:5:run\t16\tdynamic\n"
                         "a.c:3:leaf\t24\tdynamic,bounded\n"
                         "a.c:4:5:first\t4\tstatic\n"
                         "a.c:9:5:gone\t4\tstatic\n"
                         "a.cc:5:5:int ns::use(int)\t40\tstatic\n");
  const Linked linked = link();
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(roots(linked, 10),
            "  _start (entry): unbounded, at least 48 bytes\n"
            "         8  _start\n"
            "        16  run\n"
            "        24  leaf\n"
            "    dynamic frame of run\n"
            "  ns::use(int) (possible root): 40 bytes\n"
            "        40  ns::use(int)\n"
            "  first (possible root): 4 bytes\n"
            "         4  first\n"
            "  second (possible root): unbounded, at least 0 bytes\n");
}

const char kGraph[] = R"ci(graph: { title: "a.c"
node: { title: "_start" label: "_start\na.c:1:5\n8 bytes (static)" }
node: { title: "run" label: "run\na.c:2:5\n16 bytes (static)" }
node: { title: "leaf" label: "leaf\na.c:3:5\n24 bytes (static)" }
node: { title: "first" label: "first\na.c:4:5\n32 bytes (static)" }
node: { title: "second" label: "second\na.c:5:5\n64 bytes (static)" }
node: { title: "_ZN2ns3useEi" label: "int ns::use(int)\na.cc:6:5\n8 bytes (static)" }
node: { title: "__indirect_call" label: "Indirect Call Placeholder" shape : ellipse }
edge: { sourcename: "run" targetname: "__indirect_call" label: "a.c:2:9" }
edge: { sourcename: "leaf" targetname: "first" label: "a.c:3:9" }
}
)ci";

// Calls that the assembler resolved are in the graph, and what is in it calls
// through no pointer but those that it names.
TEST_F(StackFiles, Graph) {
  links.file("dir/a.ci", kGraph);
  const Linked linked = link();
  EXPECT_EQ(linked.errors, "");
  EXPECT_EQ(linked.text, "Stack usage\n"
                         "  _start (entry): unbounded, at least 80 bytes\n"
                         "         8  _start\n"
                         "        16  run\n"
                         "        24  leaf\n"
                         "        32  first\n"
                         "    indirect call in run at a.c:2:9\n"
                         "  second (possible root): 64 bytes\n"
                         "        64  second\n"
                         "  ns::use(int) (possible root): 8 bytes\n"
                         "         8  ns::use(int)\n"
                         "  Largest frames\n"
                         "        64  second\n"
                         "        32  first\n"
                         "        24  leaf\n"
                         "        16  run\n"
                         "         8  _start\n"
                         "         8  ns::use(int)\n");
}

TEST_F(StackFiles, StatedCalls) {
  links.file("dir/a.ci", kGraph);
  links.file("calls", "run: sec*, ns::use(int)\n");
  EXPECT_EQ(roots(link({"--stack-calls=calls"}), 4),
            "  _start (entry): 88 bytes\n"
            "         8  _start\n"
            "        16  run\n"
            "        64  second\n");
  links.file("calls", "# handlers\nnone: sec*\nrun: nobody, n*y, first\n");
  const Linked linked = link({"--stack-calls=calls"});
  EXPECT_EQ(linked.errors,
            "xlink: warning: calls:2: no function of the program is called "
            "'none'\n"
            "xlink: warning: calls:3: no function of the program matches "
            "'nobody'\n"
            "xlink: warning: calls:3: no function of the program matches "
            "'n*y'\n");
  EXPECT_EQ(roots(linked, 1), "  _start (entry): 80 bytes\n");
  links.file("calls", "run\n");
  expectFailure(link({"--stack-calls=calls"}),
                "xlink: error: calls:1: expected 'CALLER: CALLEE, CALLEE "
                "...'\n");
  expectFailure(link({"--stack-calls=missing"}),
                "xlink: error: cannot open the file of --stack-calls missing: "
                "No such file or directory\n");
}

TEST_F(StackFiles, Malformed) {
  links.file("dir/a.su", "a.c:1:5:_start\t8\tstatic\nrubbish\n");
  const Linked linked = link();
  EXPECT_EQ(linked.errors,
            "xlink: warning: dir/a.su:2: expected FILE:LINE:FUNCTION, a number "
            "of bytes and a word, with tabs between them\n");
  EXPECT_EQ(linked.status, 0);
}

TEST_F(StackFiles, NoFiles) {
  const Linked linked = link();
  EXPECT_EQ(linked.errors,
            "xlink: warning: --stack-usage-files: there is no .su or .ci file "
            "beside any object\n"
            ">>> -fstack-usage of gcc and clang writes foo.su beside foo.o, "
            "-fcallgraph-info of gcc writes foo.ci\n");
  // Nobody asks for the files without a question that they answer.
  EXPECT_EQ(links.link({"dir/a.o", "--stack-usage-files"}).errors, "");
}

// They are inputs: make has to know, and no output goes there.
TEST_F(StackFiles, AreInputs) {
  links.file("dir/a.su", "a.c:1:5:_start\t8\tstatic\n");
  links.file("calls", "run: first\n");
  const Linked linked = link({"--stack-calls=calls", "--dependency-file=out.d",
                              "--reproduce=repro.tar"});
  ASSERT_TRUE(linked.files.count("out.d"));
  const Bytes &bytes = linked.files.at("out.d");
  const StringRef rule(reinterpret_cast<const char *>(bytes.data()),
                       bytes.size());
  EXPECT_TRUE(rule.contains("dir/a.su")) << rule.str();
  EXPECT_TRUE(rule.contains("calls:")) << rule.str();
  ASSERT_TRUE(linked.files.count("repro.tar"));
  const Bytes &tar = linked.files.at("repro.tar");
  const StringRef packed(reinterpret_cast<const char *>(tar.data()),
                         tar.size());
  for (const char *text :
       {"repro/dir/a.su", "repro/calls", "--stack-calls=calls"})
    EXPECT_TRUE(packed.contains(text)) << text;
  expectFailure(link({"--stack-calls=calls", "--answers-json=dir/a.su"}),
                "xlink: error: input file 'dir/a.su' is the same as answers in "
                "JSON\n");
}

// A section of one object that is no list of sizes.
TEST(StackSizesLink, Malformed) {
  LinkHarness links;
  links.file("a.o", nyuzi(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .stack_sizes, Type: SHT_PROGBITS, Flags: [ SHF_LINK_ORDER ], Link: .text, Content: '0000000020000000' }
  - Name: .rela.stack_sizes
    Type: SHT_RELA
    Info: .stack_sizes
    Relocations:
      - { Offset: 0, Symbol: .text, Addend: 8, Type: 1 }
Symbols:
  - { Name: .text, Type: STT_SECTION, Section: .text }
  - { Name: _start, Type: STT_FUNC, Section: .text, Size: 8, Binding: STB_GLOBAL }
  - { Name: label, Section: .text, Value: 8, Binding: STB_GLOBAL }
)"));
  const Linked linked = links.link({"a.o", "--stack-usage"});
  EXPECT_EQ(linked.errors,
            "xlink: warning: a.o:(.stack_sizes+0x5): the reference to a "
            "function is cut off\n"
            ">>> functions that it would tell of count as unknown\n");
  // A label is a function where no function of a type is.
  EXPECT_EQ(linked.text,
            "Stack usage\n"
            "  _start (entry): unbounded, at least 0 bytes\n"
            "         ?  _start\n"
            "    nothing stated about _start\n"
            "  Largest frames\n"
            "        32  label\n"
            "  Not seen\n"
            "    whether 2 functions call through pointers: such calls "
            "have no relocation; --stack-calls states them\n"
            "    calls between functions of one section, which assemblers may "
            "resolve: a.o:(.text); -ffunction-sections shows them\n");
}

} // namespace
} // namespace xlink::test
