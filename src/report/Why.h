//===- Why.h - questions about single symbols and sections ----------------===//
#ifndef XLINK_REPORT_WHY_H
#define XLINK_REPORT_WHY_H

#include "base/Diagnostics.h"
#include "layout/EnclosingSymbols.h"
#include "model/Link.h"
#include "placement/PatternRules.h"
#include "sections/LiveGraph.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xlink {

/// A thing that a question names.
struct WhyTarget {
  enum Kind : uint8_t {
    Global,  ///< `symbol`
    Local,   ///< a local symbol: `name` in `section`
    Section, ///< `section`
    Member,  ///< `file`, a member of an archive or behind --start-lib
    Unused,  ///< `member`, which did not join the link
  } kind = Global;
  SymbolId symbol = {};
  SectionId section = {}; ///< of a symbol: its home, kNone without one
  uint64_t offset = 0;    ///< of a symbol: in its home
  FileId file = {};
  uint32_t member = 0;       ///< into Program::unusedMembers
  llvm::StringRef name = {}; ///< of a symbol, as in the file

  bool isSymbol() const { return kind <= Local; }
};

/// Finds the targets of questions: symbols by their names, mangled or not, with
/// the parameters or without; sections by "NAME" or "FILE:(NAME)"; archive
/// members by "ARCHIVE(MEMBER)" or "MEMBER". Any of them may be a glob;
/// directories in front of files may be left out.
class WhyNames {
public:
  /// Kinds of targets that a question may have.
  enum Wanted : unsigned {
    Symbols = 1,
    Sections = 2,
    Members = 4,
    Unused = 8,
    SymbolsOtherwise = 16, ///< where nothing else has the name
  };

  /// Reads all names at once.
  explicit WhyNames(const Program &program);
  /// In the order of the link, each once. A plain section name counts where it
  /// begins with a dot, or where no symbol has that name.
  std::vector<WhyTarget> find(llvm::StringRef question, unsigned wanted) const;
  /// "nothing in this link is called 'mian'; did you mean 'main'?"
  std::string unknownText(llvm::StringRef question, unsigned wanted);

private:
  /// A text, and the target that it names.
  struct Name {
    llvm::StringRef text;
    uint32_t target;
    bool plainSection = false; ///< "NAME"
    bool fullSection = false;  ///< "FILE:(NAME)": a glob has to look like it
    bool hasPath = false;      ///< it begins with that of a file
  };
  void addName(llvm::StringRef text, bool hasPath = false);
  void addSymbol(WhyTarget target);
  void addSymbols();
  void addMembers();
  std::vector<const Name *> findPlain(llvm::StringRef question) const;
  bool matches(const Name &name, llvm::StringRef glob, unsigned wanted) const;

  const Program &program;
  llvm::BumpPtrAllocator texts;
  std::vector<WhyTarget> targets; ///< in the order of the link
  std::vector<Name> names;
  /// Into `names`, those of files without directories.
  llvm::StringMap<llvm::SmallVector<uint32_t, 1>> exact;
  std::optional<SpellingHints> hints;
};

/// The fewest references from the roots to each section that lives or, where
/// nothing is collected, would live.
class LiveSearch {
public:
  /// A step from one section to another.
  struct Edge {
    LiveLink link;
    SectionId from;     ///< kNone: a root, for the reason in `root`
    LiveRoot root = {}; ///< of a root alone
  };

  /// Searches at once: one search answers all questions.
  explicit LiveSearch(const Program &program);

