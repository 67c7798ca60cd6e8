//===- LinkMap.h - a finished link as one value ---------------------------===//
//
// The contents of reports about memory, as plain data: regions, files, output
// sections, their parts, symbols, references. It is made from a link
// (report/LinkMapBuilder.h) or read from the file that --map-json wrote, and
// knows no other part of the linker: maps of two links can be compared, and a
// picture drawn, without a link. TextMap.h reads those of other linkers.
//
// Everything refers to the rest by its index in the list that it is in.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MAP_LINKMAP_H
#define XLINK_MAP_LINKMAP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Allocator.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// Part of a memory region that the program sets aside: nothing is loaded
/// there.
struct MapReservation {
  enum Kind : uint8_t { Heap, Stack, Other } kind = Other;
  llvm::StringRef name; ///< ".stack", "STACK_SIZE_TASKLET_3"
  uint64_t address = 0, size = 0;
};

/// A memory region: of MEMORY, or of the machine where the script has none.
struct MapRegion {
  llvm::StringRef name;
  uint64_t origin = 0, length = 0;
  /// From the origin to where the next section would begin; more than `length`
  /// when the region overflows. Load addresses count.
  uint64_t used = 0;
  /// Of `used`: sections that are only loaded from here and run elsewhere.
  uint64_t loadOnly = 0;
  bool builtin = false; ///< the machine's: the script says nothing
  std::vector<MapReservation> reservations;
};

/// An input file that takes part.
struct MapInput {
  llvm::StringRef path;   ///< as on the command line; of a member, its archive
  llvm::StringRef member; ///< empty: no archive's
  /// Why the member takes part: `symbol`, which `neededBy` refers to. kNoIndex:
  /// an option or the script does.
  llvm::StringRef symbol;
  uint32_t neededBy = UINT32_MAX;
  llvm::StringRef source; ///< the compiled file, if it is known
};

/// A function, object or label.
struct MapSymbol {
  enum Kind : uint8_t { None, Function, Object, ThreadLocal, Section };
  llvm::StringRef name; ///< as in the file
  uint64_t address = 0;
  uint64_t size = 0; ///< 0: neither stated nor inferred
  Kind kind = None;
  bool local = false, weak = false;
  bool inferred = false; ///< `size` is (inferSizes)
};

/// A statement of a script that puts parts into an output section.
struct MapPattern {
  llvm::StringRef script; ///< the script's name
  uint32_t line = 0;      ///< of the script; 0: unknown
  llvm::StringRef text;   ///< "*(.text .text.*)"
};

/// Something that takes room in an output section, padding included: the parts
/// of an output section have no gaps between them.
struct MapPart {
  enum Kind : uint8_t {
    Input,   ///< an input section
    Common,  ///< COMMON symbols of a file
    Linker,  ///< made by the linker: a GOT, a build ID
    Data,    ///< BYTE() and its like in the script
    Padding, ///< `cause` says why
  };
  enum Live : uint8_t {
    Always,      ///< nothing is collected, or it cannot be
    Root,        ///< the entry, KEEP, -u, tables of initialisers
    Reference,   ///< `liveFrom` refers to it
    Dependent,   ///< it describes `liveFrom`
    Group,       ///< in the section group of `liveFrom`
    Description, ///< something of its file takes memory
  };
  Kind kind = Input;
  Live live = Always;
  llvm::StringRef name;       ///< of the input section
  uint32_t file = UINT32_MAX; ///< kNoIndex: of none
  uint32_t output = 0;
  uint64_t address = 0, size = 0, align = 1;
  uint32_t liveFrom = UINT32_MAX; ///< a part
  uint32_t pattern = UINT32_MAX;  ///< that took it; kNoIndex: none did
  /// Padding: "alignment of a.o:(.text.f) to 64", "assignment to ."
  llvm::StringRef cause;
  uint32_t firstSymbol = 0, symbols = 0; ///< in LinkMap::symbols, by address
};

struct MapOutput {
  llvm::StringRef name;
  uint64_t address = 0, loadAddress = 0, size = 0, align = 1;
  uint32_t type = 0;
  uint64_t flags = 0;           ///< sh_flags
  uint32_t region = UINT32_MAX; ///< where it runs; kNoIndex: in none
  uint32_t loadRegion = UINT32_MAX;
  /// In LinkMap::parts, by address; without parts, where they would be.
  uint32_t firstPart = 0, parts = 0;

