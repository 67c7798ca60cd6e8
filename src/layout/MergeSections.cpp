//===- MergeSections.cpp --------------------------------------------------===//
//
// Problem: compilers put constants and strings into SHF_MERGE sections so that
// equal ones need to be stored once, and a string that ends like another one
// not at all. Scripts put symbols and alignments between such sections, so
// what stays must stay where it stood.
//
// Method: GNU ld's. Split every member of a group into pieces (entries, or
// strings with their terminator). In input order a piece belongs to the section
// in which its bytes stand first. It asks for the alignment that it has in the
// input; a later copy that asks for more takes the earlier one's place. Of the
// strings that remain those that end another string go. What remains of a
// section are its own pieces, one behind the other, cut out of it (CutSection);
// references follow each piece to its home.
//
// Each step runs in several threads, in a way that their number does not show.
// Splitting, placing and resolving go by member. Equal pieces have equal
// hashes: by these the pieces are dealt into shards, in input order within each
// of them, and no shard knows of the others. A shard's table of hashes fits
// into a cache. The bytes of a shard's pieces do not, they are all over the
// inputs; so at first equal hashes are taken for equal pieces. Then each piece
// is compared with its holder, member by member, where memory is read in order.
// Shards in which some differ are entered again, now with a look at the bytes.
// Strings are sorted by their ends, seven bytes at a time, after
// they were dealt by their last byte.
//
// Cost: one hash a piece, a sort of the distinct strings; some thirty bytes of
// memory a piece while a group is merged.
//
//===----------------------------------------------------------------------===//
#include "layout/MergeSections.h"
#include "layout/ReversedWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <tuple>
#include <utility>

using namespace llvm;

namespace xlink {

namespace {

/// What the sections of a group have in common.
struct Kind {
  bool strings;
  uint64_t entsize, align;
};

/// A piece as it stands in its section.
struct Piece {
  const char *begin;
  uint32_t size; ///< of a string: without its terminator

  StringRef bytes() const { return {begin, size}; }
};

/// What a piece asks for: a binary logarithm, or one of these.
using Asks = uint8_t;
constexpr Asks kNothing = 254; ///< it is not entered, only looked up
constexpr Asks kDead = 255;    ///< nor that

/// The end of a string, by which it is sorted.
struct Tail {
  uint64_t key; ///< see tailKey
  uint32_t piece;
  uint32_t size; ///< of the string
};

class GroupMerger {
public:
  GroupMerger(const Program &program, Contents &contents, MergeGroup &group,
              Kind kind)
      : program(program), contents(contents), group(group), kind(kind),
        members(group.members.size()), first(members + 1) {}
  void run();

private:
  /// A piece that waits to be entered.
  struct Waiting {
    uint32_t hash; ///< then where it is in the shard's table
    uint32_t piece;
  };
  /// Strings that may share ends, sorted, and one that ends in the first.
  struct Bucket {
    MutableArrayRef<Tail> tails;
    const Tail *whole = nullptr;
  };

  ArrayRef<uint8_t> data(size_t member) const {
    return program.sections[group.members[member]].parsed->data;
  }
  /// The numbers of a member's pieces.
  auto piecesOf(size_t member) const {
    return seq<uint32_t>(first[member],
                         first[member] +
                             uint32_t(group.inputs[member].starts.size()));
  }
  uint64_t length(const Piece &p) const {
    return p.size + (kind.strings ? kind.entsize : 0);
  }
  uint64_t alignOf(uint32_t piece) const { return uint64_t(1) << asks[piece]; }
  bool holds(uint32_t piece) const {
    return asks[piece] < kNothing && keys[piece] == piece;
  }
  void forEachMember(function_ref<void(size_t)> fn) const {
    program.parallel.forEach(members, bytes, fn);
  }
  bool isZero(StringRef text, uint64_t at) const {
    return text.substr(at, kind.entsize).find_first_not_of('\0') ==
           StringRef::npos;
  }
  bool prepare();
  uint64_t countPieces(size_t member) const;
  void split(size_t member);
  void splitStrings(size_t member,
                    function_ref<void(uint64_t, uint64_t, Asks)> add);
  void dropDead(size_t member);
  void enterAnything();
  void deal();
  void enterShard(MutableArrayRef<Waiting> waiting, bool compare);
  bool equal(uint32_t a, uint32_t b) const;
  size_t shardOf(uint32_t hash) const;
  void checkHolders(size_t member, MutableArrayRef<uint8_t> wrong) const;
  void enter();
  void indexMembers();
  size_t memberOf(uint32_t piece) const;
  uint64_t tailKey(uint32_t piece, uint64_t at) const;
  void makeKeys(MutableArrayRef<Tail> tails, uint64_t at) const;
  void sortByEnds(MutableArrayRef<Tail> all) const;
  bool endsIn(const Tail &whole, const Tail &tail) const;
  void shareIn(Bucket &bucket);
  void shareAmong(MutableArrayRef<Tail> tails, MutableArrayRef<Tail> room);
  void shareTails();
  void place(size_t member);
  void resolve(size_t member);

