//===- CostTest.cpp - what links cost, without a clock --------------------===//
//
// Timings belong into benchmarks. What they are made of can be counted, and is
// the same on an idle machine and on a busy one: allocations and their bytes,
// system calls, first touches of pages. testdata/cost/counts.tsv has the counts
// of some links; a tenth more is a fault, of the change that made them grow or
// of the record, which XLINK_UPDATE_GOLDEN=1 writes anew.
//
// A search that compares each name with all others allocates nothing, so
// comparisons of bytes are counted too, where inputs double. In builds with
// clang's -fsanitize-coverage=trace-pc-guard (part `growth` of
// tools/test-nightly) inputs are larger, and each edge of the code that is run
// is counted: no loop escapes that.
//
// How many pages a fault brings in is the system's choice. So pages are counted
// against those of `xlink --version`, and only where that takes as many as it
// did where the record was made.
//
//===----------------------------------------------------------------------===//
#include "support/LinkHarness.h"
#include "support/TestFiles.h"
#include "support/ToolProcess.h"
#include "llvm/ADT/StringExtras.h"
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <new>

using namespace llvm;

//===----------------------------------------------------------------------===//
// Counting allocations
//===----------------------------------------------------------------------===//

static std::atomic<uint64_t> allocationCount{0}, allocatedBytes{0},
    comparisonCount{0};

/// malloc's own callers, such as LLVM's containers, are counted as well where
/// the C library allows it.
extern "C" void *__libc_malloc(size_t);
extern "C" void *__libc_calloc(size_t, size_t);
extern "C" void *__libc_realloc(void *, size_t);
extern "C" void *__libc_memalign(size_t, size_t);

static void count(size_t bytes) {
  allocationCount.fetch_add(1, std::memory_order_relaxed);
  allocatedBytes.fetch_add(bytes, std::memory_order_relaxed);
}

extern "C" void *malloc(size_t size) {
  count(size);
  return __libc_malloc(size);
}
extern "C" void *calloc(size_t n, size_t size) {
  count(n * size);
  return __libc_calloc(n, size);
}
extern "C" void *realloc(void *old, size_t size) {
  count(size);
  return __libc_realloc(old, size);
}
extern "C" void *aligned_alloc(size_t alignment, size_t size) {
  count(size);
  return __libc_memalign(alignment, size);
}

/// LLVM's StringRef compares by it.
extern "C" int memcmp(const void *a, const void *b, size_t size) {
  comparisonCount.fetch_add(1, std::memory_order_relaxed);
  const auto *x = static_cast<const uint8_t *>(a),
             *y = static_cast<const uint8_t *>(b);
  for (size_t i = 0; i < size; ++i)
    if (x[i] != y[i])
      return x[i] - y[i];
  return 0;
}
extern "C" int bcmp(const void *a, const void *b, size_t size) {
  return memcmp(a, b, size);
}

static uint64_t edgeCount = 0; ///< only one thread runs
#ifdef __has_feature
#if __has_feature(coverage_sanitizer)
#define XLINK_COUNTS_EDGES 1
#define XLINK_NOT_COUNTED __attribute__((no_sanitize("coverage")))
extern "C" XLINK_NOT_COUNTED void __sanitizer_cov_trace_pc_guard(uint32_t *) {
  ++edgeCount;
}
extern "C" XLINK_NOT_COUNTED void
__sanitizer_cov_trace_pc_guard_init(uint32_t *, uint32_t *) {}
#endif
#endif

