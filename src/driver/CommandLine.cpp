//===- CommandLine.cpp - from arguments as written to one form ------------===//
//
// Response files, as in the GNU tools: an argument @FILE stands for the
// arguments in FILE, which white space separates; quotes of either kind keep
// white space, and a backslash takes the character behind it literally, inside
// quotes too. A file may name further files. An argument whose file cannot be
// read stays as it is, a file called "@FILE", and opening that input reports
// the fault. Files that include each other are caught twice: by the names being
// expanded, and (the same file under many names) by a limit on the depth and on
// the number of files.
//
// Linkers' options come in more forms than a general parser of command lines
// understands: -lfoo and -l foo, -Map=x and --Map x, -Ttext 0 and -Tscript.ld,
// -z now. This pass brings all of them into the form (option, value), in order.
//
// An argument with two dashes is a long name, up to its `=`. One with a single
// dash is first looked up as a long name too (-static, -Map=x), then as a
// letter with its value joined (-lfoo), and only exact names count, so that
// -Tdata.ld is a script and -Tdata=0 an address. The letter `o` is the
// exception that GNU ld makes: -omagic is an output called "magic". Long names
// cannot be abbreviated: the meaning of an abbreviation would change with each
// new option.
//
// Compiler drivers hand options on as -Wl,A,B (some also as -Wm,A,B) or
// -Xlinker A (-Xmapper A). Given to the linker itself they mean A and B.
//
//===----------------------------------------------------------------------===//

#include "base/MappedFile.h"
#include "driver/Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {

//===----------------------------------------------------------------------===//
// Response files
//===----------------------------------------------------------------------===//

namespace {

constexpr size_t maxDepth = 32;
constexpr size_t maxFiles = 2000; // as libiberty has it

/// The arguments in `text`.
std::vector<std::string> splitArguments(StringRef text) {
  std::vector<std::string> arguments;
  for (text = text.ltrim(); !text.empty(); text = text.ltrim()) {
    std::string &argument = arguments.emplace_back();
    char quote = 0;
    for (; !text.empty() && (quote || !isSpace(text.front()));
         text = text.drop_front()) {
      const char c = text.front();
      if (c == '\\' && text.size() > 1) {
        text = text.drop_front();
        argument += text.front();
      } else if (c == quote) {
        quote = 0;
      } else if (!quote && (c == '\'' || c == '"')) {
        quote = c;
      } else {
        argument += c;
      }
    }
  }
  return arguments;
}

class Expander {
public:
  Expander(vfs::FileSystem *fs, DiagnosticBuffer &messages)
      : fs(fs), messages(messages) {}

  void add(std::string arg) {
    if (arg.size() < 2 || arg[0] != '@') {
      result.words.push_back(std::move(arg));
      return;
    }
    std::string path = arg.substr(1);
    if (is_contained(open, path)) {
      messages.error("response file '" + path + "' includes itself");
      return;
    }
    if (open.size() == maxDepth || result.paths.size() == maxFiles) {
      if (!stopped)
        messages.error("response file '" + path +
                       "' is not read: too many response files inside one "
                       "another");
      stopped = true;
      return;
    }
    std::string reason;
    const std::unique_ptr<MemoryBuffer> buffer = openFile(fs, path, reason);
    if (!buffer) {
      result.words.push_back(std::move(arg));
      return;
    }
    result.paths.push_back(path);
    open.push_back(std::move(path));
    for (std::string &inner : splitArguments(buffer->getBuffer()))
      add(std::move(inner));
    open.pop_back();
  }

  ExpandedArguments result;

private:
  vfs::FileSystem *fs;
  DiagnosticBuffer &messages;
  std::vector<std::string> open; ///< files being expanded, outermost first
  bool stopped = false;
};

} // namespace

ExpandedArguments expandResponseFiles(ArrayRef<const char *> args,
                                      vfs::FileSystem *fs,
                                      DiagnosticBuffer &messages) {
  Expander expander(fs, messages);
  for (const char *arg : args)
    expander.add(arg);
  return std::move(expander.result);
}

//===----------------------------------------------------------------------===//
// Options and values
//===----------------------------------------------------------------------===//

