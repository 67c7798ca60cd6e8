//===- LinkMapJson.h - a LinkMap as JSON ----------------------------------===//
#ifndef XLINK_MAP_LINKMAPJSON_H
#define XLINK_MAP_LINKMAPJSON_H

#include "base/Parallel.h"
#include "base/TextBlock.h"
#include "map/LinkMap.h"
#include <string>
#include <vector>

namespace xlink {

/// The text of --map-json, as README.md here describes it: the same for equal
/// maps, whatever the number of threads. It ends its last line. Bytes of names
/// that are no UTF-8 are replaced.
std::string mapJson(const LinkMap &map, const Parallel &parallel = Parallel(1));
/// The same in pieces, one behind the other, each of whole elements: a large
/// text need not be copied to be written.
std::vector<TextBlock> mapJsonPieces(const LinkMap &map,
                                     const Parallel &parallel);

} // namespace xlink
#endif
