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

/// The parser, and the texts of options that need a look of their own.
class Parser {
public:
  Parser();
  std::optional<InspectOptions> run(ArrayRef<std::string> arguments,
                                    Diagnostics &diag);

private:
  CLI::App *command(InspectOptions::Command which, const char *name,
                    const char *files, size_t count, const char *text);
  bool accept(const CLI::App &sub, Diagnostics &diag);
  bool takeIgnored(Diagnostics &diag);

  struct Subcommand {
    CLI::App *parser;
    InspectOptions::Command which;
    size_t files; ///< how many it takes
  };
  CLI::App app{"Answers about finished files: ELF files of any linker, "
               "containers of such, and maps\nof xlink --map-json. The exit "
               "status is 0 (equal, done), 1 (different) or 2 (trouble).",
               "xlink-inspect"};
  std::vector<Subcommand> commands;
  std::vector<std::string> ignored;
  InspectOptions options;
  bool json = false, markdown = false;
};

CLI::App *Parser::command(InspectOptions::Command which, const char *name,
                          const char *files, size_t count, const char *text) {
  CLI::App *sub = app.add_subcommand(name, text);
  sub->allow_extras(); // reported in words of our own
  sub->add_option("files", options.files)->option_text(files);
  sub->add_flag("--json", json, "print the answer as JSON, for programs");
  commands.push_back({sub, which, count});
  return sub;
}

Parser::Parser() {
  app.allow_extras();
  app.set_version_flag("--version", "xlink-inspect " XLINK_VERSION);
  auto many = [](CLI::Option *option, const char *value) {
    option->expected(1)->allow_extra_args(false)->option_text(value);
    return option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  };
  auto names = [&](CLI::App *sub) {
    sub->add_flag_callback(
        "--no-demangle", [&] { options.demangle = false; },
        "names of C++ and Rust as the file has them");
  };

  CLI::App *diff =
      command(InspectOptions::Diff, "diff", "A B", 2,
              "What differs between two linked files, byte for byte: functions "
              "that changed, without what only moved");
  many(diff->add_option("--ignore", ignored,
                        "what does not count: build-id, comment, debug, "
                        "symbols, tables, or patterns of section names"),
       "WHAT,...")
      ->delimiter(',');
  many(diff->add_option("--map", options.maps,
                        "the map of A, and when given again of B; -: none"),
       "FILE");
  names(diff);

  CLI::App *compare =
      command(InspectOptions::Compare, "compare", "OLD NEW", 2,
              "What takes more memory, or less: regions, sections, archives, "
              "objects, functions; OLD and NEW: maps or ELF files");
  compare->add_flag("--markdown", markdown, "as Markdown, for a pull request");
  names(compare);

  CLI::App *sizes =
      command(InspectOptions::Sizes, "sizes", "FILE", 1,
              "What takes the memory of an ELF file or a map: sections, "
              "archives, files, and the largest symbols");
  sizes->add_option("--rows", options.rows, "rows of a table [default: 20]")
      ->option_text("N");
  names(sizes);

  CLI::App *page = command(InspectOptions::Page, "page", "FILE", 1,
                           "An ELF file or a map as a page for a browser; "
                           "--json: the map that the page has");
  page->add_option("-o,--output", options.output,
                   "the page [default: standard output]")
      ->option_text("OUT.html");
  page->add_option("--baseline", options.baseline,
                   "show what changed since this ELF file or map")
      ->option_text("OLD");
  names(page);

  command(InspectOptions::Container, "xe", "FILE", 1,
          "The sectors of a container, and whether they are sound");
}

bool Parser::takeIgnored(Diagnostics &diag) {
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
        known = options.ignore.*member = true;
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
    options.ignore.sections.push_back(word);
  }
  return true;
}

/// Checks what CLI11 does not: other words, and the number of files.
bool Parser::accept(const CLI::App &sub, Diagnostics &diag) {
  for (const std::string &word : sub.remaining()) {
    diag.error("unknown option '" + word + "' of " + sub.get_name());
    return false;
  }
  for (const Subcommand &command : commands)
    if (command.parser == &sub) {
      options.command = command.which;
      if (options.files.size() == command.files)
        continue;
      diag.error(sub.get_name() + " takes " +
                 (command.files == 1 ? "one file" : "two files") + ", not " +
                 std::to_string(options.files.size()));
      return false;
    }
  options.format = json       ? InspectOptions::Json
                   : markdown ? InspectOptions::Markdown
                              : InspectOptions::Text;
  return takeIgnored(diag);
}

std::optional<InspectOptions> Parser::run(ArrayRef<std::string> arguments,
                                          Diagnostics &diag) {
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
  if (chosen.size() == 1)
    return accept(*chosen.front(), diag) ? std::optional(options)
                                         : std::nullopt;
  const std::vector<std::string> others = app.remaining();
  diag.error(others.empty() ? "no subcommand"
                            : "unknown subcommand '" + others.front() + "'",
             {"diff, compare, sizes, page and xe are there; --help tells of "
              "them"});
  return std::nullopt;
}

} // namespace

std::optional<InspectOptions>
parseInspectOptions(ArrayRef<std::string> arguments, Diagnostics &diag) {
  return Parser().run(arguments, diag);
}

} // namespace xlink
