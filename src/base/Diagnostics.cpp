//===- Diagnostics.cpp - errors and warnings of one link ------------------===//
//
// The list of messages with its policy (limit, fatal warnings, switched-off
// groups), and the search for a near spelling, which may compare a name with
// every symbol of a link. The table of edit distances is computed only for
// candidates of nearly the same length and letters (one edit changes at most
// two members of the set of letters); that leaves few.
//
//===----------------------------------------------------------------------===//

#include "base/Diagnostics.h"
#include "base/Address.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <utility>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

const char *warningGroupName(WarningGroup group) {
  static constexpr const char *kNames[] = {
      "general",         "relocation",     "flags",  "expression",
      "entry",           "script",         "orphan", "symbol",
      "symbol-ordering", "parallel-usage", "types",  "stack",
      "type-spelling",
#define XLINK_TRAP(group, name, ...) name,
#include "base/Traps.def"
  };
  static_assert(std::size(kNames) == size_t(WarningGroup::Count_));
  return kNames[size_t(group)];
}

bool Diagnostics::isDisabled(WarningGroup group) const {
  return is_contained(policy.disabledGroups, warningGroupName(group));
}

bool Diagnostics::isOff(WarningGroup group) const {
  return policy.noWarnings || isDisabled(group);
}

void Diagnostics::error(function_ref<Message()> compose) {
  // The one behind the last announces the end.
  if (saturated())
    return error(std::string());
  Message m = compose();
  error(std::move(m.text), std::move(m.notes));
}

void Diagnostics::error(const std::string &family,
                        function_ref<Message()> compose) {
  if (policy.errorLimit == 0 || family.empty())
    return error(compose);
  Family &known = families[family];
  if (++known.errors > kShownOfFamily) {
    ++hiddenErrors;
    return;
  }
  // The limit's own line is none of the family.
  const bool isShown = !saturated();
  error(compose);
  if (isShown) {
    ++known.shown;
    known.last = list.size() - 1;
  }
}

void Diagnostics::warn(WarningGroup group, function_ref<Message()> compose) {
  if (isOff(group))
    return;
  if (policy.fatalWarnings && saturated())
    return warn(group, std::string());
  if (silent() || hides(group))
    return;
  Message m = compose();
  warn(group, std::move(m.text), std::move(m.notes));
}

void Diagnostics::append(Diagnostic d) {
  if (d.severity == Severity::Warning) {
    // As GNU ld has it, -w is stronger than --fatal-warnings.
    if (isOff(d.group))
      return;
    if (hides(d.group))
      return;
    ++warnings[size_t(d.group)];
    if (policy.fatalWarnings) {
      d.severity = Severity::Error;
      d.promoted = true;
      ++promoted;
    }
  }
  // Past the limit there are no more messages: a warning below the line that
  // announces the end would look like its consequence.
  const bool past = silent();
  if (d.severity == Severity::Error) {
    ++errors;
    if (!past && policy.errorLimit && errors > policy.errorLimit) {
      list.push_back({Severity::Error,
                      WarningGroup::General,
                      "too many errors emitted, stopping now (use "
                      "--error-limit=0 to see all errors)",
                      {}});
      return;
    }
  }
  if (!past || d.severity == Severity::Note)
    list.push_back(std::move(d));
}

void Diagnostics::append(Diagnostics &&later) {
  later.countFamilies();
  for (Diagnostic &d : later.list)
    append(std::move(d));
  for (size_t g = 0; g < hiddenWarnings.size(); ++g)
    hiddenWarnings[g] += later.hiddenWarnings[g];
  hiddenErrors += later.hiddenErrors;
}

void Diagnostics::countFamilies() {
  for (const auto &[name, family] : families)
    if (family.shown && family.errors > kShownOfFamily)
      list[family.last].notes.push_back(
          "and " + std::to_string(family.errors - family.shown) + " more " +
          name + " (use --error-limit=0 to see all)");
  families.clear();
}

void Diagnostics::countHidden() {
  countFamilies();
  for (size_t g = 0; g < hiddenWarnings.size(); ++g)
    if (const uint64_t count = std::exchange(hiddenWarnings[g], 0))
      list.push_back({Severity::Warning, WarningGroup(g),
                      countOf(count, "more warning", "more warnings") +
                          " of this group (use --error-limit=0 to see all)"});
}

/// Whether a character controls the terminal or the direction of the text.
static bool isControl(uint32_t c) {
  return (c < 0x20 && c != '\t') || (c >= 0x7f && c <= 0x9f) || c == 0x061c ||
         c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
         (c >= 0x2066 && c <= 0x2069);
}

std::string printable(StringRef text) {
  if (isPlainText(text))
    return text.str();
  std::string s;
  while (!text.empty()) {
    const UTF8 *next = text.bytes_begin();
    UTF32 c = 0;
    const bool valid = convertUTF8Sequence(&next, text.bytes_end(), &c,
                                           strictConversion) == conversionOK;
    const StringRef bytes =
        text.take_front(valid ? size_t(next - text.bytes_begin()) : 1);
    text = text.drop_front(bytes.size());
    if (valid && !isControl(c)) {
      s += bytes;
      continue;
    }
    for (unsigned char byte : bytes) {
      s += "\\x";
      s += hexdigit(byte >> 4, /*LowerCase=*/true);
      s += hexdigit(byte & 15, /*LowerCase=*/true);
    }
  }
  return s;
}

std::string printableLines(StringRef text) {
  std::string s;
  for (StringRef line : split(text, '\n'))
    s += printable(line) + '\n';
  s.pop_back();
  return s;
}

