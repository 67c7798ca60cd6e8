//===- SectionBytes.cpp ---------------------------------------------------===//
#include "output/SectionBytes.h"
#include "base/LittleEndian.h"
#include "layout/InitTables.h"
#include "layout/ReversedWords.h"
#include "layout/ScriptRun.h"
#include "layout/SyntheticSections.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace xlink {

static constexpr uint64_t kChunkSize = 1 << 20;

static bool isZero(ArrayRef<uint8_t> bytes) {
  return all_of(bytes, [](uint8_t b) { return b == 0; });
}

SectionBytes::SectionBytes(const Link &link, const SymbolValues &values,
                           const IdVector<OutputId, bool> &written,
                           const Relocator &relocator)
    : link(link), relocator(relocator), got(gotBytes(link, values)),
      initTables(initTableBytes(link)) {
  for (const OutputView &out : link.outputsInOrder())
    if (written[out.id])
      addSection(out);
}

/// What stands in a section, in order.
void SectionBytes::gather(const OutputView &out) {
  static const std::vector<uint8_t> zeros = {0};
  const std::vector<uint8_t> *fill = nullptr;
  // A part of no size carries the fill of what precedes the first real one.
  parts.push_back({0, 0, kNone, kNone, nullptr});
  for (uint32_t k = 0; k < out.items.size(); ++k) {
    const OutputItem &statement = out.items[k];
    const ItemPlace &item = link.item(out.section, k);
    // What dot skipped is a gap of its own: its filler starts anew.
    if (item.offset > parts.back().end())
      parts.push_back({item.offset, 0, kNone, kNone, fill});
    if (statement.command && statement.command->kind == CommandKind::Fill) {
      auto &command = static_cast<const FillCommand &>(*statement.command);
      fill = &fills.emplace_back(fillBytes(command.pattern, item.value));
      parts.push_back({item.offset, 0, kNone, kNone, fill});
    }
    if (statement.command && statement.command->kind == CommandKind::Data) {
      auto &data = static_cast<const DataCommand &>(*statement.command);
      uint64_t size = data.value ? data.size : data.bytes.size();
      parts.push_back({item.offset, size, kNone, k, fill});
    }
    for (uint32_t i = statement.begin; i < statement.end; ++i) {
      const SectionView s = link.section(out.members[i]);
      if (!s.placed() || s.size == 0)
        continue;
      if (!s.parsed->data.empty()) {
        parts.push_back({s.offset, s.size, out.members[i], kNone, fill});
        continue;
      }
      // NOBITS among bytes: a gap of zeros, so that nobody holds it in memory.
      parts.push_back({s.offset, 0, kNone, kNone, &zeros});
      parts.push_back({s.offset + s.size, 0, kNone, kNone, fill});
    }
  }
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

void SectionBytes::addSection(const OutputView &out) {
  const size_t first = parts.size();
  gather(out);
  Size begin;
  size_t chunkFirst = first;
  auto flush = [&](Size end, size_t last) {
    if (end > begin)
      chunkList.push_back(
          {out.id, begin, end, uint32_t(chunkFirst), uint32_t(last)});
    begin = end;
    chunkFirst = last;
  };
  for (size_t i = first; i < parts.size(); ++i) {
    const Part &part = parts[i];
    const Size next = i + 1 < parts.size() ? parts[i + 1].offset : out.size;
    const Size end = part.end();
    const Size gap = next - std::min(next, end);
    paddingBytes += gap;
    if (gap > widestBytes) {
      widestBytes = gap;
      widest = out.id;
    }
    if ((gap > kChunkSize && fillsWithZeros(out, part)) || gap > kMaxPadding) {
      flush(end, i + 1);
      begin = next; // a hole
      continue;
    }
    // A long gap with a filler: cut at chunk size, each cut led by this part.
    while (next - begin > kChunkSize && gap > kChunkSize) {
      const Size cut = std::max(end, begin) + kChunkSize;
      if (cut >= next)
        break;
      flush(cut, i + 1);
      chunkFirst = i;
    }
    if (next - begin >= kChunkSize) {
      flush(next, i + 1);
      chunkFirst = i + 1;
    }
  }
  flush(out.size, parts.size());
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

/// The bytes of an input section, but for its relocations.
void SectionBytes::copy(SectionId id, MutableArrayRef<uint8_t> place) const {
  const Contribution &s = link.contents.sections[id];
  ArrayRef<uint8_t> data = link.program.sections[id].parsed->data;
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
  const CutSection &cut = link.contents.cuts[s.cut];
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

void SectionBytes::render(const Chunk &chunk, MutableArrayRef<uint8_t> bytes,
                          RelocationProblems &problems) const {
  const OutputView out = link.output(chunk.output);
  Size at = chunk.begin;
  const Part *before = nullptr;
  for (uint32_t i = chunk.firstPart; i < chunk.lastPart; ++i) {
    const Part &part = parts[i];
    if (part.end() <= chunk.begin) {
      before = &part; // leads a gap that was cut
      continue;
    }
    if (part.offset > at)
      fillGap(before, out, at, bytes.slice(at - chunk.begin, part.offset - at));
    MutableArrayRef<uint8_t> place =
        bytes.slice(part.offset - chunk.begin, part.size);
    if (part.item != kNone) {
      writeData(static_cast<const DataCommand &>(*out.items[part.item].command),
                link.item(out.section, part.item).value, place);
    } else if (part.section != kNone) {
      copy(part.section, place);
      if (!link.program.config.ignoreRelocations)
        relocator.relocate(part.section, place, problems);
    }
    at = part.end();
    before = &part;
  }
  if (at < chunk.end)
    fillGap(before, out, at, bytes.slice(at - chunk.begin, chunk.end - at));
}

} // namespace xlink
