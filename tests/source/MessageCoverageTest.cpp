//===- MessageCoverageTest.cpp - no message without a test ----------------===//
//
// What the parser of scripts, the evaluator and the layout say stands in their
// sources as string literals, and what they said in a test stands in the tests.
// This test reads both: a part of a message that no test expects fails. So the
// catalogue of messages is the sources' own and cannot go out of date.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace llvm;
namespace fs = std::filesystem;

namespace xlink::test {
namespace {

/// Reads C++ as far as it takes to find string literals.
class LiteralReader {
public:
  explicit LiteralReader(StringRef text) : text(text) {}

  /// Every literal, neighbours joined, escapes resolved.
  std::vector<std::string> run() {
    while (i < text.size()) {
      if (text.substr(i).starts_with("//"))
        i = std::min(text.find('\n', i), text.size());
      else if (text.substr(i).starts_with("/*"))
        i = after("*/", i + 2);
      else if (text.substr(i).starts_with("#include"))
        i = std::min(text.find('\n', i), text.size());
      else if (text.substr(i).starts_with("R\"("))
        raw();
      else if (text[i] == '"')
        quoted();
      else if (text[i] == '\'' && !(i && isAlnum(text[i - 1])))
        character();
      else if (isSpace(text[i]))
        ++i;
      else {
        flush();
        ++i;
      }
    }
    flush();
    return std::move(literals);
  }

private:
  size_t after(StringRef what, size_t from) {
    size_t at = text.find(what, from);
    return at == StringRef::npos ? text.size() : at + what.size();
  }
  void raw() {
    size_t end = after(")\"", i);
    open = true;
    current += text.slice(i + 3, end - 2);
    i = end;
  }
  void quoted() {
    open = true;
    for (++i; i < text.size() && text[i] != '"'; ++i)
      if (text[i] != '\\')
        current += text[i];
      else if (char c = text[++i]; c == 'n' || c == 't')
        current += c == 'n' ? '\n' : '\t';
      else
        current += c;
    ++i;
  }
  void character() {
    flush();
    for (++i; i < text.size() && text[i] != '\''; ++i)
      if (text[i] == '\\')
        ++i;
    ++i;
  }
  void flush() {
    if (open)
      literals.push_back(std::move(current));
    current.clear();
    open = false;
  }

  StringRef text;
  size_t i = 0;
  bool open = false;
  std::string current;
  std::vector<std::string> literals;
};

/// The literals of every source in a folder, by "folder/file".
std::map<std::string, std::vector<std::string>> literalsIn(StringRef folder) {
  std::map<std::string, std::vector<std::string>> result;
  for (const auto &entry :
       fs::directory_iterator(fs::path(XLINK_SOURCE_DIR) / folder.str())) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h")
      continue;
    std::ifstream in(entry.path());
    std::stringstream text;
    text << in.rdbuf();
    std::string whole = text.str();
    result[(folder + "/" + entry.path().filename().string()).str()] =
        LiteralReader(whole).run();
  }
  return result;
}

/// The files of text of a folder.
std::string testsIn(StringRef folder) {
  std::string result;
  for (const auto &entry :
       fs::directory_iterator(fs::path(XLINK_SOURCE_DIR) / folder.str()))
    if (entry.path().extension() == ".test") {
      std::ifstream in(entry.path());
      std::stringstream text;
      text << in.rdbuf();
      result += text.str() + '\0';
    }
  return result;
}

/// Whether a literal is a sentence's part, not a word of the language or of a
/// file format: two words with a blank between them.
bool isMessage(StringRef text) {
  for (size_t i = 1; i + 1 < text.size(); ++i)
    if (text[i] == ' ' && isAlpha(text[i - 1]) && isAlpha(text[i + 1]))
      return true;
  return false;
}

TEST(MessageCoverage, EveryPartOfAMessageIsExpectedByATest) {
  std::string expected = testsIn("tests/link");
  for (const char *folder : {"tests/script", "tests/link", "tests/driver"})
    for (const auto &[file, literals] : literalsIn(folder))
      for (const std::string &literal : literals)
        expected += literal + '\0';
  size_t found = 0;
  for (const char *folder : {"src/script", "src/placement", "src/sections",
                             "src/layout", "src/checks"})
    for (const auto &[file, literals] : literalsIn(folder))
      for (const std::string &literal : literals)
        // --help shows the sentences of that table.
        if (isMessage(literal) && file != "src/checks/CheckTable.h") {
          ++found;
          EXPECT_NE(expected.find(literal), std::string::npos)
              << file << ": no test expects \"" << literal << "\"";
        }
  EXPECT_GT(found, 100u); // the reading works at all
}

} // namespace
} // namespace xlink::test
