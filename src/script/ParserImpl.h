//===- ParserImpl.h - the parser's inside ---------------------------------===//
//
// Private to this room: one class over several files, ordered by the part of
// the language that each reads. Every parse function returns false (or null)
// after it has reported an error; the innermost list of statements then skips
// to where the next statement may begin.
//
// Tokens of the script language depend on their context: `a*b` is a product in
// an expression and a wildcard in a list of patterns. The parser therefore
// states its expectation with every request.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_SCRIPT_PARSERIMPL_H
#define XLINK_SCRIPT_PARSERIMPL_H

#include "script/ScriptParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

namespace xlink {

/// The alphabet of names at this place.
enum class LexMode : uint8_t {
  Expression, ///< symbols, numbers, operators
  Name,       ///< a statement's first word, names of output sections
  Plain,      ///< names in lists and after > and :
  File,       ///< file names in INPUT, INCLUDE and their like
  Pattern,    ///< wildcards for files and sections
};

struct Token {
  enum Kind : uint8_t {
    End,    ///< of the text
    Name,   ///< also "." and wildcards
    Quoted, ///< text without its quotes
    Number,
    Punct, ///< an operator or a single character
    Bad,   ///< `message` says why
  } kind = End;
  llvm::StringRef text;
  uint64_t number = 0;
  /// A number written 0x... without a suffix: as a fill pattern its digits
  /// count.
  bool plainHex = false;
  const char *message = nullptr;
  uint32_t offset = 0, end = 0; ///< in the text
  uint32_t line = 1, column = 1;

  bool is(llvm::StringRef punct) const {
    return kind == Punct && text == punct;
  }
  bool isWord(llvm::StringRef word) const {
    return kind == Name && text == word;
  }
  bool isName() const { return kind == Name || kind == Quoted; }
};

/// The tokens of one text. A token from peek() can be read again in another
/// mode, which lexes its characters anew.
class ScriptLexer {
public:
  /// `hexByDefault`: digits without a prefix are hexadecimal.
  explicit ScriptLexer(llvm::StringRef text, bool hexByDefault = false);

  /// The next token, which stays next.
  const Token &peek(LexMode mode);
  /// Takes the token that peek() returned last.
  void take() {
    if (!haveToken)
      return;
    next = taken = token.end;
    haveToken = false;
  }

  /// The text from `offset` on without leading blanks and comments. Takes
  /// nothing.
  llvm::StringRef restAfter(uint32_t offset) const {
    return skipBlanks(offset) ? input.substr(offset) : "";
  }
  /// The same from where the next token begins.
  llvm::StringRef restHere() const { return restAfter(next); }
  /// Skips a character, a word, or a whole comment or quoted text: error
  /// recovery.
  void skip();
  /// The word that recovery stands in front of, or "".
  llvm::StringRef wordHere() const {
    return restHere().take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_'; });
  }
  /// End of the token taken last.
  uint32_t lastEnd() const { return taken; }
  size_t lineOf(uint32_t offset) const {
    return llvm::upper_bound(lineStarts, offset) - lineStarts.begin();
  }

  llvm::StringRef text() const { return input; }
  /// The whole line around an offset.
  llvm::StringRef lineAt(uint32_t offset) const {
    const uint32_t begin = *std::prev(llvm::upper_bound(lineStarts, offset));
    return input.substr(begin).take_until(
        [](char c) { return c == '\n' || c == '\r'; });
  }

private:
  /// Moves behind blanks and comments; false: a comment is not closed.
  bool skipBlanks(uint32_t &at) const {
    while (at < input.size()) {
      if (llvm::isSpace(input[at])) {
        ++at;
      } else if (input[at] == '#') {
        at = uint32_t(std::min(input.find('\n', at), input.size()));
      } else if (input[at] == '/' && input.substr(at).starts_with("/*")) {
        const size_t end = input.find("*/", at + 2);
        if (end == llvm::StringRef::npos)
          return false;
        at = uint32_t(end + 2);
      } else {
        return true;
      }
    }
    return true;
  }
  void lexExpression();
  void lexWord(LexMode mode);
  void lexNumber(llvm::StringRef run);
  void lexQuoted() {
    const size_t end = input.find('"', next + 1);
    // Without an end, further lines are more likely script than text.
    if (end == llvm::StringRef::npos)
      return makeBad("quote is not closed", 1, input.find('\n', next));
    makeToken(Token::Quoted, end + 1 - next);
    token.text = token.text.drop_front().drop_back();
  }
  void makeToken(Token::Kind kind, size_t length) {
    token.kind = kind;
    token.text = input.substr(next, length);
    token.end = next + length;
  }
  void makeBad(const char *message, size_t length, size_t end) {
    makeToken(Token::Bad, length);
    token.message = message;
    token.end = std::min(end, input.size());
  }

