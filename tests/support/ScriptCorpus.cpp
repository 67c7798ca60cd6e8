//===- ScriptCorpus.cpp ---------------------------------------------------===//
#include "support/ScriptCorpus.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {

static const std::string kFolder = std::string(XLINK_TESTDATA) + "/scripts";

static std::string readText(const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path;
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// Names of the files in a folder that end in `extension`, without it.
static std::vector<std::string> namesIn(const std::string &folder,
                                        StringRef extension) {
  std::vector<std::string> names;
  std::error_code error;
  for (sys::fs::directory_iterator it(folder, error), end; it != end && !error;
       it.increment(error))
    if (StringRef name = sys::path::filename(it->path());
        name.consume_back(extension))
      names.push_back(name.str());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> corpusNotes(StringRef text, StringRef key) {
  std::vector<std::string> result;
  std::string begin = ("/* " + key).str();
  for (size_t at = text.find(begin); at != StringRef::npos;
       at = text.find(begin, at + 1)) {
    StringRef rest = text.drop_front(at + begin.size());
    result.push_back(rest.take_front(rest.find("*/")).trim().str());
  }
  return result;
}

static std::vector<std::string> words(StringRef text) {
  SmallVector<StringRef, 8> list;
  text.split(list, ' ', -1, false);
  return {list.begin(), list.end()};
}

/// The objects of testdata/scripts/objects in the class of a machine.
static const std::map<std::string, Bytes> &objects(StringRef machine) {
  auto make = [](StringRef elfClass, StringRef number, StringRef abs) {
    std::map<std::string, Bytes> result;
    for (const std::string &name : namesIn(kFolder + "/objects", ".yaml")) {
      std::string yaml = readText(kFolder + "/objects/" + name + ".yaml");
      auto replace = [&](StringRef from, StringRef to) {
        for (size_t at = yaml.find(from.str()); at != std::string::npos;
             at = yaml.find(from.str(), at))
          yaml.replace(at, from.size(), to.str());
      };
      replace("[[CLASS]]", elfClass);
      replace("[[MACHINE]]", number);
      replace("[[ABS32]]", abs);
      result[name] = objectFromYaml(yaml);
    }
    return result;
  };
  // R_NYUZI_ABS32 and R_APHELION_ABS64. Only what is asked for is made: ctest
  // runs every script in a process of its own.
  if (machine == "aphelion") {
    static const std::map<std::string, Bytes> aphelion =
        make("ELFCLASS64", "0xA9E1", "2");
    return aphelion;
  }
  static const std::map<std::string, Bytes> nyuzi =
      make("ELFCLASS32", "0x270F", "1");
  return nyuzi;
}

std::vector<std::string> corpusNames() { return namesIn(kFolder, ".ld"); }

std::string corpusText(const std::string &file) {
  return readText(kFolder + "/" + file);
}

CorpusLink corpusLink(const std::string &name, StringRef script,
                      StringRef machine) {
  CorpusLink link;
  auto text = [&](const std::string &file, StringRef contents) {
    link.files.emplace_back(file, Bytes(contents.begin(), contents.end()));
  };
  text(name + ".ld", script);
  for (const std::string &part : namesIn(kFolder + "/inc", ".ld"))
    text("inc/" + part + ".ld", corpusText("inc/" + part + ".ld"));
  const std::map<std::string, Bytes> &made = objects(machine);
  for (const auto &[file, bytes] : made)
    link.files.emplace_back(file + ".o", bytes);
  for (const std::string &archive : corpusNotes(script, "archive: ")) {
    std::vector<std::string> parts = words(archive);
    std::vector<MemberSpec> members;
    for (size_t i = 1; i < parts.size(); ++i)
      if (auto it = made.find(parts[i]); it != made.end())
        members.push_back({parts[i] + ".o", it->second});
    if (!parts.empty())
      link.files.emplace_back(parts[0], makeArchive(members));
  }
  link.arguments = {"-m", machine.str(), "-T", name + ".ld"};
  for (const std::string &more : corpusNotes(script, "args: "))
    for (std::string &word : words(more))
      link.arguments.push_back(std::move(word));
  std::vector<std::string> files = corpusNotes(script, "files: ");
  for (const std::string &file : words(files.empty() ? "a b" : files[0]))
    link.arguments.push_back(file.find('.') == std::string::npos ? file + ".o"
                                                                 : file);
  return link;
}

} // namespace xlink::test
