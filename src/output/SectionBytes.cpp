//===- SectionBytes.cpp ---------------------------------------------------===//
//
// Problem: an output section is made of input sections, data and filler, up to
// millions of them; several threads shall render it, each a run of its bytes.
//
// Method: a walk gives the parts of a section one after the other, and can go
// on from any place that it has been at. One walk checks that all of them lie
// where there is room, and cuts the section into chunks, which remember where
// their walk begins; rendering a chunk walks over its own parts once more.
//
// Cost: two walks, of some loads for each input section; nothing is kept for
// it.
//
//===----------------------------------------------------------------------===//
#include "output/SectionBytes.h"
#include "base/LittleEndian.h"
#include "layout/ScriptRun.h"
#include "sections/InitTables.h"
#include "sections/SettleContributions.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace xlink {

/// Chunks are rendered in the same memory one after the other: fresh memory
/// costs more than to write in pieces, until writing is all that counts.
static constexpr uint64_t kSmallSection = 8 << 20, kSmallChunk = 128 << 10,
                          kLargeChunk = 1 << 20;
/// Longer gaps of zeros are left out of the file.
static constexpr uint64_t kHole = 1 << 20;
/// A gap no longer than this is nothing but padding, whatever fills it.
static constexpr uint64_t kPlainGap = 4096;
static_assert(kPlainGap <= kHole && kPlainGap <= kSmallChunk &&
              kPlainGap <= kMaxPadding);
/// Of small sections fewer bytes are as much work.
static constexpr uint32_t kChunkParts = 1 << 12;
/// Shorter runs are cheaper to copy than to write by a call of their own.
static constexpr uint64_t kLongRun = 16 << 10;

static bool isZero(ArrayRef<uint8_t> bytes) {
  return all_of(bytes, [](uint8_t b) { return b == 0; });
}

SectionBytes::SectionBytes(const Link &link, const SymbolValues &values,
                           const IdVector<OutputId, bool> &written,
                           const Relocator &relocator)
    : link(link), relocator(relocator), got(gotBytes(link, values)),
      initTables(initTableBytes(link)) {
  for (const OutputView &out : link.outputsInOrder())
    if (written[out.id]) {
      findFills(out);
      addSection(out);
    }
}

/// Gives the parts of an output section, in order, from any of them on. They
/// are found anew by each walk: a list of them would be the largest table of a
/// link with many small sections.
class SectionBytes::Walk {
public:
  Walk(const SectionBytes &bytes, const OutputView &out, PartCursor from = {})
      : link(bytes.link), fills(bytes.fills), out(out), at(from) {}
  const PartCursor &cursor() const { return at; }
  /// Sets the part behind the cursor; false: there is none.
  bool next(Part &part);
  /// Goes on over parts of one statement that are sections with bytes, as long
  /// as takes(part) says so of the next one, in front of which the cursor is.
  template <class Fn> void nextSections(Fn takes);
  /// Asks for what rendering some members behind the cursor will read: what
  /// files say of their sections, and these, lie far apart.
  void prefetch() const;

private:
  bool nextMember(const OutputItem &statement, Part &part);
  /// Goes on to the statement's next section that has bytes or room in the
  /// output, and sets it. `begin`: where the statement does. False: there is
  /// none.
  bool seekSection(const OutputItem &statement, Size begin, Part &part) {
    for (; at.member < statement.end; ++at.member) {
      const SectionId id = out.members[at.member];
      const Size size = link.sizeOf(id);
      if (size == 0 || !link.placed(id))
        continue;
      part = {begin + link.addresses.offsets[id], size, id, kNone, at.fill};
      return true;
    }
    return false;
  }
  /// The class knows: what files say of their sections lies far apart.
  bool hasBytes(SectionId id) const {
    return link.placement.classOf(id).type != ELF::SHT_NOBITS;
  }
  bool give(PartCursor::Stage stage, Part &to, const Part &part) {
    at.stage = stage;
    at.end = part.end();
    to = part;
    return true;
  }

  const Link &link;
  const llvm::DenseMap<ItemId, std::vector<uint8_t>> &fills;
  const OutputView &out;
  PartCursor at;
};

