//===- LinkMap.cpp --------------------------------------------------------===//
#include "map/LinkMap.h"
#include "llvm/ADT/Twine.h"

namespace xlink {

std::string LinkMap::fileName(uint32_t file) const {
  if (file == kNoIndex)
    return "";
  const MapFile &f = files[file];
  return f.member.empty() ? f.path.str()
                          : (f.path + llvm::Twine("(") + f.member + ")").str();
}

} // namespace xlink
