//===- LayeringTest.cpp - who may include whom ----------------------------===//
//
// src/ is split into rooms, and a file includes only files of its own room and
// of rooms below it; arch/ includes nothing of src/. Machines are data: no file
// of src/ names one outside comments. One name is one type: two types of one
// name in two files are one type to the machine's linker, which takes the code
// of either's members for both. The operating system stands in four files, and
// all others are portable C++. This test reads the sources.
//
//===----------------------------------------------------------------------===//
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

using namespace llvm;
namespace fs = std::filesystem;

namespace xlink::test {
namespace {

/// From the bottom to the top.
const std::vector<std::string> kRooms = {
    "base",   "map",     "model",     "debug",    "input",
    "script", "resolve", "placement", "sections", "layout",
    "output", "checks",  "report",    "driver",   "inspect"};
constexpr size_t kMostLinesOfAFile = 900;
/// Files that may include headers of the operating system.
const std::set<std::string> kSystemFiles = {
    "base/MappedFile.cpp", "output/OutputFile.cpp", "driver/PhaseClock.h",
    "driver/main.cpp"};

struct Source {
  std::string path; ///< "placement/Placement.cpp", "arch/Target.h"
  std::string text;
  std::vector<std::string> includes; ///< of this project, as written
  /// Headers in angle brackets, but for LLVM's and the command line parser's.
  std::vector<std::string> systemIncludes = {};
};

/// `text` without comments and, if wanted, without string literals.
std::string withoutComments(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i).starts_with("/*")) {
      i = text.find("*/", i + 2);
      i = i == StringRef::npos ? text.size() : i + 2;
    } else if (text[i] == '"' || text[i] == '\'') {
      char quote = text[i];
      // A digit separator is no quote.
      if (quote == '\'' && i && isAlnum(text[i - 1])) {
        result += text[i++];
        continue;
      }
      size_t end = i + 1;
      while (end < text.size() && text[end] != quote)
        end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      result += text.slice(i, end);
      i = end;
    } else {
      result += text[i++];
    }
  }
  return result;
}

std::vector<Source> readSources() {
  std::vector<Source> sources;
  const fs::path root = XLINK_SOURCE_DIR;
  for (const char *top : {"src", "arch"}) {
    std::error_code error;
    for (fs::recursive_directory_iterator it(root / top, error), end;
         it != end && !error; it.increment(error)) {
      std::string extension = it->path().extension();
      if (extension != ".cpp" && extension != ".h")
        continue;
      Source s;
      s.path =
          fs::relative(it->path(), root / (top[0] == 's' ? "src" : ""), error)
              .generic_string();
      std::ifstream in(it->path());
      std::stringstream text;
      text << in.rdbuf();
      s.text = text.str();
      SmallVector<StringRef, 0> lines;
      StringRef(s.text).split(lines, '\n');
      for (StringRef line : lines) {
        line = line.trim();
        if (!line.consume_front("#include"))
          continue;
        line = line.ltrim();
        if (line.consume_front("\""))
          s.includes.push_back(line.split('"').first.str());
        else if (line.consume_front("<") && !line.starts_with("llvm/") &&
                 !line.starts_with("CLI/"))
          s.systemIncludes.push_back(line.split('>').first.str());
      }
      sources.push_back(std::move(s));
    }
    EXPECT_FALSE(error) << error.message();
  }
  std::sort(sources.begin(), sources.end(),
            [](const Source &a, const Source &b) { return a.path < b.path; });
  return sources;
}

StringRef roomOf(StringRef path) { return path.split('/').first; }
size_t heightOf(StringRef room) {
  return size_t(std::find(kRooms.begin(), kRooms.end(), room.str()) -
                kRooms.begin());
}
/// Whether a room may include files of another one. The second tool's stands
/// beside the linker's: on what both share.
bool mayInclude(StringRef from, StringRef to) {
  return from == to ||
         heightOf(to) < heightOf(from == "inspect" ? "report" : from);
}

/// Includes that point upwards, or nowhere.
std::vector<std::string> faults(const std::vector<Source> &sources) {
  std::vector<std::string> list;
  for (const Source &s : sources)
    for (StringRef include : s.includes) {
      StringRef from = roomOf(s.path), to = roomOf(include);
      if (include.starts_with("llvm/") || include.ends_with(".inc"))
        continue;
      bool leaf = from == "arch", known = to == "arch";
      for (const std::string &room : kRooms)
        known |= to == room;
      if (!known)
        list.push_back(s.path + " includes " + include.str() +
                       ", which is in no room");
      else if (to != "arch" && (leaf || !mayInclude(from, to)))
        list.push_back(s.path + " includes " + include.str());
    }
  return list;
}

