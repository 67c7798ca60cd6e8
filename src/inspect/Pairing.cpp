//===- Pairing.cpp --------------------------------------------------------===//
//
// Problem: two programs are compared function by function, so somebody has to
// say which function of the one is which of the other. Names do, but local
// names repeat, linkers keep different ones, and bytes without a name, such as
// strings, lie between those that have one.
//
// Method: symbols are joined in rounds (map/Pairs.h), first by everything
// (name, source file, section), then by less and less. Where a run has more
// symbols in one file than in the other, those whose contents are equal join
// first: then a new one among many of a name does not shift all behind it.
// Sections are cut at their symbols. A symbol without a size is a cut only if
// the other file has that one, too, for linkers define marks of their own in
// the midst of things; and none is one that fields are counted from, which is
// no name of what happens to stand there. What lies between two symbols belongs
// to the pair in front of it or behind it.
//
// Cost: n log n for n symbols; the contents of symbols that share their name
// are hashed.
//
//===----------------------------------------------------------------------===//
#include "inspect/Pairing.h"
#include "inspect/KnownParts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

bool isMark(const LinkedFile::Symbol &symbol) {
  return symbol.type == STT_FILE || symbol.type == STT_SECTION ||
         symbol.name.empty() || isTemporary(symbol);
}

bool isTemporary(const LinkedFile::Symbol &symbol) {
  if (symbol.binding != STB_LOCAL)
    return false;
  StringRef kind = symbol.name;
  if (kind.starts_with(".L"))
    return true;
  if (symbol.size || symbol.type != STT_NOTYPE)
    return false;
  // Assemblers call sections by their names; $a, $d, $s ... say what the bytes
  // behind them are.
  return kind.starts_with(".") ||
         (kind.consume_front("$") && !kind.empty() && isAlpha(kind.front()) &&
          (kind.size() == 1 || kind[1] == '.'));
}

bool isBase(const LinkedFile &file, const LinkedFile::Symbol &symbol) {
  return any_of(file.target->baseSymbols, [&](const BaseSymbol &base) {
    return symbol.name == base.name;
  });
}

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
        const LinkedFile::Segment &s = file.segments[i];
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

namespace {

/// Symbols may lie on each other, so of large ones the beginning has to do.
constexpr uint64_t kMostHashed = 4096;

/// How much of two symbols has to agree.
enum Likeness { AllButPlace, NameAndScope, Name };

std::optional<PairKey> symbolKey(const LinkedFile &file, Likeness likeness,
                                 uint32_t index) {
  const LinkedFile::Symbol &s = file.symbols[index];
  if (isMark(s))
    return std::nullopt;
  PairKey key{s.name};
  if (likeness != Name)
    key.number = s.binding == STB_LOCAL;
  if (likeness == AllButPlace) {
    key.file = s.file;
    key.place = s.isIn(file) ? file.sections[s.section].name
                : s.section != LinkedFile::kUndefined ? StringRef("absolute")
                                                      : StringRef();
  }
  return key;
}

/// A number that equal contents share.
uint64_t contentsOf(const LinkedFile &file, uint32_t index) {
  const LinkedFile::Symbol &s = file.symbols[index];
  if (!s.isIn(file))
    return s.value;
  const ArrayRef<uint8_t> data = file.sections[s.section].data;
  const uint64_t offset = file.offsetOf(s);
  if (offset > data.size() || s.size > data.size() - offset)
    return s.size;
  return xxh3_64bits(data.slice(offset, std::min(s.size, kMostHashed))) ^
         s.size;
}

} // namespace

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
      std::multimap<uint64_t, uint32_t> waiting; // equal ones in order
      for (uint32_t s : runB)
        waiting.emplace(contentsOf(b, s), s);
      for (uint32_t s : runA)
        if (const auto found = waiting.lower_bound(contentsOf(a, s));
            found != waiting.end() && found->first == contentsOf(a, s)) {
          pairs.join(s, found->second);
          waiting.erase(found);
        }
    }
    pairs.joinInOrder(runA, runB);
  };
  for (Likeness likeness : {AllButPlace, NameAndScope, Name})
    pairs.round([&](uint32_t i) { return symbolKey(a, likeness, i); },
                [&](uint32_t i) { return symbolKey(b, likeness, i); },
                joinRuns);
  return pairs;
}

