//===- ObjectReader.h - one object being read -----------------------------===//
//
// The reader's working state, private to src/input. The steps run in this
// order, each in a file of its own; a step may rely on the checks of earlier
// steps:
//
//   header and section table  ElfReader.cpp
//   contents                  CompressedSections.cpp  decompression,
//   mergeability symbols                   SymbolReader.cpp groups
//   GroupReader.cpp relocations               RelocationReader.cpp expressions
//   ExprReader.cpp types of symbols          TypeReader.cpp leaving out tables
//   SectionNumbers.cpp
//
// A faulty section table or a symbol table without names ends the reading.
// Otherwise every step runs and reports, so that one run shows all faults of a
// file, up to a limit.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INPUT_OBJECTREADER_H
#define XLINK_INPUT_OBJECTREADER_H

#include "arch/Target.h"
#include "base/Diagnostics.h"
#include "input/ElfReader.h"
#include "input/ExprFormat.h"
#include "input/NameTable.h"
#include "model/ObjectFile.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Object/ELFTypes.h"
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
  bool checkFileType(uint16_t type);
  template <class ELFT> bool readSectionTable();
  template <class ELFT> void readContents();
  template <class ELFT> bool readSymbols();
  void readGroups();
  template <class ELFT> void readRelocations();
  void readExpressions();
  void readTypes();
  void readCpuNote();
  void leaveOutTables();
  template <class ELFT> void runSteps();
  void keepJustSymbols();

  // Parts of the section table's step.
  template <class ELFT>
  llvm::ArrayRef<typename ELFT::Shdr>
  locateSectionTable(const typename ELFT::Ehdr &header, uint32_t &nameSection);
  template <class ELFT>
  NameTable readSectionNames(uint32_t index, const typename ELFT::Shdr &header);
  template <class ELFT>
  void readSectionHeader(uint32_t index, const typename ELFT::Shdr &from,
                         const NameTable &sectionNames);
  void adoptParents();
  void classifySections(uint32_t nameSection);
  void classify(uint32_t index, bool ownStrings);
  bool takeData(uint32_t index, uint64_t offset);
  void checkSizeAndAlignment(uint32_t index, uint64_t align);
  void checkLinks(uint32_t index);
  void checkLinkOrder(uint32_t index);
  void normalizeMerge(ParsedSection &section) const;

  // Parts of the symbols' step.
  template <class ELFT>
  void readSymbol(uint32_t index, const typename ELFT::Sym &from);
  void checkBinding(uint32_t index, bool named);
  void placeSymbol(uint32_t index, uint32_t shndx);
  void placeSpecial(uint32_t index, uint32_t shndx);
  void placeInSection(uint32_t index, uint32_t section);

  // Parts of other steps.
  template <class ELFT> void inflate(uint32_t index);
  struct RelocationTable;
  struct RelocationWork;
  template <class ELFT, bool IsRela>
  void checkRelocationTable(const RelocationTable &job, RelocationWork &work);
  template <class Entry>
  bool checkRelocation(const RelocationTable &job, const Entry &from,
                       const RelocationRow *row);
  template <class ELFT, bool IsRela>
  void readRelocationTable(const RelocationTable &job,
                           const RelocationWork &work);
  void keepRelocations(const RelocationWork &work);
  std::vector<uint32_t> numberSections() const;
  void keepMore(llvm::ArrayRef<uint32_t> numbers);
  std::string readExprOperand(ExprOperandKind kind, uint32_t value,
                              ExprOperand &operand);
  void reference(uint32_t symbol);
  void markExpressionOnly();

  // Messages. Each names the file first.

  /// "a.o: TEXT"
  void error(const llvm::Twine &text) { report(": " + text); }
  /// "a.o:(.text+0x1c): TEXT"
  void errorAt(uint32_t section, uint64_t offset, const llvm::Twine &text);
  /// "a.o:(.expr): TEXT"
  void errorIn(uint32_t section, const llvm::Twine &text);
  /// "a.o: symbol 5 (foo): TEXT"
  void symbolError(uint32_t index, const llvm::Twine &text) {
    error(symbolText(index) + ": " + text);
  }
  /// Whether a range lies inside the file.
  bool within(uint64_t offset, uint64_t size) const {
    return offset <= bytes.size() && size <= bytes.size() - offset;
  }
  void warn(const llvm::Twine &text);
  void report(const llvm::Twine &afterPath);
  /// The file's share of messages is used up.
  bool saturated() const { return errors >= kMaxErrors; }
  /// Whether a section consists of whole entries; reports when not. `entry`: an
  /// entry's name in messages, "an expression".
  bool holdsWhole(uint32_t index, uint32_t entrySize, const char *entry);
  /// "section header 3 (.text)"
  std::string headerText(uint32_t index) const;
  /// "symbol 5 (foo)"
  std::string symbolText(uint32_t index) const;
  /// Why there is no name at `offset`: "sh_name 0x9 is beyond ...".
  static std::string nameFault(NameTable::Result fault, const NameTable &table,
                               const char *field, uint64_t offset);

  static constexpr unsigned kMaxErrors = 10;

  const ObjectName &name;
  llvm::ArrayRef<uint8_t> bytes;
  const Target &target;
  DiagnosticBuffer &diag;
  std::shared_ptr<ObjectStorage> storage;
  std::shared_ptr<ParsedObject> object;
  /// The fields of a section's header that the section does not keep.
  struct Links {
    uint32_t link = 0, info = 0;
    uint64_t entsize = 0;
  };
  std::vector<Links> links; ///< by section index
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
