//===- CollectedSections.cpp ----------------------------------------------===//
#include "report/CollectedSections.h"
#include "base/Diagnostics.h"

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
    text += "removed " + countOf(count, "section", "sections") + " of " +
            countOf(bytes, "byte", "bytes") + "\n";
  return text;
}

} // namespace xlink
