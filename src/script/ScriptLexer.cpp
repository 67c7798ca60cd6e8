//===- ScriptLexer.cpp ----------------------------------------------------===//
//
// GNU ld's lexer has states that the grammar switches; here each request names
// its mode, and one token of look-ahead can be read again in another mode.
// Every character is read a bounded number of times, so the cost is linear.
//
// Differences from GNU ld's lexer:
// - `/` in an expression always divides (GNU ld: part of a name, `a/b`).
// - In a name `:`, `=` and `,` count only in front of a further name character,
//   so `.text:{` and `x=(1);` work without blanks.
// - A number begins with a digit or `$` (GNU ld reads the symbol `add` as a
//   decimal number with suffix d).
// - `08` and numbers beyond 64 bits are errors (GNU ld: 0, or the largest).
// A comment begins with /* except inside a wildcard (`*lib/*.o`), or with # and
// lasts to the end of the line.
//
//===----------------------------------------------------------------------===//
#include "script/ScriptLexer.h"
#include "model/ScriptTree.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace xlink;

namespace {

/// The classes of each character. Every link reads scripts, character by
/// character.
struct CharacterTable {
  enum Kind : uint8_t {
    Letter = 1, ///< bytes beyond ASCII too: compilers accept them in names
    Symbol = 2, ///< of a symbol's name without quotes
    Name = 4,   ///< of a name in every mode but Expression
    Mark = 8,   ///< goes on a file's name or a pattern as well
    Blank = 16,
  };
  consteval CharacterTable() {
    for (unsigned c = 0; c < 256; ++c) {
      const char l = char(c | 0x20);
      if ((c < 0x80 && l >= 'a' && l <= 'z') || c >= 0x80 || c == '_' ||
          c == '.' || c == '$' || c == '\\')
        kinds[c] |= Letter | Symbol | Name;
      if ((c >= '0' && c <= '9') || c == '~')
        kinds[c] |= Symbol | Name;
      if (c == '/' || c == '+' || c == '-')
        kinds[c] |= Name;
      if (c == ' ' || (c >= '\t' && c <= '\r'))
        kinds[c] |= Blank;
    }
    for (const char *mark = ":=[]*?!^%@"; *mark; ++mark)
      kinds[uint8_t(*mark)] |= Mark;
  }
  uint8_t kinds[256] = {};
};

constexpr CharacterTable kCharacters;

inline bool isOf(char c, unsigned kinds) {
  return kCharacters.kinds[uint8_t(c)] & kinds;
}
inline bool isLetter(char c) { return isOf(c, CharacterTable::Letter); }
inline bool isNameChar(char c) { return isOf(c, CharacterTable::Name); }

} // namespace

/// Whether `c` can go on a name in `mode`, given the character behind it.
static bool continuesName(LexMode mode, char c, char behind) {
  if (isNameChar(c))
    return true;
  auto goesOn = [](char b) {
    return isNameChar(b) || b == '[' || b == ']' || b == '*' || b == '?';
  };
  switch (mode) {
  case LexMode::Expression:
  case LexMode::Plain:
    return false;
  case LexMode::Name:
    return c == '[' || c == ']' ||
           ((c == ':' || c == '=' || c == ',') && goesOn(behind));
  case LexMode::File:
    return isOf(c, CharacterTable::Mark);
  case LexMode::Pattern:
    return isOf(c, CharacterTable::Mark) || (c == ',' && goesOn(behind));
  }
  return false;
}

bool xlink::isPlainSymbol(StringRef text) {
  return !text.empty() && isLetter(text[0]) &&
         all_of(text, [](char c) { return isOf(c, CharacterTable::Symbol); });
}

ScriptLexer::ScriptLexer(StringRef text, bool hexByDefault)
    : input(text), hexByDefault(hexByDefault) {}

void ScriptLexer::advance(Position &p, uint32_t to) const {
  for (; p.offset < to; ++p.offset)
    if (input[p.offset] == '\n') {
      ++p.line;
      p.lineStart = p.offset + 1;
    }
}

bool ScriptLexer::skipBlanks(Position &p) const {
  while (p.offset < input.size()) {
    char c = input[p.offset];
    if (isOf(c, CharacterTable::Blank)) {
      advance(p, p.offset + 1);
    } else if (c == '#') {
      size_t end = input.find('\n', p.offset);
      p.offset = end == StringRef::npos ? input.size() : end;
    } else if (c == '/' && input.substr(p.offset).starts_with("/*")) {
      size_t end = input.find("*/", p.offset + 2);
      if (end == StringRef::npos)
        return false;
      advance(p, end + 2);
    } else {
      return true;
    }
  }
  return true;
}

