//===- PatternRules.cpp ---------------------------------------------------===//
//
// Problem: a pattern tests a section's name, its file, its flags, and whether
// its output section takes any inputs. Placement needs the first pattern that
// fits, and its explanation also why the others do not.
//
// Method: every name pattern becomes a rule with its position in the script. An
// index finds the few that may match a name: a pattern without wildcards by the
// whole name, others by the text before their first wildcard. The first one
// that fits counts.
//
// Cost: a hash look-up and a search in a tree, which gives each such text that
// the name begins with; then a comparison for each rule that may match the
// name. Those that begin with a wildcard may match every name.
//
//===----------------------------------------------------------------------===//
#include "placement/PatternRules.h"
#include "placement/Placement.h"
#include "script/ScriptParser.h"

using namespace llvm;

namespace xlink {

void PatternIndex::add(const GlobPattern *name, uint32_t number) {
  if (name && !name->wild) {
    exact[name->text].push_back(number);
    longestExact = std::max(longestExact, name->text.size());
    return;
  }
  const StringRef prefix = name ? plainPrefix(name->text) : "";
  const auto [it, isNew] = byPrefix.try_emplace(prefix);
  it->second.numbers.push_back(number);
  if (!isNew)
    return;
  const Prefix *shorter = it == byPrefix.begin() ? nullptr : &*std::prev(it);
  while (shorter && !prefix.starts_with(shorter->first))
    shorter = shorter->second.shorter;
  it->second.shorter = shorter;
  for (auto longer = std::next(it);
       longer != byPrefix.end() && longer->first.starts_with(prefix); ++longer)
    if (longer->second.shorter == shorter)
      longer->second.shorter = &*it;
}

bool isIdentity(const InputSection &s) {
  return s.file == kNone && s.parsed->name == ".comment";
}

void PatternRules::add(const InputDescription &d, OutputId output,
                       const OutputSectionCommand &command, uint32_t slot,
                       Diagnostics &diag) {
  PatternRule rule{};
  rule.description = &d;
  rule.slot = slot;
  rule.output = output;
  rule.command = &command;
  rule.enabled = true;
  rule.wantedFlags = d.wantedFlags;
  rule.refusedFlags = d.refusedFlags;
  for (auto [name, negated] : d.machineFlags) {
    const auto flag = find_if(
        program.target->sectionFlags,
        [&, name = name](const SectionFlagName &f) { return name == f.name; });
    if (flag == program.target->sectionFlags.end())
      diag.error(locationText(d.where) + "unknown section flag '" + name.str() +
                 "'");
    else
      (negated ? rule.refusedFlags : rule.wantedFlags) |= flag->flag;
  }
  auto addRule = [&](const PatternRule &added) {
    const GlobPattern *name = added.pattern ? &added.pattern->name : nullptr;
    index.add(name, uint32_t(rules.size()));
    if (d.keep)
      keeps.add(name, uint32_t(rules.size()));
    rules.push_back(added);
  };
  if (d.patterns.empty())
    addRule(rule);
  for (uint32_t i = 0; i < d.patterns.size(); ++i) {
    rule.pattern = &d.patterns[i];
    rule.patternIndex = i;
    addRule(rule);
  }
}

/// The names of a section's file that patterns test; empty for the linker's
/// own.
struct FileNames {
  StringRef member, archive;
};
static FileNames namesOf(const Program &program, const InputSection &s) {
  if (s.file == kNone)
    return {};
  const ParsedObject &object = *program.files[s.file].object;
  return {object.member(), object.archive};
}

/// "archive:member", "archive:" for all of its members, and ":file" for a file
/// that is in no archive.
static bool isMember(const GlobPattern &archive, const GlobPattern &member,
                     const FileNames &names) {
  if (archive.text.empty())
    return names.archive.empty() && globMatch(member, names.member);
  return !names.archive.empty() && globMatch(archive, names.archive) &&
         (member.text.empty() || globMatch(member, names.member));
}

/// Whether a list of EXCLUDE_FILE names a section's file.
bool PatternRules::excluded(const std::vector<GlobPattern> &list,
                            const InputSection &s) const {
  if (list.empty())
    return false;
  const FileNames names = namesOf(program, s);
  const StringRef member = names.member, archive = names.archive;
  return any_of(list, [&](const GlobPattern &g) {
    size_t colon = g.text.find(':');
    if (colon == StringRef::npos)
      return globMatch(g, member) ||
             (!archive.empty() && globMatch(g, archive));
    return isMember({g.text.take_front(colon), true},
                    {g.text.drop_front(colon + 1), true}, names);
  });
}

/// Whether a section's file is one that a description means, exclusions aside.
bool PatternRules::fileMatches(const InputDescription &d,
                               const InputSection &s) const {
  if (!d.hasArchive && d.file.text == "*")
    return true;
  const FileNames names = namesOf(program, s);
  if (d.hasArchive)
    return isMember(d.archive, d.member, names);
  // A plain name can be that of the archive (GNU ld).
  return globMatch(d.file, names.member) ||
         (!d.file.wild && !names.archive.empty() &&
          d.file.text == names.archive);
}

bool PatternRules::flagsFit(const PatternRule &rule,
                            const InputSection &s) const {
  // COMMON has no flags (GNU ld).
  const uint64_t flags = isCommon(s) ? 0 : s.parsed->fileFlags();
  return (flags & rule.wantedFlags) == rule.wantedFlags &&
         !(flags & rule.refusedFlags);
}

/// Whether no pattern takes it. A member of a group may still be dropped.
bool PatternRules::standsApart(const PatternRule &rule,
                               const InputSection &s) const {
  return standsAlone(program, s) && (rule.output != kNone || !s.parsed->group);
}

bool PatternRules::takes(const PatternRule &rule, const InputSection &s) const {
  if (standsApart(rule, s))
    return false;
  // xlink's own .comment is no input: `*` must not load it.
  const bool wild = !rule.pattern || rule.pattern->name.wild;
  if (wild && rule.output != kNone && isIdentity(s))
    return false;
  return flagsFit(rule, s) && names(rule, s);
}

bool PatternRules::names(const PatternRule &rule, const InputSection &s) const {
  if (rule.pattern && (!globMatch(rule.pattern->name, s.parsed->name) ||
                       excluded(rule.pattern->excludeFiles, s)))
    return false;
  const InputDescription &d = *rule.description;
  return !excluded(d.excludeFiles, s) && fileMatches(d, s);
}

PatternRefusal PatternRules::refusal(const PatternRule &rule,
                                     const InputSection &s) const {
  if (matches(rule, s))
    return PatternRefusal::None;
  if (rule.pattern && !globMatch(rule.pattern->name, s.parsed->name))
    return PatternRefusal::Name;
  if (!fileMatches(*rule.description, s))
    return PatternRefusal::File;
  if (!names(rule, s))
    return PatternRefusal::Excluded;
  if (!flagsFit(rule, s))
    return PatternRefusal::Flags;
  if (standsApart(rule, s))
    return PatternRefusal::Unique;
  return rule.enabled ? PatternRefusal::OwnComment : PatternRefusal::Constraint;
}

PatternRules rulesOf(const Program &program, const Placement &placement) {
  PatternRules rules(program);
  Diagnostics reported;
  for (OutputId id : placement.outputs.ids()) {
    const OutputSection &out = placement.outputs[id];
    if (!out.command)
      continue;
    const uint32_t begin = uint32_t(rules.size());
    for (const CommandPtr &child : out.command->commands)
      if (child->kind == CommandKind::InputDescription)
        rules.add(static_cast<const InputDescription &>(*child),
                  out.command->isDiscard() ? OutputId() : id, *out.command, 0,
                  reported);
    if (out.dropped && !out.command->isDiscard())
      for (uint32_t i = begin; i < rules.size(); ++i)
        rules[i].enabled = false;
  }
  return rules;
}

uint32_t PatternRules::first(const InputSection &section, bool keepOnly) const {
  return next(keepOnly ? keeps : index, section, 0,
              [&](const PatternRule &rule) {
                return (keepOnly || rule.enabled) && takes(rule, section);
              });
}

} // namespace xlink
