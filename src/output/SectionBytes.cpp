//===- SectionBytes.cpp ---------------------------------------------------===//
#include "output/SectionBytes.h"
#include "layout/ReversedWords.h"
#include "layout/ScriptRun.h"
#include "layout/SyntheticSections.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace xlink {

static constexpr uint64_t kChunkSize = 1 << 20;

static bool isZero(const std::vector<uint8_t> &bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](uint8_t b) { return b == 0; });
}

SectionBytes::SectionBytes(const Link &link, const SymbolValues &values,
                           const IdVector<OutputId, bool> &written,
                           const Relocator &relocator)
    : link(link), relocator(relocator), got(gotBytes(link, values)) {
  for (const OutputView &out : link.outputsInOrder())
    if (written[out.id])
      addSection(out);
}

void SectionBytes::addSection(const OutputView &out) {
  const OutputId id = out.id;
  static const std::vector<uint8_t> zeros = {0};
  size_t first = parts.size();
  const std::vector<uint8_t> *fill = nullptr;
  // A part of no size carries the fill of what precedes the first real one.
  parts.push_back({0, 0, kNone, kNone, nullptr});
  for (uint32_t k = 0; k < out.items.size(); ++k) {
    const OutputItem &statement = out.items[k];
    const ItemPlace &item = link.item(out.section, k);
    // What dot skipped is a gap of its own: its filler starts anew.
    if (item.offset > parts.back().offset + parts.back().size)
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
  bool codeFill = (out.flags & ELF::SHF_EXECINSTR) &&
                  std::any_of(link.program.state.codeFill.begin(),
                              link.program.state.codeFill.end(),
                              [](uint8_t b) { return b != 0; });
  uint64_t begin = 0;
  size_t chunkFirst = first;
  auto flush = [&](uint64_t end, size_t last) {
    if (end > begin)
      chunkList.push_back(
          {id, begin, end, uint32_t(chunkFirst), uint32_t(last)});
    begin = end;
    chunkFirst = last;
  };
  for (size_t i = first; i < parts.size(); ++i) {
    const Part &part = parts[i];
    uint64_t next = i + 1 < parts.size() ? parts[i + 1].offset : out.size;
    uint64_t end = part.offset + part.size;
    uint64_t gap = next > end ? next - end : 0;
    paddingBytes = SaturatingAdd(paddingBytes, gap);
    if (gap > widestBytes) {
      widestBytes = gap;
      widest = id;
    }
    bool zeroGap = part.fill          ? isZero(*part.fill)
                   : out.fill.empty() ? !codeFill
                                      : isZero(out.fill);
    if ((zeroGap && gap > kChunkSize) || gap > kMaxPadding) {
      flush(end, i + 1);
      begin = next; // a hole
      continue;
    }
    // A long gap with a filler: cut at chunk size, each cut led by this part.
    while (next - begin > kChunkSize && gap > kChunkSize) {
      uint64_t cut = std::max(end, begin) + kChunkSize;
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
                           uint64_t begin, MutableArrayRef<uint8_t> gap) const {
  ArrayRef<uint8_t> pattern;
  size_t phase = 0;
  if (before && before->fill)
    pattern = *before->fill;
  else if (!out.fill.empty())
    pattern = out.fill;
  else if (out.flags & ELF::SHF_EXECINSTR) {
    pattern = link.program.state.codeFill;
    if (!pattern.empty())
      phase = (out.address + begin) % pattern.size();
  }
  if (pattern.empty()) {
    std::fill(gap.begin(), gap.end(), 0);
    return;
  }
  if (before && (before->fill || !out.fill.empty()))
    phase = (begin - (before->offset + before->size)) % pattern.size();
  for (size_t i = 0; i < gap.size(); ++i)
    gap[i] = pattern[(phase + i) % pattern.size()];
}

static void writeData(const DataCommand &data, uint64_t value,
                      MutableArrayRef<uint8_t> bytes) {
  if (!data.value) {
    std::memcpy(bytes.data(), data.bytes.data(), bytes.size());
    return;
  }
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = uint8_t(value >> (8 * i));
}

/// The bytes of an input section, but for its relocations.
void SectionBytes::copy(SectionId id, MutableArrayRef<uint8_t> place) const {
  const Contribution &s = link.contents.sections[id];
  ArrayRef<uint8_t> data = id == link.program.gotSection
                               ? ArrayRef<uint8_t>(got)
                               : link.program.sections[id].parsed->data;
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
  uint64_t address = link.addressOf(id);
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
  uint64_t at = chunk.begin;
  const Part *before = nullptr;
  for (uint32_t i = chunk.firstPart; i < chunk.lastPart; ++i) {
    const Part &part = parts[i];
    if (part.offset + part.size <= chunk.begin) {
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
      relocator.relocate(part.section, place, problems);
    }
    at = part.offset + part.size;
    before = &part;
  }
  if (at < chunk.end)
    fillGap(before, out, at, bytes.slice(at - chunk.begin, chunk.end - at));
}

} // namespace xlink
