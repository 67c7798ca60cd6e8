//===- PatternRules.h - the patterns of a script as rules -----------------===//
#ifndef XLINK_PLACEMENT_PATTERNRULES_H
#define XLINK_PLACEMENT_PATTERNRULES_H

#include "base/Diagnostics.h"
#include "model/Placement.h"
#include "model/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <algorithm>
#include <map>
#include <vector>

namespace xlink {

/// A section-name pattern at its place in the script.
struct PatternRule {
  const InputDescription *description;
  const SectionPattern *pattern; ///< null: any name (a bare file pattern)
  uint32_t slot;                 ///< of its description: a number of the caller
  uint32_t patternIndex;         ///< in the description
  OutputId output;               ///< kNone: /DISCARD/
  const OutputSectionCommand *command;
  uint64_t wantedFlags = 0, refusedFlags = 0;
  bool enabled = true; ///< its section has not stepped back
  bool used = false;   ///< took a section
};

/// Why a rule does not take a section.
enum class PatternRefusal : uint8_t {
  None,       ///< it would take it
  Name,       ///< another name is meant
  File,       ///< another file is meant
  Excluded,   ///< EXCLUDE_FILE
  Flags,      ///< INPUT_SECTION_FLAGS
  Constraint, ///< ONLY_IF_RO or ONLY_IF_RW does not hold
  Unique,     ///< --unique, or a member of a group that -r keeps
  OwnComment, ///< wildcards do not match the linker's own comment
};

/// Finds the patterns of section names that may match a name.
class PatternIndex {
public:
  PatternIndex() = default;
  PatternIndex(PatternIndex &&) = default; // entries point to each other
  /// Enters a pattern under a number, the numbers ascending; null: any name.
  void add(const GlobPattern *name, uint32_t number);
  /// Calls fn with lists of the numbers that may match a name, each ascending:
  /// no other pattern matches it, not all of these do.
  template <class Fn> void forEachList(llvm::StringRef name, Fn fn) const {
    if (name.size() <= longestExact)
      if (auto it = exact.find(name); it != exact.end())
        fn(llvm::ArrayRef<uint32_t>(it->second));
    // The last text that sorts before the name begins with all those that the
    // name begins with.
    const auto behind = byPrefix.upper_bound(name);
    if (behind == byPrefix.begin())
      return;
    for (const Prefix *p = &*std::prev(behind); p; p = p->second.shorter)
      if (name.starts_with(p->first))
        fn(llvm::ArrayRef<uint32_t>(p->second.numbers));
  }

private:
  using Numbers = llvm::SmallVector<uint32_t, 2>;
  struct OfPrefix;
  using Prefix = std::pair<const llvm::StringRef, OfPrefix>;
  struct OfPrefix {
    Numbers numbers;
    const Prefix *shorter = nullptr; ///< the longest text that this begins with
  };
  llvm::StringMap<Numbers> exact; ///< patterns without wildcards
  size_t longestExact = 0;        ///< characters
  /// Others, by the text before a wildcard.
  std::map<llvm::StringRef, OfPrefix> byPrefix;
};

/// The rules of a script, in its order, and an index of their names.
class PatternRules {
public:
  explicit PatternRules(const Program &program) : program(program) {}

  /// Adds those of a description. `output`: kNone for /DISCARD/. A flag that
  /// the machine does not have is an error.
  void add(const InputDescription &description, OutputId output,
           const OutputSectionCommand &command, uint32_t slot,
           Diagnostics &diag);
  size_t size() const { return rules.size(); }
  PatternRule &operator[](uint32_t i) { return rules[i]; }
  const PatternRule &operator[](uint32_t i) const { return rules[i]; }
  auto begin() const { return rules.begin(); }
  auto end() const { return rules.end(); }

  /// The first rule from `from` on that may match a section's name and for
  /// which `fits` holds, or kNone.
  template <class Fn>
  uint32_t next(const InputSection &section, uint32_t from, Fn fits) const {
    return next(index, section, from, fits);
  }
  /// Calls fn for the rules for which `wanted` holds and that name a section,
  /// in their order.
  template <class Wanted, class Fn>
  void forEachNaming(const InputSection &s, Wanted wanted, Fn fn) const {
    auto fits = [&](const PatternRule &rule) {
      return wanted(rule) && names(rule, s);
    };
    for (uint32_t i = next(s, 0, fits); i != kNone; i = next(s, i + 1, fits))
      fn(i);
  }
  /// The first rule that takes a section, or kNone. `keepOnly`: of those with
  /// KEEP, which counts also where the rule has stepped back (GNU ld).
  uint32_t first(const InputSection &section, bool keepOnly) const;
  bool matches(const PatternRule &rule, const InputSection &section) const {
    return rule.enabled && takes(rule, section);
  }
  /// Whether a pattern names a section, with any flags.
  bool names(const PatternRule &rule, const InputSection &section) const;
  PatternRefusal refusal(const PatternRule &rule,
                         const InputSection &section) const;

private:
  template <class Fn>
  uint32_t next(const PatternIndex &index, const InputSection &section,
                uint32_t from, Fn fits) const;
  bool flagsFit(const PatternRule &rule, const InputSection &section) const;
  bool standsApart(const PatternRule &rule, const InputSection &section) const;
  /// Whether a rule takes a section, unless its output section steps back.
  bool takes(const PatternRule &rule, const InputSection &section) const;
  bool excluded(const std::vector<GlobPattern> &list,
                const InputSection &section) const;
  bool fileMatches(const InputDescription &d, const InputSection &s) const;

  const Program &program;
  std::vector<PatternRule> rules;
  PatternIndex index;
  PatternIndex keeps; ///< of those with KEEP
};

/// The rules of the script that made a placement, those of removed commands
/// disabled; their slots mean nothing. Their errors have been reported.
PatternRules rulesOf(const Program &program, const Placement &placement);

/// Whether this is the .comment that names xlink.
bool isIdentity(const InputSection &section);

template <class Fn>
uint32_t PatternRules::next(const PatternIndex &index,
                            const InputSection &section, uint32_t from,
                            Fn fits) const {
  uint32_t best = kNone;
  index.forEachList(
      section.parsed->name, [&](llvm::ArrayRef<uint32_t> candidates) {
        for (const uint32_t *it = llvm::lower_bound(candidates, from);
             it != candidates.end() && *it < best; ++it)
          if (fits(rules[*it]))
            best = *it;
      });
  return best;
}

} // namespace xlink
#endif
