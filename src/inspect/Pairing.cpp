//===- Pairing.cpp --------------------------------------------------------===//
//
// Problem: two programs are compared function by function, so each function
// needs a partner. Local names repeat, linkers keep different symbols, and
// nameless bytes, such as strings, lie between functions and objects.
//
// Method: symbols are joined in rounds (map/Pairs.h), first by name, scope,
// source file and section, then by less. If a run has more symbols in one file,
// those with equal contents join first, so that a new one does not shift all
// others. Sections are cut at symbols. A symbol without a size cuts only if
// the other file has it, too, since linkers define marks inside of objects; a
// base of fields never cuts. Bytes between symbols belong to the pair in front
// of them or behind them.
//
// Cost: n log n for n symbols; contents of symbols of one name are hashed.
//
//===----------------------------------------------------------------------===//
#include "inspect/Pairing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

Pairs pairSections(const LinkedFile &a, const LinkedFile &b) {
  Pairs pairs(a.sections.size(), b.sections.size());
  auto nameIn = [](const LinkedFile &file) {
    return [&](uint32_t i) {
      return i ? std::optional(PairKey{file.sections[i].name}) : std::nullopt;
    };
  };
  pairs.round(nameIn(a), nameIn(b));
  return pairs;
}

Pairs pairSegments(const LinkedFile &a, const LinkedFile &b) {
  Pairs pairs(a.segments.size(), b.segments.size());
  for (const unsigned less : {0, 1, 2}) {
    auto keyIn = [&](const LinkedFile &file) {
      return [&](uint32_t i) {
        const ElfSegment &s = file.segments[i];
        const uint64_t flags = less < 2 ? s.flags : 0;
        return PairKey{
            "", {}, {}, uint64_t(s.type) << 32 | flags, less ? 0 : s.address};
      };
    };
    pairs.round(keyIn(a), keyIn(b));
  }
  return pairs;
}

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// Only the beginning of a large symbol is hashed, since symbols may overlap.
constexpr uint64_t kMostHashed = 4096;

/// A number that equal contents share.
static uint64_t contentsOf(const LinkedFile &file, const ElfSymbol &s) {
  if (!s.isIn(file))
    return s.value;
  const ArrayRef<uint8_t> data = file.sections[s.section].data;
  const uint64_t offset = file.offsetOf(s);
  if (offset > data.size() || s.size > data.size() - offset)
    return s.size;
  return xxh3_64bits(data.slice(offset, std::min(s.size, kMostHashed))) ^
         s.size;
}

Pairs pairSymbols(const LinkedFile &a, const LinkedFile &b) {
  Pairs pairs(a.symbols.size(), b.symbols.size());
  auto byValue = [](const LinkedFile &file, ArrayRef<uint32_t> run) {
    SmallVector<uint32_t, 1> order(run);
    stable_sort(order, [&](uint32_t x, uint32_t y) {
      return file.symbols[x].value < file.symbols[y].value;
    });
    return order;
  };
  auto joinRuns = [&](ArrayRef<uint32_t> inA, ArrayRef<uint32_t> inB) {
    const auto runA = byValue(a, inA), runB = byValue(b, inB);
    if (runA.size() != runB.size()) {
      std::multimap<uint64_t, uint32_t> left; // equal contents in order
      for (uint32_t s : runB)
        left.emplace(contentsOf(b, b.symbols[s]), s);
      for (uint32_t s : runA) {
        const uint64_t contents = contentsOf(a, a.symbols[s]);
        if (const auto found = left.lower_bound(contents);
            found != left.end() && found->first == contents) {
          pairs.join(s, found->second);
          left.erase(found);
        }
      }
    }
    pairs.joinInOrder(runA, runB);
  };
  // By name, scope, source file and section; name and scope; name.
  for (const unsigned less : {0, 1, 2}) {
    auto keyIn = [&](const LinkedFile &file) {
      return [&](uint32_t i) -> std::optional<PairKey> {
        const ElfSymbol &s = file.symbols[i];
        if (s.isMark())
          return std::nullopt;
        PairKey key{s.name};
        if (less < 2)
          key.number = s.binding == STB_LOCAL;
        if (less < 1) {
          key.file = s.file;
          if (s.section != LinkedFile::kUndefined)
            key.place =
                s.isIn(file) ? file.sections[s.section].name : "absolute";
        }
        return key;
      };
    };
    pairs.round(keyIn(a), keyIn(b), joinRuns);
  }
  return pairs;
}

//===----------------------------------------------------------------------===//
// Atoms
//===----------------------------------------------------------------------===//

uint32_t AtomTable::at(uint32_t section, uint64_t offset) const {
  const auto all = make_range(atoms.begin() + firstOf[section],
                              atoms.begin() + firstOf[section + 1]);
  const auto found = partition_point(
      all, [&](const Atom &atom) { return atom.begin <= offset; });
  if (found == all.begin() || offset >= std::prev(found)->end())
    return kNoIndex;
  return uint32_t(std::prev(found) - atoms.begin());
}

