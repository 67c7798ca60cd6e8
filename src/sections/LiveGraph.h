//===- LiveGraph.h - what keeps a section alive ---------------------------===//
//
// The roots of --gc-sections and the edges between sections, for whoever walks
// along them: the marking itself, and the questions about it.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_SECTIONS_LIVEGRAPH_H
#define XLINK_SECTIONS_LIVEGRAPH_H

#include "model/Contributions.h"
#include "model/Placement.h"
#include "model/Program.h"
#include "resolve/ScriptSymbols.h"
#include "resolve/SymbolGlobs.h"
#include "sections/EhFrame.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <optional>
#include <vector>

namespace xlink {

/// That one section keeps another alive.
struct LiveLink {
  SectionId to = {};
  /// Reference: by a relocation or a name. Root: without any.
  LiveEdge::Kind kind = LiveEdge::Reference;
  bool whole = false;  ///< of a mergeable section every piece, else
  uint64_t offset = 0; ///< the one with this byte; meant by Reference alone
  /// Nothing: no relocation says so.
  std::optional<Relocation> relocation = std::nullopt;
  SectionId at =
      {}; ///< where that stands: an unwind table, or the section itself
  SymbolId name = {}; ///< the __start_ or __stop_ symbol that means `to`
};

/// Why something lives whatever refers to it.
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
    WithUncollected, ///< it describes what is not collected
    Uncollected,     ///< not collected, whatever refers to it
    UnwindRecord     ///< of code that is in no input section
  } kind;
  SymbolId symbol = {};
  /// Whether the user names the symbol: its home counts as one that KEEP names.
  bool isRequested() const { return kind <= Extern && kind != UndefinedGlob; }
};

/// The edges of a program's sections. Reads the program once, and is const.
class LiveGraph {
public:
  LiveGraph(const Program &program, const Placement &placement,
            const std::vector<EhFrame> &frames);

  /// What one walk need not look at twice: a group's members when one of them
  /// has led to the others, and the sections of a name.
  struct Walk {
    llvm::DenseSet<std::pair<FileId, uint32_t>> groups;
    llvm::StringMap<bool> names;
    /// How many sections were looked at for others that live, by their group or
    /// by their name: a measure of the work for tests.
    uint64_t steps = 0;

    bool takesGroup(FileId file, uint32_t group) {
      return groups.insert({file, group}).second;
    }
    bool takesName(llvm::StringRef section) {
      return names.try_emplace(section, true).second;
    }
  };

  /// Whether a section takes part in collection at all.
  bool collectable(SectionId id) const { return traits[id] & kCollectable; }
  /// Whether it takes no part, and keeps what it refers to.
  bool uncollected(SectionId id) const { return traits[id] & kUncollected; }
  /// Whether a reference to it says more than that it lives: which piece of a
  /// mergeable section does, or that something needs what takes no memory.
  bool tellsMore(SectionId id) const { return traits[id] & kTellsMore; }
  /// Why a collectable section is a root for its own sake; null: it is none.
  std::optional<LiveRoot::Kind> ownRoot(SectionId id) const;
  bool discarded(SectionId id) const {
    return placement.sections[id].discarded;
  }
  /// Calls fn(LiveRoot::Kind, SymbolId) for what options and the script name,
  /// also where there is no such symbol: kNone.
  template <class Fn> static void forEachNamed(const Program &program, Fn fn);
  /// Calls fn(LiveRoot, LiveLink) for all roots: symbols first, then sections.
  template <class Fn> void forEachRoot(Walk &walk, Fn fn) const;
  /// Calls fn(LiveLink) for what a section that lives keeps alive.
  template <class Fn> void forEachLink(SectionId id, Walk &walk, Fn fn) const {
    forEachLink(
        id, walk, [](SectionId) { return true; }, fn);
  }
  /// The same, but asks first, for each reference to a section, whether
  /// wants(SectionId): most of them say nothing new.
  template <class Wants, class Fn>
  void forEachLink(SectionId id, Walk &walk, Wants wants, Fn fn) const;

