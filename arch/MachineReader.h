//===- MachineReader.h - a machine file being read ------------------------===//
#ifndef XLINK_ARCH_MACHINEREADER_H
#define XLINK_ARCH_MACHINEREADER_H

#include "arch/MachineText.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
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
  /// A declaration by its first word.
  struct Declaration {
    llvm::StringRef word;
    void (*read)(MachineReader &r);
    bool repeats = false; ///< may stand several times
  };
  static const Declaration kDeclarations[];

  // ---- Parts of items: false, with a problem, when the part is not there ----
  struct Power {
    uint64_t &value;
  };
  struct Quoted {
    const char *&text;
  };
  template <class T> struct Choice {
    llvm::ArrayRef<llvm::StringRef> words;
    T &index;
  };
  template <class T>
  static Choice<T> oneOf(llvm::ArrayRef<llvm::StringRef> words, T &index) {
    return {words, index};
  }
  bool part(llvm::StringRef word) { return in.expect(word); }
  template <std::integral T> bool part(T &number) {
    return in.number(0, std::numeric_limits<T>::max(), number);
  }
  template <std::integral T> bool part(std::optional<T> &number) {
    return part(number.emplace());
  }
  bool part(const char *&name); ///< a word, or a text in quotes
  bool part(Power power) { return in.power(power.value); }
  bool part(Quoted quoted);
  template <class T> bool part(Choice<T> choice) {
    for (const auto &[i, word] : llvm::enumerate(choice.words))
      if (in.accept(word)) {
        choice.index = T(i);
        return true;
      }
    in.problem(in.token(), "expected " + llvm::join(choice.words, " or "));
    return false;
  }
  template <class... T> bool parts(T &&...list) {
    return (part(std::forward<T>(list)) && ...);
  }
  /// Parts that may be missing, behind a word.
  template <class... T> bool optional(llvm::StringRef word, T &&...list) {
    return !in.accept(word) || parts(std::forward<T>(list)...);
  }
  /// The entry of a word in a table; null, with a problem, if there is none.
  template <class T>
  const T *lookUp(llvm::ArrayRef<T> table, const MachineToken &word,
                  llvm::StringRef noun) {
    std::vector<llvm::StringRef> words;
    for (const T &entry : table) {
      if (entry.word == word.text)
        return &entry;
      words.push_back(entry.word);
    }
    in.unknown(word, noun, words);
    return nullptr;
  }
  void names(llvm::ArrayRef<const char *> &list);
  template <class T> void numbers(llvm::ArrayRef<T> &list, size_t most = 256);

  // ---- Declarations, in MachineReader.cpp ----
  bool readHead();
  void extend(const Target &base);
  void readItem();
  void readElf();
  void readSegments();
  void readFlags();
  void readBase();
  void readMemory();
  void readReserve();
  void readCpu();
  bool readCpuItem(Cpu &cpu,
                   std::vector<std::pair<const char *, const char *>> &defines);
  void readVectors();
  void checkDefines();
  void finish();

  // ---- Rows and tests, in MachineRows.cpp ----
  struct Row;
  /// A property of a row by its first word; a row has one of each group.
  struct Property {
    llvm::StringRef word, group;
    void (*read)(MachineReader &r, Row &row);
  };
  static const Property kProperties[];
  void readRow(bool replaces);
  void addRow(const Row &row, bool replaces);
  void readProperty(Row &row);
  bool readTerm(Row &row, bool minus, unsigned &seen);
  bool readPlace(Row &row, bool isNext);
  void readValue(Row &row);
  void readShift(Row &row);
  bool readRange(unsigned limit, unsigned &high, unsigned &low);
  void readMoves(Row &row);
  bool readMove(Row &row, std::vector<Piece> &pieces);
  void readCarry(Row &row);
  void readWrap(Row &row);
  void readCheck(Row &row);
  void readLimits(Row &row);
  void readFlip(Row &row);
  void readPair(Row &row);
  void checkRow(Row &row);
  void checkBits(Row &row, uint64_t placed);
  RelocationRow *rowOf(uint32_t number);
  void readTest();
  bool readUnit(const RelocationRow &row, std::vector<uint8_t> &bytes);
  void setBase(RelocationRow &row, const MachineToken &at);
  void turnRows();
  void finishRows();

  // ---- Storage ----
  /// Whether the item that is being read has a problem.
  bool failed() const { return in.problemCount() != problemsBefore; }
  const char *keep(llvm::StringRef text);
  template <class T> llvm::ArrayRef<T> keep(llvm::ArrayRef<T> list) {
    return list.copy(machine->memory);
  }
  /// Appends to a list of which there may be at most `most`.
  template <class T>
  void append(std::vector<T> &list, T value, size_t most = 256);

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

  // What becomes lists of the target.
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
  std::vector<FlowRule> flows;
  std::vector<RelocationRow> rows;

  /// Of rows, by number: the names of rows and of bases that they refer to.
  std::vector<std::pair<uint32_t, std::vector<MachineToken>>> pairs;
  std::vector<std::pair<uint32_t, MachineToken>> rowBases;
  llvm::StringMap<uint32_t> rowByName; ///< numbers
  llvm::StringSet<> rowNames;          ///< with those of faulty rows
  std::vector<MachineToken> rowTokens; ///< numbers, parallel to `rows`
};

} // namespace xlink
#endif
