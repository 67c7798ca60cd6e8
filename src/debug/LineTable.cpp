//===- LineTable.cpp ------------------------------------------------------===//
//
// Problem: a line table is a program for a machine with a dozen registers,
// behind a header of two forms, in a file that may be damaged. LLVM's reader,
// tried first, crashes on one changed byte of a header, and makes the tool half
// as large again.
//
// Method: the tables follow each other in .debug_line, and each has its length
// and all names, so that no other section is needed to find them. Each is run
// once; two consecutive rows make a range of addresses with a file and a line,
// and a binary search finds a range. LLVM's DataExtractor checks every read and
// returns zeros after the first one beyond the end: loops test its state. An
// error ends the table; its earlier ranges count.
//
// Cost: linear in the section; a range takes 32 bytes.
//
//===----------------------------------------------------------------------===//
#include "debug/LineTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/Error.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace xlink {

namespace {

/// A unit of .debug_info or .debug_line.
struct DwarfUnit {
  uint64_t offset; ///< in the section
  uint64_t begin;  ///< behind its length
  uint64_t end;
  dwarf::DwarfFormat format;
};

/// Calls fn for each unit, up to the first one that reaches beyond the end.
void forEachUnit(StringRef section, bool isBig,
                 function_ref<void(const DwarfUnit &)> fn) {
  const DataExtractor data(section, !isBig, 8);
  for (uint64_t next = 0; next < section.size();) {
    DwarfUnit unit = {next, 0, 0, dwarf::DWARF32};
    DataExtractor::Cursor at(next);
    uint64_t length = data.getU32(at);
    if (length == dwarf::DW_LENGTH_DWARF64) {
      unit.format = dwarf::DWARF64;
      length = data.getU64(at);
    }
    unit.begin = at.tell();
    const bool whole = bool(at) && length <= section.size() - unit.begin;
    consumeError(at.takeError());
    if (!whole)
      return;
    next = unit.end = unit.begin + length;
    fn(unit);
  }
}

/// The value of one attribute: a number, or bytes.
struct AttributeValue {
  uint64_t number = 0;
  StringRef bytes;
};

/// Reads a value of DWARF 2 to 5, as far as a section's end. False: the form is
/// not known, or the value not whole.
bool readForm(DataExtractor &data, DataExtractor::Cursor &at, uint64_t form,
              dwarf::FormParams params, AttributeValue &value) {
  using namespace dwarf;
  if (form == DW_FORM_indirect)
    form = data.getULEB128(at);
  if (form > UINT16_MAX)
    return false;
  if (const auto size = getFixedFormByteSize(Form(form), params)) {
    if (*size == 1 || *size == 2 || *size == 4 || *size == 8)
      value.number = data.getUnsigned(at, *size);
    else
      data.skip(at, *size);
    return bool(at);
  }
  switch (form) {
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
    value.bytes = data.getCStrRef(at);
    break;
  case DW_FORM_block1:
    value.bytes = data.getBytes(at, data.getU8(at));
    break;
  case DW_FORM_block2:
    value.bytes = data.getBytes(at, data.getU16(at));
    break;
  case DW_FORM_block4:
    value.bytes = data.getBytes(at, data.getU32(at));
    break;
  case DW_FORM_block:
  case DW_FORM_exprloc:
    value.bytes = data.getBytes(at, data.getULEB128(at));
    break;
  default:
    return false;
  }
  return bool(at);
}

} // namespace

static StringRef textAt(StringRef section, uint64_t offset) {
  return section.drop_front(std::min<uint64_t>(offset, section.size()));
}

/// Reads the table of one unit.
class LineTableReader {
public:
  LineTableReader(LineTable &table, const LineSections &sections,
                  const DwarfUnit &unit)
      : table(table), sections(sections),
        data(sections.lines.take_front(unit.end), !sections.isBig, 8),
        at(unit.begin), begin(unit.offset), end(unit.end),
        firstFile(uint32_t(table.files.size())), params{0, 8, unit.format} {}
  ~LineTableReader() { consumeError(at.takeError()); }

