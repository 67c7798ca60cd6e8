//===- SpellingHints.h - near spellings for many names --------------------===//
#ifndef XLINK_BASE_SPELLINGHINTS_H
#define XLINK_BASE_SPELLINGHINTS_H

#include "base/Diagnostics.h"
#include <algorithm>
#include <string>
#include <vector>

namespace xlink {

/// Finds near spellings among the same candidates for one name after the other.
/// A search looks at all candidates, so of thousands of names (a forgotten
/// library, --error-limit=0) only the first get a hint: a hundred of them, or
/// as many as take kLooks comparisons.
class SpellingHints {
public:
  SpellingHints() = default;
  explicit SpellingHints(std::vector<llvm::StringRef> names)
      : candidates(std::move(names)),
        left(std::max<size_t>(100, kLooks / (candidates.size() + 1))) {}

  /// The nearest candidate, or "" when none is near or no hint is left.
  std::string near(llvm::StringRef name) {
    if (left == 0)
      return "";
    --left;
    return nearestSpelling(name, candidates);
  }

private:
  static constexpr size_t kLooks = 2000000; ///< well below a second

  std::vector<llvm::StringRef> candidates;
  size_t left = 0; ///< names that may still get one
};

} // namespace xlink
#endif
