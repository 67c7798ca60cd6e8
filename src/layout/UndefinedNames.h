//===- UndefinedNames.h - names that a script reads in vain ---------------===//
#ifndef XLINK_LAYOUT_UNDEFINEDNAMES_H
#define XLINK_LAYOUT_UNDEFINEDNAMES_H

#include "model/ScriptTree.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace xlink {

/// Names without a value that expressions read, in the order of their first
/// use. One missing --defsym may be read in fifty places: it is one error.
class UndefinedNames {
public:
  struct Use {
    ScriptLocation first; ///< the topmost one, of those in its file
    uint64_t places;
  };
  /// A place that reads such a name; a second call has no effect.
  void add(const Expr &name) {
    if (!seen.insert(&name).second)
      return;
    Use &use = names.insert({name.name, {name.where, 0}}).first->second;
    ++use.places;
    // Statements do not run in the order of the script.
    if (use.first.file == name.where.file && name.where.line < use.first.line)
      use.first = name.where;
  }
  const llvm::MapVector<llvm::StringRef, Use> &all() const { return names; }

private:
  llvm::DenseSet<const Expr *> seen;
  llvm::MapVector<llvm::StringRef, Use> names;
};

} // namespace xlink
#endif
