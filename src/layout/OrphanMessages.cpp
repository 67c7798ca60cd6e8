//===- OrphanMessages.cpp -------------------------------------------------===//
#include "layout/OrphanMessages.h"
#include "base/SpellingHints.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include <iterator>
#include <string>
#include <vector>

using namespace llvm;

namespace xlink {

std::optional<StringRef> tableFamily(StringRef name) {
  static const char *const tables[] = {".ctors", ".dtors", ".init_array",
                                       ".fini_array", ".preinit_array"};
  const StringRef family = name.take_front(name.find('.', 1));
  return is_contained(tables, family) ? std::optional(family) : std::nullopt;
}

void reportUncalled(const Program &program, SectionId id, StringSet<> &reported,
                    Diagnostics &diag) {
  const InputSection &s = program.sections[id];
  const std::optional<StringRef> family = tableFamily(s.parsed->name);
  if (!family || s.file == kNone || s.parsed->size == 0 ||
      !reported.insert(*family).second)
    return;
  diag.warn(WarningGroup::Orphan,
            program.sectionName(id) +
                ": nothing calls what this section lists: the built-in "
                "script of " +
                program.target->name + " has no place for '" + family->str() +
                "'");
}

/// Whether two similar names are both usual: ".data1" beside ".data", ".ctors"
/// beside ".dtors".
static bool differOnPurpose(StringRef a, StringRef b) {
  auto bare = [](StringRef s) { return s.rtrim("0123456789").rtrim('.'); };
  if (bare(a) == bare(b) || a.starts_with(b) || b.starts_with(a))
    return true;
  static const char *const known[] = {
      ".text",          ".rodata", ".data",    ".bss",        ".sdata",
      ".sbss",          ".tdata",  ".tbss",    ".init",       ".fini",
      ".ctors",         ".dtors",  ".comment", ".init_array", ".fini_array",
      ".preinit_array", "COMMON"};
  return is_contained(known, bare(a)) && is_contained(known, bare(b));
}

void reportUnmatched(const Program &program, const Placement &placement,
                     const Liveness &liveness,
                     const StringMap<SectionId> &withoutPattern,
                     Diagnostics &diag) {
  std::vector<StringRef> orphans;
  for (const auto &entry : withoutPattern)
    orphans.push_back(entry.first());
  SpellingHints hints(std::move(orphans));
  for (const UnmatchedPattern &u : placement.unmatched) {
    StringRef name = u.pattern->name.text;
    if (u.pattern->name.wild && !name.consume_back("*"))
      name = StringRef();
    std::string near = name.empty() ? "" : hints.near(name);
    if (differOnPurpose(name, near))
      near.clear();
    if (near.empty() && !program.config.warnUnmatched)
      continue;
    std::vector<std::string> notes;
    if (!near.empty())
      if (const SectionId id = withoutPattern.lookup(near); !liveness.lives(id))
        notes.push_back("'" + near + "' of " +
                        program.fileName(program.sections[id].file) +
                        " was dropped by --gc-sections");
    diag.warn(WarningGroup::Script,
              locationText(u.pattern->where) + "pattern '" +
                  u.pattern->name.text.str() + "'" +
                  (u.description->keep ? " of KEEP" : "") +
                  " matches no section" +
                  (near.empty() ? "" : "; did you mean '" + near + "'?"),
              std::move(notes));
  }
}

} // namespace xlink
