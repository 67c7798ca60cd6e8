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
#include "report/WhyFate.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

namespace {

class PlacedAnswers {
public:
  explicit PlacedAnswers(WhyContext &context)
      : context(context), link(context.link), program(context.program),
        fates(context) {}
  WhyAnswer of(const WhyTarget &target);

private:
  std::string named(OutputId id) const {
    return id == kNone ? "nothing"
                       : "'" + printable(link.placement.outputs[id].name) + "'";
  }
  json::Value nameIn(OutputId id) const {
    return json::fixUTF8(link.placement.outputs[id].name);
  }
  uint32_t taker(SectionId id) const;
  void addRefused(WhyAnswer &answer, SectionId id, uint32_t taken);
  void addLater(WhyAnswer &answer, SectionId id, uint32_t taken);
  std::string addAddress(WhyAnswer &answer, SectionId id, const Fate &fate);
  void addOrphan(WhyAnswer &answer, SectionId id);
  std::string orphanText(const OrphanReason &reason) const;

  WhyContext &context;
  const Link &link;
  const Program &program;
  Fates fates;
};

/// How many patterns are named that would have taken a section too.
constexpr size_t kLater = 10;

} // namespace

//===----------------------------------------------------------------------===//
// Reasons
//===----------------------------------------------------------------------===//

