//===- Checksums.cpp - --crc: checks of loaded bytes, among them ----------===//
//
// Problem: a program that finds out whether its memory still holds what was
// written there needs a number that depends on all of its bytes, and stands
// among them.
//
// Method: when everything else is in its place, the loaded bytes of a range are
// gone through by load address. Where nothing is loaded, the byte of --gap-fill
// counts, or zero: what a binary image has there. The place of the result does
// not count at all: the byte in front of it is followed by the one behind it.
// So who checks the program needs no copy of it, only two calls, and one where
// the place stands at an end of the range.
//
// A range can hold the places of others. They are computed in the order of the
// command line, so what a later one sees is final; one that would see a place
// that is filled later is an error. An identification by --build-id is made in
// front of all of them, with zeros in their places, because it is loaded too.
//
// Cost: the output in memory as a whole; one pass over the bytes of each range.
//
//===----------------------------------------------------------------------===//
#include "output/Checksums.h"
#include "base/LittleEndian.h"
#include "output/SectionBytes.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <optional>

using namespace llvm;

namespace xlink {

/// How messages call one.
static std::string nameOf(const CrcRequest &request) {
  return "option '--crc=" + request.text + "': ";
}

void checkCrcRegions(const Program &program, Diagnostics &diag) {
  for (const CrcRequest &request : program.config.crcs)
    if (!request.range && program.regionNamed(request.region) == kNone)
      diag.error(nameOf(request) +
                 undeclaredRegion(program.script, request.region));
}

/// The range of a region: as in its binary image, from its beginning to the
/// last byte that is loaded into it.
static void findRange(const Link &link, ArrayRef<LoadedBytes> loaded,
                      Checksum &sum) {
  if (sum.request->range) {
    sum.begin = sum.request->range->first;
    sum.end = sum.request->range->second;
    return;
  }
  const RegionPlace &region =
      link.addresses.regions[link.program.regionNamed(sum.request->region)];
  sum.begin = sum.end = region.origin;
  for (const LoadedBytes &bytes : loaded) {
    const Address end = std::min(bytes.address + bytes.size, region.end());
    if (bytes.address < region.end() && end > region.origin)
      sum.end = std::max(sum.end, end);
  }
}

/// What is wrong with a range: nothing in it, two bytes for one address, or
/// more filler than anybody meant. "": nothing.
static std::string rangeProblem(const Link &link, ArrayRef<LoadedBytes> loaded,
                                const Checksum &sum) {
  Size padding;
  Address at = sum.begin;
  const LoadedBytes *before = nullptr;
  for (const LoadedBytes &bytes : loaded) {
    const Address begin = std::max(bytes.address, sum.begin);
    const Address end = std::min(bytes.address + bytes.size, sum.end);
    if (begin >= end)
      continue;
    if (before && begin < at)
      return "sections '" + link.output(before->output).name + "' and '" +
             link.output(bytes.output).name + "' are both loaded to " +
             hex(begin);
    padding += begin.sizeFrom(at);
    at = end;
    before = &bytes;
  }
  if (!before)
    return sum.request->range ? "nothing is loaded there"
                              : "nothing is loaded into memory region '" +
                                    sum.request->region + "'";
  padding += sum.end.sizeFrom(at);
  if (padding > kMaxPadding)
    return "the range would hold " + std::to_string(padding) +
           " bytes of filler";
  return "";
}

/// Finds where the result goes; "": found, else what is wrong with the symbol.
static std::string findPlace(const Link &link, const SymbolValues &values,
                             Checksum &sum) {
  const Program &program = link.program;
  const std::string &name = sum.request->symbol;
  const std::string shown = "symbol '" + program.shownName(name) + "' ";
  const SymbolId id = program.symbols.find(name);
  if (id == kNone)
    return shown + "is not defined";
  const BoundSymbol symbol = link.symbol(id);
  if (!symbol.isDefined())
    return shown + "is not defined";
  if (symbol.kind == SymbolKind::Defined && !link.placed(symbol.section))
    return shown + "is in no section of the output";
  sum.output = symbol.kind == SymbolKind::Output ? symbol.output
               : symbol.kind == SymbolKind::Defined
                   ? link.section(symbol.section).output
                   : OutputId();
  if (sum.output == kNone)
    return shown + "is a number, and no place in a section";
  const OutputView out = link.output(sum.output);
  if (!out.hasBytes() || !out.isAlloc())
    return shown + "is in section '" + out.name +
           "', which has no bytes that are loaded";
  const uint64_t bytes = sum.kind->bytes();
  const Address at = values.globals[id];
  if (at < out.address || at.sizeFrom(out.address) > out.size ||
      out.size - at.sizeFrom(out.address) < bytes)
    return shown + "leaves no room for " + std::to_string(bytes) +
           " bytes in section '" + out.name + "'";
  if (symbol.size && symbol.size < bytes)
    return shown + "has " + std::to_string(symbol.size) + " bytes, " +
           sum.kind->name + " has " + std::to_string(bytes);
  sum.offset = at.sizeFrom(out.address);
  sum.place = link.loadedTo()[out.id] + sum.offset;
  return "";
}

/// Whether a result that comes later changes bytes that this one has checked,
/// or overwrites this one.
static bool overlaps(Address begin, Address end, const Checksum &later) {
  return later.place < end && begin < later.placeEnd();
}

static void checkOrder(const Link &link, ArrayRef<Checksum> sums,
                       Diagnostics &diag) {
  for (size_t i = 0; i < sums.size(); ++i)
    for (size_t k = i + 1; k < sums.size(); ++k) {
      const std::string name =
          "'" + link.program.shownName(sums[k].request->symbol) + "'";
      if (overlaps(sums[i].place, sums[i].placeEnd(), sums[k]))
        diag.error(nameOf(*sums[k].request) + "its place is that of '" +
                   link.program.shownName(sums[i].request->symbol) + "'");
      else if (overlaps(sums[i].begin, sums[i].end, sums[k]))
        diag.error(nameOf(*sums[i].request) + "the range holds " + name +
                       ", which is computed later",
                   {"--crc options take effect in their order: that of " +
                    name + " has to stand in front"});
    }
}

std::vector<Checksum>
findChecksums(const Link &link, const SymbolValues &values, Diagnostics &diag) {
  std::vector<Checksum> sums;
  const std::vector<CrcRequest> &requests = link.program.config.crcs;
  if (requests.empty())
    return sums;
  const std::vector<LoadedBytes> loaded = loadedBytes(link);
  for (const CrcRequest &request : requests) {
    if (!request.range && link.program.regionNamed(request.region) == kNone)
      continue; // was reported
    Checksum sum{};
    sum.request = &request;
    sum.kind = findCrc(request.kind);
    findRange(link, loaded, sum);
    std::string problem = findPlace(link, values, sum);
    if (problem.empty())
      problem = rangeProblem(link, loaded, sum);
    if (problem.empty())
      sums.push_back(sum);
    else
      diag.error(nameOf(request) + problem);
  }
  checkOrder(link, sums, diag);
  return sums;
}

void clearChecksums(ArrayRef<Checksum> checksums, const FileLayout &layout,
                    MutableArrayRef<uint8_t> image) {
  for (const Checksum &sum : checksums)
    std::fill_n(image.begin() +
                    uint64_t(layout.offsets[sum.output] + sum.offset),
                sum.kind->bytes(), 0);
}

/// Adds what a range holds from `begin` to `end`.
static void addRange(const Link &link, ArrayRef<LoadedBytes> loaded,
                     const FileLayout &layout, ArrayRef<uint8_t> image,
                     Address begin, Address end, Crc &crc) {
  const uint8_t filler = link.program.config.gapFill.value_or(0);
  Address at = begin;
  for (const LoadedBytes &bytes : loaded) {
    const Address from = std::max(bytes.address, at);
    const Address to = std::min(bytes.address + bytes.size, end);
    if (from >= to)
      continue;
    crc.addFiller(filler, from.sizeFrom(at));
    const Size offset =
        layout.offsets[bytes.output] + from.sizeFrom(bytes.address);
    crc.add(image.slice(offset, to.sizeFrom(from)));
    at = to;
  }
  crc.addFiller(filler, end.sizeFrom(at));
}

void fillChecksums(const Link &link, ArrayRef<Checksum> checksums,
                   const FileLayout &layout, MutableArrayRef<uint8_t> image) {
  const std::vector<LoadedBytes> loaded = loadedBytes(link);
  for (const Checksum &sum : checksums) {
    Crc crc(*sum.kind);
    // Its own place is left out, wherever it stands.
    const Address front = std::clamp(sum.place, sum.begin, sum.end);
    const Address back = std::clamp(sum.placeEnd(), sum.begin, sum.end);
    addRange(link, loaded, layout, image, sum.begin, front, crc);
    addRange(link, loaded, layout, image, back, sum.end, crc);
    const Size at = layout.offsets[sum.output] + sum.offset;
    writeLittle(crc.value(), image.slice(at, sum.kind->bytes()));
  }
}

} // namespace xlink
