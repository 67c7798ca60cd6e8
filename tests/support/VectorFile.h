//===- VectorFile.h - the rows of testdata/vectors and testdata/limits ----===//
#ifndef XLINK_TESTS_SUPPORT_VECTORFILE_H
#define XLINK_TESTS_SUPPORT_VECTORFILE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlink::test {

/// A relocated field before and after.
struct VectorRow {
  std::string line;            ///< as it is in the file
  std::string relocation, cpu; ///< without one: empty
  uint64_t S = 0;
  int64_t A = 0;
  std::optional<uint64_t> P, base;
  std::string before, after;      ///< bytes
  std::string refusal;            ///< "range" or "align" instead of `after`
  std::string label;              ///< limits: what the row shows
  std::vector<std::string> words; ///< limits: words after it
};

/// All rows of a machine in a directory of testdata; fails the test when there
/// are none, or bad ones. Rows of `limits` have one column more.
std::vector<VectorRow> readVectors(llvm::StringRef machine,
                                   llvm::StringRef directory = "vectors");

} // namespace xlink::test
#endif
