//===- ScriptMutationTest.cpp - damaged scripts in whole links ------------===//
//
// Every script that is compared with GNU ld, damaged in many ways, lays out the
// objects of its link, as ELF32 and as ELF64. As with damaged objects the link
// ends in time and space, with an output or with a message.
// XLINK_SCRIPT_MUTANTS asks for more of them, XLINK_SCRIPT_MUTANTS_FROM begins
// at another one, XLINK_WRITE_MUTANT prints them.
//
//===----------------------------------------------------------------------===//
#include "mutation/BoundedLink.h"
#include "mutation/Extremes.h"
#include "script/ScriptParser.h"
#include "support/ScriptCorpus.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <random>

using namespace llvm;

namespace xlink::test {
namespace {

/// Changes scripts. Most faults keep to the language's tokens, so that what
/// comes behind the parser has its share of them.
class ScriptMutator {
public:
  ScriptMutator(const std::vector<std::string> &scripts, uint64_t seed)
      : scripts(scripts), random(seed) {}

  std::string run(std::string text) {
    for (size_t n = 1 + pick(4); n; --n) {
      change(text);
      if (text.empty())
        text = " ";
    }
    return text;
  }

  /// Options with extreme addresses for one link in eight.
  std::vector<std::string> options() {
    if (pick(8))
      return {};
    return extremeOptions([&](uint64_t n) { return pick(n); });
  }

private:
  size_t pick(size_t n) { return n ? random() % n : 0; }

  /// A number at the end of an address space, or what reaches it.
  std::string nearEnd() {
    std::string number = nearAnEndText([&](uint64_t n) { return pick(n); });
    static const char *const more[] = {" - SIZEOF(.text)", " - SIZEOF(.data)",
                                       " + SIZEOF(.bss)", " - ."};
    if (pick(4))
      return number;
    return "(" + number + more[pick(std::size(more))] + ")";
  }

  /// Where the text continues after one of these characters.
  size_t behind(const std::string &text, const char *characters) {
    size_t at = text.find_first_of(characters, pick(text.size()));
    return at == std::string::npos ? pick(text.size()) : at + 1;
  }

  /// Addresses where a script may give one, at or over an end.
  void place(std::string &text) {
    struct Form {
      const char *at;   ///< what stands in the script
      const char *with; ///< what comes for it; '@' is a number
    };
    static const Form forms[] = {
        {" : {", " @ : {"},
        {" : {", " (. - 8) : {"},
        {" : {", " : AT(@) {"},
        {" : {", " : SUBALIGN(@) {"},
        {" : {", " : ALIGN(@) {"},
        {" : {", " (NOLOAD) : {"},
        {": { ", ": { . = 4; "},
        {" }", " . = 4; }"},
        {" }", " . = . + @; }"},
        {" }", " . = @; }"},
        {"ORIGIN = ", "ORIGIN = @ + 0 * "},
        {"LENGTH = ", "LENGTH = @ + 0 * "},
        {" PT_LOAD", " PT_LOAD FILEHDR"},
        {" PT_LOAD", " PT_LOAD PHDRS"},
        {" PT_LOAD", " PT_LOAD FILEHDR PHDRS"},
        {" PT_LOAD", " PT_LOAD AT(@)"},
        {"ALIGN(", "ALIGN(@ + 0 * "},
        {"AT(", "AT(@ + "},
        {". = ", ". = @ + "},
        {"SECTIONS {", "SECTIONS { . = @;"},
        {"SECTIONS {", "SECTIONS { . = 0xfffffffffff80000;"},
    };
    const Form &form = forms[pick(std::size(forms))];
    size_t at = text.find(form.at, pick(text.size()));
    if (at == std::string::npos)
      at = text.find(form.at);
    if (at == std::string::npos)
      return;
    text.replace(at, strlen(form.at), filled(form.with));
  }

  /// A text with numbers for its '@'.
  std::string filled(const char *text) {
    std::string result;
    for (; *text; ++text)
      result += *text == '@' ? nearEnd() : std::string(1, *text);
    return result;
  }

  /// A run of characters of one kind around a random place.
  std::pair<size_t, size_t> token(const std::string &text) {
    auto word = [](char c) { return isAlnum(c) || c == '_' || c == '.'; };
    size_t begin = pick(text.size()), end = begin;
    bool kind = word(text[begin]);
    while (begin && word(text[begin - 1]) == kind && kind)
      --begin;
    while (end < text.size() && word(text[end]) == kind &&
           (kind || end == begin))
      ++end;
    return {begin, end - begin};
  }

  std::string number() {
    if (pick(2))
      return nearEnd();
    static const char *const odd[] = {"0",
                                      "1",
                                      "3",
                                      "-1",
                                      "0x7fffffff",
                                      "0x80000000",
                                      "0xffffffff",
                                      "0x100000000",
                                      "~0",
                                      "(1 << 40)",
                                      "0x7fffffffffffffff",
                                      "0xffffffffffffffff",
                                      "(. - 8)",
                                      "(. + 0x10000000)",
                                      "4K",
                                      "64M",
                                      "undefined_name",
                                      "SIZEOF(.text)",
                                      "ADDR(.data)",
                                      "LOADADDR(.bss)",
                                      "SIZEOF_HEADERS"};
    return odd[pick(std::size(odd))];
  }