  /// Whether anything of a file lives, by lives(SectionId), that takes memory
  /// and is more than a note or an unwind table; kNone, or the first such
  /// section.
  template <class Lives>
  SectionId memoryOf(const InputFile &file, Lives lives) const;
  /// Whether a group has nothing that takes memory: it lives with its file.
  bool onlyDescribes(const InputFile &file, const ParsedGroup &group) const;

private:
  /// An FDE that says more than where its function is.
  struct Record {
    SectionId code;
    uint32_t frame, record; ///< into frames, and its records
  };
  /// What a walk asks of many sections, in a byte of each.
  enum Trait : uint8_t {
    kCollectable = 1,
    kUncollected = 2,
    kOwnRoot = 4,    ///< ownRoot() says why
    kIdentifier = 8, ///< its name can follow __start_
    kTied = 16,      ///< it lives with another one
    kTellsMore = 32
  };
  uint8_t look(SectionId id) const;
  bool mayGo(SectionId id) const;
  void lookAtAll();
  /// The name of the sections that a __start_ or __stop_ symbol means, or "".
  llvm::StringRef sectionMeant(const Symbol &symbol) const;
  void dependsOn(SectionId id, SectionId home);
  void readSections();
  void readExpressions();
  void collectRecords();
  template <class Wants, class Fn>
  void followSymbol(SymbolId id, const LiveLink &how, Walk &walk, Wants wants,
                    Fn fn) const;
  template <class Wants, class Fn>
  void followRelocation(const InputFile &file, const Relocation &rel,
                        SectionId at, Walk &walk, Wants wants, Fn fn) const;
  template <class Wants, class Fn>
  void followRecord(const EhFrame &frame, const EhRecord &record, Walk &walk,
                    Wants wants, Fn fn) const;

  const Program &program;
  const Placement &placement;
  const std::vector<EhFrame> &frames;
  OpenIdVector<SectionId, uint8_t> traits; ///< of Trait
  /// Of Defined symbols their sections: symbols themselves do not fit into a
  /// cache.
  OpenIdVector<SymbolId, SectionId> homes;
  IdVector<SectionId, std::vector<SectionId>> dependents; ///< LINK_ORDER
  std::vector<SectionId> unconditional; ///< dependents of what always lives
  /// For __start_NAME.
  llvm::StringMap<std::vector<SectionId>> byIdentifier;
  std::vector<Record> records; ///< sorted by section
};

//===----------------------------------------------------------------------===//
// Walking: templates, since a link does this for each relocation
//===----------------------------------------------------------------------===//

inline llvm::StringRef LiveGraph::sectionMeant(const Symbol &symbol) const {
  llvm::StringRef name = symbol.name;
  if (symbol.kind == SymbolKind::Defined || program.config.startStopGc ||
      (!name.consume_front("__start_") && !name.consume_front("__stop_")) ||
      !byIdentifier.contains(name))
    return "";
  return name;
}

template <class Wants, class Fn>
void LiveGraph::followSymbol(SymbolId id, const LiveLink &how, Walk &walk,
                             Wants wants, Fn fn) const {
  if (id == kNone)
    return;
  if (const SectionId home = homes[id]; home != kNone) {
    if (!wants(home))
      return;
    LiveLink link = how;
    link.to = home;
    link.offset = program.symbols[id].value;
    return fn(link);
  }
  const llvm::StringRef section = sectionMeant(program.symbols[id]);
  if (section.empty() || !walk.takesName(section)) // once is enough
    return;
  LiveLink link = how;
  link.whole = true;
  link.name = id;
  for (SectionId to : byIdentifier.find(section)->second) {
    ++walk.steps;
    link.to = to;
    fn(link);
  }
}

template <class Wants, class Fn>
void LiveGraph::followRelocation(const InputFile &file, const Relocation &rel,
                                 SectionId at, Walk &walk, Wants wants,
                                 Fn fn) const {
  const SymbolId id = program.symbolIds[file.symbolBase + rel.symbol];
  if (id != kNone) {
    // A link is large, and seldom wanted.
    if (const SectionId home = homes[id]; home != kNone && !wants(home))
      return;
    LiveLink link;
    link.relocation = rel;
    link.at = at;
    return followSymbol(
        id, link, walk, [](SectionId) { return true; }, fn);
  }
  const ParsedSymbol &sym = file.object->symbols[rel.symbol];
  if (sym.place != SymbolPlace::Section)
    return;
  LiveLink link;
  link.to = file.sectionBase + sym.section;
  if (!wants(link.to))
    return;
  link.relocation = rel;
  link.at = at;
  // Only a section symbol's addend selects the piece.
  link.offset = sym.value;
  if (sym.type == llvm::ELF::STT_SECTION)
    link.offset += uint64_t(rel.addend);
  fn(link);
}

template <class Wants, class Fn>
void LiveGraph::followRecord(const EhFrame &frame, const EhRecord &record,
                             Walk &walk, Wants wants, Fn fn) const {
  const InputFile &file = program.files[program.sections[frame.section].file];
  auto follow = [&](const EhRecord &r) {
    for (uint32_t i = r.relocBegin; i < r.relocEnd; ++i)
      if (i != r.function)
        followRelocation(file, file.object->relocations[i], frame.section, walk,
                         wants, fn);
  };
  follow(record);
  if (!record.isCie())
    follow(frame.records[record.cie]);
}

