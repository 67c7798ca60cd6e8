//===- Linking.h - what the tests of whole links share --------------------===//
//
// Inputs are bodies of yaml2obj documents, `nyuzi(R"(Sections: ...)")`; outputs
// are looked at as text, so that a test's expectation reads like a listing.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_LINK_LINKING_H
#define XLINK_TESTS_LINK_LINKING_H

#include "support/LinkHarness.h"
#include "llvm/ADT/StringRef.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace xlink::test {

/// Objects of each machine.
inline Bytes nyuzi(llvm::StringRef body) {
  return machineObject("nyuzi", body);
}
inline Bytes xs1(llvm::StringRef body) { return machineObject("xs1", body); }
inline Bytes dpu(llvm::StringRef body, uint32_t flags = 0x02800000) {
  return machineObject("dpu", body, flags);
}
inline Bytes aphelion(llvm::StringRef body, uint32_t flags = 6) {
  return machineObject("aphelion", body, flags);
}
inline Bytes colossus(llvm::StringRef body, uint32_t flags = 0) {
  return machineObject("colossus", body, flags);
}

/// The output of a link that must succeed without a word.
OutFile quiet(const Linked &linked);
/// The output of a link that must succeed with exactly these warnings.
OutFile warned(const Linked &linked, llvm::StringRef warnings);
/// Expects exactly these messages, exit status 1 and no output.
void expectFailure(const Linked &linked, llvm::StringRef messages);

/// Names separated by spaces, the null section left out.
std::string sectionNames(const OutFile &out);
/// ".name address size" lines of sections with SHF_ALLOC, numbers in hex.
std::string layoutOf(const OutFile &out);
/// Names of the symbol table's entries, locals before and globals behind " | ".
std::string symbolNames(const OutFile &out);
/// "R E", "RW": address, file size and memory size of each program header.
std::string segmentsOf(const OutFile &out);
/// A section's bytes in hex without separators, "none" when it is missing.
std::string bytesOf(const OutFile &out, llvm::StringRef section);
std::string hexDigits(const Bytes &bytes);
/// A section's bytes as they are, for text.
std::string textOf(const OutFile &out, llvm::StringRef section);
/// Name of the section that a symbol stands in; "ABS", "UND" or "missing".
std::string homeOf(const OutFile &out, llvm::StringRef symbol);

} // namespace xlink::test
#endif
