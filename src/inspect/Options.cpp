//===- Options.cpp --------------------------------------------------------===//
//
// A subcommand is an App of CLI11 with options of its own. CLI11 reports by
// exceptions: this file alone is compiled with them, and none leaves it.
//
//===----------------------------------------------------------------------===//
#include "inspect/Options.h"
#include "llvm/Support/GlobPattern.h"
#include <CLI/CLI.hpp>

using namespace llvm;

namespace xlink {

namespace {

/// The results of the parser.
struct ParsedOptions {
  InspectOptions options;
  std::vector<std::string> ignored;
  bool json = false, markdown = false;
};

/// A subcommand and the number of its files.
struct Subcommand {
  InspectOptions::Command which;
  const char *name, *files;
  size_t count;
  const char *help;
};
constexpr Subcommand kSubcommands[] = {
    {InspectOptions::Diff, "diff", "A B", 2,
     "What differs between two linked files, byte for byte: functions that "
     "changed, without what only moved"},
    {InspectOptions::Compare, "compare", "OLD NEW", 2,
     "What takes more memory, or less: regions, sections, archives, objects, "
     "functions; OLD and NEW: maps or ELF files"},
    {InspectOptions::Sizes, "sizes", "FILE", 1,
     "What takes the memory of an ELF file or a map: sections, archives, "
     "files, "
     "and the largest symbols"},
    {InspectOptions::Page, "page", "FILE", 1,
     "An ELF file or a map as a page for a browser; --json: the map that the "
     "page has"},
    {InspectOptions::Container, "xe", "FILE", 1,
     "The sectors of a container, and whether they are sound"}};

/// Declares the options of a subcommand.
void declare(CLI::App &sub, const Subcommand &command, ParsedOptions &to) {
  InspectOptions &options = to.options;
  sub.allow_extras(); // reported in a text of our own
  sub.add_option("files", options.files)->option_text(command.files);
  sub.add_flag("--json", to.json, "print the answer as JSON, for programs");
  auto add = [&](const char *name, auto &value, const char *text,
                 const char *help) {
    return sub.add_option(name, value, help)->option_text(text);
  };
  auto many = [](CLI::Option *option) {
    option->expected(1)->allow_extra_args(false);
    return option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  switch (command.which) {
  case InspectOptions::Diff:
    many(add("--ignore", to.ignored, "WHAT,...",
             "what does not count: build-id, comment, debug, symbols, tables, "
             "or patterns of section names"))
        ->delimiter(',');
    many(add("--map", options.maps, "FILE",
             "the map of A, and when given again of B; -: none"));
    break;
  case InspectOptions::Compare:
    sub.add_flag("--markdown", to.markdown, "as Markdown, for a pull request");
    break;
  case InspectOptions::Sizes:
    add("--rows", options.rows, "N", "rows of a table [default: 20]");
    break;
  case InspectOptions::Page:
    add("-o,--output", options.output, "OUT.html",
        "the page [default: standard output]");
    add("--baseline", options.baseline, "OLD",
        "show what changed since this ELF file or map");
    return;
  default:
    return;
  }
  sub.add_flag_callback(
      "--no-demangle", [&] { options.demangle = false; },
      "names of C++ and Rust as the file has them");
}

bool takeIgnored(ArrayRef<std::string> ignored, DiffIgnore &ignore,
                 Diagnostics &diag) {
  static constexpr std::pair<const char *, bool DiffIgnore::*> kWords[] = {
      {"build-id", &DiffIgnore::buildId},
      {"comment", &DiffIgnore::comment},
      {"debug", &DiffIgnore::debug},
      {"symbols", &DiffIgnore::symbols},
      {"tables", &DiffIgnore::tables}};
  for (const std::string &word : ignored) {
    std::string words;
    bool known = false;
    for (const auto &[name, member] : kWords) {
      words += name + std::string(", ");
      if (word == name)
        known = ignore.*member = true;
    }
    if (known)
      continue;
    Expected<GlobPattern> glob = GlobPattern::create(word);
    if (!glob || (!StringRef(word).starts_with(".") &&
                  word.find_first_of("*?[") == std::string::npos)) {
      consumeError(glob.takeError());
      diag.error("option '--ignore': '" + word + "' is none of " + words +
                 "nor a section: that begins with '.' or has a wildcard");
      return false;
    }
    ignore.sections.push_back(word);
  }
  return true;
}

/// Checks the words that CLI11 does not, and fills in the rest; false: an
/// error.
bool accept(const CLI::App &sub, const Subcommand &command, ParsedOptions &to,
            Diagnostics &diag) {
  InspectOptions &options = to.options;
  for (const std::string &word : sub.remaining()) {
    diag.error("unknown option '" + word + "' of " + command.name);
    return false;
  }
  if (options.files.size() != command.count) {
    diag.error(std::string(command.name) + " takes " +
               (command.count == 1 ? "one file" : "two files") + ", not " +
               std::to_string(options.files.size()));
    return false;
  }
  options.command = command.which;
  options.format = to.json       ? InspectOptions::Json
                   : to.markdown ? InspectOptions::Markdown
                                 : InspectOptions::Text;
  return takeIgnored(to.ignored, options.ignore, diag);
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
  ParsedOptions to;
  for (const Subcommand &command : kSubcommands)
    declare(*app.add_subcommand(command.name, command.help), command, to);
  try {
    // CLI11 takes its arguments from the end of the vector.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForVersion &version) {
    to.options.help = std::string(version.what()) + "\n";
    return to.options;
  } catch (const CLI::CallForHelp &) {
    to.options.help = app.help();
    return to.options;
  } catch (const std::exception &problem) {
    diag.error(std::string("command line: ") + problem.what());
    return std::nullopt;
  }
  const std::vector<CLI::App *> chosen = app.get_subcommands();
  if (chosen.size() == 1)
    for (const Subcommand &command : kSubcommands)
      if (chosen.front()->get_name() == command.name)
        return accept(*chosen.front(), command, to, diag)
                   ? std::optional(to.options)
                   : std::nullopt;
  const std::vector<std::string> others = app.remaining();
  diag.error(others.empty() ? "no subcommand"
                            : "unknown subcommand '" + others.front() + "'",
             {"diff, compare, sizes, page and xe are there; --help tells of "
              "them"});
  return std::nullopt;
}

} // namespace xlink
