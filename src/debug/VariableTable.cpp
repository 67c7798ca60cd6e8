//===- VariableTable.cpp --------------------------------------------------===//
//
// Problem: line tables do not cover data; the variable's entry in .debug_info
// has a line. The sizes of an entry's attributes follow from its abbreviation
// and their forms only.
//
// Method: one walk over the entries of each unit, which skips every attribute
// except a variable's address and the place of its declaration. A definition
// that refers to an earlier declaration has the declaration's line. Units are
// read up to the first error. As an attribute may take no byte, steps are
// counted: more of them than sections of that size can need end the walk.
//
// Cost: linear in the sections.
//
//===----------------------------------------------------------------------===//
#include "debug/VariableTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Error.h"
#include <map>

using namespace llvm;

namespace xlink {

/// Reads .debug_info.
class EntryReader {
public:
  EntryReader(VariableTable &table, const EntrySections &sections)
      : table(table), sections(sections), data(sections.entries, true, 8),
        stepsLeft(64 + 8 * (sections.entries.size() +
                            sections.abbreviations.size())) {}
  ~EntryReader() { consumeError(at.takeError()); }
  void run();

private:
  struct Attribute {
    uint64_t name, form;
    int64_t constant; ///< of DW_FORM_implicit_const
  };
  struct Abbreviation {
    uint64_t tag = 0;
    std::vector<Attribute> attributes;
  };
  using Abbreviations = std::map<uint64_t, Abbreviation>;

  /// The value of one attribute: a number, or bytes.
  struct Value {
    uint64_t number = 0;
    StringRef block;
  };

  bool readUnit();
  const Abbreviations *abbreviationsAt(uint64_t offset);
  bool readEntry(const Abbreviation &abbreviation, uint64_t offset);
  bool readValue(uint64_t form, Value &value);
  std::optional<uint64_t> addressIn(StringRef location) const;

  VariableTable &table;
  const EntrySections &sections;
  DataExtractor data;
  DataExtractor::Cursor at{0};
  uint64_t stepsLeft;
  std::map<uint64_t, Abbreviations> known; ///< by offset

