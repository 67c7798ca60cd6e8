//===- Links.h - links of whatever a fuzzer made --------------------------===//
#ifndef XLINK_TESTS_FUZZ_LINKS_H
#define XLINK_TESTS_FUZZ_LINKS_H

#include "driver/Driver.h"
#include "fuzz/Targets.h"
#include "support/ImageCheck.h"
#include <map>
#include <string>
#include <vector>

namespace xlink::test {

/// A link in memory.
struct FuzzedLink {
  std::vector<std::pair<std::string, Bytes>> files;
  std::vector<std::string> arguments; ///< beside -o out
  ImageRules rules;
  bool isElf = true; ///< the output, as far as options decide it

  void option(const std::string &text) { arguments.push_back(text); }
};

struct FuzzedResult {
  int status = 1;
  std::string text;         ///< all messages
  Bytes image;              ///< of a link that succeeded
  bool imageIsWhole = true; ///< not too large to be kept
};

/// Links, and checks what always holds: status, messages and outputs go
/// together, the output lies within bounds and can be loaded, and reports for
/// programs can be read.
FuzzedResult linkChecked(const FuzzedLink &link);

/// Runs the checks of xlink-inspect on a file with a script; "": without.
void checkFinished(llvm::ArrayRef<uint8_t> file, llvm::StringRef script);

/// A copy of bytes without the options at its end: 8 bytes, or all of them.
struct WithOptions {
  llvm::ArrayRef<uint8_t> bytes;
  uint64_t options = 0;
};
WithOptions splitOptions(llvm::ArrayRef<uint8_t> input);

/// At most `most` files out of one input: each but the first begins with ELF's
/// magic number, and the last one has what is left.
std::vector<Bytes> splitObjects(llvm::ArrayRef<uint8_t> input, size_t most);

/// Options of reports and of what else looks at objects, a bit each.
void addOptions(FuzzedLink &link, uint64_t bits);

/// The machine of an ELF header, for setMachine; empty: none of ours.
std::string machineOf(llvm::ArrayRef<uint8_t> object);
/// Links for a machine; "big-NAME" is the one that differs from NAME in the
/// byte order alone.
void setMachine(FuzzedLink &link, llvm::StringRef machine);

} // namespace xlink::test
#endif
