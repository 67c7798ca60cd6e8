//===- Ids.h - numbers of things, which do not mix ------------------------===//
//
// Files, sections, output sections and symbols are numbers into arrays. Each
// kind of thing has a type of its own, and an array says which kind counts its
// elements, so that a section's number in a file's place does not compile.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_IDS_H
#define XLINK_MODEL_IDS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xlink {

/// "No such thing": an id or an index of nothing.
struct None {
  constexpr operator uint32_t() const { return ~uint32_t(0); }
};
inline constexpr None kNone{};

/// The number of a thing of the kind `Tag`. Without a value: kNone.
template <class Tag> class Id {
public:
  constexpr Id() = default;
  constexpr Id(None) {}
  constexpr explicit Id(size_t n) : n(uint32_t(n)) {}
  constexpr uint32_t index() const { return n; }

  /// Things of one owner are numbered one behind the other.
  constexpr Id operator+(uint32_t distance) const { return Id(n + distance); }
  constexpr Id &operator++() {
    ++n;
    return *this;
  }
  friend constexpr auto operator<=>(const Id &, const Id &) = default;
  friend constexpr bool operator==(const Id &, const Id &) = default;
  friend constexpr bool operator==(const Id &a, None) { return a.n == kNone; }

private:
  uint32_t n = kNone;
};

/// Into SymbolTable.
using SymbolId = Id<struct SymbolTag>;
/// Into Program::files, in the order of the output.
using FileId = Id<struct FileTag>;
/// Into Program::sections. 0 is no section.
using SectionId = Id<struct SectionTag>;
/// Into Placement::outputs.
using OutputId = Id<struct OutputTag>;
/// Into MEMORY's regions, in the order of the script.
using RegionId = Id<struct RegionTag>;
/// A statement of an output section: into Addresses::items.
using ItemId = Id<struct ItemTag>;
/// A name that layout gives a value: into Addresses::symbols.
using SlotId = Id<struct SlotTag>;
/// A statement that can be asked for: into Placement::layout, or behind all of
/// those an item.
using StatementId = Id<struct StatementTag>;

/// The ids from `begin` up to, not including, `end`.
template <class I> auto idRange(I begin, I end) {
  return llvm::map_range(
      llvm::seq(begin.index(), std::max(begin.index(), end.index())),
      [](uint32_t n) { return I(n); });
}

/// An array whose elements are counted by ids of one kind.
template <class I, class T> class IdVector : private std::vector<T> {
  using Base = std::vector<T>;

public:
  using Base::assign;
  using Base::back;
  using Base::begin;
  using Base::capacity;
  using Base::clear;
  using Base::emplace_back;
  using Base::empty;
  using Base::end;
  using Base::push_back;
  using Base::reserve;
  using Base::resize;
  using Base::size;
  using typename Base::const_reference;
  using typename Base::reference;
  using typename Base::value_type;

  IdVector() = default;
  explicit IdVector(size_t count, const T &value = T()) : Base(count, value) {}

  reference operator[](I id) { return Base::operator[](id.index()); }
  const_reference operator[](I id) const {
    return Base::operator[](id.index());
  }
  auto *data() { return Base::data(); }
  /// The id of the next element to be added.
  I next() const { return I(size()); }
  /// All ids, or those from `first` on.
  auto ids(size_t first = 0) const { return idRange(I(first), next()); }
  bool operator==(const IdVector &) const = default;
};

/// Things of one kind, a bit each of all that there are.
template <class I> class IdSet {
public:
  IdSet() = default;
  explicit IdSet(size_t count) : bits(unsigned(count)) {}
  /// For so many things; the new ones are not in it.
  void resize(size_t count) { bits.resize(unsigned(count)); }
  /// Without room for a thing it is not in it.
  bool contains(I id) const {
    return id.index() < bits.size() && bits.test(id.index());
  }
  void insert(I id) { bits.set(id.index()); }
  void set(I id, bool in) { bits[id.index()] = in; }
  void clear() { bits.reset(); }
  bool operator==(const IdSet &other) const { return bits == other.bits; }

private:
  llvm::BitVector bits;
};

} // namespace xlink

namespace llvm {
/// The two keys that a map keeps for itself are not kNone: that nothing is in a
/// map is an answer, not a fault.
template <class Tag> struct DenseMapInfo<xlink::Id<Tag>> {
  using Id = xlink::Id<Tag>;
  static Id getEmptyKey() { return Id(~uint32_t(0) - 1); }
  static Id getTombstoneKey() { return Id(~uint32_t(0) - 2); }
  static unsigned getHashValue(Id id) {
    return DenseMapInfo<uint32_t>::getHashValue(id.index());
  }
  static bool isEqual(Id a, Id b) { return a == b; }
};
} // namespace llvm
#endif
