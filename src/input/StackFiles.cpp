//===- StackFiles.cpp -----------------------------------------------------===//
//
// Problem: compilers write stack sizes into a section or into files beside the
// objects. In the files, a path in front of a name may contain colons, and so
// do names of C++; the graph is in a language for drawings (VCG), of which GCC
// writes a small part.
//
// Method: the place in front of a name ends with the last number between
// colons. Each line of the graph is one statement, `node: {` or `edge: {` with
// `key: "text"` in it; other keys are skipped. The function of a malformed line
// stays unknown.
//
// Cost: one pass over the text.
//
//===----------------------------------------------------------------------===//
#include "input/StackFiles.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/LEB128.h"
#include <tuple>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// .stack_sizes
//===----------------------------------------------------------------------===//

bool isStackSizes(const ParsedSection &section) {
  return section.kind == SectionKind::Regular && !section.isNoBits() &&
         (section.name == ".stack_sizes" ||
          section.name.starts_with(".stack_sizes."));
}

std::optional<StackSizesError> readStackSizes(const ParsedObject &object,
                                              const ParsedSection &section,
                                              unsigned addressSize,
                                              std::vector<StackSize> &sizes) {
  const ArrayRef<uint8_t> bytes = section.data();
  uint32_t next = section.relocBegin; // relocations are sorted by offset
  for (uint64_t at = 0; at < bytes.size();) {
    if (bytes.size() - at < addressSize)
      return StackSizesError{at, "the reference to a function is cut off"};
    while (next < section.relocEnd && object.relocations[next].offset < at)
      ++next;
    if (next == section.relocEnd || object.relocations[next].offset != at)
      return StackSizesError{at, "no relocation says which function is meant"};
    const uint64_t number = at + addressSize;
    unsigned length = 0;
    const char *error = nullptr;
    const uint64_t size = decodeULEB128(bytes.data() + number, &length,
                                        bytes.data() + bytes.size(), &error);
    if (error)
      return StackSizesError{number, "the size is no ULEB128 number"};
    sizes.push_back({next, size});
    at = number + length;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// Calls `fn` for each line that is not blank, with "path:12", as messages
/// begin.
static void
forEachLine(StringRef path, StringRef text,
            function_ref<void(StringRef line, const std::string &place)> fn) {
  for (unsigned number = 1; !text.empty(); ++number) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    line.consume_back("\r");
    if (!line.trim().empty())
      fn(line, (path + ":" + Twine(number)).str());
  }
}

/// Calls `fn` for each such line. It returns why the line cannot be read, or
/// "": the first few are warnings, for a file of another kind would have many.
static void readLines(StringRef path, StringRef text, Diagnostics &diag,
                      function_ref<std::string(StringRef)> fn) {
  constexpr unsigned most = 5;
  unsigned count = 0;
  forEachLine(path, text, [&](StringRef line, const std::string &place) {
    if (const std::string error = fn(line); !error.empty() && ++count <= most)
      diag.warn(WarningGroup::Stack, place + ": " + error);
  });
  if (count > most)
    diag.warn(WarningGroup::Stack,
              path.str() + ": " +
                  countOf(count - most, "more line", "more lines") +
                  " that cannot be read");
}

/// The name behind "work.c:12:5:" or, as clang writes it, "work.c:12:"; or
/// nothing.
static StringRef nameBehindPlace(StringRef text) {
  for (size_t end = text.rfind(':'); end != StringRef::npos;
       end = text.rfind(':', end)) {
    const StringRef front = text.take_front(end).rtrim("0123456789");
    if (front.size() != end && front.ends_with(":"))
      return text.drop_front(end + 1);
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
  readLines(notes.path, text, diag, [&](StringRef line) -> std::string {
    SmallVector<StringRef, 3> fields;
    line.split(fields, '\t');
    uint64_t bytes = 0;
    const StringRef name =
        fields.size() == 3 ? nameBehindPlace(fields[0]) : StringRef();
    if (name.empty() || fields[1].getAsInteger(10, bytes))
      return "expected FILE:LINE:FUNCTION, a number of bytes and a word, with "
             "tabs between them";
    const std::optional<bool> dynamic = isDynamic(fields[2]);
    if (!dynamic)
      return "'" + fields[2].str() + "' is not static, dynamic or bounded";
    notes.functions.push_back({name, bytes, *dynamic});
    return "";
  });
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// The text behind ` key: "`, up to the next quote; "": there is none.
static StringRef valueOf(StringRef line, StringRef key) {
  const std::string front = (" " + key + ": \"").str();
  const size_t at = line.find(front);
  if (at == StringRef::npos)
    return "";
  line = line.drop_front(at + front.size());
  return line.contains('"') ? line.split('"').first : "";
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
  readLines(notes.path, text, diag, [&](StringRef line) -> std::string {
    line = line.trim();
    const StringRef label = valueOf(line, "label");
    if (line.starts_with("node:")) {
      const StringRef title = valueOf(line, "title");
      if (title.empty())
        return "a node without a title";
      NotedFunction function{symbolOfTitle(title)};
      if (label.empty() || !readFrame(label, function))
        return "a node whose label does not say how many bytes it takes, as in "
               "'48 bytes (static)'";
      // A function that is only called is an ellipse.
      if (function.bytes)
        notes.functions.push_back(function);
    } else if (line.starts_with("edge:")) {
      const StringRef from = valueOf(line, "sourcename"),
                      to = valueOf(line, "targetname");
      if (from.empty() || to.empty())
        return "an edge without sourcename and targetname";
      const bool indirect = to == kIndirect;
      notes.calls.push_back({symbolOfTitle(from),
                             indirect ? StringRef() : symbolOfTitle(to),
                             indirect, label});
    } else if (!line.starts_with("graph:") && line != "}") {
      return "expected graph, node, edge or '}'";
    }
    return "";
  });
}

//===----------------------------------------------------------------------===//
// --stack-calls
//===----------------------------------------------------------------------===//

/// Splits at a comma that is not in parentheses or angle brackets, as those of
/// C++ names are.
static std::pair<StringRef, StringRef> splitOutside(StringRef text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '<')
      ++depth;
    else if ((text[i] == ')' || text[i] == '>') && depth > 0)
      --depth;
    else if (text[i] == ',' && depth == 0)
      return {text.take_front(i), text.drop_front(i + 1)};
  }
  return {text, {}};
}

std::vector<StatedCalls> readStackCalls(StringRef path, StringRef text,
                                        Diagnostics &diag) {
  std::vector<StatedCalls> list;
  forEachLine(path, text, [&](StringRef line, const std::string &place) {
    line = line.split('#').first.trim();
    if (line.empty())
      return;
    auto malformed = [&](const std::string &error) {
      diag.error(place + ": " + error);
    };
    // "ns::f: g": the colon of a name stands beside another one.
    size_t colon = line.find(':');
    while (colon != StringRef::npos && line.substr(colon + 1).starts_with(":"))
      colon = line.find(':', colon + 2);
    if (colon == StringRef::npos)
      return malformed("expected 'CALLER: CALLEE, CALLEE ...'");
    StatedCalls calls{place, line.take_front(colon).trim()};
    if (calls.caller.empty())
      return malformed("expected the name of a function in front of ':'");
    for (StringRef rest = line.drop_front(colon + 1); !rest.empty();) {
      StringRef callee;
      std::tie(callee, rest) = splitOutside(rest);
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
