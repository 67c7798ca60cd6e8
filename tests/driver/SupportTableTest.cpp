//===- SupportTableTest.cpp - what README says is supported ---------------===//
//
// README's table of features is made from testdata/driver/support.md and the
// option table. Where a row of the former has "*" in xlink's column, the status
// of the options that it names stands in README, and for "*" in its last column
// the option table's reason. XLINK_UPDATE_GOLDEN=1 writes README's section.
//
//===----------------------------------------------------------------------===//
#include "driver/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>

using namespace xlink;
using llvm::StringRef;

namespace {

std::string readText(const std::string &path) {
  const auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  EXPECT_TRUE(buffer) << path;
  return buffer ? (*buffer)->getBuffer().str() : "";
}

/// The options that a cell names in backticks.
std::vector<const Option *> optionsIn(StringRef cell) {
  std::vector<const Option *> options;
  while (!cell.empty()) {
    const auto [before, behind] = cell.split('`');
    const auto [word, rest] = behind.split('`');
    cell = rest;
    if (!word.starts_with("-"))
      continue;
    const StringRef name =
        word.ltrim('-').take_until([](char c) { return c == ' ' || c == '='; });
    const OptionMatch match = findOption(name);
    EXPECT_TRUE(match) << word.str();
    if (match)
      options.push_back(match.option);
  }
  return options;
}

/// What README says of options that share their status.
std::string statusOf(const std::vector<const Option *> &options,
                     StringRef row) {
  EXPECT_FALSE(options.empty()) << row.str();
  if (options.empty())
    return "";
  for (const Option *option : options)
    EXPECT_EQ(option->status, options[0]->status)
        << row.str() << ": " << option->name().str();
  if (options[0]->status == OptionStatus::Supported)
    return "yes";
  return StringRef(options[0]->text).ends_with(" yet") ? "not yet" : "-";
}

std::string tableOf(StringRef source) {
  std::string table;
  for (StringRef row : llvm::split(source.rtrim(), '\n')) {
    llvm::SmallVector<StringRef> cells;
    row.split(cells, '|');
    EXPECT_EQ(cells.size(), 7u) << row.str();
    if (cells.size() != 7)
      continue;
    std::string status = cells[2].str(), remark = cells[5].str();
    if (cells[2].trim() == "*") {
      const auto options = optionsIn(cells[1]);
      status = " " + statusOf(options, row) + " ";
      if (cells[5].trim() == "*" && !options.empty())
        remark = " " + std::string(options[0]->text) + " ";
    }
    for (const std::string &cell :
         {cells[1].str(), status, cells[3].str(), cells[4].str(), remark})
      table += "|" + cell;
    table += "|\n";
  }
  return table;
}

// Rows without a word of their own about xlink are the option table's.
TEST(SupportTable, IsInReadme) {
  const std::string path = XLINK_SOURCE_DIR "/README.md";
  std::string readme = readText(path);
  const size_t begin = readme.find("| feature | xlink");
  ASSERT_NE(begin, std::string::npos);
  const size_t end = readme.find("\n\n", begin) + 1;
  const std::string table =
      tableOf(readText(XLINK_TESTDATA "/driver/support.md"));
  if (std::getenv("XLINK_UPDATE_GOLDEN"))
    std::ofstream(path) << readme.replace(begin, end - begin, table);
  else
    EXPECT_EQ(readme.substr(begin, end - begin), table)
        << "run with XLINK_UPDATE_GOLDEN=1 to write README anew";
}

// What is refused is not called supported, nor the reverse.
TEST(SupportTable, SaysWhatTheOptionTableSays) {
  EXPECT_EQ(tableOf("| `--wrap`, `-r` x | * | yes | - | z |"),
            "| `--wrap`, `-r` x | yes | yes | - | z |\n");
  EXPECT_EQ(tableOf("| `--gdb-index` | * | - | yes | * |"),
            "| `--gdb-index` | not yet | - | yes | debugging indexes are not "
            "supported yet |\n");
  EXPECT_EQ(tableOf("| `-shared` | * | a | b | c |"),
            "| `-shared` | - | a | b | c |\n");
}

} // namespace
