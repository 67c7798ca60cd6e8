//===- MapMatching.cpp ----------------------------------------------------===//
//
// Problem: between two links of a program the build directory may have another
// name, files are renamed, functions move from one file to another, and a file
// may have several local symbols of one name, of which one is new. Matched
// wrongly, they turn a small change into a long list.
//
// Method: rounds, from the strictest idea of "the same" to the loosest; what a
// round matches the later ones leave alone. Files: the same name, then the same
// last 16 components of it, 15, and so on down to the last one; where several
// have the same end, only if both maps have as many of them. Symbols: name,
// file and size; name and file; name alone, of globals, for a program has one
// definition of it; file, size and name without the number behind its last
// dot, of locals, for compilers count those of a file. Where a round has
// several that are the same, they are paired in their order.
//
// Cost: a hash table a round; each round is linear in what is left.
//
//===----------------------------------------------------------------------===//
#include "map/MapMatching.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include <tuple>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The last `count` components of a path, or "" when it has fewer.
static StringRef lastComponents(StringRef path, unsigned count) {
  size_t from = path.size();
  for (; count; --count) {
    if (from == StringRef::npos || from == 0)
      return "";
    from = path.take_front(from).rfind('/');
  }
  return from == StringRef::npos ? path : path.drop_front(from + 1);
}

std::vector<uint32_t> matchPaths(ArrayRef<std::string> before,
                                 ArrayRef<std::string> after) {
  struct Same {
    std::vector<uint32_t> before, after;
  };
  std::vector<uint32_t> result(before.size(), kNoIndex);
  std::vector<bool> taken(after.size());
  auto round = [&](function_ref<StringRef(StringRef)> end, bool whole) {
    StringMap<Same> table;
    for (uint32_t i = 0; i < before.size(); ++i)
      if (StringRef name = end(before[i]);
          result[i] == kNoIndex && (whole || !name.empty()))
        table[name].before.push_back(i);
    for (uint32_t i = 0; i < after.size(); ++i)
      if (!taken[i])
        if (auto it = table.find(end(after[i])); it != table.end())
          it->second.after.push_back(i);
    for (const auto &entry : table) {
      const Same &same = entry.second;
      const size_t count = std::min(same.before.size(), same.after.size());
      if (!whole && same.before.size() != same.after.size())
        continue;
      for (size_t i = 0; i < count; ++i) {
        result[same.before[i]] = same.after[i];
        taken[same.after[i]] = true;
      }
    }
  };
  round([](StringRef name) { return name; }, /*whole=*/true);
  constexpr unsigned kMostComponents = 16;
  for (unsigned count = kMostComponents; count; --count)
    round([&](StringRef name) { return lastComponents(name, count); }, false);
  return result;
}

std::vector<std::string> fileNames(const LinkMap &map) {
  std::vector<std::string> names;
  names.reserve(map.files.size());
  for (uint32_t i = 0; i < map.files.size(); ++i)
    names.push_back(map.fileName(i));
  return names;
}

