//===- MachineText.h - tokens of a machine file ---------------------------===//
#ifndef XLINK_ARCH_MACHINETEXT_H
#define XLINK_ARCH_MACHINETEXT_H

#include "arch/MachineFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace xlink {

/// The words of Check, but for its first and its last value.
inline constexpr llvm::StringLiteral kCheckWords[] = {
    "", "unsigned", "signed", "either", "magnitude", "low"};

/// A word or number, a text in quotes, an operator, or the end.
struct MachineToken {
  enum Kind : uint8_t { Word, Text, Operator, End } kind = End;
  llvm::StringRef text; ///< of a Text without its quotes
  size_t offset = 0;    ///< in the file
};

/// Splits a machine file into tokens and reports problems at them. Words are
/// made of letters, digits, '_', '.', '$', '@', and of '-' between two of
/// these; comments are `/* */`, `//` and `#`.
class MachineText {
public:
  MachineText(llvm::StringRef text, std::vector<MachineProblem> &problems);

  const MachineToken &token() const { return current; }
  /// The token, and moves on.
  MachineToken take();
  bool atEnd() const { return current.kind == MachineToken::End; }
  bool is(llvm::StringRef text) const {
    return current.kind != MachineToken::Text && current.text == text &&
           !atEnd();
  }
  /// Takes a word or operator if it is the next token.
  bool accept(llvm::StringRef text);
  /// The same; reports when it is not.
  bool expect(llvm::StringRef text);

  /// The next token as a number from `low` to `high`; reports anything else.
  template <class T> bool number(uint64_t low, uint64_t high, T &value) {
    uint64_t read = 0;
    if (!readNumber(low, high, read))
      return false;
    value = T(read);
    return true;
  }
  /// The same, up to 2^62, with a '-' in front where the number is negative.
  bool signedNumber(int64_t &value);
  /// A power of two from 1 to `high`.
  bool power(uint64_t &value, uint64_t high = uint64_t(1) << 63);
  /// A word; `noun` says in messages which one is missing.
  std::optional<llvm::StringRef> word(llvm::StringRef noun);
  std::optional<llvm::StringRef> quoted();
  /// Bytes in hexadecimal digits, in the order of memory.
  std::optional<std::vector<uint8_t>> hexBytes();
  /// Whether the next token begins a number.
  bool isNumber() const;

  void problem(const MachineToken &at, const llvm::Twine &text);
  size_t problemCount() const { return problems.size(); }
  /// "unknown word 'X'; did you mean 'Y'?"
  void unknown(const MachineToken &at, llvm::StringRef noun,
               llvm::ArrayRef<llvm::StringRef> known);
  /// Behind a problem: moves behind the item's end, which is a ';' or a '}' of
  /// the file's block, or to the end of that.
  void recover();
  /// A token's line and column, from 1.
  uint32_t lineOf(const MachineToken &at) const;
  uint32_t columnOf(const MachineToken &at) const;

private:
  void next();
  void skipBlanks();
  bool readNumber(uint64_t low, uint64_t high, uint64_t &value);

  llvm::StringRef text;
  std::vector<MachineProblem> &problems;
  MachineToken current;
  size_t offset = 0;  ///< behind `current`
  unsigned depth = 0; ///< of braces before `current`
  // Where lineOf() has counted to: it is mostly asked in the file's order.
  mutable size_t counted = 0;
  mutable uint32_t line = 1;
};

} // namespace xlink
#endif