const Token &ScriptLexer::peek(LexMode mode) {
  if (haveToken && tokenMode == mode)
    return token;
  if (!blanksSkipped) {
    blanksClosed = skipBlanks(pos);
    blanksSkipped = true;
  }
  haveToken = true;
  tokenMode = mode;
  token = Token();
  token.offset = token.end = pos.offset;
  token.line = pos.line;
  token.column = pos.offset - pos.lineStart + 1;
  if (!blanksClosed) {
    token.kind = Token::Bad;
    token.message = "comment is not closed";
    token.text = input.substr(pos.offset, 2);
    token.end = input.size();
    return token;
  }
  if (pos.offset >= input.size())
    return token;
  if (input[pos.offset] == '"') {
    lexQuoted();
  } else if (mode == LexMode::Expression) {
    lexExpression();
  } else {
    lexWord(mode);
  }
  return token;
}

void ScriptLexer::take() {
  if (!haveToken)
    return;
  advance(pos, token.end);
  taken = token.end;
  haveToken = false;
  blanksSkipped = false;
}

bool ScriptLexer::lexQuoted() {
  size_t end = input.find('"', pos.offset + 1);
  if (end == StringRef::npos) {
    token.kind = Token::Bad;
    token.message = "quote is not closed";
    token.text = input.substr(pos.offset, 1);
    // Further lines are more likely script than text.
    size_t line = input.find('\n', pos.offset);
    token.end = line == StringRef::npos ? input.size() : line;
    return false;
  }
  token.kind = Token::Quoted;
  token.text = input.slice(pos.offset + 1, end);
  token.end = end + 1;
  return true;
}

void ScriptLexer::punct(uint32_t length) {
  token.kind = Token::Punct;
  token.text = input.substr(pos.offset, length);
  token.end = pos.offset + length;
}

void ScriptLexer::lexWord(LexMode mode) {
  uint32_t begin = pos.offset, end = begin;
  char first = input[begin];
  // A mark that only goes on a name does not begin one, and a wildcard begins a
  // name only where wildcards are expected.
  bool begins =
      isNameChar(first) ||
      (mode == LexMode::Pattern && StringRef("*?[]:!^").contains(first)) ||
      (mode == LexMode::File && StringRef("*?[]:=").contains(first));
  if (mode == LexMode::Name)
    begins = isLetter(first) || first == '/' || first == '~';
  if (!begins)
    return punct(isDigit(first) ? input.substr(begin)
                                      .take_while([](char c) {
                                        return isDigit(c) || isLetter(c);
                                      })
                                      .size()
                                : 1);
  while (end < input.size()) {
    char c = input[end], behind = end + 1 < input.size() ? input[end + 1] : 0;
    if (!continuesName(mode, c, behind) && !(end == begin && begins))
      break;
    if (c == '/' && behind == '*' && mode != LexMode::Pattern &&
        mode != LexMode::File)
      break;
    ++end;
  }
  token.kind = Token::Name;
  token.text = input.slice(begin, end);
  token.end = end;
}

/// How long the operator is that a text begins with; of others one character.
static size_t operatorLength(StringRef text) {
  auto at = [&](size_t i) { return i < text.size() ? text[i] : '\0'; };
  const char first = text[0], second = at(1);
  if ((first == '<' || first == '>') && second == first)
    return at(2) == '=' ? 3 : 2;
  if (second == '=' && StringRef("<>=!+-*/%&|^").contains(first))
    return 2;
  return second == first && (first == '&' || first == '|') ? 2 : 1;
}