std::string Diagnostics::severityText(const Diagnostic &d, bool color) {
  const bool error = d.severity == Severity::Error;
  const std::string text = error ? "error: " : "warning: ";
  if (!color)
    return text;
  return (error ? "\x1b[0;1;31m" : "\x1b[0;1;35m") + text + "\x1b[0m";
}

std::string Diagnostics::format(const Diagnostic &d, bool color,
                                StringRef program) {
  std::string s =
      d.severity == Severity::Note
          ? printableLines(d.text)
          : (program + ": " + severityText(d, color)).str() + printable(d.text);
  s += '\n';
  for (const std::string &note : d.notes)
    s += ">>> " + printable(note) + '\n';
  return s;
}

std::string countOf(uint64_t count, StringRef one, StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

std::string hex(Address address) {
  if (address.isNegative())
    return "below 0";
  if (!address.isByte())
    return address.isEnd() ? "0x10000000000000000" : "beyond 64 bits";
  return hex(Size(address.value()));
}

std::string hex(Size size) {
  return "0x" + utohexstr(size, /*LowerCase=*/true);
}

std::string hex(uint64_t value) {
  return "0x" + utohexstr(value, /*LowerCase=*/true);
}

//===----------------------------------------------------------------------===//
// Near spellings
//===----------------------------------------------------------------------===//

namespace {

/// Names longer than this take no part in the comparison by edits: a mangled
/// name of that length has neighbours that differ by one letter and mean
/// another thing.
constexpr size_t maxLength = 256;

/// The set of letters in `s`, folded into 64 bits.
uint64_t letterSet(StringRef s) {
  uint64_t set = 0;
  for (char c : s)
    set |= uint64_t(1) << (uint8_t(c) & 63);
  return set;
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a`
/// into `b`, neither longer than maxLength + 3; more than `limit` when more
/// than that are needed.
unsigned editDistance(StringRef a, StringRef b, unsigned limit) {
  while (!a.empty() && !b.empty() && a.front() == b.front())
    a = a.drop_front(), b = b.drop_front();
  while (!a.empty() && !b.empty() && a.back() == b.back())
    a = a.drop_back(), b = b.drop_back();
  using Row = std::array<unsigned, maxLength + 4>;
  std::array<Row, 3> rows;
  for (size_t i = 0; i <= a.size(); ++i) {
    // Of the first i letters of `a`, and the last two rows before.
    Row &row = rows[i % 3];
    const Row &previous = rows[(i + 2) % 3], &beforeThat = rows[(i + 1) % 3];
    row[0] = unsigned(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = row[j - 1] + 1;
      if (i > 0)
        row[j] = std::min({row[j], previous[j] + 1,
                           previous[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], beforeThat[j - 2] + 1);
    }
    if (*std::min_element(row.begin(), row.begin() + b.size() + 1) > limit)
      return limit + 1;
  }
  return rows[a.size() % 3][b.size()];
}

} // namespace

std::string nearestSpelling(StringRef name, ArrayRef<StringRef> candidates) {
  // Short names are near to everything: one edit for three letters, at most
  // three.
  unsigned limit = std::min<unsigned>(unsigned(name.size()) / 3, 3);
  bool byEdits = name.size() <= maxLength;
  StringRef bare = name.ltrim('_');
  uint64_t letters = letterSet(name);

  // Distances are doubled so that another case or another number of leading
  // underscores (1) ranks before any edit (2, 4, 6).
  unsigned best = 2 * limit + 1;
  bool found = false;
  StringRef result;
  auto consider = [&](StringRef candidate, unsigned distance) {
    // Among equals the first in the alphabet, whatever the order of the list.
    if (found && (distance > best || (distance == best && candidate >= result)))
      return;
    found = true;
    best = distance;
    result = candidate;
  };
  for (StringRef c : candidates) {
    if (c.empty() || c == name)
      continue;
    size_t longer = std::max(c.size(), name.size());
    size_t shorter = std::min(c.size(), name.size());
    bool underscores = c.front() == '_' || name.starts_with("_");
    if (!bare.empty() && (longer - shorter == 0 || underscores) &&
        c.ltrim('_').equals_insensitive(bare)) {
      consider(c, 1);
      continue;
    }
    unsigned bound = std::min(best / 2, limit);
    if (!byEdits || bound == 0 || longer - shorter > bound ||
        unsigned(popcount(letters ^ letterSet(c))) > 2 * bound)
      continue;
    if (unsigned distance = editDistance(name, c, bound); distance <= bound)
      consider(c, 2 * distance);
  }
  return result.str();
}

//===----------------------------------------------------------------------===//
// Forms of messages
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

/// "--no-warn-script", the option that switches a message off; "": none does.
/// Errors of no check are of the group General.
static std::string switchOff(const Diagnostic &d) {
  if (d.severity != Severity::Warning && !d.promoted &&
      d.group == WarningGroup::General)
    return "";
  return std::string("--no-warn-") + warningGroupName(d.group);
}

/// " [--no-warn-script]" behind the text of a message.
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

std::vector<std::string> lineExcerpt(StringRef line, size_t column) {
  constexpr size_t width = 150;
  size_t from =
      column > width / 2 && line.size() > width ? column - width / 2 : 0;
  std::string shown, caret;
  for (size_t i = from; i < line.size() && i < from + width; ++i) {
    unsigned char c = line[i];
    shown += c < 0x20 || c == 0x7f ? ' ' : line[i];
    if (i < column && (c & 0xc0) != 0x80) // one column a UTF-8 character
      caret += ' ';
  }
  if (StringRef(shown).trim().empty())
    return {};
  return {std::move(shown), caret + '^'};
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
