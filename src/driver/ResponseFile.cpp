//===- ResponseFile.cpp - arguments from @FILE ----------------------------===//
//
// As in the GNU tools: an argument @FILE stands for the arguments in FILE,
// which white space separates; quotes of either kind keep white space, and a
// backslash takes the character behind it literally, inside quotes too. A file
// may name further files. An argument whose file cannot be read stays what it
// is, a file called "@FILE", and opening that input will say what is wrong.
//
// Files that include each other are caught twice: by the names being expanded,
// and (the same file under many names) by a limit on the depth and on the
// number of files.
//
//===----------------------------------------------------------------------===//

#include "base/MappedFile.h"
#include "driver/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <array>

using namespace llvm;

namespace xlink {
namespace {

constexpr size_t maxDepth = 32;
constexpr size_t maxFiles = 2000; // as libiberty has it

bool isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r'); // \t \n \v \f \r
}

/// By character: whether it stands for itself outside of quotes.
constexpr std::array<bool, 256> isPlain = [] {
  std::array<bool, 256> plain;
  plain.fill(true);
  for (char c : {' ', '\t', '\n', '\v', '\f', '\r', '\\', '\'', '"'})
    plain[uint8_t(c)] = false;
  return plain;
}();

/// Calls `add` with each argument in `text`; what is no part of it, because
/// there were quotes, goes to `unquoted`.
void splitArguments(StringRef text, std::deque<std::string> &unquoted,
                    function_ref<void(StringRef)> add) {
  size_t i = 0, end = text.size();
  for (;;) {
    while (i != end && isSpace(text[i]))
      ++i;
    if (i == end)
      return;
    // Most arguments have nothing else, and there may be many.
    const size_t begin = i;
    while (i != end && isPlain[uint8_t(text[i])])
      ++i;
    if (i == end || isSpace(text[i])) {
      add(text.slice(begin, i));
      continue;
    }
    std::string &arg = unquoted.emplace_back(text.slice(begin, i));
    char quote = 0;
    for (; i != end && (quote || !isSpace(text[i])); ++i) {
      char c = text[i];
      if (c == '\\' && i + 1 != end)
        arg += text[++i];
      else if (c == quote && quote)
        quote = 0;
      else if (!quote && (c == '\'' || c == '"'))
        quote = c;
      else
        arg += c;
    }
    add(arg);
  }
}

class Expander {
public:
  Expander(vfs::FileSystem *fs, DiagnosticBuffer &messages)
      : fs(fs), messages(messages) {}

  void add(StringRef arg) {
    if (arg.size() < 2 || arg[0] != '@') {
      result.words.push_back(arg);
      return;
    }
    std::string path = arg.substr(1).str();
    if (is_contained(open, path)) {
      messages.error("response file '" + path + "' includes itself");
      return;
    }
    if (open.size() == maxDepth || files == maxFiles) {
      if (!stopped)
        messages.error("response file '" + path +
                       "' is not read: too many response files inside one "
                       "another");
      stopped = true;
      return;
    }
    std::string reason;
    std::unique_ptr<MemoryBuffer> buffer = openFile(fs, path, reason);
    if (!buffer) {
      result.words.push_back(arg);
      return;
    }
    ++files;
    result.paths.push_back(path);
    open.push_back(std::move(path));
    makeRoom(buffer->getBufferSize());
    const StringRef text = buffer->getBuffer();
    result.files.push_back(std::move(buffer));
    splitArguments(text, result.unquoted,
                   [this](StringRef inner) { add(inner); });
    open.pop_back();
  }

  ExpandedArguments result;

private:
  /// Room for what so many bytes mostly hold; unused, it is never touched.
  void makeRoom(size_t bytes) {
    constexpr size_t perArgument = 16;
    std::vector<StringRef> &words = result.words;
    const size_t want = words.size() + bytes / perArgument;
    if (want > words.capacity())
      words.reserve(std::max(want, 2 * words.capacity()));
  }

  vfs::FileSystem *fs;
  DiagnosticBuffer &messages;
  std::vector<std::string> open; ///< files being expanded, outermost first
  size_t files = 0;
  bool stopped = false;
};

} // namespace

ExpandedArguments expandResponseFiles(ArrayRef<const char *> args,
                                      vfs::FileSystem *fs,
                                      DiagnosticBuffer &messages) {
  Expander expander(fs, messages);
  expander.result.words.reserve(args.size());
  for (const char *arg : args)
    expander.add(arg);
  return std::move(expander.result);
}

} // namespace xlink