  void run() {
    if (readHeader())
      runProgram();
  }
  bool countsFromZero() const { return params.Version == 5; }

private:
  /// The registers of a line table's machine.
  struct State {
    uint64_t address = 0, file = 1;
    uint32_t line = 1;
    uint32_t operation = 0; ///< within an instruction of several
  };
  bool readHeader() {
    const uint16_t version = params.Version = data.getU16(at);
    if (!at || version < 2 || version > 5)
      return false;
    if (version == 5)
      data.skip(at, 2); // the sizes of addresses and segments
    const uint64_t length =
        data.getUnsigned(at, params.getDwarfOffsetByteSize());
    const uint64_t program = at.tell() + length;
    if (!at || length > end - at.tell())
      return false;
    instructionLength = data.getU8(at);
    if (version >= 4)
      operations = std::max<uint8_t>(data.getU8(at), 1);
    data.skip(at, 1); // whether rows begin statements
    lineBase = int8_t(data.getU8(at));
    range = data.getU8(at);
    opcodeBase = data.getU8(at);
    if (!at || range == 0 || opcodeBase == 0)
      return false;
    for (unsigned i = 1; i < opcodeBase; ++i)
      lengths.push_back(data.getU8(at));
    if (version < 5)
      readOldFiles();
    else if (!readNewFiles())
      return false;
    if (!at)
      return false;
    at.seek(program);
    return true;
  }
  void readOldFiles() {
    auto readName = [&] { return data.getCStrRef(at); }; // "" at damage, too
    for (StringRef name = readName(); !name.empty(); name = readName())
      directories.push_back(name);
    for (StringRef name = readName(); !name.empty(); name = readName()) {
      const uint64_t index = data.getULEB128(at);
      data.getULEB128(at); // when it was changed
      data.getULEB128(at); // its size
      addFile(name, index);
    }
  }
  /// The directories, then the files: the names of their values and forms in
  /// front of each.
  bool readNewFiles() {
    for (const bool areFiles : {false, true}) {
      std::vector<std::pair<uint64_t, uint64_t>> fields;
      for (unsigned left = data.getU8(at); at && left > 0; --left) {
        const uint64_t content = data.getULEB128(at);
        fields.push_back({content, data.getULEB128(at)});
      }
      const uint64_t count = data.getULEB128(at);
      // Without fields a count would cost time and no bytes.
      if (!at || (count && fields.empty()))
        return false;
      for (uint64_t i = 0; i < count; ++i) {
        const uint64_t begin = at.tell();
        StringRef name;
        uint64_t index = 0;
        for (const auto &[content, form] : fields) {
          AttributeValue value;
          if (!readForm(data, at, form, params, value))
            return false;
          if (content == dwarf::DW_LNCT_path)
            name = form == dwarf::DW_FORM_line_strp
                       ? textAt(sections.lineStrings, value.number)
                   : form == dwarf::DW_FORM_strp
                       ? textAt(sections.strings, value.number)
                       : value.bytes;
          else if (content == dwarf::DW_LNCT_directory_index)
            index = value.number;
        }
        if (at.tell() == begin)
          return false;
        if (areFiles)
          addFile(name, index);
        else
          directories.push_back(name);
      }
    }
    return true;
  }
  /// Directory 0 is the one where the compiler ran: names that are relative to
  /// it are those that its user gave.
  void addFile(StringRef name, uint64_t directory) {
    const uint64_t index = params.Version < 5 ? directory - 1 : directory;
    table.files.push_back(
        {directory != 0 && index < directories.size() ? directories[index] : "",
         name});
  }
  void runProgram() {
    while (at && at.tell() < end) {
      const uint8_t opcode = data.getU8(at);
      if (opcode == 0) {
        if (!runExtended())
          return;
      } else if (opcode < opcodeBase) {
        runStandard(opcode);
      } else {
        const unsigned adjusted = opcode - opcodeBase;
        advance(adjusted / range);
        state.line += uint32_t(lineBase + int(adjusted % range));
        emitRow(false);
      }
    }
  }
  void runStandard(uint8_t opcode) {
    switch (opcode) {
    case dwarf::DW_LNS_copy:
      return emitRow(false);
    case dwarf::DW_LNS_advance_pc:
      return advance(data.getULEB128(at));
    case dwarf::DW_LNS_advance_line:
      state.line += uint32_t(data.getSLEB128(at));
      return;
    case dwarf::DW_LNS_set_file:
      state.file = data.getULEB128(at);
      return;
    case dwarf::DW_LNS_const_add_pc:
      return advance((255 - opcodeBase) / range);
    case dwarf::DW_LNS_fixed_advance_pc:
      state.address += data.getU16(at);
      state.operation = 0;
      return;
    default: // columns, flags, later versions of the standard
      for (unsigned i = 0; i < lengths[opcode - 1]; ++i)
        data.getULEB128(at);
    }
  }
  bool runExtended() {
    const uint64_t length = data.getULEB128(at);
    const uint64_t begin = at.tell();
    if (!at || length == 0 || length > end - begin)
      return false;
    switch (data.getU8(at)) {
    case dwarf::DW_LNE_end_sequence:
      emitRow(true);
      break;
    case dwarf::DW_LNE_set_address:
      if (length == 5 || length == 9)
        state.address = data.getUnsigned(at, uint32_t(length - 1));
      state.operation = 0;
      break;
    case dwarf::DW_LNE_define_file: {
      const StringRef name = data.getCStrRef(at);
      addFile(name, data.getULEB128(at));
      break;
    }
    default:
      break;
    }
    if (!at)
      return false;
    at.seek(begin + length);
    return true;
  }
  void advance(uint64_t count) {
    const uint64_t total = state.operation + count;
    state.address += instructionLength * (total / operations);
    state.operation = uint32_t(total % operations);
  }
  /// The code from the row before to this one has the former's line.
  void emitRow(bool last) {
    if (!row)
      sequence = state.address;
    else if (table.hasLines && state.address > row->address && row->line != 0) {
      const uint64_t index = params.Version < 5 ? row->file - 1 : row->file;
      if (index < table.files.size() - firstFile)
        table.ranges.push_back({row->address, state.address, sequence,
                                firstFile + uint32_t(index), row->line});
    }
    row = state;
    if (last) {
      if (state.address > sequence)
        table.sequences.push_back({sequence, state.address, begin});
      row.reset();
      state = State();
    }
  }