  // Of the unit that is being read.
  uint64_t unitBegin = 0, unitEnd = 0;
  unsigned version = 0;
  uint32_t offsetSize = 4, addressSize = 4;
  uint64_t lineTable = 0, addressBase = 0;
  DenseMap<uint64_t, Declaration> declared; ///< by offset of the entry
};

const EntryReader::Abbreviations *
EntryReader::abbreviationsAt(uint64_t offset) {
  auto [it, fresh] = known.try_emplace(offset);
  if (!fresh)
    return &it->second;
  // LLVM checks the reading of a number from an offset up to the end only.
  if (offset >= sections.abbreviations.size())
    return &it->second;
  const DataExtractor text(sections.abbreviations, true, 8);
  DataExtractor::Cursor c(offset);
  while (const uint64_t code = text.getULEB128(c)) {
    Abbreviation &abbreviation = it->second[code];
    abbreviation = {};
    abbreviation.tag = text.getULEB128(c);
    text.getU8(c); // whether entries of it have children
    while (c && stepsLeft) {
      --stepsLeft;
      Attribute a = {};
      a.name = text.getULEB128(c);
      a.form = text.getULEB128(c);
      if (a.form == dwarf::DW_FORM_implicit_const)
        a.constant = text.getSLEB128(c);
      if (a.name == 0 && a.form == 0)
        break;
      abbreviation.attributes.push_back(a);
    }
    if (!c || !stepsLeft)
      break;
  }
  consumeError(c.takeError());
  return &it->second;
}

/// The bytes of a form whose size its name tells; 0: it does not.
static uint32_t sizeOfForm(uint64_t form) {
  using namespace dwarf;
  switch (form) {
  case DW_FORM_data1:
  case DW_FORM_ref1:
  case DW_FORM_flag:
  case DW_FORM_strx1:
  case DW_FORM_addrx1:
    return 1;
  case DW_FORM_data2:
  case DW_FORM_ref2:
  case DW_FORM_strx2:
  case DW_FORM_addrx2:
    return 2;
  case DW_FORM_data4:
  case DW_FORM_ref4:
  case DW_FORM_strx4:
  case DW_FORM_addrx4:
  case DW_FORM_ref_sup4:
    return 4;
  case DW_FORM_data8:
  case DW_FORM_ref8:
  case DW_FORM_ref_sig8:
  case DW_FORM_ref_sup8:
    return 8;
  default:
    return 0;
  }
}

/// Skips a value, and keeps a number or a block.
bool EntryReader::readValue(uint64_t form, Value &value) {
  using namespace dwarf;
  if (form == DW_FORM_indirect)
    form = data.getULEB128(at);
  auto fixed = [&](uint32_t size) {
    value.number = data.getUnsigned(at, size);
  };
  auto block = [&](uint64_t size) { value.block = data.getBytes(at, size); };
  if (const uint32_t size = sizeOfForm(form)) {
    fixed(size);
    return bool(at);
  }
  switch (form) {
  case DW_FORM_addr:
    fixed(addressSize);
    break;
  case DW_FORM_strx3:
  case DW_FORM_addrx3:
    block(3);
    break;
  case DW_FORM_data16:
    block(16);
    break;
  case DW_FORM_ref_addr:
    fixed(version <= 2 ? addressSize : offsetSize);
    break;
  case DW_FORM_strp:
  case DW_FORM_line_strp:
  case DW_FORM_sec_offset:
  case DW_FORM_strp_sup:
  case DW_FORM_GNU_ref_alt:
  case DW_FORM_GNU_strp_alt:
    fixed(offsetSize);
    break;
  case DW_FORM_sdata:
    value.number = uint64_t(data.getSLEB128(at));
    break;
  case DW_FORM_udata:
  case DW_FORM_ref_udata:
  case DW_FORM_strx:
  case DW_FORM_addrx:
  case DW_FORM_loclistx:
  case DW_FORM_rnglistx:
  case DW_FORM_GNU_addr_index:
  case DW_FORM_GNU_str_index:
    value.number = data.getULEB128(at);
    break;
  case DW_FORM_string:
    data.getCStrRef(at);
    break;
  case DW_FORM_block1:
    block(data.getU8(at));
    break;
  case DW_FORM_block2:
    block(data.getU16(at));
    break;
  case DW_FORM_block4:
    block(data.getU32(at));
    break;
  case DW_FORM_block:
  case DW_FORM_exprloc:
    block(data.getULEB128(at));
    break;
  case DW_FORM_flag_present:
    break;
  default:
    return false;
  }
  return bool(at);
}

/// The address that a location begins with.
std::optional<uint64_t> EntryReader::addressIn(StringRef location) const {
  const DataExtractor text(location, true, uint8_t(addressSize));
  DataExtractor::Cursor c(0);
  std::optional<uint64_t> address;
  const uint8_t operation = text.getU8(c);
  if (operation == dwarf::DW_OP_addr) {
    address = text.getUnsigned(c, addressSize);
  } else if (operation == dwarf::DW_OP_addrx) {
    const uint64_t index = text.getULEB128(c);
    const DataExtractor addresses(sections.addresses, true, 8);
    if (addressBase < sections.addresses.size() &&
        index < (sections.addresses.size() - addressBase) / addressSize) {
      uint64_t place = addressBase + index * addressSize;
      address = addresses.getUnsigned(&place, addressSize);
    }
  }
  const bool sound = bool(c);
  consumeError(c.takeError());
  return sound ? address : std::nullopt;
}

bool EntryReader::readEntry(const Abbreviation &abbreviation, uint64_t offset) {
  Declaration declaration = {lineTable, 0, 0};
  std::optional<uint64_t> specification;
  StringRef location;
  for (const Attribute &attribute : abbreviation.attributes) {
    Value value;
    if (stepsLeft == 0)
      return false;
    --stepsLeft;
    if (attribute.form == dwarf::DW_FORM_implicit_const)
      value.number = uint64_t(attribute.constant);
    else if (!readValue(attribute.form, value))
      return false;
    switch (attribute.name) {
    case dwarf::DW_AT_stmt_list:
      lineTable = value.number;
      break;
    case dwarf::DW_AT_addr_base:
      addressBase = value.number;
      break;
    case dwarf::DW_AT_location:
      location = value.block;
      break;
    case dwarf::DW_AT_decl_file:
      declaration.file = value.number;
      break;
    case dwarf::DW_AT_decl_line:
      declaration.line = value.number;
      break;
    case dwarf::DW_AT_specification:
      // Within the unit, but for the form that counts from the section's begin
      // (DWARF 5, 7.5.5).
      specification = value.number;
      if (attribute.form != dwarf::DW_FORM_ref_addr)
        *specification += unitBegin;
      break;
    }
  }
  // A definition's missing attributes are those of its declaration, which
  // stands before it: other numbers are no keys.
  if (specification && *specification < offset) {
    const auto it = declared.find(*specification);
    if (it != declared.end()) {
      declaration.line = declaration.line ? declaration.line : it->second.line;
      declaration.file = declaration.file ? declaration.file : it->second.file;
    }
  }
  if (abbreviation.tag != dwarf::DW_TAG_variable &&
      abbreviation.tag != dwarf::DW_TAG_member)
    return true;
  const std::optional<uint64_t> address = addressIn(location);
  if (!address)
    declared[offset] = declaration;
  else if (declaration.line)
    table.variables.push_back({*address, declaration});
  return true;
}

/// From behind its length on.
bool EntryReader::readUnit() {
  version = data.getU16(at);
  if (!at || version < 2 || version > 5)
    return false;
  uint64_t abbreviations = 0;
  if (version == 5) {
    const uint8_t type = data.getU8(at);
    addressSize = data.getU8(at);
    abbreviations = data.getUnsigned(at, offsetSize);
    if (type != dwarf::DW_UT_compile && type != dwarf::DW_UT_partial)
      return false;
  } else {
    abbreviations = data.getUnsigned(at, offsetSize);
    addressSize = data.getU8(at);
  }
  if (!at || (addressSize != 4 && addressSize != 8))
    return false;
  const Abbreviations *kinds = abbreviationsAt(abbreviations);
  while (at && at.tell() < unitEnd) {
    const uint64_t offset = at.tell();
    const uint64_t code = data.getULEB128(at);
    if (code == 0)
      continue;
    const auto kind = kinds->find(code);
    if (kind == kinds->end() || !readEntry(kind->second, offset))
      return false;
  }
  return bool(at);
}

void EntryReader::run() {
  while (at && at.tell() < sections.entries.size()) {
    unitBegin = at.tell();
    uint64_t length = data.getU32(at);
    const bool dwarf64 = length == dwarf::DW_LENGTH_DWARF64;
    if (dwarf64)
      length = data.getU64(at);
    if (!at || length > sections.entries.size() - at.tell())
      return;
    offsetSize = dwarf64 ? 8 : 4;
    unitEnd = at.tell() + length;
    lineTable = addressBase = 0;
    declared.clear();
    readUnit();
    // The next one may be sound even if this one is not.
    consumeError(at.takeError());
    at = DataExtractor::Cursor(unitEnd);
  }
}

VariableTable::VariableTable(const EntrySections &sections) {
  EntryReader(*this, sections).run();
  stable_sort(variables, [](const Variable &a, const Variable &b) {
    return a.address < b.address;
  });
}

std::optional<Declaration> VariableTable::find(uint64_t address) const {
  const auto it = partition_point(
      variables, [&](const Variable &v) { return v.address < address; });
  if (it == variables.end() || it->address != address)
    return std::nullopt;
  return it->declaration;
}

} // namespace xlink
