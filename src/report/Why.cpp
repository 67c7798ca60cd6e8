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
#include "report/Reports.h"
#include "resolve/ScriptSymbols.h"
#include "script/ScriptParser.h"
#include <set>

using namespace llvm;

namespace xlink {

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
                     AnswerFn answer, PrepareFn prepare) {
  for (const std::string &question : questions) {
    if (!names)
      names.emplace(program);
    std::vector<WhyTarget> targets = names->find(question, wanted);
    if (targets.empty())
      diag.warn(WarningGroup::General,
                "option '" + std::string(option) +
                    "': " + names->unknownText(question, wanted));
    if (prepare)
      prepare(question, targets);
    answerAll(question, targets, answer);
  }
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

//===----------------------------------------------------------------------===//
// Names
//
// Problem: a question may be a glob, and there may be a hundred thousand
// questions about as many symbols; their product is too much.
//
// Method: all names of symbols, sections and members are written down once. A
// plain question is looked up in a map, a glob is compared with all names.
//
// Cost: demangling each symbol's name and a map of all names; for a glob a
// comparison with each.
//
//===----------------------------------------------------------------------===//

/// A name without the directories of the file in front, if there are any.
static StringRef withoutFolders(StringRef text) {
  // Members and sections may have a '/' in their names too.
  const size_t slash = text.take_front(text.find('(')).rfind('/');
  return slash == StringRef::npos ? text : text.drop_front(slash + 1);
}

void WhyNames::addSymbol(WhyTarget target) {
  const uint32_t number = uint32_t(targets.size());
  targets.push_back(target);
  names.push_back({target.name, number});
  const std::string shown = demangled(target.name);
  if (shown == target.name)
    return;
  const StringRef all = StringRef(shown).copy(texts);
  names.push_back({all, number});
  // A space, or nothing, in front: that parenthesis opens no parameters.
  const size_t parameters = all.find('(');
  if (parameters != StringRef::npos && parameters != 0 &&
      all[parameters - 1] != ':' && all[parameters - 1] != ' ')
    names.push_back({all.take_front(parameters), number});
}

WhyNames::WhyNames(const Program &program) : program(program) {
  for (SymbolId id : program.symbols.ids()) {
    const Symbol &s = program.symbols[id];
    const bool defined = s.kind == SymbolKind::Defined;
    addSymbol({.symbol = id,
               .section = defined ? s.section : SectionId(),
               .offset = defined ? s.value : 0,
               .name = s.name});
  }
  for (FileId file : program.files.ids())
    for (const ParsedSymbol &s : program.files[file].object->symbols)
      if (s.binding == ELF::STB_LOCAL && s.place == SymbolPlace::Section &&
          s.type != ELF::STT_SECTION && s.type != ELF::STT_FILE &&
          !s.name.empty())
        addSymbol({.kind = WhyTarget::Local,
                   .section = program.files[file].sectionBase + s.section,
                   .offset = s.value,
                   .file = file,
                   .name = s.name});
  for (SectionId id : program.sections.ids(1)) {
    const InputSection &s = program.sections[id];
    if (!s.parsed || !isReportedSection(*s.parsed))
      continue;
    const uint32_t number = uint32_t(targets.size());
    targets.push_back({.kind = WhyTarget::Section, .section = id});
    names.push_back({s.parsed->name, number, false, /*plainSection=*/true});
    names.push_back({StringRef(program.sectionName(id)).copy(texts), number,
                     /*hasPath=*/true, false, /*fullSection=*/true});
  }
  auto addMember = [&](const WhyTarget &target, StringRef path,
                       StringRef member) {
    const uint32_t number = uint32_t(targets.size());
    targets.push_back(target);
    names.push_back({path, number, /*hasPath=*/true});
    if (member != path)
      names.push_back({member, number});
  };
  DenseSet<FileId> lazy;
  for (const Inclusion &i : program.lazyInclusions)
    lazy.insert(i.file);
  for (FileId file : program.files.ids())
    if (const ParsedObject &object = *program.files[file].object;
        !object.archive.empty() || lazy.contains(file))
      addMember({.kind = WhyTarget::Member, .file = file}, object.path,
                object.member());
  for (uint32_t i = 0; i < program.unusedMembers.size(); ++i) {
    const StringRef path = program.unusedMembers[i].path;
    addMember({.kind = WhyTarget::Unused, .member = i}, path,
              path.ends_with(")") ? path.drop_back().rsplit('(').second : path);
  }
  for (uint32_t i = 0; i < names.size(); ++i)
    exact[names[i].hasPath ? withoutFolders(names[i].text) : names[i].text]
        .push_back(i);
}

/// Whether a glob means a name: one of a file with or without directories, but
/// no member in a question about other things, and no name that an archive or a
/// PROVIDE offers and no file uses.
bool WhyNames::matches(const Name &name, StringRef glob,
                       unsigned wanted) const {
  if (name.text == glob)
    return true;
  const WhyTarget &target = targets[name.target];
  if ((name.fullSection && !glob.contains(":(")) ||
      (target.kind == WhyTarget::Unused && !(wanted & WhyTarget::Member)))
    return false;
  if (target.kind == WhyTarget::Global) {
    const Symbol &s = program.symbols[target.symbol];
    if (s.kind == SymbolKind::Undefined && !s.referenced && !s.scriptDefined)
      return false;
  }
  return globMatch({glob, true}, name.text) ||
         (name.hasPath && globMatch({glob, true}, withoutFolders(name.text)));
}

std::vector<WhyTarget> WhyNames::find(StringRef question,
                                      unsigned wanted) const {
  std::vector<const Name *> found;
  if (question.find_first_of("*?[") != StringRef::npos) {
    for (const Name &name : names)
      if (matches(name, question, wanted))
        found.push_back(&name);
  } else {
    // Names that are the question; where there are none, those of files that
    // have more directories in front of it.
    std::vector<const Name *> longer;
    const std::string behind = ("/" + question).str();
    for (StringRef key : {question, withoutFolders(question)})
      for (uint32_t i : exact.lookup(key))
        if (names[i].text == question)
          found.push_back(&names[i]);
        else if (names[i].hasPath && names[i].text.ends_with(behind))
          longer.push_back(&names[i]);
    if (found.empty())
      found = std::move(longer);
  }
  erase_if(found, [&](const Name *name) {
    return !(targets[name->target].kind & wanted);
  });
  if (found.empty() && (wanted & WhyTarget::SymbolsOtherwise))
    return find(question, WhyTarget::Symbols);
  const bool anySymbol = any_of(found, [&](const Name *name) {
    return targets[name->target].isSymbol();
  });
  std::set<uint32_t> order;
  for (const Name *name : found)
    if (!anySymbol || !name->plainSection || question.starts_with("."))
      order.insert(name->target);
  std::vector<WhyTarget> result;
  for (uint32_t i : order)
    result.push_back(targets[i]);
  return result;
}

std::string WhyNames::unknownText(StringRef question, unsigned wanted) {
  if (!find(question, WhyTarget::Member).empty())
    return "'" + question.str() +
           "' is a member that takes part; its symbols and sections can be "
           "asked about, and --why-extract tells of members";
  if (wanted & WhyTarget::SymbolsOtherwise)
    wanted |= WhyTarget::Symbols;
  if (!hints) {
    std::set<StringRef> candidates;
    for (const Name &name : names)
      if (targets[name.target].kind & wanted)
        candidates.insert(name.text);
    hints.emplace(std::vector<StringRef>(candidates.begin(), candidates.end()));
  }
  const std::string near = hints->near(question);
  return "nothing in this link is called '" + question.str() + "'" +
         (near.empty() ? "" : "; did you mean '" + near + "'?");
}

} // namespace xlink
