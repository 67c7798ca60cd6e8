//===- ExpressionSetTest.cpp - values that many objects contribute to -----===//
//
// A call through a pointer needs what the greediest function needs whose
// address is taken. Each such function's object puts its need into a set, for
// as long as the function is linked; the caller's object takes the maximum.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

/// A function `name` with a section of its own, and what it puts into the set
/// `group` while it is live.
Bytes member(StringRef name, unsigned words, StringRef group = "group") {
  return statementObject(("code " + name + "\nresult " + name +
                          ".nstackwords\nsum " + name + ".nstackwords " +
                          Twine(words) + " 0\nelement " + group + " " + name +
                          ".nstackwords " + name + "\n")
                             .str());
}

TEST(ExpressionSet, MaximumAndSumOverAllObjects) {
  LinkHarness links;
  links.file("main.o", statementObject("code _start\n"
                                       "result most total\n"
                                       "setmax most group 0\n"
                                       "setsum total group 100\n"));
  links.file("f.o", member("f", 7));
  links.file("g.o", member("g", 12));
  links.file("h.o", member("h", 9));
  for (auto files : {std::vector<std::string>{"main.o", "f.o", "g.o", "h.o"},
                     std::vector<std::string>{"h.o", "g.o", "f.o", "main.o"}}) {
    OutFile out = quiet(links.link(files));
    EXPECT_EQ(out.value("most"), 12u);
    EXPECT_EQ(out.value("total"), 128u);
  }
  // What it begins with counts as well, and is all there is of an empty set.
  OutFile alone = quiet(links.link({"main.o"}));
  EXPECT_EQ(alone.value("most"), 0u);
  EXPECT_EQ(alone.value("total"), 100u);
  EXPECT_FALSE(alone.symbol("group")) << "only expressions name it";
}

TEST(ExpressionSet, ElementsOfCollectedFunctionsDoNotCount) {
  LinkHarness links;
  links.file("main.o", statementObject("code _start\n"
                                       "result most\n"
                                       "setmax most group 1\n"
                                       "bl _start f\n"));
  links.file("f.o", member("f", 7));
  links.file("g.o", member("g", 12));
  EXPECT_EQ(quiet(links.link({"main.o", "f.o", "g.o"})).value("most"), 12u);
  EXPECT_EQ(quiet(links.link({"--gc-sections", "main.o", "f.o", "g.o"}))
                .value("most"),
            7u);
}

TEST(ExpressionSet, LocalSetsAreTheirObjects) {
  LinkHarness links;
  auto object = [](StringRef name, unsigned words) {
    return statementObject(("code " + name + "\nresult " + name +
                            ".most\nlocalresult set\nelement set " +
                            Twine(words) + " " + name + "\nsetmax " + name +
                            ".most set 0\n")
                               .str());
  };
  links.file("a.o", object("_start", 3));
  links.file("b.o", object("f", 5));
  OutFile out = quiet(links.link({"a.o", "b.o"}));
  EXPECT_EQ(out.value("_start.most"), 3u);
  EXPECT_EQ(out.value("f.most"), 5u);
}

// An element without a value leaves the whole without one: it could be any.
TEST(ExpressionSet, UndefinedElement) {
  LinkHarness links;
  links.file("main.o", statementObject("code _start\n"
                                       "result most known\n"
                                       "setmax most group 4\n"
                                       "defined known most\n"
                                       "element group unknown _start\n"));
  OutFile out = quiet(links.link({"main.o"}));
  EXPECT_EQ(out.value("most"), 0u);
  EXPECT_EQ(out.value("known"), 0u);
  // Without the function that it is stated for it is no element.
  links.file("main.o", statementObject("code _start\n"
                                       "result most known\n"
                                       "setmax most group 4\n"
                                       "defined known most\n"
                                       "element group unknown elsewhere\n"));
  out = quiet(links.link({"main.o"}));
  EXPECT_EQ(out.value("most"), 4u);
  EXPECT_EQ(out.value("known"), 1u);
}

// A function that calls through a pointer which may be its own address.
TEST(ExpressionSet, Recursion) {
  LinkHarness links;
  const std::string shared = "code _start\n"
                             "result most f.maxtimers f.nstackwords\n"
                             "element group f.maxtimers _start\n"
                             "element group 6 _start\n"
                             "setmax most group 0\n";
  links.file("main.o", statementObject(shared + "max f.maxtimers 2 most\n"));
  OutFile out = quiet(links.link({"main.o"}));
  EXPECT_EQ(out.value("most"), 6u) << "calling itself takes no more of them";
  EXPECT_EQ(out.value("f.maxtimers"), 6u);
  links.file("main.o", statementObject(shared + "sum f.maxtimers 2 most\n"));
  out = quiet(links.link({"main.o"}));
  EXPECT_EQ(out.value("most"), 0u) << "the stack has no bound";
}

// What start-up code of the vendor's tools reserves: the program's stack where
// it is known, 288 words where it is not.
TEST(ExpressionSet, ReservedStack) {
  LinkHarness links;
  const char reserved[] = "code _start\n"
                          "result reserved\n"
                          "localresult known\n"
                          "defined known main.nstackwords\n"
                          "choice reserved known main.nstackwords 288\n";
  links.file("crt.o", statementObject(reserved));
  EXPECT_EQ(quiet(links.link({"crt.o"})).value("reserved"), 288u);
  links.file("main.o", statementObject("result main.nstackwords\n"
                                       "sum main.nstackwords 30 4\n"));
  EXPECT_EQ(quiet(links.link({"crt.o", "main.o"})).value("reserved"), 34u);
  // What decides has to have a value.
  links.file("crt.o", statementObject("code _start\n"
                                      "result r known\n"
                                      "choice r unknown 1 2\n"
                                      "defined known r\n"));
  EXPECT_EQ(quiet(links.link({"crt.o"})).value("known"), 0u);
}

} // namespace
} // namespace xlink::test
