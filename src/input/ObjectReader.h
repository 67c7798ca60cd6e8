//===- ObjectReader.h - one object being read -----------------------------===//
//
// The reader's working state, private to src/input. The steps run in this
// order, each in a file of its own; a step may rely on the checks of earlier
// steps:
//
//   header and section table  ElfReader.cpp
//   contents                  SectionContents.cpp
//   symbols, groups           SymbolReader.cpp
//   relocations               RelocationReader.cpp
//   expressions, types        ExprReader.cpp
//   note of the core          SectionContents.cpp
//   leaving out tables        RelocationReader.cpp
//
// A faulty section table or a symbol table without names ends the reading.
// Otherwise every step runs and reports, so that one run shows all faults of a
// file, up to a limit.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INPUT_OBJECTREADER_H
#define XLINK_INPUT_OBJECTREADER_H

#include "arch/Target.h"
#include "base/ByteOrder.h"
#include "base/Diagnostics.h"
#include "input/ElfReader.h"
#include "input/ExprFormat.h"
#include "input/NameTable.h"
#include "model/ObjectFile.h"
#include "llvm/ADT/Twine.h"
#include <memory>
#include <vector>

namespace xlink {

/// Keeps alive the bytes to which a parsed object points: the file's buffer,
/// and inflated sections.
struct ObjectStorage {
  std::shared_ptr<const void> file;
  std::vector<std::unique_ptr<uint8_t[]>> inflated;
};

/// Larger than any memory the machines have, small enough that sums of a few
/// such numbers do not wrap.
constexpr uint64_t kMaxAlign = uint64_t(1) << 31;
constexpr uint64_t kMaxSectionSize = uint64_t(1) << 48;

/// The fault of an alignment, " is too large" or the like, or null. 0 means
/// none.
inline const char *alignmentFault(uint64_t align) {
  return align > kMaxAlign            ? " is too large"
         : (align & (align - 1)) != 0 ? " is not a power of two"
                                      : nullptr;
}

/// A section header as the file has it, without sh_addr.
struct SectionHeader {
  uint32_t name, type;
  uint64_t flags, offset, size;
  uint32_t link, info;
  uint64_t align, entsize;
};

class ObjectReader {
public:
  ObjectReader(const ObjectName &name, llvm::ArrayRef<uint8_t> bytes,
               const Target &target, std::shared_ptr<const void> owner,
               DiagnosticBuffer &diag, bool justSymbols = false);

  /// All steps; null after an error.
  std::shared_ptr<const ParsedObject> run();

private:
  // The steps.
  bool checkIdentity();
  bool readSectionTable();
  void readContents();
  bool readSymbols();
  void readGroups();
  void readRelocations();
  void readExpressions();
  void readTypes();
  void readCpuNote();
  void leaveOutTables();
  void keepJustSymbols();

  // Parts of the section table's step.
  bool findSectionHeaders(uint32_t &nameSection);
  /// Of a section of the table. Inline: a caller wants a field or two.
  LLVM_ATTRIBUTE_ALWAYS_INLINE SectionHeader headerOf(uint32_t index) const {
    RecordReader at(bytes.data() + headersAt +
                        uint64_t(index) * sizes.sectionHeader,
                    target.is64, target.isBig);
    SectionHeader to;
    to.name = at.number();
    to.type = at.number();
    to.flags = at.word();
    at.word(); // sh_addr
    to.offset = at.word();
    to.size = at.word();
    to.link = at.number();
    to.info = at.number();
    to.align = at.word();
    to.entsize = at.word();
    return to;
  }
  NameTable readSectionNames(uint32_t index);
  void adoptParents();
  void classifySections(uint32_t nameSection);
  bool takeData(uint32_t index);
  void checkLinks(uint32_t index);
  void checkLinkOrder(uint32_t index);
  void normalizeMerge(ParsedSection &section) const;

  // Parts of the symbols' step.
  void readSymbol(uint32_t index, const uint8_t *from);
  void placeSymbol(uint32_t index, uint32_t shndx);
  void placeSpecial(uint32_t index, uint32_t shndx);

  // Parts of other steps.
  void inflate(uint32_t index);
  struct RelocationTable;
  template <bool is64>
  void checkRelocationTable(const RelocationTable &job, bool &kept);
  std::string readExprOperand(ExprOperandKind kind, uint32_t value,
                              ExprOperand &operand);
  void reference(uint32_t symbol) {
    if (symbol < referenced.size())
      referenced[symbol] = true;
  }

  // Messages. Each names the file first.

