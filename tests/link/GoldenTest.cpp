//===- GoldenTest.cpp - whole links against stored outputs ----------------===//
//
// testdata/golden/NAME holds a small program of one machine:
//
//   OBJECT.yaml     becomes OBJECT.o; a line "# e_flags: 0x21" sets e_flags
//   LIBRARY.members becomes LIBRARY.a, one member a line; "format: bsd" first
//                   makes BSD names and no index
//   command         the link's arguments, one a line; a path that begins with
//                   objects/ is a file of testdata
//   out.elf         what the link must write, byte for byte
//   out.dump        the same as text, for the eye and for reviews
//   expect.tsv      what the machine's documents say, written by hand
//
// Equal bytes are one half: tools/check-golden compares out.elf with
// expect.tsv, with arithmetic of its own, and is run here as well.
//
// XLINK_REGENERATE_GOLDENS=1 writes out.elf instead (tools/regenerate-goldens).
//
//===----------------------------------------------------------------------===//
#include "support/LinkHarness.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

const std::string kGoldens = std::string(XLINK_TESTDATA) + "/golden";

/// Names of the golden directories, sorted.
std::vector<std::string> goldens() {
  std::vector<std::string> names;
  std::error_code error;
  for (sys::fs::directory_iterator it(kGoldens, error), end;
       it != end && !error; it.increment(error))
    if (sys::fs::is_directory(it->path()))
      names.push_back(sys::path::filename(it->path()).str());
  llvm::sort(names);
  return names;
}

std::string readText(const std::string &path) {
  Bytes bytes = readTestFile(path);
  return std::string(bytes.begin(), bytes.end());
}

/// Lines without comments and blanks.
SmallVector<StringRef> linesOf(StringRef text) {
  SmallVector<StringRef> lines, all;
  text.split(all, '\n');
  for (StringRef line : all)
    if (StringRef content = line.split('#').first.trim(); !content.empty())
      lines.push_back(content);
  return lines;
}

/// An object from its YAML.
Bytes objectOf(const std::string &path) {
  std::string text = readText(path);
  std::optional<uint32_t> eflags;
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  for (StringRef line : lines)
    if (line.consume_front("# e_flags:")) {
      uint32_t value = 0;
      EXPECT_FALSE(line.trim().getAsInteger(0, value)) << path;
      eflags = value;
    }
  return objectFromYaml(text, eflags);
}

/// One golden: its directory, and the inputs that its files describe.
struct Golden {
  std::string directory;
  LinkHarness harness;
  std::vector<std::string> arguments;

  explicit Golden(const std::string &name) : directory(kGoldens + "/" + name) {
    std::map<std::string, Bytes> objects;
    std::error_code error;
    for (sys::fs::directory_iterator it(directory, error), end;
         it != end && !error; it.increment(error)) {
      StringRef path = it->path();
      if (path.ends_with(".yaml"))
        objects[sys::path::stem(path).str() + ".o"] = objectOf(path.str());
      else if (path.ends_with(".ld"))
        harness.file(sys::path::filename(path).str(), readText(path.str()));
    }
    for (const auto &[object, bytes] : objects)
      harness.file(object, bytes);
    for (sys::fs::directory_iterator it(directory, error), end;
         it != end && !error; it.increment(error))
      if (StringRef(it->path()).ends_with(".members"))
        addArchive(it->path(), objects);
    const std::string command = readText(directory + "/command");
    for (StringRef argument : linesOf(command)) {
      arguments.push_back(argument.str());
      if (argument.starts_with("objects/"))
        harness.file(argument.str(), readTestFile(std::string(XLINK_TESTDATA) +
                                                  "/" + argument.str()));
    }
  }

private:
  void addArchive(const std::string &path,
                  const std::map<std::string, Bytes> &objects) {
    const std::string list = readText(path);
    std::vector<MemberSpec> members;
    bool bsd = false;
    for (StringRef line : linesOf(list)) {
      if (line == "format: bsd") {
        bsd = true;
        continue;
      }
      auto object = objects.find(line.str());
      if (object == objects.end())
        ADD_FAILURE() << path << ": no object " << line.str();
      else
        members.push_back({line.str(), object->second});
    }
    harness.file(sys::path::stem(path).str() + ".a",
                 makeArchive(members,
                             bsd ? ArchiveFormat::Bsd : ArchiveFormat::Gnu,
                             /*withIndex=*/!bsd));
  }
};

void write(const std::string &path, const Bytes &bytes) {
  std::error_code error;
  raw_fd_ostream out(path, error);
  ASSERT_FALSE(error) << path << ": " << error.message();
  out.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

class Goldens : public testing::TestWithParam<std::string> {};

TEST_P(Goldens, ByteForByte) {
  Golden golden(GetParam());
  Linked linked = golden.harness.link(golden.arguments);
  ASSERT_EQ(linked.status, 0) << linked.errors;
  EXPECT_EQ(linked.errors, "");
  const std::string path = golden.directory + "/out.elf";
  if (std::getenv("XLINK_REGENERATE_GOLDENS")) {
    write(path, linked.image());
    return;
  }
  const Bytes expected = readTestFile(path);
  const Bytes &image = linked.image();
  size_t at = std::mismatch(image.begin(), image.end(), expected.begin(),
                            expected.end())
                  .first -
              image.begin();
  EXPECT_TRUE(image == expected)
      << image.size() << " bytes instead of " << expected.size()
      << ", the first difference at offset 0x" << utohexstr(at, true) << "\n"
      << "If the change is meant: tools/regenerate-goldens BUILD, then look at "
         "the changes of out.dump.";
}

TEST_P(Goldens, SameBytesForAnyNumberOfThreads) {
  Golden golden(GetParam());
  std::vector<std::string> one = golden.arguments, many = golden.arguments;
  one.push_back("--threads=1");
  many.push_back("--threads=7");
  Linked first = golden.harness.link(one), second = golden.harness.link(many);
  ASSERT_EQ(first.status, 0) << first.errors;
  EXPECT_TRUE(first.image() == second.image());
}

INSTANTIATE_TEST_SUITE_P(Links, Goldens, testing::ValuesIn(goldens()),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(GoldenCheck, OutputsAgreeWithTheMachinesDocuments) {
  ASSERT_GE(goldens().size(), 5u);
  auto python = sys::findProgramByName("python3");
  ASSERT_TRUE(python) << "python3: " << python.getError().message();
  if (std::getenv("XLINK_REGENERATE_GOLDENS"))
    GTEST_SKIP() << "outputs are just being written";
  std::string command = "'" + *python + "' '" + XLINK_SOURCE_DIR +
                        "/tools/check-golden' --self-test 2>&1";
  FILE *pipe = popen(command.c_str(), "r");
  ASSERT_TRUE(pipe);
  std::string text;
  char buffer[4096];
  while (size_t size = fread(buffer, 1, sizeof buffer, pipe))
    text.append(buffer, size);
  EXPECT_EQ(pclose(pipe), 0) << text;
}

} // namespace
} // namespace xlink::test
