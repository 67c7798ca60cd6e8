//===- ManyProblemsTest.cpp - twenty thousand things are wrong ------------===//
//
// Of twenty thousand faults text is made only for those that are shown, and
// where all are shown the work is a few steps each: counted, since time
// depends on the machine. Messages depend neither on threads nor on the
// runs of bytes that are rendered in one go.
//
//===----------------------------------------------------------------------===//
#include "layout/AddressAssignment.h"
#include "layout/Checks.h"
#include "layout/EnclosingSymbols.h"
#include "link/Linking.h"
#include "output/Relocator.h"
#include "output/Writer.h"
#include "placement/Placement.h"
#include "resolve/Machine.h"
#include "resolve/ScriptSymbols.h"
#include "sections/LiveGraph.h"
#include "sections/SettleContributions.h"
#include "sections/SyntheticSections.h"
#include "support/ResolveSymbols.h"
#include "llvm/Support/xxhash.h"
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

/// An object made without a file: reading a large one would take the time.
struct MadeObject {
  std::shared_ptr<ParsedObject> object = std::make_shared<ParsedObject>();
  std::vector<std::string> names; ///< of its symbols
  std::vector<uint8_t> bytes;     ///< of all sections, as long as the longest

  MadeObject() {
    object->path = "a.o";
    object->sections.resize(1);
    object->symbols.resize(1);
    names.resize(1);
  }
  ParsedSection &section(StringRef name, uint64_t flags, uint64_t size) {
    ParsedSection &s = object->sections.emplace_back();
    s.name = name;
    s.type = ELF::SHT_PROGBITS;
    s.flags = flags;
    s.size = size;
    s.align = 4;
    s.kind = SectionKind::Regular;
    bytes.resize(std::max<size_t>(bytes.size(), size));
    return s;
  }
  ParsedSymbol &symbol(std::string name, uint8_t binding) {
    names.push_back(std::move(name));
    ParsedSymbol &s = object->symbols.emplace_back();
    s.binding = binding;
    return s;
  }
  ParsedSymbol &define(std::string name, uint8_t binding, uint32_t section,
                       uint64_t value, uint64_t size = 0,
                       uint8_t type = ELF::STT_NOTYPE) {
    ParsedSymbol &s = symbol(std::move(name), binding);
    s.place = SymbolPlace::Section;
    s.section = section;
    s.value = value;
    s.size = size;
    s.type = type;
    return s;
  }
  /// What points into the vectors, when they no longer grow.
  void settle() {
    for (ParsedSection &s : object->sections)
      s.setData(ArrayRef<uint8_t>(bytes).take_front(s.size));
    for (size_t i = 1; i < names.size(); ++i) {
      object->symbols[i].name = names[i];
      object->symbols[i].hash = xxh3_64bits(StringRef(names[i]));
    }
  }
};

/// A link up to fixed addresses, pass by pass.
struct Laid {
  Config config;
  Program program;
  Contributions contributions;
  Layout layout;
  SymbolValues values;

  Laid(StringRef machine, const MadeObject &made, unsigned threads = 1)
      : config(configFor(threads)), program(config) {
    Diagnostics diag;
    program.target = findTarget(machine);
    program.output.path = "out";
    made.object->machine = program.target->machines.front();
    InputLoader loader(program, diag, nullptr, nullptr);
    std::vector<LoadedInput> inputs(1);
    inputs[0].object = made.object;
    resolveSymbols(program, inputs, loader, diag);
    configureMachine(program, diag);
    loadBuiltinScript(program, diag);
    declareScriptSymbols(program);
    declareAssignedNames(program);
    parseOptionAddresses(program, diag);
    Expressions expressions(program);
    Placement placement = placeSections(program, diag);
    const std::vector<EhFrame> frames = readEhFrames(program, placement, diag);
    const Liveness all;
    placement = placeOrphans(program, std::move(placement), all, diag);
    contributions = settleContributions(program, placement, all, frames);
    layout = assignAddresses(program, std::move(placement), contributions,
                             expressions, diag);
    values = computeSymbolValues(link());
    EXPECT_FALSE(diag.failed());
  }
  Link link() const {
    return {{program, layout.placement, contributions},
            layout.info,
            layout.addresses};
  }

private:
  static Config configFor(unsigned threads) {
    Config config;
    config.threads = threads;
    return config;
  }
};

std::string print(const Diagnostics &diag) {
  std::string out;
  for (const Diagnostic &d : diag.all())
    out += Diagnostics::format(d, false);
  return out;
}

Diagnostics withLimit(uint64_t errors) {
  Diagnostics diag;
  diag.setPolicy({errors, false, false, {}});
  return diag;
}

