//===- ManyNames.cpp ------------------------------------------------------===//
//
// Problem: to find the symbol of each name that files mention is a hash probe
// in a table that no cache holds, and each new symbol is a piece of memory that
// nobody has touched; one thread alone takes as long as opening the files. The
// numbers of symbols, their ranks and what is said of them must be those of one
// thread that takes the files in order.
//
// Method: as long as no archive has offered anything, no name has to do with
// another. Mentions are sorted by the region of the table that their names
// belong to, each chunk of the files' symbols by itself. Then
//   1. each region's names are found or entered by one thread, in the order of
//      the mentions, so that a new name's number is that of its first mention;
//   2. the first mentions in each chunk are counted; sums over the chunks say
//      where each chunk's numbers and ranks begin;
//   3. each chunk makes the symbols that it mentions first, in order, and takes
//      those mentions into account;
//   4. each region takes the other mentions of its names into account, in their
//      order, and gives its part of the table the symbols' numbers.
// Few names' places in the table are outside of their region; between the first
// two steps one thread decides about those. Conflicts are noted and reported in
// the order of the mentions.
//
// Cost: 24 bytes for each mention, which is read once in each step; one hash
// probe for each, in a region that stays in a processor's cache. That is twice
// the work of one thread that takes file by file, so it needs several threads.
//
//===----------------------------------------------------------------------===//
#include "resolve/ManyNames.h"
#include "resolve/Claims.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

using namespace llvm;

namespace xlink {
namespace {

/// A global symbol of a file.
struct NameMention {
  const ParsedSymbol *symbol;
  uint32_t slot; ///< into Program::symbolIds; kNone: it has made its symbol
  uint32_t name; ///< see ManyNames
};

/// Until the symbols have their numbers a name has that of its symbol if there
/// was one before, and else `known` and the index of its first mention. Then
/// the first mention has the symbol's.
class ManyNames {
public:
  ManyNames(Program &program, Diagnostics &diagnostics, FileId first)
      : program(program), diagnostics(diagnostics), table(program.symbols),
        first(first), base(program.files[first].symbolBase),
        end(uint32_t(program.symbolIds.size())), known(uint32_t(table.size())),
        firstOfKnown(known, kNone) {}

  uint32_t run();

private:
  /// Symbols of files that one thread looks at at once.
  static constexpr uint32_t kChunk = 8192;
  /// A mention whose symbol is asked for while others are looked at.
  static constexpr uint32_t kAhead = 16;

  struct Chunk {
    uint32_t globals = 0;
    uint32_t newNames = 0; ///< mentioned first here
    uint32_t firsts = 0;   ///< those, and known ones
  };

  template <class Fn> void forEachSymbol(size_t chunk, Fn fn) const;
  template <class Fn> void forEachMention(size_t region, Fn fn) const;
  FileId fileOf(uint32_t slot) const;
  void forChunks(function_ref<void(size_t)> fn) const {
    program.parallel.forEach(chunks.size(), size_t(end - base) * 64, fn);
  }
  void forRegions(function_ref<void(size_t)> fn) const {
    program.parallel.forEach(table.regions(), size_t(end - base) * 64, fn);
  }
  bool isNew(uint32_t k) const { return mentions[k].name == known + k; }
  bool isFirst(uint32_t k) const {
    const uint32_t name = mentions[k].name;
    return name < known ? firstOfKnown[name] == k : isNew(k);
  }
  SymbolId idOf(uint32_t name) const {
    return SymbolId(name < known ? name : mentions[name - known].name);
  }
  bool isNameOf(uint32_t number, uint32_t mention) const;
  void collect(size_t chunk);
  void intern(size_t region);
  void settle(uint32_t mention, uint32_t &number);
  void settleLeftOver();
  void countFirst(size_t chunk);
  void makeSymbols(size_t chunk);
  void claimRest(size_t region);
  void reportConflicts();

