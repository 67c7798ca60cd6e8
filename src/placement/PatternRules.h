//===- PatternRules.h - the patterns of a script as rules -----------------===//
#ifndef XLINK_PLACEMENT_PATTERNRULES_H
#define XLINK_PLACEMENT_PATTERNRULES_H

#include "base/Diagnostics.h"
#include "model/Placement.h"
#include "model/Program.h"
#include "placement/PatternIndex.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace xlink {

/// A section-name pattern at its place in the script.
struct PatternRule {
  const InputDescription *description;
  const SectionPattern *pattern; ///< null: any name (a bare file pattern)
  uint32_t slot;                 ///< whose it is: a number of the caller's
  uint32_t patternIndex;         ///< in the description
  OutputId output;               ///< kNone: /DISCARD/
  const OutputSectionCommand *command;
  uint64_t wantedFlags = 0, refusedFlags = 0;
  bool enabled = true;  ///< its section has not stepped back
  bool used = false;    ///< took a section
  bool byIndex = false; ///< the index offers it to names that match it alone
  bool anyFile = false; ///< of any file
};

/// Why a rule does not take a section that its name pattern names.
enum class PatternRefusal : uint8_t {
  None,       ///< it would take it
  Name,       ///< nor does it name it
  File,       ///< another file is meant
  Excluded,   ///< EXCLUDE_FILE
  Flags,      ///< INPUT_SECTION_FLAGS
  Constraint, ///< ONLY_IF_RO or ONLY_IF_RW does not hold
  Unique,     ///< --unique, or a member of a group that -r keeps
  OwnComment, ///< the linker's own comment is no input
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
  /// After the last one.
  void settle();
  size_t size() const { return rules.size(); }
  PatternRule &operator[](uint32_t i) { return rules[i]; }
  const PatternRule &operator[](uint32_t i) const { return rules[i]; }
  auto begin() const { return rules.begin(); }
  auto end() const { return rules.end(); }

  /// Those rules for which `wanted` holds.
  template <class Fn> PatternIndex indexOf(Fn wanted) const;
  /// Calls fn for the rules of an index that name a section, in their order.
  template <class Fn>
  void forEachNaming(const PatternIndex &some, const InputSection &s,
                     Fn fn) const {
    forEachNaming(some, s, stepCount, fn);
  }
  /// The same for several threads, each of which counts its own steps.
  template <class Fn>
  void forEachNaming(const PatternIndex &some, const InputSection &s,
                     uint64_t &steps, Fn fn) const;
  /// The first rule from `from` on that may match a section's name and for
  /// which `fits` holds, or kNone.
  template <class Fn>
  uint32_t next(const InputSection &section, uint32_t from, Fn fits) const;
  /// The first rule that takes a section, or kNone. `keepOnly`: of those with
  /// KEEP, which counts also where the rule has stepped back (GNU ld).
  uint32_t first(const InputSection &section, bool keepOnly) const {
    return first(section, keepOnly, stepCount);
  }
  /// The same for several threads, each of which counts its own steps.
  uint32_t first(const InputSection &section, bool keepOnly,
                 uint64_t &steps) const;
  /// Whether a rule of an index takes a section, stepped back or not.
  bool anyTakes(const PatternIndex &some, const InputSection &section,
                uint64_t &steps) const;
  bool matches(const PatternRule &rule, const InputSection &section) const;
  /// Whether a pattern names a section, with any flags.
  bool names(const PatternRule &rule, const InputSection &section) const;
  PatternRefusal refusal(const PatternRule &rule,
                         const InputSection &section) const;
  /// Number of examined rules: a measure of the work for tests.
  uint64_t steps() const { return stepCount; }

private:
  template <class Fn>
  uint32_t next(const InputSection &section, uint32_t from, uint64_t &steps,
                Fn fits) const;
  bool flagsFit(const PatternRule &rule, const InputSection &section) const;
  bool standsApart(const PatternRule &rule, const InputSection &section) const;
  bool mayTake(const PatternRule &rule, const InputSection &section) const;
  bool takesOffered(const PatternRule &rule, const InputSection &section) const;
  bool excluded(const std::vector<GlobPattern> &list,
                const InputSection &section) const;
  bool fileMatches(const InputDescription &d, const InputSection &s) const;

  const Program &program;
  std::vector<PatternRule> rules;
  PatternIndex index;
  mutable uint64_t stepCount = 0;
};

/// The rules of the script that made a placement, those of removed commands
/// disabled; their slots mean nothing. Their errors have been reported.
PatternRules rulesOf(const Program &program, const Placement &placement);

/// Whether this is the .comment that names xlink.
bool isIdentity(const InputSection &section);

template <class Fn> PatternIndex PatternRules::indexOf(Fn wanted) const {
  PatternIndex result;
  for (uint32_t i = 0; i < rules.size(); ++i)
    if (wanted(rules[i]))
      result.add(rules[i].pattern ? &rules[i].pattern->name : nullptr, i);
  result.settle();
  return result;
}

template <class Fn>
void PatternRules::forEachNaming(const PatternIndex &some,
                                 const InputSection &s, uint64_t &steps,
                                 Fn fn) const {
  llvm::SmallVector<uint32_t, 8> naming;
  some.forEachList(s.parsed->name, [&](llvm::ArrayRef<uint32_t> candidates) {
    steps += candidates.size();
    for (uint32_t i : candidates)
      if (names(rules[i], s))
        naming.push_back(i);
  });
  llvm::sort(naming);
  for (uint32_t i : naming)
    fn(i);
}

template <class Fn>
uint32_t PatternRules::next(const InputSection &section, uint32_t from,
                            Fn fits) const {
  return next(section, from, stepCount, fits);
}

template <class Fn>
uint32_t PatternRules::next(const InputSection &section, uint32_t from,
                            uint64_t &steps, Fn fits) const {
  uint32_t best = kNone;
  index.forEachList(
      section.parsed->name, [&](llvm::ArrayRef<uint32_t> candidates) {
        for (const uint32_t *it = llvm::lower_bound(candidates, from);
             it != candidates.end() && *it < best; ++it) {
          ++steps;
          if (fits(rules[*it]))
            best = *it;
        }
      });
  return best;
}

} // namespace xlink
#endif
