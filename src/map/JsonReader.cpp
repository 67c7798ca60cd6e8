//===- JsonReader.cpp -----------------------------------------------------===//
//
// Problem: a map of a large program has several hundred thousand objects of a
// few members each. llvm::json::parse makes a hash table of each, of 4 KB at
// least, so such a map would take a gigabyte. It also has no limit on nesting,
// where it calls itself, and of two members of one name it silently keeps the
// last.
//
// Method: nothing is kept. Whoever knows the form asks for one value after the
// other, and each is checked while it is passed. Strings with escapes are rare;
// those are given to LLVM's parser.
//
// Cost: one look at each byte, and a hash table of an object's names.
//
//===----------------------------------------------------------------------===//
#include "map/JsonReader.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

JsonReader::JsonReader(StringRef file, StringRef text, BumpPtrAllocator &texts,
                       Diagnostics &diag)
    : file(file), text(text), texts(texts), diag(diag) {
  size_t offset = 0;
  if (!json::isUTF8(text, &offset))
    malformed("this is not UTF-8", offset);
}

void JsonReader::malformed(const Twine &what, size_t where) {
  if (over())
    return;
  const StringRef before = text.take_front(where);
  const size_t line = before.rfind('\n') + 1; // npos: the first one
  diag.error(file.str() + ":" + std::to_string(before.count('\n') + 1) + ":" +
             std::to_string(where - line + 1) + ": no JSON: " + what.str());
  broken = true;
}

void JsonReader::wrong(const Twine &what) {
  if (over())
    return;
  const std::string where = path();
  diag.error(file.str() + ": " + where + (where.empty() ? "" : ": ") +
             what.str());
  broken = true;
}

std::string JsonReader::path() const {
  std::string result;
  for (const Step &step : steps)
    if (!step.name.data())
      result += "[" + std::to_string(step.index) + "]";
    else
      result += (result.empty() ? "" : ".") + printable(step.name);
  return result;
}

void JsonReader::passSpace() {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\n' ||
                              text[at] == '\t' || text[at] == '\r'))
    ++at;
}

bool JsonReader::take(char c) {
  passSpace();
  if (at == text.size() || text[at] != c)
    return false;
  ++at;
  return true;
}

bool JsonReader::begins(char c, const char *what) {
  if (over())
    return false;
  passSpace();
  if (at == text.size()) {
    malformed("a value is missing at the end");
    return false;
  }
  if (text[at] == c)
    return true;
  // What is no JSON at all is told as that.
  skip();
  wrong(Twine("is no ") + what);
  return false;
}

StringRef JsonReader::quoted() {
  const size_t start = ++at;
  bool escapes = false;
  for (;; ++at) {
    if (at == text.size()) {
      malformed("the string does not end", start - 1);
      return "";
    }
    const char c = text[at];
    if (c == '"')
      break;
    if (c == '\\') {
      escapes = true;
      if (at + 1 < text.size())
        ++at;
    } else if (uint8_t(c) < ' ') {
      malformed("a control character in a string");
      return "";
    }
  }
  const StringRef raw = text.slice(start, at++);
  if (!escapes)
    return raw;
  Expected<json::Value> value =
      json::parse(text.slice(start - 1, start + raw.size() + 1));
  if (!value) {
    consumeError(value.takeError());
    malformed("an escape in the string means nothing", start - 1);
    return "";
  }
  return value->getAsString()->copy(texts);
}

StringRef JsonReader::digits() {
  const size_t start = at;
  auto some = [&] {
    const size_t first = at;
    while (at < text.size() && isDigit(text[at]))
      ++at;
    return at != first;
  };
  auto next = [&](StringRef any) {
    return at < text.size() && any.contains(text[at]);
  };
  if (next("-"))
    ++at;
  const bool zero = next("0");
  bool good = some() && (!zero || at - start == 1 + (text[start] == '-'));
  if (next(".")) {
    ++at;
    good &= some();
  }
  if (next("eE")) {
    ++at;
    if (next("+-"))
      ++at;
    good &= some();
  }
  if (!good)
    malformed("a malformed number", start);
  return text.slice(start, at);
}

