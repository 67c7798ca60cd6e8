//===- LiveGraph.h - edges between sections that live ---------------------===//
//
// The roots of --gc-sections and the edges between sections: for the collection
// itself (markLive), and for the reports about it.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_SECTIONS_LIVEGRAPH_H
#define XLINK_SECTIONS_LIVEGRAPH_H

#include "model/Contributions.h"
#include "model/Placement.h"
#include "model/Program.h"
#include "sections/SettleContributions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include <optional>
#include <vector>

namespace xlink {

/// Whether __start_NAME and __stop_NAME of a section can be written in C.
bool isCIdentifier(llvm::StringRef name);

/// That one section keeps another alive.
struct LiveLink {
  SectionId to = {};
  /// Reference: by a relocation or a name. Root: without any.
  LiveEdge::Kind kind = LiveEdge::Reference;
  bool whole = false;  ///< of a mergeable section every piece, else
  uint64_t offset = 0; ///< the one with this byte; meant by Reference alone
  /// Nothing: no relocation says so.
  std::optional<Relocation> relocation = std::nullopt;
  /// The relocation's section: an unwind table, or the section itself.
  SectionId at = {};
  SymbolId name = {}; ///< the __start_ or __stop_ symbol that means `to`
};

/// Why something lives without a reference.
struct LiveRoot {
  enum Kind : uint8_t {
    Entry,           ///< `symbol`, as with all up to ReadByScript
    Undefined,       ///< -u
    RequireDefined,  ///< --require-defined
    Init,            ///< --init, --fini
    UndefinedGlob,   ///< --undefined-glob
    Extern,          ///< EXTERN
    ReadByScript,    ///< an expression of the script
    Keep,            ///< KEEP
    Retained,        ///< the machine's flag for that
    Initialisers,    ///< a table that start-up code walks, or a part of it
    Note,            ///< SHT_NOTE outside of a group
    WithUncollected, ///< it describes a section that is not collected
    Uncollected,     ///< not collected, with or without references
    UnwindRecord     ///< of code that is in no input section
  } kind;
  SymbolId symbol = {};
  /// Whether the user names the symbol: its home counts as one that KEEP names.
  bool isRequested() const { return kind <= Extern && kind != UndefinedGlob; }
};

/// The edges of a program's sections. Reads the program once, and is const.
class LiveGraph {
public:
  using LinkFn = llvm::function_ref<void(const LiveLink &)>;

  LiveGraph(const Program &program, const Placement &placement,
            const std::vector<EhFrame> &frames);

  /// Things that one walk need not visit twice.
  struct Walk {
    /// Groups of which a member has led to the others.
    llvm::DenseSet<std::pair<FileId, uint32_t>> groups;
    llvm::StringSet<> names; ///< that __start_ or __stop_ symbols mean
    /// Sections to which a plain reference says nothing new. May be empty.
    IdVector<SectionId, uint8_t> reached;
  };

  /// Whether a section takes part in collection at all.
  bool collectable(SectionId id) const { return traits[id] & kCollectable; }
  /// Whether it takes no part, and keeps the sections that it refers to.
  bool uncollected(SectionId id) const { return traits[id] & kUncollected; }
  /// Whether a reference to it says more than that it lives: which piece of a
  /// mergeable section does, or that something needs a section that takes no
  /// memory.
  bool tellsMore(SectionId id) const { return traits[id] & kTellsMore; }
  bool discarded(SectionId id) const {
    return placement.sections[id].discarded;
  }
  /// Calls fn for the symbols that options and the script name, also for those
  /// that do not exist (kNone).
  static void
  forEachNamed(const Program &program,
               llvm::function_ref<void(LiveRoot::Kind, SymbolId)> fn);
  /// Calls fn for all roots: symbols first, then sections.
  void forEachRoot(
      Walk &walk,
      llvm::function_ref<void(const LiveRoot &, const LiveLink &)> fn) const;
  /// Calls fn for the sections that a live section keeps alive.
  void forEachLink(SectionId id, Walk &walk, LinkFn fn) const;

  /// The first live section of a file that takes memory and is more than a note
  /// or an unwind table, or kNone.
  SectionId memoryOf(const InputFile &file,
                     llvm::function_ref<bool(SectionId)> lives) const;
  /// Whether a group has nothing that takes memory: it lives with its file.
  static bool onlyDescribes(const InputFile &file, const ParsedGroup &group) {
    return llvm::none_of(group.members, [&](uint32_t member) {
      return file.object->sections[member].flags & llvm::ELF::SHF_ALLOC;
    });
  }

private:
  /// An FDE that says more than where its function is.
  struct LiveRecord {
    SectionId code;
    uint32_t frame, record; ///< into frames, and its records
  };
  /// Answers to the questions of a walk about many sections, in a byte each.
  enum Trait : uint8_t {
    kCollectable = 1,
    kUncollected = 2,
    kOwnRoot = 4, ///< ownRoot() says why
    kTellsMore = 8,
    kTied = 16, ///< collectable: it lives with another one, or by its name
  };
  bool mayGo(SectionId id) const;
  /// Why a section is a root for its own sake; nothing: it is none.
  std::optional<LiveRoot::Kind> ownRoot(SectionId id) const;
  uint8_t traitsOf(SectionId id) const;
  void dependsOn(SectionId id, SectionId home);
  void readSections();
  void collectRecords();
  bool saysNothingNew(SectionId id, const Walk &walk) const {
    return !walk.reached.empty() && walk.reached[id] && !tellsMore(id);
  }
  /// The section of a defined symbol, or kNone.
  SectionId homeOf(SymbolId id) const { return homes[id]; }
  llvm::StringRef sectionMeant(const Symbol &symbol) const;
  void followSymbol(SymbolId id, LiveLink link, Walk &walk, LinkFn fn) const;
  void followRelocation(const InputFile &file, const Relocation &rel,
                        SectionId at, Walk &walk, LinkFn fn) const;
  void followRecord(const LiveRecord &record, Walk &walk, LinkFn fn) const;

  const Program &program;
  const Placement &placement;
  const std::vector<EhFrame> &frames;
  IdVector<SectionId, uint8_t> traits;
  /// Those of symbols; symbols themselves do not fit into a cache.
  IdVector<SymbolId, SectionId> homes;
  /// Sections that live with another one.
  llvm::DenseMap<SectionId, std::vector<SectionId>> dependents;
  std::vector<SectionId>
      unconditional; ///< dependents of sections that always live
  /// For __start_NAME.
  llvm::StringMap<std::vector<SectionId>> byIdentifier;
  std::vector<LiveRecord> records; ///< sorted by section
};

/// The sections that --gc-sections keeps, whether it was given or not.
Liveness markLive(const Program &program, const Placement &placement,
                  const std::vector<EhFrame> &frames);

} // namespace xlink
#endif
