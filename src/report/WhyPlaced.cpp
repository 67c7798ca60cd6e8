//===- WhyPlaced.cpp ------------------------------------------------------===//
//
// Problem: a section is not where its author wants it, because an earlier
// pattern took it, or a later one would have, or none did.
//
// Method: the rules that the placement went by (PatternRules) are asked once
// more, also those behind the one that took the section, and those that name it
// and refuse it. Of an orphan the placement has noted the rule.
//
// Cost: for each section a look at the rules that its name can meet.
//
//===----------------------------------------------------------------------===//
#include "report/WhyPlaced.h"
#include "report/WhyFate.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

namespace {

/// What is said of one section.
struct PlacedAnswer {
  Fate fate;
  OutputId output;                   ///< kNone: it has none
  const PatternRule *rule = nullptr; ///< that took it; null: it is an orphan
  const PatternRule *keep = nullptr; ///< another one, whose KEEP counts for it
  /// Earlier rules that name it, and why they did not take it.
  std::vector<std::pair<const PatternRule *, PatternRefusal>> refused;
  std::vector<const PatternRule *> later; ///< that would have taken it too
  bool moreLater = false;                 ///< and further ones
  std::vector<OutputId> passedOver;       ///< that had no room for it
  OrphanReason orphan;
};

class PlacedAnswers {
public:
  explicit PlacedAnswers(WhyContext &context)
      : context(context), link(context.link), program(context.program),
        fates(context) {}
  PlacedAnswer of(const WhyTarget &target);
  std::string text(const WhyTarget &target);
  json::Object json(const WhyTarget &target);

private:
  std::string named(OutputId id) const {
    return id == kNone ? "nothing"
                       : "'" + printable(link.placement.outputs[id].name) + "'";
  }
  std::string addressOf(const WhyTarget &target,
                        const PlacedAnswer &answer) const;
  std::string orphanText(const OrphanReason &reason) const;

  WhyContext &context;
  const Link &link;
  const Program &program;
  Fates fates;
};

/// How many patterns are named that would have taken a section too.
constexpr size_t kLater = 10;

} // namespace

