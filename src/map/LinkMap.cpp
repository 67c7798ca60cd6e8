//===- LinkMap.cpp --------------------------------------------------------===//
#include "map/LinkMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace xlink {

uint32_t LinkMap::regionAt(uint64_t address) const {
  for (uint32_t i = 0; i < regions.size(); ++i)
    if (const MapRegion &r = regions[i];
        address >= r.origin && address - r.origin < r.length)
      return i;
  return kNoIndex;
}

llvm::StringRef LinkMap::keep(llvm::StringRef text) {
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
    else if (o.loadRegion == region && o.type != llvm::ELF::SHT_NOBITS)
      taken.push_back({o.loadAddress, &o});
  }
  llvm::sort(taken);
  std::vector<Gap> gaps;
  uint64_t end = regions[region].origin;
  auto add = [&](uint64_t to, const MapOutput *before) {
    if (to > end)
      gaps.push_back({end, to, before});
    end = std::max(end, to);
  };
  for (auto [begin, output] : taken) {
    add(begin, output);
    end = std::max(end, llvm::SaturatingAdd(begin, output->size));
  }
  add(llvm::SaturatingAdd(regions[region].origin, regions[region].used),
      nullptr);
  return gaps;
}

std::string LinkMap::fileName(uint32_t file) const {
  if (file == kNoIndex)
    return "";
  const MapInput &f = files[file];
  return f.member.empty() ? f.path.str()
                          : (f.path + llvm::Twine("(") + f.member + ")").str();
}

} // namespace xlink
