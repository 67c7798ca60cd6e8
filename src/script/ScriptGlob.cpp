//===- ScriptGlob.cpp - shell wildcards -----------------------------------===//
//
// fnmatch(3) without flags, as GNU ld uses it: `*` and `?` match anything, the
// slash and a leading dot included; `[a-z]`, `[!a-z]` and `[^a-z]` match a
// byte, with classes such as [:digit:]; a backslash takes the next character as
// it is.
//
// On a mismatch only the last `*` can help, by taking one more byte: an earlier
// one could match no more. So there is one place to return to, no recursion,
// and the cost is at most length of pattern times length of text. The common
// patterns, a literal and a literal with a final `*`, never return.
//
//===----------------------------------------------------------------------===//
#include "script/ScriptParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace xlink;

static bool inClass(StringRef name, char c) {
  auto u = static_cast<unsigned char>(c);
  if (name == "alpha")
    return isAlpha(c);
  if (name == "digit")
    return isDigit(c);
  if (name == "alnum")
    return isAlnum(c);
  if (name == "upper")
    return isUpper(c);
  if (name == "lower")
    return isLower(c);
  if (name == "xdigit")
    return isHexDigit(c);
  if (name == "space")
    return isSpace(c);
  if (name == "blank")
    return c == ' ' || c == '\t';
  if (name == "punct")
    return isPrint(c) && !isAlnum(c) && c != ' ';
  if (name == "print")
    return isPrint(c);
  if (name == "graph")
    return isPrint(c) && c != ' ';
  if (name == "cntrl")
    return u < 0x20 || u == 0x7f;
  return false;
}

/// `pattern` begins behind the '['. Says whether `c` is in the set and drops
/// the set from the pattern; a set that is not closed is no set, and stays.
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

StringRef xlink::plainPrefix(StringRef pattern) {
  return pattern.take_front(pattern.find_first_of("*?[\\"));
}

bool xlink::globMatch(const GlobPattern &glob, StringRef text) {
  if (!glob.wild)
    return glob.text == text;
  StringRef pattern = glob.text;
  if (pattern == "*")
    return true;

  StringRef afterStar, textAtStar;
  bool star = false;
  while (true) {
    if (pattern.empty() ? text.empty() : pattern[0] == '*') {
      if (pattern.empty())
        return true;
      pattern = pattern.ltrim('*');
      if (pattern.empty())
        return true;
      star = true;
      afterStar = pattern;
      textAtStar = text;
      continue;
    }
    bool matches = false;
    if (!pattern.empty() && !text.empty()) {
      char p = pattern[0];
      StringRef rest = pattern.drop_front();
      if (p == '?') {
        matches = true;
      } else if (p == '[') {
        std::optional<bool> set = matchSet(rest, text[0]);
        matches = set ? *set : text[0] == '[';
      } else {
        if (p == '\\' && !rest.empty()) {
          p = rest[0];
          rest = rest.drop_front();
        }
        matches = p == text[0];
      }
      if (matches) {
        pattern = rest;
        text = text.drop_front();
        continue;
      }
    }
    if (!star || textAtStar.empty())
      return false;
    textAtStar = textAtStar.drop_front();
    text = textAtStar;
    pattern = afterStar;
  }
}
