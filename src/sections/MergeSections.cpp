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
// Members are split and their pieces hashed by several threads. Meanwhile one
// thread at a time inserts the pieces into one table (MergeTable), in the order
// of the members, so that the copy that makes a piece is the first. Strings
// that end others are found by sorting (TailMerge). Then each member keeps the
// pieces whose first copy it has; what has become of a piece is said once for
// all copies, which know its number.
//
// Cost: two looks at each byte, the second one mostly in a cache; a sort of the
// distinct strings; eight bytes of memory a piece, and some eighty for a
// distinct one.
//
//===----------------------------------------------------------------------===//
#include "sections/MergeSections.h"
#include "sections/ReversedWords.h"
#include "sections/TailMerge.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <array>
#include <cassert>
#include <map>
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

/// Strings are short, so a byte of one is as much work as so many that are only
/// read.
constexpr uint64_t kWorkOfByte = 8;

class GroupMerger {
public:
  GroupMerger(const Program &program, Contributions &contributions,
              MergeGroup &group, Kind kind);
  /// `apart`: each member stands for itself.
  void run(bool apart);

private:
  StringRef text(size_t member) const {
    return toStringRef(program.sections[group.members[member]].parsed->data());
  }
  uint64_t lengthOf(const SectionPiece &p) const {
    return p.size + (kind.strings ? kind.entsize : 0);
  }
  void forEachMember(function_ref<void(size_t)> fn) const {
    program.parallel.forEach(group.members.size(), bytes * kWorkOfByte, fn);
  }
  bool isZero(StringRef text, uint64_t at) const;
  void split(size_t member);
  std::vector<bool> findLive(size_t member) const;
  template <class Fn> void forEachPiece(size_t member, Fn fn) const;
  uint8_t alignOf(uint64_t begin, uint64_t end, bool isEmpty) const;
  void hashPieces(size_t member);
  void insertPieces(size_t member);
  Size place(size_t member, uint64_t phase);
  void placeAll(bool apart);
  void placeShared();

