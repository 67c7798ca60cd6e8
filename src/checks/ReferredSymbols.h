//===- ReferredSymbols.h - symbols that the program refers to -------------===//
#ifndef XLINK_CHECKS_REFERREDSYMBOLS_H
#define XLINK_CHECKS_REFERREDSYMBOLS_H

#include "model/Link.h"
#include "model/SymbolValues.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace xlink {

/// The first relocation of a section that refers to a symbol, or a statement of
/// the script that stores its value (LONG and the like).
struct ReferringPlace {
  SectionId section = {}; ///< kNone: the statement
  uint64_t offset = 0;    ///< in that section
  const ScriptCommand *statement = nullptr;
};

/// A value that code or data refers to by a symbol of the script.
struct ReferredMark {
  uint64_t value = 0;
  SymbolId symbol = {}; ///< kNone: the value of a statement without a symbol
  ReferringPlace from = {};
};

/// The references of code and data that stay in the program to the symbols that
/// layout gives values, and to weak definitions. Unwind tables do not count.
class ReferredSymbols {
public:
  ReferredSymbols(const Link &link, const SymbolValues &values);

  /// One of each section that refers to a symbol, in the order of the inputs.
  llvm::ArrayRef<ReferringPlace> of(SymbolId symbol) const {
    const auto it = bySymbol.find(symbol);
    return it == bySymbol.end() ? llvm::ArrayRef<ReferringPlace>() : it->second;
  }
  /// All marks, by value.
  llvm::ArrayRef<ReferredMark> marks() const { return sorted; }
  /// The marks with values from `begin` up to, not including, `end`.
  llvm::ArrayRef<ReferredMark> marksIn(uint64_t begin, uint64_t end) const;

private:
  void readFile(const Program &program, const PartialLink &link, FileId id);
  void readStatements(const Link &link, const SymbolValues &values);

  IdSet<SymbolId> watched;
  llvm::DenseMap<SymbolId, llvm::SmallVector<ReferringPlace, 1>> bySymbol;
  std::vector<ReferredMark> sorted;
};

/// Of the candidates, all defined by files, those that something may use:
/// another file has a symbol of that name, or a relocation of the same file
/// refers to it, in a section that is dropped too.
IdSet<SymbolId> mentioned(const Program &program,
                          const IdSet<SymbolId> &candidates);

/// Whether code calls a function of the C library that fills or copies, byte by
/// byte where it has to.
bool callsLibrary(const Program &program, SectionId code);

/// The end of a thing that a symbol of a script stands for, by its name.
struct MarkName {
  enum Side : uint8_t { None, Start, End } side = None;
  std::string
      stem; ///< both ends have one; lower case, without '_' and the like
};
/// "__init_array_start", "_sdata", "CmdTable$$Base".
MarkName readMarkName(llvm::StringRef name);

/// Whether a mark is called like the start or the end of all variables that are
/// cleared or copied.
bool isNamedLikeAll(const Program &program, MarkName::Side side,
                    const ReferredMark &mark);

/// "'_etext' = 0x1000"
std::string markText(const Program &program, const ReferredMark &mark);
/// "a.o:(.text+0x8) in _start at start.c:12", or the statement's place.
std::string placeOf(const Program &program, const ReferringPlace &reference);

} // namespace xlink
#endif
