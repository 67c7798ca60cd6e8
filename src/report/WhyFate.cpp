//===- WhyFate.cpp --------------------------------------------------------===//
//
// Problem: what is not in the output may never have come in, may have lost
// against another copy, been discarded, folded or collected; who asks wants to
// know which, and by whom.
//
// Method: the phases in their order; the first one that dropped it has decided.
// Copies of a group and offers of archives are looked up in maps that are made
// when the first question needs them.
//
// Cost: a few look-ups a question; each map one visit of the groups or of the
// unused members.
//
//===----------------------------------------------------------------------===//
#include "report/WhyFate.h"
#include "layout/ReferenceChecks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

void Fate::addTo(json::Object &answer) const {
  static constexpr const char *names[] = {
      "lives",     "dead piece", "collected", "comdat",      "excluded",
      "stripped",  "discarded",  "orphan",    "folded",      "not extracted",
      "undefined", "no section", "linker",    "unwind table"};
  answer["fate"] = names[kind];
  if (!by.empty())
    answer["by"] = json::Object(by);
}

/// The file whose copy is in force instead of a section; kNone: none is known.
FileId Fates::winnerOf(SectionId id) {
  if (!knowsGroups) {
    knowsGroups = true;
    for (FileId f : program.files.ids()) {
      const InputFile &file = program.files[f];
      for (const ParsedGroup &group : file.object->groups)
        if (group.comdat && !group.members.empty() &&
            !program.sections[file.sectionBase + group.members.front()]
                 .discarded)
          groups.try_emplace(group.signature, f);
      for (uint32_t i = 1; i < file.object->sections.size(); ++i)
        if (const ParsedSection &p = file.object->sections[i];
            p.name.starts_with(".gnu.linkonce.") &&
            !program.sections[file.sectionBase + i].discarded)
          groups.try_emplace(p.name, f);
    }
  }
  const InputSection &s = program.sections[id];
  const ParsedObject &object = *program.files[s.file].object;
  auto it =
      groups.find(s.parsed->group ? object.groups[s.parsed->group - 1].signature
                                  : s.parsed->name);
  return it == groups.end() ? FileId() : it->second;
}

/// What a phase before the collection dropped.
Fate Fates::ofDiscarded(SectionId id) {
  const InputSection &s = program.sections[id];
  if (s.discarded) {
    if (s.parsed->kind != SectionKind::Regular ||
        isWarningSection(s.parsed->name))
      return {Fate::Excluded, "is in a section that only the linker reads"};
    if ((s.parsed->flags & ELF::SHF_EXCLUDE) && !program.config.relocatable)
      return {Fate::Excluded, "is marked SHF_EXCLUDE: it enters no program"};
    if (isBuildId(*s.parsed))
      return {Fate::Excluded, "is the build ID of an input"};
    const FileId winner = s.file == kNone ? FileId() : winnerOf(id);
    const bool stripped = program.config.strip != Strip::None &&
                          !(s.parsed->flags & ELF::SHF_ALLOC);
    if (stripped && (winner == kNone || winner == s.file))
      return {Fate::Stripped, "is debug information, which is stripped"};
    if (winner == kNone)
      return {Fate::Comdat, "lost against another copy of the same"};
    return {Fate::Comdat,
            "lost against the copy of the same in " + program.fileName(winner),
            json::Object{{"file", json::fixUTF8(program.filePath(winner))}}};
  }
  if (context.search().matched().sections[id].discarded) {
    const uint32_t i = context.rules().first(s, /*keepOnly=*/false);
    if (i == kNone)
      return {Fate::Script, "is discarded by /DISCARD/"};
    Said said = WhyContext::rule(context.rules()[i]);
    return {Fate::Script, "is discarded by /DISCARD/: " + said.text,
            std::move(said.json)};
  }
  const bool moved = link.placement.laterMatches.contains(id);
  return {Fate::Orphan,
          moved ? "found no room in its regions, and moved on to /DISCARD/"
          : isCommon(s) ? "is COMMON, which /DISCARD/ is the first to ask for"
                        : "matches no pattern, and --orphan-handling=discard "
                          "drops it"};
}

