//===- VariableTableTest.cpp - the declarations of variables in DWARF -----===//
//
// Entries, abbreviations and addresses are written here byte by byte, as DWARF
// 2 to 5 describe them (7.5, "Format of Debugging Information").
//
//===----------------------------------------------------------------------===//
#include "debug/LineTable.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace llvm::dwarf;

namespace xlink::test {
namespace {

std::string numberOf(uint64_t value, unsigned size) {
  std::string bytes;
  for (unsigned i = 0; i < size; ++i)
    bytes += char(value >> (8 * i));
  return bytes;
}

std::string raw(std::initializer_list<int> list) {
  return std::string(list.begin(), list.end());
}

/// "Code, tag, no children, attributes": one abbreviation.
std::string abbreviation(
    unsigned code, unsigned tag,
    std::initializer_list<std::pair<unsigned, std::string>> attributes) {
  std::string text = raw({int(code), int(tag), 0});
  for (const auto &[name, form] : attributes)
    text += raw({int(name)}) + form;
  return text + raw({0, 0});
}

std::string form(unsigned number) {
  // ULEB128: forms of GNU have two bytes.
  if (number < 0x80)
    return raw({int(number)});
  return raw({int(number & 0x7f) | 0x80, int(number >> 7)});
}

struct Head {
  unsigned version = 5;
  bool dwarf64 = false;
  unsigned addressSize = 4;
  unsigned type = DW_UT_compile;
  uint64_t abbreviations = 0;

