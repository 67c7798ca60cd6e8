//===- main.cpp - the tool ------------------------------------------------===//
#include "base/DiagnosticFormat.h"
#include "driver/Driver.h"
#include "llvm/Support/ErrorHandling.h"
#include <chrono>
#include <cstdlib>
#include <new>
#include <string>
#include <unistd.h>

/// Writes all of `text`; a reader that went away is no business of a linker's.
static void print(int fd, const std::string &text) {
  for (size_t at = 0; at < text.size();) {
    ssize_t n = write(fd, text.data() + at, text.size() - at);
    if (n <= 0)
      return;
    at += size_t(n);
  }
}

/// Inputs are checked before memory is asked for on their word, so this is a
/// machine that is out of memory, not a bad file.
static void outOfMemory() {
  static const char text[] = "xlink: error: out of memory\n";
  (void)!write(STDERR_FILENO, text, sizeof(text) - 1);
  xlink::removeUnfinishedOutputs();
  _exit(1);
}

/// The same for LLVM's containers, which do not ask operator new.
static void outOfMemoryIn(void *, const char *, bool) { outOfMemory(); }

namespace {

/// A line on a terminal that says what a link is doing which takes seconds.
class ProgressLine {
public:
  void show(const char *phase) {
    const auto now = std::chrono::steady_clock::now();
    if (now - begin < std::chrono::seconds(1) || !onTerminal())
      return;
    print(STDERR_FILENO, std::string("\r\x1b[Kxlink: ") + phase + " ...");
    shown = true;
  }
  void clear() {
    if (shown)
      print(STDERR_FILENO, "\r\x1b[K");
    shown = false;
  }

private:
  static bool onTerminal() {
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && llvm::StringRef(term) != "dumb";
  }

  const std::chrono::steady_clock::time_point begin =
      std::chrono::steady_clock::now();
  bool shown = false;
};

} // namespace

int main(int argc, char **argv) {
  xlink::handleSignalsOfOutput();
  std::set_new_handler(outOfMemory);
  llvm::install_bad_alloc_error_handler(outOfMemoryIn);
  xlink::LinkRequest request;
  request.arguments.assign(argv + (argc > 0), argv + argc);
  request.leaveMemory = true;
  ProgressLine progress;
  request.progress = [&](const char *phase) { progress.show(phase); };
  xlink::LinkResult result = xlink::link(request);
  progress.clear();

  std::string out = std::move(result.text), err;
  for (const xlink::Diagnostic &d : result.diagnostics) {
    if (d.severity == xlink::Severity::Note)
      out += d.text + "\n";
    else
      err += xlink::formatDiagnostic(d, result.format, result.color);
  }
  print(STDOUT_FILENO, out);
  print(STDERR_FILENO, err);
  _exit(result.status);
}
