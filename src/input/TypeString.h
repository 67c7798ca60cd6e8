//===- TypeString.h - types as objects spell them -------------------------===//
//
// Compilers of C and XC give every global symbol a type string:
// `f{si}(p(c:uc))` is a function from `const unsigned char *` to `int`.
//
// Sources: the C rows and the order of qualifiers are those that clang writes
// for this ABI (its test of type strings lists them all); the rows of XC
// (channel ends, ports, clocks, timers, references, interfaces, functions with
// several results ...) are derived from public objects and assembly files of
// the vendor's compiler and the sources that declare the same functions. The
// ABI's own tables were not available.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INPUT_TYPESTRING_H
#define XLINK_INPUT_TYPESTRING_H

#include "arch/Target.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>

namespace xlink {

struct TypeNode;

/// A decoded type string. It points into its text.
class TypeString {
public:
  /// The fault of a text, and its place.
  struct Fault {
    size_t offset = 0;
    std::string text; ///< "expected ')'"
  };

  /// Decodes any text; nothing and a fault when it is malformed.
  static std::optional<TypeString> parse(llvm::StringRef text, Fault &fault);

  /// The declaration of `name` in C or XC; without a name the type alone.
  std::string declare(llvm::StringRef name) const;

  /// Whether both can describe one symbol: they are equal, except for open
  /// parts and different languages. Open are the parameters of `f{T}()`, the
  /// size of `a(*:T)`, the members of `s(name){}`, everything of `s(){}` but
  /// its kind, everything of an object that only has a size. A reference, a
  /// reference to an array or a pointer in XC is a pointer in C, perhaps to a
  /// volatile object; a port or a channel end is an unsigned int (xccompat.h,
  /// the vendor's header for both).
  bool agrees(const TypeString &other) const;

  /// Whether both disagree only in arrays without a size against arrays whose
  /// size is another parameter. This is a real difference: the former are
  /// passed with their size, the latter without.
  bool differsInBounds(const TypeString &other) const;

  /// Whether both are equal, each in its language, without open parts of one
  /// only.
  bool saysTheSame(const TypeString &other) const;

  /// The arguments of a call; nothing if this is no function's type. It points
  /// into the text.
  std::optional<CallShape> callShape() const;

  /// The type string without names and members of structures, unions and
  /// enumerations: `f{0}(p(s(){}))`.
  const std::string &outline() const { return outlined; }

private:
  TypeString(std::shared_ptr<const TypeNode> root, std::string outline)
      : root(std::move(root)), outlined(std::move(outline)) {}

  std::shared_ptr<const TypeNode> root;
  std::string outlined;
};

} // namespace xlink
#endif
