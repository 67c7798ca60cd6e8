//===- ParserImpl.h - the parser's inside ---------------------------------===//
//
// Private to this room: one class over several files, ordered by the part of
// the language that each reads. Every parse function returns false (or null)
// after it has reported an error; the innermost list of statements then skips
// to where the next statement may begin.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_SCRIPT_PARSERIMPL_H
#define XLINK_SCRIPT_PARSERIMPL_H

#include "script/ScriptLexer.h"
#include "script/ScriptParser.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace xlink {

class ScriptParser {
public:
  ScriptParser(Script &script, Diagnostics &diag, IncludeReader include)
      : script(script), diag(diag), include(include) {
    for (const MemoryCommand &m : script.memory)
      declareRegion(m);
  }

  /// A whole script file.
  bool run(llvm::StringRef file, std::string text);
  /// A whole file of --section-ordering-file.
  bool runOrdering(llvm::StringRef file, std::string text);
  /// NAME=EXPRESSION of the command line.
  std::unique_ptr<AssignmentCommand> runDefsym(llvm::StringRef text);
  /// One expression of the command line.
  ExprPtr runExpression(llvm::StringRef what, llvm::StringRef text,
                        bool hexByDefault);

  // ---- What the parser knows by name (ScriptKeywords.cpp) ----
  using Handler = bool (ScriptParser::*)();
  struct Command {
    llvm::StringRef name;
    Handler parse;
  };
  static llvm::ArrayRef<Command> topCommands();
  static llvm::ArrayRef<Command> sectionsCommands();
  static llvm::ArrayRef<Command> bodyCommands();
  static llvm::ArrayRef<Command> sectionAttributes();
  enum class Arguments : uint8_t {
    None,
    One,
    OneOrTwo,
    Two,
    Section,
    Region,
    Symbol,
    Constant,
    Segment,
    Assertion,
  };
  struct Function {
    llvm::StringRef name;
    ExprKind kind;
    Arguments arguments;
  };
  static llvm::ArrayRef<Function> functions();
  struct SectionType {
    llvm::StringRef name;
    OutputType type;
  };
  static llvm::ArrayRef<SectionType> sectionTypes();
  /// The words of PHDRS and of TYPE that stand for numbers.
  struct NumberWord {
    llvm::StringRef name;
    uint32_t number;
  };
  static llvm::ArrayRef<NumberWord> segmentTypes(); ///< PT_*
  static llvm::ArrayRef<NumberWord> typeWords();    ///< SHT_*
  static llvm::ArrayRef<NumberWord> sectionFlags(); ///< SHF_* of all machines
  struct ConstantWord {
    llvm::StringRef name;
    ScriptConstant constant;
  };
  static llvm::ArrayRef<ConstantWord> constants();
  /// Words in front of a parenthesis around or inside a list of patterns.
  enum class PatternPart : uint8_t { Sort, Reverse, ExcludeFile, SectionFlags };
  struct PatternWord {
    llvm::StringRef name;
    PatternPart part;
    SortKind sort = SortKind::Default;
  };
  static llvm::ArrayRef<PatternWord> patternWords();
  static llvm::ArrayRef<llvm::StringRef> originWords();
  static llvm::ArrayRef<llvm::StringRef> lengthWords();
  static llvm::ArrayRef<llvm::StringRef> phdrWords();
  static llvm::ArrayRef<llvm::StringRef> otherWords();

  // ---- Commands of the top level (ScriptParser.cpp) ----
  bool parseEntry();
  bool parseOutput();
  bool parseOutputFormat();
  bool parseOutputArch();
  bool parseSearchDir();
  bool parseInput();
  bool parseGroup();
  bool parseStartup();
  bool parseExtern();
  bool parseTarget();
  bool parseForceCommon();
  bool parseForceGroup();
  bool parseInhibitCommon();
  bool parseFeature();
  bool parseNoCrossRefs();
  bool parseNoCrossRefsTo();
  bool parseRegionAlias();
  bool parseInsert();
  bool parseMemory();
  bool parsePhdrs();
  bool parseVersion();
  bool parseSections();
  bool parseIncludeTop();

