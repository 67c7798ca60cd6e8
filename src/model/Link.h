//===- Link.h - the state of one link -------------------------------------===//
//
// Everything that passes hand on to each other: files, input sections, output
// sections, symbols, segments, as arrays indexed by u32 ids. Data only; who may
// change what, and when, is the driver's list of passes.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_LINK_H
#define XLINK_MODEL_LINK_H

#include "arch/Target.h"
#include "base/Config.h"
#include "base/Diagnostics.h"
#include "base/MappedFile.h"
#include "base/Parallel.h"
#include "model/EhRecords.h"
#include "model/ObjectFile.h"
#include "model/ScriptTree.h"
#include "model/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// A file that takes part in the link, in output order.
struct InputFile {
  std::shared_ptr<const ParsedObject> object;
  SectionId sectionBase = 0; ///< id of its section 0
  uint32_t symbolBase = 0; ///< of its symbol 0, into Link::symbolIds and values
};

/// A place in the address space, or its end, 2^64, which no uint64_t holds.
__extension__ typedef unsigned __int128 Position;
constexpr Position kAddressEnd = Position(1) << 64;

/// A contribution to the output: an input's section or one that xlink makes.
/// What never changes is behind `parsed`.
struct InputSection {
  const ParsedSection *parsed = nullptr; ///< null: not part of any output
  FileId file = kNone;                   ///< kNone: made by the linker
  uint32_t index = 0;                    ///< section index in the file
  OutputId output = kNone;
  /// Index into Link::merges when its pieces may be in other sections.
  uint32_t merge = kNone;
  uint32_t mergeIndex = 0; ///< its index in that group's members
  uint32_t cut = kNone;    ///< index into Link::cuts when only parts of it stay
  uint64_t offset = 0;     ///< from the output section's start
  uint64_t size = 0;       ///< bytes it takes
  uint64_t align = 1;      ///< what it asks for (SUBALIGN replaces it)
  bool discarded = false;  ///< lost COMDAT, /DISCARD/, SHF_EXCLUDE
  bool live = true;        ///< false: collected
  bool keep = false;       ///< matched a KEEP

  bool placed() const { return output != kNone && live && !discarded; }
};

/// Where the pieces of one mergeable input section went.
struct MergedInput {
  std::vector<uint32_t> starts; ///< piece offsets in the input, ascending
  /// Index of the member that holds each piece; kNone: it is nowhere.
  std::vector<uint32_t> homes;
  std::vector<uint64_t> results; ///< offsets in what remains of that member
  /// Which pieces are runs of zeros, each of them an empty string; ascending.
  std::vector<uint32_t> zeros;
};

/// Mergeable sections of one output section that share entry size and
/// alignment: of equal pieces the first stays where it is.
struct MergeGroup {
  uint64_t entsize = 0;
  std::vector<SectionId> members;  ///< in order
  std::vector<MergedInput> inputs; ///< parallel to members
};

/// A run of an input section's bytes that stays.
struct KeptRange {
  uint64_t begin, end; ///< in the input section
  uint64_t to;         ///< where it begins in what the section contributes
};

/// A 32-bit word in a section's contribution that the linker computes.
struct LinkerWord {
  uint64_t at;              ///< offset in the contribution
  SectionId target = kNone; ///< the distance back to a byte of that section, or
  uint64_t value = 0;       ///< that byte's offset in the input; kNone: itself
};

/// What an input section contributes of which only parts stay: the ranges one
/// behind the other, then zeros up to InputSection::size.
struct CutSection {
  std::vector<KeptRange> kept; ///< ascending
  std::vector<LinkerWord> words;

  /// The range that holds the input's byte `offset`, or null.
  const KeptRange *find(uint64_t offset) const;
  /// Where the input's byte `offset` is; of a dropped one, what follows it.
  uint64_t offsetOf(uint64_t offset) const;
};

/// One statement of an output section at work: a script command, or sections.
struct OutputItem {
  /// Null: orphans appended by placement.
  const ScriptCommand *command = nullptr;
  uint32_t begin = 0, end = 0; ///< its sections, in OutputSection::members
  uint64_t offset = 0;         ///< dot when reached, from the section's start
  uint64_t value = 0;          ///< Data: the value; Assignment, Assert: result
  std::vector<uint8_t> fill;   ///< Fill: the pattern
  bool skipped = false;        ///< a PROVIDE that stepped back
};

