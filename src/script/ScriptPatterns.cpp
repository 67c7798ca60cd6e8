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

/// ASCIZ and a text, quoted or not, with \n, \r, \t, \\ and octal numbers.
bool ScriptParser::parseAsciz() {
  auto command = std::make_unique<DataCommand>();
  command->where = commandWhere;
  bool parentheses = consume("(");
  Token t = peek(LexMode::Pattern);
  if (!t.isName())
    return unexpected(t, "a text");
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
    const PatternWord *word = patternCall(peek(LexMode::Pattern));
    if (word && word->part == PatternPart::SectionFlags) {
      take();
      if (!parseSectionFlags(*command))
        return false;
    } else if (word && word->part == PatternPart::ExcludeFile) {
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
    const PatternWord *word = patternCall(t);
    if (!word)
      break;
    if (word->part == PatternPart::ExcludeFile && closings) {
      take();
      if (!parseExcludeFile(input.excludeFiles))
        return false;
      continue;
    }
    if (word->part == PatternPart::Reverse) {
      input.fileReverse = true;
      if (input.fileSort == SortKind::Default)
        input.fileSort = SortKind::Name;
    } else if (word->part == PatternPart::Sort) {
      if (word->sort != SortKind::Name && word->sort != SortKind::None)
        return error(t, "files can be sorted by name only");
      input.fileSort = word->sort;
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
  std::vector<StringRef> names;
  if (!parseNameList(LexMode::Pattern, "a file's name or pattern", names))
    return false;
  for (StringRef name : names)
    files.push_back(makeGlob(name));
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
    if (std::optional<uint64_t> flag = sectionFlag(t.text))
      (negated ? input.refusedFlags : input.wantedFlags) |= *flag;
    else
      input.machineFlags.push_back({t.text, negated});
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

const ScriptParser::PatternWord *ScriptParser::patternCall(const Token &t) {
  return beginsCall(t) ? findIn(t.text, patternWords()) : nullptr;
}

bool ScriptParser::unknownPatternCall(const Token &t) {
  std::string text = "unknown function " + describe(t) + " in a pattern";
  std::string near = nearestIn(t.text, patternWords());
  if (!near.empty())
    text += "; did you mean '" + near + "'?";
  return error(t, text);
}

/// A SORT around a pattern. GNU ld allows SORT_BY_NAME and SORT_BY_ALIGNMENT in
/// each other, and any of the three in itself, which changes nothing.
/// `outerWord`: how the outer one is written.
bool ScriptParser::addSort(const Token &t, const PatternWord &word,
                           SectionPattern &pattern, StringRef &outerWord) {
  if (pattern.outer == SortKind::Default) {
    pattern.outer = word.sort;
    outerWord = t.text;
    return true;
  }
  const bool pair =
      (pattern.outer == SortKind::Name && word.sort == SortKind::Alignment) ||
      (pattern.outer == SortKind::Alignment && word.sort == SortKind::Name);
  const bool same = pattern.outer == word.sort && word.sort != SortKind::None &&
                    word.sort != SortKind::InitPriority;
  if (pattern.inner != SortKind::Default || (!pair && !same))
    return error(t, t.text.str() + " cannot stand inside " + outerWord.str());
  if (pair)
    pattern.inner = word.sort;
  return true;
}

/// One name, with SORT, REVERSE and EXCLUDE_FILE around it.
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
    if (!beginsCall(t)) {
      pattern.name = makeGlob(t.text);
      take();
      break;
    }
    const PatternWord *word = findIn(t.text, patternWords());
    if (!word || word->part == PatternPart::SectionFlags)
      return unknownPatternCall(t);
    if (word->part == PatternPart::ExcludeFile) {
      take();
      if (!parseExcludeFile(pattern.excludeFiles))
        return false;
      continue;
    }
    if (word->part == PatternPart::Sort) {
      if (!addSort(t, *word, pattern, outerWord))
        return false;
    } else {
      if (pattern.reverse)
        return error(t, "REVERSE cannot stand inside REVERSE");
      pattern.reverse = true;
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