  // ---- Statements of several places (ScriptStatements.cpp) ----
  bool parseAssert();
  bool parseProvide();
  bool parseHidden();
  bool parseProvideHidden();

  // ---- Content of SECTIONS (ScriptSections.cpp) ----
  bool parseIncludeSections();
  bool parseOverlay();
  bool parseAt();
  bool parseAlign();
  bool parseSubAlign();
  bool parseAlignWithInput();
  bool parseOnlyIfRO();
  bool parseOnlyIfRW();
  bool parseSpecial();

  // ---- Content of an output section (ScriptPatterns.cpp) ----
  bool parseIncludeBody();
  bool parseByte() { return parseData(1, false); }
  bool parseShort() { return parseData(2, false); }
  bool parseLong() { return parseData(4, false); }
  bool parseQuad() { return parseData(8, false); }
  bool parseSquad() { return parseData(8, true); }
  bool parseAsciz();
  bool parseFillCommand();
  bool parseKeep();
  bool parseNothing() { return true; }
  bool parseInputDescription(bool keep);

private:
  struct Source {
    llvm::StringRef name;
    ScriptLexer lexer;
    bool commandLine;
    ScriptLocation includedFrom;
  };

  // ---- Tokens, errors ----
  ScriptLexer &lexer() { return sources.back()->lexer; }
  const Token &peek(LexMode mode) { return lexer().peek(mode); }
  void take() { lexer().take(); }
  /// Takes the punctuation if it comes next.
  bool consume(llvm::StringRef punct, LexMode mode = LexMode::Expression);
  bool expect(llvm::StringRef punct);
  /// A name in `mode`, quoted or not; the message calls it `what`.
  bool expectName(LexMode mode, llvm::StringRef what, llvm::StringRef &name);
  ScriptLocation here(const Token &t) const;
  bool error(const Token &t, const std::string &text,
             std::vector<std::string> more = {});
  bool errorAt(const ScriptLocation &where, uint32_t offset,
               const std::string &text, std::vector<std::string> more = {});
  bool unexpected(const Token &t, llvm::StringRef expected,
                  std::vector<std::string> more = {});
  static std::string describe(const Token &t);
  bool gaveUp() const { return errors >= 20; }
  llvm::StringRef save(std::string text);
  void push(llvm::StringRef name, llvm::StringRef text, bool commandLine,
            bool hexByDefault = false);

  // ---- Lists of statements ----
  /// Statements until `closing` (or the end, for closing == 0), which stays.
  bool parseList(bool (ScriptParser::*statement)(), char closing);
  void recover(char closing);
  bool parseBlock(bool (ScriptParser::*statement)(), llvm::StringRef what);
  bool topStatement();
  bool sectionsStatement();
  bool orderingStatement();
  bool bodyStatement();
  bool memoryStatement();
  bool phdrStatement();
  bool overlayMember();
  bool parseIncludeOf(bool (ScriptParser::*statement)());

