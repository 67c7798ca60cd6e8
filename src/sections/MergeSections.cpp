//===- MergeSections.cpp --------------------------------------------------===//
//
// Problem: compilers put constants and strings into SHF_MERGE sections so that
// equal ones need to be stored once, and a string that ends like another one
// not at all. Scripts put symbols and alignments between such sections.
//
// Method: GNU ld's. Split every member of a group into pieces (entries, or
// strings with their terminator). In input order a piece belongs to the section
// in which its bytes stand first, as aligned as the most aligned of its copies.
// Of the strings that remain those that end another string go. What remains of
// a section are its own pieces, one behind the other, cut out of it
// (CutSection); references follow each piece to its home. All that remains
// stands as one where the first section of the group does: its members are
// moved there.
//
// Members are split and their pieces hashed by several threads; one of them at
// a time inserts the pieces of members into a table, in the order of the
// members, so that the copy that makes a piece is the first. Then each member
// keeps the pieces whose first copy it has. The place of a piece is recorded
// once for all copies, which have its number.
//
// Strings that end others: sorted by their bytes read backwards, strings stand
// in front of those that end in them, and nothing else stands between. So after
// sorting one walk from the last to the first finds, for each string, the last
// one that stays: the only one that can end in it. Strings with different last
// bytes do not end each other: they are put into buckets by that byte, which
// threads share. The empty string, which ends all, is read in the first of all.
// They are sorted by their last eight bytes as a number, those with equal ones
// by the eight bytes in front, and so on. Strings of one size do not end each
// other: if all with equal numbers have one, a tie, they stay in any order. A
// string that ends one of them ends all, and is read in the first of them.
// Where all strings are aligned to a multiple of several characters, only those
// share an end that exceed such a multiple by the same: they are sorted by that
// first.
//
// Cost: two visits of each byte; a hash table and a sort of the distinct
// strings; eight bytes of memory for each piece, and some sixty for a distinct
// one.
//
//===----------------------------------------------------------------------===//
#include "base/Grouped.h"
#include "base/HashIndex.h"
#include "sections/SettleContributions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>
#include <utility>

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Strings that end others
//===----------------------------------------------------------------------===//

namespace {
/// A string, to be sorted by its end.
struct StringTail {
  uint64_t key; ///< tailKey, of all or of all but some last bytes
  uint32_t piece, size;
};
} // namespace

uint64_t SectionPiece::tailKey(StringRef bytes) {
  if (bytes.size() >= sizeof(uint64_t))
    return support::endian::read64le(bytes.end() - sizeof(uint64_t));
  uint64_t key = 0;
  for (char c : bytes)
    key = key >> 8 | uint64_t(uint8_t(c)) << 56;
  return key;
}

/// Calls fn(run) for each run of elements that are alike.
template <class Alike, class Fn>
static void forEachRun(MutableArrayRef<StringTail> tails, Alike alike, Fn fn) {
  for (size_t begin = 0, end; begin < tails.size(); begin = end) {
    for (end = begin + 1;
         end < tails.size() && alike(tails[begin], tails[end]);)
      ++end;
    fn(tails.slice(begin, end - begin));
  }
}

/// Sorts strings by their bytes read backwards, but for ties.
static void sortTails(ArrayRef<SectionPiece> pieces,
                      MutableArrayRef<StringTail> all) {
  struct Run {
    MutableArrayRef<StringTail> tails;
    size_t depth; ///< they have so many last bytes in common
  };
  std::vector<Run> runs = {{all, 0}};
  while (!runs.empty()) {
    const auto [tails, depth] = runs.back();
    runs.pop_back();
    const uint64_t last = tails[0].key;
    if (depth)
      for (StringTail &t : tails)
        t.key = SectionPiece::tailKey(pieces[t.piece].bytes.drop_back(depth));
    llvm::sort(tails, [](const StringTail &a, const StringTail &b) {
      return a.key != b.key ? a.key < b.key : a.size < b.size;
    });
    // No two are equal, so of those that a key holds whole there is one.
    forEachRun(
        tails,
        [depth = depth](const StringTail &a, const StringTail &b) {
          return a.key == b.key && a.size - depth >= 8;
        },
        [&, depth = depth](MutableArrayRef<StringTail> run) {
          if (run.front().size != run.back().size)
            runs.push_back({run, depth + 8});
        });
    if (depth)
      for (StringTail &t : tails)
        t.key = last;
  }
}

