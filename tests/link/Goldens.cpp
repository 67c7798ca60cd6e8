//===- Goldens.cpp --------------------------------------------------------===//
#include "link/Goldens.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <optional>

using namespace llvm;

namespace xlink::test {

namespace {

const std::string kGoldens = std::string(XLINK_TESTDATA) + "/golden";

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

/// Adds the archive that a list of members describes.
void addArchive(LinkHarness &harness, const std::string &path,
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

} // namespace

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

std::string goldenTestName(const std::string &golden) {
  std::string name = golden;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Golden::Golden(const std::string &name) : directory(kGoldens + "/" + name) {
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
      addArchive(harness, it->path(), objects);
  const std::string command = readText(directory + "/command");
  for (StringRef argument : linesOf(command)) {
    arguments.push_back(argument.str());
    if (argument.starts_with("objects/"))
      harness.file(argument.str(), readTestFile(std::string(XLINK_TESTDATA) +
                                                "/" + argument.str()));
  }
}

} // namespace xlink::test
