//===- ScriptExpression.cpp - parsing of assignments and expressions ------===//
//
// Expressions: C's operators and precedence without increment and the comma,
// plus the functions of the script language. Precedence climbing; the depth of
// parentheses and the height of a tree (a long sum leans to the left) are
// limited, so that this parser and all walks over a tree need a bounded stack.
//
// Assignments may stand everywhere; the difficulty is to recognise one: where
// names of sections and wildcards are expected, `x=.` is a legal name, and
// `.+=4` too. GNU ld demands blanks; here a possible symbol with an equals sign
// behind it is an assignment, unless the next tokens show the name of a section
// or of a file.
//
// On the left of an assignment GNU ld reads a name with the alphabet of the
// place: `__note-ABI-tag_start = .` assigns the symbol of that name, which in
// an expression is a difference and needs quotes. So does this parser if a
// blank follows the name.
//
//===----------------------------------------------------------------------===//
#include "script/ParserImpl.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;
using namespace xlink;

static constexpr unsigned maxDepth = 256;
static constexpr uint32_t maxHeight = 2000;

static constexpr ScriptWord<ExprKind> unaryOperators[] = {
    {"-", ExprKind::Negate},
    {"!", ExprKind::Not},
    {"~", ExprKind::Complement},
    {"+", ExprKind::Number}, // changes nothing
};

namespace {
struct BinaryOperator {
  StringRef name;
  unsigned precedence;
  ExprKind kind;
};
} // namespace

static constexpr BinaryOperator binaryOperators[] = {
    {"||", 1, ExprKind::LogicalOr},
    {"&&", 2, ExprKind::LogicalAnd},
    {"|", 3, ExprKind::Or},
    {"^", 4, ExprKind::Xor},
    {"&", 5, ExprKind::And},
    {"==", 6, ExprKind::Equal},
    {"!=", 6, ExprKind::NotEqual},
    {"<", 7, ExprKind::Less},
    {"<=", 7, ExprKind::LessEqual},
    {">", 7, ExprKind::Greater},
    {">=", 7, ExprKind::GreaterEqual},
    {"<<", 8, ExprKind::Shl},
    {">>", 8, ExprKind::Shr},
    {"+", 9, ExprKind::Add},
    {"-", 9, ExprKind::Sub},
    {"*", 10, ExprKind::Mul},
    {"/", 10, ExprKind::Div},
    {"%", 10, ExprKind::Mod},
};

/// Of an assignment; Number: a plain one.
static constexpr ScriptWord<ExprKind> assignmentOperators[] = {
    {"<<=", ExprKind::Shl}, {">>=", ExprKind::Shr},  {"+=", ExprKind::Add},
    {"-=", ExprKind::Sub},  {"*=", ExprKind::Mul},   {"/=", ExprKind::Div},
    {"%=", ExprKind::Mod},  {"&=", ExprKind::And},   {"|=", ExprKind::Or},
    {"^=", ExprKind::Xor},  {"=", ExprKind::Number},
};

StringRef xlink::expressionWord(ExprKind kind) {
  if (kind == ExprKind::Number)
    return "";
  if (kind == ExprKind::Align2) // parsed as the other ALIGN at first
    kind = ExprKind::Align1;
  for (const ScriptWord<ExprKind> &op : unaryOperators)
    if (op.meaning == kind)
      return op.name;
  for (const BinaryOperator &op : binaryOperators)
    if (op.kind == kind)
      return op.name;
  for (const ScriptParser::Function &function : ScriptParser::functions())
    if (function.meaning.kind == kind)
      return function.name;
  return "";
}

ExprPtr ScriptParser::make(ExprKind kind, const ScriptLocation &where,
                           StringRef name) {
  auto e = std::make_unique<Expr>();
  e->kind = kind;
  e->where = where;
  e->name = name;
  return e;
}

ExprPtr ScriptParser::make(ExprKind kind, const ScriptLocation &where,
                           ExprPtr a, ExprPtr b, ExprPtr c) {
  ExprPtr e = make(kind, where);
  // The value of alignments of dot, and of SEGMENT_START, is not in their
  // arguments.
  e->constant = kind != ExprKind::Align1 && kind != ExprKind::Block &&
                kind != ExprKind::SegmentStart && kind != ExprKind::Next &&
                kind != ExprKind::DataSegmentAlign;
  for (ExprPtr *arg : {&a, &b, &c}) {
    if (!*arg)
      continue;
    e->height = std::max(e->height, (*arg)->height + 1);
    e->constant &= (*arg)->constant;
    e->args.push_back(std::move(*arg));
  }
  if (e->height <= maxHeight)
    return e;
  error(peek(LexMode::Expression),
        "expression has more than " + std::to_string(maxHeight) + " levels");
  return nullptr;
}

