//===- LinkMapJson.h - a LinkMap as JSON ----------------------------------===//
#ifndef XLINK_MAP_LINKMAPJSON_H
#define XLINK_MAP_LINKMAPJSON_H

#include "map/LinkMap.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace xlink {

/// Writes --map-json, as README.md here describes it: the same for equal maps.
/// Ends the last line. Bytes of names that are no UTF-8 are replaced.
void writeMapJson(llvm::raw_ostream &out, const LinkMap &map);
/// The same as a string.
std::string mapJson(const LinkMap &map);

} // namespace xlink
#endif
