//===- FileLayout.h - where things stand in the file ----------------------===//
#ifndef XLINK_OUTPUT_FILELAYOUT_H
#define XLINK_OUTPUT_FILELAYOUT_H

#include "layout/Segments.h"
#include "model/Link.h"
#include <vector>

namespace xlink {

/// Places in the output file: made once addresses are fixed, then const.
struct FileLayout {
  /// Section header index, 0: none.
  IdVector<OutputId, uint32_t> headers;
  uint32_t sectionCount = 1;            ///< such headers, the null one too
  IdVector<OutputId, uint64_t> offsets; ///< of each output section's bytes
  IdVector<OutputId, bool> written;     ///< its bytes are in the file
  std::vector<SegmentPlace> segments;   ///< parallel to Geometry::segments
  uint64_t begin = 0; ///< bytes in front of the sections: the headers
  uint64_t end = 0;   ///< behind the last section's bytes, before any table
};

/// An ELF file: the headers, then loaded bytes as segments have them, then what
/// is not loaded.
FileLayout layOutElf(const Link &link);

/// Bytes that are loaded, and where: all that formats without segments know.
struct LoadedBytes {
  uint64_t address; ///< LMA
  uint64_t size;
  OutputId output;
};
/// All of a link, by load address.
std::vector<LoadedBytes> loadedBytes(const Link &link);

/// A memory image (--oformat binary): from the lowest loaded byte on, by load
/// address. Sections without bytes are not in it.
FileLayout layOutImage(const Link &link);

} // namespace xlink
#endif
