//===- TypeString.cpp - types as objects spell them -----------------------===//
//
// Problem: type strings are untrusted text in objects; messages show them in C,
// whose declarators are written inside out, and
// `s(list){m(next){p(s(list){})}}` is the same type as `s(list){}`.
//
// Method: a parser by recursive descent over the grammar
//
//   text      = type | size
//   type      = [letters ":"] plain
//   plain     = code | "p" [":" width] | ("p" | "q" | "&") "(" type ")"
//             | "a(" [size | "*" | "!" number] ":" type ")"
//             | "b(" width ":" type ")" | ("nw" | "nd") "(" size ":" type ")"
//             | ("f" | "ft" | "fs" | "fe" | "fS") "{" [types] "}(" [types] ")"
//             | ("s" | "u" | "e") "(" [name] "){" [members] "}"
//             | ("s" | "u") "{" [members] "}"
//             | ("ic" | "is") "(" [name] ")" [letters ":"] "{" [members] "}"
//   types     = type {"," type}, blanks behind commas in hand-written text
//   members   = member {"," member}, likewise
//   member    = "m(" [name] "){" (type | value) "}"
//
// makes a tree of nodes in one array. Types nested deeper than kMaxDepth are
// refused, so that recursion over the tree is bounded too. The printer goes
// from the outside in and carries the declarator along.
//
// The number behind "!" is the distance to the parameter that is the array's
// size, in parameters, backwards if negative. It is resolved here, since only
// the parser knows the current parameter.
//
// Cost: linear in the text, times the depth for declarators.
//
//===----------------------------------------------------------------------===//
#include "input/TypeString.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace xlink {

/// A type, or a member of a record.
struct TypeNode {
  enum Kind : uint8_t {
    Basic,     ///< `code` alone
    Port,      ///< `size`: width or ""
    Pointer,   ///< code "p" of C or "q" of XC; one part
    Reference, ///< one part
    Array,     ///< `size`, "" when open, or `argument`; one part: the element
    BitField,  ///< `size`: width; one part
    Function,  ///< parts: results; `params`
    Record,    ///< `name`; parts: members
    Member,    ///< `name`; one part, or `code`: value of an enumerator
    Network,   ///< `size`; one part
    Object,    ///< `code`: size in bytes; nothing else is known
  } kind = Basic;
  bool open = false;     ///< Function: no prototype
  bool variadic = false; ///< Function: `...` at the end
  StringRef qualifiers, code, name, size;
  /// Array: the parameter, counted from 1, that is its size; or 0.
  uint32_t argument = 0;
  std::vector<TypeNode> parts, params;

  const TypeNode &part() const { return parts.front(); }
  /// A part of the machine that one tile has and another can refer to.
  bool isPortOrClock() const {
    return kind == Port || (kind == Basic && code == "ck");
  }
  /// A part of the machine, of which C only has the number.
  bool isHandle() const {
    return isPortOrClock() || (kind == Record && code.starts_with("i")) ||
           (kind == Basic && is_contained({"chd", "t", "cr"}, code));
  }
};

