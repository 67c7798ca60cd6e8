//===- Symbols.h - global symbols of one link -----------------------------===//
#ifndef XLINK_MODEL_SYMBOLS_H
#define XLINK_MODEL_SYMBOLS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace xlink {

/// Index into SymbolTable.
using SymbolId = uint32_t;
/// Index into Link::files.
using FileId = uint32_t;
/// Index into Link::sections.
using SectionId = uint32_t;
/// Index into Link::outputs.
using OutputId = uint32_t;
constexpr uint32_t kNone = ~0u;

enum class SymbolKind : uint8_t {
  Undefined, ///< nothing defines it (yet)
  Lazy,      ///< an archive member that is not part of the link would define it
  Common,    ///< `value` is the alignment; becomes Defined before layout
  Defined,   ///< `section` is a SectionId, `value` an offset in it
  Absolute,  ///< `value` is the value
  Output,    ///< set by a script: `section` is an OutputId, `value` an offset
};

/// A global symbol. Locals are (file, index) pairs and have no such object.
struct Symbol {
  llvm::StringRef name;
  uint64_t hash = 0;   ///< xxh3 of the name
  uint64_t value = 0;  ///< see SymbolKind
  uint64_t size = 0;   ///< st_size
  FileId file = kNone; ///< defining file; of an undefined one: first reference
  uint32_t index = 0;  ///< its index in that file's symbols; Lazy: provider
  uint32_t section = kNone; ///< see SymbolKind
  uint32_t order = kNone;   ///< rank of its first mention by an input, if any
  SymbolKind kind = SymbolKind::Undefined;
  uint8_t binding = 0; ///< STB_*; of an undefined one: STB_WEAK if all are weak
  uint8_t type = 0;    ///< STT_*
  uint8_t visibility = 0; ///< STV_*, the most constraining seen
  uint8_t other = 0;      ///< remaining bits of st_other
  /// An input, the command line or a script refers to it.
  bool referenced = false;
  bool strongReference = false;  ///< referred to by a non-weak undefined symbol
  bool scriptDefined = false;    ///< a script or --defsym assigns it
  bool provided = false;         ///< only by PROVIDE
  bool hidden = false;           ///< HIDDEN: local in the output
  bool linkerDefined = false;    ///< made by xlink (base symbols, __start_ ...)
  bool expressionResult = false; ///< assigned by a link-time expression
  /// Such a result that depends on something undefined.
  bool unresolved = false;

  bool isDefined() const {
    return kind == SymbolKind::Defined || kind == SymbolKind::Absolute ||
           kind == SymbolKind::Output || kind == SymbolKind::Common;
  }
};

} // namespace xlink
#endif
