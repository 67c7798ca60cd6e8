//===- LineTableTest.cpp - the decoder of .debug_line ---------------------===//
//
// Tables are written here byte by byte, as DWARF 2 to 5 describe them (6.2,
// "Line Number Information").
//
//===----------------------------------------------------------------------===//
#include "debug/LineTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace llvm::dwarf;

namespace xlink::test {
namespace {

std::string little(uint64_t value, unsigned size) {
  std::string bytes;
  for (unsigned i = 0; i < size; ++i)
    bytes += char(value >> (8 * i));
  return bytes;
}

std::string bytesOf(std::initializer_list<int> list) {
  return std::string(list.begin(), list.end());
}

std::string zeroEnded(StringRef text) { return text.str() + '\0'; }

/// A table with directories d1 and d2, and files a.c of the compiler's
/// directory, b.c of d1 and c.c of d2.
struct TableHead {
  unsigned version = 4;
  bool dwarf64 = false;
  unsigned unit = 1, operations = 1;
  int lineBase = -3;
  unsigned lineRange = 12, opcodeBase = 13;
  std::string names = {}; ///< instead of those

  unsigned offsetSize() const { return dwarf64 ? 8 : 4; }
  std::string with(const std::string &program) const {
    std::string head = little(unit, 1);
    if (version >= 4)
      head += little(operations, 1);
    head += bytesOf({1, lineBase, int(lineRange), int(opcodeBase)});
    const char lengths[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 2, 3};
    head.append(lengths, opcodeBase - 1);
    if (!names.empty())
      head += names;
    else if (version < 5)
      head += zeroEnded("d1") + zeroEnded("d2/") + zeroEnded("") +
              zeroEnded("a.c") + bytesOf({0, 0, 0}) + zeroEnded("b.c") +
              bytesOf({1, 0x81, 1, 7}) + zeroEnded("c.c") + bytesOf({2, 0, 0}) +
              zeroEnded("");
    else
      head += bytesOf({1, DW_LNCT_path, DW_FORM_string, 3}) +
              zeroEnded("/home") + zeroEnded("d1") + zeroEnded("d2/") +
              bytesOf({2, DW_LNCT_path, DW_FORM_string, DW_LNCT_directory_index,
                       DW_FORM_udata, 3}) +
              zeroEnded("a.c") + bytesOf({0}) + zeroEnded("b.c") +
              bytesOf({1}) + zeroEnded("c.c") + bytesOf({2});
    std::string text = little(version, 2);
    if (version == 5)
      text += bytesOf({4, 0});
    text += little(head.size(), offsetSize()) + head + program;
    return (dwarf64 ? little(0xffffffff, 4) : "") +
           little(text.size(), offsetSize()) + text;
  }
};

std::string address(uint64_t value, unsigned size = 4) {
  return bytesOf({0, int(1 + size), DW_LNE_set_address}) + little(value, size);
}

const std::string kEnd = bytesOf({0, 1, DW_LNE_end_sequence});
const std::string kCopy = bytesOf({DW_LNS_copy});

std::string byPc(int bytes) { return bytesOf({DW_LNS_advance_pc, bytes}); }
/// -64 to 63.
std::string byLine(int lines) {
  return bytesOf({DW_LNS_advance_line, lines & 0x7f});
}
std::string ofFile(int file) { return bytesOf({DW_LNS_set_file, file}); }

/// The lines of the bytes from 0x1000 on, until there are none.
std::string lines(const std::string &section, uint64_t at = 0x1000) {
  const LineTable table({section, "", ""});
  std::string text;
  for (;; ++at) {
    const std::string line = table.find(0, at);
    if (line.empty())
      return text;
    text += (text.empty() ? "" : " ") + line;
  }
}

TEST(LineTables, VersionsAndFormats) {
  const std::string program =
      address(0x1000) + kCopy + byPc(1) + byLine(4) + kCopy + byPc(1) + kEnd;
  for (unsigned version : {2, 3, 4})
    for (bool dwarf64 : {false, true})
      EXPECT_EQ(lines(TableHead{version, dwarf64}.with(program)), "a.c:1 a.c:5")
          << version << dwarf64;
  // Files count from 0 there, and 1 is where a program begins.
  for (bool dwarf64 : {false, true})
    EXPECT_EQ(lines(TableHead{5, dwarf64}.with(program)), "d1/b.c:1 d1/b.c:5");
  for (unsigned version : {0, 1, 6})
    EXPECT_EQ(lines(TableHead{version}.with(program)), "") << version;
}

// Files and their directories, the last one of each and those behind.
TEST(LineTables, Files) {
  const auto ofNumber = [](unsigned version, int file) {
    return lines(TableHead{version}.with(address(0x1000) + ofFile(file) +
                                         kCopy + byPc(1) + kEnd));
  };
  for (unsigned version : {2, 4}) {
    EXPECT_EQ(ofNumber(version, 0), "");
    EXPECT_EQ(ofNumber(version, 1), "a.c:1");
    EXPECT_EQ(ofNumber(version, 2), "d1/b.c:1");
    EXPECT_EQ(ofNumber(version, 3), "d2/c.c:1");
    EXPECT_EQ(ofNumber(version, 4), "");
  }
  EXPECT_EQ(ofNumber(5, 0), "a.c:1");
  EXPECT_EQ(ofNumber(5, 1), "d1/b.c:1");
  EXPECT_EQ(ofNumber(5, 2), "d2/c.c:1");
  EXPECT_EQ(ofNumber(5, 3), "");
}

TEST(LineTables, NamesOfFiles) {
  const auto named = [](const std::string &file, int directory) {
    TableHead head;
    head.names = zeroEnded("dir") + zeroEnded("") + zeroEnded(file) +
                 bytesOf({directory, 0, 0}) + zeroEnded("");
    return lines(head.with(address(0x1000) + kCopy + byPc(1) + kEnd));
  };
  EXPECT_EQ(named("x.c", 0), "x.c:1");
  EXPECT_EQ(named("x.c", 1), "dir/x.c:1");
  EXPECT_EQ(named("x.c", 2), "x.c:1") << "there is none";
  EXPECT_EQ(named("/x.c", 1), "/x.c:1") << "absolute";
}

// DWARF 5 says of each form how long it is.
TEST(LineTables, FormsOfNames) {
  const std::pair<int, std::string> others[] = {
      {DW_FORM_udata, bytesOf({0x81, 1})},
      {DW_FORM_data1, "x"},
      {DW_FORM_data2, "xx"},
      {DW_FORM_data4, "xxxx"},
      {DW_FORM_data8, "xxxxxxxx"},
      {DW_FORM_data16, "xxxxxxxxxxxxxxxx"},
      {DW_FORM_block, bytesOf({3}) + "xyz"},
      {DW_FORM_string, zeroEnded("any")},
  };
  const auto with = [](bool dwarf64, int form, const std::string &value,
                       const LineSections &strings, int index,
                       const std::string &number) {
    TableHead head{5, dwarf64};
    head.names = bytesOf({1, DW_LNCT_path, DW_FORM_string, 2}) +
                 zeroEnded("/home") + zeroEnded("dir") +
                 bytesOf({3, DW_LNCT_MD5,
                          form == DW_FORM_line_strp || form == DW_FORM_strp
                              ? DW_FORM_data1
                              : form}) +
                 bytesOf({DW_LNCT_path,
                          form == DW_FORM_line_strp || form == DW_FORM_strp
                              ? form
                              : int(DW_FORM_string),
                          DW_LNCT_directory_index, index, 2});
    for (int i = 0; i < 2; ++i)
      head.names += value + number;
    const std::string text =
        head.with(address(0x1000) + kCopy + byPc(1) + kEnd);
    return LineTable({text, strings.lineStrings, strings.strings})
        .find(0, 0x1000);
  };
  for (const auto &[form, value] : others)
    EXPECT_EQ(with(false, form, value + zeroEnded("x.c"), {}, DW_FORM_udata,
                   bytesOf({1})),
              "dir/x.c:1")
        << form;
  // Names in other sections, in both formats.
  const std::string first = zeroEnded("no") + zeroEnded("line.c"),
                    second = zeroEnded("not") + zeroEnded("str.c");
  for (bool dwarf64 : {false, true}) {
    const unsigned size = dwarf64 ? 8 : 4;
    const LineSections strings{"", first, second};
    EXPECT_EQ(with(dwarf64, DW_FORM_line_strp, "x" + little(3, size), strings,
                   DW_FORM_udata, bytesOf({1})),
              "dir/line.c:1");
    EXPECT_EQ(with(dwarf64, DW_FORM_strp, "x" + little(4, size), strings,
                   DW_FORM_udata, bytesOf({1})),
              "dir/str.c:1");
    EXPECT_EQ(with(dwarf64, DW_FORM_strp, "x" + little(second.size(), size),
                   strings, DW_FORM_udata, bytesOf({1})),
              "")
        << "behind the end";
    EXPECT_EQ(with(dwarf64, DW_FORM_strp, "x" + little(3, size),
                   {"", "", StringRef(second).drop_back(2)}, DW_FORM_udata,
                   bytesOf({1})),
              "")
        << "without a name";
  }
  // The number of a directory.
  const std::pair<int, unsigned> sizes[] = {{DW_FORM_data1, 1},
                                            {DW_FORM_data2, 2},
                                            {DW_FORM_data4, 4},
                                            {DW_FORM_data8, 8}};
  for (const auto &[form, size] : sizes)
    EXPECT_EQ(with(false, DW_FORM_data1, "x" + zeroEnded("x.c"), {}, form,
                   little(1, size)),
              "dir/x.c:1")
        << size;
}

// Special opcodes: "line base + adjusted % line range", "adjusted / line range
// * minimum length" (6.2.5.1).
TEST(LineTables, SpecialOpcodes) {
  const auto special = [](const TableHead &head, int opcode) {
    return lines(head.with(address(0x1000) + byLine(20) + kCopy +
                           bytesOf({opcode}) + byPc(1) + kEnd));
  };
  const TableHead head;
  EXPECT_EQ(special(head, 13), "a.c:18") << "not a byte, three lines back";
  EXPECT_EQ(special(head, 24), "a.c:29") << "not a byte, eight lines on";
  EXPECT_EQ(special(head, 25), "a.c:21 a.c:18");
  EXPECT_EQ(special(head, 36), "a.c:21 a.c:29");
  EXPECT_EQ(special(head, 37), "a.c:21 a.c:21 a.c:18");
  TableHead wide = head;
  wide.unit = 2;
  EXPECT_EQ(special(wide, 25), "a.c:21 a.c:21 a.c:18 a.c:18");
  TableHead other = head;
  other.lineBase = 0;
  other.lineRange = 2;
  other.opcodeBase = 10;
  EXPECT_EQ(special(other, 13), "a.c:21 a.c:22");
}

TEST(LineTables, StandardOpcodes) {
  const auto after = [](const std::string &steps, const TableHead &head = {}) {
    return lines(head.with(address(0x1000) + kCopy + steps + byLine(9) + kCopy +
                           byPc(1) + kEnd));
  };
  EXPECT_EQ(after(byPc(2)), "a.c:1 a.c:1 a.c:10");
  // As a special opcode 255, without a row: 242 / 12.
  const std::string twenty = after(bytesOf({DW_LNS_const_add_pc}));
  EXPECT_EQ(StringRef(twenty).count("a.c:1 "), 20u) << twenty;
  TableHead wide;
  wide.unit = 4;
  EXPECT_EQ(StringRef(after(byPc(2), wide)).count("a.c:1 "), 8u);
  // Bytes, whatever the length of an instruction.
  EXPECT_EQ(after(bytesOf({DW_LNS_fixed_advance_pc, 2, 0}), wide),
            "a.c:1 a.c:1 a.c:10 a.c:10 a.c:10 a.c:10");
  EXPECT_EQ(after(byPc(1) + byLine(-1) + byLine(1)), "a.c:1 a.c:10");
  // These say nothing of lines, some with an operand.
  EXPECT_EQ(after(bytesOf({DW_LNS_set_column, 0x81, 1, DW_LNS_negate_stmt,
                           DW_LNS_set_basic_block, DW_LNS_set_prologue_end,
                           DW_LNS_set_epilogue_begin, DW_LNS_set_isa, 5}) +
                  byPc(1)),
            "a.c:1 a.c:10");
  // Nor do those that are not known, with one and two or three operands.
  TableHead more;
  more.opcodeBase = 15;
  EXPECT_EQ(after(bytesOf({13, 0x81, 1, 2, 14, 1, 2, 3}) + byPc(1), more),
            "a.c:1 a.c:10");
}

// Where an instruction has several operations, they count within it (6.2.5.1).
TEST(LineTables, SeveralOperations) {
  TableHead head;
  head.unit = 4;
  head.operations = 3;
  const std::string steps = address(0x1000) + kCopy + byPc(2) + byLine(1) +
                            kCopy + byPc(1) + byLine(1) + kCopy + byPc(4) +
                            byLine(1) + kCopy + byPc(2) + kEnd;
  // Operations 0, 2, 3, 7 and 9: bytes 0, 0, 4, 8 and 12.
  EXPECT_EQ(lines(head.with(steps)),
            "a.c:2 a.c:2 a.c:2 a.c:2 a.c:3 a.c:3 a.c:3 a.c:3 a.c:4 a.c:4 "
            "a.c:4 a.c:4");
  head.operations = 0;
  head.unit = 1;
  EXPECT_EQ(lines(head.with(address(0x1000) + kCopy + byPc(2) + kEnd)),
            "a.c:1 a.c:1")
      << "counts as 1";
  // A new address begins with the first of them.
  head.operations = 2;
  EXPECT_EQ(lines(head.with(byPc(1) + address(0x1000) + kCopy + byPc(1) +
                            byLine(1) + kCopy + byPc(1) + kEnd)),
            "a.c:2");
  EXPECT_EQ(lines(head.with(address(0xffe) + byPc(1) +
                            bytesOf({DW_LNS_fixed_advance_pc, 2, 0}) + kCopy +
                            byPc(1) + byLine(1) + kCopy + byPc(1) + kEnd)),
            "a.c:2");
}

// At the end of a sequence all registers are as in the beginning.
TEST(LineTables, Sequences) {
  EXPECT_EQ(lines(TableHead().with(address(0x2000) + ofFile(3) + byLine(40) +
                                   kCopy + byPc(1) + kEnd + address(0x1000) +
                                   kCopy + byPc(1) + kEnd)),
            "a.c:1");
  EXPECT_EQ(lines(TableHead().with(address(0x2000) + kCopy + byPc(1) + kEnd +
                                   kCopy + byPc(1) + kEnd),
                  0),
            "a.c:1");
  TableHead several;
  several.operations = 2;
  EXPECT_EQ(lines(several.with(address(0x2000) + kCopy + byPc(1) + kEnd +
                               kCopy + byPc(2) + kEnd),
                  0),
            "a.c:1");
  // What is between two of them has no line; the last row ends the first one.
  const std::string section =
      TableHead().with(address(0x1000) + kCopy + byPc(2) + byLine(4) + kEnd +
                       address(0x1004) + byLine(8) + kCopy + byPc(1) + kEnd);
  EXPECT_EQ(lines(section), "a.c:1 a.c:1");
  EXPECT_EQ(lines(section, 0x1004), "a.c:9");
  // Line 0 is none (6.2.2).
  EXPECT_EQ(lines(TableHead().with(address(0x1000) + kCopy + byPc(1) +
                                   byLine(-1) + kCopy + byPc(1) + kEnd)),
            "a.c:1");
}

// Ranges of units, without their lines: by the offset of each table.
TEST(LineTables, SequencesOfUnits) {
  const std::string first = TableHead{4}.with(
      address(0x1000) + kCopy + byPc(8) + kCopy + byPc(4) + kEnd +
      address(0x3000) + kCopy + byPc(2) + kEnd + address(0x5000) + kEnd);
  const LineTable table(
      {first + TableHead{5}.with(address(0) + kCopy + byPc(6) + kEnd), "", ""},
      /*lines=*/false);
  std::string text;
  for (const LineTable::Sequence &s : table.sequences)
    text += utohexstr(s.low) + "-" + utohexstr(s.high) + " " +
            (s.table == first.size() ? "second" : std::to_string(s.table)) +
            "\n";
  EXPECT_EQ(text, "1000-100C 0\n3000-3002 0\n0-6 second\n");
  EXPECT_EQ(table.find(0, 0x1000), "");
}

TEST(LineTables, ExtendedOpcodes) {
  const auto after = [](const std::string &steps) {
    return lines(
        TableHead().with(address(0x1000) + kCopy + steps + byPc(1) + kEnd));
  };
  EXPECT_EQ(after(""), "a.c:1");
  EXPECT_EQ(
      lines(TableHead().with(address(0x1000, 8) + kCopy + byPc(1) + kEnd)),
      "a.c:1");
  EXPECT_EQ(
      lines(TableHead().with(address(0x100000000, 8) + kCopy + byPc(1) + kEnd),
            0x100000000),
      "a.c:1");
  // A discriminator, and one that is not known: passed over by its length.
  EXPECT_EQ(after(bytesOf({0, 2, DW_LNE_set_discriminator, 5})), "a.c:1");
  EXPECT_EQ(after(bytesOf({0, 4, 0x80, 1, 2, 3})), "a.c:1");
  // A file more.
  EXPECT_EQ(lines(TableHead().with(bytesOf({0, 8, DW_LNE_define_file}) +
                                   zeroEnded("d.c") + bytesOf({1, 0, 0}) +
                                   address(0x1000) + ofFile(4) + kCopy +
                                   byPc(1) + kEnd)),
            "d1/d.c:1");
  // No length, and one beyond the end.
  EXPECT_EQ(after(bytesOf({0, 0})), "");
  EXPECT_EQ(lines(TableHead().with(address(0x1000) + kCopy + byPc(1) + kCopy +
                                   bytesOf({0, 2, DW_LNE_end_sequence}))),
            "a.c:1");
}

// A table that is not sound ends; what it has said counts, and the next one is
// read.
TEST(LineTables, Damage) {
  const std::string program = address(0x1000) + kCopy + byPc(1) + kEnd;
  const auto inFront = [&](const TableHead &head) {
    return lines(
        head.with(program) +
        TableHead().with(address(0x1001) + byLine(4) + kCopy + byPc(1) + kEnd));
  };
  EXPECT_EQ(inFront({}), "a.c:1 a.c:5");
  TableHead none;
  none.lineRange = 0;
  EXPECT_EQ(lines(none.with(program)), "");
  // A length of one byte more than there is: no table.
  std::string longer = TableHead().with(program);
  ++longer[0];
  EXPECT_EQ(lines(longer), "");
  // A header of as many bytes as there are, and one more.
  for (int more : {0, 1}) {
    TableHead head;
    std::string section = head.with("");
    section[6] = char(section[6] + more);
    EXPECT_EQ(lines(section + head.with(program)), "a.c:1");
  }
}

// What begins in front of a section is of another one.
TEST(LineTables, FindsFromWhereASectionBegins) {
  const std::string section = TableHead().with(
      address(0x1000) + kCopy + byPc(8) + byLine(1) + kCopy + byPc(8) + kEnd);
  const LineTable table({section, "", ""});
  EXPECT_EQ(table.find(0x1000, 0xfff), "");
  EXPECT_EQ(table.find(0x1000, 0x1000), "a.c:1");
  EXPECT_EQ(table.find(0x1000, 0x1007), "a.c:1");
  EXPECT_EQ(table.find(0x1000, 0x1008), "a.c:2");
  EXPECT_EQ(table.find(0x1000, 0x100f), "a.c:2");
  EXPECT_EQ(table.find(0x1000, 0x1010), "");
  EXPECT_EQ(table.find(0x1001, 0x1008), "");
  EXPECT_EQ(table.find(0xfff, 0x1008), "a.c:2");
}

// To look through the text for each of them would take minutes.
TEST(LineTables, ManyNamesInOneLongText) {
  constexpr unsigned count = 400000, size = 4000000;
  std::string text(size, 'x');
  text += '\0';
  text += std::string(size, 'y'); // without an end
  TableHead head{5};
  head.names = bytesOf({1, DW_LNCT_path, DW_FORM_line_strp, 1});
  head.names += little(size - 3, 4);
  head.names +=
      bytesOf({2, DW_LNCT_path, DW_FORM_line_strp, DW_LNCT_directory_index,
               DW_FORM_data1}) +
      bytesOf({0x80 | (count & 127), 0x80 | (count >> 7 & 127), count >> 14});
  for (unsigned i = 0; i < count; ++i)
    head.names += little(i % 2 ? size + 1 + i : i, 4) + bytesOf({1});
  head.names.replace(head.names.size() - 5, 4, little(size - 1, 4));
  const std::string section = head.with("");
  const LineTable table({section, text, ""});
  EXPECT_EQ(table.lineOf(0, count - 1, 7), "x:7") << "no such directory";
  EXPECT_EQ(table.lineOf(0, 2, 7).size(), size - 2 + StringRef(":7").size());
  EXPECT_EQ(table.lineOf(0, 1, 7), "") << "no end";
}

// Files as entries of .debug_info name them: by the table's offset.
TEST(LineTables, LinesOfDeclarations) {
  const std::string first = TableHead{4}.with("");
  const std::string section = first + TableHead{5}.with("");
  const LineTable table({section, "", ""});
  EXPECT_EQ(table.lineOf(0, 0, 7), "");
  EXPECT_EQ(table.lineOf(0, 1, 7), "a.c:7");
  EXPECT_EQ(table.lineOf(0, 3, 7), "d2/c.c:7");
  EXPECT_EQ(table.lineOf(0, 4, 7), "") << "a file of the next table";
  EXPECT_EQ(table.lineOf(first.size(), 0, 8), "a.c:8");
  EXPECT_EQ(table.lineOf(first.size(), 2, 8), "d2/c.c:8");
  EXPECT_EQ(table.lineOf(first.size(), 3, 8), "");
  EXPECT_EQ(table.lineOf(0, 1, 0), "") << "no line";
  EXPECT_EQ(table.lineOf(1, 1, 7), "") << "no table begins there";
  EXPECT_EQ(table.lineOf(first.size() - 1, 1, 7), "");
  EXPECT_EQ(table.lineOf(section.size(), 1, 7), "");
}

} // namespace
} // namespace xlink::test
