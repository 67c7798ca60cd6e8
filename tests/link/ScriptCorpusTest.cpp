//===- ScriptCorpusTest.cpp - scripts laid out as GNU ld lays them out ----===//
//
// testdata/scripts/NAME.ld with the objects of testdata/scripts/objects, linked
// in memory and compared with NAME.expect, which tools/compare-scripts --record
// wrote from GNU ld's output. What the comments of a script mean is said there.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>
#include <set>

using namespace llvm;

namespace xlink::test {
namespace {

const std::string kFolder = std::string(XLINK_TESTDATA) + "/scripts";

std::string readText(const std::string &path) {
  auto buffer = MemoryBuffer::getFile(path);
  EXPECT_TRUE(bool(buffer)) << path;
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// Names of the files in a folder that end in `extension`, without it.
std::vector<std::string> namesIn(const std::string &folder,
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

/// What stands between "/* key" and "*/", for each such comment.
std::vector<std::string> notes(StringRef text, StringRef key) {
  std::vector<std::string> result;
  std::string begin = ("/* " + key).str();
  for (size_t at = text.find(begin); at != StringRef::npos;
       at = text.find(begin, at + 1)) {
    StringRef rest = text.drop_front(at + begin.size());
    result.push_back(rest.take_front(rest.find("*/")).trim().str());
  }
  return result;
}

std::vector<std::string> words(StringRef text) {
  SmallVector<StringRef, 8> list;
  text.split(list, ' ', -1, false);
  return {list.begin(), list.end()};
}

const std::map<std::string, Bytes> &objects() {
  static const std::map<std::string, Bytes> made = [] {
    std::map<std::string, Bytes> result;
    for (const std::string &name : namesIn(kFolder + "/objects", ".yaml")) {
      std::string yaml = readText(kFolder + "/objects/" + name + ".yaml");
      auto replace = [&](StringRef from, StringRef to) {
        for (size_t at = yaml.find(from.str()); at != std::string::npos;
             at = yaml.find(from.str(), at))
          yaml.replace(at, from.size(), to.str());
      };
      replace("[[MACHINE]]", "0x270F");
      replace("[[ABS32]]", "1"); // R_NYUZI_ABS32
      result[name] = objectFromYaml(yaml);
    }
    return result;
  }();
  return made;
}

Linked linkCase(const std::string &name, StringRef script) {
  LinkHarness links;
  links.file(name + ".ld", script);
  for (const std::string &part : namesIn(kFolder + "/inc", ".ld"))
    links.file("inc/" + part + ".ld",
               StringRef(readText(kFolder + "/inc/" + part + ".ld")));
  for (const auto &[file, bytes] : objects())
    links.file(file + ".o", bytes);
  for (const std::string &archive : notes(script, "archive: ")) {
    std::vector<std::string> parts = words(archive);
    std::vector<MemberSpec> members;
    for (size_t i = 1; i < parts.size(); ++i)
      members.push_back({parts[i] + ".o", objects().at(parts[i])});
    links.file(parts[0], makeArchive(members));
  }
  std::vector<std::string> arguments = {"-m", "nyuzi", "-T", name + ".ld"};
  for (const std::string &more : notes(script, "args: "))
    for (std::string &word : words(more))
      arguments.push_back(std::move(word));
  std::vector<std::string> files = notes(script, "files: ");
  for (const std::string &file : words(files.empty() ? "a b" : files[0]))
    arguments.push_back(file.find('.') == std::string::npos ? file + ".o"
                                                            : file);
  return links.link(arguments);
}

std::string hex(uint64_t value, unsigned digits = 0) {
  std::string text = utohexstr(value, /*LowerCase=*/true);
  return text.size() < digits ? std::string(digits - text.size(), '0') + text
                              : text;
}

/// FNV-1a of bytes without the zeros at their end.
uint64_t digest(const Bytes &bytes) {
  size_t size = bytes.size();
  while (size && bytes[size - 1] == 0)
    --size;
  uint64_t h = 0xcbf29ce484222325;
  for (size_t i = 0; i < size; ++i)
    h = (h ^ bytes[i]) * 0x100000001b3;
  return h;
}

std::string loadAddress(const OutFile &out, const OutSection &s) {
  for (const OutSegment &p : out.segments)
    if (p.type == 1 && p.address <= s.address &&
        s.address + s.size <= p.address + p.memSize)
      return "0x" + hex(p.loadAddress + s.address - p.address);
  return "none";
}

/// The lines of an .expect file. Of several sections with one name, in the order
/// of addresses, the second is called NAME#2.
std::map<std::string, std::string> describe(const OutFile &out) {
  std::map<std::string, std::string> lines;
  std::map<std::string, unsigned> count;
  std::vector<OutSection> sections(out.sections.begin(), out.sections.end());
  std::stable_sort(sections.begin(), sections.end(),
                   [](const OutSection &a, const OutSection &b) {
                     return a.address < b.address;
                   });
  for (const OutSection &s : sections) {
    if (!(s.flags & 2) || !s.size)
      continue;
    unsigned n = ++count[s.name];
    lines["section " + s.name + (n > 1 ? "#" + std::to_string(n) : "")] =
        "0x" + hex(s.address) + " 0x" + hex(s.size) + " " +
        loadAddress(out, s) + " " + hex(digest(s.bytes), 16);
  }
  for (const OutSymbol &s : out.symbols)
    if (s.binding && s.shndx)
      lines["symbol " + s.name] = "0x" + hex(s.value);
  lines["entry"] = "0x" + hex(out.entry);
  return lines;
}

class ScriptCorpus : public testing::TestWithParam<std::string> {};

TEST_P(ScriptCorpus, AsGnuLd) {
  std::string script = readText(kFolder + "/" + GetParam() + ".ld");
  Linked linked = linkCase(GetParam(), script);
  if (script.find("/* fails */") != std::string::npos) {
    EXPECT_EQ(linked.status, 1);
    EXPECT_NE(linked.errors, "");
    return;
  }
  ASSERT_EQ(linked.status, 0) << linked.errors;
  OutFile out(linked.image());
  if (!notes(script, "only xlink: ").empty())
    return;

  std::set<std::string> allowed;
  for (StringRef note : notes(script, "allow: "))
    allowed.insert(note.take_front(note.find(':')).str());
  std::map<std::string, std::string> expected, found = describe(out);
  std::string recorded = readText(kFolder + "/" + GetParam() + ".expect");
  SmallVector<StringRef, 64> lines;
  StringRef(recorded).split(lines, '\n', -1, false);
  for (StringRef line : lines) {
    auto [key, value] = line.split(" 0x");
    expected[key.str()] = "0x" + value.str();
  }
  for (const std::string &key : allowed) {
    expected.erase(key);
    found.erase(key);
  }
  auto text = [](const std::map<std::string, std::string> &all) {
    std::string result;
    for (const auto &[key, value] : all)
      result += key + " " + value + "\n";
    return result;
  };
  EXPECT_EQ(text(found), text(expected));
}

INSTANTIATE_TEST_SUITE_P(All, ScriptCorpus,
                         testing::ValuesIn(namesIn(kFolder, ".ld")),
                         [](const auto &info) { return info.param; });

} // namespace
} // namespace xlink::test
