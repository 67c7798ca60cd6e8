//===- Why.cpp - phrases of answers, and fates of targets -----------------===//
//
// Problem: questions about a link need the same tables and the same phrases:
// places, functions, source lines, references, patterns. A hundred thousand
// questions may ask for chains of thousands of references each.
//
// Method: a table is made when a question first needs it. Chains are printed
// whole as long as there are few; from then on a chain ends at the first thing
// whose own chain stands further above.
//
// The fate of a target is decided by the first phase that dropped it. Copies of
// a group and offers of archives are looked up in maps.
//
// Cost: one search of the graph for all questions; every section stands in at
// most one chain, those at the beginning aside, of which a bounded number of
// steps is printed. A fate takes a few look-ups, each map one visit of the
// groups or of the unused members.
//
//===----------------------------------------------------------------------===//
#include "report/Why.h"
#include "layout/Checks.h"
#include "report/ScriptText.h"
#include "resolve/ScriptSymbols.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

void WhyAnswer::add(const Twine &words, json::Value value, const char *member) {
  line(words);
  json::Value &list = json[member];
  if (!list.getAsArray())
    list = json::Array();
  list.getAsArray()->push_back(std::move(value));
}

void ChainPrinter::add(WhyAnswer &answer, uint32_t thing, const Links &links) {
  std::vector<uint32_t> chain; // from the end to the beginning
  const bool whole = left != 0;
  bool continued = false;
  for (uint32_t at = thing; at != kNone && !continued;) {
    chain.push_back(at);
    // The end of a chain has a step of its own in any case.
    continued = shown.test(at) && !whole && at != thing;
    shown.set(at);
    left -= left != 0;
    if (!continued)
      at = links.before(at, chain.size() == 1);
  }
  links.begin(chain.back(), chain.size() == 1, continued);
  for (size_t i = chain.size() - 1; i-- > 0;) {
    Phrase step = links.step(chain[i], i == 0);
    answer.add(step.text, std::move(step.json), "chain");
  }
}

const LiveSearch &WhyContext::search() {
  if (!liveSearch)
    liveSearch.emplace(program);
  return *liveSearch;
}

const PatternRules &WhyContext::rules() {
  if (!patternRules)
    patternRules.emplace(rulesOf(program, link.placement));
  return *patternRules;
}

void WhyContext::ask(const char *option,
                     const std::vector<std::string> &questions, unsigned wanted,
                     function_ref<WhyAnswer(const WhyTarget &)> answer) {
  for (const std::string &text : questions) {
    if (!names)
      names.emplace(program);
    const std::vector<WhyTarget> targets = names->find(text, wanted);
    if (targets.empty())
      diag.warn(WarningGroup::General,
                "option '" + std::string(option) +
                    "': " + names->unknownText(text, wanted));
    question(text, [&] {
      for (const WhyTarget &target : targets)
        give(answer(target));
    });
  }
}

void WhyContext::question(StringRef question, function_ref<void()> answers) {
  json->object([&] {
    json->attributeArray("answers", answers);
    if (!question.empty())
      json->attribute("question", json::fixUTF8(question));
  });
}

