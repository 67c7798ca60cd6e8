//===- OptionEffectTest.cpp - what each option does to a link -------------===//
//
// Problem: a row of the option table says that an option is supported. That the
// command line takes it proves nothing: somebody has to see what it does.
//
// Method: each supported row has a specimen here, a link that is run with the
// option and without it. All that comes out of a link is written down as text:
// its status, messages, what it prints, and the files it leaves. The specimen
// names a piece of that text that is there with the option and not without, or
// (after `!`) the other way round. A row without a specimen fails, and so does
// a specimen without a row, and an option that makes no difference.
//
//===----------------------------------------------------------------------===//
#include "arch/Target.h"
#include "base/Diagnostics.h"
#include "driver/Options.h"
#include "support/LinkHarness.h"
#include "support/StatementObject.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace llvm;

namespace xlink::test {
namespace {

using Words = std::vector<std::string>;

struct Specimen {
  Words option; ///< as written on the command line
  /// The other arguments; "@" is where the option goes, else it comes first.
  Words rest = {"main.o", "helper.o"};
  /// What the option adds to the outcome, or takes away ("!..."); "": that it
  /// is another one.
  const char *shows = "";
};

/// Options whose effect is not in the outcome of a link, and what shows it.
const std::map<std::string, const char *> withoutSpecimen = {
    {"threads", "no output depends on it: Parallel.*, Determinism.*"},
    {"no-threads", "no output depends on it: Parallel.*, Determinism.*"},
    {"EL", "an error of big-endian machines: link/big-endian.test"},
};

const Words kMain = {"main.o"};
const Words kTwice = {"main.o", "helper.o", "twice.o"};
const Words kXe = {"--oformat=xe", "start.o", "work.o", "table.o"};
const Words kRegions = {"-T", "mem.ld", "main.o", "helper.o"};

/// `more` with these arguments in front.
Words with(Words front, const Words &more = {"main.o", "helper.o"}) {
  front.insert(front.end(), more.begin(), more.end());
  return front;
}

// clang-format off
const std::map<std::string, Specimen> specimens = {
    // ---- Input ----
    {"input", {{"helper.o"}, {"main.o", "@"}, "symbol helper"}},
    {"machine", {{"-m", "nyuzi"}, {"-b", "binary", "blob", "-e", "0"}, "status 0"}},
    {"mcpu", {{"--mcpu=ipu2"}, {"colossus.o"}, "section .text 4c000"}},
    {"mllvm", {{"-mllvm", "--mcpu=ipu2"}, {"colossus.o"}, "section .text 4c000"}},
    {"EB", {{"-EB"}, kMain, "'-EB' is for a big-endian machine"}},
    {"library", {{"-lfoo"}, {"-L", "dir", "main.o", "@"}, "symbol helper"}},
    {"library-path", {{"-L", "dir"}, {"main.o", "-lfoo"}, "status 0"}},
    {"sysroot", {{"--sysroot=root"}, {"-L=/lib", "main.o", "-lfoo"}, "status 0"}},
    {"script", {{"-T", "x.ld"}, with({}), "section .text 5000"}},
    {"default-script", {{"-dT", "x.ld"}, with({}), "section .text 5000"}},
    {"whole-archive", {{"--whole-archive"}, {"main.o", "@", "lib.a"}, "symbol other"}},
    {"no-whole-archive", {{"--no-whole-archive"}, {"main.o", "--whole-archive", "@", "lib.a"}, "!symbol other"}},
    {"start-lib", {{"--start-lib"}, {"main.o", "@", "helper.o", "--end-lib"}, "status 0"}},
    {"end-lib", {{"--end-lib"}, {"main.o", "--start-lib", "helper.o", "@"}, "status 0"}},
    {"push-state", {{"--push-state"}, {"main.o", "@", "--whole-archive", "--pop-state", "lib.a"}, "status 0"}},
    {"pop-state", {{"--pop-state"}, {"main.o", "--push-state", "--whole-archive", "@", "lib.a"}, "!symbol other"}},
    {"format", {{"-b", "binary"}, {"main.o", "helper.o", "@", "blob"}, "symbol _binary_blob_start"}},
    {"just-symbols", {{"--just-symbols=helper.o"}, kMain, "status 0"}},
    {"warn-mismatch", {{"--warn-mismatch"}, {"--no-warn-mismatch", "@", "v1a.o", "v1b.o"}, "incompatible attributes"}},
    {"no-warn-mismatch", {{"--no-warn-mismatch"}, {"v1a.o", "v1b.o"}, "!incompatible attributes"}},

    // ---- Output ----
    {"output", {{"-o", "other"}, with({}), "file other"}},
    {"oformat", {{"--oformat=binary"}, with({}), "!section .text"}},
    {"pad-image", {{"--pad-image=64"}, with({"--oformat=binary", "-T", "gap.ld"}), "44444444000000000000000000000000"}},
    {"gap-fill", {{"--gap-fill=0xee"}, with({"--oformat=binary", "-T", "gap.ld"}), "eeeeeeee"}},
    {"image", {{"--image=rom=rom.bin"}, kRegions, "file rom.bin"}},
    {"xe-tile", {{"--xe-tile=0,1"}, kXe}},
    {"xe-add", {{"--xe-add=0,1=other.elf"}, kXe}},
    {"xe-node", {{"--xe-node=g"}, kXe}},
    {"xe-config", {{"--xe-config=board.xml"}, kXe}},
    {"readmemh-base", {{"--readmemh-base=0x20000"}, with({"--oformat=readmemh", "--image-base=0x20000"})}},
    {"strip-all", {{"-s"}, with({}), "!symbol helper"}},
    {"strip-debug", {{"-S"}, with({}), "!section .debug_info"}},
    {"discard-all", {{"-x"}, with({}), "!symbol local"}},
    {"discard-locals", {{"-X"}, with({}), "!symbol .Llocal"}},
    {"discard-none", {{"--discard-none"}, with({}), "symbol .Lstring"}},
    {"ignore-relocations", {{"--ignore-relocations"}, with({}), "1111111122222222"}},
    {"relocatable", {{"-r"}, kMain, "status 0"}},
    {"emit-relocs", {{"-q"}, with({}), "section .rela.text"}},
    {"force-group-allocation", {{"--force-group-allocation"}, {"-r", "group.o"}, "!section .group"}},
    {"compress-debug-sections", {{"--compress-debug-sections=zlib"}, {"large.o"}, "!section .debug_info 0 400"}},
    {"reproduce", {{"--reproduce=a.tar"}, with({}), "file a.tar"}},
    {"crc", {{"--crc=local=rom"}, kRegions}},
    {"build-id", {{"--build-id"}, with({}), "section .note.gnu.build-id"}},
    {"dependency-file", {{"--dependency-file=a.d"}, with({}), "file a.d"}},

    // ---- Symbols ----
    {"entry", {{"-e", "helper"}, with({"-T", "x.ld"}), "entry 500c"}},
    {"undefined", {{"-u", "other"}, {"main.o", "lib.a"}, "symbol other"}},
    {"undefined-glob", {{"--undefined-glob=oth*"}, {"main.o", "lib.a"}, "symbol other"}},
    {"require-defined", {{"--require-defined=other"}, {"main.o", "lib.a"}, "symbol other"}},
    {"init", {{"--init=unused"}, with({"--gc-sections"}), "symbol unused"}},
    {"fini", {{"--fini=unused"}, with({"--gc-sections"}), "symbol unused"}},
    {"defsym", {{"--defsym=answer=42"}, with({}), "symbol answer 2a"}},
    {"wrap", {{"--wrap=helper"}, with({}), "undefined symbol: __wrap_helper"}},
    {"allow-multiple-definition", {{"--allow-multiple-definition"}, kTwice, "status 0"}},
    {"no-allow-multiple-definition", {{"--no-allow-multiple-definition"}, {"-zmuldefs", "@", "main.o", "helper.o", "twice.o"}, "status 1"}},
    {"retain-symbols-file", {{"--retain-symbols-file=names"}, with({}), "!symbol _start"}},
    {"define-common", {{"-d"}, {"-r", "common.o"}, "section .bss"}},
    {"keep-symbol", {{"--keep-symbol=hel*"}, with({"-s"}), "symbol helper"}},
    {"sort-common", {{"--sort-common"}, {"main.o", "helper.o", "common.o"}}},
    {"unresolved-symbols", {{"--unresolved-symbols=ignore-all"}, kMain, "status 0"}},
    {"ignore-unresolved-symbol", {{"--ignore-unresolved-symbol=helper"}, kMain, "status 0"}},
    {"no-undefined", {{"--no-undefined"}, {"-zundefs", "@", "main.o"}, "status 1"}},
    {"warn-unresolved-symbols", {{"--warn-unresolved-symbols"}, kMain, "warning: undefined symbol"}},
    {"warn-traps", {{"--warn-traps"}, with({"--no-warn-traps", "@", "-T", "stack.ld"}), "[--no-warn-stack-room]"}},
    {"no-warn-traps", {{"--no-warn-traps"}, with({"-T", "stack.ld"}), "![--no-warn-stack-room]"}},
    {"check-traps", {{"--check-traps=load-range"}, with({"-T", "stack.ld"}), "![--no-warn-stack-room]"}},
    {"error-traps", {{"--error-traps=stack-room"}, with({"-T", "stack.ld"}), "status 1"}},
    {"print-traps", {{"--print-traps"}, {}, "never-copied: sections with initial values"}},
    {"error-unresolved-symbols", {{"--error-unresolved-symbols"}, {"--warn-unresolved-symbols", "@", "main.o"}, "error: undefined symbol"}},
    {"warn-rwx-segments", {{"--warn-rwx-segments"}, with({"-N"}), "has a LOAD segment with RWX permissions"}},
    {"no-warn-rwx-segments", {{"--no-warn-rwx-segments"}, with({"-N", "--warn-rwx-segments", "@"}), "!RWX"}},
    {"error-rwx-segments", {{"--error-rwx-segments"}, with({"-N"}), "status 1"}},
    {"no-error-rwx-segments", {{"--no-error-rwx-segments"}, with({"-N", "--error-rwx-segments", "@"}), "status 0"}},
    {"warn-common", {{"--warn-common"}, {"main.o", "helper.o", "common.o", "common2.o"}, "warning:"}},
    {"no-warn-common", {{"--no-warn-common"}, {"--warn-common", "@", "main.o", "helper.o", "common.o", "common2.o"}, "!warning:"}},

    // ---- Layout ----
    {"section-start", {{"--section-start=.text=0x9000"}, with({}), "section .text 9000"}},
    {"Ttext", {{"-Ttext=0x9000"}, with({}), "section .text 9000"}},
    {"Tdata", {{"-Tdata=0x90000"}, with({}), "section .data 90000"}},
    {"Tbss", {{"-Tbss=0x90000"}, with({}), "section .bss 90000"}},
    {"Ttext-segment", {{"-Ttext-segment=0x40000"}, with({}), "section .text 41000"}},
    {"image-base", {{"--image-base=0x40000"}, with({}), "section .text 41000"}},
    {"nmagic", {{"-n"}, with({}), "!section .text 1000"}},
    {"no-nmagic", {{"--no-nmagic"}, {"-n", "@", "main.o", "helper.o"}, "section .text 1000"}},
    {"orphan-handling", {{"--orphan-handling=error"}, with({"-T", "x.ld"}), "status 1"}},
    {"rosegment", {{"--rosegment"}, {"--no-rosegment", "@", "main.o", "helper.o"}}},
    {"no-rosegment", {{"--no-rosegment"}, with({})}},
    {"omagic", {{"-N"}, with({}), "!section .text 1000"}},
    {"no-omagic", {{"--no-omagic"}, {"-N", "@", "main.o", "helper.o"}, "section .text 1000"}},
    {"init-tables", {{"--init-tables"}, kRegions, "section .init_tables"}},
    {"icf", {{"--icf=all"}, with({"same.o"})}},
    {"keep-unique", {{"--keep-unique=same1"}, with({"--icf=all", "same.o"})}},
    {"symbol-ordering-file", {{"--symbol-ordering-file=names"}, with({})}},
    {"section-ordering-file", {{"--section-ordering-file=order"}, with({})}},
    {"unique", {{"--unique=.text*"}, with({})}},
    {"O", {{"-O0"}, with({}), "414200414200"}},
    {"gc-sections", {{"--gc-sections"}, with({}), "!symbol unused"}},
    {"no-gc-sections", {{"--no-gc-sections"}, {"--gc-sections", "@", "main.o", "helper.o"}, "symbol unused"}},
    {"check-sections", {{"--check-sections"}, {"--no-check-sections", "@", "-T", "overlap.ld", "main.o", "helper.o"}, "status 1"}},
    {"no-check-sections", {{"--no-check-sections"}, with({"-T", "overlap.ld"}), "status 0"}},
    {"enable-non-contiguous-regions", {{"--enable-non-contiguous-regions"}, with({"-T", "spill.ld"}), "status 0"}},
    {"enable-non-contiguous-regions-warnings", {{"--enable-non-contiguous-regions-warnings"}, with({"--enable-non-contiguous-regions", "-T", "spill.ld"}), "warning:"}},
    {"sort-section", {{"--sort-section=name"}, with({"-T", "all.ld"})}},
    {"z", {{"-zmuldefs"}, kTwice, "status 0"}},

    // ---- Reports ----
    {"Map", {{"-Map=out.map"}, with({}), "file out.map"}},
    {"print-map", {{"-M"}, with({}), "Linker script and memory map"}},
    {"map-by-address", {{"--map-by-address"}, with({"-M", "-T", "down.ld"})}},
    {"map-script-lines", {{"--map-script-lines"}, with({"-M"}, kRegions), "mem.ld:"}},
    {"time", {{"--time"}, with({}), "peak memory"}},
    {"time-trace", {{"--time-trace"}, with({}), "file out.time-trace"}},
    {"map-json", {{"--map-json=map.json"}, with({}), "file map.json"}},
    {"html-report", {{"--html-report=map.html"}, with({}), "file map.html"}},
    {"cref", {{"--cref"}, with({}), "Cross Reference Table"}},
    {"print-memory-usage", {{"--print-memory-usage"}, kRegions, "Memory region"}},
    {"print-size-attribution", {{"--print-size-attribution"}, kRegions, "  all"}},
    {"answers-json", {{"--answers-json=a.json"}, with({}), "file a.json"}},
    {"print-resource-usage", {{"--print-resource-usage"}, {"parallel.o"}}},
    {"explain-script", {{"--explain-script"}, with({}), "Script\n"}},
    {"stack-usage", {{"--stack-usage"}, with({}), "Stack usage"}},
    {"stack-usage-files", {{"--stack-usage-files"}, with({"--stack-usage"}), "warning:"}},
    {"stack-calls", {{"--stack-calls=calls"}, with({"--stack-usage"}), "warning:"}},
    {"stack-limit", {{"--stack-limit=helper=0"}, with({}), "warning:"}},
    {"report", {{"--report"}, kRegions, "Memory region"}},
    {"dump-types", {{"--dump-types"}, {"--no-warn-types", "types1.o", "types2.o"}, "int f(int)"}},
    {"print-icf-sections", {{"--print-icf-sections"}, with({"--icf=all", "same.o"}), "removing identical section"}},
    {"no-print-icf-sections", {{"--no-print-icf-sections"}, {"--print-icf-sections", "@", "--icf=all", "main.o", "helper.o", "same.o"}, "!removing identical section"}},
    {"print-gc-sections", {{"--print-gc-sections"}, with({"--gc-sections"}), "main.o:(.text.unused)"}},
    {"no-print-gc-sections", {{"--no-print-gc-sections"}, {"--gc-sections", "--print-gc-sections", "@", "main.o", "helper.o"}, "!main.o:(.text.unused)"}},
    {"why-live", {{"--why-live=helper"}, with({}), "why live: helper in helper.o:(.text)"}},
    {"why-dead", {{"--why-dead=.text.unused"}, with({"--gc-sections"}), "why dead: main.o:(.text.unused)"}},
    {"why-extract", {{"--why-extract=helper"}, with({}), "why extracted: helper in helper.o:(.text)"}},
    {"why-placed", {{"--why-placed=main.o:(.text)"}, with({}), "why placed: main.o:(.text)"}},
    {"trace", {{"-t"}, with({}), "helper.o"}},
    {"trace-symbol", {{"-y", "helper"}, with({}), "helper.o: definition of helper"}},
    {"verbose", {{"--verbose"}, with({}), "using internal linker script"}},
    {"size-budget", {{"--size-budget=budget"}, with({}), "status 1"}},
    {"baseline", {{"--baseline=old.json"}, with({"--size-budget=budget"}), "since old.json"}},
    {"check-script", {{"--check-script"}, {"-T", "all.ld"}, "1 output section, 1 pattern, 0 memory regions"}},
    {"list-relocations", {{"--list-relocations"}, {"-m", "nyuzi", "@"}, "R_NYUZI_BRANCH20"}},
    {"print-machine", {{"--print-machine"}, {"-m", "nyuzi", "@"}, "MACHINE nyuzi {"}},
    {"print-vectors", {{"--print-vectors"}, {"-m", "nyuzi", "@"}, "R_NYUZI_BRANCH20"}},
    {"check-machine", {{"--check-machine=toy.machine"}, {"@"}, "toy: 1 relocations"}},

    // ---- Messages ----
    {"fatal-warnings", {{"--fatal-warnings"}, with({"-e", "none"}), "status 1"}},
    {"no-fatal-warnings", {{"--no-fatal-warnings"}, {"--fatal-warnings", "@", "-e", "none", "main.o", "helper.o"}, "status 0"}},
    {"no-warnings", {{"-w"}, with({"-e", "none"}), "!warning:"}},
    {"warn-unmatched", {{"--warn-unmatched"}, with({"-T", "unmatched.ld"}), "warning:"}},
    {"no-warn-unmatched", {{"--no-warn-unmatched"}, {"--warn-unmatched", "@", "-T", "unmatched.ld", "main.o", "helper.o"}, "!warning:"}},
    {"error-parallel-usage", {{"--error-parallel-usage"}, {"parallel.o"}, "status 1"}},
    {"no-error-parallel-usage", {{"--no-error-parallel-usage"}, {"--error-parallel-usage", "@", "parallel.o"}, "status 0"}},
    {"error-stack-limit", {{"--error-stack-limit"}, with({"--stack-limit=helper=0"}), "status 1"}},
    {"no-error-stack-limit", {{"--no-error-stack-limit"}, {"--error-stack-limit", "@", "--stack-limit=helper=0", "main.o", "helper.o"}, "status 0"}},
    {"error-limit", {{"--error-limit=1"}, {"main.o", "mangled.o"}, "too many errors"}},
    {"demangle", {{"--demangle"}, {"--no-demangle", "@", "mangled.o"}, "helper(int)"}},
    {"no-demangle", {{"--no-demangle"}, {"mangled.o"}, "_Z6helperi"}},
    {"diagnostics-format", {{"--diagnostics-format=json"}, kMain, "\"severity\":\"error\""}},
    {"color-diagnostics", {{"--color-diagnostics"}, {"--color-diagnostics=never", "@", "main.o"}, "\x1b"}},
    {"no-color-diagnostics", {{"--no-color-diagnostics"}, {"--color-diagnostics", "@", "main.o"}, "!\x1b"}},

    // ---- Running ----
    {"help", {{"--help"}, {}, "Usage:"}},
    {"help-all", {{"--help-all"}, {}, "Refused:"}},
    {"version", {{"--version"}, {}, "xlink "}},
    {"v", {{"-v"}, {}, "xlink "}},
    {"V", {{"-V"}, {}, "Supported machines"}},
};

/// A link with a warning of each group, and no other.
const std::map<std::string, Words> warningLinks = {
    {"general", with({"-s", "--retain-symbols-file=names"})},
    {"relocation", {"debug.o"}},
    {"flags", {"v1a.o", "v1b.o"}},
    {"expression", {"recursion.o"}},
    {"entry", with({"-e", "none"})},
    {"script", with({"inhibit.ld"})},
    {"orphan", with({"--orphan-handling=warn", "-T", "x.ld"})},
    {"symbol", {"--warn-common", "main.o", "helper.o", "common.o", "common2.o"}},
    {"parallel-usage", {"parallel.o"}},
    {"stack", with({"--stack-limit=none=0"})},
    {"types", {"types1.o", "types2.o"}},
    {"type-spelling", {"types1.o", "types3.o"}},
    {"symbol-ordering", with({"--symbol-ordering-file=unknown"})},
    {"load-range", with({"-T", "range.ld"})},
    {"load-align", with({"-T", "align.ld", "odd.o"})},
    {"region-rights", with({"-T", "rights.ld"})},
    {"region-overlap", with({"-T", "regions.ld"})},
    {"same-address", with({"-T", "same.ld"})},
    {"dropped-table", with({"--gc-sections", "-T", "keep.ld", "vectors.o"})},
    {"gc-root", {"--gc-sections", "-e", "none", "main.o", "helper.o"}},
    {"image-gap", with({"--oformat=binary", "-T", "noat.ld"})},
    {"stack-room", with({"-T", "stack.ld"})},
    {"load-symbol", with({"-T", "loadsymbol.ld", "startup.o"})},
    {"never-copied", with({"-T", "never.ld", "startup.o", "vectors.o"})},
    {"copy-offset", with({"-T", "offset.ld", "startup.o", "vectors.o"})},
    {"outside-marks", with({"-T", "outside.ld", "startup.o"})},
    {"shadowed-pattern", with({"-T", "shadowed.ld"})},
    {"zero-end", with({"-T", "zeroend.ld", "startup.o"})},
    {"vector-align", with({"-m", "tabled.machine", "-T", "keep.ld", "-Ttext", "0x1004", "vectors.o"})},
    {"self-load", with({"-T", "selfload.ld"})},
    {"noload-behind", with({"-T", "noload.ld"})},
    {"mangled-handler", {"main.o", "weak.o"}},
    {"misspelt-handler", {"main.o", "startup.o", "weak.o"}},
    {"weak-before-archive", {"main.o", "weak.o", "lib.a"}},
};

/// Words of -z, those of machines behind them.
const std::map<std::string, Specimen> zSpecimens = {
    {"max-page-size=", {{"-zmax-page-size=0x10000"}, with({}), "section .text 10000"}},
    {"separate-code", {{"-zseparate-code"}, {"-znoseparate-code", "@", "main.o", "helper.o"}}},
    {"noseparate-code", {{"-znoseparate-code"}, with({})}},
    {"defs", {{"-zdefs"}, {"-zundefs", "@", "main.o"}, "status 1"}},
    {"undefs", {{"-zundefs"}, kMain, "status 0"}},
    {"muldefs", {{"-zmuldefs"}, kTwice, "status 0"}},
    {"start-stop-gc", {{"-zstart-stop-gc"}, with({"--gc-sections", "listed.o"}), "!section list"}},
    {"nostart-stop-gc", {{"-znostart-stop-gc"}, {"-zstart-stop-gc", "@", "--gc-sections", "main.o", "helper.o", "listed.o"}, "section list"}},
    {"dead-reloc-in-nonalloc=", {{"-zdead-reloc-in-nonalloc=.debug_*=0xbebafeca"}, with({"--gc-sections", "dead.o"}), "cafebabe"}},
    {"xs1-place=offset", {{"-zxs1-place=offset"}, {"start.o", "work.o", "table.o"}}},
    {"xs1-assert=abi", {{"-zxs1-assert=abi"}, {"assertion.o"}, "xlink: warning: assertion.o:"}},
};
// clang-format on

//===----------------------------------------------------------------------===//
// The inputs
//===----------------------------------------------------------------------===//

constexpr const char *kMainObject = R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '1111111122222222' }
  - { Name: .text.unused, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '33333333' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '44444444' }
  - { Name: .rodata.s, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '414200414200' }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .debug_info, Type: SHT_PROGBITS, Content: '00' }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: helper, Type: 1 }, { Offset: 4, Symbol: local, Type: 1 } ] }