namespace {

void reportUnknown(StringRef arg, StringRef name, DiagnosticBuffer &messages) {
  std::vector<StringRef> candidates;
  std::string near;
  if (name.size() == 1 && findOption(name)) {
    near = name.str(); // --o for -o
  } else {
    for (StringRef spelling : allSpellings())
      if (spelling.size() > 1)
        candidates.push_back(spelling);
    near = nearestSpelling(name, candidates);
  }
  std::vector<std::string> notes;
  if (!near.empty())
    notes.push_back("did you mean '" + dashed(near) + "'");
  messages.error("unknown option '" + arg.str() + "'", std::move(notes));
}

/// Takes arguments apart, one after the other.
class Normalizer {
public:
  Normalizer(ArrayRef<std::string> args, DiagnosticBuffer &messages)
      : args(args), messages(messages) {}

  std::vector<Argument> run() {
    while (more()) {
      StringRef arg = take();
      if (onlyInputs || !arg.starts_with("-"))
        input(arg);
      else if (arg == "-")
        messages.error("cannot link standard input ('-'): name a file");
      else if (arg == "--")
        onlyInputs = true;
      else
        option(arg);
    }
    return std::move(result);
  }

private:
  bool more() const { return !handedOn.empty() || next != args.size(); }
  /// The next argument, without the driver's words around it.
  StringRef take() {
    if (handedOn.empty()) {
      StringRef arg = args[next++];
      if (onlyInputs)
        return arg;
      if ((arg == "-Xlinker" || arg == "-Xmapper") && next != args.size())
        return args[next++];
      if (!arg.consume_front("-Wl,") && !arg.consume_front("-Wm,"))
        return arg;
      arg.split(handedOn, ',');
      std::reverse(handedOn.begin(), handedOn.end());
    }
    return handedOn.pop_back_val();
  }

  void input(StringRef path) {
    result.push_back({&optionTable().front(), path});
  }

  void option(StringRef arg) {
    const bool twoDashes = arg.starts_with("--");
    const StringRef body = arg.drop_front(twoDashes ? 2 : 1);
    const auto [name, value] = body.split('=');
    const bool hasValue = name.size() != body.size();
    const StringRef written = arg.drop_back(body.size() - name.size());
    const bool mayBeLong =
        name.size() > 1 && (twoDashes || body.front() != 'o');
    if (mayBeLong)
      if (OptionMatch match = findOption(name))
        return accept(match, written, value, hasValue);
    // A letter: everything behind it is its value, the `=` of -L=dir included.
    if (!twoDashes) {
      OptionMatch match = findOption(body.take_front(1));
      if (match && (body.size() == 1 || match.kind != OptionKind::Flag))
        return accept(match, arg.take_front(2), body.drop_front(1),
                      body.size() > 1);
    }
    if (mayBeLong)
      if (OptionMatch prefix = findOptionByPrefix(name))
        return accept(prefix, written, value, hasValue);
    reportUnknown(written, name, messages);
  }

  /// `written`: the option as the user spelled it, without its value.
  void accept(const OptionMatch &match, StringRef written, StringRef value,
              bool hasValue) {
    const Option &option = *match.option;
    if (!hasValue && match.kind == OptionKind::Value && more()) {
      value = take();
      hasValue = true;
    }
    // The reason for the refusal is worth more than one about the value.
    if (option.status == OptionStatus::Refused)
      return messages.error("option '" + written.str() +
                            "' is not supported: " + std::string(option.text));
    if (hasValue && match.kind == OptionKind::Flag)
      return messages.error("option '" + written.str() + "' takes no value",
                            {"got '" + value.str() + "'"});
    bool supported = option.status == OptionStatus::Supported;
    if (match.kind == OptionKind::Value &&
        (!hasValue || (value.empty() && supported && !match.mayBeEmpty)))
      return messages.error("option '" + written.str() + "' needs a value");
    if (option.set)
      result.push_back({&option, value});
  }

  ArrayRef<std::string> args;
  DiagnosticBuffer &messages;
  std::vector<Argument> result;
  size_t next = 0;
  SmallVector<StringRef, 4> handedOn; ///< by a driver, the next one last
  bool onlyInputs = false;
};

} // namespace

std::vector<Argument> normalize(ArrayRef<std::string> args,
                                DiagnosticBuffer &messages) {
  return Normalizer(args, messages).run();
}

} // namespace xlink
