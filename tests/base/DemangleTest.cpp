//===- DemangleTest.cpp - mangled names for people ------------------------===//
#include "base/Diagnostics.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink {
namespace {

// What c++filt (binutils 2.44) prints, but for hashes, which linkers leave out,
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

/// A name of Rust's older form: `part`, and a hash.
std::string legacy(StringRef part, StringRef hash = "h0123456789abcdef") {
  const auto sized = [](StringRef text) {
    return std::to_string(text.size()) + text.str();
  };
  return "_ZN1a" + sized(part) + sized(hash) + "E";
}

// A hash is "h" and 16 digits in lower case, five or more of them different
// (binutils). All else is a part of a name in C++.
TEST(Demangle, RustHashes) {
  for (const char *hash :
       {"h0123401234012340", "h0000000000001234", "h4321000000000000",
        "habcdeabcdeabcdea", "h0123450123450123", "hffffffffffffabcd"})
    EXPECT_EQ(demangled(legacy("b", hash)), "a::b") << hash;
  for (const char *hash :
       {"h0123012301230123", "h0000000000000123", "h0000000000000000",
        "h012345678901234", "h01234567890123456", "h0123456789ABCDEF",
        "h0123456789abcdeF", "h0123456789abcdeg", "hg123456789abcdef",
        "g0123456789abcdef", "H0123456789abcdef"})
    EXPECT_EQ(demangled(legacy("b", hash)), "a::b::" + std::string(hash));
  // Nothing in front of it.
  EXPECT_EQ(demangled("_ZN17h0123456789abcdefE"), "h0123456789abcdef");
}

TEST(Demangle, RustEscapes) {
  const std::pair<const char *, const char *> shown[] = {
      {"x$SP$y", "x@y"},
      {"x$BP$y", "x*y"},
      {"x$RF$y", "x&y"},
      {"x$LT$y", "x<y"},
      {"x$GT$y", "x>y"},
      {"x$LP$y", "x(y"},
      {"x$RP$y", "x)y"},
      {"x$C$y", "x,y"},
      {"$LT$$GT$", "<>"},
      {"_$LT$y", "<y"},
      {"x_$LT$", "x_<"},
      {"_x", "_x"},
      {"__$LT$", "__<"},
      {"x..y", "x::y"},
      {"x.y", "x.y"},
      {"x...y", "x::.y"},
      // Any character but those that control something, as UTF-8.
      {"$u20$", " "},
      {"$u7e$", "~"},
      {"$u80$", "\xc2\x80"},
      {"$u7ff$", "\xdf\xbf"},
      {"$u800$", "\xe0\xa0\x80"},
      {"$ud7ff$", "\xed\x9f\xbf"},
      {"$ue000$", "\xee\x80\x80"},
      {"$uffff$", "\xef\xbf\xbf"},
      {"$u10000$", "\xf0\x90\x80\x80"},
      {"$u10ffff$", "\xf4\x8f\xbf\xbf"},
  };
  for (const auto &[part, text] : shown)
    EXPECT_EQ(demangled(legacy(part)), "a::" + std::string(text)) << part;
  // No escapes: a name in C++.
  for (const char *part :
       {"$u1f$", "$u0$", "$u7f$", "$ud800$", "$udfff$", "$u110000$", "$u$",
        "$ug$", "$x20$", "$XX$", "$$", "x$", "x$LT", "$u20", "$lt$", "$LTx$"})
    EXPECT_EQ(demangled(legacy(part)),
              "a::" + std::string(part) + "::h0123456789abcdef");
}

// What optimizers put behind a name.
TEST(Demangle, RustSuffixes) {
  EXPECT_EQ(demangled(legacy("b") + ".llvm.42"), "a::b");
  EXPECT_EQ(demangled(legacy("b") + ".llvm."), "a::b");
  EXPECT_EQ(demangled(legacy("b") + ".isra.0"),
            "a::b::h0123456789abcdef (.isra.0)");
  EXPECT_EQ(demangled(legacy("b") + "v"), "a::b::h0123456789abcdef()");
  for (const char *name :
       {"_ZN1a0E", "_ZN1a18h0123456789abcdefE", "_ZN1a17h0123456789abcdef"})
    EXPECT_EQ(demangled(name), name);
}

// The longest name that is shown has 4096 letters.
TEST(Demangle, LongNames) {
  const std::string most(4090, 'n');
  EXPECT_EQ(demangled("_Z4090" + most), most);
  EXPECT_EQ(demangled("_Z4091" + most + "n"), "_Z4091" + most + "n");
}

// 200 parts in each other, of which the whole is one.
TEST(Demangle, DeepNames) {
  const auto pointers = [](size_t count, char kind) {
    return "_Z1f" + std::string(count, kind) + "i";
  };
  EXPECT_EQ(demangled(pointers(198, 'P')),
            "f(int" + std::string(198, '*') + ")");
  EXPECT_EQ(demangled(pointers(199, 'P')), pointers(199, 'P'));
  // Neighbours are not in each other.
  std::string many = "_Z1f", shown = "f(";
  for (int i = 0; i < 300; ++i) {
    many += "i";
    shown += i ? ", int" : "int";
  }
  EXPECT_EQ(demangled(many), shown + ")");
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
  for (const std::string &name :
       {pairs(30), pairs(300), tuples(40),
        "_Z1f" + std::string(4000, 'P') + "i", "_Z1fIX" + deep + "iEEvv",
        "_Z1fI" + std::string(3000, 'J') + "E", "_Z" + std::string(3000, 'Z'),
        "_Z1fU" + std::string(3000, 'U'), "_Z" + std::string(1 << 20, '1')})
    EXPECT_EQ(demangled(name), name);
}

} // namespace
} // namespace xlink
