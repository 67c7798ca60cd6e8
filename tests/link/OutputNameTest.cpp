//===- OutputNameTest.cpp - outputs that must not overwrite anything ------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"
#include <map>
#include <unistd.h>

using namespace llvm;

namespace xlink::test {
namespace {

Bytes defines(const char *name) {
  return nyuzi(std::string(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '01' }
Symbols:
  - { Name: )") +
               name + ", Section: .data, Binding: STB_GLOBAL }\n");
}

/// A directory with an input of every kind.
struct Inputs {
  TemporaryDirectory directory;
  std::map<std::string, std::string> before;
  Inputs() {
    directory.write("a.o", defines("a"));
    directory.write("m.o", defines("m"));
    directory.write("n.o", defines("n"));
    directory.write("libx.a", makeArchive({{"x.o", defines("x")}}));
    directory.write("thin.a",
                    makeArchive({{"m.o", defines("m")}}, ArchiveFormat::Thin));
    directory.write("bare.a", makeArchive({{"n.o", defines("n")}},
                                          ArchiveFormat::Thin, false));
    directory.write("in.ld", std::string("INPUT(i.o)\n"));
    directory.write("i.o", defines("i"));
    directory.write("s.ld", std::string("SECTIONS { .data : { *(.data) } }\n"
                                        "INCLUDE part.ld\n"));
    directory.write("part.ld", std::string("part = 1;\n"));
    for (const char *name : {"a.o", "m.o", "n.o", "libx.a", "thin.a", "bare.a",
                             "in.ld", "i.o", "s.ld", "part.ld"})
      before[name] = directory.read(name);
  }
  ToolRun link(std::vector<std::string> options) {
    options.insert(options.end(),
                   {"-e", "0", "a.o", "-L.", "-lx", "thin.a", "bare.a", "in.ld",
                    "-u", "m", "-u", "n", "-T", "s.ld"});
    return runTool(directory, options);
  }
};

TEST(OutputName, OfAnInput) {
  Inputs inputs;
  std::string files = inputs.directory.list();
  for (const auto &[name, bytes] : inputs.before) {
    std::string shown = name == "libx.a" ? "./libx.a" : name;
    std::string note =
        shown == name ? "" : ">>> the output file is '" + name + "'\n";
    ToolRun run = inputs.link({"-o", name});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(run.messages, "xlink: error: input file '" + shown +
                                "' is the same as output file\n" + note);
    run = inputs.link({"-o", "out", "-Map=./" + name});
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(
        run.messages,
        "xlink: error: input file '" + shown +
            "' is the same as map "
            "file\n" +
            (name == "libx.a" ? "" : ">>> the map file is './" + name + "'\n"));
    EXPECT_EQ(inputs.link({"-o", "out", "--dependency-file=" + name}).status,
              1);
    EXPECT_EQ(
        inputs
            .link({"-o", "out", "--gc-sections", "--print-gc-sections=" + name})
            .status,
        1);
    EXPECT_EQ(inputs.directory.read(name), bytes) << name;
    EXPECT_EQ(inputs.directory.list(), files);
  }
}

TEST(OutputName, OfAnotherOutput) {
  Inputs inputs;
  std::string files = inputs.directory.list();
  auto messages = [&](std::vector<std::string> options) {
    ToolRun run = inputs.link(std::move(options));
    EXPECT_EQ(run.status, 1);
    EXPECT_EQ(inputs.directory.list(), files);
    return run.messages;
  };
  EXPECT_EQ(messages({"-o", "f", "-Map=f"}),
            "xlink: error: map file 'f' is the same as output file\n");
  EXPECT_EQ(messages({"-o", "f", "--dependency-file=./f"}),
            "xlink: error: dependency file './f' is the same as output file\n"
            ">>> the output file is 'f'\n");
  EXPECT_EQ(messages({"-o", "f", "-Map=g", "--dependency-file=g"}),
            "xlink: error: dependency file 'g' is the same as map file\n");
  EXPECT_EQ(messages({"-o", "f", "--gc-sections", "--print-gc-sections=f"}),
            "xlink: error: list of collected sections 'f' is the same as "
            "output file\n");
}

// Through links, too; and what is no regular file may be named twice.
TEST(OutputName, LinksAndDevices) {
  Inputs inputs;
  ASSERT_EQ(symlink("a.o", inputs.directory.path("soft").c_str()), 0);
  ASSERT_EQ(::link(inputs.directory.path("a.o").c_str(),
                   inputs.directory.path("hard").c_str()),
            0);
  for (const char *name : {"soft", "hard"})
    EXPECT_EQ(inputs.link({"-o", name}).messages,
              std::string("xlink: error: input file 'a.o' is the same as "
                          "output file\n>>> the output file is '") +
                  name + "'\n");
  EXPECT_EQ(inputs
                .link({"-o", "/dev/null", "-Map=/dev/null",
                       "--dependency-file=/dev/null"})
                .status,
            0);
}

TEST(OutputName, InMemory) {
  LinkHarness links;
  links.file("dir/a.o", defines("a"));
  expectFailure(links.linkAsGiven({"-e", "0", "dir/a.o", "-o", "dir/./a.o"}),
                "xlink: error: input file 'dir/a.o' is the same as output "
                "file\n>>> the output file is 'dir/./a.o'\n");
}

// One that cannot be written leaves the others as they were.
// A thin archive's member, whether this link needs it or not.
TEST(OutputName, OfAMemberThatIsNotNeeded) {
  Inputs inputs;
  ToolRun run = runTool(inputs.directory,
                        {"-e", "0", "a.o", "thin.a", "-o", "out", "-Map=m.o"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages,
            "xlink: error: input file 'm.o' is the same as map file\n");
  EXPECT_EQ(inputs.directory.read("m.o"), inputs.before["m.o"]);
}

TEST(OutputName, AllOrNothing) {
  for (const char *option :
       {"--dependency-file=none/f", "-Map=none/f", "--print-gc-sections=none/f",
        "--html-report=none/f"}) {
    Inputs inputs;
    inputs.directory.write("out", std::string("old"));
    std::string files = inputs.directory.list();
    ToolRun run = inputs.link({"-o", "out", "--gc-sections", option});
    EXPECT_EQ(run.status, 1) << option;
    EXPECT_EQ(inputs.directory.read("out"), "old") << option;
    EXPECT_EQ(inputs.directory.list(), files) << option;
  }
  // The output fails after all else was complete.
  Inputs inputs;
  inputs.directory.write("d", std::string("old"));
  ToolRun run = inputs.link({"-o", "/dev/full", "--dependency-file=d"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.messages, "xlink: error: cannot write /dev/full: No space left "
                          "on device\n");
}

} // namespace
} // namespace xlink::test
