//===- SizeBudget.h - what a program may take -----------------------------===//
#ifndef XLINK_MAP_SIZEBUDGET_H
#define XLINK_MAP_SIZEBUDGET_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// One line of a budget: `region FLASH 48K`.
struct SizeLimit {
  enum Kind : uint8_t { Region, Output, Section, Archive, Object, Symbol };
  Kind kind = Region;
  /// As written, without quotes; a glob but for regions. `pattern` refers to
  /// its text, which the budget holds.
  llvm::StringRef name;
  std::string amount;              ///< as written: "48K", "90%"
  uint64_t bytes = 0;              ///< what it allows, or
  std::optional<unsigned> percent; ///< of the region's length
  unsigned line = 0;
  llvm::GlobPattern pattern; ///< of `name`, but for regions

  /// "region FLASH"
  std::string text() const;
};

/// The lines of a --size-budget file.
struct SizeBudget {
  std::string file; ///< its name, for messages
  std::vector<SizeLimit> limits;
  std::shared_ptr<llvm::BumpPtrAllocator> texts =
      std::make_shared<llvm::BumpPtrAllocator>();
};

/// Reads a budget in the form of map/README.md; each line that is not of it is
/// an error that names file and line, and then the result is nothing.
std::optional<SizeBudget>
readSizeBudget(llvm::StringRef file, llvm::StringRef text, Diagnostics &diag);

/// What is under a limit. Sizes in bytes.
struct LimitUse {
  bool found = false; ///< something in the program has the name
  uint64_t used = 0;
  uint64_t allowed = 0;
  bool exceeded() const { return used > allowed; }
};
/// For each limit of a budget what the program takes.
std::vector<LimitUse> useOf(const SizeBudget &budget, const LinkMap &map);

/// An older map of the program, and the file that it was read from.
struct Baseline {
  LinkMap map;
  std::string file;
};

/// Reports each limit that is exceeded as an error, with what takes most and,
/// where there is a baseline, what has grown; and a warning for each that is of
/// nothing in the program. `uses` is useOf(budget, map).
void reportSizeBudget(const SizeBudget &budget,
                      const std::vector<LimitUse> &uses, const LinkMap &map,
                      const Baseline *baseline, bool demangle,
                      Diagnostics &diag);

/// --size-budget of a link whose map this is: reads the file and reports, with
/// what has grown since `baseline` where there is one. The result is the answer
/// in JSON; nothing: the budget cannot be read.
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
