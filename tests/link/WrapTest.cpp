//===- WrapTest.cpp - --wrap ----------------------------------------------===//
//
// What GNU ld 2.40 makes of x86-64 objects of the same shape is what is
// expected here.
//
//===----------------------------------------------------------------------===//
#include "link/NamedObjects.h"

using namespace llvm;

namespace xlink::test {
namespace {

struct Links {
  const char *machine;
  LinkHarness harness;
  explicit Links(const char *machine) : machine(machine) {}
  Links &object(std::string path, const std::vector<std::string> &definitions,
                const std::vector<std::string> &references = {},
                const std::string &more = "") {
    harness.file(std::move(path),
                 namedObject(machine, definitions, references, more));
    return *this;
  }
  Linked link(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"-e", "0"});
    return harness.link(arguments);
  }
  std::string addresses(std::vector<std::string> arguments) {
    return addressed(quiet(link(std::move(arguments))));
  }
};

TEST(Wrap, ReferencesMeanOtherNames) {
  for (const char *machine : bothClasses) {
    Links links(machine);
    links.object("user.o", {}, {"f", "__real_f", "g"});
    links.object("f.o", {"f", "g"});
    links.object("wrap.o", {"__wrap_f"}, {"__real_f", "f"});
    EXPECT_EQ(links.addresses({"user.o", "f.o", "wrap.o", "--wrap=f"}),
              "__wrap_f f g f __wrap_f");
    EXPECT_EQ(links.addresses({"--wrap", "f", "wrap.o", "f.o", "user.o"}),
              "f __wrap_f __wrap_f f g");
  }
}

// Who defines a symbol refers to his own.
TEST(Wrap, DefinitionsKeepTheirReferences) {
  Links links("nyuzi");
  links.object("a.o", {"f", "__wrap_f"}, {"f"});
  links.object("b.o", {}, {"f"});
  EXPECT_EQ(links.addresses({"a.o", "b.o", "--wrap=f"}), "f __wrap_f");
}

TEST(Wrap, ArchiveMembersAreWantedByTheirOtherNames) {
  for (const char *machine : bothClasses) {
    Links links(machine);
    links.object("user.o", {}, {"f"});
    const Bytes f = namedObject(machine, {"f"});
    const Bytes plain = namedObject(machine, {"__wrap_f"});
    const Bytes calling = namedObject(machine, {"__wrap_f"}, {"__real_f"});
    links.harness.file("plain.a", makeArchive({{"f.o", f}, {"wrap.o", plain}}));
    links.harness.file("calling.a",
                       makeArchive({{"f.o", f}, {"wrap.o", calling}}));
    OutFile out = quiet(links.link({"user.o", "plain.a", "--wrap=f"}));
    EXPECT_EQ(addressed(out), "__wrap_f");
    EXPECT_EQ(out.symbol("f"), nullptr);
    EXPECT_EQ(links.addresses({"user.o", "calling.a", "--wrap=f"}),
              "__wrap_f f");
  }
}

// -u, -e and EXTERN say a symbol's own name.
TEST(Wrap, RequestsMeanTheSymbolItself) {
  Links links("nyuzi");
  links.object("user.o", {}, {"g"});
  links.object("g.o", {"g"});
  links.harness.file("lib.a",
                     makeArchive({{"f.o", namedObject("nyuzi", {"f"})}}));
  OutFile out =
      quiet(links.link({"user.o", "g.o", "lib.a", "-u", "f", "--wrap=f"}));
  EXPECT_NE(out.symbol("f"), nullptr);
  out = quiet(links.harness.link(
      {"user.o", "g.o", "lib.a", "-e", "f", "--wrap=f", "--wrap=x"}));
  EXPECT_EQ(out.entry, out.value("f"));
}

// Expressions of --defsym and scripts are references; what they assign is a
// definition.
TEST(Wrap, Expressions) {
  Links links("nyuzi");
  links.object("user.o", {}, {"f"});
  links.object("f.o", {"f", "__wrap_f"});
  OutFile out =
      quiet(links.link({"user.o", "f.o", "--wrap=f", "--defsym=x=f",
                        "--defsym=y=__real_f", "--defsym=z=DEFINED(f)"}));
  EXPECT_EQ(out.value("x"), out.value("__wrap_f"));
  EXPECT_EQ(out.value("y"), out.value("f"));
  EXPECT_EQ(out.value("z"), 1u);
  EXPECT_EQ(links.addresses({"user.o", "--wrap=f", "--defsym=__wrap_f=0x1234"}),
            "__wrap_f");
  expectFailure(links.link({"user.o", "--wrap=f", "--defsym=f=0x1234"}),
                "xlink: error: undefined symbol: __wrap_f\n"
                ">>> referenced by user.o:(.data+0x0)\n");
}

