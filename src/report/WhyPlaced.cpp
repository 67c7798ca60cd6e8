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
#include "report/Why.h"

using namespace llvm;

namespace xlink {

/// Why a rule that names a section does not take it, by PatternRefusal: in
/// words, and in JSON.
static constexpr std::pair<const char *, const char *> kRefusals[] = {
    {"", ""},
    {"", ""},
    {"", ""},
    {"EXCLUDE_FILE leaves its file out", "exclude-file"},
    {"INPUT_SECTION_FLAGS requires other flags", "flags"},
    {"ONLY_IF_RO or ONLY_IF_RW does not hold there", "only-if"},
    {"it stands alone (--unique, or a group that -r keeps)", "unique"},
    {"the linker's own .comment is no input", "own-comment"}};

namespace {

/// An orphan rule: its name in JSON, and a sentence in which % is the anchor.
struct RuleText {
  const char *name, *text;
  bool follows = true; ///< it says where an own output section goes
};

} // namespace

/// By OrphanRule.
static constexpr RuleText kOrphanRules[] = {
    {"same-name",
     "it joins %, the first output section of its name that is like it or "
     "empty",
     false},
    {"unused-name",
     "it joins %, the last output section of its name that nothing uses",
     false},
    {"with-common",
     "COMMON goes to %, the first output section with a pattern for COMMON",
     false},
    {"common-in-bss", "COMMON goes to %, as no pattern is for COMMON", false},
    {"new-bss",
     "COMMON goes to a .bss behind everything, as the script has none", false},
    {"common-lost", "it has no place", false},
    {"base-group",
     "its output section follows %, the last one of its base symbol"},
    {"well-known",
     "its output section follows %, which sections of its kind follow"},
    {"same-traits", "its output section follows %, the last one of its type, "
                    "contents and permissions"},
    {"near-traits", "its output section follows %, the last one that comes "
                    "near its contents and permissions"},
    {"no-neighbour",
     "no output section is like it: its own stands in front of all"},
    {"beside-notes", "its output section follows %, since notes stay together "
                     "by alignment, and nothing comes between them"},
    {"at-end", "it takes no memory: its output section stands at the end"},
    {"refused", "it has no place", false},
    {"by-name", "a relocatable output keeps sections of one name together",
     false}};

/// The name of an output section in text.
static std::string named(const WhyContext &context, OutputId id) {
  return id == kNone
             ? "nothing"
             : "'" + printable(context.link.placement.outputs[id].name) + "'";
}

/// Rules in front of the taker that name a section, and why they did not take
/// it; or the first rules behind it that would have taken the section too.
static void addRules(WhyContext &context, WhyAnswer &answer,
                     const InputSection &s, uint32_t taken, bool later) {
  constexpr size_t most = 10;
  const PatternRules &rules = context.rules();
  auto any = [](const PatternRule &) { return true; };
  size_t count = 0;
  // Of an orphan, `taken` is behind all rules.
  for (uint32_t i = rules.next(s, later ? taken + 1 : 0, any);
       i != kNone && (later || i < taken); i = rules.next(s, i + 1, any)) {
    const PatternRefusal refusal = rules.refusal(rules[i], s);
    if (later ? refusal != PatternRefusal::None
              : refusal <= PatternRefusal::File)
      continue;
    if (later && count++ == most) {
      answer.line("and by further patterns");
      answer.json["moreLater"] = true;
      return;
    }
    Phrase rule = WhyContext::rule(rules[i]);
    rule.text += (" of '" + rules[i].command->name + "'").str();
    if (later) {
      rule.text = "would be taken by " + rule.text + " too";
    } else {
      const auto [words, name] = kRefusals[size_t(refusal)];
      rule.text = "not taken by " + rule.text + ": " + words;
      rule.json["why"] = name;
    }
    answer.add(std::move(rule), later ? "later" : "refused");
  }
}

/// `at`: " at 0x1000"; "": it is not in the output, or takes no memory.
static void addTaker(WhyContext &context, WhyAnswer &answer, SectionId id,
                     uint32_t taken, const std::string &at) {
  const PatternRule &rule = context.rules()[taken];
  Phrase phrase = WhyContext::rule(rule);
  answer.json["pattern"] = std::move(phrase.json);
  if (rule.output != kNone)
    answer.line("taken by " + phrase.text + " of '" + rule.command->name + "'" +
                (at.empty() ? "" : ",") + at);
  if (rule.description->keep || !context.link.placement.sections[id].keep)
    return;
  if (const uint32_t keep = context.rules().first(context.program.sections[id],
                                                  /*keepOnly=*/true);
      keep != kNone) {
    Phrase kept = WhyContext::rule(context.rules()[keep]);
    kept.text = "kept by " + kept.text;
    answer.say(std::move(kept), "keptBy");
  }
}

static void addOrphan(WhyContext &context, WhyAnswer &answer, SectionId id) {
  const Placement &placement = context.link.placement;
  OrphanReason reason = placement.orphanReasons.lookup(id);
  if (context.program.config.relocatable && context.program.builtinScript)
    reason.rule = OrphanRule::ByName;
  const RuleText &rule = kOrphanRules[size_t(reason.rule)];
  std::string text = rule.text;
  if (const size_t anchor = text.find('%'); anchor != std::string::npos)
    text.replace(anchor, 1, named(context, reason.anchor));
  if (rule.follows && reason.previous != kNone)
    text += ", behind " + named(context, reason.previous) +
            ", the orphan of its kind before it";
  if (rule.follows && reason.alone)
    text += "; --unique lets it join no other";
  json::Object orphan{{"rule", rule.name}};
  if (reason.anchor != kNone)
    orphan["anchor"] = jsonText(placement.outputs[reason.anchor].name);
  if (reason.previous != kNone)
    orphan["previous"] = jsonText(placement.outputs[reason.previous].name);
  if (reason.alone)
    orphan["unique"] = true;
  answer.say({std::move(text), std::move(orphan)}, "orphan");
}

static WhyAnswer answerTo(WhyContext &context, const WhyTarget &target) {
  const Link &link = context.link;
  const SectionId id = target.section;
  const Fate fate = context.fateOf(target);
  WhyAnswer answer = context.begin("why placed", target, fate);
  if (!fate.text.empty() && fate.kind != Fate::LinkerMade &&
      fate.kind != Fate::Cut)
    answer.line("it " + fate.text);
  if (id == kNone) // a symbol that is in none
    return answer;
  const InputSection &s = context.program.sections[id];
  const OutputId output = link.placement.sections[id].output;
  uint32_t taken = kNone; // the rule that took it; kNone: it is an orphan
  // No pattern has seen a section that was discarded before.
  if (!s.discarded) {
    const PatternRules &rules = context.rules();
    const std::vector<OutputId> passed = link.placement.passedOver.lookup(id);
    // One that moved on was taken by the rule of where it is now.
    taken = rules.next(s, 0, [&](const PatternRule &rule) {
      return rules.matches(rule, s) &&
             (passed.empty() || rule.output == output);
    });
    addRules(context, answer, s, taken, /*later=*/false);
    json::Array names;
    for (OutputId without : passed) {
      answer.line("no room for it in " + named(context, without));
      names.push_back(jsonText(link.placement.outputs[without].name));
    }
    if (!names.empty())
      answer.json["passedOver"] = std::move(names);
  }
  if (output != kNone)
    answer.json["output"] = jsonText(link.placement.outputs[output].name);
  std::string at;
  if (link.placed(id) && fate.kind != Fate::Folded &&
      link.output(output).isAlloc() && !context.program.config.relocatable) {
    const std::string address = hex(link.addressOf(id).wrapped());
    at = " at " + address;
    answer.json["address"] = address;
  }
  if (taken != kNone) {
    addTaker(context, answer, id, taken, at);
    addRules(context, answer, s, taken, /*later=*/true);
  } else if (link.placed(id)) {
    answer.line("no pattern takes it: an orphan, in " + named(context, output) +
                at);
    addOrphan(context, answer, id);
  }
  return answer;
}

void whyPlaced(WhyContext &context) {
  // A symbol stands for the section that holds it.
  context.ask(
      "--why-placed", context.program.config.whyPlaced,
      WhyTarget::Section | WhyTarget::SymbolsOtherwise,
      [&](const WhyTarget &target) { return answerTo(context, target); });
}

} // namespace xlink
