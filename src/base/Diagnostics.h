//===- Diagnostics.h - errors and warnings of one link --------------------===//
//
// Messages are collected in the order in which the passes report them; parallel
// passes record into lists of their own, which the barrier reports in input
// order, so that the text of a failing link does not depend on threads. Faults
// that may occur a hundred thousand times become text only as far as
// --error-limit goes.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_DIAGNOSTICS_H
#define XLINK_BASE_DIAGNOSTICS_H

#include "base/Config.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace xlink {

enum class Severity : uint8_t { Note, Warning, Error };

/// Named groups of warnings; `--no-warn-NAME` switches one off, `--warn-NAME`
/// on.
enum class WarningGroup : uint8_t {
  General,
  Relocation,     ///< unknown types in non-ALLOC sections, odd addends, fillers
  Flags,          ///< e_flags or attributes that do not go together
  Expression,     ///< link-time expressions: assertions, unresolved results
  Entry,          ///< entry symbol not found
  Script,         ///< patterns and KEEPs that match nothing, odd placements
  Orphan,         ///< in a region, or --orphan-handling=warn
  Symbol,         ///< type or size mismatches, common against definition
  SymbolOrdering, ///< names in an ordering file that order nothing
  ParallelUsage,  ///< functions that run in parallel and share a global
  Types,          ///< type strings that contradict each other, or are malformed
  Stack,          ///< stacks that may not suffice, and their sources
  TypeSpelling,   ///< type strings that differ but can mean the same; off
// Likely mistakes in a link that succeeds.
#define XLINK_TRAP(group, ...) group,
#include "base/Traps.def"
  Count_,
};
/// "relocation", "flags", ...: the name used by --no-warn-NAME.
const char *warningGroupName(WarningGroup group);

struct Diagnostic {
  Severity severity;
  WarningGroup group = WarningGroup::General;
  std::string text;                    ///< lower case, no final period
  std::vector<std::string> notes = {}; ///< printed as ">>> " lines
  bool promoted = false; ///< a warning that --fatal-warnings made an error
  /// The line of the script at fault, and a caret below its column; empty
  /// where the notes have them already.
  std::vector<std::string> excerpt = {};
};

/// A list that one worker fills.
class DiagnosticBuffer {
public:
  void error(std::string text, std::vector<std::string> notes = {}) {
    list.push_back({Severity::Error, WarningGroup::General, std::move(text),
                    std::move(notes)});
  }
  void warn(WarningGroup group, std::string text,
            std::vector<std::string> notes = {}) {
    list.push_back(
        {Severity::Warning, group, std::move(text), std::move(notes)});
  }
  /// Messages that another buffer took, once more.
  void append(const std::vector<Diagnostic> &messages) {
    list.insert(list.end(), messages.begin(), messages.end());
  }
  std::vector<Diagnostic> take() { return std::move(list); }
  bool empty() const { return list.empty(); }

private:
  std::vector<Diagnostic> list;
};

/// A message's text and notes.
struct Message {
  std::string text;
  std::vector<std::string> notes = {};
};

/// All messages of a link. Not thread-safe: workers use lists of their own.
class Diagnostics {
public:
  struct Policy {
    uint64_t errorLimit = 20;   ///< 0: none
    bool fatalWarnings = false; ///< warnings count as errors
    bool noWarnings = false;
    std::vector<std::string> disabledGroups;
  };
  void setPolicy(Policy p) { policy = std::move(p); }
  const Policy &currentPolicy() const { return policy; }