  void change(std::string &text) {
    auto [at, size] = token(text);
    ArrayRef<StringRef> words = scriptKeywords();
    switch (pick(15)) {
    case 12:
    case 13:
    case 14:
      return place(text);
    case 0: // a token goes
      text.erase(at, size);
      return;
    case 1: // another one in its place
    case 2: {
      std::string other = text;
      auto [from, length] = token(other);
      text.replace(at, size, other.substr(from, length));
      return;
    }
    case 3:
      text.replace(at, size, words[pick(words.size())].str());
      return;
    case 4:
    case 5: // numbers to think about
      for (size_t i = at; i < text.size(); ++i)
        if (isDigit(text[i])) {
          size_t end = i;
          while (end < text.size() && isAlnum(text[end]))
            ++end;
          text.replace(i, end - i, number());
          return;
        }
      return;
    case 6: { // a piece of another script
      const std::string &other = scripts[pick(scripts.size())];
      text.insert(at, other.substr(pick(other.size()), pick(120)));
      return;
    }
    case 7: { // whole lines change places
      size_t a = text.find('\n', at), b = text.find('\n', pick(text.size()));
      if (a == std::string::npos || b == std::string::npos)
        return;
      size_t length = text.find('\n', b + 1);
      std::string line = text.substr(
          b, length == std::string::npos ? std::string::npos : length - b);
      text.insert(a, line);
      return;
    }
    case 8:
      text.insert(at, std::string(1, ";{}()=:,*?&!<>+-\"/"[pick(18)]));
      return;
    case 9:
      text[at] = static_cast<char>(pick(256));
      return;
    case 10:
      if (pick(4) == 0)
        text.resize(at + 1);
      return;
    case 11:
      return addStatement(text, at);
    }
  }

  void addStatement(std::string &text, size_t at) {
    static const char *const statements[] = {
        " . = . + 0x1000; ",
        " . = ALIGN(0x10000); ",
        " . = 0; ",
        " x = y; ",
        " ASSERT(x, \"m\") ",
        " *(*) ",
        " KEEP(*(.text*)) ",
        " BYTE(.) ",
        " FILL(0x1234) ",
        " /DISCARD/ : { *(.data*) } ",
        " .o : { *(*) } ",
        " >ram AT>rom ",
        " :none ",
        " INCLUDE inc/included.ld ",
        " OVERLAY : { .p { *(.text) } .q { *(.data) } } ",
        " . = DATA_SEGMENT_ALIGN(0x1000, 0x100); ",
        " INSERT AFTER .text; ",
        " . = . - 8; ",
        " . = @; ",
        " . = . + @; ",
        " . = ALIGN(@); ",
        " x = @; ",
        " QUAD(@) ",
        " .e @ : { *(.text .data) } ",
        " .e @ : AT(@) { *(.bss COMMON) } ",
        " .e (. - 8) : { *(.text) . = 4; } "};
    // Half of them where a statement can stand.
    text.insert(pick(2) ? behind(text, ";{}") : at,
                filled(statements[pick(std::size(statements))]));
  }

  const std::vector<std::string> &scripts;
  std::mt19937_64 random;
};

TEST(ScriptMutants, LinkInTimeAndSpace) {
  std::vector<std::string> names = corpusNames(), texts;
  for (const std::string &name : names)
    texts.push_back(corpusText(name + ".ld"));
  ASSERT_GT(names.size(), 100u);
  watchLinks();
  const uint64_t first = numberFrom("XLINK_SCRIPT_MUTANTS_FROM", 0);
  const uint64_t count = numberFrom("XLINK_SCRIPT_MUTANTS", 1500);
  uint64_t failed = 0;
  for (uint64_t i = first; i < first + count && !HasFailure(); ++i) {
    // Neighbours are the same script in both classes.
    const char *machine = kCorpusMachines[i % 2];
    size_t which = i / 2 % names.size();
    ScriptMutator mutator(texts, i);
    std::string text = mutator.run(texts[which]);
    CorpusLink link = corpusLink(names[which], text, machine);
    // The comments of the original say what is linked.
    link.arguments = corpusLink(names[which], texts[which], machine).arguments;
    std::vector<std::string> more = mutator.options();
    link.arguments.insert(link.arguments.end(), more.begin(), more.end());
    if (getenv("XLINK_WRITE_MUTANT"))
      outs() << "mutant " << i << ", " << names[which] << ".ld, "
             << join(link.arguments, " ") << ":\n"
             << text;
    if (boundedLink("script mutant " + std::to_string(i), link.files,
                    link.arguments))
      ++failed;
    if (HasFailure())
      ADD_FAILURE() << names[which] << ", " << join(link.arguments, " ")
                    << ":\n"
                    << text;
  }
  // Mutants that all fail alike, or all pass, test nothing.
  EXPECT_GT(failed, count / 4);
  EXPECT_LT(failed, count / 10 * 9);
}

} // namespace
} // namespace xlink::test