void WhyContext::give(WhyAnswer answer) {
  text += answer.text;
  json->value(std::move(answer.json));
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static json::Value jsonText(StringRef s) { return json::fixUTF8(s); }

std::string WhyContext::titleOf(const WhyTarget &target) {
  if (target.kind == WhyTarget::Section)
    return program.sectionName(target.section);
  if (target.kind == WhyTarget::Member)
    return program.fileName(target.file);
  if (target.kind == WhyTarget::Unused)
    return printable(program.unusedMembers[target.member].path);
  const std::string name = program.shownName(target.name);
  return target.section == kNone
             ? name
             : name + " in " + program.sectionName(target.section);
}

WhyAnswer WhyContext::begin(const char *why, const WhyTarget &target,
                            const Fate &fate) {
  static constexpr const char *names[] = {
      "lives",     "dead piece", "collected", "comdat",      "excluded",
      "stripped",  "discarded",  "orphan",    "folded",      "not extracted",
      "undefined", "no section", "linker",    "unwind table"};
  WhyAnswer answer{std::string(why) + ": " + titleOf(target) + "\n",
                   jsonOf(target)};
  answer.json["fate"] = names[fate.kind];
  if (!fate.by.empty())
    answer.json["by"] = json::Object(fate.by);
  return answer;
}

json::Object WhyContext::jsonOf(SectionId section,
                                std::optional<uint64_t> offset) {
  const InputSection &s = program.sections[section];
  json::Object o{{"file", jsonText(program.filePath(s.file))},
                 {"section", jsonText(s.parsed ? s.parsed->name : "")}};
  if (offset)
    o["offset"] = int64_t(*offset + program.moreOf(section).cutAt);
  return o;
}

json::Object WhyContext::jsonOf(const WhyTarget &target) {
  json::Object o;
  if (target.kind == WhyTarget::Unused)
    o["file"] = jsonText(program.unusedMembers[target.member].path);
  else if (target.kind == WhyTarget::Member)
    o["file"] = jsonText(program.filePath(target.file));
  else if (target.section != kNone)
    o = target.isSymbol() ? jsonOf(target.section, target.offset)
                          : jsonOf(target.section);
  if (target.isSymbol())
    o["symbol"] = jsonText(target.name);
  return o;
}

/// Adds `script` and `line`, where the script says so.
static void addLine(json::Object &object, const ScriptLocation &where) {
  if (!where.line)
    return;
  object["script"] = jsonText(where.file);
  object["line"] = int64_t(where.line);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The symbol that a relocation of a file names, as in the file; "" for a
/// section.
StringRef WhyContext::symbolOf(FileId file, const Relocation &rel) const {
  const InputFile &f = program.files[file];
  const SymbolId id = program.symbolIds[f.symbolBase + rel.symbol];
  if (id != kNone)
    return program.symbols[id].name;
  const ParsedSymbol &s = f.object->symbols[rel.symbol];
  return s.type == ELF::STT_SECTION ? StringRef() : s.name;
}

Phrase WhyContext::reference(SectionId from, const LiveLink &link) {
  const Relocation &rel = *link.relocation;
  const StringRef symbol = symbolOf(program.sections[link.at].file, rel);
  const RelocationRow *row = findRelocation(*program.target, rel.type);
  const char *const relocation = row ? row->name : "an unknown relocation";
  Phrase phrase{program.place(link.at, rel.offset)};
  json::Object at = jsonOf(link.at, rel.offset);
  if (const ParsedSymbol *in = enclosing.find(link.at, rel.offset)) {
    phrase.text += " in " + program.shownName(in->name);
    at["function"] = jsonText(in->name);
  }
  if (link.at != from)
    phrase.text += ", an unwind record of " + program.sectionName(from) + ",";
  phrase.text +=
      " refers to " + (symbol.empty() ? program.place(link.to, link.offset)
                                      : program.shownName(symbol));
  if (!symbol.empty())
    phrase.json["symbol"] = jsonText(symbol);
  if (link.name != kNone)
    phrase.text += ", which means all sections called " +
                   printable(program.sections[link.to].parsed->name);
  phrase.text += std::string(", ") + relocation;
  phrase.json["relocation"] = relocation;
  if (const std::string line = program.sourceLine(link.at, rel.offset);
      !line.empty()) {
    phrase.text += ", at " + line;
    const auto [file, number] = StringRef(line).rsplit(':');
    int64_t n = 0;
    json::Object source{{"file", jsonText(file)}};
    if (!number.getAsInteger(10, n))
      source["line"] = n;
    at["source"] = std::move(source);
  }
  phrase.json["at"] = std::move(at);
  return phrase;
}

Phrase WhyContext::step(const LiveSearch::Edge &edge) {
  static constexpr const char *kinds[] = {"none",      "root",  "reference",
                                          "dependent", "group", "description"};
  const LiveLink &link = edge.link;
  Phrase phrase = link.relocation ? reference(edge.from, link) : Phrase();
  const std::string to = program.sectionName(link.to),
                    from = program.sectionName(edge.from);
  if (link.kind == LiveEdge::Dependent) {
    const InputSection &a = program.sections[edge.from],
                       &b = program.sections[link.to];
    phrase.text = (b.parsed->flags & ELF::SHF_LINK_ORDER) && a.file == b.file &&
                          program.moreOf(link.to).link == a.index
                      ? to + " describes " + from + " (SHF_LINK_ORDER)"
                      : to + " lives with " + from;
  } else if (link.kind == LiveEdge::Group) {
    phrase.text = to + " is in one section group with " + from;
  } else if (link.kind == LiveEdge::Description) {
    phrase.text = to + " describes its file, of which " + from + " lives";
  }
  phrase.json["kind"] = kinds[link.kind];
  phrase.json["to"] = jsonOf(link.to);
  if (link.at != edge.from)
    phrase.json["from"] = jsonOf(edge.from);
  return phrase;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Where the pattern of a rule stands.
static const ScriptLocation &placeOf(const PatternRule &rule) {
  return rule.pattern ? rule.pattern->where : rule.description->where;
}

/// Where the script names a symbol that it needs.
ScriptLocation WhyContext::scriptPlace(SymbolId symbol) {
  if (scriptWords.empty()) {
    for (StringRef word : program.script.externs)
      scriptWords.try_emplace(word, word);
    for (StringRef word : symbolsReadByScript(program))
      scriptWords.try_emplace(word, word);
  }
  const auto it = scriptWords.find(program.symbols[symbol].name);
  return it == scriptWords.end() ? ScriptLocation()
                                 : wordPlace(program.script, it->second, {});
}

Phrase WhyContext::reason(const LiveRoot &root, SectionId section) {
  // By LiveRoot::Kind; % is the symbol.
  static constexpr std::pair<const char *, const char *> kReasons[] = {
      {"entry", "entry symbol %, "},
      {"undefined", "-u %"},
      {"require-defined", "--require-defined=%"},
      {"init", "--init or --fini names %"},
      {"undefined-glob", "--undefined-glob matches %"},
      {"extern", "EXTERN(%)"},
      {"script", "the script or --defsym reads %"},
      {"keep", "KEEP"},
      {"retained", "marked to be retained (SHF_GNU_RETAIN)"},
      {"initialisers", "start-up code runs it, or what it lists"},
      {"note", "notes are not collected"},
      {"uncollected", "describes what is not collected"},
      {"uncollected", "not collected"},
      {"unwind", "an unwind record of code in no input section"}};
  auto [kind, words] = kReasons[root.kind];
  const char *more = "";
  ScriptLocation where;
  if (root.kind == LiveRoot::Entry) {
    more = program.config.entry           ? "by -e"
           : program.script.entry.empty() ? "the machine's usual one"
                                          : "by ENTRY";
    if (!program.config.entry && !program.script.entry.empty())
      where = wordPlace(program.script, program.script.entry, {});
  } else if (root.kind == LiveRoot::Extern ||
             root.kind == LiveRoot::ReadByScript) {
    where = scriptPlace(root.symbol);
    if (root.kind == LiveRoot::ReadByScript && where.line)
      words = "the script reads %";
  } else if (root.kind == LiveRoot::Keep) {
    if (const uint32_t rule =
            rules().first(program.sections[section], /*keepOnly=*/true);
        rule != kNone)
      where = placeOf(rules()[rule]);
  }
  const auto [front, back] = StringRef(words).split('%');
  Phrase phrase{front.str(), json::Object{{"kind", kind}}};
  if (root.symbol != kNone) {
    const StringRef name = program.symbols[root.symbol].name;
    phrase.text += program.shownName(name);
    phrase.json["symbol"] = jsonText(name);
  }
  phrase.text += back.str() + more;
  if (where.line)
    phrase.text += " at " + lineText(where);
  addLine(phrase.json, where);
  return phrase;
}

Phrase WhyContext::root(const LiveSearch::Edge &edge) {
  Phrase phrase = reason(edge.root, edge.link.to);
  phrase.text += ": " + (edge.link.kind == LiveEdge::Root
                             ? program.sectionName(edge.link.to)
                             : program.place(edge.link.to, edge.link.offset));
  for (auto &member : jsonOf(edge.link.to))
    phrase.json[member.first] = member.second;
  return phrase;
}

Phrase WhyContext::rule(const PatternRule &rule) {
  const std::string pattern = patternText(*rule.description);
  Phrase phrase{pattern,
                json::Object{{"pattern", jsonText(pattern)},
                             {"output", jsonText(rule.command->name)}}};
  if (rule.description->keep) {
    phrase.text = "KEEP(" + pattern + ")";
    phrase.json["keep"] = true;
  }
  phrase.text += " at " + lineText(placeOf(rule));
  addLine(phrase.json, placeOf(rule));
  return phrase;
}

//===----------------------------------------------------------------------===//
// Fates
//===----------------------------------------------------------------------===//

/// The file whose copy is in force instead of a section; kNone: none is known.
FileId WhyContext::winnerOf(SectionId id) {
  if (!copies) {
    copies.emplace();
    for (FileId f : program.files.ids()) {
      const InputFile &file = program.files[f];
      for (const ParsedGroup &group : file.object->groups)
        if (group.comdat && !group.members.empty() &&
            !program.sections[file.sectionBase + group.members.front()]
                 .discarded)
          copies->try_emplace(group.signature, f);
      for (uint32_t i = 1; i < file.object->sections.size(); ++i)
        if (const ParsedSection &p = file.object->sections[i];
            p.name.starts_with(".gnu.linkonce.") &&
            !program.sections[file.sectionBase + i].discarded)
          copies->try_emplace(p.name, f);
    }
  }
  const InputSection &s = program.sections[id];
  if (s.file == kNone)
    return {};
  const ParsedObject &object = *program.files[s.file].object;
  return copies->lookup(s.parsed->group
                            ? object.groups[s.parsed->group - 1].signature
                            : s.parsed->name);
}

/// The fate of a section that a phase before the collection dropped.
Fate WhyContext::fateOfDiscarded(SectionId id) {
  const InputSection &s = program.sections[id];
  if (s.discarded) {
    if (s.parsed->kind != SectionKind::Regular ||
        isWarningSection(s.parsed->name))
      return {Fate::Excluded, "is in a section that only the linker reads"};
    if ((s.parsed->flags & ELF::SHF_EXCLUDE) && !program.config.relocatable)
      return {Fate::Excluded, "is marked SHF_EXCLUDE: it enters no program"};
    if (isBuildId(*s.parsed))
      return {Fate::Excluded, "is the build ID of an input"};
    const FileId winner = winnerOf(id);
    if (program.config.strip != Strip::None &&
        !(s.parsed->flags & ELF::SHF_ALLOC) &&
        (winner == kNone || winner == s.file))
      return {Fate::Stripped, "is debug information, which is stripped"};
    if (winner == kNone)
      return {Fate::Comdat, "lost against another copy of the same"};
    return {Fate::Comdat,
            "lost against the copy of the same in " + program.fileName(winner),
            json::Object{{"file", json::fixUTF8(program.filePath(winner))}}};
  }
  if (search().matched().sections[id].discarded) {
    Fate fate{Fate::Script, "is discarded by /DISCARD/"};
    if (const uint32_t i = rules().first(s, /*keepOnly=*/false); i != kNone) {
      Phrase phrase = rule(rules()[i]);
      fate.text += ": " + phrase.text;
      fate.by = std::move(phrase.json);
    }
    return fate;
  }
  const bool moved = link.placement.laterMatches.contains(id);
  return {Fate::Orphan,
          moved ? "found no room in its regions, and moved on to /DISCARD/"
          : isCommon(s) ? "is COMMON, which /DISCARD/ is the first to ask for"
                        : "matches no pattern, and --orphan-handling=discard "
                          "drops it"};
}

Fate WhyContext::fateOfSection(SectionId id) {
  const InputSection &s = program.sections[id];
  if (link.placement.sections[id].discarded)
    return fateOfDiscarded(id);
  if (!link.contributions.liveness.lives(id))
    return {Fate::Collected, "is dropped by --gc-sections"};
  if (const SectionId folded = link.contributions.sections[id].folded;
      folded != kNone)
    return {Fate::Folded,
            "is stored once with the identical " + program.sectionName(folded) +
                " (--icf)",
            jsonOf(folded)};
  if (s.file == kNone)
    return {Fate::LinkerMade, "is made by the linker, and never collected"};
  if (s.parsed->name == ".eh_frame" && !search().find(id))
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

Fate WhyContext::fateOfUnused(const UnusedMember &member) const {
  if (member.symbols.empty())
    return {Fate::Unused, "was not extracted: it defines no symbol that others "
                          "can see"};
  std::vector<StringRef> wanted, defined;
  for (StringRef name : member.symbols) {
    const SymbolId id = program.symbols.find(name);
    if (id == kNone || !program.symbols[id].referenced)
      continue;
    const Symbol &s = program.symbols[id];
    (s.isDefined() || s.scriptDefined ? defined : wanted).push_back(name);
  }
  return {Fate::Unused,
          "was not extracted: " +
              (!wanted.empty()
                   ? "only weak references ask for " + listText(program, wanted)
               : !defined.empty() ? "others define what is asked for of it, " +
                                        listText(program, defined)
                                  : "nothing refers to what it defines, " +
                                        listText(program, member.symbols))};
}

/// Of a symbol that is in no section.
Fate WhyContext::fateOfSymbol(const WhyTarget &target) {
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
  if (!offers) {
    offers.emplace();
    for (uint32_t i = 0; i < program.unusedMembers.size(); ++i)
      for (StringRef name : program.unusedMembers[i].symbols)
        offers->try_emplace(name, i);
  }
  const auto offer = offers->find(s.name);
  if (offer == offers->end())
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

std::pair<uint64_t, uint64_t>
WhyContext::pieceOf(const WhyTarget &target) const {
  const std::pair<uint64_t, uint64_t> all(0, ~uint64_t(0));
  if (!target.isSymbol() || target.section == kNone)
    return all;
  const Contribution &c = link.contributions.sections[target.section];
  if (c.merge == kNone)
    return all;
  const std::vector<uint32_t> &starts =
      link.contributions.merges[c.merge].inputs[c.mergeIndex].starts;
  const auto next = llvm::upper_bound(starts, target.offset);
  return {next == starts.begin() ? 0 : *std::prev(next),
          next == starts.end() ? all.second : *next};
}

Fate WhyContext::fateOf(const WhyTarget &target) {
  if (target.kind == WhyTarget::Unused)
    return fateOfUnused(program.unusedMembers[target.member]);
  if (target.section == kNone)
    return fateOfSymbol(target);
  Fate fate = fateOfSection(target.section);
  if (fate.kind == Fate::Lives && target.isSymbol() &&
      link.isDeadPiece(target.section, target.offset))
    return {Fate::DeadPiece, "is a piece of a section that lives, but nothing "
                             "that lives refers to the piece"};
  return fate;
}

} // namespace xlink