  /// "a.o: TEXT"
  void error(const llvm::Twine &text) { report(": " + text); }
  /// The same, and false for the caller to return.
  bool refuse(const llvm::Twine &text) {
    error(text);
    return false;
  }
  /// "a.o: section header 3 (.text): TEXT"; false.
  bool headerError(uint32_t index, const llvm::Twine &text) {
    return refuse(headerText(index) + ": " + text);
  }
  /// "a.o:(.text+0x1c): TEXT"
  void errorAt(uint32_t section, uint64_t offset, const llvm::Twine &text) {
    report(":(" + object->sections[section].name + "+" + hex(offset) +
           "): " + text);
  }
  /// "a.o:(.expr): TEXT"
  void errorIn(uint32_t section, const llvm::Twine &text) {
    report(":(" + object->sections[section].name + "): " + text);
  }
  /// "a.o: symbol 5 (foo): TEXT"
  void symbolError(uint32_t index, const llvm::Twine &text) {
    error(symbolText(index) + ": " + text);
  }
  /// Whether a range lies inside the file.
  bool within(uint64_t offset, uint64_t size) const {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  }
  void warn(const llvm::Twine &text) {
    diag.warn(WarningGroup::General, (name.path + ": " + text).str());
  }
  void report(const llvm::Twine &afterPath) {
    if (++errors > kMaxErrors)
      return;
    diag.error((name.path + afterPath).str());
    if (errors == kMaxErrors)
      diag.error(name.path.str() +
                 ": further errors in this file are not shown");
  }
  /// The file's share of messages is used up.
  bool saturated() const { return errors >= kMaxErrors; }
  /// Whether a section consists of whole entries; reports when not. `entry`: an
  /// entry's name in messages, "an expression".
  bool holdsWhole(uint32_t index, uint32_t entrySize, const char *entry) {
    const uint64_t size = object->sections[index].size;
    return size % entrySize == 0 ||
           headerError(index,
                       "sh_size " + hex(size) + " is not a multiple of " +
                           llvm::Twine(entrySize) + ", the size of " + entry);
  }
  /// " is not a section index (7 sections)"
  std::string noSection() const {
    return " is not a section index (" +
           std::to_string(object->sections.size()) + " sections)";
  }
  /// "symbol index 9 is out of range (7 symbols)"
  std::string noSymbol(uint32_t index) const {
    return "symbol index " + std::to_string(index) + " is out of range (" +
           std::to_string(object->symbols.size()) + " symbols)";
  }
  /// "section header 3 (.text)"
  std::string headerText(uint32_t index) const {
    std::string text = "section header " + std::to_string(index);
    // The table of their names is read before there is any section.
    if (index >= object->sections.size() ||
        object->sections[index].name.empty())
      return text;
    return text + " (" + object->sections[index].name.str() + ")";
  }
  /// "symbol 5 (foo)"
  std::string symbolText(uint32_t index) const {
    std::string text = "symbol " + std::to_string(index);
    llvm::StringRef symbol = object->symbols[index].name;
    return symbol.empty() ? text : text + " (" + symbol.str() + ")";
  }
  /// Reads a name; returns its fault, "sh_name 0x9 is beyond ...", or "".
  std::string takeName(const NameTable &table, const char *field,
                       uint64_t offset, llvm::StringRef &into) {
    const NameTable::Result result = table.get(offset, names, into);
    if (result == NameTable::Result::Ok)
      return {};
    return std::string(field) + " " + hex(offset) +
           (result == NameTable::Result::OutOfRange
                ? " is beyond the end of the string table (" +
                      hex(table.size()) + " bytes)"
                : ": the names of this file are longer together than its size "
                  "allows");
  }

  static constexpr unsigned kMaxErrors = 10;
  /// The memory of all sections of a file, of which half may be tables: each
  /// thread uses it for the next file.
  static thread_local std::vector<ParsedSection> roomForSections;

  const ObjectName &name;
  llvm::ArrayRef<uint8_t> bytes;
  const Target &target;
  DiagnosticBuffer &diag;
  std::shared_ptr<ObjectStorage> storage;
  std::shared_ptr<ParsedObject> object;
  const ElfSizes &sizes;    ///< of the target's class
  uint64_t headersAt = 0;   ///< where the section headers begin
  uint32_t headerCount = 0; ///< 0: there are none
  NameBudget names;
  NameTable symbolNames;        ///< the string table of the symbol table
  uint32_t symbolTable = 0;     ///< section index, 0: none
  uint32_t extendedIndices = 0; ///< of SHT_SYMTAB_SHNDX, 0: none
  unsigned errors = 0;
  const bool justSymbols; ///< all but the symbols is passed over
  /// By symbol: an expression entry mentions it. Empty without expressions.
  std::vector<bool> referenced;
};

} // namespace xlink
#endif
