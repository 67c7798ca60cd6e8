//===- SectionBytes.h - an output section's bytes, piece by piece ---------===//
#ifndef XLINK_OUTPUT_SECTIONBYTES_H
#define XLINK_OUTPUT_SECTIONBYTES_H

#include "model/Link.h"
#include "output/Relocator.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace xlink {

/// More padding than this is a mistake in a script, not a program.
constexpr uint64_t kMaxPadding = uint64_t(128) << 20;

/// What stands at an offset of an output section.
struct Part {
  Size offset, size;
  SectionId section;     ///< an input section, or
  uint32_t item = kNone; ///< that statement, a BYTE ... ASCIZ command
  /// Filler in force behind this part; null: the section's own.
  const std::vector<uint8_t> *fill = nullptr;

  Size end() const { return offset + size; }
};

/// A place in front of a part of an output section.
struct PartCursor {
  enum Stage : uint8_t { First, Gap, Fill, Data, Members, Zeros } stage = First;
  uint32_t item = 0, member = 0; ///< statement; into OutputSection::members
  Size end;                      ///< of the part before
  const std::vector<uint8_t> *fill = nullptr; ///< that the script gave last
};

/// A run of one output section's bytes that one worker renders in one go.
struct FileChunk {
  OutputId output;
  Size begin, end;  ///< offsets in the output section
  PartCursor first; ///< its parts are `count` from here on
  uint32_t count;
};

/// The parts of all output sections that have bytes in the file, and the chunks
/// they are rendered in (128 KB each, 1 MB of large sections, or some thousand
/// parts). Long gaps that are zero belong to no chunk: a fresh file reads as
/// zero there. Nor do gaps beyond kMaxPadding, with which nothing is written.
class SectionBytes {
public:
  /// `written`: the output sections that have bytes in the file.
  SectionBytes(const Link &link, const SymbolValues &values,
               const IdVector<OutputId, bool> &written,
               const Relocator &relocator);
  const std::vector<FileChunk> &chunks() const { return chunkList; }
  /// Bytes of an input that are in the output as they are.
  struct Unchanged {
    Size offset; ///< in the output section
    llvm::ArrayRef<uint8_t> bytes;
  };
  /// Renders a chunk: copies, fills, relocates. `bytes` has its size. Long runs
  /// that are in the output as they are in the input are not copied where
  /// somebody wants a list of them.
  void render(const FileChunk &chunk, llvm::MutableArrayRef<uint8_t> bytes,
              RelocationProblems &problems,
              std::vector<Unchanged> *unchanged = nullptr) const;
  /// Bytes of padding that the file holds, and where most of them are.
  Size padding() const { return paddingBytes; }
  OutputId widestGap() const { return widest; }
  /// A member that does not lie behind the one before it and inside its section
  /// `output`, with which nothing can be rendered; of several that of the first
  /// output section.
  struct Stray {
    OutputId output;
    SectionId section; ///< kNone: data of the statement
    uint32_t item;     ///< into OutputSection::items
  };
  const std::optional<Stray> &stray() const { return strayMember; }

private:
  class Walk;
  void findFills(const OutputView &out);
  bool fillsWithZeros(const OutputView &out, const Part &part) const;
  void addSection(const OutputView &out);
  bool isUnchanged(SectionId id, bool mayReverse) const;
  void copy(SectionId id, llvm::MutableArrayRef<uint8_t> place,
            bool mayReverse) const;
  void fillGap(const Part *before, const OutputView &out, Size begin,
               llvm::MutableArrayRef<uint8_t> gap) const;

  const Link &link;
  const Relocator &relocator;
  const std::vector<uint8_t> got;        ///< bytes of the GOT
  const std::vector<uint8_t> initTables; ///< bytes of --init-tables
  /// Bytes of the script's FILL statements.
  llvm::DenseMap<ItemId, std::vector<uint8_t>> fills;
  std::vector<FileChunk> chunkList;
  Size paddingBytes, widestBytes;
  OutputId widest;
  std::optional<Stray> strayMember;
};

} // namespace xlink
#endif
