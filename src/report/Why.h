//===- Why.h - questions about single symbols and sections ----------------===//
#ifndef XLINK_REPORT_WHY_H
#define XLINK_REPORT_WHY_H

#include "base/Diagnostics.h"
#include "layout/EnclosingSymbols.h"
#include "model/Link.h"
#include "placement/PatternRules.h"
#include "sections/LiveGraph.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/JSON.h"

namespace xlink {

/// A thing that a question names.
struct WhyTarget {
  /// Bits: a question asks for several kinds.
  enum Kind : uint8_t {
    Global = 1,  ///< `symbol`
    Local = 2,   ///< a local symbol: `name` in `section`
    Section = 4, ///< `section`
    Member = 8,  ///< `file`, a member of an archive or behind --start-lib
    Unused = 16, ///< `member`, which did not join the link
    Symbols = Global | Local,
    SymbolsOtherwise = 32, ///< of questions: where nothing else has the name
  } kind = Global;
  SymbolId symbol = {};
  SectionId section = {}; ///< of a symbol: its home, kNone without one
  uint64_t offset = 0;    ///< of a symbol: in its home
  FileId file = {};
  uint32_t member = 0;       ///< into Program::unusedMembers
  llvm::StringRef name = {}; ///< of a symbol, as in the file

  bool isSymbol() const { return kind & Symbols; }
};

/// Finds the targets of questions: symbols by their names, mangled or not, with
/// the parameters or without; sections by "NAME" or "FILE:(NAME)"; archive
/// members by "ARCHIVE(MEMBER)" or "MEMBER". Any of them may be a glob;
/// directories in front of files may be left out.
class WhyNames {
public:
  /// Reads all names at once.
  explicit WhyNames(const Program &program);
  /// Those of the `wanted` kinds in the order of the link, each once. A plain
  /// section name counts where it begins with a dot, or where no symbol has
  /// that name.
  std::vector<WhyTarget> find(llvm::StringRef question, unsigned wanted) const;
  /// "nothing in this link is called 'mian'; did you mean 'main'?"
  std::string unknownText(llvm::StringRef question, unsigned wanted);

private:
  /// A text, and the target that it names.
  struct Name {
    llvm::StringRef text;
    uint32_t target;
    bool hasPath = false;      ///< it begins with that of a file
    bool plainSection = false; ///< "NAME"
    bool fullSection = false;  ///< "FILE:(NAME)": a glob has to look like it
  };
  void addSymbol(WhyTarget target);
  bool matches(const Name &name, llvm::StringRef glob, unsigned wanted) const;

  const Program &program;
  llvm::BumpPtrAllocator texts;
  std::vector<WhyTarget> targets; ///< in the order of the link
  std::vector<Name> names;
  /// Into `names`, those of files without directories.
  llvm::StringMap<llvm::SmallVector<uint32_t, 1>> exact;
  std::optional<SpellingHints> hints;
};

/// The bytes of a section from the first number up to, not including, the
/// second.
using ByteRange = std::pair<uint64_t, uint64_t>;
inline constexpr ByteRange kAllBytes{0, ~uint64_t(0)};

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

  /// The last step to a section, or to the piece of a mergeable section that
  /// has these bytes; null: nothing reaches it.
  const Edge *find(SectionId id, ByteRange bytes = kAllBytes) const;
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
  /// kAllBytes.second for all bytes.
  llvm::DenseMap<SectionId, std::map<uint64_t, uint32_t>> pieces;
};

/// A phrase of an answer's text, and the members of its JSON. Names are
/// demangled in the text, as in the file in JSON.
struct Phrase {
  std::string text;
  llvm::json::Object json = {};
};

