//===- MergeSections.cpp --------------------------------------------------===//
//
// Problem: compilers put constants and strings into SHF_MERGE sections so that
// equal ones need to be stored once, and a string that ends like another one
// not at all. Scripts put symbols and alignments between such sections, so
// what stays must stay where it stood.
//
// Method: GNU ld's. Split every member of a group into pieces (entries, or
// strings with their terminator), in parallel by section, and enter them in
// input order: a piece belongs to the section in which its bytes stand first.
// It asks for the alignment that it has in the input; a later copy that asks
// for more takes the earlier one's place. Strings are then sorted by their
// ends, and those that end another string go. What remains of a section are
// its own pieces, one behind the other, cut out of it (CutSection); references
// follow each piece to its home.
//
// Cost: one hash a piece; a radix sort of the distinct strings, from their
// ends.
//
//===----------------------------------------------------------------------===//
#include "layout/MergeSections.h"
#include "layout/ReversedWords.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>
#include <tuple>

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
  CachedHashStringRef bytes; ///< of a string: without its terminator
  uint32_t align;            ///< 0: it is not entered, only looked up
};

/// Bytes that the output holds, or would but for a string that ends in them.
struct Entry {
  StringRef bytes;
  uint32_t member; ///< whose section holds it
  uint32_t begin;  ///< there
  uint32_t align;  ///< 0: another copy has taken its place
  uint32_t suffixOf = kNone;
  Size offset = 0; ///< in what remains of the section
};

class GroupMerger {
public:
  GroupMerger(const Program &program, Contents &contents, MergeGroup &group,
              Kind kind)
      : program(program), contents(contents), group(group), kind(kind),
        pieces(group.members.size()) {}
  void run();

private:
  ArrayRef<uint8_t> data(size_t member) const {
    return program.sections[group.members[member]].parsed->data;
  }
  uint64_t length(const Entry &e) const {
    return e.bytes.size() + (kind.strings ? kind.entsize : 0);
  }
  void splitConstants(size_t member);
  void splitStrings(size_t member);
  void dropDead(size_t member);
  void add(uint32_t member, size_t index, uint32_t align);
  void enter();
  void sortByEnds(MutableArrayRef<uint32_t> all) const;
  bool endsIn(const Entry &whole, const Entry &tail) const;
  void shareTails();
  void place();
  void resolve(size_t member);

  const Program &program;
  Contents &contents;
  MergeGroup &group;
  const Kind kind;
  std::vector<std::vector<Piece>> pieces; ///< by member
  std::vector<Entry> entries;
  DenseMap<CachedHashStringRef, uint32_t> current; ///< bytes to their entry
};

} // namespace

/// GNU ld's conditions, and that the bytes depend on nothing that relocations
/// or the program write.
static bool mergeable(const Parts &parts, SectionId id) {
  const ParsedSection &p = *parts.program.sections[id].parsed;
  if (!parts.placed(id) || reversedWordSize(parts, id) ||
      !(p.flags & ELF::SHF_MERGE) || p.type == ELF::SHT_NOBITS ||
      p.entsize == 0 || p.size == 0 || p.relocBegin != p.relocEnd ||
      (p.flags & ELF::SHF_WRITE) || p.size >= (uint64_t(1) << 32) ||
      p.size % p.entsize != 0)
    return false;
  if (p.entsize < p.align)
    return (p.flags & ELF::SHF_STRINGS) && isPowerOf2_64(p.entsize);
  return p.entsize % p.align == 0;
}

void GroupMerger::splitConstants(size_t member) {
  StringRef text = toStringRef(data(member));
  for (uint64_t at = 0; at < text.size(); at += kind.entsize) {
    group.inputs[member].starts.push_back(uint32_t(at));
    pieces[member].push_back(
        {CachedHashStringRef(text.substr(at, kind.entsize)), 1});
  }
}

