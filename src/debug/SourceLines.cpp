//===- SourceLines.cpp ----------------------------------------------------===//
//
// Problem: "a.o:(.text+0x1c)" says little to the author of work.c. The line is
// in the object's DWARF, which is as large as the program or larger, refers to
// code by relocations, and may be damaged. A link without a message must not
// pay for it, and no link may fail because of it.
//
// Method: the sections of the line tables are copied and relocated, with the
// rows of the machine's table, as if the object were linked alone: each loaded
// section gets its own address, with a gap behind it, and the others stand at
// 0, as references between them are offsets. A place is then searched in the
// tables of all units; ranges that begin in another section do not count, since
// a table may run over a section's end. A place in data has the line of the
// variable's declaration; the symbol gives the variable's size, which DWARF
// states only by a chain of types.
//
// Cost: nothing until a message needs a line. Then the object's line tables are
// copied and decoded once, the description of its variables only for a place in
// data.
//
//===----------------------------------------------------------------------===//
#include "arch/Relocation.h"
#include "debug/LineTable.h"
#include "model/Program.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

namespace {

/// One object's line tables.
class ObjectLines {
public:
  ObjectLines(const Program &program, const ParsedObject &object)
      : program(program), object(object) {
    if (!placeSections())
      return;
    lines = relocated(".debug_line");
    if (lines.empty())
      return;
    lineStrings = relocated(".debug_line_str");
    strings = relocated(".debug_str");
    table.emplace(LineSections{toStringRef(lines), toStringRef(lineStrings),
                               toStringRef(strings), program.target->isBig});
  }

  std::string lineOf(uint32_t section, uint64_t offset) {
    if (!table || section >= begins.size() || begins[section] == 0 ||
        offset >= object.sections[section].size)
      return "";
    // Line tables speak of a section as it was before parts were cut out.
    const std::string line =
        table->find(begins[section] - object.moreOf(section).cutAt,
                    begins[section] + offset);
    return line.empty() ? lineOfVariable(section, offset) : line;
  }

private:
  std::string lineOfVariable(uint32_t section, uint64_t offset) {
    const auto symbol = find_if(object.symbols, [&](const ParsedSymbol &s) {
      return s.place == SymbolPlace::Section && s.section == section &&
             s.type == ELF::STT_OBJECT && s.value <= offset &&
             offset - s.value < std::max<uint64_t>(s.size, 1);
    });
    if (symbol == object.symbols.end())
      return "";
    if (!variables) {
      const std::vector<uint8_t> entries = relocated(".debug_info");
      const std::vector<uint8_t> abbreviations = relocated(".debug_abbrev");
      const std::vector<uint8_t> addresses = relocated(".debug_addr");
      variables =
          readVariables({toStringRef(entries), toStringRef(abbreviations),
                         toStringRef(addresses), program.target->isBig});
    }
    const auto found = variables->find(begins[section] + symbol->value);
    if (found == variables->end())
      return "";
    const Declaration &d = found->second;
    return table->lineOf(d.table, d.file, d.line);
  }
  /// Gives every section that is loaded an address. False: they do not fit.
  bool placeSections() {
    constexpr uint64_t kGap = 0x1000;
    uint64_t next = kGap;
    const uint64_t end = program.target->is64 ? uint64_t(1) << 62 : 0x80000000;
    begins.resize(object.sections.size());
    uint64_t whole = 0; // the address of the section that parts were cut from
    for (uint32_t i = 0; i < object.sections.size(); ++i) {
      const ParsedSection &section = object.sections[i];
      if (!(section.flags & ELF::SHF_ALLOC))
        continue;
      const uint64_t cutAt = object.moreOf(i).cutAt;
      if (cutAt == 0)
        whole = next;
      begins[i] = whole + cutAt;
      if (section.size >= end || begins[i] >= end - section.size)
        return false;
      next = alignTo(begins[i] + section.size, 16) + kGap;
    }
    return true;
  }
  /// A copy of a section as it would be with those addresses. Rows that compute
  /// anything but S + A have no business in DWARF.
  std::vector<uint8_t> relocated(StringRef name) const {
    const auto section = find_if(object.sections, [&](const ParsedSection &s) {
      return s.name == name && !s.isNoBits();
    });
    if (section == object.sections.end())
      return {};
    std::vector<uint8_t> bytes = section->data().vec();
    for (uint32_t r = section->relocBegin; r < section->relocEnd; ++r) {
      const Relocation &rel = object.relocations[r];
      const RelocationRow *row = findRelocation(*program.target, rel.type);
      if (!row || !row->isPlainSum())
        continue;
      const ParsedSymbol &symbol = object.symbols[rel.symbol];
      uint64_t value = uint64_t(rel.addend);
      if (symbol.place == SymbolPlace::Section)
        value += begins[symbol.section] + symbol.value;
      else if (symbol.place == SymbolPlace::Absolute)
        value += symbol.value;
      deposit(*row, int64_t(value) >> row->shift, bytes.data() + rel.offset);
    }
    return bytes;
  }

  const Program &program;
  const ParsedObject &object;
  std::vector<uint64_t> begins; ///< address by section, 0: not loaded
  std::vector<uint8_t> lines, lineStrings, strings; ///< `table` reads them
  std::optional<LineTable> table;         ///< nothing: the object has none
  std::optional<VariableTable> variables; ///< read for a place in data
};

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