uint32_t AtomTable::before(uint32_t atom) const {
  return atom == firstOf[atoms[atom].section] ? kNoIndex : atom - 1;
}

uint32_t AtomTable::behind(uint32_t atom) const {
  return atom + 1 == firstOf[atoms[atom].section + 1] ? kNoIndex : atom + 1;
}

/// Whether an atom may begin at a symbol.
static bool cuts(const LinkedFile &file, const ElfSymbol &s,
                 const LinkedFile &other, uint32_t partner) {
  if (s.isMark() || !s.isIn(file) || s.type > STT_FUNC ||
      s.isBase(*file.target))
    return false;
  const ElfSection &section = file.sections[s.section];
  if (!section.isLoaded() || s.value < section.address ||
      file.offsetOf(s) >= section.size)
    return false;
  return s.size || (partner != kNoIndex && other.symbols[partner].isIn(other));
}

AtomTable makeAtoms(const LinkedFile &file,
                    const std::vector<uint32_t> &partner,
                    const LinkedFile &other, const std::vector<bool> &whole) {
  AtomTable table;
  table.ofSymbol.assign(file.symbols.size(), kNoIndex);
  std::vector<std::vector<uint32_t>> bySection(file.sections.size());
  for (uint32_t i = 0; i < file.symbols.size(); ++i)
    if (const ElfSymbol &s = file.symbols[i];
        cuts(file, s, other, partner[i]) &&
        (whole.empty() || !whole[s.section]))
      bySection[s.section].push_back(i);
  for (uint32_t section = 0; section < file.sections.size(); ++section) {
    table.firstOf.push_back(table.atoms.size());
    if (!file.sections[section].isLoaded())
      continue;
    std::vector<uint32_t> &symbols = bySection[section];
    // The most informative one of several at one address comes first.
    sort(symbols, [&](uint32_t x, uint32_t y) {
      auto key = [&](uint32_t i) {
        const ElfSymbol &symbol = file.symbols[i];
        return std::tuple(file.offsetOf(symbol), symbol.size == 0,
                          partner[i] == kNoIndex, symbol.binding == STB_LOCAL,
                          symbol.type == STT_NOTYPE, symbol.name, i);
      };
      return key(x) < key(y);
    });
    const uint64_t end = file.sections[section].size;
    uint64_t at = 0;
    auto addNameless = [&](uint64_t to) {
      if (at < to)
        table.atoms.push_back({section, at, to - at});
    };
    auto offset = [&](size_t i) {
      return i < symbols.size() ? file.offsetOf(file.symbols[symbols[i]]) : end;
    };
    for (size_t i = 0, next = 0; i < symbols.size(); i = next) {
      const uint64_t begin = offset(i), own = file.symbols[symbols[i]].size;
      uint64_t size = 0; // the largest; without an own one, of the partner
      for (; next < symbols.size() && offset(next) == begin; ++next) {
        const ElfSymbol &s = file.symbols[symbols[next]];
        const uint32_t t = partner[symbols[next]];
        size = std::max(size, s.size || t == kNoIndex ? s.size
                                                      : other.symbols[t].size);
      }
      if (begin < at) // inside another one
        continue;
      // The size of a partner must not reach over the next symbol.
      const uint64_t limit = (own ? end : offset(next)) - begin;
      size = size ? std::min(size, limit) : offset(next) - begin;
      addNameless(begin);
      for (size_t s = i; s < next; ++s)
        table.ofSymbol[symbols[s]] = table.atoms.size();
      table.atoms.push_back({section, begin, size, symbols[i]});
      at = begin + size;
    }
    addNameless(end);
  }
  table.firstOf.push_back(table.atoms.size());
  return table;
}

/// Both files in atoms. If one file has no symbols, its sections are cut as
/// those of the other file, or where sizes differ, neither is cut.
static void cutAlike(const LinkedFile &named,
                     const std::vector<uint32_t> &symbols, AtomTable &inNamed,
                     const LinkedFile &bare, AtomTable &inBare,
                     const std::vector<uint32_t> &sections) {
  auto alike = [&](uint32_t t) {
    const uint32_t s = sections[t];
    return s != kNoIndex && bare.sections[t].isLoaded() &&
           named.sections[s].isLoaded() &&
           bare.sections[t].size == named.sections[s].size;
  };
  std::vector<bool> whole(named.sections.size(), true);
  for (uint32_t t = 0; t < bare.sections.size(); ++t)
    if (alike(t))
      whole[sections[t]] = false;
  inNamed = makeAtoms(named, symbols, bare, whole);
  AtomTable like;
  like.ofSymbol = inBare.ofSymbol;
  for (uint32_t t = 0; t < bare.sections.size(); ++t) {
    const AtomTable &from = alike(t) ? inNamed : inBare;
    const uint32_t s = alike(t) ? sections[t] : t;
    like.firstOf.push_back(like.atoms.size());
    for (uint32_t i = from.firstOf[s]; i < from.firstOf[s + 1]; ++i)
      like.atoms.push_back({t, from.atoms[i].begin, from.atoms[i].size});
  }
  like.firstOf.push_back(like.atoms.size());
  inBare = std::move(like);
}

