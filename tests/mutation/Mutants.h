//===- Mutants.h - inputs with seeded damage ------------------------------===//
#ifndef XLINK_TESTS_MUTATION_MUTANTS_H
#define XLINK_TESTS_MUTATION_MUTANTS_H

#include "support/ObjectBuilder.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>
#include <vector>

namespace xlink::test {

/// A link that is in order, and whose files are worth damaging.
struct Specimen {
  std::string name;
  std::vector<std::pair<std::string, Bytes>> files;
  std::vector<std::string> arguments; ///< options and files
};

/// Links of a machine that between them use what its objects can hold: every
/// relocation that reaches, groups, mergeable sections, COMMON, debugging
/// information, archives, link-time expressions, attributes; and that lay it
/// out by a script, or write another format.
std::vector<Specimen> specimensOf(llvm::StringRef machine);

/// Different for each machine and number, the same on every run.
uint64_t seedOf(llvm::StringRef machine, uint64_t index);

/// A copy of `original` with one to three faults, chosen by `seed`.
Bytes mutate(const Bytes &original, uint64_t seed);

/// The same of a text with lines, words and numbers.
std::string mutateText(llvm::StringRef original, uint64_t seed);

/// The mutant number `index` of a machine: a specimen with one file damaged, or
/// with an option that asks for extreme addresses, or both.
Specimen mutantOf(const std::vector<Specimen> &specimens,
                  llvm::StringRef machine, uint64_t index);

} // namespace xlink::test
#endif
