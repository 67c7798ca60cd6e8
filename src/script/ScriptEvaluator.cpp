//===- ScriptEvaluator.cpp ------------------------------------------------===//
//
// GNU ld's rules (manual, "The Section of an Expression"). A value is a number,
// an address, or an offset in an output section, and an operation first brings
// its operands together:
// - two offsets in one section, or an offset and a number: the operation works
//   on the offsets;
// - otherwise every offset becomes an address.
// The result is
// - a number for comparisons, && and ||, and for operations on numbers;
// - of two addresses, or two offsets in one section: a number inside an output
//   section, an address outside;
// - else of the kind of the operand that is not a number.
// Outside of output sections a literal, and a value computed from literals
// alone, is an address; inside, an absolute symbol is a number. Hence `. =
// 0x100` moves to that address outside and to that offset inside.
//
// Arithmetic is modulo 2^64 and unsigned, except that / and % are signed, as in
// GNU ld. Where GNU ld leaves the result to the host (shifts by 64 or more, the
// least number divided by -1) it is 0 and the wrapped value here. A deviation:
// && and || ignore their second operand when the first decides, so that
// `DEFINED(x) && x > 4` is no error.
//
// Recursion is safe: the parser limits the height of a tree.
//
//===----------------------------------------------------------------------===//
#include "script/ScriptEvaluator.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace xlink;

uint64_t xlink::absoluteValue(const ScriptValue &v,
                              EvaluationEnvironment &env) {
  return v.kind == ScriptValue::Relative
             ? v.value + env.sectionAddress(v.section)
             : v.value;
}

/// GNU ld's alignment: any number, not just powers of two.
static uint64_t alignUp(uint64_t value, uint64_t alignment) {
  if (alignment <= 1)
    return value;
  return (value + alignment - 1) / alignment * alignment;
}

static bool sameBase(const ScriptValue &a, const ScriptValue &b) {
  return a.kind == b.kind &&
         (a.kind != ScriptValue::Relative || a.section == b.section);
}

namespace {
class Evaluator {
public:
  explicit Evaluator(EvaluationEnvironment &env) : env(env) {}
  ScriptValue run(const Expr &e) {
    ScriptValue v = compute(e);
    if (e.constant && v.kind == ScriptValue::Number && literalsAreAddresses())
      v.kind = ScriptValue::Absolute;
    return v;
  }

private:
  ScriptValue compute(const Expr &e) {
    switch (e.kind) {
    case ExprKind::Number:
      return literal(e.number);
    case ExprKind::Dot:
      return env.dot();
    case ExprKind::Symbol: {
      std::optional<ScriptValue> v = env.symbol(e.name);
      if (!v)
        env.undefinedSymbol(e);
      if (!v || (v->kind == ScriptValue::Absolute && !literalsAreAddresses()))
        return ScriptValue::number(v ? v->value : 0);
      return *v;
    }
    case ExprKind::Negate:
    case ExprKind::Not:
    case ExprKind::Complement: {
      ScriptValue v = run(*e.args[0]);
      v.value = e.kind == ExprKind::Negate ? -v.value
                : e.kind == ExprKind::Not  ? !v.value
                                           : ~v.value;
      return v;
    }
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
      return logical(e);
    case ExprKind::Conditional:
      return run(*e.args[run(*e.args[0]).value != 0 ? 1 : 2]);
    case ExprKind::Absolute:
      return ScriptValue::absolute(addressOf(*e.args[0]));
    case ExprKind::Addr:
    case ExprKind::LoadAddr:
    case ExprKind::SizeOf:
    case ExprKind::AlignOf:
      return sectionFunction(e);
    case ExprKind::Defined:
      return ScriptValue::number(env.defined(e.name));
    case ExprKind::Origin:
    case ExprKind::Length:
      return regionFunction(e);
    case ExprKind::Constant:
      return ScriptValue::number(env.constant(e.constantKind));
    case ExprKind::SizeOfHeaders:
      return ScriptValue::number(env.sizeOfHeaders());
    case ExprKind::Align1:
    case ExprKind::Block: {
      // The argument's own value counts, without the base of a relative one.
      const uint64_t alignment = run(*e.args[0]).value;
      return likeDot(alignUp(absoluteValue(env.dot(), env), alignment));
    }
    case ExprKind::Next:
      return ScriptValue::absolute(
          alignUp(absoluteValue(env.dot(), env), addressOf(*e.args[0])));
    case ExprKind::Log2Ceil: {
      uint64_t v = run(*e.args[0]).value;
      return ScriptValue::number(v <= 1 ? 0 : Log2_64_Ceil(v));
    }
    case ExprKind::SegmentStart: {
      std::optional<uint64_t> given = env.segmentStart(e.name);
      ScriptValue byDefault = run(*e.args[0]);
      return likeDot(given.value_or(byDefault.value));
    }
    case ExprKind::DataSegmentAlign:
      return dataSegmentAlign(e);
    case ExprKind::DataSegmentEnd:
    case ExprKind::DataSegmentRelroEnd: // there is no RELRO: nothing to pad
      return run(*e.args.back());
    case ExprKind::Assert: {
      ScriptValue v = run(*e.args[0]);
      if (v.value == 0)
        env.problem(e.where, "assertion failed: " + e.name.str());
      return v;
    }
    default:
      return binary(e);
    }
  }

