//===- CollectedSections.cpp ----------------------------------------------===//
#include "report/CollectedSections.h"

namespace xlink {

std::string collectedSectionsText(const Link &link) {
  std::string text;
  for (SectionId id = 1; id < link.sections.size(); ++id) {
    const InputSection &s = link.sections[id];
    if (s.parsed && !s.discarded && !s.live)
      text += "removing unused section " + link.sectionName(id) + "\n";
  }
  return text;
}

} // namespace xlink
