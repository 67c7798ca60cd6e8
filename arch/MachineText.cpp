//===- MachineText.cpp ----------------------------------------------------===//
#include "arch/MachineText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlink {

static bool isWordCharacter(char c) {
  return isAlnum(c) || StringRef("_.$@").contains(c);
}

MachineText::MachineText(StringRef text, std::vector<MachineProblem> &problems)
    : text(text), problems(problems) {
  next();
}

MachineToken MachineText::take() {
  const MachineToken token = current;
  next();
  return token;
}

void MachineText::skipBlanks() {
  while (offset < text.size()) {
    const StringRef rest = text.substr(offset);
    if (isSpace(rest[0])) {
      ++offset;
    } else if (rest[0] == '#' || rest.starts_with("//")) {
      offset += std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const size_t end = rest.find("*/", 2);
      if (end == StringRef::npos)
        problem({MachineToken::Operator, "/*", offset},
                "this comment has no end");
      offset += end == StringRef::npos ? rest.size() : end + 2;
    } else {
      return;
    }
  }
}

void MachineText::next() {
  if (is("{"))
    ++depth;
  else if (is("}") && depth != 0)
    --depth;
  skipBlanks();
  const StringRef rest = text.substr(offset);
  current = {MachineToken::End, "", offset};
  if (rest.empty())
    return;
  size_t length = 1;
  if (isWordCharacter(rest[0]) && !rest.starts_with("..")) {
    while (length < rest.size() && !rest.substr(length).starts_with("..") &&
           (isWordCharacter(rest[length]) ||
            (rest[length] == '-' && length + 1 < rest.size() &&
             isWordCharacter(rest[length + 1]))))
      ++length;
    current = {MachineToken::Word, rest.take_front(length), offset};
  } else if (rest[0] == '"') {
    const size_t end = rest.find_first_of("\"\n", 1);
    if (end == StringRef::npos || rest[end] == '\n')
      problem({MachineToken::Text, "", offset}, "this text has no end");
    length = std::min(end, rest.size() - 1) + 1;
    current = {MachineToken::Text, rest.slice(1, length - 1), offset};
  } else {
    for (StringRef two : {"->", ">>", ".."})
      if (rest.starts_with(two))
        length = 2;
    current = {MachineToken::Operator, rest.take_front(length), offset};
  }
  offset += length;
}

bool MachineText::accept(StringRef text) {
  if (!is(text))
    return false;
  next();
  return true;
}

/// How a message calls a token.
static std::string shown(const MachineToken &token) {
  if (token.kind == MachineToken::End)
    return "the end of the file";
  if (token.kind == MachineToken::Text)
    return "a text";
  std::string name;
  for (char c : token.text.take_front(40))
    name += isPrint(c) ? std::string(1, c)
                       : "\\x" + toHex(StringRef(&c, 1), /*LowerCase=*/true);
  return "'" + name + (token.text.size() > 40 ? "...'" : "'");
}

bool MachineText::expect(StringRef text) {
  if (accept(text))
    return true;
  problem(current, "expected '" + text + "', got " + shown(current));
  return false;
}

bool MachineText::isNumber() const {
  return current.kind == MachineToken::Word && isDigit(current.text[0]);
}

bool MachineText::readNumber(uint64_t low, uint64_t high, uint64_t &value) {
  const MachineToken at = current;
  StringRef digits = at.text;
  const bool isHex = at.kind == MachineToken::Word &&
                     all_of(at.text, isHexDigit) && any_of(at.text, isDigit);
  const std::string advice = isHex ? "; write '0x" + at.text.str() + "'" : "";
  if (!isNumber()) {
    problem(at, "expected a number, got " + shown(at) + advice);
    return false;
  }
  const bool hex = digits.consume_front("0x");
  if (!hex && digits.size() > 1 && digits[0] == '0')
    problem(at, "number '" + at.text + "' begins with 0: write decimal or 0x");
  else if (digits.getAsInteger(hex ? 16 : 10, value))
    problem(at, shown(at) + " is no number of 64 bits" + advice);
  else if (value < low || value > high)
    problem(
        at,
        "number '" + at.text + "' is not between " + Twine(low) + " and " +
            (high > UINT32_MAX ? "0x" + utohexstr(high, true) : utostr(high)));
  else {
    next();
    return true;
  }
  return false;
}

bool MachineText::signedNumber(int64_t &value) {
  const bool negative = accept("-");
  uint64_t size = 0;
  if (!number(0, uint64_t(1) << 62, size))
    return false;
  value = int64_t(negative ? -size : size);
  return true;
}

bool MachineText::power(uint64_t &value, uint64_t high) {
  const MachineToken at = current;
  if (!number(0, high, value))
    return false;
  if (isPowerOf2_64(value))
    return true;
  problem(at, "'" + at.text + "' is no power of two");
  return false;
}

std::optional<StringRef> MachineText::word(StringRef noun) {
  if (current.kind != MachineToken::Word) {
    problem(current, "expected " + noun + ", got " + shown(current));
    return std::nullopt;
  }
  if (current.text.size() > 255) {
    problem(current, "this name has more than 255 bytes");
    return std::nullopt;
  }
  return take().text;
}

std::optional<StringRef> MachineText::quoted() {
  if (current.kind != MachineToken::Text) {
    problem(current, "expected a text in quotes, got " + shown(current));
    return std::nullopt;
  }
  return take().text;
}

std::optional<std::vector<uint8_t>> MachineText::hexBytes() {
  const StringRef digits = current.text;
  std::string bytes;
  const MachineToken at = current;
  const bool isHex = current.kind == MachineToken::Word &&
                     !digits.starts_with("0x") && digits.size() % 2 == 0 &&
                     tryGetFromHex(digits, bytes);
  if (isHex)
    next();
  // Digits behind them: the bytes stand with blanks between them.
  if (!isHex || (current.kind == MachineToken::Word &&
                 all_of(current.text, isHexDigit))) {
    problem(at, "expected bytes as hexadecimal digits without 0x and blanks, "
                "got " +
                    shown(isHex ? current : at));
    return std::nullopt;
  }
  return std::vector<uint8_t>(bytes.begin(), bytes.end());
}

void MachineText::problem(const MachineToken &at, const Twine &message) {
  if (problems.size() == kMachineProblems)
    return;
  problems.push_back({lineOf(at), columnOf(at), message.str()});
}

void MachineText::unknown(const MachineToken &at, StringRef noun,
                          ArrayRef<StringRef> known) {
  StringRef best;
  unsigned least = 3; // at most two letters off
  for (StringRef word : known)
    if (const unsigned distance = at.text.edit_distance(word, true, least);
        distance < least && distance < word.size()) {
      least = distance;
      best = word;
    }
  problem(at, "unknown " + noun + " " + shown(at) +
                  (best.empty() ? "" : "; did you mean '" + best + "'?"));
}

void MachineText::recover() {
  while (!atEnd() && !(depth == 1 && is("}"))) {
    const bool isLast = is(";") || is("}");
    next();
    if (isLast && depth == 1)
      return;
  }
}

uint32_t MachineText::lineOf(const MachineToken &at) const {
  if (at.offset < counted)
    counted = 0, line = 1;
  line += uint32_t(text.slice(counted, at.offset).count('\n'));
  counted = at.offset;
  return line;
}

uint32_t MachineText::columnOf(const MachineToken &at) const {
  const size_t line = text.take_front(at.offset).rfind('\n');
  return uint32_t(at.offset - (line == StringRef::npos ? 0 : line + 1)) + 1;
}

} // namespace xlink
