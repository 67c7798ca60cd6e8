//===- SymbolValues.h - values of symbols for relocations -----------------===//
#ifndef XLINK_MODEL_SYMBOLVALUES_H
#define XLINK_MODEL_SYMBOLVALUES_H

#include "model/Ids.h"

namespace xlink {

/// The kind of a symbol's value for relocations.
enum class ValueKind : uint8_t {
  Normal,        ///< `address` is S
  UndefinedWeak, ///< S = 0
  Undefined,     ///< reported elsewhere; relocations are silent and get 0
  Discarded,     ///< in a section that is not in the output
  Merged,        ///< section symbol of a merged section: depends on the addend
  Unresolved,    ///< result that depends on something undefined; S = 0
  Recursive,     ///< result that depends on itself alone; S = 0
};

/// Values of all symbols, once addresses are fixed.
struct SymbolValues {
  std::vector<uint64_t> address;        ///< by symbolBase + index
  std::vector<ValueKind> kind;          ///< by symbolBase + index
  IdVector<SymbolId, uint64_t> globals; ///< of every global symbol
  bool anyUndefined = false; ///< `kind` is Undefined of a global symbol
};

} // namespace xlink
#endif