bool SectionBytes::Walk::next(Part &part) {
  // A part of no size carries the fill of what precedes the first real one.
  if (at.stage == PartCursor::First)
    return give(PartCursor::Gap, part, {});
  for (; at.item < out.items.size(); ++at.item) {
    const OutputItem &statement = out.items[at.item];
    const ScriptCommand *command = statement.command;
    const Size offset = link.item(out.section, at.item).offset;
    switch (at.stage) {
    case PartCursor::First:
    case PartCursor::Gap:
      // What dot skipped is a gap of its own: its filler starts anew.
      at.member = statement.begin;
      if (offset > at.end)
        return give(PartCursor::Fill, part, {offset, 0, kNone, kNone, at.fill});
      [[fallthrough]];
    case PartCursor::Fill:
      if (command && command->kind == CommandKind::Fill) {
        at.fill = &fills.find(out.section.firstItem + at.item)->second;
        return give(PartCursor::Data, part, {offset, 0, kNone, kNone, at.fill});
      }
      [[fallthrough]];
    case PartCursor::Data:
      if (command && command->kind == CommandKind::Data) {
        auto &data = static_cast<const DataCommand &>(*command);
        const uint64_t size = data.value ? data.size : data.bytes.size();
        return give(PartCursor::Members, part,
                    {offset, size, kNone, at.item, at.fill});
      }
      [[fallthrough]];
    case PartCursor::Members:
    case PartCursor::Zeros:
      if (nextMember(statement, part))
        return true;
    }
    at.stage = PartCursor::Gap;
  }
  return false;
}

void SectionBytes::Walk::prefetch() const {
  constexpr uint32_t kRecords = 16, kBytes = 8;
  if (at.item >= out.items.size() || at.member < out.items[at.item].begin)
    return;
  const uint64_t end = out.items[at.item].end;
  const Program &program = link.program;
  if (uint64_t(at.member) + kRecords < end) {
    const auto *later = reinterpret_cast<const char *>(
        program.sections[out.members[at.member + kRecords]].parsed);
    __builtin_prefetch(later);
    __builtin_prefetch(later + sizeof(ParsedSection) - 1);
  }
  if (uint64_t(at.member) + kBytes < end) {
    const InputSection &next =
        program.sections[out.members[at.member + kBytes]];
    __builtin_prefetch(next.parsed->bytes);
    if (next.parsed->relocBegin != next.parsed->relocEnd)
      program.files[next.file].object->relocations.prefetch(
          next.parsed->relocBegin);
  }
}

/// The next of a statement's sections that is in the output.
bool SectionBytes::Walk::nextMember(const OutputItem &statement, Part &part) {
  static const std::vector<uint8_t> zeros = {0};
  Part found;
  if (!seekSection(statement, link.item(out.section, at.item).offset, found))
    return false;
  const bool isNoBits = !hasBytes(found.section);
  if (isNoBits && at.stage != PartCursor::Zeros)
    // NOBITS among bytes: a gap of zeros, so that nobody holds it in memory.
    return give(PartCursor::Zeros, part,
                {found.offset, 0, found.section, kNone, &zeros});
  ++at.member;
  if (isNoBits)
    return give(PartCursor::Members, part,
                {found.end(), 0, kNone, kNone, at.fill});
  return give(PartCursor::Members, part, found);
}

template <class Fn> void SectionBytes::Walk::nextSections(Fn takes) {
  if (at.stage != PartCursor::Members || at.item >= out.items.size())
    return;
  const OutputItem &statement = out.items[at.item];
  const Size begin = link.item(out.section, at.item).offset;
  for (Part part; seekSection(statement, begin, part); ++at.member) {
    if (!hasBytes(part.section) || !takes(part))
      return;
    at.end = part.end();
  }
}

/// The bytes of a section's FILL statements.
void SectionBytes::findFills(const OutputView &out) {
  for (uint32_t k = 0; k < out.items.size(); ++k)
    if (const ScriptCommand *command = out.items[k].command;
        command && command->kind == CommandKind::Fill)
      fills[out.section.firstItem + k] =
          fillBytes(static_cast<const FillCommand &>(*command).pattern,
                    link.item(out.section, k).value);
}

