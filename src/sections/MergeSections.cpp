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
// Each step runs in several threads, in a way that their number does not show.
// Members are split and their pieces entered into one set, DistinctPieces,
// while their bytes are in a cache: which member comes first does not matter,
// because each copy has a claim, and the first wins. Strings that end others
// are found by sorting, StringEnds. Then each member keeps what it has won;
// what has become of a piece is said once for all copies, which know its
// number.
//
// Cost: one look at each byte, a sort of the distinct strings; eight bytes of
// memory a piece, and some eighty for a distinct one.
//
//===----------------------------------------------------------------------===//
#include "sections/MergeSections.h"
#include "sections/DistinctPieces.h"
#include "sections/ReversedWords.h"
#include "sections/StringEnds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <optional>
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

/// Alignment of a piece: a binary logarithm, or kDead.
using Asks = uint8_t;
constexpr Asks kDead = 255; ///< it is not entered

/// A piece as it stands in its section.
struct SplitPiece {
  uint32_t start;
  uint32_t size; ///< of a string: without its terminator
  Asks asks;
};

class GroupMerger {
public:
  GroupMerger(const Program &program, Contents &contents, MergeGroup &group,
              Kind kind);
  /// `apart`: each member stands for itself.
  void run(bool apart);

private:
  using Inserter = DistinctPieces::Inserter;
  /// What is known of a member until it is placed.
  struct Member {
    uint64_t position = 0;        ///< of its first byte, were all in a row
    std::vector<uint32_t> claims; ///< pieces that may stay; ascending
  };

  ArrayRef<uint8_t> data(size_t member) const {
    return program.sections[group.members[member]].parsed->data();
  }
  uint64_t lengthOf(const DistinctPiece &p) const {
    return p.size + (kind.strings ? kind.entsize : 0);
  }
  uint64_t claimOf(size_t member, uint64_t start, Asks asks) const {
    return pieceClaim(asks, members[member].position + start);
  }
  uint64_t work() const { return bytes * DistinctPieces::kWorkOfByte; }
  void forEachMember(function_ref<void(size_t)> fn) const {
    program.parallel.forEach(members.size(), work(), fn);
  }
  std::vector<SplitPiece> split(size_t member);
  void dropDead(size_t member, MutableArrayRef<SplitPiece> found) const;
  bool enterMember(size_t m, Inserter &inserter);
  bool enterPieces(size_t m, ArrayRef<SplitPiece> found, Inserter &inserter);
  Size place(size_t member, uint64_t phase);
  void placeAll(bool apart);
  void placeShared();

  const Program &program;
  Contents &contents;
  MergeGroup &group;
  const Kind kind;
  std::vector<Member> members;
  uint64_t bytes = 0; ///< of all members
  std::optional<DistinctPieces> distinct;
  size_t firstCut = 0; ///< of the members' CutSections
};

} // namespace

bool isMergeable(const Parts &parts, SectionId id) {
  const ParsedSection &p = *parts.program.sections[id].parsed;
  if (!parts.placed(id) || !(p.flags & ELF::SHF_MERGE) ||
      reversedWordSize(parts, id) || p.type == ELF::SHT_NOBITS ||
      p.entsize == 0 || p.size == 0 || p.relocBegin != p.relocEnd ||
      (p.flags & ELF::SHF_WRITE) || p.size >= (uint64_t(1) << 32) ||
      (p.size * p.align) >> 32 || p.size % p.entsize != 0)
    return false;
  if (p.entsize < p.align)
    return (p.flags & ELF::SHF_STRINGS) && isPowerOf2_64(p.entsize);
  return p.entsize % p.align == 0;
}

GroupMerger::GroupMerger(const Program &program, Contents &contents,
                         MergeGroup &group, Kind kind)
    : program(program), contents(contents), group(group), kind(kind),
      members(group.members.size()) {
  group.inputs.resize(members.size());
  for (size_t m = 0; m < members.size(); ++m) {
    members[m].position = bytes;
    bytes += data(m).size();
  }
}