//===----------------------------------------------------------------------===//
// Chunks
//===----------------------------------------------------------------------===//

uint32_t ChunkTable::at(uint32_t section, uint64_t offset) const {
  const auto begin = chunks.begin() + firstOf[section],
             end = chunks.begin() + firstOf[section + 1];
  const auto found = std::upper_bound(
      begin, end, offset,
      [](uint64_t value, const Chunk &chunk) { return value < chunk.begin; });
  if (found == begin || offset >= std::prev(found)->end())
    return Pairs::kNone;
  return uint32_t(std::prev(found) - chunks.begin());
}

uint32_t ChunkTable::before(uint32_t chunk) const {
  return chunk == firstOf[chunks[chunk].section] ? Pairs::kNone : chunk - 1;
}

uint32_t ChunkTable::behind(uint32_t chunk) const {
  return chunk + 1 == firstOf[chunks[chunk].section + 1] ? Pairs::kNone
                                                         : chunk + 1;
}

namespace {

/// Cuts sections at their symbols.
class Cutter {
public:
  Cutter(const LinkedFile &file, const std::vector<uint32_t> &partner,
         const LinkedFile &other, ArrayRef<uint32_t> extra,
         const PartTable *parts)
      : file(file), partner(partner), other(other), extra(extra), parts(parts) {
  }
  ChunkTable run();

private:
  /// Whether a chunk may begin at the symbol.
  bool cuts(uint32_t index) const;
  uint64_t sizeOf(uint32_t index) const;
  size_t firstBehind(ArrayRef<uint32_t> symbols, size_t i, size_t next) const;
  void cut(uint32_t section, ArrayRef<uint32_t> symbols);
  void cutNameless(uint32_t section, uint64_t begin, uint64_t end);