namespace xlink::test {
namespace {

#ifdef XLINK_COUNTS_EDGES
constexpr bool kCountsEdges = true;
#else
constexpr bool kCountsEdges = false;
#endif

struct Counts {
  uint64_t allocations = 0, bytes = 0, calls = 0, faults = 0;
  uint64_t comparisons = 0; ///< not recorded: compilers make some inline
  uint64_t edges = 0;       ///< where kCountsEdges
};

/// The row of what no link is.
constexpr char kIdle[] = "--version";

//===----------------------------------------------------------------------===//
// Links
//===----------------------------------------------------------------------===//

/// Ten functions of a file, each with a section, that call each other and the
/// next file's, and strings of which half are the neighbour's too.
Bytes object(unsigned file) {
  std::string sections = "Sections:\n", symbols = "Symbols:\n", text;
  auto name = [](unsigned f, unsigned k) {
    return "f" + std::to_string(f) + "_" + std::to_string(k);
  };
  for (unsigned k = 0; k < 10; ++k) {
    const std::string section = ".text." + name(file, k);
    sections +=
        "  - { Name: " + section +
        ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], "
        "AddressAlign: 4, Size: 64 }\n  - { Name: .rela" +
        section + ", Type: SHT_RELA, Info: " + section +
        ", Relocations: [ { Offset: 0, Symbol: " + name(file, (k + 1) % 10) +
        ", Type: 3 }, { Offset: 8, Symbol: " + name(file + 1, k) +
        ", Type: 3 } ] }\n";
    symbols +=
        "  - { Name: " + name(file, k) + ", Section: " + section +
        ", Type: STT_FUNC, Size: 64, Binding: STB_GLOBAL }\n  - { Name: " +
        name(file + 1, k) + ", Binding: STB_GLOBAL }\n";
    for (unsigned f : {file, file + 1})
      text += toHex("text of " + name(f, k)) + "00";
  }
  sections += "  - { Name: .rodata.str, Type: SHT_PROGBITS, Flags: [ "
              "SHF_ALLOC, SHF_MERGE, SHF_STRINGS ], EntSize: 1, Content: '" +
              text + "' }\n";
  return machineObject("nyuzi", sections + symbols);
}

/// Defines what the last of so many files calls.
Bytes lastObject(unsigned files) {
  std::string symbols = "Symbols:\n";
  for (unsigned k = 0; k < 10; ++k)
    symbols += "  - { Name: f" + std::to_string(files) + "_" +
               std::to_string(k) +
               ", Index: SHN_ABS, Value: 0x40, Binding: STB_GLOBAL }\n";
  return machineObject("nyuzi", symbols);
}

struct Link {
  std::map<std::string, Bytes> files;
  std::vector<std::string> arguments;
};

Link linkOf(unsigned files, const std::vector<std::string> &options = {}) {
  Link link;
  link.arguments = {"-o", "out", "-e", "f0_0", "--threads=1"};
  for (const std::string &option : options)
    link.arguments.push_back(option);
  for (unsigned f = 0; f < files; ++f) {
    link.files["m" + std::to_string(f) + ".o"] = object(f);
    link.arguments.push_back("m" + std::to_string(f) + ".o");
  }
  link.files["last.o"] = lastObject(files);
  link.arguments.push_back("last.o");
  return link;
}

/// All but the first file from an archive.
Link linkOfArchive(unsigned files) {
  Link link = linkOf(files);
  std::vector<MemberSpec> members;
  for (unsigned f = 1; f < files; ++f) {
    const std::string name = "m" + std::to_string(f) + ".o";
    members.push_back({name, link.files[name]});
    link.files.erase(name);
    std::erase(link.arguments, name);
  }
  link.files["lib.a"] = makeArchive(members);
  link.arguments.push_back("lib.a");
  return link;
}

/// An output section and a symbol for each of so many lines of a script.
Link linkOfScript(unsigned files, unsigned lines) {
  Link link = linkOf(files, {"-T", "t.ld"});
  std::string text =
      "MEMORY { rom : ORIGIN = 0x1000, LENGTH = 1M }\nSECTIONS {\n";
  for (unsigned i = 0; i < lines; ++i)
    text += "  .part" + std::to_string(i) + " : { start" + std::to_string(i) +
            " = .; *(.text.f" + std::to_string(i) + "_*) } >rom\n";
  text += "  .rest : { *(.text.* .rodata.*) } >rom\n}\n";
  link.files["t.ld"] = Bytes(text.begin(), text.end());
  return link;
}

/// A vector table with so many weak handlers, and functions that nothing refers
/// to, with names as long.
Link linkOfHandlers(unsigned count) {
  std::string relocations, symbols = "Symbols:\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string number = std::to_string(1000 + i);
    relocations += "      - { Offset: " + std::to_string(4 * i) +
                   ", Symbol: v" + number + "_Handler, Type: 0 }\n";
    for (const auto &[name, binding] :
         {std::pair("v" + number + "_Handler", "WEAK"),
          std::pair("x" + number + "_working", "GLOBAL")})
      symbols += "  - { Name: " + name + ", Section: .text, Type: STT_FUNC, " +
                 "Value: " + std::to_string(*binding == 'W' ? 0 : 4) +
                 ", Binding: STB_" + binding + " }\n";
  }
  Link link = linkOf(1, {"a.o"});
  link.files["a.o"] = machineObject(
      "nyuzi",
      "Sections:\n  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, "
      "SHF_EXECINSTR ], AddressAlign: 4, Size: 64 }\n  - { Name: .vectors, "
      "Type: SHT_PROGBITS, Flags: [ SHF_ALLOC ], AddressAlign: 4, Size: " +
          std::to_string(4 * count) +
          " }\n  - Name: .rela.vectors\n    Type: SHT_RELA\n    Info: "
          ".vectors\n    Relocations:\n" +
          relocations + symbols);
  return link;
}