  /// Operands that are relative to different things become addresses.
  void bringTogether(ScriptValue &a, ScriptValue &b) {
    if (sameBase(a, b) || a.kind == ScriptValue::Number ||
        b.kind == ScriptValue::Number)
      return;
    a = ScriptValue::absolute(absoluteValue(a, env));
    b = ScriptValue::absolute(absoluteValue(b, env));
  }
  ScriptValue logical(const Expr &e) {
    ScriptValue a = run(*e.args[0]);
    bool decisive = e.kind == ExprKind::LogicalOr;
    // An offset may still become an address, which is another value.
    if (a.kind != ScriptValue::Relative && (a.value != 0) == decisive)
      return ScriptValue::number(decisive);
    ScriptValue b = run(*e.args[1]);
    bringTogether(a, b);
    return ScriptValue::number(decisive ? a.value || b.value
                                        : a.value && b.value);
  }
  ScriptValue binary(const Expr &e) {
    ScriptValue a = run(*e.args[0]), b = run(*e.args[1]);
    bringTogether(a, b);
    // The result's base, if the operation keeps one.
    ScriptValue keep = a.kind == ScriptValue::Number ? b : a;
    // Of two of one kind nothing remains but a number.
    const ScriptValue result = sameBase(a, b) ? literal(0) : keep;
    uint64_t x = a.value, y = b.value;
    auto with = [](ScriptValue v, uint64_t value) {
      v.value = value;
      return v;
    };
    switch (e.kind) {
    case ExprKind::Add:
      return with(result, x + y);
    case ExprKind::Sub:
      return with(result, x - y);
    case ExprKind::Mul:
      return with(result, x * y);
    case ExprKind::And:
      return with(result, x & y);
    case ExprKind::Or:
      return with(result, x | y);
    case ExprKind::Xor:
      return with(result, x ^ y);
    case ExprKind::Shl: // by 64 and more: modulo 64, as GNU ld and lld do
      return with(result, x << (y & 63));
    case ExprKind::Shr:
      return with(result, x >> (y & 63));
    case ExprKind::Div:
    case ExprKind::Mod: {
      bool divide = e.kind == ExprKind::Div;
      if (y == 0)
        return problem(e, divide ? "division by zero"
                                 : "remainder of a division by zero");
      if (y == UINT64_MAX) // -1: the least number's quotient does not exist
        return with(result, divide ? -x : 0);
      auto sx = static_cast<int64_t>(x), sy = static_cast<int64_t>(y);
      return with(result, divide ? sx / sy : sx % sy);
    }
    case ExprKind::Equal:
      return ScriptValue::number(x == y);
    case ExprKind::NotEqual:
      return ScriptValue::number(x != y);
    case ExprKind::Less:
      return ScriptValue::number(x < y);
    case ExprKind::LessEqual:
      return ScriptValue::number(x <= y);
    case ExprKind::Greater:
      return ScriptValue::number(x > y);
    case ExprKind::GreaterEqual:
      return ScriptValue::number(x >= y);
    case ExprKind::Max:
      return with(keep, std::max(x, y));
    case ExprKind::Min:
      return with(keep, std::min(x, y));
    case ExprKind::Align2:
      return with(keep, alignUp(x, y));
    default: // compute() deals with all others
      return ScriptValue::number(0);
    }
  }
  ScriptValue unknownName(const Expr &e, const std::string &text) {
    const std::string near = env.nearestName(e);
    return problem(
        e, text + (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  ScriptValue sectionFunction(const Expr &e) {
    auto info = env.section(e.name);
    if (!info)
      return unknownName(e, "undefined section '" + e.name.str() + "'");
    if (e.kind == ExprKind::Addr)
      return ScriptValue::relative(0, info->id);
    if (e.kind == ExprKind::LoadAddr)
      return ScriptValue::absolute(info->loadAddress);
    return ScriptValue::number(e.kind == ExprKind::SizeOf ? info->size
                                                          : info->align);
  }

  ScriptValue regionFunction(const Expr &e) {
    auto info = env.region(e.name);
    if (!info)
      return unknownName(e, "memory region '" + e.name.str() +
                                "' is not declared");
    if (e.kind == ExprKind::Length)
      return ScriptValue::number(info->length);
    return env.originsAreAddresses() ? ScriptValue::absolute(info->origin)
                                     : likeDot(info->origin);
  }
  /// Two places where a data segment may begin behind a text segment: on the
  /// next page at the same offset in it, so that the file needs no padding, or
  /// with less memory at the cost of up to a page in the file.
  ScriptValue dataSegmentAlign(const Expr &e) {
    const uint64_t maxPage = addressOf(*e.args[0]);
    const uint64_t commonPage = addressOf(*e.args[1]);
    if (env.insideSection())
      return problem(e, "DATA_SEGMENT_ALIGN inside an output section");
    uint64_t dot = absoluteValue(env.dot(), env);
    uint64_t value = alignUp(dot, maxPage);
    if (env.dataSegmentSavesPage() && commonPage < maxPage)
      value += (dot + commonPage - 1) & (maxPage - commonPage);
    else
      value += dot & (maxPage - 1);
    return ScriptValue::absolute(value);
  }
  /// GNU ld: outside of output sections a literal is an address, which makes
  /// operands beside it addresses too, unless LD_FEATURE("SANE_EXPR") is set.
  bool literalsAreAddresses() {
    return !env.insideSection() && !env.saneExpressions();
  }
  /// A value of literals, or of two of one kind.
  ScriptValue literal(uint64_t value) {
    return literalsAreAddresses() ? ScriptValue::absolute(value)
                                  : ScriptValue::number(value);
  }
  uint64_t addressOf(const Expr &e) { return absoluteValue(run(e), env); }
  /// An address, as an offset when dot is one.
  ScriptValue likeDot(uint64_t address) {
    ScriptValue dot = env.dot();
    if (dot.kind != ScriptValue::Relative)
      return ScriptValue::absolute(address);
    return ScriptValue::relative(address - env.sectionAddress(dot.section),
                                 dot.section);
  }
  ScriptValue problem(const Expr &e, std::string text) {
    env.problem(e.where, std::move(text));
    return ScriptValue::number(0);
  }

  EvaluationEnvironment &env;
};
} // namespace

ScriptValue xlink::evaluate(const Expr &expr, EvaluationEnvironment &env) {
  return Evaluator(env).run(expr);
}
