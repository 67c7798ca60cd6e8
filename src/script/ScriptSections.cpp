//===- ScriptSections.cpp - parsing of output sections --------------------===//
//
//     name [address] [(type)] : [AT(lma)] [ALIGN(n)] [ALIGN_WITH_INPUT]
//       [SUBALIGN(n)] [constraint]
//       { statements } [>region] [AT>region] [:segment ...] [=fill]
//
// in this order, as in GNU ld and lld. OVERLAY is written out as a list of such
// sections; the symbols that it implies
// (__load_start_NAME and __load_stop_NAME) are added here as PROVIDEs.
//
// Statements are assignments, data, fills and input sections:
//
//     [INPUT_SECTION_FLAGS(...)] [EXCLUDE_FILE(...)] file (patterns)
//
// where the file may be in SORT, and each pattern in SORT and behind
// EXCLUDE_FILE; the whole may be in KEEP.
//
//===----------------------------------------------------------------------===//
#include "script/ParserImpl.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace xlink;

bool ScriptParser::sectionsStatement() {
  Token t = peek(LexMode::Name);
  if (auto result = parseKnown(t, LexMode::Name, sectionsCommands(),
                               "an output section or an assignment"))
    return *result;
  StringRef rest = lexer().restAfter(t.end);
  if (rest.starts_with("(") && findIn(t.text, bodyCommands()))
    return error(t, describe(t) + " stands outside of an output section");
  if ((rest.starts_with("(") || rest.starts_with("{")) &&
      findIn(t.text, topCommands()))
    return error(t, describe(t) + " cannot stand inside SECTIONS");
  return checkSpelling(t, sectionsCommands()) && parseOutputSection();
}

