//===- SectionBytes.h - an output section's bytes, piece by piece ---------===//
#ifndef XLINK_OUTPUT_SECTIONBYTES_H
#define XLINK_OUTPUT_SECTIONBYTES_H

#include "model/Link.h"
#include "output/Relocator.h"
#include <deque>
#include <vector>

namespace xlink {

/// More padding than this is a mistake in a script, not a program.
constexpr uint64_t kMaxPadding = uint64_t(128) << 20;

/// A run of one output section's bytes that one worker renders in one go.
struct Chunk {
  OutputId output;
  Size begin, end;              ///< offsets in the output section
  uint32_t firstPart, lastPart; ///< parts [first, last) of SectionParts
};

/// What stands at an offset of an output section.
struct Part {
  Size offset, size;
  SectionId section;     ///< an input section, or
  uint32_t item = kNone; ///< that statement, a BYTE ... ASCIZ command
  /// Filler in force behind this part; null: the section's own.
  const std::vector<uint8_t> *fill = nullptr;

  Size end() const { return offset + size; }
};

/// The parts of all output sections that have bytes in the file, and the chunks
/// they are rendered in (about 1 MB each). Long gaps that are zero belong to no
/// chunk: a fresh file reads as zero there. Nor do gaps beyond kMaxPadding,
/// with which nothing is written.
class SectionBytes {
public:
  /// `written`: the output sections that have bytes in the file.
  SectionBytes(const Link &link, const SymbolValues &values,
               const IdVector<OutputId, bool> &written,
               const Relocator &relocator);
  const std::vector<Chunk> &chunks() const { return chunkList; }
  /// Renders a chunk: copies, fills, relocates. `bytes` has its size.
  void render(const Chunk &chunk, llvm::MutableArrayRef<uint8_t> bytes,
              RelocationProblems &problems) const;
  /// Bytes of padding that the file holds, and where most of them are.
  Size padding() const { return paddingBytes; }
  OutputId widestGap() const { return widest; }

private:
  void gather(const OutputView &out);
  bool fillsWithZeros(const OutputView &out, const Part &part) const;
  void addSection(const OutputView &out);
  void copy(SectionId id, llvm::MutableArrayRef<uint8_t> place) const;
  void fillGap(const Part *before, const OutputView &out, Size begin,
               llvm::MutableArrayRef<uint8_t> gap) const;

  const Link &link;
  const Relocator &relocator;
  const std::vector<uint8_t> got;         ///< bytes of the GOT
  const std::vector<uint8_t> initTables;  ///< bytes of --init-tables
  std::deque<std::vector<uint8_t>> fills; ///< that parts point to
  std::vector<Part> parts;
  std::vector<Chunk> chunkList;
  Size paddingBytes, widestBytes;
  OutputId widest;
};

} // namespace xlink
#endif
