//===- DiagnosticFormat.cpp - messages for people, editors and programs ---===//
//
// Problem: people read a message in a terminal, editors jump to FILE:LINE, and
// programs want file, section and offset apart. The passes report one text; a
// record of places beside each text would repeat it, and the two would drift
// apart.
//
// Method: messages name places in two forms only, which src/README.md lays
// down: FILE:(SECTION+0xOFFSET) in an object, FILE:LINE:COLUMN in a script; a
// line of source follows as "at FILE:LINE". They are read back from the text. A
// name that contains such a form itself (a file called "a.o:(.x") gives a wrong
// place beside a text that is right.
//
// Cost: a few searches in each text that is shown.
//
//===----------------------------------------------------------------------===//
#include "base/DiagnosticFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

/// FILE:LINE:COLUMN: at the beginning.
static bool readScriptPlace(StringRef text, MessagePlace &place) {
  // Behind ": " the message begins.
  const StringRef head = text.take_front(text.find(": "));
  const auto [rest, column] = head.rsplit(':');
  const auto [file, line] = rest.rsplit(':');
  uint32_t l = 0, c = 0;
  if (file.empty() || line.getAsInteger(10, l) || column.getAsInteger(10, c) ||
      !l || !c)
    return false;
  place.file = file.str();
  place.line = l;
  place.column = c;
  place.prefix = head.size() + 2;
  return true;
}

/// FILE:(SECTION+0xOFFSET); `begin` is where FILE does.
static void readObjectPlace(StringRef text, size_t begin, MessagePlace &place) {
  const size_t open = text.find(":(", begin);
  if (open == StringRef::npos)
    return;
  const size_t close = text.find(')', open);
  if (close == StringRef::npos)
    return;
  StringRef section = text.slice(open + 2, close);
  const size_t plus = section.rfind("+0x");
  uint64_t offset = 0;
  if (plus != StringRef::npos &&
      !section.substr(plus + 3).getAsInteger(16, offset)) {
    place.offset = offset;
    section = section.take_front(plus);
  }
  place.file = text.slice(begin, open).str();
  place.section = section.str();
}

/// "at FILE:LINE" at the end.
static void readSource(StringRef text, MessagePlace &place) {
  size_t at = text.rfind(" at ");
  at = at == StringRef::npos ? (text.starts_with("at ") ? 3 : at) : at + 4;
  if (at == StringRef::npos)
    return;
  auto [file, number] = text.substr(at).rsplit(':');
  uint32_t line = 0;
  if (file.empty() || number.getAsInteger(10, line) || line == 0)
    return;
  place.sourceFile = file.str();
  place.sourceLine = line;
}

MessagePlace placeInText(StringRef text) {
  MessagePlace place;
  if (readScriptPlace(text, place))
    return place;
  // A place at the text's beginning ends with "): ".
  const size_t colon = text.find("): ");
  if (const size_t open = text.find(":(");
      open < colon && open < text.find(": "))
    readObjectPlace(text, 0, place);
  else if (const StringRef head = text.take_front(text.find(": "));
           head.size() < text.size() && !head.contains(' ') &&
           !head.contains('\''))
    place.file = head.str();
  return place;
}

MessagePlace placeInNote(StringRef note) {
  MessagePlace place;
  // The file's name begins behind the words in front of it.
  const size_t open = note.find(":(");
  if (open != StringRef::npos) {
    size_t begin = 0;
    for (StringRef lead : {"referenced by ", "defined in ", "defined at "})
      if (note.starts_with(lead))
        begin = lead.size();
    if (!begin) {
      const size_t blank = note.rfind(' ', open);
      begin = blank == StringRef::npos ? 0 : blank + 1;
    }
    readObjectPlace(note, begin, place);
  }
  readSource(note, place);
  return place;
}

//===----------------------------------------------------------------------===//
// Parts that all forms have
//===----------------------------------------------------------------------===//

static bool isExcerpt(const std::vector<std::string> &lines) {
  return lines.size() >= 2 && StringRef(lines[1]).trim() == "^";
}

bool hasExcerpt(const Diagnostic &d) {
  return !d.excerpt.empty() || isExcerpt(d.notes);
}

/// The message with its excerpt apart from its notes, wherever it was put.
static Diagnostic withExcerptApart(Diagnostic d) {
  if (d.excerpt.empty() && isExcerpt(d.notes)) {
    d.excerpt.assign(d.notes.begin(), d.notes.begin() + 2);
    d.notes.erase(d.notes.begin(), d.notes.begin() + 2);
  }
  return d;
}