/// So many output sections that run elsewhere than they are stored, and code
/// that knows where they run. `mapped`: without MEMORY, and by whole pages.
Link linkOfStored(unsigned count, bool mapped) {
  std::string sections = "Sections:\n  - { Name: .text, Type: SHT_PROGBITS, "
                         "Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: "
                         "4, Size: " +
                         std::to_string(4 * count) +
                         " }\n  - Name: .rela.text\n    Type: SHT_RELA\n"
                         "    Info: .text\n    Relocations:\n",
              data, symbols = "Symbols:\n",
              script =
                  mapped
                      ? "SECTIONS {\n. = 0x1000;\n.text : { *(.text) }\n"
                        ". = 0x10000000;\n"
                      : "MEMORY { flash (rx) : ORIGIN = 0x1000, LENGTH = 16M\n"
                        "ram (rwx) : ORIGIN = 0x10000000, LENGTH = 16M }\n"
                        "SECTIONS {\n.text : { *(.text) } > flash\n";
  for (unsigned i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    sections += "      - { Offset: " + std::to_string(4 * i) +
                ", Symbol: start" + n + ", Type: 0 }\n";
    data += "  - { Name: .data" + n +
            ", Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], "
            "AddressAlign: 4, Size: 16 }\n";
    symbols += "  - { Name: start" + n + ", Binding: STB_GLOBAL }\n";
    script += ".data" + n +
              (mapped ? " : AT(ADDR(.data" + n + ") - 0x8000000)" : " :") +
              " { start" + n + " = .; *(.data" + n + ") }" +
              (mapped ? "\n" : " > ram AT> flash\n");
  }
  script += "}\n";
  Link link;
  link.arguments = {"-o", "out", "-e", "0", "--threads=1", "-T", "t.ld", "a.o"};
  link.files["a.o"] = machineObject("nyuzi", sections + data + symbols);
  link.files["t.ld"] = Bytes(script.begin(), script.end());
  return link;
}

std::map<std::string, Link> links() {
  return {{"two", linkOf(1)},
          {"forty", linkOf(40)},
          {"archive", linkOfArchive(40)},
          {"gc", linkOf(40, {"--gc-sections"})},
          {"maps", linkOf(40, {"-Map=m", "--map-json=j", "--cref"})},
          {"relocatable", linkOf(40, {"-r"})},
          {"script", linkOfScript(40, 100)}};
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

void countAllocations(const Link &link, Counts &counts) {
  LinkHarness harness;
  for (const auto &[name, bytes] : link.files)
    harness.file(name, bytes);
  const uint64_t before = allocationCount, bytesBefore = allocatedBytes,
                 comparisonsBefore = comparisonCount, edgesBefore = edgeCount;
  const Linked linked = harness.linkAsGiven(link.arguments);
  counts.allocations = allocationCount - before;
  counts.bytes = allocatedBytes - bytesBefore;
  counts.comparisons = comparisonCount - comparisonsBefore;
  counts.edges = edgeCount - edgesBefore;
  EXPECT_EQ(linked.errors, "");
}

/// False: this system does not let its processes be watched.
bool countInProcess(const Link &link, Counts &counts) {
  TemporaryDirectory directory;
  for (const auto &[name, bytes] : link.files)
    directory.write(name, bytes);
  const ToolRun calls =
      runTool(directory, link.arguments, {0, 0, /*countCalls=*/true});
  EXPECT_EQ(calls.status, 0) << calls.messages;
  counts.calls = calls.systemCalls;
  // Where the system puts stack and heap differs from run to run, and so do the
  // pages that they touch: the least of some runs is the link's own.
  counts.faults = runTool(directory, link.arguments).faults;
  for (unsigned run = 1; run < 8; ++run)
    counts.faults =
        std::min(counts.faults, runTool(directory, link.arguments).faults);
  return calls.observed;
}

const char *const kRecord = XLINK_TESTDATA "/cost/counts.tsv";

std::map<std::string, Counts> recorded() {
  std::map<std::string, Counts> all;
  std::ifstream in(kRecord);
  std::string name;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    std::istringstream fields(line);
    Counts c;
    fields >> name >> c.allocations >> c.bytes >> c.calls >> c.faults;
    EXPECT_TRUE(bool(fields)) << line;
    all[name] = c;
  }
  return all;
}