/// The answer to a question about one target: lines, and an object.
struct WhyAnswer : Phrase {
  void line(const llvm::Twine &words) {
    text += "    " + printable(words.str()) + "\n";
  }
  /// A line, and a member.
  void say(Phrase phrase, const char *member) {
    line(phrase.text);
    json[member] = std::move(phrase.json);
  }
  /// A line, and an element of a member that is an array.
  void add(Phrase phrase, const char *member) {
    line(phrase.text);
    llvm::json::Value &list = json[member];
    if (!list.getAsArray())
      list = llvm::json::Array();
    list.getAsArray()->push_back(std::move(phrase.json));
  }
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

/// Finds chains of a length that many questions can afford: the first are
/// whole; after ten thousand steps, one begins where it meets a chain that was
/// found before.
class Chains {
public:
  /// `count`: how many things there are that can stand in a chain.
  explicit Chains(size_t count) : shown(unsigned(count)) {}

  struct Chain {
    std::vector<uint32_t> things; ///< from the beginning to the end
    bool continued = false; ///< the first one's own chain was found before
  };
  /// `before(thing, last)` is the thing in front of one, kNone where the chain
  /// begins; `last`: the chain ends with the thing.
  Chain
  endingAt(uint32_t end,
           llvm::function_ref<uint32_t(uint32_t thing, bool last)> before);

private:
  llvm::BitVector shown;
  size_t left = 10000; ///< steps of whole chains
};

/// A text as a value in JSON.
inline llvm::json::Value jsonText(llvm::StringRef s) {
  return llvm::json::fixUTF8(s);
}

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

  const LiveSearch &search() {
    return liveSearch ? *liveSearch : liveSearch.emplace(program);
  }
  const PatternRules &rules() {
    return patternRules
               ? *patternRules
               : patternRules.emplace(rulesOf(program, link.placement));
  }

  using AnswerFn = llvm::function_ref<WhyAnswer(const WhyTarget &)>;
  using PrepareFn = llvm::function_ref<void(llvm::StringRef question,
                                            std::vector<WhyTarget> &targets)>;

  /// Answers the questions of an option one by one: a hundred thousand answers
  /// would be a tree of gigabytes. A question that names nothing is a
  /// warning. `prepare` may take targets away, null: there is none.
  void ask(const char *option, const std::vector<std::string> &questions,
           unsigned wanted, AnswerFn answer, PrepareFn prepare = nullptr);
  /// Answers one question; `question` may be empty.
  void answerAll(llvm::StringRef question, llvm::ArrayRef<WhyTarget> targets,
                 AnswerFn answer) {
    json->object([&] {
      json->attributeArray("answers", [&] {
        for (const WhyTarget &target : targets) {
          WhyAnswer made = answer(target);
          text += made.text;
          json->value(std::move(made.json));
        }
      });
      if (!question.empty())
        json->attribute("question", jsonText(question));
    });
  }

  /// An answer that has its headline, "why live: main in main.o:(.text.main)",
  /// and in JSON the fate of its target.
  WhyAnswer begin(const char *why, const WhyTarget &target, const Fate &fate);
  Fate fateOf(const WhyTarget &target);
  /// The bytes of the piece that a symbol of a merged section names; of any
  /// other target all bytes.
  ByteRange pieceOf(const WhyTarget &target) const;

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
  Phrase root(const LiveSearch::Edge &edge) {
    Phrase phrase = reason(edge.root, edge.link.to);
    phrase.text += ": " + (edge.link.kind == LiveEdge::Root
                               ? program.sectionName(edge.link.to)
                               : program.place(edge.link.to, edge.link.offset));
    for (auto &member : jsonOf(edge.link.to))
      phrase.json[member.first] = member.second;
    return phrase;
  }
  /// "*(.text .text.*) at s.ld:12", with KEEP around it where it stands there.
  static Phrase rule(const PatternRule &rule);

private:
  Fate fateOfSymbol(SymbolId id);
  Fate fateOfSection(SectionId id);
  FileId winnerOf(SectionId id);

  Diagnostics &diag;
  EnclosingSymbols enclosing;
  std::optional<WhyNames> names;
  std::optional<LiveSearch> liveSearch;
  std::optional<PatternRules> patternRules;
  /// Symbols that the script needs, as they stand there.
  std::optional<std::vector<llvm::StringRef>> scriptWords;
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
