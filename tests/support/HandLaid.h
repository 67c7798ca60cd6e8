//===- HandLaid.h - layouts of hand-made programs, pass by pass -----------===//
//
// A program with a script, and then the values that the passes of layout make,
// each of them at hand:
//
//     HandLaid laid("nyuzi", "SECTIONS { .text : { *(.text) } }");
//     laid.file("a.o").section(".text", "ax", 16, 4);
//     laid.place();  // placement, contents, facts, the start of geometry
//     laid.settle(); // rounds until one changes nothing
//     EXPECT_EQ(laid.at(".text").address, 0u);
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_HANDLAID_H
#define XLINK_TESTS_HANDLAID_H

#include "layout/AddressAssignment.h"
#include "layout/Facts.h"
#include "layout/Placement.h"
#include "layout/Round.h"
#include "layout/SymbolValues.h"
#include "resolve/Resolver.h"
#include "resolve/ScriptSymbols.h"
#include "script/ScriptParser.h"
#include "support/HandMade.h"

namespace xlink::test {

struct HandLaid : HandMade {
  HandLaid(llvm::StringRef machine, std::string script) : HandMade(machine) {
    program.builtinScript = false;
    auto noInclude = [](llvm::StringRef) { return std::nullopt; };
    EXPECT_TRUE(
        parseScript("a.ld", std::move(script), noInclude, program.script, diag))
        << messages();
  }

  /// Everything up to the first round.
  void place() {
    enter();
    declareScriptSymbols(program);
    allocateCommon(program, diag);
    declareAssignedNames(program);
    parseOptionAddresses(program, diag);
    expressions.emplace(program);
    contents.sections.resize(program.sections.size());
    for (SectionId id : program.sections.ids())
      if (const ParsedSection *p = program.sections[id].parsed)
        contents.sections[id].size = p->size;
    placement = placeSections(program, diag);
    placement =
        placeOrphans(program, std::move(placement), contents.liveness, diag);
    begin();
  }
  /// Room for what a round finds, and the facts: again, where a test changes
  /// the placement or the contents.
  void begin() {
    LayoutStart start = startLayout(parts(), diag);
    facts = std::move(start.facts);
    geometry = std::move(start.geometry);
  }
  Geometry round(const Geometry &before, const RoundOptions &options = {}) {
    return runRound(parts(), facts, *expressions, before, options).geometry;
  }
  /// Rounds until one changes nothing; how many changed something.
  unsigned settle() {
    for (unsigned rounds = 0; rounds < 64; ++rounds) {
      Geometry next = round(geometry);
      if (next == geometry)
        return rounds;
      geometry = std::move(next);
    }
    ADD_FAILURE() << "the layout does not settle";
    return 64;
  }
  /// A layout that stands.
  void lay() {
    place();
    settle();
  }
  /// What the round that reports says about a layout that stands.
  std::string problems() {
    RoundOptions options;
    options.diag = &diag;
    EXPECT_EQ(round(geometry, options), geometry);
    return messages();
  }

  Parts parts() const { return {program, placement, contents}; }
  Link link() const { return Link(parts(), facts, geometry); }
  OutputId id(llvm::StringRef name) const {
    const OutputId out = facts.outputNamed(name);
    EXPECT_TRUE(out != kNone) << "no output section " << name.str();
    return out;
  }
  OutputPlace &at(llvm::StringRef name) { return geometry.outputs[id(name)]; }
  OutputFacts &of(llvm::StringRef name) { return facts.outputs[id(name)]; }
  RegionPlace &region(llvm::StringRef name) {
    return geometry.regions[facts.regionNamed(name)];
  }
  RegionId regionId(llvm::StringRef name) const {
    return facts.regionNamed(name);
  }
  /// The value of a symbol in the layout that stands.
  uint64_t value(llvm::StringRef name) const {
    return link().addressOf(link().symbol(symbolNamed(name)));
  }

  std::optional<Expressions> expressions;
  Placement placement;
  Contents contents;
  Facts facts;
  Geometry geometry;
};

} // namespace xlink::test
#endif
