//===- SettleContributions.cpp --------------------------------------------===//
#include "sections/SettleContributions.h"
#include "placement/Placement.h"
#include "sections/SyntheticSections.h"

using namespace llvm;

namespace xlink {

Contributions settleContributions(const Program &program, Placement &placement,
                                  Liveness liveness,
                                  const std::vector<EhFrame> &frames) {
  Contributions contributions;
  contributions.liveness = std::move(liveness);
  contributions.sections.resize(program.sections.size());
  // Sections that resolution discarded have no size.
  program.parallel.forEach(program.sections.size(),
                           program.sections.size() * sizeof(ParsedSection),
                           [&](size_t i) {
                             const SectionId id(i);
                             Contribution made;
                             if (placement.sections[id].classIndex != 0)
                               made.size = program.sections[id].parsed->size;
                             contributions.sections[id] = made;
                           });
  settleGot(program, placement, contributions);
  mergeSections(program, placement, contributions);
  foldIdentical(program, placement, frames, contributions);
  cutEhFrames(program, placement, frames, contributions);
  return contributions;
}

bool holdsReversedWords(const PartialLink &link, OutputId output) {
  if (link.program.config.relocatable)
    return false; // the link that makes a program reverses them
  const StringRef name = link.placement.outputs[output].name;
  return name == ".init_array" || name == ".fini_array";
}

unsigned reversedWordSize(const PartialLink &link, SectionId id) {
  // An output section's name is in the cache; that of an input section mostly
  // not.
  const OutputId output = link.placement.sections[id].output;
  if (output == kNone || !holdsReversedWords(link, output))
    return 0;
  StringRef name = link.program.sections[id].parsed->name;
  const bool isInit = link.placement.outputs[output].name == ".init_array";
  if (!name.consume_front(isInit ? ".ctors" : ".dtors") ||
      (!name.empty() && name[0] != '.'))
    return 0;
  const unsigned word = link.program.addressSize();
  return link.contributions.sections[id].size > word ? word : 0;
}

} // namespace xlink