  LineTable &table;
  const LineSections &sections;
  DataExtractor data;
  DataExtractor::Cursor at;
  const uint64_t begin, end; ///< of the table in the section
  const uint32_t firstFile;
  dwarf::FormParams params; ///< without the size of addresses
  uint8_t instructionLength = 1, operations = 1, range = 1, opcodeBase = 1;
  int8_t lineBase = 0;
  std::vector<uint8_t> lengths; ///< operands of opcodes, from opcode 1
  std::vector<StringRef> directories;
  State state;
  std::optional<State> row; ///< the last one of the sequence
  uint64_t sequence = 0;    ///< where that began
};

/// Up to its last NUL: every text in it has an end.
static StringRef endedTexts(StringRef section) {
  return section.take_front(section.rfind('\0') + 1);
}

LineTable::LineTable(const LineSections &given, bool lines) : hasLines(lines) {
  const LineSections sections = {given.lines, endedTexts(given.lineStrings),
                                 endedTexts(given.strings), given.isBig};
  forEachUnit(sections.lines, sections.isBig, [&](const DwarfUnit &unit) {
    const uint32_t first = uint32_t(files.size());
    LineTableReader reader(*this, sections, unit);
    reader.run();
    units.push_back({unit.offset, first, uint32_t(files.size()) - first,
                     reader.countsFromZero()});
  });
  stable_sort(ranges,
              [](const Range &a, const Range &b) { return a.low < b.low; });
}

std::string LineTable::find(uint64_t begin, uint64_t address) const {
  const auto behind = partition_point(
      ranges, [&](const Range &range) { return range.low <= address; });
  if (behind == ranges.begin())
    return "";
  const Range &range = *std::prev(behind);
  return address < range.high && range.begin >= begin
             ? text(range.file, range.line)
             : "";
}

std::string LineTable::lineOf(uint64_t offset, uint64_t file,
                              uint64_t line) const {
  const auto unit =
      partition_point(units, [&](const Unit &u) { return u.offset < offset; });
  if (unit == units.end() || unit->offset != offset || line == 0)
    return "";
  const uint64_t index = unit->fromZero ? file : file - 1;
  return index < unit->count ? text(unit->first + uint32_t(index), line) : "";
}

std::string LineTable::text(uint32_t number, uint64_t line) const {
  const StringRef directory = files[number].directory.split('\0').first;
  const StringRef name = files[number].name.split('\0').first;
  if (name.empty())
    return "";
  std::string path;
  if (!directory.empty() && !name.starts_with("/"))
    path = (directory.rtrim('/') + "/").str();
  return path + name.str() + ":" + std::to_string(line);
}

//===----------------------------------------------------------------------===//
// Variables and units
//
// Problem: line tables do not cover data; the variable's entry in .debug_info
// has a line. The compiled file's name is in the entry of its unit. The sizes
// of an entry's attributes follow from its abbreviation and their forms only.
//
// Method: one walk over the entries of each unit, which skips every attribute
// except a unit's name, a variable's address and the place of its declaration.
// A definition that refers to an earlier declaration has the declaration's
// line. Units are read up to the first error. As an attribute may take no byte,
// steps are counted: more of them than sections of that size can need end the
// walk.
//
// Cost: linear in the sections.
//
//===----------------------------------------------------------------------===//