std::vector<uint32_t> matchFiles(const LinkMap &before, const LinkMap &after) {
  return matchPaths(fileNames(before), fileNames(after));
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

std::vector<SymbolInMap> symbolsInMemory(const LinkMap &map) {
  std::vector<SymbolInMap> result;
  result.reserve(map.symbols.size());
  for (uint32_t p = 0; p < map.parts.size(); ++p) {
    const MapPart &part = map.parts[p];
    if (!(map.outputs[part.output].flags & ELF::SHF_ALLOC))
      continue;
    for (uint32_t s = 0; s < part.symbols; ++s)
      if (map.symbols[part.firstSymbol + s].kind != MapSymbol::Section)
        result.push_back({part.firstSymbol + s, p});
  }
  return result;
}

namespace {

class SymbolMatcher {
public:
  SymbolMatcher(const LinkMap &before, const LinkMap &after,
                ArrayRef<uint32_t> files)
      : before(before), after(after), files(files),
        lefts(symbolsInMemory(before)), rights(symbolsInMemory(after)),
        partner(lefts.size(), kNoIndex), taken(rights.size()) {}
  std::vector<std::pair<SymbolInMap, SymbolInMap>> run();

private:
  /// What makes symbols the same in a round: file, size, name; an empty name
  /// keeps a symbol out of it.
  using Key = std::tuple<uint32_t, uint64_t, StringRef>;
  void round(function_ref<Key(const MapSymbol &, uint32_t file)> keyOf);
  /// The file of an old symbol as one of the new map; those that are gone have
  /// numbers behind these.
  uint32_t oldFile(uint32_t part) const {
    const uint32_t file = before.parts[part].file;
    if (file == kNoIndex || files[file] != kNoIndex)
      return file == kNoIndex ? kNobody : files[file];
    return uint32_t(after.files.size()) + file;
  }
  uint32_t newFile(uint32_t part) const {
    const uint32_t file = after.parts[part].file;
    return file == kNoIndex ? kNobody : file;
  }
  // The highest numbers are the hash table's own.
  static constexpr uint32_t kNobody = kNoIndex - 2;

  const LinkMap &before, &after;
  ArrayRef<uint32_t> files;
  std::vector<SymbolInMap> lefts, rights;
  std::vector<uint32_t> partner; ///< of each of `lefts`, in `rights`
  std::vector<bool> taken;       ///< each of `rights`
};

void SymbolMatcher::round(
    function_ref<Key(const MapSymbol &, uint32_t)> keyOf) {
  // The first of those that are the same, and behind each the next.
  DenseMap<Key, uint32_t> first;
  std::vector<uint32_t> next(rights.size(), kNoIndex);
  for (uint32_t i = uint32_t(rights.size()); i-- != 0;) {
    const Key key =
        keyOf(after.symbols[rights[i].symbol], newFile(rights[i].part));
    if (taken[i] || std::get<StringRef>(key).empty())
      continue;
    auto [it, isNew] = first.try_emplace(key, i);
    if (!isNew)
      next[i] = std::exchange(it->second, i);
  }
  for (uint32_t i = 0; i < lefts.size(); ++i) {
    if (partner[i] != kNoIndex)
      continue;
    const Key key =
        keyOf(before.symbols[lefts[i].symbol], oldFile(lefts[i].part));
    if (std::get<StringRef>(key).empty())
      continue;
    auto it = first.find(key);
    if (it == first.end() || it->second == kNoIndex)
      continue;
    partner[i] = it->second;
    taken[it->second] = true;
    it->second = next[it->second];
  }
}

/// "count.12": "count"; "" where no number follows a dot.
static StringRef withoutNumber(StringRef name) {
  const StringRef stem = name.rtrim("0123456789");
  return stem.size() != name.size() && stem.ends_with(".") ? stem : "";
}

std::vector<std::pair<SymbolInMap, SymbolInMap>> SymbolMatcher::run() {
  round([](const MapSymbol &s, uint32_t file) {
    return Key(file, s.size, s.name);
  });
  round([](const MapSymbol &s, uint32_t file) { return Key(file, 0, s.name); });
  round([](const MapSymbol &s, uint32_t) {
    return Key(0, 0, s.local ? "" : s.name);
  });
  round([](const MapSymbol &s, uint32_t file) {
    return Key(file, s.size, s.local ? withoutNumber(s.name) : "");
  });
  std::vector<std::pair<SymbolInMap, SymbolInMap>> result;
  result.reserve(std::max(lefts.size(), rights.size()));
  for (uint32_t i = 0; i < lefts.size(); ++i)
    result.emplace_back(lefts[i], partner[i] == kNoIndex ? SymbolInMap{}
                                                         : rights[partner[i]]);
  for (uint32_t i = 0; i < rights.size(); ++i)
    if (!taken[i])
      result.emplace_back(SymbolInMap{}, rights[i]);
  return result;
}

} // namespace

std::vector<std::pair<SymbolInMap, SymbolInMap>>
matchSymbols(const LinkMap &before, const LinkMap &after,
             ArrayRef<uint32_t> files) {
  return SymbolMatcher(before, after, files).run();
}

} // namespace xlink
