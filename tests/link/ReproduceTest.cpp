//===- ReproduceTest.cpp - --reproduce ------------------------------------===//
//
// What the archive holds is taken out of it, by the system's tar as well, and
// linked again somewhere else.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"
#include <cstdlib>
#include <map>

using namespace llvm;

namespace xlink::test {
namespace {

Bytes object(const char *machine, const char *name, const char *reads) {
  return machineObject(
      machine, std::string(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Content: '0102030405060708' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 8, Content: '1112131415161718' }
Symbols:
  - { Name: )") + name +
                   ", Section: .text, Binding: STB_GLOBAL }\n  - { Name: " +
                   reads + ", Binding: STB_GLOBAL }\n");
}

/// The files of a ustar archive with short names.
std::map<std::string, Bytes> unpack(const Bytes &tar) {
  std::map<std::string, Bytes> files;
  for (size_t at = 0; at + 512 <= tar.size() && tar[at];) {
    const std::string name(reinterpret_cast<const char *>(&tar[at]));
    const size_t size = std::strtoul(
        reinterpret_cast<const char *>(&tar[at + 124]), nullptr, 8);
    EXPECT_EQ(tar[at + 156], '0') << name;
    at += 512;
    if (at + size > tar.size()) {
      ADD_FAILURE() << name;
      break;
    }
    files[name] = Bytes(tar.begin() + at, tar.begin() + at + size);
    at += (size + 511) / 512 * 512;
  }
  return files;
}

/// Links what an archive holds.
Linked linkAgain(const std::map<std::string, Bytes> &files,
                 const std::string &directory) {
  LinkHarness again;
  for (const auto &[name, bytes] : files)
    again.file(name.substr(directory.size() + 1), bytes);
  return again.linkAsGiven({"@response.txt"});
}

std::string text(const Bytes &bytes) {
  return std::string(bytes.begin(), bytes.end());
}

TEST(Reproduce, EachMachine) {
  for (const char *machine : {"xs1", "nyuzi", "aphelion", "dpu", "colossus"}) {
    LinkHarness links;
    links.file("a.o", object(machine, "_start", "member"))
        .file("lib/libm.a",
              makeArchive({{"m.o", object(machine, "member", "_start")}}))
        .file("args", "--reproduce=dir/repro.tar -Llib -lm --no-warn-entry "
                      "--defsym='odd = 1 + 2'");
    const Linked first = links.link({"a.o", "@args", "-u", "member"});
    ASSERT_EQ(first.errors, "") << machine;
    const auto files = unpack(first.files.at("dir/repro.tar"));
    std::string names;
    for (const auto &[name, bytes] : files)
      names += name + " ";
    EXPECT_EQ(names, "repro/a.o repro/lib/libm.a repro/response.txt "
                     "repro/version.txt ");
    EXPECT_EQ(text(files.at("repro/response.txt")),
              "--output=out\na.o\n--library-path=lib\n--library=m\n"
              "--no-warn-entry\n'--defsym=odd = 1 + 2'\n--undefined=member\n");
    EXPECT_EQ(linkAgain(files, "repro").image(), first.image()) << machine;
  }
}

// Every option that names a file, outputs, and files outside of the working
// directory.
TEST(Reproduce, FilesOfAllKinds) {
  LinkHarness links;
  links.file("a.o", object("nyuzi", "_start", "given"))
      .file("/far/b.o", object("nyuzi", "b", "given"))
      .file("sub/c.o", object("nyuzi", "c", "given"))
      .file("abs.o", object("nyuzi", "given", "_start"))
      .file("x.ld", "INPUT(sub/c.o) INCLUDE part.ld\n")
      .file("part.ld", "SECTIONS { .text : { sub/c.o(.text) *(.text) } }")
      .file("names", "_start c")
      .file("symbols", "b\n_start\n")
      .file("sections", ".text : { a.o(.text) }")
      .file("thin.a", makeArchive({{"sub/m.o", object("nyuzi", "m", "given")}},
                                  ArchiveFormat::Thin))
      .file("sub/m.o", object("nyuzi", "m", "given"))
      .file("response.txt", object("nyuzi", "r", "given"));
  const Linked first = links.link({"a.o",
                                   "/far/b.o",
                                   "./sub/../response.txt",
                                   "-T",
                                   "x.ld",
                                   "--retain-symbols-file=names",
                                   "--symbol-ordering-file",
                                   "symbols",
                                   "--section-ordering-file=sections",
                                   "-R",
                                   "abs.o",
                                   "thin.a",
                                   "-u",
                                   "m",
                                   "-Map",
                                   "maps/out.map",
                                   "--dependency-file=out.d",
                                   "--html-report=pages/out.html",
                                   "--reproduce=repro.tar",
                                   "-o",
                                   "bin/final"});
  ASSERT_EQ(first.errors, "");
  const auto files = unpack(first.files.at("repro.tar"));
  const Linked again = linkAgain(files, "repro");
  EXPECT_EQ(again.errors, "");
  EXPECT_EQ(again.files.at("final"), first.files.at("bin/final"));
  EXPECT_EQ(again.files.count("out.map"), 1u);
  EXPECT_EQ(again.files.count("out.d"), 1u);
  EXPECT_EQ(again.files.count("out.html"), 1u);
  EXPECT_EQ(files.count("repro/root/far/b.o"), 1u);
  EXPECT_EQ(files.count("repro/response.txt"), 1u);
  for (const char *name : {"part.ld", "x.ld", "sub/c.o", "sub/m.o", "names",
                           "symbols", "sections", "abs.o", "thin.a"})
    EXPECT_EQ(files.count(std::string("repro/") + name), 1u) << name;
}

TEST(Reproduce, LinksThatFail) {
  LinkHarness links;
  links.file("a.o", object("nyuzi", "_start", "missing"))
      .file("bad.o", "\x7f"
                     "ELF");
  const Linked undefined =
      links.link({"a.o", "--require-defined=missing", "--reproduce=repro.tar"});
  EXPECT_EQ(undefined.status, 1);
  EXPECT_EQ(undefined.files.size(), 1u);
  EXPECT_EQ(linkAgain(unpack(undefined.files.at("repro.tar")), "repro").errors,
            undefined.errors);
  const Linked bad = links.link({"bad.o", "none.o", "--reproduce=repro.tar"});
  EXPECT_EQ(bad.status, 1);
  EXPECT_EQ(linkAgain(unpack(bad.files.at("repro.tar")), "repro").errors,
            bad.errors);
}

// Real files, unpacked by tar; names longer than the format's.
TEST(Reproduce, UnpackedByTar) {
  TemporaryDirectory here;
  const std::string deep(120, 'd');
  ASSERT_EQ(std::system(("mkdir " + here.path(deep) + " " + here.path("it") +
                         " " + here.path("elsewhere"))
                            .c_str()),
            0);
  here.write("a.o", object("nyuzi", "_start", "other"));
  here.write(deep + "/b.o", object("nyuzi", "other", "_start"));
  const ToolRun run = runTool(here, {"a.o", here.path(deep + "/b.o"), "-o",
                                     "out", "--reproduce=r.tar"});
  ASSERT_EQ(run.messages, "");
  ASSERT_EQ(std::system(("tar xf " + here.path("r.tar") + " -C " +
                         here.path("elsewhere"))
                            .c_str()),
            0);
  const std::string first = here.read("out");
  ASSERT_EQ(std::system(("rm -r " + here.path(deep) + " " + here.path("a.o") +
                         " " + here.path("out"))
                            .c_str()),
            0);
  ASSERT_EQ(
      std::system(("cp -r " + here.path("elsewhere/r") + "/* " + here.path(""))
                      .c_str()),
      0);
  EXPECT_EQ(runTool(here, {"@response.txt"}).messages, "");
  EXPECT_EQ(here.read("out"), first);
}

TEST(Reproduce, OverwritesNothing) {
  TemporaryDirectory here;
  here.write("a.o", object("nyuzi", "_start", "other"));
  const std::string before = here.read("a.o");
  ToolRun run = runTool(here, {"a.o", "-o", "out", "--reproduce=./a.o"});
  EXPECT_EQ(run.messages,
            "xlink: error: input file 'a.o' is the same as archive of "
            "--reproduce\n>>> the archive of --reproduce is './a.o'\n");
  EXPECT_EQ(here.read("a.o"), before);
  here.write("empty.o", std::string());
  run = runTool(here, {"empty.o", "-o", "new", "--reproduce=empty.o"});
  EXPECT_EQ(run.messages, "xlink: error: empty.o: file is empty\n");
  EXPECT_EQ(here.read("empty.o"), "");
  here.write("out", std::string("old"));
  run = runTool(here, {"a.o", "-o", "out", "--reproduce=out"});
  EXPECT_EQ(run.messages, "xlink: error: archive of --reproduce 'out' is the "
                          "same as output file\n");
  EXPECT_EQ(here.read("out"), "old");
  run = runTool(here, {"a.o", "-o", "new", "--reproduce=none/r.tar"});
  EXPECT_EQ(run.messages, "xlink: error: cannot write the archive of "
                          "--reproduce none/r.tar: No such file or "
                          "directory\n");
  EXPECT_FALSE(here.exists("new"));
}

} // namespace
} // namespace xlink::test
