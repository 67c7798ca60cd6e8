//===- Program.h - the inputs of a link, read and resolved ----------------===//
//
// Files, their sections and symbols, the script and the machine: the result of
// reading and resolving. Resolution fills it; later passes get it as
// const. It says nothing of where anything goes.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_PROGRAM_H
#define XLINK_MODEL_PROGRAM_H

#include "arch/MachineFile.h"
#include "base/Address.h"
#include "base/Config.h"
#include "base/MappedFile.h"
#include "base/Parallel.h"
#include "model/Ids.h"
#include "model/ObjectFile.h"
#include "model/ScriptTree.h"
#include "model/StackNotes.h"
#include "model/Symbols.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include <deque>

namespace xlink {

/// A file that takes part in the link, in output order.
struct InputFile {
  std::shared_ptr<const ParsedObject> object;
  SectionId sectionBase = SectionId(0); ///< id of its section 0
  uint32_t symbolBase = 0; ///< of its symbol 0: into symbolIds and values
};

/// A section of an input, or one that xlink makes.
struct InputSection {
  const ParsedSection *parsed = nullptr; ///< null: not part of any output
  FileId file;                           ///< kNone: made by the linker
  uint32_t index : 31 = 0;               ///< section index in the file
  /// Lost its COMDAT group, SHF_EXCLUDE, stripped: in no output.
  bool discarded : 1 = false;
};
static_assert(sizeof(InputSection) == 16, "there are many");

/// A file that was read, in the order of reading.
struct ReadFile {
  enum Kind : uint8_t {
    Input,  ///< an object, an archive, or a script among them
    Script, ///< -T, behind the files that it names
    Part,   ///< of another one: INCLUDE, a thin archive's member
  } kind;
  llvm::StringRef path; ///< Program::owners or the configuration has it
  FileNumber number;    ///< empty: unknown, or no regular file
};

/// Why an archive's member takes part.
struct Inclusion {
  FileId file;     ///< the member
  FileId by;       ///< the file that refers to it, kNone: no file does
  SymbolId symbol; ///< by this name
};

/// An archive's member that the link does not take, or such an object behind
/// --start-lib, and the names that it would define.
struct UnusedMember {
  std::string path; ///< "lib.a(m.o)"
  std::vector<llvm::StringRef> symbols;
};

/// The place and the format of the output: the command line's, else the
/// script's.
struct OutputChoice {
  std::string path;
  OutputFormat format = OutputFormat::Elf;
};

/// Treatment of sections that a region has no room for.
enum class RegionFill : uint8_t {
  Overflow, ///< they stay, which is an error
  /// --enable-non-contiguous-regions: they and all behind them go to the
  /// next patterns that match them.
  NextFit,
  FirstFit, ///< code goes to the first of its patterns' regions that has room
};

/// Code between callers that state one type for a function and the function,
/// which has another.
struct Thunk {
  SymbolId symbol; ///< those callers refer to it instead
  SymbolId callee;
};

/// References for which there is no such code, though they need it.
struct MissingThunk {
  FileId file;         ///< the caller
  uint32_t symbol = 0; ///< its index there
  uint32_t parameter;  ///< the callee would not get its bound, from 1
  std::string reason;
  const TypeEntry *caller = nullptr, *callee = nullptr;
  FileId definedIn; ///< where the latter stands
};

/// References that mean another name. --wrap=SYMBOL puts code between the
/// callers of a function and the function: a file that refers to SYMBOL without
/// defining it gets __wrap_SYMBOL, and that may refer to the function itself as
/// __real_SYMBOL. Definitions keep their names.
class Wrapping {
public:
  /// `symbols`: the values of --wrap.
  explicit Wrapping(const std::vector<std::string> &symbols);

