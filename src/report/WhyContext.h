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
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// Which option or statement of the script asks for each symbol.
llvm::DenseMap<SymbolId, LiveRoot::Kind> askersOf(const Program &program);

/// A link with what --why-live and its like look up in it, each made when it is
/// first needed, and the words in which they speak of places. In text, names
/// are for people; in JSON they are as in the file.
class WhyContext {
public:
  WhyContext(const Link &link, Diagnostics &diag)
      : link(link), program(link.program), names(link.program), diag(diag),
        enclosing(link.program) {}

  const Link &link;
  const Program &program;
  WhyNames names;

  const LiveSearch &search();
  const PatternRules &rules();

  /// What one question is about; what names nothing is a warning, once.
  struct Question {
    std::string text;
    std::vector<WhyTarget> targets;
  };
  std::vector<Question> ask(const char *option,
                            const std::vector<std::string> &questions,
                            unsigned wanted, bool warn);
  /// The answers to them as text, one below the other.
  std::string textOf(const char *option,
                     const std::vector<std::string> &questions, unsigned wanted,
                     llvm::function_ref<std::string(const WhyTarget &)> answer);
  /// The same as an array in JSON; what names nothing was warned of already.
  void writeAnswersTo(
      llvm::json::OStream &out, const char *option,
      const std::vector<std::string> &questions, unsigned wanted,
      llvm::function_ref<llvm::json::Object(const WhyTarget &)> answer);

  /// Writes an object for each question into an array, its answers one by one:
  /// a hundred thousand of them would be a tree of gigabytes.
  static void writeAnswers(
      llvm::json::OStream &out, llvm::ArrayRef<Question> questions,
      llvm::function_ref<llvm::json::Object(const WhyTarget &)> answer);

  /// "main in main.o:(.text.main)", "main.o:(.text.main)".
  std::string titleOf(const WhyTarget &target);
  llvm::json::Object jsonOf(const WhyTarget &target);
  /// `file`, `section`, and `offset` where there is one.
  llvm::json::Object jsonOf(SectionId section,
                            std::optional<uint64_t> offset = {});
  /// Adds `script` and `line`, where the script says so.
  static void addLine(llvm::json::Object &object, const ScriptLocation &where);

  /// One step of a chain: "a.o:(.text+0x4) in f refers to g, R_..., at a.c:3".
  std::string stepText(SectionId from, const LiveLink &link);
  llvm::json::Object stepJson(SectionId from, const LiveLink &link);
  /// Adds `at`, `relocation` and `symbol` of a reference.
  void addReference(llvm::json::Object &object, SectionId section,
                    const Relocation &rel);
  /// Who asks for a root: "entry symbol _start, by ENTRY at s.ld:1".
  std::string reasonText(const LiveRoot &root, SectionId section);
  llvm::json::Object reasonJson(const LiveRoot &root, SectionId section);
  /// The option, or the statement of the script, that asks for a symbol;
  /// nothing: none does.
  std::optional<LiveRoot> askerOf(SymbolId symbol);
  /// The same, and what is a root for that.
  std::string rootText(const LiveSearch::Edge &edge);
  llvm::json::Object rootJson(const LiveSearch::Edge &edge);
  /// "*(.text .text.*) at s.ld:12", with KEEP around it where it stands there.
  static std::string ruleText(const PatternRule &rule);
  static llvm::json::Object ruleJson(const PatternRule &rule);
  /// Where the pattern of a rule stands.
  static const ScriptLocation &placeOf(const PatternRule &rule) {
    return rule.pattern ? rule.pattern->where : rule.description->where;
  }
  /// The symbol that a relocation of a file names, as in the file; "" for a
  /// section.
  llvm::StringRef symbolOf(FileId file, const Relocation &rel) const;
  /// A place with what it is in: "a.o:(.text+0x4) in f".
  std::string placeText(SectionId section, uint64_t offset);

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
  std::string describedBy(SectionId from, SectionId to) const;

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
