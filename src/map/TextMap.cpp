//===- TextMap.cpp --------------------------------------------------------===//
#include "map/TextMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

bool TextMapBuilder::next(StringRef &taken) {
  if (rest.empty())
    return false;
  std::tie(taken, rest) = rest.split('\n');
  taken = taken.rtrim("\r ");
  ++line;
  return true;
}

bool TextMapBuilder::fail(const Twine &text) {
  diag.error((file + ":" + Twine(line) + ": " + text).str());
  return false;
}

bool TextMapBuilder::addRegion(StringRef name, uint64_t origin,
                               uint64_t length) {
  MapRegion region;
  region.name = name;
  region.origin = origin;
  region.length = length;
  map.regions.push_back(std::move(region));
  return true;
}

bool TextMapBuilder::addOutput(StringRef name, uint64_t address,
                               uint64_t size) {
  if (size > UINT64_MAX - address)
    return fail("section " + name + ": address " + hex(address) + " and size " +
                hex(size) + " lead beyond the end of the address space");
  closeOutput();
  MapOutput &out = map.outputs.emplace_back();
  out.name = name;
  out.address = address;
  out.size = size;
  out.firstPart = uint32_t(map.parts.size());
  inOutput = true;
  return true;
}

/// The '(' that belongs to the ')' at the end of "lib.a(m.o)", or npos.
static size_t memberBegin(StringRef from) {
  size_t open = 0;
  for (size_t i = from.size(); from.ends_with(")") && i-- > 1;) {
    open += from[i] == ')';
    if (from[i] == '(' && --open == 0)
      return i;
  }
  return StringRef::npos;
}

uint32_t TextMapBuilder::fileOf(StringRef from) {
  const auto [it, isNew] = files.try_emplace(from, map.files.size());
  if (isNew) {
    MapInput &input = map.files.emplace_back();
    const size_t member = memberBegin(from);
    input.path = from.take_front(member);
    if (member != StringRef::npos)
      input.member = from.drop_front(member + 1).drop_back();
  }
  return it->second;
}

bool TextMapBuilder::addPart(MapPart::Kind kind, StringRef name, StringRef from,
                             uint64_t address, uint64_t size) {
  if (!size)
    return true;
  if (!inOutput)
    return fail("section " + name + " is in no output section");
  const MapOutput &out = map.outputs.back();
  if (address < out.address)
    return fail("section " + name + " at " + hex(address) +
                " lies in front of " + out.name + " at " + hex(out.address));
  MapPart part;
  part.kind = kind;
  part.name = name;
  if (!from.empty())
    part.file = fileOf(from);
  if (kind == MapPart::Padding)
    part.cause = "fill";
  part.output = uint32_t(map.outputs.size() - 1);
  part.address = address;
  part.size = size;
  map.parts.push_back(part);
  return true;
}

bool TextMapBuilder::addDiscarded(StringRef name, StringRef from,
                                  uint64_t size) {
  if (size)
    map.discarded.push_back({name, size, fileOf(from), MapDiscarded::Unknown});
  return true;
}

/// Parts of the last output section without gaps. A part ends where the next
/// one begins, or the section: of merged strings and attributes GNU ld states
/// the sizes in the objects, and addresses where nothing is left of them.
void TextMapBuilder::closeOutput() {
  if (map.outputs.empty())
    return;
  MapOutput &out = map.outputs.back();
  std::vector<MapPart> stated(map.parts.begin() + out.firstPart,
                              map.parts.end());
  map.parts.resize(out.firstPart);
  stable_sort(stated, [](const MapPart &a, const MapPart &b) {
    return a.address < b.address;
  });
  MapPart gap;
  gap.kind = MapPart::Padding;
  gap.cause = "fill";
  gap.output = uint32_t(map.outputs.size() - 1);
  gap.address = out.address;
  auto fillUpTo = [&](uint64_t address) {
    gap.size = address - gap.address;
    if (gap.size)
      map.parts.push_back(gap);
  };
  const uint64_t last = out.address + out.size;
  for (size_t i = 0; i < stated.size() && stated[i].address < last; ++i) {
    MapPart &part = stated[i];
    const uint64_t end =
        i + 1 < stated.size() ? std::min(stated[i + 1].address, last) : last;
    fillUpTo(part.address);
    part.size = std::min(part.size, end - part.address);
    gap.address = part.address + part.size;
    if (part.size)
      map.parts.push_back(part);
  }
  fillUpTo(last);
  out.parts = uint32_t(map.parts.size()) - out.firstPart;
}

LinkMap TextMapBuilder::finish() {
  closeOutput();
  map.output = file;
  return std::move(map);
}

std::optional<LinkMap> readTextMap(StringRef file, StringRef text,
                                   Diagnostics &diag) {
  TextMapBuilder builder(file, text, diag);
  const StringRef heading = text.split('\n').first;
  const bool lld = heading.ltrim().starts_with("VMA") &&
                   heading.contains("LMA") && heading.contains("Symbol");
  if (!lld && !text.contains("Linker script and memory map\n") &&
      !text.contains("Linker script and memory map\r\n")) {
    diag.error((file + ": is no map of GNU ld, xlink or lld (-Map)").str());
    return std::nullopt;
  }
  if (!(lld ? readLldMap(builder) : readGnuMap(builder)))
    return std::nullopt;
  return builder.finish();
}

} // namespace xlink
