//===- TypesTest.cpp - types that contradict each other, --dump-types -----===//
#include "link/Linking.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

Linked link(StringRef a, StringRef b, std::vector<std::string> more = {}) {
  LinkHarness links;
  links.file("a.o", statementObject(("code _start\n" + a).str()));
  links.file("b.o", statementObject(b));
  std::vector<std::string> arguments = {"a.o", "b.o"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return links.link(arguments);
}

TEST(Types, Mismatch) {
  const char *warning =
      "xlink: warning: objects state different types for 'f'\n"
      ">>> b.o: int f(int, unsigned char *)\n"
      ">>> a.o: int f(int)\n";
  const char *use = "calls _start f\ntypeinfo f \"f{si}(si)\"";
  const char *definition = "code f\ntypeinfo f \"f{si}(si,p(uc))\"";
  warned(link(use, definition), warning);
  quiet(link(use, definition, {"--no-warn-types"}));
  expectFailure(link(use, definition, {"--fatal-warnings"}),
                "xlink: error: objects state different types for 'f'\n"
                ">>> b.o: int f(int, unsigned char *)\n"
                ">>> a.o: int f(int)\n");
  // The section leaves no trace in the output.
  EXPECT_FALSE(
      quiet(link(use, definition, {"--no-warn-types"})).section(".typeinfo"));
}

TEST(Types, OfAnnotations) {
  warned(link("calls _start x\ntype x 0 \"ui\"", "data x\ntypeinfo x \"si\""),
         "xlink: warning: objects state different types for 'x'\n"
         ">>> b.o: int x\n"
         ">>> a.o: unsigned int x\n");
}

// Callers of one would pass a size that the other does not take.
TEST(Types, Bounds) {
  warned(link("calls _start f\ntypeinfo f \"f{0}(&(a(:uc)),ui)\"",
              "code f\ntypeinfo f \"f{0}(&(a(!1:uc)),ui)\""),
         "xlink: warning: objects state different types for 'f'\n"
         ">>> b.o: void f(unsigned char (&)[argument 2], unsigned int)\n"
         ">>> a.o: void f(unsigned char (&)[], unsigned int)\n"
         ">>> an array's bound is passed with it by one, not by the other\n");
}

TEST(Types, Silent) {
  quiet(link("calls _start f\ntypeinfo f \"f{si}(si)\"",
             "code f\ntypeinfo f \"f{si}(si)\""));
  // Local symbols of one name have nothing to do with each other.
  quiet(link("local f\ntypeinfo f \"si\"", "code f\ntypeinfo f \"ui\""));
  quiet(link("typeinfo f \"si\"", "code f\ntypeinfo f \"ui\""));
}

// Strings that differ and can mean the same: correct programs are full of them.
TEST(Types, Spelling) {
  const std::vector<std::string> asked = {"--warn-type-spelling"};
  // One leaves open what the other says.
  const char *use = "calls _start f\ntypeinfo f \"f{si}()\"";
  const char *definition = "code f\ntypeinfo f \"f{si}(si)\"";
  quiet(link(use, definition));
  warned(link(use, definition, asked),
         "xlink: warning: objects state the type of 'f' in different ways\n"
         ">>> b.o: int f(int)\n"
         ">>> a.o: int f()\n");
  warned(link(use, definition, {"--no-warn-types", "--warn-type-spelling"}),
         "xlink: warning: objects state the type of 'f' in different ways\n"
         ">>> b.o: int f(int)\n"
         ">>> a.o: int f()\n");
  quiet(link(use, definition, {asked[0], "--no-warn-type-spelling"}));
  quiet(link("calls _start f\ntypeinfo f \"a(*:si)\"",
             "data f\ntypeinfo f \"a(4:si)\""));
  // What is volatile in C is not for XC.
  quiet(link("calls _start f\ntypeinfo f \"f{0}(p(v:s(S){}))\"",
             "code f\ntypeinfo f \"f{0}(u:q(s(S){}))\""));
  // A port that another tile has.
  quiet(link("calls _start x\ntype x 0 \"boz:p:8\"",
             "data x\ntype x 0 \"bo:p:8\""));
}

// C and XC spell one declaration in two ways: nothing is left open.
TEST(Types, TwoLanguages) {
  for (const auto &[a, b] : {
           std::pair{"f{si}(a:&(a(:c:uc)),chd)", "f{si}(p(c:uc),ui)"},
           {"f{0}(&(si),&(a(4:ui)),bo:p:32)", "f{0}(p(si),p(ui),ui)"},
           {"f{0}(u:q(s(S){m(a){t}}))", "f{0}(p(s(S){m(a){ui}}))"},
           {"f{0}(swt)", "f{0}(t)"},
       })
    for (bool swapped : {false, true}) {
      std::string first = swapped ? b : a, second = swapped ? a : b;
      quiet(link("calls _start f\ntypeinfo f \"" + first + "\"",
                 "code f\ntypeinfo f \"" + second + "\""));
    }
  // In both, something may be left open as well.
  warned(link("calls _start f\ntypeinfo f \"f{0}(&(s(S){}))\"",
              "code f\ntypeinfo f \"f{0}(p(s(S){m(a){ui}}))\"",
              {"--warn-type-spelling"}),
         "xlink: warning: objects state the type of 'f' in different ways\n"
         ">>> b.o: void f(struct S { unsigned int a; } *)\n"
         ">>> a.o: void f(struct S &)\n");
}

// Each other type is shown once, against the definition's.
TEST(Types, ManyObjects) {
  LinkHarness links;
  std::vector<std::string> files = {"a.o"};
  links.file("a.o", statementObject("code _start\ncalls _start f\n"
                                    "typeinfo f \"si\""));
  for (const char *type : {"ui", "si", "uc", "ui"}) {
    files.push_back("b" + std::to_string(files.size()) + ".o");
    links.file(files.back(),
               statementObject(std::string(files.size() == 4
                                               ? "data f\n"
                                               : "reads g f 1\n"
                                                 "code g" +
                                                     files.back() + "\n") +
                               "typeinfo f \"" + type + "\""));
  }
  warned(links.link(files),
         "xlink: warning: objects state different types for 'f'\n"
         ">>> b3.o: unsigned char f\n"
         ">>> a.o: int f\n"
         "xlink: warning: objects state different types for 'f'\n"
         ">>> b3.o: unsigned char f\n"
         ">>> b1.o: unsigned int f\n");
}

TEST(Types, Malformed) {
  warned(link("calls _start f\ntypeinfo f \"f{si}(si\"",
              "code f\ntypeinfo f \"f{si}(si)\""),
         "xlink: warning: objects state different types for 'f'\n"
         ">>> b.o: int f(int)\n"
         ">>> a.o: f: \"f{si}(si\" (malformed at offset 8: expected ')', found "
         "end)\n");
  // Nobody contradicts: nobody looks.
  quiet(link("", "code f\ntypeinfo f \"?\""));
}

TEST(Types, VeryLong) {
  std::string members;
  for (int i = 0; i < 1000; ++i)
    members += (i ? "," : "") + ("m(member" + std::to_string(i)) + "){si}";
  Linked linked = link("calls _start x\ntypeinfo x \"si\"",
                       "data x\ntypeinfo x \"s(S){" + members + "}\"");
  EXPECT_EQ(linked.status, 0);
  EXPECT_LT(linked.errors.size(), 2200u);
  EXPECT_TRUE(StringRef(linked.errors).contains(" ...\n>>> a.o: int x\n"))
      << linked.errors;
}

TEST(Types, Dump) {
  Linked linked = link(R"--(
  typeinfo _start "f{0}(0)"
  typeinfo c "m:chd"
  typeinfo leds "bo:p:32"
  typeinfo print "f{si}(&(a(:c:uc)),ui)"
  typeinfo bad "p(zz)"
)--",
                       "local n\ntype n \"s(node){m(next){p(s(node){})}}\"\n"
                       "local i\ntype i \"4\"\n"
                       "code t\ntype t 0 \"k:f{0}(z:p,e:si)\"",
                       {"--dump-types"});
  EXPECT_EQ(linked.text,
            "a.o: void _start(void)\n"
            "a.o: streaming chanend c\n"
            "a.o: out buffered port:32 leds\n"
            "a.o: int print(const unsigned char (&)[], unsigned int)\n"
            "a.o: bad: \"p(zz)\"\n"
            "b.o: struct node { struct node *next; } n\n"
            "b.o: 4 bytes i\n"
            "b.o: [[combinable]] void t(port, static const int)\n");
  warned(linked, "xlink: warning: a.o:(.typeinfo): entry 4: the type of 'bad' "
                 "is malformed at offset 2: unknown type 'zz'\n");
  EXPECT_EQ(link("", "code f", {"--dump-types"}).text, "");
}

} // namespace
} // namespace xlink::test