/// Headers of the operating system where none may be: C++'s own have no ending.
std::vector<std::string> systemFaults(const std::vector<Source> &sources) {
  std::vector<std::string> list;
  for (const Source &s : sources)
    for (StringRef header : s.systemIncludes)
      if (header.ends_with(".h") && !kSystemFiles.count(s.path))
        list.push_back(s.path + " includes " + header.str());
  return list;
}

/// A cycle of includes as "a.h > b.h > a.h", or "".
std::string cycle(const std::vector<Source> &sources) {
  std::map<std::string, const Source *> byPath;
  for (const Source &s : sources)
    byPath[s.path] = &s;
  std::set<std::string> done;
  std::vector<std::string> chain;
  std::string found;
  auto visit = [&](auto &&self, const std::string &path) -> void {
    auto it = byPath.find(path);
    if (it == byPath.end() || done.count(path) || !found.empty())
      return;
    auto busy = std::find(chain.begin(), chain.end(), path);
    if (busy != chain.end()) {
      for (; busy != chain.end(); ++busy)
        found += *busy + " > ";
      found += path;
      return;
    }
    chain.push_back(path);
    for (const std::string &include : it->second->includes)
      self(self, include);
    chain.pop_back();
    done.insert(path);
  };
  for (const Source &s : sources)
    visit(visit, s.path);
  return found;
}

/// Words of `code` (identifiers split at case changes too) that name a machine.
std::vector<std::string> machinesNamed(StringRef code) {
  static const char *const names[] = {
      "xs1", "xcore", "xmos",     "nyuzi", "aphelion",
      "dpu", "upmem", "colossus", "ipu",   "graphcore"};
  std::vector<std::string> list;
  std::string word;
  auto finish = [&] {
    std::string lower = StringRef(word).lower();
    for (const char *name : names)
      if (lower == name)
        list.push_back(word);
    word.clear();
  };
  char before = 0;
  for (char c : code) {
    if (!isAlnum(c) || (isupper(c) && islower(before)))
      finish();
    if (isAlnum(c))
      word += c;
    before = c;
  }
  finish();
  return list;
}

/// The tokens of C++ that matter here: names and single characters, without
/// preprocessor lines and literals.
std::vector<std::string> tokensOf(StringRef text) {
  const std::string code = withoutComments(text);
  std::vector<std::string> list;
  for (size_t i = 0; i < code.size();) {
    const size_t begin = i++;
    const char c = code[begin];
    if (isAlnum(c) || c == '_') {
      while (i < code.size() && (isAlnum(code[i]) || code[i] == '_' ||
                                 (isDigit(c) && code[i] == '\'')))
        ++i;
      list.push_back(code.substr(begin, i - begin));
    } else if (c == '#') {
      while (i < code.size() && (code[i] != '\n' || code[i - 1] == '\\'))
        ++i;
    } else if (c == '"' || c == '\'') {
      while (i < code.size() && code[i] != c)
        i += code[i] == '\\' ? 2 : 1;
      ++i;
    } else if (!isSpace(c)) {
      list.push_back(std::string(1, c));
    }
  }
  return list;
}

/// The types that `text` defines for the whole program: "xlink::model::Place".
/// What stands in a namespace without a name, in a type or in a function does
/// not count.
std::vector<std::string> typesDefined(StringRef text) {
  const std::vector<std::string> tokens = tokensOf(text);
  std::vector<std::string> list;
  std::vector<std::optional<std::string>> scopes; ///< prefix; nothing: inside
  auto at = [&](size_t i) -> StringRef {
    return i < tokens.size() ? StringRef(tokens[i]) : StringRef();
  };
  std::optional<std::string> next; ///< what the next brace opens
  for (size_t i = 0; i < tokens.size(); ++i) {
    const std::optional<std::string> here =
        scopes.empty() ? std::optional<std::string>("") : scopes.back();
    const StringRef token = at(i);
    if (token == "{") {
      scopes.push_back(std::exchange(next, std::nullopt));
    } else if (token == "}") {
      if (!scopes.empty())
        scopes.pop_back();
    } else if (here && token == "namespace" && at(i + 1) != "{") {
      std::string prefix = *here;
      for (++i; i < tokens.size() && at(i + 1) != "{" && at(i + 1) != "="; ++i)
        prefix += tokens[i];
      if (at(i + 1) == "{")
        next = prefix + tokens[i] + "::";
    } else if (here && (token == "struct" || token == "class" ||
                        token == "union" || token == "enum")) {
      size_t k = i + 1;
      if (token == "enum" && (at(k) == "class" || at(k) == "struct"))
        ++k;
      std::string name = *here + at(k++).str();
      while (at(k) == ":" && at(k + 1) == ":") {
        name += "::" + at(k + 2).str();
        k += 3;
      }
      if (at(k) == ":" || at(k) == "final") // bases, or an enum's type
        while (k < tokens.size() && at(k) != "{" && at(k) != ";")
          ++k;
      if (at(k) == "{") {
        list.push_back(name);
        i = k - 1;
      }
    }
  }
  return list;
}

