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
#include "script/ParserImpl.h"

using namespace llvm;
using namespace xlink;

/// A letter of a symbol's name. Bytes beyond ASCII too: compilers accept them.
static bool isLetter(char c) {
  return isAlpha(c) || uint8_t(c) >= 0x80 || c == '_' || c == '.' || c == '$' ||
         c == '\\';
}
static bool isSymbolChar(char c) {
  return isLetter(c) || isDigit(c) || c == '~';
}
/// Of a name in every mode but Expression. Inline: asked of each character.
LLVM_ATTRIBUTE_ALWAYS_INLINE static bool isNameChar(char c) {
  return isSymbolChar(c) || c == '/' || c == '+' || c == '-';
}

/// Whether `c` can go on a name in `mode`, given the character behind it.
static bool continuesName(LexMode mode, char c, char behind) {
  if (isNameChar(c))
    return true;
  const bool goesOn = isNameChar(behind) || StringRef("[]*?").contains(behind);
  const bool isMark = StringRef(":=[]*?!^%@").contains(c);
  switch (mode) {
  case LexMode::Expression:
  case LexMode::Plain:
    return false;
  case LexMode::Name:
    return c == '[' || c == ']' || (StringRef(":=,").contains(c) && goesOn);
  case LexMode::File:
    return isMark;
  case LexMode::Pattern:
    return isMark || (c == ',' && goesOn);
  }
  return false;
}

bool xlink::isPlainSymbol(StringRef text) {
  return !text.empty() && isLetter(text[0]) && all_of(text, isSymbolChar);
}

ScriptLexer::ScriptLexer(StringRef text, bool hexByDefault)
    : input(text), lineStarts{0}, hexByDefault(hexByDefault) {
  for (size_t at = 0; (at = text.find('\n', at)) != StringRef::npos;)
    lineStarts.push_back(uint32_t(++at));
}

const Token &ScriptLexer::peek(LexMode mode) {
  if (haveToken && tokenMode == mode)
    return token;
  const bool closed = skipBlanks(next);
  haveToken = true;
  tokenMode = mode;
  token = Token();
  token.offset = token.end = next;
  while (line < lineStarts.size() && lineStarts[line] <= next)
    ++line;
  token.line = line;
  token.column = next - lineStarts[line - 1] + 1;
  if (!closed)
    makeBad("comment is not closed", 2, input.size());
  else if (next < input.size() && input[next] == '"')
    lexQuoted();
  else if (next < input.size() && mode == LexMode::Expression)
    lexExpression();
  else if (next < input.size())
    lexWord(mode);
  return token;
}

void ScriptLexer::lexWord(LexMode mode) {
  const StringRef rest = input.substr(next);
  const char first = rest[0];
  // A mark that only goes on a name does not begin one, and a wildcard begins a
  // name only where wildcards are expected.
  bool begins =
      isNameChar(first) ||
      (mode == LexMode::Pattern && StringRef("*?[]:!^").contains(first)) ||
      (mode == LexMode::File && StringRef("*?[]:=").contains(first));
  if (mode == LexMode::Name)
    begins = isLetter(first) || first == '/' || first == '~';
  if (!begins) {
    const StringRef number =
        rest.take_while([](char c) { return isDigit(c) || isLetter(c); });
    return makeToken(Token::Punct, isDigit(first) ? number.size() : 1);
  }
  const bool comments = mode != LexMode::Pattern && mode != LexMode::File;
  size_t length = 0;
  while (length < rest.size()) {
    const char c = rest[length],
               behind = length + 1 < rest.size() ? rest[length + 1] : '\0';
    if ((length > 0 && !continuesName(mode, c, behind)) ||
        (comments && c == '/' && behind == '*'))
      break;
    ++length;
  }
  makeToken(Token::Name, length);
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
  const StringRef rest = input.substr(next);
  // Begins the statement behind a fill or an assignment without a semicolon.
  if (rest.starts_with(kDiscardName))
    return makeToken(Token::Name, kDiscardName.size());
  const StringRef word = rest.take_while(isSymbolChar);
  if (word.empty() || word[0] == '~')
    return makeToken(Token::Punct, operatorLength(rest));
  StringRef digits = word.drop_front();
  if (digits.ends_with_insensitive("k") || digits.ends_with_insensitive("m"))
    digits = digits.drop_back();
  if (isDigit(word[0]) || (hexByDefault && all_of(word, isHexDigit)) ||
      (word[0] == '$' && !digits.empty() && all_of(digits, isHexDigit)))
    return lexNumber(word);
  makeToken(Token::Name, word.size());
}

/// Forms: 0x1f, $1f, 017, 15, each with K or M; 1fh (or x), 17o, 1011b, 15d.
void ScriptLexer::lexNumber(StringRef run) {
  makeToken(Token::Number, run.size());
  StringRef digits = run;
  unsigned base = 10, shift = 0;
  const bool prefixed =
      digits.consume_front_insensitive("0x") || digits.consume_front("$");
  const char last = digits.empty() ? '\0' : toLower(digits.back());
  unsigned suffix = 0; // the base that it gives
  if (prefixed || hexByDefault)
    base = 16;
  else
    base = suffix = last == 'h' || last == 'x' ? 16
                    : last == 'o'              ? 8
                    : last == 'b'              ? 2
                    : last == 'd'              ? 10
                                               : 0;
  if (last == 'k' || last == 'm')
    shift = last == 'k' ? 10 : 20;
  if (suffix || shift)
    digits = digits.drop_back();
  if (base == 0)
    base = digits.size() > 1 && digits[0] == '0' ? 8 : 10;
  token.plainHex = run.starts_with_insensitive("0x") && !shift;

  const auto wrong =
      find_if(digits, [&](char c) { return hexDigitValue(c) >= base; });
  if (digits.empty() || wrong != digits.end()) {
    token.kind = Token::Bad;
    token.message = base == 8 && wrong != digits.end() && isDigit(*wrong)
                        ? "digit 8 or 9 in an octal number"
                    : run.find_first_of("kKmMgG") != StringRef::npos
                        ? "malformed number (units are K and M)"
                        : "malformed number";
  } else if (digits.getAsInteger(base, token.number) ||
             (shift && token.number >> (64 - shift))) {
    // A fill pattern may be longer than a number.
    token.kind = token.plainHex ? Token::Number : Token::Bad;
    token.message = "number does not fit in 64 bits";
  }
  token.number <<= shift;
}

void ScriptLexer::skip() {
  haveToken = false;
  const StringRef rest = skipBlanks(next) ? input.substr(next) : "";
  size_t length = std::max<size_t>(wordHere().size(), 1);
  if (rest.starts_with("\"")) {
    const size_t end = rest.find('"', 1);
    // An unclosed quote ends with its line, as in lexQuoted().
    length = end == StringRef::npos ? rest.find('\n') : end + 1;
  }
  next = rest.empty() ? input.size()
                      : next + std::min<size_t>(length, rest.size());
}
