//===- ManyNamesTest.cpp - symbols of many files at once ------------------===//
//
// What several threads make of many files is what one makes that takes them one
// by one, when all are parsed or before: symbols, their numbers and ranks, and
// messages.
//
//===----------------------------------------------------------------------===//
#include "resolve/ManyNames.h"
#include "resolve/Resolving.h"
#include "llvm/Support/xxhash.h"
#include <random>

using namespace llvm;
using namespace xlink;
using namespace xlink::test;

namespace {

/// All that resolving has found out, a line each.
std::vector<std::string> linesOf(const Program &program) {
  std::vector<std::string> lines;
  for (SymbolId id : program.symbols.ids()) {
    const Symbol &s = program.symbols[id];
    std::string line = s.name.str();
    for (uint64_t n :
         {s.hash, s.value, s.size, uint64_t(s.file.index()), uint64_t(s.index),
          uint64_t(s.section.index()), uint64_t(s.order), uint64_t(s.kind),
          uint64_t(s.binding), uint64_t(s.type), uint64_t(s.visibility),
          uint64_t(s.other), uint64_t(s.referenced),
          uint64_t(s.strongReference), uint64_t(s.scriptDefined)})
      line += " " + std::to_string(n);
    if (program.symbols.find(s.name) != id)
      line += " is not found";
    lines.push_back(line);
  }
  for (const InputFile &file : program.files)
    lines.push_back(file.object->path + " " +
                    std::to_string(file.sectionBase.index()) + " " +
                    std::to_string(file.symbolBase));
  for (const InputSection &s : program.sections)
    lines.push_back(std::to_string(s.file.index()) + "." +
                    std::to_string(s.index) + (s.discarded ? " lost" : ""));
  for (SymbolId id : program.symbolIds)
    lines.push_back(std::to_string(id.index()));
  return lines;
}

/// Objects that are resolved several times.
class ManyNames : public testing::Test {
protected:
  HandObject &object() {
    return objects.emplace_back(std::to_string(objects.size()) + ".o");
  }
  size_t symbolCount() const {
    size_t count = 0;
    for (const HandObject &each : objects)
      count += each.object->symbols.size();
    return count;
  }
  /// Resolves with so many threads; the last `lazy` objects are offered.
  std::vector<std::string> resolve(unsigned threads, size_t lazy,
                                   std::string &messages, bool early = false) {
    Resolving r;
    r.config.warnCommon = true;
    r.config.undefined = wanted;
    r.program.parallel = Parallel(threads);
    Diagnostics::Policy policy;
    policy.errorLimit = 0;
    r.diag.setPolicy(policy);
    r.script(script);
    for (size_t i = 0; i < objects.size(); ++i) {
      LoadedInput &input = r.inputs.emplace_back();
      input.object = objects[i].object;
      input.lazy = i + lazy >= objects.size();
    }
    EXPECT_EQ(worthEnteringAtOnce(r.program, symbolCount()), threads >= 4);
    messages = r.resolve(early);
    return linesOf(r.program);
  }
  /// Whether the number of threads makes no difference.
  void compare(size_t lazy) {
    std::string expectedText;
    const std::vector<std::string> expected = resolve(1, lazy, expectedText);
    for (auto [threads, early] :
         {std::pair(1u, true), {2u, true}, {4u, false}, {8u, true}}) {
      std::string text;
      const std::vector<std::string> lines =
          resolve(threads, lazy, text, early);
      EXPECT_TRUE(text == expectedText) << "messages with " << threads;
      ASSERT_EQ(lines.size(), expected.size());
      for (size_t i = 0; i < lines.size(); ++i)
        ASSERT_EQ(lines[i], expected[i]) << "with " << threads;
    }
    messages = expectedText;
  }

  std::deque<HandObject> objects;
  std::vector<std::string> wanted; ///< -u
  std::string script = "SECTIONS { .text : { *(.text) } }";
  std::string messages;
};

// Definitions of each kind, references, groups of which one stays, names that
// the script and the command line know, and members that come in behind.
TEST_F(ManyNames, AsOneByOne) {
  constexpr uint32_t kNames = 20000;
  std::mt19937 random(1);
  auto name = [&] { return "n" + std::to_string(random() % kNames); };
  for (unsigned i = 0; i < 150; ++i) {
    HandObject &o = object();
    o.section(".text", "ax", 64);
    if (i % 3 == 0)
      o.comdat("group" + std::to_string(i % 10));
    for (unsigned k = 0; k < 200; ++k)
      switch (random() % 16) {
      case 0:
        o.define(name(), random() % 64);
        break;
      case 1:
        o.absolute(name(), random() % 2);
        break;
      case 2:
      case 3:
        o.common(name(), 4 << random() % 3, 4);
        break;
      case 4:
      case 5:
        o.refer(name(), ELF::STB_WEAK);
        break;
      case 6:
      case 7:
      case 8:
        o.refer(name());
        break;
      case 9:
        o.define("local", 0, ELF::STB_LOCAL);
        break;
      default:
        o.define(name(), random() % 64, ELF::STB_WEAK);
        o.object->symbols.back().visibility = random() % 4;
      }
  }
  for (unsigned i = 0; i < 5; ++i)
    wanted.push_back(name());
  script += " " + name() + " = 1; PROVIDE(" + name() + " = 2);";
  ASSERT_GT(symbolCount(), 20000u);
  compare(/*lazy=*/20);
  for (const char *text :
       {"duplicate symbol", "multiple common", "overriding smaller common",
        "overridden by larger common", "overridden by definition",
        "overriding common"})
    EXPECT_NE(messages.find(text), std::string::npos) << text;
}

// The search for all of these names begins in the last slots of a region of the
// table, where there is no room for so many.
TEST_F(ManyNames, AtTheEndOfARegion) {
  std::vector<std::string> names;
  for (uint32_t i = 0; names.size() < 120; ++i) {
    std::string name = "end" + std::to_string(i);
    if ((xxh3_64bits(StringRef(name)) & 0x7fff) >= 0x7ffe)
      names.push_back(std::move(name));
  }
  wanted = {names[7], names[50], names[100]};
  for (unsigned i = 0; i < 30; ++i) {
    HandObject &o = object();
    o.section(".text", "ax", 64);
    for (unsigned k = 0; k < 1500; ++k)
      o.define("n" + std::to_string(i * 1000 + k), 0, ELF::STB_WEAK);
    for (unsigned k = 0; k < 50; ++k)
      o.define(names[(i * 7 + k * 11) % names.size()], k, ELF::STB_WEAK);
  }
  compare(/*lazy=*/0);
}

// One file is divided among threads, others have nothing to enter.
TEST_F(ManyNames, OneLargeFile) {
  object();
  HandObject &large = object();
  large.section(".text", "ax", 64);
  for (unsigned k = 0; k < 50000; ++k)
    large.define("n" + std::to_string(k / 2), k % 64,
                 k % 2 ? ELF::STB_WEAK : ELF::STB_GLOBAL);
  object();
  object().refer("n49").refer("n77");
  object();
  compare(/*lazy=*/1);
  EXPECT_EQ(messages, "");
}

} // namespace
