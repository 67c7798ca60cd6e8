//===- StackFiles.cpp -----------------------------------------------------===//
//
// Problem: compilers write stack usage as text. A path in front of a name may
// contain colons, and so do names of C++; the graph is in a language for
// drawings (VCG), of which GCC writes a small part.
//
// Method: the place in front of a name ends with the first number between
// colons, or the second of two adjacent ones. Each line of the graph is one
// statement, `node: {` or `edge: {` with `key: "text"` in it; other keys are
// skipped. The function of a malformed line stays unknown.
//
// Cost: one pass over the text.
//
//===----------------------------------------------------------------------===//
#include "input/StackFiles.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace llvm;

namespace xlink {

/// "path:12", as messages begin.
static std::string lineOf(StringRef path, unsigned line) {
  return path.str() + ":" + std::to_string(line);
}

namespace {
/// Warnings about a file's lines, limited: a file of another kind would have
/// many.
class LineWarnings {
public:
  LineWarnings(StringRef path, Diagnostics &diag) : path(path), diag(diag) {}
  ~LineWarnings() {
    if (count > kMost)
      diag.warn(WarningGroup::Stack,
                path.str() + ": " +
                    countOf(count - kMost, "more line", "more lines") +
                    " that cannot be read");
  }
  void add(unsigned line, const std::string &what) {
    if (++count <= kMost)
      diag.warn(WarningGroup::Stack, lineOf(path, line) + ": " + what);
  }

private:
  static constexpr unsigned kMost = 5;

  const StringRef path;
  Diagnostics &diag;
  unsigned count = 0;
};
} // namespace

/// Calls `fn` for each line that is not blank, with its number.
static void forEachLine(StringRef text,
                        function_ref<void(StringRef, unsigned)> fn) {
  for (unsigned number = 1; !text.empty(); ++number) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line.consume_back("\r");
    if (!line.trim().empty())
      fn(line, number);
  }
}

/// Takes ":12" off the front; whether there was one.
static bool consumePlaceNumber(StringRef &text) {
  StringRef rest = text;
  if (!rest.consume_front(":"))
    return false;
  const StringRef digits = rest.take_while(isDigit);
  rest = rest.drop_front(digits.size());
  if (digits.empty() || !rest.starts_with(":"))
    return false;
  text = rest;
  return true;
}

/// The name behind "work.c:12:5:", or nothing.
static StringRef nameBehindPlace(StringRef text) {
  for (size_t colon = text.find(':'); colon != StringRef::npos;
       colon = text.find(':', colon + 1)) {
    StringRef rest = text.drop_front(colon);
    if (!consumePlaceNumber(rest))
      continue;
    consumePlaceNumber(rest); // the column, which clang does not write
    return rest.drop_front();
  }
  return {};
}

/// Whether "static", "dynamic" or "dynamic,bounded" means that a frame may be
/// larger than the number beside it; nothing where it is none of them.
static std::optional<bool> isDynamic(StringRef words) {
  SmallVector<StringRef, 2> list;
  words.split(list, ',');
  bool dynamic = false, bounded = false;
  for (StringRef word : list) {
    dynamic |= word == "dynamic";
    bounded |= word == "bounded";
    if (word != "static" && word != "dynamic" && word != "bounded")
      return std::nullopt;
  }
  return dynamic && !bounded;
}