/// The alignment of all strings, or 1 if they differ or it is a character's.
static uint64_t commonAlignment(ArrayRef<SectionPiece> pieces, uint64_t unit) {
  const uint64_t align = uint64_t(1) << pieces[0].alignLog2;
  const bool alike = all_of(pieces, [&](const SectionPiece &piece) {
    return piece.alignLog2 == pieces[0].alignLog2;
  });
  return alike && align > unit ? align : 1;
}

/// Whether `whole` ends in `tail`. The keys decide nearly always.
static bool endsIn(ArrayRef<SectionPiece> pieces, const StringTail &whole,
                   const StringTail &tail) {
  const unsigned known = std::min<unsigned>(tail.size, 8);
  return whole.size > tail.size &&
         (whole.key ^ tail.key) >> (64 - 8 * known) == 0 &&
         pieces[whole.piece].bytes.ends_with(pieces[tail.piece].bytes);
}

/// Whether `tail` is as aligned as it asks at the end of `whole`.
static bool isAlignedIn(const SectionPiece &whole, const SectionPiece &tail) {
  const uint64_t distance = whole.bytes.size() - tail.bytes.size();
  return whole.alignLog2 >= tail.alignLog2 &&
         distance % (uint64_t(1) << tail.alignLog2) == 0;
}

/// The first of the tie that begins at `at`, if there is one.
static uint32_t firstOfTie(ArrayRef<SectionPiece> pieces,
                           ArrayRef<StringTail> tails, const StringTail *at) {
  const StringTail *first = at;
  for (const StringTail *t = at + 1;
       t != tails.end() && t->size == at->size && t->key == at->key; ++t) {
    const auto a = arrayRefFromStringRef(pieces[t->piece].bytes),
               b = arrayRefFromStringRef(pieces[first->piece].bytes);
    if (std::lexicographical_compare(a.rbegin(), a.rend(), b.rbegin(),
                                     b.rend()))
      first = t;
  }
  return first->piece;
}

/// Sorts a bucket and finds the string that each of it is read in. Strings with
/// different excess over a multiple of `align` do not share an end. Returns the
/// last one that stays, or one of its tie, of those without excess if there are
/// any; or null.
static const StringTail *mergeBucket(MutableArrayRef<SectionPiece> pieces,
                                     MutableArrayRef<StringTail> bucket,
                                     uint64_t align) {
  const auto excess = [=](const StringTail &tail) { return tail.size % align; };
  if (align > 1)
    llvm::sort(bucket, [&](const StringTail &a, const StringTail &b) {
      return excess(a) < excess(b);
    });
  const StringTail *first = nullptr;
  forEachRun(
      bucket,
      [&](const StringTail &a, const StringTail &b) {
        return excess(a) == excess(b);
      },
      [&](MutableArrayRef<StringTail> run) {
        sortTails(pieces, run);
        const StringTail *whole = nullptr;
        uint32_t home = kNone; // the first of its tie, once that was asked
        for (const StringTail &tail : reverse(run)) {
          const bool ends = whole && endsIn(pieces, *whole, tail);
          if (ends && home == kNone)
            home = firstOfTie(pieces, run, whole);
          if (ends && isAlignedIn(pieces[home], pieces[tail.piece])) {
            pieces[tail.piece].whole = home;
          } else {
            whole = &tail;
            home = kNone;
          }
        }
        if (excess(run.front()) == 0)
          first = whole;
      });
  return first;
}

void mergeTails(const Parallel &parallel, MutableArrayRef<SectionPiece> pieces,
                uint64_t unit) {
  if (pieces.empty())
    return;
  constexpr size_t kBuckets = 256;
  const uint64_t align = commonAlignment(pieces, unit);
  SectionPiece *empty = nullptr;
  Grouped<StringTail> buckets(kBuckets, [&](auto fn) {
    for (const auto &[i, piece] : enumerate(pieces))
      if (const size_t size = piece.bytes.size())
        fn(piece.tail >> 56, {piece.tail, uint32_t(i), uint32_t(size)});
      else
        empty = &piece;
  });
  const StringTail *last[kBuckets];
  parallel.forEach(kBuckets, pieces.size() * 64, [&](size_t b) {
    last[b] = mergeBucket(pieces, buckets.of(b), align);
  });
  const auto found = find_if(last, [](const StringTail *t) { return t; });
  if (!empty || found == std::end(last))
    return;
  const uint32_t whole =
      firstOfTie(pieces, buckets.of(size_t(found - last)), *found);
  if (isAlignedIn(pieces[whole], *empty))
    empty->whole = whole;
}

