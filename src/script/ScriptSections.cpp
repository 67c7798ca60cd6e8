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
//===----------------------------------------------------------------------===//
#include "script/ParserImpl.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace xlink;

bool ScriptParser::sectionsStatement() {
  Token t = peek(LexMode::Name);
  if (!t.isName())
    return unexpected(t, "an output section or an assignment");
  if (atAssignment(LexMode::Name))
    return parseAssignment();
  if (t.kind == Token::Name)
    if (const Command *command = findIn(t.text, sectionsCommands()))
      return dispatch(t, command->parse);
  StringRef rest = lexer().restAfter(t.end);
  if (rest.starts_with("(") && findIn(t.text, bodyCommands()))
    return error(t, describe(t) + " stands outside of an output section");
  if ((rest.starts_with("(") || rest.starts_with("{")) &&
      findIn(t.text, topCommands()))
    return error(t, describe(t) + " cannot stand inside SECTIONS");
  return checkSpelling(t, sectionsCommands(), /*callOnly=*/true) &&
         parseOutputSection();
}

bool ScriptParser::parseIncludeSections() {
  return parseIncludeOf(&ScriptParser::sectionsStatement);
}

/// The statements of a section ordering file: it adds to output sections of the
/// script in use, without other properties.
bool ScriptParser::orderingStatement() {
  Token t = peek(LexMode::Name);
  if (!t.isName())
    return unexpected(t, "an output section or an assignment");
  const bool isWord = t.kind == Token::Name;
  if (isWord && !atAssignment(LexMode::Name) &&
      (t.text == "SECTIONS" || t.text == "OVERLAY" || t.text == "INCLUDE" ||
       findIn(t.text, topCommands())) &&
      t.text != "ASSERT" && t.text != "ENTRY" && t.text != "PROVIDE" &&
      t.text != "PROVIDE_HIDDEN" && t.text != "HIDDEN")
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
      errorAt(s.where, t.offset,
              "a section ordering file says only what stands in output "
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

  auto *outerTarget = target;
  auto *outerSection = section;
  auto leave = make_scope_exit([&] {
    target = outerTarget;
    section = outerSection;
  });
  section = command.get();
  target = &command->commands;

  const Command *last = nullptr;
  while (!peek(LexMode::Name).is("{")) {
    Token t = peek(LexMode::Name);
    if (t.kind == Token::Name) {
      if (const Command *attribute = findIn(t.text, sectionAttributes())) {
        if (last && attribute <= last)
          return error(t, describe(t) + " cannot stand behind '" +
                              last->name.str() + "'");
        last = attribute;
        if (!dispatch(t, attribute->parse))
          return false;
        continue;
      }
      std::string near = nearestIn(t.text, sectionAttributes());
      if (!near.empty())
        return error(t, "unknown attribute '" + t.text.str() +
                            "' of an output section; did you mean '" + near +
                            "'?");
    }
    return unexpected(t, "'{'");
  }
  if (command->align && command->alignWithInput)
    errorAt(command->where, name.offset,
            "ALIGN and ALIGN_WITH_INPUT do not go together");

  if (!parseBlock(&ScriptParser::bodyStatement,
                  "output section '" + command->name.str() + "'") ||
      !parseRegions(command->region, command->lmaRegion) ||
      !parseTail(command->phdrs, command->fill))
    return false;
  if (command->lma && !command->lmaRegion.empty())
    errorAt(command->where, name.offset,
            "section has both a load address and a load region");
  outerTarget->push_back(std::move(command));
  return true;
}

bool ScriptParser::parseTypes(OutputSectionCommand &s) {
  if (!expect("("))
    return false;
  if (consume(")"))
    return true;
  Token t = peek(LexMode::Plain);
  const SectionType *type =
      t.kind == Token::Name ? findIn(t.text, sectionTypes()) : nullptr;
  if (!type) {
    std::string text = "unknown type " + describe(t) + " of an output section";
    std::string near = nearestIn(t.text, sectionTypes());
    if (!near.empty())
      text += "; did you mean '" + near + "'?";
    return error(t, text);
  }
  if (type->name == "TYPE")
    return parseTypeValue(s) && expect(")");
  take();
  s.type = type->type;
  // (READONLY (TYPE = value))
  if (s.type == OutputType::ReadOnly && consume("(") &&
      !(parseTypeValue(s) && expect(")")))
    return false;
  return expect(")");
}

/// TYPE = SHT_NAME or TYPE = expression
bool ScriptParser::parseTypeValue(OutputSectionCommand &s) {
  const Token &word = peek(LexMode::Plain);
  if (!word.isWord("TYPE"))
    return unexpected(word, "TYPE");
  take();
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

bool ScriptParser::parseAt() { return parseParenthesized(section->lma); }
bool ScriptParser::parseAlign() { return parseParenthesized(section->align); }
bool ScriptParser::parseSubAlign() {
  return parseParenthesized(section->subalign);
}
bool ScriptParser::parseAlignWithInput() {
  section->alignWithInput = true;
  return true;
}
/// Of ONLY_IF_RO, ONLY_IF_RW and SPECIAL one may stand, in front of the brace.
bool ScriptParser::parseOnlyIf(Constraint constraint) {
  section->constraint = constraint;
  const Token &t = peek(LexMode::Name);
  return t.is("{") || unexpected(t, "'{'");
}
bool ScriptParser::parseOnlyIfRO() { return parseOnlyIf(Constraint::OnlyIfRO); }
bool ScriptParser::parseOnlyIfRW() { return parseOnlyIf(Constraint::OnlyIfRW); }
bool ScriptParser::parseSpecial() { return parseOnlyIf(Constraint::None); }

/// [>region] [AT>region] behind the closing brace.
bool ScriptParser::parseRegions(StringRef &region, StringRef &lmaRegion) {
  if (consume(">", LexMode::Name) &&
      !expectName(LexMode::Plain, "a region's name", region))
    return false;
  const Token &t = peek(LexMode::Name);
  if (!t.isWord("AT") || !lexer().restAfter(t.end).starts_with(">"))
    return true;
  take();
  return expect(">") &&
         expectName(LexMode::Plain, "a region's name", lmaRegion);
}

/// [:segment ...] [=fill] behind that.
bool ScriptParser::parseTail(std::vector<StringRef> &phdrs, FillPattern &fill) {
  while (consume(":", LexMode::Name))
    if (!expectName(LexMode::Plain, "a segment's name", phdrs.emplace_back()))
      return false;
  if (consume("=", LexMode::Name) && !parseFill(fill, /*inParentheses=*/false))
    return false;
  separator();
  return true;
}

/// A plain hexadecimal number is a pattern of its digits, leading zeros
/// included; everything else a value, of which four bytes count.
bool ScriptParser::parseFill(FillPattern &fill, bool inParentheses) {
  fill = {};
  // Parentheses around a literal leave it one.
  ScriptLexer ahead = lexer();
  unsigned depth = 0;
  for (; ahead.peek(LexMode::Expression).is("("); ahead.take())
    ++depth;
  const Token t = ahead.peek(LexMode::Expression);
  ahead.take();
  bool closed = true;
  for (unsigned i = 0; i < depth && closed; ++i) {
    closed = ahead.peek(LexMode::Expression).is(")");
    ahead.take();
  }
  StringRef rest = ahead.restAfter(ahead.lastEnd());
  bool alone = rest.empty() || rest.starts_with(kDiscardName) ||
               !StringRef("+-*/%&|^<>=!?").contains(rest[0]);
  if (inParentheses)
    alone = rest.starts_with(")");
  if (t.kind == Token::Number && t.plainHex && closed && alone) {
    for (unsigned i = 0; i < 2 * depth + 1; ++i) {
      peek(LexMode::Expression);
      take();
    }
    StringRef digits = t.text.drop_front(2);
    size_t i = 0;
    if (digits.size() % 2)
      fill.bytes.push_back(hexDigitValue(digits[i++]));
    for (; i < digits.size(); i += 2)
      fill.bytes.push_back(hexDigitValue(digits[i]) << 4 |
                           hexDigitValue(digits[i + 1]));
    return true;
  }
  fill.value = parseExpression();
  return fill.value != nullptr;
}

//===----------------------------------------------------------------------===//
// OVERLAY
//===----------------------------------------------------------------------===//

bool ScriptParser::parseOverlay() {
  auto command = std::make_unique<OverlayCommand>();
  command->where = commandWhere;
  const uint32_t keywordOffset = commandOffset;
  if (!peek(LexMode::Expression).is(":") &&
      !(command->address = parseExpression()))
    return false;
  if (!expect(":"))
    return false;
  if ((command->noCrossRefs = peek(LexMode::Name).isWord("NOCROSSREFS")))
    take();
  if (peek(LexMode::Name).isWord("AT")) {
    take();
    if (!parseParenthesized(command->lma))
      return false;
  }
  OverlayCommand *outer = overlay;
  overlay = command.get();
  bool good = parseBlock(&ScriptParser::overlayMember, "OVERLAY");
  overlay = outer;
  if (!good || !parseRegions(command->region, command->lmaRegion) ||
      !parseTail(command->phdrs, command->fill))
    return false;
  if (command->lma && !command->lmaRegion.empty())
    errorAt(command->where, keywordOffset,
            "OVERLAY has both a load address and a load region");

  auto load = [&](const OutputSectionCommand &s) {
    ExprPtr e = make(ExprKind::LoadAddr, s.where);
    e->name = s.name;
    return e;
  };
  for (const auto &s : command->sections) {
    std::string bare;
    for (char c : s->name)
      if (isAlnum(c) || c == '_')
        bare += c;
    for (bool stop : {false, true}) {
      auto symbol = std::make_unique<AssignmentCommand>();
      symbol->where = s->where;
      symbol->provide = true;
      symbol->name = save((stop ? "__load_stop_" : "__load_start_") + bare);
      symbol->value = load(*s);
      if (stop) {
        ExprPtr size = make(ExprKind::SizeOf, s->where);
        size->name = s->name;
        symbol->value = make(ExprKind::Add, s->where, std::move(symbol->value),
                             std::move(size));
      }
      symbol->text = save("PROVIDE(" + symbol->name.str() + " = LOADADDR(" +
                          s->name.str() + ")" +
                          (stop ? " + SIZEOF(" + s->name.str() + "))" : ")"));
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
  auto *outerTarget = target;
  target = &member->commands;
  bool good = parseBlock(&ScriptParser::bodyStatement,
                         "output section '" + member->name.str() + "'");
  target = outerTarget;
  if (!good || !parseTail(member->phdrs, member->fill))
    return false;
  overlay->sections.push_back(std::move(member));
  return true;
}
