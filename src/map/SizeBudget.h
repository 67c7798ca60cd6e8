//===- SizeBudget.h - limits for the size of a program --------------------===//
#ifndef XLINK_MAP_SIZEBUDGET_H
#define XLINK_MAP_SIZEBUDGET_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"
#include <deque>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// One line of a budget: `region FLASH 48K`.
struct SizeLimit {
  enum Kind : uint8_t { Region, Output, Section, Archive, Object, Symbol };
  Kind kind = Region;
  std::string name;   ///< as written, without quotes; a glob but for regions
  std::string amount; ///< as written: "48K", "90%"
  uint64_t bytes = 0; ///< the most that it allows, or
  std::optional<unsigned> percent; ///< of the region's length
  unsigned line = 0;
  llvm::GlobPattern pattern; ///< refers to `name`; but for regions
};

/// The lines of a --size-budget file.
struct SizeBudget {
  std::string file; ///< its name, for messages
  std::deque<SizeLimit> limits;
};

/// Reads a budget in the form of map/README.md; each line that is not of it is
/// an error that names file and line, and then the result is nothing.
std::optional<SizeBudget>
readSizeBudget(llvm::StringRef file, llvm::StringRef text, Diagnostics &diag);

/// The use of a limit, in bytes.
struct LimitUse {
  bool found = false; ///< something in the program has the name
  uint64_t used = 0;
  uint64_t allowed = 0;
  bool exceeded() const { return used > allowed; }
};
/// The use of each limit of a budget.
std::vector<LimitUse> useOf(const SizeBudget &budget, const LinkMap &map);

/// An older map of the program, and the file that it was read from.
struct Baseline {
  LinkMap map;
  std::string file;
};

/// Reports each limit that is exceeded as an error, with the largest
/// contributors and, where there is a baseline, those that have grown; and a
/// warning for each whose name the program lacks. `uses` is useOf(budget, map).
void reportSizeBudget(const SizeBudget &budget,
                      const std::vector<LimitUse> &uses, const LinkMap &map,
                      const Baseline *baseline, bool demangle,
                      Diagnostics &diag);

/// --size-budget of a link with this map: reads the file and reports as
/// reportSizeBudget() does. The result is the answer in JSON; nothing: the
/// budget cannot be read.
std::optional<llvm::json::Value> checkSizeBudget(const Config &config,
                                                 const LinkMap &map,
                                                 const Baseline *baseline,
                                                 llvm::vfs::FileSystem *fs,
                                                 Diagnostics &diag);

/// Every limit with its use, the member "sizeBudget" of --answers-json.
llvm::json::Value sizeBudgetJson(const SizeBudget &budget,
                                 const std::vector<LimitUse> &uses);

} // namespace xlink
#endif
