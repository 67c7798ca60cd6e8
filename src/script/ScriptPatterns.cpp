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
  if (consume(",", LexMode::Pattern))
    return true;
  if (auto result = parseKnown(t, LexMode::Pattern, bodyCommands(),
                               "a pattern or an assignment"))
    return *result;
  // Sorting of constructors: accepted as nothing, as CONSTRUCTORS itself.
  StringRef rest = lexer().restAfter(t.end);
  if (t.kind == Token::Name && t.text.starts_with("SORT") &&
      rest.consume_front("(") && rest.ltrim().starts_with("CONSTRUCTORS")) {
    take();
    StringRef word;
    return parseName(LexMode::Plain, "CONSTRUCTORS", word);
  }
  commandWord = t;
  return checkSpelling(t, bodyCommands()) &&
         parseInputDescription(/*keep=*/false);
}

//===----------------------------------------------------------------------===//
// Data and fills
//===----------------------------------------------------------------------===//

bool ScriptParser::parseData(unsigned size, bool isSigned) {
  auto command = begin<DataCommand>();
  command->size = size;
  command->isSigned = isSigned;
  return parseParenthesized(command->value) && add(std::move(command));
}

/// ASCIZ and a text, quoted or not, with \n, \r, \t, \\ and octal numbers.
bool ScriptParser::parseAsciz() {
  auto command = begin<DataCommand>();
  bool parentheses = consume("(");
  Token t = peek(LexMode::Pattern);
  if (!t.isName())
    return unexpected(t, "a text");
  take();
  if (parentheses && !expect(")"))
    return false;
  for (StringRef text = t.text; !text.empty();) {
    char c = text.front();
    text = text.drop_front();
    if (c == '\\' && !text.empty()) {
      auto isOctal = [](char d) { return d >= '0' && d <= '7'; };
      StringRef octal = text.take_front(3).take_while(isOctal);
      unsigned value = 0;
      if (!octal.getAsInteger(8, value)) {
        c = char(value);
        text = text.drop_front(octal.size());
      } else {
        c = text.front();
        text = text.drop_front();
        c = c == 'n' ? '\n' : c == 'r' ? '\r' : c == 't' ? '\t' : c;
      }
    }
    command->bytes += c;
  }
  command->bytes += '\0';
  command->size = command->bytes.size();
  return add(std::move(command));
}

bool ScriptParser::parseFillCommand() {
  auto command = begin<FillCommand>();
  return expect("(") && parseFill(command->pattern) && expect(")") &&
         add(std::move(command));
}

//===----------------------------------------------------------------------===//
// Input sections
//===----------------------------------------------------------------------===//

bool ScriptParser::parseInputDescription(bool keep) {
  auto command = begin<InputDescription>();
  command->keep = keep;
  Token first = peek(LexMode::Pattern);
  while (const PatternWord *word = patternCall(peek(LexMode::Pattern))) {
    const PatternPart part = word->meaning.part;
    if (part != PatternPart::SectionFlags && part != PatternPart::ExcludeFile)
      break;
    take();
    if (part == PatternPart::SectionFlags
            ? !parseSectionFlags(*command)
            : !parseExcludeFile(command->excludeFiles))
      return false;
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

/// A file or archive:member.
bool ScriptParser::parseFilePart(InputDescription &input) {
  SectionPattern file;
  if (!parsePattern(file, /*isFile=*/true))
    return false;
  input.file = file.name;
  input.fileSort = file.outer;
  input.fileReverse = file.reverse;
  append_range(input.excludeFiles, file.excludeFiles);
  const auto [archive, member] = file.name.text.split(':');
  input.hasArchive = file.name.text.contains(':');
  if (input.hasArchive) {
    input.archive = makeGlob(archive);
    input.member = makeGlob(member);
  }
  return true;
}

/// ( pattern ... )
bool ScriptParser::parseExcludeFile(std::vector<GlobPattern> &files) {
  std::vector<StringRef> names;
  if (!parseNames(LexMode::Pattern, "a file's name or pattern", names))
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
    if (consume(",", LexMode::Pattern))
      continue;
    const Token &t = peek(LexMode::Pattern);
    if ((t.is(closing) || t.isWord(closing)) && !input.patterns.empty()) {
      take();
      return true;
    }
    if (!parsePattern(input.patterns.emplace_back(), /*isFile=*/false))
      return false;
  }
}

/// A SORT around a pattern. GNU ld allows SORT_BY_NAME and SORT_BY_ALIGNMENT in
/// each other, and any of the three in itself, which changes nothing.
/// `outerWord`: how the outer one is written.
bool ScriptParser::addSort(const Token &t, SortKind sort,
                           SectionPattern &pattern, StringRef &outerWord) {
  if (pattern.outer == SortKind::Default) {
    pattern.outer = sort;
    outerWord = t.text;
    return true;
  }
  const bool pair =
      (pattern.outer == SortKind::Name && sort == SortKind::Alignment) ||
      (pattern.outer == SortKind::Alignment && sort == SortKind::Name);
  const bool same = pattern.outer == sort && sort != SortKind::None &&
                    sort != SortKind::InitPriority;
  if (pattern.inner != SortKind::Default || (!pair && !same))
    return error(t, t.text.str() + " cannot stand inside " + outerWord.str());
  if (pair)
    pattern.inner = sort;
  return true;
}

/// The name of a file or of a section, with SORT, REVERSE and EXCLUDE_FILE
/// around it.
bool ScriptParser::parsePattern(SectionPattern &pattern, bool isFile) {
  unsigned closings = 0;
  StringRef outerWord;
  while (true) {
    const Token t = peek(LexMode::Pattern);
    if (!t.isName())
      return unexpected(t, isFile ? "a file's name or pattern"
                                  : "a section's name or pattern");
    if (pattern.where.line == 0)
      pattern.where = here(t);
    const PatternWord *word = patternCall(t);
    if (word && word->meaning.part == PatternPart::SectionFlags)
      word = nullptr;
    if (!word && !isFile && beginsCall(t))
      return error(t, "unknown function " + describe(t) + " in a pattern" +
                          didYouMean(t.text, patternWords()));
    if (!word) {
      take();
      pattern.name = makeGlob(t.text);
      break;
    }
    const auto [part, sort] = word->meaning;
    if (part == PatternPart::ExcludeFile) {
      take();
      if (!parseExcludeFile(pattern.excludeFiles))
        return false;
      continue;
    }
    if (part == PatternPart::Reverse) {
      if (pattern.reverse && !isFile)
        return error(t, "REVERSE cannot stand inside REVERSE");
      pattern.reverse = true;
    } else if (!isFile) {
      if (!addSort(t, sort, pattern, outerWord))
        return false;
    } else if (sort == SortKind::Name || sort == SortKind::None) {
      pattern.outer = sort;
    } else {
      return error(t, "files can be sorted by name only");
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
  return true;
}
