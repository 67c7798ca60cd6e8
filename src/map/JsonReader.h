//===- JsonReader.h - JSON, taken in as it is read ------------------------===//
#ifndef XLINK_MAP_JSONREADER_H
#define XLINK_MAP_JSONREADER_H

#include "base/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Allocator.h"
#include <cstdint>
#include <string>

namespace xlink {

/// Reads one JSON text from front to back: whoever knows the form asks for
/// the value that comes next. The first thing that is wrong is an error that
/// names the file and either line and column (no JSON) or the path of the
/// member (another form); from then on every question is answered with nothing.
///
/// `file` names the text in messages. Texts that are handed out live in
/// `texts`.
class JsonReader {
public:
  /// How deep values may stand in others: texts from outside must not decide
  /// how much stack reading them takes.
  static constexpr unsigned kMaxDepth = 64;

  JsonReader(llvm::StringRef file, llvm::StringRef text,
             llvm::BumpPtrAllocator &texts, Diagnostics &diag);

  /// An object: calls `member` with each name, which takes the value, or leaves
  /// it to be skipped. A name that stands there twice is an error, and so is
  /// one of `required` that does not.
  void object(llvm::ArrayRef<llvm::StringRef> required,
              llvm::function_ref<void(llvm::StringRef name)> member);
  /// An array: calls `element` in front of each value, which takes it.
  void array(llvm::function_ref<void()> element);
  llvm::StringRef string();
  /// Whether the value that comes next is a number.
  bool isNumber();
  /// A whole number from 0 to `most`.
  uint64_t number(uint64_t most = UINT64_MAX);
  /// A number as a string in hexadecimal, "0x10a0".
  uint64_t hexNumber();
  bool boolean();
  /// Any value, whose contents do not matter.
  void skip();
  /// Nothing but white space may follow.
  void finish();
  /// Takes no further values: all that matters is known.
  void stop() { stopped = true; }

  /// Reports that what was read last is not of the form; once only.
  void wrong(const llvm::Twine &text);
  bool failed() const { return broken; }

private:
  /// Where reading is: a member's name, or the index of an element.
  struct Step {
    llvm::StringRef name;
    uint64_t index;
  };

  bool over() const { return broken || stopped; }
  void malformed(const llvm::Twine &text) { malformed(text, at); }
  void malformed(const llvm::Twine &text, size_t where);
  void passSpace();
  /// Takes `c` if it is next.
  bool take(char c);
  /// Whether the value that comes next begins with `c`; if not, that it is no
  /// `what` is reported.
  bool begins(char c, const char *what);
  /// The string that begins here, without its quotes.
  llvm::StringRef quoted();
  /// The number that begins here, as it is written.
  llvm::StringRef digits();
  void literal();
  std::string path() const;

  llvm::StringRef file, text;
  llvm::BumpPtrAllocator &texts;
  Diagnostics &diag;
  size_t at = 0;
  bool broken = false, stopped = false;
  llvm::SmallVector<Step, 16> steps;
};

} // namespace xlink
#endif
