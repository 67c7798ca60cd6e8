//===- SectionBytes.cpp ---------------------------------------------------===//
//
// Problem: an output section is made of input sections, data and filler, up to
// millions of them; several threads shall render it, each a run of its bytes.
//
// Method: one walk lists the parts of each section in order, and checks that
// all of them lie where there is room; another cuts the list into chunks. A
// chunk is rendered part by part, each with the filler behind it.
//
// Cost: linear; 32 bytes for each input section.
//
//===----------------------------------------------------------------------===//
#include "output/SectionBytes.h"
#include "base/ByteOrder.h"
#include "layout/ScriptRun.h"
#include "sections/SettleContributions.h"
#include "sections/SyntheticSections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace xlink {

/// A chunk has this many bytes, or this many parts, if all of its parts are
/// small: a buffer of that size stays in the cache. Of a large section writing
/// takes the time, and fewer calls less of it.
static constexpr uint64_t kChunkSize = 128 << 10, kLargeChunk = 1 << 20,
                          kLargeSection = 8 << 20;
static constexpr uint32_t kChunkParts = 1 << 12;
/// Longer gaps of zeros are left out of the file.
static constexpr uint64_t kHole = 1 << 20;

SectionBytes::SectionBytes(const Link &link, const SymbolValues &values,
                           const IdVector<OutputId, bool> &written,
                           const Relocator &relocator)
    : link(link), relocator(relocator), got(gotBytes(link, values)),
      initTables(initTableBytes(link)) {
  size_t members = 0;
  for (const OutputView &out : link.outputsInOrder())
    members += written[out.id] ? out.members.size() : 0;
  parts.reserve(members + members / 8);
  for (const OutputView &out : link.outputsInOrder()) {
    const size_t firstPart = parts.size();
    if (written[out.id] && addParts(out))
      addChunks(out, firstPart);
  }
}

/// Lists the parts of a section. False: one of them lies behind the next one,
/// or outside of the section.
bool SectionBytes::addParts(const OutputView &out) {
  static const std::vector<uint8_t> zeros = {0};
  const std::vector<uint8_t> *fill = nullptr;
  Size reached;
  // `size`: the bytes or the room of an input.
  const auto add = [&](SectionPart part, Size size) {
    if (part.section == kNone && part.item == kNone) {
      part.offset = std::max(part.offset, reached);
    } else if (part.offset < reached || part.offset > out.size ||
               size > out.size - part.offset) {
      if (strayOutput == kNone || out.id < strayOutput) {
        strayOutput = out.id;
        strayText =
            (part.section != kNone
                 ? link.program.sectionName(part.section)
                 : locationText(out.items[part.item].command->where) + "data") +
            " lies outside of section '" + out.name + "'";
      }
      return false;
    }
    parts.push_back(part);
    reached = std::max(reached, part.end());
    return true;
  };
  // A part of no size has the filler in front of the first real one.
  add({}, 0);
  for (uint32_t k = 0; k < out.items.size(); ++k) {
    const OutputItem &statement = out.items[k];
    const ScriptCommand *command = statement.command;
    const ItemPlace &place = link.item(out.section, k);
    // A gap that dot skipped is one of its own: its filler starts anew.
    if (place.offset > parts.back().end())
      add({place.offset, 0, kNone, kNone, fill}, 0);
    if (command && command->kind == CommandKind::Fill) {
      fill = &fills.emplace_back(fillBytes(
          static_cast<const FillCommand &>(*command).pattern, place.value));
      add({place.offset, 0, kNone, kNone, fill}, 0);
    } else if (command && command->kind == CommandKind::Data) {
      auto &data = static_cast<const DataCommand &>(*command);
      const uint64_t size = data.value ? data.size : data.bytes.size();
      if (!add({place.offset, size, kNone, k, fill}, size))
        return false;
    }
    for (uint32_t m = statement.begin; m < statement.end; ++m) {
      const SectionId id = out.members[m];
      const Size size = link.sizeOf(id);
      if (size == 0 || !link.placed(id))
        continue;
      const Size offset = place.offset + link.addresses.offsets[id];
      if (link.placement.classOf(id).type != ELF::SHT_NOBITS) {
        if (!add({offset, size, id, kNone, fill}, size))
          return false;
        continue;
      }
      // NOBITS among bytes: a gap of zeros, which needs no memory.
      if (!add({offset, 0, id, kNone, &zeros}, size))
        return false;
      add({offset + size, 0, kNone, kNone, fill}, 0);
    }
  }
  return true;
}