  /// The last step to a section; null: nothing reaches it.
  const Edge *find(SectionId id) const {
    const uint32_t i = found[id];
    return i == kNone ? nullptr : &edges[i];
  }
  /// The same for the piece of a mergeable section that has the bytes from
  /// `begin` to, not including, `end`.
  const Edge *find(SectionId id, uint64_t begin, uint64_t end) const;
  const LiveGraph &links() const { return graph; }
  /// As patterns placed the sections, before orphans came.
  const Placement &matched() const { return placement; }

private:
  Diagnostics reported; ///< by the link, when it placed the sections
  const Placement placement;
  const std::vector<EhFrame> frames;
  const LiveGraph graph;
  std::vector<Edge> edges;             ///< the nearest first
  IdVector<SectionId, uint32_t> found; ///< into `edges`
  /// Of mergeable sections: the edge to each byte that something refers to,
  /// kWhole for all bytes.
  static constexpr uint64_t kWhole = ~uint64_t(0);
  llvm::DenseMap<SectionId, std::map<uint64_t, uint32_t>> pieces;
};

/// A phrase of an answer's text, and the members of its JSON. Names are
/// demangled in the text, as in the file in JSON.
struct Phrase {
  std::string text;
  llvm::json::Object json = {};
};

/// The answer to a question about one target: lines, and an object.
struct WhyAnswer {
  std::string text;
  llvm::json::Object json;

  void line(const llvm::Twine &words) {
    text += "    " + printable(words.str()) + "\n";
  }
  /// A line, and a member.
  void say(Phrase phrase, const char *member) {
    line(phrase.text);
    json[member] = std::move(phrase.json);
  }
  /// A line, and an element of a member that is an array.
  void add(const llvm::Twine &words, llvm::json::Value value,
           const char *member);
};

/// Whether a target is in the output, and the phase that decided that.
struct Fate {
  enum Kind : uint8_t {
    Lives,
    DeadPiece,  ///< its section lives, the piece of it does not
    Collected,  ///< --gc-sections
    Comdat,     ///< another file's copy is in force
    Excluded,   ///< SHF_EXCLUDE
    Stripped,   ///< --strip-debug and its like
    Script,     ///< /DISCARD/
    Orphan,     ///< --orphan-handling=discard and the like
    Folded,     ///< --icf
    Unused,     ///< an archive's member that was not extracted
    Undefined,  ///< nothing defines it
    NoSection,  ///< a value that is in no input section
    LinkerMade, ///< made by the linker, never collected
    Cut         ///< an unwind table: its records live with their functions
  } kind = Lives;
  std::string text; ///< a sentence without its beginning; empty: Lives
  /// In JSON: the reason, such as the file with the copy in force.
  llvm::json::Object by = {};

  /// Whether the collection could have kept it.
  bool isCollected() const { return kind == Collected || kind == DeadPiece; }
};

/// Prints chains of a length that many questions can afford: the first are
/// whole; after ten thousand steps, one ends where a chain goes on that was
/// printed before.
class ChainPrinter {
public:
  /// `count`: how many things there are that can stand in a chain.
  explicit ChainPrinter(size_t count) : shown(unsigned(count)) {}

  /// The functions about a thing in a chain; `last`: the chain ends with it.
  struct Links {
    /// The thing in front of it, kNone where the chain begins.
    llvm::function_ref<uint32_t(uint32_t thing, bool last)> before;
    /// Answers why a chain begins there; `continued`: its own was printed.
    llvm::function_ref<void(uint32_t thing, bool last, bool continued)> begin;
    /// The step that leads to it.
    llvm::function_ref<Phrase(uint32_t thing, bool last)> step;
  };
  void add(WhyAnswer &answer, uint32_t thing, const Links &links);

private:
  llvm::BitVector shown;
  size_t left = 10000; ///< steps of whole chains
};

/// A link, the tables in which questions look things up, each made when it is
/// first needed, the phrases of answers, and the answers of one option.
class WhyContext {
public:
  WhyContext(const Link &link, Diagnostics &diag)
      : link(link), program(link.program), diag(diag), enclosing(link.program) {
  }

  const Link &link;
  const Program &program;
  std::string text;                    ///< the answers of an option
  llvm::json::OStream *json = nullptr; ///< an array of them

  const LiveSearch &search();
  const PatternRules &rules();