//===----------------------------------------------------------------------===//
// Groups of sections
//===----------------------------------------------------------------------===//

namespace {

/// The properties that the sections of a group share.
struct MergeKind {
  bool strings;
  uint64_t entsize, align;
};

struct GroupMerger {
  const Program &program;
  Contributions &contributions;
  MergeGroup &group;
  const MergeKind kind;
  uint64_t bytes = 0;                    ///< of all members
  std::vector<SectionPiece> pieces = {}; ///< different ones
  HashIndex index = {};                  ///< of these
  /// By member: the pieces whose first copy it has.
  std::vector<std::vector<uint32_t>> firstCopies = {};
  size_t firstCut = 0; ///< of the members' CutSections

  StringRef text(size_t member) const {
    return toStringRef(program.sections[group.members[member]].parsed->data());
  }
  uint64_t lengthOf(const SectionPiece &p) const {
    return p.bytes.size() + (kind.strings ? kind.entsize : 0);
  }

  /// Whether a character of a string is its terminator.
  bool isZero(StringRef text, uint64_t at) const {
    return kind.entsize == 1
               ? text[at] == '\0'
               : text.substr(at, kind.entsize).find_first_not_of('\0') ==
                     StringRef::npos;
  }

  /// The bytes of a piece: a string without its terminator, or a constant.
  StringRef bytesOf(StringRef text, uint64_t begin, uint64_t end) const {
    if (kind.strings)
      end = isZero(text, begin) ? begin : end - kind.entsize;
    return text.slice(begin, end);
  }

  /// Finds where pieces begin, and leaves their hashes in their places. Zeros
  /// behind a string are empty strings, all of them one piece.
  void split(size_t member) {
    MergedInput &input = group.inputs[member];
    const StringRef text = this->text(member);
    const uint64_t unit = kind.entsize;
    const size_t likely = text.size() / (kind.strings ? 24 * unit : unit) + 1;
    input.starts.reserve(likely);
    input.places.reserve(likely);
    for (uint64_t at = 0; at < text.size();) {
      const uint64_t begin = at;
      if (kind.strings && isZero(text, at)) {
        input.zeros.push_back(uint32_t(input.starts.size()));
        while (at < text.size() && isZero(text, at))
          at += unit;
      } else {
        if (kind.strings && unit == 1)
          at = std::min(text.find('\0', at), text.size());
        while (kind.strings && at < text.size() && !isZero(text, at))
          at += unit;
        at += unit;
      }
      input.starts.push_back(uint32_t(begin));
      const uint32_t hash = uint32_t(xxh3_64bits(bytesOf(text, begin, at)));
      input.places.push_back(std::min(hash, kNone - 1));
    }
  }

  /// --gc-sections: pieces without a live reference are nowhere.
  void dropDead(size_t member) {
    MergedInput &input = group.inputs[member];
    const SectionId id = group.members[member];
    const Liveness &liveness = contributions.liveness;
    if (!program.config.gcSections || liveness.allPieces.contains(id) ||
        !(program.sections[id].parsed->flags & ELF::SHF_ALLOC))
      return;
    std::vector<bool> live(input.starts.size());
    if (auto it = liveness.livePieces.find(id); it != liveness.livePieces.end())
      for (uint32_t offset : it->second) {
        const auto next = upper_bound(input.starts, offset);
        if (next != input.starts.begin())
          live[size_t(next - input.starts.begin()) - 1] = true;
      }
    for (size_t i = 0; i < live.size(); ++i)
      if (!live[i])
        input.places[i] = kNone;
  }

  /// The alignment that strings from `begin` to `end` have in their section: of
  /// several empty ones the largest.
  uint8_t alignOf(uint64_t begin, uint64_t end, bool isEmpty) const {
    const unsigned most = Log2_64(kind.align);
    auto align = [&](uint64_t at) {
      return at == 0 ? most : std::min<unsigned>(most, llvm::countr_zero(at));
    };
    unsigned result = align(begin);
    for (uint64_t at = begin; isEmpty && at < end; at += kind.entsize)
      result = std::max(result, align(at));
    return uint8_t(result);
  }