/// Cuts the parts of a section, from `firstPart` on, into chunks.
void SectionBytes::addChunks(const OutputView &out, size_t firstPart) {
  const uint64_t chunkSize =
      out.size < kLargeSection ? kChunkSize : kLargeChunk;
  Size begin;
  const auto endChunk = [&](Size end, size_t nextPart) {
    if (end > begin)
      chunkList.push_back(
          {out.id, begin, end, firstPart, uint32_t(nextPart - firstPart)});
    begin = end;
    firstPart = nextPart;
  };
  for (size_t i = firstPart; i < parts.size(); ++i) {
    const Size end = parts[i].end();
    const Size next = i + 1 < parts.size() ? parts[i + 1].offset : out.size;
    const Size gap = next - std::min(next, end);
    paddingBytes += gap;
    if (gap > widestBytes) {
      widestBytes = gap;
      widest = out.id;
    }
    const auto isZero = [](uint8_t byte) { return byte == 0; };
    if (gap > kMaxPadding ||
        (gap > kHole && all_of(fillBehind(out, parts[i]), isZero))) {
      endChunk(end, i + 1);
      begin = next; // a hole
    } else if (next - begin >= chunkSize || i + 1 - firstPart >= kChunkParts) {
      endChunk(next, i + 1);
    }
  }
  endChunk(out.size, parts.size());
}

/// The filler of the gap behind a part; empty: zeros.
ArrayRef<uint8_t> SectionBytes::fillBehind(const OutputView &out,
                                           const SectionPart &part) const {
  if (part.fill)
    return *part.fill;
  if (!out.fill.empty() || !(out.flags & ELF::SHF_EXECINSTR))
    return out.fill;
  return link.program.state.codeFill;
}

/// Fills the gap behind a part. A script's filler starts with the gap; the
/// machine's code filler stays in step with the addresses, so that it forms
/// instructions.
void SectionBytes::fillGap(const OutputView &out, const SectionPart &part,
                           MutableArrayRef<uint8_t> gap) const {
  const ArrayRef<uint8_t> pattern = fillBehind(out, part);
  if (pattern.empty()) {
    std::fill(gap.begin(), gap.end(), 0);
    return;
  }
  const bool inStep = !part.fill && out.fill.empty();
  size_t next =
      inStep ? (out.address + part.end()).wrapped() % pattern.size() : 0;
  for (uint8_t &byte : gap) {
    byte = pattern[next];
    next = next + 1 == pattern.size() ? 0 : next + 1;
  }
}

/// The bytes of an input section, but for its relocations.
void SectionBytes::copy(SectionId id, MutableArrayRef<uint8_t> place) const {
  const Contribution &s = link.contributions.sections[id];
  ArrayRef<uint8_t> data = link.program.sections[id].parsed->data();
  if (id == link.program.gotSection)
    data = got;
  else if (id == link.program.initTables)
    data = initTables;
  if (s.cut == kNone) {
    std::memcpy(place.data(), data.data(), place.size());
    if (unsigned word = reversedWordSize(link, id);
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
    write32(place.data() + word.at, uint32_t(value),
            link.program.target->isBig);
  }
}

void SectionBytes::render(const FileChunk &chunk,
                          MutableArrayRef<uint8_t> bytes,
                          RelocationProblems &problems) const {
  const OutputView out = link.output(chunk.output);
  for (uint32_t i = 0; i < chunk.count; ++i) {
    const SectionPart &part = parts[chunk.first + i];
    const MutableArrayRef<uint8_t> place =
        bytes.slice(part.offset - chunk.begin, part.size);
    if (part.item != kNone) {
      auto &data =
          static_cast<const DataCommand &>(*out.items[part.item].command);
      if (data.value)
        writeNumber(link.item(out.section, part.item).value, place,
                    link.program.target->isBig);
      else
        std::memcpy(place.data(), data.bytes.data(), place.size());
    } else if (part.size) {
      copy(part.section, place);
      if (!link.program.config.ignoreRelocations)
        relocator.relocate(part.section, (out.address + part.offset).wrapped(),
                           place, problems);
    }
    const Size next =
        i + 1 < chunk.count ? parts[chunk.first + i + 1].offset : chunk.end;
    if (next > part.end())
      fillGap(out, part,
              bytes.slice(part.end() - chunk.begin, next - part.end()));
  }
}

} // namespace xlink
