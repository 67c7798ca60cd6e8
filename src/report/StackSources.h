//===- StackSources.h - functions, frames and calls of a program ----------===//
#ifndef XLINK_REPORT_STACKSOURCES_H
#define XLINK_REPORT_STACKSOURCES_H

#include "base/Diagnostics.h"
#include "layout/EnclosingSymbols.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include "report/CallGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace xlink {

/// All functions of live code; frames from .stack_sizes and from compilers'
/// files; calls from relocations, those files and --stack-calls.
class StackSources {
public:
  /// `graph`: made with these sources. Addresses must be fixed. Malformed
  /// tables are warnings.
  StackSources(const Link &link, CallGraph &graph, Diagnostics &diag);

  /// Adds functions to the graph.
  void addFunctions();
  /// Adds calls. All other statements of objects are known by then.
  void addCalls();

  /// The functions of that name, in the file or for people, aliases resolved;
  /// valid until the next question.
  llvm::ArrayRef<CallGraph::Node> named(llvm::StringRef name);
  /// The function that a global symbol means; kNone where that is none.
  CallGraph::Node functionOf(SymbolId id);
  /// Sections with several functions and no call between them that has a
  /// relocation: the assembler may have resolved such calls.
  const std::vector<SectionId> &silentSections() const { return silent; }
  /// Branches into the middle of functions from which calls lead back to the
  /// branch: they count as the end of those calls.
  uint64_t returningBranches() const { return returning; }
  /// Calls from code that no symbol names.
  uint64_t namelessCalls() const { return nameless; }

private:
  using Node = CallGraph::Node;
  struct Place {
    SectionId section; ///< kNone: in none
    uint64_t offset = 0;
  };
  CallGraph::Symbol &factsOf(Node node) { return graph.symbols[node]; }
  Place placeOf(const InputFile &file, uint32_t symbol, int64_t addend) const;
  Node nodeAt(const Place &place, bool startOnly = false);
  Node nodeAtAddress(uint64_t address);
  Node calleeOf(FileId file, const Relocation &rel, const RelocationRow &row);
  void addFile(FileId file);
  void linkAliases(Node end);
  void readStackSizes(FileId file);
  void readNotedFrames(const StackNotes &notes);
  void readNotedCalls(const StackNotes &notes);
  void readStatedCalls();
  void addInnerBranches();
  void readRelocations(SectionId id);
  void addRelocatedCall(SectionId id, const Relocation &rel,
                        const RelocationRow &row, Use use);
  Node matching(llvm::StringRef pattern);
  const llvm::StringMap<Node> &functionsOf(FileId file);

  const Link &link;
  CallGraph &graph;
  Diagnostics &diag;
  const RelocationIndex rows;
  EnclosingSymbols enclosing;
  /// Names of live functions, aliases among them.
  std::vector<std::pair<llvm::StringRef, Node>> names;
  llvm::StringMap<std::vector<Node>> byName; ///< made when somebody asks
  llvm::StringMap<Node> byPattern;           ///< see matching()
  std::map<std::vector<Node>, Node> sets;    ///< of several functions
  std::vector<std::string> shownNames;       ///< of `names`, for patterns
  /// Made when somebody asks. LLVM's maps have no place for an address of -1.
  std::unordered_map<uint64_t, Node> byAddress;
  llvm::DenseMap<FileId, llvm::StringMap<Node>> byFile;
  /// Of a section: how many functions it has, and whether its assembler keeps
  /// relocations to places in it.
  struct Density {
    uint32_t functions = 0;
    bool keepsLocal = false;
  };
  llvm::DenseMap<SectionId, Density> densities;
  std::vector<SectionId> silent;
  std::vector<std::pair<Node, Node>> innerBranches; ///< into the middle
  uint64_t returning = 0;
  uint64_t nameless = 0;
};

} // namespace xlink
#endif
