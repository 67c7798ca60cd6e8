//===- VectorFile.cpp -----------------------------------------------------===//
#include "support/VectorFile.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <fstream>
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {

static uint64_t number(StringRef text) {
  bool negative = text.consume_front("-");
  uint64_t value = 0;
  EXPECT_FALSE(text.getAsInteger(0, value)) << text.str();
  return negative ? -value : value;
}

static std::optional<uint64_t> optionalNumber(StringRef text) {
  if (text == "-")
    return std::nullopt;
  return number(text);
}

static VectorRow parseRow(StringRef line, size_t columns) {
  VectorRow row;
  row.line = line.str();
  SCOPED_TRACE(row.line);
  SmallVector<StringRef, 9> column;
  line.split(column, '\t');
  if (column.size() != columns) {
    ADD_FAILURE() << "not " << columns << " columns";
    return row;
  }
  row.relocation = column[0].str();
  row.cpu = column[1] == "-" ? "" : column[1].str();
  row.S = number(column[2]);
  row.A = int64_t(number(column[3]));
  row.P = optionalNumber(column[4]);
  row.base = optionalNumber(column[5]);
  row.before = fromHex(column[6]);
  if (column[7].consume_front("ERR "))
    row.refusal = column[7].str();
  else
    row.after = fromHex(column[7]);
  if (columns > 8) {
    SmallVector<StringRef, 4> words;
    column[8].split(words, ' ');
    row.label = words.front().str();
    row.words.assign(words.begin() + 1, words.end());
  }
  return row;
}

std::vector<VectorRow> readVectors(StringRef machine, StringRef directory) {
  const size_t columns = directory == "limits" ? 9 : 8;
  std::ifstream file(std::string(XLINK_TESTDATA) + "/" + directory.str() + "/" +
                     machine.str() + ".tsv");
  std::vector<VectorRow> rows;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line.front() != '#')
      rows.push_back(parseRow(line, columns));
  EXPECT_FALSE(rows.empty()) << machine.str();
  return rows;
}

} // namespace xlink::test
