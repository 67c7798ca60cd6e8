//===- Resolver.h - symbols, archives, COMDAT groups ----------------------===//
#ifndef XLINK_RESOLVE_RESOLVER_H
#define XLINK_RESOLVE_RESOLVER_H

#include "model/Program.h"
#include "resolve/InputLoader.h"
#include "resolve/LazySymbols.h"
#include "resolve/SymbolPrecedence.h"
#include "llvm/ADT/CachedHashString.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace xlink {

/// Decides which definition each name has and which archive members take part.
/// Fills program.files, program.sections, program.symbols and
/// program.symbolIds.
class Resolver : public EarlyInputs {
public:
  Resolver(Program &program, Diagnostics &diagnostics, InputLoader &loader)
      : program(program), diagnostics(diagnostics), loader(loader) {}

  void begin(uint64_t bytes) override;
  void take(const std::shared_ptr<const ParsedObject> &object) override;
  /// The result depends on the order of inputs alone. Those that were taken
  /// early are the first of them.
  void run(std::vector<LoadedInput> inputs);
  /// How many statements and names of the script, symbols of members that were
  /// asked for one, symbols of sections that were compared, and names for
  /// --undefined-glob were looked at: a measure of the work for tests.
  uint64_t steps() const { return stepCount; }

private:
  /// A provider that something has asked for.
  struct Asked {
    bool isLoaded = false, isExtracted = false;
    std::shared_ptr<const ParsedObject> object;
    /// The names that it defines, once that was asked.
    std::optional<llvm::DenseSet<llvm::CachedHashStringRef>> names;
  };
  /// A file whose symbols are being entered.
  struct Frame {
    FileId file;
    uint32_t next;
  };

  void mentionRoots();
  void makeRoom(const ParsedObject &object);
  void requireGlobs();
  void referenceScriptSymbols();
  void addFile(const std::shared_ptr<const ParsedObject> &object);
  void finishFrames();
  void enterSymbol(FileId file, uint32_t index);
  SymbolId enter(llvm::StringRef name, uint64_t hash);
  SymbolId enter(llvm::StringRef name);
  SymbolId lookUp(llvm::StringRef name);
  void offerIndex(uint32_t input);
  void offerObject(const ParsedObject &object, Provider provider);
  void offer(SymbolId id, Provider provider);
  void enterInputs();
  /// Adds what defines `symbol`, which `by` refers to (kNone: no file).
  void extract(Provider provider, SymbolId symbol, FileId by);
  void require(llvm::StringRef name);
  bool providerDefines(Provider provider, const Symbol &symbol);
  Asked &load(Provider provider);
  void claimGroups(FileId file);
  void claimGroup(FileId file, const ParsedGroup &group);
  void claimLinkOnce(SectionId section);
  SectionId onlyMember(FileId file, const ParsedGroup &group) const;
  /// Name, binding, type, visibility, other bits of st_other.
  using SymbolShape =
      std::tuple<llvm::StringRef, uint8_t, uint8_t, uint8_t, uint8_t>;
  const std::vector<SymbolShape> &shapesOf(SectionId section);
  bool sameSymbols(SectionId a, SectionId b);
  void refuseSlimObjects();
  void checkRequired();
  void chooseEntry();
  void listUnused();

  Program &program;
  Diagnostics &diagnostics;
  InputLoader &loader;
  /// Of the inputs that are taken while others are parsed.
  struct {
    bool going = false;  ///< from begin() to run()
    uint64_t bytes = 0;  ///< of all objects
    uint64_t taken = 0;  ///< of those taken
    uint32_t inputs = 0; ///< taken
    /// To be reported when all is parsed.
    std::vector<DuplicateDefinition> duplicates;
  } early;
  std::vector<LoadedInput> inputs;
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, Asked> asked; ///< by Provider
  LazySymbols lazySymbols;
  uint32_t offered = 0; ///< of their symbols: those that have had their turn
  uint64_t stepCount = 0;
  std::vector<Frame> stack;
  llvm::StringMap<SectionId> comdats;  ///< the only member, or kNone
  llvm::StringMap<SectionId> linkOnce; ///< .gnu.linkonce.*, by name
  llvm::StringMap<std::vector<SectionId>> linkOnceByKey;
  /// Of files whose sections had to be compared: (section, symbol), sorted.
  llvm::DenseMap<FileId, std::vector<std::pair<uint32_t, uint32_t>>>
      symbolsBySection;
  std::unordered_map<uint32_t, std::vector<SymbolShape>> shapes; ///< compared
};

/// Gives every COMMON symbol a section of its own named COMMON, those of a file
/// in the order that --sort-common asks for.
void allocateCommon(Program &program, Diagnostics &diag);

} // namespace xlink
#endif
