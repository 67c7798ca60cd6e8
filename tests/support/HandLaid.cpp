//===- HandLaid.cpp -------------------------------------------------------===//
#include "support/HandLaid.h"
#include "layout/AddressAssignment.h"
#include "resolve/Resolver.h"
#include "resolve/ScriptSymbols.h"
#include "script/ScriptParser.h"
#include <tuple>

using namespace llvm;

namespace xlink::test {

HandLaid::HandLaid(StringRef machine, std::string script) : HandMade(machine) {
  program.builtinScript = false;
  auto noInclude = [](StringRef) { return std::nullopt; };
  EXPECT_TRUE(
      parseScript("a.ld", std::move(script), noInclude, program.script, diag))
      << messages();
}

HandLaid::~HandLaid() = default;

void HandLaid::place() {
  enter();
  declareScriptSymbols(program);
  allocateCommon(program, diag);
  declareAssignedNames(program);
  parseOptionAddresses(program, diag);
  expressions.emplace(program);
  contributions.sections.resize(program.sections.size());
  for (SectionId id : program.sections.ids())
    if (const ParsedSection *p = program.sections[id].parsed)
      contributions.sections[id].size = p->size;
  placement = placeSections(program, diag);
  placement =
      placeOrphans(program, std::move(placement), contributions.liveness, diag);
  begin();
}

void HandLaid::begin() {
  std::tie(info, addresses) = startLayout(partial(), diag);
}

Addresses HandLaid::round(const Addresses &before,
                          const RoundOptions &options) {
  return runRound(partial(), info, *expressions, before, options).addresses;
}

unsigned HandLaid::settle() {
  for (unsigned rounds = 0; rounds < 64; ++rounds) {
    Addresses next = round(addresses);
    if (next == addresses)
      return rounds;
    addresses = std::move(next);
  }
  ADD_FAILURE() << "the layout does not settle";
  return 64;
}

void HandLaid::lay() {
  place();
  settle();
}

std::string HandLaid::problems() {
  RoundOptions options;
  options.diag = &diag;
  EXPECT_EQ(round(addresses, options), addresses);
  return messages();
}

PartialLink HandLaid::partial() const {
  return {program, placement, contributions};
}

Link HandLaid::link() const { return Link(partial(), info, addresses); }

OutputId HandLaid::id(StringRef name) const {
  const OutputId out = info.outputNamed(name);
  EXPECT_TRUE(out != kNone) << "no output section " << name.str();
  return out;
}

OutputPlace &HandLaid::at(StringRef name) {
  return addresses.outputs[id(name)];
}

OutputSectionInfo &HandLaid::of(StringRef name) {
  return info.outputs[id(name)];
}

RegionPlace &HandLaid::region(StringRef name) {
  return addresses.regions[info.regionNamed(name)];
}

RegionId HandLaid::regionId(StringRef name) const {
  return info.regionNamed(name);
}

uint64_t HandLaid::value(StringRef name) const {
  return link().addressOf(link().symbol(symbolNamed(name)));
}

void LaidSections::lay(const std::string &memory,
                       const std::string &statements) {
  h.emplace(GetParam(), memory + "SECTIONS { " + statements + " }");
  auto taken = [&](const std::string &name) {
    return statements.find(name + ")") != std::string::npos;
  };
  HandObject &a = h->file("a.o");
  if (taken(".text"))
    a.section(".text", "ax", 6, 4);
  if (taken(".rodata") || taken("(.rodata .data"))
    a.section(".rodata", "a", 6, 4);
  if (taken(".data"))
    a.section(".data", "aw", 6, 4);
  if (taken(".bss"))
    a.zeros(".bss", "aw", 8, 4);
  h->lay();
}

} // namespace xlink::test
