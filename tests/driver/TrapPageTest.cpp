//===- TrapPageTest.cpp - the page about traps, beside their table --------===//
//
// People who search for a symptom find src/checks/TRAPS.md; kChecks has the
// checks and their reports.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <map>

using namespace llvm;

namespace xlink::test {

/// The page's entries by name.
static std::map<std::string, StringRef> entriesOf(StringRef page) {
  std::map<std::string, StringRef> entries;
  StringRef rest = page.split("\n### ").second;
  while (!rest.empty()) {
    const auto [entry, next] = rest.split("\n### ");
    const auto [name, text] = entry.split('\n');
    entries[name.str()] = text.split("\n## ").first;
    rest = next;
  }
  return entries;
}

TEST(TrapPage, HasEachTrapWithItsReports) {
  const auto file =
      MemoryBuffer::getFile(XLINK_SOURCE_DIR "/src/checks/TRAPS.md");
  ASSERT_TRUE(file);
  const std::string page = (*file)->getBuffer().str();
  std::map<std::string, StringRef> entries = entriesOf(page);
  for (const LinkCheck &check : kChecks) {
    const std::string name = warningGroupName(check.group);
    const auto entry = entries.find(name);
    ASSERT_NE(entry, entries.end()) << name << " has no entry";
    const StringRef text = entry->second;
    EXPECT_TRUE(text.contains("*Seen:*")) << name;
    EXPECT_TRUE(text.contains("*Mend:*")) << name;
    const StringRef reports = text.split("*Reports:* ").second;
    std::string line = reports.rtrim().str();
    std::replace(line.begin(), line.end(), '\n', ' ');
    EXPECT_EQ(line, check.reports) << name;
    EXPECT_TRUE(StringRef(page).contains("(#" + name + ")"))
        << name << " is in no row of the symptoms";
    entries.erase(entry);
  }
  for (const auto &[name, text] : entries)
    ADD_FAILURE() << name << " is no trap";
}

} // namespace xlink::test
