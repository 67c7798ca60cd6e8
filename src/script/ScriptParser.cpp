//===- ScriptParser.cpp - the frame, and commands of the top level --------===//
//
// Recursive descent over ScriptLexer's tokens. The grammar is GNU ld's (manual,
// "Linker Scripts"), but attributes of an output section may stand in any
// order; PROVIDE, HIDDEN, ASSERT and data need no semicolon; a superfluous
// semicolon is accepted; an assignment needs no blanks.
//
// After an error the parser skips to a semicolon or the end of the enclosing
// block, whole inner blocks included, so that one slip gives one message.
// INCLUDE makes a new source on a stack and reads a whole list of statements
// from it; depth, cycles and the number of included files are limited, so that
// parsing always ends.
//
//===----------------------------------------------------------------------===//
#include "script/ParserImpl.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace xlink;

static constexpr size_t maxIncludeDepth = 64;
static constexpr unsigned maxIncludes = 4096;

//===----------------------------------------------------------------------===//
// Tokens and errors
//===----------------------------------------------------------------------===//

// The parser shows the current line. Later problems (a region that is not
// declared, a pattern that matches nothing) are reported by passes that hold a
// ScriptLocation and no text; their messages begin with it. So after the link
// one pass over the messages that will be shown adds the line.
void xlink::showScriptLines(const Script &script,
                            std::vector<Diagnostic> &messages) {
  for (Diagnostic &message : messages) {
    if (message.severity == Severity::Note || hasExcerpt(message))
      continue;
    const MessagePlace place = placeInText(message.text);
    if (!place.column)
      continue;
    for (const Script::SourceText &source : script.texts)
      if (source.file == place.file) {
        StringRef text = source.text;
        for (uint32_t line = 1; line < place.line; ++line)
          text = text.split('\n').second;
        text = text.take_until([](char c) { return c == '\n' || c == '\r'; });
        message.excerpt = lineExcerpt(text, place.column - 1);
        break;
      }
  }
}

ScriptParser::ScriptParser(Script &script, Diagnostics &diag,
                           IncludeReader include)
    : script(script), diag(diag), include(include) {
  for (size_t i = 0; i < script.memory.size(); ++i) {
    regions[script.memory[i].name] = i;
    for (StringRef alias : script.memory[i].aliases)
      regions[alias] = i;
  }
}

void ScriptParser::push(StringRef name, StringRef text, bool commandLine,
                        bool hexByDefault) {
  text.consume_front("\xef\xbb\xbf"); // UTF-8's byte order mark
  if (!commandLine)
    script.texts.push_back({name, text});
  sources.push_back(std::make_unique<ScriptSource>(
      ScriptSource{name, ScriptLexer(text, hexByDefault), commandLine,
                   sources.empty() ? ScriptLocation() : here(commandWord)}));
}

ScriptLocation ScriptParser::here(const Token &t) const {
  const ScriptSource &source = *sources.back();
  if (source.commandLine)
    return {source.name, 0, 0};
  return {source.name, t.line, t.column};
}

std::string ScriptParser::describe(const Token &t) {
  if (t.kind == Token::End)
    return "end of file";
  const std::string quote = t.kind == Token::Quoted ? "\"" : "'";
  std::string shown = quote;
  for (char c : t.text.take_front(40))
    shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return shown + (t.text.size() > 40 ? "..." : "") + quote;
}

bool ScriptParser::error(const Token &t, const std::string &text,
                         std::vector<std::string> more) {
  ++errors;
  // Recovery may come back to the place where it began.
  if (lastErrorOffset == t.offset)
    return false;
  lastErrorOffset = t.offset;

  const ScriptSource &source = *sources.back();
  StringRef input = source.lexer.text();
  StringRef line = source.lexer.lineAt(t.offset);
  size_t column = t.offset - (line.data() - input.data());
  std::vector<std::string> notes = lineExcerpt(line, column);
  append_range(notes, more);
  for (const auto &s : reverse(sources))
    if (!s->includedFrom.file.empty())
      notes.push_back("included from " + s->includedFrom.file.str() + ":" +
                      std::to_string(s->includedFrom.line));
  // Of an option only the name: the line above shows its value.
  const std::string place = source.commandLine
                                ? source.name.split('=').first.str() + ": "
                                : locationText(here(t));
  diag.error(place + text, std::move(notes));
  return false;
}

