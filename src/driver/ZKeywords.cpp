//===- ZKeywords.cpp - the words of -z, as data ---------------------------===//
//
// Words that mean the same for every machine. Other words may be the machine's
// own, which is looked up when it is known.
//
//===----------------------------------------------------------------------===//
#include "driver/OptionTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

namespace {

void setMaxPageSize(Settings &s, StringRef value) {
  uint64_t size = 0;
  if (!parseNumber(value, size))
    s.reject("max-page-size=" + value.str(), "is not a number");
  else if (size == 0 || (size & (size - 1)))
    s.reject("max-page-size=" + value.str(), "is not a power of two");
  else
    s.config.maxPageSize = size;
}

void addDeadReference(Settings &s, StringRef value) {
  auto [glob, text] = value.rsplit('=');
  uint64_t number = 0;
  if (glob.empty() || !parseNumber(text, number))
    return s.reject("dead-reloc-in-nonalloc=" + value.str(),
                    "is not GLOB=VALUE with a number");
  s.config.deadReferences.emplace_back(glob.str(), number);
}

using enum OptionStatus;

// Words of one fate share a row, with spaces between them.
// clang-format off
constexpr ZKeyword zTable[] = {
    {"max-page-size=", Supported, "align segments to this power of two", setMaxPageSize},
    {"separate-code", Supported, "begin a segment at each change of permissions (default)", setTo<&Config::separateCode>},
    {"noseparate-code", Supported, "let code and data share a segment, as GNU ld does; SIZEOF_HEADERS follows", setTo<&Config::separateCode, false>},
    {"defs", Supported, "as --no-undefined", [](Settings &s, StringRef) { s.ignoreUnresolved = false; }},
    {"undefs", Supported, "as --unresolved-symbols=ignore-all", [](Settings &s, StringRef) { s.ignoreUnresolved = true; }},
    {"start-stop-gc", Supported, "let --gc-sections drop sections that only __start_ and __stop_ symbols refer to", setTo<&Config::startStopGc>},
    {"nostart-stop-gc", Supported, "keep them (default)", setTo<&Config::startStopGc, false>},
    {"dead-reloc-in-nonalloc=", Supported, "GLOB=VALUE: what references to dropped sections read in sections of such names that are not loaded", addDeadReference},
    {"muldefs", Supported, "as --allow-multiple-definition", setTo<&Config::allowMultipleDefinition>},

    {"common-page-size=", Ignored, "only max-page-size aligns segments", nullptr},
    {"separate-loadable-segments relro norelro", Ignored, "the script decides what shares a segment", nullptr},
    {"keep-text-section-prefix nokeep-text-section-prefix", Ignored, "the script decides which sections share an output section", nullptr},
    {"sectionheader nounique-symbol", Ignored, "the default", nullptr},
    {"memory-seal nomemory-seal start-stop-visibility= now lazy text notext textoff combreloc nocombreloc copyreloc "
     "nocopyreloc nodefaultlib nodelete nodlopen nodump origin global globalaudit initfirst interpose loadfltr unique "
     "nounique rodynamic rel rela ifunc-noplt dynamic-undefined-weak nodynamic-undefined-weak extern-protected-data "
     "noextern-protected-data pack-relative-relocs nopack-relative-relocs",
     Ignored, "every output is static", nullptr},
    {"execstack noexecstack nognustack", Ignored, "the output says nothing of its stack", nullptr},
    {"common nocommon", Ignored, "common symbols are always given space", nullptr},
    {"call-nop= cet-report= lam-report= isa-level-report= mark-plt nomark-plt lam-u48 lam-u48-report= lam-u57 "
     "lam-u57-report= ibt ibtplt indirect-extern-access noindirect-extern-access report-relative-reloc shstk",
     Ignored, "a word of x86's", nullptr},

    {"stack-size=", Refused, "the script places the stack", nullptr},
    {"nosectionheader", Refused, "the output has section headers always", nullptr},
    {"unique-symbol", Refused, "local symbols keep their names", nullptr},
    {"noreloc-overflow", Refused, "a value that does not fit is always an error", nullptr},
};
// clang-format on

} // namespace

std::vector<ZKeyword> zKeywordTable() {
  std::vector<ZKeyword> words;
  for (const ZKeyword &row : zTable)
    for (StringRef word : split(row.name, ' '))
      words.push_back({word, row.status, row.text, row.set});
  return words;
}

void setZKeyword(Settings &s, StringRef value) {
  auto [name, argument] = value.split('=');
  bool hasValue = name.size() != value.size();
  for (const ZKeyword &keyword : zKeywordTable()) {
    StringRef known(keyword.name);
    bool takesValue = known.consume_back("=");
    if (known != name)
      continue;
    if (takesValue != hasValue || (takesValue && argument.empty()))
      return s.reject(value, takesValue ? "needs a value after '='"
                                        : "takes no value");
    if (keyword.status == OptionStatus::Refused)
      return s.messages.error(
          "option '-z " + name.str() +
          "' is not supported: " + std::string(keyword.text));
    if (keyword.set)
      keyword.set(s, argument);
    return;
  }
  s.config.zKeywords.push_back(value.str());
}

} // namespace xlink