/// Types that two files define.
std::vector<std::string> definedTwice(const std::vector<Source> &sources) {
  std::map<std::string, std::string> first;
  std::vector<std::string> list;
  for (const Source &s : sources)
    for (const std::string &type : typesDefined(s.text)) {
      auto [it, fresh] = first.try_emplace(type, s.path);
      if (!fresh)
        list.push_back(type + " in " + it->second + " and in " + s.path);
    }
  return list;
}

TEST(Layering, OneNameIsOneType) {
  std::vector<Source> sources = readSources();
  size_t types = 0;
  for (const Source &s : sources)
    types += typesDefined(s.text).size();
  EXPECT_GT(types, 300u) << "the types were not found";
  for (const std::string &fault : definedTwice(sources))
    ADD_FAILURE() << fault;
}

TEST(Layering, IncludesPointDownwards) {
  std::vector<Source> sources = readSources();
  ASSERT_GT(sources.size(), 50u) << "the sources were not found";
  for (const std::string &fault : faults(sources))
    ADD_FAILURE() << fault;
}

TEST(Layering, NoCycles) { EXPECT_EQ(cycle(readSources()), ""); }

TEST(Layering, EveryDirectoryIsARoom) {
  for (const Source &s : readSources())
    EXPECT_TRUE(roomOf(s.path) == "arch" ||
                heightOf(roomOf(s.path)) < kRooms.size())
        << s.path;
}

TEST(Layering, NoMachineIsNamedOutsideArch) {
  for (const Source &s : readSources()) {
    if (roomOf(s.path) == "arch")
      continue;
    for (const std::string &word : machinesNamed(withoutComments(s.text)))
      ADD_FAILURE() << s.path << " names " << word;
  }
}

TEST(Layering, TheSystemStandsInFiveFiles) {
  const std::vector<Source> sources = readSources();
  for (const std::string &fault : systemFaults(sources))
    ADD_FAILURE() << fault;
  for (const std::string &path : kSystemFiles)
    EXPECT_TRUE(any_of(sources, [&](const Source &s) {
      return s.path == path && !s.systemIncludes.empty();
    })) << path;
}

TEST(Layering, FilesStayReadable) {
  for (const Source &s : readSources())
    EXPECT_LE(size_t(std::count(s.text.begin(), s.text.end(), '\n')),
              kMostLinesOfAFile)
        << s.path;
}

// The checks themselves, on sources that break the rules.
TEST(Layering, TheChecksSeeFaults) {
  std::vector<Source> bad = {
      {"base/A.h", "", {"layout/B.h"}},
      {"layout/B.h", "", {"base/A.h", "somewhere/C.h"}},
      {"arch/T.h", "", {"base/A.h", "arch/T.h"}},
  };
  EXPECT_EQ(join(faults(bad), "; "),
            "base/A.h includes layout/B.h; layout/B.h includes somewhere/C.h, "
            "which is in no room; arch/T.h includes base/A.h");
  EXPECT_EQ(cycle(bad), "base/A.h > layout/B.h > base/A.h");
  const std::vector<Source> system = {
      {"base/A.h", "", {}, {"vector", "sys/stat.h"}},
      {"driver/main.cpp", "", {}, {"unistd.h"}}};
  EXPECT_EQ(join(systemFaults(system), "; "), "base/A.h includes sys/stat.h");
  EXPECT_EQ(withoutComments("a /* xs1 */ b // dpu\nc \"/* \\\" */\" 'x'"),
            "a  b \nc \"/* \\\" */\" 'x'");
  EXPECT_EQ(join(machinesNamed("if (name == \"xs1\") isDpuObject(R_XCORE1, "
                               "input, ipu2)"),
                 " "),
            "xs1 Dpu");
  const std::vector<Source> twice = {
      {"base/A.h",
       "#define X {\nnamespace x::y { struct A : B { struct C {}; "
       "}; struct D; enum class E { F }; }",
       {}},
      {"base/B.cpp",
       "namespace x { namespace y { namespace { class A {}; } "
       "struct A::C {}; void f() { struct E {}; } int n[] = "
       "{1'000, '{', \"{\"}; template <class A> struct D<A> {}; "
       "} class A {}; }",
       {}},
      {"base/C.cpp",
       "namespace x::y { class A final {}; enum E : char {}; "
       "enum class C : int; "
       "const struct D *d; }",
       {}},
  };
  EXPECT_EQ(join(definedTwice(twice), "; "),
            "x::y::A in base/A.h and in base/C.cpp; "
            "x::y::E in base/A.h and in base/C.cpp");
}

} // namespace
} // namespace xlink::test
