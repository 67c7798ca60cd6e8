//===- Link.h - all results of a link in one value ------------------------===//
//
// Program, Placement, Contributions, OutputInfo and Addresses are made one
// after the other and frozen. Later passes read all of them: a Link refers to
// the five and answers questions about more than one, such as where a byte of
// an input section is. It owns nothing and changes nothing.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_LINK_H
#define XLINK_MODEL_LINK_H

#include "model/Addresses.h"
#include "model/Contributions.h"
#include "model/OutputInfo.h"
#include "model/Placement.h"
#include "model/Program.h"

namespace xlink {

/// An input section and its place.
struct SectionView {
  const ParsedSection *parsed; ///< null: not part of any output
  FileId file;                 ///< kNone: made by the linker
  OutputId output;
  Size offset; ///< from the output section's start
  Size size;   ///< bytes it takes
  bool discarded, live;

  bool placed() const { return output != kNone && live && !discarded; }
};

/// An output section and its place.
struct OutputView {
  OutputId id;
  const OutputSection &section;
  const OutputSectionInfo &info;
  const OutputPlace &place;

  const std::string &name = section.name;
  const OutputSectionCommand *const command = section.command;
  const OverlayCommand *const overlay = section.overlay;
  const std::vector<OutputItem> &items = section.items;
  const std::vector<SectionId> &members = section.members;
  const bool dropped = section.dropped;
  const uint32_t type = info.type;
  const uint64_t flags = info.flags;
  const bool kept = info.kept;
  const bool noload = info.noload, addressed = info.addressed;
  const Address address = place.address, loadAddress = place.loadAddress;
  const Size size = place.size;
  const uint64_t align = place.align;
  const uint32_t traits = place.traits;
  const RegionId region = place.region, lmaRegion = place.lmaRegion;
  const std::vector<uint8_t> &fill = place.fill;

  bool isAlloc() const { return info.isAlloc(); }
  bool isNoBits() const { return info.isNoBits(); }
  /// .tbss: zeros of each thread's template, which take no memory themselves.
  bool isThreadZeros() const { return info.isThreadZeros(); }
  /// Whether it takes memory.
  bool occupies() const {
    return kept && isAlloc() && size != 0 && !isThreadZeros();
  }
  /// Whether it has bytes in the file.
  bool hasBytes() const { return kept && !isNoBits() && size != 0; }
};

/// Inputs and their places, before anything has an address.
struct PartialLink {
  const Program &program;
  const Placement &placement;
  const Contributions &contributions;

  /// Whether a section has a place in the output.
  bool placed(SectionId id) const {
    return placement.sections[id].placed() && contributions.liveness.lives(id);
  }
  /// Whether any input section of an output section is in the output.
  bool holdsSections(const OutputSection &out) const;
  /// Whether the byte `offset` of a placed section is in the output.
  bool keepsByte(SectionId id, uint64_t offset) const {
    const uint32_t cut = contributions.sections[id].cut;
    return cut == kNone || contributions.cuts[cut].find(offset);
  }
  /// Whether each byte of an input section is where the section says.
  bool isUnchanged(SectionId id) const {
    const Contribution &c = contributions.sections[id];
    return c.folded == kNone && c.merge == kNone && c.cut == kNone;
  }
  /// Where a byte of an input section is: of a merged section it may be in
  /// another one; nothing where its piece is in none.
  struct InputByte {
    SectionId section;
    uint64_t offset; ///< in that section's contribution
  };
  std::optional<InputByte> whereIs(SectionId id, uint64_t offset) const {
    if (isUnchanged(id))
      return InputByte{id, offset};
    return whereIsChanged(id, offset);
  }
  /// Whether the piece of a merged section is nowhere.
  bool isDeadPiece(SectionId id, uint64_t offset) const {
    return contributions.sections[id].merge != kNone && !whereIs(id, offset);
  }

private:
  /// The same of a section that is folded, merged or cut.
  std::optional<InputByte> whereIsChanged(SectionId id, uint64_t offset) const;
};

struct Link : PartialLink {
  Link(const PartialLink &link, const OutputInfo &info,
       const Addresses &addresses)
      : PartialLink(link), info(info), addresses(addresses) {}

  const OutputInfo &info;
  const Addresses &addresses;

  SectionView section(SectionId id) const;
  OutputView output(OutputId id) const {
    return {id, placement.outputs[id], info.outputs[id], addresses.outputs[id]};
  }
  BoundSymbol symbol(SymbolId id) const;
  /// The byte of an input section that a symbol stands for, kNone: of none.
  InputByte definitionOf(SymbolId id) const {
    const Symbol &s = program.symbols[id];
    if (s.slot == kNone) // nearly all: nothing else gives them a value
      return definitionOf(s);
    return definitionOf(symbol(id));
  }
  const ItemPlace &item(const OutputSection &out, uint32_t index) const {
    return addresses.items[out.firstItem + index];
  }
  /// All output sections, by id. Of a Link that outlives the walk: a
  /// range-based loop does not keep one that it gets from a call.
  auto outputs() const & {
    return llvm::map_range(placement.outputs.ids(),
                           [this](OutputId id) { return output(id); });
  }
  void outputs() const && = delete;
  /// Those of the layout, in the order of the output.
  auto outputsInOrder() const & {
    return llvm::map_range(
        llvm::make_filter_range(
            placement.layout,
            [](const LayoutCommand &c) { return c.output != kNone; }),
        [this](const LayoutCommand &c) { return output(c.output); });
  }
  void outputsInOrder() const && = delete;
  /// Bytes that an input section takes. Those of --init-tables are known only
  /// with addresses.
  Size sizeOf(SectionId id) const {
    return id == program.initTables
               ? Size(addresses.initTables.bytes(program.addressSize()))
               : contributions.sections[id].size;
  }
  /// Where each output section is loaded to: AT() of PHDRS moves all that is in
  /// a segment.
  IdVector<OutputId, Address> loadedTo() const;
  /// Where a placed section's first byte is.
  Address addressOf(SectionId id) const;
  /// Address of byte `offset` of an input section that is placed, modulo 2^64,
  /// as that may be any number; 0 where it is nowhere.
  uint64_t addressOf(SectionId id, uint64_t offset) const;
  /// Address of a global symbol; 0 where it has none.
  uint64_t addressOf(const BoundSymbol &symbol) const;

  /// The defined symbol whose name is nearest in spelling, or "".
  std::string nearestDefined(llvm::StringRef name) const;
  /// The largest of some input sections, at most `most`, as notes:
  /// "24 bytes: a.o:(.text)".
  std::vector<std::string> largestNotes(std::vector<SectionId> members,
                                        size_t most) const;

private:
  static InputByte definitionOf(const Symbol &s) {
    return s.kind == SymbolKind::Defined ? InputByte{s.section, s.value}
                                         : InputByte{kNone, 0};
  }
};

} // namespace xlink
#endif
