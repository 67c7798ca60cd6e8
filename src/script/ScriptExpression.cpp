//===- ScriptExpression.cpp - parsing of expressions ----------------------===//
//
// C's operators and precedence without assignment, increment and the comma,
// plus the functions of the script language. Precedence climbing; the depth of
// parentheses and the height of a tree (a long sum leans to the left) are
// limited, so that this parser and all walks over a tree need a bounded stack.
//
//===----------------------------------------------------------------------===//
#include "script/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace xlink;

static constexpr unsigned maxDepth = 256;
static constexpr uint32_t maxHeight = 2000;

namespace {
struct UnaryOperator {
  StringRef text;
  ExprKind kind; ///< Number: it changes nothing
};
struct BinaryOperator {
  StringRef text;
  unsigned precedence;
  ExprKind kind;
};
} // namespace

static constexpr UnaryOperator unaryOperators[] = {
    {"-", ExprKind::Negate},
    {"!", ExprKind::Not},
    {"~", ExprKind::Complement},
    {"+", ExprKind::Number},
};

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

template <class Operator, size_t N>
static const Operator *findOperator(const Operator (&table)[N],
                                    const Token &t) {
  if (t.kind != Token::Punct)
    return nullptr;
  auto *found =
      find_if(table, [&](const Operator &op) { return op.text == t.text; });
  return found == std::end(table) ? nullptr : found;
}

StringRef xlink::expressionWord(ExprKind kind) {
  if (kind == ExprKind::Number)
    return "";
  if (kind == ExprKind::Align2) // parsed as the other ALIGN at first
    kind = ExprKind::Align1;
  for (const UnaryOperator &op : unaryOperators)
    if (op.kind == kind)
      return op.text;
  for (const BinaryOperator &op : binaryOperators)
    if (op.kind == kind)
      return op.text;
  for (const ScriptParser::Function &function : ScriptParser::functions())
    if (function.kind == kind)
      return function.name;
  return "";
}

ExprPtr ScriptParser::make(ExprKind kind, const ScriptLocation &where) {
  auto e = std::make_unique<Expr>();
  e->kind = kind;
  e->where = where;
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

ExprPtr ScriptParser::parseExpression() {
  ++depth;
  auto leave = make_scope_exit([&] { --depth; });
  if (depth > maxDepth) {
    error(peek(LexMode::Expression), "expression is nested more than " +
                                         std::to_string(maxDepth) +
                                         " levels deep");
    return nullptr;
  }
  ExprPtr condition = parseBinary(1);
  if (!condition)
    return nullptr;
  Token t = peek(LexMode::Expression);
  if (!t.is("?"))
    return condition;
  take();
  ExprPtr then = parseExpression();
  if (!then || !expect(":"))
    return nullptr;
  ExprPtr otherwise = parseExpression();
  if (!otherwise)
    return nullptr;
  return make(ExprKind::Conditional, here(t), std::move(condition),
              std::move(then), std::move(otherwise));
}

ExprPtr ScriptParser::parseBinary(unsigned minPrecedence) {
  ExprPtr left = parseUnary();
  while (left) {
    Token t = peek(LexMode::Expression);
    const BinaryOperator *op = findOperator(binaryOperators, t);
    if (!op || op->precedence < minPrecedence)
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
  ++depth;
  auto leave = make_scope_exit([&] { --depth; });
  Token t = peek(LexMode::Expression);
  if (depth > maxDepth) {
    error(t, "expression is nested more than " + std::to_string(maxDepth) +
                 " levels deep");
    return nullptr;
  }
  const UnaryOperator *op = findOperator(unaryOperators, t);
  if (!op)
    return parsePrimary();
  take();
  ExprPtr operand = parseUnary();
  if (!operand || op->kind == ExprKind::Number)
    return operand;
  return make(op->kind, here(t), std::move(operand));
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
  return !nearestIn(word, sectionTypes()).empty() &&
         all_of(word, [](char c) { return isUpper(c); }) &&
         rest.drop_front(word.size()).ltrim().starts_with(")");
}

ExprPtr ScriptParser::parsePrimary() {
  Token t = peek(LexMode::Expression);
  ScriptLocation where = here(t);
  switch (t.kind) {
  case Token::Number: {
    take();
    if (t.message) {
      error(t, std::string(t.message) + ": " + describe(t));
      return nullptr;
    }
    ExprPtr e = make(ExprKind::Number, where);
    e->number = t.number;
    e->constant = true;
    return e;
  }
  case Token::Quoted: {
    take();
    ExprPtr e = make(ExprKind::Symbol, where);
    e->name = t.text;
    return e;
  }
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
      std::string text = "unknown function '" + t.text.str() + "'";
      std::string near = nearestIn(t.text, functions());
      if (!near.empty())
        text += "; did you mean '" + near + "'?";
      error(t, text);
      return nullptr;
    }
    if (t.text == kDiscardName)
      break;
    take();
    ExprPtr e = make(ExprKind::Symbol, where);
    e->name = t.text;
    return e;
  }
  default:
    if (!t.is("("))
      break;
    take();
    ExprPtr e = parseExpression();
    if (!e || !expect(")"))
      return nullptr;
    return e;
  }
  unexpected(t, "an expression");
  return nullptr;
}