bool ScriptParser::tooDeep() {
  return depth > maxDepth &&
         !error(peek(LexMode::Expression), "expression is nested more than " +
                                               std::to_string(maxDepth) +
                                               " levels deep");
}

ExprPtr ScriptParser::parseExpression() {
  const SaveAndRestore deeper(depth, depth + 1);
  if (tooDeep())
    return nullptr;
  ExprPtr condition = parseBinary(1);
  if (!condition)
    return nullptr;
  const ScriptLocation where = here(peek(LexMode::Expression));
  if (!consume("?"))
    return condition;
  ExprPtr then = parseExpression();
  if (!then || !expect(":"))
    return nullptr;
  ExprPtr otherwise = parseExpression();
  if (!otherwise)
    return nullptr;
  return make(ExprKind::Conditional, where, std::move(condition),
              std::move(then), std::move(otherwise));
}

ExprPtr ScriptParser::parseBinary(unsigned minPrecedence) {
  ExprPtr left = parseUnary();
  while (left) {
    Token t = peek(LexMode::Expression);
    const auto *op =
        find_if(binaryOperators, [&](auto &o) { return t.is(o.name); });
    if (op == std::end(binaryOperators) || op->precedence < minPrecedence)
      break;
    take();
    ExprPtr right = parseBinary(op->precedence + 1);
    if (!right)
      return nullptr;
    left = make(op->kind, here(t), std::move(left), std::move(right));
  }
  return left;
}

ExprPtr ScriptParser::parseUnary() {
  const SaveAndRestore deeper(depth, depth + 1);
  Token t = peek(LexMode::Expression);
  if (tooDeep())
    return nullptr;
  const auto *op = t.kind == Token::Punct
                       ? findIn(t.text, ArrayRef(unaryOperators))
                       : nullptr;
  if (!op)
    return parsePrimary();
  take();
  ExprPtr operand = parseUnary();
  if (operand && op->meaning == ExprKind::Number) {
    if (operand->kind == ExprKind::Number)
      operand->name = ""; // behind a plus a fill is a value
    return operand;
  }
  if (!operand)
    return nullptr;
  return make(op->meaning, here(t), std::move(operand));
}

ExprPtr ScriptParser::parsePrimary() {
  Token t = peek(LexMode::Expression);
  ScriptLocation where = here(t);
  switch (t.kind) {
  case Token::Number: {
    take();
    if (t.message && !readsFill) {
      numberError(t);
      return nullptr;
    }
    if (t.message)
      longNumber = t;
    ExprPtr e = make(ExprKind::Number, where);
    e->number = t.number;
    e->constant = true;
    if (readsFill && t.plainHex)
      e->name = t.text;
    return e;
  }
  case Token::Quoted:
    take();
    return make(ExprKind::Symbol, where, t.text);
  case Token::Name: {
    if (t.text == ".") {
      take();
      return make(ExprKind::Dot, where);
    }
    if (const Function *function = findIn(t.text, functions())) {
      take();
      return parseFunction(*function, where);
    }
    StringRef rest = lexer().restAfter(t.end);
    if (rest.starts_with("(") && !beginsWithType(rest)) {
      error(t, "unknown function '" + t.text.str() + "'" +
                   didYouMean(t.text, functions()));
      return nullptr;
    }
    if (t.text == kDiscardName)
      break;
    take();
    return make(ExprKind::Symbol, where, t.text);
  }
  default:
    if (!consume("("))
      break;
    ExprPtr e = parseExpression();
    return e && expect(")") ? std::move(e) : nullptr;
  }
  unexpected(t, "an expression");
  return nullptr;
}

/// An argument that is a name.
bool ScriptParser::parseFunctionName(char argument, Expr &e) {
  const Token t = peek(LexMode::Plain);
  const StringRef noun = argument == 's'   ? "an output section"
                         : argument == 'r' ? "a region's name"
                         : argument == 'y' ? "a symbol"
                         : argument == 'm' ? "a message"
                         : argument == 'g' ? "a segment's name"
                                           : "MAXPAGESIZE or COMMONPAGESIZE";
  if (!expectName(argument == 's' ? LexMode::Name : LexMode::Plain, noun,
                  e.name))
    return false;
  if (argument == 'g' && !e.name.empty())
    script.segmentStarts.push_back(e.name);
  if (argument == 'c' && e.name == "COMMONPAGESIZE")
    e.constantKind = ScriptConstant::CommonPageSize;
  else if (argument == 'c' && e.name != "MAXPAGESIZE")
    return error(t, "unknown constant '" + e.name.str() +
                        "'; known are MAXPAGESIZE and COMMONPAGESIZE");
  return true;
}