void readStackUsageFile(StringRef text, StackNotes &notes, Diagnostics &diag) {
  LineWarnings warnings(notes.path, diag);
  forEachLine(text, [&](StringRef line, unsigned number) {
    SmallVector<StringRef, 3> fields;
    line.split(fields, '\t');
    uint64_t bytes = 0;
    const StringRef name =
        fields.size() == 3 ? nameBehindPlace(fields[0]) : StringRef();
    if (name.empty() || fields[1].getAsInteger(10, bytes))
      return warnings.add(number, "expected FILE:LINE:FUNCTION, a number of "
                                  "bytes and a word, with tabs between them");
    const std::optional<bool> dynamic = isDynamic(fields[2]);
    if (!dynamic)
      return warnings.add(number, "'" + fields[2].str() +
                                      "' is not static, dynamic or bounded");
    notes.functions.push_back({name, bytes, *dynamic});
  });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// The text behind `key: "`, up to the next quote; nothing: there is none.
static std::optional<StringRef> valueOf(StringRef line, StringRef key) {
  for (size_t at = line.find(key); at != StringRef::npos;
       at = line.find(key, at + 1)) {
    StringRef rest = line.drop_front(at + key.size());
    if (at && !isSpace(line[at - 1]))
      continue;
    if (!rest.consume_front(":"))
      continue;
    rest = rest.ltrim();
    if (!rest.consume_front("\""))
      continue;
    const size_t end = rest.find('"');
    if (end == StringRef::npos)
      return std::nullopt;
    return rest.take_front(end);
  }
  return std::nullopt;
}

/// The symbol of a node's title: local functions have "work.c:" in front.
static StringRef symbolOfTitle(StringRef title) {
  const size_t colon = title.rfind(':');
  return colon == StringRef::npos ? title : title.drop_front(colon + 1);
}

/// Reads "48 bytes (static)" out of a label, whose lines end in `\n` as two
/// characters. False: it is there and malformed.
static bool readFrame(StringRef label, NotedFunction &function) {
  while (!label.empty()) {
    StringRef part;
    std::tie(part, label) = label.split("\\n");
    const auto [number, words] = part.split(" bytes (");
    if (words.empty())
      continue;
    uint64_t bytes = 0;
    const std::optional<bool> dynamic =
        words.ends_with(")") ? isDynamic(words.drop_back()) : std::nullopt;
    if (number.getAsInteger(10, bytes) || !dynamic)
      return false;
    function.bytes = bytes;
    function.dynamic = *dynamic;
    return true;
  }
  return true;
}

/// GCC's node for the targets of calls through pointers.
static constexpr StringLiteral kIndirect = "__indirect_call";

void readCallGraphFile(StringRef text, StackNotes &notes, Diagnostics &diag) {
  notes.hasCalls = true;
  LineWarnings warnings(notes.path, diag);
  forEachLine(text, [&](StringRef line, unsigned number) {
    auto malformed = [&](const char *what) { warnings.add(number, what); };
    line = line.trim();
    if (line.consume_front("node:")) {
      const std::optional<StringRef> title = valueOf(line, "title");
      if (!title || title->empty())
        return malformed("a node without a title");
      NotedFunction function;
      function.name = symbolOfTitle(*title);
      const std::optional<StringRef> label = valueOf(line, "label");
      if (!label || !readFrame(*label, function))
        return malformed("a node whose label does not say how many bytes it "
                         "takes, as in '48 bytes (static)'");
      // A function that is only called is an ellipse.
      if (function.bytes)
        notes.functions.push_back(function);
      return;
    }
    if (line.consume_front("edge:")) {
      const std::optional<StringRef> from = valueOf(line, "sourcename"),
                                     to = valueOf(line, "targetname");
      if (!from || !to || from->empty() || to->empty())
        return malformed("an edge without sourcename and targetname");
      NotedCall call;
      call.caller = symbolOfTitle(*from);
      call.indirect = *to == kIndirect;
      if (!call.indirect)
        call.callee = symbolOfTitle(*to);
      call.place = valueOf(line, "label").value_or("");
      notes.calls.push_back(call);
      return;
    }
    if (!line.starts_with("graph:") && line != "}")
      malformed("expected graph, node, edge or '}'");
  });
}

//===----------------------------------------------------------------------===//
// --stack-calls
//===----------------------------------------------------------------------===//

/// Splits at a character that is not in parentheses or angle brackets, as those
/// of C++ names are.
static std::pair<StringRef, StringRef> splitOutside(StringRef text, char at) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '<')
      ++depth;
    else if ((text[i] == ')' || text[i] == '>') && depth > 0)
      --depth;
    else if (text[i] == at && depth == 0)
      return {text.take_front(i), text.drop_front(i + 1)};
  }
  return {text, {}};
}

std::vector<StatedCalls> readStackCalls(StringRef path, StringRef text,
                                        Diagnostics &diag) {
  std::vector<StatedCalls> list;
  forEachLine(text, [&](StringRef line, unsigned number) {
    line = line.split('#').first.trim();
    if (line.empty())
      return;
    auto malformed = [&](const std::string &what) {
      diag.error(lineOf(path, number) + ": " + what);
    };
    // "ns::f: g": the colon of a name stands beside another one.
    size_t colon = line.find(':');
    while (colon != StringRef::npos && line.substr(colon + 1).starts_with(":"))
      colon = line.find(':', colon + 2);
    if (colon == StringRef::npos)
      return malformed("expected 'CALLER: CALLEE, CALLEE ...'");
    StatedCalls calls;
    calls.line = number;
    calls.caller = line.take_front(colon).trim();
    if (calls.caller.empty())
      return malformed("expected the name of a function in front of ':'");
    for (StringRef rest = line.drop_front(colon + 1); !rest.empty();) {
      StringRef callee;
      std::tie(callee, rest) = splitOutside(rest, ',');
      callee = callee.trim();
      if (callee.empty())
        return malformed("expected the name of a function between commas");
      calls.callees.push_back(callee);
    }
    if (calls.callees.empty())
      return malformed("expected what '" + calls.caller.str() +
                       "' calls behind ':'");
    list.push_back(std::move(calls));
  });
  return list;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

std::string plainFunctionName(StringRef name) {
  name = name.split(" [with ").first;
  std::string plain;
  unsigned angles = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == '<')
      ++angles;
    else if (c == '>' && angles)
      --angles;
    else if (angles)
      continue;
    else if (c == '(')
      break; // its parameters
    else if (c == ' ')
      plain.clear(); // the text in front is its type
    else
      plain += c;
  }
  // Copies that optimizers make: "f.constprop.0", "f.part.1".
  return plain.substr(0, plain.find('.'));
}

} // namespace xlink