void JsonReader::literal() {
  for (StringRef word : {"true", "false", "null"})
    if (text.substr(at).starts_with(word)) {
      at += word.size();
      return;
    }
  if (text[at] == '-' || isDigit(text[at]))
    digits();
  else
    malformed("a value is expected");
}

void JsonReader::object(ArrayRef<StringRef> required,
                        function_ref<void(StringRef)> member) {
  if (!begins('{', "object"))
    return;
  if (steps.size() == kMaxDepth)
    return malformed("values nest deeper than " + Twine(kMaxDepth));
  ++at;
  SmallDenseSet<StringRef, 16> names;
  steps.push_back({});
  while (!over() && !take('}')) {
    if (!names.empty() && !take(','))
      return malformed("',' or '}' is expected");
    passSpace();
    if (at == text.size() || text[at] != '"')
      return malformed("the name of a member is expected");
    const StringRef name = quoted();
    steps.back() = {name.data() ? name : StringRef(""), 0};
    if (!over() && !names.insert(name).second)
      wrong("stands there twice");
    if (!over() && !take(':'))
      return malformed("':' is expected");
    const size_t before = at;
    if (!over())
      member(name);
    if (!over() && at == before)
      skip();
  }
  steps.pop_back();
  for (StringRef name : required)
    if (!names.contains(name))
      return wrong("member '" + name + "' is missing");
}

void JsonReader::array(function_ref<void()> element) {
  if (!begins('[', "array"))
    return;
  if (steps.size() == kMaxDepth)
    return malformed("values nest deeper than " + Twine(kMaxDepth));
  ++at;
  steps.push_back({StringRef(), 0});
  for (bool first = true; !over() && !take(']'); first = false) {
    if (!first && !take(','))
      return malformed("',' or ']' is expected");
    steps.back().index += !first;
    element();
  }
  steps.pop_back();
}

StringRef JsonReader::string() {
  if (!begins('"', "string"))
    return "";
  const StringRef value = quoted();
  // The text goes, what is handed out stays.
  const bool ours = value.begin() >= text.begin() && value.end() <= text.end();
  return ours && !value.empty() ? value.copy(texts) : value;
}

bool JsonReader::isNumber() {
  passSpace();
  return !over() && at < text.size() && (isDigit(text[at]) || text[at] == '-');
}

uint64_t JsonReader::number(uint64_t most) {
  if (over())
    return 0;
  passSpace();
  if (at == text.size() || (text[at] != '-' && !isDigit(text[at]))) {
    begins('0', "number");
    return 0;
  }
  const StringRef written = digits();
  uint64_t value = 0;
  if (!over() && (written.getAsInteger(10, value) || value > most))
    wrong(written + " is no whole number from 0 to " + Twine(most));
  return over() ? 0 : value;
}

uint64_t JsonReader::hexNumber() {
  const StringRef written = string();
  StringRef rest = written;
  uint64_t value = 0;
  if (!over() && (!rest.consume_front("0x") || rest.getAsInteger(16, value)))
    wrong("'" + printable(written) +
          "' is no number of up to 64 bits like 0x10a0");
  return over() ? 0 : value;
}

bool JsonReader::boolean() {
  if (over())
    return false;
  passSpace();
  const bool value = text.substr(at).starts_with("true");
  if (!value && !text.substr(at).starts_with("false")) {
    skip();
    wrong("is neither true nor false");
    return false;
  }
  literal();
  return value;
}

void JsonReader::skip() {
  if (over())
    return;
  passSpace();
  if (at == text.size())
    return malformed("a value is missing at the end");
  switch (text[at]) {
  case '{':
    return object({}, [](StringRef) {});
  case '[':
    return array([&] { skip(); });
  case '"':
    quoted();
    return;
  default:
    return literal();
  }
}

void JsonReader::finish() {
  if (over())
    return;
  passSpace();
  if (at != text.size())
    malformed("something follows the value");
}

} // namespace xlink
