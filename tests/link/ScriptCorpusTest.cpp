//===- ScriptCorpusTest.cpp - scripts laid out as GNU ld lays them out ----===//
//
// testdata/scripts/NAME.ld with the objects of testdata/scripts/objects, linked
// in memory as ELF32 and as ELF64 and compared with NAME.expect, or where ELF64
// differs with NAME.expect64, which tools/compare-scripts --record wrote from
// GNU ld's output. What the comments of a script mean is said there.
//
//===----------------------------------------------------------------------===//
#include "support/ScriptCorpus.h"
#include "link/Linking.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

using namespace llvm;

namespace xlink::test {
namespace {

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

/// Load address of a section, through the PT_LOAD that covers it. Members of
/// overlays share addresses: then the place in the file decides; without bytes
/// nothing does.
std::string loadAddress(const OutFile &out, const OutSection &s) {
  const bool nobits = s.type == 8;
  std::map<uint64_t, bool> found; // load address -> has its place in the file
  for (const OutSegment &p : out.segments) {
    const uint64_t covered = nobits ? p.memSize : p.fileSize;
    if (p.type == 1 && p.address <= s.address &&
        s.address + s.size <= p.address + covered)
      found[p.loadAddress + s.address - p.address] |=
          p.offset + s.address - p.address == s.offset;
  }
  if (found.empty())
    return "none";
  if (found.size() > 1 && nobits)
    return "any";
  for (auto [address, inPlace] : found)
    if (inPlace)
      return "0x" + hex(address);
  return "0x" + hex(found.begin()->first);
}

/// The lines of an .expect file. Of several sections with one name, in the
/// order of addresses, the second is called NAME#2.
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

class ScriptCorpus
    : public testing::TestWithParam<std::tuple<const char *, std::string>> {};

TEST_P(ScriptCorpus, AsGnuLd) {
  const auto &[machine, name] = GetParam();
  const bool is64 = StringRef(machine) != kCorpusMachines[0];
  std::string script = corpusText(name + ".ld");
  if (is64 && !corpusNotes(script, "only ELF32: ").empty())
    return;
  CorpusLink described = corpusLink(name, script, machine);
  LinkHarness links;
  for (auto &[path, bytes] : described.files)
    links.file(path, std::move(bytes));
  Linked linked = links.link(described.arguments);
  if (script.find("/* fails */") != std::string::npos) {
    EXPECT_EQ(linked.status, 1);
    EXPECT_NE(linked.errors, "");
    return;
  }
  ASSERT_EQ(linked.status, 0) << linked.errors;
  OutFile out(linked.image());
  if (!corpusNotes(script, "only xlink: ").empty())
    return;

  std::set<std::string> allowed;
  for (StringRef note : corpusNotes(script, "allow: "))
    allowed.insert(note.take_front(note.find(':')).str());
  std::map<std::string, std::string> expected, found = describe(out);
  const bool differs = is64 && !corpusNotes(script, "ELF64 differs: ").empty();
  std::string recorded = corpusText(name + (differs ? ".expect64" : ".expect"));
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
                         testing::Combine(testing::ValuesIn(kCorpusMachines),
                                          testing::ValuesIn(corpusNames())),
                         [](const auto &info) {
                           return std::get<1>(info.param) + "_" +
                                  std::get<0>(info.param);
                         });

} // namespace
} // namespace xlink::test