/// A string, then the zeros behind it as one piece: an empty string, which the
/// first well-aligned zero of a section enters.
void GroupMerger::splitStrings(size_t member) {
  const StringRef text = toStringRef(data(member));
  const uint64_t unit = kind.entsize;
  MergedInput &input = group.inputs[member];
  auto isZero = [&](uint64_t at) {
    return text.substr(at, unit).find_first_not_of('\0') == StringRef::npos;
  };
  auto add = [&](uint64_t at, StringRef bytes, uint64_t align) {
    input.starts.push_back(uint32_t(at));
    pieces[member].push_back({CachedHashStringRef(bytes), uint32_t(align)});
  };
  bool emptyEntered = false;
  for (uint64_t at = 0; at < text.size();) {
    uint64_t end = at;
    if (unit == 1)
      end = std::min(text.find('\0', at), text.size());
    else
      while (end < text.size() && !isZero(end))
        end += unit;
    // What the place in the section is a multiple of.
    const uint64_t natural = at & -at;
    add(at, text.slice(at, end),
        natural == 0 || natural > kind.align ? kind.align : natural);
    at = end + unit;
    const uint64_t zeros = at;
    bool enters = false;
    for (; at < text.size() && isZero(at); at += unit)
      enters |= !emptyEntered && at % kind.align == 0;
    if (at > zeros && zeros < text.size()) {
      add(zeros, StringRef(), enters ? kind.align : 0);
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
  group.inputs[member].homes.assign(starts.size(), 0);
  for (size_t i = 0; i < starts.size(); ++i)
    if (!live[i])
      group.inputs[member].homes[i] = kNone;
}

void GroupMerger::add(uint32_t member, size_t index, uint32_t align) {
  const CachedHashStringRef bytes = pieces[member][index].bytes;
  auto [it, fresh] = current.try_emplace(bytes, uint32_t(entries.size()));
  if (!fresh) {
    Entry &earlier = entries[it->second];
    if (earlier.align >= align)
      return;
    earlier.align = 0;
    it->second = uint32_t(entries.size());
  }
  entries.push_back(
      {bytes.val(), member, group.inputs[member].starts[index], align});
}

void GroupMerger::enter() {
  auto forEachLive = [&](auto fn) {
    for (uint32_t m = 0; m < pieces.size(); ++m) {
      const std::vector<uint32_t> &homes = group.inputs[m].homes;
      for (size_t i = 0; i < pieces[m].size(); ++i)
        if (homes.empty() || homes[i] != kNone)
          fn(m, i);
    }
  };
  forEachLive([&](uint32_t m, size_t i) {
    if (uint32_t align = pieces[m][i].align)
      add(m, i, align);
  });
  // Of all that lives there may be nothing but zeros between dead strings.
  if (entries.empty())
    forEachLive([&](uint32_t m, size_t i) { add(m, i, 1); });
}

/// Sorts entries by their bytes read backwards; a string before those that end
/// in it. (Bentley, Sedgewick: Fast Algorithms for Sorting and Searching
/// Strings, 1997.) Parts wait on a list of their own: inputs decide how deep it
/// goes.
void GroupMerger::sortByEnds(MutableArrayRef<uint32_t> all) const {
  struct Part {
    MutableArrayRef<uint32_t> order;
    size_t at; ///< how many bytes at the end are equal
  };
  std::vector<Part> waiting = {{all, 0}};
  while (!waiting.empty()) {
    auto [order, at] = waiting.back();
    waiting.pop_back();
    if (order.size() < 2)
      continue;
    auto key = [&, at = at](uint32_t e) {
      StringRef bytes = entries[e].bytes;
      return at < bytes.size() ? int(uint8_t(bytes[bytes.size() - 1 - at]))
                               : -1;
    };
    const int pivot = key(order[order.size() / 2]);
    size_t less = 0, equal = 0, greater = order.size();
    while (equal < greater) {
      const int k = key(order[equal]);
      if (k < pivot)
        std::swap(order[less++], order[equal++]);
      else if (k > pivot)
        std::swap(order[--greater], order[equal]);
      else
        ++equal;
    }
    waiting.push_back({order.take_front(less), at});
    waiting.push_back({order.drop_front(greater), at});
    if (pivot != -1) // of strings that end here there is one
      waiting.push_back({order.slice(less, greater - less), at + 1});
  }
}

/// Whether `tail` can be read at the end of `whole`, as aligned as it asks.
bool GroupMerger::endsIn(const Entry &whole, const Entry &tail) const {
  return whole.align >= tail.align && whole.bytes.ends_with(tail.bytes) &&
         (whole.bytes.size() - tail.bytes.size()) % tail.align == 0;
}

void GroupMerger::shareTails() {
  std::vector<uint32_t> order;
  uint32_t common = 0; // alignment of all, if they have one
  bool same = true;
  for (uint32_t e = 0; e < entries.size(); ++e)
    if (uint32_t align = entries[e].align) {
      order.push_back(e);
      same &= common == 0 || common == align;
      common = align;
    }
  // Where all are aligned alike, only strings that exceed a multiple of that
  // by the same can share an end: they come together.
  MutableArrayRef<uint32_t> rest(order);
  auto excess = [&](uint32_t e) { return entries[e].bytes.size() % common; };
  if (same && common > kind.entsize)
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return excess(a) < excess(b);
    });
  while (!rest.empty()) {
    size_t count = rest.size();
    if (same && common > kind.entsize)
      count = size_t(std::find_if(rest.begin(), rest.end(),
                                  [&](uint32_t e) {
                                    return excess(e) != excess(rest[0]);
                                  }) -
                     rest.begin());
    sortByEnds(rest.take_front(count));
    rest = rest.drop_front(count);
  }
  uint32_t whole = kNone;
  for (uint32_t e : reverse(order)) {
    if (whole != kNone && endsIn(entries[whole], entries[e]))
      entries[e].suffixOf = whole;
    else
      whole = e;
  }
}