  /// Answers the questions of an option one by one: a hundred thousand answers
  /// would be a tree of gigabytes. A question that names nothing is a
  /// warning.
  void ask(const char *option, const std::vector<std::string> &questions,
           unsigned wanted,
           llvm::function_ref<WhyAnswer(const WhyTarget &)> answer);
  /// Begins and ends the answers to one question in JSON; `question` may be
  /// empty.
  void question(llvm::StringRef question, llvm::function_ref<void()> answers);
  void give(WhyAnswer answer);

  /// An answer that has its headline, "why live: main in main.o:(.text.main)",
  /// and in JSON the fate of its target.
  WhyAnswer begin(const char *why, const WhyTarget &target, const Fate &fate);
  Fate fateOf(const WhyTarget &target);
  /// The bytes of the piece that a symbol of a merged section names: from, and
  /// up to; of any other target all bytes.
  std::pair<uint64_t, uint64_t> pieceOf(const WhyTarget &target) const;

  llvm::json::Object jsonOf(const WhyTarget &target);
  /// `file`, `section`, and `offset` where there is one.
  llvm::json::Object jsonOf(SectionId section,
                            std::optional<uint64_t> offset = {});
  /// A reference: "a.o:(.text+0x4) in f refers to g, R_..., at a.c:3".
  Phrase reference(SectionId from, const LiveLink &link);
  /// One step of a chain, a reference or another bond.
  Phrase step(const LiveSearch::Edge &edge);
  /// The reason for a root: "entry symbol _start, by ENTRY at s.ld:1".
  Phrase reason(const LiveRoot &root, SectionId section);
  /// A reason, and the root that it makes.
  Phrase root(const LiveSearch::Edge &edge);
  /// "*(.text .text.*) at s.ld:12", with KEEP around it where it stands there.
  static Phrase rule(const PatternRule &rule);

private:
  std::string titleOf(const WhyTarget &target);
  ScriptLocation scriptPlace(SymbolId symbol);
  llvm::StringRef symbolOf(FileId file, const Relocation &rel) const;
  Fate fateOfSymbol(const WhyTarget &target);
  Fate fateOfSection(SectionId id);
  Fate fateOfDiscarded(SectionId id);
  Fate fateOfUnused(const UnusedMember &member) const;
  FileId winnerOf(SectionId id);

  Diagnostics &diag;
  EnclosingSymbols enclosing;
  std::optional<WhyNames> names;
  std::optional<LiveSearch> liveSearch;
  std::optional<PatternRules> patternRules;
  llvm::StringMap<llvm::StringRef> scriptWords; ///< as they stand there
  /// By signature or .gnu.linkonce name: the file with the copy in force.
  std::optional<llvm::StringMap<FileId>> copies;
  /// By symbol: into Program::unusedMembers.
  std::optional<llvm::StringMap<uint32_t>> offers;
};

/// --why-live: for each symbol and section that a question names, the shortest
/// chain of references from a root, or the phase that dropped it.
void whyLive(WhyContext &context);

/// --why-dead: for each symbol and section that a question names, the phase
/// that dropped it: for the collection, the references to it, why these are
/// dead too, and ways to keep it.
void whyDead(WhyContext &context);

/// --why-extract: of each member of an archive, or behind --start-lib, that
/// takes part, the symbol that asked for it, where, and why that file takes
/// part; with names only of members that are called so, or define a symbol of
/// that name.
void whyExtract(WhyContext &context);

/// --why-extract=FILE: the values of the option that are no name of a symbol or
/// of a member, and so files.
std::vector<std::string> whyExtractFiles(const Program &program);
/// lld's table: reference, extracted file and symbol, with tabs between them.
std::string whyExtractTable(const Program &program);

/// --why-placed: for each section that a question names, the pattern that took
/// it, those that could have, or the rule of orphans that placed it.
void whyPlaced(WhyContext &context);

} // namespace xlink
#endif