Symbols:
  - { Name: local, Section: .data }
  - { Name: .Llocal, Section: .data }
  - { Name: .Lstring, Section: .rodata.s }
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
  - { Name: unused, Section: .text.unused, Binding: STB_GLOBAL }
  - { Name: helper, Binding: STB_GLOBAL }
)";

std::string defining(StringRef name) {
  return R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '55555555' }
Symbols:
  - { Name: )" +
         name.str() + ", Section: .text, Binding: STB_GLOBAL }\n";
}

Bytes dpuObject(StringRef symbol, StringRef cpu) {
  return machineObject("dpu",
                       R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 8, Size: 8 }
  - { Name: .dpu.attributes, Type: 0x70000003, Content: '411400000075706d656d00010a00000005)" +
                           cpu.str() + R"(00' }
Symbols:
  - { Name: )" + symbol.str() +
                           ", Section: .text, Binding: STB_GLOBAL }\n",
                       0x02800000);
}

void addNyuzi(LinkHarness &links) {
  const auto object = [](StringRef body) {
    return machineObject("nyuzi", body);
  };
  const Bytes helper = object(defining("helper"));
  const Bytes other = object(defining("other"));
  links.file("main.o", object(kMainObject)).file("helper.o", helper);
  links.file("twice.o", helper);
  const Bytes archive = makeArchive({{"helper.o", helper}, {"other.o", other}});
  links.file("lib.a", archive).file("dir/libfoo.a", archive);
  links.file("root/lib/libfoo.a", archive);
  links.file("common.o", object(R"(
Symbols:
  - { Name: c1, Index: SHN_COMMON, Value: 1, Size: 1, Binding: STB_GLOBAL, Type: STT_OBJECT }
  - { Name: c8, Index: SHN_COMMON, Value: 8, Size: 8, Binding: STB_GLOBAL, Type: STT_OBJECT }
)"));
  const Bytes map =
      links.link({"main.o", "helper.o", "--map-json=m"}).files["m"];
  links.file("old.json", map);
  links.file("common2.o", object(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '66' }
Symbols:
  - { Name: c1, Section: .data, Size: 1, Binding: STB_GLOBAL, Type: STT_OBJECT }
)"));
  links.file("mangled.o", object(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 4 }
  - { Name: .rela.text, Type: SHT_RELA, Info: .text, Relocations: [ { Offset: 0, Symbol: _Z6helperi, Type: 1 } ] }
Symbols:
  - { Name: _Z6helperi, Binding: STB_GLOBAL }
)"));
  links.file("group.o", object(R"(
Sections:
  - { Name: .group, Type: SHT_GROUP, Info: f, Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .text.f } ] }
  - { Name: .text.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR, SHF_GROUP ], Size: 4 }
Symbols:
  - { Name: f, Section: .text.f, Binding: STB_GLOBAL }
)"));
  links.file("large.o", object(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 4 }
  - { Name: .debug_info, Type: SHT_PROGBITS, Size: 0x400 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
  links.file("same.o", object(R"(
Sections:
  - { Name: .text.same1, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '7777777788888888' }
  - { Name: .text.same2, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '7777777788888888' }
Symbols:
  - { Name: same1, Section: .text.same1, Binding: STB_GLOBAL }
  - { Name: same2, Section: .text.same2, Binding: STB_GLOBAL }
)"));
}

void addNyuziTables(LinkHarness &links) {
  const auto object = [](StringRef body) {
    return machineObject("nyuzi", body);
  };
  links.file("listed.o", object(R"(
Sections:
  - { Name: list, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '99999999' }
  - { Name: .init_array, Type: SHT_INIT_ARRAY, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Content: '00000000' }
  - { Name: .rela.init_array, Type: SHT_RELA, Info: .init_array, Relocations: [ { Offset: 0, Symbol: __start_list, Type: 1 } ] }
Symbols:
  - { Name: __start_list, Binding: STB_WEAK }
)"));
  links.file("dead.o", object(R"(
Sections:
  - { Name: .text.dead, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Content: '99999999' }
  - { Name: .data.live, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE, SHF_GNU_RETAIN ], AddressAlign: 4, Content: '99999999' }
  - { Name: .debug_info, Type: SHT_PROGBITS, Size: 4 }
  - { Name: .rela.debug_info, Type: SHT_RELA, Info: .debug_info, Relocations: [ { Offset: 0, Symbol: dead, Type: 1 } ] }
Symbols:
  - { Name: dead, Section: .text.dead }
)"));
  links.file("odd.o", object(R"(
Sections:
  - { Name: .odd, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], Content: '5555' }
)"));
  links.file("vectors.o", object(R"(
Sections:
  - { Name: .vectors, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Content: '00000000' }
)"));
  links.file("debug.o", object(R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], Size: 4 }
  - { Name: .debug_info, Type: SHT_PROGBITS, Size: 8 }
  - { Name: .rela.debug_info, Type: SHT_RELA, Info: .debug_info, Relocations: [ { Offset: 2, Symbol: _start, Type: 99 } ] }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)"));
}

void addTraps(LinkHarness &links) {
  links.file("startup.o", machineObject("nyuzi", R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 24 }
  - Name: .rela.text
    Type: SHT_RELA
    Info: .text
    Relocations:
      - { Offset: 0, Symbol: _etext, Type: 1 }
      - { Offset: 4, Symbol: _sdata, Type: 1 }
      - { Offset: 8, Symbol: _edata, Type: 1 }
      - { Offset: 12, Symbol: _sbss, Type: 1 }
      - { Offset: 16, Symbol: _ebss, Type: 1 }
      - { Offset: 20, Symbol: default_handler, Type: 1 }
Symbols:
  - { Name: _etext, Binding: STB_WEAK }
  - { Name: _sdata, Binding: STB_WEAK }
  - { Name: _edata, Binding: STB_WEAK }
  - { Name: _sbss, Binding: STB_WEAK }
  - { Name: _ebss, Binding: STB_WEAK }
  - { Name: default_handler, Binding: STB_WEAK }
)"));
  links.file("weak.o", machineObject("nyuzi", R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
Symbols:
  - { Name: helper, Section: .text, Binding: STB_WEAK }
  - { Name: default_handler, Section: .text, Value: 4, Binding: STB_WEAK }
  - { Name: _Z6helperv, Section: .text, Value: 8, Binding: STB_GLOBAL }
  - { Name: defualt_handler, Section: .text, Value: 12, Binding: STB_GLOBAL }
)"));
  links.file("tabled.machine",
             "MACHINE tabled { elf 32 little 9999; vectors .vectors align 64; "
             "1 R_ABS32: 4, value S + A, either 32, bits 31:0 -> 31:0; } "
             "SECTIONS { .text : { *(.text) } }");
  const std::string begin = "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 1K\n"
                            "  ram : ORIGIN = 0x8000, LENGTH = 1K }\n"
                            "SECTIONS { .text : { *(.text*) } > rom ";
  const std::string data = ".rodata : { *(.rodata*) } > rom .data : { _sdata = "
                           ".; *(.data) _edata = .; } > ram AT> rom ";
  const std::string load = "_etext = LOADADDR(.data); ";
  links.file("loadsymbol.ld", begin + "_etext = .; " + data + "}");
  links.file("never.ld",
             begin + data + load + ".fast : { *(.vectors) } > ram AT> rom }");
  links.file(
      "offset.ld",
      begin + ".data : { _sdata = .; *(.data) } > ram AT> rom " + load +
          ".fast : ALIGN(64) { *(.vectors) _edata = .; } > ram AT> rom }");
  links.file("outside.ld",
             begin + ".bss : { _sbss = .; . += 4; _ebss = .; } > ram }");
  links.file("zeroend.ld",
             begin +
                 ".bss : { _sbss = .; *(.bss) . += 1; _ebss = .; } > ram }");
  links.file("shadowed.ld", begin + ".rodata : { *(.rodata*) } > rom .s : { "
                                    "*(.rodata.s) } > rom }");
  links.file("selfload.ld",
             begin + ".data : AT(LOADADDR(.data)) { *(.data) } > ram }");
  links.file("noload.ld", begin +
                              ".noinit (NOLOAD) : { *(.bss) } > ram AT> rom " +
                              data + "}");
}

void addScripts(LinkHarness &links) {
  links.file("toy.machine", "MACHINE toy { elf 32 little 1; 0 R_TOY_NONE; } "
                            "SECTIONS { .text : { *(.text) } }");
  const std::string memory = "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 1K\n"
                             "  ram : ORIGIN = 0x8000, LENGTH = 1K }\n";
  links.file("x.ld", "SECTIONS { .text 0x5000 : { *(.text*) } }");
  links.file("all.ld", "SECTIONS { .text 0x5000 : { *(.text*) } }");
  links.file("gap.ld", "SECTIONS { .text 0x1000 : { *(.text* .rodata*) } "
                       ".data 0x1100 : { *(.data) } }");
  links.file("mem.ld", memory + "SECTIONS { .text : { *(.text* .rodata*) } > "
                                "rom .data : { *(.data) *(.bss) } > ram }");
  links.file("overlap.ld", "SECTIONS { .text 0x1000 : { *(.text*) *(.rodata*) "
                           "} .data 0x1004 : { *(.data) } }");
  links.file("spill.ld",
             "MEMORY { a : ORIGIN = 0x1000, LENGTH = 8\n"
             "  b : ORIGIN = 0x8000, LENGTH = 1K }\n"
             "SECTIONS { .a : { *(.text*) } > a .b : { *(.text*) } > b "
             ".d : { *(.data) *(.bss) *(.rodata*) } > b }");
  links.file("unmatched.ld", "SECTIONS { .text 0x1000 : { *(.text*) "
                             "*(.nothing) } }");
  links.file("range.ld",
             memory + "SECTIONS { .text : { *(.text* .rodata*) } > rom .data : "
                      "AT(0x13fc) { *(.data .bss) . = . + 8; } > ram }");
  links.file("align.ld", memory + "SECTIONS { .text : { *(.text* .rodata*) "
                                  "*(.odd) } > rom .data : { *(.data) *(.bss) "
                                  "} > ram AT> rom load = LOADADDR(.data); }");
  links.file("rights.ld",
             "MEMORY { rom (rx) : ORIGIN = 0x1000, LENGTH = 1K\n"
             "         ram (rw) : ORIGIN = 0x8000, LENGTH = 1K }\n"
             "SECTIONS { .text : { *(.text* .rodata*) } > rom .data : { "
             "*(.data) *(.bss) } > rom }");
  links.file("regions.ld",
             "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 1K\n"
             "  ram : ORIGIN = 0x1200, LENGTH = 1K }\n"
             "SECTIONS { .text : { *(.text* .rodata*) } > rom .data : { "
             "*(.data) *(.bss) } > ram }");
  links.file("same.ld", "SECTIONS { .text 0x1000 : { *(.text* .rodata*) } "
                        ".data 0x1000 : AT(0x9000) { *(.data) *(.bss) } }");
  links.file("keep.ld", "SECTIONS { .text : { *(.vectors) *(.text* .rodata* "
                        ".data .bss) } }");
  links.file("noat.ld",
             "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 1K\n"
             "  ram : ORIGIN = 0x8000, LENGTH = 1K }\n"
             "SECTIONS { .text : { *(.text* .rodata*) } > rom .data : { "
             "*(.data) *(.bss) } > ram }");
  links.file("down.ld", "SECTIONS { .data 0x8000 : { *(.data) *(.bss) } "
                        ".text 0x1000 : { *(.text* .rodata*) } }");
  links.file(
      "stack.ld",
      "SECTIONS { .text 0x1000 : { *(.text* .rodata*) } .data 0x8000 : { "
      "*(.data) *(.bss) } __stack_limit = 0x8004; }");
  links.file("inhibit.ld", "INHIBIT_COMMON_ALLOCATION");
  links.file("order", ".text : { *(.text.unused) }\n");
  links.file("unknown", "nobody\n");
  links.file("names", "helper\n").file("blob", "blob");
  links.file("budget", "section .text* 4\n");
  links.file("calls", "helper: none\n");
}

void addXS1(LinkHarness &links) {
  const char *names[] = {"start.o", "work.o", "table.o"};
  for (const char *name : names)
    links.file(
        name, readTestFile(std::string(XLINK_TESTDATA "/objects/xs1/") + name));
  links.file("other.elf", links.link({"start.o", "work.o", "table.o"}).image());
  links.file("board.xml", R"(<XSystem><System><Nodes>
<Node number="0" jtagId="0x5633"><Processor number="0"/></Node>
</Nodes><Connections/><JtagChain><Node id="0"/></JtagChain>
</System></XSystem>
)");
  links.file("parallel.o",
             statementObject("code _start f g\ndata x\nparallel f g 7\n"
                             "writes f x 12\nwrites g x 30"));
  links.file("types1.o", statementObject("code _start\ncalls _start f\n"
                                         "typeinfo f \"f{si}(si)\""));
  links.file("types2.o",
             statementObject("code f\ntypeinfo f \"f{si}(si,p(uc))\""));
  links.file("types3.o", statementObject("code f\ntypeinfo f \"f{si}()\""));
  links.file("assertion.o",
             statementObject("code _start\nresult no\nlocalresult message:no\n"
                             "assertion no message:no 0 1"));
  links.file("recursion.o",
             statementObject("code _start\nresult a b\ndata x\npointer x a\n"
                             "sum a b 1\nsum b a 1"));
}

const LinkHarness &inputs() {
  static const LinkHarness links = [] {
    LinkHarness made;
    addNyuzi(made);
    addNyuziTables(made);
    addScripts(made);
    addTraps(made);
    addXS1(made);
    made.file("colossus.o", machineObject("colossus", defining("_start"), 0));
    made.file("v1a.o", dpuObject("_start", "763141"));
    made.file("v1b.o", dpuObject("b", "763142"));
    return made;
  }();
  return links;
}

//===----------------------------------------------------------------------===//
// The outcome
//===----------------------------------------------------------------------===//

std::string hexOf(uint64_t value) { return utohexstr(value, true); }

std::string elfText(const Bytes &bytes) {
  const OutFile out(bytes);
  std::string text = "entry " + hexOf(out.entry) + "\n";
  for (const OutSegment &s : out.segments)
    text += "segment " + hexOf(s.address) + " " + hexOf(s.memSize) + " " +
            hexOf(s.flags) + " " + hexOf(s.align) + "\n";
  for (const OutSection &s : out.sections)
    text += "section " + s.name + " " + hexOf(s.address) + " " + hexOf(s.size) +
            " " + toHex(ArrayRef<uint8_t>(s.bytes), true) + "\n";
  for (const OutSymbol &s : out.symbols)
    text += "symbol " + s.name + " " + hexOf(s.value) + "\n";
  return text;
}

/// All that came out of a link.
std::string outcomeOf(const Words &arguments) {
  const Linked linked = inputs().link(arguments);
  std::string text = "status " + std::to_string(linked.status) + "\n";
  for (const Diagnostic &d : linked.result.diagnostics)
    if (d.severity != Severity::Note)
      text += formatDiagnostic(d, linked.result.format, linked.result.color);
  text += linked.text;
  for (const auto &[name, bytes] : linked.files) {
    text += "file " + name + "\n";
    const StringRef chars(reinterpret_cast<const char *>(bytes.data()),
                          bytes.size());
    if (chars.starts_with("\x7f"
                          "ELF"))
      text += elfText(bytes);
    else
      text += chars.str() + "\n" + toHex(chars, true) + "\n";
  }
  return text;
}

void expectEffect(const std::string &name, const Specimen &specimen) {
  Words without, with;
  bool placed = is_contained(specimen.rest, "@");
  if (!placed)
    with = specimen.option;
  for (const std::string &word : specimen.rest)
    if (word == "@") {
      with.insert(with.end(), specimen.option.begin(), specimen.option.end());
    } else {
      without.push_back(word);
      with.push_back(word);
    }
  const std::string changed = outcomeOf(with), plain = outcomeOf(without);
  EXPECT_NE(changed, plain) << name << " makes no difference";
  StringRef piece = specimen.shows;
  if (piece.empty())
    return;
  const bool takesAway = piece.consume_front("!");
  const std::string &there = takesAway ? plain : changed;
  const std::string &gone = takesAway ? changed : plain;
  EXPECT_TRUE(StringRef(there).contains(piece))
      << name << ": no '" << piece.str() << "' in\n"
      << there;
  EXPECT_FALSE(StringRef(gone).contains(piece))
      << name << ": '" << piece.str() << "' in\n"
      << gone;
}

TEST(OptionEffect, EverySupportedRow) {
  std::set<std::string> rows;
  for (const Option &option : optionTable()) {
    const std::string name = option.name().str();
    if (option.status != OptionStatus::Supported)
      continue;
    rows.insert(name);
    StringRef group = name;
    const bool off = group.consume_front("no-warn-");
    if (off || group.consume_front("warn-"))
      if (warningLinks.count(group.str()))
        continue;
    const auto found = specimens.find(name);
    if (found != specimens.end())
      expectEffect(name, found->second);
    else
      EXPECT_TRUE(withoutSpecimen.count(name)) << name << " has no specimen";
  }
  for (const auto &[name, specimen] : specimens)
    EXPECT_TRUE(rows.count(name)) << "no row for " << name;
  for (const auto &[name, why] : withoutSpecimen)
    EXPECT_TRUE(rows.count(name)) << "no row for " << name;
}

TEST(OptionEffect, EveryGroupOfWarnings) {
  for (int g = 0; g != int(WarningGroup::Count_); ++g) {
    const std::string group = warningGroupName(WarningGroup(g));
    const auto found = warningLinks.find(group);
    ASSERT_NE(found, warningLinks.end()) << group;
    const std::string on = "--warn-" + group, off = "--no-warn-" + group;
    const std::string piece = "[" + off + "]", gone = "!" + piece;
    expectEffect(on, {{on}, with({off, "@"}, found->second), piece.c_str()});
    expectEffect(off, {{off}, with({on, "@"}, found->second), gone.c_str()});
  }
}

TEST(OptionEffect, EveryWordOfZ) {
  size_t supported = 0;
  for (const ZKeyword &word : zKeywordTable())
    if (word.status == OptionStatus::Supported) {
      ++supported;
      const auto found = zSpecimens.find(std::string(word.name));
      ASSERT_NE(found, zSpecimens.end()) << word.name;
      expectEffect("-z " + found->first, found->second);
    }
  for (const Target *target : allTargets())
    for (const char *word : target->zKeywords) {
      ++supported;
      const auto found = zSpecimens.find(word);
      ASSERT_NE(found, zSpecimens.end()) << word;
      expectEffect("-z " + found->first, found->second);
    }
  EXPECT_EQ(supported, zSpecimens.size());
}

} // namespace
} // namespace xlink::test
