//===- WhyContext.cpp -----------------------------------------------------===//
//
// Problem: questions about a link need the same things: who is meant, who
// refers to whom, which pattern takes what; and say the same things: places,
// functions, source lines. A hundred thousand questions may ask for chains of
// thousands of references each.
//
// Method: what is dear is made once, when a question first needs it. Chains are
// printed whole as long as there are few; from then on a chain ends at the
// first section whose own chain stands further above.
//
// Cost: one search of the graph for all questions; every section stands in at
// most one chain, those at the beginning aside, of which a bounded number of
// steps is printed.
//
//===----------------------------------------------------------------------===//
#include "report/WhyContext.h"
#include "base/Demangle.h"
#include "report/ScriptText.h"
#include "resolve/ScriptSymbols.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

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
    const std::vector<WhyTarget> targets = names.find(text, wanted);
    if (targets.empty())
      diag.warn(WarningGroup::General,
                "option '" + std::string(option) +
                    "': " + names.unknownText(text, wanted));
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
  switch (target.kind) {
  case WhyTarget::Section:
    return program.sectionName(target.section);
  case WhyTarget::Member:
    return program.fileName(target.file);
  case WhyTarget::Unused:
    return printable(program.unusedMembers[target.member].path);
  default:
    break;
  }
  const std::string name = program.shownName(target.name);
  return target.section == kNone
             ? name
             : name + " in " + program.sectionName(target.section);
}