  /// Inserts the pieces of a member, and gives each copy its number.
  void insertPieces(size_t member) {
    constexpr size_t kAhead = 16;
    MergedInput &input = group.inputs[member];
    const StringRef text = this->text(member);
    for (uint32_t i = 0; i < input.starts.size(); ++i) {
      if (i + kAhead < input.places.size())
        index.prefetch(input.places[i + kAhead]);
      if (input.places[i] == kNone)
        continue;
      const uint64_t begin = input.starts[i];
      const uint64_t end =
          i + 1 < input.starts.size() ? input.starts[i + 1] : text.size();
      const StringRef bytes = bytesOf(text, begin, end);
      const auto [number, isNew] = index.insert(
          input.places[i], uint32_t(pieces.size()),
          [&](uint32_t other) { return pieces[other].bytes == bytes; });
      if (isNew) {
        pieces.emplace_back(bytes);
        firstCopies[member].push_back(i);
      }
      input.places[i] = number;
      if (kind.strings && kind.align > 1) {
        uint8_t &align = pieces[number].alignLog2;
        align = std::max(align, alignOf(begin, end, bytes.empty()));
      }
    }
  }

  /// Lays out the remaining pieces of a section that begins `phase` behind a
  /// multiple of the alignment; returns its size.
  Size place(size_t member, uint64_t phase) {
    const MergedInput &input = group.inputs[member];
    std::vector<KeptRange> &kept = contributions.cuts[firstCut + member].kept;
    Size end(phase);
    for (uint32_t i : firstCopies[member]) {
      const uint32_t number = input.places[i];
      const SectionPiece &piece = pieces[number];
      if (piece.whole != kNone)
        continue;
      const uint64_t begin = input.starts[i];
      end = end.alignedTo(uint64_t(1) << piece.alignLog2);
      const uint64_t to = end - phase;
      end += lengthOf(piece);
      group.places[number] = {uint32_t(member), uint32_t(to)};
      const uint64_t last = begin + lengthOf(piece);
      // Readers refuse a last string without its terminator.
      assert(last <= text(member).size());
      if (!kept.empty() && kept.back().end == begin &&
          kept.back().to + (kept.back().end - kept.back().begin) == to)
        kept.back().end = last;
      else
        kept.push_back({begin, last, to});
    }
    Contribution &s = contributions.sections[group.members[member]];
    s.size = end - phase;
    s.cut = uint32_t(firstCut + member);
    return s.size;
  }

  /// Lays out all members, one behind the other. Where all inputs are as long
  /// as a multiple of the alignment, so is all of them (GNU ld).
  void placeAll(bool apart) {
    std::vector<uint64_t> sizes(group.members.size());
    uint64_t end = 0;
    if (apart || kind.entsize % kind.align == 0)
      program.parallel.forEach(sizes.size(), bytes,
                               [&](size_t m) { sizes[m] = place(m, 0); });
    else
      for (size_t m = 0; m < sizes.size(); ++m)
        end += sizes[m] = place(m, end % kind.align);
    auto holds = [](uint64_t size) { return size != 0; };
    const auto first = find_if(sizes, holds);
    group.first = apart ? kNone : uint32_t(first - sizes.begin());
    const bool padded = all_of(group.members, [&](SectionId id) {
      return program.sections[id].parsed->size % kind.align == 0;
    });
    if (apart || first == sizes.end() || !padded)
      return;
    const auto last = std::find_if(sizes.rbegin(), sizes.rend(), holds);
    contributions.sections[group.members[size_t(sizes.rend() - last) - 1]]
        .size += alignTo(end, kind.align) - end;
  }

  /// `apart`: each member stands for itself.
  void run(bool apart) {
    group.inputs.resize(group.members.size());
    firstCopies.resize(group.members.size());
    for (SectionId id : group.members)
      bytes += program.sections[id].parsed->size;
    // More pieces than numbers: one has two bytes at least, or there are few.
    if (bytes / 2 >= kNone) {
      for (SectionId id : group.members) // they stay as they are
        contributions.sections[id].merge = kNone;
      group = MergeGroup();
      return;
    }
    // Room that stays unused is not touched, but in the index.
    constexpr uint64_t kBytesOfPiece = 64, kWorkOfByte = 8; // strings are short
    pieces.reserve(bytes / kBytesOfPiece);
    index.reserve(bytes / kBytesOfPiece / 2);
    program.parallel.forEachInOrder(
        group.members.size(), bytes * kWorkOfByte,
        [&](size_t m) {
          split(m);
          dropDead(m);
        },
        [&](size_t m) { insertPieces(m); });
    if (kind.strings)
      mergeTails(program.parallel, pieces, kind.entsize);
    firstCut = contributions.cuts.size();
    contributions.cuts.resize(firstCut + group.members.size());
    group.places.resize(pieces.size());
    placeAll(apart);
    // Strings that do not stay are at the end of one that does.
    for (const auto &[number, piece] : enumerate(pieces))
      if (piece.whole != kNone) {
        const size_t distance =
            pieces[piece.whole].bytes.size() - piece.bytes.size();
        const MergedPlace whole = group.places[piece.whole];
        group.places[number] = {whole.home, uint32_t(whole.offset + distance)};
      }
  }
};

} // namespace

