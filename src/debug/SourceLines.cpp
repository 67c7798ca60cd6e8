//===- SourceLines.cpp ----------------------------------------------------===//
//
// Problem: "a.o:(.text+0x1c)" says little to somebody who wrote work.c. The
// line is in the object's DWARF, which is as large as the program or larger,
// refers to code by relocations, and may be damaged. A link without a message
// must not pay for it, and no link may fail for it.
//
// Method: LLVM reads DWARF, of all versions and both formats, but it knows no
// relocations of these machines. So the sections that it needs are copied and
// relocated here, with the rows of the machine's table, as if the object were
// linked alone: every section that is loaded gets an address of its own, with a
// gap behind it, and sections that are not loaded stand at 0, as references
// between them are offsets. A place in code is then looked for in the line
// tables of all units: what begins in another section does not count, since
// such a table runs on over the end of one. A place in data has no rows; there
// it is the variable whose bytes contain it that has a line, and what is
// searched are the units' entries. Whatever LLVM finds wrong is swallowed: such
// an object has fewer lines, or none.
//
// Cost: nothing before a message wants a line. Then each object that is asked
// for is copied once, as far as its debugging sections go, and its line tables
// are decoded; its entries only when a place in data is asked for.
//
//===----------------------------------------------------------------------===//
#include "debug/SourceLines.h"
#include "arch/Relocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DIContext.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/DataExtractor.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace xlink {

namespace {

using PathKind = DILineInfoSpecifier::FileLineInfoKind;
constexpr PathKind kPath = PathKind::RelativeFilePath;

void swallow(Error error) { consumeError(std::move(error)); }

/// What the lines of places and variables are in.
bool isNeeded(StringRef section) {
  return StringSwitch<bool>(section)
      .Cases(".debug_info", ".debug_abbrev", ".debug_line", ".debug_line_str",
             true)
      .Cases(".debug_str", ".debug_str_offsets", ".debug_addr", true)
      .Default(false);
}

/// One object's DWARF.
class ObjectLines {
public:
  ObjectLines(const Program &program, const ParsedObject &object);
  std::string lineOf(uint32_t section, uint64_t offset);

private:
  /// A variable with an address, and where it is declared.
  struct Variable {
    uint64_t address;
    std::string line;
  };

  bool placeSections();
  std::unique_ptr<MemoryBuffer> relocated(const ParsedSection &section) const;
  void readTables();
  void readVariables();
  void readVariable(const DWARFDie &die);
  std::optional<uint64_t> addressOf(const DWARFDie &die) const;
  std::string lineOfCode(uint64_t begin, uint64_t address) const;
  std::string lineOfVariable(uint32_t section, uint64_t offset);

  const Program &program;
  const ParsedObject &object;
  const uint8_t addressSize;
  std::vector<uint64_t> begins; ///< address by section, 0: not loaded
  StringMap<std::unique_ptr<MemoryBuffer>> buffers; ///< `context` reads them
  std::unique_ptr<DWARFContext> context; ///< null: the object has no DWARF
  std::vector<const DWARFDebugLine::LineTable *> tables;
  bool variablesRead = false;
  std::vector<Variable> variables; ///< by address
};

ObjectLines::ObjectLines(const Program &program, const ParsedObject &object)
    : program(program), object(object),
      addressSize(program.target->is64 ? 8 : 4) {
  if (!placeSections())
    return;
  for (const ParsedSection &section : object.sections)
    if (!section.isNoBits() && isNeeded(section.name))
      buffers.try_emplace(section.name.drop_front(), relocated(section));
  if (!buffers.contains("debug_info") || !buffers.contains("debug_line"))
    return;
  context = DWARFContext::create(buffers, addressSize, true, swallow, swallow);
  readTables();
}

/// Gives every section that is loaded an address. False: they do not fit.
bool ObjectLines::placeSections() {
  constexpr uint64_t kGap = 0x1000;
  uint64_t next = kGap;
  const uint64_t end = addressSize == 8 ? uint64_t(1) << 62 : 0x80000000;
  begins.resize(object.sections.size());
  uint64_t whole = 0; // the address of the section that parts were cut from
  for (uint32_t i = 0; i < object.sections.size(); ++i) {
    const ParsedSection &section = object.sections[i];
    if (!(section.flags & ELF::SHF_ALLOC))
      continue;
    if (section.cutAt == 0)
      whole = next;
    begins[i] = whole + section.cutAt;
    if (section.size >= end || begins[i] >= end - section.size)
      return false;
    next = alignTo(begins[i] + section.size, 16) + kGap;
  }
  return true;
}

/// A copy of a section as it would be with those addresses. Rows that compute
/// anything but S + A have no business in DWARF.
std::unique_ptr<MemoryBuffer>
ObjectLines::relocated(const ParsedSection &section) const {
  auto copy = WritableMemoryBuffer::getNewUninitMemBuffer(section.data.size());
  if (!copy)
    return MemoryBuffer::getMemBuffer("");
  uint8_t *bytes = reinterpret_cast<uint8_t *>(copy->getBufferStart());
  if (!section.data.empty())
    std::memcpy(bytes, section.data.data(), section.data.size());
  for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
    const Relocation &rel = object.relocations[r];
    const RelocationRow *row = findRelocation(*program.target, rel.type);
    if (!row || row->formula != Formula::Abs)
      continue;
    const ParsedSymbol &symbol = object.symbols[rel.symbol];
    uint64_t value = uint64_t(rel.addend);
    if (symbol.place == SymbolPlace::Section)
      value += begins[symbol.section] + symbol.value;
    else if (symbol.place == SymbolPlace::Absolute)
      value += symbol.value;
    deposit(*row, int64_t(value) >> row->shift, bytes + rel.offset);
  }
  return copy;
}

