//===- FileLayout.h - where things stand in the file ----------------------===//
#ifndef XLINK_OUTPUT_FILELAYOUT_H
#define XLINK_OUTPUT_FILELAYOUT_H

#include "layout/Segments.h"
#include "model/Link.h"
#include "output/Relocatable.h"
#include <map>
#include <vector>

namespace xlink {

/// The bytes that the file holds of sections in place of those that they have.
using CompressedSections = std::map<OutputId, std::vector<uint8_t>>;

/// Places in the output file: made once addresses are fixed, then const.
struct FileLayout {
  bool elf = false; ///< with headers and tables
  /// Section header index, 0: none.
  IdVector<OutputId, uint32_t> headers;
  uint32_t sectionCount = 1;        ///< such headers, the null one too
  IdVector<OutputId, Size> offsets; ///< of each output section's bytes
  IdVector<OutputId, bool> written; ///< its bytes are in the file
  CompressedSections compressed;
  std::vector<SegmentPlace> segments; ///< parallel to Addresses::segments
  /// Of a relocatable output: their headers stand in front of all others.
  std::vector<KeptGroup> groups;
  Size begin; ///< bytes in front of the sections: the headers
  Size end;   ///< behind the last section's bytes, before any table

  /// The bytes that the file holds of a section.
  Size sizeOf(const OutputView &out) const {
    auto it = compressed.find(out.id);
    return it == compressed.end() ? out.size : Size(it->second.size());
  }
};

/// An ELF file: the headers, then loaded bytes as segments have them, then what
/// is not loaded.
FileLayout layOutElf(const Link &link, CompressedSections compressed = {});

/// Bytes that are loaded, and where: all that formats without segments know.
struct LoadedBytes {
  Address address; ///< LMA
  Size size;
  OutputId output;
};
/// All of a link, by load address.
std::vector<LoadedBytes> loadedBytes(const Link &link);

/// A memory image (--oformat binary): from the lowest loaded byte on, by load
/// address. Sections without bytes are not in it.
FileLayout layOutImage(const Link &link);

/// The same bytes one behind the other, by load address: what formats are
/// written from that say where bytes go.
FileLayout layOutLoaded(const Link &link);

/// Whether the output is made from all that is loaded at once, as texts are,
/// and not section by section.
bool isMadeFromImage(const Program &program);

/// The layout of the link's output format, of isMadeFromImage what it is made
/// from.
FileLayout layOutFile(const Link &link, CompressedSections compressed = {});

} // namespace xlink
#endif
