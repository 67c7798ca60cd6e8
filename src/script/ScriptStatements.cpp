//===- ScriptStatements.cpp - assignments and assertions ------------------===//
//
// The statements that may stand everywhere. The difficulty is to recognise one:
// where names of sections and wildcards are expected, `x=.` is a legal name,
// and `.+=4` too. GNU ld demands blanks; here a possible symbol with an equals
// sign behind it is an assignment, unless the next tokens show the name of a
// section or of a file.
//
// On the left of an assignment GNU ld reads a name with the alphabet of the
// place: `__note-ABI-tag_start = .` assigns the symbol of that name, which in
// an expression is a difference and needs quotes. So does this parser if a
// blank follows the name.
//
//===----------------------------------------------------------------------===//
#include "script/ParserImpl.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace xlink;

namespace {
struct AssignmentOperator {
  StringRef text;
  ExprKind kind; ///< of the expansion; Number: none
};
} // namespace

static const AssignmentOperator *findAssignment(StringRef rest) {
  static constexpr AssignmentOperator table[] = {
      {"<<=", ExprKind::Shl}, {">>=", ExprKind::Shr},  {"+=", ExprKind::Add},
      {"-=", ExprKind::Sub},  {"*=", ExprKind::Mul},   {"/=", ExprKind::Div},
      {"%=", ExprKind::Mod},  {"&=", ExprKind::And},   {"|=", ExprKind::Or},
      {"^=", ExprKind::Xor},  {"=", ExprKind::Number},
  };
  if (rest.starts_with("=="))
    return nullptr;
  for (const AssignmentOperator &op : table)
    if (rest.starts_with(op.text))
      return &op;
  return nullptr;
}

bool ScriptParser::atAssignment(LexMode mode) {
  Token t = peek(mode);
  if (!t.isName())
    return false;
  StringRef rest = lexer().restAfter(t.end);
  nameMode = LexMode::Expression;
  if (t.kind == Token::Quoted || isPlainSymbol(t.text))
    if (findAssignment(rest))
      return true;
  bool apart = rest.data() != lexer().text().data() + t.end;
  if (t.kind == Token::Name && apart && findAssignment(rest)) {
    nameMode = mode;
    return true;
  }
  if (t.kind == Token::Quoted)
    return false;

  // An operator inside the word or at its end.
  size_t equals = t.text.find('=');
  StringRef symbol = t.text.take_front(
      equals == StringRef::npos ? t.text.find_first_of("+-/*^%") : equals);
  if (equals == StringRef::npos) {
    // `x+` in front of `=`: only when the name's alphabet ended there.
    return symbol.size() + 1 == t.text.size() && isPlainSymbol(symbol) &&
           t.end < lexer().text().size() && lexer().text()[t.end] == '=';
  }
  if (!isPlainSymbol(symbol) && !symbol.empty())
    symbol = symbol.drop_back();
  if (!isPlainSymbol(symbol))
    return false;
  if (mode == LexMode::Name)
    return !rest.starts_with(":") && !rest.starts_with("{");
  if (!rest.starts_with("("))
    return true;
  // file=name(patterns) or symbol=FUNCTION(arguments)
  StringRef value = t.text.drop_front(equals + 1);
  size_t last = value.find_last_of("+-/*^%=!~");
  StringRef word = last == StringRef::npos ? value : value.drop_front(last + 1);
  return word.empty() || findIn(word, functions());
}

bool ScriptParser::parseAssignment() {
  auto command = std::make_unique<AssignmentCommand>();
  command->where = here(peek(nameMode));
  if (!parseAssignmentInto(*command, /*plainOnly=*/false))
    return false;
  if (!separator())
    return unexpected(peek(LexMode::Expression), "';'");
  target->push_back(std::move(command));
  return true;
}

bool ScriptParser::parseAssignmentInto(AssignmentCommand &command,
                                       bool plainOnly) {
  Token name = peek(nameMode);
  if (!expectName(nameMode, "a symbol", command.name))
    return false;
  Token opToken = peek(LexMode::Expression);
  const AssignmentOperator *op =
      opToken.kind == Token::Punct ? findAssignment(opToken.text) : nullptr;
  if (!op || (plainOnly && op->kind != ExprKind::Number))
    return unexpected(opToken, "'='");
  if (plainOnly && command.isDot() && name.kind == Token::Name)
    return error(name, "a symbol is needed here, not '.'");
  take();
  command.value = parseExpression();
  if (!command.value)
    return false;
  command.text = lexer().text().slice(name.offset, lexer().lastEnd());
  if (op->kind == ExprKind::Number)
    return true;
  ExprPtr old =
      make(command.isDot() ? ExprKind::Dot : ExprKind::Symbol, command.where);
  if (!command.isDot())
    old->name = command.name;
  command.value =
      make(op->kind, here(opToken), std::move(old), std::move(command.value));
  return command.value != nullptr;
}

/// PROVIDE(symbol = expression) and its like.
bool ScriptParser::parseProvideForm(bool provide, bool hidden) {
  auto command = std::make_unique<AssignmentCommand>();
  command->where = commandWhere;
  command->provide = provide;
  command->hidden = hidden;
  uint32_t begin = commandOffset;
  if (!expect("("))
    return false;
  nameMode = LexMode::Expression;
  atAssignment(LexMode::Name); // for the alphabet of the name
  if (!parseAssignmentInto(*command, /*plainOnly=*/true) || !expect(")"))
    return false;
  command->text = lexer().text().slice(begin, lexer().lastEnd());
  separator();
  target->push_back(std::move(command));
  return true;
}

bool ScriptParser::parseProvide() { return parseProvideForm(true, false); }
bool ScriptParser::parseHidden() { return parseProvideForm(false, true); }
bool ScriptParser::parseProvideHidden() { return parseProvideForm(true, true); }

bool ScriptParser::parseAssert() {
  auto command = std::make_unique<AssertCommand>();
  command->where = commandWhere;
  if (!expect("(") || !(command->condition = parseExpression()) ||
      !expect(",") ||
      !expectName(LexMode::Plain, "a message", command->message) ||
      !expect(")"))
    return false;
  separator();
  target->push_back(std::move(command));
  return true;
}
