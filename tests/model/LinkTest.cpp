//===- LinkTest.cpp - answers that take several results -------------------===//
#include "model/Link.h"
#include "support/HandMade.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;
using testing::ElementsAre;

namespace {

/// Two sections in one output section at 0x1000, each in an item of its own:
/// .text's item stands at 0x10 and the section 4 behind that.
struct Laid : testing::Test {
  Laid() {
    made.file("a.o")
        .section(".text", "ax", 16)
        .define("f", 8, ELF::STB_WEAK, ELF::STT_FUNC)
        .refer("u")
        .refer("w", ELF::STB_WEAK)
        .absolute("n", 42);
    made.file("b.o").section(".data", "aw", 24);
    made.enter();
    text = made.sectionNamed(".text");
    data = made.sectionNamed(".data");
    contributions.sections.resize(made.program.sections.size());
    contributions.sections[text].size = 16;
    contributions.sections[data].size = 24;
    placement.sections.resize(made.program.sections.size());
    OutputSection &out = placement.outputs.emplace_back();
    out.name = ".out";
    out.items = {{nullptr, 0, 1}, {nullptr, 1, 2}};
    out.members = {data, text};
    placement.sections[text].output = placement.sections[data].output =
        OutputId(0);
    placement.number();
    placement.layout = {{nullptr, OutputId(0), kNone}};
    info.outputs.resize(1);
    addresses.outputs.resize(1);
    addresses.outputs[OutputId(0)].address = 0x1000;
    addresses.items.resize(2);
    addresses.items[ItemId(1)].offset = 0x10;
    addresses.offsets.resize(made.program.sections.size());
    addresses.offsets[text] = 4;
  }
  Link link() const {
    return Link({made.program, placement, contributions}, info, addresses);
  }
  /// Lets layout give a name the value `a`.
  void assign(StringRef name, const AssignedSymbol &a) {
    const SymbolId id = made.program.symbols.insert(name);
    made.program.makeAssignable(id);
    addresses.symbols.resize(made.program.slotCount());
    addresses.symbols[made.program.symbols[id].slot] = a;
  }
  BoundSymbol symbol(StringRef name) const {
    return link().symbol(made.symbolNamed(name));
  }