  llvm::StringRef input;
  std::vector<uint32_t> lineStarts;
  bool hexByDefault;
  uint32_t next = 0;  ///< where the next token begins, or blanks before it
  uint32_t taken = 0; ///< the end of the last one
  uint32_t line = 1;  ///< of the token that was lexed last
  Token token;
  LexMode tokenMode = LexMode::Name;
  bool haveToken = false;
};

/// Whether `text` can stand as a symbol's name without quotes.
bool isPlainSymbol(llvm::StringRef text);

/// A word of the language and its meaning.
template <class T> struct ScriptWord {
  llvm::StringRef name;
  T meaning;
};

/// Null: the table does not have the word.
template <class T>
const ScriptWord<T> *findIn(llvm::StringRef word,
                            llvm::ArrayRef<ScriptWord<T>> table) {
  auto it = llvm::find_if(table, [&](auto &w) { return w.name == word; });
  return it == table.end() ? nullptr : it;
}

/// "; did you mean 'NEAR'?" with the nearest of the table's words, or "".
template <class T>
std::string didYouMean(llvm::StringRef word,
                       llvm::ArrayRef<ScriptWord<T>> table) {
  std::vector<llvm::StringRef> names;
  for (const ScriptWord<T> &w : table)
    names.push_back(w.name);
  const std::string near = nearestSpelling(word, names);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

class ScriptParser {
public:
  ScriptParser(Script &script, Diagnostics &diag, IncludeReader include);

  /// Reads a statement of some place in the script.
  using Statement = bool (ScriptParser::*)();
  /// A whole file of such statements, which go to `into`.
  bool run(llvm::StringRef file, std::string text, Statement statement,
           std::vector<CommandPtr> &into);
  bool topStatement();
  bool orderingStatement();

  // ---- Words that the parser knows ----
  /// Reads the rest of a command behind its word.
  using Command = ScriptWord<bool (*)(ScriptParser &)>;
  static llvm::ArrayRef<Command> topCommands();
  static llvm::ArrayRef<Command> sectionsCommands();
  static llvm::ArrayRef<Command> bodyCommands();
  static llvm::ArrayRef<Command> sectionAttributes();
  /// A function and its arguments: e an expression; c a constant, g a segment,
  /// m a message, r a region, s an output section, y a symbol; behind ? they
  /// may be missing.
  struct FunctionForm {
    ExprKind kind;
    llvm::StringLiteral arguments;
  };
  using Function = ScriptWord<FunctionForm>;
  static llvm::ArrayRef<Function> functions();
  static llvm::ArrayRef<ScriptWord<OutputType>> sectionTypes();
  /// The words of PHDRS and of TYPE that stand for numbers.
  using NumberWord = ScriptWord<uint32_t>;
  static llvm::ArrayRef<NumberWord> segmentTypes(); ///< PT_*
  static llvm::ArrayRef<NumberWord> typeWords();    ///< SHT_*
  /// Words in front of a parenthesis around or inside a list of patterns.
  enum class PatternPart : uint8_t { Sort, Reverse, ExcludeFile, SectionFlags };
  struct PatternForm {
    PatternPart part;
    SortKind sort = SortKind::Default;
  };
  using PatternWord = ScriptWord<PatternForm>;
  static llvm::ArrayRef<PatternWord> patternWords();

private:
  friend std::unique_ptr<AssignmentCommand>
  parseDefsym(llvm::StringRef text, Script &script, Diagnostics &diag);
  friend ExprPtr parseAddress(llvm::StringRef option, llvm::StringRef text,
                              Script &script, Diagnostics &diag);
  /// A file, or a text of the command line.
  struct ScriptSource {
    llvm::StringRef name;
    ScriptLexer lexer;
    bool commandLine;
    ScriptLocation includedFrom;
  };

  // ---- Tokens, errors (ScriptParser.cpp) ----
  ScriptLexer &lexer() { return sources.back()->lexer; }
  const Token &peek(LexMode mode) { return lexer().peek(mode); }
  void take() { lexer().take(); }
  /// Takes the punctuation if it comes next.
  bool consume(llvm::StringRef punct, LexMode mode = LexMode::Expression) {
    if (!peek(mode).is(punct))
      return false;
    take();
    return true;
  }
  bool consumeWord(llvm::StringRef word, LexMode mode) {
    if (!peek(mode).isWord(word))
      return false;
    take();
    return true;
  }
  bool expect(llvm::StringRef punct) {
    return consume(punct) ||
           unexpected(peek(LexMode::Expression), "'" + punct.str() + "'");
  }
  bool expectEnd() {
    const Token &t = peek(LexMode::Expression);
    return t.kind == Token::End || unexpected(t, "the end");
  }
  /// A name in `mode`, quoted or not; the message calls it `noun`.
  bool expectName(LexMode mode, llvm::StringRef noun, llvm::StringRef &name,
                  Token *token = nullptr) {
    const Token &t = peek(mode);
    if (!t.isName())
      return unexpected(t, noun);
    name = t.text;
    if (token)
      *token = t;
    take();
    return true;
  }
  /// ( name )
  bool parseName(LexMode mode, llvm::StringRef noun, llvm::StringRef &name,
                 Token *token = nullptr) {
    return expect("(") && expectName(mode, noun, name, token) && expect(")");
  }
  /// ( names ), with commas or without.
  bool parseNames(LexMode mode, llvm::StringRef noun,
                  std::vector<llvm::StringRef> &names);
  /// Takes one ';' or ',' if it comes next.
  bool separator() { return consume(";") || consume(","); }
  ScriptLocation here(const Token &t) const;
  bool error(const Token &t, const std::string &text,
             std::vector<std::string> more = {});
  bool unexpected(const Token &t, llvm::StringRef expected,
                  std::vector<std::string> more = {});
  bool numberError(const Token &t) {
    return error(t, std::string(t.message) + ": " + describe(t));
  }
  static std::string describe(const Token &t);
  bool gaveUp() const { return errors >= 20; }
  llvm::StringRef save(std::string text) {
    script.buffers.push_back(
        std::make_shared<const std::string>(std::move(text)));
    return *script.buffers.back();
  }
  void push(llvm::StringRef name, llvm::StringRef text, bool commandLine,
            bool hexByDefault = false);

  // ---- Lists of statements ----
  /// Statements until `closing` (or the end, for closing == 0), which stays.
  bool parseList(Statement statement, char closing);
  void recover(char closing);
  bool parseBlock(Statement statement, llvm::StringRef noun);
  bool parseIncludeOf(Statement statement);
  /// Reads an assignment, or one of some commands; nothing if `t`, the first
  /// token, begins neither.
  std::optional<bool> parseKnown(const Token &t, LexMode mode,
                                 llvm::ArrayRef<Command> commands,
                                 llvm::StringRef expected);
  /// A command that begins with the word taken last.
  template <class T> std::unique_ptr<T> begin() {
    auto command = std::make_unique<T>();
    command->where = here(commandWord);
    return command;
  }
  bool checkSpelling(const Token &word, llvm::ArrayRef<Command> known);
  /// Adds a command where statements go, and takes a separator behind it.
  bool add(CommandPtr command) {
    separator();
    target->push_back(std::move(command));
    return true;
  }

  // ---- Commands of the top level ----
  bool parseEntry() {
    return parseName(LexMode::Plain, "a symbol", script.entry);
  }
  bool parseOutputFormat() {
    Token t = peek(LexMode::Expression);
    std::vector<llvm::StringRef> names;
    if (!parseNames(LexMode::Plain, "the name of a format", names))
      return false;
    if (names.size() != 1 && names.size() != 3) {
      error(t, "OUTPUT_FORMAT needs one name or three (default, big-endian, "
               "little-endian)");
      return true;
    }
    // Names without a row are BFD's for ELF files of some machine, which the
    // inputs tell.
    script.outputFormat = OutputFormat::Elf;
    for (const OutputFormatName &row : kOutputFormats)
      if (names[0] == row.name)
        script.outputFormat = row.format;
    return true;
  }
  bool parseInputs(bool asNeeded, uint32_t group);
  bool parseStartup() {
    ScriptInput input;
    Token t;
    if (!parseName(LexMode::File, "the name of a file", input.name, &t))
      return false;
    input.where = here(t);
    input.startup = true;
    script.inputs.push_back(input);
    return true;
  }
  bool parseFeature() {
    llvm::StringRef name;
    Token t;
    if (!parseName(LexMode::Plain, "the name of a feature", name, &t))
      return false;
    if (name != "SANE_EXPR")
      error(t, "unknown feature '" + name.str() +
                   "' of LD_FEATURE; known is SANE_EXPR");
    return script.saneExpressions = true;
  }
  bool parseNoCrossRefs(bool toFirst) {
    NoCrossRefs refs;
    refs.toFirst = toFirst;
    refs.where = here(commandWord);
    if (!parseNames(LexMode::Plain, "an output section", refs.sections))
      return false;
    script.noCrossRefs.push_back(std::move(refs));
    return true;
  }
  bool parseRegionAlias();
  bool parseInsert();
  bool parseSections() {
    script.hasSections = true;
    sectionsBegin = script.commands.size();
    return parseBlock(&ScriptParser::sectionsStatement, "SECTIONS");
  }
  bool memoryStatement();
  bool parseRegionAttributes(MemoryCommand &region);
  bool phdrStatement();
  ExprPtr parseNumberWord(llvm::ArrayRef<NumberWord> table,
                          llvm::StringRef noun);

  // ---- SECTIONS (ScriptSections.cpp) ----
  bool sectionsStatement();
  bool parseOutputSection();
  /// Whether `rest` begins with a parenthesized section type.
  static bool beginsWithType(llvm::StringRef rest);
  bool parseTypes(OutputSectionCommand &section);
  bool parseTypeValue(OutputSectionCommand &section);
  /// Of ONLY_IF_RO, ONLY_IF_RW and SPECIAL one may stand, in front of the
  /// brace.
  bool parseOnlyIf(Constraint constraint) {
    section->constraint = constraint;
    const Token &t = peek(LexMode::Name);
    return t.is("{") || unexpected(t, "'{'");
  }
  bool parseOverlay();
  bool overlayMember();
  /// [>region] [AT>region] behind the closing brace.
  bool parseRegions(SectionTail &tail) {
    if (consume(">", LexMode::Name) &&
        !expectName(LexMode::Plain, "a region's name", tail.region))
      return false;
    const Token &t = peek(LexMode::Name);
    if (!t.isWord("AT") || !lexer().restAfter(t.end).starts_with(">"))
      return true;
    take();
    return expect(">") &&
           expectName(LexMode::Plain, "a region's name", tail.lmaRegion);
  }
  /// [:segment ...] [=fill] behind that.
  bool parseTail(SectionTail &tail) {
    while (consume(":", LexMode::Name))
      if (!expectName(LexMode::Plain, "a segment's name",
                      tail.phdrs.emplace_back()))
        return false;
    if (consume("=", LexMode::Name) && !parseFill(tail.fill))
      return false;
    separator();
    return true;
  }
  bool parseFill(FillPattern &fill);

  // ---- Content of an output section (ScriptSections.cpp) ----
  bool bodyStatement();
  bool parseData(unsigned size, bool isSigned = false);
  bool parseAsciz();
  bool parseFillCommand() {
    auto command = begin<FillCommand>();
    return expect("(") && parseFill(command->pattern) && expect(")") &&
           add(std::move(command));
  }
  bool parseInputDescription(bool keep);
  bool parseFilePart(InputDescription &input);
  bool parseSectionPatterns(InputDescription &input, llvm::StringRef closing);
  bool parsePattern(SectionPattern &pattern, bool isFile);
  bool addSort(const Token &t, SortKind sort, SectionPattern &pattern,
               llvm::StringRef &outerWord);
  /// The known word in front of a parenthesis; null when `t` is none.
  const PatternWord *patternCall(const Token &t) {
    return beginsCall(t) ? findIn(t.text, patternWords()) : nullptr;
  }
  bool beginsCall(const Token &t) {
    return t.kind == Token::Name && lexer().restAfter(t.end).starts_with("(");
  }
  bool parseExcludeFile(std::vector<GlobPattern> &files);
  bool parseSectionFlags(InputDescription &input);

  // ---- Assignments and expressions (ScriptExpression.cpp) ----
  /// Whether an assignment begins here; `mode` is the statement's.
  bool atAssignment(LexMode mode);
  bool parseAssignment();
  bool parseAssignmentInto(AssignmentCommand &command, bool plainOnly);
  bool parseProvide(bool provide, bool hidden);
  bool parseAssert() {
    auto command = begin<AssertCommand>();
    return expect("(") && (command->condition = parseExpression()) &&
           expect(",") &&
           expectName(LexMode::Plain, "a message", command->message) &&
           expect(")") && add(std::move(command));
  }
  /// ( expression )
  bool parseParenthesized(ExprPtr &value) {
    if (!expect("("))
      return false;
    value = parseExpression();
    return value && expect(")");
  }
  ExprPtr parseExpression();
  bool tooDeep();
  ExprPtr parseBinary(unsigned minPrecedence);
  ExprPtr parseUnary();
  ExprPtr parsePrimary();
  ExprPtr parseFunction(const Function &function, const ScriptLocation &where);
  bool parseFunctionName(char argument, Expr &e);
  ExprPtr make(ExprKind kind, const ScriptLocation &where,
               llvm::StringRef name = "");
  /// Adds operands; null when one is null or the tree grows too high.
  ExprPtr make(ExprKind kind, const ScriptLocation &where, ExprPtr a,
               ExprPtr b = nullptr, ExprPtr c = nullptr);

  Script &script;
  Diagnostics &diag;
  IncludeReader include;
  std::vector<std::unique_ptr<ScriptSource>> sources;
  /// Where statements go: Script::commands or an output section's.
  std::vector<CommandPtr> *target = nullptr;
  OutputSectionCommand *section =
      nullptr; ///< the one with the attributes being read
  OverlayCommand *overlay = nullptr;
  uint32_t sectionsBegin = UINT32_MAX; ///< of the SECTIONS in front of INSERT
  unsigned depth = 0;                  ///< of the expression
  bool readsFill = false;              ///< it is a fill pattern,
  Token longNumber;  ///< which has this number of more than 64 bits
  Token commandWord; ///< of the command that is being read
  /// The form in which atAssignment() found the name on the left.
  LexMode nameMode = LexMode::Expression;
  llvm::StringMap<size_t> regions; ///< name or alias -> Script::memory
  unsigned includes = 0, errors = 0;
  uint32_t lastErrorOffset = UINT32_MAX; ///< one message a place
};

} // namespace xlink
#endif
