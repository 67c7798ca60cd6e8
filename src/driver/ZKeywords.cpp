//===- ZKeywords.cpp - the words of -z, as data ---------------------------===//
//
// Words that mean the same for every machine. What is not here may be a word of
// the machine's own, which is looked up when it is known.
//
//===----------------------------------------------------------------------===//
#include "driver/FirmwareOptions.h"
#include "driver/OptionTable.h"

using namespace llvm;

namespace xlink {

namespace {

template <bool Config::*Member, bool Value = true>
void set(Settings &s, StringRef) {
  s.config.*Member = Value;
}

void setMaxPageSize(Settings &s, StringRef value) {
  uint64_t size = 0;
  if (!parseNumber(value, size))
    s.reject("max-page-size=" + value.str(), "is not a number");
  else if (size == 0 || (size & (size - 1)))
    s.reject("max-page-size=" + value.str(), "is not a power of two");
  else
    s.config.maxPageSize = size;
}

// clang-format off: a row is a line
using enum OptionStatus;
void ignoreUnresolved(Settings &s, StringRef) { s.ignoreUnresolved = true; }
void reportUnresolved(Settings &s, StringRef) { s.ignoreUnresolved = false; }
void allowMultiple(Settings &s, StringRef) {
  s.config.allowMultipleDefinition = true;
}

constexpr std::string_view segmentsByScript =
    "the script decides what shares a segment";
constexpr std::string_view otherMachines = "a word of x86's";
constexpr std::string_view onlyDynamic = "every output is static";

constexpr ZKeyword zTable[] = {
    {"max-page-size=", Supported, "align segments to this power of two",
     setMaxPageSize},
    {"separate-code", Supported,
     "begin a segment at each change of permissions (default)",
     set<&Config::separateCode>},
    {"noseparate-code", Supported,
     "let code and data share a segment, as GNU ld does; SIZEOF_HEADERS "
     "follows",
     set<&Config::separateCode, false>},
    {"defs", Supported, "as --no-undefined", reportUnresolved},
    {"undefs", Supported, "as --unresolved-symbols=ignore-all",
     ignoreUnresolved},
    {"start-stop-gc", Supported,
     "let --gc-sections drop sections that only __start_ and __stop_ symbols "
     "refer to",
     set<&Config::startStopGc>},
    {"nostart-stop-gc", Supported, "keep them (default)",
     set<&Config::startStopGc, false>},
    {"dead-reloc-in-nonalloc=", Supported,
     "GLOB=VALUE: what references to dropped sections read in sections of such "
     "names that are not loaded",
     addDeadReference},
    {"muldefs", Supported, "as --allow-multiple-definition", allowMultiple},

    {"common-page-size=", Ignored, "only max-page-size aligns segments",
     nullptr},
    {"separate-loadable-segments", Ignored, segmentsByScript, nullptr},
    {"relro", Ignored, segmentsByScript, nullptr},
    {"norelro", Ignored, segmentsByScript, nullptr},
    {"keep-text-section-prefix", Ignored,
     "the script decides which sections share an output section", nullptr},
    {"nokeep-text-section-prefix", Ignored,
     "the script decides which sections share an output section", nullptr},
    {"sectionheader", Ignored, "the default", nullptr},
    {"memory-seal", Ignored, onlyDynamic, nullptr},
    {"nomemory-seal", Ignored, onlyDynamic, nullptr},
    {"execstack", Ignored, "the output says nothing of its stack", nullptr},
    {"noexecstack", Ignored, "the output says nothing of its stack", nullptr},
    {"nognustack", Ignored, "the output says nothing of its stack", nullptr},
    {"common", Ignored, "common symbols are always given space", nullptr},
    {"nocommon", Ignored, "common symbols are always given space", nullptr},
    {"nounique-symbol", Ignored, "the default", nullptr},
    {"start-stop-visibility=", Ignored, onlyDynamic, nullptr},
    {"now", Ignored, onlyDynamic, nullptr},
    {"lazy", Ignored, onlyDynamic, nullptr},
    {"text", Ignored, onlyDynamic, nullptr},
    {"notext", Ignored, onlyDynamic, nullptr},
    {"textoff", Ignored, onlyDynamic, nullptr},
    {"combreloc", Ignored, onlyDynamic, nullptr},
    {"nocombreloc", Ignored, onlyDynamic, nullptr},
    {"copyreloc", Ignored, onlyDynamic, nullptr},
    {"nocopyreloc", Ignored, onlyDynamic, nullptr},
    {"nodefaultlib", Ignored, onlyDynamic, nullptr},
    {"nodelete", Ignored, onlyDynamic, nullptr},
    {"nodlopen", Ignored, onlyDynamic, nullptr},
    {"nodump", Ignored, onlyDynamic, nullptr},
    {"origin", Ignored, onlyDynamic, nullptr},
    {"global", Ignored, onlyDynamic, nullptr},
    {"globalaudit", Ignored, onlyDynamic, nullptr},
    {"initfirst", Ignored, onlyDynamic, nullptr},
    {"interpose", Ignored, onlyDynamic, nullptr},
    {"loadfltr", Ignored, onlyDynamic, nullptr},
    {"unique", Ignored, onlyDynamic, nullptr},
    {"nounique", Ignored, onlyDynamic, nullptr},
    {"rodynamic", Ignored, onlyDynamic, nullptr},
    {"rel", Ignored, onlyDynamic, nullptr},
    {"rela", Ignored, onlyDynamic, nullptr},
    {"ifunc-noplt", Ignored, onlyDynamic, nullptr},
    {"dynamic-undefined-weak", Ignored, onlyDynamic, nullptr},
    {"nodynamic-undefined-weak", Ignored, onlyDynamic, nullptr},
    {"extern-protected-data", Ignored, onlyDynamic, nullptr},
    {"noextern-protected-data", Ignored, onlyDynamic, nullptr},
    {"pack-relative-relocs", Ignored, onlyDynamic, nullptr},
    {"nopack-relative-relocs", Ignored, onlyDynamic, nullptr},

    {"call-nop=", Ignored, otherMachines, nullptr},
    {"cet-report=", Ignored, otherMachines, nullptr},
    {"lam-report=", Ignored, otherMachines, nullptr},
    {"isa-level-report=", Ignored, otherMachines, nullptr},
    {"mark-plt", Ignored, otherMachines, nullptr},
    {"nomark-plt", Ignored, otherMachines, nullptr},
    {"lam-u48", Ignored, otherMachines, nullptr},
    {"lam-u48-report=", Ignored, otherMachines, nullptr},
    {"lam-u57", Ignored, otherMachines, nullptr},
    {"lam-u57-report=", Ignored, otherMachines, nullptr},
    {"ibt", Ignored, otherMachines, nullptr},
    {"ibtplt", Ignored, otherMachines, nullptr},
    {"indirect-extern-access", Ignored, otherMachines, nullptr},
    {"noindirect-extern-access", Ignored, otherMachines, nullptr},
    {"report-relative-reloc", Ignored, otherMachines, nullptr},
    {"shstk", Ignored, otherMachines, nullptr},

    {"stack-size=", Refused, "the script places the stack", nullptr},
    {"nosectionheader", Refused, "the output has section headers always",
     nullptr},
    {"unique-symbol", Refused, "local symbols keep their names", nullptr},
    {"noreloc-overflow", Refused,
     "a value that does not fit is always an error", nullptr},
};
// clang-format on

} // namespace

ArrayRef<ZKeyword> zKeywordTable() { return zTable; }

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