  /// The name that a reference to `name` means, which is the same one for most.
  /// It lives as long as this object or as `name` does.
  llvm::StringRef meaning(llvm::StringRef name) const;
  /// Whether every name means itself.
  bool empty() const { return meanings.empty(); }

private:
  llvm::StringMap<std::string> meanings;
};

/// Finds source lines; debug/SourceLines has one that reads DWARF. For
/// messages only, and from one thread: it keeps everything it has read.
class LineFinder {
public:
  virtual ~LineFinder() = default;
  /// "src/work.c:12", the source of a byte of a section; "": unknown.
  virtual std::string lineOf(const ParsedObject &object, uint32_t section,
                             uint64_t offset) = 0;
};

/// Addresses that options give, as expressions.
struct OptionExpressions {
  ExprPtr textSegment;         ///< -Ttext-segment, --image-base; null: none
  std::vector<ExprPtr> starts; ///< parallel to Config::sectionStart
};

/// A strong definition in an archive of a name that a weak one has.
struct StrongOffer {
  SymbolId symbol;
  std::string member; ///< "lib.a(m.o)"
  bool hasOthers;     ///< the member has functions that take it if called
};

struct Program {
  explicit Program(const Config &c, Parallel::ThreadStart start = nullptr)
      : config(c), parallel(c.threads, std::move(start)), wrapping(c.wrap) {}

  /// Everything that was read, whatever became of it: buffers of files, parsed
  /// objects, archives. Names (of symbols, sections, members) point into them,
  /// also names that came from a file that did not join the link, such as a
  /// member that only offered a symbol. Stands first: it goes last.
  std::vector<std::shared_ptr<const void>> owners;

  const Config &config;
  Parallel parallel;
  const Wrapping wrapping; ///< of names that inputs and scripts refer to
  OutputChoice output;
  Machines machines;
  const Target *target = nullptr;
  TargetState state;
  Script script; ///< user's or built-in
  bool builtinScript = true;
  OptionExpressions options;
  std::string builtinText; ///< text of the built-in script with its variables

  /// An input could not be read: names that seem undefined may be in it.
  bool inputsMissing = false;
  /// Sizes of all objects that take part.
  uint64_t inputBytes = 0;
  std::vector<ReadFile> readFiles;
  /// Notes that a file was read, and keeps its path.
  void addReadFile(ReadFile::Kind kind, llvm::StringRef path,
                   FileNumber number) {
    const auto kept = std::make_shared<const std::string>(path.str());
    owners.push_back(kept);
    readFiles.push_back({kind, *kept, number});
  }
  /// --start-group and --end-group, each in front of one of `readFiles`.
  std::vector<GroupMark> groupMarks;
  std::vector<std::string> offered; ///< members in the index of thin archives
  IdVector<FileId, InputFile> files;
  std::vector<Inclusion> inclusions;
  /// For questions alone (Config::whyLive and its like): the same of objects
  /// behind --start-lib, and members that no reference took.
  std::vector<Inclusion> lazyInclusions;
  std::vector<UnusedMember> unusedMembers;
  IdVector<SectionId, InputSection> sections; ///< [0] is none
  std::deque<ParsedSection> madeSections; ///< descriptions of the linker's own
  std::deque<std::vector<uint8_t>> madeBytes;
  /// Definitions that are weak, but for inline functions.
  std::vector<SymbolId> weakDefinitions;
  /// Of those; empty unless the check of them is on.
  std::vector<StrongOffer> strongOffers;
  SymbolTable symbols;
  std::vector<SymbolId> symbolIds; ///< by symbolBase + index; kNone: local
  SymbolId entrySymbol;
  SectionId gotSection;  ///< kNone: no GOT
  SectionId comment;     ///< the linker's own text
  SectionId buildIdNote; ///< kNone: no --build-id
  SectionId initTables;  ///< kNone: no --init-tables
  /// --retain-symbols-file: the names in it; nothing: all are retained.
  std::optional<llvm::StringSet<>> retained;
  /// --symbol-ordering-file: the names in it, each once.
  std::vector<llvm::StringRef> symbolOrder;
  StackInputs stackInputs; ///< empty unless the depth of stacks is asked for
  std::vector<Thunk> thunks;
  std::vector<MissingThunk> missingThunks;
  /// Names that layout may give a value, by slot: few of all.
  IdVector<SlotId, SymbolId> assignable;
  std::unique_ptr<LineFinder> lines; ///< null: messages name no source lines

  static constexpr uint64_t kLocalKey = uint64_t(1) << 32;

