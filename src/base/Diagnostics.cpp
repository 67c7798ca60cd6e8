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
#include <algorithm>
#include <array>

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
      "type-spelling"};
  static_assert(std::size(kNames) == size_t(WarningGroup::Count_));
  return kNames[size_t(group)];
}

void DiagnosticBuffer::error(std::string text, std::vector<std::string> notes) {
  list.push_back({Severity::Error, WarningGroup::General, std::move(text),
                  std::move(notes)});
}

void DiagnosticBuffer::warn(WarningGroup group, std::string text,
                            std::vector<std::string> notes) {
  list.push_back({Severity::Warning, group, std::move(text), std::move(notes)});
}

void Diagnostics::error(std::string text, std::vector<std::string> notes) {
  append(Diagnostic{Severity::Error, WarningGroup::General, std::move(text),
                    std::move(notes)});
}

void Diagnostics::warn(WarningGroup group, std::string text,
                       std::vector<std::string> notes) {
  append(
      Diagnostic{Severity::Warning, group, std::move(text), std::move(notes)});
}

void Diagnostics::warnOrError(bool isError, WarningGroup group,
                              std::string text,
                              std::vector<std::string> notes) {
  if (isError)
    error(std::move(text), std::move(notes));
  else
    warn(group, std::move(text), std::move(notes));
}

bool Diagnostics::isOff(WarningGroup group) const {
  return policy.noWarnings ||
         is_contained(policy.disabledGroups, warningGroupName(group));
}

void Diagnostics::error(function_ref<Message()> compose) {
  // The one behind the last announces the end.
  if (saturated())
    return error(std::string());
  Message m = compose();
  error(std::move(m.text), std::move(m.notes));
}

void Diagnostics::warn(WarningGroup group, function_ref<Message()> compose) {
  if (isOff(group))
    return;
  if (policy.fatalWarnings && saturated())
    return warn(group, std::string());
  if (silent())
    return;
  Message m = compose();
  warn(group, std::move(m.text), std::move(m.notes));
}

void Diagnostics::note(std::string text) {
  append(
      Diagnostic{Severity::Note, WarningGroup::General, std::move(text), {}});
}

void Diagnostics::append(DiagnosticBuffer &&buffer) {
  for (Diagnostic &d : buffer.take())
    append(std::move(d));
}

void Diagnostics::append(Diagnostic d) {
  if (d.severity == Severity::Warning) {
    // As GNU ld has it, -w is stronger than --fatal-warnings.
    if (isOff(d.group))
      return;
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

} // namespace xlink