  // ---- Parts ----
  /// Takes the keyword and runs its handler.
  bool dispatch(const Token &keyword, Handler handler);
  /// Whether `rest` begins with a parenthesized section type.
  static bool beginsWithType(llvm::StringRef rest);
  bool separator(); ///< takes one ';' or ',' if it comes next
  /// Whether an assignment begins here; `mode` is the statement's.
  bool atAssignment(LexMode mode);
  bool parseAssignment();
  bool parseAssignmentInto(AssignmentCommand &command, bool plainOnly);
  bool parseProvideForm(bool provide, bool hidden);
  bool parseNameList(LexMode mode, llvm::StringRef what,
                     std::vector<llvm::StringRef> &names);
  bool parseInputList(bool asNeeded, uint32_t group);
  bool checkSpelling(const Token &word, llvm::ArrayRef<Command> known,
                     bool callOnly);
  ExprPtr parseNumberWord(llvm::ArrayRef<NumberWord> table,
                          llvm::StringRef what);
  bool parseNoCrossRefsForm(bool toFirst);
  bool parseRegionAttributes(MemoryCommand &region);
  bool parseOnlyIf(Constraint constraint);
  bool parseParenthesized(ExprPtr &value);
  bool parseOutputSection();
  bool parseTypes(OutputSectionCommand &section);
  bool parseTypeValue(OutputSectionCommand &section);
  bool parseRegions(llvm::StringRef &region, llvm::StringRef &lmaRegion);
  bool parseTail(std::vector<llvm::StringRef> &phdrs, FillPattern &fill);
  bool parseFill(FillPattern &fill, bool inParentheses);
  bool parseData(unsigned size, bool isSigned);
  bool parseFilePart(InputDescription &input);
  bool parseSectionPatterns(InputDescription &input, llvm::StringRef closing);
  bool parseSectionPattern(InputDescription &input);
  bool addSort(const Token &t, const PatternWord &word, SectionPattern &pattern,
               llvm::StringRef &outerWord);
  bool beginsCall(const Token &t) {
    return t.kind == Token::Name && lexer().restAfter(t.end).starts_with("(");
  }
  /// The known word in front of a parenthesis; null when `t` is none.
  const PatternWord *patternCall(const Token &t);
  bool unknownPatternCall(const Token &t);
  bool parseExcludeFile(std::vector<GlobPattern> &files);
  bool parseSectionFlags(InputDescription &input);

  // ---- Expressions (ScriptExpression.cpp) ----
  ExprPtr parseExpression();
  ExprPtr parseBinary(unsigned minPrecedence);
  ExprPtr parseUnary();
  ExprPtr parsePrimary();
  ExprPtr parseFunction(const Function &function, const ScriptLocation &where);
  bool parseFunctionName(Arguments arguments, Expr &e);
  bool parseConstant(Expr &e);
  ExprPtr make(ExprKind kind, const ScriptLocation &where);
  /// Adds operands; null when one is null or the tree grows too high.
  ExprPtr make(ExprKind kind, const ScriptLocation &where, ExprPtr a,
               ExprPtr b = nullptr, ExprPtr c = nullptr);

  /// Makes a region's names known, in the order of script.memory.
  void declareRegion(const MemoryCommand &region) {
    unsigned index = regionCount++;
    regions[region.name] = index;
    for (llvm::StringRef alias : region.aliases)
      regions[alias] = index;
  }

  Script &script;
  Diagnostics &diag;
  IncludeReader include;
  std::vector<std::unique_ptr<Source>> sources;
  /// Where statements go: Script::commands or an output section's.
  std::vector<CommandPtr> *target = nullptr;
  OutputSectionCommand *section = nullptr; ///< whose attributes are parsed
  OverlayCommand *overlay = nullptr;
  uint32_t sectionsBegin = UINT32_MAX; ///< of the SECTIONS in front of INSERT
  unsigned depth = 0;                  ///< of the expression
  ScriptLocation commandWhere;         ///< of the keyword whose handler runs
  uint32_t commandOffset = 0;
  /// The form in which atAssignment() found the name on the left.
  LexMode nameMode = LexMode::Expression;
  llvm::StringMap<unsigned> regions; ///< name or alias -> Script::memory
  unsigned regionCount = 0;
  unsigned includes = 0, errors = 0;
  uint32_t lastErrorOffset = UINT32_MAX; ///< one message a place
};

/// The nearest of the table's names, or "".
template <class Table>
std::string nearestIn(llvm::StringRef word, const Table &table) {
  std::vector<llvm::StringRef> names;
  for (const auto &entry : table)
    if constexpr (std::is_convertible_v<decltype(entry), llvm::StringRef>)
      names.push_back(entry);
    else
      names.push_back(entry.name);
  return nearestSpelling(word, names);
}

template <class Table> auto findIn(llvm::StringRef word, const Table &table) {
  auto it = table.begin();
  while (it != table.end() && it->name != word)
    ++it;
  return it == table.end() ? nullptr : it;
}

/// A pattern as written, with a mark whether it has wildcards.
GlobPattern makeGlob(llvm::StringRef text);

} // namespace xlink
#endif