/// The argument of a function that takes a name instead of expressions.
bool ScriptParser::parseFunctionName(Arguments arguments, Expr &e) {
  switch (arguments) {
  case Arguments::Section:
    return expectName(LexMode::Name, "an output section", e.name);
  case Arguments::Region:
    return expectName(LexMode::Plain, "a region's name", e.name);
  case Arguments::Constant:
    return parseConstant(e);
  default:
    return expectName(LexMode::Plain, "a symbol", e.name);
  }
}

bool ScriptParser::parseConstant(Expr &e) {
  Token t = peek(LexMode::Plain);
  if (!expectName(LexMode::Plain, "MAXPAGESIZE or COMMONPAGESIZE", e.name))
    return false;
  const ConstantWord *known = findIn(e.name, constants());
  if (!known)
    return error(t, "unknown constant '" + e.name.str() +
                        "'; known are MAXPAGESIZE and COMMONPAGESIZE");
  e.constantKind = known->constant;
  return true;
}

ExprPtr ScriptParser::parseFunction(const Function &function,
                                    const ScriptLocation &where) {
  ExprPtr e = make(function.kind, where);
  if (function.arguments == Arguments::None)
    return e;
  if (!expect("("))
    return nullptr;

  switch (function.arguments) {
  case Arguments::Section:
  case Arguments::Region:
  case Arguments::Symbol:
  case Arguments::Constant:
    return parseFunctionName(function.arguments, *e) && expect(")")
               ? std::move(e)
               : nullptr;
  case Arguments::Segment:
    if (!expectName(LexMode::Plain, "a segment's name", e->name) ||
        !expect(","))
      return nullptr;
    if (!e->name.empty())
      script.segmentStarts.push_back(e->name);
    break;
  default:
    break;
  }

  ExprPtr first = parseExpression();
  if (!first)
    return nullptr;
  ExprPtr second;
  ExprKind kind = function.kind;
  if (function.arguments == Arguments::Assertion) {
    if (!expect(",") || !expectName(LexMode::Plain, "a message", e->name))
      return nullptr;
  } else if (function.arguments == Arguments::Two ||
             (function.arguments == Arguments::OneOrTwo &&
              peek(LexMode::Expression).is(","))) {
    if (!expect(",") || !(second = parseExpression()))
      return nullptr;
    if (kind == ExprKind::Align1)
      kind = ExprKind::Align2;
  }
  if (!expect(")"))
    return nullptr;
  ExprPtr result = make(kind, where, std::move(first), std::move(second));
  if (result)
    result->name = e->name;
  return result;
}

/// ( expression )
bool ScriptParser::parseParenthesized(ExprPtr &value) {
  if (!expect("("))
    return false;
  value = parseExpression();
  return value && expect(")");
}