PlacedAnswer PlacedAnswers::of(const WhyTarget &target) {
  const SectionId id = target.section;
  if (id == kNone) { // a symbol that is in none
    PlacedAnswer answer;
    answer.fate = fates.of(target);
    return answer;
  }
  const InputSection &s = program.sections[id];
  const PatternRules &rules = context.rules();
  PlacedAnswer answer;
  answer.fate = fates.of(target);
  answer.output = link.placement.sections[id].output;
  if (s.discarded)
    return answer; // no pattern has seen it
  if (auto it = link.placement.passedOver.find(id);
      it != link.placement.passedOver.end())
    answer.passedOver = it->second;
  // One that moved on was taken by the rule of where it is now.
  const bool moved = !answer.passedOver.empty();
  const uint32_t taken = rules.next(s, 0, [&](const PatternRule &rule) {
    return rules.matches(rule, s) && (!moved || rule.output == answer.output);
  });
  for (uint32_t i = rules.next(s, 0, [](const PatternRule &) { return true; });
       i != kNone && answer.later.size() <= kLater;
       i = rules.next(s, i + 1, [](const PatternRule &) { return true; })) {
    const PatternRefusal refusal = rules.refusal(rules[i], s);
    if (refusal == PatternRefusal::None && i > taken)
      answer.later.push_back(&rules[i]);
    if (refusal > PatternRefusal::File && i < taken)
      answer.refused.push_back({&rules[i], refusal});
  }
  if ((answer.moreLater = answer.later.size() > kLater))
    answer.later.pop_back();
  if (taken == kNone) {
    answer.orphan = link.placement.orphanReasons.lookup(id);
    if (program.config.relocatable && program.builtinScript)
      answer.orphan.rule = OrphanRule::ByName;
    return answer;
  }
  answer.rule = &rules[taken];
  if (!answer.rule->description->keep && link.placement.sections[id].keep)
    if (const uint32_t keep = rules.first(s, /*keepOnly=*/true); keep != kNone)
      answer.keep = &rules[keep];
  return answer;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static const char *refusalText(PatternRefusal refusal) {
  switch (refusal) {
  case PatternRefusal::Excluded:
    return "EXCLUDE_FILE leaves its file out";
  case PatternRefusal::Flags:
    return "INPUT_SECTION_FLAGS asks for other flags";
  case PatternRefusal::Constraint:
    return "ONLY_IF_RO or ONLY_IF_RW does not hold there";
  case PatternRefusal::Unique:
    return "it stands alone (--unique, or a group that -r keeps)";
  case PatternRefusal::OwnComment:
    return "the linker's own .comment is no input";
  default:
    return "";
  }
}

static const char *refusalName(PatternRefusal refusal) {
  switch (refusal) {
  case PatternRefusal::Excluded:
    return "exclude-file";
  case PatternRefusal::Flags:
    return "flags";
  case PatternRefusal::Constraint:
    return "only-if";
  case PatternRefusal::Unique:
    return "unique";
  default:
    return "own-comment";
  }
}

/// The rule by its name in JSON.
static const char *ruleName(OrphanRule rule) {
  static constexpr const char *names[] = {
      "same-name",   "unused-name", "with-common",  "common-in-bss",
      "new-bss",     "common-lost", "base-group",   "well-known",
      "same-traits", "near-traits", "no-neighbour", "beside-notes",
      "at-end",      "refused",     "by-name"};
  return names[size_t(rule)];
}

std::string PlacedAnswers::orphanText(const OrphanReason &reason) const {
  const std::string anchor = named(reason.anchor);
  std::string text;
  switch (reason.rule) {
  case OrphanRule::SameName:
    return "it joins " + anchor +
           ", the first output section of its name that is like it or empty";
  case OrphanRule::UnusedName:
    return "it joins " + anchor +
           ", the last output section of its name that nothing uses";
  case OrphanRule::WithCommon:
    return "COMMON goes to " + anchor +
           ", the first output section that asks for COMMON";
  case OrphanRule::CommonInBss:
    return "COMMON goes to " + anchor + ", as no pattern asks for COMMON";
  case OrphanRule::NewBss:
    return "COMMON goes to a .bss behind everything, as the script has none";
  case OrphanRule::CommonLost:
  case OrphanRule::Refused:
    return "it has no place";
  case OrphanRule::ByName:
    return "a relocatable output keeps sections of one name together";
  case OrphanRule::AtEnd:
    text = "it takes no memory: its output section stands at the end";
    break;
  case OrphanRule::BaseGroup:
    text = "its output section follows " + anchor +
           ", the last one of its base symbol";
    break;
  case OrphanRule::WellKnown:
    text = "its output section follows " + anchor +
           ", which sections of its kind follow";
    break;
  case OrphanRule::SameTraits:
    text = "its output section follows " + anchor +
           ", the last one of its type, contents and permissions";
    break;
  case OrphanRule::NearTraits:
    text = "its output section follows " + anchor +
           ", the last one that comes near its contents and permissions";
    break;
  case OrphanRule::NoNeighbour:
    text = "no output section is like it: its own stands in front of all";
    break;
  case OrphanRule::BesideNotes:
    text = "its output section follows " + anchor +
           ", since notes stay together by alignment, and nothing comes "
           "between them";
    break;
  }
  if (reason.previous != kNone)
    text += ", behind " + named(reason.previous) +
            ", the orphan of its kind before it";
  if (reason.alone)
    text += "; --unique lets it join no other";
  return text;
}

/// Where it is; "": it is not in the output, or takes no memory.
std::string PlacedAnswers::addressOf(const WhyTarget &target,
                                     const PlacedAnswer &answer) const {
  const SectionId id = target.section;
  if (id == kNone || !link.placed(id) || answer.fate.kind == Fate::Folded ||
      !link.output(answer.output).isAlloc() || program.config.relocatable)
    return "";
  return hex(link.addressOf(id).wrapped());
}

std::string PlacedAnswers::text(const WhyTarget &target) {
  const PlacedAnswer answer = of(target);
  const SectionId id = target.section;
  std::string text = "why placed: " + context.titleOf(target) + "\n";
  auto line = [&](const std::string &what) {
    text += "    " + printable(what) + "\n";
  };
  if (!answer.fate.text.empty() && answer.fate.kind != Fate::LinkerMade &&
      answer.fate.kind != Fate::Cut)
    line("it " + answer.fate.text);
  for (const auto &[rule, refusal] : answer.refused)
    line("not taken by " + WhyContext::ruleText(*rule) + " of '" +
         rule->command->name.str() + "': " + refusalText(refusal));
  for (OutputId id : answer.passedOver)
    line("no room for it in " + named(id));
  const std::string address = addressOf(target, answer);
  const std::string at = address.empty() ? "" : " at " + address;
  if (answer.rule && answer.rule->output != kNone)
    line("taken by " + WhyContext::ruleText(*answer.rule) + " of '" +
         answer.rule->command->name.str() + "'" + (at.empty() ? "" : ",") + at);
  if (!answer.rule && id != kNone && link.placed(id)) {
    line("no pattern takes it: an orphan, in " + named(answer.output) + at);
    line(orphanText(answer.orphan));
  }
  if (answer.keep)
    line("kept by " + WhyContext::ruleText(*answer.keep));
  for (const PatternRule *rule : answer.later)
    line("would be taken by " + WhyContext::ruleText(*rule) + " of '" +
         rule->command->name.str() + "' too");
  if (answer.moreLater)
    line("and by further patterns");
  return text;
}

json::Object PlacedAnswers::json(const WhyTarget &target) {
  const PlacedAnswer answer = of(target);
  const SectionId id = target.section;
  json::Object o = context.jsonOf(target);
  answer.fate.addTo(o);
  if (answer.output != kNone)
    o["output"] = json::fixUTF8(link.placement.outputs[answer.output].name);
  if (const std::string address = addressOf(target, answer); !address.empty())
    o["address"] = address;
  if (answer.rule)
    o["pattern"] = WhyContext::ruleJson(*answer.rule);
  if (answer.keep)
    o["keptBy"] = WhyContext::ruleJson(*answer.keep);
  json::Array refused, later, passed;
  for (const auto &[rule, refusal] : answer.refused) {
    json::Object entry = WhyContext::ruleJson(*rule);
    entry["why"] = refusalName(refusal);
    refused.push_back(std::move(entry));
  }
  for (const PatternRule *rule : answer.later)
    later.push_back(WhyContext::ruleJson(*rule));
  for (OutputId out : answer.passedOver)
    passed.push_back(json::fixUTF8(link.placement.outputs[out].name));
  if (!refused.empty())
    o["refused"] = std::move(refused);
  if (!later.empty())
    o["later"] = std::move(later);
  if (answer.moreLater)
    o["moreLater"] = true;
  if (!passed.empty())
    o["passedOver"] = std::move(passed);
  if (!answer.rule && id != kNone && link.placed(id)) {
    json::Object orphan{{"rule", ruleName(answer.orphan.rule)}};
    if (answer.orphan.anchor != kNone)
      orphan["anchor"] =
          json::fixUTF8(link.placement.outputs[answer.orphan.anchor].name);
    if (answer.orphan.previous != kNone)
      orphan["previous"] =
          json::fixUTF8(link.placement.outputs[answer.orphan.previous].name);
    if (answer.orphan.alone)
      orphan["unique"] = true;
    o["orphan"] = std::move(orphan);
  }
  return o;
}

/// A symbol stands for the section that holds it.
static constexpr unsigned kWantedPlaced =
    WhyNames::Sections | WhyNames::SymbolsOtherwise;

std::string whyPlacedText(WhyContext &context) {
  PlacedAnswers answers(context);
  return context.textOf(
      "--why-placed", context.program.config.whyPlaced, kWantedPlaced,
      [&](const WhyTarget &target) { return answers.text(target); });
}

void whyPlacedJson(WhyContext &context, json::OStream &out) {
  PlacedAnswers answers(context);
  context.writeAnswersTo(
      out, "--why-placed", context.program.config.whyPlaced, kWantedPlaced,
      [&](const WhyTarget &target) { return answers.json(target); });
}

} // namespace xlink