  const LinkedFile &file;
  const std::vector<uint32_t> &partner;
  const LinkedFile &other;
  const ArrayRef<uint32_t> extra;
  const PartTable *parts;
  ChunkTable table;
};

bool Cutter::cuts(uint32_t index) const {
  const LinkedFile::Symbol &s = file.symbols[index];
  if (isMark(s) || !s.isIn(file) || s.type > STT_FUNC || isBase(file, s))
    return false;
  const LinkedFile::Section &section = file.sections[s.section];
  if (!section.isLoaded() || s.value < section.address ||
      file.offsetOf(s) >= section.size)
    return false;
  if (s.size || std::binary_search(extra.begin(), extra.end(), index))
    return true;
  const uint64_t offset = file.offsetOf(s);
  if (const PartTable::Place *place =
          parts ? parts->at(s.section, offset) : nullptr;
      place && place->begin == offset)
    return true;
  return partner[index] != Pairs::kNone &&
         other.symbols[partner[index]].isIn(other);
}

/// What the symbol says, or else its partner.
uint64_t Cutter::sizeOf(uint32_t index) const {
  const uint64_t size = file.symbols[index].size;
  return size || partner[index] == Pairs::kNone
             ? size
             : other.symbols[partner[index]].size;
}

/// What lies between symbols; each part of the map by itself, but for entries
/// that were merged: they belong to whoever came first.
void Cutter::cutNameless(uint32_t section, uint64_t begin, uint64_t end) {
  const bool merged = file.sections[section].flags & SHF_MERGE;
  while (begin < end) {
    const PartTable::Place *place =
        parts && !merged ? parts->at(section, begin) : nullptr;
    const uint64_t to = place ? std::min(place->end(), end) : end;
    table.chunks.push_back({section, begin, to - begin, Pairs::kNone,
                            place ? place->part : Pairs::kNone});
    begin = to;
  }
}

/// The first symbol from `next` on that is not inside symbols[i]: without a
/// size, those are inside that are so in the other file, which knows one.
size_t Cutter::firstBehind(ArrayRef<uint32_t> symbols, size_t i,
                           size_t next) const {
  if (file.symbols[symbols[i]].size || sizeOf(symbols[i]) == 0)
    return next;
  const LinkedFile::Symbol &whole = other.symbols[partner[symbols[i]]];
  const uint64_t end = file.symbols[symbols[i]].value + whole.size;
  for (; next < symbols.size(); ++next) {
    const uint32_t at = partner[symbols[next]];
    if (file.symbols[symbols[next]].value >= end ||
        file.symbols[symbols[next]].size || at == Pairs::kNone)
      break;
    const LinkedFile::Symbol &inside = other.symbols[at];
    if (inside.section != whole.section || inside.value < whole.value ||
        inside.value - whole.value >= whole.size)
      break;
  }
  return next;
}

void Cutter::cut(uint32_t section, ArrayRef<uint32_t> symbols) {
  const uint64_t end = file.sections[section].size;
  uint64_t at = 0;
  for (size_t i = 0; i < symbols.size();) {
    const uint64_t begin = file.offsetOf(file.symbols[symbols[i]]);
    size_t next = i;
    uint64_t size = 0;
    for (; next < symbols.size() &&
           file.offsetOf(file.symbols[symbols[next]]) == begin;
         ++next)
      size = std::max(size, sizeOf(symbols[next]));
    if (begin < at) { // inside another one
      i = next;
      continue;
    }
    const size_t behind = firstBehind(symbols, i, next);
    uint64_t limit = behind < symbols.size()
                         ? file.offsetOf(file.symbols[symbols[behind]])
                         : end;
    if (const PartTable::Place *place =
            parts ? parts->at(section, begin) : nullptr)
      limit = std::min(limit, place->end());
    size = size ? std::min(size, end - begin) : limit - begin;
    // A size that only the partner knows must not reach over the next symbol.
    if (file.symbols[symbols[i]].size == 0)
      size = std::min(size, limit - begin);
    cutNameless(section, at, begin);
    for (size_t s = i; s < next; ++s)
      table.ofSymbol[symbols[s]] = table.chunks.size();
    table.chunks.push_back({section, begin, size, symbols[i]});
    at = begin + size;
    i = next;
  }
  cutNameless(section, at, end);
}

ChunkTable Cutter::run() {
  table.ofSymbol.assign(file.symbols.size(), Pairs::kNone);
  std::vector<std::vector<uint32_t>> bySection(file.sections.size());
  for (uint32_t i = 0; i < file.symbols.size(); ++i)
    if (cuts(i))
      bySection[file.symbols[i].section].push_back(i);
  for (uint32_t s = 0; s < file.sections.size(); ++s) {
    table.firstOf.push_back(table.chunks.size());
    // Of several at one place, the one that says most comes first.
    sort(bySection[s], [&](uint32_t x, uint32_t y) {
      auto key = [&](uint32_t i) {
        const LinkedFile::Symbol &symbol = file.symbols[i];
        return std::tuple(symbol.value, symbol.size == 0,
                          partner[i] == Pairs::kNone,
                          symbol.binding == STB_LOCAL,
                          symbol.type == STT_NOTYPE, symbol.name, i);
      };
      return key(x) < key(y);
    });
    if (file.sections[s].isLoaded())
      cut(s, bySection[s]);
  }
  table.firstOf.push_back(table.chunks.size());
  return std::move(table);
}

} // namespace

ChunkTable makeChunks(const LinkedFile &file,
                      const std::vector<uint32_t> &partner,
                      const LinkedFile &other, ArrayRef<uint32_t> extra,
                      const PartTable *parts) {
  return Cutter(file, partner, other, extra, parts).run();
}

std::vector<uint32_t>
symbolsThatEnd(const LinkedFile &file, const std::vector<uint32_t> &partner,
               const ChunkTable &own, const ChunkTable &others,
               const std::vector<uint32_t> &chunkPartner) {
  std::vector<uint32_t> found;
  for (uint32_t i = 0; i < file.symbols.size(); ++i) {
    const LinkedFile::Symbol &s = file.symbols[i];
    if (s.size || partner[i] != Pairs::kNone || isMark(s) || !s.isIn(file) ||
        s.value < file.sections[s.section].address)
      continue;
    const uint64_t offset = file.offsetOf(s);
    const uint32_t in = own.at(s.section, offset);
    if (in == Pairs::kNone || chunkPartner[in] == Pairs::kNone ||
        own.chunks[in].symbol == Pairs::kNone ||
        file.symbols[own.chunks[in].symbol].size)
      continue;
    const uint64_t size = others.chunks[chunkPartner[in]].size;
    if (size != own.chunks[in].size && offset >= own.chunks[in].begin + size)
      found.push_back(i);
  }
  return found;
}

