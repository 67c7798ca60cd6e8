//===- LinkMap.cpp --------------------------------------------------------===//
#include "map/LinkMap.h"
#include "llvm/ADT/Twine.h"
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
  if (part.kind != MapPart::Padding || region == kNoIndex)
    return nullptr;
  for (const MapReservation &r : regions[region].reservations)
    if (part.address >= r.address && part.address - r.address < r.size &&
        part.size <= r.size - (part.address - r.address))
      return &r;
  return nullptr;
}

std::string LinkMap::fileName(uint32_t file) const {
  if (file == kNoIndex)
    return "";
  const MapInput &f = files[file];
  return f.member.empty() ? f.path.str()
                          : (f.path + llvm::Twine("(") + f.member + ")").str();
}

} // namespace xlink