Fate Fates::ofSection(SectionId id) {
  const InputSection &s = program.sections[id];
  if (link.placement.sections[id].discarded)
    return ofDiscarded(id);
  if (!link.contributions.liveness.lives(id))
    return {Fate::Collected, "is dropped by --gc-sections"};
  if (const SectionId folded = link.contributions.sections[id].folded;
      folded != kNone)
    return {Fate::Folded,
            "is stored once with the identical " + program.sectionName(folded) +
                " (--icf)",
            context.jsonOf(folded)};
  if (s.file == kNone)
    return {Fate::LinkerMade, "is made by the linker, and never collected"};
  if (s.parsed->name == ".eh_frame" && !context.search().find(id))
    return {Fate::Cut, "is an unwind table: each of its records lives with "
                       "its function"};
  return {};
}

/// "f, g and 3 more"
static std::string listText(const Program &program, ArrayRef<StringRef> names) {
  constexpr size_t most = 5;
  std::string result;
  for (StringRef name : names.take_front(most))
    result += (result.empty() ? "" : ", ") + program.shownName(name);
  if (names.size() > most)
    result += " and " + std::to_string(names.size() - most) + " more";
  return result;
}

Fate Fates::ofUnused(const UnusedMember &member) {
  std::string result = "was not extracted: ";
  if (member.symbols.empty())
    return {Fate::Unused, result + "it defines no symbol that others can see"};
  std::vector<StringRef> wanted, defined;
  for (StringRef name : member.symbols) {
    const SymbolId id = program.symbols.find(name);
    if (id == kNone || !program.symbols[id].referenced)
      continue;
    const Symbol &s = program.symbols[id];
    (s.isDefined() || s.scriptDefined ? defined : wanted).push_back(name);
  }
  if (!wanted.empty())
    result += "only weak references ask for " + listText(program, wanted);
  else if (!defined.empty())
    result +=
        "others define what is asked for of it, " + listText(program, defined);
  else
    result += "nothing refers to what it defines, " +
              listText(program, member.symbols);
  return {Fate::Unused, result};
}

Fate Fates::ofSymbol(const WhyTarget &target) {
  const Symbol &s = program.symbols[target.symbol];
  const BoundSymbol bound = link.symbol(target.symbol);
  if (bound.linkerDefined)
    return {Fate::NoSection, "is defined by the linker, in no input section"};
  if (bound.kind == SymbolKind::Output || bound.scriptDefined)
    return {Fate::NoSection,
            "is assigned by the script or --defsym, in no input section"};
  if (s.kind == SymbolKind::Absolute)
    return {Fate::NoSection, "is an absolute value of " +
                                 program.fileName(s.file) + ", in no section"};
  if (!knowsOffers) {
    knowsOffers = true;
    for (uint32_t i = 0; i < program.unusedMembers.size(); ++i)
      for (StringRef name : program.unusedMembers[i].symbols)
        offers.try_emplace(name, i);
  }
  auto offer = offers.find(s.name);
  if (offer == offers.end())
    return {Fate::Undefined, "is defined by nothing in this link"};
  const std::string &path = program.unusedMembers[offer->second].path;
  return {Fate::Undefined,
          "is not in the link: " + path +
              ", which defines it, was not extracted: " +
              (s.strongReference ? "it was not found to be needed"
               : s.referenced    ? "only weak references ask for it"
                                 : "nothing refers to it"),
          json::Object{{"file", json::fixUTF8(path)}}};
}

std::pair<uint64_t, uint64_t> Fates::pieceOf(const WhyTarget &target) const {
  const std::pair<uint64_t, uint64_t> all(0, ~uint64_t(0));
  if (!target.isSymbol() || target.section == kNone)
    return all;
  const Contribution &c = link.contributions.sections[target.section];
  if (c.merge == kNone)
    return all;
  const std::vector<uint32_t> &starts =
      link.contributions.merges[c.merge].inputs[c.mergeIndex].starts;
  auto next = llvm::upper_bound(starts, target.offset);
  return {next == starts.begin() ? 0 : *std::prev(next),
          next == starts.end() ? all.second : *next};
}

Fate Fates::of(const WhyTarget &target) {
  if (target.kind == WhyTarget::Unused)
    return ofUnused(program.unusedMembers[target.member]);
  if (target.section == kNone)
    return ofSymbol(target);
  Fate fate = ofSection(target.section);
  if (fate.kind == Fate::Lives && target.isSymbol() &&
      link.isDeadPiece(target.section, target.offset))
    return {Fate::DeadPiece, "is a piece of a section that lives, but nothing "
                             "that lives refers to the piece"};
  return fate;
}

} // namespace xlink