ExprPtr ScriptParser::parseFunction(const Function &function,
                                    const ScriptLocation &where) {
  auto [kind, arguments] = function.meaning;
  ExprPtr e = make(kind, where);
  if (arguments.empty())
    return e;
  if (!expect("("))
    return nullptr;
  ExprPtr first, second;
  for (char argument : arguments) {
    if (argument == '?' && !peek(LexMode::Expression).is(","))
      break;
    bool good = true;
    if (argument == ',')
      good = expect(",");
    else if (argument == 'e')
      good = bool((first ? second : first) = parseExpression());
    else if (argument != '?')
      good = parseFunctionName(argument, *e);
    if (!good)
      return nullptr;
  }
  if (!expect(")"))
    return nullptr;
  if (!first)
    return e;
  if (second && kind == ExprKind::Align1)
    kind = ExprKind::Align2;
  ExprPtr result = make(kind, where, std::move(first), std::move(second));
  if (result)
    result->name = e->name;
  return result;
}

//===----------------------------------------------------------------------===//
// Assignments and assertions
//===----------------------------------------------------------------------===//

static bool beginsAssignment(StringRef rest) {
  return !rest.starts_with("==") && any_of(assignmentOperators, [&](auto &op) {
    return rest.starts_with(op.name);
  });
}

bool ScriptParser::atAssignment(LexMode mode) {
  Token t = peek(mode);
  if (!t.isName())
    return false;
  StringRef rest = lexer().restAfter(t.end);
  nameMode = LexMode::Expression;
  if (t.kind == Token::Quoted || isPlainSymbol(t.text))
    if (beginsAssignment(rest))
      return true;
  bool apart = rest.data() != lexer().text().data() + t.end;
  if (t.kind == Token::Name && apart && beginsAssignment(rest)) {
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
  if (!separator()) {
    const Token t = peek(LexMode::Expression);
    const size_t line = lexer().lineOf(lexer().lastEnd());
    std::vector<std::string> notes;
    if (line != t.line)
      notes.push_back("the assignment that ends in line " +
                      std::to_string(line) + " lacks ';'");
    return unexpected(t, "';'", std::move(notes));
  }
  target->push_back(std::move(command));
  return true;
}

bool ScriptParser::parseAssignmentInto(AssignmentCommand &command,
                                       bool plainOnly) {
  Token name = peek(nameMode);
  if (!expectName(nameMode, "a symbol", command.name))
    return false;
  Token opToken = peek(LexMode::Expression);
  const auto *op = opToken.kind == Token::Punct
                       ? findIn(opToken.text, ArrayRef(assignmentOperators))
                       : nullptr;
  if (!op || (plainOnly && op->meaning != ExprKind::Number))
    return unexpected(opToken, "'='");
  if (plainOnly && command.isDot() && name.kind == Token::Name)
    return error(name, "a symbol is needed here, not '.'");
  take();
  command.value = parseExpression();
  if (!command.value)
    return false;
  command.text = lexer().text().slice(name.offset, lexer().lastEnd());
  if (op->meaning == ExprKind::Number)
    return true;
  ExprPtr old = command.isDot()
                    ? make(ExprKind::Dot, command.where)
                    : make(ExprKind::Symbol, command.where, command.name);
  command.value = make(op->meaning, here(opToken), std::move(old),
                       std::move(command.value));
  return command.value != nullptr;
}

/// PROVIDE(symbol = expression) and its like.
bool ScriptParser::parseProvide(bool provide, bool hidden) {
  auto command = begin<AssignmentCommand>();
  command->provide = provide;
  command->hidden = hidden;
  const uint32_t begin = commandWord.offset;
  if (!expect("("))
    return false;
  nameMode = LexMode::Expression;
  atAssignment(LexMode::Name); // for the alphabet of the name
  if (!parseAssignmentInto(*command, /*plainOnly=*/true) || !expect(")"))
    return false;
  command->text = lexer().text().slice(begin, lexer().lastEnd());
  return add(std::move(command));
}
