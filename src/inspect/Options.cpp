//===- Options.cpp --------------------------------------------------------===//
//
// A subcommand is an App of CLI11 with options of its own. CLI11 reports by
// exceptions: this file alone is compiled with them, and none leaves it.
//
//===----------------------------------------------------------------------===//
#include "inspect/Options.h"
#include "checks/CheckTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/GlobPattern.h"
#include <CLI/CLI.hpp>

using namespace llvm;

namespace xlink {

namespace {

/// A subcommand and the number of its files.
struct Subcommand {
  const char *name, *files;
  size_t count;
  const char *help;
};
/// In the order of InspectOptions::Command.
constexpr Subcommand kSubcommands[] = {
    {"diff", "A B", 2,
     "What differs between two linked files, byte for byte: functions that "
     "changed, without what only moved"},
    {"compare", "OLD NEW", 2,
     "What takes more memory, or less: regions, sections, archives, objects, "
     "functions; OLD and NEW: maps or ELF files"},
    {"sizes", "FILE", 1,
     "What takes the memory of an ELF file or a map: sections, archives, "
     "files, "
     "and the largest symbols"},
    {"page", "FILE", 1,
     "An ELF file or a map as a page for a browser; --json: the map that the "
     "page has"},
    {"checks", "FILE", 1,
     "Likely mistakes in an ELF file of any machine: programs that fail on the "
     "board although the link succeeded"},
    {"xe", "FILE", 1,
     "The sectors of a container, and whether they are sound"}};

/// Declares the options of compare, sizes and page about their maps.
void declareMaps(CLI::App &sub, InspectOptions::Command command,
                 InspectOptions &options) {
  sub.add_option("--map", options.map,
                 "the map that the linker wrote beside the ELF file, -Map of "
                 "GNU ld, xlink or lld: members of archives, constants without "
                 "a symbol, discarded sections")
      ->option_text("TEXT");
  sub.add_flag("--by-source", options.bySource,
               "name the compiled files of an ELF file, by its DWARF");
  if (command == InspectOptions::Sizes)
    sub.add_flag("--sections", options.sectionsAlone,
                 "sections and regions alone: symbols are not read");
  else
    sub.add_option("--old-map", options.oldMap, "likewise, beside OLD")
        ->option_text("TEXT");
}

/// Declares the options of a subcommand.
void declare(CLI::App &sub, InspectOptions::Command command,
             InspectOptions &options, std::vector<std::string> &ignored) {
  sub.allow_extras(); // reported in a text of our own
  sub.add_option("files", options.files)
      ->option_text(kSubcommands[command].files);
  sub.add_flag_callback(
      "--json", [&] { options.format = InspectOptions::Json; },
      "print the answer as JSON, for programs");
  auto add = [&](const char *name, auto &value, const char *text,
                 const char *help) {
    return sub.add_option(name, value, help)->option_text(text);
  };
  using Command = InspectOptions::Command;
  if (command == Command::Compare || command == Command::Sizes ||
      command == Command::Page)
    declareMaps(sub, command, options);
  if (command != Command::Container)
    add("-m,--machine", options.machine, "FILE",
        "the files' machine, if it is not built in: its file, or its name as "
        "in xlink -m");
  switch (command) {
  case InspectOptions::Diff:
    add("--ignore", ignored, "WHAT,...",
        "what does not count: build-id, comment, debug, symbols, tables, or "
        "patterns of section names")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->delimiter(',');
    break;
  case InspectOptions::Compare:
    sub.add_flag_callback(
        "--markdown",
        [&] {
          if (options.format == InspectOptions::Text)
            options.format = InspectOptions::Markdown;
        },
        "as Markdown, for a pull request");
    [[fallthrough]];
  case InspectOptions::Sizes:
    add("--rows", options.rows, "N", "rows of a table [default: 20]");
    break;
  case InspectOptions::Page:
    add("-o,--output", options.output, "OUT.html",
        "the page [default: standard output]");
    add("--baseline", options.baseline, "OLD",
        "show what changed since this ELF file or map");
    return;
  case InspectOptions::Checks:
    add("-T,--script", options.checks.scripts, "SCRIPT",
        "the linker script: its regions and statements are checked too")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    add("--check-traps", options.checks.groups, "LIST",
        "only the checks in LIST, with commas between them; xlink "
        "--print-traps lists them")
        ->expected(1)
        ->allow_extra_args(false)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->delimiter(',');
    break;
  default:
    return;
  }
  sub.add_flag_callback(
      "--no-demangle", [&] { options.demangle = false; },
      "names of C++ and Rust as the file has them");
}

/// Takes the words of --ignore. The result is an error, or "".
std::string takeIgnored(ArrayRef<std::string> ignored, DiffIgnore &ignore) {
  for (const std::string &word : ignored) {
    if (bool *known = StringSwitch<bool *>(word)
                          .Case("build-id", &ignore.buildId)
                          .Case("comment", &ignore.comment)
                          .Case("debug", &ignore.debug)
                          .Case("symbols", &ignore.symbols)
                          .Case("tables", &ignore.tables)
                          .Default(nullptr)) {
      *known = true;
      continue;
    }
    Expected<llvm::GlobPattern> glob = llvm::GlobPattern::create(word);
    if (!glob || (!StringRef(word).starts_with(".") &&
                  word.find_first_of("*?[") == std::string::npos)) {
      consumeError(glob.takeError());
      return "option '--ignore': '" + word +
             "' is none of build-id, comment, debug, symbols, tables, nor a "
             "section: that begins with '.' or has a wildcard";
    }
    ignore.sections.push_back(word);
  }
  return "";
}

/// Checks the names of --check-traps. The result is an error, or "".
std::string findUnknownCheck(ArrayRef<std::string> groups) {
  std::vector<StringRef> names;
  for (const LinkCheck &check : kChecks)
    names.push_back(warningGroupName(check.group));
  for (const std::string &group : groups)
    if (!is_contained(names, group)) {
      const std::string near = nearestSpelling(group, names);
      return "option '--check-traps': '" + group + "' is no trap; " +
             (near.empty() ? "xlink --print-traps lists them"
                           : "did you mean '" + near + "'?");
    }
  return "";
}

} // namespace

std::optional<InspectOptions>
parseInspectOptions(ArrayRef<std::string> arguments, Diagnostics &diag) {
  CLI::App app{"Answers about finished files: ELF files of any linker, "
               "containers of such, and maps\nof xlink --map-json. The exit "
               "status is 0 (equal, done), 1 (different) or 2 (trouble).",
               "xlink-inspect"};
  app.allow_extras();
  app.set_version_flag("--version", "xlink-inspect " XLINK_VERSION);
  InspectOptions options;
  std::vector<std::string> ignored;
  for (const auto &[i, command] : enumerate(kSubcommands))
    declare(*app.add_subcommand(command.name, command.help),
            InspectOptions::Command(i), options, ignored);
  try {
    // CLI11 takes its arguments from the end of the vector.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForVersion &version) {
    options.help = std::string(version.what()) + "\n";
    return options;
  } catch (const CLI::CallForHelp &) {
    options.help = app.help();
    return options;
  } catch (const std::exception &problem) {
    diag.error(std::string("command line: ") + problem.what());
    return std::nullopt;
  }
  const std::vector<CLI::App *> chosen = app.get_subcommands();
  if (chosen.size() != 1) {
    const std::vector<std::string> others = app.remaining();
    diag.error(others.empty() ? "no subcommand"
                              : "unknown subcommand '" + others.front() + "'",
               {"the subcommands are diff, compare, sizes, page, checks and "
                "xe; --help "
                "describes them"});
    return std::nullopt;
  }
  const Subcommand *command =
      find_if(kSubcommands, [&](const Subcommand &subcommand) {
        return chosen.front()->get_name() == subcommand.name;
      });
  options.command = InspectOptions::Command(command - kSubcommands);
  std::string problem;
  if (const auto words = chosen.front()->remaining(); !words.empty())
    problem = "unknown option '" + words.front() + "' of " + command->name;
  else if (options.files.size() != command->count)
    problem = std::string(command->name) + " takes " +
              (command->count == 1 ? "one file" : "two files") + ", not " +
              std::to_string(options.files.size());
  else if (options.command == InspectOptions::Page &&
           options.baseline.empty() && !options.oldMap.empty())
    problem = "option '--old-map' is the map beside --baseline, which is not "
              "there";
  else if (options.sectionsAlone && options.bySource)
    problem = "option '--by-source' is about files, which '--sections' leaves "
              "out";
  else
    problem = takeIgnored(ignored, options.ignore);
  if (problem.empty())
    problem = findUnknownCheck(options.checks.groups);
  if (problem.empty())
    return options;
  diag.error(problem);
  return std::nullopt;
}

} // namespace xlink
