//===- CollectedSections.cpp ----------------------------------------------===//
#include "report/CollectedSections.h"

namespace xlink {

std::string collectedSectionsText(const Link &link) {
  std::string text;
  for (SectionId id : link.program.sections.ids(1)) {
    const SectionView s = link.section(id);
    if (s.parsed && !s.discarded && !s.live)
      text += "removing unused section " + link.program.sectionName(id) + "\n";
  }
  return text;
}

} // namespace xlink
