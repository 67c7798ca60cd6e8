//===- DemangleTest.cpp - mangled names for people ------------------------===//
#include "base/Demangle.h"
#include <chrono>
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink {
namespace {

// What c++filt (binutils 2.40) prints, but for hashes, which linkers leave out,
// for "> >", and for "[clone .isra.0]".
TEST(Demangle, Cxx) {
  EXPECT_EQ(demangled("_Z3foov"), "foo()");
  EXPECT_EQ(demangled("_ZN4Uart4sendEPKcj"),
            "Uart::send(char const*, unsigned int)");
  EXPECT_EQ(demangled("_ZNSt6vectorIiSaIiEE9push_backEOi"),
            "std::vector<int, std::allocator<int>>::push_back(int&&)");
  EXPECT_EQ(demangled("_ZN1SC1ERKS_"), "S::S(S const&)");
  EXPECT_EQ(demangled("_ZTV1S"), "vtable for S");
  EXPECT_EQ(demangled("_Z1fIJidcEEvDpT_"),
            "void f<int, double, char>(int, double, char)");
  EXPECT_EQ(demangled("_ZN1AcvT_IiEEv"), "A::operator int<int>()");
  EXPECT_EQ(demangled("_Z3foov.isra.0"), "foo() (.isra.0)");
}

TEST(Demangle, Rust) {
  EXPECT_EQ(demangled("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"),
            "core::fmt::Formatter::pad");
  EXPECT_EQ(demangled("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo."
                      ".Bar$LT$Test$GT$$GT$3bar17h930b740aa94f1d3aE"),
            "<Test + 'static as foo::Bar<Test>>::bar");
  EXPECT_EQ(demangled("_RNvCs15kBYyAo9fc_7mycrate7example"),
            "mycrate::example");
  EXPECT_EQ(demangled("_RINvNtC3std3mem8align_ofjdE"),
            "std::mem::align_of::<usize, f64>");
  // No hash: C++'s.
  EXPECT_EQ(demangled("_ZN4core3fmtEv"), "core::fmt()");
}

TEST(Demangle, OthersStayAsTheyAre) {
  for (const char *name :
       {"", "main", "_Z", "_Zfoo", "_R", "_Rust", "_ZN", "Z3foov", "_ZN3foo",
        "_ZN4core3fm17h0123456789abcdefE"})
    EXPECT_EQ(demangled(name), name);
}

/// `doublings` types, each a pair of the one before.
std::string pairs(unsigned doublings) {
  const char *digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  auto reference = [&](unsigned i) {
    std::string text = "S";
    if (i >= 36)
      text += digits[i / 36];
    return text + digits[i % 36] + "_";
  };
  std::string name = "_Z1f1AIiiE";
  for (unsigned i = 0; i < doublings; ++i)
    name += "S_I" + reference(i) + reference(i) + "E";
  return name;
}

/// The same in Rust: tuples of references by position.
std::string tuples(unsigned doublings) {
  auto reference = [](size_t at) {
    const char *digits =
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string text = "_";
    for (--at;; at = at / 62) {
      text.insert(text.begin(), digits[at % 62]);
      if (at < 62)
        return "B" + text;
    }
  };
  std::string name = "INvC1a1b";
  size_t last = name.size();
  name += "TiiE";
  for (unsigned i = 0; i < doublings; ++i) {
    const std::string text = reference(last);
    last = name.size();
    name += "T" + text + text + "E";
  }
  return "_R" + name + "E";
}

TEST(Demangle, SmallExpansions) {
  EXPECT_EQ(demangled(pairs(1)), "f(A<int, int>, A<A<int, int>, A<int, int>>)");
  EXPECT_EQ(demangled(tuples(1)),
            "a::b::<(isize, isize), ((isize, isize), (isize, isize))>");
}

/// 2^300 letters, and nestings that no stack has room for.
TEST(Demangle, HostileNamesStayAsTheyAre) {
  std::string deep;
  for (int i = 0; i < 1500; ++i)
    deep += "ng";
  const auto start = std::chrono::steady_clock::now();
  for (const std::string &name :
       {pairs(30), pairs(300), tuples(40),
        "_Z1f" + std::string(4000, 'P') + "i", "_Z1fIX" + deep + "iEEvv",
        "_Z1fI" + std::string(3000, 'J') + "E", "_Z" + std::string(3000, 'Z'),
        "_Z1fU" + std::string(3000, 'U'), "_Z" + std::string(1 << 20, '1')})
    EXPECT_EQ(demangled(name), name);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

} // namespace
} // namespace xlink