  const Program &program;
  Contents &contents;
  MergeGroup &group;
  const Kind kind;
  const size_t members;
  size_t bytes = 0;            ///< of all members
  std::vector<uint32_t> first; ///< of each member's pieces; then their end
  /// By the number of a piece. Behind a member's last one there may be numbers
  /// that no piece has.
  std::unique_ptr<Piece[]> pieces;
  /// Hashes of pieces. Once they have been entered, the piece that holds a
  /// piece's bytes, and of one that does, itself or a string that ends in it.
  std::unique_ptr<uint32_t[]> keys;
  std::unique_ptr<Asks[]> asks;
  std::unique_ptr<Waiting[]> waiting; ///< shard by shard
  std::vector<size_t> shardBegin;
  size_t shards = 1; ///< a power of two
  /// By the upper bits of a piece's number, the member of the first such piece.
  std::vector<uint32_t> memberIndex;
  unsigned indexShift = 0;
  uint32_t firstEntered = kNone; ///< of all pieces
  size_t firstCut = 0;           ///< of the members' CutSections
};

} // namespace

/// GNU ld's conditions, and that the bytes depend on nothing that relocations
/// or the program write.
static bool mergeable(const Parts &parts, SectionId id) {
  const ParsedSection &p = *parts.program.sections[id].parsed;
  if (!parts.placed(id) || !(p.flags & ELF::SHF_MERGE) ||
      reversedWordSize(parts, id) || p.type == ELF::SHT_NOBITS ||
      p.entsize == 0 || p.size == 0 || p.relocBegin != p.relocEnd ||
      (p.flags & ELF::SHF_WRITE) || p.size >= (uint64_t(1) << 32) ||
      p.size % p.entsize != 0)
    return false;
  if (p.entsize < p.align)
    return (p.flags & ELF::SHF_STRINGS) && isPowerOf2_64(p.entsize);
  return p.entsize % p.align == 0;
}

/// Equal bytes have equal hashes.
static uint32_t hashOf(StringRef bytes) { return uint32_t(xxh3_64bits(bytes)); }

/// How many pieces a member has at most.
uint64_t GroupMerger::countPieces(size_t member) const {
  const StringRef text = toStringRef(data(member));
  if (!kind.strings)
    return text.size() / kind.entsize;
  if (kind.entsize == 1)
    return uint64_t(std::count(text.begin(), text.end(), '\0')) + 1;
  uint64_t zeros = 0;
  for (uint64_t at = 0; at < text.size(); at += kind.entsize)
    zeros += isZero(text, at);
  return zeros + 1;
}

void GroupMerger::split(size_t member) {
  MergedInput &input = group.inputs[member];
  const uint32_t begin = first[member];
  input.starts.reserve(first[member + 1] - begin);
  const StringRef text = toStringRef(data(member));
  auto add = [&](uint64_t at, uint64_t size, Asks asked) {
    const uint32_t piece = begin + uint32_t(input.starts.size());
    input.starts.push_back(uint32_t(at));
    pieces[piece] = {text.data() + at, uint32_t(size)};
    keys[piece] = hashOf(text.substr(at, size));
    asks[piece] = asked;
  };
  if (kind.strings)
    splitStrings(member, add);
  else
    for (uint64_t at = 0; at < text.size(); at += kind.entsize)
      add(at, kind.entsize, 0);
  dropDead(member);
}

/// A string, then the zeros behind it as one piece: an empty string, which the
/// first well-aligned zero of a section enters.
void GroupMerger::splitStrings(
    size_t member, function_ref<void(uint64_t, uint64_t, Asks)> add) {
  const StringRef text = toStringRef(data(member));
  const uint64_t unit = kind.entsize;
  MergedInput &input = group.inputs[member];
  const Asks most = Asks(Log2_64(kind.align));
  bool emptyEntered = false;
  for (uint64_t at = 0; at < text.size();) {
    uint64_t end = at;
    if (unit == 1)
      end = std::min(text.find('\0', at), text.size());
    else
      while (end < text.size() && !isZero(text, end))
        end += unit;
    // What the place in the section is a multiple of.
    add(at, end - at,
        at == 0 ? most : std::min(most, Asks(llvm::countr_zero(at))));
    at = end + unit;
    const uint64_t zeros = at;
    bool enters = false;
    for (; at < text.size() && isZero(text, at); at += unit)
      enters |= !emptyEntered && at % kind.align == 0;
    if (at > zeros && zeros < text.size()) {
      add(zeros, 0, enters ? most : kNothing);
      input.zeros.push_back(uint32_t(input.starts.size() - 1));
      emptyEntered |= enters;
    }
  }
}

/// --gc-sections: what nothing that lives refers to is neither entered nor
/// looked up.
void GroupMerger::dropDead(size_t member) {
  const SectionId id = group.members[member];
  if (!program.config.gcSections || contents.liveness.allPieces.contains(id) ||
      !(program.sections[id].parsed->flags & ELF::SHF_ALLOC))
    return;
  const std::vector<uint32_t> &starts = group.inputs[member].starts;
  std::vector<bool> live(starts.size());
  if (auto it = contents.liveness.livePieces.find(id);
      it != contents.liveness.livePieces.end())
    for (uint32_t offset : it->second) {
      auto piece = std::upper_bound(starts.begin(), starts.end(), offset);
      if (piece != starts.begin())
        live[size_t(piece - starts.begin()) - 1] = true;
    }
  for (size_t i = 0; i < starts.size(); ++i)
    if (!live[i])
      asks[first[member] + i] = kDead;
}

/// Finds the first piece that is entered. Of all that lives there may be
/// nothing but zeros between dead strings: then they are.
void GroupMerger::enterAnything() {
  auto findFirst = [&] {
    for (size_t m = 0; m < members; ++m)
      for (uint32_t p : piecesOf(m))
        if (asks[p] < kNothing)
          return p;
    return uint32_t(kNone);
  };
  firstEntered = findFirst();
  if (firstEntered != kNone)
    return;
  for (size_t m = 0; m < members; ++m)
    for (uint32_t p : piecesOf(m))
      if (asks[p] != kDead)
        asks[p] = 0;
  firstEntered = findFirst();
}

size_t GroupMerger::shardOf(uint32_t hash) const {
  return size_t(uint64_t(hash) * shards >> 32);
}

/// Deals the pieces into shards by their hashes, in the order of the inputs.
/// Runs of members are counted first, so that each knows where its pieces go.
void GroupMerger::deal() {
  const size_t runs = std::min<size_t>(members, 16);
  std::vector<std::vector<size_t>> places(runs);
  auto forEachIn = [&](size_t run, auto fn) {
    for (size_t m = members * run / runs; m < members * (run + 1) / runs; ++m)
      for (uint32_t p : piecesOf(m))
        if (asks[p] != kDead)
          fn(p);
  };
  program.parallel.forEach(runs, bytes, [&](size_t run) {
    places[run].assign(shards, 0);
    forEachIn(run, [&](uint32_t p) { ++places[run][shardOf(keys[p])]; });
  });
  size_t end = 0;
  for (size_t s = 0; s < shards; ++s) {
    shardBegin.push_back(end);
    for (size_t run = 0; run < runs; ++run)
      end += std::exchange(places[run][s], end);
  }
  shardBegin.push_back(end);
  waiting = std::make_unique_for_overwrite<Waiting[]>(end);
  program.parallel.forEach(runs, bytes, [&](size_t run) {
    forEachIn(run, [&](uint32_t p) {
      waiting[places[run][shardOf(keys[p])]++] = {keys[p], p};
    });
  });
}

bool GroupMerger::equal(uint32_t a, uint32_t b) const {
  return pieces[a].bytes() == pieces[b].bytes();
}

/// Finds who holds the bytes of each piece of a shard; unless it is to compare
/// them, by their hashes alone.
void GroupMerger::enterShard(MutableArrayRef<Waiting> shard, bool compare) {
  struct Slot {
    uint32_t hash;
    uint32_t holder;
  };
  std::vector<Slot> table(bit_ceil(shard.size() * 2), Slot{0, kNone});
  const size_t mask = table.size() - 1;
  auto find = [&](const Waiting &w) {
    size_t at = w.hash & mask;
    for (; table[at].holder != kNone; at = (at + 1) & mask)
      if (table[at].hash == w.hash &&
          (!compare || equal(table[at].holder, w.piece)))
        break;
    return uint32_t(at);
  };
  // What is known of pieces is far apart in memory.
  constexpr ptrdiff_t early = 16;
  for (Waiting &w : shard) {
    if (shard.end() - &w > early)
      __builtin_prefetch(&asks[(&w + early)->piece]);
    if (asks[w.piece] == kNothing)
      continue;
    Slot &slot = table[find(w)];
    if (slot.holder == kNone || asks[slot.holder] < asks[w.piece])
      slot = {w.hash, w.piece};
    w.hash = uint32_t(&slot - table.data());
  }
  for (const Waiting &w : shard) {
    if (shard.end() - &w > early)
      __builtin_prefetch(&keys[(&w + early)->piece], /*write=*/1);
    keys[w.piece] = table[asks[w.piece] == kNothing ? find(w) : w.hash].holder;
  }
}

/// Looks whether the pieces of a member have the bytes of their holders, and
/// notes the shards of those that have not.
void GroupMerger::checkHolders(size_t member,
                               MutableArrayRef<uint8_t> wrong) const {
  constexpr uint32_t early = 16, late = 8;
  const uint32_t end =
      first[member] + uint32_t(group.inputs[member].starts.size());
  auto holderOf = [&](uint32_t p) {
    return asks[p] != kDead && keys[p] != kNone ? keys[p] : p;
  };
  for (uint32_t p = first[member]; p < end; ++p) {
    if (end - p > early)
      __builtin_prefetch(&pieces[holderOf(p + early)]);
    if (end - p > late)
      __builtin_prefetch(pieces[holderOf(p + late)].begin);
    if (const uint32_t holder = holderOf(p); holder != p && !equal(holder, p))
      std::atomic_ref<uint8_t>(wrong[shardOf(hashOf(pieces[p].bytes()))])
          .store(1, std::memory_order_relaxed);
  }
}

/// Finds who holds the bytes of each piece.
void GroupMerger::enter() {
  // So many that the table of one fits into a cache.
  shards =
      std::min<size_t>(bit_ceil(first[members] / 2048 + 1), size_t(1) << 12);
  deal();
  auto shard = [&](size_t s) {
    return MutableArrayRef(waiting.get() + shardBegin[s],
                           waiting.get() + shardBegin[s + 1]);
  };
  program.parallel.forEach(shards, bytes, [&](size_t s) {
    enterShard(shard(s), /*compare=*/false);
  });
  std::vector<uint8_t> wrong(shards);
  forEachMember([&](size_t m) { checkHolders(m, wrong); });
  if (is_contained(wrong, 1))
    program.parallel.forEach(shards, bytes, [&](size_t s) {
      if (!wrong[s])
        return;
      for (Waiting &w : shard(s))
        w.hash = hashOf(pieces[w.piece].bytes());
      enterShard(shard(s), /*compare=*/true);
    });
}

/// Seven bytes of a string in front of its last `at`, from the end, and how
/// many there are, more than seven being eight: in the order of these numbers
/// strings are sorted by their ends, those that end others first.
uint64_t GroupMerger::tailKey(uint32_t piece, uint64_t at) const {
  const Piece &p = pieces[piece];
  const uint64_t rest = p.size - at;
  if (rest >= 8)
    return (support::endian::read64le(p.begin + rest - 8) & ~uint64_t(255)) | 8;
  uint64_t key = 0;
  for (uint64_t i = 0; i < rest; ++i)
    key |= uint64_t(uint8_t(p.begin[rest - 1 - i])) << (56 - 8 * i);
  return key | rest;
}

/// Sets the keys of strings that are equal up to `at`. In the order in which
/// they are sorted they are far from each other in memory, which is asked for
/// them early: first for what is known of a string, then for its bytes.
void GroupMerger::makeKeys(MutableArrayRef<Tail> tails, uint64_t at) const {
  constexpr size_t early = 16, late = 8;
  for (size_t i = 0; i < tails.size(); ++i) {
    if (i + early < tails.size())
      __builtin_prefetch(&pieces[tails[i + early].piece]);
    if (i + late < tails.size()) {
      const StringRef next = pieces[tails[i + late].piece].bytes();
      __builtin_prefetch(next.end() - at);
    }
    tails[i].key = tailKey(tails[i].piece, at);
  }
}

/// Sorts strings by their bytes read backwards; a string before those that end
/// in it. Their keys are those at 0, before and afterwards. Parts that are
/// equal so far wait on a list of their own: inputs decide how deep it goes.
void GroupMerger::sortByEnds(MutableArrayRef<Tail> all) const {
  struct Part {
    MutableArrayRef<Tail> tails;
    uint64_t at;  ///< how many bytes at the end are equal
    uint64_t key; ///< at 0, if these are some bytes
  };
  std::vector<Part> parts = {{all, 0, 0}};
  while (!parts.empty()) {
    auto [tails, at, key] = parts.back();
    parts.pop_back();
    if (at != 0)
      makeKeys(tails, at);
    std::sort(tails.begin(), tails.end(),
              [](const Tail &a, const Tail &b) { return a.key < b.key; });
    for (size_t begin = 0, end; begin < tails.size(); begin = end) {
      for (end = begin + 1; end < tails.size(); ++end)
        if (tails[end].key != tails[begin].key)
          break;
      // Of strings that end here there is one.
      if (end - begin > 1)
        parts.push_back({tails.slice(begin, end - begin), at + 7,
                         at == 0 ? tails[begin].key : key});
    }
    if (at != 0)
      for (Tail &t : tails)
        t.key = key;
  }
}

/// Whether `tail` can be read at the end of `whole`, as aligned as it asks.
/// Most strings are told apart without a look at their bytes.
bool GroupMerger::endsIn(const Tail &whole, const Tail &tail) const {
  const unsigned known = unsigned(std::min<uint32_t>(tail.size, 7));
  if (whole.size <= tail.size ||
      (known && (whole.key ^ tail.key) >> (64 - 8 * known)))
    return false;
  return asks[whole.piece] >= asks[tail.piece] &&
         (whole.size - tail.size) % alignOf(tail.piece) == 0 &&
         pieces[whole.piece].bytes().ends_with(pieces[tail.piece].bytes());
}

void GroupMerger::shareIn(Bucket &bucket) {
  sortByEnds(bucket.tails);
  for (const Tail &t : reverse(bucket.tails)) {
    if (bucket.whole && endsIn(*bucket.whole, t))
      keys[t.piece] = bucket.whole->piece;
    else
      bucket.whole = &t;
  }
}

/// Strings with different last bytes do not end each other.
void GroupMerger::shareAmong(MutableArrayRef<Tail> tails,
                             MutableArrayRef<Tail> room) {
  constexpr size_t worthDealing = 4096;
  if (tails.size() < worthDealing) {
    Bucket all{tails};
    shareIn(all);
    return;
  }
  std::array<size_t, 257> begin{};
  for (const Tail &t : tails)
    ++begin[(t.key >> 56) + 1];
  for (size_t b = 1; b < begin.size(); ++b)
    begin[b] += begin[b - 1];
  std::array<size_t, 257> next = begin;
  for (const Tail &t : tails)
    room[next[t.key >> 56]++] = t;
  std::vector<Bucket> buckets;
  for (size_t b = 0; b < 256; ++b)
    if (size_t count = begin[b + 1] - begin[b])
      buckets.push_back({room.slice(begin[b], count)});
  program.parallel.forEach(buckets.size(), tails.size() * 64,
                           [&](size_t b) { shareIn(buckets[b]); });
  // But for an empty string, which ends all.
  const Tail &least = buckets[0].tails[0];
  if (buckets.size() > 1 && buckets[0].whole == &least && least.size == 0 &&
      endsIn(*buckets[1].whole, least))
    keys[least.piece] = buckets[1].whole->piece;
}

void GroupMerger::shareTails() {
  std::vector<size_t> begin(members + 1);
  std::vector<std::pair<Asks, Asks>> asked(members, {kNothing, 0});
  forEachMember([&](size_t m) {
    for (uint32_t p : piecesOf(m))
      if (holds(p)) {
        ++begin[m + 1];
        asked[m].first = std::min(asked[m].first, asks[p]);
        asked[m].second = std::max(asked[m].second, asks[p]);
      }
  });
  auto [least, most] = asked[0];
  for (size_t m = 0; m < members; ++m) {
    begin[m + 1] += begin[m];
    least = std::min(least, asked[m].first);
    most = std::max(most, asked[m].second);
  }
  const size_t count = begin[members];
  const auto memory = std::make_unique_for_overwrite<Tail[]>(2 * count);
  const MutableArrayRef<Tail> tails(memory.get(), count),
      room(memory.get() + count, count);
  forEachMember([&](size_t m) {
    size_t at = begin[m];
    for (uint32_t p : piecesOf(m))
      if (holds(p))
        tails[at++] = {tailKey(p, 0), p, pieces[p].size};
  });
  // Where all are aligned alike, only strings that exceed a multiple of that
  // by the same can share an end: they come together.
  const uint64_t common = uint64_t(1) << most;
  if (least != most || common <= kind.entsize) {
    shareAmong(tails, room);
    return;
  }
  auto excess = [&](const Tail &t) { return t.size % common; };
  std::sort(tails.begin(), tails.end(), [&](const Tail &a, const Tail &b) {
    return std::pair(excess(a), a.key) < std::pair(excess(b), b.key);
  });
  MutableArrayRef<Tail> rest = tails;
  while (!rest.empty()) {
    const Tail *end =
        std::find_if(rest.begin(), rest.end(), [&](const Tail &t) {
          return excess(t) != excess(rest[0]);
        });
    const size_t same = size_t(end - rest.begin());
    shareAmong(rest.take_front(same), room);
    rest = rest.drop_front(same);
  }
}

/// Lays out what remains of a section.
void GroupMerger::place(size_t member) {
  MergedInput &input = group.inputs[member];
  input.homes.resize(input.starts.size());
  input.results.resize(input.starts.size());
  std::vector<KeptRange> &kept = contents.cuts[firstCut + member].kept;
  Size end;
  for (uint32_t p : piecesOf(member)) {
    if (!holds(p))
      continue;
    const size_t i = p - first[member];
    const Size to = end.alignedTo(alignOf(p));
    end = to + length(pieces[p]);
    input.homes[i] = uint32_t(member);
    input.results[i] = to;
    // The last string of a section may lack its terminator.
    const uint64_t begin = input.starts[i];
    const uint64_t last =
        std::min<uint64_t>(begin + length(pieces[p]), data(member).size());
    if (!kept.empty() && kept.back().end == begin &&
        kept.back().to + (kept.back().end - kept.back().begin) == to)
      kept.back().end = last;
    else
      kept.push_back({begin, last, to});
  }
  Contribution &s = contents.sections[group.members[member]];
  s.size = end;
  s.cut = uint32_t(firstCut + member);
}

/// Makes it quick to find the members of pieces.
void GroupMerger::indexMembers() {
  const uint32_t count = first[members];
  indexShift = count > 2 * members ? Log2_64(count / members) - 1 : 0;
  memberIndex.resize((count >> indexShift) + 2);
  uint32_t m = 0;
  for (size_t i = 0; i < memberIndex.size(); ++i) {
    while (m + 1 < members && first[m + 1] <= i << indexShift)
      ++m;
    memberIndex[i] = m;
  }
}

size_t GroupMerger::memberOf(uint32_t piece) const {
  const auto from = first.begin() + memberIndex[piece >> indexShift],
             to = first.begin() + memberIndex[(piece >> indexShift) + 1];
  return size_t(std::upper_bound(from, std::next(to), piece) - first.begin()) -
         1;
}

void GroupMerger::resolve(size_t member) {
  MergedInput &input = group.inputs[member];
  for (uint32_t p : piecesOf(member)) {
    const size_t i = p - first[member];
    if (asks[p] == kDead) {
      input.homes[i] = kNone;
      continue;
    }
    if (holds(p))
      continue; // has its place
    // Zeros between strings where no empty one was entered: the terminator of
    // the first string.
    const bool terminator = keys[p] == kNone;
    const uint32_t entered = terminator ? firstEntered : p;
    uint32_t whole = entered;
    while (keys[whole] != whole)
      whole = keys[whole];
    const size_t home = memberOf(whole);
    input.homes[i] = uint32_t(home);
    input.results[i] = group.inputs[home].results[whole - first[home]] +
                       (pieces[whole].size - pieces[entered].size) +
                       (terminator ? pieces[entered].size : 0);
  }
}

/// Makes room for all pieces; false: there are more than can be numbered.
bool GroupMerger::prepare() {
  group.inputs.resize(members);
  for (size_t m = 0; m < members; ++m)
    bytes += data(m).size();
  std::vector<uint64_t> counts(members);
  forEachMember([&](size_t m) { counts[m] = countPieces(m); });
  uint64_t count = 0;
  for (size_t m = 0; m < members; ++m) {
    first[m] = uint32_t(count);
    count += counts[m];
    if (count >= kNone)
      return false;
  }
  first[members] = uint32_t(count);
  pieces = std::make_unique_for_overwrite<Piece[]>(count);
  keys = std::make_unique_for_overwrite<uint32_t[]>(count);
  asks = std::make_unique_for_overwrite<Asks[]>(count);
  return true;
}

void GroupMerger::run() {
  if (!prepare()) {
    // Then they stay as they are.
    for (SectionId id : group.members)
      contents.sections[id].merge = kNone;
    group = MergeGroup();
    return;
  }
  forEachMember([&](size_t m) { split(m); });
  enterAnything();
  enter();
  waiting.reset();
  if (kind.strings)
    shareTails();
  firstCut = contents.cuts.size();
  contents.cuts.resize(firstCut + members);
  forEachMember([&](size_t m) { place(m); });
  indexMembers();
  forEachMember([&](size_t m) { resolve(m); });
}

void mergeSections(const Program &program, const Placement &placement,
                   Contents &contents) {
  auto mayMerge = [](const SectionClass &c) {
    return bool(c.flags & ELF::SHF_MERGE);
  };
  if (program.config.optimize == 0 || program.config.relocatable ||
      none_of(placement.classes, mayMerge))
    return;
  using Key = std::tuple<OutputId, bool, uint64_t, uint64_t>;
  std::map<Key, uint32_t> groups;
  std::vector<Kind> kinds;
  // In the order of the inputs, wherever the script puts them (GNU ld).
  const Parts parts{program, placement, contents};
  for (SectionId id : program.sections.ids(1)) {
    if (!mayMerge(placement.classOf(id)) || !mergeable(parts, id))
      continue;
    const ParsedSection &p = *program.sections[id].parsed;
    Contribution &s = contents.sections[id];
    const bool strings = p.flags & ELF::SHF_STRINGS;
    auto [it, fresh] = groups.try_emplace(
        Key{placement.sections[id].output, strings, p.entsize, p.align},
        uint32_t(contents.merges.size()));
    if (fresh) {
      contents.merges.emplace_back();
      kinds.push_back({strings, p.entsize, p.align});
    }
    MergeGroup &group = contents.merges[it->second];
    group.entsize = p.entsize;
    s.merge = it->second;
    s.mergeIndex = uint32_t(group.members.size());
    group.members.push_back(id);
  }
  for (size_t i = 0; i < contents.merges.size(); ++i)
    GroupMerger(program, contents, contents.merges[i], kinds[i]).run();
}

} // namespace xlink
