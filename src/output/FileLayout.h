//===- FileLayout.h - where things stand in the file ----------------------===//
#ifndef XLINK_OUTPUT_FILELAYOUT_H
#define XLINK_OUTPUT_FILELAYOUT_H

#include "layout/Segments.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// The bytes that the file holds of sections instead of their own.
using CompressedSections = std::map<OutputId, std::vector<uint8_t>>;

/// --compress-debug-sections: those debugging sections that are smaller so,
/// with the header that says how they are compressed. Empty for an output that
/// is no ELF file.
CompressedSections compressDebugSections(const Link &link,
                                         const SymbolValues &values);

/// A section group that is in a relocatable output.
struct KeptGroup {
  FileId file;
  uint32_t group; ///< into ParsedObject::groups
};

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
  /// Of a relocatable output, in the order of the inputs: their headers stand
  /// in front of all others.
  std::vector<KeptGroup> groups;
  Size begin; ///< bytes in front of the sections: the headers
  Size end;   ///< behind the last section's bytes, before any table

  /// The bytes that the file holds of a section.
  Size sizeOf(const OutputView &out) const {
    auto it = compressed.find(out.id);
    return it == compressed.end() ? out.size : Size(it->second.size());
  }
};

/// An ELF file: the headers, then loaded bytes as segments have them, then
/// sections that are not loaded.
FileLayout layOutElf(const Link &link, CompressedSections compressed = {});

/// Loaded bytes, for formats without segments.
struct LoadedBytes {
  Address address; ///< LMA
  Size size;
  OutputId output; ///< the section that has them, at
  Size offset;     ///< this offset

  Address end() const { return address + size; }
};
/// Those of a link between two load addresses, by load address.
std::vector<LoadedBytes> loadedBytes(const Link &link, Address begin = {},
                                     Address end = Address::end());
/// "sections 'a' and 'b' are both loaded to 0x10"; "" if each address has one
/// byte, which --no-check-sections leaves open.
std::string overlapText(const Link &link, llvm::ArrayRef<LoadedBytes> loaded);

/// Loaded bytes by load address, from the lowest on: with the gaps between them
/// a memory image (--oformat binary); without, formats with addresses are
/// written from it. Sections without bytes are not in it.
FileLayout layOutBytes(const Link &link, bool gaps);

/// Whether the output is made from all loaded bytes at once, as texts are, and
/// not section by section.
bool isMadeFromImage(const Program &program);

/// The layout of the link's output format, or of the bytes that it is made from
/// (isMadeFromImage).
FileLayout layOutFile(const Link &link, CompressedSections compressed = {});

} // namespace xlink
#endif
