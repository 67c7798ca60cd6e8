//===- ScriptLexer.h - characters to tokens -------------------------------===//
//
// Tokens of the script language depend on their context: `a*b` is a product in
// an expression and a wildcard in a list of patterns. The parser therefore
// states its expectation with every request.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_SCRIPT_SCRIPTLEXER_H
#define XLINK_SCRIPT_SCRIPTLEXER_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace xlink {

/// The alphabet of names at this place.
enum class LexMode : uint8_t {
  Expression, ///< symbols, numbers, operators
  Name,       ///< a statement's first word, names of output sections
  Plain,      ///< names in lists and after > and :
  File,       ///< file names in INPUT, INCLUDE and their like
  Pattern,    ///< wildcards for files and sections
};

struct Token {
  enum Kind : uint8_t {
    End,    ///< of the text
    Name,   ///< also "." and wildcards
    Quoted, ///< text without its quotes
    Number,
    Punct, ///< an operator or a single character
    Bad,   ///< `message` says why
  } kind = End;
  llvm::StringRef text;
  uint64_t number = 0;
  /// A number written 0x... without a suffix: as a fill pattern its digits
  /// count.
  bool plainHex = false;
  const char *message = nullptr;
  uint32_t offset = 0, end = 0; ///< in the text
  uint32_t line = 1, column = 1;

  bool is(llvm::StringRef punct) const {
    return kind == Punct && text == punct;
  }
  bool isWord(llvm::StringRef word) const {
    return kind == Name && text == word;
  }
  bool isName() const { return kind == Name || kind == Quoted; }
};

/// The tokens of one text. A token from peek() can be read again in another
/// mode, which lexes its characters anew.
class ScriptLexer {
public:
  /// `hexByDefault`: digits without a prefix are hexadecimal.
  explicit ScriptLexer(llvm::StringRef text, bool hexByDefault = false);

  /// The next token, which stays next.
  const Token &peek(LexMode mode);
  /// Takes the token that peek() returned last.
  void take();

  /// The text from `offset` on without leading blanks and comments. Takes
  /// nothing.
  llvm::StringRef restAfter(uint32_t offset) const;
  /// The same from where the next token begins.
  llvm::StringRef restHere() const { return restAfter(next); }
  /// Skips a character, a word, or a whole comment or quoted text: error
  /// recovery.
  void skip();
  /// The word that recovery stands in front of, or "".
  llvm::StringRef wordHere() const;
  /// End of the token taken last.
  uint32_t lastEnd() const { return taken; }

  llvm::StringRef text() const { return input; }
  /// The whole line around an offset.
  llvm::StringRef lineAt(uint32_t offset) const;

private:
  /// Moves behind blanks and comments; false: a comment is not closed.
  bool skipBlanks(uint32_t &at) const;
  void lexExpression();
  void lexWord(LexMode mode);
  void lexNumber(llvm::StringRef run);
  void lexQuoted();
  void makeToken(Token::Kind kind, size_t length);
  void makeBad(const char *message, size_t length, size_t end);

  llvm::StringRef input;
  std::vector<uint32_t> lineStarts;
  bool hexByDefault;
  uint32_t next = 0;  ///< where the next token begins, or blanks before it
  uint32_t taken = 0; ///< the end of the last one
  Token token;
  LexMode tokenMode = LexMode::Name;
  bool haveToken = false;
};

/// Whether `text` can stand as a symbol's name without quotes.
bool isPlainSymbol(llvm::StringRef text);

} // namespace xlink
#endif