  void error(std::string text, std::vector<std::string> notes = {}) {
    append(Diagnostic{Severity::Error, WarningGroup::General, std::move(text),
                      std::move(notes)});
  }
  void warn(WarningGroup group, std::string text,
            std::vector<std::string> notes = {}) {
    append(Diagnostic{Severity::Warning, group, std::move(text),
                      std::move(notes)});
  }
  /// An error that --no-warn-NAME switches off, unlike others.
  void error(WarningGroup group, Message m) {
    if (!isDisabled(group))
      append(Diagnostic{Severity::Error, group, std::move(m.text),
                        std::move(m.notes)});
  }
  /// Whether --no-warn-NAME was given, or the group is off by default.
  bool isDisabled(WarningGroup group) const;
  /// A warning, or an error where an option makes it one.
  void warnOrError(bool isError, WarningGroup group, std::string text,
                   std::vector<std::string> notes = {}) {
    if (isError)
      error(std::move(text), std::move(notes));
    else
      warn(group, std::move(text), std::move(notes));
  }
  /// A message that is only composed when it will be shown: of a hundred
  /// thousand errors that is --error-limit of them.
  void error(llvm::function_ref<Message()> compose);
  void warn(WarningGroup group, llvm::function_ref<Message()> compose);
  /// An error that one cause can bring thousands of times: the first three of
  /// a `family` ("relocations R_X out of range in '.text'"; "": none) are
  /// shown, and countHidden() adds the number of the others. --error-limit=0
  /// shows all.
  void error(const std::string &family, llvm::function_ref<Message()> compose);
  /// A line for standard output's place in order (--verbose, -t).
  void note(std::string text) {
    append(Diagnostic{Severity::Note, WarningGroup::General, std::move(text)});
  }
  void append(DiagnosticBuffer &&buffer) {
    for (Diagnostic &d : buffer.take())
      append(std::move(d));
  }
  void append(Diagnostic diagnostic);
  /// Messages of a pass that ran beside others, and those that it hides.
  void append(Diagnostics &&later);

  /// Errors seen, those beyond the limit included.
  uint64_t errorCount() const { return errors + hiddenErrors; }
  bool failed() const { return errors != 0; }
  /// Those among them that are no warnings of --fatal-warnings.
  uint64_t faultCount() const { return errorCount() - promoted; }
  /// Whether further errors would no longer be shown.
  bool saturated() const {
    return policy.errorLimit && errors >= policy.errorLimit;
  }
  const std::vector<Diagnostic> &all() const { return list; }
  /// Adds how many warnings of each group and errors of each family were kept
  /// back. Behind the last message.
  void countHidden();

  /// "error: " or "warning: ", in colour on request.
  static std::string severityText(const Diagnostic &d, bool color);
  /// "xlink: error: text\n>>> note\n", in colour on request, without the parts
  /// that the tool adds (formatDiagnostic).
  static std::string format(const Diagnostic &d, bool color,
                            llvm::StringRef program = "xlink");

private:
  void countFamilies();
  bool isOff(WarningGroup group) const;
  bool silent() const {
    return policy.errorLimit && errors > policy.errorLimit;
  }
  /// Whether a warning is beyond the limit of its group, which is that of
  /// errors: every file of a link may deserve the same one. Other groups have
  /// lists that options ask for, or a limit of their own.
  bool hides(WarningGroup group) {
    constexpr WarningGroup unlimited[] = {
        WarningGroup::Orphan, WarningGroup::Script, WarningGroup::ParallelUsage,
        WarningGroup::Types, WarningGroup::TypeSpelling};
    const bool hidden = policy.errorLimit && !policy.fatalWarnings &&
                        !llvm::is_contained(unlimited, group) &&
                        warnings[size_t(group)] >= policy.errorLimit;
    hiddenWarnings[size_t(group)] += hidden;
    return hidden;
  }

  Policy policy;
  std::vector<Diagnostic> list;
  struct Family {
    uint64_t errors = 0, shown = 0;
    size_t last = 0; ///< index of the last one shown
  };
  static constexpr uint64_t kShownOfFamily = 3;