bool hasSymbols(const LinkedFile &file) {
  return any_of(file.symbols, [](const LinkedFile::Symbol &s) {
    return !isMark(s) && s.section != LinkedFile::kUndefined;
  });
}

ChunkTable makeChunksLike(const LinkedFile &bare,
                          const std::vector<uint32_t> &partner,
                          const LinkedFile &named, ChunkTable &table) {
  // Whom a section of the other file is the model of; kNone: stays whole.
  std::vector<uint32_t> copyOf(named.sections.size(), Pairs::kNone);
  for (uint32_t t = 0; t < bare.sections.size(); ++t)
    if (const uint32_t s = partner[t];
        s != Pairs::kNone && bare.sections[t].isLoaded() &&
        named.sections[s].isLoaded() &&
        bare.sections[t].size == named.sections[s].size)
      copyOf[s] = t;
  auto whole = [](const LinkedFile &file, uint32_t section, ChunkTable &to) {
    const LinkedFile::Section &s = file.sections[section];
    if (s.isLoaded() && s.size)
      to.chunks.push_back({section, 0, s.size});
  };
  ChunkTable kept;
  std::vector<uint32_t> moved(table.chunks.size(), Pairs::kNone);
  for (uint32_t s = 0; s < named.sections.size(); ++s) {
    kept.firstOf.push_back(kept.chunks.size());
    if (copyOf[s] == Pairs::kNone)
      whole(named, s, kept);
    else
      for (uint32_t i = table.firstOf[s]; i < table.firstOf[s + 1]; ++i) {
        moved[i] = kept.chunks.size();
        kept.chunks.push_back(table.chunks[i]);
      }
  }
  kept.firstOf.push_back(kept.chunks.size());
  for (uint32_t chunk : table.ofSymbol)
    kept.ofSymbol.push_back(chunk == Pairs::kNone ? chunk : moved[chunk]);
  table = std::move(kept);

  ChunkTable made;
  made.ofSymbol.assign(bare.symbols.size(), Pairs::kNone);
  for (uint32_t t = 0; t < bare.sections.size(); ++t) {
    made.firstOf.push_back(made.chunks.size());
    const uint32_t s = partner[t];
    if (s == Pairs::kNone || copyOf[s] != t)
      whole(bare, t, made);
    else
      for (uint32_t i = table.firstOf[s]; i < table.firstOf[s + 1]; ++i)
        made.chunks.push_back({t, table.chunks[i].begin, table.chunks[i].size});
  }
  made.firstOf.push_back(made.chunks.size());
  return made;
}

/// The chunk without a name next to a pair of chunks, in both files.
static void joinBetween(const ChunkTable &a, const ChunkTable &b, uint32_t inA,
                        uint32_t inB, const KnownParts *known, Pairs &pairs) {
  if (inA == Pairs::kNone || inB == Pairs::kNone ||
      a.chunks[inA].symbol != Pairs::kNone ||
      b.chunks[inB].symbol != Pairs::kNone || pairs.ofA[inA] != Pairs::kNone ||
      pairs.ofB[inB] != Pairs::kNone ||
      (known && !known->fit(a.chunks[inA].part, b.chunks[inB].part)))
    return;
  pairs.join(inA, inB);
}

/// Whether a symbol can stand for a chunk that it is at the beginning of: not a
/// mark without a size at the place of something that has one.
static bool owns(const LinkedFile &file, const Chunk &chunk, uint32_t symbol) {
  return chunk.symbol == symbol || file.symbols[symbol].size ||
         file.symbols[chunk.symbol].size == 0;
}

