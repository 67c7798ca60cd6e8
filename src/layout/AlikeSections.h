//===- AlikeSections.h - sections that orphan rules cannot tell apart -----===//
#ifndef XLINK_LAYOUT_ALIKESECTIONS_H
#define XLINK_LAYOUT_ALIKESECTIONS_H

#include "model/Placement.h"
#include "model/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include <utility>
#include <vector>

namespace xlink {

/// Numbers sections by their class and name: of thousands of orphans, most are
/// like some that came before.
class AlikeSections {
public:
  AlikeSections(const Program &program, const Placement &placement,
                llvm::ArrayRef<SectionId> sections) {
    numbers.reserve(sections.size());
    llvm::DenseMap<std::pair<uint32_t, llvm::StringRef>, uint32_t> known;
    for (size_t i = 0; i < sections.size(); ++i) {
      program.prefetchBehind(sections, i);
      const SectionId id = sections[i];
      const auto [it, fresh] =
          known.try_emplace({placement.sections[id].classIndex,
                             program.sections[id].parsed->name},
                            uint32_t(firsts.size()));
      if (fresh)
        firsts.push_back(id);
      numbers.push_back(it->second);
    }
  }

  /// By position in the list, the number.
  std::vector<uint32_t> numbers;
  /// By number, the first section that has it.
  std::vector<SectionId> firsts;
};

} // namespace xlink
#endif
