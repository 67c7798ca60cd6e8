//===- LinkMap.cpp --------------------------------------------------------===//
#include "map/LinkMap.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

namespace xlink {

llvm::StringRef LinkMap::keep(llvm::StringRef text) {
  char *copy = texts->Allocate<char>(text.size());
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

std::string LinkMap::fileName(uint32_t file) const {
  if (file == kNoIndex)
    return "";
  const MapFile &f = files[file];
  return f.member.empty() ? f.path.str()
                          : (f.path + llvm::Twine("(") + f.member + ")").str();
}

} // namespace xlink
