//===- DiagnosticFormatTest.cpp - messages as text, gcc and JSON ----------===//
#include "base/Diagnostics.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace xlink;

namespace {

Diagnostic error(std::string text, std::vector<std::string> notes = {}) {
  return {Severity::Error, WarningGroup::General, std::move(text),
          std::move(notes)};
}
Diagnostic warning(WarningGroup group, std::string text) {
  return {Severity::Warning, group, std::move(text), {}};
}
std::string as(MessageFormat format, const Diagnostic &d) {
  return formatDiagnostic(d, format, /*color=*/false);
}

/// A place in one line, parts that are missing left out.
std::string shown(const MessagePlace &p) {
  std::string s = p.file;
  if (!p.section.empty())
    s += " " + p.section;
  if (p.offset)
    s += " " + hex(*p.offset);
  if (p.column)
    s += " " + std::to_string(p.line) + ":" + std::to_string(p.column);
  if (p.sourceLine)
    s += " | " + p.sourceFile + " " + std::to_string(p.sourceLine);
  return s;
}

TEST(DiagnosticFormat, PlacesInTexts) {
  const std::pair<const char *, const char *> cases[] = {
      {"a.o:(.text+0x1c): relocation R out of range", "a.o .text 0x1c"},
      {"lib.a(m.o):(.text.f+0x0): odd", "lib.a(m.o) .text.f 0x0"},
      {"my dir/a b.o:(.data): odd", "my dir/a b.o .data"},
      {"a.ld:3:14: unknown command 'x'", "a.ld 3:14"},
      {"c:dir/a.ld:3:14: odd", "c:dir/a.ld 3:14"},
      {"<internal:nyuzi>:7:2: odd", "<internal:nyuzi> 7:2"},
      {"a.o: not an object", "a.o"},
      {"undefined symbol: main", ""},
      {"option '-Ttext': undefined symbol 'b'", ""},
      {"a.ld:0:1: odd", "a.ld:0:1"},
      {"README.md: no object; as a script: 3:1: unknown", "README.md"},
      {"cannot open a.o", ""},
      {"", ""},
  };
  for (const auto &[text, place] : cases)
    EXPECT_EQ(shown(placeInText(text)), place) << text;
}

TEST(DiagnosticFormat, PlacesInNotes) {
  const std::pair<const char *, const char *> cases[] = {
      {"referenced by a.o:(.text+0x10) in main at src/work.c:12",
       "a.o .text 0x10 | src/work.c 12"},
      {"referenced by my a.o:(.text+0x10) in main", "my a.o .text 0x10"},
      {"references 'table' defined in t.o:(.rodata+0x8)", "t.o .rodata 0x8"},
      {"at src/work.c:12", " | src/work.c 12"},
      {"defined in: b.o", ""},
      {"execution starts at 0x80000000", ""},
      {"24 bytes: a.o:(.text)", "a.o .text"},
      {"", ""},
  };
  for (const auto &[text, place] : cases)
    EXPECT_EQ(shown(placeInNote(text)), place) << text;
}

TEST(DiagnosticFormat, TextNamesTheOptionOfAWarning) {
  EXPECT_EQ(as(MessageFormat::Text, warning(WarningGroup::Script, "odd")),
            "xlink: warning: odd [--no-warn-script]\n");
  Diagnostic promoted = warning(WarningGroup::Entry, "odd");
  promoted.severity = Severity::Error;
  promoted.promoted = true;
  EXPECT_EQ(as(MessageFormat::Text, promoted),
            "xlink: error: odd [--fatal-warnings, --no-warn-entry]\n");
  EXPECT_EQ(as(MessageFormat::Text, error("odd")), "xlink: error: odd\n");
}

TEST(DiagnosticFormat, TextShowsTheExcerptBeforeNotes) {
  Diagnostic d = error("a.ld:1:3: odd", {"note"});
  d.excerpt = {"x y", "  ^"};
  EXPECT_EQ(as(MessageFormat::Text, d), "xlink: error: a.ld:1:3: odd\n"
                                        ">>> x y\n"
                                        ">>>   ^\n"
                                        ">>> note\n");
}

// What the editor jumps to is the script, else the first line of source.
TEST(DiagnosticFormat, GccHasThePlaceInFront) {
  Diagnostic d = error("a.ld:1:3: odd", {"x y", "  ^", "note"});
  EXPECT_EQ(as(MessageFormat::Gcc, d), "a.ld:1:3: error: odd\n"
                                       "  x y\n"
                                       "    ^\n"
                                       "xlink: note: note\n");
  EXPECT_EQ(as(MessageFormat::Gcc,
               error("undefined symbol: f",
                     {"referenced by a.o:(.text+0x0) in main at src/a.c:3",
                      "referenced by a.o:(.text+0x8) in main at src/a.c:5",
                      "did you mean: g"})),
            "src/a.c:3: error: undefined symbol: f\n"
            "src/a.c:3: note: referenced by a.o:(.text+0x0) in main at "
            "src/a.c:3\n"
            "src/a.c:5: note: referenced by a.o:(.text+0x8) in main at "
            "src/a.c:5\n"
            "xlink: note: did you mean: g\n");
  EXPECT_EQ(as(MessageFormat::Gcc,
               error("a.o:(.text+0x0): out of range", {"at src/a.c:3"})),
            "src/a.c:3: error: a.o:(.text+0x0): out of range\n");
  EXPECT_EQ(as(MessageFormat::Gcc, warning(WarningGroup::Flags, "a\x1b")),
            "xlink: warning: a\\x1b [--no-warn-flags]\n");
  EXPECT_EQ(formatDiagnostic(d, MessageFormat::Gcc, true).substr(0, 34),
            "a.ld:1:3: \x1b[0;1;31merror: \x1b[0modd\n");
}

TEST(DiagnosticFormat, JsonIsAnObjectALine) {
  EXPECT_EQ(
      as(MessageFormat::Json,
         error("a.o:(.text+0x10): odd",
               {"at src/a.c:3", "defined in b.o:(.data+0x1)"})),
      R"j({"version":1,"severity":"error","text":"a.o:(.text+0x10): odd",)j"
      R"j("file":"a.o","section":".text","offset":16,)j"
      R"j("source":{"file":"src/a.c","line":3},"notes":[{"text":)j"
      R"j("at src/a.c:3","source":{"file":"src/a.c","line":3}},)j"
      R"j({"text":"defined in b.o:(.data+0x1)","file":"b.o",)j"
      R"j("section":".data","offset":1}]})j"
      "\n");
  EXPECT_EQ(
      as(MessageFormat::Json, error("a.ld:2:3: odd", {"x y", "  ^"})),
      R"({"version":1,"severity":"error","text":"a.ld:2:3: odd",)"
      R"("file":"a.ld","line":2,"column":3,"excerpt":["x y","  ^"],"notes":[]})"
      "\n");
  Diagnostic promoted = warning(WarningGroup::Entry, "odd");
  promoted.promoted = true;
  promoted.severity = Severity::Error;
  EXPECT_EQ(as(MessageFormat::Json, promoted),
            R"({"version":1,"severity":"error","text":"odd","group":"entry",)"
            R"("option":"--no-warn-entry","fatal":true,"notes":[]})"
            "\n");
}

// Names come from files, and need not be text.
TEST(DiagnosticFormat, JsonIsValidWhateverNamesAre) {
  const std::string s = as(MessageFormat::Json,
                           error("undefined symbol: \xff\"\n\x1b", {"\x80"}));
  EXPECT_EQ(std::count(s.begin(), s.end(), '\n'), 1);
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(s);
  EXPECT_TRUE(bool(value));
  llvm::consumeError(value.takeError());
}

// What the user asked to be printed is no message.
TEST(DiagnosticFormat, NotesStayAsTheyAre) {
  for (MessageFormat format :
       {MessageFormat::Text, MessageFormat::Json, MessageFormat::Gcc})
    EXPECT_EQ(as(format, {Severity::Note, WarningGroup::General, "a.o", {}}),
              "a.o\n");
}

} // namespace