void ScriptLexer::lexExpression() {
  StringRef rest = input.substr(pos.offset);
  // Begins the statement behind a fill or an assignment without a semicolon.
  if (rest.starts_with(kDiscardName)) {
    token.kind = Token::Name;
    token.text = rest.take_front(kDiscardName.size());
    token.end = pos.offset + kDiscardName.size();
    return;
  }
  size_t length = 0;
  while (length < rest.size() && isOf(rest[length], CharacterTable::Symbol))
    ++length;
  const StringRef word = rest.take_front(length);
  if (!word.empty() && isDigit(word[0]))
    return lexNumber(word);
  if (hexByDefault && !word.empty() && all_of(word, isHexDigit))
    return lexNumber(word);
  if (word.size() > 1 && word[0] == '$') {
    StringRef digits = word.drop_front().take_while(isHexDigit);
    StringRef suffix = word.drop_front(1 + digits.size());
    if (!digits.empty() && (suffix.empty() || suffix.equals_insensitive("k") ||
                            suffix.equals_insensitive("m")))
      return lexNumber(word);
  }
  if (!word.empty() && word[0] != '~') {
    token.kind = Token::Name;
    token.text = word;
    token.end = pos.offset + word.size();
    return;
  }
  punct(operatorLength(rest));
}

/// Forms: 0x1f, $1f, 017, 15, each with K or M; 1fh (or x), 17o, 1011b, 15d.
void ScriptLexer::lexNumber(StringRef run) {
  token.kind = Token::Number;
  token.text = run;
  token.end = pos.offset + run.size();
  StringRef digits = run;
  unsigned base = 10, shift = 0;
  bool prefixed = true;
  if (digits.starts_with_insensitive("0x")) {
    base = 16;
    digits = digits.drop_front(2);
  } else if (digits.starts_with("$")) {
    base = 16;
    digits = digits.drop_front();
  } else {
    prefixed = false;
    if (hexByDefault)
      base = 16;
  }
  if (!digits.empty()) {
    switch (toLower(digits.back())) {
    case 'k':
      shift = 10;
      break;
    case 'm':
      shift = 20;
      break;
    case 'h':
    case 'x':
    case 'o':
    case 'b':
    case 'd':
      if (prefixed || hexByDefault)
        break;
      base = digits.ends_with_insensitive("o")   ? 8
             : digits.ends_with_insensitive("b") ? 2
             : digits.ends_with_insensitive("d") ? 10
                                                 : 16;
      digits = digits.drop_back();
      prefixed = true;
    }
  }
  if (shift)
    digits = digits.drop_back();
  if (!prefixed && base == 10 && digits.size() > 1 && digits[0] == '0')
    base = 8;
  token.plainHex = run.starts_with_insensitive("0x") && !shift;

  uint64_t value = 0;
  bool overflow = false;
  if (digits.empty())
    token.message = "malformed number";
  for (char c : digits) {
    unsigned digit = hexDigitValue(c);
    if (digit >= base) {
      token.message = base == 8 && digit < 10
                          ? "digit 8 or 9 in an octal number"
                          : "malformed number";
      break;
    }
    overflow |= value > (UINT64_MAX - digit) / base;
    value = value * base + digit;
  }
  // A fill pattern may be longer than a number.
  if (!token.message && !token.plainHex &&
      (overflow || (shift && value >> (64 - shift))))
    token.message = "number does not fit in 64 bits";
  if (token.message)
    token.kind = Token::Bad;
  else if (overflow)
    token.message = "number does not fit in 64 bits";
  token.number = value << shift;
}

StringRef ScriptLexer::restAfter(uint32_t offset) const {
  Position p;
  p.offset = offset;
  return skipBlanks(p) ? input.substr(p.offset) : "";
}

char ScriptLexer::skip() {
  haveToken = false;
  blanksSkipped = false;
  if (!skipBlanks(pos)) {
    advance(pos, input.size());
    return 0;
  }
  if (pos.offset >= input.size())
    return 0;
  char c = input[pos.offset];
  if (c == '"') {
    size_t end = input.find('"', pos.offset + 1);
    // An unclosed quote, behind which there is none, ends with its line, as in
    // lexQuoted().
    if (end == StringRef::npos)
      end = std::min(input.find('\n', pos.offset), input.size() - 1);
    advance(pos, end + 1);
  } else if (StringRef word = wordHere(); word.size() > 1) {
    advance(pos, pos.offset + word.size());
  } else {
    advance(pos, pos.offset + 1);
  }
  return c;
}

StringRef ScriptLexer::wordHere() const {
  Position p = pos;
  if (!skipBlanks(p))
    return "";
  return input.substr(p.offset).take_while(
      [](char c) { return isAlnum(c) || c == '_'; });
}

StringRef ScriptLexer::lineAt(uint32_t offset) const {
  size_t begin = input.take_front(offset).rfind('\n');
  begin = begin == StringRef::npos ? 0 : begin + 1;
  return input.substr(begin).take_until(
      [](char c) { return c == '\n' || c == '\r'; });
}