  /// Whether it takes memory where it runs.
  bool takesMemory() const {
    using namespace llvm::ELF;
    return (flags & SHF_ALLOC) && size != 0 &&
           !((flags & SHF_TLS) && type == SHT_NOBITS);
  }
};

/// A part refers to another one.
struct MapReference {
  static constexpr uint32_t kMost = INT32_MAX;
  uint32_t from = 0, to = 0; ///< parts
  uint32_t count = 0;        ///< kMost: as many, or more
  bool call = false;         ///< a call or a branch is among them
};

/// An input section that is not in the output.
struct MapDiscarded {
  enum Reason : uint8_t {
    Unused,   ///< --gc-sections
    Comdat,   ///< another file's group is in force
    Script,   ///< /DISCARD/, --orphan-handling=discard
    Folded,   ///< --icf: equal to another one
    Debug,    ///< --strip-debug and its like
    Excluded, ///< SHF_EXCLUDE, for -r alone; section groups; build IDs
    Unknown,  ///< a map of another linker does not say
  };
  llvm::StringRef name;
  uint64_t size = 0;
  uint32_t file = UINT32_MAX;
  Reason reason = Unused;
};

/// How often a relocation type was applied.
struct MapRelocationCount {
  llvm::StringRef type;
  uint64_t count = 0;
};

/// A deepest path of --stack-usage.
struct MapStack {
  struct Frame {
    llvm::StringRef function;
    std::optional<uint64_t> bytes; ///< of the function alone; where known
  };
  llvm::StringRef root;
  llvm::StringRef kind; ///< "entry", "thread", "tasklet 3"
  uint64_t bytes = 0;
  bool bounded = true;
  uint64_t limit = 0; ///< its reservation; 0: unknown
  std::vector<Frame> path;
};

struct LinkMap {
  static constexpr uint32_t kNoIndex = UINT32_MAX;
  /// Of the JSON form; another number means that a member has changed its
  /// meaning or is gone.
  static constexpr unsigned kVersion = 3;
  /// The oldest version that is read.
  static constexpr unsigned kOldest = 1;

  llvm::StringRef machine, output;
  unsigned addressBits = 32;
  llvm::StringRef entryName;
  uint64_t entry = 0;
  std::vector<MapRegion> regions;
  std::vector<MapInput> files;
  std::vector<MapPattern> patterns; ///< those that took a part
  std::vector<MapOutput> outputs;   ///< in the order of the output
  std::vector<MapPart> parts;       ///< by output section, then by address
  std::vector<MapSymbol> symbols;   ///< by part, then by address
  std::vector<MapSymbol> absolutes;
  /// Whether it has `references` and `relocations`. They are as large as the
  /// rest, so an option asks for them.
  bool crossed = false;
  std::vector<MapReference> references; ///< of a part side by side, by `to`
  std::vector<MapRelocationCount> relocations;
  std::vector<MapDiscarded> discarded;
  std::vector<MapStack> stacks;

  /// Texts that are not the link's.
  std::shared_ptr<llvm::BumpPtrAllocator> texts =
      std::make_shared<llvm::BumpPtrAllocator>();

  /// The region that holds an address, kNoIndex: none does.
  uint32_t regionAt(uint64_t address) const;
  /// The same text, held by this map.
  llvm::StringRef keep(llvm::StringRef text);
  /// Used bytes of a region in front of, between and behind its sections, by
  /// address.
  struct Gap {
    uint64_t begin, end;
    const MapOutput *before; ///< the section behind it, null: none
  };
  std::vector<Gap> gapsOf(uint32_t region) const;
  /// The reservation of its region that a part lies in, null: none.
  const MapReservation *reservationOf(const MapPart &part) const;
  /// Bytes of a part that no symbol covers.
  uint64_t namelessBytes(const MapPart &part) const;
  /// "lib.a(m.o)", "a.o"
  std::string fileName(uint32_t file) const;
};

inline constexpr uint32_t kNoIndex = LinkMap::kNoIndex;

/// Gives functions, objects and global labels without a size the bytes up to
/// the next item of the part, and marks them as inferred.
/// `symbols`: those of the part, in order.
void inferSizes(const MapPart &part, llvm::MutableArrayRef<MapSymbol> symbols);

} // namespace xlink
#endif
