//===- ResponseFile.cpp - arguments from @FILE ----------------------------===//
//
// As in the GNU tools: an argument @FILE stands for the arguments in FILE,
// which white space separates; quotes of either kind keep white space, and a
// backslash takes the character behind it literally, inside quotes too. A file
// may name further files. An argument whose file cannot be read stays as it is,
// a file called "@FILE", and opening that input reports the fault.
//
// Files that include each other are caught twice: by the names being expanded,
// and (the same file under many names) by a limit on the depth and on the
// number of files.
//
//===----------------------------------------------------------------------===//

#include "base/MappedFile.h"
#include "driver/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace xlink {
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

} // namespace xlink