template <class Wants, class Fn>
void LiveGraph::forEachLink(SectionId id, Walk &walk, Wants wants,
                            Fn fn) const {
  const InputSection &s = program.sections[id];
  const ParsedSection &p = *s.parsed;
  if (!records.empty())
    for (auto it = std::lower_bound(
             records.begin(), records.end(), id,
             [](const Record &r, SectionId code) { return r.code < code; });
         it != records.end() && it->code == id; ++it) {
      const EhFrame &frame = frames[it->frame];
      followRecord(frame, frame.records[it->record], walk, wants, fn);
    }
  if (!dependents.empty())
    for (SectionId dependent : dependents[id])
      fn(LiveLink{dependent, LiveEdge::Dependent});
  if (s.file == kNone)
    return;
  const InputFile &file = program.files[s.file];
  if (p.group && walk.takesGroup(s.file, p.group))
    for (uint32_t member : file.object->groups[p.group - 1].members) {
      ++walk.steps;
      const SectionId to = file.sectionBase + member;
      if (program.sections[to].parsed->kind == SectionKind::Regular)
        fn(LiveLink{to, LiveEdge::Group});
    }
  if ((p.isPiece || collectable(id)) &&
      !(p.flags & (llvm::ELF::SHF_ALLOC | llvm::ELF::SHF_LINK_ORDER)))
    return; // what only describes a group or a piece needs nothing
  for (uint32_t r = p.relocBegin; r < p.relocEnd; ++r)
    followRelocation(file, file.object->relocations[r], id, walk, wants, fn);
}

template <class Fn>
void LiveGraph::forEachNamed(const Program &program, Fn fn) {
  fn(LiveRoot::Entry, program.entrySymbol);
  for (const std::string &name : program.config.undefined)
    fn(LiveRoot::Undefined, program.symbols.find(name));
  for (const std::string &name : program.config.requireDefined)
    fn(LiveRoot::RequireDefined, program.symbols.find(name));
  SymbolGlobs(program.symbols)
      .forEach(program.config.undefinedGlobs,
               [&](SymbolId id) { fn(LiveRoot::UndefinedGlob, id); });
  for (llvm::StringRef name : program.script.externs)
    fn(LiveRoot::Extern, program.symbols.find(name));
  for (llvm::StringRef name : symbolsReadByScript(program))
    fn(LiveRoot::ReadByScript, program.symbols.find(name));
}

template <class Fn> void LiveGraph::forEachRoot(Walk &walk, Fn fn) const {
  auto any = [](SectionId) { return true; };
  auto followNamed = [&](LiveRoot::Kind kind, SymbolId symbol) {
    followSymbol(symbol, LiveLink(), walk, any, [&](const LiveLink &link) {
      fn(LiveRoot{kind, symbol}, link);
    });
  };
  forEachNamed(program, followNamed);
  for (llvm::StringRef name : {program.config.init, program.config.fini})
    followNamed(LiveRoot::Init, program.symbols.find(name));
  for (SectionId id : program.sections.ids(1))
    if (traits[id] & kOwnRoot)
      fn(LiveRoot{*ownRoot(id)}, LiveLink{id, LiveEdge::Root, /*whole=*/true});
  for (SectionId id : unconditional)
    fn(LiveRoot{LiveRoot::WithUncollected}, LiveLink{id, LiveEdge::Root});
  // What is not collected keeps what it refers to, unless it only describes.
  for (SectionId id : program.sections.ids(1))
    if (uncollected(id))
      fn(LiveRoot{LiveRoot::Uncollected}, LiveLink{id, LiveEdge::Root});
  // So do records of code that is in no input section.
  for (const Record &record : records)
    if (record.code == kNone) {
      const EhFrame &frame = frames[record.frame];
      followRecord(frame, frame.records[record.record], walk, any,
                   [&](const LiveLink &link) {
                     fn(LiveRoot{LiveRoot::UnwindRecord}, link);
                   });
    }
}

template <class Lives>
SectionId LiveGraph::memoryOf(const InputFile &file, Lives lives) const {
  for (uint32_t i = 1; i < file.object->sections.size(); ++i) {
    const SectionId id = file.sectionBase + i;
    const InputSection &s = program.sections[id];
    if (s.parsed && lives(id) && !discarded(id) &&
        (s.parsed->flags & llvm::ELF::SHF_ALLOC) &&
        s.parsed->type != llvm::ELF::SHT_NOTE && s.parsed->name != ".eh_frame")
      return id;
  }
  return kNone;
}

} // namespace xlink
#endif
