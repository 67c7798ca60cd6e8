//===- Options.cpp - the command line -------------------------------------===//
//
// The arguments take four steps: response files are expanded, the many forms of
// linkers' options become (option, value) pairs, CLI11 parses these but for the
// inputs, and the setters of the option table turn its results into a Config,
// in order.
//
// CLI11 keeps one entry per occurrence in parse_order(), which a linker needs:
// the order gives --whole-archive, -l and files their meaning.
// Adding an option to CLI11 compares its name with all that are there, and a
// linker has several hundred; so only those that occur on this command line are
// added.
//
// CLI11 reports by exceptions. This file alone is compiled with them, and none
// leaves it.
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"
#include "arch/Target.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include <CLI/CLI.hpp>
#include <cstdlib>

using namespace llvm;

namespace xlink {

bool colorOnTerminal() {
  const char *off = getenv("NO_COLOR");
  // A terminal that calls itself dumb would show the escape sequences.
  const char *terminal = std::getenv("TERM");
  return !(off && *off) && StringRef(terminal ? terminal : "") != "dumb" &&
         sys::Process::StandardErrIsDisplayed();
}

bool parseNumber(StringRef text, uint64_t &number) {
  if (text.consume_front("0x") || text.consume_front("0X"))
    return !text.empty() && !text.getAsInteger(16, number);
  return !text.empty() && !text.getAsInteger(10, number);
}

namespace {

/// Runs CLI11 over the options among the normalised arguments, and calls
/// apply(option, value) for all arguments in order. Returns CLI11's complaint,
/// or "".
std::string runParser(ArrayRef<Argument> arguments,
                      function_ref<void(const Option &, StringRef)> apply) {
  struct Registered {
    std::string name;
    size_t used = 0; ///< results already applied
  };
  DenseMap<const Option *, Registered> registered;
  const Option *input = &optionTable().front();
  try {
    CLI::App app;
    app.set_help_flag();
    std::vector<std::string> words;
    for (const Argument &a : arguments) {
      if (a.option == input)
        continue;
      std::string &name = registered[a.option].name;
      if (name.empty()) {
        name = "--" + a.option->name().str();
        app.add_option(name, CLI::callback_t{})
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
      }
      // "--name=" would let CLI11 take the next word for the value.
      words.push_back(a.value.empty() ? name : name + '=' + a.value.str());
      if (a.value.empty())
        words.emplace_back();
    }
    // CLI11 takes its arguments from the end of the vector.
    std::reverse(words.begin(), words.end());
    app.parse(std::move(words));
    auto parsed = app.parse_order().begin();
    for (const Argument &a : arguments) {
      if (a.option == input)
        apply(*input, a.value);
      else
        apply(*a.option, (*parsed++)->results()[registered[a.option].used++]);
    }
  } catch (const std::exception &e) {
    return e.what();
  }
  return "";
}

} // namespace

/// The policy that a configuration asks of a link's messages.
static Diagnostics::Policy diagnosticPolicy(const Config &config) {
  Diagnostics::Policy policy;
  if (config.errorLimit)
    policy.errorLimit = *config.errorLimit;
  policy.fatalWarnings = config.fatalWarnings;
  policy.noWarnings = config.noWarnings;
  policy.disabledGroups = config.disabledWarnings;
  return policy;
}

ParsedCommandLine parseCommandLine(ArrayRef<const char *> args,
                                   vfs::FileSystem *fs, Diagnostics &diag) {
  ParsedCommandLine result;
  // Messages wait until the policy is known that the arguments ask for.
  DiagnosticBuffer messages;
  Settings settings{result.config, messages, {}, {}, {}, false, false};
  result.config.color = colorOnTerminal();

  const ExpandedArguments expanded = expandResponseFiles(args, fs, messages);
  result.config.namedFiles = expanded.paths;
  std::vector<Argument> arguments = normalize(expanded.words, messages);
  const Option *input = &optionTable().front();
  if (any_of(arguments, [&](const Argument &a) {
        return a.option != input && a.option->name() == "reproduce";
      }))
    for (const Argument &a : arguments)
      result.config.arguments.emplace_back(
          a.option == input ? "" : a.option->name().str(), a.value.str());
  result.config.inputs.reserve(arguments.size());
  const Option *last = nullptr;
  std::string complaint =
      runParser(arguments, [&](const Option &option, StringRef value) {
        if (&option != last)
          settings.option = dashed(option.name());
        last = &option;
        option.set(settings, value);
        if (&option == input)
          return;
        if (option.file == FileUse::Read)
          result.config.namedFiles.push_back(value.str());
        else if (option.file == FileUse::ReadKeyed)
          result.config.namedFiles.push_back(value.split('=').second.str());
      });
  if (!complaint.empty())
    messages.error("command line: " + complaint);

  if (settings.mode.lazy)
    messages.error("--start-lib without --end-lib");
  if (Config &config = result.config;
      !config.retainSymbolsFile.empty() && config.strip != Strip::None) {
    config.strip = Strip::None; // as GNU ld
    messages.warn(WarningGroup::General,
                  "option '--retain-symbols-file' overrides '-s' and '-S'");
  }
  if (settings.ignoreUnresolved)
    result.config.unresolved = UnresolvedPolicy::Ignore;
  else if (settings.warnUnresolved)
    result.config.unresolved = UnresolvedPolicy::Warn;

  uint64_t before = diag.errorCount();
  diag.setPolicy(diagnosticPolicy(result.config));
  diag.append(std::move(messages));
  result.ok = diag.errorCount() == before;
  return result;
}

//===----------------------------------------------------------------------===//
// The words of -z
//
// Words that mean the same for every machine. Other words may be the machine's
// own, which is looked up when it is known.
//
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// --help and --version
//
// Everything here is read from the option table and the machines' registry.
// Some lines are there for programs that ask linkers questions: libtool looks
// for "supported targets:.* elf" in --help, and build systems for "GNU" in the
// version.
//
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t column = 30;
constexpr size_t lineLength = 80;

/// By OptionGroup.
constexpr const char *kGroupTitles[] = {
    "Input", "Output", "Symbols", "Layout", "Reports", "Messages", "Running"};
static_assert(std::size(kGroupTitles) == size_t(OptionGroup::Count_));

/// Appends `text` from `indent` on, breaking lines between words. The current
/// line is `used` long.
void wrap(std::string &out, StringRef text, size_t indent, size_t used) {
  if (used + 1 > indent) {
    out += '\n';
    used = 0;
  }
  out.append(indent - used, ' ');
  size_t at = indent;
  while (!text.empty()) {
    auto [word, rest] = text.split(' ');
    if (at != indent && at + 1 + word.size() > lineLength) {
      out += '\n';
      out.append(indent, ' ');
      at = indent;
    } else if (at != indent) {
      out += ' ';
      ++at;
    }
    out += word;
    at += word.size();
    text = rest;
  }
  out += '\n';
}

void line(std::string &out, const std::string &left, StringRef text) {
  out += "  " + left;
  wrap(out, text, column, left.size() + 2);
}

/// One spelling with its value: "-o FILE", "--output=FILE".
std::string show(StringRef word, StringRef value, bool negatable) {
  bool optional = word.consume_back("[=]");
  bool takes = !optional && (word.consume_back("=?") || word.consume_back("="));
  std::string text =
      negatable && word.size() > 1 ? "--[no-]" + word.str() : dashed(word);
  if (takes)
    text.append(word.size() == 1 ? " " : "=").append(value);
  else if (optional && !value.empty())
    text.append(word.size() == 1 ? "[" : "[=").append(value).append("]");
  return text;
}

/// Letters first: "-o FILE, --output=FILE".
std::string showAll(const Option &option, bool negatable) {
  std::string letters, names;
  for (StringRef word : split(option.spellings, ' ')) {
    std::string text = show(word, option.value, negatable);
    std::string &list =
        word.take_front(word.find_first_of("[=")).size() > 1 ? names : letters;
    list += (list.empty() ? "" : ", ") + text;
  }
  if (letters.empty() || names.empty())
    return letters + names;
  return letters + ", " + names;
}

/// Lists options and words of -z that share a reason, once for each reason.
void listByReason(std::string &out, OptionStatus status) {
  MapVector<StringRef, std::string> reasons;
  for (const Option &option : optionTable())
    if (option.status == status)
      for (StringRef word : split(option.spellings, ' '))
        reasons[option.text] +=
            " " + dashed(word.take_front(word.find_first_of("[=")));
  // A no-break stand-in, so that the word stays with its -z.
  for (const ZKeyword &keyword : zKeywordTable())
    if (keyword.status == status)
      reasons[keyword.text] +=
          " -z\x01" + StringRef(keyword.name).rtrim('=').str();
  for (const auto &[reason, list] : reasons) {
    wrap(out, reason.str() + ":", 2, 0);
    const size_t start = out.size();
    wrap(out, StringRef(list).ltrim(), 6, 0);
    std::replace(out.begin() + start, out.end(), '\x01', ' ');
  }
}

} // namespace

