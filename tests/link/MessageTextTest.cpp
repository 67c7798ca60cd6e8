//===- MessageTextTest.cpp - what the tool says of everyday mistakes ------===//
//
// testdata/messages/cases.txt has the mistakes, as inputs and arguments.
// NAME.txt beside it is what the tool says, to the letter. GNU ld's and lld's
// words for the same mistake are there too, for whoever changes a text:
// tools/compare-messages shows the three of them side by side.
//
// XLINK_UPDATE_GOLDEN=1 writes NAME.txt instead.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "support/ToolProcess.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace llvm;

namespace xlink::test {
namespace {

const std::string kFolder = XLINK_TESTDATA "/messages/";

std::string contents(const std::string &path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A file of a case: "--- NAME KIND ...", and the lines below.
struct CaseFile {
  std::string name;
  std::vector<std::string> kind; ///< the words behind the name
  std::string text;
};
struct MessageCase {
  std::string name;
  std::vector<std::string> arguments;
  std::vector<CaseFile> files;
};

std::vector<std::string> words(StringRef text) {
  SmallVector<StringRef> parts;
  text.split(parts, ' ', -1, /*KeepEmpty=*/false);
  return {parts.begin(), parts.end()};
}

/// The cases; the first has no name, and the files that all share.
std::vector<MessageCase> readCases() {
  std::vector<MessageCase> cases(1);
  std::ifstream in(kFolder + "cases.txt");
  for (std::string line; std::getline(in, line);) {
    MessageCase &last = cases.back();
    StringRef rest = line;
    if (rest.consume_front("=== ")) {
      cases.push_back({rest.str(), {}, {}});
    } else if (rest.consume_front("--- ")) {
      std::vector<std::string> head = words(rest);
      last.files.push_back(
          {head[0], {head.begin() + 1, head.end()}, std::string()});
    } else if (last.files.empty()) {
      if (rest.consume_front("args: "))
        last.arguments = words(rest);
    } else {
      last.files.back().text += line + "\n";
    }
  }
  return cases;
}

/// The files of a case, made in memory: some are parts of others.
class CaseFiles {
public:
  explicit CaseFiles(std::vector<CaseFile> files) : specs(std::move(files)) {}

  Bytes make(const std::string &name) {
    for (const CaseFile &file : specs)
      if (file.name == name)
        return makeFrom(file);
    ADD_FAILURE() << "no file " << name;
    return {};
  }

private:
  uint64_t number(const std::string &word) {
    uint64_t value = 0;
    EXPECT_FALSE(StringRef(word).getAsInteger(0, value)) << word;
    return value;
  }
  Bytes object(const CaseFile &file) {
    std::string body = file.text;
    for (const auto &[from, to] : {std::pair("%ABS%", "1"), {"%BRANCH%", "2"}})
      for (size_t at; (at = body.find(from)) != std::string::npos;)
        body.replace(at, std::strlen(from), to);
    const std::string type = file.kind.size() > 1 ? file.kind[1] : "ET_REL";
    Bytes bytes = objectFromYaml(yamlHeader("nyuzi", type) + body);
    if (file.kind.size() > 2) { // the machine: only ARM is asked for
      EXPECT_EQ(file.kind[2], "EM_ARM");
      setMachine(bytes, 40);
    }
    return bytes;
  }
  Bytes makeFrom(const CaseFile &file) {
    const std::vector<std::string> &kind = file.kind;
    if (kind.empty())
      return Bytes(file.text.begin(), file.text.end());
    if (kind[0] == "object")
      return object(file);
    if (kind[0] == "archive") {
      std::vector<MemberSpec> members;
      for (size_t i = 1; i < kind.size(); ++i)
        members.push_back({kind[i], make(kind[i])});
      return makeArchive(members);
    }
    if (kind[0] == "bytes") {
      const std::string raw = kind[1] == "-" ? "" : fromHex(kind[1]);
      return Bytes(raw.begin(), raw.end());
    }
    Bytes bytes = make(kind[1]);
    if (kind[0] == "cut")
      bytes.resize(number(kind[2]));
    else if (kind[0] == "poke")
      poke(bytes, number(kind[2]), number(kind[3]), unsigned(number(kind[4])));
    else
      ADD_FAILURE() << "no kind of file: " << kind[0];
    return bytes;
  }

  std::vector<CaseFile> specs;
};

/// What the tool says, with its exit status.
std::string said(const MessageCase &mistake, const MessageCase &shared) {
  const TemporaryDirectory directory;
  std::vector<CaseFile> specs = mistake.files;
  specs.insert(specs.end(), shared.files.begin(), shared.files.end());
  CaseFiles files(specs);
  std::set<std::string> written;
  for (const CaseFile &spec : specs)
    if (written.insert(spec.name).second)
      directory.write(spec.name, files.make(spec.name));
  const std::string before = directory.list();
  const ToolRun run = runTool(directory, mistake.arguments);
  if (run.status != 0) {
    EXPECT_EQ(directory.list(), before) << "a failed link left a file";
  }
  return run.messages + "status " + std::to_string(run.status) + "\n";
}

TEST(MessageText, OfEverydayMistakes) {
  const std::vector<MessageCase> cases = readCases();
  ASSERT_GT(cases.size(), 60u);
  std::set<std::string> names;
  for (size_t i = 1; i < cases.size(); ++i) {
    const MessageCase &mistake = cases[i];
    EXPECT_TRUE(names.insert(mistake.name).second) << mistake.name;
    const std::string golden = kFolder + mistake.name + ".txt";
    const std::string text = said(mistake, cases[0]);
    if (std::getenv("XLINK_UPDATE_GOLDEN"))
      std::ofstream(golden) << text;
    EXPECT_EQ(text, contents(golden)) << mistake.name;
  }
  // No text without its mistake, and the others' words beside each.
  for (const auto &entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string file = entry.path().filename().string();
    const StringRef name = StringRef(file).split('.').first;
    EXPECT_TRUE(file == "cases.txt" || file == "README.md" ||
                names.count(name.str()))
        << file;
  }
  for (const std::string &name : names)
    for (const char *other : {".gnu.txt", ".lld.txt"})
      EXPECT_TRUE(std::filesystem::exists(kFolder + name + other))
          << name << other;
}

} // namespace
} // namespace xlink::test