namespace {

/// Reads .debug_info.
class EntryReader {
public:
  explicit EntryReader(const EntrySections &sections)
      : sections(sections), data(sections.entries, !sections.isBig, 8),
        stepsLeft(64 + 8 * (sections.entries.size() +
                            sections.abbreviations.size())) {}
  EntryTables run() {
    forEachUnit(sections.entries, sections.isBig,
                [&](const DwarfUnit &unit) { readUnit(unit); });
    consumeError(at.takeError());
    return std::move(tables);
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
    hasTable = false;
    declared.clear();
    const uint16_t version = data.getU16(at);
    if (!at || version < 2 || version > 5)
      return;
    params = {version, 0, unit.format};
    stringBase = 2 * params.getDwarfOffsetByteSize(); // behind a header
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
    const DataExtractor text(sections.abbreviations, !sections.isBig, 8);
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
    std::optional<UnitName> name;
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
      case dwarf::DW_AT_name:
        name = {attribute.form, value};
        break;
      case dwarf::DW_AT_str_offsets_base:
        stringBase = value.number;
        break;
      case dwarf::DW_AT_stmt_list:
        lineTable = value.number;
        hasTable = true;
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
    if (abbreviation.tag == dwarf::DW_TAG_compile_unit && name && hasTable)
      tables.units.try_emplace(lineTable, textOf(*name));
    if (abbreviation.tag != dwarf::DW_TAG_variable &&
        abbreviation.tag != dwarf::DW_TAG_member)
      return true;
    const std::optional<uint64_t> address = addressIn(location);
    if (!address)
      declared[offset] = declaration;
    else if (declaration.line)
      tables.variables.try_emplace(*address, declaration);
    return true;
  }
  /// An attribute that is a text.
  struct UnitName {
    uint64_t form;
    AttributeValue value;
  };
  StringRef textOf(const UnitName &name) const {
    const uint64_t number = name.value.number;
    switch (name.form) {
    case dwarf::DW_FORM_string:
      return name.value.bytes;
    case dwarf::DW_FORM_strp:
      return textAt(sections.strings, number).split('\0').first;
    case dwarf::DW_FORM_line_strp:
      return textAt(sections.lineStrings, number).split('\0').first;
    case dwarf::DW_FORM_strx:
    case dwarf::DW_FORM_strx1:
    case dwarf::DW_FORM_strx2:
    case dwarf::DW_FORM_strx3:
    case dwarf::DW_FORM_strx4:
      break;
    default:
      return "";
    }
    const StringRef offsets = sections.stringOffsets;
    const unsigned size = params.getDwarfOffsetByteSize();
    if (stringBase >= offsets.size() ||
        number >= (offsets.size() - stringBase) / size)
      return "";
    uint64_t place = stringBase + number * size;
    const uint64_t offset =
        DataExtractor(offsets, !sections.isBig, 8).getUnsigned(&place, size);
    return textAt(sections.strings, offset).split('\0').first;
  }
  /// The address that a location begins with.
  std::optional<uint64_t> addressIn(StringRef location) const {
    const DataExtractor text(location, !sections.isBig, params.AddrSize);
    DataExtractor::Cursor c(0);
    std::optional<uint64_t> address;
    const uint8_t operation = text.getU8(c);
    if (operation == dwarf::DW_OP_addr) {
      address = text.getUnsigned(c, params.AddrSize);
    } else if (operation == dwarf::DW_OP_addrx) {
      const uint64_t index = text.getULEB128(c);
      const DataExtractor addresses(sections.addresses, !sections.isBig, 8);
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

  EntryTables tables;
  const EntrySections &sections;
  DataExtractor data;
  DataExtractor::Cursor at{0};
  uint64_t stepsLeft;
  std::map<uint64_t, Abbreviations> known; ///< by offset

  // Of the unit that is being read.
  uint64_t unitOffset = 0;
  dwarf::FormParams params = {};
  uint64_t lineTable = 0, addressBase = 0, stringBase = 0;
  bool hasTable = false;
  DenseMap<uint64_t, Declaration> declared; ///< by offset of the entry
};

} // namespace

EntryTables readEntries(const EntrySections &sections) {
  return EntryReader(sections).run();
}

} // namespace xlink
