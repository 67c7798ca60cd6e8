//===- TypeStringTest.cpp - types as objects spell them -------------------===//
#include "input/TypeString.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace xlink::test {
namespace {

std::string declare(StringRef text, StringRef name = "x") {
  TypeString::Fault fault;
  if (auto type = TypeString::parse(text, fault))
    return type->declare(name);
  return std::to_string(fault.offset) + ": " + fault.text;
}

bool agree(StringRef a, StringRef b) {
  TypeString::Fault fault;
  auto first = TypeString::parse(a, fault),
       second = TypeString::parse(b, fault);
  if (!first || !second) {
    ADD_FAILURE() << a.str() << " and " << b.str() << ": " << fault.text;
    return false;
  }
  EXPECT_EQ(first->agrees(*second), second->agrees(*first));
  return first->agrees(*second);
}

struct Row {
  const char *type, *declaration;
};

// Every row of the grammar.
const Row kRows[] = {
    // Types of C.
    {"0", "void x"},
    {"b", "bool x"},
    {"uc", "unsigned char x"},
    {"sc", "signed char x"},
    {"us", "unsigned short x"},
    {"ss", "short x"},
    {"ui", "unsigned int x"},
    {"si", "int x"},
    {"ul", "unsigned long x"},
    {"sl", "long x"},
    {"ull", "unsigned long long x"},
    {"sll", "long long x"},
    {"ft", "float x"},
    {"d", "double x"},
    {"ld", "long double x"},
    // Qualifiers, in the alphabet's order.
    {"c:si", "const int x"},
    {"v:si", "volatile int x"},
    {"cv:si", "const volatile int x"},
    {"r:p(si)", "int *restrict x"},
    {"crv:p(cv:si)", "const volatile int *const restrict volatile x"},
    {":si", "int x"},
    // Derived types.
    {"p(si)", "int *x"},
    {"p(p(c:uc))", "const unsigned char **x"},
    {"p(c:p(uc))", "unsigned char *const *x"},
    {"a(10:si)", "int x[10]"},
    {"a(*:si)", "int x[]"},
    {"a(:si)", "int x[]"},
    {"a(2:cv:si)", "const volatile int x[2]"},
    {"a(3:a(2:si))", "int x[3][2]"},
    {"a(4:p(si))", "int *x[4]"},
    {"p(a(2:si))", "int (*x)[2]"},
    {"f{si}()", "int x()"},
    {"f{0}(0)", "void x(void)"},
    {"f{0}(si,va)", "void x(int, ...)"},
    {"f{0}(va)", "void x(...)"},
    {"f{p(si)}(p(si),p(f{p(si)}(p(si))))", "int *x(int *, int *(*)(int *))"},
    {"p(f{0}(si))", "void (*x)(int)"},
    {"f{p(f{si}(0))}(0)", "int (*x(void))(void)"},
    {"a(2:p(f{0}(0)))", "void (*x[2])(void)"},
    // Records.
    {"s(S){}", "struct S x"},
    {"s(){}", "struct {} x"},
    {"s(){m(A){si}}", "struct { int A; } x"},
    {"s(S){m(a){si},m(b){p(s(S){})}}", "struct S { int a; struct S *b; } x"},
    {"s(B){m(n){b(4:si)},m(){b(2:ui)},m(){b(4:cv:si)}}",
     "struct B { int n : 4; unsigned int : 2; const volatile int : 4; } x"},
    {"u(U){m(a){si},m(f){ft}}", "union U { int a; float f; } x"},
    {"e(E){m(A){7},m(B){6},m(C){-5}}", "enum E { A = 7, B = 6, C = -5 } x"},
    {"e(){m(EA){3}}", "enum { EA = 3 } x"},
    // XC: references, several results, kinds of functions.
    {"f{0}(&(ui))", "void x(unsigned int &)"},
    {"&(a(:c:uc))", "const unsigned char (&x)[]"},
    {"n:&(si)", "int &?x"},
    {"a:&(a(:uc))", "unsigned char (&alias x)[]"},
    {"f{ui,ui}(w:p,ui)", "{unsigned int, unsigned int} x(void port, unsigned "
                         "int)"},
    {"ft{0}(chd,&(a(:c:uc)),ui)",
     "transaction x(chanend, const unsigned char (&)[], unsigned int)"},
    {"fs{0}(chd)", "select x(chanend)"},
    {"fs{si}(chd)", "select int x(chanend)"},
    {"fe{0}(chd)", "select enable x(chanend)"},
    {"fS{0}(chd)", "service x(chanend)"},
    {"l:f{si}(chd)", "[[clears_notification]] int x(chanend)"},
    {"st:f{0}()", "[[notification]] slave void x()"},
    // XC: pointers that are tracked.
    {"q(si)", "int *x"},
    {"u:q(c:uc)", "const unsigned char *unsafe x"},
    {"a:q(si)", "int *alias x"},
    {"&(x:q(ui))", "unsigned int *movable &x"},
    // XC: resources.
    {"chd", "chanend x"},
    {"m:chd", "streaming chanend x"},
    {"n:chd", "chanend ?x"},
    {"a(3:chd)", "chanend x[3]"},
    {"t", "timer x"},
    {"swt", "timer x"},
    {"ck", "clock x"},
    {":ck", "clock x"},
    {"cr", "tileref x"},
    {"p", "port x"},
    {"w:p", "void port x"},
    {"i:p", "in port x"},
    {"o:p", "out port x"},
    {"no:p", "out port ?x"},
    {"b:p:32", "buffered port:32 x"},
    {"bi:p:32", "in buffered port:32 x"},
    {"bo:p:8", "out buffered port:8 x"},
    {"p:4", "port:4 x"},
    // XC: interfaces.
    {"ic(led){m(set){f{si}(uc,uc)}}",
     "client interface led { int set(unsigned char, unsigned char); } x"},
    {"is(io)s:{m(get){f{0}()},m(put){l:f{0}(u:q(0))}}",
     "server interface io { void get(); [[clears_notification]] void put(void "
     "*unsafe); } x"},
    // XC: tasks that share a logical core, and tasks that need none.
    // [[combinable]] void x(const unsigned, in port, client button_if)
    {"k:f{0}(:ui,i:p,ic(button_if){m(button){f{0}(:si)}})",
     "[[combinable]] void x(unsigned int, in port, client interface button_if "
     "{ void button(int); })"},
    {"k:fe{0}()", "[[combinable]] select enable x()"},
    // [[distributable]] void x(port, clock, static const int, int)
    {"dk:f{0}(p,:ck,e:si,si)",
     "[[distributable]] void x(port, clock, static const int, int)"},
    {"dk:fe{0}()", "[[distributable]] select enable x()"},
    // XC: parameters that are constants of the program.
    // void x(static const int a)
    {"f{0}(e:si)", "void x(static const int)"},
    {"f{0}(e:e(mode){m(A){0}})", "void x(static const enum mode { A = 0 })"},
    // XC: arrays whose size is another parameter, which is shown by its number.
    // transaction x(chanend c, const char src[size], unsigned size)
    {"ft{0}(chd,&(a(!1:c:uc)),ui)",
     "transaction x(chanend, const unsigned char (&)[argument 3], unsigned "
     "int)"},
    // int x(tileref, unsigned size, const unsigned char data[size])
    {"f{si}(cr,ui,&(a(!-1:c:uc)))",
     "int x(tileref, unsigned int, const unsigned char (&)[argument 2])"},
    // void x(char a[n], char b[m], unsigned n, unsigned m)
    {"f{0}(&(a(!2:uc)),n:&(a(!2:uc)),ui,ui)",
     "void x(unsigned char (&)[argument 3], unsigned char (&?)[argument 4], "
     "unsigned int, unsigned int)"},
    // void x(int n, interface { void f(char a[n], unsigned n); } i, char a[n])
    {"f{0}(ui,ic(i){m(f){f{0}(&(a(!1:uc)),ui)}},&(a(!-2:uc)))",
     "void x(unsigned int, client interface i { void f(unsigned char "
     "(&)[argument 2], unsigned int); }, unsigned char (&)[argument 1])"},
    // XC: unsafe things of the machine, which may always be missing.
    // unsafe chanend x
    {"nu:chd", "unsafe chanend x"},
    {"nu:p", "unsafe port x"},
    // unsafe client interface i x
    {"nu:ic(i){m(f){f{0}(0)}}", "unsafe client interface i { void f(void); } "
                                "x"},
    {"n:ic(i){m(f){f{0}(0)}}", "client interface i { void f(void); } ?x"},
    // XC: ports and clocks of another tile.
    // on tile[1]: out buffered port:4 x
    {"z:p", "port x"},
    {"boz:p:4", "out buffered port:4 x"},
    {"z:ck", "clock x"},
    {"a:p", "port x"},
    {"boa:p:8", "out buffered port:8 x"},
    {"a:ck", "clock x"},
    {"noz:p", "out port ?x"},
    // C: the structures and unions without a name of an earlier compiler.
    // struct { unsigned miso, ss; } x
    {"s{m(miso){ui},m(ss){ui}}", "struct { unsigned int miso; unsigned int ss; "
                                 "} x"},
    {"s{}", "struct {} x"},
    {"s(S){m(u){c:u{m(a){v:s{m(b){si}}}}}}",
     "struct S { const union { volatile struct { int b; } a; } u; } x"},
    // Objects of which only the size is stated, in bytes.
    {"24", "24 bytes x"},
    {"1", "1 byte x"},
    // What the tools make themselves: main.parinfo, and in linked programs of
    // earlier ones __main_default_network, __network_node0, __network_links.
    {"pi", "parinfo x"},
    {"g:nw(1:nd)", "network[1] of node x"},
    {"nd(4:cr)", "node[4] of tileref x"},
    {"a(5:nl)", "link x[5]"},
    // What people write in assembly.
    {"f{}(ui,ui)", "void x(unsigned int, unsigned int)"},
    {"f{}()", "void x()"},
    {"f{0}(ui, ui,  si)", "void x(unsigned int, unsigned int, int)"},
    {"f{ui, ui}(0)", "{unsigned int, unsigned int} x(void)"},
    {"s(S){m(a){si}, m(b){si}}", "struct S { int a; int b; } x"},
};

TEST(TypeString, EveryRow) {
  for (const Row &row : kRows) {
    EXPECT_EQ(declare(row.type), row.declaration) << row.type;
    EXPECT_TRUE(agree(row.type, row.type));
  }
}

TEST(TypeString, WithoutAName) {
  EXPECT_EQ(declare("si", ""), "int");
  EXPECT_EQ(declare("p(f{0}(0))", ""), "void (*)(void)");
  EXPECT_EQ(declare("c:p(si)", ""), "int *const");
  EXPECT_EQ(declare("a(3:si)", ""), "int [3]");
  EXPECT_EQ(declare("n:chd", ""), "chanend ?");
}

void expectErrors(llvm::ArrayRef<Row> rows) {
  for (const Row &row : rows)
    EXPECT_EQ(declare(row.type), row.declaration) << row.type;
}

TEST(TypeString, Malformed) {
  expectErrors({
      {"", "0: expected a type, found end"},
      {"zz", "0: unknown type 'zz'"},
      {"(", "0: expected a type, found '('"},
      {"\x01", "0: expected a type, found character"},
      {"si)", "2: unexpected ')' behind the type"},
      {"sisi", "0: unknown type 'sisi'"},
      {"y:si", "0: unknown qualifier 'y'"},
      {"cy:si", "1: unknown qualifier 'y'"},
      {"Z:si", "0: unknown qualifier 'Z'"},
      {"c:", "2: expected a type, found end"},
      {"c:v:si", "2: unknown type 'v'"},
      {"p(si", "4: expected ')', found end"},
      {"p()", "2: expected a type, found ')'"},
      {"&si", "1: expected '(', found 's'"},
      {"a(3si)", "3: expected ':', found 's'"},
      {"a(-1:si)", "2: expected ':', found '-'"},
      {"b(:si)", "2: expected a width, found ':'"},
      {"p:", "0: unknown qualifier 'p'"},
      {"f{si}", "5: expected '(', found end"},
      {"f{si}(si,)", "9: expected a type, found ')'"},
      {"f{si}(va,si)", "6: unknown type 'va'"},
      {"f{si(0)", "4: expected '}', found '('"},
      {"s(S", "3: expected ')', found end"},
      {"s(S)", "4: expected '{', found end"},
      {"s(S){si}", "5: expected 'm', found 's'"},
      {"s(S){m(a)si}", "9: expected '{', found 's'"},
      {"s(S){m(a){si}", "13: expected '}', found end"},
      {"e(E){m(A){x}}", "10: expected a number, found 'x'"},
      {"e(E){m(A){-}}", "11: expected a number, found '}'"},
      {"ic(i)y:{}", "5: unknown qualifier 'y'"},
      // Every parenthesis has a partner.
      {"f{si}(cr,&(a(:ui))))", "19: unexpected ')' behind the type"},
  });
}

// Letters that nobody prints stand where they are known only.
TEST(TypeString, LettersWithoutAPlace) {
  expectErrors({
      {"z:si", "0: unexpected qualifier 'z'"},
      {"cz:si", "1: unexpected qualifier 'z'"},
      {"f{0}(z:chd)", "5: unexpected qualifier 'z'"},
      {"ic(i)z:{}", "5: unexpected qualifier 'z'"},
      {"g:si", "0: unexpected qualifier 'g'"},
      {"g:p", "0: unexpected qualifier 'g'"},
      {"z:", "2: expected a type, found end"},
      {"k:", "2: expected a type, found end"},
      {"dk:f", "3: unknown type 'f'"},
      {"e:", "2: expected a type, found end"},
      {"f", "0: unknown type 'f'"},
      {"f{", "2: expected a type, found end"},
      {"f{}", "3: expected '(', found end"},
      {"f{},0", "3: expected '(', found ','"},
  });
}

TEST(TypeString, ArraysOfASizeThatNoParameterIs) {
  expectErrors({
      {"a(!:ui)", "3: expected a number, found ':'"},
      {"a(!-:ui)", "4: expected a number, found ':'"},
      {"a(!1:ui)", "2: '!' leads to no other parameter"},
      {"f{0}(ui,&(a(!:ui)))", "13: expected a number, found ':'"},
      {"f{0}(ui,&(a(!0:ui)))", "12: '!' leads to no other parameter"},
      {"f{0}(ui,&(a(!-0:ui)))", "12: '!' leads to no other parameter"},
      {"f{0}(ui,&(a(!9:ui)),ui)", "12: '!' leads to no other parameter"},
      {"f{0}(ui,&(a(!2:ui)),ui,va)", "12: '!' leads to no other parameter"},
      {"f{0}(ui,&(a(!-2:ui)))", "12: '!' leads to no other parameter"},
      {"f{0}(ui,&(a(!99999999999999999999:ui)))",
       "12: '!' leads to no other parameter"},
      {"f{0}(ui,&(a(!4294967295:ui)))", "12: '!' leads to no other parameter"},
      {"f{&(a(!1:ui))}(ui,ui)", "6: '!' leads to no other parameter"},
      {"f{0}(s(S){m(a){a(!1:ui)}},ui)", "17: '!' leads to no other parameter"},
      {"f{0}(p(f{0}(&(a(!1:ui)))),ui)", "16: '!' leads to no other parameter"},
      {"f{0}(&(a(!1ui)),ui)", "11: expected ':', found 'u'"},
      {"b(!1:ui)", "2: expected a width, found '!'"},
  });
}

TEST(TypeString, MalformedInOtherWays) {
  expectErrors({
      {"nw(", "3: expected a number, found end"},
      {"nw(:nd)", "3: expected a number, found ':'"},
      {"nw(1nd)", "4: expected ':', found 'n'"},
      {"nw(1:", "5: expected a type, found end"},
      {"nw(1:nd", "7: expected ')', found end"},
      {"nw", "0: unknown type 'nw'"},
      {"s{", "2: expected 'm', found end"},
      {"s{m(a){si}", "10: expected '}', found end"},
      {"e{m(A){1}}", "0: unknown type 'e'"},
      {"s", "0: unknown type 's'"},
      {"00", "1: unexpected '0' behind the type"},
      {"24x", "0: expected a type, found '2'"},
      {"p(24)", "2: expected a type, found '2'"},
      {"c:24", "2: expected a type, found '2'"},
      {" si", "0: expected a type, found ' '"},
      {"f{0}(si ,si)", "7: expected ')', found ' '"},
      {"f{0}(si, )", "9: expected a type, found ')'"},
  });
}

// However deep anybody nests, the decoder's own stack stays small.
TEST(TypeString, Depth) {
  auto nested = [](const char *open, const char *close, int times) {
    std::string text;
    for (int i = 0; i < times; ++i)
      text += open;
    text += "si";
    for (int i = 0; i < times; ++i)
      text += close;
    return text;
  };
  EXPECT_EQ(declare(nested("p(", ")", 200)),
            "int " + std::string(200, '*') + "x");
  EXPECT_EQ(declare(nested("p(", ")", 201)),
            "402: types are nested more than 200 deep");
  EXPECT_EQ(declare(nested("nd(1:", ")", 201)),
            "1005: types are nested more than 200 deep");
  for (const char *open :
       {"p(", "&(", "a(1:", "f{", "s(){m(){", "b(1:", "s{m(){", "u{m(){",
        "f{}(", "nw(1:", "k:f{0}(ui,a(!-1:", "z:a(1:"})
    EXPECT_NE(declare(nested(open, "", 100000))
                  .find("types are nested more than 200 deep"),
              std::string::npos)
        << open;
  EXPECT_EQ(declare(std::string(1000000, '(')),
            "0: expected a type, found '('");
  EXPECT_EQ(declare("s(" + std::string(1000000, 'a')),
            "1000002: expected ')', found end");
  EXPECT_EQ(declare(std::string(1000000, '9')),
            std::string(1000000, '9') + " bytes x");
  EXPECT_EQ(declare("f{0}(a(!" + std::string(1000000, '9') + ":ui),ui)"),
            "7: '!' leads to no other parameter");
}

// Any change of a few characters gives a type or a fault.
TEST(TypeString, Mutants) {
  const char letters[] = "(){}:,&*!-0pfsmuecvzgnk\xff";
  uint32_t random = 12345;
  unsigned decoded = 0, refused = 0;
  for (const Row &row : kRows)
    for (int i = 0; i < 200; ++i) {
      std::string text = row.type;
      for (int k = 0; k < 2; ++k) {
        random = random * 1664525 + 1013904223;
        size_t at = (random >> 8) % text.size();
        text[at] = letters[(random >> 4) % (sizeof letters - 1)];
      }
      TypeString::Fault fault;
      if (auto type = TypeString::parse(text, fault)) {
        ++decoded;
        EXPECT_FALSE(type->declare("x").empty());
      } else {
        ++refused;
        EXPECT_LE(fault.offset, text.size());
        EXPECT_FALSE(fault.text.empty());
      }
    }
  EXPECT_GT(decoded, 100u);
  EXPECT_GT(refused, 1000u);
}

TEST(TypeString, Agreement) {
  EXPECT_FALSE(agree("si", "ui"));
  EXPECT_FALSE(agree("p(si)", "p(c:si)"));
  EXPECT_FALSE(agree("q(si)", "&(si)"));
  EXPECT_FALSE(agree("u:q(si)", "q(si)"));
  EXPECT_FALSE(agree("si", "p(si)"));
  EXPECT_FALSE(agree("f{si}(si)", "f{si}(si,si)"));
  EXPECT_FALSE(agree("f{si}(si)", "f{ui}(si)"));
  EXPECT_FALSE(agree("f{si}(si)", "f{si}(si,va)"));
  EXPECT_FALSE(agree("f{0}(si)", "fs{0}(si)"));
  EXPECT_FALSE(agree("f{si,si}(0)", "f{si}(0)"));
  EXPECT_FALSE(agree("a(2:si)", "a(3:si)"));
  EXPECT_FALSE(agree("p:8", "p:32"));
  EXPECT_FALSE(agree("s(A){m(x){si}}", "s(B){m(x){si}}"));
  EXPECT_FALSE(agree("s(A){m(x){si}}", "s(A){m(y){si}}"));
  EXPECT_FALSE(agree("s(A){m(x){si}}", "s(A){m(x){ui}}"));
  EXPECT_FALSE(agree("s(A){m(x){si}}", "s(A){m(x){si},m(y){si}}"));
  EXPECT_FALSE(agree("s(A){}", "u(A){}"));
  EXPECT_FALSE(agree("e(E){m(A){1}}", "e(E){m(A){2}}"));
  // One leaves open what the other says.
  EXPECT_TRUE(agree("f{si}()", "f{si}(si,p(uc))"));
  EXPECT_TRUE(agree("f{si}()", "f{si}(0)"));
  EXPECT_FALSE(agree("f{si}()", "f{0}(0)"));
  EXPECT_TRUE(agree("a(*:si)", "a(10:si)"));
  EXPECT_TRUE(agree("a(:si)", "a(*:si)"));
  EXPECT_FALSE(agree("a(*:si)", "a(10:ui)"));
  EXPECT_TRUE(agree("p(s(S){})", "p(s(S){m(x){si}})"));
  EXPECT_TRUE(agree("s(S1){m(n){p(s(S2){})}}",
                    "s(S1){m(n){p(s(S2){m(m){p(s(S1){})}})}}"));
  EXPECT_TRUE(agree(":si", "si"));
  // One says it in C, the other in XC.
  EXPECT_TRUE(agree("p(si)", "&(si)"));
  EXPECT_TRUE(agree("p(c:uc)", "a:&(a(:c:uc))"));
  EXPECT_TRUE(agree("p(a(2:si))", "&(a(:a(2:si)))"));
  EXPECT_TRUE(agree("p(a(2:si))", "&(a(2:si))"));
  EXPECT_FALSE(agree("p(a(2:si))", "&(a(:a(3:si)))"));
  EXPECT_TRUE(agree("p(c:uc)", "u:q(c:uc)"));
  EXPECT_FALSE(agree("p(uc)", "u:q(c:uc)"));
  EXPECT_FALSE(agree("p(si)", "&(ui)"));
  EXPECT_FALSE(agree("p(si)", "&(a(:ui))"));
  for (const char *handle : {"chd", "m:chd", "n:chd", "ck", "t", "swt", "cr",
                             "p", "bi:p:32", "ic(i){m(f){f{0}(0)}}"}) {
    EXPECT_TRUE(agree("ui", handle)) << handle;
    EXPECT_FALSE(agree("si", handle)) << handle;
    EXPECT_FALSE(agree("p(ui)", handle)) << handle;
  }
  EXPECT_FALSE(agree("chd", "ck"));
  EXPECT_FALSE(agree("chd", "m:chd"));
}

// Each pair stands in a program that the vendor's tools have linked.
TEST(TypeString, AgreementOfRecords) {
  // A header only declares the structure, in a version that had no name yet.
  EXPECT_TRUE(agree("f{si}(p(s(){}))", "f{si}(p(s(S){m(a){si}}))"));
  EXPECT_TRUE(agree("f{0}(chd,&(s(){}))", "f{0}(ui,p(s(S){m(a){si}}))"));
  EXPECT_TRUE(agree("f{0}(si,e(){})", "f{0}(si,e(E){m(A){0},m(B){1}})"));
  EXPECT_TRUE(agree("u(){}", "u(U){m(a){si}}"));
  EXPECT_TRUE(agree("s(){}", "s(){m(a){si}}"));
  EXPECT_TRUE(agree("s(){}", "s(S){}"));
  EXPECT_FALSE(agree("s(){}", "u(U){m(a){si}}"));
  EXPECT_FALSE(agree("s(){}", "e(){}"));
  EXPECT_FALSE(agree("s(){}", "c:s(S){m(a){si}}"));
  EXPECT_FALSE(agree("s(){}", "si"));
  // With members it is another structure.
  EXPECT_FALSE(agree("s(){m(a){si}}", "s(S){m(a){si}}"));
  EXPECT_FALSE(agree("s(T){}", "s(S){m(a){si}}"));
  // The earlier compiler of C has no parentheses.
  EXPECT_TRUE(agree("s{m(a){ui},m(b){ui}}", "s(){m(a){ui},m(b){ui}}"));
  EXPECT_TRUE(agree("p(c:s{m(port){ui}})", "&(c:s(){m(port){bi:p:8}})"));
  EXPECT_TRUE(agree("p(s(){})", "p(s{m(a){ui}})"));
  EXPECT_TRUE(agree("u{m(a){ui}}", "u(){m(a){ui}}"));
  EXPECT_FALSE(agree("u{m(a){ui}}", "s(){m(a){ui}}"));
  EXPECT_FALSE(agree("s{m(a){ui}}", "s(){m(a){si}}"));
}

TEST(TypeString, AgreementOfTheMachinesThings) {
  // A port of another tile, in earlier and later tools.
  const char *ports[][3] = {{"p", "z:p", "a:p"},
                            {"bo:p:8", "boz:p:8", "boa:p:8"},
                            {"no:p", "noz:p", "noa:p"},
                            {"ck", "z:ck", "a:ck"}};
  for (auto &port : ports)
    for (const char *one : port)
      for (const char *other : port)
        EXPECT_TRUE(agree(one, other)) << one << " " << other;
  EXPECT_TRUE(agree("ui", "z:p"));
  EXPECT_FALSE(agree("z:p", "z:ck"));
  EXPECT_FALSE(agree("oz:p", "iz:p"));
  EXPECT_FALSE(agree("boz:p:8", "bo:p:32"));
  EXPECT_FALSE(agree("a:q(si)", "q(si)"));
  // The order of letters says nothing.
  EXPECT_TRUE(agree("mn:chd", "nm:chd"));
  EXPECT_FALSE(agree("mn:chd", "m:chd"));
  EXPECT_TRUE(agree("t", "swt"));
  EXPECT_TRUE(agree("f{0}(&(a(2:t)))", "f{0}(&(a(2:swt)))"));
  EXPECT_FALSE(agree("t", "n:swt"));
  EXPECT_FALSE(agree("g:nw(1:nd)", "g:nw(3:nd)"));
  EXPECT_FALSE(agree("nd(1:cr)", "nw(1:cr)"));
  EXPECT_FALSE(agree("a(5:nl)", "a(5:nd)"));
}

TEST(TypeString, AgreementOfTheRest) {
  EXPECT_FALSE(agree("k:f{0}()", "f{0}()"));
  EXPECT_FALSE(agree("dk:f{0}()", "k:f{0}()"));
  EXPECT_FALSE(agree("f{0}(e:si)", "f{0}(si)"));
  EXPECT_FALSE(agree("f{0}(e:si)", "f{0}(c:si)"));
  // No result stated.
  EXPECT_TRUE(agree("f{}(ui)", "f{0}(ui)"));
  EXPECT_TRUE(agree("f{}(ui)", "f{0}()"));
  EXPECT_FALSE(agree("f{}(ui)", "f{ui}(ui)"));
  EXPECT_TRUE(agree("f{0}(ui, ui)", "f{0}(ui,ui)"));
  // A size is no type.
  for (const char *type : {"0", "si", "a(3:si)", "f{0}(0)", "p", "s(S){}", "4"})
    EXPECT_TRUE(agree("24", type)) << type;
  // What is volatile in C is often not declared so for XC.
  EXPECT_TRUE(agree("p(v:s(S){m(a){ui}})", "u:q(s(S){m(a){ui}})"));
  EXPECT_TRUE(agree("p(v:si)", "&(si)"));
  EXPECT_TRUE(agree("p(cv:si)", "&(a(:c:si))"));
  EXPECT_TRUE(agree("p(v:si)", "u:q(v:si)"));
  EXPECT_FALSE(agree("p(si)", "u:q(v:si)"));
  EXPECT_FALSE(agree("p(v:si)", "p(si)"));
  EXPECT_FALSE(agree("p(p(v:si))", "u:q(p(si))"));
  EXPECT_FALSE(agree("p(cv:si)", "u:q(si)"));
  EXPECT_FALSE(agree("v:si", "si"));
}

TEST(TypeString, Bounds) {
  auto differ = [](StringRef a, StringRef b) {
    TypeString::Fault fault;
    auto first = TypeString::parse(a, fault),
         second = TypeString::parse(b, fault);
    bool differs = first && second && first->differsInBounds(*second);
    EXPECT_TRUE(first && second && differs == second->differsInBounds(*first));
    return differs;
  };
  // An array whose size is an argument, in XC and in C.
  const char *named = "f{0}(&(a(!1:uc)),ui)";
  EXPECT_TRUE(agree(named, "f{0}(p(uc),ui)"));
  EXPECT_FALSE(agree(named, "f{0}(p(sc),ui)"));
  EXPECT_TRUE(agree("f{0}(ui,&(a(!-1:c:uc)))", "f{0}(ui,p(c:uc))"));
  EXPECT_FALSE(differ(named, "f{0}(p(uc),ui)"));
  EXPECT_FALSE(differ(named, named));
  // One with a size of its own is passed in another way.
  EXPECT_FALSE(agree(named, "f{0}(&(a(:uc)),ui)"));
  EXPECT_TRUE(differ(named, "f{0}(&(a(:uc)),ui)"));
  EXPECT_FALSE(differ(named, "f{0}(&(a(:uc)),si)"));
  EXPECT_FALSE(differ(named, "f{0}(&(a(:sc)),ui)"));
  EXPECT_FALSE(agree(named, "f{0}(&(a(4:uc)),ui)"));
  EXPECT_FALSE(differ(named, "f{0}(&(a(4:uc)),ui)"));
  EXPECT_FALSE(agree("f{0}(&(a(!1:uc)),ui,ui)", "f{0}(&(a(!2:uc)),ui,ui)"));
  EXPECT_FALSE(differ("f{0}(&(a(!1:uc)),ui,ui)", "f{0}(&(a(!2:uc)),ui,ui)"));
  EXPECT_FALSE(differ("si", "ui"));
}

std::string outline(StringRef text) {
  TypeString::Fault fault;
  auto type = TypeString::parse(text, fault);
  return type ? type->outline() : fault.text;
}

// As the names of symbols in linked programs have it.
TEST(TypeString, Outline) {
  for (const char *same :
       {"si", "cv:uc", "p:32", "boz:p", "f{0}(0)", "f{si}()",
        "f{si}(p(c:uc),va)", "f{ui,chd}(n:&(a(:uc)),u:q(si))", "a(4:a(*:si))",
        "f{0}(&(a(!1:uc)),ui)", "f{0}(ui,&(a(!-1:uc)))", "b(3:ui)",
        "g:nw(2:nd(4:cr))", "4"})
    EXPECT_EQ(outline(same), StringRef(same) == "a(4:a(*:si))"
                                 ? "a(4:a(:si))"
                                 : std::string(same));
  EXPECT_EQ(outline("f{0}(p(c:s(node){m(next){p(s(node){})}}),e(E){m(A){1}})"),
            "f{0}(p(c:s(){}),e(){})");
  EXPECT_EQ(outline("u{m(a){ui},m(b){ss}}"), "u(){}");
}

} // namespace
} // namespace xlink::test
