//===- Contents.cpp -------------------------------------------------------===//
#include "layout/Contents.h"
#include "layout/EhFrame.h"
#include "layout/Icf.h"
#include "layout/MergeSections.h"
#include "layout/SyntheticSections.h"

namespace xlink {

Contents settleContents(const Program &program, const Placement &placement,
                        Liveness liveness, const std::vector<EhFrame> &frames) {
  Contents contents;
  contents.liveness = std::move(liveness);
  contents.sections.resize(program.sections.size());
  for (SectionId id : program.sections.ids())
    if (const ParsedSection *parsed = program.sections[id].parsed)
      contents.sections[id].size = parsed->size;
  settleGot(program, placement, contents);
  mergeSections(program, placement, contents);
  foldIdentical(program, placement, frames, contents);
  cutEhFrames(program, placement, frames, contents);
  return contents;
}

} // namespace xlink