void record(const std::map<std::string, Counts> &all) {
  std::ofstream out(kRecord);
  out << "# What links cost: tests/cost/CostTest.cpp\n"
         "# link\tallocations\tbytes\tcalls\tfaults\n";
  for (const auto &[name, c] : all)
    out << name << '\t' << c.allocations << '\t' << c.bytes << '\t' << c.calls
        << '\t' << c.faults << '\n';
}

/// A tenth more than recorded, and a little for small numbers.
uint64_t most(uint64_t recorded) { return recorded + recorded / 10 + 4; }

TEST(Cost, AsRecorded) {
  const std::map<std::string, Counts> expected = recorded();
  std::map<std::string, Counts> all;
  const uint64_t idle = all[kIdle].faults =
      runTool(TemporaryDirectory(), {"--version"}).faults;
  const bool isSameSystem = expected.count(kIdle) &&
                            idle <= most(expected.at(kIdle).faults) &&
                            expected.at(kIdle).faults <= most(idle);
  for (const auto &[name, link] : links()) {
    SCOPED_TRACE(name);
    Counts &counts = all[name];
    countAllocations(link, counts);
    EXPECT_GT(counts.allocations, 50u) << "the count does not work";
    const bool observed = countInProcess(link, counts);
    counts.faults -= std::min(counts.faults, idle);
    if (getenv("XLINK_UPDATE_GOLDEN"))
      continue;
    ASSERT_TRUE(expected.count(name)) << "not in " << kRecord;
    const Counts &e = expected.at(name);
    EXPECT_LE(counts.allocations, most(e.allocations));
    EXPECT_LE(counts.bytes, most(e.bytes));
    if (observed) {
      EXPECT_LE(counts.calls, most(e.calls));
    }
    if (isSameSystem) {
      EXPECT_LE(counts.faults, most(e.faults));
    }
  }
  if (getenv("XLINK_UPDATE_GOLDEN"))
    record(all);
}

// Twice the files, twice the cost: what is in front of that, a fixed part, only
// helps.
TEST(Cost, GrowsAsTheInputDoes) {
  struct Shape {
    const char *name;
    Link (*make)(unsigned);
  };
  for (const Shape &shape :
       {Shape{"plain", [](unsigned n) { return linkOf(n); }},
        Shape{"gc", [](unsigned n) { return linkOf(n, {"--gc-sections"}); }},
        Shape{"maps",
              [](unsigned n) {
                return linkOf(n, {"--map-json=j", "--cref"});
              }},
        Shape{"relocatable", [](unsigned n) { return linkOf(n, {"-r"}); }},
        Shape{"kept", [](unsigned n) { return linkOf(n, {"-q"}); }},
        Shape{"archive", linkOfArchive}, Shape{"handlers", linkOfHandlers},
        Shape{"stored", [](unsigned n) { return linkOfStored(n, false); }},
        Shape{"mapped", [](unsigned n) { return linkOfStored(n, true); }},
        Shape{"patterns", [](unsigned n) { return linkOfScript(1, 10 * n); }},
        Shape{"script", [](unsigned n) { return linkOfScript(n, n); }}}) {
    SCOPED_TRACE(shape.name);
    Counts small, large;
    const unsigned files = kCountsEdges ? 400 : 40;
    countAllocations(shape.make(files), small);
    countAllocations(shape.make(2 * files), large);
    EXPECT_LE(large.allocations, 2 * most(small.allocations));
    EXPECT_LE(large.bytes, 2 * most(small.bytes));
    EXPECT_GT(small.comparisons, 50u) << "the count does not work";
    // Sorted names take a logarithm more.
    EXPECT_LE(large.comparisons, 5 * most(small.comparisons) / 2);
    if (kCountsEdges) {
      EXPECT_GT(small.edges, 10000u) << "the count does not work";
    }
    EXPECT_LE(large.edges, 23 * most(small.edges) / 10);
  }
}

} // namespace
} // namespace xlink::test
