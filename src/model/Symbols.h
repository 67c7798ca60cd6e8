//===- Symbols.h - global symbols of one link, and their names ------------===//
#ifndef XLINK_MODEL_SYMBOLS_H
#define XLINK_MODEL_SYMBOLS_H

#include "base/HashIndex.h"
#include "base/Parallel.h"
#include "model/Ids.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

namespace xlink {

enum class SymbolKind : uint8_t {
  Undefined, ///< nothing defines it (yet)
  Lazy,      ///< during resolution: a member would define it, see Resolver
  Common,    ///< `value` is the alignment; becomes Defined before layout
  Defined,   ///< `value` is an offset in `section`
  Absolute,  ///< `value` is the value
  Output,    ///< set by layout: `value` is an offset in `output`
};

/// A global symbol. Locals are (file, index) pairs and have no such object.
/// There are many, and they are looked up in no order: each is one line of a
/// processor's cache.
struct alignas(64) Symbol {
  llvm::StringRef name;
  uint64_t hash = 0;  ///< xxh3 of the name
  uint64_t value = 0; ///< see SymbolKind
  uint64_t size = 0;  ///< st_size
  FileId file;        ///< defining file; of an undefined one: first reference
  uint32_t index = 0; ///< its index in that file's symbols
  SectionId section;  ///< of a Defined one
  SlotId slot;        ///< layout may give it a value, found there
  SymbolKind kind = SymbolKind::Undefined;
  /// STB_*; of an undefined one: STB_WEAK if all are weak.
  uint8_t binding : 4 = 0;
  /// STT_*; of an undefined one: of the first reference that has a type.
  uint8_t type : 4 = 0;
  uint8_t visibility : 2 = 0; ///< STV_*, the most constraining seen
  /// An input, the command line or a script refers to it.
  bool referenced : 1 = false;
  /// A non-weak undefined symbol refers to it.
  bool strongReference : 1 = false;
  bool scriptDefined : 1 = false; ///< a script or --defsym assigns it
  bool hidden : 1 = false;        ///< HIDDEN: local in the output
  uint8_t other = 0;              ///< remaining bits of st_other

  /// Local in a program.
  bool isHidden() const {
    return hidden || visibility == llvm::ELF::STV_HIDDEN ||
           visibility == llvm::ELF::STV_INTERNAL;
  }
  bool isDefined() const {
    return kind == SymbolKind::Defined || kind == SymbolKind::Absolute ||
           kind == SymbolKind::Output || kind == SymbolKind::Common;
  }
};
static_assert(sizeof(Symbol) == 64, "there are many");

/// Names to global symbols, which keep the order of first insertion. Names
/// arrive with their hash, computed in parallel when objects are parsed.
class SymbolTable {
  /// Whether the symbol of a number has that name.
  auto hasName(llvm::StringRef name, uint64_t hash) const {
    return [this, name, hash](uint32_t number) {
      const Symbol &symbol = symbols[SymbolId(number)];
      return symbol.hash == hash && symbol.name == name;
    };
  }

public:
  /// The symbol of that name, made Undefined when new. `hash` is xxh3_64bits.
  SymbolId insert(llvm::StringRef name, uint64_t hash) {
    const auto [number, isNew] =
        table.insert(hash, uint32_t(size()), hasName(name, hash));
    if (isNew) {
      Symbol &symbol = symbols.emplace_back();
      symbol.name = name;
      symbol.hash = hash;
    }
    return SymbolId(number);
  }
  SymbolId insert(llvm::StringRef name) {
    return insert(name, llvm::xxh3_64bits(name));
  }
  /// The symbol of that name, or kNone.
  SymbolId find(llvm::StringRef name, uint64_t hash) const {
    const auto number = table.find(hash, hasName(name, hash));
    return number ? SymbolId(*number) : SymbolId();
  }
  SymbolId find(llvm::StringRef name) const {
    return find(name, llvm::xxh3_64bits(name));
  }

  /// Asks memory for the slot that insert() will read of a name.
  LLVM_ATTRIBUTE_ALWAYS_INLINE void prefetch(uint64_t hash) const {
    table.prefetch(hash);
  }
  /// The first symbol of a hash, mostly that of the name; null: there is none.
  const Symbol *guess(uint64_t hash) const {
    const auto number = table.find(hash, [](uint32_t) { return true; });
    return number ? &symbols[SymbolId(*number)] : nullptr;
  }
  /// How many symbols have room.
  size_t capacity() const { return symbols.capacity(); }
  /// Makes room for so many names: to grow a large table costs as much as to
  /// fill it.
  void reserve(size_t names) {
    symbols.reserve(names);
    table.reserve(names);
  }

  Symbol &operator[](SymbolId id) { return symbols[id]; }
  const Symbol &operator[](SymbolId id) const { return symbols[id]; }
  size_t size() const { return symbols.size(); }
  auto ids() const { return symbols.ids(); }
  /// Calls fn(id) for each symbol, on several threads where there are many:
  /// multiples of 64 that follow each other on one, in order, so that each may
  /// change a bit of its own in an IdSet.
  template <class Fn> void forEach(const Parallel &parallel, Fn fn) const {
    constexpr size_t chunk = 1 << 13;
    parallel.forEach(llvm::divideCeil(size(), chunk), size() * sizeof(Symbol),
                     [&](size_t i) {
                       for (SymbolId id : idRange(
                                SymbolId(i * chunk),
                                SymbolId(std::min((i + 1) * chunk, size()))))
                         fn(id);
                     });
  }

private:
  IdVector<SymbolId, Symbol> symbols;
  HashIndex table; ///< into `symbols`
};

/// Whether a link-time expression has a value. Without one its result is 0.
enum class Resolution : uint8_t {
  Known,
  Undefined, ///< it depends on something undefined
  Recursive, ///< nothing is undefined, but it depends on itself
};

/// A name that layout may give a value: a script or --defsym assigns it, the
/// linker makes it, or a link-time expression computes it.
struct AssignedSymbol {
  /// Undefined (nothing has given it a value), Absolute or Output.
  SymbolKind kind = SymbolKind::Undefined;
  bool provided = false;      ///< by PROVIDE
  bool hidden = false;        ///< by HIDDEN
  bool linkerDefined = false; ///< by xlink: base symbols, __start_ ...
  bool result = false;        ///< by a link-time expression
  /// Whether such a result has a value.
  Resolution resolution = Resolution::Known;
  /// Of an Output one; of an Absolute one the section that the output's symbol
  /// table says, if any.
  OutputId output;
  uint64_t value = 0; ///< see SymbolKind

  bool operator==(const AssignedSymbol &) const = default;
};

/// A symbol with the value that layout gave it.
struct BoundSymbol : Symbol {
  OutputId output;            ///< see AssignedSymbol
  bool linkerDefined = false; ///< see AssignedSymbol
  /// See AssignedSymbol.
  Resolution resolution = Resolution::Known;
};

} // namespace xlink
#endif
