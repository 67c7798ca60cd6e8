//===- RulesTest.cpp - the tables of rules beside the code ----------------===//
//
// src/layout/README.md lists the rules of placement/, sections/ and layout/:
// each with its function, and with scripts of testdata/scripts that fail when
// it is broken. This test compares those tables with the sources and the
// scripts: a renamed function or a removed script fails.
//
//===----------------------------------------------------------------------===//
#include "support/ScriptCorpus.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

using namespace llvm;
namespace fs = std::filesystem;

namespace xlink::test {
namespace {

constexpr const char *kHeader = "| rule | function | scripts |";
constexpr const char *kRuler = "|---|---|---|";

struct Rule {
  std::string sentence;
  std::vector<std::string> functions, scripts;
};

struct Tables {
  size_t count = 0;
  std::vector<Rule> rules;
  std::vector<std::string> faults;
};

std::string readText(const fs::path &path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The names of "`a`, `b`"; nothing where it is not of that form.
std::vector<std::string> namesIn(StringRef cell) {
  std::vector<std::string> names;
  SmallVector<StringRef, 4> parts;
  cell.split(parts, ", ");
  for (StringRef part : parts) {
    const bool quoted = part.consume_front("`") && part.consume_back("`");
    if (!quoted || part.empty() || part.contains('`'))
      return {};
    names.push_back(part.str());
  }
  return names;
}

/// One row of a table; its fault, or "".
std::string readRow(StringRef line, Rule &rule) {
  SmallVector<StringRef, 4> cells;
  if (!line.consume_front("| ") || !line.consume_back(" |"))
    return "no row of a table";
  line.split(cells, " | ");
  if (cells.size() != 3)
    return "not three cells";
  rule.sentence = cells[0].str();
  rule.functions = namesIn(cells[1]);
  rule.scripts = namesIn(cells[2]);
  if (cells[0].trim().empty())
    return "no rule";
  if (rule.functions.empty())
    return "no function";
  return rule.scripts.empty() ? "no script" : "";
}

/// All tables of a text. Each has the header above and at least one row.
Tables readTables(StringRef text) {
  Tables tables;
  SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with("|"))
      continue;
    const StringRef first = lines[i];
    auto fault = [&](StringRef line, StringRef what) {
      tables.faults.push_back((what + ": " + line).str());
    };
    if (first != kHeader)
      fault(first, "not the header of a table of rules");
    if (++i == lines.size() || lines[i] != kRuler)
      fault(first, "no ruler behind the header");
    size_t rows = 0;
    for (++i; i < lines.size() && lines[i].starts_with("|"); ++i, ++rows) {
      Rule rule;
      if (std::string wrong = readRow(lines[i], rule); !wrong.empty())
        fault(lines[i], wrong);
      tables.rules.push_back(std::move(rule));
    }
    if (rows == 0)
      fault(first, "no rows");
    ++tables.count;
  }
  return tables;
}

/// `text` without what stands behind `//`.
std::string plainCode(StringRef text) {
  std::string result;
  SmallVector<StringRef, 0> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    result += line.split("//").first.str() + "\n";
  return result;
}

/// Whether `code` defines a function of that name: "name(...) {", with `const`
/// or `override` between the two. Members that are defined outside of their
/// class have it before their name.
bool definesHere(StringRef code, StringRef name) {
  for (size_t at = code.find(name); at != StringRef::npos;
       at = code.find(name, at + 1)) {
    const char before = at ? code[at - 1] : ' ';
    size_t end = at + name.size();
    if (isAlnum(before) || before == '_' || before == ':' ||
        end >= code.size() || code[end] != '(')
      continue;
    size_t depth = 0;
    do {
      depth += code[end] == '(';
      depth -= code[end] == ')';
    } while (++end < code.size() && depth);
    StringRef rest = code.drop_front(end).ltrim();
    while (rest.consume_front("const") || rest.consume_front("override"))
      rest = rest.ltrim();
    if (rest.starts_with("{"))
      return true;
  }
  return false;
}

/// The same, also for a member that is defined in its class.
bool defines(StringRef code, StringRef name) {
  if (definesHere(code, name))
    return true;
  const auto [type, member] = name.split("::");
  const size_t at = code.find(("struct " + type + " ").str());
  return !member.empty() && at != StringRef::npos &&
         definesHere(code.slice(at, code.find("\n};", at)), member);
}

/// The faults of tables, given the code of the rooms and the scripts.
std::vector<std::string> faults(const Tables &tables, StringRef code,
                                const std::set<std::string> &scripts) {
  std::vector<std::string> list = tables.faults;
  if (tables.rules.empty())
    list.push_back("no rules");
  for (const Rule &rule : tables.rules) {
    for (const std::string &name : rule.functions)
      if (!defines(code, name))
        list.push_back("no function " + name + ": " + rule.sentence);
    for (const std::string &name : rule.scripts)
      if (!scripts.count(name))
        list.push_back("no script " + name + ": " + rule.sentence);
  }
  return list;
}

const fs::path kSourceRoot = fs::path(XLINK_SOURCE_DIR) / "src";
const fs::path kTables = kSourceRoot / "layout/README.md";

std::string codeOfTheRooms() {
  std::string code;
  for (const char *room : {"placement", "sections", "layout"}) {
    std::error_code error;
    for (fs::directory_iterator it(kSourceRoot / room, error), end;
         it != end && !error; it.increment(error))
      if (it->path().extension() == ".cpp" || it->path().extension() == ".h")
        code += plainCode(readText(it->path()));
    EXPECT_FALSE(error) << error.message();
  }
  return code;
}

TEST(Rules, HaveTheirFunctionsAndScripts) {
  const Tables tables = readTables(readText(kTables));
  const std::vector<std::string> names = corpusNames();
  for (const std::string &fault :
       faults(tables, codeOfTheRooms(), {names.begin(), names.end()}))
    ADD_FAILURE() << fault;
  EXPECT_GE(tables.count, 11u) << "a group of rules is gone";
}

/// A rule that stands twice has two sentences to keep true.
TEST(Rules, StandOnce) {
  std::set<std::string> seen;
  for (const Rule &rule : readTables(readText(kTables)).rules)
    EXPECT_TRUE(seen.insert(rule.sentence).second) << rule.sentence;
}

// The check itself, on tables that are wrong.
TEST(Rules, TheChecksSeeFaults) {
  auto wrong = [](StringRef text) {
    return join(faults(readTables(text),
                       "int one() {\n}\nbool Run::two(int a,\n    int (*b)()) "
                       "const {\n}\nvoid three();\nint x = four(1);\n"
                       "struct Walk : Run {\n  int five() {\n  }\n};\n",
                       {"simple", "memory"}),
                "; ");
  };
  const std::string head = std::string(kHeader) + "\n" + kRuler + "\n";
  EXPECT_EQ(wrong(head + "| Rule. | `one`, `Run::two` | `simple`, `memory` |"),
            "");
  EXPECT_EQ(wrong(head + "| Rule. | `Walk::five` | `simple` |"), "");
  EXPECT_EQ(wrong(head + "| A. | `Walk::one` | `simple` |"),
            "no function Walk::one: A.");
  EXPECT_EQ(wrong("text"), "no rules");
  EXPECT_EQ(wrong(head), "no rows: " + std::string(kHeader) + "; no rules");
  EXPECT_EQ(wrong(head + "| A. | `two` | `simple` |"), "no function two: A.");
  EXPECT_EQ(wrong(head + "| A. | `three` | `simple` |"),
            "no function three: A.");
  EXPECT_EQ(wrong(head + "| A. | `four` | `simple` |"), "no function four: A.");
  EXPECT_EQ(wrong(head + "| A. | `one` | `gone` |"), "no script gone: A.");
  EXPECT_EQ(wrong(head + "| A. | `one` |"), "not three cells: | A. | `one` |");
  EXPECT_EQ(wrong(head + "| A. | one | `simple` |"),
            "no function: | A. | one | `simple` |");
  EXPECT_EQ(wrong(head + "| A. | `one` | - |"),
            "no script: | A. | `one` | - |");
  EXPECT_EQ(wrong(std::string("| rule | script |\n") + kRuler +
                  "\n| A. | `one` | `simple` |"),
            "not the header of a table of rules: | rule | script |");
}

} // namespace
} // namespace xlink::test
