//===- SectionSurvey.h - the one look at every input section --------------===//
#ifndef XLINK_PLACEMENT_SECTIONSURVEY_H
#define XLINK_PLACEMENT_SECTIONSURVEY_H

#include "model/Placement.h"
#include "model/Program.h"
#include "placement/PatternRules.h"
#include <memory>
#include <vector>

namespace xlink {

/// Behind the sections of files, the first of those that are made.
SectionId madeSections(const Program &program);

/// The input sections in the order of patterns and orphans: file by file, a
/// file's COMMON symbols behind its sections, then those of no file.
class InputOrder {
public:
  explicit InputOrder(const Program &program);
  /// Calls fn for each section, also for those that resolution discarded.
  template <class Fn> void forEach(Fn fn) const {
    for (FileId f : program.files.ids()) {
      const InputFile &file = program.files[f];
      for (SectionId id :
           idRange(file.sectionBase + 1,
                   file.sectionBase + uint32_t(file.object->sections.size())))
        fn(id);
      if (!extra.empty())
        for (SectionId id : extra[f])
          fn(id);
    }
    for (SectionId id : last)
      fn(id);
  }

private:
  const Program &program;
  IdVector<FileId, std::vector<SectionId>> extra; ///< empty: no file has any
  std::vector<SectionId> last;
};

/// The rules' results for each input section.
struct SectionSurvey {
  /// By SectionId: the first rule that takes it; kNone: none does, or
  /// resolution discarded it.
  std::unique_ptr<uint32_t[]> rule;
  bool anyNamed = false; ///< by one of the rules that were asked for
  uint64_t steps = 0;    ///< rules that were looked at
};

/// Applies the rules to all input sections and stores the results in the
/// placement: each section's class and output section, whether a KEEP names it
/// and whether it is discarded. `anyKeep`: some rule has KEEP. `some`: rules to
/// test for any section that they name; null: none.
SectionSurvey surveySections(const Program &program, const PatternRules &rules,
                             bool anyKeep, const PatternIndex *some,
                             Placement &placement);

} // namespace xlink
#endif
