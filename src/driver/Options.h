//===- Options.h - the command line ---------------------------------------===//
//
// One table has all that the command line understands. The normaliser looks
// names up in it, --help prints it, and the tests walk over it.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_DRIVER_OPTIONS_H
#define XLINK_DRIVER_OPTIONS_H

#include "base/Config.h"
#include "base/Diagnostics.h"
#include <string_view>

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

class OutputSink;
struct Program;
struct Target;

enum class OptionKind : uint8_t {
  Flag,          ///< takes no value
  Value,         ///< --name=value, --name value, -nvalue, -n value
  OptionalValue, ///< --name, --name=value, -n, -nvalue
};
enum class OptionGroup : uint8_t {
  Input,
  Output,
  Symbols,
  Layout,
  Reports,
  Messages,
  Running,
  Count_,
};
enum class OptionStatus : uint8_t {
  Supported,
  Ignored, ///< accepted without effect
  Refused, ///< an error that says why
};

/// The kind of file that the value of an option names.
enum class FileUse : uint8_t {
  None,         ///< no file
  Read,         ///< a file that is read
  ReadKeyed,    ///< KEY=FILE
  Directory,    ///< a directory in which files are looked for
  Written,      ///< a file that is written
  WrittenKeyed, ///< KEY=FILE
};

/// The state of a command line that is being turned into a Config.
struct Settings {
  Config &config;
  DiagnosticBuffer &messages;
  std::string option; ///< how messages call the option at hand: "--threads"

  /// Modes of the inputs that follow.
  struct Mode {
    bool wholeArchive = false;
    bool lazy = false;
    InputForm form = InputForm::Recognized; ///< -b
  };
  Mode mode;
  std::vector<Mode> savedModes; ///< --push-state
  bool ignoreUnresolved = false;
  bool warnUnresolved = false;

  /// "option '--threads': 'x' WHY"
  void reject(llvm::StringRef value, llvm::StringRef why);
};
/// Sets a member of the configuration.
template <auto Member, auto Value = true>
void setTo(Settings &s, llvm::StringRef) {
  s.config.*Member = Value;
}

/// A row: one option with all its spellings, or several that share their fate.
struct Option {
  /// Words without dashes, the first being the name that messages use. The end
  /// of a word tells its value: "name" none, "name=" one, "name=?" one
  /// that may be empty, "name[=]" perhaps one; "name*" stands for every name
  /// with that beginning. Words of one character are written with one dash, the
  /// others with one or two, except that those beginning with `o` need two:
  /// -omagic is -o magic.
  std::string_view spellings;
  std::string_view value; ///< its name in --help
  OptionGroup group;
  OptionStatus status;
  /// Help, or the reason why it is ignored or refused. Empty in the negation of
  /// the row before, with which it shares a line of help.
  std::string_view text;
  /// Applies a value ("" where there is none). Null: there is nothing to do.
  void (*set)(Settings &settings, llvm::StringRef value);
  FileUse file = FileUse::None;

  /// The first spelling, without dashes.
  llvm::StringRef name() const;
};

/// Every option. The first row stands for the inputs themselves and has no
/// spelling that a user could write.
llvm::ArrayRef<Option> optionTable();

/// A spelling found in the table.
struct OptionMatch {
  const Option *option = nullptr;
  OptionKind kind = OptionKind::Flag;
  bool mayBeEmpty = false;
  explicit operator bool() const { return option; }
};
/// Looks a spelling up (no dashes, no value).
OptionMatch findOption(llvm::StringRef spelling);
/// Looks a spelling up among the beginnings ("name*").
OptionMatch findOptionByPrefix(llvm::StringRef spelling);
/// The word as a user writes it: "-o", "--output", "-Map".
std::string dashed(llvm::StringRef spelling);
/// All spellings without dashes, for near spellings and tests.
std::vector<llvm::StringRef> allSpellings();

/// Whether messages go to a terminal that is not asked to stay plain
/// (NO_COLOR).
bool colorOnTerminal();

/// A word of -z that means the same for every machine.
struct ZKeyword {
  std::string_view name; ///< "defs", "max-page-size="
  OptionStatus status;
  std::string_view text; ///< help or reason
  void (*set)(Settings &settings, llvm::StringRef value);
};
/// One for each word.
std::vector<ZKeyword> zKeywordTable();
/// -z WORD
void setZKeyword(Settings &settings, llvm::StringRef value);

/// A decimal number, or a hexadecimal one after 0x; nothing else around it.
bool parseNumber(llvm::StringRef text, uint64_t &number);

/// The command line, as far as it could be understood.
struct ParsedCommandLine {
  Config config;
  bool ok = false; ///< no error was reported
};

/// Parses the arguments (without argv[0]); response files are read through `fs`
/// (null: the operating system). Reports every mistake to `diag`, after giving
/// it the policy (--error-limit, -w, ...) that the arguments ask for.
ParsedCommandLine parseCommandLine(llvm::ArrayRef<const char *> args,
                                   llvm::vfs::FileSystem *fs,
                                   Diagnostics &diag);

/// An argument whose option is known.
struct Argument {
  const Option *option;  ///< the table's first row for an input
  llvm::StringRef value; ///< in an argument; "" where there is none
};

/// Splits arguments into options and values, in order. Unknown options, missing
/// and unwanted values are reported and left out. The result borrows from
/// `args`.
std::vector<Argument> normalize(llvm::ArrayRef<std::string> args,
                                DiagnosticBuffer &messages);

/// Arguments, and the response files that some of them come from.
struct ExpandedArguments {
  std::vector<std::string> words, paths;
};

/// Replaces each @FILE by the arguments that the file holds.
ExpandedArguments expandResponseFiles(llvm::ArrayRef<const char *> args,
                                      llvm::vfs::FileSystem *fs,
                                      DiagnosticBuffer &messages);

/// --help. `files`: the names of machine files that are shipped.
std::string helpText(bool all, llvm::ArrayRef<std::string> files = {});
/// --version and -v: one line.
std::string versionText();
/// -V: with the machines.
std::string machinesText(llvm::ArrayRef<std::string> files = {});
/// Modes that print something instead of linking: into `text`. `target`: that
/// of -m, or null. False: there is no such option.
bool printedInstead(const Config &config, llvm::vfs::FileSystem *fs,
                    const Target *target, std::string &text, Diagnostics &diag);

/// --reproduce: writes all files that the link reads, the command line and the
/// version to a tar file, from which the link can be repeated elsewhere.
/// Whether the link succeeds does not matter.
void writeReproduction(const Program &program, llvm::vfs::FileSystem *fs,
                       OutputSink &sink, Diagnostics &diag);

} // namespace xlink
#endif
