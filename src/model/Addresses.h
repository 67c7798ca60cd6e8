//===- Addresses.h - addresses, sizes and values --------------------------===//
//
// Addresses, sizes, values: the result of a round of address assignment. Rounds
// are a function from one such value to the next; the last one equals the one
// before it.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_ADDRESSES_H
#define XLINK_MODEL_ADDRESSES_H

#include "base/Address.h"
#include "model/Ids.h"
#include "model/Symbols.h"
#include <optional>

namespace xlink {

/// An output section's place.
struct OutputPlace {
  Address address;     ///< VMA
  Address loadAddress; ///< LMA
  Size size;
  /// It ends elsewhere than it begins: before that, where sections that moved
  /// on left dot at the end of their region.
  bool filled = false;
  uint64_t align = 1;    ///< sh_addralign
  uint64_t subalign = 0; ///< SUBALIGN of its last input, 0: none
  uint32_t traits = 0;   ///< SectionTrait bits
  RegionId region, lmaRegion;
  std::vector<uint8_t> fill; ///< =fill, empty: the machine's or zeros
  /// It would end behind the address space; its size is cut to fit.
  bool overflows = false;
  /// Where dot stands behind it; nothing where it leaves dot alone.
  std::optional<Address> dotBehind;

  Address end() const { return address + size; }
  Address loadEnd() const { return loadAddress + size; }
  bool operator==(const OutputPlace &) const = default;
};

/// The result of a statement.
struct StatementValue {
  uint64_t value = 0; ///< Assignment, Assert: the result; Data, Fill: the value
  bool skipped = false; ///< a PROVIDE that stepped back

  bool operator==(const StatementValue &) const = default;
};

/// A statement of an output section, and the sections that it takes.
struct ItemPlace : StatementValue {
  Size offset;           ///< dot when reached, from the section's start
  uint64_t subalign = 0; ///< SUBALIGN in force, 0: none
  // Of the statement's sections:
  bool holds = false; ///< one takes a place here
  uint64_t align = 0; ///< the largest alignment; 0: they vary
  uint64_t phase = 0; ///< where they begin, modulo `align`
  Size size;          ///< of all of them, alignment in front included

  bool operator==(const ItemPlace &) const = default;
};

/// A MEMORY region at work.
struct RegionPlace {
  Address origin;
  Size length;
  Address cursor;       ///< where the next section begins
  OutputId lastOutput;  ///< the section whose LMA the next one's follows
  bool misread = false; ///< an error says that one of these means nothing

  Address end() const { return origin + length; }
  bool operator==(const RegionPlace &) const = default;
};

/// A PHDRS entry at work.
struct ScriptPhdr {
  uint32_t type = 0;
  std::optional<uint32_t> flags;
  std::optional<Address> loadAddress;

  bool operator==(const ScriptPhdr &) const = default;
};

/// A program header, but for its place in the file.
struct Segment {
  uint32_t type = 0, flags = 0;
  Address address, loadAddress;
  Size fileSize, memSize;
  uint64_t align = 1;
  Address base; ///< LMA of its first byte, before AT() of PHDRS moves it
  bool hasHeaders = false; ///< covers ELF or program headers
  Size headersBegin; ///< their place in the file, where they are all it holds
  std::vector<OutputId> sections;

  bool operator==(const Segment &) const = default;
};

/// A result of a link-time expression that is a local symbol.
struct LocalResult {
  uint32_t slot; ///< symbolBase + index
  uint64_t value;
  Resolution resolution;

  bool operator==(const LocalResult &) const = default;
};

/// Knowledge of names. It only grows from round to round.
struct NameKnowledge {
  IdSet<SymbolId> needed; ///< they make a PROVIDE take place
  IdSet<SymbolId> given;  ///< they have a definition, or a PROVIDE
  /// The PROVIDEs that take place: of those of one name, one.
  IdSet<StatementId> provides;

  bool operator==(const NameKnowledge &) const = default;
};

/// Addresses that options give.
struct OptionValues {
  std::optional<uint64_t> textSegment; ///< -Ttext-segment, --image-base
  /// By SectionStart: the address.
  std::vector<uint64_t> starts;

  bool operator==(const OptionValues &) const = default;
};

/// How many entries --init-tables makes.
struct InitTableCounts {
  uint32_t copies = 0, clears = 0;

  /// Bytes of both tables: three addresses for a copy, two for a section to
  /// clear.
  uint64_t bytes(unsigned addressSize) const {
    return (uint64_t(copies) * 3 + uint64_t(clears) * 2) * addressSize;
  }
  bool operator==(const InitTableCounts &) const = default;
};

/// A result of a round of address assignment.
struct Addresses {
  bool placed = false; ///< false: no round has placed anything yet
  IdVector<OutputId, OutputPlace> outputs;
  IdVector<ItemId, ItemPlace> items;
  std::vector<StatementValue> statements; ///< parallel to Placement::layout
  /// By section: from its item's place to its first byte.
  IdVector<SectionId, Size> offsets;
  IdVector<RegionId, RegionPlace> regions;
  IdVector<SlotId, AssignedSymbol> symbols;
  std::vector<LocalResult> localResults; ///< sorted by slot
  std::vector<uint64_t> baseValues;      ///< parallel to Target::baseSymbols
  std::vector<ScriptPhdr> phdrs;         ///< parallel to Script::phdrs
  std::vector<Segment> segments; ///< with PHDRS parallel to Script::phdrs
  bool phdrsMissing = false;     ///< a section has none, nor have later ones
  Size headersSize;              ///< ELF header and program headers
  InitTableCounts initTables;
  OptionValues options;
  NameKnowledge names;
  /// Names computed from themselves, and so assigned at the end only.
  IdSet<SymbolId> waiting;

  bool operator==(const Addresses &) const = default;
};

} // namespace xlink
#endif