/// Lays out what remains of each section.
void GroupMerger::place() {
  std::vector<Size> size(group.members.size());
  std::vector<CutSection> cuts(group.members.size());
  for (Entry &e : entries) {
    if (e.align == 0 || e.suffixOf != kNone)
      continue;
    Size &end = size[e.member];
    e.offset = end.alignedTo(e.align);
    end = e.offset + length(e);
    // The last string of a section may lack its terminator.
    const uint64_t last =
        std::min<uint64_t>(e.begin + length(e), data(e.member).size());
    cuts[e.member].kept.push_back({e.begin, last, e.offset});
  }
  for (size_t m = 0; m < group.members.size(); ++m) {
    Contribution &s = contents.sections[group.members[m]];
    s.size = size[m];
    s.cut = uint32_t(contents.cuts.size());
    contents.cuts.push_back(std::move(cuts[m]));
  }
}

void GroupMerger::resolve(size_t member) {
  MergedInput &input = group.inputs[member];
  input.homes.resize(input.starts.size());
  input.results.resize(input.starts.size());
  for (size_t i = 0; i < input.starts.size(); ++i) {
    if (input.homes[i] == kNone)
      continue; // dead
    auto it = current.find(pieces[member][i].bytes);
    // Zeros between strings where no empty one was entered: the terminator of
    // the first string.
    const bool terminator = it == current.end();
    const Entry *e = &entries[terminator ? 0 : it->second];
    uint64_t offset = terminator ? e->bytes.size() : 0;
    if (terminator)
      e = &entries[current.find(CachedHashStringRef(e->bytes))->second];
    if (e->suffixOf != kNone) {
      const Entry &whole = entries[e->suffixOf];
      offset += whole.bytes.size() - e->bytes.size();
      e = &whole;
    }
    input.homes[i] = e->member;
    input.results[i] = e->offset + offset;
  }
}

void GroupMerger::run() {
  const size_t count = group.members.size();
  group.inputs.resize(count);
  size_t bytes = 0;
  for (size_t m = 0; m < count; ++m)
    bytes += data(m).size();
  program.parallel.forEach(count, bytes, [&](size_t m) {
    if (kind.strings)
      splitStrings(m);
    else
      splitConstants(m);
    dropDead(m);
  });
  enter();
  if (kind.strings)
    shareTails();
  place();
  program.parallel.forEach(count, bytes, [&](size_t m) { resolve(m); });
}

void mergeSections(const Program &program, const Placement &placement,
                   Contents &contents) {
  if (program.config.optimize == 0 || program.config.relocatable)
    return;
  using Key = std::tuple<OutputId, bool, uint64_t, uint64_t>;
  std::map<Key, uint32_t> groups;
  std::vector<Kind> kinds;
  // In the order of the inputs, wherever the script puts them (GNU ld).
  const Parts parts{program, placement, contents};
  for (SectionId id : program.sections.ids(1)) {
    if (!program.sections[id].parsed || !mergeable(parts, id))
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