/// Whether the gap behind a part is filled with zeros.
bool SectionBytes::fillsWithZeros(const OutputView &out,
                                  const Part &part) const {
  if (part.fill)
    return isZero(*part.fill);
  if (!out.fill.empty())
    return isZero(out.fill);
  return !(out.flags & ELF::SHF_EXECINSTR) ||
         isZero(link.program.state.codeFill);
}

/// Whether a part lies behind the one before and inside its section, as far as
/// it holds bytes or room of an input.
static bool isInside(const Link &link, const OutputView &out, Size end,
                     const Part &part) {
  if (part.section == kNone && part.item == kNone)
    return true;
  const Size size =
      part.section == kNone ? part.size : link.sizeOf(part.section);
  return part.offset >= end && part.offset <= out.size &&
         size <= out.size - part.offset;
}

/// Cuts a section into chunks, in one walk over its parts.
void SectionBytes::addSection(const OutputView &out) {
  const uint64_t chunkSize =
      out.size <= kSmallSection ? kSmallChunk : kLargeChunk;
  Walk walk(*this, out);
  PartCursor at = walk.cursor(), chunkAt = at;
  Size begin, reached;
  uint32_t count = 0; // parts since chunkAt
  auto flush = [&](Size end, const PartCursor &next) {
    if (end > begin)
      chunkList.push_back({out.id, begin, end, chunkAt, count});
    begin = end;
    chunkAt = next;
    count = 0;
  };
  // Whether one ends in front of a part that begins there.
  auto endsChunk = [&](Size next, uint32_t parts) {
    return next - begin >= chunkSize || parts >= kChunkParts;
  };
  auto notePadding = [&](Size gap) {
    paddingBytes += gap;
    if (gap > widestBytes) {
      widestBytes = gap;
      widest = out.id;
    }
  };
  Part part, follows;
  for (bool isThere = walk.next(part); isThere; part = follows) {
    // Nearly all parts are sections that end a chunk no more than they begin a
    // gap worth a look.
    walk.nextSections([&](const Part &next) {
      const Size end = part.end();
      if (!isInside(link, out, std::max(reached, end), next) ||
          next.offset - end > kPlainGap || endsChunk(next.offset, count + 1))
        return false;
      reached = std::max(reached, end);
      notePadding(next.offset - end);
      ++count;
      at = walk.cursor();
      part = next;
      return true;
    });
    const PartCursor behind = walk.cursor();
    isThere = walk.next(follows);
    const Size end = part.end();
    reached = std::max(reached, end);
    if (isThere && !isInside(link, out, reached, follows)) {
      if (!strayMember || out.id < strayMember->output)
        strayMember = {out.id, follows.section, follows.item};
      return;
    }
    ++count;
    const Size next = isThere ? follows.offset : out.size;
    const Size gap = next - std::min(next, end);
    notePadding(gap);
    if ((gap > kHole && fillsWithZeros(out, part)) || gap > kMaxPadding) {
      flush(end, behind);
      begin = next; // a hole
    } else {
      // A long gap with a filler: cut at chunk size, each cut led by this part.
      while (next - begin > chunkSize && gap > chunkSize) {
        const Size cut = std::max(end, begin) + chunkSize;
        if (cut >= next)
          break;
        flush(cut, at);
        count = 1;
      }
      if (endsChunk(next, count))
        flush(next, behind);
    }
    at = behind;
  }
  flush(out.size, at);
}

/// Fills a gap that begins at offset `begin` of the output section. A script's
/// filler starts with the gap; the machine's code filler stays in step with the
/// addresses, so that it forms instructions.
void SectionBytes::fillGap(const Part *before, const OutputView &out,
                           Size begin, MutableArrayRef<uint8_t> gap) const {
  ArrayRef<uint8_t> pattern;
  size_t phase = 0;
  if (before && before->fill)
    pattern = *before->fill;
  else if (!out.fill.empty())
    pattern = out.fill;
  else if (out.flags & ELF::SHF_EXECINSTR) {
    pattern = link.program.state.codeFill;
    if (!pattern.empty())
      phase = (out.address + begin).wrapped() % pattern.size();
  }
  if (pattern.empty()) {
    std::fill(gap.begin(), gap.end(), 0);
    return;
  }
  if (before && (before->fill || !out.fill.empty()))
    phase = (begin - before->end()) % pattern.size();
  for (size_t i = 0; i < gap.size(); ++i)
    gap[i] = pattern[(phase + i) % pattern.size()];
}

