//===- MergeSections.cpp --------------------------------------------------===//
//
// Problem: compilers put constants and strings into SHF_MERGE sections so that
// equal ones need to be stored once, and a string that ends like another one
// not at all.
//
// Method: split every member into pieces (entries, or strings with their
// terminator), in parallel by section; enter the pieces of a group in input
// order into LLVM's string table builder, which keeps one copy of each and, for
// strings, shares tails. Its layout depends on the set of pieces alone. Then
// note for each piece where it went.
//
// Cost: one hash a piece; tail sharing adds a radix sort of the distinct
// strings.
//
//===----------------------------------------------------------------------===//
#include "layout/MergeSections.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/StringTableBuilder.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;

namespace xlink {

/// A merged section's place depends on nothing that relocations write.
static bool mergeable(const InputSection &s) {
  const ParsedSection &p = *s.parsed;
  return s.placed() && (p.flags & ELF::SHF_MERGE) &&
         p.type != ELF::SHT_NOBITS && p.entsize != 0 && p.size != 0 &&
         p.relocBegin == p.relocEnd && !(p.flags & ELF::SHF_WRITE) &&
         p.size < (uint64_t(1) << 32) && p.size % p.entsize == 0;
}

static void splitStrings(ArrayRef<uint8_t> data, uint64_t entsize,
                         std::vector<uint32_t> &starts) {
  const char *base = reinterpret_cast<const char *>(data.data());
  if (entsize == 1) {
    StringRef text(base, data.size());
    for (size_t pos = 0; pos < text.size();) {
      starts.push_back(uint32_t(pos));
      size_t nul = text.find('\0', pos);
      pos = nul == StringRef::npos ? text.size() : nul + 1;
    }
    return;
  }
  bool atStart = true;
  for (size_t pos = 0; pos + entsize <= data.size(); pos += entsize) {
    if (atStart)
      starts.push_back(uint32_t(pos));
    atStart = std::all_of(data.begin() + pos, data.begin() + pos + entsize,
                          [](uint8_t b) { return b == 0; });
  }
}

/// The result of a piece that nothing refers to.
static constexpr uint64_t kDeadPiece = ~uint64_t(0);

/// Which pieces live under --gc-sections; empty: all of them.
static std::vector<bool> livePieces(const Link &link, SectionId id,
                                    const std::vector<uint32_t> &starts) {
  if (!link.config.gcSections || link.allPieces.contains(id) ||
      !(link.sections[id].parsed->flags & ELF::SHF_ALLOC))
    return {};
  std::vector<bool> live(starts.size());
  auto it = link.livePieces.find(id);
  if (it == link.livePieces.end())
    return live;
  for (uint32_t offset : it->second) {
    auto piece = std::upper_bound(starts.begin(), starts.end(), offset);
    if (piece != starts.begin())
      live[size_t(piece - starts.begin()) - 1] = true;
  }
  return live;
}

/// False: each piece aligned as the sections ask would take more room than they
/// do, without bound when the alignment is large; the group stays as it is.
static bool mergeGroup(Link &link, MergeGroup &group, bool strings,
                       uint64_t entsize, uint64_t align) {
  group.inputs.resize(group.members.size());
  StringTableBuilder builder(StringTableBuilder::RAW, Align(align));
  std::vector<std::vector<CachedHashStringRef>> pieces(group.members.size());
  size_t bytes = 0;
  for (SectionId id : group.members)
    bytes += link.sections[id].parsed->data.size();
  link.parallel.forEach(group.members.size(), bytes, [&](size_t i) {
    ArrayRef<uint8_t> data = link.sections[group.members[i]].parsed->data;
    MergedInput &input = group.inputs[i];
    if (strings)
      splitStrings(data, entsize, input.starts);
    else
      for (uint64_t pos = 0; pos < data.size(); pos += entsize)
        input.starts.push_back(uint32_t(pos));
    std::vector<bool> live = livePieces(link, group.members[i], input.starts);
    pieces[i].reserve(input.starts.size());
    for (size_t k = 0; k < input.starts.size(); ++k) {
      size_t end =
          k + 1 < input.starts.size() ? input.starts[k + 1] : data.size();
      // A dead piece is the empty string: it takes no room.
      size_t length = live.empty() || live[k] ? end - input.starts[k] : 0;
      pieces[i].emplace_back(toStringRef(data.slice(input.starts[k], length)));
    }
  });
  for (auto &list : pieces)
    for (CachedHashStringRef piece : list)
      if (piece.size() != 0)
        builder.add(piece);
  if (strings)
    builder.finalize();
  else
    builder.finalizeInOrder();
  if (builder.getSize() > bytes)
    return false;
  link.parallel.forEach(group.members.size(), bytes, [&](size_t i) {
    group.inputs[i].results.reserve(pieces[i].size());
    for (CachedHashStringRef piece : pieces[i])
      group.inputs[i].results.push_back(piece.size() ? builder.getOffset(piece)
                                                     : kDeadPiece);
  });
  group.data.resize(builder.getSize());
  builder.write(group.data.data());
  return true;
}

void mergeSections(Link &link) {
  if (link.config.optimize == 0)
    return;
  struct Plan {
    bool strings;
    uint64_t entsize, align, flags;
  };
  std::vector<Plan> plans;
  std::vector<MergeGroup> planned;
  using Key = std::tuple<OutputId, uint64_t, uint64_t, uint64_t, uint32_t>;
  std::map<Key, uint32_t> groups;
  for (OutputId o = 0; o < link.outputs.size(); ++o)
    for (SectionId id : link.outputs[o].members) {
      const InputSection &s = link.sections[id];
      if (!mergeable(s))
        continue;
      const ParsedSection &p = *s.parsed;
      uint64_t flags = p.flags & ~uint64_t(ELF::SHF_GROUP);
      auto [it, fresh] = groups.try_emplace(
          Key{o, flags, p.entsize, s.align, p.type}, uint32_t(planned.size()));
      if (fresh) {
        planned.emplace_back();
        plans.push_back(
            {bool(p.flags & ELF::SHF_STRINGS), p.entsize, s.align, flags});
      }
      planned[it->second].members.push_back(id);
    }
  for (size_t i = 0; i < planned.size(); ++i) {
    MergeGroup &group = planned[i];
    const Plan &plan = plans[i];
    if (!mergeGroup(link, group, plan.strings, plan.entsize, plan.align))
      continue;
    SectionId first = group.members.front();
    const ParsedSection &model = *link.sections[first].parsed;
    SectionId made = link.addMadeSection(model.name, model.type, plan.flags,
                                         plan.align, std::move(group.data), 0);
    ParsedSection &parsed = link.madeSections.back();
    parsed.entsize = plan.entsize;
    parsed.size = parsed.data.size();
    group.data.clear();
    group.section = made;
    InputSection &m = link.sections[made];
    m.size = parsed.size;
    m.output = link.sections[first].output;
    for (size_t k = 0; k < group.members.size(); ++k) {
      InputSection &s = link.sections[group.members[k]];
      s.merge = uint32_t(link.merges.size());
      s.mergeIndex = uint32_t(k);
      s.size = 0;
    }
    // The made section takes the first member's seat; the others lose theirs.
    OutputSection &out = link.outputs[m.output];
    *std::find(out.members.begin(), out.members.end(), first) = made;
    link.merges.push_back(std::move(group));
  }
  if (link.merges.empty())
    return;
  for (OutputSection &out : link.outputs) {
    std::vector<SectionId> members;
    members.reserve(out.members.size());
    for (OutputItem &item : out.items) {
      uint32_t begin = uint32_t(members.size());
      for (uint32_t i = item.begin; i < item.end; ++i)
        if (link.sections[out.members[i]].merge == kNone)
          members.push_back(out.members[i]);
      item.begin = begin;
      item.end = uint32_t(members.size());
    }
    out.members = std::move(members);
  }
}

bool isDeadPiece(const Link &link, SectionId id, uint64_t offset) {
  const InputSection &s = link.sections[id];
  if (s.merge == kNone)
    return false;
  const MergedInput &input = link.merges[s.merge].inputs[s.mergeIndex];
  auto it = std::upper_bound(input.starts.begin(), input.starts.end(), offset);
  return it != input.starts.begin() &&
         input.results[size_t(it - input.starts.begin()) - 1] == kDeadPiece;
}

uint64_t mergedOffset(const Link &link, SectionId id, uint64_t offset) {
  const MergeGroup &group = link.merges[link.sections[id].merge];
  const MergedInput &input = group.inputs[link.sections[id].mergeIndex];
  auto it = std::upper_bound(input.starts.begin(), input.starts.end(), offset);
  if (it == input.starts.begin())
    return 0;
  size_t k = size_t(it - input.starts.begin()) - 1;
  if (input.results[k] == kDeadPiece)
    return 0;
  return input.results[k] + (offset - input.starts[k]);
}

} // namespace xlink
