//===- ShadowedPattern.cpp - patterns that come too late ------------------===//
//
// `*(.bss*)` takes .bss.core.nz, for which a later output section is written:
// memory that must survive a reset is cleared. It speaks where such a section
// is there, and the later pattern says more of its name than the earlier one,
// or which file it is of.
//
// Cost: linear in the script; a pattern is looked up by each length that a
// pattern PREFIX* has. The sections of an output section are looked at where
// another one's pattern is shadowed by it.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "placement/PatternRules.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {
namespace {

/// A pattern that an earlier one, in another output section, covers.
struct Shadowed {
  const OutputSectionCommand *owner, *earlier;
  const InputDescription *description;
  const SectionPattern *pattern, *by;
};

/// The earliest of the patterns PREFIX* of all files, by prefix.
struct GeneralPatterns {
  struct General {
    size_t number;
    const OutputSectionCommand *owner;
    const SectionPattern *pattern;
  };
  DenseMap<StringRef, General> byPrefix{};
  SmallVector<size_t, 8> lengths{}; ///< of the prefixes, sorted

  void add(const OutputSectionCommand &owner, const SectionPattern &p) {
    if (!p.name.wild || !p.name.text.ends_with("*"))
      return;
    const StringRef prefix = plainPrefix(p.name.text);
    if (prefix.empty() || prefix.size() + 1 != p.name.text.size())
      return;
    byPrefix.try_emplace(prefix, General{byPrefix.size(), &owner, &p});
    if (const auto at = lower_bound(lengths, prefix.size());
        at == lengths.end() || *at != prefix.size())
      lengths.insert(at, prefix.size());
  }
  /// The earliest that takes all that begins with a text; null: none does.
  const General *find(StringRef text) const {
    const General *first = nullptr;
    for (size_t length : lengths) {
      if (length > text.size())
        break;
      const auto it = byPrefix.find(text.take_front(length));
      if (it != byPrefix.end() && (!first || it->second.number < first->number))
        first = &it->second;
    }
    return first;
  }
};

} // namespace

static bool isOfAnyFile(const InputDescription &statement) {
  return statement.file.text == "*" && !statement.hasArchive;
}

static std::vector<Shadowed> shadowedPatterns(const Script &script) {
  GeneralPatterns general;
  std::vector<Shadowed> found;
  forEachCommand(script, [&](const OutputSectionCommand &c) {
    for (const CommandPtr &command : c.commands) {
      if (command->kind != CommandKind::InputDescription)
        continue;
      const auto &d = static_cast<const InputDescription &>(*command);
      const bool all = takesAllFiles(d);
      for (const SectionPattern &p : d.patterns) {
        const StringRef text =
            p.name.wild ? plainPrefix(p.name.text) : p.name.text;
        const auto *by = general.find(text);
        if (!by && all && p.excludeFiles.empty())
          general.add(c, p);
        // More exact: beyond the earlier one's text, or of certain files.
        if (by && by->owner != &c && !c.isDiscard() &&
            (!isOfAnyFile(d) ||
             text.size() > plainPrefix(by->pattern->name.text).size()))
          found.push_back({&c, by->owner, &d, &p, by->pattern});
      }
    }
  });
  return found;
}

void checkShadowedPatterns(const FinishedLink &finished, Findings &found) {
  const Link &link = finished.link;
  const Program &program = link.program;
  if (program.builtinScript)
    return;
  const std::vector<Shadowed> shadowed = shadowedPatterns(program.script);
  if (shadowed.empty())
    return;
  DenseMap<const OutputSectionCommand *, OutputId> ids;
  for (const OutputView &out : link.outputs())
    ids[out.command] = out.id;
  for (const Shadowed &s : shadowed) {
    const OutputId owner = ids.lookup(s.earlier);
    if (owner == kNone)
      continue;
    PatternRules rules(program);
    Diagnostics reported;
    rules.add(*s.description, owner, *s.owner, 0, reported);
    const auto rule = find_if(rules, [&](const PatternRule &each) {
      return each.pattern == s.pattern;
    });
    const OutputView out = link.output(owner);
    const auto taken = find_if(out.members, [&](SectionId id) {
      const InputSection &section = program.sections[id];
      return section.file != kNone && link.placed(id) && link.sizeOf(id) != 0 &&
             rules.names(*rule, section);
    });
    if (taken == out.members.end())
      continue;
    const SectionId id = *taken;
    found.add([&] {
      return Message{
          locationText(s.pattern->where) + "pattern '" +
              (isOfAnyFile(*s.description) ? s.pattern->name.text.str()
                                           : s.description->text.str()) +
              "' of '" + s.owner->name.str() +
              "' comes too late: " + program.sectionName(id) + " is in '" +
              out.name + "', by '" + s.by->name.text.str() + "'",
          {"it is cleared, copied or placed as '" + out.name + "' is",
           "move '" + s.owner->name.str() + "' in front of '" + out.name +
               "', or write EXCLUDE_FILE or a narrower pattern there"}};
    });
  }
}

} // namespace xlink