// A member may be needed by an expression alone, and a PROVIDE by a reference
// that means its name.
TEST(Wrap, ScriptsNeedWhatTheirNamesMean) {
  Links links("nyuzi");
  links.object("user.o", {"g"}, {"g"});
  links.harness.file(
      "lib.a", makeArchive({{"w.o", namedObject("nyuzi", {"__wrap_f"})}}));
  OutFile out =
      quiet(links.link({"user.o", "lib.a", "--wrap=f", "--defsym=x=f"}));
  EXPECT_EQ(out.value("x"), out.value("__wrap_f"));

  links.object("asks.o", {}, {"__real_f"});
  links.harness.file("p.ld", "SECTIONS { PROVIDE(f = 0x40); "
                             "PROVIDE(__wrap_f = 0x80); }");
  out = quiet(links.link({"asks.o", "--wrap=f", "-T", "p.ld"}));
  EXPECT_EQ(addressed(out), "f");
  EXPECT_EQ(out.symbol("__wrap_f"), nullptr);
}

TEST(Wrap, MissingNames) {
  Links links("nyuzi");
  links.object("user.o", {}, {"f", "__real_f"});
  expectFailure(links.link({"user.o", "--wrap=f"}),
                "xlink: error: undefined symbol: __wrap_f\n"
                ">>> referenced by user.o:(.data+0x0)\n"
                "xlink: error: undefined symbol: f\n"
                ">>> referenced by user.o:(.data+0x4)\n");
}

// COMMON is a definition.
TEST(Wrap, CommonSymbolsAreNotWrapped) {
  Links links("nyuzi");
  links.object("common.o", {"g"}, {"f"},
               "  - { Name: f, Index: SHN_COMMON, Binding: STB_GLOBAL, "
               "Value: 4, Size: 4 }\n");
  EXPECT_EQ(links.addresses({"common.o", "--wrap=f"}), "f");
}

// The copy of a group that another file's copy stands in for is a reference.
TEST(Wrap, LostGroupsRefer) {
  const Bytes copy = nyuzi(R"(
Sections:
  - Name: .group
    Type: SHT_GROUP
    Info: f
    Members: [ { SectionOrType: GRP_COMDAT }, { SectionOrType: .rodata.f } ]
  - { Name: .rodata.f, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_GROUP ], Content: '01' }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 4 }
  - { Name: .rela.data, Type: SHT_RELA, Info: .data, Relocations: [ { Offset: 0, Symbol: f, Type: 1 } ] }
Symbols:
  - { Name: f, Section: .rodata.f, Binding: STB_WEAK }
)");
  Links links("nyuzi");
  links.harness.file("a.o", copy).file("b.o", copy);
  links.object("wrap.o", {"__wrap_f"});
  EXPECT_EQ(links.addresses({"a.o", "b.o", "wrap.o", "--wrap=f"}),
            "f __wrap_f");
}

// A name that is wrapped and begins with __real_ is wrapped.
TEST(Wrap, WrappedFirst) {
  Links links("nyuzi");
  links.object("user.o", {}, {"__real_f", "f"});
  links.object("wraps.o", {"__wrap___real_f", "__wrap_f"});
  EXPECT_EQ(
      links.addresses({"user.o", "wraps.o", "--wrap=f", "--wrap=__real_f"}),
      "__wrap___real_f __wrap_f");
}

TEST(Wrap, TracedByWhatReferencesMean) {
  Links links("nyuzi");
  links.object("user.o", {}, {"f"});
  links.object("wrap.o", {"__wrap_f"});
  Linked linked = links.link({"user.o", "wrap.o", "--wrap=f", "-y__wrap_f"});
  EXPECT_EQ(linked.text, "user.o: reference to __wrap_f\n"
                         "wrap.o: definition of __wrap_f\n");
}

} // namespace
} // namespace xlink::test
