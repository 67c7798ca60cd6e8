//===- Demangle.cpp -------------------------------------------------------===//
//
// Problem: a mangled name refers to parts of itself, so a short one can stand
// for a text of any length: twenty doublings, of some six letters each, are a
// million times the first part, and a hundred of them fill any memory. Names
// come from files, and a linker that prints one must come to an end. LLVM's
// demanglers print without asking how much.
//
// Method: LLVM's parser of Itanium names takes its nodes from an allocator that
// one may give it. This one notes with each node how long its text can be: the
// sum of its parts', times the longest pack where a pack is expanded. Parts are
// made before the whole, so the length is known before the first letter is
// printed, and a name with too long a text stays as it is. So does one that
// nests too deep for the stack, which the parser's derived class counts. A
// forward reference of a conversion operator counts as long as all of the name.
//
// Of Rust's names the newer ones refer to places of themselves, and LLVM's
// demangler has no allocator; but an expansion passes each reference at most
// once on its way down (it fails on circles), so it has at most 2^n parts for n
// references. The older ones are Itanium names of a special form, which read
// badly as such.
//
// Cost: nothing before a name is shown; then linear in its text, which is at
// most kMostText.
//
//===----------------------------------------------------------------------===//
#include "llvm/Demangle/Demangle.h"
#include "base/Diagnostics.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/ItaniumDemangle.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/ConvertUTF.h"
#include <cstdlib>
#include <set>
#include <type_traits>

using namespace llvm;

namespace xlink {

namespace {

/// Longer names are shown as they are.
constexpr size_t kMostMangled = 4096;
/// Letters of a text; those between its parts are counted generously.
constexpr uint64_t kMostText = 1 << 18;
/// Types in types, expressions in expressions.
constexpr unsigned kMostDepth = 200;

//===----------------------------------------------------------------------===//
// Itanium names: C++
//===----------------------------------------------------------------------===//

using itanium_demangle::Node;
using itanium_demangle::NodeArray;

/// Makes the parser's nodes, and knows how long the text of each can be.
class MeasuringAllocator {
public:
  void reset() {}
  void *allocateNodeArray(size_t count) {
    return arena.Allocate(std::max<size_t>(count, 1) * sizeof(Node *),
                          alignof(Node *));
  }
  template <class T, class... Args> Node *makeNode(Args &&...args) {
    using namespace itanium_demangle;
    uint64_t length = ownText<T>();
    ((length = capped(length + lengthOf(args))), ...);
    if constexpr (std::is_same_v<T, ParameterPack>)
      (notePack(args), ...);
    if constexpr (std::is_same_v<T, ParameterPackExpansion> ||
                  std::is_same_v<T, FoldExpr>)
      length = capped(length * longestPack);
    if constexpr (std::is_same_v<T, ForwardTemplateReference>)
      ++forwardReferences;
    Node *node = new (arena.Allocate(sizeof(T), alignof(T)))
        T(std::forward<Args>(args)...);
    lengths[node] = length;
    return node;
  }
  /// Of the whole, when its root has been made.
  bool fits(const Node *root) const {
    uint64_t length = lengths.lookup(root);
    const uint64_t whole = length;
    for (uint64_t i = 0; i < forwardReferences && length <= kMostText; ++i)
      length = capped(length * whole);
    return length <= kMostText;
  }

private:
  static uint64_t capped(uint64_t length) {
    return std::min<uint64_t>(length, kMostText + 1);
  }
  /// Letters that a node prints itself: brackets, keywords, names of std's
  /// classes.
  template <class T> static constexpr uint64_t ownText() {
    return std::is_same_v<T, itanium_demangle::ExpandedSpecialSubstitution>
               ? 128
               : 24;
  }
  template <class T> uint64_t lengthOf(const T &part) const {
    if constexpr (std::is_convertible_v<const T &, const Node *>) {
      return lengths.lookup(part);
    } else if constexpr (std::is_same_v<T, NodeArray>) {
      uint64_t sum = 0;
      for (const Node *node : part)
        sum = capped(sum + 2 + lengths.lookup(node));
      return sum;
    } else if constexpr (std::is_convertible_v<const T &, std::string_view>) {
      return std::string_view(part).size();
    } else {
      return 0;
    }
  }
  template <class T> void notePack(const T &part) {
    if constexpr (std::is_same_v<T, NodeArray>)
      longestPack = std::max<uint64_t>(longestPack, part.size());
  }

