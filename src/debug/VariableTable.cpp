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
#include "debug/LineTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace xlink {

namespace {

/// Reads .debug_info.
class EntryReader {
public:
  explicit EntryReader(const EntrySections &sections)
      : sections(sections), data(sections.entries, true, 8),
        stepsLeft(64 + 8 * (sections.entries.size() +
                            sections.abbreviations.size())) {}
  VariableTable run() {
    forEachUnit(sections.entries,
                [&](const DwarfUnit &unit) { readUnit(unit); });
    consumeError(at.takeError());
    return std::move(table);
  }

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

  void readUnit(const DwarfUnit &unit) {
    // A unit may be sound even if the one in front of it is not.
    consumeError(at.takeError());
    at = DataExtractor::Cursor(unit.begin);
    unitOffset = unit.offset;
    lineTable = addressBase = 0;
    declared.clear();
    const uint16_t version = data.getU16(at);
    if (!at || version < 2 || version > 5)
      return;
    params = {version, 0, unit.format};
    uint8_t type = dwarf::DW_UT_compile;
    if (version == 5) {
      type = data.getU8(at);
      params.AddrSize = data.getU8(at);
    }
    const uint64_t abbreviations =
        data.getUnsigned(at, params.getDwarfOffsetByteSize());
    if (version < 5)
      params.AddrSize = data.getU8(at);
    if (!at || (type != dwarf::DW_UT_compile && type != dwarf::DW_UT_partial) ||
        (params.AddrSize != 4 && params.AddrSize != 8))
      return;
    const Abbreviations *kinds = abbreviationsAt(abbreviations);
    while (at && at.tell() < unit.end) {
      const uint64_t offset = at.tell();
      const uint64_t code = data.getULEB128(at);
      if (code == 0)
        continue;
      const auto kind = kinds->find(code);
      if (kind == kinds->end() || !readEntry(kind->second, offset))
        return;
    }
  }
  const Abbreviations *abbreviationsAt(uint64_t offset) {
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
  bool readEntry(const Abbreviation &abbreviation, uint64_t offset) {
    Declaration declaration = {lineTable, 0, 0};
    std::optional<uint64_t> specification;
    StringRef location;
    for (const Attribute &attribute : abbreviation.attributes) {
      AttributeValue value;
      if (stepsLeft == 0)
        return false;
      --stepsLeft;
      if (attribute.form == dwarf::DW_FORM_implicit_const)
        value.number = uint64_t(attribute.constant);
      else if (!readForm(data, at, attribute.form, params, value))
        return false;
      switch (attribute.name) {
      case dwarf::DW_AT_stmt_list:
        lineTable = value.number;
        break;
      case dwarf::DW_AT_addr_base:
        addressBase = value.number;
        break;
      case dwarf::DW_AT_location:
        location = value.bytes;
        break;
      case dwarf::DW_AT_decl_file:
        declaration.file = value.number;
        break;
      case dwarf::DW_AT_decl_line:
        declaration.line = value.number;
        break;
      case dwarf::DW_AT_specification:
        // Within the unit, but for the form that counts from the section's
        // begin (DWARF 5, 7.5.5).
        specification = value.number;
        if (attribute.form != dwarf::DW_FORM_ref_addr)
          *specification += unitOffset;
        break;
      }
    }
    // A definition's missing attributes are those of its declaration, which
    // stands before it: other numbers are no keys.
    if (specification && *specification < offset) {
      const auto it = declared.find(*specification);
      if (it != declared.end()) {
        declaration.line =
            declaration.line ? declaration.line : it->second.line;
        declaration.file =
            declaration.file ? declaration.file : it->second.file;
      }
    }
    if (abbreviation.tag != dwarf::DW_TAG_variable &&
        abbreviation.tag != dwarf::DW_TAG_member)
      return true;
    const std::optional<uint64_t> address = addressIn(location);
    if (!address)
      declared[offset] = declaration;
    else if (declaration.line)
      table.try_emplace(*address, declaration);
    return true;
  }
  /// The address that a location begins with.
  std::optional<uint64_t> addressIn(StringRef location) const {
    const DataExtractor text(location, true, params.AddrSize);
    DataExtractor::Cursor c(0);
    std::optional<uint64_t> address;
    const uint8_t operation = text.getU8(c);
    if (operation == dwarf::DW_OP_addr) {
      address = text.getUnsigned(c, params.AddrSize);
    } else if (operation == dwarf::DW_OP_addrx) {
      const uint64_t index = text.getULEB128(c);
      const DataExtractor addresses(sections.addresses, true, 8);
      if (addressBase < sections.addresses.size() &&
          index < (sections.addresses.size() - addressBase) / params.AddrSize) {
        uint64_t place = addressBase + index * params.AddrSize;
        address = addresses.getUnsigned(&place, params.AddrSize);
      }
    }
    const bool sound = bool(c);
    consumeError(c.takeError());
    return sound ? address : std::nullopt;
  }

  VariableTable table;
  const EntrySections &sections;
  DataExtractor data;
  DataExtractor::Cursor at{0};
  uint64_t stepsLeft;
  std::map<uint64_t, Abbreviations> known; ///< by offset

  // Of the unit that is being read.
  uint64_t unitOffset = 0;
  dwarf::FormParams params = {};
  uint64_t lineTable = 0, addressBase = 0;
  DenseMap<uint64_t, Declaration> declared; ///< by offset of the entry
};

} // namespace

VariableTable readVariables(const EntrySections &sections) {
  return EntryReader(sections).run();
}

} // namespace xlink