/// Strings of bytes or of wide characters: calls add for each, then for the
/// zeros behind it as one piece: they are empty strings.
static void splitStrings(StringRef text, Kind kind, auto add, auto addedZeros) {
  const uint64_t unit = kind.entsize;
  auto isZero = [&](uint64_t at) {
    return unit == 1 ? text[at] == '\0'
                     : text.substr(at, unit).find_first_not_of('\0') ==
                           StringRef::npos;
  };
  // The alignment of the place in the section.
  auto asks = [most = Asks(Log2_64(kind.align))](uint64_t at) {
    return at == 0 ? most : std::min(most, Asks(llvm::countr_zero(at)));
  };
  for (uint64_t at = 0; at < text.size();) {
    uint64_t end = at;
    if (unit == 1)
      end = std::min(text.find('\0', at), text.size());
    else
      while (end < text.size() && !isZero(end))
        end += unit;
    add(at, end - at, asks(at));
    at = end + unit;
    const uint64_t zeros = at;
    Asks most = 0;
    for (; at < text.size() && isZero(at); at += unit)
      most = std::max(most, asks(at));
    if (at > zeros) {
      add(zeros, 0, most);
      addedZeros();
    }
  }
}

std::vector<SplitPiece> GroupMerger::split(size_t member) {
  MergedInput &input = group.inputs[member];
  const StringRef text = toStringRef(data(member));
  std::vector<SplitPiece> found;
  found.reserve(
      text.size() / (kind.strings ? 16 * kind.entsize : kind.entsize) + 1);
  auto add = [&](uint64_t at, uint64_t size, Asks asked) {
    found.push_back({uint32_t(at), uint32_t(size), asked});
  };
  input.zeros.clear();
  if (kind.strings)
    splitStrings(text, kind, add,
                 [&] { input.zeros.push_back(uint32_t(found.size() - 1)); });
  else
    for (uint64_t at = 0; at < text.size(); at += kind.entsize)
      add(at, kind.entsize, 0);
  dropDead(member, found);
  return found;
}

/// --gc-sections: pieces without a live reference are not entered.
void GroupMerger::dropDead(size_t member,
                           MutableArrayRef<SplitPiece> found) const {
  const SectionId id = group.members[member];
  if (!program.config.gcSections || contents.liveness.allPieces.contains(id) ||
      !(program.sections[id].parsed->flags & ELF::SHF_ALLOC))
    return;
  std::vector<bool> live(found.size());
  if (auto it = contents.liveness.livePieces.find(id);
      it != contents.liveness.livePieces.end())
    for (uint32_t offset : it->second) {
      auto piece =
          upper_bound(found, offset, [](uint32_t at, const SplitPiece &p) {
            return at < p.start;
          });
      if (piece != found.begin())
        live[size_t(piece - found.begin()) - 1] = true;
    }
  for (size_t i = 0; i < found.size(); ++i)
    if (!live[i])
      found[i].asks = kDead;
}

/// Splits a member and enters its pieces. False: there is no room for all.
bool GroupMerger::enterMember(size_t m, Inserter &inserter) {
  const std::vector<SplitPiece> found = split(m);
  MergedInput &input = group.inputs[m];
  input.starts.resize(found.size());
  input.places.resize(found.size());
  for (size_t i = 0; i < found.size(); ++i)
    input.starts[i] = found[i].start;
  members[m].claims.clear();
  return enterPieces(m, found, inserter);
}

bool GroupMerger::enterPieces(size_t m, ArrayRef<SplitPiece> found,
                              Inserter &inserter) {
  const char *const text = toStringRef(data(m)).data();
  Member &member = members[m];
  MergedInput &input = group.inputs[m];
  std::array<PieceCopy, DistinctPieces::kBatch> batch;
  size_t waiting = 0;
  auto flush = [&] {
    const MutableArrayRef<PieceCopy> copies(batch.data(), waiting);
    waiting = 0;
    if (!inserter.enter(copies))
      return false;
    for (const PieceCopy &copy : copies) {
      input.places[copy.index] = copy.number;
      if (!copy.claims)
        continue;
      if (member.claims.empty())
        member.claims.reserve(std::min<size_t>(found.size(), 64));
      member.claims.push_back(copy.index);
    }
    return true;
  };
  for (uint32_t i = 0; i < found.size(); ++i) {
    const SplitPiece &piece = found[i];
    if (piece.asks == kDead) {
      input.places[i] = kNone;
      continue;
    }
    batch[waiting] = {text + piece.start, piece.size, i,
                      claimOf(m, piece.start, piece.asks)};
    if (++waiting == batch.size() && !flush())
      return false;
  }
  return flush();
}

