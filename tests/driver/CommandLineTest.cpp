//===- CommandLineTest.cpp - forms, order, messages -----------------------===//
#include "ConfigText.h"
#include "arch/Target.h"
#include "driver/Options.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

using namespace xlink;
using namespace xlink::test;

namespace {

using Args = std::vector<std::string>;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

TEST(CommandLine, NothingAtAll) {
  EXPECT_EQ(outcome({}), "");
  EXPECT_EQ(outcome({"a.o", "b.o"}), "file=a.o file=b.o");
}

TEST(CommandLine, OIsAlwaysTheOutput) {
  EXPECT_EQ(outcome({"-omagic"}), "output=magic");
  EXPECT_EQ(outcome({"-oformat"}), "output=format");
  EXPECT_EQ(outcome({"-o=x"}), "output==x");
  EXPECT_EQ(outcome({"-o", "-x"}), "output=-x");
  EXPECT_EQ(outcome({"--output=x"}), "output=x");
  EXPECT_EQ(outcome({"--output", "x"}), "output=x");
  EXPECT_EQ(outcome({"-output"}), "output=utput");
  EXPECT_EQ(outcome({"-o", "a", "-o", "b"}), "output=b");
}

TEST(CommandLine, TNamesScriptsAndAddresses) {
  EXPECT_EQ(outcome({"-Tfoo.ld"}), "script=foo.ld");
  EXPECT_EQ(outcome({"-Tdata.ld"}), "script=data.ld");
  EXPECT_EQ(outcome({"-Ttext.ld"}), "script=text.ld");
  EXPECT_EQ(outcome({"-Ttext=0x10"}), "text=0x10");
  EXPECT_EQ(outcome({"-Ttext", "10"}), "text=10");
  EXPECT_EQ(outcome({"-Ttext-segment=0"}), "text-segment=0");
  EXPECT_EQ(outcome({"-Ttext-segments"}), "script=text-segments");
}

TEST(CommandLine, LettersTakeTheRest) {
  EXPECT_EQ(outcome({"-lfoo", "-l", "bar", "-l:baz.a", "-lmap"}),
            "library=foo library=bar library=:baz.a library=map");
  EXPECT_EQ(outcome({"-Ldir", "-L=dir", "-L", "$SYSROOT/x"}),
            "path=dir path==dir path=$SYSROOT/x");
  EXPECT_EQ(outcome({"-emain", "-usym", "-mxs1", "-ysym"}),
            "machine=xs1 entry=main undefined=sym trace-symbol=sym");
  EXPECT_EQ(outcome({"-O"}), "");
  EXPECT_EQ(outcome({"-O0"}), "optimize=0");
  EXPECT_EQ(outcome({"-O", "a.o"}), "file=a.o");
  // Exact long names come first, as lld has it.
  EXPECT_EQ(outcome({"-library", "c"}), "library=c");
  EXPECT_EQ(outcome({"-Map", "m"}), "map=m");
}

TEST(CommandLine, OptionalValuesStandBehindAnEqualsSign) {
  EXPECT_EQ(outcome({"--verbose", "3"}), "file=3 verbose");
  EXPECT_EQ(outcome({"--color-diagnostics", "never"}), "file=never");
  EXPECT_EQ(outcome({"--demangle", "gnu"}), "file=gnu");
}

TEST(CommandLine, ValuesMayContainAnything) {
  EXPECT_EQ(outcome({"--defsym=a=b==c"}), "defsym=a=b==c");
  EXPECT_EQ(outcome({"-defsym", "a=[b]"}), "defsym=a=[b]");
  EXPECT_EQ(outcome({"[a,b]", "a=b", "{x}", "%%", "++", "/x:y"}),
            "file=[a,b] file=a=b file={x} file=%% file=++ file=/x:y");
  EXPECT_EQ(outcome({"-u", "[x]", "--undefined=[y,z]", "-u", "a,b"}),
            "undefined=[x] undefined=[y,z] undefined=a,b");
  EXPECT_EQ(outcome({"-e", "--"}), "entry=--");
  EXPECT_EQ(outcome({""}), "file");
  EXPECT_EQ(outcome({"--sysroot="}), "");
  EXPECT_EQ(outcome({"--sysroot=", "a.o"}), "file=a.o");
}

TEST(CommandLine, TwoDashesEndTheOptions) {
  EXPECT_EQ(outcome({"a", "--", "-x", "--", "--foo"}),
            "file=a file=-x file=-- file=--foo");
}

TEST(CommandLine, WhatDriversPassUnasked) {
  EXPECT_EQ(outcome({"-plugin",
                     "/usr/lib/liblto_plugin.so",
                     "-plugin-opt=/usr/lib/lto-wrapper",
                     "-plugin-opt=mcpu=x",
                     "--sysroot=",
                     "--build-id=none",
                     "--eh-frame-hdr",
                     "--hash-style=gnu",
                     "--as-needed",
                     "-static",
                     "-Bstatic",
                     "-EL",
                     "--no-dynamic-linker",
                     "-z",
                     "relro",
                     "-z",
                     "noexecstack",
                     "-dynamic-linker",
                     "/lib/ld.so",
                     "-export-dynamic",
                     "-X",
                     "-o",
                     "a",
                     "crt0.o",
                     "-L.",
                     "--start-group",
                     "-lc",
                     "-lgcc",
                     "--end-group",
                     "-(",
                     "-)",
                     "--no-undefined",
                     "-flto",
                     "-fuse-ld=x",
                     "--no-warn-rwx-segments",
                     "-nostdlib"}),
            "order=little file=crt0.o library=c library=gcc path=. output=a "
            "discard=locals");
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

TEST(CommandLine, InputsKeepTheirOrder) {
  EXPECT_EQ(outcome({"a.o", "-lc", "-T", "s.ld", "b.o", "--defsym=x=1", "-lc",
                     "-o", "out", "a.o", "-Tt.ld", "--library=m"}),
            "file=a.o library=c script=s.ld file=b.o defsym=x=1 library=c "
            "file=a.o script=t.ld library=m output=out");
}

TEST(CommandLine, ModesApplyToWhatFollows) {
  EXPECT_EQ(
      outcome({"a.a", "--whole-archive", "b.a", "-lc", "--no-whole-archive",
               "d.a", "--start-lib", "e.o", "--end-lib", "f.o"}),
      "file=a.a file=b.a(whole) library=c(whole) file=d.a "
      "file=e.o(lazy) file=f.o");
  EXPECT_EQ(
      outcome({"--whole-archive", "--push-state", "--no-whole-archive", "a",
               "--push-state", "b", "--pop-state", "--pop-state", "c"}),
      "file=a file=b file=c(whole)");
  EXPECT_EQ(outcome({"--start-lib", "--push-state", "--whole-archive", "a",
                     "--pop-state", "b", "--end-lib"}),
            "file=a(whole)(lazy) file=b(lazy)");
}

TEST(CommandLine, LaterOptionsWin) {
  EXPECT_EQ(outcome({"--gc-sections", "--no-gc-sections"}), "");
  EXPECT_EQ(outcome({"--no-gc-sections", "--gc-sections"}), "gc");
  EXPECT_EQ(outcome({"-e", "a", "--entry=b"}), "entry=b");
  EXPECT_EQ(outcome({"-x", "-X", "--discard-none"}), "discard=none");
  EXPECT_EQ(outcome({"-n", "-N"}), "paging=omagic");
  EXPECT_EQ(outcome({"-N", "--no-nmagic"}), "");
  EXPECT_EQ(outcome({"--no-warn-flags", "--no-warn-flags", "--no-warn-script",
                     "--warn-script"}),
            "off=flags");
  // But the stronger way to strip stays.
  EXPECT_EQ(outcome({"-s", "-S"}), "strip=all");
}

TEST(CommandLine, PoliciesForUndefinedSymbols) {
  EXPECT_EQ(outcome({"--warn-unresolved-symbols", "-zundefs"}),
            "unresolved=ignore");
  EXPECT_EQ(outcome({"--unresolved-symbols=ignore-all",
                     "--warn-unresolved-symbols", "--no-undefined"}),
            "unresolved=warn");
  EXPECT_EQ(outcome({"--unresolved-symbols=ignore-in-object-files"}),
            "unresolved=ignore");
  EXPECT_EQ(outcome({"-zundefs", "-zdefs"}), "");
}

TEST(CommandLine, LLVMOptions) {
  EXPECT_EQ(outcome({"-mllvm", "--mcpu=ipu2"}), "cpu=ipu2");
  EXPECT_EQ(outcome({"-mllvm", "-mcpu=ipu2"}), "cpu=ipu2");
  EXPECT_EQ(outcome({"-mllvm=--mcpu=ipu2"}), "cpu=ipu2");
  EXPECT_EQ(outcome({"-mllvm", "-inline-threshold=3"}), "");
}

TEST(CommandLine, ThousandsOfInputs) {
  Args args;
  std::string expected;
  for (int i = 0; i != 5000; ++i) {
    args.push_back(std::to_string(i));
    expected += (i ? " file=" : "file=") + args.back();
  }
  EXPECT_EQ(outcome(args), expected);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

TEST(CommandLineErrors, AllUnknownOptionsAreReported) {
  EXPECT_EQ(outcome({"--foo", "-kbar", "--gc-section", "--outptu=x", "a.o",
                     "-Bstatik", "-sx", "--undefind"}),
            "xlink: error: unknown option '--foo'\n"
            "xlink: error: unknown option '-kbar'\n"
            "xlink: error: unknown option '--gc-section'\n"
            ">>> did you mean '--gc-sections'\n"
            "xlink: error: unknown option '--outptu'\n"
            ">>> did you mean '--output'\n"
            "xlink: error: unknown option '-Bstatik'\n"
            ">>> did you mean '-Bstatic'\n"
            "xlink: error: unknown option '-sx'\n"
            "xlink: error: unknown option '--undefind'\n"
            ">>> did you mean '--undefined'\n");
}

TEST(CommandLineErrors, OneDashMayHaveMeantTwo) {
  EXPECT_EQ(outcome({"--o=x"}), "xlink: error: unknown option '--o'\n"
                                ">>> did you mean '-o'\n");
  EXPECT_EQ(outcome({"---help"}), "xlink: error: unknown option '---help'\n"
                                  ">>> did you mean '--help'\n");
  EXPECT_EQ(outcome({"--=x"}), "xlink: error: unknown option '--'\n");
}

TEST(CommandLineErrors, Values) {
  auto message = [](const Args &args) { return outcome(args); };
  EXPECT_EQ(message({"a.o", "-o"}),
            "xlink: error: option '-o' needs a value\n");
  EXPECT_EQ(message({"--threads=0"}), "xlink: error: option '--threads': '0' "
                                      "is not a number of threads\n");
  EXPECT_EQ(message({"--threads=-1"}), "xlink: error: option '--threads': '-1' "
                                       "is not a number of threads\n");
  EXPECT_EQ(message({"--error-limit=1k"}),
            "xlink: error: option '--error-limit': '1k' is not a number\n");
  EXPECT_EQ(message({"--error-limit=0x"}),
            "xlink: error: option '--error-limit': '0x' is not a number\n");
  EXPECT_EQ(message({"--error-limit", "18446744073709551616"}),
            "xlink: error: option '--error-limit': '18446744073709551616' is "
            "not a number\n");
  EXPECT_EQ(message({"-O4"}),
            "xlink: error: option '-O': '4' is not a level from 0 to 3\n");
  EXPECT_EQ(message({"-Os"}),
            "xlink: error: option '-O': 's' is not a level from 0 to 3\n");
  EXPECT_EQ(message({"-z", "max-page-size=3"}),
            "xlink: error: option '-z': 'max-page-size=3' is not a power of "
            "two\n");
  EXPECT_EQ(message({"-z", "max-page-size=4K"}),
            "xlink: error: option '-z': 'max-page-size=4K' is not a number\n");
  EXPECT_EQ(message({"--defsym", "x"}),
            "xlink: error: option '--defsym': 'x' is not SYMBOL=EXPRESSION\n");
  EXPECT_EQ(message({"--section-start", ".text"}),
            "xlink: error: option '--section-start': '.text' is not "
            "SECTION=ADDRESS\n");
  EXPECT_EQ(message({"--oformat=tekhex"}),
            "xlink: error: option '--oformat': 'tekhex' is not a supported "
            "output format (elf, binary, ihex, srec, verilog, xe, readmemh)\n");
  EXPECT_EQ(message({"-b", "srec"}),
            "xlink: error: option '--format': 'srec' is not a supported "
            "input format (elf, binary)\n");
  EXPECT_EQ(message({"--orphan-handling=drop"}),
            "xlink: error: option '--orphan-handling': 'drop' is none of "
            "place, warn, error, discard\n");
  EXPECT_EQ(message({"--unresolved-symbols=no"}),
            "xlink: error: option '--unresolved-symbols': 'no' is none of "
            "report-all, ignore-all, ignore-in-object-files, "
            "ignore-in-shared-libs\n");
  EXPECT_EQ(message({"--color-diagnostics=blue"}),
            "xlink: error: option '--color-diagnostics': 'blue' is none of "
            "auto, always, never\n");
  EXPECT_EQ(message({"--icf=some"}),
            "xlink: error: option '--icf': 'some' is none of none, safe, "
            "all\n");
  EXPECT_EQ(message({"--rsp-quoting=windows"}),
            "xlink: error: option '--rsp-quoting': 'windows' is not "
            "supported: response files are quoted as in a POSIX shell\n");
}

TEST(CommandLineErrors, Pairs) {
  EXPECT_EQ(outcome({"--end-lib"}),
            "xlink: error: --end-lib without --start-lib\n");
  EXPECT_EQ(outcome({"--start-lib", "a"}),
            "xlink: error: --start-lib without --end-lib\n");
  EXPECT_EQ(outcome({"--start-lib", "--start-lib", "--end-lib"}),
            "xlink: error: --start-lib inside --start-lib\n");
  EXPECT_EQ(outcome({"--pop-state"}),
            "xlink: error: --pop-state without --push-state\n");
}

TEST(CommandLineErrors, StandardInput) {
  EXPECT_EQ(outcome({"-"}),
            "xlink: error: cannot link standard input ('-'): name a file\n");
}

TEST(CommandLineErrors, TheArgumentsPolicyApplies) {
  const std::string retain = "--retain-symbols-file=names";
  EXPECT_EQ(parse({retain, "-s"}).messages,
            "xlink: warning: option '--retain-symbols-file' overrides '-s' and "
            "'-S'\n");
  EXPECT_TRUE(parse({retain, "-s"}).ok);
  EXPECT_EQ(parse({retain, "-s", "-w"}).messages, "");
  EXPECT_FALSE(parse({retain, "-s", "--fatal-warnings"}).ok);
  EXPECT_EQ(parse({"--a1", "--a2", "--a3", "--error-limit=1"}).messages,
            "xlink: error: unknown option '--a1'\n"
            "xlink: error: too many errors emitted, stopping now (use "
            "--error-limit=0 to see all errors)\n");
}

// The parser sees one word for inputs that follow each other, which stand where
// they stood all the same.
TEST(CommandLine, InputsBetweenOptions) {
  EXPECT_EQ(outcome({"a.o", "b.o", "--whole-archive", "c.a", "{}", "[d]",
                     "--no-whole-archive", "", "e.o", "-lf", "g.o", "h=i.o"}),
            "file=a.o file=b.o file=c.a(whole) file={}(whole) file=[d](whole) "
            "file file=e.o library=f file=g.o file=h=i.o");
}

//===----------------------------------------------------------------------===//
// Response files
//===----------------------------------------------------------------------===//

class ResponseFileTest : public testing::Test {
protected:
  void add(const std::string &name, const std::string &text) {
    fs.addFile(name, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  }
  std::string run(const Args &args) { return outcome(args, &fs); }
  llvm::vfs::InMemoryFileSystem fs;
};

TEST_F(ResponseFileTest, StandsForItsArguments) {
  add("/args", "b.o\n-lc\t-o out\r\n  --gc-sections \n");
  EXPECT_EQ(run({"a.o", "@/args", "d.o"}),
            "file=a.o file=b.o library=c file=d.o output=out gc");
  add("/empty", "  \n");
  EXPECT_EQ(run({"@/empty", "a.o"}), "file=a.o");
}

TEST_F(ResponseFileTest, QuotesKeepSpaces) {
  add("/args", "'a b' \"c d\" e\\ f g'h i'j \"k'l\" 'm\"n' \\\"o\\' '' "
               "\"p\\\"q\" 'r\\'s' C:\\\\t");
  EXPECT_EQ(run({"@/args"}),
            "file=a b file=c d file=e f file=gh ij file=k'l file=m\"n "
            "file=\"o' file file=p\"q file=r's file=C:\\t");
}

TEST_F(ResponseFileTest, OddEnds) {
  add("/open", "a 'b c");
  EXPECT_EQ(run({"@/open"}), "file=a file=b c");
  add("/backslash", "a\\");
  EXPECT_EQ(run({"@/backslash"}), "file=a\\");
}

TEST_F(ResponseFileTest, MayNest) {
  add("/outer", "a @/inner d");
  add("/inner", "b c");
  EXPECT_EQ(run({"@/outer", "@/inner"}),
            "file=a file=b file=c file=d file=b file=c");
}

TEST_F(ResponseFileTest, ValuesMayComeFromTheNextFile) {
  add("/o", "-o");
  add("/name", "out");
  EXPECT_EQ(run({"@/o", "@/name"}), "output=out");
}

TEST_F(ResponseFileTest, CyclesEnd) {
  add("/a", "x @/b");
  add("/b", "y @/a");
  EXPECT_EQ(run({"@/a"}), "xlink: error: response file '/a' includes itself\n");
}

TEST_F(ResponseFileTest, DepthAndNumberEnd) {
  for (int i = 0; i != 40; ++i)
    add("/deep" + std::to_string(i), "@/deep" + std::to_string(i + 1));
  EXPECT_EQ(run({"@/deep0"}),
            "xlink: error: response file '/deep32' is not read: too many "
            "response files inside one another\n");
  // Each file doubles the number: 2^30 without a limit.
  for (int i = 0; i != 30; ++i) {
    std::string next = " @/wide" + std::to_string(i + 1);
    add("/wide" + std::to_string(i), next + next);
  }
  EXPECT_NE(run({"@/wide0"}).find("too many response files"),
            std::string::npos);
}

TEST_F(ResponseFileTest, WhatCannotBeReadIsAFileName) {
  EXPECT_EQ(run({"@/none", "@"}), "file=@/none file=@");
  add("/dir/x", "");
  EXPECT_EQ(run({"@/dir"}), "file=@/dir");
}

TEST(ResponseFile, IsReadFromDisk) {
  std::string path = testing::TempDir() + "xlink-response-" +
                     std::to_string(getpid()) + ".txt";
  std::ofstream(path) << "a.o -o x";
  EXPECT_EQ(outcome({"@" + path}), "file=a.o output=x");
  std::remove(path.c_str());
}

//===----------------------------------------------------------------------===//
// Help and version
//===----------------------------------------------------------------------===//

TEST(Help, IsAsRecorded) {
  std::string text = helpText(/*all=*/true);
  // The machines have a test of their own.
  text = text.substr(0, text.find("\nMachines"));
  std::string path = XLINK_TESTDATA "/driver/help.txt";
  if (getenv("XLINK_UPDATE_GOLDEN"))
    std::ofstream(path) << text;
  std::stringstream golden;
  golden << std::ifstream(path).rdbuf();
  EXPECT_EQ(text, golden.str())
      << "run with XLINK_UPDATE_GOLDEN=1 to record the new text";
}

TEST(CommandLineValues, FormatsWithAByteOrder) {
  for (const char *option : {"--oformat", "--format"}) {
    EXPECT_EQ(outcome({option, "elf32-bigarm"}), "order=big");
    EXPECT_EQ(outcome({option, "elf32-littlearm"}), "order=little");
    EXPECT_EQ(outcome({option, "elf32-m68k"}), "");
  }
}

// What is ignored or refused, most of the text, only who asks gets to read.
TEST(Help, ListsWhatIsSupported) {
  const std::string text = helpText(/*all=*/false);
  EXPECT_EQ(text.find("\nRefused:"), std::string::npos);
  EXPECT_NE(text.find("refused: --help-all"), std::string::npos);
  const std::string all = helpText(/*all=*/true);
  EXPECT_EQ(all.substr(0, text.find("\nOptions that are")),
            text.substr(0, text.find("\nOptions that are")));
}

TEST(Help, NamesTheMachines) {
  std::string text = helpText(/*all=*/false);
  text = text.substr(text.find("\nMachines"));
  for (const Target *target : allTargets()) {
    EXPECT_NE(text.find("\n  " + std::string(target->name)), std::string::npos);
    EXPECT_NE(text.find(target->description), std::string::npos);
    for (const Cpu &cpu : target->cpus)
      EXPECT_NE(text.find(cpu.name), std::string::npos);
  }
  // The machines' own words.
  EXPECT_NE(text.find("xs1-place=offset"), std::string::npos);
  // libtool's question.
  EXPECT_NE(text.find("supported targets: elf"), std::string::npos);
}

TEST(Help, FitsTheScreen) {
  std::istringstream lines(helpText(/*all=*/true));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(line.size(), 80u) << line;
}

TEST(Version, SaysWhatBuildSystemsLookFor) {
  EXPECT_EQ(versionText(),
            "xlink " XLINK_VERSION " (compatible with GNU linkers)\n");
  std::string text = machinesText({"toy"});
  EXPECT_NE(text.find("   toy\n"), std::string::npos);
  for (const Target *target : allTargets())
    EXPECT_NE(text.find("   " + std::string(target->name) + "\n"),
              std::string::npos);
}

// What compiler drivers put around the linker's options.
TEST(CommandLine, WhatDriversHandOn) {
  EXPECT_EQ(outcome({"-Wl,-Map,a.map"}), "map=a.map");
  EXPECT_EQ(outcome({"-Wl,--gc-sections,-Map=a.map,b.o", "c.o"}),
            outcome({"--gc-sections", "-Map=a.map", "b.o", "c.o"}));
  EXPECT_EQ(outcome({"-Wm,--report", "a.o"}), outcome({"--report", "a.o"}));
  EXPECT_EQ(outcome({"-Xmapper", "--gc-sections", "-Xlinker", "-Map",
                     "-Xlinker", "a.map"}),
            outcome({"--gc-sections", "-Map", "a.map"}));
  EXPECT_EQ(outcome({"-Wl,-Map", "-Wl,a.map"}), "map=a.map");
  EXPECT_EQ(outcome({"-Wl,-nonsense"}),
            "xlink: error: unknown option '-nonsense'\n");
  EXPECT_EQ(outcome({"--", "-Wl,x"}), "file=-Wl,x");
  EXPECT_EQ(outcome({"-Xmapper"}), "xlink: error: unknown option '-Xmapper'\n");
}

// Other options that the drivers of one machine's tools pass.
TEST(CommandLine, OptionsOfDrivers) {
  EXPECT_EQ(outcome({"-fxscope", "a.o"}), "file=a.o");
  EXPECT_EQ(outcome({"-report", "a.o"}), outcome({"--report", "a.o"}));
}

} // namespace
