//===- Why.cpp - phrases of answers, and fates of targets -----------------===//
//
// Problem: questions about a link need the same tables and the same phrases. A
// hundred thousand questions may ask for chains of thousands of references.
//
// Method: a table is made when a question first needs it. Chains are printed
// whole as long as there are few; from then on a chain begins at the last thing
// whose own chain stands further above. The fate of a target is decided by the
// first phase that dropped it.
//
// Cost: one search of the graph for all questions; apart from a bounded number
// of steps every section stands in at most one chain. A fate takes a few
// look-ups in maps, each made by one visit of the groups or unused members.
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

void WhyAnswer::add(Phrase phrase, const char *member) {
  line(phrase.text);
  json::Value &list = json[member];
  if (!list.getAsArray())
    list = json::Array();
  list.getAsArray()->push_back(std::move(phrase.json));
}

Chains::Chain
Chains::endingAt(uint32_t end,
                 function_ref<uint32_t(uint32_t thing, bool last)> before) {
  Chain chain;
  const bool whole = left != 0;
  for (uint32_t at = end; at != kNone && !chain.continued;) {
    chain.things.push_back(at);
    // The end of a chain has a step of its own in any case.
    chain.continued = shown.test(at) && !whole && at != end;
    shown.set(at);
    left -= left != 0;
    if (!chain.continued)
      at = before(at, chain.things.size() == 1);
  }
  std::reverse(chain.things.begin(), chain.things.end());
  return chain;
}

void WhyContext::ask(const char *option,
                     const std::vector<std::string> &questions, unsigned wanted,
                     AnswerFn answer) {
  for (const std::string &question : questions) {
    if (!names)
      names.emplace(program);
    const std::vector<WhyTarget> targets = names->find(question, wanted);
    if (targets.empty())
      diag.warn(WarningGroup::General,
                "option '" + std::string(option) +
                    "': " + names->unknownText(question, wanted));
    answerAll(question, targets, answer);
  }
}

