//===- WhyContext.h - what the questions of a link share ------------------===//
#ifndef XLINK_REPORT_WHYCONTEXT_H
#define XLINK_REPORT_WHYCONTEXT_H

#include "layout/EnclosingSymbols.h"
#include "model/Link.h"
#include "placement/PatternRules.h"
#include "report/LiveSearch.h"
#include "report/WhyNames.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// Which option or statement of the script asks for each symbol.
llvm::DenseMap<SymbolId, LiveRoot::Kind> askersOf(const Program &program);

/// A thing that answers speak of: a phrase of a sentence for people, and the
/// members that programs read. Names are demangled in the one, as in the file
/// in the other.
struct Said {
  std::string text;
  llvm::json::Object json = {};
};

/// The answer to a question about one target: lines, and an object.
struct WhyAnswer {
  std::string text;
  llvm::json::Object json;

  void line(const llvm::Twine &what) {
    text += "    " + printable(what.str()) + "\n";
  }
  /// A line, and a member.
  void say(const llvm::Twine &what, const char *member,
           llvm::json::Value value) {
    line(what);
    json[member] = std::move(value);
  }
  /// A line, and an element of a member that is an array.
  void add(const llvm::Twine &what, const char *member,
           llvm::json::Value value) {
    line(what);
    push(member, std::move(value));
  }
  void push(const char *member, llvm::json::Value value) {
    llvm::json::Value &list = json[member];
    if (!list.getAsArray())
      list = llvm::json::Array();
    list.getAsArray()->push_back(std::move(value));
  }
};

/// A link with what --why-live and its like look up in it, each made when it is
/// first needed; the words in which they speak of places; and their answers.
class WhyContext {
public:
  WhyContext(const Link &link, Diagnostics &diag)
      : link(link), program(link.program), names(link.program), diag(diag),
        enclosing(link.program) {}

  const Link &link;
  const Program &program;
  WhyNames names;
  // Where the answers of an option go.
  std::string text;
  llvm::json::OStream *json = nullptr; ///< an array

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

  /// An answer that has its headline: "why live: main in main.o:(.text.main)".
  WhyAnswer begin(const char *why, const WhyTarget &target);
  llvm::json::Object jsonOf(const WhyTarget &target);
  /// `file`, `section`, and `offset` where there is one.
  llvm::json::Object jsonOf(SectionId section,
                            std::optional<uint64_t> offset = {});

  /// A reference: "a.o:(.text+0x4) in f refers to g, R_..., at a.c:3".
  Said reference(SectionId from, const LiveLink &link);
  /// One step of a chain, a reference or another bond.
  Said step(SectionId from, const LiveLink &link);
  /// Who asks for a root: "entry symbol _start, by ENTRY at s.ld:1".
  Said reason(const LiveRoot &root, SectionId section);
  /// The option, or the statement of the script, that asks for a symbol;
  /// nothing: none does.
  std::optional<LiveRoot> askerOf(SymbolId symbol);
  /// A reason, and the root that it makes.
  Said root(const LiveSearch::Edge &edge);
  /// "*(.text .text.*) at s.ld:12", with KEEP around it where it stands there.
  static Said rule(const PatternRule &rule);

private:
  /// Why an option or the script names a root's symbol, and where.
  struct Reason {
    const char *kind; ///< in JSON
    std::string text;
    ScriptLocation where = {};
  };
  Reason entryReason() const;
  Reason reasonOf(const LiveRoot &root, SectionId section);
  ScriptLocation scriptPlace(SymbolId symbol);
  std::string titleOf(const WhyTarget &target);
  std::string describedBy(SectionId from, SectionId to) const;
  llvm::StringRef symbolOf(FileId file, const Relocation &rel) const;

  Diagnostics &diag;
  EnclosingSymbols enclosing;
  std::optional<LiveSearch> liveSearch;
  std::optional<PatternRules> patternRules;
  llvm::StringMap<llvm::StringRef> scriptWords; ///< as they stand there
  uint64_t bytesToRead = uint64_t(1) << 30;     ///< of scripts, to find lines
  std::optional<llvm::DenseMap<SymbolId, LiveRoot::Kind>> askers;
};

/// Cuts chains to a length that many questions can afford: the first are
/// whole; once they have used up `whole` steps, one ends where a chain goes on
/// that was shown before.
class ChainCutter {
public:
  /// `count`: how many things there are that can stand in a chain.
  explicit ChainCutter(size_t count, size_t whole = 10000)
      : shown(unsigned(count)), left(whole) {}

  struct Chain {
    std::vector<uint32_t> steps; ///< from the beginning to the thing
    bool continued = false;      ///< the first of them was shown before
  };
  /// The way to a thing, which `before` leads back: kNone where it begins.
  Chain cut(uint32_t thing, llvm::function_ref<uint32_t(uint32_t)> before);

private:
  llvm::BitVector shown;
  size_t left;
};

} // namespace xlink
#endif
