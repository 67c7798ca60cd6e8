//===- CollectedSections.cpp ----------------------------------------------===//
#include "report/CollectedSections.h"

namespace xlink {

std::string collectedSectionsText(const Link &link) {
  std::string text;
  uint64_t count = 0, bytes = 0;
  for (SectionId id : link.program.sections.ids(1)) {
    const SectionView s = link.section(id);
    if (!s.parsed || s.discarded || s.live || s.parsed->size == 0)
      continue;
    text += "removing unused section " + link.program.sectionName(id) + "\n";
    ++count;
    bytes += s.parsed->size;
  }
  if (count)
    text += "removed " + std::to_string(count) +
            (count == 1 ? " section" : " sections") + " of " +
            std::to_string(bytes) + " bytes\n";
  return text;
}

} // namespace xlink