/// Why a rule that names a section does not take it: in words, and in JSON.
static std::pair<const char *, const char *> named(PatternRefusal refusal) {
  switch (refusal) {
  case PatternRefusal::Excluded:
    return {"EXCLUDE_FILE leaves its file out", "exclude-file"};
  case PatternRefusal::Flags:
    return {"INPUT_SECTION_FLAGS asks for other flags", "flags"};
  case PatternRefusal::Constraint:
    return {"ONLY_IF_RO or ONLY_IF_RW does not hold there", "only-if"};
  case PatternRefusal::Unique:
    return {"it stands alone (--unique, or a group that -r keeps)", "unique"};
  case PatternRefusal::OwnComment:
    return {"the linker's own .comment is no input", "own-comment"};
  default:
    return {"", ""};
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

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

/// The rule that took a section; kNone: it is an orphan.
uint32_t PlacedAnswers::taker(SectionId id) const {
  const PatternRules &rules = context.rules();
  const InputSection &s = program.sections[id];
  // One that moved on was taken by the rule of where it is now.
  const bool moved = link.placement.passedOver.contains(id);
  return rules.next(s, 0, [&](const PatternRule &rule) {
    return rules.matches(rule, s) &&
           (!moved || rule.output == link.placement.sections[id].output);
  });
}

/// Calls fn(rule, index, refusal) for each rule that the name of a section can
/// meet, until it returns false.
template <class Fn>
static void forEachRule(const PatternRules &rules, const InputSection &s,
                        Fn fn) {
  auto any = [](const PatternRule &) { return true; };
  for (uint32_t i = rules.next(s, 0, any); i != kNone;
       i = rules.next(s, i + 1, any))
    if (!fn(rules[i], i, rules.refusal(rules[i], s)))
      return;
}

/// Earlier rules that name a section, and why they did not take it.
void PlacedAnswers::addRefused(WhyAnswer &answer, SectionId id,
                               uint32_t taken) {
  forEachRule(context.rules(), program.sections[id],
              [&](const PatternRule &rule, uint32_t i, PatternRefusal refusal) {
                if (i >= taken)
                  return false;
                if (refusal <= PatternRefusal::File)
                  return true;
                const auto [words, name] = xlink::named(refusal);
                Said said = WhyContext::rule(rule);
                said.json["why"] = name;
                answer.add("not taken by " + said.text + " of '" +
                               rule.command->name + "': " + words,
                           "refused", std::move(said.json));
                return true;
              });
}

/// Rules that would have taken a section too.
void PlacedAnswers::addLater(WhyAnswer &answer, SectionId id, uint32_t taken) {
  size_t count = 0;
  forEachRule(context.rules(), program.sections[id],
              [&](const PatternRule &rule, uint32_t i, PatternRefusal refusal) {
                if (refusal != PatternRefusal::None || i <= taken)
                  return true;
                if (count++ == kLater) {
                  answer.say("and by further patterns", "moreLater", true);
                  return false;
                }
                Said said = WhyContext::rule(rule);
                answer.add("would be taken by " + said.text + " of '" +
                               rule.command->name + "' too",
                           "later", std::move(said.json));
                return true;
              });
}

/// " at 0x1000"; "": it is not in the output, or takes no memory.
std::string PlacedAnswers::addAddress(WhyAnswer &answer, SectionId id,
                                      const Fate &fate) {
  const OutputId output = link.placement.sections[id].output;
  if (output != kNone)
    answer.json["output"] = nameIn(output);
  if (!link.placed(id) || fate.kind == Fate::Folded ||
      !link.output(output).isAlloc() || program.config.relocatable)
    return "";
  const std::string address = hex(link.addressOf(id).wrapped());
  answer.json["address"] = address;
  return " at " + address;
}

void PlacedAnswers::addOrphan(WhyAnswer &answer, SectionId id) {
  OrphanReason reason = link.placement.orphanReasons.lookup(id);
  if (program.config.relocatable && program.builtinScript)
    reason.rule = OrphanRule::ByName;
  json::Object orphan{{"rule", ruleName(reason.rule)}};
  if (reason.anchor != kNone)
    orphan["anchor"] = nameIn(reason.anchor);
  if (reason.previous != kNone)
    orphan["previous"] = nameIn(reason.previous);
  if (reason.alone)
    orphan["unique"] = true;
  answer.say(orphanText(reason), "orphan", std::move(orphan));
}

WhyAnswer PlacedAnswers::of(const WhyTarget &target) {
  WhyAnswer answer = context.begin("why placed", target);
  const SectionId id = target.section;
  const Fate fate = fates.of(target);
  fate.addTo(answer.json);
  if (!fate.text.empty() && fate.kind != Fate::LinkerMade &&
      fate.kind != Fate::Cut)
    answer.line("it " + fate.text);
  if (id == kNone) // a symbol that is in none
    return answer;
  // No pattern has seen a section that was discarded before.
  const bool seen = !program.sections[id].discarded;
  const uint32_t taken = seen ? taker(id) : uint32_t(kNone);
  if (seen) {
    addRefused(answer, id, taken);
    for (OutputId passed : link.placement.passedOver.lookup(id))
      answer.add("no room for it in " + named(passed), "passedOver",
                 nameIn(passed));
  }
  const std::string at = addAddress(answer, id, fate);
  if (taken != kNone) {
    const PatternRule &rule = context.rules()[taken];
    Said said = WhyContext::rule(rule);
    answer.json["pattern"] = std::move(said.json);
    if (rule.output != kNone)
      answer.line("taken by " + said.text + " of '" + rule.command->name + "'" +
                  (at.empty() ? "" : ",") + at);
    if (!rule.description->keep && link.placement.sections[id].keep)
      if (const uint32_t keep = context.rules().first(program.sections[id],
                                                      /*keepOnly=*/true);
          keep != kNone) {
        Said said = WhyContext::rule(context.rules()[keep]);
        answer.say("kept by " + said.text, "keptBy", std::move(said.json));
      }
  } else if (link.placed(id)) {
    answer.line("no pattern takes it: an orphan, in " +
                named(link.placement.sections[id].output) + at);
    addOrphan(answer, id);
  }
  if (seen)
    addLater(answer, id, taken);
  return answer;
}

void whyPlaced(WhyContext &context) {
  PlacedAnswers answers(context);
  // A symbol stands for the section that holds it.
  context.ask("--why-placed", context.program.config.whyPlaced,
              WhyNames::Sections | WhyNames::SymbolsOtherwise,
              [&](const WhyTarget &target) { return answers.of(target); });
}

} // namespace xlink