  AddressSpace space() const { return {target->is64}; }
  /// Whether local symbols that begin with .L stay out of the symbol table.
  bool discardsLocals() const {
    return config.discard == Discard::Locals ||
           (config.discard == Discard::Default && !target->keepLocalLabels);
  }
  /// Bytes of an address in the output.
  unsigned addressSize() const { return target->is64 ? 8 : 4; }
  /// A file beside the output, of any name but that "%" in it stands for the
  /// output's path, followed by `ending` when nothing else follows.
  std::string besideOutput(llvm::StringRef name, llvm::StringRef ending) const;
  /// Whether -r keeps no group, and places members like other sections.
  bool dissolvesGroups() const {
    return config.dissolveGroups || script.forceGroupAllocation;
  }
  RegionFill regionFill() const {
    if (config.nonContiguousRegions)
      return RegionFill::NextFit;
    return target->codeFillsRegions && script.memory.size() > 1
               ? RegionFill::FirstFit
               : RegionFill::Overflow;
  }
  /// -z max-page-size, or the machine's; -n and -N want no pages.
  uint64_t pageSize() const {
    if (config.paging != Paging::Demand)
      return 1;
    return config.maxPageSize ? *config.maxPageSize : target->maxPageSize;
  }
  /// One number for a symbol, whichever file names it: its SymbolId, or for a
  /// local one kLocalKey | (symbolBase + index).
  uint64_t symbolKey(FileId file, uint32_t symbol) const {
    uint32_t slot = files[file].symbolBase + symbol;
    SymbolId id = symbolIds[slot];
    return id != kNone ? uint64_t(id.index()) : kLocalKey | slot;
  }
  /// The section in which a file's symbol is defined; kNone: in none.
  SectionId sectionOf(const InputFile &file, uint32_t symbol) const;
  /// Gives a name a place among those that layout may give a value.
  void makeAssignable(SymbolId id) {
    if (Symbol &s = symbols[id]; s.slot == kNone) {
      s.slot = assignable.next();
      assignable.push_back(id);
    }
  }
  size_t slotCount() const { return assignable.size(); }
  /// The same names in the order of all symbols.
  std::vector<SymbolId> assignableInOrder() const;
  /// A region of the script by its name or an alias; kNone: there is none.
  RegionId regionNamed(llvm::StringRef name) const;
  /// "a.o:(.text+0x1c)"
  std::string place(SectionId section, uint64_t offset) const;
  /// A symbol's name for people: demangled, unless --no-demangle asks for the
  /// one in the file. JSON keeps the latter. All names
  /// for people are printable (base/Diagnostics.h).
  std::string shownName(llvm::StringRef name) const;
  /// The name for e_entry: of -e, else ENTRY, else the machine's usual one.
  llvm::StringRef entryName() const;
  /// The source line of a place, "src/work.c:12"; "": unknown.
  std::string sourceLine(SectionId section, uint64_t offset) const;
  /// " at src/work.c:12", for the end of a note that names the place, or "".
  std::string atLine(SectionId section, uint64_t offset) const;
  /// "a.o:(.text)"
  std::string sectionName(SectionId section) const;
  /// The rare fields of a section.
  const MoreOfSection &moreOf(SectionId section) const {
    const InputSection &s = sections[section];
    return s.parsed && s.parsed->hasMore ? files[s.file].object->moreOf(s.index)
                                         : kNothingMore;
  }
  /// Path of a file, or "<internal>".
  std::string filePath(FileId file) const;
  /// The same for people.
  std::string fileName(FileId file) const;
  /// Adds a file with its sections; its symbols are bound to nothing yet.
  FileId addFile(const std::shared_ptr<const ParsedObject> &object);
  /// Adds a section of the linker's own.
  SectionId addMadeSection(llvm::StringRef name, uint32_t type, uint64_t flags,
                           uint64_t align, std::vector<uint8_t> bytes,
                           uint64_t size);
};

/// Whether this is made of a file's COMMON symbol: no section of the file, and
/// without type and flags for GNU ld.
bool isCommon(const InputSection &section);

} // namespace xlink
#endif
