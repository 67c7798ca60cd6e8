//===- SectionBytes.h - an output section's bytes -------------------------===//
#ifndef XLINK_OUTPUT_SECTIONBYTES_H
#define XLINK_OUTPUT_SECTIONBYTES_H

#include "model/Link.h"
#include "output/Relocator.h"
#include <deque>
#include <string>
#include <vector>

namespace xlink {

/// More padding than this is a mistake in a script, not a program.
constexpr uint64_t kMaxPadding = uint64_t(128) << 20;

/// A run of one output section's bytes that one worker renders in one go.
struct FileChunk {
  OutputId output;
  Size begin, end; ///< offsets in the output section
  size_t first;    ///< its parts are `count` from here on
  uint32_t count;
};

/// The parts of all output sections that have bytes in the file, and the chunks
/// in which they are rendered (128 KB to 1 MB each, or some thousand parts).
/// Long gaps of zeros belong to no chunk: a fresh file reads as zero there. Nor
/// do gaps beyond kMaxPadding, which are an error.
class SectionBytes {
public:
  /// `written`: the output sections that have bytes in the file.
  SectionBytes(const Link &link, const SymbolValues &values,
               const IdVector<OutputId, bool> &written,
               const Relocator &relocator);
  const std::vector<FileChunk> &chunks() const { return chunkList; }
  /// Renders a chunk: copies, fills, relocates. `bytes` has its size.
  void render(const FileChunk &chunk, llvm::MutableArrayRef<uint8_t> bytes,
              RelocationProblems &problems) const;
  /// Bytes of padding that the file holds, and the section with the widest gap.
  Size padding() const { return paddingBytes; }
  OutputId widestGap() const { return widest; }
  /// A message about a member that does not lie behind the one before it and
  /// inside its section, with which nothing can be rendered; "": there is none.
  const std::string &strayMember() const { return strayText; }

private:
  /// The bytes at an offset of an output section, up to the next part.
  struct SectionPart {
    Size offset, size;
    SectionId section;     ///< an input section, or
    uint32_t item = kNone; ///< that statement, a BYTE ... ASCIZ command
    /// Filler in force behind this part; null: the section's own.
    const std::vector<uint8_t> *fill = nullptr;

    Size end() const { return offset + size; }
  };

  bool addParts(const OutputView &out);
  void addChunks(const OutputView &out, size_t firstPart);
  llvm::ArrayRef<uint8_t> fillBehind(const OutputView &out,
                                     const SectionPart &part) const;
  void fillGap(const OutputView &out, const SectionPart &part,
               llvm::MutableArrayRef<uint8_t> gap) const;
  void copy(SectionId id, llvm::MutableArrayRef<uint8_t> place) const;

  const Link &link;
  const Relocator &relocator;
  const std::vector<uint8_t> got;         ///< bytes of the GOT
  const std::vector<uint8_t> initTables;  ///< bytes of --init-tables
  std::deque<std::vector<uint8_t>> fills; ///< of the script's FILL statements
  std::vector<SectionPart> parts;
  std::vector<FileChunk> chunkList;
  Size paddingBytes, widestBytes;
  OutputId widest;
  OutputId strayOutput; ///< of several strays the first output section counts
  std::string strayText;
};

} // namespace xlink
#endif