void WhyContext::answerAll(StringRef question, ArrayRef<WhyTarget> targets,
                           AnswerFn answer) {
  json->object([&] {
    json->attributeArray("answers", [&] {
      for (const WhyTarget &target : targets) {
        WhyAnswer made = answer(target);
        text += made.text;
        json->value(std::move(made.json));
      }
    });
    if (!question.empty())
      json->attribute("question", jsonText(question));
  });
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

json::Object WhyContext::jsonOf(SectionId section,
                                std::optional<uint64_t> offset) {
  const InputSection &s = program.sections[section];
  json::Object o{{"file", jsonText(program.filePath(s.file))},
                 {"section", jsonText(s.parsed ? s.parsed->name : "")}};
  if (offset)
    o["offset"] = int64_t(*offset + program.moreOf(section).cutAt);
  return o;
}

WhyAnswer WhyContext::begin(const char *why, const WhyTarget &target,
                            const Fate &fate) {
  static constexpr const char *names[] = {
      "lives",     "dead piece", "collected", "comdat",      "excluded",
      "stripped",  "discarded",  "orphan",    "folded",      "not extracted",
      "undefined", "no section", "linker",    "unwind table"};
  std::string title;
  json::Object object;
  if (target.kind == WhyTarget::Member) {
    title = program.fileName(target.file);
    object["file"] = jsonText(program.filePath(target.file));
  } else if (target.kind == WhyTarget::Unused) {
    const std::string &path = program.unusedMembers[target.member].path;
    title = printable(path);
    object["file"] = jsonText(path);
  } else if (target.kind == WhyTarget::Section) {
    title = program.sectionName(target.section);
    object = jsonOf(target.section);
  } else {
    title = program.shownName(target.name);
    if (target.section != kNone) {
      title += " in " + program.sectionName(target.section);
      object = jsonOf(target.section, target.offset);
    }
    object["symbol"] = jsonText(target.name);
  }
  object["fate"] = names[fate.kind];
  if (!fate.by.empty())
    object["by"] = json::Object(fate.by);
  return {{std::string(why) + ": " + title + "\n", std::move(object)}};
}

/// Adds a place in the script, if there is one.
static void addPlace(Phrase &phrase, const ScriptLocation &where) {
  if (!where.line)
    return;
  phrase.text += " at " + lineText(where);
  phrase.json["script"] = jsonText(where.file);
  phrase.json["line"] = int64_t(where.line);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

Phrase WhyContext::reference(SectionId from, const LiveLink &link) {
  const Relocation &rel = *link.relocation;
  const InputFile &file = program.files[program.sections[link.at].file];
  const ParsedSymbol &parsed = file.object->symbols[rel.symbol];
  const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
  // As in the file; empty: a section.
  const StringRef symbol = id != kNone ? program.symbols[id].name
                           : parsed.type == ELF::STT_SECTION ? ""
                                                             : parsed.name;
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
      {"initialisers", "start-up code runs it or the functions that it lists"},
      {"note", "notes are not collected"},
      {"uncollected", "describes a section that is not collected"},
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
    if (!scriptWords) {
      scriptWords = symbolsReadByScript(program);
      scriptWords->insert(scriptWords->begin(), program.script.externs.begin(),
                          program.script.externs.end());
    }
    if (const auto word =
            llvm::find(*scriptWords, program.symbols[root.symbol].name);
        word != scriptWords->end())
      where = wordPlace(program.script, *word, {});
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
  addPlace(phrase, where);
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
  addPlace(phrase, placeOf(rule));
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

Fate WhyContext::fateOfSection(SectionId id) {
  const InputSection &s = program.sections[id];
  const bool discarded = link.placement.sections[id].discarded;
  if (discarded && s.discarded) { // before the collection
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
            json::Object{{"file", jsonText(program.filePath(winner))}}};
  }
  if (discarded && search().matched().sections[id].discarded) {
    Fate fate{Fate::Script, "is discarded by /DISCARD/"};
    if (const uint32_t i = rules().first(s, /*keepOnly=*/false); i != kNone) {
      Phrase phrase = rule(rules()[i]);
      fate.text += ": " + phrase.text;
      fate.by = std::move(phrase.json);
    }
    return fate;
  }
  if (discarded)
    return {Fate::Orphan,
            link.placement.laterMatches.contains(id)
                ? "found no room in its regions, and moved on to /DISCARD/"
            : isCommon(s) ? "is COMMON, which /DISCARD/ is the first to ask for"
                          : "matches no pattern, and "
                            "--orphan-handling=discard drops it"};
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

static Fate fateOfUnused(const Program &program, const UnusedMember &member) {
  if (member.symbols.empty())
    return {Fate::Unused, "was not extracted: it defines no symbol that others "
                          "can see"};
  // "f, g and 3 more"
  auto list = [&](ArrayRef<StringRef> names) {
    constexpr size_t most = 5;
    std::string text;
    for (StringRef name : names.take_front(most))
      text += (text.empty() ? "" : ", ") + program.shownName(name);
    if (names.size() > most)
      text += " and " + std::to_string(names.size() - most) + " more";
    return text;
  };
  std::vector<StringRef> wanted, defined;
  for (StringRef name : member.symbols) {
    const SymbolId id = program.symbols.find(name);
    if (id == kNone || !program.symbols[id].referenced)
      continue;
    const Symbol &s = program.symbols[id];
    (s.isDefined() || s.scriptDefined ? defined : wanted).push_back(name);
  }
  const std::string reason =
      !wanted.empty() ? "only weak references ask for " + list(wanted)
      : !defined.empty()
          ? "its needed symbols have other definitions: " + list(defined)
          : "nothing refers to its symbols: " + list(member.symbols);
  return {Fate::Unused, "was not extracted: " + reason};
}

/// Of a symbol that is in no section.
Fate WhyContext::fateOfSymbol(SymbolId id) {
  const Symbol &s = program.symbols[id];
  const BoundSymbol bound = link.symbol(id);
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
          json::Object{{"file", jsonText(path)}}};
}

ByteRange WhyContext::pieceOf(const WhyTarget &target) const {
  if (!target.isSymbol() || target.section == kNone)
    return kAllBytes;
  const Contribution &c = link.contributions.sections[target.section];
  if (c.merge == kNone)
    return kAllBytes;
  const std::vector<uint32_t> &starts =
      link.contributions.merges[c.merge].inputs[c.mergeIndex].starts;
  const auto next = llvm::upper_bound(starts, target.offset);
  return {next == starts.begin() ? 0 : *std::prev(next),
          next == starts.end() ? kAllBytes.second : *next};
}

Fate WhyContext::fateOf(const WhyTarget &target) {
  if (target.kind == WhyTarget::Unused)
    return fateOfUnused(program, program.unusedMembers[target.member]);
  if (target.section == kNone)
    return fateOfSymbol(target.symbol);
  Fate fate = fateOfSection(target.section);
  if (fate.kind == Fate::Lives && target.isSymbol() &&
      link.isDeadPiece(target.section, target.offset))
    return {Fate::DeadPiece, "is a piece of a section that lives, but nothing "
                             "that lives refers to the piece"};
  return fate;
}

} // namespace xlink
