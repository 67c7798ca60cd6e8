//===- TextBlock.h - a piece of a long text -------------------------------===//
//
// Problem: reports of a hundred thousand lines, some ten short words each. What
// std::string asks at each append, and where it puts a longer text, cost more
// than the letters.
//
// Method: a block of memory that is not zeroed, and a pointer to its end; what
// is appended asks once whether there is room. A block that was written out is
// emptied and filled again: fresh memory costs more than the letters in it.
// Nothing here leaves a pointer to the block itself behind, so a function that
// keeps the block in a variable of its own while it appends has its ends in
// registers: to load and store them for each word takes longer than the words.
//
// Cost: a copy of each letter, and one of the block where it has to grow.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_TEXTBLOCK_H
#define XLINK_BASE_TEXTBLOCK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MemAlloc.h"
#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace xlink {

/// Text to which much is appended; moved, never copied.
class TextBlock {
public:
  TextBlock() = default;
  /// With room for so many letters, which costs nothing until they are there.
  explicit TextBlock(size_t room) { grow(room); }
  TextBlock(TextBlock &&other) noexcept { swap(other); }
  TextBlock &operator=(TextBlock &&other) noexcept {
    swap(other);
    return *this;
  }
  ~TextBlock() { free(begin); }

  /// Each gets what the other holds.
  void swap(TextBlock &other) {
    std::swap(begin, other.begin);
    std::swap(at, other.at);
    std::swap(end, other.end);
  }
  llvm::StringRef str() const { return {begin, size()}; }
  size_t size() const { return size_t(at - begin); }
  /// Empties it and keeps its memory.
  void clear() { at = begin; }

  TextBlock &operator+=(llvm::StringRef text) {
    if (text.empty())
      return *this;
    needRoom(text.size());
    memcpy(at, text.data(), text.size());
    at += text.size();
    return *this;
  }
  TextBlock &operator+=(char letter) {
    needRoom(1);
    *at++ = letter;
    return *this;
  }
  /// Room for so many letters behind the last, to be filled by the caller.
  char *room(size_t count) {
    needRoom(count);
    return at;
  }
  /// That so many of them are filled.
  void use(size_t count) { at += count; }
  /// The first `count` of kShort letters, copied without asking how many.
  static constexpr size_t kShort = 24;
  void addShort(const char *letters, size_t count) {
    memcpy(room(kShort), letters, kShort);
    at += count;
  }
  /// The same letter so many times.
  void append(size_t count, char letter) {
    if (!count)
      return;
    needRoom(count);
    memset(at, letter, count);
    at += count;
  }
  /// In decimal digits, without leading zeros.
  void number(uint64_t value) {
    needRoom(20);
    if (value < 10)
      *at++ = char('0' + value);
    else
      at = digits(at, value);
  }
  /// "0x" and as many hexadecimal digits as are asked for, 1 to 16: the lower
  /// ones.
  void hexDigits(uint64_t value, unsigned digits) {
    using llvm::support::endian::write64le;
    needRoom(18);
    at[0] = '0';
    at[1] = 'x';
    if (digits <= 8) {
      write64le(at + 2, eightDigits(uint32_t(value)) >> (8 * (8 - digits)));
    } else {
      const uint64_t high = eightDigits(uint32_t(value >> 32));
      write64le(at + 2, high >> (8 * (16 - digits)));
      write64le(at + 2 + digits - 8, eightDigits(uint32_t(value)));
    }
    at += 2 + digits;
  }

private:
  static constexpr char kTwoDigits[] =
      "00010203040506070809101112131415161718192021222324"
      "25262728293031323334353637383940414243444546474849"
      "50515253545556575859606162636465666768697071727374"
      "75767778798081828384858687888990919293949596979899";

  /// Writes a number from 10 on, and returns its end.
  LLVM_ATTRIBUTE_NOINLINE static char *digits(char *to, uint64_t value) {
    if (value < 100) {
      memcpy(to, kTwoDigits + 2 * value, 2);
      return to + 2;
    }
    if (value >= 100'000'000)
      return std::to_chars(to, to + 20, value).ptr;
    // Eight digits side by side: a number is cut in two, four and eight, the
    // higher digits in lower bytes. 10486 / 2^20 is 1 / 100 for all below
    // 10,000, 103 / 2^10 is 1 / 10 for all below 100.
    uint64_t all = value / 10'000 | (value % 10'000) << 32;
    uint64_t high = ((all * 10486) >> 20) & 0x0000'007f'0000'007f;
    all = high | (all - high * 100) << 16;
    high = ((all * 103) >> 10) & 0x000f'000f'000f'000f;
    all = high | (all - high * 10) << 8;
    // The last digit stands, even if it is 0.
    const unsigned zeros =
        unsigned(llvm::countr_zero(all | uint64_t(1) << 56)) / 8;
    llvm::support::endian::write64le(to, (all | 0x3030'3030'3030'3030) >>
                                             (8 * zeros));
    return to + 8 - zeros;
  }
  /// The hexadecimal digits of a number, the first one in the lowest byte: its
  /// halves are moved apart until each byte has four bits.
  static uint64_t eightDigits(uint32_t value) {
    uint64_t all = value;
    all = (all | all << 16) & 0x0000'ffff'0000'ffff;
    all = (all | all << 8) & 0x00ff'00ff'00ff'00ff;
    all = (all | all << 4) & 0x0f0f'0f0f'0f0f'0f0f;
    // From 10 on a letter, which is 39 behind where the digits would go on.
    const uint64_t letters =
        ((all + 0x0606'0606'0606'0606) >> 4) & 0x0101'0101'0101'0101;
    return llvm::byteswap(all + 0x3030'3030'3030'3030 + letters * 39);
  }
  void needRoom(size_t count) {
    if (LLVM_UNLIKELY(size_t(end - at) < count))
      grow(std::max(count, size_t(end - begin)));
  }
  /// By so many letters at least.
  void grow(size_t more) {
    const size_t used = size(), room = size_t(end - begin) + more;
    begin = grown(begin, room);
    at = begin + used;
    end = begin + room;
  }
  LLVM_ATTRIBUTE_NOINLINE static char *grown(char *begin, size_t room) {
    return static_cast<char *>(llvm::safe_realloc(begin, room));
  }

  char *begin = nullptr, *at = nullptr, *end = nullptr;
};

/// Somebody else's block as a variable of one's own, until this is gone.
class LocalBlock {
public:
  explicit LocalBlock(TextBlock &home) : home(home) { out.swap(home); }
  LocalBlock(const LocalBlock &) = delete;
  LocalBlock &operator=(const LocalBlock &) = delete;
  ~LocalBlock() {
    assert(home.size() == 0 && "nobody else appends meanwhile");
    out.swap(home);
  }

  TextBlock out;

private:
  TextBlock &home;
};

} // namespace xlink
#endif