struct OutputSection {
  std::string name;
  uint32_t type = 0;  ///< sh_type, 0 until a member decides
  uint64_t flags = 0; ///< sh_flags
  uint64_t entsize = 0;
  uint64_t align = 1;       ///< sh_addralign
  uint64_t groupAlign = 1;  ///< what others ask of it: its base-symbol group,
                            ///< sections that might move here
  uint64_t address = 0;     ///< VMA
  uint64_t loadAddress = 0; ///< LMA
  uint64_t size = 0;
  uint64_t fileOffset = 0;
  uint32_t headerIndex = 0; ///< section header index, 0: not in the output
  uint32_t link = kNone;    ///< OutputId whose index goes into sh_link
  uint32_t region = kNone, lmaRegion = kNone; ///< into Link::regions
  uint32_t traits = 0; ///< SectionTrait bits, as its statements gather them
  const OutputSectionCommand *command = nullptr; ///< null: an orphan
  OutputId orphanAfter = kNone; ///< whose regions and segments an orphan shares
  const OverlayCommand *overlay = nullptr; ///< the OVERLAY it is a member of
  OutputId overlayFirst = kNone;           ///< that overlay's first member
  bool overlayLast = false;
  std::vector<OutputItem> items;
  std::vector<SectionId> members;
  std::vector<uint8_t> fill; ///< =fill, empty: the machine's or zeros
  std::optional<uint64_t> fixedAddress; ///< --section-start
  /// Made for COMMON that no pattern takes: in no region, not even that of the
  /// location counter, when load regions are handed on (GNU ld).
  bool forCommon = false;
  bool noload = false;    ///< (NOLOAD)
  bool addressed = false; ///< (COPY), (INFO) ...: takes addresses, not memory
  bool dropped = false;   ///< its ONLY_IF_RO or ONLY_IF_RW does not hold
  bool made = false;      ///< its script or the inputs put anything into it
  bool hadSize = false;   ///< of what then moved on to other regions
  bool kept = false;      ///< goes into the output
  /// It would end, or be loaded, behind the address space; size and load
  /// address are then what fits.
  bool overflows = false, loadOverflows = false;

  bool isAlloc() const;
  bool isNoBits() const;
};

/// A MEMORY region at work.
struct MemoryRegion {
  const MemoryCommand *command = nullptr;
  std::string name;
  uint64_t origin = 0, length = 0;
  Position cursor = 0;         ///< where the next section begins
  uint32_t lastOutput = kNone; ///< the section whose LMA the next one's follows
};

/// Another place for a section that its region has no room for.
struct LaterMatch {
  OutputId output; ///< kNone: /DISCARD/
  uint32_t item;   ///< into OutputSection::items
};

/// A pattern of the script that took no section.
struct UnmatchedPattern {
  const InputDescription *description;
  const SectionPattern *pattern;
};

/// A program header.
struct Segment {
  uint32_t type = 0, flags = 0;
  uint64_t offset = 0, address = 0, loadAddress = 0, fileSize = 0, memSize = 0;
  uint64_t align = 1;
  uint64_t base = 0; ///< LMA of its first byte, before AT() of PHDRS moves it
  bool hasHeaders = false; ///< covers ELF and program headers
  std::vector<OutputId> sections;
};

/// What a relocation finds at its symbol, for one (file, symbol index).
enum class ValueKind : uint8_t {
  Normal,        ///< `address` is S
  UndefinedWeak, ///< S = 0
  Undefined,     ///< reported elsewhere; relocations are silent and get 0
  Discarded,     ///< in a section that is not in the output
  Merged,        ///< section symbol of a merged section: depends on the addend
  Unresolved,    ///< result of an expression that has no value; S = 0
};

/// Where one statement of the top level stands: what the layout runs.
struct LayoutCommand {
  const ScriptCommand *command = nullptr; ///< assignment or assert, or
  OutputId output = kNone;                ///< an output section
  uint32_t origin = kNone; ///< index of the script's command, for INSERT
  uint64_t value = 0;      ///< what the statement assigned or asserted
  bool skipped = false;    ///< a PROVIDE that stepped back
};

/// A PHDRS entry at work.
struct ScriptPhdr {
  uint32_t type = 0;
  std::optional<uint32_t> flags;
  std::optional<uint64_t> loadAddress;
};

/// A result of a link-time expression that is a local symbol.
struct LocalResult {
  uint32_t slot; ///< symbolBase + index
  uint64_t value;
  bool unresolved;
};

/// A file that was read, in the order of reading.
struct ReadFile {
  enum Kind : uint8_t {
    Input,  ///< an object or archive
    Script, ///< -T, behind what it names
    Part,   ///< what only leads on: INCLUDE, a script among the inputs, a thin
            ///< archive's member
  } kind;
  std::string path;
  FileIdentity identity;
};

/// Why an archive's member takes part.
struct Inclusion {
  FileId file;     ///< the member
  FileId by;       ///< the file that refers to it, kNone: no file does
  SymbolId symbol; ///< by this name
};

