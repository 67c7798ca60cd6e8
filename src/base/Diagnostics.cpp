//===- Diagnostics.cpp - errors and warnings of one link ------------------===//
//
// Two things live here: the list of messages with its policy (limit, fatal
// warnings, switched-off groups), and the search for a near spelling.
//
// The search is asked once per unknown name and has to look at every symbol of
// the link, 200,000 of them in a large one. The usual table of edit distances
// would cost a millisecond per hundred candidates, so a candidate has to pass
// cheap sieves first: its length, then a 64-bit set of its letters (one edit
// changes at most two members of that set), and only then the table, of which
// just a band around the diagonal is computed, and only until a row has no
// entry within the bound. The bound shrinks to the best distance found so far.
//
//===----------------------------------------------------------------------===//

#include "base/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <algorithm>
#include <array>
#include <bit>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

const char *warningGroupName(WarningGroup group) {
  switch (group) {
  case WarningGroup::General:
    return "general";
  case WarningGroup::Relocation:
    return "relocation";
  case WarningGroup::Flags:
    return "flags";
  case WarningGroup::Expression:
    return "expression";
  case WarningGroup::Entry:
    return "entry";
  case WarningGroup::Script:
    return "script";
  case WarningGroup::Orphan:
    return "orphan";
  case WarningGroup::Symbol:
    return "symbol";
  case WarningGroup::SymbolOrdering:
    return "symbol-ordering";
  case WarningGroup::ParallelUsage:
    return "parallel-usage";
  case WarningGroup::Types:
    return "types";
  case WarningGroup::Stack:
    return "stack";
  case WarningGroup::TypeSpelling:
    return "type-spelling";
  case WarningGroup::Count_:
    break;
  }
  return "";
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

bool Diagnostics::isOff(WarningGroup group) const {
  return policy.noWarnings ||
         is_contained(policy.disabledGroups, warningGroupName(group));
}

void Diagnostics::error(function_ref<Message()> compose) {
  // The one behind the last announces the end, whatever it says.
  if (saturated())
    return error(std::string());
  ++composedCount;
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
  ++composedCount;
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
  // Past the limit nothing more is said: a warning below the line that
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

std::string Diagnostics::format(const Diagnostic &d, bool color,
                                StringRef program) {
  std::string s;
  if (d.severity != Severity::Note) {
    const bool error = d.severity == Severity::Error;
    s = (program + ": ").str();
    if (color)
      s += error ? "\x1b[0;1;31m" : "\x1b[0;1;35m";
    s += error ? "error: " : "warning: ";
    if (color)
      s += "\x1b[0m";
  }
  s +=
      d.severity == Severity::Note ? printableLines(d.text) : printable(d.text);
  s += '\n';
  for (const std::string &note : d.notes)
    s += ">>> " + printable(note) + '\n';
  return s;
}

std::string countOf(uint64_t count, StringRef one, StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

std::string hex(uint64_t value) {
  char digits[18];
  char *p = std::end(digits);
  do
    *--p = "0123456789abcdef"[value & 15];
  while (value >>= 4);
  *--p = 'x';
  *--p = '0';
  return std::string(p, std::end(digits));
}

//===----------------------------------------------------------------------===//
// Near spellings
//===----------------------------------------------------------------------===//

namespace {

/// Names longer than this take no part in the comparison by edits: a mangled
/// name of that length has neighbours that differ by one letter and mean
/// another thing.
constexpr size_t maxLength = 256;

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

/// The set of letters in `s`, folded into 64 bits.
uint64_t letterSet(StringRef s) {
  uint64_t set = 0;
  for (char c : s)
    set |= uint64_t(1) << (uint8_t(c) & 63);
  return set;
}

bool equalFolded(StringRef a, StringRef b) {
  return a.size() == b.size() &&
         std::equal(a.begin(), a.end(), b.begin(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

/// Insertions, deletions, replacements and swaps of neighbours that turn `a`
/// into `b`, or `limit` + 1 when more than `limit` are needed.
unsigned editDistance(StringRef a, StringRef b, unsigned limit) {
  while (!a.empty() && !b.empty() && a.front() == b.front())
    a = a.drop_front(), b = b.drop_front();
  while (!a.empty() && !b.empty() && a.back() == b.back())
    a = a.drop_back(), b = b.drop_back();
  size_t n = a.size(), m = b.size();
  if ((n > m ? n - m : m - n) > limit)
    return limit + 1;
  if (n == 0 || m == 0)
    return unsigned(n + m);

  unsigned far = limit + 1;
  std::array<std::array<unsigned, maxLength + 2>, 3> rows;
  auto *previous2 = &rows[0], *previous = &rows[1], *row = &rows[2];
  for (size_t j = 0; j <= m; ++j)
    (*previous)[j] = unsigned(j);
  for (size_t i = 1; i <= n; ++i) {
    size_t first = i > limit ? i - limit : 1;
    size_t last = std::min(m, i + limit);
    unsigned best = far;
    (*row)[first - 1] = first == 1 ? unsigned(i) : far;
    for (size_t j = first; j <= last; ++j) {
      unsigned d = (*previous)[j - 1] + (a[i - 1] != b[j - 1]);
      // The cell above the band's end was not computed.
      if (j < i + limit || i == 1)
        d = std::min(d, (*previous)[j] + 1);
      d = std::min(d, (*row)[j - 1] + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d = std::min(d, (*previous2)[j - 2] + 1);
      (*row)[j] = std::min(d, far);
      best = std::min(best, (*row)[j]);
    }
    if (best > limit)
      return far;
    auto *recycled = previous2;
    previous2 = previous;
    previous = row;
    row = recycled;
  }
  return (*previous)[m];
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
        equalFolded(c.ltrim('_'), bare)) {
      consider(c, 1);
      continue;
    }
    unsigned bound = std::min(best / 2, limit);
    if (!byEdits || bound == 0 || longer - shorter > bound ||
        unsigned(std::popcount(letters ^ letterSet(c))) > 2 * bound)
      continue;
    unsigned distance = editDistance(name, c, bound);
    if (distance <= bound)
      consider(c, 2 * distance);
  }
  return result.str();
}

} // namespace xlink
