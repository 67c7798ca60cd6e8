//===- LinkMap.cpp --------------------------------------------------------===//
#include "map/LinkMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace xlink {

uint32_t LinkMap::regionAt(uint64_t address) const {
  for (uint32_t i = 0; i < regions.size(); ++i)
    if (const MapRegion &r = regions[i];
        address >= r.origin && address - r.origin < r.length)
      return i;
  return kNoIndex;
}

StringRef LinkMap::keep(StringRef text) {
  char *copy = texts->Allocate<char>(text.size());
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

const MapReservation *LinkMap::reservationOf(const MapPart &part) const {
  const uint32_t region = outputs[part.output].region;
  if (region == kNoIndex)
    return nullptr;
  for (const MapReservation &r : regions[region].reservations)
    if (part.address >= r.address && part.address - r.address < r.size &&
        part.size <= r.size - (part.address - r.address))
      return &r;
  return nullptr;
}

std::vector<LinkMap::Gap> LinkMap::gapsOf(uint32_t region) const {
  std::vector<std::pair<uint64_t, const MapOutput *>> taken;
  for (const MapOutput &o : outputs) {
    if (!o.takesMemory())
      continue;
    if (o.region == region)
      taken.push_back({o.address, &o});
    else if (o.loadRegion == region && o.type != ELF::SHT_NOBITS)
      taken.push_back({o.loadAddress, &o});
  }
  sort(taken);
  std::vector<Gap> gaps;
  uint64_t end = regions[region].origin;
  auto add = [&](uint64_t to, const MapOutput *before) {
    if (to > end)
      gaps.push_back({end, to, before});
    end = std::max(end, to);
  };
  for (auto [begin, output] : taken) {
    add(begin, output);
    end = std::max(end, SaturatingAdd(begin, output->size));
  }
  add(SaturatingAdd(regions[region].origin, regions[region].used), nullptr);
  return gaps;
}

uint64_t LinkMap::namelessBytes(const MapPart &part) const {
  uint64_t nameless = part.size, done = 0;
  for (const MapSymbol &s :
       ArrayRef(symbols).slice(part.firstSymbol, part.symbols)) {
    if (s.kind == MapSymbol::Section || s.address < part.address)
      continue;
    const uint64_t begin = std::max(done, s.address - part.address);
    const uint64_t end =
        std::min(part.size, SaturatingAdd(s.address - part.address, s.size));
    if (begin >= end)
      continue;
    nameless -= end - begin;
    done = end;
  }
  return nameless;
}

std::string LinkMap::fileName(uint32_t file) const {
  if (file == kNoIndex)
    return "";
  const MapInput &f = files[file];
  return f.member.empty() ? f.path.str()
                          : (f.path + Twine("(") + f.member + ")").str();
}

//===----------------------------------------------------------------------===//
// Sizes of symbols
//
// Problem: assembly, and some compilers, leave st_size 0. A table of sizes
// should have the function, not a hundred labels in it.
//
// Method: an item begins at a function, an object, a global label or a symbol
// that states its size; in a part without these, at local labels, except those
// of compilers (.L) and of disassemblers ($). An item without a size reaches up
// to the next one, or to the part's end. No item begins inside of the stated
// size of another one.
//
// Cost: two walks over the symbols of each part.
//
//===----------------------------------------------------------------------===//

/// Whether an item begins here, in any part.
static bool isHead(const MapSymbol &s) {
  return s.size || !s.local ||
         (s.kind != MapSymbol::None && s.kind != MapSymbol::Section);
}

static bool isWrittenLabel(const MapSymbol &s) {
  return s.kind != MapSymbol::Section && !s.name.starts_with(".L") &&
         !s.name.starts_with("$");
}

void inferSizes(const MapPart &part, MutableArrayRef<MapSymbol> symbols) {
  if (!part.size || all_of(symbols, [](const MapSymbol &s) { return s.size; }))
    return;
  auto offset = [&](const MapSymbol &s) { return s.address - part.address; };
  const bool anyHead = any_of(symbols, isHead);
  std::vector<bool> heads(symbols.size());
  uint64_t statedEnd = 0;
  for (size_t i = 0; i < symbols.size(); ++i) {
    const MapSymbol &s = symbols[i];
    if (offset(s) >= part.size)
      break;
    heads[i] = s.size || (offset(s) >= statedEnd &&
                          (anyHead ? isHead(s) : isWrittenLabel(s)));
    if (s.size)
      statedEnd = std::max(statedEnd, offset(s) + std::min(s.size, part.size));
  }
  // Several names of one place reach equally far.
  uint64_t end = part.size, next = part.size;
  for (size_t i = symbols.size(); i-- > 0;) {
    if (!heads[i])
      continue;
    MapSymbol &s = symbols[i];
    if (offset(s) < next) {
      end = next;
      next = offset(s);
    }
    if (s.size)
      continue;
    s.size = end - offset(s);
    s.inferred = true;
  }
}

} // namespace xlink
