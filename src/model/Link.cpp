//===- Link.cpp -----------------------------------------------------------===//
#include "model/Link.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

bool OutputSection::isAlloc() const { return flags & ELF::SHF_ALLOC; }
bool OutputSection::isNoBits() const { return type == ELF::SHT_NOBITS; }

/// The last range that begins at `offset` or before, or the end.
static auto rangeBefore(const std::vector<KeptRange> &kept, uint64_t offset) {
  auto it = std::upper_bound(
      kept.begin(), kept.end(), offset,
      [](uint64_t value, const KeptRange &r) { return value < r.begin; });
  return it == kept.begin() ? kept.end() : it - 1;
}

const KeptRange *CutSection::find(uint64_t offset) const {
  auto it = rangeBefore(kept, offset);
  return it != kept.end() && offset < it->end ? &*it : nullptr;
}

uint64_t CutSection::offsetOf(uint64_t offset) const {
  auto it = rangeBefore(kept, offset);
  return it == kept.end() ? 0 : it->to + std::min(offset, it->end) - it->begin;
}

std::string Link::fileName(FileId file) const {
  return file == kNone ? "<internal>" : files[file].object->path;
}

std::string Link::sectionName(SectionId id) const {
  const InputSection &s = sections[id];
  return fileName(s.file) + ":(" + (s.parsed ? s.parsed->name.str() : "") + ")";
}

bool Link::holdsSections(const OutputSection &out) const {
  return std::any_of(out.members.begin(), out.members.end(),
                     [&](SectionId id) { return sections[id].placed(); });
}

std::vector<std::string> Link::largestNotes(std::vector<SectionId> parts,
                                            size_t most) const {
  std::stable_sort(parts.begin(), parts.end(), [&](SectionId a, SectionId b) {
    return sections[a].size > sections[b].size;
  });
  std::vector<std::string> notes;
  for (size_t i = 0; i < std::min(most, parts.size()); ++i)
    notes.push_back(std::to_string(sections[parts[i]].size) +
                    " bytes: " + sectionName(parts[i]));
  return notes;
}

std::string Link::place(SectionId id, uint64_t offset) const {
  const InputSection &s = sections[id];
  return fileName(s.file) + ":(" + (s.parsed ? s.parsed->name.str() : "") +
         "+" + hex(offset + (s.parsed ? s.parsed->cutAt : 0)) + ")";
}

SectionId Link::addMadeSection(StringRef name, uint32_t type, uint64_t flags,
                               uint64_t align, std::vector<uint8_t> bytes,
                               uint64_t size) {
  madeBytes.push_back(std::move(bytes));
  ParsedSection &p = madeSections.emplace_back();
  p.name = name;
  p.type = type;
  p.flags = p.fileFlags = flags;
  p.align = align;
  p.size = size;
  p.data = madeBytes.back();
  p.kind = SectionKind::Regular;
  InputSection &s = sections.emplace_back();
  s.parsed = &p;
  s.size = size;
  s.align = align;
  return SectionId(sections.size() - 1);
}

} // namespace xlink
