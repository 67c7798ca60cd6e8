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
#include "report/Why.h"
#include "report/WhyFate.h"
#include <utility>

using namespace llvm;

namespace xlink {

namespace {

class LiveAnswers {
public:
  explicit LiveAnswers(WhyContext &context)
      : context(context), fates(context),
        cutter(context.program.sections.size()) {}
  WhyAnswer of(const WhyTarget &target);

private:
  const LiveSearch::Edge *lastEdge(const WhyTarget &target) const;
  void addChain(WhyAnswer &answer, SectionId section,
                const LiveSearch::Edge &last);

  WhyContext &context;
  Fates fates;
  ChainCutter cutter;
};

} // namespace

/// The last step of the way to a target; null: nothing reaches it.
const LiveSearch::Edge *LiveAnswers::lastEdge(const WhyTarget &target) const {
  const LiveSearch &search = context.search();
  const auto [begin, end] = fates.pieceOf(target);
  return begin == 0 && end == ~uint64_t(0)
             ? search.find(target.section)
             : search.find(target.section, begin, end);
}

void LiveAnswers::addChain(WhyAnswer &answer, SectionId section,
                           const LiveSearch::Edge &last) {
  const LiveSearch &search = context.search();
  // Only the last step may be that of a piece; all before are of sections.
  bool first = true;
  const ChainCutter::Chain chain = cutter.cut(section.index(), [&](uint32_t i) {
    return (std::exchange(first, false) ? last : *search.find(SectionId(i)))
        .from.index();
  });
  const SectionId begin(chain.steps.front());
  if (chain.continued) {
    answer.say(context.program.sectionName(begin) + " lives, as shown above",
               "continues", context.jsonOf(begin));
  } else {
    Said root =
        context.root(chain.steps.size() == 1 ? last : *search.find(begin));
    answer.say(root.text, "root", std::move(root.json));
  }
  for (size_t i = 1; i < chain.steps.size(); ++i) {
    const LiveSearch::Edge &edge =
        i + 1 == chain.steps.size() ? last
                                    : *search.find(SectionId(chain.steps[i]));
    Said step = context.step(edge.from, edge.link);
    answer.add(step.text, "chain", std::move(step.json));
  }
}

WhyAnswer LiveAnswers::of(const WhyTarget &target) {
  WhyAnswer answer = context.begin("why live", target);
  const Fate fate = fates.of(target);
  const bool lives = fate.kind == Fate::Lives || fate.kind == Fate::Folded;
  const LiveSearch::Edge *last = lives ? lastEdge(target) : nullptr;
  fate.addTo(answer.json);
  if (!fate.text.empty())
    answer.line("it " + fate.text +
                (fate.isCollected() ? "; --why-dead says more" : ""));
  else if (!last)
    answer.line(context.program.config.gcSections
                    ? "it is not collected, whatever refers to it"
                    : "nothing that begins at a root refers to it");
  if (last)
    addChain(answer, target.section, *last);
  return answer;
}

void whyLive(WhyContext &context) {
  LiveAnswers answers(context);
  const Config &config = context.program.config;
  context.ask("--why-live", config.whyLive,
              WhyNames::Symbols | WhyNames::Sections | WhyNames::Unused,
              [&](const WhyTarget &target) { return answers.of(target); });
  if (!context.text.empty() && !config.gcSections)
    context.text =
        "without --gc-sections everything lives, referred to or not\n" +
        context.text;
}

} // namespace xlink
