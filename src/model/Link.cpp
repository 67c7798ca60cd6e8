//===- Link.cpp -----------------------------------------------------------===//
#include "model/Link.h"
#include "base/Diagnostics.h"

using namespace llvm;

namespace xlink {

SectionView Link::section(SectionId id) const {
  const InputSection &s = program.sections[id];
  const SectionPlace &p = placement.sections[id];
  Size offset;
  if (p.output != kNone)
    offset = item(placement.outputs[p.output], p.item).offset +
             addresses.offsets[id];
  return {s.parsed,
          s.file,
          p.output,
          offset,
          sizeOf(id),
          p.discarded,
          contributions.liveness.lives(id)};
}

std::string Link::nearestDefined(StringRef name) const {
  std::vector<StringRef> names;
  for (SymbolId id : program.symbols.ids())
    if (symbol(id).isDefined())
      names.push_back(program.symbols[id].name);
  return nearestSpelling(name, names);
}

BoundSymbol Link::symbol(SymbolId id) const {
  BoundSymbol s;
  static_cast<Symbol &>(s) = program.symbols[id];
  if (s.slot == kNone)
    return s;
  const AssignedSymbol &a = addresses.symbols[s.slot];
  if (a.result) { // of a link-time expression
    s.value = a.value;
    s.resolution = a.resolution;
    return s;
  }
  if (a.linkerDefined)
    s.linkerDefined = true;
  if (a.kind == SymbolKind::Undefined)
    return s;
  s.kind = a.kind;
  s.output = a.output;
  s.value = a.value;
  s.section = kNone;
  s.binding = ELF::STB_GLOBAL;
  if (a.linkerDefined) {
    if (a.hidden)
      s.visibility = ELF::STV_HIDDEN;
    return s;
  }
  s.scriptDefined = true;
  s.type = ELF::STT_NOTYPE;
  s.size = 0;
  s.hidden = a.hidden;
  return s;
}

bool PartialLink::holdsSections(const OutputSection &out) const {
  return any_of(out.members, [&](SectionId id) { return placed(id); });
}

/// The index of the last of ascending numbers that is at most `value`, which is
/// not below the first. Without a branch, which would be guessed wrong half the
/// time.
static size_t lastUpTo(ArrayRef<uint32_t> numbers, uint64_t value) {
  const uint32_t *first = numbers.begin();
  for (size_t count = numbers.size(); count > 1;) {
    const size_t half = count / 2;
    first += first[half] <= value ? half : 0;
    count -= half;
  }
  return size_t(first - numbers.begin());
}

std::optional<PartialLink::InputByte>
PartialLink::whereIsChanged(SectionId id, uint64_t offset) const {
  const Contribution &c = contributions.sections[id];
  if (c.folded != kNone)
    return whereIs(c.folded, offset);
  if (c.merge == kNone)
    return InputByte{id, c.cut == kNone
                             ? offset
                             : contributions.cuts[c.cut].offsetOf(offset)};
  const MergeGroup &group = contributions.merges[c.merge];
  const MergedInput &input = group.inputs[c.mergeIndex];
  const uint64_t inputSize = program.sections[id].parsed->size;
  if (offset >= inputSize)
    return InputByte{id, uint64_t(c.size) + (offset - inputSize)};
  const size_t k = lastUpTo(input.starts, offset);
  if (input.places[k] == kNone)
    return std::nullopt;
  const MergedPlace &place = group.places[input.places[k]];
  uint64_t within = offset - input.starts[k];
  if (std::binary_search(input.zeros.begin(), input.zeros.end(), uint32_t(k)))
    within %= group.entsize;
  return InputByte{group.members[place.home], place.offset + within};
}

IdVector<OutputId, Address> Link::loadedTo() const {
  IdVector<OutputId, Address> places(placement.outputs.size());
  for (const OutputView &out : outputs())
    places[out.id] = out.loadAddress;
  // Of several segments the first counts.
  for (const Segment &segment : reverse(addresses.segments))
    if (segment.type == ELF::PT_LOAD)
      for (OutputId id : segment.sections)
        places[id] =
            output(id).loadAddress.mapped(segment.base, segment.loadAddress);
  return places;
}

Address Link::addressOf(SectionId id) const {
  const SectionPlace &p = placement.sections[id];
  return addresses.outputs[p.output].address +
         item(placement.outputs[p.output], p.item).offset +
         addresses.offsets[id];
}

uint64_t Link::addressOf(SectionId id, uint64_t offset) const {
  std::optional<InputByte> byte = whereIs(id, offset);
  return byte ? addressOf(byte->section).wrapped() + byte->offset : 0;
}

uint64_t Link::addressOf(const BoundSymbol &symbol) const {
  switch (symbol.kind) {
  case SymbolKind::Defined:
    return placed(symbol.section) ? addressOf(symbol.section, symbol.value) : 0;
  case SymbolKind::Output:
    return addresses.outputs[symbol.output].address.wrapped() + symbol.value;
  case SymbolKind::Absolute:
    return symbol.value;
  default:
    return 0;
  }
}

std::vector<std::string> Link::largestNotes(std::vector<SectionId> members,
                                            size_t most) const {
  auto size = [&](SectionId id) { return sizeOf(id); };
  std::stable_sort(members.begin(), members.end(),
                   [&](SectionId a, SectionId b) { return size(a) > size(b); });
  std::vector<std::string> notes;
  for (size_t i = 0; i < std::min(most, members.size()); ++i)
    notes.push_back(std::to_string(size(members[i])) +
                    " bytes: " + program.sectionName(members[i]));
  return notes;
}

} // namespace xlink