  std::map<std::string, Family> families;
  uint64_t errors = 0;       ///< but those that a family hides
  uint64_t hiddenErrors = 0; ///< those
  uint64_t promoted = 0;     ///< of these, warnings
  /// Warnings by group, those shown and those that are not.
  std::array<uint64_t, size_t(WarningGroup::Count_)> warnings = {},
                                                     hiddenWarnings = {};
};

/// The text as one line. Names come from files: the bytes of characters that
/// end the line, control a terminal (C0, DEL, C1) or change the direction of
/// the text (Unicode's explicit marks), and bytes that are no UTF-8, are shown
/// as \xNN.
std::string printable(llvm::StringRef text);
/// The same of each line of a text that has several.
std::string printableLines(llvm::StringRef text);
/// Whether that is the text itself because all of it is ASCII and visible.
inline bool isPlainText(llvm::StringRef text) {
  bool odd = false;
  for (unsigned char c : text)
    odd |= uint8_t(c - ' ') > '~' - ' ';
  return !odd;
}
/// "1 byte", "2 bytes"
std::string countOf(uint64_t count, llvm::StringRef one, llvm::StringRef many);
/// "0x1c"
std::string hex(uint64_t value);
/// The line, shortened around `column` if very long, and a second one with a
/// caret below the byte at `column` (from 0); nothing for a blank line.
std::vector<std::string> lineExcerpt(llvm::StringRef line, size_t column);

/// The candidate nearest in spelling to `name`, or "" when none is near.
std::string nearestSpelling(llvm::StringRef name,
                            llvm::ArrayRef<llvm::StringRef> candidates);

/// Finds near spellings among the same candidates for one name after the other.
/// A search looks at all candidates, so of thousands of names (a forgotten
/// library, --error-limit=0) only the first get a hint: a hundred of them, or
/// as many as take kLooks comparisons.
class SpellingHints {
public:
  SpellingHints() = default;
  explicit SpellingHints(std::vector<llvm::StringRef> names)
      : candidates(std::move(names)),
        left(std::max<size_t>(100, kLooks / (candidates.size() + 1))) {}

  /// The nearest candidate, or "" when none is near or no hint is left.
  std::string near(llvm::StringRef name) {
    if (left == 0)
      return "";
    --left;
    return nearestSpelling(name, candidates);
  }

private:
  static constexpr size_t kLooks = 2000000; ///< well below a second

  std::vector<llvm::StringRef> candidates;
  size_t left = 0; ///< names that may still get one
};

/// The place that a line of a message names; parts that it does not name are ""
/// or 0.
struct MessagePlace {
  std::string file;    ///< an input: object, archive(member), or a script
  std::string section; ///< of an object
  std::optional<uint64_t> offset; ///< in the section
  uint32_t line = 0, column = 0;  ///< in a script
  std::string sourceFile;         ///< of the compiler
  uint32_t sourceLine = 0;
  size_t prefix = 0; ///< characters of the text that are this place alone
};

/// The place that a message's text begins with.
MessagePlace placeInText(llvm::StringRef text);
/// The place that a note names: "referenced by a.o:(.text+0x10) in main at
/// src/work.c:12".
MessagePlace placeInNote(llvm::StringRef note);

/// Whether the message shows a line of a script already.
bool hasExcerpt(const Diagnostic &d);

/// The message in the form that --diagnostics-format asked for, with the line
/// of a script, and the option that switches a warning off.
std::string formatDiagnostic(const Diagnostic &d, MessageFormat format,
                             bool color);

/// The name that a C++ or Rust compiler mangled, as the source has it; `name`
/// itself where it is not mangled, or where its expansion would be too long to
/// read. Bounded in time and memory, whatever the name is.
std::string demangled(llvm::StringRef name);
/// Whether demangled() may make something else of a name: cheap, and false for
/// nearly all of C.
inline bool isMangled(llvm::StringRef name) {
  return name.size() > 2 && name[0] == '_' &&
         (name[1] == 'Z' || name[1] == 'R');
}

} // namespace xlink
#endif
