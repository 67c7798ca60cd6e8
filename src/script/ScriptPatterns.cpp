//===- ScriptPatterns.cpp - parsing of an output section's content --------===//
//
//     [INPUT_SECTION_FLAGS(...)] [EXCLUDE_FILE(...)] file (patterns)
//
// where the file may be in SORT, and each pattern in SORT and behind
// EXCLUDE_FILE; the whole may be in KEEP. Data, fills and assignments besides.
//
//===----------------------------------------------------------------------===//
#include "script/ParserImpl.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace xlink;

GlobPattern xlink::makeGlob(StringRef text) {
  return {text, text.find_first_of("*?[") != StringRef::npos};
}

bool ScriptParser::bodyStatement() {
  Token t = peek(LexMode::Pattern);
  if (t.is(",")) {
    take();
    return true;
  }
  if (!t.isName())
    return unexpected(t, "a pattern or an assignment");
  if (atAssignment(LexMode::Pattern))
    return parseAssignment();
  if (t.kind == Token::Name) {
    if (const Command *command = findIn(t.text, bodyCommands()))
      return dispatch(t, command->parse);
    // Sorting of constructors: accepted as nothing, as CONSTRUCTORS itself.
    StringRef rest = lexer().restAfter(t.end);
    if (t.text.starts_with("SORT") && rest.consume_front("(") &&
        rest.ltrim().starts_with("CONSTRUCTORS")) {
      take();
      StringRef word;
      return expect("(") && expectName(LexMode::Plain, "CONSTRUCTORS", word) &&
             expect(")");
    }
  }
  commandWhere = here(t);
  commandOffset = t.offset;
  return checkSpelling(t, bodyCommands(), /*callOnly=*/true) &&
         parseInputDescription(/*keep=*/false);
}

bool ScriptParser::parseIncludeBody() {
  return parseIncludeOf(&ScriptParser::bodyStatement);
}

//===----------------------------------------------------------------------===//
// Data and fills
//===----------------------------------------------------------------------===//

bool ScriptParser::parseData(unsigned size, bool isSigned) {
  auto command = std::make_unique<DataCommand>();
  command->where = commandWhere;
  command->size = size;
  command->isSigned = isSigned;
  if (!parseParenthesized(command->value))
    return false;
  separator();
  target->push_back(std::move(command));
  return true;
}

/// ASCIZ "text", with \n, \r, \t, \\ and octal numbers.
bool ScriptParser::parseAsciz() {
  auto command = std::make_unique<DataCommand>();
  command->where = commandWhere;
  bool parentheses = consume("(");
  Token t = peek(LexMode::Expression);
  if (t.kind != Token::Quoted)
    return unexpected(t, "a quoted text");
  take();
  if (parentheses && !expect(")"))
    return false;
  StringRef text = t.text;
  while (!text.empty()) {
    char c = text.front();
    text = text.drop_front();
    if (c == '\\' && !text.empty()) {
      c = text.front();
      if (c >= '0' && c <= '7') {
        unsigned value = 0;
        for (int i = 0; i < 3 && !text.empty() && text.front() >= '0' &&
                        text.front() <= '7';
             ++i) {
          value = value * 8 + (text.front() - '0');
          text = text.drop_front();
        }
        command->bytes += static_cast<char>(value);
        continue;
      }
      text = text.drop_front();
      c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
    }
    command->bytes += c;
  }
  command->bytes += '\0';
  command->size = command->bytes.size();
  separator();
  target->push_back(std::move(command));
  return true;
}

bool ScriptParser::parseFillCommand() {
  auto command = std::make_unique<FillCommand>();
  command->where = commandWhere;
  if (!expect("(") || !parseFill(command->pattern, /*inParentheses=*/true) ||
      !expect(")"))
    return false;
  separator();
  target->push_back(std::move(command));
  return true;
}

//===----------------------------------------------------------------------===//
// Input sections
//===----------------------------------------------------------------------===//

bool ScriptParser::parseKeep() {
  return expect("(") && parseInputDescription(/*keep=*/true) && expect(")");
}

bool ScriptParser::parseInputDescription(bool keep) {
  auto command = std::make_unique<InputDescription>();
  command->where = commandWhere;
  command->keep = keep;
  Token first = peek(LexMode::Pattern);
  while (true) {
    const Token &t = peek(LexMode::Pattern);
    bool call = lexer().restAfter(t.end).starts_with("(");
    if (t.isWord("INPUT_SECTION_FLAGS") && call) {
      take();
      if (!parseSectionFlags(*command))
        return false;
    } else if (t.isWord("EXCLUDE_FILE") && call) {
      take();
      if (!parseExcludeFile(command->excludeFiles))
        return false;
    } else {
      break;
    }
  }
  if (peek(LexMode::Pattern).isWord("[") && command->excludeFiles.empty()) {
    // [ patterns ]: of any file (GNU ld).
    take();
    command->file = makeGlob("*");
    if (!parseSectionPatterns(*command, "]"))
      return false;
  } else if (!parseFilePart(*command)) {
    return false;
  } else if (consume("(")) {
    if (!parseSectionPatterns(*command, ")"))
      return false;
  } else if (Token t = peek(LexMode::Expression); t.is(":") && section) {
    return error(t, "expected '(' but found ':'",
                 {"is the '}' of output section '" + section->name.str() +
                  "' in line " + std::to_string(section->where.line) +
                  " missing?"});
  }
  command->text = lexer().text().slice(first.offset, lexer().lastEnd());
  target->push_back(std::move(command));
  return true;
}

