//===- MachineReader.h - a machine file being read ------------------------===//
#ifndef XLINK_ARCH_MACHINEREADER_H
#define XLINK_ARCH_MACHINEREADER_H

#include "arch/MachineText.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace xlink {

/// The work of readMachine(), private to MachineReader.cpp and MachineRows.cpp.
class MachineReader {
public:
  MachineReader(llvm::StringRef text, bool builtIn, MachineLookup find,
                std::vector<MachineProblem> &problems)
      : text(text), builtIn(builtIn), find(find), in(text, problems) {}

  std::unique_ptr<Machine> run();

private:
  struct Declaration {
    llvm::StringRef word;
    void (MachineReader::*read)();
    bool repeats = false; ///< may stand several times
  };
  static const Declaration kDeclarations[];

  // ---- Declarations, in MachineReader.cpp ----
  bool readHead();
  void readItem();
  void readDescription();
  void readElf();
  void readAliases();
  void readOsabi();
  void readEFlags();
  void readEntry();
  void readPage();
  void readFill();
  void readSegments();
  void readFlags();
  void readAttributes();
  void readIgnore();
  void readGot();
  void readBase();
  void readFlagBase(const char *name, const MachineToken &at);
  void readSymbol();
  void readSectionFlag();
  void readMap();
  void readMemory();
  void readCpu();
  void readCpuItem(Cpu &cpu,
                   std::vector<std::pair<const char *, const char *>> &defines);
  void readVectors();
  void readWord();
  void readLocalLabels();
  void readPrefetch();
  void readCodeFillsRegions();
  void readBehaviour();
  void readVendor();
  void readStart();
  void readSymbolReader();
  void readReserve();
  void readStackSizeWithCallees();
  void checkDefines();
  void finish();

  // ---- Rows and tests, in MachineRows.cpp ----
  struct RowPlaces;
  struct Property {
    llvm::StringRef word;
    llvm::StringRef group; ///< a row has one property of a group
    void (MachineReader::*read)(RelocationRow &row, RowPlaces &places);
  };
  static const Property kProperties[];
  void readRow(bool replaces);
  void addRow(const RelocationRow &row, const RowPlaces &places, bool replaces);
  void readProperty(RelocationRow &row, RowPlaces &places);
  void readValueProperty(RelocationRow &row, RowPlaces &places);
  bool readValue(RelocationRow &row, const MachineToken &at);
  bool readTerm(RelocationRow &row, bool minus, unsigned &seen);
  void readCheck(RelocationRow &row, RowPlaces &places);
  void readLimits(RelocationRow &row, RowPlaces &places);
  bool readRange(unsigned limit, unsigned &high, unsigned &low);
  void readMoves(RelocationRow &row, RowPlaces &places);
  void readMultiple(RelocationRow &row, RowPlaces &places);
  void readPlace(RelocationRow &row, RowPlaces &places);
  void readCarry(RelocationRow &row, RowPlaces &places);
  void readWrap(RelocationRow &row, RowPlaces &places);
  void readFieldOp(RelocationRow &row, RowPlaces &places);
  void readOrder(RelocationRow &row, RowPlaces &places);
  void readHalves(RelocationRow &row, RowPlaces &places);
  void readFlip(RelocationRow &row, RowPlaces &places);
  void readSign(RelocationRow &row, RowPlaces &places);
  void readInField(RelocationRow &row, RowPlaces &places);
  void readPair(RelocationRow &row, RowPlaces &places);
  void readWeak(RelocationRow &row, RowPlaces &places);
  void readUse(RelocationRow &row, RowPlaces &places);
  void readOrAddress(RelocationRow &row, RowPlaces &places);
  void readOrJump(RelocationRow &row, RowPlaces &places);
  void readHint(RelocationRow &row, RowPlaces &places);
  void checkRow(RelocationRow &row, const RowPlaces &places);
  void readTest();
  void setBase(RelocationRow &row, const MachineToken &at);
  void finishRows();

  // ---- Storage ----
  /// Whether the item that is being read has a problem.
  bool failed() const { return in.problemCount() != problemsBefore; }
  const char *keep(llvm::StringRef text);
  template <class T> llvm::ArrayRef<T> keep(llvm::ArrayRef<T> list) {
    return list.copy(machine->memory);
  }
  /// Words up to the next ';', at least one, at most 256.
  llvm::ArrayRef<const char *> words(llvm::StringRef noun);
  /// Numbers up to the next ';' or '}', at least one.
  template <class T>
  llvm::ArrayRef<T> numbers(uint64_t high, size_t most = 256);
  /// One of `choices`: its index.
  std::optional<size_t> choice(llvm::ArrayRef<llvm::StringRef> choices);
  /// Appends to a list of which there may be at most `most`.
  template <class T>
  void append(std::vector<T> &list, T value, const MachineToken &at,
              size_t most = 256);

  const llvm::StringRef text;
  const bool builtIn;
  MachineLookup find;
  MachineText in;
  std::unique_ptr<Machine> machine = std::make_unique<Machine>();
  Target &target = machine->target;
  const Target *extended = nullptr;
  MachineToken declaration; ///< the word of the one that is being read
  size_t problemsBefore = 0;
  llvm::StringMap<uint32_t> lines; ///< of declarations that stand once

  std::vector<BaseSymbol> baseSymbols;
  std::vector<Base> bases;
  std::vector<SectionSymbol> symbols;
  std::vector<SectionFlagName> sectionFlags;
  std::vector<AddressMap> maps;
  std::vector<Memory> memories;
  std::vector<Reservation> reservations;
  std::vector<Cpu> cpus;
  std::vector<MachineToken> cpuTokens; ///< names, parallel to `cpus`
  std::vector<FlagsRule> flagsRules;
  std::vector<Vendor> vendors;
  std::vector<RelocationRow> rows;

  /// Of rows, by number: the names of rows and of bases that they refer to.
  std::vector<std::pair<uint32_t, std::vector<MachineToken>>> pairs;
  std::vector<std::pair<uint32_t, MachineToken>> rowBases;
  llvm::StringMap<uint32_t> rowByName; ///< numbers
  std::vector<MachineToken> rowTokens; ///< numbers, parallel to `rows`
};

} // namespace xlink
#endif
