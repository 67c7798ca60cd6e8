//===- LinkMapJson.h - a LinkMap as JSON ----------------------------------===//
#ifndef XLINK_MAP_LINKMAPJSON_H
#define XLINK_MAP_LINKMAPJSON_H

#include "base/LongText.h"
#include "map/LinkMap.h"
#include "map/PartSource.h"
#include <memory>
#include <string>

namespace xlink {

/// The text of --map-json, as README.md here describes it: the same for equal
/// maps. It ends its last line. Bytes of names that are no UTF-8 are replaced.
/// Each piece has whole elements; `map` must live as long as the text.
LongText mapJsonText(const LinkMap &map);
/// The same, of a map whose parts and symbols come from elsewhere.
LongText mapJsonText(const LinkMap &map,
                     std::shared_ptr<const PartSource> parts);
/// The same at once.
inline std::string mapJson(const LinkMap &map) {
  return mapJsonText(map).str();
}

} // namespace xlink
#endif
