//===- ScriptCorpus.h - the scripts that are compared with GNU ld ---------===//
#ifndef XLINK_TESTS_SCRIPTCORPUS_H
#define XLINK_TESTS_SCRIPTCORPUS_H

#include "support/ObjectBuilder.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace xlink::test {

/// Names of the scripts of testdata/scripts, without ".ld".
std::vector<std::string> corpusNames();
/// A file of testdata/scripts: "simple.ld", "simple.expect".
std::string corpusText(const std::string &file);
/// What stands between "/* key" and "*/", for each such comment of a script.
std::vector<std::string> corpusNotes(llvm::StringRef script,
                                     llvm::StringRef key);

/// A link of the corpus as a script's comments describe it.
struct CorpusLink {
  std::vector<std::pair<std::string, Bytes>> files; ///< the script too
  std::vector<std::string> arguments;
};
/// The machines that the corpus is linked for, one of each class: ELF32, ELF64.
constexpr const char *kCorpusMachines[] = {"nyuzi", "aphelion"};
/// The link of NAME.ld, which has this text, for one of the machines.
CorpusLink corpusLink(const std::string &name, llvm::StringRef script,
                      llvm::StringRef machine);

} // namespace xlink::test
#endif