WhyAnswer WhyContext::begin(const char *why, const WhyTarget &target) {
  return {std::string(why) + ": " + titleOf(target) + "\n", jsonOf(target)};
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
  if (target.kind == WhyTarget::Member || target.kind == WhyTarget::Unused)
    o["file"] = jsonText(target.kind == WhyTarget::Member
                             ? program.filePath(target.file)
                             : program.unusedMembers[target.member].path);
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

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// How a section is tied to one that it lives with.
std::string WhyContext::describedBy(SectionId from, SectionId to) const {
  const InputSection &a = program.sections[from], &b = program.sections[to];
  const bool linked = (b.parsed->flags & ELF::SHF_LINK_ORDER) &&
                      a.file == b.file && program.moreOf(to).link == a.index;
  return program.sectionName(to) + (linked ? " describes " : " lives with ") +
         program.sectionName(from) + (linked ? " (SHF_LINK_ORDER)" : "");
}

/// A reference: "a.o:(.text+0x4) in f refers to g, R_..., at a.c:3".
Said WhyContext::reference(SectionId from, const LiveLink &link) {
  const Relocation &rel = *link.relocation;
  const ParsedSymbol *in = enclosing.find(link.at, rel.offset);
  const StringRef symbol = symbolOf(program.sections[link.at].file, rel);
  const RelocationRow *row = findRelocation(*program.target, rel.type);
  const char *const relocation = row ? row->name : "an unknown relocation";
  const std::string line = program.sourceLine(link.at, rel.offset);
  json::Object at = jsonOf(link.at, rel.offset);

  Said said{program.place(link.at, rel.offset)};
  if (in) {
    said.text += " in " + program.shownName(in->name);
    at["function"] = jsonText(in->name);
  }
  if (link.at != from)
    said.text += ", an unwind record of " + program.sectionName(from) + ",";
  if (symbol.empty()) {
    said.text += " refers to " + program.place(link.to, link.offset);
  } else {
    said.text += " refers to " + program.shownName(symbol);
    said.json["symbol"] = jsonText(symbol);
  }
  if (link.name != kNone)
    said.text += ", which means all sections called " +
                 printable(program.sections[link.to].parsed->name);
  said.text += std::string(", ") + relocation;
  said.json["relocation"] = relocation;
  if (!line.empty()) {
    said.text += ", at " + line;
    const auto [file, number] = StringRef(line).rsplit(':');
    int64_t n = 0;
    json::Object source{{"file", jsonText(file)}};
    if (!number.getAsInteger(10, n))
      source["line"] = n;
    at["source"] = std::move(source);
  }
  said.json["at"] = std::move(at);
  return said;
}

Said WhyContext::step(SectionId from, const LiveLink &link) {
  static constexpr const char *kinds[] = {"none",      "root",  "reference",
                                          "dependent", "group", "description"};
  Said said = link.relocation ? reference(from, link) : Said();
  const std::string name = program.sectionName(link.to),
                    other = program.sectionName(from);
  if (link.kind == LiveEdge::Dependent)
    said.text = describedBy(from, link.to);
  else if (link.kind == LiveEdge::Group)
    said.text = name + " is in one section group with " + other;
  else if (link.kind == LiveEdge::Description)
    said.text = name + " describes its file, of which " + other + " lives";
  said.json["kind"] = kinds[link.kind];
  said.json["to"] = jsonOf(link.to);
  if (link.at != from)
    said.json["from"] = jsonOf(from);
  return said;
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

/// Where the pattern of a rule stands.
static const ScriptLocation &placeOf(const PatternRule &rule) {
  return rule.pattern ? rule.pattern->where : rule.description->where;
}

WhyContext::Reason WhyContext::entryReason() const {
  if (program.config.entry)
    return {"entry", "entry symbol %, by -e"};
  if (program.script.entry.empty())
    return {"entry", "entry symbol %, the machine's usual one"};
  return {"entry", "entry symbol %, by ENTRY",
          wordPlace(program.script, program.script.entry, {})};
}

/// Where the script names a symbol that it needs. Each look reads the script,
/// so of a hundred thousand names in a large one only the first get a line.
ScriptLocation WhyContext::scriptPlace(SymbolId symbol) {
  if (scriptWords.empty()) {
    for (StringRef word : program.script.externs)
      scriptWords.try_emplace(word, word);
    for (StringRef word : symbolsReadByScript(program))
      scriptWords.try_emplace(word, word);
  }
  auto it = scriptWords.find(program.symbols[symbol].name);
  uint64_t bytes = 0;
  for (const Script::SourceText &source : program.script.texts)
    bytes += source.text.size();
  if (it == scriptWords.end() || bytes > bytesToRead)
    return {};
  bytesToRead -= bytes;
  return wordPlace(program.script, it->second, {});
}

WhyContext::Reason WhyContext::reasonOf(const LiveRoot &root,
                                        SectionId section) {
  switch (root.kind) {
  case LiveRoot::Entry:
    return entryReason();
  case LiveRoot::Undefined:
    return {"undefined", "-u %"};
  case LiveRoot::RequireDefined:
    return {"require-defined", "--require-defined=%"};
  case LiveRoot::Init:
    return {"init", "--init or --fini names %"};
  case LiveRoot::UndefinedGlob:
    return {"undefined-glob", "--undefined-glob matches %"};
  case LiveRoot::Extern:
    return {"extern", "EXTERN(%)", scriptPlace(root.symbol)};
  case LiveRoot::ReadByScript:
    if (const ScriptLocation where = scriptPlace(root.symbol); where.line)
      return {"script", "the script reads %", where};
    return {"script", "the script or --defsym reads %"};
  case LiveRoot::Keep: {
    const InputSection &s = program.sections[section];
    const uint32_t rule = rules().first(s, /*keepOnly=*/true);
    return {"keep", "KEEP",
            rule == kNone ? ScriptLocation() : placeOf(rules()[rule])};
  }
  case LiveRoot::Retained:
    return {"retained", "marked to be retained (SHF_GNU_RETAIN)"};
  case LiveRoot::Initialisers:
    return {"initialisers", "start-up code runs it, or what it lists"};
  case LiveRoot::Note:
    return {"note", "notes are not collected"};
  case LiveRoot::WithUncollected:
    return {"uncollected", "describes what is not collected"};
  case LiveRoot::Uncollected:
    return {"uncollected", "not collected"};
  case LiveRoot::UnwindRecord:
    return {"unwind", "an unwind record of code in no input section"};
  }
  return {"", ""};
}

Said WhyContext::reason(const LiveRoot &root, SectionId section) {
  const Reason reason = reasonOf(root, section);
  const auto [front, back] = StringRef(reason.text).split('%');
  Said said{front.str(), json::Object{{"kind", reason.kind}}};
  if (root.symbol != kNone) {
    const StringRef name = program.symbols[root.symbol].name;
    said.text += program.shownName(name);
    said.json["symbol"] = jsonText(name);
  }
  said.text += back;
  if (reason.where.line)
    said.text += " at " + lineText(reason.where);
  addLine(said.json, reason.where);
  return said;
}

DenseMap<SymbolId, LiveRoot::Kind> askersOf(const Program &program) {
  DenseMap<SymbolId, LiveRoot::Kind> askers;
  LiveGraph::forEachNamed(program, [&](LiveRoot::Kind kind, SymbolId id) {
    if (id != kNone)
      askers.try_emplace(id, kind);
  });
  return askers;
}

std::optional<LiveRoot> WhyContext::askerOf(SymbolId symbol) {
  if (!askers)
    askers = askersOf(program);
  auto it = askers->find(symbol);
  if (it == askers->end())
    return std::nullopt;
  return LiveRoot{it->second, symbol};
}

Said WhyContext::root(const LiveSearch::Edge &edge) {
  Said said = reason(edge.root, edge.link.to);
  said.text += ": " + (edge.link.kind == LiveEdge::Root
                           ? program.sectionName(edge.link.to)
                           : program.place(edge.link.to, edge.link.offset));
  for (auto &member : jsonOf(edge.link.to))
    said.json[member.first] = member.second;
  return said;
}

Said WhyContext::rule(const PatternRule &rule) {
  const std::string pattern = patternText(*rule.description);
  Said said{pattern, json::Object{{"pattern", jsonText(pattern)},
                                  {"output", jsonText(rule.command->name)}}};
  if (rule.description->keep) {
    said.text = "KEEP(" + pattern + ")";
    said.json["keep"] = true;
  }
  said.text += " at " + lineText(placeOf(rule));
  addLine(said.json, placeOf(rule));
  return said;
}

ChainCutter::Chain ChainCutter::cut(uint32_t thing,
                                    function_ref<uint32_t(uint32_t)> before) {
  Chain chain;
  const bool whole = left != 0;
  for (uint32_t at = thing; at != kNone; at = before(at)) {
    chain.steps.push_back(at);
    const bool known = shown.test(at);
    shown.set(at);
    left -= left != 0;
    // What was asked for has a step of its own in any case.
    if (known && !whole && at != thing) {
      chain.continued = true;
      break;
    }
  }
  std::reverse(chain.steps.begin(), chain.steps.end());
  return chain;
}

} // namespace xlink