/// The state of one link.
struct Link {
  Link(const Config &c, Diagnostics &d)
      : config(c), diag(d), parallel(c.threads) {}

  /// Everything that was read, whatever became of it: buffers of files, parsed
  /// objects, archives. Names (of symbols, sections, members) point into them,
  /// also names that came from a file that did not join the link, such as a
  /// member that only offered a symbol. Stands first: it goes last.
  std::vector<std::shared_ptr<const void>> owners;

  const Config &config;
  Diagnostics &diag;
  Parallel parallel;
  const Target *target = nullptr;
  TargetState state;
  Script script; ///< user's or built-in
  bool builtinScript = true;
  std::string builtinText; ///< text of the built-in script with its variables

  std::vector<ReadFile> readFiles;
  std::vector<std::string> offered; ///< what thin archives with an index name
  std::vector<InputFile> files;
  std::vector<Inclusion> inclusions;
  std::vector<InputSection> sections;     ///< [0] is unused
  std::deque<ParsedSection> madeSections; ///< descriptions of the linker's own
  std::deque<std::vector<uint8_t>> madeBytes;
  SymbolTable symbols;
  std::vector<SymbolId> symbolIds; ///< by symbolBase + index; kNone: local
  std::vector<MergeGroup> merges;
  std::vector<EhFrame> ehFrames;
  std::vector<CutSection> cuts;
  /// --gc-sections: offsets that live relocations refer to in mergeable
  /// sections, and such sections of which every piece lives.
  llvm::DenseMap<SectionId, std::vector<uint32_t>> livePieces;
  llvm::DenseSet<SectionId> allPieces;
  std::vector<OutputSection> outputs;
  std::vector<LayoutCommand> layout;       ///< in script order
  std::vector<UnmatchedPattern> unmatched; ///< in script order
  /// --enable-non-contiguous-regions: where else a section matches, in order.
  llvm::DenseMap<SectionId, std::vector<LaterMatch>> laterMatches;
  /// With it: by output and item, what is there or may come there, in order.
  std::map<std::pair<OutputId, uint32_t>, std::vector<SectionId>>
      possibleMembers;
  std::vector<MemoryRegion> regions;
  std::vector<ScriptPhdr> phdrs; ///< parallel to script.phdrs
  bool phdrsMissing = false;     ///< a section has none, nor has what follows
  std::vector<Segment> segments;
  uint64_t headersSize = 0; ///< ELF header + program headers

  /// Filled once addresses are fixed, by symbolBase + index.
  std::vector<uint64_t> valueAddress;
  std::vector<ValueKind> valueKind;
  std::vector<uint64_t> globalAddress; ///< by SymbolId
  std::vector<uint64_t> baseValues;    ///< parallel to target->baseSymbols
  /// Results of link-time expressions that are local symbols, sorted by slot.
  std::vector<LocalResult> localResults;

  SectionId gotSection = kNone;
  ParsedSection *gotDescription = nullptr; ///< of gotSection
  /// GOT slots: sorted (symbolKey, offset).
  std::vector<std::pair<uint64_t, uint64_t>> gotSlots;
  static constexpr uint64_t kLocalKey = uint64_t(1) << 32;

  uint64_t entryAddress = 0;
  SymbolId entrySymbol = kNone;

  /// -z max-page-size, or the machine's.
  uint64_t pageSize() const {
    return config.maxPageSize ? *config.maxPageSize : target->maxPageSize;
  }
  /// Whether the byte `offset` of a placed section is in the output.
  bool keepsByte(const InputSection &section, uint64_t offset) const {
    return section.cut == kNone || cuts[section.cut].find(offset);
  }
  /// One number for a symbol, whichever file names it: its SymbolId, or for a
  /// local one kLocalKey | (symbolBase + index).
  uint64_t symbolKey(FileId file, uint32_t symbol) const {
    uint32_t slot = files[file].symbolBase + symbol;
    SymbolId id = symbolIds[slot];
    return id != kNone ? id : kLocalKey | slot;
  }
  /// Whether any input section of an output section is in the output.
  bool holdsSections(const OutputSection &out) const;
  /// The largest of some input sections, at most `most`, as notes:
  /// "24 bytes: a.o:(.text)".
  std::vector<std::string> largestNotes(std::vector<SectionId> parts,
                                        size_t most) const;
  /// "a.o:(.text+0x1c)"
  std::string place(SectionId section, uint64_t offset) const;
  /// "a.o:(.text)"
  std::string sectionName(SectionId section) const;
  /// Path of a file, or "<internal>".
  std::string fileName(FileId file) const;
  SectionId addMadeSection(llvm::StringRef name, uint32_t type, uint64_t flags,
                           uint64_t align, std::vector<uint8_t> bytes,
                           uint64_t size);
};

} // namespace xlink
#endif