bool ScriptParser::unexpected(const Token &t, StringRef expected,
                              std::vector<std::string> more) {
  if (t.kind == Token::Bad)
    return isDigit(t.text[0]) || t.text[0] == '$'
               ? numberError(t)
               : error(t, t.message, std::move(more));
  std::string found = describe(t);
  if (t.kind == Token::End && sources.back()->commandLine)
    found = "the end";
  return error(t, "expected " + expected.str() + " but found " + found,
               std::move(more));
}

bool ScriptParser::parseNames(LexMode mode, StringRef noun,
                              std::vector<StringRef> &names) {
  if (!expect("("))
    return false;
  while (!consume(")"))
    if (!consume(",") && !expectName(mode, noun, names.emplace_back()))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Lists of statements
//===----------------------------------------------------------------------===//

bool ScriptParser::parseList(Statement statement, char closing) {
  while (!gaveUp()) {
    const Token &t = peek(LexMode::Name);
    if (t.kind == Token::End || (closing && t.is("}")))
      return true;
    if (consume(";", LexMode::Name))
      continue;
    if (t.is("}")) {
      error(t, "unexpected '}'");
      take();
      continue;
    }
    if (!(this->*statement)() && !gaveUp())
      recover(closing);
  }
  return false;
}

void ScriptParser::recover(char closing) {
  bool top = sources.size() == 1 && closing == 0;
  for (unsigned open = 0;;) {
    StringRef rest = lexer().restHere();
    if (rest.empty()) {
      lexer().skip();
      return;
    }
    char c = rest[0];
    if (open == 0) {
      if (c == '}' && closing)
        return;
      // A command of the top level is a safe place to go on.
      if (top && findIn(lexer().wordHere(), topCommands()))
        return;
    }
    lexer().skip();
    if (c == '{')
      ++open;
    else if (c == ';' && open == 0)
      return;
    else if (c == '}' && (open == 0 || --open == 0))
      break;
  }
  // Behind a block: its regions, segments and fill.
  while (true) {
    StringRef rest = lexer().restHere();
    if (rest.starts_with("AT") && rest.drop_front(2).ltrim().starts_with(">"))
      lexer().skip();
    else if (rest.empty() || !StringRef(">:=").contains(rest[0]))
      return;
    lexer().skip();
    if (!lexer().wordHere().empty())
      lexer().skip();
  }
}

bool ScriptParser::parseBlock(Statement statement, StringRef noun) {
  Token open = peek(LexMode::Expression);
  if (!expect("{") || !parseList(statement, '}'))
    return false;
  if (consume("}"))
    return true;
  if (errors)
    return false; // most likely the consequence of an earlier one
  return unexpected(peek(LexMode::Expression), "'}'",
                    {"the '{' of " + noun.str() + " stands in line " +
                     std::to_string(open.line)});
}

/// A word in capitals in front of a parenthesis that is none of the known ones
/// but near to one.
bool ScriptParser::checkSpelling(const Token &word, ArrayRef<Command> known) {
  if (!beginsCall(word) || findIn(word.text, patternWords()) ||
      !all_of(word.text, [](char c) { return isUpper(c) || c == '_'; }))
    return true;
  std::string near = didYouMean(word.text, known);
  if (near.empty())
    near = didYouMean(word.text, patternWords());
  return near.empty() ||
         error(word, "unknown command '" + word.text.str() + "'" + near);
}

std::optional<bool> ScriptParser::parseKnown(const Token &t, LexMode mode,
                                             ArrayRef<Command> commands,
                                             StringRef expected) {
  if (!t.isName())
    return unexpected(t, expected);
  if (atAssignment(mode))
    return parseAssignment();
  const Command *command =
      t.kind == Token::Name ? findIn(t.text, commands) : nullptr;
  if (!command)
    return std::nullopt;
  commandWord = t;
  take();
  return command->meaning(*this);
}

bool ScriptParser::topStatement() {
  const Token t = peek(LexMode::Name);
  if (auto result = parseKnown(t, LexMode::Name, topCommands(),
                               "a command or an assignment"))
    return *result;
  StringRef rest = lexer().restAfter(t.end);
  const std::string near = didYouMean(t.text, topCommands());
  std::string text = "unknown command " + describe(t) + near;
  if (near.empty() &&
      (findIn(t.text, bodyCommands()) || findIn(t.text, sectionsCommands())))
    text = describe(t) + " stands outside of SECTIONS";
  else if (near.empty() && rest.starts_with("=="))
    text = "expected '=' but found '=='";
  else if (near.empty() && rest.starts_with(":"))
    text = "output section " + describe(t) + " stands outside of SECTIONS";
  error(t, text);
  take();
  return false;
}

//===----------------------------------------------------------------------===//
// INCLUDE
//===----------------------------------------------------------------------===//

bool ScriptParser::parseIncludeOf(Statement statement) {
  Token t = peek(LexMode::File);
  StringRef name;
  if (!expectName(LexMode::File, "the name of a file", name))
    return false;
  std::optional<IncludedText> found = include(name);
  // From here on the statement is whole: nothing is skipped after an error.
  std::string problem;
  bool tooMany = false;
  if (!found)
    problem = "cannot find the file '" + name.str() + "' of INCLUDE";
  else if (any_of(sources, [&](auto &s) { return s->name == found->path; }))
    problem = "INCLUDE of '" + found->path + "' from within itself";
  else if ((tooMany =
                sources.size() >= maxIncludeDepth || ++includes > maxIncludes))
    problem = "too many INCLUDEs (at most " + std::to_string(maxIncludes) +
              ", " + std::to_string(maxIncludeDepth) + " deep)";
  if (!problem.empty()) {
    error(t, problem);
    if (tooMany)
      errors += 20; // the others would be the same
    return true;
  }
  push(save(std::move(found->path)), save(std::move(found->text)), false);
  lastErrorOffset = UINT32_MAX;
  parseList(statement, 0);
  sources.pop_back();
  lastErrorOffset = UINT32_MAX;
  return true;
}

//===----------------------------------------------------------------------===//
// Commands of the top level
//===----------------------------------------------------------------------===//

/// Names of files up to the closing parenthesis, which is taken.
bool ScriptParser::parseInputs(bool asNeeded, uint32_t group) {
  while (!consume(")")) {
    if (consume(","))
      continue;
    Token t = peek(LexMode::File);
    if (!t.isName())
      return unexpected(t, "the name of a file or ')'");
    take();
    if (!asNeeded && t.isWord("AS_NEEDED")) {
      if (!expect("(") || !parseInputs(true, group))
        return false;
      continue;
    }
    ScriptInput &input = script.inputs.emplace_back();
    input.name = t.text;
    input.asNeeded = asNeeded;
    input.group = group;
    input.where = here(t);
  }
  return true;
}

bool ScriptParser::parseInsert() {
  auto command = begin<InsertCommand>();
  Token t = peek(LexMode::Plain);
  if (!t.isWord("AFTER") && !t.isWord("BEFORE"))
    return unexpected(t, "AFTER or BEFORE");
  take();
  command->after = t.text == "AFTER";
  if (!expectName(LexMode::Name, "an output section", command->name))
    return false;
  if (sectionsBegin == UINT32_MAX) {
    error(commandWord, "INSERT without a SECTIONS in front of it");
    return true;
  }
  command->firstCommand = sectionsBegin;
  sectionsBegin = UINT32_MAX;
  script.commands.push_back(std::move(command));
  return true;
}

//===----------------------------------------------------------------------===//
// MEMORY and PHDRS
//===----------------------------------------------------------------------===//

bool ScriptParser::parseRegionAttributes(MemoryCommand &region) {
  region.hasAttributes = true;
  bool negated = false, any = false;
  while (true) {
    // As in GNU ld each mark turns the sense of all that follow.
    if (consume("!", LexMode::Plain)) {
      negated = !negated;
      continue;
    }
    const Token &t = peek(LexMode::Plain);
    if (t.is(")") && any)
      break;
    if (t.kind != Token::Name)
      return unexpected(t, "attributes of the region");
    any = true;
    uint64_t &flags = negated ? region.negFlags : region.flags;
    for (char c : t.text) {
      switch (toLower(c)) {
      case 'r':
        (negated ? region.excludeReadOnly : region.wantReadOnly) = true;
        break;
      case 'w':
        flags |= ELF::SHF_WRITE;
        break;
      case 'x':
        flags |= ELF::SHF_EXECINSTR;
        break;
      case 'a':
        flags |= ELF::SHF_ALLOC;
        break;
      case 'i':
      case 'l':
        (negated ? region.excludeLoaded : region.wantLoaded) = true;
        break;
      default:
        return error(t, ("unknown attribute '" + Twine(c) +
                         "' of a region; known are r, w, x, a, i, l and !")
                            .str());
      }
    }
    take();
  }
  return expect(")");
}

bool ScriptParser::memoryStatement() {
  Token t = peek(LexMode::Plain);
  if (t.isWord("INCLUDE")) {
    commandWord = t;
    take();
    return parseIncludeOf(&ScriptParser::memoryStatement);
  }
  MemoryCommand region;
  region.where = here(t);
  if (!expectName(LexMode::Plain, "a region's name", region.name))
    return false;
  if (consume("(") && !parseRegionAttributes(region))
    return false;
  if (!expect(":"))
    return false;
  auto part = [&](StringRef word, StringRef shorter, StringRef shortest,
                  ExprPtr &value) {
    if (!consumeWord(word, LexMode::Plain) &&
        !consumeWord(shorter, LexMode::Plain) &&
        !consumeWord(shortest, LexMode::Plain))
      return unexpected(peek(LexMode::Plain), word);
    return expect("=") && (value = parseExpression());
  };
  bool good = part("ORIGIN", "org", "o", region.origin) && expect(",") &&
              part("LENGTH", "len", "l", region.length);
  // The region counts as declared, and cannot be full: it has room for any
  // program at any origin.
  for (ExprPtr *value : {&region.origin, &region.length})
    if (!*value) {
      *value = make(ExprKind::Number, region.where);
      (*value)->number = value == &region.length ? 0x10000000 : 0;
    }
  // GNU ld takes a comma between regions, or nothing.
  if (good && peek(LexMode::Plain).is(";"))
    good = error(peek(LexMode::Plain),
                 "expected ',' or the next region but found ';'");
  else if (good && consume(",") && peek(LexMode::Plain).is("}"))
    good = unexpected(peek(LexMode::Plain), "a region's name");
  if (!regions.try_emplace(region.name, script.memory.size()).second) {
    error(t, "memory region '" + region.name.str() + "' is declared twice");
    return true;
  }
  script.memory.push_back(std::move(region));
  return good;
}

bool ScriptParser::parseRegionAlias() {
  if (!expect("("))
    return false;
  Token aliasToken, nameToken;
  StringRef alias, name;
  if (!expectName(LexMode::Plain, "the alias of a region", alias,
                  &aliasToken) ||
      !expect(",") ||
      !expectName(LexMode::Plain, "a region's name", name, &nameToken) ||
      !expect(")"))
    return false;
  // GNU ld's name for the memory of sections without a region.
  if (regions.contains(alias) || alias == "*default*") {
    error(aliasToken, "memory region '" + alias.str() + "' exists already");
    return true;
  }
  auto region = regions.find(name);
  if (region == regions.end()) {
    error(nameToken, undeclaredRegion(script, name));
    return true;
  }
  const size_t index = region->second;
  script.memory[index].aliases.push_back(alias);
  regions[alias] = index;
  return true;
}

/// A word that stands for a number.
ExprPtr ScriptParser::parseNumberWord(ArrayRef<NumberWord> table,
                                      StringRef noun) {
  Token t = peek(LexMode::Expression);
  if (const NumberWord *word = findIn(t.text, table)) {
    take();
    ExprPtr e = make(ExprKind::Number, here(t));
    e->number = word->meaning;
    return e;
  }
  error(t, "unknown " + noun.str() + " '" + t.text.str() + "'" +
               didYouMean(t.text, table));
  return nullptr;
}

bool ScriptParser::phdrStatement() {
  PhdrCommand phdr;
  phdr.where = here(peek(LexMode::Plain));
  if (!expectName(LexMode::Plain, "a segment's name", phdr.name))
    return false;
  const Token &t = peek(LexMode::Expression);
  phdr.type = t.kind == Token::Name && t.text.starts_with("PT_")
                  ? parseNumberWord(segmentTypes(), "segment type")
                  : parseExpression();
  if (!phdr.type)
    return false;
  while (!consume(";")) {
    if (consumeWord("FILEHDR", LexMode::Plain))
      phdr.fileHeader = true;
    else if (consumeWord("PHDRS", LexMode::Plain))
      phdr.programHeaders = true;
    else if (ExprPtr *value = consumeWord("AT", LexMode::Plain) ? &phdr.address
                              : consumeWord("FLAGS", LexMode::Plain)
                                  ? &phdr.flags
                                  : nullptr) {
      if (!parseParenthesized(*value))
        return false;
    } else {
      return unexpected(peek(LexMode::Plain),
                        "FILEHDR, PHDRS, AT, FLAGS or ';'");
    }
  }
  script.phdrs.push_back(std::move(phdr));
  return true;
}

//===----------------------------------------------------------------------===//
// Entry points
//===----------------------------------------------------------------------===//

bool ScriptParser::run(StringRef file, std::string text, Statement statement,
                       std::vector<CommandPtr> &into) {
  push(save(file.str()), save(std::move(text)), false);
  target = &into;
  parseList(statement, 0);
  script.misread |= errors != 0;
  return errors == 0;
}

bool xlink::parseScript(StringRef file, std::string text, IncludeReader include,
                        Script &script, Diagnostics &diag) {
  return ScriptParser(script, diag, include)
      .run(file, std::move(text), &ScriptParser::topStatement, script.commands);
}

bool xlink::parseSectionOrdering(StringRef file, std::string text,
                                 IncludeReader include, Script &script,
                                 Diagnostics &diag) {
  return ScriptParser(script, diag, include)
      .run(file, std::move(text), &ScriptParser::orderingStatement,
           script.ordering);
}

static std::optional<IncludedText> noInclude(StringRef) { return std::nullopt; }

std::unique_ptr<AssignmentCommand>
xlink::parseDefsym(StringRef text, Script &script, Diagnostics &diag) {
  ScriptParser parser(script, diag, noInclude);
  parser.push(parser.save(("--defsym=" + text).str()), parser.save(text.str()),
              /*commandLine=*/true);
  auto command = std::make_unique<AssignmentCommand>();
  command->where = parser.here(parser.peek(LexMode::Expression));
  return parser.parseAssignmentInto(*command, /*plainOnly=*/true) &&
                 parser.expectEnd()
             ? std::move(command)
             : nullptr;
}

ExprPtr xlink::parseAddress(StringRef option, StringRef text, Script &script,
                            Diagnostics &diag) {
  ScriptParser parser(script, diag, noInclude);
  parser.push(parser.save(option.str()), parser.save(text.str()),
              /*commandLine=*/true, /*hexByDefault=*/true);
  ExprPtr value = parser.parseExpression();
  return value && parser.expectEnd() ? std::move(value) : nullptr;
}

//===----------------------------------------------------------------------===//
// The words of the script language
//
// The parser uses these tables, near spellings come from them, and tests
// iterate over them so that every word has a test.
//===----------------------------------------------------------------------===//

using P = ScriptParser;

ArrayRef<P::Command> P::topCommands() {
  static constexpr Command table[] = {
      {"ASSERT", [](P &p) { return p.parseAssert(); }},
      {"ENTRY", [](P &p) { return p.parseEntry(); }},
      {"EXTERN",
       [](P &p) {
         return p.parseNames(LexMode::Plain, "a symbol", p.script.externs);
       }},
      {"FORCE_COMMON_ALLOCATION",
       [](P &p) { return p.script.forceCommonAllocation = true; }},
      {"FORCE_GROUP_ALLOCATION",
       [](P &p) { return p.script.forceGroupAllocation = true; }},
      {"GROUP",
       [](P &p) {
         return p.expect("(") && p.parseInputs(false, ++p.script.groups);
       }},
      {"HIDDEN", [](P &p) { return p.parseProvide(false, true); }},
      {"INCLUDE", [](P &p) { return p.parseIncludeOf(&P::topStatement); }},
      {"INHIBIT_COMMON_ALLOCATION",
       [](P &p) { return p.script.inhibitCommonAllocation = true; }},
      {"INPUT", [](P &p) { return p.expect("(") && p.parseInputs(false, 0); }},
      {"INSERT", [](P &p) { return p.parseInsert(); }},
      {"LD_FEATURE", [](P &p) { return p.parseFeature(); }},
      {"MEMORY",
       [](P &p) { return p.parseBlock(&P::memoryStatement, "MEMORY"); }},
      {"NOCROSSREFS", [](P &p) { return p.parseNoCrossRefs(false); }},
      {"NOCROSSREFS_TO", [](P &p) { return p.parseNoCrossRefs(true); }},
      {"OUTPUT",
       [](P &p) {
         return p.parseName(LexMode::File, "the name of a file",
                            p.script.output);
       }},
      {"OUTPUT_ARCH", // as the inputs say
       [](P &p) {
         StringRef name;
         return p.parseName(LexMode::File, "an architecture", name);
       }},
      {"OUTPUT_FORMAT", [](P &p) { return p.parseOutputFormat(); }},
      {"PHDRS",
       [](P &p) {
         p.script.hasPhdrs = true;
         return p.parseBlock(&P::phdrStatement, "PHDRS");
       }},
      {"PROVIDE", [](P &p) { return p.parseProvide(true, false); }},
      {"PROVIDE_HIDDEN", [](P &p) { return p.parseProvide(true, true); }},
      {"REGION_ALIAS", [](P &p) { return p.parseRegionAlias(); }},
      {"SEARCH_DIR",
       [](P &p) {
         StringRef name;
         if (!p.parseName(LexMode::File, "the name of a directory", name))
           return false;
         p.script.searchDirs.push_back(name);
         return true;
       }},
      {"SECTIONS", [](P &p) { return p.parseSections(); }},
      {"STARTUP", [](P &p) { return p.parseStartup(); }},
      {"TARGET", // a BFD name for inputs; their headers decide
       [](P &p) {
         StringRef name;
         return p.parseName(LexMode::Plain, "the name of a format", name);
       }},
      {"VERSION",
       [](P &p) {
         return p.error(p.commandWord,
                        "VERSION is not supported: without dynamic "
                        "linking symbols have no versions");
       }},
  };
  return table;
}

ArrayRef<P::Command> P::sectionsCommands() {
  static constexpr Command table[] = {
      {"ASSERT", [](P &p) { return p.parseAssert(); }},
      {"ENTRY", [](P &p) { return p.parseEntry(); }},
      {"HIDDEN", [](P &p) { return p.parseProvide(false, true); }},
      {"INCLUDE", [](P &p) { return p.parseIncludeOf(&P::sectionsStatement); }},
      {"OVERLAY", [](P &p) { return p.parseOverlay(); }},
      {"PROVIDE", [](P &p) { return p.parseProvide(true, false); }},
      {"PROVIDE_HIDDEN", [](P &p) { return p.parseProvide(true, true); }},
  };
  return table;
}

ArrayRef<P::Command> P::bodyCommands() {
  static constexpr Command table[] = {
      {"ASCIZ", [](P &p) { return p.parseAsciz(); }},
      {"ASSERT", [](P &p) { return p.parseAssert(); }},
      {"BYTE", [](P &p) { return p.parseData(1); }},
      {"CONSTRUCTORS", [](P &) { return true; }},
      {"CREATE_OBJECT_SYMBOLS", [](P &) { return true; }},
      {"FILL", [](P &p) { return p.parseFillCommand(); }},
      {"HIDDEN", [](P &p) { return p.parseProvide(false, true); }},
      {"INCLUDE", [](P &p) { return p.parseIncludeOf(&P::bodyStatement); }},
      {"KEEP",
       [](P &p) {
         return p.expect("(") && p.parseInputDescription(/*keep=*/true) &&
                p.expect(")");
       }},
      {"LINKER_VERSION", [](P &) { return true; }},
      {"LONG", [](P &p) { return p.parseData(4); }},
      {"PROVIDE", [](P &p) { return p.parseProvide(true, false); }},
      {"PROVIDE_HIDDEN", [](P &p) { return p.parseProvide(true, true); }},
      {"QUAD", [](P &p) { return p.parseData(8); }},
      {"SHORT", [](P &p) { return p.parseData(2); }},
      {"SQUAD", [](P &p) { return p.parseData(8, /*isSigned=*/true); }},
  };
  return table;
}

/// In the order in which they may stand.
ArrayRef<P::Command> P::sectionAttributes() {
  static constexpr Command table[] = {
      {"AT", [](P &p) { return p.parseParenthesized(p.section->lma); }},
      {"ALIGN", [](P &p) { return p.parseParenthesized(p.section->align); }},
      {"ALIGN_WITH_INPUT",
       [](P &p) { return p.section->alignWithInput = true; }},
      {"SUBALIGN",
       [](P &p) { return p.parseParenthesized(p.section->subalign); }},
      {"ONLY_IF_RO", [](P &p) { return p.parseOnlyIf(Constraint::OnlyIfRO); }},
      {"ONLY_IF_RW", [](P &p) { return p.parseOnlyIf(Constraint::OnlyIfRW); }},
      {"SPECIAL", [](P &p) { return p.parseOnlyIf(Constraint::None); }},
  };
  return table;
}

ArrayRef<P::Function> P::functions() {
  static constexpr Function table[] = {
      {"ABSOLUTE", {ExprKind::Absolute, "e"}},
      {"ADDR", {ExprKind::Addr, "s"}},
      {"ALIGN", {ExprKind::Align1, "e?,e"}},
      {"ALIGNOF", {ExprKind::AlignOf, "s"}},
      {"ASSERT", {ExprKind::Assert, "e,m"}},
      {"BLOCK", {ExprKind::Block, "e"}},
      {"CONSTANT", {ExprKind::Constant, "c"}},
      {"DATA_SEGMENT_ALIGN", {ExprKind::DataSegmentAlign, "e,e"}},
      {"DATA_SEGMENT_END", {ExprKind::DataSegmentEnd, "e"}},
      {"DATA_SEGMENT_RELRO_END", {ExprKind::DataSegmentRelroEnd, "e,e"}},
      {"DEFINED", {ExprKind::Defined, "y"}},
      {"LENGTH", {ExprKind::Length, "r"}},
      {"LOADADDR", {ExprKind::LoadAddr, "s"}},
      {"LOG2CEIL", {ExprKind::Log2Ceil, "e"}},
      {"MAX", {ExprKind::Max, "e,e"}},
      {"MIN", {ExprKind::Min, "e,e"}},
      {"NEXT", {ExprKind::Next, "e"}},
      {"ORIGIN", {ExprKind::Origin, "r"}},
      {"SEGMENT_START", {ExprKind::SegmentStart, "g,e"}},
      {"SIZEOF", {ExprKind::SizeOf, "s"}},
      {"SIZEOF_HEADERS", {ExprKind::SizeOfHeaders, ""}},
      {"sizeof_headers", {ExprKind::SizeOfHeaders, ""}},
  };
  return table;
}

ArrayRef<ScriptWord<OutputType>> P::sectionTypes() {
  static constexpr ScriptWord<OutputType> table[] = {
      {"COPY", OutputType::Copy},       {"DSECT", OutputType::DSect},
      {"INFO", OutputType::Info},       {"NOLOAD", OutputType::NoLoad},
      {"OVERLAY", OutputType::Overlay}, {"READONLY", OutputType::ReadOnly},
      {"TYPE", OutputType::Normal},
  };
  return table;
}

ArrayRef<P::PatternWord> P::patternWords() {
  using W = PatternPart;
  static constexpr PatternWord table[] = {
      {"EXCLUDE_FILE", {W::ExcludeFile}},
      {"INPUT_SECTION_FLAGS", {W::SectionFlags}},
      {"REVERSE", {W::Reverse}},
      {"SORT", {W::Sort, SortKind::Name}},
      {"SORT_BY_ALIGNMENT", {W::Sort, SortKind::Alignment}},
      {"SORT_BY_INIT_PRIORITY", {W::Sort, SortKind::InitPriority}},
      {"SORT_BY_NAME", {W::Sort, SortKind::Name}},
      {"SORT_NONE", {W::Sort, SortKind::None}},
  };
  return table;
}

ArrayRef<P::NumberWord> P::segmentTypes() {
  static constexpr NumberWord table[] = {
      {"PT_NULL", ELF::PT_NULL},
      {"PT_LOAD", ELF::PT_LOAD},
      {"PT_DYNAMIC", ELF::PT_DYNAMIC},
      {"PT_INTERP", ELF::PT_INTERP},
      {"PT_NOTE", ELF::PT_NOTE},
      {"PT_SHLIB", ELF::PT_SHLIB},
      {"PT_PHDR", ELF::PT_PHDR},
      {"PT_TLS", ELF::PT_TLS},
      {"PT_GNU_STACK", ELF::PT_GNU_STACK},
      {"PT_GNU_EH_FRAME", ELF::PT_GNU_EH_FRAME},
      {"PT_GNU_RELRO", ELF::PT_GNU_RELRO},
      {"PT_GNU_PROPERTY", ELF::PT_GNU_PROPERTY},
  };
  return table;
}

ArrayRef<P::NumberWord> P::typeWords() {
  static constexpr NumberWord table[] = {
      {"SHT_PROGBITS", ELF::SHT_PROGBITS},
      {"SHT_STRTAB", ELF::SHT_STRTAB},
      {"SHT_NOTE", ELF::SHT_NOTE},
      {"SHT_NOBITS", ELF::SHT_NOBITS},
      {"SHT_INIT_ARRAY", ELF::SHT_INIT_ARRAY},
      {"SHT_FINI_ARRAY", ELF::SHT_FINI_ARRAY},
      {"SHT_PREINIT_ARRAY", ELF::SHT_PREINIT_ARRAY},
  };
  return table;
}

std::optional<uint64_t> xlink::sectionFlag(StringRef word) {
  static constexpr P::NumberWord table[] = {
      {"SHF_WRITE", ELF::SHF_WRITE},
      {"SHF_ALLOC", ELF::SHF_ALLOC},
      {"SHF_EXECINSTR", ELF::SHF_EXECINSTR},
      {"SHF_MERGE", ELF::SHF_MERGE},
      {"SHF_STRINGS", ELF::SHF_STRINGS},
      {"SHF_INFO_LINK", ELF::SHF_INFO_LINK},
      {"SHF_LINK_ORDER", ELF::SHF_LINK_ORDER},
      {"SHF_OS_NONCONFORMING", ELF::SHF_OS_NONCONFORMING},
      {"SHF_GROUP", ELF::SHF_GROUP},
      {"SHF_TLS", ELF::SHF_TLS},
      {"SHF_COMPRESSED", ELF::SHF_COMPRESSED},
      {"SHF_GNU_RETAIN", ELF::SHF_GNU_RETAIN},
      {"SHF_EXCLUDE", ELF::SHF_EXCLUDE},
  };
  if (const P::NumberWord *known = findIn(word, ArrayRef(table)))
    return known->meaning;
  uint64_t number;
  if (!word.getAsInteger(0, number))
    return number;
  return std::nullopt;
}