/// Joins the atoms of paired symbols.
static void joinSymbols(const LinkedFile &fileA, const LinkedFile &fileB,
                        const Pairs &symbols, AtomPairs &result) {
  // A mark without a size does not stand for an object at its address.
  auto owns = [](const LinkedFile &file, const Atom &atom, uint32_t symbol) {
    return atom.symbol == symbol || file.symbols[symbol].size ||
           file.symbols[atom.symbol].size == 0;
  };
  Pairs &pairs = result.pairs;
  // Symbols that name their atoms come first: marks of a linker may be at an
  // object's address in one file and elsewhere in the other.
  for (int least : {2, 1, 0})
    for (uint32_t s = 0; s < symbols.ofA.size(); ++s) {
      const uint32_t t = symbols.ofA[s];
      const uint32_t inA = t == kNoIndex ? t : result.a.ofSymbol[s],
                     inB = t == kNoIndex ? t : result.b.ofSymbol[t];
      if (inA == kNoIndex || inB == kNoIndex || pairs.ofA[inA] != kNoIndex ||
          pairs.ofB[inB] != kNoIndex)
        continue;
      const Atom &x = result.a.atoms[inA], &y = result.b.atoms[inB];
      if ((x.symbol == s) + (y.symbol == t) >= least && owns(fileA, x, s) &&
          owns(fileB, y, t))
        pairs.join(inA, inB);
    }
}

/// Joins nameless atoms next to pairs, and at the beginning of sections.
static void joinNameless(const Pairs &sections, AtomPairs &result) {
  const AtomTable &a = result.a, &b = result.b;
  Pairs &pairs = result.pairs;
  auto join = [&](uint32_t inA, uint32_t inB) {
    if (inA != kNoIndex && inB != kNoIndex && a.atoms[inA].symbol == kNoIndex &&
        b.atoms[inB].symbol == kNoIndex && pairs.ofA[inA] == kNoIndex &&
        pairs.ofB[inB] == kNoIndex)
      pairs.join(inA, inB);
  };
  auto isNamedPair = [&](uint32_t atom) {
    return pairs.ofA[atom] != kNoIndex && a.atoms[atom].symbol != kNoIndex;
  };
  for (uint32_t i = 0; i < a.atoms.size(); ++i)
    if (isNamedPair(i))
      join(a.behind(i), b.behind(pairs.ofA[i]));
  for (uint32_t s = 1; s < sections.ofA.size(); ++s) {
    const uint32_t t = sections.ofA[s];
    if (t != kNoIndex && a.firstOf[s] != a.firstOf[s + 1] &&
        b.firstOf[t] != b.firstOf[t + 1])
      join(a.firstOf[s], b.firstOf[t]);
  }
  for (uint32_t i = 0; i < a.atoms.size(); ++i)
    if (isNamedPair(i))
      join(a.before(i), b.before(pairs.ofA[i]));
}

AtomPairs pairAtoms(const LinkedFile &a, const LinkedFile &b,
                    const Pairs &symbols, const Pairs &sections) {
  AtomTable inA = makeAtoms(a, symbols.ofA, b),
            inB = makeAtoms(b, symbols.ofB, a);
  const bool namedA = a.hasSymbols(), namedB = b.hasSymbols();
  if (namedA && !namedB)
    cutAlike(a, symbols.ofA, inA, b, inB, sections.ofB);
  else if (namedB && !namedA)
    cutAlike(b, symbols.ofB, inB, a, inA, sections.ofA);
  Pairs pairs(inA.atoms.size(), inB.atoms.size());
  AtomPairs result{std::move(inA), std::move(inB), std::move(pairs)};
  joinSymbols(a, b, symbols, result);
  for (uint32_t s = 1; s < sections.ofA.size() && namedA != namedB; ++s) {
    const uint32_t t = sections.ofA[s];
    const uint32_t first = result.a.firstOf[s],
                   count = result.a.firstOf[s + 1] - first;
    if (t == kNoIndex || count != result.b.firstOf[t + 1] - result.b.firstOf[t])
      continue;
    for (uint32_t i = 0; i < count; ++i)
      result.pairs.join(first + i, result.b.firstOf[t] + i);
  }
  joinNameless(sections, result);
  return result;
}

} // namespace xlink