  const Program &program;
  Contributions &contributions;
  MergeGroup &group;
  const Kind kind;
  const uint64_t bytes; ///< of all members
  MergeTable table;
  /// By member: the pieces whose first copy it has.
  std::vector<std::vector<uint32_t>> firstCopies;
  size_t firstCut = 0; ///< of the members' CutSections
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

static uint64_t sizeOf(const Program &program, const MergeGroup &group) {
  uint64_t size = 0;
  for (SectionId id : group.members)
    size += program.sections[id].parsed->size;
  return size;
}

GroupMerger::GroupMerger(const Program &program, Contributions &contributions,
                         MergeGroup &group, Kind kind)
    : program(program), contributions(contributions), group(group), kind(kind),
      bytes(sizeOf(program, group)), table(bytes),
      firstCopies(group.members.size()) {
  group.inputs.resize(group.members.size());
}

/// Whether a character of a string is its terminator.
bool GroupMerger::isZero(StringRef text, uint64_t at) const {
  return kind.entsize == 1
             ? text[at] == '\0'
             : text.substr(at, kind.entsize).find_first_not_of('\0') ==
                   StringRef::npos;
}

/// Finds where pieces begin. Zeros behind a string are empty strings, all of
/// them one piece.
void GroupMerger::split(size_t member) {
  MergedInput &input = group.inputs[member];
  const StringRef text = this->text(member);
  const uint64_t unit = kind.entsize;
  input.starts.reserve(text.size() / (kind.strings ? 16 * unit : unit) + 1);
  for (uint64_t at = 0; at < text.size();) {
    const uint32_t piece = uint32_t(input.starts.size());
    input.starts.push_back(uint32_t(at));
    if (!kind.strings) {
      at += unit;
    } else if (isZero(text, at)) {
      input.zeros.push_back(piece);
      while (at < text.size() && isZero(text, at))
        at += unit;
    } else {
      if (unit == 1)
        at = std::min(text.find('\0', at), text.size());
      else
        while (at < text.size() && !isZero(text, at))
          at += unit;
      at += unit;
    }
  }
}

/// Which pieces of a member live.
std::vector<bool> GroupMerger::findLive(size_t member) const {
  const std::vector<uint32_t> &starts = group.inputs[member].starts;
  const SectionId id = group.members[member];
  const Liveness &liveness = contributions.liveness;
  const bool all = !program.config.gcSections ||
                   liveness.allPieces.contains(id) ||
                   !(program.sections[id].parsed->flags & ELF::SHF_ALLOC);
  std::vector<bool> live(starts.size(), all);
  if (all)
    return live;
  if (auto it = liveness.livePieces.find(id); it != liveness.livePieces.end())
    for (uint32_t offset : it->second) {
      const auto next = upper_bound(starts, offset);
      if (next != starts.begin())
        live[size_t(next - starts.begin()) - 1] = true;
    }
  return live;
}

/// Calls fn(index, bytes, end) for the pieces of a member: a string without its
/// terminator, or a constant. `end`: offset of the next one.
template <class Fn> void GroupMerger::forEachPiece(size_t member, Fn fn) const {
  const ArrayRef<uint32_t> starts = group.inputs[member].starts;
  const StringRef text = this->text(member);
  const uint32_t terminator = kind.strings ? uint32_t(kind.entsize) : 0;
  for (uint32_t i = 0; i < starts.size(); ++i) {
    const uint32_t begin = starts[i];
    const uint32_t end =
        i + 1 < starts.size() ? starts[i + 1] : uint32_t(text.size());
    const bool isEmpty = kind.strings && isZero(text, begin);
    fn(i,
       StringRef(text.data() + begin, isEmpty ? 0 : end - begin - terminator),
       end);
  }
}

/// The alignment that strings from `begin` to `end` have in their section: of
/// several empty ones the largest.
uint8_t GroupMerger::alignOf(uint64_t begin, uint64_t end, bool isEmpty) const {
  const unsigned most = Log2_64(kind.align);
  auto align = [&](uint64_t at) {
    return at == 0 ? most : std::min<unsigned>(most, llvm::countr_zero(at));
  };
  unsigned result = align(begin);
  for (uint64_t at = begin; isEmpty && at < end; at += kind.entsize)
    result = std::max(result, align(at));
  return uint8_t(result);
}

/// Leaves the hash of each piece in its place. --gc-sections: pieces without a
/// live reference are nowhere.
void GroupMerger::hashPieces(size_t member) {
  std::vector<uint32_t> &places = group.inputs[member].places;
  places.resize(group.inputs[member].starts.size());
  const std::vector<bool> live = findLive(member);
  forEachPiece(member, [&](uint32_t i, StringRef bytes, uint32_t) {
    places[i] = live[i] ? MergeTable::hashOf(bytes) : kNone;
  });
}

/// Inserts the pieces of a member into the table, and puts their numbers in the
/// places of their hashes.
void GroupMerger::insertPieces(size_t member) {
  const MutableArrayRef<uint32_t> places = group.inputs[member].places;
  const char *const text = this->text(member).data();
  forEachPiece(member, [&](uint32_t i, StringRef bytes, uint32_t end) {
    if (constexpr uint32_t kAhead = 16; i + kAhead < places.size())
      table.prefetch(places[i + kAhead]);
    if (places[i] == kNone)
      return;
    const uint8_t align =
        kind.strings && kind.align > 1
            ? alignOf(uint64_t(bytes.data() - text), end, bytes.empty())
            : 0;
    const auto [number, isNew] = table.insert(bytes, places[i], align);
    places[i] = number;
    if (isNew)
      firstCopies[member].push_back(i);
  });
}

/// Lays out the remaining pieces of a section that begins `phase` behind a
/// multiple of the alignment; returns its size.
Size GroupMerger::place(size_t member, uint64_t phase) {
  const MergedInput &input = group.inputs[member];
  std::vector<KeptRange> &kept = contributions.cuts[firstCut + member].kept;
  Size end(phase);
  for (uint32_t i : firstCopies[member]) {
    const uint32_t number = input.places[i];
    const SectionPiece &piece = table[number];
    const uint64_t begin = input.starts[i];
    if (piece.whole != kNone)
      continue;
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

/// Lays out all members, one behind the other. Where all inputs are as long as
/// a multiple of the alignment, so is all of them (GNU ld).
void GroupMerger::placeAll(bool apart) {
  std::vector<uint64_t> sizes(group.members.size());
  uint64_t end = 0;
  if (apart || kind.entsize % kind.align == 0)
    forEachMember([&](size_t m) { sizes[m] = place(m, 0); });
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
  contributions.sections[group.members[size_t(sizes.rend() - last) - 1]].size +=
      alignTo(end, kind.align) - end;
}

/// Places what does not stay: at the end of a string that does.
void GroupMerger::placeShared() {
  for (uint32_t number = 0; number < table.size(); ++number) {
    const SectionPiece &piece = table[number];
    if (piece.whole == kNone)
      continue;
    const MergedPlace whole = group.places[piece.whole];
    group.places[number] = {
        whole.home, whole.offset + (table[piece.whole].size - piece.size)};
  }
}

void GroupMerger::run(bool apart) {
  // More pieces than numbers: one has two bytes at least, or there are few.
  if (bytes / 2 >= kNone) {
    for (SectionId id : group.members) // they stay as they are
      contributions.sections[id].merge = kNone;
    group = MergeGroup();
    return;
  }
  program.parallel.forEachInOrder(
      group.members.size(), bytes * kWorkOfByte,
      [&](size_t m) {
        split(m);
        hashPieces(m);
      },
      [&](size_t m) { insertPieces(m); });
  if (kind.strings)
    mergeTails(program.parallel, table, kind.entsize);
  firstCut = contributions.cuts.size();
  contributions.cuts.resize(firstCut + group.members.size());
  group.places.resize(table.size());
  placeAll(apart);
  placeShared();
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
  std::vector<Kind> kinds;
  // In the order of the inputs, wherever the script puts them (GNU ld).
  const PartialLink link{program, placement, contributions};
  std::vector<SectionId> candidates;
  for (SectionId id : program.sections.ids(1))
    if (mayMerge(placement.classOf(id)))
      candidates.push_back(id);
  for (SectionId id : candidates) {
    if (!isMergeable(link, id))
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
    GroupMerger(program, contributions, contributions.merges[i], kinds[i])
        .run(apart);
  if (!apart)
    moveTogether(contributions, placement);
}

} // namespace xlink
