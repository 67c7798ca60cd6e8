//===- LinkMapJson.h - a LinkMap as JSON ----------------------------------===//
#ifndef XLINK_MAP_LINKMAPJSON_H
#define XLINK_MAP_LINKMAPJSON_H

#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Writes --map-json, as README.md here describes it: the same for equal maps.
/// Ends the last line. Bytes of names that are no UTF-8 are replaced.
void writeMapJson(llvm::raw_ostream &out, const LinkMap &map);
/// The same as a string.
std::string mapJson(const LinkMap &map);

/// Reads the text of a map in the form of map/README.md; `file` names it in
/// messages. The first place that is not of that form is an error that names
/// the file and the member, and the result is nothing. In a map that is
/// returned every index is one of its list, parts lie in their output sections
/// in order, and those in the address space. Members that are not known are
/// passed over.
std::optional<LinkMap> readLinkMap(llvm::StringRef file, llvm::StringRef text,
                                   Diagnostics &diag);
/// readLinkMap of a file; null `fs`: the operating system's.
std::optional<LinkMap> readLinkMapFile(llvm::vfs::FileSystem *fs,
                                       llvm::StringRef path, Diagnostics &diag);

} // namespace xlink
#endif