/// The statements of a section ordering file: it adds to output sections of the
/// script in use, without other properties.
bool ScriptParser::orderingStatement() {
  Token t = peek(LexMode::Name);
  static constexpr StringRef allowed[] = {"ASSERT", "ENTRY", "HIDDEN",
                                          "PROVIDE", "PROVIDE_HIDDEN"};
  if (t.kind == Token::Name && !atAssignment(LexMode::Name) &&
      (t.text == "OVERLAY" || findIn(t.text, topCommands())) &&
      !is_contained(allowed, t.text))
    return error(t, describe(t) + " cannot stand in a section ordering file");
  const size_t before = script.ordering.size();
  if (!sectionsStatement())
    return false;
  for (size_t i = before; i < script.ordering.size(); ++i) {
    if (script.ordering[i]->kind != CommandKind::OutputSection)
      continue;
    auto &s = static_cast<const OutputSectionCommand &>(*script.ordering[i]);
    if (s.address || s.type != OutputType::Normal || s.typeValue || s.lma ||
        s.align || s.subalign || s.alignWithInput ||
        s.constraint != Constraint::None || !s.region.empty() ||
        !s.lmaRegion.empty() || !s.phdrs.empty() || s.fill)
      error(t, "a section ordering file can only add statements to output "
               "section '" +
                   s.name.str() + "'");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// One output section
//===----------------------------------------------------------------------===//

bool ScriptParser::parseOutputSection() {
  auto command = std::make_unique<OutputSectionCommand>();
  Token name = peek(LexMode::Name);
  command->where = here(name);
  command->name = name.text;
  take();

  if (!beginsWithType(lexer().restHere()) &&
      !peek(LexMode::Expression).is(":")) {
    if (peek(LexMode::Expression).is("{"))
      return unexpected(peek(LexMode::Expression), "':'");
    command->address = parseExpression();
    if (!command->address)
      return false;
  }
  if (beginsWithType(lexer().restHere()) && !parseTypes(*command))
    return false;
  if (!expect(":"))
    return false;

  const SaveAndRestore inSection(section, command.get());
  SaveAndRestore into(target, &command->commands);

  const Command *last = nullptr;
  while (!peek(LexMode::Name).is("{")) {
    Token t = peek(LexMode::Name);
    if (t.kind == Token::Name) {
      if (const Command *attribute = findIn(t.text, sectionAttributes())) {
        if (last && attribute <= last)
          return error(t, describe(t) + " cannot stand behind '" +
                              last->name.str() + "'");
        last = attribute;
        commandWord = t;
        take();
        if (!attribute->meaning(*this))
          return false;
        continue;
      }
      std::string near = didYouMean(t.text, sectionAttributes());
      if (!near.empty())
        return error(t, "unknown attribute '" + t.text.str() +
                            "' of an output section" + near);
    }
    return unexpected(t, "'{'");
  }
  if (command->align && command->alignWithInput)
    error(name, "ALIGN and ALIGN_WITH_INPUT do not go together");

  if (!parseBlock(&ScriptParser::bodyStatement,
                  "output section '" + command->name.str() + "'") ||
      !parseRegions(*command) || !parseTail(*command))
    return false;
  if (command->lma && !command->lmaRegion.empty())
    error(name, "section has both a load address and a load region");
  into.get()->push_back(std::move(command));
  return true;
}

bool ScriptParser::beginsWithType(StringRef rest) {
  if (!rest.consume_front("("))
    return false;
  rest = rest.ltrim();
  if (rest.starts_with(")"))
    return true;
  StringRef word =
      rest.take_while([](char c) { return isAlnum(c) || c == '_'; });
  if (findIn(word, sectionTypes()))
    return true;
  // A misspelled one is to be called so, not an unknown symbol.
  return !didYouMean(word, sectionTypes()).empty() &&
         all_of(word, [](char c) { return isUpper(c); }) &&
         rest.drop_front(word.size()).ltrim().starts_with(")");
}

bool ScriptParser::parseTypes(OutputSectionCommand &s) {
  if (!expect("("))
    return false;
  if (consume(")"))
    return true;
  Token t = peek(LexMode::Plain);
  const ScriptWord<OutputType> *type =
      t.kind == Token::Name ? findIn(t.text, sectionTypes()) : nullptr;
  if (!type)
    return error(t, "unknown type " + describe(t) + " of an output section" +
                        didYouMean(t.text, sectionTypes()));
  if (type->name == "TYPE")
    return parseTypeValue(s) && expect(")");
  take();
  s.type = type->meaning;
  // (READONLY (TYPE = value))
  if (s.type == OutputType::ReadOnly && consume("(") &&
      !(parseTypeValue(s) && expect(")")))
    return false;
  return expect(")");
}

/// TYPE = SHT_NAME or TYPE = expression
bool ScriptParser::parseTypeValue(OutputSectionCommand &s) {
  if (!consumeWord("TYPE", LexMode::Plain))
    return unexpected(peek(LexMode::Plain), "TYPE");
  if (!expect("="))
    return false;
  const Token t = peek(LexMode::Expression);
  s.typeValue = t.kind == Token::Name && t.text.starts_with("SHT_")
                    ? parseNumberWord(typeWords(), "section type")
                    : parseExpression();
  if (s.typeValue && s.typeValue->kind != ExprKind::Number &&
      !s.typeValue->constant)
    return error(t, "the type of an output section has to be a constant");
  return s.typeValue != nullptr;
}

/// A plain hexadecimal number, in parentheses or not, is a pattern of its
/// digits, leading zeros included; everything else a value, of which four bytes
/// count.
bool ScriptParser::parseFill(FillPattern &fill) {
  fill = {};
  readsFill = true;
  longNumber = Token();
  fill.value = parseExpression();
  readsFill = false;
  if (!fill.value)
    return false;
  StringRef digits =
      fill.value->kind == ExprKind::Number ? fill.value->name : "";
  if (!digits.consume_front_insensitive("0x"))
    return !longNumber.message || numberError(longNumber);
  const std::string bytes = fromHex(digits);
  fill.bytes.assign(bytes.begin(), bytes.end());
  fill.value = nullptr;
  return true;
}

//===----------------------------------------------------------------------===//
// OVERLAY
//===----------------------------------------------------------------------===//

bool ScriptParser::parseOverlay() {
  auto command = begin<OverlayCommand>();
  const Token word = commandWord;
  if (!peek(LexMode::Expression).is(":") &&
      !(command->address = parseExpression()))
    return false;
  if (!expect(":"))
    return false;
  command->noCrossRefs = consumeWord("NOCROSSREFS", LexMode::Name);
  if (consumeWord("AT", LexMode::Name) && !parseParenthesized(command->lma))
    return false;
  overlay = command.get();
  if (!parseBlock(&ScriptParser::overlayMember, "OVERLAY") ||
      !parseRegions(*command) || !parseTail(*command))
    return false;
  if (command->lma && !command->lmaRegion.empty())
    error(word, "OVERLAY has both a load address and a load region");

  for (const auto &s : command->sections) {
    const std::string name = s->name.str();
    std::string bare = name;
    erase_if(bare, [](char c) { return !isAlnum(c) && c != '_'; });
    for (bool stop : {false, true}) {
      auto symbol = std::make_unique<AssignmentCommand>();
      symbol->where = s->where;
      symbol->provide = true;
      symbol->name = save((stop ? "__load_stop_" : "__load_start_") + bare);
      symbol->value = make(ExprKind::LoadAddr, s->where, s->name);
      if (stop)
        symbol->value = make(ExprKind::Add, s->where, std::move(symbol->value),
                             make(ExprKind::SizeOf, s->where, s->name));
      symbol->text =
          save("PROVIDE(" + symbol->name.str() + " = LOADADDR(" + name + ")" +
               (stop ? " + SIZEOF(" + name + "))" : ")"));
      command->symbols.push_back(std::move(symbol));
    }
  }
  target->push_back(std::move(command));
  return true;
}

bool ScriptParser::overlayMember() {
  auto member = std::make_unique<OutputSectionCommand>();
  Token t = peek(LexMode::Name);
  member->where = here(t);
  member->inOverlay = true;
  if (!expectName(LexMode::Name, "an output section", member->name))
    return false;
  const SaveAndRestore into(target, &member->commands);
  if (!parseBlock(&ScriptParser::bodyStatement,
                  "output section '" + member->name.str() + "'") ||
      !parseTail(*member))
    return false;
  overlay->sections.push_back(std::move(member));
  return true;
}

//===----------------------------------------------------------------------===//
// Content of an output section
//===----------------------------------------------------------------------===//

/// A pattern as written, with a mark whether it has wildcards.
static GlobPattern makeGlob(StringRef text) {
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
