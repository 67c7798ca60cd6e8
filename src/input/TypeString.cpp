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
//   types     = type {"," type}, blanks behind commas as people write them
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

namespace {

constexpr unsigned kMaxDepth = 200;

struct Word {
  const char *code, *text;
};

constexpr Word kBasic[] = {
    {"0", "void"},
    {"b", "bool"},
    {"uc", "unsigned char"},
    {"sc", "signed char"},
    {"us", "unsigned short"},
    {"ss", "short"},
    {"ui", "unsigned int"},
    {"si", "int"},
    {"ul", "unsigned long"},
    {"sl", "long"},
    {"ull", "unsigned long long"},
    {"sll", "long long"},
    {"ft", "float"},
    {"d", "double"},
    {"ld", "long double"},
    {"chd", "chanend"},
    {"ck", "clock"},
    // Later compilers write `swt` for a timer and `t` for a hwtimer_t; earlier
    // ones wrote `t` for a timer, and the text does not tell which wrote it.
    {"t", "timer"},
    {"swt", "timer"},
    {"cr", "tileref"}, // earlier headers called it a core
    {"pi", "parinfo"}, // the type of `main.parinfo`
    {"nd", "node"},
    {"nl", "link"},
};

/// A type of so many parts: linked programs of earlier tools describe their
/// machine so.
constexpr Word kNetworks[] = {
    {"nw", "network"},
    {"nd", "node"},
};

constexpr Word kFunctions[] = {
    {"f", ""},
    {"ft", "transaction "},
    {"fs", "select "},
    {"fe",
     "select enable "}, // the half of a select function that enables events
    {"fS", "service "},
};

constexpr Word kRecords[] = {
    {"s", "struct"},
    {"u", "union"},
    {"e", "enum"},
    {"ic", "client interface"},
    {"is", "server interface"},
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

template <size_t N> const char *lookUp(const Word (&words)[N], StringRef code) {
  for (const Word &word : words)
    if (code == word.code)
      return word.text;
  return nullptr;
}

} // namespace

/// Something of the machine that one tile has and another can refer to.
bool TypeString::isPortOrClock(const Node &node) {
  return node.kind == Kind::Port ||
         (node.kind == Kind::Basic && node.text == "ck");
}

/// Something of the machine, of which C only has the number.
bool TypeString::isHandle(const Node &node) {
  return isPortOrClock(node) ||
         (node.kind == Kind::Record && node.text.starts_with("i")) ||
         (node.kind == Kind::Basic &&
          is_contained({"chd", "t", "swt", "cr"}, node.text));
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

class TypeStringParser {
public:
  TypeStringParser(StringRef text, TypeString::Fault &fault)
      : text(text), fault(fault) {}

  std::optional<TypeString> run() {
    if (!text.starts_with("0") && !text.empty() && all_of(text, digit)) {
      result.root = add(Kind::Object);
      node(result.root).text = text;
      return std::move(result);
    }
    result.root = type(0);
    if (result.root == kNone)
      return std::nullopt;
    if (at != text.size()) {
      fail("unexpected " + here() + " behind the type");
      return std::nullopt;
    }
    return std::move(result);
  }

private:
  using Kind = TypeString::Kind;
  using Node = TypeString::Node;
  static constexpr uint32_t kNone = TypeString::kNone;

  /// The character at hand, for messages.
  std::string here() const {
    if (at == text.size())
      return "end";
    char c = text[at];
    return isPrint(c) ? std::string("'") + c + "'" : "character";
  }
  /// Records the first fault.
  uint32_t fail(std::string what) {
    if (fault.text.empty())
      fault = {at, std::move(what)};
    return kNone;
  }
  bool peek(char c) const { return at < text.size() && text[at] == c; }
  bool take(char c) {
    if (peek(c)) {
      ++at;
      return true;
    }
    fail(std::string("expected '") + c + "', found " + here());
    return false;
  }
  StringRef takeWhile(bool (*accepts)(char)) {
    size_t begin = at;
    while (at < text.size() && accepts(text[at]))
      ++at;
    return text.slice(begin, at);
  }
  /// A comma between items; false behind the last.
  bool comma() {
    if (!peek(','))
      return false;
    ++at;
    takeWhile([](char c) { return c == ' '; });
    return true;
  }
  bool number(StringRef &into) {
    into = takeWhile(digit);
    if (into.empty())
      fail("expected a number, found " + here());
    return !into.empty();
  }
  static bool digit(char c) { return isDigit(c); }
  static bool letter(char c) { return isAlpha(c); }

  uint32_t add(Kind kind) {
    result.nodes.emplace_back();
    result.nodes.back().kind = kind;
    return uint32_t(result.nodes.size() - 1);
  }
  Node &node(uint32_t index) { return result.nodes[index]; }

  /// "(name)"
  bool name(StringRef &into) {
    if (!take('('))
      return false;
    size_t end = text.find(')', at);
    if (end == StringRef::npos) {
      at = text.size();
      return take(')');
    }
    into = text.slice(at, end);
    at = end + 1;
    return true;
  }
  /// Letters and a colon, if they are there.
  bool qualifiers(StringRef &into) {
    size_t begin = at;
    StringRef letters = takeWhile(letter);
    // `p:32` is a port of 32 bits.
    if (!peek(':') ||
        (letters == "p" && at + 1 < text.size() && isDigit(text[at + 1]))) {
      at = begin;
      return true;
    }
    for (size_t i = 0; i < letters.size(); ++i)
      if (none_of(kQualifiers,
                  [&](const Qualifier &q) { return q.letter == letters[i]; })) {
        at = begin + i;
        fail("unknown qualifier " + here());
        return false;
      }
    into = letters;
    return take(':');
  }
  /// Qualifiers that are not printed must fit the type.
  bool fits(StringRef letters, const Node &node) {
    for (const char &c : letters)
      if ((c == 'z' && !TypeString::isPortOrClock(node)) ||
          (c == 'g' && node.kind != Kind::Network)) {
        at = size_t(&c - text.data());
        fail("unexpected qualifier " + here());
        return false;
      }
    return true;
  }
  bool argument(uint32_t array);

  uint32_t type(unsigned depth);
  uint32_t plain(unsigned depth);
  uint32_t wrapped(uint32_t index, unsigned depth);
  uint32_t function(StringRef code, unsigned depth);
  uint32_t record(StringRef code, unsigned depth);
  uint32_t member(bool isEnum, unsigned depth);

  StringRef text;
  TypeString::Fault &fault;
  TypeString result;
  size_t at = 0;

  /// The innermost function around the text at hand.
  struct Place {
    uint32_t parameter = 0; ///< counted from 1; 0: not in a parameter
    uint32_t furthest = 0;  ///< of the parameters that are an array's size
    size_t at = 0;          ///< the path to it
  } place;
};

uint32_t TypeStringParser::type(unsigned depth) {
  if (depth > kMaxDepth)
    return fail("types are nested more than " + std::to_string(kMaxDepth) +
                " deep");
  StringRef letters;
  if (!qualifiers(letters))
    return kNone;
  uint32_t index = plain(depth);
  if (index == kNone || !fits(letters, node(index)))
    return kNone;
  node(index).qualifiers = letters;
  return index;
}

/// "(type)" behind the code of something with one type in it.
uint32_t TypeStringParser::wrapped(uint32_t index, unsigned depth) {
  uint32_t child = type(depth + 1);
  if (child == kNone || !take(')'))
    return kNone;
  node(index).child = child;
  return index;
}

/// "!2" in an array: its size is the parameter two places further.
bool TypeStringParser::argument(uint32_t array) {
  size_t begin = at;
  StringRef digits;
  if (!take('!'))
    return false;
  bool backwards = peek('-');
  at += backwards;
  if (!number(digits))
    return false;
  uint32_t distance;
  int64_t target = 0;
  if (place.parameter != 0 && !digits.getAsInteger(10, distance))
    target = int64_t(place.parameter) +
             (backwards ? -int64_t(distance) : int64_t(distance));
  if (target < 1 || target > UINT32_MAX || target == place.parameter) {
    at = begin;
    fail("'!' leads to no other parameter");
    return false;
  }
  node(array).argument = uint32_t(target);
  if (target > place.furthest) {
    place.furthest = uint32_t(target);
    place.at = begin;
  }
  return true;
}

uint32_t TypeStringParser::plain(unsigned depth) {
  size_t begin = at;
  if (peek('&')) {
    ++at;
    return take('(') ? wrapped(add(Kind::Reference), depth) : kNone;
  }
  StringRef code;
  if (peek('0')) {
    code = text.substr(at++, 1);
  } else {
    code = takeWhile(letter);
  }
  if (peek('{') && lookUp(kFunctions, code))
    return function(code, depth);
  if (peek('{') && (code == "s" || code == "u"))
    return record(code, depth);
  if (peek('(')) {
    if (code == "p" || code == "q") {
      ++at;
      uint32_t index = add(Kind::Pointer);
      node(index).text = code;
      return wrapped(index, depth);
    }
    if (code == "a" || code == "b") {
      ++at;
      uint32_t index = add(code == "a" ? Kind::Array : Kind::BitField);
      // "*" means for a global array the same as "" for others.
      if (code == "a" && peek('*')) {
        ++at;
      } else if (code == "a" && peek('!')) {
        if (!argument(index))
          return kNone;
      } else {
        node(index).text = takeWhile(digit);
      }
      if (code == "b" && node(index).text.empty())
        return fail("expected a width, found " + here());
      return take(':') ? wrapped(index, depth) : kNone;
    }
    if (lookUp(kNetworks, code)) {
      ++at;
      uint32_t index = add(Kind::Network);
      node(index).text = code;
      return number(node(index).name) && take(':') ? wrapped(index, depth)
                                                   : kNone;
    }
    if (lookUp(kRecords, code))
      return record(code, depth);
  }
  if (code == "p") {
    uint32_t index = add(Kind::Port);
    if (peek(':')) {
      ++at;
      node(index).text = takeWhile(digit);
    }
    return index;
  }
  if (!lookUp(kBasic, code)) {
    at = begin;
    return fail(code.empty() ? "expected a type, found " + here()
                             : "unknown type '" + code.str() + "'");
  }
  uint32_t index = add(Kind::Basic);
  node(index).text = code;
  return index;
}

uint32_t TypeStringParser::function(StringRef code, unsigned depth) {
  uint32_t index = add(Kind::Function);
  node(index).text = code;
  SaveAndRestore<Place> around(place, Place());
  /// Types separated by commas up to `end`; false after a fault.
  auto list = [&](uint32_t Node::*first, char end) {
    uint32_t last = kNone;
    do {
      if (end == ')' && text.substr(at).starts_with("va)")) {
        at += 2;
        node(index).variadic = true;
        break;
      }
      place.parameter += end == ')';
      uint32_t item = type(depth + 1);
      if (item == kNone)
        return false;
      (last == kNone ? node(index).*first : node(last).next) = item;
      last = item;
    } while (comma());
    return take(end);
  };
  if (!take('{'))
    return kNone;
  if (peek('}')) {
    // Hand-written assembly omits it where there is no result.
    ++at;
    uint32_t nothing = add(Kind::Basic);
    node(nothing).text = "0";
    node(index).child = nothing;
  } else if (!list(&Node::child, '}')) {
    return kNone;
  }
  if (!take('('))
    return kNone;
  if (peek(')')) {
    node(index).open = true;
    ++at;
    return index;
  }
  if (!list(&Node::params, ')'))
    return kNone;
  if (place.furthest > place.parameter) {
    at = place.at;
    return fail("'!' leads to no other parameter");
  }
  return index;
}

uint32_t TypeStringParser::record(StringRef code, unsigned depth) {
  uint32_t index = add(Kind::Record);
  node(index).text = code;
  SaveAndRestore<Place> around(place, Place());
  StringRef tag, letters;
  if (!peek('{') && !name(tag))
    return kNone;
  node(index).name = tag;
  if (code.size() == 2 && (!qualifiers(letters) || !fits(letters, node(index))))
    return kNone;
  if (!take('{'))
    return kNone;
  if (peek('}')) {
    ++at;
    return index;
  }
  uint32_t last = kNone;
  do {
    uint32_t item = member(code == "e", depth);
    if (item == kNone)
      return kNone;
    (last == kNone ? node(index).child : node(last).next) = item;
    last = item;
  } while (comma());
  return take('}') ? index : kNone;
}

uint32_t TypeStringParser::member(bool isEnum, unsigned depth) {
  uint32_t index = add(Kind::Member);
  StringRef label;
  if (!take('m') || !name(label) || !take('{'))
    return kNone;
  node(index).name = label;
  if (isEnum) {
    size_t begin = at;
    if (peek('-'))
      ++at;
    StringRef digits;
    if (!number(digits))
      return kNone;
    node(index).text = text.slice(begin, at);
  } else {
    uint32_t child = type(depth + 1);
    if (child == kNone)
      return kNone;
    node(index).child = child;
  }
  return take('}') ? index : kNone;
}

std::optional<TypeString> TypeString::parse(StringRef text, Fault &fault) {
  fault = {};
  return TypeStringParser(text, fault).run();
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

class TypeStringPrinter {
public:
  explicit TypeStringPrinter(const TypeString &type) : nodes(type.nodes) {}
  std::string print(uint32_t index, std::string declarator) const;

private:
  using Kind = TypeString::Kind;
  using Node = TypeString::Node;
  static constexpr uint32_t kNone = TypeString::kNone;

  /// The words of a node's qualifiers, each with a blank behind it.
  static std::string words(const Node &node) {
    auto isSaid = [&](char letter) {
      switch (letter) {
      case 'k':
        return node.qualifiers.contains('d');
      case 'c':
        return node.qualifiers.contains('e');
      case 'a': // earlier tools' spelling of `z`
        return TypeString::isPortOrClock(node);
      default:
        return false;
      }
    };
    std::string text;
    for (const Qualifier &q : kQualifiers)
      if (*q.text && node.qualifiers.contains(q.letter) && !isSaid(q.letter))
        text += q.text + std::string(" ");
    return text;
  }
  static std::string joined(std::string base, StringRef declarator) {
    if (!declarator.empty())
      base += " " + declarator.str();
    return base;
  }
  std::string record(const Node &node) const;

  const std::vector<Node> &nodes;
};

std::string TypeStringPrinter::record(const Node &node) const {
  std::string text = lookUp(kRecords, node.text);
  if (!node.name.empty())
    text += " " + node.name.str();
  if (node.child == kNone)
    return node.name.empty() ? text + " {}" : text;
  text += " {";
  bool isEnum = node.text == "e";
  for (uint32_t i = node.child; i != kNone; i = nodes[i].next) {
    const Node &member = nodes[i];
    text += i != node.child && isEnum ? ", " : " ";
    if (isEnum)
      text += member.name.str() + " = " + member.text.str();
    else
      text += print(member.child, member.name.str()) + ";";
  }
  return text + " }";
}

std::string TypeStringPrinter::print(uint32_t index,
                                     std::string declarator) const {
  const Node &node = nodes[index];
  // An unsafe handle may always be null.
  if (node.qualifiers.contains('n') &&
      !(node.qualifiers.contains('u') && TypeString::isHandle(node)))
    declarator.insert(0, "?");
  switch (node.kind) {
  case Kind::Basic:
    return joined(words(node) + lookUp(kBasic, node.text), declarator);
  case Kind::Port:
    return joined(words(node) + "port" +
                      (node.text.empty() ? "" : ":" + node.text.str()),
                  declarator);
  case Kind::Record:
    return joined(words(node) + record(node), declarator);
  case Kind::Pointer:
  case Kind::Reference: {
    std::string inner =
        (node.kind == Kind::Pointer ? "*" : "&") + words(node) + declarator;
    if (declarator.empty())
      inner = StringRef(inner).rtrim().str();
    const Node &target = nodes[node.child];
    if (target.kind == Kind::Array || target.kind == Kind::Function)
      inner = "(" + inner + ")";
    return print(node.child, std::move(inner));
  }
  case Kind::Array:
    return words(node) +
           print(node.child,
                 declarator + "[" +
                     (node.argument ? "argument " + utostr(node.argument)
                                    : node.text.str()) +
                     "]");
  case Kind::BitField:
    return words(node) + print(node.child, std::move(declarator)) + " : " +
           node.text.str();
  case Kind::Function: {
    std::string call = declarator + "(";
    for (uint32_t i = node.params; i != kNone; i = nodes[i].next)
      call += (i == node.params ? "" : ", ") + print(i, "");
    if (node.variadic)
      call += node.params == kNone ? "..." : ", ...";
    call += ")";
    std::string before = words(node) + lookUp(kFunctions, node.text);
    const Node &first = nodes[node.child];
    if (first.next == kNone) {
      // In XC the other kinds of functions have no result.
      if (node.text.size() == 2 && first.text == "0")
        return before + call;
      return before + print(node.child, std::move(call));
    }
    before += "{";
    for (uint32_t i = node.child; i != kNone; i = nodes[i].next)
      before += (i == node.child ? "" : ", ") + print(i, "");
    return before + "} " + call;
  }
  case Kind::Network:
    return joined(words(node) + lookUp(kNetworks, node.text) + "[" +
                      node.name.str() + "] of " + print(node.child, ""),
                  declarator);
  case Kind::Object:
    return joined(node.text.str() + (node.text == "1" ? " byte" : " bytes"),
                  declarator);
  case Kind::Member:
    break; // part of a record
  }
  return declarator;
}

std::string TypeString::declare(StringRef name) const {
  return TypeStringPrinter(*this).print(root, name.str());
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

class TypeStringComparer {
public:
  /// The permitted differences of two types.
  enum Leniency {
    Language, ///< in how C and XC say one thing
    Openness, ///< also in parts that one leaves open
    Bounds,   ///< and whether arrays without a size are passed with it
  };
  TypeStringComparer(const TypeString &a, const TypeString &b,
                     Leniency leniency)
      : a(a), b(b), leniency(leniency) {}
  bool agree(uint32_t x, uint32_t y, uint32_t optional = 0) const;

private:
  using Kind = TypeString::Kind;
  using Node = TypeString::Node;
  static constexpr uint32_t kNone = TypeString::kNone;

  bool agreeAll(uint32_t x, uint32_t y) const;
  bool agreeTargets(const Node &ofC, const Node &ofXC) const;
  bool sizesAgree(const Node &p, const Node &q) const;

  static constexpr uint32_t bit(char letter) { return 1u << (letter - 'a'); }
  /// A node's letters as a set, without the one for another tile's.
  static uint32_t letters(const Node &node) {
    uint32_t set = 0;
    for (char c : node.qualifiers)
      set |= bit(c);
    return TypeString::isPortOrClock(node) ? set & ~(bit('a') | bit('z')) : set;
  }
  static StringRef code(const Node &node) {
    return node.kind == Kind::Basic && node.text == "swt" ? "t" : node.text;
  }

  const TypeString &a, &b;
  Leniency leniency;
};

bool TypeStringComparer::agreeAll(uint32_t x, uint32_t y) const {
  for (; x != kNone && y != kNone; x = a.nodes[x].next, y = b.nodes[y].next)
    if (!agree(x, y))
      return false;
  return x == y;
}

/// The targets of a pointer of C, in `a`, and of a pointer or a reference of
/// XC.
bool TypeStringComparer::agreeTargets(const Node &ofC, const Node &ofXC) const {
  // C points to an array's first element. Only one of the two can lead to
  // pointers again, since the arrays on the way are counted in pairs. A
  // volatile object of C is often not volatile in the declaration for XC.
  const uint32_t optional = leniency == Language ? 0 : bit('v');
  const Node &target = b.nodes[ofXC.child];
  return (target.kind == Kind::Array &&
          agree(ofC.child, target.child, optional)) ||
         agree(ofC.child, ofXC.child, optional);
}

bool TypeStringComparer::sizesAgree(const Node &p, const Node &q) const {
  if (p.argument == 0 && q.argument == 0)
    return p.text == q.text ||
           (leniency != Language && (p.text.empty() || q.text.empty()));
  return p.argument == q.argument ||
         (leniency == Bounds && (p.argument == 0 || q.argument == 0) &&
          p.text.empty() && q.text.empty());
}

/// `y` may lack those letters of `x` that are in `optional`.
bool TypeStringComparer::agree(uint32_t x, uint32_t y,
                               uint32_t optional) const {
  const Node &p = a.nodes[x], &q = b.nodes[y];
  auto isOfC = [](const Node &n) {
    return n.kind == Kind::Pointer && n.text == "p";
  };
  auto isOfXC = [](const Node &n) {
    return n.kind == Kind::Reference ||
           (n.kind == Kind::Pointer && n.text == "q");
  };
  if (isOfC(p) && isOfXC(q))
    return agreeTargets(p, q);
  if (isOfC(q) && isOfXC(p))
    return TypeStringComparer(b, a, leniency).agreeTargets(q, p);
  auto isNumber = [](const Node &n) {
    return n.kind == Kind::Basic && n.text == "ui" && n.qualifiers.empty();
  };
  if ((TypeString::isHandle(p) && isNumber(q)) ||
      (isNumber(p) && TypeString::isHandle(q)))
    return true;
  const bool mayBeOpen = leniency != Language;
  if (mayBeOpen && (p.kind == Kind::Object || q.kind == Kind::Object))
    return true;
  uint32_t said = letters(p);
  if (p.kind != q.kind || ((said ^ letters(q)) & ~(said & optional)) != 0)
    return false;
  switch (p.kind) {
  case Kind::Array:
    if (!sizesAgree(p, q))
      return false;
    break;
  case Kind::Function:
    if (p.text != q.text || !agreeAll(p.child, q.child))
      return false;
    if (p.open || q.open)
      return mayBeOpen || p.open == q.open;
    return (p.variadic == q.variadic && agreeAll(p.params, q.params));
  case Kind::Record: {
    // A record that was only declared, without a name.
    auto isUnknown = [](const Node &n) {
      return n.name.empty() && n.child == kNone;
    };
    if (p.text != q.text)
      return false;
    if (isUnknown(p) || isUnknown(q))
      return mayBeOpen || isUnknown(p) == isUnknown(q);
    // A recursive type is cut off somewhere, at a place that depends on the
    // start.
    return p.name == q.name &&
           ((mayBeOpen && (p.child == kNone || q.child == kNone)) ||
            agreeAll(p.child, q.child));
  }
  default:
    if (code(p) != code(q) || p.name != q.name)
      return false;
  }
  return agreeAll(p.child, q.child);
}

bool TypeString::agrees(const TypeString &other) const {
  return TypeStringComparer(*this, other, TypeStringComparer::Openness)
      .agree(root, other.root);
}

bool TypeString::saysTheSame(const TypeString &other) const {
  return TypeStringComparer(*this, other, TypeStringComparer::Language)
      .agree(root, other.root);
}

bool TypeString::differsInBounds(const TypeString &other) const {
  return !agrees(other) &&
         TypeStringComparer(*this, other, TypeStringComparer::Bounds)
             .agree(root, other.root);
}

} // namespace xlink