bool isMergeable(const PartialLink &link, SectionId id) {
  const ParsedSection &p = *link.program.sections[id].parsed;
  if (!link.placed(id) || !(p.flags & ELF::SHF_MERGE) ||
      reversedWordSize(link, id) || p.type == ELF::SHT_NOBITS ||
      p.entsize == 0 || p.size == 0 || p.relocBegin != p.relocEnd ||
      (p.flags & ELF::SHF_WRITE) || p.size >= (uint64_t(1) << 32) ||
      (p.size * p.align) >> 32 || p.size % p.entsize != 0)
    return false;
  if (p.entsize < p.align)
    return (p.flags & ELF::SHF_STRINGS) && isPowerOf2_64(p.entsize);
  return p.entsize % p.align == 0;
}

/// Moves the members of the groups to the first one of each.
static void moveTogether(const Contributions &contributions,
                         Placement &placement) {
  IdSet<OutputId> changed(placement.outputs.size());
  for (const MergeGroup &group : contributions.merges)
    if (group.members.size() > 1)
      changed.insert(placement.sections[group.members[0]].output);
  for (OutputId id : placement.outputs.ids()) {
    if (!changed.contains(id))
      continue;
    OutputSection &out = placement.outputs[id];
    const std::vector<SectionId> before = std::move(out.members);
    out.members.clear();
    for (uint32_t i = 0; i < out.items.size(); ++i) {
      OutputItem &item = out.items[i];
      const ArrayRef<SectionId> taken(before.data() + item.begin,
                                      item.end - item.begin);
      item.begin = uint32_t(out.members.size());
      for (SectionId member : taken) {
        const Contribution &c = contributions.sections[member];
        if (c.merge == kNone)
          out.members.push_back(member);
        else if (c.mergeIndex == 0)
          for (SectionId other : contributions.merges[c.merge].members) {
            out.members.push_back(other);
            placement.sections[other].item = i;
          }
      }
      item.end = uint32_t(out.members.size());
    }
  }
}

void mergeSections(const Program &program, Placement &placement,
                   Contributions &contributions) {
  auto mayMerge = [](const SectionClass &c) {
    return bool(c.flags & ELF::SHF_MERGE);
  };
  if (program.config.optimize == 0 || program.config.relocatable ||
      none_of(placement.classes, mayMerge))
    return;
  using Key = std::tuple<OutputId, bool, uint64_t, uint64_t>;
  std::map<Key, uint32_t> groups;
  std::vector<MergeKind> kinds;
  // In the order of the inputs, wherever the script puts them (GNU ld).
  const PartialLink link{program, placement, contributions};
  for (SectionId id : program.sections.ids(1)) {
    if (!mayMerge(placement.classOf(id)) || !isMergeable(link, id))
      continue;
    const ParsedSection &p = *program.sections[id].parsed;
    Contribution &s = contributions.sections[id];
    const bool strings = p.flags & ELF::SHF_STRINGS;
    auto [it, fresh] = groups.try_emplace(
        Key{placement.sections[id].output, strings, p.entsize, p.align},
        uint32_t(contributions.merges.size()));
    if (fresh) {
      contributions.merges.emplace_back();
      kinds.push_back({strings, p.entsize, p.align});
    }
    MergeGroup &group = contributions.merges[it->second];
    group.entsize = p.entsize;
    s.merge = it->second;
    s.mergeIndex = uint32_t(group.members.size());
    group.members.push_back(id);
  }
  const bool apart = !placement.laterMatches.empty(); // they may move on
  for (size_t i = 0; i < contributions.merges.size(); ++i)
    GroupMerger{program, contributions, contributions.merges[i], kinds[i]}.run(
        apart);
  if (!apart)
    moveTogether(contributions, placement);
}

} // namespace xlink
