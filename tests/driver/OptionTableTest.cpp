//===- OptionTableTest.cpp - every row, every spelling --------------------===//
//
// Each supported row of the table needs an expectation here: what a value of it
// does to the Config. The test walks over the table and tries every spelling in
// every form that it has, so a new row without an expectation fails, and so
// does an expectation without a row.
//
//===----------------------------------------------------------------------===//

#include "ConfigText.h"
#include "driver/Options.h"
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace xlink;
using namespace xlink::test;
using llvm::StringRef;

namespace {

struct Expectation {
  const char *value;  ///< a value to try
  const char *config; ///< the Config afterwards
  /// Arguments before and behind, where the option is nothing alone.
  std::vector<std::string> before = {}, after = {};
};

const std::map<std::string, Expectation> expectations = {
    {"machine", {"xs1", "machine=xs1"}},
    {"mcpu", {"ipu2", "cpu=ipu2"}},
    {"mllvm", {"--mcpu=ipu2", "cpu=ipu2"}},
    {"EL", {"", "order=little"}},
    {"EB", {"", "order=big"}},
    {"library", {"c", "library=c"}},
    {"library-path", {"dir", "path=dir"}},
    {"sysroot", {"/root", "sysroot=/root"}},
    {"script", {"a.ld", "script=a.ld"}},
    {"default-script", {"a.ld", "default-script=a.ld"}},
    {"whole-archive", {"", "file=a(whole)", {}, {"a"}}},
    {"no-whole-archive", {"", "file=a", {"--whole-archive"}, {"a"}}},
    {"start-lib", {"", "file=a(lazy) file=b", {}, {"a", "--end-lib", "b"}}},
    {"end-lib", {"", "file=a(lazy) file=b", {"--start-lib", "a"}, {"b"}}},
    {"push-state", {"", "file=a", {}, {"--whole-archive", "--pop-state", "a"}}},
    {"pop-state", {"", "file=a", {"--push-state", "--whole-archive"}, {"a"}}},
    {"start-group", {"", ""}},
    {"end-group", {"", ""}},
    {"format", {"binary", "file=a(binary)", {}, {"a"}}},
    {"just-symbols", {"a", "file=a(symbols)"}},
    {"rsp-quoting", {"posix", ""}},
    {"warn-mismatch", {"", "", {"--no-warn-mismatch"}}},
    {"no-warn-mismatch", {"", "!mismatch"}},

    {"output", {"out", "output=out"}},
    {"oformat", {"ihex", "format=ihex"}},
    {"pad-image", {"0x10", "pad-image=16"}},
    {"gap-fill", {"0xff", "gap-fill=255"}},
    {"image", {"rom=a.hex,ihex", "image=rom=a.hex,ihex"}},
    {"crc", {"sum=rom,CRC-16/ARC", "crc=sum=rom,CRC-16/ARC undefined=sum"}},
    {"readmemh-base", {"0x1000", "readmemh-base=0x1000"}},
    {"xe-tile", {"1,0", "xe-tile=1,0"}},
    {"xe-add", {"1,0=a.elf", "xe-add=1,0=a.elf"}},
    {"xe-node", {"g", "xe-node=g"}},
    {"xe-config", {"a.xml", "xe-config=a.xml"}},
    {"compress-debug-sections", {"zlib", "compress=zlib"}},
    {"strip-all", {"", "strip=all"}},
    {"strip-debug", {"", "strip=debug"}},
    {"discard-all", {"", "discard=all"}},
    {"discard-locals", {"", "discard=locals"}},
    {"discard-none", {"", "discard=none"}},
    {"build-id", {"md5", "build-id=md5"}},
    {"dependency-file", {"a.d", "dependencies=a.d"}},

    {"entry", {"main", "entry=main"}},
    {"undefined", {"sym", "undefined=sym"}},
    {"undefined-glob", {"s*", "undefined-glob=s*"}},
    {"require-defined", {"sym", "require=sym"}},
    {"init", {"sym", "init=sym"}},
    {"fini", {"sym", "fini=sym"}},
    {"defsym", {"a=b+1", "defsym=a=b+1"}},
    {"icf", {"safe", "icf=safe"}},
    {"keep-unique", {"sym", "keep-unique=sym"}},
    {"print-icf-sections", {"", "print-icf"}},
    {"no-print-icf-sections", {"", "", {"--print-icf-sections"}}},
    {"reproduce", {"a.tar", "reproduce=a.tar"}},
    {"symbol-ordering-file", {"order", "symbol-order=order"}},
    {"section-ordering-file", {"order", "section-order=order"}},
    {"retain-symbols-file", {"names", "retain=names"}},
    {"keep-symbol", {"s*", "keep-symbol=s*"}},
    {"sort-common", {"ascending", "sort-common=ascending"}},
    {"ignore-unresolved-symbol", {"sym", "ignore-unresolved=sym"}},
    {"unique", {".x*", "unique=.x*"}},
    {"rosegment", {"", "", {"--no-rosegment"}}},
    {"no-rosegment", {"", "!rosegment"}},
    {"define-common", {"", "common"}},
    {"relocatable", {"", "relocatable"}},
    {"emit-relocs", {"", "emit-relocations"}},
    {"force-group-allocation", {"", "dissolve-groups"}},
    {"warn-common", {"", "warn-common"}},
    {"no-warn-common", {"", "", {"--warn-common"}}},
    {"wrap", {"sym", "wrap=sym"}},
    {"allow-multiple-definition", {"", "multiple"}},
    {"warn-rwx-segments", {"", "warn-rwx"}},
    {"no-warn-rwx-segments", {"", "", {"--warn-rwx-segments"}}},
    {"error-rwx-segments", {"", "warn-rwx rwx-is-error"}},
    {"no-error-rwx-segments", {"", "warn-rwx", {"--error-rwx-segments"}}},
    {"no-allow-multiple-definition", {"", "", {"-z", "muldefs"}}},
    {"unresolved-symbols", {"ignore-all", "unresolved=ignore"}},
    {"no-undefined", {"", "", {"-z", "undefs"}}},
    {"warn-unresolved-symbols", {"", "unresolved=warn"}},
    {"error-unresolved-symbols", {"", "", {"--warn-unresolved-symbols"}}},

    {"section-start", {".x=0x10", "start=.x@0x10"}},
    {"Ttext", {"0x10", "text=0x10"}},
    {"Tdata", {"0x10", "data=0x10"}},
    {"Tbss", {"0x10", "bss=0x10"}},
    {"Ttext-segment", {"0x10", "text-segment=0x10"}},
    {"image-base", {"0x10", "image-base=0x10"}},
    {"nmagic", {"", "paging=nmagic"}},
    {"no-nmagic", {"", "", {"-n"}}},
    {"omagic", {"", "paging=omagic"}},
    {"no-omagic", {"", "", {"-N"}}},
    {"orphan-handling", {"warn", "orphans=warn"}},
    {"O", {"2", "optimize=2"}},
    {"enable-non-contiguous-regions", {"", "spill"}},
    {"enable-non-contiguous-regions-warnings", {"", "warn-spill"}},
    {"warn-unmatched", {"", "warn-unmatched"}},
    {"no-warn-unmatched", {"", "", {"--warn-unmatched"}}},
    {"sort-section", {"alignment", "sort=alignment"}},
    {"gc-sections", {"", "gc"}},
    {"no-gc-sections", {"", "", {"--gc-sections"}}},
    {"init-tables", {"", "init-tables"}},
    {"check-sections", {"", "", {"--no-check-sections"}}},
    {"no-check-sections", {"", "!check"}},
    {"ignore-relocations", {"", "ignore-relocations"}},
    {"z", {"word=1", "z=word=1"}},

    {"Map", {"a.map", "map=a.map"}},
    {"print-map", {"", "print-map"}},
    {"cref", {"", "cref"}},
    {"map-by-address", {"", "map-by-address"}},
    {"map-script-lines", {"", "map-lines"}},
    {"time", {"", "time"}},
    {"time-trace", {"t.json", "trace-time=t.json"}},
    {"print-memory-usage", {"", "memory=text"}},
    {"map-json", {"a.json", "mapJson=a.json"}},
    {"html-report", {"a.html", "htmlReport=a.html"}},
    {"print-size-attribution", {"3", "attribution=3"}},
    {"answers-json", {"a.json", "answers=a.json"}},
    {"print-resource-usage", {"json", "resources=json"}},
    {"explain-script", {"json", "explain=json"}},
    {"stack-usage", {"json", "stacks=json"}},
    {"stack-usage-files", {"", "stack-files"}},
    {"stack-calls", {"calls", "stack-calls=calls"}},
    {"stack-limit", {"a=b=0x10", "stack-limit=a=b=16"}},
    {"report", {"", "memory=text resources=text"}},
    {"dump-types", {"", "types"}},
    {"print-gc-sections", {"gc.txt", "print-gc print-gc-file=gc.txt"}},
    {"no-print-gc-sections", {"", "", {"--print-gc-sections"}}},
    {"trace", {"", "trace"}},
    {"trace-symbol", {"sym", "trace-symbol=sym"}},
    {"why-live", {"f*", "why-live=f*"}},
    {"why-dead", {"f*", "why-dead=f*"}},
    {"why-extract", {"a.o", "why-extract-of=a.o"}},
    {"why-placed", {".text", "why-placed=.text"}},
    {"verbose", {"2", "verbose"}},
    {"size-budget", {"b.txt", "sizeBudget=b.txt"}},
    {"baseline", {"old.json", "baseline=old.json"}},
    {"list-relocations", {"", "relocations"}},
    {"print-machine", {"", "print-machine"}},
    {"print-vectors", {"", "print-vectors"}},
    {"check-machine", {"toy.machine", "check-machine=toy.machine"}},
    {"check-script", {"", "check-script"}},

    {"fatal-warnings", {"", "fatal"}},
    {"no-fatal-warnings", {"", "", {"--fatal-warnings"}}},
    {"no-warnings", {"", "quiet"}},
    {"error-parallel-usage", {"", "error-parallel"}},
    {"no-error-parallel-usage", {"", "", {"--error-parallel-usage"}}},
    {"error-stack-limit", {"", "error-stack"}},
    {"no-error-stack-limit", {"", "", {"--error-stack-limit"}}},
    {"warn-traps", {"", "", {"--no-warn-traps"}}},
    {"no-warn-traps",
     {"", "off=load-range "
          "off=load-align "
          "off=region-rights "
          "off=region-overlap "
          "off=same-address "
          "off=dropped-table "
          "off=gc-root "
          "off=image-gap "
          "off=stack-room "
          "off=load-symbol "
          "off=never-copied "
          "off=copy-offset "
          "off=outside-marks "
          "off=shadowed-pattern "
          "off=zero-end "
          "off=vector-align "
          "off=self-load "
          "off=noload-behind "
          "off=mangled-handler "
          "off=misspelt-handler "
          "off=weak-before-archive"}},
    {"check-traps",
     {"load-align", "off=load-range "
                    "off=region-rights "
                    "off=region-overlap "
                    "off=same-address "
                    "off=dropped-table "
                    "off=gc-root "
                    "off=image-gap "
                    "off=stack-room "
                    "off=load-symbol "
                    "off=never-copied "
                    "off=copy-offset "
                    "off=outside-marks "
                    "off=shadowed-pattern "
                    "off=zero-end "
                    "off=vector-align "
                    "off=self-load "
                    "off=noload-behind "
                    "off=mangled-handler "
                    "off=misspelt-handler "
                    "off=weak-before-archive"}},
    {"error-traps", {"load-align", "error-traps=load-align"}},
    {"print-traps", {"", "print-traps"}},
    {"error-limit", {"0x10", "error-limit=16"}},
    {"demangle", {"auto", "", {"--no-demangle"}}},
    {"no-demangle", {"", "!demangle"}},
    {"diagnostics-format", {"json", "messages=json"}},
    {"color-diagnostics", {"never", ""}},
    {"no-color-diagnostics", {"", ""}},

    {"help", {"", "help"}},
    {"help-all", {"", "help-all"}},
    {"version", {"", "version"}},
    {"v", {"", "v"}},
    {"V", {"", "v machines"}},
    {"threads", {"3", "threads=3"}},
    {"no-threads", {"", "threads=1"}},

    // Ignored rows whose value matters.
};

/// --warn-NAME and --no-warn-NAME of the groups are expected by rule.
const Expectation *expectationOf(StringRef name) {
  static std::map<std::string, Expectation> groups;
  static std::set<std::string> texts; // keeps the strings alive
  if (groups.empty())
    for (int g = 0; g != int(WarningGroup::Count_); ++g) {
      std::string group = warningGroupName(WarningGroup(g));
      const bool isOn = !llvm::is_contained(Config().disabledWarnings, group);
      const std::string no = isOn ? "no-" : "", yes = isOn ? "" : "no-";
      groups[yes + "warn-" + group] = {"", "", {"--" + no + "warn-" + group}};
      groups[no + "warn-" + group] = {
          "", texts.insert((isOn ? "off=" : "on=") + group).first->c_str()};
    }
  if (auto it = groups.find(name.str()); it != groups.end())
    return &it->second;
  auto it = expectations.find(name.str());
  return it == expectations.end() ? nullptr : &it->second;
}

struct Spelled {
  std::string word;
  OptionKind kind;
  bool mayBeEmpty = false;
};
std::vector<Spelled> spellingsOf(const Option &option) {
  std::vector<Spelled> result;
  StringRef rest = option.spellings;
  while (!rest.empty()) {
    auto [word, tail] = rest.split(' ');
    rest = tail;
    if (word.consume_back("[=]"))
      result.push_back({word.str(), OptionKind::OptionalValue});
    else if (word.consume_back("=?"))
      result.push_back({word.str(), OptionKind::Value, true});
    else if (word.consume_back("="))
      result.push_back({word.str(), OptionKind::Value});
    else if (word.consume_back("*"))
      result.push_back({word.str() + "something", OptionKind::OptionalValue});
    else
      result.push_back({word.str(), OptionKind::Flag});
  }
  return result;
}

/// How `spelled` may be written with `value`.
std::vector<std::vector<std::string>> forms(const Spelled &spelled,
                                            const std::string &value) {
  const std::string &word = spelled.word;
  std::vector<std::vector<std::string>> result;
  std::vector<std::string> dashes = {"--"};
  if (word.size() == 1)
    dashes = {"-"};
  else if (word[0] != 'o' && findOption(word))
    dashes.push_back("-");
  for (const std::string &dash : dashes) {
    std::string name = dash + word;
    if (spelled.kind == OptionKind::Flag)
      result.push_back({name});
    if (spelled.kind == OptionKind::Value)
      result.push_back({name, value});
    if (spelled.kind != OptionKind::Flag)
      result.push_back({name + (word.size() == 1 ? "" : "=") + value});
  }
  return result;
}

std::string printed(const std::vector<std::string> &args) {
  std::string text;
  for (const std::string &arg : args)
    text.append(arg).append(" ");
  return text;
}

TEST(OptionTable, EverySpellingOfEverySupportedRow) {
  std::set<std::string> used;
  for (const Option &option : optionTable().drop_front()) {
    if (option.status == OptionStatus::Refused || !option.set)
      continue;
    const Expectation *e = expectationOf(option.name());
    ASSERT_NE(e, nullptr) << "no expectation for " << option.name().str();
    used.insert(option.name().str());
    for (const Spelled &spelled : spellingsOf(option))
      for (const auto &form : forms(spelled, e->value)) {
        std::vector<std::string> args = e->before;
        args.insert(args.end(), form.begin(), form.end());
        args.insert(args.end(), e->after.begin(), e->after.end());
        EXPECT_EQ(outcome(args), e->config) << printed(args);
      }
  }
  for (const auto &[name, e] : expectations)
    EXPECT_TRUE(used.count(name)) << "no row for " << name;
}

TEST(OptionTable, IgnoredRowsChangeNothing) {
  for (const Option &option : optionTable()) {
    if (option.status != OptionStatus::Ignored || option.set)
      continue;
    for (const Spelled &spelled : spellingsOf(option))
      for (auto form : forms(spelled, "value")) {
        form.push_back("a.o");
        EXPECT_EQ(outcome(form), "file=a.o") << printed(form);
      }
  }
}

TEST(OptionTable, RefusedRowsSayWhy) {
  for (const Option &option : optionTable()) {
    if (option.status != OptionStatus::Refused)
      continue;
    EXPECT_EQ(option.set, nullptr);
    for (const Spelled &spelled : spellingsOf(option))
      for (const auto &form : forms(spelled, "value")) {
        std::string name = form[0];
        if (spelled.word.size() == 1)
          name = name.substr(0, 2);
        name = name.substr(0, name.find('='));
        EXPECT_EQ(outcome(form),
                  "xlink: error: option '" + name +
                      "' is not supported: " + std::string(option.text) + "\n");
      }
  }
}

TEST(OptionTable, FlagsTakeNoValue) {
  for (const Option &option : optionTable().drop_front()) {
    if (option.status == OptionStatus::Refused)
      continue;
    for (const Spelled &spelled : spellingsOf(option))
      if (spelled.kind == OptionKind::Flag && spelled.word.size() > 1) {
        EXPECT_EQ(outcome({"--" + spelled.word + "=x"}),
                  "xlink: error: option '--" + spelled.word +
                      "' takes no value\n>>> got 'x'\n");
      }
  }
}

TEST(OptionTable, ValuesMayNotBeMissing) {
  for (const Option &option : optionTable().drop_front()) {
    if (option.status == OptionStatus::Refused)
      continue;
    for (const Spelled &spelled : spellingsOf(option)) {
      if (spelled.kind != OptionKind::Value)
        continue;
      std::string name = dashed(spelled.word);
      std::string message =
          "xlink: error: option '" + name + "' needs a value\n";
      EXPECT_EQ(outcome({name}), message);
      if (option.status == OptionStatus::Supported && !spelled.mayBeEmpty)
        EXPECT_EQ(outcome({name, ""}), message);
      else {
        const Expectation *e = expectationOf(option.name());
        EXPECT_EQ(parse({name, e ? e->value : "none"}).messages, "");
      }
    }
  }
}

TEST(OptionTable, EveryRowHasHelp) {
  llvm::ArrayRef<Option> table = optionTable();
  for (size_t i = 1; i != table.size(); ++i) {
    const Option &option = table[i];
    bool takesValue = false;
    for (const Spelled &spelled : spellingsOf(option))
      takesValue |= spelled.kind != OptionKind::Flag;
    if (option.status == OptionStatus::Supported && takesValue &&
        option.name() != "verbose") {
      EXPECT_FALSE(option.value.empty()) << option.name().str();
    }
    if (!option.text.empty())
      continue;
    // Only a negation may leave its help to the row before.
    EXPECT_EQ(option.name(), "no-" + table[i - 1].name().str());
  }
}

TEST(OptionTable, EveryWarningGroupHasItsOptions) {
  for (int g = 0; g != int(WarningGroup::Count_); ++g) {
    std::string group = warningGroupName(WarningGroup(g));
    EXPECT_TRUE(findOption("warn-" + group)) << group;
    EXPECT_TRUE(findOption("no-warn-" + group)) << group;
  }
}

/// Whether the table says something of "name" or "-z word".
bool isKnown(StringRef name) {
  if (!name.consume_front("-z "))
    return findOption(name) || findOptionByPrefix(name);
  return llvm::any_of(zKeywordTable(), [&](const ZKeyword &keyword) {
    return StringRef(keyword.name).split('=').first == name;
  });
}

// What the other linkers' --help names is supported, ignored or refused here,
// with the reason. testdata/driver says where the lists are from.
TEST(OptionTable, EveryOptionOfTheOtherLinkers) {
  for (const char *list : {"gnu-options.txt", "lld-options.txt"}) {
    std::ifstream in(std::string(XLINK_TESTDATA "/driver/") + list);
    size_t names = 0;
    for (std::string name; std::getline(in, name); ++names)
      EXPECT_TRUE(isKnown(name)) << list << ": " << name;
    EXPECT_GT(names, 200u) << list;
  }
}

TEST(OptionTable, MachineWordsOfZ) {
  for (const ZKeyword &keyword : zKeywordTable()) {
    StringRef name = keyword.name;
    bool takesValue = name.consume_back("=");
    std::string word = name.str() + (takesValue ? "=4" : "");
    std::string expected;
    if (name == "max-page-size")
      expected = "page=4";
    else if (name == "undefs")
      expected = "unresolved=ignore";
    else if (name == "muldefs")
      expected = "multiple";
    else if (name == "start-stop-gc")
      expected = "start-stop-gc";
    else if (name == "dead-reloc-in-nonalloc")
      expected = "xlink: error: option '-z': 'dead-reloc-in-nonalloc=4' is not "
                 "GLOB=VALUE with a number\n";
    else if (keyword.status == OptionStatus::Refused)
      expected = "xlink: error: option '-z " + name.str() +
                 "' is not supported: " + std::string(keyword.text) + "\n";
    EXPECT_EQ(outcome({"-z", word}), expected) << word;
    EXPECT_EQ(outcome({"-z" + word}), expected) << word;
    std::string wrong = name.str() + (takesValue ? "" : "=4");
    EXPECT_EQ(outcome({"-z", wrong}),
              "xlink: error: option '-z': '" + wrong +
                  (takesValue ? "' needs a value after '='\n"
                              : "' takes no value\n"));
  }
  EXPECT_EQ(outcome({"-z", "place=offset", "-zother"}),
            "z=place=offset z=other");
}

} // namespace