namespace {

constexpr unsigned kMaxDepth = 200;

/// A code, and its word in declarations.
struct TypeCode {
  TypeNode::Kind kind;
  const char *code, *text;
};
constexpr TypeCode kCodes[] = {
    {TypeNode::Basic, "0", "void"},
    {TypeNode::Basic, "b", "bool"},
    {TypeNode::Basic, "uc", "unsigned char"},
    {TypeNode::Basic, "sc", "signed char"},
    {TypeNode::Basic, "us", "unsigned short"},
    {TypeNode::Basic, "ss", "short"},
    {TypeNode::Basic, "ui", "unsigned int"},
    {TypeNode::Basic, "si", "int"},
    {TypeNode::Basic, "ul", "unsigned long"},
    {TypeNode::Basic, "sl", "long"},
    {TypeNode::Basic, "ull", "unsigned long long"},
    {TypeNode::Basic, "sll", "long long"},
    {TypeNode::Basic, "ft", "float"},
    {TypeNode::Basic, "d", "double"},
    {TypeNode::Basic, "ld", "long double"},
    {TypeNode::Basic, "chd", "chanend"},
    {TypeNode::Basic, "ck", "clock"},
    // Later compilers write `swt` for a timer, which is read as `t`, and `t`
    // for a hwtimer_t; earlier ones wrote `t` for a timer, and the text does
    // not tell which wrote it.
    {TypeNode::Basic, "t", "timer"},
    {TypeNode::Basic, "cr", "tileref"}, // earlier headers called it a core
    {TypeNode::Basic, "pi", "parinfo"}, // the type of `main.parinfo`
    {TypeNode::Basic, "nd", "node"},
    {TypeNode::Basic, "nl", "link"},
    // A type of so many parts: linked programs of earlier tools describe their
    // machine so.
    {TypeNode::Network, "nw", "network"},
    {TypeNode::Network, "nd", "node"},
    {TypeNode::Function, "f", ""},
    {TypeNode::Function, "ft", "transaction "},
    {TypeNode::Function, "fs", "select "},
    {TypeNode::Function, "fe",
     "select enable "}, // the half of a select function that enables events
    {TypeNode::Function, "fS", "service "},
    {TypeNode::Record, "s", "struct"},
    {TypeNode::Record, "u", "union"},
    {TypeNode::Record, "e", "enum"},
    {TypeNode::Record, "ic", "client interface"},
    {TypeNode::Record, "is", "server interface"},
};

/// Letters before the colon.
struct Qualifier {
  char letter;
  const char *text; ///< "": printed in another place or not at all
};
constexpr Qualifier kQualifiers[] = {
    // In the order in which a declaration has them.
    {'l', "[[clears_notification]]"},
    {'t', "[[notification]]"},
    {'d', "[[distributable]]"},
    {'k', "[[combinable]]"}, // `d` is never without it, and says as much
    {'s', "slave"},
    {'m', "streaming"},
    {'i', "in"},
    {'o', "out"},
    {'b', "buffered"},
    {'w', "void"},
    {'e', "static const"},
    {'c', "const"},
    {'r', "restrict"},
    {'v', "volatile"},
    {'a', "alias"},
    {'u', "unsafe"},
    {'x', "movable"},
    {'n', ""}, // `?` before the name
    {'z', ""}, // a port or a clock of another tile, which is not reserved here
    {'g', ""}, // before networks only
};

const char *lookUp(TypeNode::Kind kind, StringRef code) {
  for (const TypeCode &row : kCodes)
    if (kind == row.kind && code == row.code)
      return row.text;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The first fault moves the parser to the end of the text, where every step
/// fails without effect: so no step asks whether the one before it failed.
class TypeStringParser {
public:
  TypeStringParser(StringRef text, TypeString::Fault &fault)
      : text(text), fault(fault) {}

  /// The type, and its outline.
  std::pair<TypeNode, std::string> run() {
    TypeNode root;
    if (!text.starts_with("0") && !text.empty() && all_of(text, isDigit)) {
      root.kind = TypeNode::Object;
      root.code = text;
    } else {
      root = type(0);
      if (at != text.size())
        fail("unexpected " + here() + " behind the type");
    }
    return {std::move(root), outline + text.substr(outlined).str()};
  }

private:
  /// The character at hand, for messages.
  std::string here() const {
    if (at == text.size())
      return "end";
    char c = text[at];
    return isPrint(c) ? std::string("'") + c + "'" : "character";
  }
  void fail(std::string message) { failAt(at, std::move(message)); }
  void failAt(size_t place, std::string message) {
    if (fault.text.empty())
      fault = {place, std::move(message)};
    at = text.size();
  }
  bool peek(char c) const { return at < text.size() && text[at] == c; }
  /// Steps over a character that may be there.
  bool skip(char c) {
    const bool found = peek(c);
    at += found;
    return found;
  }
  /// Steps over a character that must be there.
  void take(char c) {
    if (!skip(c))
      fail(std::string("expected '") + c + "', found " + here());
  }
  StringRef takeWhile(bool (*accepts)(char)) {
    StringRef taken = text.substr(at).take_while(accepts);
    at += taken.size();
    return taken;
  }
  /// The outline has `instead` in the place of the text from `begin` to here.
  void replace(size_t begin, StringRef instead = "") {
    outline += text.slice(outlined, begin);
    outline += instead;
    outlined = at;
  }
  /// A comma between items; false behind the last.
  bool comma() {
    if (!skip(','))
      return false;
    const size_t begin = at;
    takeWhile([](char c) { return c == ' '; });
    replace(begin);
    return true;
  }
  /// The digits of `thing`, "a number".
  StringRef digits(const char *thing) {
    StringRef found = takeWhile(isDigit);
    if (found.empty())
      fail(std::string("expected ") + thing + ", found " + here());
    return found;
  }
  /// "(name)"
  StringRef name() {
    take('(');
    StringRef found = takeWhile([](char c) { return c != ')'; });
    take(')');
    return found;
  }

  /// Letters and a colon, if they are there.
  StringRef qualifiers() {
    const size_t begin = at;
    StringRef letters = takeWhile(isAlpha);
    // `p:32` is a port of 32 bits.
    if (!peek(':') ||
        (letters == "p" && at + 1 < text.size() && isDigit(text[at + 1]))) {
      at = begin;
      return {};
    }
    for (const char &c : letters)
      if (none_of(kQualifiers,
                  [&](const Qualifier &q) { return q.letter == c; })) {
        failAtLetter(c, "unknown");
        return {};
      }
    take(':');
    if (letters.empty())
      replace(begin);
    return letters;
  }
  void failAtLetter(const char &c, const char *fault) {
    failAt(size_t(&c - text.data()),
           std::string(fault) + " qualifier '" + c + "'");
  }
  /// Qualifiers that are not printed must fit the type.
  void checkUnprinted(StringRef letters, const TypeNode &node) {
    for (const char &c : letters)
      if ((c == 'z' && !node.isPortOrClock()) ||
          (c == 'g' && node.kind != TypeNode::Network))
        return failAtLetter(c, "unexpected");
  }

  TypeNode type(unsigned depth) {
    if (depth > kMaxDepth) {
      fail("types are nested more than " + std::to_string(kMaxDepth) + " deep");
      return {};
    }
    StringRef letters = qualifiers();
    TypeNode node = plain(depth);
    checkUnprinted(letters, node);
    node.qualifiers = letters;
    return node;
  }
  /// "!2" in an array: its size is the parameter two places further.
  void argument(TypeNode &array) {
    const size_t begin = at;
    take('!');
    const bool backwards = skip('-');
    uint32_t distance;
    int64_t target = 0;
    if (!digits("a number").getAsInteger(10, distance) && place.parameter != 0)
      target = int64_t(place.parameter) +
               (backwards ? -int64_t(distance) : int64_t(distance));
    if (target < 1 || target > UINT32_MAX || target == place.parameter)
      return failAt(begin, "'!' leads to no other parameter");
    array.argument = uint32_t(target);
    replace(begin, "!" + std::to_string(target - place.parameter));
    if (target > place.furthest) {
      place.furthest = uint32_t(target);
      place.at = begin;
    }
  }

  TypeNode plain(unsigned depth) {
    const size_t begin = at;
    TypeNode node;
    node.code =
        peek('&') || peek('0') ? text.substr(at++, 1) : takeWhile(isAlpha);
    const StringRef code = node.code;
    if (code == "&" || (peek('(') && (code == "p" || code == "q"))) {
      node.kind = code == "&" ? TypeNode::Reference : TypeNode::Pointer;
      take('(');
      node.parts.push_back(type(depth + 1));
      take(')');
    } else if (peek('(') && (code == "a" || code == "b" ||
                             lookUp(TypeNode::Network, code))) {
      sized(node, depth);
    } else if (peek('{') && lookUp(TypeNode::Function, code)) {
      function(node, depth);
    } else if ((peek('(') && lookUp(TypeNode::Record, code)) ||
               (peek('{') && (code == "s" || code == "u"))) {
      record(node, depth);
    } else if (code == "p") {
      node.kind = TypeNode::Port;
      if (skip(':'))
        node.size = takeWhile(isDigit);
    } else if (code == "swt") {
      node.code = "t"; // a timer has two spellings
    } else if (!lookUp(TypeNode::Basic, code)) {
      failAt(begin, code.empty() ? "expected a type, found " + here()
                                 : "unknown type '" + code.str() + "'");
    }
    return node;
  }

  /// A size and a type: arrays, bit-fields and networks.
  void sized(TypeNode &node, unsigned depth) {
    take('(');
    if (node.code == "a") {
      node.kind = TypeNode::Array;
      // "*" means for a global array the same as "" for others.
      if (peek('!'))
        argument(node);
      else if (skip('*'))
        replace(at - 1);
      else
        node.size = takeWhile(isDigit);
    } else {
      const bool isField = node.code == "b";
      node.kind = isField ? TypeNode::BitField : TypeNode::Network;
      node.size = digits(isField ? "a width" : "a number");
    }
    take(':');
    node.parts.push_back(type(depth + 1));
    take(')');
  }

  void function(TypeNode &node, unsigned depth) {
    node.kind = TypeNode::Function;
    SaveAndRestore<Place> around(place, Place());
    take('{');
    if (skip('}')) {
      // Hand-written assembly omits it where there is no result.
      node.parts.emplace_back().code = "0";
      replace(at - 1, "0}");
    } else {
      do
        node.parts.push_back(type(depth + 1));
      while (comma());
      take('}');
    }
    take('(');
    node.open = skip(')');
    if (node.open)
      return;
    do {
      node.variadic = text.substr(at).starts_with("va)");
      if (node.variadic) {
        at += 2;
        break;
      }
      ++place.parameter;
      node.params.push_back(type(depth + 1));
    } while (comma());
    take(')');
    if (place.furthest > place.parameter && fault.text.empty())
      failAt(place.at, "'!' leads to no other parameter");
  }

  void record(TypeNode &node, unsigned depth) {
    node.kind = TypeNode::Record;
    SaveAndRestore<Place> around(place, Place());
    replace(at);
    const size_t outside = outline.size();
    if (!peek('{'))
      node.name = name();
    if (node.code.size() == 2) // an interface
      checkUnprinted(qualifiers(), node);
    take('{');
    if (!skip('}')) {
      do
        node.parts.push_back(member(node.code == "e", depth));
      while (comma());
      take('}');
    }
    outline.resize(outside);
    outline += "(){}";
    outlined = at;
  }

  TypeNode member(bool isEnum, unsigned depth) {
    TypeNode node;
    node.kind = TypeNode::Member;
    take('m');
    node.name = name();
    take('{');
    if (isEnum) {
      const size_t begin = at;
      skip('-');
      digits("a number");
      node.code = text.slice(begin, at);
    } else {
      node.parts.push_back(type(depth + 1));
    }
    take('}');
    return node;
  }

  StringRef text;
  TypeString::Fault &fault;
  size_t at = 0;
  std::string outline; ///< of the text up to `outlined`
  size_t outlined = 0;

  /// The innermost function around the text at hand.
  struct Place {
    uint32_t parameter = 0; ///< counted from 1; 0: not in a parameter
    uint32_t furthest = 0;  ///< of the parameters that are an array's size
    size_t at = 0;          ///< the path to it
  } place;
};

} // namespace

std::optional<TypeString> TypeString::parse(StringRef text, Fault &fault) {
  fault = {};
  auto [root, outline] = TypeStringParser(text, fault).run();
  if (!fault.text.empty())
    return std::nullopt;
  return TypeString{std::make_shared<const TypeNode>(std::move(root)),
                    std::move(outline)};
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// The words of a node's qualifiers, each with a blank behind it.
static std::string qualifierWords(const TypeNode &node) {
  auto has = [&](char letter) { return node.qualifiers.contains(letter); };
  std::string text;
  for (const Qualifier &q : kQualifiers) {
    // `a` is earlier tools' spelling of `z`.
    const bool isSaid = (q.letter == 'k' && has('d')) ||
                        (q.letter == 'c' && has('e')) ||
                        (q.letter == 'a' && node.isPortOrClock());
    if (*q.text && has(q.letter) && !isSaid)
      text += q.text + std::string(" ");
  }
  return text;
}

static std::string print(const TypeNode &node, std::string declarator);

/// The types with commas between them.
static std::string printAll(const std::vector<TypeNode> &nodes) {
  std::string text;
  for (const TypeNode &node : nodes)
    text += (&node == &nodes.front() ? "" : ", ") + print(node, "");
  return text;
}

static std::string printRecord(const TypeNode &node) {
  std::string text = lookUp(TypeNode::Record, node.code);
  if (!node.name.empty())
    text += " " + node.name.str();
  if (node.parts.empty())
    return node.name.empty() ? text + " {}" : text;
  text += " {";
  bool isEnum = node.code == "e";
  for (const TypeNode &member : node.parts) {
    text += isEnum && &member != &node.part() ? ", " : " ";
    if (isEnum)
      text += member.name.str() + " = " + member.code.str();
    else
      text += print(member.part(), member.name.str()) + ";";
  }
  return text + " }";
}

static std::string printFunction(const TypeNode &node, StringRef declarator) {
  std::string call = declarator.str() + "(" + printAll(node.params);
  if (node.variadic)
    call += node.params.empty() ? "..." : ", ...";
  call += ")";
  const std::string before =
      qualifierWords(node) + lookUp(TypeNode::Function, node.code);
  if (node.parts.size() > 1)
    return before + "{" + printAll(node.parts) + "} " + call;
  // In XC the other kinds of functions have no result.
  if (node.code.size() == 2 && node.part().code == "0")
    return before + call;
  return before + print(node.part(), std::move(call));
}

static std::string print(const TypeNode &node, std::string declarator) {
  // An unsafe handle may always be null.
  if (node.qualifiers.contains('n') &&
      !(node.qualifiers.contains('u') && node.isHandle()))
    declarator.insert(0, "?");
  const std::string words = qualifierWords(node);
  auto declared = [&](const std::string &base) {
    return words + base + (declarator.empty() ? "" : " " + declarator);
  };
  switch (node.kind) {
  case TypeNode::Basic:
    return declared(lookUp(TypeNode::Basic, node.code));
  case TypeNode::Port:
    return declared("port" + (node.size.empty() ? "" : ":" + node.size.str()));
  case TypeNode::Record:
    return declared(printRecord(node));
  case TypeNode::Network:
    return declared(lookUp(TypeNode::Network, node.code) +
                    ("[" + node.size + "] of ").str() + print(node.part(), ""));
  case TypeNode::Object:
    return declared(node.code.str() + (node.code == "1" ? " byte" : " bytes"));
  case TypeNode::Pointer:
  case TypeNode::Reference: {
    std::string inner =
        (node.kind == TypeNode::Pointer ? "*" : "&") + words + declarator;
    if (declarator.empty())
      inner = StringRef(inner).rtrim().str();
    const TypeNode &target = node.part();
    if (target.kind == TypeNode::Array || target.kind == TypeNode::Function)
      inner = "(" + inner + ")";
    return print(target, std::move(inner));
  }
  case TypeNode::Array: {
    const std::string size = node.argument
                                 ? "argument " + std::to_string(node.argument)
                                 : node.size.str();
    return words + print(node.part(), declarator + "[" + size + "]");
  }
  case TypeNode::BitField:
    return words + print(node.part(), std::move(declarator)) + " : " +
           node.size.str();
  case TypeNode::Function:
    return printFunction(node, declarator);
  case TypeNode::Member:
    break; // part of a record
  }
  return declarator;
}

std::string TypeString::declare(StringRef name) const {
  return print(*root, name.str());
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// The permitted differences of two types.
enum class TypeLeniency : uint8_t {
  Language, ///< in how C and XC say one thing
  Openness, ///< also in parts that one leaves open
  Bounds,   ///< and whether arrays without a size are passed with it
};

static constexpr uint32_t letterBit(char letter) {
  return 1u << (letter - 'a');
}

/// A node's letters as a set, without the one for another tile's.
static uint32_t letterSet(const TypeNode &node) {
  uint32_t set = 0;
  for (char c : node.qualifiers)
    set |= letterBit(c);
  return node.isPortOrClock() ? set & ~(letterBit('a') | letterBit('z')) : set;
}

static bool agree(const TypeNode &p, const TypeNode &q, TypeLeniency leniency,
                  uint32_t optional = 0);

static bool agreeAll(const std::vector<TypeNode> &p,
                     const std::vector<TypeNode> &q, TypeLeniency leniency) {
  return std::equal(p.begin(), p.end(), q.begin(), q.end(),
                    [&](const TypeNode &x, const TypeNode &y) {
                      return agree(x, y, leniency);
                    });
}

/// The targets of a pointer of C, and of a pointer or a reference of XC.
static bool agreeTargets(const TypeNode &ofC, const TypeNode &ofXC,
                         TypeLeniency leniency) {
  // C points to an array's first element. Only one of the two can lead to
  // pointers again, since the arrays on the way are counted in pairs. A
  // volatile object of C is often not volatile in the declaration for XC.
  const uint32_t optional =
      leniency == TypeLeniency::Language ? 0 : letterBit('v');
  const TypeNode &target = ofXC.part();
  return (target.kind == TypeNode::Array &&
          agree(ofC.part(), target.part(), leniency, optional)) ||
         agree(ofC.part(), target, leniency, optional);
}

static bool sizesAgree(const TypeNode &p, const TypeNode &q,
                       TypeLeniency leniency) {
  if (p.argument == 0 && q.argument == 0)
    return p.size == q.size || (leniency != TypeLeniency::Language &&
                                (p.size.empty() || q.size.empty()));
  return p.argument == q.argument || (leniency == TypeLeniency::Bounds &&
                                      (p.argument == 0 || q.argument == 0) &&
                                      p.size.empty() && q.size.empty());
}

/// `q` may lack those letters of `p` that are in `optional`.
static bool agree(const TypeNode &p, const TypeNode &q, TypeLeniency leniency,
                  uint32_t optional) {
  auto isOfC = [](const TypeNode &n) {
    return n.kind == TypeNode::Pointer && n.code == "p";
  };
  auto isOfXC = [](const TypeNode &n) {
    return n.kind == TypeNode::Reference ||
           (n.kind == TypeNode::Pointer && n.code == "q");
  };
  if (isOfC(p) && isOfXC(q))
    return agreeTargets(p, q, leniency);
  if (isOfC(q) && isOfXC(p))
    return agreeTargets(q, p, leniency);
  auto isNumber = [](const TypeNode &n) {
    return n.kind == TypeNode::Basic && n.code == "ui" && n.qualifiers.empty();
  };
  if ((p.isHandle() && isNumber(q)) || (isNumber(p) && q.isHandle()))
    return true;
  const bool mayBeOpen = leniency != TypeLeniency::Language;
  if (mayBeOpen && (p.kind == TypeNode::Object || q.kind == TypeNode::Object))
    return true;
  const uint32_t said = letterSet(p);
  if (p.kind != q.kind || ((said ^ letterSet(q)) & ~(said & optional)) != 0)
    return false;
  if (p.code != q.code)
    return false;
  switch (p.kind) {
  case TypeNode::Array:
    if (!sizesAgree(p, q, leniency))
      return false;
    break;
  case TypeNode::Function:
    if (!agreeAll(p.parts, q.parts, leniency))
      return false;
    if (p.open || q.open)
      return mayBeOpen || p.open == q.open;
    return p.variadic == q.variadic && agreeAll(p.params, q.params, leniency);
  case TypeNode::Record: {
    // A record that was only declared, without a name.
    auto isUnknown = [](const TypeNode &n) {
      return n.name.empty() && n.parts.empty();
    };
    if (isUnknown(p) || isUnknown(q))
      return mayBeOpen || isUnknown(p) == isUnknown(q);
    if (p.name != q.name)
      return false;
    // A recursive type is cut off somewhere, at a place that depends on the
    // start.
    if (mayBeOpen && (p.parts.empty() || q.parts.empty()))
      return true;
    break;
  }
  default:
    if (p.name != q.name || p.size != q.size)
      return false;
  }
  return agreeAll(p.parts, q.parts, leniency);
}

bool TypeString::agrees(const TypeString &other) const {
  return agree(*root, *other.root, TypeLeniency::Openness);
}

bool TypeString::saysTheSame(const TypeString &other) const {
  return agree(*root, *other.root, TypeLeniency::Language);
}

bool TypeString::differsInBounds(const TypeString &other) const {
  return !agrees(other) && agree(*root, *other.root, TypeLeniency::Bounds);
}

//===----------------------------------------------------------------------===//
// As far as calls go
//===----------------------------------------------------------------------===//

static PassedValue passedValue(const TypeNode &node) {
  PassedValue value;
  if (node.kind == TypeNode::Basic) {
    value.kind = PassedValue::Basic;
    value.code = node.code;
  } else if (node.kind == TypeNode::Port ||
             (node.kind == TypeNode::Record && node.code == "e")) {
    value.kind = PassedValue::Handle;
  } else if (node.kind == TypeNode::Reference) {
    value.kind = PassedValue::Address;
    value.hasBound = node.part().kind == TypeNode::Array &&
                     node.part().size.empty() && node.part().argument == 0;
  } else if (node.kind == TypeNode::Pointer &&
             (node.code == "p" || node.qualifiers.contains('u'))) {
    // Whether XC passes more than the address of a pointer that it checks is
    // not known.
    value.kind = PassedValue::Address;
  }
  return value;
}

std::optional<CallShape> TypeString::callShape() const {
  if (root->kind != TypeNode::Function)
    return std::nullopt;
  CallShape shape;
  shape.open = root->open;
  shape.variadic = root->variadic;
  for (const TypeNode &result : root->parts)
    shape.results.push_back(passedValue(result));
  for (const TypeNode &parameter : root->params)
    shape.parameters.push_back(passedValue(parameter));
  // `f(void)`
  if (shape.parameters.size() == 1 &&
      shape.parameters[0].kind == PassedValue::Basic &&
      shape.parameters[0].code == "0")
    shape.parameters.clear();
  return shape;
}

} // namespace xlink