std::string helpText(bool all, ArrayRef<std::string> files) {
  std::string out = "Usage: xlink [options] file...\n"
                    "Links ELF objects and archives into an executable.\n"
                    "\n"
                    "Long options may be written with one dash, except those "
                    "that begin with o;\n"
                    "@FILE stands for the arguments in FILE. What compiler "
                    "drivers hand on stands\n"
                    "for itself: -Wl,A,B and -Wm,A,B for A and B, -Xlinker A "
                    "and -Xmapper A for A.\n";
  ArrayRef<Option> table = optionTable().drop_front();
  for (size_t g = 0; g != size_t(OptionGroup::Count_); ++g) {
    out += std::string("\n") + kGroupTitles[g] + ":\n";
    for (size_t i = 0; i != table.size(); ++i) {
      const Option &option = table[i];
      if (option.group != OptionGroup(g) || option.text.empty() ||
          option.status != OptionStatus::Supported)
        continue;
      bool negatable = i + 1 != table.size() && table[i + 1].text.empty();
      line(out, showAll(option, negatable), option.text);
      if (option.name() != "z")
        continue;
      for (const ZKeyword &keyword : zKeywordTable())
        if (keyword.status == OptionStatus::Supported) {
          std::string name(keyword.name);
          line(out, "-z " + name + (name.back() == '=' ? "N" : ""),
               keyword.text);
        }
    }
  }
  if (!all) {
    out +=
        "\nOptions that are accepted and ignored, and those that are refused: "
        "--help-all.\n";
  } else {
    out += "\nAccepted and ignored:\n";
    listByReason(out, OptionStatus::Ignored);
    out += "\nRefused:\n";
    listByReason(out, OptionStatus::Refused);
  }

  out += "\nMachines (-m):\n";
  for (const Target *target : allTargets()) {
    std::string names = target->name;
    for (const char *alias : target->aliases)
      names += std::string(", ") + alias;
    line(out, names, target->description);
    auto list = [&](std::string text, ArrayRef<const char *> words) {
      for (const char *word : words)
        text += std::string(" ") + word;
      if (!words.empty())
        wrap(out, text, column, 0);
    };
    std::vector<const char *> cpus;
    for (const Cpu &cpu : target->cpus)
      cpus.push_back(cpu.name);
    list("--mcpu:", cpus);
    list("-z:", target->zKeywords);
  }
  if (!files.empty())
    wrap(out, "Machine files: " + join(files, ", "), 2, 0);
  out += "\nxlink: supported targets: elf32-little elf64-little elf32-big "
         "elf64-big\n";
  return out;
}

std::string versionText() {
  return "xlink " XLINK_VERSION " (compatible with GNU linkers)\n";
}

std::string machinesText(ArrayRef<std::string> files) {
  std::string out = "  Supported machines:\n";
  for (const Target *target : allTargets())
    out += std::string("   ") + target->name + "\n";
  for (const std::string &file : files)
    out += "   " + file + "\n";
  return out;
}

} // namespace xlink
