//===- WhyLive.cpp --------------------------------------------------------===//
//
// Problem: a program is larger than it should be, and who made it so is many
// references away.
//
// Method: one search from all roots (LiveSearch) has the shortest chain to each
// section; an answer reads it backwards. What is not in the output is told so,
// with what dropped it.
//
// Cost: the search, and a line for each reference of a chain; see ChainCutter
// for what a hundred thousand answers cost.
//
//===----------------------------------------------------------------------===//
#include "report/WhyLive.h"
#include "report/WhyFate.h"
#include <utility>

using namespace llvm;

namespace xlink {

namespace {

/// What is said of one target.
struct LiveAnswer {
  Fate fate;
  /// The way to it, if something reaches it: the edges after the first section.
  ChainCutter::Chain chain;
  const LiveSearch::Edge *root = nullptr; ///< null: `chain` is continued
  std::vector<const LiveSearch::Edge *> steps;
  bool reached = false;
};

class LiveAnswers {
public:
  explicit LiveAnswers(WhyContext &context)
      : context(context), fates(context),
        cutter(context.program.sections.size()) {}
  LiveAnswer of(const WhyTarget &target);

private:
  WhyContext &context;
  Fates fates;
  ChainCutter cutter;
};

} // namespace

static constexpr unsigned kWantedLive =
    WhyNames::Symbols | WhyNames::Sections | WhyNames::Unused;

LiveAnswer LiveAnswers::of(const WhyTarget &target) {
  LiveAnswer answer;
  answer.fate = fates.of(target);
  const Fate::Kind kind = answer.fate.kind;
  if (kind != Fate::Lives && kind != Fate::Folded)
    return answer;
  const LiveSearch &search = context.search();
  const auto [begin, end] = fates.pieceOf(target);
  const bool whole = begin == 0 && end == ~uint64_t(0);
  const LiveSearch::Edge *last = whole
                                     ? search.find(target.section)
                                     : search.find(target.section, begin, end);
  if (!last)
    return answer;
  answer.reached = true;
  // Only the last step may be that of a piece; all before are of sections.
  bool first = true;
  answer.chain = cutter.cut(target.section.index(), [&](uint32_t i) {
    return (std::exchange(first, false) ? last : search.find(SectionId(i)))
        ->from.index();
  });
  for (uint32_t i : ArrayRef(answer.chain.steps).drop_back())
    answer.steps.push_back(search.find(SectionId(i)));
  answer.steps.push_back(last);
  if (!answer.chain.continued)
    answer.root = answer.steps.front();
  answer.steps.erase(answer.steps.begin());
  return answer;
}

static std::string answerText(WhyContext &context, const WhyTarget &target,
                              const LiveAnswer &answer) {
  std::string text = "why live: " + context.titleOf(target) + "\n";
  auto line = [&](const std::string &what) {
    text += "    " + printable(what) + "\n";
  };
  if (!answer.fate.text.empty())
    line("it " + answer.fate.text +
         (answer.fate.isCollected() ? "; --why-dead says more" : ""));
  else if (!answer.reached)
    line(context.program.config.gcSections
             ? "it is not collected, whatever refers to it"
             : "nothing that begins at a root refers to it");
  if (answer.root)
    line(context.rootText(*answer.root));
  else if (answer.reached)
    line(context.program.sectionName(SectionId(answer.chain.steps.front())) +
         " lives, as shown above");
  for (const LiveSearch::Edge *step : answer.steps)
    line(context.stepText(step->from, step->link));
  return text;
}

std::string whyLiveText(WhyContext &context) {
  LiveAnswers answers(context);
  const std::string text =
      context.textOf("--why-live", context.program.config.whyLive, kWantedLive,
                     [&](const WhyTarget &target) {
                       return answerText(context, target, answers.of(target));
                     });
  if (text.empty() || context.program.config.gcSections)
    return text;
  return "without --gc-sections everything lives, referred to or not\n" + text;
}

static json::Object answerJson(WhyContext &context, const WhyTarget &target,
                               const LiveAnswer &answer) {
  json::Object o = context.jsonOf(target);
  answer.fate.addTo(o);
  if (answer.root)
    o["root"] = context.rootJson(*answer.root);
  else if (answer.reached)
    o["continues"] = context.jsonOf(SectionId(answer.chain.steps.front()));
  json::Array chain;
  for (const LiveSearch::Edge *step : answer.steps)
    chain.push_back(context.stepJson(step->from, step->link));
  if (!chain.empty())
    o["chain"] = std::move(chain);
  return o;
}

void whyLiveJson(WhyContext &context, json::OStream &out) {
  LiveAnswers answers(context);
  context.writeAnswersTo(out, "--why-live", context.program.config.whyLive,
                         kWantedLive, [&](const WhyTarget &target) {
                           return answerJson(context, target,
                                             answers.of(target));
                         });
}

} // namespace xlink