static void writeData(const DataCommand &data, uint64_t value,
                      MutableArrayRef<uint8_t> bytes) {
  if (!data.value) {
    std::memcpy(bytes.data(), data.bytes.data(), bytes.size());
    return;
  }
  writeLittle(value, bytes);
}

/// Whether a section's bytes are in the output as the input has them.
bool SectionBytes::isUnchanged(SectionId id, bool mayReverse) const {
  const Program &program = link.program;
  const ParsedSection &parsed = *program.sections[id].parsed;
  return parsed.relocBegin == parsed.relocEnd && !mayReverse &&
         link.contributions.sections[id].cut == kNone &&
         id != program.gotSection && id != program.initTables;
}

/// The bytes of an input section, but for its relocations.
void SectionBytes::copy(SectionId id, MutableArrayRef<uint8_t> place,
                        bool mayReverse) const {
  const Contribution &s = link.contributions.sections[id];
  ArrayRef<uint8_t> data = link.program.sections[id].parsed->data();
  if (id == link.program.gotSection)
    data = got;
  else if (id == link.program.initTables)
    data = initTables;
  if (s.cut == kNone) {
    std::memcpy(place.data(), data.data(), place.size());
    if (unsigned word = mayReverse ? reversedWordSize(link, id) : 0;
        word && place.size() % word == 0)
      for (uint64_t i = 0; i < place.size(); ++i)
        place[reversedOffset(i, place.size(), word)] = data[i];
    return;
  }
  const CutSection &cut = link.contributions.cuts[s.cut];
  uint64_t end = 0;
  for (const KeptRange &r : cut.kept) {
    std::fill(place.begin() + end, place.begin() + r.to, 0); // alignment
    std::memcpy(place.data() + r.to, data.data() + r.begin, r.end - r.begin);
    end = r.to + (r.end - r.begin);
  }
  std::fill(place.begin() + end, place.end(), 0);
  const uint64_t address = link.addressOf(id).wrapped();
  for (const LinkerWord &word : cut.words) {
    uint64_t value = word.value;
    if (word.target != kNone)
      value = address + word.at - link.addressOf(word.target, word.value);
    support::endian::write32le(place.data() + word.at, uint32_t(value));
  }
}

void SectionBytes::render(const FileChunk &chunk,
                          MutableArrayRef<uint8_t> bytes,
                          RelocationProblems &problems,
                          std::vector<Unchanged> *unchanged) const {
  const OutputView out = link.output(chunk.output);
  const bool mayReverse = holdsReversedWords(link, chunk.output);
  Walk walk(*this, out, chunk.first);
  Size at = chunk.begin;
  std::optional<Part> before;
  for (uint32_t i = 0; i < chunk.count; ++i) {
    Part part;
    walk.next(part);
    walk.prefetch();
    if (part.end() <= chunk.begin) {
      before = part; // leads a gap that was cut
      continue;
    }
    if (part.offset > at)
      fillGap(before ? &*before : nullptr, out, at,
              bytes.slice(at - chunk.begin, part.offset - at));
    MutableArrayRef<uint8_t> place =
        bytes.slice(part.offset - chunk.begin, part.size);
    if (part.item != kNone) {
      writeData(static_cast<const DataCommand &>(*out.items[part.item].command),
                link.item(out.section, part.item).value, place);
    } else if (unchanged && part.size >= kLongRun &&
               isUnchanged(part.section, mayReverse)) {
      unchanged->push_back(
          {part.offset,
           link.program.sections[part.section].parsed->data().take_front(
               part.size)});
    } else if (part.size) {
      copy(part.section, place, mayReverse);
      if (!link.program.config.ignoreRelocations)
        relocator.relocate(part.section, (out.address + part.offset).wrapped(),
                           place, mayReverse, problems);
    }
    at = part.end();
    before = part;
  }
  if (at < chunk.end)
    fillGap(before ? &*before : nullptr, out, at,
            bytes.slice(at - chunk.begin, chunk.end - at));
}

} // namespace xlink