/// "--no-warn-script", the option that switches a warning off; "": none does.
static std::string switchOff(const Diagnostic &d) {
  if (d.severity != Severity::Warning && !d.promoted)
    return "";
  return std::string("--no-warn-") + warningGroupName(d.group);
}

/// " [--no-warn-script]" behind the text of a warning.
static std::string options(const Diagnostic &d) {
  const std::string option = switchOff(d);
  if (option.empty())
    return "";
  return (d.promoted ? " [--fatal-warnings, " : " [") + option + "]";
}

//===----------------------------------------------------------------------===//
// The forms
//===----------------------------------------------------------------------===//

/// "FILE:LINE:COLUMN: " as editors look for it; "xlink: " without a text that
/// an editor could show.
static std::string editorPlace(const MessagePlace &place) {
  if (place.sourceLine)
    return printable(place.sourceFile) + ":" +
           std::to_string(place.sourceLine) + ": ";
  if (place.column)
    return printable(place.file) + ":" + std::to_string(place.line) + ":" +
           std::to_string(place.column) + ": ";
  return "xlink: ";
}

/// Names the first line of source among the notes where the text names none:
/// an undefined symbol is mended where it is referenced.
static std::string formatGcc(const Diagnostic &message, bool color) {
  Diagnostic d = withExcerptApart(message);
  MessagePlace place = placeInText(d.text);
  for (size_t i = 0; !place.column && !place.sourceLine && i < d.notes.size();
       ++i) {
    const MessagePlace other = placeInNote(d.notes[i]);
    place.sourceFile = other.sourceFile;
    place.sourceLine = other.sourceLine;
    // "at FILE:LINE" says nothing else.
    if (place.sourceLine && StringRef(d.notes[i]).starts_with("at "))
      d.notes.erase(d.notes.begin() + i);
  }
  std::string s = editorPlace(place) + Diagnostics::severityText(d, color);
  s +=
      printable(StringRef(d.text).drop_front(place.prefix)) + options(d) + '\n';
  for (const std::string &line : d.excerpt)
    s += "  " + printable(line) + '\n';
  for (const std::string &note : d.notes)
    s += editorPlace(placeInNote(note)) + "note: " + printable(note) + '\n';
  return s;
}

static void writePlace(json::OStream &json, const MessagePlace &place) {
  if (!place.file.empty())
    json.attribute("file", json::fixUTF8(place.file));
  if (!place.section.empty())
    json.attribute("section", json::fixUTF8(place.section));
  if (place.offset)
    json.attribute("offset", *place.offset);
  if (place.column) {
    json.attribute("line", place.line);
    json.attribute("column", place.column);
  }
  if (place.sourceLine)
    json.attributeObject("source", [&] {
      json.attribute("file", json::fixUTF8(place.sourceFile));
      json.attribute("line", place.sourceLine);
    });
}

static std::string formatJson(const Diagnostic &message) {
  const Diagnostic d = withExcerptApart(message);
  std::string s;
  raw_string_ostream out(s);
  json::OStream json(out);
  json.object([&] {
    json.attribute("version", 1);
    json.attribute("severity",
                   d.severity == Severity::Error ? "error" : "warning");
    json.attribute("text", json::fixUTF8(d.text));
    if (const std::string option = switchOff(d); !option.empty()) {
      json.attribute("group", warningGroupName(d.group));
      json.attribute("option", option);
      json.attribute("fatal", d.promoted);
    }
    MessagePlace place = placeInText(d.text);
    if (!place.sourceLine && !d.notes.empty() &&
        StringRef(d.notes[0]).starts_with("at ")) {
      const MessagePlace first = placeInNote(d.notes[0]);
      place.sourceFile = first.sourceFile;
      place.sourceLine = first.sourceLine;
    }
    writePlace(json, place);
    if (!d.excerpt.empty())
      json.attributeArray("excerpt", [&] {
        for (const std::string &line : d.excerpt)
          json.value(json::fixUTF8(line));
      });
    json.attributeArray("notes", [&] {
      for (const std::string &note : d.notes)
        json.object([&] {
          json.attribute("text", json::fixUTF8(note));
          writePlace(json, placeInNote(note));
        });
    });
  });
  out << '\n';
  return s;
}

std::string formatDiagnostic(const Diagnostic &d, MessageFormat format,
                             bool color) {
  if (d.severity == Severity::Note)
    return Diagnostics::format(d, color);
  if (format == MessageFormat::Json)
    return formatJson(d);
  if (format == MessageFormat::Gcc)
    return formatGcc(d, color);
  Diagnostic all = d;
  all.text += options(d);
  all.notes.insert(all.notes.begin(), d.excerpt.begin(), d.excerpt.end());
  return Diagnostics::format(all, color);
}

} // namespace xlink