  Program &program;
  Diagnostics &diagnostics;
  SymbolTable &table;
  const FileId first;
  const uint32_t base, end;           ///< of the slots
  const uint32_t known;               ///< symbols that were there before
  std::vector<uint32_t> firstOfKnown; ///< by symbol: its first mention
  std::vector<Chunk> chunks;
  /// Those of a chunk begin at its number times kChunk, sorted by region.
  std::vector<NameMention> mentions;
  std::vector<uint64_t> hashes; ///< of each
  /// By chunk and region: where such mentions begin, and where a chunk's end.
  std::vector<uint32_t> starts;
  std::vector<std::vector<uint32_t>> leftOver;       ///< by region: mentions
  std::vector<std::vector<NotedConflict>> conflicts; ///< by region
};

/// The file with the symbol of a slot.
FileId ManyNames::fileOf(uint32_t slot) const {
  const auto later = seq(first.index() + 1, program.files.next().index());
  return FileId(*partition_point(later, [&](uint32_t file) {
    return program.files[FileId(file)].symbolBase <= slot;
  }) - 1);
}

/// Calls fn(file, index, symbol) for all symbols of a chunk, in order.
template <class Fn> void ManyNames::forEachSymbol(size_t chunk, Fn fn) const {
  uint32_t slot = base + uint32_t(chunk) * kChunk;
  const uint32_t stop = slot + std::min(kChunk, end - slot);
  for (FileId file = fileOf(slot); slot != stop; ++file) {
    const InputFile &f = program.files[file];
    const ArrayRef<ParsedSymbol> symbols = f.object->symbols;
    const uint32_t to =
        uint32_t(std::min<size_t>(stop - f.symbolBase, symbols.size()));
    for (uint32_t i = slot - f.symbolBase; i < to; ++i)
      fn(file, i, symbols[i]);
    slot = f.symbolBase + to;
  }
}

/// Calls fn(number of the mention) for all whose names belong to a region, in
/// order.
template <class Fn> void ManyNames::forEachMention(size_t region, Fn fn) const {
  const size_t stride = table.regions() + 1;
  for (size_t chunk = 0; chunk < chunks.size(); ++chunk) {
    const uint32_t *start = &starts[chunk * stride + region];
    for (uint32_t k = start[0]; k != start[1]; ++k)
      fn(k);
  }
}

/// Notes the mentions in a chunk, sorted by region.
void ManyNames::collect(size_t chunk) {
  const size_t regions = table.regions();
  uint32_t *start = &starts[chunk * (regions + 1)];
  forEachSymbol(chunk, [&](FileId, uint32_t, const ParsedSymbol &symbol) {
    if (symbol.binding != ELF::STB_LOCAL)
      ++start[table.regionOf(symbol.hash)];
  });
  uint32_t next = uint32_t(chunk) * kChunk;
  for (size_t region = 0; region <= regions; ++region)
    next += std::exchange(start[region], next);
  std::vector<uint32_t> at(start, start + regions);
  forEachSymbol(
      chunk, [&](FileId file, uint32_t i, const ParsedSymbol &symbol) {
        if (symbol.binding == ELF::STB_LOCAL)
          return;
        const uint32_t k = at[table.regionOf(symbol.hash)]++;
        mentions[k] = {&symbol, program.files[file].symbolBase + i, kNone};
        hashes[k] = symbol.hash;
      });
}

/// Whether a number in the table is that of a mention's name.
bool ManyNames::isNameOf(uint32_t number, uint32_t k) const {
  const StringRef name = mentions[k].symbol->name;
  if (number >= known)
    return hashes[number - known] == hashes[k] &&
           mentions[number - known].symbol->name == name;
  const Symbol &other = table[SymbolId(number)];
  return other.hash == hashes[k] && other.name == name;
}

/// `number`: what the table has for the mention's name.
void ManyNames::settle(uint32_t k, uint32_t &number) {
  if (number == kNone)
    number = known + k;
  mentions[k].name = number;
  if (number < known && firstOfKnown[number] == kNone)
    firstOfKnown[number] = k;
}

/// Finds or enters the names of a region.
void ManyNames::intern(size_t region) {
  forEachMention(region, [&](uint32_t k) {
    uint32_t *number = table.seekInRegion(
        hashes[k], [&](uint32_t n) { return isNameOf(n, k); });
    if (number)
      settle(k, *number);
    else
      leftOver[region].push_back(k);
  });
}

/// Names whose search left their region did so at each of their mentions.
void ManyNames::settleLeftOver() {
  for (const std::vector<uint32_t> &list : leftOver)
    for (uint32_t k : list) {
      settle(k, *table.seekInTable(hashes[k],
                                   [&](uint32_t n) { return isNameOf(n, k); }));
    }
}

/// Counts first mentions, and leaves each in the slot of its symbol.
void ManyNames::countFirst(size_t chunk) {
  const size_t stride = table.regions() + 1;
  const uint32_t *start = &starts[chunk * stride];
  for (uint32_t k = start[0]; k != start[stride - 1]; ++k) {
    if (!isFirst(k))
      continue;
    program.symbolIds[mentions[k].slot] = SymbolId(k);
    ++chunks[chunk].firsts;
    chunks[chunk].newNames += isNew(k);
  }
}

/// Makes the symbols that a chunk mentions first. By now its counts are those
/// of all chunks in front of it.
void ManyNames::makeSymbols(size_t chunk) {
  SymbolId next(known + chunks[chunk].newNames);
  uint32_t order = chunks[chunk].firsts;
  forEachSymbol(chunk, [&](FileId file, uint32_t i, const ParsedSymbol &from) {
    SymbolId &id = program.symbolIds[program.files[file].symbolBase + i];
    if (id == kNone)
      return;
    const uint32_t k = id.index();
    if (!isNew(k)) {
      id = SymbolId(mentions[k].name);
      table[id].order = order++;
      return;
    }
    id = next;
    ++next;
    mentions[k].slot = kNone;
    mentions[k].name = id.index();
    Symbol &symbol = table[id];
    symbol = Symbol();
    symbol.name = from.name;
    symbol.hash = from.hash;
    symbol.order = order++;
    claim(program, symbol, file, i, [](Conflict) {});
  });
}

/// Takes all mentions of a region's names into account but those that made a
/// symbol, and tells the table the numbers.
void ManyNames::claimRest(size_t region) {
  std::vector<uint32_t> rest;
  forEachMention(region, [&](uint32_t k) {
    if (mentions[k].slot != kNone)
      rest.push_back(k);
  });
  FileId file = first;
  for (size_t i = 0; i < rest.size(); ++i) {
    // Names meet in no order that memory knows: ask for what comes next early.
    if (i + 2 * kAhead < rest.size()) {
      const NameMention &later = mentions[rest[i + 2 * kAhead]];
      __builtin_prefetch(later.symbol);
      if (later.name >= known)
        __builtin_prefetch(&mentions[later.name - known]);
    }
    if (i + kAhead < rest.size())
      __builtin_prefetch(&table[idOf(mentions[rest[i + kAhead]].name)], 1);
    const NameMention &mention = mentions[rest[i]];
    const SymbolId id = idOf(mention.name);
    program.symbolIds[mention.slot] = id;
    while (file + 1 != program.files.next() &&
           program.files[file + 1].symbolBase <= mention.slot)
      ++file;
    const uint32_t index = mention.slot - program.files[file].symbolBase;
    Symbol &symbol = table[id];
    claim(program, symbol, file, index, [&](Conflict conflict) {
      conflicts[region].push_back({conflict, symbol, file, index});
    });
  }
  table.forEachIn(region,
                  [&](uint32_t &number) { number = idOf(number).index(); });
}

void ManyNames::reportConflicts() {
  std::vector<const NotedConflict *> all;
  for (const std::vector<NotedConflict> &list : conflicts)
    for (const NotedConflict &one : list)
      all.push_back(&one);
  llvm::sort(all, [](const NotedConflict *a, const NotedConflict *b) {
    return std::tie(a->file, a->index) < std::tie(b->file, b->index);
  });
  for (const NotedConflict *one : all)
    reportConflict(program, diagnostics, *one);
}

uint32_t ManyNames::run() {
  chunks.resize((end - base + kChunk - 1) / kChunk);
  forChunks([&](size_t chunk) {
    forEachSymbol(chunk, [&](FileId, uint32_t, const ParsedSymbol &symbol) {
      chunks[chunk].globals += symbol.binding != ELF::STB_LOCAL;
    });
  });
  size_t globals = 0;
  for (const Chunk &chunk : chunks)
    globals += chunk.globals;
  table.reserve(globals, program.parallel);

  const size_t regions = table.regions();
  mentions.resize(end - base);
  hashes.resize(end - base);
  starts.resize(chunks.size() * (regions + 1));
  leftOver.resize(regions);
  conflicts.resize(regions);
  forChunks([&](size_t chunk) { collect(chunk); });
  forRegions([&](size_t region) { intern(region); });
  settleLeftOver();
  forChunks([&](size_t chunk) { countFirst(chunk); });
  uint32_t newNames = 0, firsts = 0;
  for (Chunk &chunk : chunks) {
    newNames += std::exchange(chunk.newNames, newNames);
    firsts += std::exchange(chunk.firsts, firsts);
  }
  table.extend(newNames);
  forChunks([&](size_t chunk) { makeSymbols(chunk); });
  forRegions([&](size_t region) { claimRest(region); });
  reportConflicts();
  return firsts;
}

} // namespace

bool mayEnterAtOnce(const Program &program) {
  // All passes together take twice the time of the processors that one thread
  // takes, whose file is in its cache.
  constexpr unsigned fewest = 4;
  // With --wrap the name that a symbol means depends on its section.
  return program.parallel.threads() >= fewest && program.wrapping.empty();
}

bool worthEnteringAtOnce(const Program &program, size_t symbols) {
  return mayEnterAtOnce(program) && symbols >= 20000 &&
         symbols < (size_t(1) << 30);
}

uint32_t enterAtOnce(Program &program, Diagnostics &diagnostics, FileId first) {
  return ManyNames(program, diagnostics, first).run();
}

} // namespace xlink