/// What is left of a pair of parts, where both have as many pieces left.
static void joinParts(const ChunkTable &a, const ChunkTable &b,
                      const KnownParts &known, Pairs &pairs) {
  auto left = [](const ChunkTable &table, const PartTable &parts,
                 const std::vector<uint32_t> &partner) {
    DenseMap<uint32_t, std::vector<uint32_t>> byPart;
    for (uint32_t i = 0; i < table.chunks.size(); ++i)
      if (const uint32_t part = table.chunks[i].part;
          part != Pairs::kNone && partner[i] == Pairs::kNone &&
          !parts.isPadding(part))
        byPart[part].push_back(i);
    return byPart;
  };
  const auto leftA = left(a, known.a, pairs.ofA);
  const auto leftB = left(b, known.b, pairs.ofB);
  for (const auto &[part, list] : leftA) {
    const uint32_t partner = known.pairs.ofA[part];
    if (partner == Pairs::kNone)
      continue;
    const auto found = leftB.find(partner);
    if (found == leftB.end() || found->second.size() != list.size())
      continue;
    for (size_t i = 0; i < list.size(); ++i)
      pairs.join(list[i], found->second[i]);
  }
}

Pairs pairChunks(const LinkedFile &fileA, const LinkedFile &fileB,
                 const ChunkTable &a, const ChunkTable &b, const Pairs &symbols,
                 const Pairs &sections, const KnownParts *known) {
  Pairs pairs(a.chunks.size(), b.chunks.size());
  // The symbols that say how large a chunk is come first: at the place of an
  // object the marks of a linker may stand, too, and may be elsewhere then.
  for (int least : {2, 1, 0})
    for (uint32_t s = 0; s < symbols.ofA.size(); ++s) {
      const uint32_t t = symbols.ofA[s];
      if (t == Pairs::kNone)
        continue;
      const uint32_t inA = a.ofSymbol[s], inB = b.ofSymbol[t];
      if (inA != Pairs::kNone && inB != Pairs::kNone &&
          pairs.ofA[inA] == Pairs::kNone && pairs.ofB[inB] == Pairs::kNone &&
          (a.chunks[inA].symbol == s) + (b.chunks[inB].symbol == t) >= least &&
          owns(fileA, a.chunks[inA], s) && owns(fileB, b.chunks[inB], t))
        pairs.join(inA, inB);
    }
  // Sections that are cut in the same way, of files of which one has no
  // symbols.
  const bool bare = !known && (!hasSymbols(fileA) || !hasSymbols(fileB));
  for (uint32_t s = 1; bare && s < sections.ofA.size(); ++s) {
    const uint32_t t = sections.ofA[s];
    if (t == Pairs::kNone ||
        a.firstOf[s + 1] - a.firstOf[s] != b.firstOf[t + 1] - b.firstOf[t])
      continue;
    for (uint32_t i = a.firstOf[s]; i < a.firstOf[s + 1]; ++i)
      pairs.join(i, b.firstOf[t] + i - a.firstOf[s]);
  }
  // Behind a pair, at the beginning of a section, and in front of a pair.
  for (uint32_t i = 0; i < a.chunks.size(); ++i)
    if (pairs.ofA[i] != Pairs::kNone && a.chunks[i].symbol != Pairs::kNone)
      joinBetween(a, b, a.behind(i), b.behind(pairs.ofA[i]), known, pairs);
  for (uint32_t s = 1; s < sections.ofA.size(); ++s) {
    const uint32_t t = sections.ofA[s];
    if (t != Pairs::kNone && a.firstOf[s] != a.firstOf[s + 1] &&
        b.firstOf[t] != b.firstOf[t + 1])
      joinBetween(a, b, a.firstOf[s], b.firstOf[t], known, pairs);
  }
  for (uint32_t i = 0; i < a.chunks.size(); ++i)
    if (pairs.ofA[i] != Pairs::kNone && a.chunks[i].symbol != Pairs::kNone)
      joinBetween(a, b, a.before(i), b.before(pairs.ofA[i]), known, pairs);
  if (known)
    joinParts(a, b, *known, pairs);
  return pairs;
}

} // namespace xlink
