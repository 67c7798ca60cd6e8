//===- SettleContributions.cpp --------------------------------------------===//
#include "sections/SettleContributions.h"
#include "placement/Placement.h"
#include "sections/EhFrame.h"
#include "sections/Icf.h"
#include "sections/MergeSections.h"
#include "sections/SyntheticSections.h"

namespace xlink {

Contributions settleContributions(const Program &program, Placement &placement,
                                  Liveness liveness,
                                  const std::vector<EhFrame> &frames) {
  Contributions contributions;
  contributions.liveness = std::move(liveness);
  contributions.sections.extend(program.sections.size());
  contributions.sections[SectionId(0)] = Contribution();
  const size_t files = program.files.size();
  auto setSizes = [&](SectionId begin, SectionId end) {
    for (SectionId id : idRange(begin, end)) {
      Contribution made;
      if (placement.sections[id].classIndex != 0)
        made.size = program.sections[id].parsed->size;
      contributions.sections[id] = made;
    }
  };
  // A file each, then made sections. Sections that resolution discarded have no
  // size.
  program.parallel.forEach(
      files + 1, program.sections.size() * sizeof(ParsedSection),
      [&](size_t i) {
        const SectionId begin = i == files
                                    ? madeSections(program)
                                    : program.files[FileId(i)].sectionBase;
        setSizes(begin, i == files
                            ? program.sections.next()
                            : begin + uint32_t(program.files[FileId(i)]
                                                   .object->sections.size()));
      });
  settleGot(program, placement, contributions);
  mergeSections(program, placement, contributions);
  foldIdentical(program, placement, frames, contributions);
  cutEhFrames(program, placement, frames, contributions);
  return contributions;
}

} // namespace xlink
