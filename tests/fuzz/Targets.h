//===- Targets.h - what fuzzers call --------------------------------------===//
//
// A target is a function of some bytes that xlink may be given. It returns
// whatever the bytes are, in bounded time and space; what does not hold is
// reported to trouble(). Nothing of it touches the disk, or starts a thread.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_FUZZ_TARGETS_H
#define XLINK_TESTS_FUZZ_TARGETS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace xlink::test {

using Bytes = std::vector<uint8_t>;

/// What an input is made of: how libFuzzer's mutations of it aim.
enum class InputForm : uint8_t {
  Text,
  Objects, ///< ELF files one behind the other; then options of the link
  Archive, ///< an archive; then options
  Binary,
};

/// What a run may take: so much, and so much more for each byte of input.
struct Bounds {
  double seconds, secondsPerByte;
  uint64_t heap, heapPerByte;
};

struct FuzzTarget {
  const char *name;
  InputForm form;
  Bounds bounds;
  void (*run)(llvm::ArrayRef<uint8_t> input);
};

llvm::ArrayRef<FuzzTarget> fuzzTargets();
/// Null: there is none of this name.
const FuzzTarget *findFuzzTarget(llvm::StringRef name);

/// Calls the target and looks at what it took.
void runBounded(const FuzzTarget &target, llvm::ArrayRef<uint8_t> input);

/// A run that writes so much may take longer.
void noteOutput(uint64_t bytes);

/// Reports that a promise is broken: prints `text`, and ends the process unless
/// another handler was set.
void trouble(const std::string &text);
void setTroubleHandler(void (*handler)(llvm::StringRef text));

inline llvm::StringRef textOf(llvm::ArrayRef<uint8_t> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}
/// The input up to its first zero byte, and what is behind that.
inline std::pair<llvm::StringRef, llvm::StringRef>
halves(llvm::ArrayRef<uint8_t> input) {
  return textOf(input).split('\0');
}

} // namespace xlink::test
#endif
