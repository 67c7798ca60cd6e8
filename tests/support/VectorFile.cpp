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

static VectorRow parseRow(StringRef line) {
  VectorRow row;
  row.line = line.str();
  SCOPED_TRACE(row.line);
  SmallVector<StringRef, 8> column;
  line.split(column, '\t');
  if (column.size() != 8) {
    ADD_FAILURE() << "not eight columns";
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
  return row;
}

std::vector<VectorRow> readVectors(StringRef machine) {
  std::ifstream file(std::string(XLINK_TESTDATA) + "/vectors/" + machine.str() +
                     ".tsv");
  std::vector<VectorRow> rows;
  for (std::string line; std::getline(file, line);)
    if (!line.empty() && line.front() != '#')
      rows.push_back(parseRow(line));
  EXPECT_FALSE(rows.empty()) << machine.str();
  return rows;
}

} // namespace xlink::test
