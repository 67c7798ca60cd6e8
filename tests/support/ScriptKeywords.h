//===- ScriptKeywords.h - every word of the script language ---------------===//
#ifndef XLINK_TESTS_SUPPORT_SCRIPTKEYWORDS_H
#define XLINK_TESTS_SUPPORT_SCRIPTKEYWORDS_H

#include "script/ParserImpl.h"
#include <set>

namespace xlink::test {

/// Every word of the language that the parser knows, sorted.
inline std::set<llvm::StringRef> scriptKeywords() {
  // Those that no table has, as the parser tests for them.
  std::set<llvm::StringRef> words = {
      "AFTER",      "AS_NEEDED", "AT",    "BEFORE", kCommonName,
      kDiscardName, "FILEHDR",   "FLAGS", "LENGTH", "ORIGIN",
      "PHDRS",      "l",         "len",   "o",      "org"};
  auto add = [&](auto table) {
    for (const auto &word : table)
      words.insert(word.name);
  };
  add(ScriptParser::topCommands());
  add(ScriptParser::sectionsCommands());
  add(ScriptParser::bodyCommands());
  add(ScriptParser::sectionAttributes());
  add(ScriptParser::functions());
  add(ScriptParser::sectionTypes());
  add(ScriptParser::patternWords());
  return words;
}

} // namespace xlink::test
#endif
