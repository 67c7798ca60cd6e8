//===- DiagnosticsTest.cpp ------------------------------------------------===//
#include "base/Diagnostics.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace xlink;
using testing::ElementsAre;

namespace {

std::string print(const Diagnostics &diag) {
  std::string out;
  for (const Diagnostic &d : diag.all())
    out += Diagnostics::format(d, false);
  return out;
}

Diagnostics::Policy limit(uint64_t errors) {
  Diagnostics::Policy policy;
  policy.errorLimit = errors;
  return policy;
}

// The neighbours of each range of characters that steer what shows them
// (ECMA-48 5.3, Unicode 9.8 and 23.2), and what is no UTF-8 (RFC 3629, 4).
TEST(Printable, WhatSteersIsShown) {
  for (const char *text :
       {" ", "~", "\t", "\u00a0", "\u061b", "\u061d", "\u200d", "\u2010",
        "\u2027", "\u202f", "\u2065", "\u206a", "\u5909\u00df\U0001f600"})
    EXPECT_EQ(printable(text), text);
  const std::pair<const char *, const char *> shown[] = {
      {"\x01\x08\n\x1f", "\\x01\\x08\\x0a\\x1f"},
      {"a\x7f", "a\\x7f"},
      {"\u0080\u009f", "\\xc2\\x80\\xc2\\x9f"},
      {"\u061c", "\\xd8\\x9c"},
      {"\u200e\u200f", "\\xe2\\x80\\x8e\\xe2\\x80\\x8f"},
      {"\u2028\u202e", "\\xe2\\x80\\xa8\\xe2\\x80\\xae"},
      {"\u2066\u2069", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9"},
      {"\x80z\x9b", "\\x80z\\x9b"},
      {"\xc3", "\\xc3"},
      {"\xc0\xae", "\\xc0\\xae"},
      {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
      {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"}};
  for (const auto &[text, expected] : shown)
    EXPECT_EQ(printable(text), expected);
  EXPECT_EQ(printable(llvm::StringRef("\0", 1)), "\\x00");
  EXPECT_EQ(printableLines("a\x1b\n\nb\r\n"), "a\\x1b\n\nb\\x0d\n");
  EXPECT_EQ(printableLines(""), "");
}

TEST(Diagnostics, FormatsErrorsWithNotes) {
  Diagnostics diag;
  diag.error("undefined symbol: main", {"referenced by a.o", "in b"});
  diag.warn(WarningGroup::Entry, "no entry");
  diag.note("a.o");
  EXPECT_EQ(print(diag), "xlink: error: undefined symbol: main\n"
                         ">>> referenced by a.o\n"
                         ">>> in b\n"
                         "xlink: warning: no entry\n"
                         "a.o\n");
  EXPECT_EQ(diag.errorCount(), 1u);
  EXPECT_TRUE(diag.failed());
}

// A name of a file cannot begin a line of its own or steer a terminal.
TEST(Diagnostics, ShowsControlCharacters) {
  Diagnostics diag;
  diag.error("undefined symbol: a\nxlink: error: b\x1b[2J",
             {"in \x7f\r", "tab\tand \xc3\xa4 stay"});
  EXPECT_EQ(print(diag),
            "xlink: error: undefined symbol: a\\x0axlink: error: b\\x1b[2J\n"
            ">>> in \\x7f\\x0d\n"
            ">>> tab\tand \xc3\xa4 stay\n");
}

TEST(Diagnostics, ColorsTheSeverityAlone) {
  EXPECT_EQ(Diagnostics::format(
                {Severity::Error, WarningGroup::General, "x", {"y"}}, true),
            "xlink: \x1b[0;1;31merror: \x1b[0mx\n>>> y\n");
  EXPECT_EQ(Diagnostics::format(
                {Severity::Warning, WarningGroup::General, "x", {}}, true),
            "xlink: \x1b[0;1;35mwarning: \x1b[0mx\n");
}

TEST(Diagnostics, StopsAtTheLimitAndCountsOn) {
  Diagnostics diag;
  diag.setPolicy(limit(2));
  for (int i = 0; i != 5; ++i) {
    diag.error(std::string("e").append(std::to_string(i)));
    diag.warn(WarningGroup::General,
              std::string("w").append(std::to_string(i)));
  }
  EXPECT_EQ(print(diag), "xlink: error: e0\n"
                         "xlink: warning: w0\n"
                         "xlink: error: e1\n"
                         "xlink: warning: w1\n"
                         "xlink: error: too many errors emitted, stopping now "
                         "(use --error-limit=0 to see all errors)\n");
  EXPECT_EQ(diag.errorCount(), 5u);
  EXPECT_TRUE(diag.saturated());
}

TEST(Diagnostics, ExactlyTheLimitIsNotTooMany) {
  Diagnostics diag;
  diag.setPolicy(limit(2));
  diag.error("a");
  EXPECT_FALSE(diag.saturated());
  diag.error("b");
  EXPECT_EQ(diag.all().size(), 2u);
  EXPECT_EQ(diag.all().back().text, "b");
}

// Three errors of a family are shown. Its count stands below the last of them,
// also where the limit is reached before.
TEST(Diagnostics, FamiliesAreCountedBelowTheirLastMessage) {
  for (const uint64_t others : {0, 2, 4, 5}) {
    Diagnostics diag;
    diag.setPolicy(limit(5));
    for (uint64_t i = 0; i < others; ++i)
      diag.error("other");
    for (int i = 0; i < 10; ++i)
      diag.error("far relocations", [] { return Message{"far"}; });
    diag.countHidden();
    std::string expected;
    for (uint64_t i = 0; i < others; ++i)
      expected += "xlink: error: other\n";
    const uint64_t shown = std::min<uint64_t>(3, 5 - others);
    for (uint64_t i = 0; i < shown; ++i)
      expected += "xlink: error: far\n";
    if (shown)
      expected += ">>> and " + std::to_string(10 - shown) +
                  " more far relocations (use --error-limit=0 to see all)\n";
    if (others + 3 > 5)
      expected += "xlink: error: too many errors emitted, stopping now (use "
                  "--error-limit=0 to see all errors)\n";
    EXPECT_EQ(print(diag), expected) << others;
    EXPECT_EQ(diag.errorCount(), others + 10);
  }
}

TEST(Diagnostics, NoLimit) {
  Diagnostics diag;
  diag.setPolicy(limit(0));
  for (int i = 0; i != 100; ++i)
    diag.error("e");
  EXPECT_EQ(diag.all().size(), 100u);
  EXPECT_FALSE(diag.saturated());
}

// Of what can be wrong a hundred thousand times, text is made only for what is
// shown.
TEST(Diagnostics, ComposesWhatIsShown) {
  unsigned composed = 0;
  const auto report = [&](Diagnostics &diag) {
    composed = 0;
    for (unsigned i = 0; i != 100000; ++i) {
      const auto compose = [&] {
        ++composed;
        return Message{std::to_string(i), {"note"}};
      };
      diag.error(compose);
      diag.warn(WarningGroup::Script, compose);
    }
  };
  Diagnostics some;
  report(some);
  EXPECT_EQ(composed, 40u);
  EXPECT_EQ(some.errorCount(), 100000u);
  EXPECT_EQ(some.all().size(), 41u);

  Diagnostics all;
  all.setPolicy(limit(0));
  report(all);
  EXPECT_EQ(composed, 200000u);
  EXPECT_EQ(all.all().size(), 200000u);

  Diagnostics::Policy policy;
  policy.disabledGroups = {"script"};
  Diagnostics quiet;
  quiet.setPolicy(policy);
  report(quiet);
  EXPECT_EQ(composed, 20u);
}

// A message says the same composed at once or when it is needed.
TEST(Diagnostics, ComposingChangesNothing) {
  for (uint64_t most : {0, 1, 3})
    for (bool fatal : {false, true}) {
      Diagnostics::Policy policy = limit(most);
      policy.fatalWarnings = fatal;
      policy.disabledGroups = {"entry"};
      Diagnostics eager, lazy;
      eager.setPolicy(policy);
      lazy.setPolicy(policy);
      for (int i = 0; i != 4; ++i) {
        const Message m{std::to_string(i), {"note"}};
        const auto compose = [&] { return m; };
        for (WarningGroup group : {WarningGroup::Script, WarningGroup::Entry}) {
          eager.warn(group, m.text, m.notes);
          lazy.warn(group, compose);
        }
        eager.error(m.text, m.notes);
        lazy.error(compose);
      }
      EXPECT_EQ(print(lazy), print(eager)) << most << fatal;
      EXPECT_EQ(lazy.errorCount(), eager.errorCount()) << most << fatal;
    }
}

TEST(Diagnostics, FatalWarningsAreErrors) {
  Diagnostics diag;
  Diagnostics::Policy policy;
  policy.fatalWarnings = true;
  diag.setPolicy(policy);
  diag.warn(WarningGroup::Script, "x");
  diag.warn(WarningGroup::Entry, [] { return Message{"y"}; });
  EXPECT_EQ(print(diag), "xlink: error: x\nxlink: error: y\n");
  EXPECT_EQ(diag.all()[1].group, WarningGroup::Entry);
  EXPECT_TRUE(diag.all()[0].promoted && diag.all()[1].promoted);
  EXPECT_TRUE(diag.failed());
}

TEST(Diagnostics, WarningsCanBeSwitchedOff) {
  Diagnostics::Policy policy;
  policy.fatalWarnings = true;
  policy.noWarnings = true;
  Diagnostics none;
  none.setPolicy(policy);
  none.warn(WarningGroup::Script, "x");
  EXPECT_TRUE(none.all().empty());
  EXPECT_FALSE(none.failed());

  Diagnostics some;
  policy = {};
  policy.disabledGroups = {"script"};
  some.setPolicy(policy);
  some.warn(WarningGroup::Script, "x");
  some.warn(WarningGroup::Entry, "y");
  EXPECT_EQ(print(some), "xlink: warning: y\n");
}

TEST(Diagnostics, BuffersKeepTheirOrder) {
  Diagnostics diag;
  DiagnosticBuffer first, second;
  second.error("c");
  first.error("a", {"n"});
  first.warn(WarningGroup::Flags, "b");
  diag.append(std::move(first));
  diag.append(std::move(second));
  EXPECT_EQ(print(diag), "xlink: error: a\n>>> n\nxlink: warning: b\n"
                         "xlink: error: c\n");
}

TEST(Diagnostics, GroupsHaveDistinctNames) {
  std::vector<std::string> names;
  for (int g = 0; g != int(WarningGroup::Count_); ++g)
    names.push_back(warningGroupName(WarningGroup(g)));
  EXPECT_THAT(
      names,
      ElementsAre(
          "general", "relocation", "flags", "expression", "entry", "script",
          "orphan", "symbol", "symbol-ordering", "parallel-usage", "types",
          "stack", "type-spelling", "load-range", "load-align", "region-rights",
          "region-overlap", "same-address", "dropped-table", "gc-root",
          "image-gap", "stack-room", "load-symbol", "never-copied",
          "copy-offset", "outside-marks", "shadowed-pattern", "zero-end",
          "vector-align", "self-load", "noload-behind", "mangled-handler",
          "misspelt-handler", "weak-before-archive"));
}

TEST(Hex, Prints) {
  EXPECT_EQ(hex(0), "0x0");
  EXPECT_EQ(hex(0x1c), "0x1c");
  EXPECT_EQ(hex(~uint64_t(0)), "0xffffffffffffffff");
}

std::string near(llvm::StringRef name, std::vector<llvm::StringRef> list) {
  return nearestSpelling(name, list);
}

TEST(NearestSpelling, FindsOneEdit) {
  EXPECT_EQ(near("prinft", {"scanf", "printf", "puts"}), "printf"); // swapped
  EXPECT_EQ(near("pritf", {"scanf", "printf"}), "printf");          // missing
  EXPECT_EQ(near("printff", {"printf"}), "printf");                 // extra
  EXPECT_EQ(near("brintf", {"printf"}), "printf");                  // other
}

TEST(NearestSpelling, CaseAndUnderscoresAreNearest) {
  EXPECT_EQ(near("Reset_Handler", {"reset_handler", "Reset_handlers"}),
            "reset_handler");
  EXPECT_EQ(near("_start", {"start", "_stars"}), "start");
  EXPECT_EQ(near("main", {"__main", "maim"}), "__main");
  EXPECT_EQ(near("A", {"a"}), "a");
}

TEST(NearestSpelling, FarIsFar) {
  EXPECT_EQ(near("foo", {"bar", "fooooo", ""}), "");
  EXPECT_EQ(near("ab", {"ac", "abc"}), ""); // too short to be sure
  EXPECT_EQ(near("alpha", {"alps"}), "");   // two edits in five letters
  EXPECT_EQ(near("", {"a"}), "");
  EXPECT_EQ(near("_", {"__"}), "");
  EXPECT_EQ(near("same", {"same"}), "");
}

TEST(NearestSpelling, LongNamesAllowThreeEdits) {
  EXPECT_EQ(near("undefined_reference", {"undefind_refernce"}),
            "undefind_refernce");
  EXPECT_EQ(near("undefined_reference", {"ndefind_refernc"}), "");
}

TEST(NearestSpelling, TheOrderOfCandidatesDoesNotMatter) {
  EXPECT_EQ(near("value1", {"value3", "value2"}), "value2");
  EXPECT_EQ(near("value1", {"value2", "value3"}), "value2");
  EXPECT_EQ(near("value", {"valve", "Value"}), "Value");
  EXPECT_EQ(near("value", {"Value", "valve"}), "Value");
}

TEST(NearestSpelling, OfManyCandidates) {
  std::vector<std::string> names;
  for (int i = 0; i != 200000; ++i)
    names.push_back("_ZN5space" + std::to_string(i * 2654435761u) + "Ev");
  names.push_back("_ZN5space7missingEv");
  std::vector<llvm::StringRef> candidates(names.begin(), names.end());
  EXPECT_EQ(nearestSpelling("_ZN5space7misingEv", candidates),
            "_ZN5space7missingEv");
}

} // namespace
