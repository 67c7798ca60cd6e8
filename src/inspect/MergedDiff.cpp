//===- MergedDiff.cpp -----------------------------------------------------===//
//
// Problem: linkers merge strings and constants in an order of their own, so two
// sections that hold the same may not have a byte in common.
//
// Method: both are taken apart into entries, and those that the other one does
// not have are told. Linkers let a string lie in the end of a longer one, so it
// is there if the sorted list of reversed strings has one that begins with it.
//
// Cost: n log n in the entries.
//
//===----------------------------------------------------------------------===//
#include "inspect/MergedDiff.h"
#include "base/Demangle.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

/// The bytes of one entry of constants; of some vendors sh_entsize is 0.
constexpr uint64_t kWord = 4;
constexpr size_t kMostShown = 40; ///< characters of a string

static bool isMerged(const LinkedFile::Section &section, const Chunk &chunk) {
  const bool strings = section.flags & SHF_STRINGS;
  return chunk.symbol == Pairs::kNone && (section.flags & SHF_MERGE) &&
         !section.data.empty() &&
         (strings ? section.entrySize <= 1 : chunk.begin % kWord == 0);
}

/// How long a constant is.
static uint64_t entrySize(const LinkedFile::Section &a,
                          const LinkedFile::Section &b) {
  const uint64_t size = std::max(a.entrySize, b.entrySize);
  return size ? size : kWord;
}

bool areMerged(const LinkedFile &a, const Chunk &x, const LinkedFile &b,
               const Chunk &y) {
  const LinkedFile::Section &s = a.sections[x.section],
                            &t = b.sections[y.section];
  if (!isMerged(s, x) || !isMerged(t, y) ||
      (s.flags & SHF_STRINGS) != (t.flags & SHF_STRINGS))
    return false;
  const uint64_t size = entrySize(s, t);
  return (s.flags & SHF_STRINGS) || (x.size % size == 0 && y.size % size == 0);
}

/// The entries, strings from behind, sorted.
static std::vector<std::string> entriesOf(StringRef bytes, bool strings,
                                          uint64_t size) {
  std::vector<std::string> entries;
  while (!bytes.empty()) {
    const size_t length =
        strings ? std::min(bytes.find('\0'), bytes.size()) : size;
    const StringRef entry = bytes.take_front(length);
    entries.push_back(entry.str());
    if (strings)
      std::reverse(entries.back().begin(), entries.back().end());
    bytes = bytes.drop_front(std::min(length + strings, bytes.size()));
  }
  std::sort(entries.begin(), entries.end());
  entries.erase(std::unique(entries.begin(), entries.end()), entries.end());
  return entries;
}

bool isSameMerged(const LinkedFile &a, const Chunk &x, uint64_t offsetA,
                  const LinkedFile &b, const Chunk &y, uint64_t offsetB) {
  const LinkedFile::Section &s = a.sections[x.section],
                            &t = b.sections[y.section];
  StringRef from = toStringRef(s.data.drop_front(offsetA)),
            to = toStringRef(t.data.drop_front(offsetB));
  if (s.flags & SHF_STRINGS)
    return from.take_until([](char c) { return !c; }) ==
           to.take_until([](char c) { return !c; });
  const uint64_t size = entrySize(s, t);
  return from.take_front(size) == to.take_front(size);
}

static std::string shown(const std::string &entry, bool strings) {
  if (!strings)
    return toHex(entry, /*LowerCase=*/true);
  const std::string text(entry.rbegin(), entry.rend());
  return "\"" + printable(StringRef(text).take_front(kMostShown)) +
         (text.size() > kMostShown ? "\"..." : "\"");
}

/// What `others` do not have; how many bytes that is.
static uint64_t missing(const std::vector<std::string> &entries,
                        const std::vector<std::string> &others, bool strings,
                        std::vector<std::string> &found) {
  uint64_t bytes = 0;
  for (const std::string &entry : entries) {
    const auto at = std::lower_bound(others.begin(), others.end(), entry);
    if (at != others.end() &&
        (strings ? StringRef(*at).starts_with(entry) : *at == entry))
      continue;
    found.push_back(shown(entry, strings));
    bytes += entry.size() + strings;
  }
  return bytes;
}

ContentDiff compareMerged(const LinkedFile &a, const Chunk &x,
                          const LinkedFile &b, const Chunk &y) {
  const LinkedFile::Section &s = a.sections[x.section],
                            &t = b.sections[y.section];
  ContentDiff diff;
  diff.sizeA = x.size;
  diff.sizeB = y.size;
  diff.addressA = s.address + x.begin;
  diff.addressB = t.address + y.begin;
  const StringRef from = toStringRef(s.data.slice(x.begin, x.size)),
                  to = toStringRef(t.data.slice(y.begin, y.size));
  if (from == to)
    return diff;
  const bool strings = s.flags & SHF_STRINGS;
  const auto inA = entriesOf(from, strings, entrySize(s, t)),
             inB = entriesOf(to, strings, entrySize(s, t));
  diff.merged = true;
  diff.real = missing(inA, inB, strings, diff.onlyA) +
              missing(inB, inA, strings, diff.onlyB);
  return diff;
}

} // namespace xlink
