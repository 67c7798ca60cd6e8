//===- FunctionLengthTest.cpp - no function is longer than a screen -------===//
//
// Reads the sources of src/, arch/ and tests/ as far as braces go: a block is a
// function when it stands in no other one and its head, from the end of what is
// before it, has parentheses; namespaces, classes and the values of tables are
// no functions. Blocks within functions, lambdas too, are theirs.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sstream>

using namespace llvm;
namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

namespace xlink::test {
namespace {

constexpr size_t kMostLines = 80;

/// The text with comments, literals and preprocessor lines blanked: every
/// character keeps its line.
std::string codeOf(StringRef text) {
  std::string code;
  auto blank = [&](size_t begin, size_t end) {
    for (char c : text.slice(begin, end))
      code += c == '\n' ? c : ' ';
    return std::min(end, text.size());
  };
  bool lineStart = true;
  for (size_t i = 0; i < text.size();) {
    const StringRef rest = text.substr(i);
    size_t end = i;
    if (lineStart && rest.ltrim(" ").starts_with("#")) {
      for (end = text.find('\n', i);
           end != StringRef::npos && text[end - 1] == '\\';)
        end = text.find('\n', end + 1);
    } else if (rest.starts_with("//")) {
      end = text.find('\n', i);
    } else if (rest.starts_with("/*")) {
      end = std::min(text.find("*/", i + 2), text.size()) + 2;
    } else if (rest.starts_with("R\"")) {
      const StringRef mark = rest.substr(2).split('(').first;
      end = text.find((")" + mark + "\"").str(), i);
      end = std::min(end, text.size()) + mark.size() + 2;
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (!i || !isAlnum(text[i - 1])))) {
      for (end = i + 1; end < text.size() && text[end] != text[i]; ++end)
        end += text[end] == '\\';
      ++end;
    }
    if (end != i) {
      i = blank(i, std::min(end, text.size()));
      lineStart = false;
      continue;
    }
    lineStart = text[i] == '\n' || (lineStart && text[i] == ' ');
    code += text[i++];
  }
  return code;
}

/// Whether a block with this head, outside of functions, is one.
bool isFunction(StringRef head) {
  head = head.trim();
  if (head.ends_with("=") || head.ends_with(",") || head.ends_with("("))
    return false;
  return head.contains('(') || head.ends_with("]");
}

/// "12: 95 lines" for each function that is too long.
std::vector<std::string> longFunctions(StringRef text) {
  const std::string code = codeOf(text);
  std::vector<std::string> found;
  std::vector<bool> blocks; ///< open ones: whether each is a function
  size_t head = 0, begin = 0, inner = 0;
  auto lineOf = [&](size_t at) {
    return 1 + size_t(std::count(code.begin(), code.begin() + at, '\n'));
  };
  for (size_t i = 0; i < code.size(); ++i) {
    if (code[i] == '{') {
      const bool function =
          !inner && isFunction(StringRef(code).slice(head, i));
      if (function)
        begin = code.find_first_not_of(" \n", head);
      inner += inner || function;
      blocks.push_back(function);
    } else if (code[i] == '}' && !blocks.empty()) {
      const bool function = blocks.back();
      blocks.pop_back();
      inner -= inner != 0;
      const size_t lines = lineOf(i) - lineOf(begin) + 1;
      if (function && lines > kMostLines)
        found.push_back(std::to_string(lineOf(begin)) + ": " +
                        std::to_string(lines) + " lines");
    }
    if (code[i] == '{' || code[i] == '}' || code[i] == ';')
      head = i + 1;
  }
  EXPECT_THAT(blocks, IsEmpty()) << "braces were not understood";
  return found;
}

TEST(FunctionLength, FunctionsFitAScreen) {
  const fs::path root = XLINK_SOURCE_DIR;
  size_t files = 0;
  for (const char *top : {"src", "arch", "tests"})
    for (const auto &entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension();
      if (extension != ".cpp" && extension != ".h")
        continue;
      std::ifstream in(entry.path());
      std::stringstream text;
      text << in.rdbuf();
      SCOPED_TRACE(fs::relative(entry.path(), root).generic_string());
      for (const std::string &function : longFunctions(text.str()))
        ADD_FAILURE() << "a function of line " << function;
      ++files;
    }
  EXPECT_GT(files, 200u) << "the sources were not found";
}

// The check itself.
TEST(FunctionLength, TheCheckSeesLongFunctions) {
  auto filled = [](const std::string &head, size_t lines) {
    std::string text = head + "\n";
    for (size_t i = 2; i < lines; ++i)
      text += "  if (x) { y('{', \"}\"); } // {\n";
    return text + "}\n";
  };
  EXPECT_THAT(longFunctions(filled("void f() {", 80)), IsEmpty());
  EXPECT_THAT(longFunctions("\n" + filled("void f() {", 81)),
              ElementsAre("2: 81 lines"));
  EXPECT_THAT(longFunctions("namespace {\n#define X {\nclass A {\n" +
                            filled("  int f(int x = 1)\n  const {", 85) +
                            "};\n}\n"),
              ElementsAre("4: 86 lines"));
  EXPECT_THAT(longFunctions(filled("TEST(A, B) {\n  R\"x(}})x\";", 90)),
              ElementsAre("1: 91 lines"));
  EXPECT_THAT(longFunctions(filled("auto f = [] {", 100)),
              ElementsAre("1: 100 lines"));
  // Tables and classes are as long as they are.
  EXPECT_THAT(longFunctions(filled("const int table[] = {", 200) + ";"),
              IsEmpty());
  EXPECT_THAT(longFunctions(filled("struct A : B<int> {", 200) + ";"),
              IsEmpty());
}

} // namespace
} // namespace xlink::test
