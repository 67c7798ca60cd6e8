//===- MapReferences.cpp --------------------------------------------------===//
//
// Problem: which part of a map refers to which, and how often, is what all
// relocations of a link say: as much as all else in the map together.
//
// Method: relocations are read once, files in parallel. Many are against few
// symbols, so the part of each symbol of a file is looked up once. Those of one
// part are sorted by target and counted.
//
// Cost: one visit of each relocation, and sorting within a part.
//
//===----------------------------------------------------------------------===//
#include "report/MapReferences.h"
#include <algorithm>
#include <map>

using namespace llvm;

namespace xlink {

namespace {

/// Reads the relocations of one file.
class ReferenceReader {
public:
  ReferenceReader(const Link &link, const RelocationIndex &rows,
                  const IdVector<SectionId, uint32_t> &partOf,
                  const OpenIdVector<SymbolId, uint32_t> &globalPart,
                  const InputFile &file)
      : link(link), rows(rows), partOf(partOf), globalPart(globalPart),
        file(file), targets(file.object->symbols.size(), kUnknown) {}
  void read();

  std::vector<MapReference> references; ///< those of a part side by side
  std::map<uint32_t, uint64_t> counts;  ///< of each type of relocation

private:
  uint32_t localTarget(uint32_t symbol, int64_t addend) const;
  bool varies(uint32_t symbol) const;
  uint32_t target(const Relocation &rel);
  void add(uint32_t from, std::vector<uint64_t> &targets);

  /// In `targets`: nobody has asked yet; the addend decides.
  static constexpr uint32_t kUnknown = kNoIndex - 1, kVaries = kNoIndex - 2;

  const Link &link;
  const RelocationIndex &rows;
  const IdVector<SectionId, uint32_t> &partOf;
  const OpenIdVector<SymbolId, uint32_t> &globalPart;
  const InputFile &file;
  std::vector<uint32_t> targets; ///< the part of each symbol of the file
};

} // namespace

/// The part that a relocation against a local symbol refers to, kNoIndex: none.
uint32_t ReferenceReader::localTarget(uint32_t symbol, int64_t addend) const {
  const ParsedSymbol &s = file.object->symbols[symbol];
  const SectionId section = file.sectionBase + s.section;
  if (s.place != SymbolPlace::Section || !link.placed(section))
    return kNoIndex;
  // The addend of a section's symbol selects the piece of a merged one.
  const uint64_t offset =
      s.type == ELF::STT_SECTION ? s.value + uint64_t(addend) : s.value;
  const std::optional<PartialLink::InputByte> byte =
      link.whereIs(section, offset);
  return byte ? partOf[byte->section] : kNoIndex;
}

/// Whether the addend decides to which part a local symbol leads.
bool ReferenceReader::varies(uint32_t symbol) const {
  const ParsedSymbol &s = file.object->symbols[symbol];
  return s.type == ELF::STT_SECTION && s.place == SymbolPlace::Section &&
         link.contributions.sections[file.sectionBase + s.section].merge !=
             kNone;
}

/// Many relocations are against few symbols: each is looked up once. What the
/// file says of its global ones is no longer in a cache, and does not matter.
uint32_t ReferenceReader::target(const Relocation &rel) {
  uint32_t &known = targets[rel.symbol];
  if (known == kUnknown) {
    const SymbolId id = link.program.symbolIds[file.symbolBase + rel.symbol];
    known = id != kNone          ? globalPart[id]
            : varies(rel.symbol) ? kVaries
                                 : localTarget(rel.symbol, rel.addend);
  }
  return known == kVaries ? localTarget(rel.symbol, rel.addend) : known;
}

/// What a part refers to: part, and in the lowest bit not a call.
void ReferenceReader::add(uint32_t from, std::vector<uint64_t> &to) {
  std::sort(to.begin(), to.end());
  uint32_t last = kNoIndex;
  for (uint64_t t : to) {
    const uint32_t part = uint32_t(t >> 1);
    if (part != last)
      references.push_back({from, part, 2 | uint32_t(~t & 1)});
    else if (references.back().count() < MapReference::kMost)
      references.back().uses += 2;
    last = part;
  }
}

void ReferenceReader::read() {
  std::vector<uint64_t> to;
  const ParsedObject &object = *file.object;
  for (uint32_t i = 1; i < object.sections.size(); ++i) {
    const ParsedSection &section = object.sections[i];
    const SectionId id = file.sectionBase + i;
    const uint32_t from = partOf[id];
    if (from == kNoIndex)
      continue;
    to.clear();
    const bool isCut = link.contributions.sections[id].cut != kNone;
    for (uint32_t r = section.relocBegin; r < section.relocEnd; ++r) {
      const Relocation rel = object.relocations[r];
      const RelocationRow *row = rows.find(rel.type);
      if (!row || !row->hasField() ||
          (isCut && !link.keepsByte(id, rel.offset)))
        continue;
      ++counts[rel.type];
      if (!(section.flags & ELF::SHF_ALLOC))
        continue;
      const uint32_t part = target(rel);
      const bool call = row->use == Use::Call || row->use == Use::Branch;
      if (part != kNoIndex && part != from)
        to.push_back(uint64_t(part) << 1 | !call);
    }
    add(from, to);
  }
}

void addReferences(const Link &link,
                   const IdVector<SectionId, uint32_t> &partOf,
                   const OpenIdVector<SymbolId, uint32_t> &globalPart,
                   LinkMap &map) {
  const Program &program = link.program;
  map.crossed = true;
  const RelocationIndex rows(*program.target);
  map.references.resize(program.files.size());
  std::vector<std::map<uint32_t, uint64_t>> counts(program.files.size());
  size_t relocations = 0;
  for (const InputFile &file : program.files)
    relocations += file.object->relocations.size();
  program.parallel.forEach(counts.size(), relocations * 24, [&](size_t i) {
    ReferenceReader reader(link, rows, partOf, globalPart,
                           program.files[FileId(i)]);
    reader.read();
    map.references[i] = std::move(reader.references);
    counts[i] = std::move(reader.counts);
  });
  std::map<uint32_t, uint64_t> all;
  for (const auto &file : counts)
    for (auto [type, count] : file)
      all[type] += count;
  for (auto [type, count] : all)
    map.relocations.push_back({rows.find(type)->name, count});
}

} // namespace xlink
