//===- ScriptGlob.cpp - shell wildcards -----------------------------------===//
//
// fnmatch(3) without flags, as GNU ld uses it: `*` and `?` match anything, the
// slash and a leading dot included; `[a-z]`, `[!a-z]` and `[^a-z]` match a
// byte, with classes such as [:digit:]; a set without an end is text; a
// backslash takes the next character as it is. llvm::GlobPattern has no
// classes, and refuses such sets.
//
// On a mismatch only the last `*` can help, by taking one more byte: an earlier
// one could match no more. So there is one place to return to, no recursion,
// and the cost is at most length of pattern times length of text. The common
// patterns, a literal and a literal with a final `*`, never return.
//
//===----------------------------------------------------------------------===//
#include "script/ScriptParser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace xlink;

static bool inClass(StringRef name, char c) {
  return StringSwitch<bool>(name)
      .Case("alpha", isAlpha(c))
      .Case("digit", isDigit(c))
      .Case("alnum", isAlnum(c))
      .Case("upper", isUpper(c))
      .Case("lower", isLower(c))
      .Case("xdigit", isHexDigit(c))
      .Case("space", isSpace(c))
      .Case("blank", c == ' ' || c == '\t')
      .Case("punct", isPrint(c) && !isAlnum(c) && c != ' ')
      .Case("print", isPrint(c))
      .Case("graph", isPrint(c) && c != ' ')
      .Case("cntrl", uint8_t(c) < 0x20 || c == 0x7f)
      .Default(false);
}

/// Whether `c` is in the set that a pattern begins with, its '[' taken; drops
/// the set. Nothing for a set without an end, which stays.
static std::optional<bool> matchSet(StringRef &pattern, char c) {
  StringRef p = pattern;
  bool negated = p.consume_front("!") || p.consume_front("^");
  bool found = false;
  auto value = static_cast<unsigned char>(c);
  for (bool first = true;; first = false) {
    if (p.empty())
      return std::nullopt;
    if (p[0] == ']' && !first) {
      pattern = p.drop_front();
      return found != negated;
    }
    if (p.starts_with("[:")) {
      size_t end = p.find(":]", 2);
      if (end != StringRef::npos) {
        found |= inClass(p.slice(2, end), c);
        p = p.drop_front(end + 2);
        continue;
      }
    }
    auto take = [&] {
      if (p[0] == '\\' && p.size() > 1)
        p = p.drop_front();
      unsigned char result = p[0];
      p = p.drop_front();
      return result;
    };
    unsigned char low = take(), high = low;
    if (p.size() > 1 && p[0] == '-' && p[1] != ']') {
      p = p.drop_front();
      high = take();
    }
    found |= low <= value && value <= high;
  }
}

/// Whether the first element of a pattern, which is no `*`, matches `c`; drops
/// the element.
static bool matchOne(StringRef &pattern, char c) {
  char p = pattern[0];
  pattern = pattern.drop_front();
  if (p == '?')
    return true;
  if (p == '[') {
    const std::optional<bool> set = matchSet(pattern, c);
    return set ? *set : c == '[';
  }
  if (p == '\\' && !pattern.empty()) {
    p = pattern[0];
    pattern = pattern.drop_front();
  }
  return p == c;
}

/// Whether a character of a pattern may mean others.
static bool isSpecial(char c) {
  return c == '*' || c == '?' || c == '[' || c == '\\';
}

StringRef xlink::plainPrefix(StringRef pattern) {
  return pattern.take_until(isSpecial);
}

bool xlink::globMatch(const GlobPattern &glob, StringRef text) {
  if (!glob.wild)
    return glob.text == text;
  StringRef pattern = glob.text;
  // The text that most patterns begin with, in the least time.
  while (!pattern.empty() && !text.empty() && pattern[0] == text[0] &&
         !isSpecial(pattern[0])) {
    pattern = pattern.drop_front();
    text = text.drop_front();
  }
  std::optional<StringRef> afterStar; // the last `*`: where to return to
  StringRef textAtStar;
  while (!pattern.empty() || !text.empty()) {
    if (pattern.starts_with("*")) {
      pattern = pattern.ltrim('*');
      if (pattern.empty())
        return true;
      afterStar = pattern;
      textAtStar = text;
    } else if (!pattern.empty() && !text.empty() &&
               matchOne(pattern, text[0])) {
      text = text.drop_front();
    } else if (afterStar && !textAtStar.empty()) {
      textAtStar = text = textAtStar.drop_front();
      pattern = *afterStar;
    } else {
      return false;
    }
  }
  return true;
}
