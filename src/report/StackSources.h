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

/// Finds the function that contains a byte of code. Where objects have no
/// functions with a type, as those of hand-written assembly, it is the label in
/// front of the byte.
class FunctionFinder {
public:
  explicit FunctionFinder(const Program &program)
      : program(program), enclosing(program) {}

  struct Found {
    FileId file;
    uint32_t symbol; ///< its index in that file
    uint64_t begin;  ///< its first byte, in the section
  };
  std::optional<Found> find(SectionId section, uint64_t offset);

private:
  struct Label {
    uint32_t section;
    uint64_t offset;
    uint32_t symbol;
  };
  const Label *labelBefore(FileId file, uint32_t section, uint64_t offset);

  const Program &program;
  EnclosingSymbols enclosing;
  llvm::DenseMap<FileId, std::vector<Label>> labels;
};

/// What is known of a function beside statements.
struct StackFacts {
  SectionId section; ///< where it begins; kNone: nobody defines it
  uint64_t offset = 0;
  std::optional<uint64_t> frame;       ///< bytes of its own
  std::optional<uint64_t> withCallees; ///< bytes with all that it calls
  bool dynamic = false;      ///< its frame is larger than `frame`, or may be
  bool isAlias = false;      ///< another name; it calls what it stands for
  bool addressTaken = false; ///< by data, or by code as data
  bool indirect = false;     ///< it calls through a pointer
  bool labelsTaken = false;  ///< places in it are named, but by no jump
  bool calls = false;        ///< there are calls in its code, stated or not
  bool callsNoted = false;   ///< a compiler's file has all of its calls
  bool stated = false;       ///< --stack-calls says what that reaches
  llvm::StringRef indirectPlace; ///< "work.c:5:31", or empty
  /// Where its code calls through a pointer, in `section`.
  std::optional<uint64_t> indirectAt;
};

/// All functions of live code; frames from .stack_sizes and from compilers'
/// files; calls from relocations, those files and --stack-calls.
class StackSources : public CallSource {
public:
  /// Addresses must be fixed. What is malformed goes to `diag`.
  StackSources(const Link &link, Diagnostics &diag);

  void addFunctions(CallGraph &graph) override;
  void addCalls(CallGraph &graph) override;

  /// By node; a node that was added last may be behind the end.
  const std::vector<StackFacts> &facts() const { return factList; }
  /// The functions of that name, in the file or for people, aliases resolved;
  /// valid until the next question.
  llvm::ArrayRef<CallGraph::Node> named(llvm::StringRef name);
  /// The function that a global symbol means; kNone where that is none.
  CallGraph::Node functionOf(CallGraph &graph, SymbolId id);
  /// Sections with several functions and no call between them that has a
  /// relocation: the assembler may have resolved such calls.
  const std::vector<SectionId> &silentSections() const { return silent; }
  /// Branches into the middle of functions from which calls lead back to the
  /// branch: they count as the end of those calls.
  uint64_t returningBranches() const { return returning; }
  /// Calls from code that no symbol names.
  uint64_t namelessCalls() const { return nameless; }
  /// Jumps through registers that may stay in their functions, as those of
  /// switches do.
  uint64_t jumpsOfSwitches() const { return switches; }
  /// Whether the code of a section was read, so that its functions have no
  /// other calls through pointers than those that are known.
  bool isRead(SectionId id) const;

private:
  using Node = CallGraph::Node;
  struct Place {
    SectionId section; ///< kNone: in none
    uint64_t offset = 0;
  };
  StackFacts &factsOf(Node node);
  Place placeOf(const InputFile &file, uint32_t symbol, int64_t addend) const;
  Node nodeAt(CallGraph &graph, const Place &place, bool startOnly = false);
  Node nodeAtAddress(uint64_t address);
  Node calleeOf(CallGraph &graph, FileId file, const Relocation &rel,
                const RelocationRow &row);
  void addFile(CallGraph &graph, FileId file);
  void linkAliases(CallGraph &graph, Node end);
  void readStackSizes(CallGraph &graph, FileId file);
  void readNotedFrames(CallGraph &graph, const StackNotes &notes);
  void readNotedCalls(CallGraph &graph, const StackNotes &notes);
  void readStatedCalls(CallGraph &graph);
  void addInnerBranches(CallGraph &graph);
  void readRelocations(CallGraph &graph, SectionId id);
  void addRelocatedCall(CallGraph &graph, SectionId id, const Relocation &rel,
                        const RelocationRow &row, Use use);
  void takeAddress(CallGraph &graph, const Place &place, bool fromJump);
  const InputFile &fileOf(SectionId id) const;
  Flow flowAt(SectionId id, uint64_t offset) const;
  bool namesPlaceIn(CallGraph &graph, Node function, SectionId id,
                    uint64_t offset, bool inner);
  bool followsTable(CallGraph &graph, Node function, SectionId id,
                    uint64_t offset);
  llvm::SmallVector<Relocation, 2> relocationsAt(SectionId id,
                                                 uint64_t offset) const;
  void readCode(CallGraph &graph, SectionId id);
  void addPointerCalls(const CallGraph &graph);
  /// Functions that --stack-calls names in one word, kept once.
  struct NamedSet {
    Node node = kNone; ///< that stands for them in the graph; none: not yet
    unsigned users = 0;
  };
  using NamedSets = std::map<std::vector<Node>, NamedSet>;
  NamedSets::value_type &callersNamed(llvm::StringRef name);
  NamedSets::value_type &matching(llvm::StringRef pattern);
  static Node nodeOfSet(CallGraph &graph, NamedSets::value_type &set);
  template <class Fn> void forEachStatedCall(Fn fn);
  const llvm::StringMap<Node> &functionsOf(CallGraph &graph, FileId file);

  const Link &link;
  Diagnostics &diag;
  const RelocationIndex rows;
  FunctionFinder finder;
  std::vector<StackFacts> factList;
  /// Names of live functions, aliases among them.
  std::vector<std::pair<llvm::StringRef, Node>> names;
  llvm::StringMap<std::vector<Node>> byName; ///< made when somebody asks
  bool hasShownNames = false;                ///< those for people are in it
  NamedSets namedSets;
  llvm::StringMap<NamedSets::value_type *> byCaller, byPattern;
  std::vector<std::string> shownNames; ///< of `names`, for patterns
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
  /// Calls through pointers, and jumps that may be some, in the order of the
  /// sections.
  struct PointerCall {
    Node caller;
    uint64_t offset; ///< in its section
    bool jump;
  };
  std::vector<PointerCall> pointerCalls;
  uint64_t switches = 0;
};

} // namespace xlink
#endif