constexpr unsigned kTexts = 8;
constexpr unsigned kFailures = 20000;
constexpr unsigned kPools = 600;

/// Code of several megabytes with references to a constant pool of 600 sections
/// that do not reach.
MadeObject farPool(unsigned failures = kFailures) {
  MadeObject made;
  const unsigned each = failures / kTexts;
  for (unsigned i = 0; i < kTexts; ++i) {
    ParsedSection &s = made.section(
        ".text", ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, uint64_t(1) << 20);
    s.relocBegin = i * each;
    s.relocEnd = (i + 1) * each;
    for (unsigned k = 0; k < each; ++k)
      made.object->relocations.push_back({k * 80, 0, 1, 6}); // CP_REL10
  }
  for (unsigned i = 0; i < kPools; ++i)
    made.section(".cp.rodata", 0x20000000 | ELF::SHF_ALLOC, 16);
  made.define("last", ELF::STB_LOCAL, kTexts + kPools, 0);
  made.settle();
  return made;
}

/// What writing a link says.
std::string written(const Laid &laid, Diagnostics &diag) {
  MemorySink sink;
  const Link link = laid.link();
  writeOutput({link, laid.values, layOutFile(link)}, sink, diag);
  EXPECT_TRUE(sink.files.empty());
  return print(diag);
}

TEST(ManyProblems, RelocationsAreDescribedUpToTheLimit) {
  const MadeObject made = farPool();
  const Laid laid("xs1", made);
  Diagnostics some = withLimit(20), all = withLimit(0);
  std::string few = written(laid, some), many = written(laid, all);
  EXPECT_EQ(some.errorCount(), kFailures);
  EXPECT_EQ(some.all().size(), 3u);
  EXPECT_EQ(all.errorCount(), kFailures);
  EXPECT_EQ(all.all().size(), kFailures);
  // The limit cuts off and changes nothing.
  StringRef shown = few;
  EXPECT_TRUE(StringRef(many).starts_with(shown));
  EXPECT_EQ(shown.count("relocation R_XCORE1_CP_REL10 out of range"), 3u);
  some.countHidden();
  EXPECT_EQ(some.all().back().notes.back(),
            "and 19997 more relocations R_XCORE1_CP_REL10 out of range in "
            "'.text' (use "
            "--error-limit=0 to see all)");
}

TEST(ManyProblems, OfOneList) {
  const MadeObject made = farPool();
  const Laid laid("xs1", made);
  const Link link = laid.link();
  RelocationProblems problems;
  std::vector<uint8_t> bytes(made.bytes);
  const Relocator relocator(link, laid.values);
  for (unsigned i = 1; i <= kTexts; ++i) {
    const SectionId id = laid.program.files[FileId(0)].sectionBase + i;
    relocator.relocate(id, link.addressOf(id).wrapped(), bytes, problems);
  }
  EXPECT_EQ(problems.size(), kFailures);
  Diagnostics diag = withLimit(20);
  reportProblems(link, problems, diag);
  EXPECT_EQ(diag.errorCount(), kFailures);
}

TEST(ManyProblems, NeitherThreadsNorRunsOfBytesMatter) {
  const MadeObject made = farPool(8000);
  const Laid one("xs1", made, 1), four("xs1", made, 4);
  for (uint64_t limit : {0, 20, 3000}) {
    Diagnostics a = withLimit(limit), b = withLimit(limit);
    const std::string messages = written(one, a);
    EXPECT_TRUE(written(four, b) == messages) << limit;

    // All sections in one list, and a list for each of them.
    const Link link = one.link();
    const Relocator relocator(link, one.values);
    std::vector<uint8_t> bytes(made.bytes);
    for (bool together : {true, false}) {
      Diagnostics diag = withLimit(limit);
      std::vector<RelocationProblems> lists(1);
      for (unsigned i = 1; i <= kTexts; ++i) {
        const SectionId id = one.program.files[FileId(0)].sectionBase + i;
        relocator.relocate(id, link.addressOf(id).wrapped(), bytes,
                           lists.back());
        if (!together)
          lists.emplace_back();
      }
      reportProblems(link, lists, diag);
      EXPECT_TRUE(print(diag) == messages) << limit << together;
    }
  }
}

