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

std::vector<WhyContext::Question>
WhyContext::ask(const char *option, const std::vector<std::string> &questions,
                unsigned wanted, bool warn) {
  std::vector<Question> result;
  for (const std::string &text : questions) {
    result.push_back({text, names.find(text, wanted)});
    if (warn && result.back().targets.empty())
      diag.warn(WarningGroup::General,
                "option '" + std::string(option) +
                    "': " + names.unknownText(text, wanted));
  }
  return result;
}

std::string
WhyContext::textOf(const char *option,
                   const std::vector<std::string> &questions, unsigned wanted,
                   function_ref<std::string(const WhyTarget &)> answer) {
  std::string text;
  for (const Question &question : ask(option, questions, wanted, /*warn=*/true))
    for (const WhyTarget &target : question.targets)
      text += answer(target);
  return text;
}

void WhyContext::writeAnswersTo(
    json::OStream &out, const char *option,
    const std::vector<std::string> &questions, unsigned wanted,
    function_ref<json::Object(const WhyTarget &)> answer) {
  out.array([&] {
    writeAnswers(out, ask(option, questions, wanted, /*warn=*/false), answer);
  });
}

void WhyContext::writeAnswers(
    json::OStream &out, ArrayRef<Question> questions,
    function_ref<json::Object(const WhyTarget &)> answer) {
  for (const Question &question : questions)
    out.object([&] {
      out.attributeArray("answers", [&] {
        for (const WhyTarget &target : question.targets)
          out.value(answer(target));
      });
      out.attribute("question", json::fixUTF8(question.text));
    });
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

static json::Value text(StringRef s) { return json::fixUTF8(s); }

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

json::Object WhyContext::jsonOf(SectionId section,
                                std::optional<uint64_t> offset) {
  const InputSection &s = program.sections[section];
  json::Object o{{"file", text(program.filePath(s.file))},
                 {"section", text(s.parsed ? s.parsed->name : "")}};
  if (offset)
    o["offset"] = int64_t(*offset + program.moreOf(section).cutAt);
  return o;
}

json::Object WhyContext::jsonOf(const WhyTarget &target) {
  json::Object o;
  if (target.kind == WhyTarget::Member || target.kind == WhyTarget::Unused)
    o["file"] = text(target.kind == WhyTarget::Member
                         ? program.filePath(target.file)
                         : program.unusedMembers[target.member].path);
  else if (target.section != kNone)
    o = target.isSymbol() ? jsonOf(target.section, target.offset)
                          : jsonOf(target.section);
  if (target.isSymbol())
    o["symbol"] = text(target.name);
  return o;
}

void WhyContext::addLine(json::Object &object, const ScriptLocation &where) {
  if (!where.line)
    return;
  object["script"] = text(where.file);
  object["line"] = int64_t(where.line);
}

std::string WhyContext::placeText(SectionId section, uint64_t offset) {
  const ParsedSymbol *in = enclosing.find(section, offset);
  return program.place(section, offset) +
         (in ? " in " + program.shownName(in->name) : "");
}

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

static const char *relocationName(const Program &program,
                                  const Relocation &rel) {
  const RelocationRow *row = findRelocation(*program.target, rel.type);
  return row ? row->name : "an unknown relocation";
}

std::string WhyContext::stepText(SectionId from, const LiveLink &link) {
  switch (link.kind) {
  case LiveEdge::Dependent:
    return describedBy(from, link.to);
  case LiveEdge::Group:
    return program.sectionName(link.to) + " is in one section group with " +
           program.sectionName(from);
  case LiveEdge::Description:
    return program.sectionName(link.to) + " describes its file, of which " +
           program.sectionName(from) + " lives";
  default:
    break;
  }
  const Relocation &rel = *link.relocation;
  std::string step = placeText(link.at, rel.offset);
  if (link.at != from)
    step += ", an unwind record of " + program.sectionName(from) + ",";
  const StringRef name = symbolOf(program.sections[link.at].file, rel);
  step += " refers to " + (name.empty() ? program.place(link.to, link.offset)
                                        : program.shownName(name));
  if (link.name != kNone)
    step += ", which means all sections called " +
            printable(program.sections[link.to].parsed->name);
  step += std::string(", ") + relocationName(program, rel);
  if (const std::string line = program.sourceLine(link.at, rel.offset);
      !line.empty())
    step += ", at " + line;
  return step;
}

json::Object WhyContext::stepJson(SectionId from, const LiveLink &link) {
  static constexpr const char *kinds[] = {"none",      "root",  "reference",
                                          "dependent", "group", "description"};
  json::Object o{{"kind", kinds[link.kind]}, {"to", jsonOf(link.to)}};
  if (link.at != from)
    o["from"] = jsonOf(from);
  if (link.relocation)
    addReference(o, link.at, *link.relocation);
  return o;
}

void WhyContext::addReference(json::Object &object, SectionId section,
                              const Relocation &rel) {
  json::Object at = jsonOf(section, rel.offset);
  if (const ParsedSymbol *in = enclosing.find(section, rel.offset))
    at["function"] = text(in->name);
  if (const std::string line = program.sourceLine(section, rel.offset);
      !line.empty()) {
    const auto [file, number] = StringRef(line).rsplit(':');
    int64_t n = 0;
    json::Object source{{"file", text(file)}};
    if (!number.getAsInteger(10, n))
      source["line"] = n;
    at["source"] = std::move(source);
  }
  object["at"] = std::move(at);
  object["relocation"] = relocationName(program, rel);
  if (const StringRef name = symbolOf(program.sections[section].file, rel);
      !name.empty())
    object["symbol"] = text(name);
}

//===----------------------------------------------------------------------===//
// Roots
//===----------------------------------------------------------------------===//

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

std::string WhyContext::reasonText(const LiveRoot &root, SectionId section) {
  const Reason reason = reasonOf(root, section);
  auto [front, back] = StringRef(reason.text).split('%');
  std::string result = front.str();
  if (root.symbol != kNone)
    result += program.shownName(program.symbols[root.symbol].name);
  result += back;
  if (reason.where.line)
    result += " at " + lineText(reason.where);
  return result;
}

json::Object WhyContext::reasonJson(const LiveRoot &root, SectionId section) {
  const Reason reason = reasonOf(root, section);
  json::Object o{{"kind", reason.kind}};
  if (root.symbol != kNone)
    o["symbol"] = text(program.symbols[root.symbol].name);
  addLine(o, reason.where);
  return o;
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

std::string WhyContext::rootText(const LiveSearch::Edge &edge) {
  return reasonText(edge.root, edge.link.to) + ": " +
         (edge.link.kind == LiveEdge::Root
              ? program.sectionName(edge.link.to)
              : program.place(edge.link.to, edge.link.offset));
}

json::Object WhyContext::rootJson(const LiveSearch::Edge &edge) {
  json::Object o = reasonJson(edge.root, edge.link.to);
  for (auto &member : jsonOf(edge.link.to))
    o[member.first] = member.second;
  return o;
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

std::string WhyContext::ruleText(const PatternRule &rule) {
  std::string pattern = patternText(*rule.description);
  if (rule.description->keep)
    pattern = "KEEP(" + pattern + ")";
  return pattern + " at " + lineText(placeOf(rule));
}

json::Object WhyContext::ruleJson(const PatternRule &rule) {
  json::Object o{{"pattern", text(patternText(*rule.description))},
                 {"output", text(rule.command->name)}};
  if (rule.description->keep)
    o["keep"] = true;
  addLine(o, placeOf(rule));
  return o;
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
