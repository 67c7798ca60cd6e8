//===- LinkMapReader.h - a map from its JSON form -------------------------===//
#ifndef XLINK_MAP_LINKMAPREADER_H
#define XLINK_MAP_LINKMAPREADER_H

#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Reads the text of a map in the form of map/README.md; `file` names it in
/// messages. Whatever is not of that form is one error that names the file and
/// the member, and the result is nothing. In a map that is returned every index
/// is one of its list, parts lie in their output sections in order, and those
/// in the address space. Members that are not known are passed over.
std::optional<LinkMap> readLinkMap(llvm::StringRef file, llvm::StringRef text,
                                   Diagnostics &diag);

/// readLinkMap of a file; null `fs`: the operating system's.
std::optional<LinkMap> readLinkMapFile(llvm::vfs::FileSystem *fs,
                                       llvm::StringRef path, Diagnostics &diag);

} // namespace xlink
#endif
