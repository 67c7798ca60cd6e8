//===- ScriptCheck.cpp - a script without objects -------------------------===//
//
// --check-script: which of its patterns an earlier one leaves nothing to, which
// memory regions share addresses, are not declared or not used, and which names
// objects have to define. The parser has reported what it does not understand.
//
// Cost: each pattern is compared with the ones before it that take sections of
// all files.
//
//===----------------------------------------------------------------------===//
#include "checks/CheckTable.h"
#include "layout/Checks.h"
#include "model/ScriptVisitor.h"
#include "script/ScriptEvaluator.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace xlink {

/// Whether everything that `later` matches is matched by `first`.
static bool covers(const GlobPattern &first, const GlobPattern &later) {
  if (!first.wild)
    return !later.wild && first.text == later.text;
  const StringRef prefix = plainPrefix(first.text);
  return first.text == (prefix + "*").str() &&
         (later.wild ? plainPrefix(later.text) : later.text)
             .starts_with(prefix);
}

bool takesAllFiles(const InputDescription &statement) {
  return statement.file.text == "*" && !statement.hasArchive &&
         statement.excludeFiles.empty() && !statement.wantedFlags &&
         !statement.refusedFlags && statement.machineFlags.empty();
}

namespace {

/// ORIGIN and LENGTH of the regions so far; nothing else has a value.
struct RegionValues : EvaluationEnvironment {
  StringMap<RegionInfo> regions;
  bool unknown = false; ///< something without a value was read

  std::optional<RegionInfo> region(StringRef name) override {
    const auto it = regions.find(name);
    return it == regions.end() ? std::nullopt : std::optional(it->second);
  }
  void problem(const ScriptLocation &, std::string) override { unknown = true; }
};

struct ScriptChecker {
  const Script &script;
  Diagnostics &diag;

  void warn(const ScriptLocation &where, const std::string &text) {
    diag.warn(WarningGroup::Script, locationText(where) + text);
  }

  /// Calls fn for each node of the script's expressions.
  template <class Fn> void forEachExpr(Fn fn) {
    const auto visit = [&](const Expr &e, ExprRole) { forEachNode(&e, fn); };
    for (const MemoryCommand &m : script.memory)
      forEachExpression(m, visit);
    forEachCommand(script, [&](const ScriptCommand &command) {
      forEachExpression(command, visit);
    });
  }

  /// Patterns that an earlier one of all files covers. Returns their number.
  size_t checkPatterns() {
    size_t count = 0;
    std::vector<const SectionPattern *> general;
    const auto check = [&](const SectionPattern &p, bool ofAllFiles) {
      ++count;
      const auto earlier = find_if(general, [&](const SectionPattern *g) {
        return g->isCommon() == p.isCommon() && covers(g->name, p.name);
      });
      if (earlier == general.end() && ofAllFiles && p.excludeFiles.empty())
        return general.push_back(&p);
      if (earlier == general.end())
        return;
      const std::string place = locationText((*earlier)->where);
      warn(p.where, "pattern '" + p.name.text.str() + "' takes nothing: '" +
                        (*earlier)->name.text.str() + "' at " +
                        StringRef(place).rtrim(": ").str() + " takes it first");
    };
    forEachCommand(script, [&](const InputDescription &d) {
      const bool all = takesAllFiles(d);
      for (const SectionPattern &p : d.patterns)
        check(p, all);
    });
    return count;
  }

  /// Regions that are not declared or not used. Returns the number of output
  /// sections.
  size_t checkRegionNames() {
    DenseSet<const MemoryCommand *> used;
    StringSet<> reported;
    const auto use = [&](StringRef name, const ScriptLocation &where) {
      const auto m = find_if(script.memory, [&](const MemoryCommand &each) {
        return each.name == name || is_contained(each.aliases, name);
      });
      if (m != script.memory.end())
        used.insert(&*m);
      else if (!name.empty() && reported.insert(name).second)
        diag.error(locationText(wordPlace(script, name, where)) +
                   undeclaredRegion(script, name));
    };
    size_t count = 0;
    bool byAttributes = false; // a section that looks for its region itself
    const auto useOf = [&](const auto &section) {
      use(section.region, section.where);
      use(section.lmaRegion, section.where);
    };
    forEachCommand(script,
                   ScriptVisitor{[&](const OutputSectionCommand &c) {
                                   ++count;
                                   useOf(c);
                                   byAttributes |=
                                       !c.isDiscard() && c.region.empty();
                                 },
                                 [&](const OverlayCommand &c) { useOf(c); }});
    forEachExpr([&](const Expr &e) {
      if (e.kind == ExprKind::Origin || e.kind == ExprKind::Length)
        use(e.name, e.where);
    });
    for (const MemoryCommand &m : script.memory)
      if (!used.contains(&m) && !(byAttributes && m.hasAttributes))
        warn(m.where, "region '" + m.name.str() + "' is not used");
    return count;
  }

  /// Regions whose places need no symbol and that share addresses.
  void checkRegionPlaces() {
    RegionValues values;
    std::vector<std::pair<std::string, RegionPlace>> known;
    for (const MemoryCommand &m : script.memory) {
      values.unknown = !m.origin || !m.length;
      RegionPlace place;
      if (!values.unknown) {
        place.origin = evaluate(*m.origin, values).value;
        place.length = evaluate(*m.length, values).value;
      }
      if (values.unknown || place.length == 0)
        continue;
      values.regions[m.name] = {place.origin.wrapped(), uint64_t(place.length)};
      const std::string text =
          "'" + m.name.str() + "' " + addressRange(place.origin, place.length);
      for (const auto &[other, at] : known)
        if (at.origin < place.end() && place.origin < at.end())
          warn(m.where,
               "regions " + other + " and " + text + " share addresses");
      known.emplace_back(text, place);
    }
  }

  /// Names that no statement gives a value.
  void listNames() {
    StringSet<> given;
    MapVector<StringRef, ScriptLocation> read;
    forEachCommand(script,
                   [&](const AssignmentCommand &a) { given.insert(a.name); });
    forEachExpr([&](const Expr &e) {
      if (e.kind == ExprKind::Symbol && !given.contains(e.name))
        read.insert({e.name, e.where});
    });
    if (!script.entry.empty() && !given.contains(script.entry))
      read.insert({script.entry, wordPlace(script, script.entry, {})});
    for (const auto &[name, where] : read)
      diag.note(locationText(where) + "'" + name.str() +
                "' has to be defined by an object or --defsym");
  }
};

} // namespace

void checkScript(const Program &program, Diagnostics &diag) {
  const Script &script = program.script;
  if (program.builtinScript && !script.hasSections)
    return diag.error("option '--check-script': no script is named; use -T");
  if (script.misread || diag.failed())
    return;
  ScriptChecker checker{script, diag};
  const size_t patterns = checker.checkPatterns();
  const size_t sections = checker.checkRegionNames();
  checker.checkRegionPlaces();
  checker.listNames();
  diag.note(countOf(sections, "output section", "output sections") + ", " +
            countOf(patterns, "pattern", "patterns") + ", " +
            countOf(script.memory.size(), "memory region", "memory regions"));
}

} // namespace xlink
