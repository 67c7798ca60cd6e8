//===- NameTable.h - string tables of untrusted bytes ---------------------===//
//
// A name is an offset into a table and ends at a NUL. Two faults are possible:
// a name runs off the table's end, or many offsets share one very long string,
// which makes a small file expensive to read. The first is checked once a table
// (its last byte must be NUL), the second by a budget of characters that grows
// with the file: real tables share tails and repeat short names, but stay far
// below it.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INPUT_NAMETABLE_H
#define XLINK_INPUT_NAMETABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <cstring>

namespace xlink {

/// How many characters all names of one file may have together.
class NameBudget {
public:
  explicit NameBudget(uint64_t fileSize) : left(kPerByte * fileSize) {}

  /// Takes `n` characters; false if fewer are left.
  bool take(uint64_t n) {
    if (n > left)
      return false;
    left -= n;
    return true;
  }

private:
  static constexpr uint64_t kPerByte = 64;
  uint64_t left;
};

/// A table whose last byte is known to be NUL, or an empty one.
class NameTable {
public:
  enum class Result : uint8_t { Ok, OutOfRange, TooMuch };

  NameTable() = default;
  /// Takes `bytes` as the table; false, and an empty table, when it does not
  /// end in NUL.
  bool assign(llvm::ArrayRef<uint8_t> bytes) {
    table = {};
    if (!bytes.empty() && bytes.back() != 0)
      return false;
    table = {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
    return true;
  }

  /// The name at `offset`. In an empty table offset 0 is the empty name.
  Result get(uint64_t offset, NameBudget &budget, llvm::StringRef &name) const {
    name = {};
    if (offset >= table.size())
      return offset == 0 ? Result::Ok : Result::OutOfRange;
    const char *start = table.data() + offset;
    size_t length = std::strlen(start);
    if (!budget.take(length))
      return Result::TooMuch;
    name = {start, length};
    return Result::Ok;
  }

  uint64_t size() const { return table.size(); }

private:
  llvm::StringRef table;
};

} // namespace xlink
#endif