  BumpPtrAllocator arena;
  DenseMap<const Node *, uint64_t> lengths;
  uint64_t longestPack = 1, forwardReferences = 0;
};

/// LLVM's parser, with a bound for its recursion: its functions call themselves
/// through the derived class.
class BoundedParser
    : public itanium_demangle::AbstractManglingParser<BoundedParser,
                                                      MeasuringAllocator> {
  using Base = itanium_demangle::AbstractManglingParser<BoundedParser,
                                                        MeasuringAllocator>;

public:
  using Base::Base;

  Node *parseEncoding(bool parameters = true) {
    return nested([&] { return Base::parseEncoding(parameters); });
  }
  Node *parseType() {
    return nested([&] { return Base::parseType(); });
  }
  Node *parseQualifiedType() {
    return nested([&] { return Base::parseQualifiedType(); });
  }
  Node *parseExpr() {
    return nested([&] { return Base::parseExpr(); });
  }
  Node *parseBracedExpr() {
    return nested([&] { return Base::parseBracedExpr(); });
  }
  Node *parseTemplateArg() {
    return nested([&] { return Base::parseTemplateArg(); });
  }
  Node *parseTemplateParamDecl(TemplateParamList *parameters) {
    return nested([&] { return Base::parseTemplateParamDecl(parameters); });
  }

private:
  template <class Parse> Node *nested(Parse parse) {
    if (depth == kMostDepth)
      return nullptr;
    ++depth;
    Node *node = parse();
    --depth;
    return node;
  }

  unsigned depth = 0;
};

/// "" where it is none.
std::string itaniumText(StringRef name) {
  BoundedParser parser(name.begin(), name.end());
  const Node *root = parser.parse();
  if (!root || !parser.ASTAllocator.fits(root))
    return "";
  itanium_demangle::OutputBuffer buffer;
  root->print(buffer);
  std::string text(buffer.getBuffer(), buffer.getCurrentPosition());
  std::free(buffer.getBuffer());
  return text;
}

//===----------------------------------------------------------------------===//
// Rust
//===----------------------------------------------------------------------===//

/// The older names replace letters that assemblers do not take: "$LT$", and
/// "$u7e$" for any other.
bool appendEscape(StringRef escape, std::string &text) {
  static constexpr std::pair<StringLiteral, char> kinds[] = {
      {"SP", '@'}, {"BP", '*'}, {"RF", '&'}, {"LT", '<'},
      {"GT", '>'}, {"LP", '('}, {"RP", ')'}, {"C", ','}};
  for (const auto &[word, letter] : kinds)
    if (escape == word) {
      text += letter;
      return true;
    }
  unsigned code = 0;
  if (!escape.consume_front("u") || escape.empty() ||
      escape.getAsInteger(16, code) || code < 0x20 || code == 0x7f)
    return false;
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
  char *end = bytes;
  if (!ConvertCodePointToUTF8(code, end))
    return false;
  text.append(bytes, end);
  return true;
}

bool appendLegacyPart(StringRef part, std::string &text) {
  // An escape may not begin a name, so compilers put "_" before it.
  if (part.starts_with("_$"))
    part = part.drop_front();
  while (!part.empty()) {
    if (part.consume_front("..")) {
      text += "::";
    } else if (part.consume_front("$")) {
      auto [escape, rest] = part.split('$');
      if (escape.size() == part.size() || !appendEscape(escape, text))
        return false;
      part = rest;
    } else {
      text += part.front();
      part = part.drop_front();
    }
  }
  return true;
}

/// "h" and 16 digits, of which a hash has not only a few different ones.
bool isLegacyHash(StringRef part) {
  if (part.size() != 17 || !part.consume_front("h"))
    return false;
  return all_of(part, [](char c) { return isHexDigit(c) && !isUpper(c); }) &&
         std::set<char>(part.begin(), part.end()).size() >= 5;
}

/// The text of an older name, from its text as an Itanium name: without the
/// last part, a hash. "" where the last part is none.
std::string legacyRustText(StringRef itanium) {
  const auto [path, hash] = itanium.split(" (.llvm.").first.rsplit("::");
  if (!isLegacyHash(hash))
    return "";
  std::string text;
  SmallVector<StringRef, 8> parts;
  path.split(parts, "::");
  for (StringRef part : parts) {
    if (!text.empty())
      text += "::";
    if (!appendLegacyPart(part, text))
      return "";
  }
  return text;
}

/// The newer names.
std::string rustText(StringRef name) {
  // Every "B" that digits and "_" follow may be a reference.
  uint64_t link = name.size();
  for (size_t i = 0; i < name.size() && link <= kMostText * 16; ++i)
    if (name[i] == 'B') {
      const size_t end = name.find_if_not(isAlnum, i + 1);
      if (end != StringRef::npos && name[end] == '_')
        link *= 2;
    }
  if (link > kMostText * 16)
    return "";
  char *text = rustDemangle(std::string_view(name));
  std::string result = text ? text : "";
  std::free(text);
  return result;
}

} // namespace

std::string demangled(StringRef name) {
  std::string text;
  if (name.size() > kMostMangled)
    return name.str();
  if (name.starts_with("_Z")) {
    text = itaniumText(name);
    if (std::string rust = legacyRustText(text); !rust.empty())
      text = std::move(rust);
  } else if (name.starts_with("_R")) {
    text = rustText(name);
  }
  return text.empty() ? name.str() : text;
}

} // namespace xlink
