//===- DiffFiles.h - pairs of programs for --diff -------------------------===//
#ifndef XLINK_TESTS_LINK_DIFFFILES_H
#define XLINK_TESTS_LINK_DIFFFILES_H

#include "link/Linking.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace xlink::test {

/// A program in which `early` stands in front of `_start`, which calls
/// `_ZN4work3runEi`, reads `value` and holds a constant.
struct Words {
  std::string early = "0100000002000000";
  std::string constant = "05000000";
  std::string value = "2a000000";
  std::string more = ""; ///< lines of the symbol table
};
/// Words of which `early` has four bytes more.
Words wordsOfLongerEarly();
/// What --diff tells of that first, however it knows about targets.
extern const char *const kEarlyGrew;
/// The object that these words make.
Bytes program(const Words &words);
/// What a link with these words and arguments makes.
Bytes linked(const Words &words, const std::vector<std::string> &more = {});
/// What --diff says of two files, a.elf and b.elf.
Linked diffOf(const Bytes &a, const Bytes &b,
              std::vector<std::string> options = {});
/// Expects that they differ, with this text behind the names.
void expectDiff(const Linked &result, llvm::StringRef text);
/// The counts of the JSON form: bytesReal, symbolsMoved ...
llvm::json::Object countsOf(const Bytes &a, const Bytes &b,
                            std::vector<std::string> options = {});

} // namespace xlink::test
#endif