/// A file, archive:member, or one of them in SORT.
bool ScriptParser::parseFilePart(InputDescription &input) {
  unsigned closings = 0;
  while (true) {
    const Token &t = peek(LexMode::Pattern);
    if (t.kind != Token::Name || !lexer().restAfter(t.end).starts_with("("))
      break;
    if (t.text == "REVERSE") {
      input.fileReverse = true;
      if (input.fileSort == SortKind::Default)
        input.fileSort = SortKind::Name;
    } else if (t.text == "SORT" || t.text == "SORT_BY_NAME") {
      input.fileSort = SortKind::Name;
    } else if (t.text == "SORT_NONE") {
      input.fileSort = SortKind::None;
    } else if (t.text == "SORT_BY_ALIGNMENT" ||
               t.text == "SORT_BY_INIT_PRIORITY") {
      return error(t, "files can be sorted by name only");
    } else if (t.text == "EXCLUDE_FILE" && closings) {
      take();
      if (!parseExcludeFile(input.excludeFiles))
        return false;
      continue;
    } else {
      break;
    }
    take();
    if (!expect("("))
      return false;
    ++closings;
  }
  StringRef file;
  if (!expectName(LexMode::Pattern, "a file's name or pattern", file))
    return false;
  for (; closings; --closings)
    if (!expect(")"))
      return false;
  input.file = makeGlob(file);
  size_t colon = file.find(':');
  if (colon != StringRef::npos) {
    input.hasArchive = true;
    input.archive = makeGlob(file.take_front(colon));
    input.member = makeGlob(file.drop_front(colon + 1));
  }
  return true;
}

/// ( pattern ... )
bool ScriptParser::parseExcludeFile(std::vector<GlobPattern> &files) {
  if (!expect("("))
    return false;
  while (!consume(")")) {
    if (consume(","))
      continue;
    StringRef name;
    if (!expectName(LexMode::Pattern, "a file's name or pattern", name))
      return false;
    files.push_back(makeGlob(name));
  }
  return true;
}

/// ( [!]NAME & ... )
bool ScriptParser::parseSectionFlags(InputDescription &input) {
  if (!expect("("))
    return false;
  do {
    bool negated = consume("!");
    const Token &t = peek(LexMode::Expression);
    if (t.kind != Token::Name && t.kind != Token::Number)
      return unexpected(t, "a section flag");
    input.flags.push_back({t.text, negated});
    take();
  } while (consume("&"));
  return expect(")");
}

/// Patterns up to `closing`, which is taken: a parenthesis, or a bracket that
/// stands as a word of its own.
bool ScriptParser::parseSectionPatterns(InputDescription &input,
                                        StringRef closing) {
  while (true) {
    const Token &t = peek(LexMode::Pattern);
    if (t.is(",")) {
      take();
      continue;
    }
    if ((t.is(closing) || t.isWord(closing)) && !input.patterns.empty()) {
      take();
      return true;
    }
    if (!parseSectionPattern(input))
      return false;
  }
}

/// One name, with SORT, REVERSE and EXCLUDE_FILE around it. GNU ld allows
/// SORT_BY_NAME and SORT_BY_ALIGNMENT in each other, and any of the three in
/// itself, which changes nothing.
bool ScriptParser::parseSectionPattern(InputDescription &input) {
  SectionPattern pattern;
  unsigned closings = 0;
  StringRef outerWord;
  while (true) {
    Token t = peek(LexMode::Pattern);
    if (!t.isName())
      return unexpected(t, "a section's name or pattern");
    if (pattern.where.line == 0)
      pattern.where = here(t);
    bool call =
        t.kind == Token::Name && lexer().restAfter(t.end).starts_with("(");
    if (call && t.text == "EXCLUDE_FILE") {
      take();
      if (!parseExcludeFile(pattern.excludeFiles))
        return false;
      continue;
    }
    auto kind = StringSwitch<SortKind>(t.text)
                    .Case("SORT", SortKind::Name)
                    .Case("SORT_BY_NAME", SortKind::Name)
                    .Case("SORT_BY_ALIGNMENT", SortKind::Alignment)
                    .Case("SORT_BY_INIT_PRIORITY", SortKind::InitPriority)
                    .Case("SORT_NONE", SortKind::None)
                    .Default(SortKind::Default);
    if (!call || (kind == SortKind::Default && t.text != "REVERSE")) {
      if (call) {
        std::string near = nearestIn(t.text, patternWords());
        std::string text = "unknown function " + describe(t) + " in a pattern";
        if (!near.empty())
          text += "; did you mean '" + near + "'?";
        return error(t, text);
      }
      pattern.name = makeGlob(t.text);
      take();
      break;
    }
    if (kind == SortKind::Default) {
      if (pattern.reverse)
        return error(t, "REVERSE cannot stand inside REVERSE");
      pattern.reverse = true;
    } else if (pattern.outer == SortKind::Default) {
      pattern.outer = kind;
      outerWord = t.text;
    } else {
      bool pair =
          (pattern.outer == SortKind::Name && kind == SortKind::Alignment) ||
          (pattern.outer == SortKind::Alignment && kind == SortKind::Name);
      bool same = pattern.outer == kind && kind != SortKind::None &&
                  kind != SortKind::InitPriority;
      if (pattern.inner != SortKind::Default || (!pair && !same))
        return error(t,
                     t.text.str() + " cannot stand inside " + outerWord.str());
      if (pair)
        pattern.inner = kind;
    }
    take();
    if (!expect("("))
      return false;
    ++closings;
  }
  for (; closings; --closings)
    if (!expect(")"))
      return false;
  if (pattern.reverse && pattern.outer == SortKind::Default)
    pattern.outer = SortKind::Name;
  input.patterns.push_back(std::move(pattern));
  return true;
}