/// Lays out the remaining pieces of a section that begins `phase` behind a
/// multiple of the alignment; returns its size.
Size GroupMerger::place(size_t member, uint64_t phase) {
  const MergedInput &input = group.inputs[member];
  std::vector<KeptRange> &kept = contents.cuts[firstCut + member].kept;
  Size end(phase);
  const std::vector<uint32_t> &claims = members[member].claims;
  for (size_t k = 0; k < claims.size(); ++k) {
    // Pieces of one member are far from each other in memory.
    if (constexpr size_t kAhead = 12; k + kAhead < claims.size()) {
      const uint32_t next = input.places[claims[k + kAhead]];
      __builtin_prefetch(&(*distinct)[next]);
      __builtin_prefetch(&group.places[next], /*rw=*/1);
    }
    const uint32_t i = claims[k];
    const uint32_t number = input.places[i];
    const DistinctPiece &piece = (*distinct)[number];
    const uint64_t begin = input.starts[i];
    if (piece.whole != kNone ||
        piece.position() != members[member].position + begin)
      continue;
    end = end.alignedTo(uint64_t(1) << piece.alignLog2());
    const uint64_t to = end - phase;
    end += lengthOf(piece);
    group.places[number] = {uint32_t(member), uint32_t(to)};
    const uint64_t last = begin + lengthOf(piece);
    // Readers refuse a last string without its terminator.
    assert(last <= data(member).size());
    if (!kept.empty() && kept.back().end == begin &&
        kept.back().to + (kept.back().end - kept.back().begin) == to)
      kept.back().end = last;
    else
      kept.push_back({begin, last, to});
  }
  Contribution &s = contents.sections[group.members[member]];
  s.size = end - phase;
  s.cut = uint32_t(firstCut + member);
  return s.size;
}

/// Lays out all members, one behind the other. Where all inputs are as long as
/// a multiple of the alignment, so is all of them (GNU ld).
void GroupMerger::placeAll(bool apart) {
  std::vector<uint64_t> sizes(members.size());
  uint64_t end = 0;
  if (apart || kind.entsize % kind.align == 0)
    forEachMember([&](size_t m) { sizes[m] = place(m, 0); });
  else
    for (size_t m = 0; m < members.size(); ++m)
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
  contents.sections[group.members[size_t(sizes.rend() - last) - 1]].size +=
      alignTo(end, kind.align) - end;
}

/// Places what does not stay: at the end of a string that does.
void GroupMerger::placeShared() {
  program.parallel.forEach(distinct->blockCount(), work(), [&](size_t block) {
    const auto [first, count] = distinct->inBlock(block);
    for (uint32_t number = first; number < first + count; ++number) {
      const DistinctPiece &piece = (*distinct)[number];
      if (piece.whole == kNone)
        continue;
      const MergedPlace whole = group.places[piece.whole];
      group.places[number] = {whole.home,
                              whole.offset +
                                  ((*distinct)[piece.whole].size - piece.size)};
    }
  });
}

void GroupMerger::run(bool apart) {
  distinct.emplace(program.parallel, bytes);
  if (!distinct->fill(members.size(), [&](size_t m, Inserter &inserter) {
        return enterMember(m, inserter);
      })) {
    // Then they stay as they are.
    for (SectionId id : group.members)
      contents.sections[id].merge = kNone;
    group = MergeGroup();
    return;
  }
  if (kind.strings)
    shareStringEnds(program.parallel, *distinct, kind.entsize);
  firstCut = contents.cuts.size();
  contents.cuts.resize(firstCut + members.size());
  group.places.resize(distinct->numbers());
  placeAll(apart);
  placeShared();
}

/// Moves the members of the groups to the first one of each.
static void moveTogether(const Contents &contents, Placement &placement) {
  IdSet<OutputId> changed(placement.outputs.size());
  for (const MergeGroup &group : contents.merges)
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
        const Contribution &c = contents.sections[member];
        if (c.merge == kNone)
          out.members.push_back(member);
        else if (c.mergeIndex == 0)
          for (SectionId other : contents.merges[c.merge].members) {
            out.members.push_back(other);
            placement.sections[other].item = i;
          }
      }
      item.end = uint32_t(out.members.size());
    }
  }
}

void mergeSections(const Program &program, Placement &placement,
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
  std::vector<SectionId> candidates;
  for (SectionId id : program.sections.ids(1))
    if (mayMerge(placement.classOf(id)))
      candidates.push_back(id);
  for (size_t i = 0; i < candidates.size(); ++i) {
    if (constexpr size_t kAhead = 8; i + kAhead < candidates.size())
      program.prefetchParsed(candidates[i + kAhead]);
    const SectionId id = candidates[i];
    if (!isMergeable(parts, id))
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
  const bool apart = !placement.laterMatches.empty(); // they may move on
  for (size_t i = 0; i < contents.merges.size(); ++i)
    GroupMerger(program, contents, contents.merges[i], kinds[i]).run(apart);
  if (!apart)
    moveTogether(contents, placement);
}

} // namespace xlink