void ObjectLines::readTables() {
  for (const std::unique_ptr<DWARFUnit> &unit : context->compile_units()) {
    auto table = context->getLineTableForUnit(unit.get(), swallow);
    if (!table)
      swallow(table.takeError());
    else if (*table)
      tables.push_back(*table);
  }
}

std::string ObjectLines::lineOf(uint32_t section, uint64_t offset) {
  if (!context || section >= begins.size() || begins[section] == 0)
    return "";
  const ParsedSection &s = object.sections[section];
  if (offset >= s.size)
    return "";
  // Line tables speak of a section as it was before parts were cut out.
  const std::string line =
      lineOfCode(begins[section] - s.cutAt, begins[section] + offset);
  return line.empty() ? lineOfVariable(section, offset) : line;
}

/// Of what begins at `begin` or behind it, and so in the same section.
std::string ObjectLines::lineOfCode(uint64_t begin, uint64_t address) const {
  const object::SectionedAddress place = {
      address, object::SectionedAddress::UndefSection};
  for (const DWARFDebugLine::LineTable *table : tables) {
    if (none_of(table->Sequences, [&](const DWARFDebugLine::Sequence &s) {
          return s.LowPC >= begin && s.containsPC(place);
        }))
      continue;
    DILineInfo info;
    if (table->getFileLineInfoForAddress(place, "", kPath, info) && info.Line)
      return info.FileName + ":" + std::to_string(info.Line);
  }
  return "";
}

std::string ObjectLines::lineOfVariable(uint32_t section, uint64_t offset) {
  // The variable's extent is the symbol's: entries tell it by a chain of types.
  const auto symbol = find_if(object.symbols, [&](const ParsedSymbol &s) {
    return s.place == SymbolPlace::Section && s.section == section &&
           s.type == ELF::STT_OBJECT && s.value <= offset &&
           offset - s.value < std::max<uint64_t>(s.size, 1);
  });
  if (symbol == object.symbols.end())
    return "";
  readVariables();
  const uint64_t address = begins[section] + symbol->value;
  const auto it = partition_point(
      variables, [&](const Variable &v) { return v.address < address; });
  return it != variables.end() && it->address == address ? it->line : "";
}

void ObjectLines::readVariables() {
  if (variablesRead)
    return;
  variablesRead = true;
  for (const std::unique_ptr<DWARFUnit> &unit : context->compile_units()) {
    unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false);
    for (const DWARFDebugInfoEntry &entry : unit->dies())
      if (entry.getTag() == dwarf::DW_TAG_variable)
        readVariable({unit.get(), &entry});
  }
  std::stable_sort(variables.begin(), variables.end(),
                   [](const Variable &a, const Variable &b) {
                     return a.address < b.address;
                   });
}

void ObjectLines::readVariable(const DWARFDie &die) {
  const std::optional<uint64_t> address = addressOf(die);
  if (!address)
    return;
  const uint64_t line = die.getDeclLine();
  std::string file = die.getDeclFile(kPath);
  if (line && !file.empty())
    variables.push_back({*address, file + ":" + std::to_string(line)});
}

/// Of a variable that is at one address for good.
std::optional<uint64_t> ObjectLines::addressOf(const DWARFDie &die) const {
  const auto location = die.find(dwarf::DW_AT_location);
  const auto block = location ? location->getAsBlock() : std::nullopt;
  if (!block || block->empty())
    return std::nullopt;
  DataExtractor data(toStringRef(*block), true, addressSize);
  DataExtractor::Cursor at(1);
  std::optional<uint64_t> address;
  if (block->front() == dwarf::DW_OP_addr) {
    address = data.getAddress(at);
  } else if (block->front() == dwarf::DW_OP_addrx) {
    const uint64_t index = data.getULEB128(at);
    if (at && index <= UINT32_MAX)
      if (auto found =
              die.getDwarfUnit()->getAddrOffsetSectionItem(uint32_t(index)))
        address = found->Address;
  }
  if (Error error = at.takeError()) {
    swallow(std::move(error));
    return std::nullopt;
  }
  return address;
}

class SourceLines : public LineFinder {
public:
  explicit SourceLines(const Program &program) : program(program) {}

  std::string lineOf(const ParsedObject &object, uint32_t section,
                     uint64_t offset) override {
    if (!program.target)
      return "";
    std::unique_ptr<ObjectLines> &lines = byObject[&object];
    if (!lines)
      lines = std::make_unique<ObjectLines>(program, object);
    return lines->lineOf(section, offset);
  }

private:
  const Program &program;
  DenseMap<const ParsedObject *, std::unique_ptr<ObjectLines>> byObject;
};

} // namespace

std::unique_ptr<LineFinder> makeSourceLines(const Program &program) {
  return std::make_unique<SourceLines>(program);
}

} // namespace xlink