  unsigned size() const {
    return (dwarf64 ? 12 : 4) + 3 + (version == 5) + (dwarf64 ? 8 : 4);
  }
};

std::string unit(const Head &head, const std::string &entries) {
  const unsigned offsetSize = head.dwarf64 ? 8 : 4;
  std::string text = numberOf(head.version, 2);
  if (head.version == 5)
    text += raw({int(head.type), int(head.addressSize)}) +
            numberOf(head.abbreviations, offsetSize);
  else
    text +=
        numberOf(head.abbreviations, offsetSize) + raw({int(head.addressSize)});
  text += entries;
  return (head.dwarf64 ? numberOf(0xffffffff, 4) : "") +
         numberOf(text.size(), offsetSize) + text;
}

/// DW_OP_addr, as DW_FORM_exprloc or block1.
std::string at(uint64_t address, unsigned size = 4) {
  return raw({int(1 + size), DW_OP_addr}) + numberOf(address, size);
}

/// "TABLE FILE LINE" of what is at an address, "-".
std::string declaration(const VariableTable &table, uint64_t address) {
  const auto it = table.find(address);
  if (it == table.end())
    return "-";
  const Declaration &d = it->second;
  return std::to_string(d.table) + " " + std::to_string(d.file) + " " +
         std::to_string(d.line);
}

/// DW_TAG_variable: file, line, location.
const std::string kVariable =
    abbreviation(1, DW_TAG_variable,
                 {{DW_AT_decl_file, form(DW_FORM_data1)},
                  {DW_AT_decl_line, form(DW_FORM_data1)},
                  {DW_AT_location, form(DW_FORM_exprloc)}});

std::string variable(int file, int line, uint64_t address, unsigned size = 4) {
  return raw({1, file, line}) + at(address, size);
}

TEST(VariableTable, FindsWhatBeginsThere) {
  const std::string entries =
      unit({}, variable(1, 30, 0x2000) + variable(2, 20, 0x1000) + raw({0}) +
                   variable(3, 40, 0x1800));
  const VariableTable table =
      readVariables({entries, kVariable + raw({0}), ""});
  EXPECT_EQ(declaration(table, 0x1000), "0 2 20");
  EXPECT_EQ(declaration(table, 0x1800), "0 3 40");
  EXPECT_EQ(declaration(table, 0x2000), "0 1 30");
  for (uint64_t address : {0, 0xfff, 0x1001, 0x17ff, 0x1801, 0x1fff, 0x2001})
    EXPECT_EQ(declaration(table, address), "-") << address;
}

// Version, format and size of addresses of each unit.
TEST(VariableTable, Heads) {
  for (unsigned version : {2, 3, 4, 5})
    for (bool dwarf64 : {false, true})
      for (unsigned size : {4, 8}) {
        const uint64_t address = size == 8 ? 0x123456789aull : 0x1234;
        const std::string entries =
            unit({version, dwarf64, size}, variable(7, 9, address, size));
        EXPECT_EQ(
            declaration(readVariables({entries, kVariable + raw({0}), ""}),
                        address),
            "0 7 9")
            << version << dwarf64 << size;
      }
}

// A unit that is not known is passed over; the one behind it is read.
TEST(VariableTable, HeadsThatAreNotKnown) {
  const auto inFront = [](const Head &head, bool wanted, const char *what) {
    const std::string entries =
        unit(head, variable(1, 5, 0x1000, head.addressSize == 8 ? 8 : 4)) +
        unit({}, variable(2, 6, 0x2000));
    const VariableTable table =
        readVariables({entries, kVariable + raw({0}), ""});
    EXPECT_EQ(declaration(table, 0x1000), wanted ? "0 1 5" : "-") << what;
    EXPECT_EQ(declaration(table, 0x2000), "0 2 6") << what;
  };
  inFront({.version = 1}, false, "version 1");
  inFront({.version = 2}, true, "version 2");
  inFront({.version = 6}, false, "version 6");
  inFront({.version = 0}, false, "version 0");
  inFront({.addressSize = 2}, false, "addresses of 2 bytes");
  inFront({.addressSize = 5}, false, "addresses of 5 bytes");
  inFront({.version = 4, .addressSize = 16}, false, "addresses of 16 bytes");
  inFront({.type = DW_UT_compile}, true, "compile");
  inFront({.type = DW_UT_type}, false, "type");
  inFront({.type = DW_UT_partial}, true, "partial");
  inFront({.type = DW_UT_skeleton}, false, "skeleton");
  inFront({.type = 0}, false, "0");
  inFront({.abbreviations = 1000}, false, "abbreviations beyond the end");
}

// A length beyond the end: nothing behind it has a beginning.
TEST(VariableTable, LengthsBeyondTheEnd) {
  std::string entries = unit({}, variable(1, 5, 0x1000));
  const std::string sound = entries + unit({}, variable(2, 6, 0x2000));
  for (int more : {0, 1}) {
    std::string damaged = sound;
    damaged[entries.size()] = char(damaged[entries.size()] + more);
    const VariableTable table =
        readVariables({damaged, kVariable + raw({0}), ""});
    EXPECT_EQ(declaration(table, 0x1000), "0 1 5");
    EXPECT_EQ(declaration(table, 0x2000), more ? "-" : "0 2 6");
  }
}

/// A value of each form, and of those of DW_FORM_indirect.
struct FormValue {
  unsigned number;
  std::string value;
};
std::vector<FormValue> valuesOfForms(bool dwarf64, unsigned addressSize,
                                     unsigned version) {
  const std::string offset(dwarf64 ? 8 : 4, 'x'), address(addressSize, 'x'),
      leb = raw({0x81, 0x82, 3}), text = std::string("text") + '\0';
  const auto block = [](unsigned size) {
    return numberOf(300, size) + std::string(300, 'x');
  };
  return {
      {DW_FORM_addr, address},
      {DW_FORM_block1, raw({3}) + "xyz"},
      {DW_FORM_block2, block(2)},
      {DW_FORM_block4, block(4)},
      {DW_FORM_block, raw({0xac, 2}) + std::string(300, 'x')},
      {DW_FORM_exprloc, raw({0xac, 2}) + std::string(300, 'x')},
      {DW_FORM_data1, "x"},
      {DW_FORM_data2, "xx"},
      {DW_FORM_data4, "xxxx"},
      {DW_FORM_data8, "xxxxxxxx"},
      {DW_FORM_data16, "xxxxxxxxxxxxxxxx"},
      {DW_FORM_string, text},
      {DW_FORM_flag, "x"},
      {DW_FORM_flag_present, ""},
      {DW_FORM_sdata, leb},
      {DW_FORM_udata, leb},
      {DW_FORM_strp, offset},
      {DW_FORM_line_strp, offset},
      {DW_FORM_sec_offset, offset},
      {DW_FORM_strp_sup, offset},
      {DW_FORM_GNU_ref_alt, offset},
      {DW_FORM_GNU_strp_alt, offset},
      {DW_FORM_ref_addr, version == 2 ? address : offset},
      {DW_FORM_ref1, "x"},
      {DW_FORM_ref2, "xx"},
      {DW_FORM_ref4, "xxxx"},
      {DW_FORM_ref8, "xxxxxxxx"},
      {DW_FORM_ref_udata, leb},
      {DW_FORM_ref_sig8, "xxxxxxxx"},
      {DW_FORM_ref_sup4, "xxxx"},
      {DW_FORM_ref_sup8, "xxxxxxxx"},
      {DW_FORM_strx, leb},
      {DW_FORM_strx1, "x"},
      {DW_FORM_strx2, "xx"},
      {DW_FORM_strx3, "xxx"},
      {DW_FORM_strx4, "xxxx"},
      {DW_FORM_addrx, leb},
      {DW_FORM_addrx1, "x"},
      {DW_FORM_addrx2, "xx"},
      {DW_FORM_addrx3, "xxx"},
      {DW_FORM_addrx4, "xxxx"},
      {DW_FORM_loclistx, leb},
      {DW_FORM_rnglistx, leb},
      {DW_FORM_GNU_addr_index, leb},
      {DW_FORM_GNU_str_index, leb},
      {DW_FORM_indirect, raw({DW_FORM_data2}) + "xx"},
      {DW_FORM_indirect, raw({DW_FORM_string}) + text},
  };
}

// Each form has its size: what stands behind it is read right.
TEST(VariableTable, SizesOfForms) {
  for (const bool dwarf64 : {false, true})
    for (const unsigned addressSize : {4, 8})
      for (const unsigned version : {2, 3, 5}) {
        for (const FormValue &c :
             valuesOfForms(dwarf64, addressSize, version)) {
          const std::string abbreviations =
              abbreviation(1, DW_TAG_variable,
                           {{DW_AT_name, form(c.number)},
                            {DW_AT_decl_line, form(DW_FORM_data1)},
                            {DW_AT_location, form(DW_FORM_exprloc)}}) +
              raw({0});
          const std::string entries =
              unit({version, dwarf64, addressSize},
                   raw({1}) + c.value + raw({77}) + at(0x1000, addressSize));
          EXPECT_EQ(
              declaration(readVariables({entries, abbreviations, ""}), 0x1000),
              "0 0 77")
              << FormEncodingString(c.number).str() << " " << version << " "
              << dwarf64 << addressSize;
        }
      }
}

TEST(VariableTable, FormsThatAreNotKnown) {
  for (unsigned number : {0x02u, 0x2du, 0x7fu}) {
    const std::string abbreviations =
        abbreviation(1, DW_TAG_variable,
                     {{DW_AT_decl_line, form(DW_FORM_data1)},
                      {DW_AT_location, form(DW_FORM_exprloc)},
                      {DW_AT_name, form(number)}}) +
        raw({0});
    const std::string entries = unit({}, raw({1, 77}) + at(0x1000));
    EXPECT_EQ(declaration(readVariables({entries, abbreviations, ""}), 0x1000),
              "-")
        << number;
  }
}

// Files and lines in each form of a number, with bytes above the first.
TEST(VariableTable, FormsOfNumbers) {
  struct Case {
    std::string number, value;
    uint64_t expected;
  };
  const Case cases[] = {
      {form(DW_FORM_data1), raw({0xfe}), 0xfe},
      {form(DW_FORM_data2), raw({1, 0xfe}), 0xfe01},
      {form(DW_FORM_data4), raw({1, 2, 3, 0xfe}), 0xfe030201},
      {form(DW_FORM_data8), raw({1, 2, 3, 4, 5, 6, 7, 8}), 0x0807060504030201},
      {form(DW_FORM_udata), raw({0xac, 2}), 300},
      {form(DW_FORM_sdata), raw({0xac, 2}), 300},
      {form(DW_FORM_indirect), raw({DW_FORM_data2, 1, 2}), 0x201},
      {form(DW_FORM_implicit_const) + raw({0xac, 2}), "", 300},
  };
  for (const Case &c : cases) {
    const std::string abbreviations =
        abbreviation(1, DW_TAG_variable,
                     {{DW_AT_decl_file, c.number},
                      {DW_AT_decl_line, form(DW_FORM_data1)},
                      {DW_AT_location, form(DW_FORM_exprloc)}}) +
        abbreviation(2, DW_TAG_variable,
                     {{DW_AT_location, form(DW_FORM_exprloc)},
                      {DW_AT_decl_line, c.number},
                      {DW_AT_decl_file, form(DW_FORM_data1)}}) +
        raw({0});
    const std::string entries =
        unit({}, raw({1}) + c.value + raw({7}) + at(0x1000) + raw({2}) +
                     at(0x2000) + c.value + raw({8}));
    const VariableTable table = readVariables({entries, abbreviations, ""});
    const std::string number = std::to_string(c.expected);
    EXPECT_EQ(declaration(table, 0x1000), "0 " + number + " 7");
    EXPECT_EQ(declaration(table, 0x2000), "0 8 " + number);
  }
}

// A declaration without a place, and definitions that refer to it and say
// nothing, the line, the file, and both ("2.13.2 Declarations completing
// non-defining declarations": what is not said again holds).
TEST(VariableTable, DefinitionsOfDeclarations) {
  for (const unsigned tag : {DW_TAG_member, DW_TAG_variable}) {
    const std::string abbreviations =
        abbreviation(1, tag,
                     {{DW_AT_decl_file, form(DW_FORM_data1)},
                      {DW_AT_decl_line, form(DW_FORM_data1)}}) +
        abbreviation(2, DW_TAG_variable,
                     {{DW_AT_specification, form(DW_FORM_ref4)},
                      {DW_AT_location, form(DW_FORM_exprloc)}}) +
        abbreviation(3, DW_TAG_variable,
                     {{DW_AT_specification, form(DW_FORM_ref4)},
                      {DW_AT_decl_line, form(DW_FORM_data1)},
                      {DW_AT_location, form(DW_FORM_exprloc)}}) +
        abbreviation(4, DW_TAG_variable,
                     {{DW_AT_specification, form(DW_FORM_ref4)},
                      {DW_AT_decl_file, form(DW_FORM_data1)},
                      {DW_AT_location, form(DW_FORM_exprloc)}}) +
        abbreviation(5, DW_TAG_variable,
                     {{DW_AT_specification, form(DW_FORM_ref4)},
                      {DW_AT_decl_file, form(DW_FORM_data1)},
                      {DW_AT_decl_line, form(DW_FORM_data1)},
                      {DW_AT_location, form(DW_FORM_exprloc)}}) +
        raw({0});
    const std::string to = numberOf(Head().size(), 4);
    const std::string entries =
        unit({}, raw({1, 3, 33}) + raw({2}) + to + at(0x1000) + raw({3}) + to +
                     raw({44}) + at(0x2000) + raw({4}) + to + raw({5}) +
                     at(0x3000) + raw({5}) + to + raw({6, 55}) + at(0x4000));
    const VariableTable table = readVariables({entries, abbreviations, ""});
    EXPECT_EQ(declaration(table, 0x1000), "0 3 33");
    EXPECT_EQ(declaration(table, 0x2000), "0 3 44");
    EXPECT_EQ(declaration(table, 0x3000), "0 5 33");
    EXPECT_EQ(declaration(table, 0x4000), "0 6 55");
  }
}

// DW_FORM_ref_addr counts from the begin of the section, the other forms from
// that of the unit ("7.5.5.7 Reference"): here both in the second unit.
TEST(VariableTable, DeclarationsByOffsetInTheSection) {
  const std::string abbreviations =
      abbreviation(1, DW_TAG_variable,
                   {{DW_AT_decl_file, form(DW_FORM_data1)},
                    {DW_AT_decl_line, form(DW_FORM_data1)}}) +
      abbreviation(2, DW_TAG_variable,
                   {{DW_AT_specification, form(DW_FORM_ref_addr)},
                    {DW_AT_location, form(DW_FORM_exprloc)}}) +
      abbreviation(3, DW_TAG_variable,
                   {{DW_AT_specification, form(DW_FORM_ref4)},
                    {DW_AT_location, form(DW_FORM_exprloc)}}) +
      raw({0});
  const std::string first = unit({}, raw({1, 3, 33}) + raw({1, 4, 44}));
  const size_t head = Head().size();
  const std::string second =
      unit({}, raw({1, 5, 55}) + raw({2}) + numberOf(first.size() + head, 4) +
                   at(0x1000) + raw({3}) + numberOf(head, 4) + at(0x2000));
  const VariableTable table =
      readVariables({first + second, abbreviations, ""});
  EXPECT_EQ(declaration(table, 0x1000), "0 5 55");
  EXPECT_EQ(declaration(table, 0x2000), "0 5 55");
}

// A definition that itself has no place is a declaration of the next.
TEST(VariableTable, DeclarationsOfDeclarations) {
  const std::string abbreviations =
      abbreviation(1, DW_TAG_member, {{DW_AT_decl_file, form(DW_FORM_data1)}}) +
      abbreviation(2, DW_TAG_variable,
                   {{DW_AT_specification, form(DW_FORM_ref1)},
                    {DW_AT_decl_line, form(DW_FORM_data1)}}) +
      abbreviation(3, DW_TAG_variable,
                   {{DW_AT_specification, form(DW_FORM_ref1)},
                    {DW_AT_location, form(DW_FORM_exprloc)}}) +
      raw({0});
  const int first = int(Head().size());
  const std::string entries =
      unit({}, raw({1, 4}) + raw({2, first, 21}) + raw({3, first + 2}) +
                   at(0x1000) + raw({3, first}) + at(0x2000));
  const VariableTable table = readVariables({entries, abbreviations, ""});
  EXPECT_EQ(declaration(table, 0x1000), "0 4 21");
  EXPECT_EQ(declaration(table, 0x2000), "-") << "no line";
}

// References count from their unit on, in each form, and lead back.
TEST(VariableTable, ReferencesToDeclarations) {
  const std::string declares =
      abbreviation(1, DW_TAG_member,
                   {{DW_AT_decl_file, form(DW_FORM_data1)},
                    {DW_AT_decl_line, form(DW_FORM_data1)}});
  const std::pair<unsigned, unsigned> sizes[] = {{DW_FORM_ref1, 1},
                                                 {DW_FORM_ref2, 2},
                                                 {DW_FORM_ref4, 4},
                                                 {DW_FORM_ref8, 8},
                                                 {DW_FORM_ref_udata, 1}};
  for (const auto &[number, size] : sizes) {
    const std::string abbreviations =
        declares +
        abbreviation(2, DW_TAG_variable,
                     {{DW_AT_specification, form(number)},
                      {DW_AT_location, form(DW_FORM_exprloc)}}) +
        raw({0});
    const unsigned first = Head().size();
    const std::string entries =
        // The first unit has another declaration at the same place.
        unit({},
             raw({1, 1, 11}) + raw({2}) + numberOf(first, size) + at(0x1000)) +
        unit({}, raw({1, 2, 22}) + raw({2}) + numberOf(first, size) +
                     at(0x2000) + raw({2}) + numberOf(first + 1, size) +
                     at(0x3000)) +
        // None at that place, and one behind.
        unit({}, raw({0, 0}) + raw({2}) + numberOf(first, size) + at(0x4000) +
                     raw({2}) + numberOf(first + 2 + 2 * (1 + size + 6), size) +
                     at(0x5000) + raw({1, 3, 33}));
    const VariableTable table = readVariables({entries, abbreviations, ""});
    EXPECT_EQ(declaration(table, 0x1000), "0 1 11") << size;
    EXPECT_EQ(declaration(table, 0x2000), "0 2 22") << size;
    EXPECT_EQ(declaration(table, 0x3000), "-") << "in the midst of it";
    EXPECT_EQ(declaration(table, 0x4000), "-") << "of another unit";
    EXPECT_EQ(declaration(table, 0x5000), "-") << "it stands behind";
  }
}

// Other entries are no variables, whatever they have.
TEST(VariableTable, Tags) {
  for (const unsigned tag :
       {DW_TAG_variable, DW_TAG_member, DW_TAG_formal_parameter,
        DW_TAG_subprogram, DW_TAG_compile_unit, DW_TAG_constant}) {
    const std::string abbreviations =
        abbreviation(1, tag,
                     {{DW_AT_decl_line, form(DW_FORM_data1)},
                      {DW_AT_location, form(DW_FORM_exprloc)}}) +
        raw({0});
    const std::string entries = unit({}, raw({1, 9}) + at(0x1000));
    EXPECT_EQ(declaration(readVariables({entries, abbreviations, ""}), 0x1000),
              tag == DW_TAG_variable || tag == DW_TAG_member ? "0 0 9" : "-")
        << TagString(tag).str();
  }
}

TEST(VariableTable, NoLine) {
  const std::string entries =
      unit({}, variable(1, 0, 0x1000) + variable(0, 1, 0x2000));
  const VariableTable table =
      readVariables({entries, kVariable + raw({0}), ""});
  EXPECT_EQ(declaration(table, 0x1000), "-");
  EXPECT_EQ(declaration(table, 0x2000), "0 0 1");
}

// The table of lines is the unit's own.
TEST(VariableTable, TablesOfUnits) {
  const std::string abbreviations =
      kVariable +
      abbreviation(2, DW_TAG_compile_unit,
                   {{DW_AT_stmt_list, form(DW_FORM_sec_offset)}}) +
      raw({0});
  const std::string entries =
      unit({}, raw({2}) + numberOf(0x123, 4) + variable(1, 5, 0x1000)) +
      unit({}, raw({2}) + numberOf(0x456, 4) + variable(2, 6, 0x2000)) +
      unit({}, variable(3, 7, 0x3000));
  const VariableTable table = readVariables({entries, abbreviations, ""});
  EXPECT_EQ(declaration(table, 0x1000), "291 1 5");
  EXPECT_EQ(declaration(table, 0x2000), "1110 2 6");
  EXPECT_EQ(declaration(table, 0x3000), "0 3 7");
}

// The name of a unit, in each form that has a text; of two units of one table
// the first one's.
TEST(VariableTable, NamesOfUnits) {
  const std::string texts("x\0first.c\0second.c\0third", 24);
  auto nameOf = [&](bool dwarf64, unsigned nameForm, const std::string &value,
                    const std::string &base, const std::string &offsets) {
    const unsigned size = dwarf64 ? 8 : 4;
    const std::string abbreviations =
        abbreviation(1, DW_TAG_compile_unit,
                     {{DW_AT_name, form(nameForm)},
                      {DW_AT_stmt_list, form(DW_FORM_sec_offset)}}) +
        abbreviation(2, DW_TAG_compile_unit,
                     {{DW_AT_name, form(nameForm)},
                      {DW_AT_str_offsets_base, form(DW_FORM_sec_offset)},
                      {DW_AT_stmt_list, form(DW_FORM_sec_offset)}}) +
        raw({0});
    const std::string one =
        base.empty() ? raw({1}) + value : raw({2}) + value + base;
    const std::string entries =
        unit({5, dwarf64}, one + numberOf(0x123, size)) +
        unit({5, dwarf64}, raw({1}) + value + numberOf(0x123, size));
    const EntryTables tables =
        readEntries({entries, abbreviations, "", false, texts, texts, offsets});
    const auto it = tables.units.find(0x123);
    return it == tables.units.end() ? "-" : it->second.str();
  };
  for (const bool dwarf64 : {false, true}) {
    const unsigned size = dwarf64 ? 8 : 4;
    const std::string header(2 * size, 'h');
    const std::string offsets = header + numberOf(2, size) +
                                numberOf(10, size) + numberOf(19, size) +
                                numberOf(24, size) + numberOf(UINT32_MAX, size);
    auto name = [&](unsigned nameForm, const std::string &value,
                    const std::string &base = "") {
      return nameOf(dwarf64, nameForm, value, base, offsets);
    };
    EXPECT_EQ(name(DW_FORM_string, std::string("own.c\0", 6)), "own.c");
    EXPECT_EQ(name(DW_FORM_strp, numberOf(2, size)), "first.c");
    EXPECT_EQ(name(DW_FORM_line_strp, numberOf(10, size)), "second.c");
    EXPECT_EQ(name(DW_FORM_strp, numberOf(1000, size)), "");
    EXPECT_EQ(name(DW_FORM_strx1, raw({1})), "second.c");
    EXPECT_EQ(name(DW_FORM_strx, raw({0})), "first.c");
    // Offsets behind the texts, an index behind the offsets.
    EXPECT_EQ(name(DW_FORM_strx1, raw({2})), "third");
    EXPECT_EQ(name(DW_FORM_strx1, raw({3})), "");
    EXPECT_EQ(name(DW_FORM_strx1, raw({4})), "");
    EXPECT_EQ(name(DW_FORM_strx1, raw({5})), "");
    EXPECT_EQ(name(DW_FORM_strx1, raw({0}), numberOf(3 * size, size)),
              "second.c");
    EXPECT_EQ(name(DW_FORM_strx1, raw({0}), numberOf(7 * size, size)), "");
    EXPECT_EQ(name(DW_FORM_data1, raw({0})), ""); // no form of a text
  }
}

// Abbreviations begin where the unit says; of two with one code the last holds.
TEST(VariableTable, TablesOfAbbreviations) {
  const std::string other =
      abbreviation(1, DW_TAG_variable,
                   {{DW_AT_location, form(DW_FORM_exprloc)},
                    {DW_AT_decl_line, form(DW_FORM_data2)}}) +
      raw({0});
  const std::string first = kVariable + raw({0});
  const std::string entries = unit({.abbreviations = first.size()},
                                   raw({1}) + at(0x1000) + numberOf(777, 2)) +
                              unit({}, variable(4, 5, 0x2000)) +
                              unit({.abbreviations = first.size()},
                                   raw({1}) + at(0x3000) + numberOf(888, 2));
  const VariableTable table = readVariables({entries, first + other, ""});
  EXPECT_EQ(declaration(table, 0x1000), "0 0 777");
  EXPECT_EQ(declaration(table, 0x2000), "0 4 5");
  EXPECT_EQ(declaration(table, 0x3000), "0 0 888");
}

// A code that no abbreviation has ends the unit, not what was read before.
TEST(VariableTable, CodesThatAreNotKnown) {
  const std::string entries =
      unit({}, variable(1, 5, 0x1000) + raw({3}) + variable(2, 6, 0x2000)) +
      unit({}, variable(3, 7, 0x3000));
  const VariableTable table =
      readVariables({entries, kVariable + raw({0}), ""});
  EXPECT_EQ(declaration(table, 0x1000), "0 1 5");
  EXPECT_EQ(declaration(table, 0x2000), "-");
  EXPECT_EQ(declaration(table, 0x3000), "0 3 7");
}

// Locations other than a place of their own for good.
TEST(VariableTable, Locations) {
  const auto located = [](const std::string &expression) {
    const std::string entries =
        unit({}, raw({1, 1, 9, int(expression.size())}) + expression);
    return declaration(readVariables({entries, kVariable + raw({0}), ""}),
                       0x1000);
  };
  const std::string address = numberOf(0x1000, 4);
  EXPECT_EQ(located(raw({DW_OP_addr}) + address), "0 1 9");
  EXPECT_EQ(located(raw({DW_OP_addr}) + address.substr(1)), "-");
  EXPECT_EQ(located(raw({DW_OP_fbreg}) + address), "-");
  EXPECT_EQ(located(raw({DW_OP_const4u}) + address), "-");
  EXPECT_EQ(located(""), "-");
}

// DW_OP_addrx: an index into .debug_addr, from the unit's base on.
TEST(VariableTable, IndexedAddresses) {
  for (const unsigned size : {4, 8}) {
    const std::string abbreviations =
        kVariable +
        abbreviation(2, DW_TAG_compile_unit,
                     {{DW_AT_addr_base, form(DW_FORM_sec_offset)}}) +
        raw({0});
    const auto indexed = [](int line, int index) {
      return raw({1, 1, line, 2, DW_OP_addrx, index});
    };
    const std::string entries =
        unit({.addressSize = size}, raw({2}) + numberOf(8, 4) + indexed(10, 0) +
                                        indexed(11, 1) + indexed(12, 2)) +
        unit({.addressSize = size},
             raw({2}) + numberOf(8 + size, 4) + indexed(20, 1)) +
        // The last byte that is in it, and the one behind.
        unit({.addressSize = size},
             raw({2}) + numberOf(8 + 2 * size, 4) + indexed(30, 0)) +
        unit({.addressSize = size}, indexed(40, 0));
    const std::string addresses =
        "unithead" + numberOf(0x1000, size) + numberOf(0x2000, size);
    const VariableTable table =
        readVariables({entries, abbreviations, addresses});
    EXPECT_EQ(declaration(table, 0x1000), "0 1 10");
    EXPECT_EQ(declaration(table, 0x2000), "0 1 11");
    EXPECT_EQ(declaration(table, 0), "-");
    StringRef head(addresses);
    uint64_t first = 0;
    for (unsigned i = size; i-- > 0;)
      first = first << 8 | uint8_t(head[i]);
    EXPECT_EQ(declaration(table, first), "0 1 40") << "without a base: from 0";
  }
}

} // namespace
} // namespace xlink::test