/// 20,000 functions, each of which calls one that does not exist and whose name
/// is near to its own.
constexpr unsigned kCallers = 20000;
MadeObject forgottenLibrary() {
  MadeObject made;
  ParsedSection &text =
      made.section(".text", ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, 8 * kCallers);
  text.relocEnd = kCallers;
  for (unsigned i = 0; i < kCallers; ++i) {
    const std::string number = std::to_string(100000 + i);
    made.define("caller_" + number, ELF::STB_GLOBAL, 1, 8 * i, 8,
                ELF::STT_FUNC);
    made.object->relocations.push_back(
        {8 * i + 4, 0, uint32_t(made.object->symbols.size()), 1});
    made.symbol("caler_" + number, ELF::STB_GLOBAL);
  }
  made.settle();
  return made;
}

TEST(ManyProblems, UndefinedNames) {
  const MadeObject made = forgottenLibrary();
  const Laid laid("nyuzi", made);
  Diagnostics some = withLimit(20), all = withLimit(0);
  reportUndefined(laid.link(), laid.values, {}, some);
  EXPECT_EQ(some.errorCount(), kCallers);
  reportUndefined(laid.link(), laid.values, {}, all);
  ASSERT_EQ(all.all().size(), kCallers);
  EXPECT_EQ(all.all().front().text, "undefined symbol: caler_100000");
  EXPECT_EQ(all.all().front().notes,
            (std::vector<std::string>{
                "referenced by a.o:(.text+0x4) in caller_100000",
                "did you mean: caller_100000", "defined in: a.o"}));
  // To look for near names of all of them would be quadratic.
  EXPECT_EQ(StringRef(print(all)).count("did you mean"), 100u);
  EXPECT_EQ(all.all().back().notes,
            (std::vector<std::string>{
                "referenced by a.o:(.text+0x270fc) in caller_119999"}));
}

TEST(EnclosingSymbols, OfManyPlaces) {
  const MadeObject made = forgottenLibrary();
  const Laid laid("nyuzi", made);
  EnclosingSymbols index(laid.program);
  const SectionId text = laid.program.files[FileId(0)].sectionBase + 1;
  for (unsigned i = 0; i < kCallers; ++i) {
    const ParsedSymbol *symbol = index.find(text, 8 * i + 5);
    ASSERT_NE(symbol, nullptr);
    EXPECT_EQ(symbol->value, 8 * i);
  }
  EXPECT_EQ(index.find(text, 8 * kCallers), nullptr);
}

/// The same by looking at every symbol. Instructions stand at multiples of
/// `unit`.
const ParsedSymbol *slowly(const ParsedObject &object, uint32_t section,
                           uint64_t offset, uint32_t unit) {
  const ParsedSymbol *best = nullptr;
  uint64_t bestBegin = 0;
  for (const ParsedSymbol &s : object.symbols) {
    const uint64_t begin =
        s.type == ELF::STT_FUNC ? s.value / unit * unit : s.value;
    if (s.place == SymbolPlace::Section && s.section == section &&
        !s.name.empty() && begin <= offset &&
        (s.size == 0 || offset - begin < s.size) &&
        (s.type == ELF::STT_FUNC || s.type == ELF::STT_OBJECT) &&
        (!best || begin > bestBegin)) {
      best = &s;
      bestBegin = begin;
    }
  }
  return best;
}

TEST(EnclosingSymbols, AnyNesting) {
  std::mt19937 random(1);
  auto below = [&](unsigned n) { return unsigned(random() % n); };
  for (unsigned round = 0; round < 300; ++round) {
    MadeObject made;
    for (unsigned i = 0; i < 3; ++i)
      made.section(".text", ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, 64);
    const unsigned count = below(20);
    for (unsigned i = 0; i < count; ++i) {
      const uint8_t types[] = {ELF::STT_FUNC, ELF::STT_OBJECT, ELF::STT_NOTYPE};
      const uint64_t sizes[] = {0, 1, below(70), below(12), ~uint64_t(0)};
      made.define(below(8) ? "s" + std::to_string(i) : "", ELF::STB_LOCAL,
                  1 + below(3), below(64), sizes[below(5)], types[below(3)]);
    }
    made.settle();
    Config config;
    Program program(config);
    Target target;
    target.instruction = round % 5; // 0: not known
    program.target = &target;
    program.files.push_back({made.object, SectionId(0), 0});
    for (uint32_t i = 0; i < made.object->sections.size(); ++i)
      program.sections.push_back(
          {&made.object->sections[i], FileId(0), i, false});
    EnclosingSymbols index(program);
    for (uint32_t section = 1; section <= 3; ++section)
      for (uint64_t offset = 0; offset < 70; ++offset)
        EXPECT_EQ(index.find(SectionId(section), offset),
                  slowly(*made.object, section, offset,
                         std::max(target.instruction, 1u)))
            << round << " " << section << " " << offset;
  }
}

} // namespace
} // namespace xlink::test