  HandMade made;
  Placement placement;
  Contributions contributions;
  OutputInfo info;
  Addresses addresses;
  SectionId text, data;
};

// Output, item and section: three distances.
TEST_F(Laid, AddressOfASection) {
  EXPECT_EQ(link().addressOf(data), 0x1000u);
  EXPECT_EQ(link().addressOf(text), 0x1014u);
  EXPECT_EQ(link().addressOf(text, 2), 0x1016u);
  EXPECT_EQ(link().section(text).offset, 0x14u);
  EXPECT_EQ(link().section(text).size, 16u);
  EXPECT_TRUE(link().section(text).placed());
  EXPECT_FALSE(link().section(SectionId(0)).placed());
}

TEST_F(Laid, AddressOfASymbol) {
  EXPECT_EQ(link().addressOf(symbol("f")), 0x101cu);
  EXPECT_EQ(link().addressOf(symbol("n")), 42u);
  EXPECT_EQ(link().addressOf(symbol("u")), 0u);
  placement.sections[text].discarded = true;
  EXPECT_EQ(link().addressOf(symbol("f")), 0u) << "it is nowhere";
}

// What begins at the end of the address space does not begin at 0; symbols are
// as scripts see them.
TEST_F(Laid, AddressesDoNotWrap) {
  addresses.outputs[OutputId(0)].address = Address::end();
  EXPECT_TRUE(link().output(OutputId(0)).address.isEnd());
  EXPECT_EQ(link().addressOf(data), Address::end());
  EXPECT_EQ(link().addressOf(data, 4), 4u);
}

TEST_F(Laid, SymbolsWithoutASlotAreTheirInputs) {
  const BoundSymbol f = symbol("f");
  EXPECT_EQ(f.kind, SymbolKind::Defined);
  EXPECT_EQ(f.section, text);
  EXPECT_EQ(f.value, 8u);
  EXPECT_EQ(f.binding, ELF::STB_WEAK);
}

// A slot that nothing has filled leaves the symbol alone.
TEST_F(Laid, SlotsWithoutAValue) {
  assign("f", {});
  EXPECT_EQ(symbol("f").kind, SymbolKind::Defined);
  EXPECT_EQ(symbol("f").value, 8u);
  EXPECT_FALSE(symbol("f").scriptDefined);
}

// What a script assigns replaces all that an input said of the symbol.
TEST_F(Laid, ScriptSymbols) {
  AssignedSymbol a;
  a.kind = SymbolKind::Output;
  a.output = OutputId(0);
  a.value = 0x20;
  a.hidden = true;
  assign("f", a);
  const BoundSymbol f = symbol("f");
  EXPECT_EQ(f.kind, SymbolKind::Output);
  EXPECT_EQ(f.output, OutputId(0));
  EXPECT_EQ(f.section, kNone);
  EXPECT_EQ(f.binding, ELF::STB_GLOBAL);
  EXPECT_EQ(f.type, ELF::STT_NOTYPE);
  EXPECT_EQ(f.size, 0u);
  EXPECT_TRUE(f.scriptDefined);
  EXPECT_TRUE(f.hidden);
  EXPECT_FALSE(f.linkerDefined);
  EXPECT_EQ(link().addressOf(f), 0x1020u);
}

// Names of the linker's own: HIDDEN there is STV_HIDDEN, and no script had a
// hand in it.
TEST_F(Laid, LinkerSymbols) {
  AssignedSymbol a;
  a.kind = SymbolKind::Output;
  a.output = OutputId(0);
  a.linkerDefined = a.hidden = true;
  assign("__start_out", a);
  const BoundSymbol s = symbol("__start_out");
  EXPECT_TRUE(s.linkerDefined);
  EXPECT_FALSE(s.scriptDefined);
  EXPECT_EQ(s.visibility, ELF::STV_HIDDEN);
  EXPECT_EQ(link().addressOf(s), 0x1000u);
}

// A base symbol that no section was found for is the linker's, without a value.
TEST_F(Laid, LinkerSymbolsWithoutAValue) {
  AssignedSymbol a;
  a.linkerDefined = true;
  assign("u", a);
  EXPECT_TRUE(symbol("u").linkerDefined);
  EXPECT_FALSE(symbol("u").isDefined());
}

// A link-time expression computes the value of a symbol that stays its file's.
TEST_F(Laid, ExpressionResults) {
  AssignedSymbol a;
  a.result = true;
  a.value = 43;
  assign("n", a);
  EXPECT_EQ(symbol("n").kind, SymbolKind::Absolute);
  EXPECT_EQ(symbol("n").value, 43u);
  EXPECT_EQ(symbol("n").resolution, Resolution::Known);
  EXPECT_FALSE(symbol("n").scriptDefined);
  EXPECT_EQ(symbol("n").file, FileId(0));
  a.resolution = Resolution::Recursive;
  assign("n", a);
  EXPECT_EQ(symbol("n").resolution, Resolution::Recursive);
}

TEST_F(Laid, LargestSections) {
  EXPECT_THAT(link().largestNotes({text, data}, 5),
              ElementsAre("24 bytes: b.o:(.data)", "16 bytes: a.o:(.text)"));
  EXPECT_THAT(link().largestNotes({text, data}, 1),
              ElementsAre("24 bytes: b.o:(.data)"));
  contributions.sections[text].size = 24;
  EXPECT_THAT(link().largestNotes({text, data}, 1),
              ElementsAre("24 bytes: a.o:(.text)"))
      << "of equal ones the first";
}

TEST_F(Laid, OutputsInOrder) {
  std::vector<std::string> names;
  const Link all = link();
  for (const OutputView &out : all.outputsInOrder())
    names.push_back(out.name);
  EXPECT_THAT(names, ElementsAre(".out"));
  placement.layout.clear();
  for (const OutputView &out : all.outputsInOrder())
    ADD_FAILURE() << out.name << " is not in the layout";
}

// Zeros of threads take no memory, whatever their size.
TEST_F(Laid, Occupies) {
  OutputSectionInfo &f = info.outputs[OutputId(0)];
  auto out = [&] { return link().output(OutputId(0)); };
  addresses.outputs[OutputId(0)].size = 4;
  f.kept = true;
  f.flags = sectionFlags("aw");
  f.type = ELF::SHT_NOBITS;
  EXPECT_TRUE(out().occupies());
  EXPECT_FALSE(out().hasBytes());
  f.flags |= ELF::SHF_TLS;
  EXPECT_FALSE(out().occupies());
  f.type = ELF::SHT_PROGBITS;
  EXPECT_TRUE(out().occupies());
  EXPECT_TRUE(out().hasBytes());
  f.flags = 0;
  EXPECT_FALSE(out().occupies());
  EXPECT_TRUE(out().hasBytes());
}

} // namespace
