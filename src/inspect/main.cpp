//===- main.cpp - the tool xlink-inspect ----------------------------------===//
#include "base/MappedFile.h"
#include "inspect/Inspect.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

using namespace llvm;

/// Writes the answer; the result is why that failed, or "". The output may be a
/// pipe or a symbolic link, which a temporary file would replace.
static std::string write(const xlink::InspectResult &result) {
  const bool named = !result.output.empty();
  std::error_code problem;
  raw_fd_ostream out(named ? result.output : "-", problem);
  if (!problem) {
    out << result.text;
    out.flush();
    problem = out.error();
    out.clear_error();
  }
  // A reader that closed its end has read all that it wants.
  if (!problem || problem == std::errc::broken_pipe)
    return "";
  return "cannot write " + (named ? "" : std::string("to standard output")) +
         result.output + ": " + problem.message();
}

static void outOfMemory() {
  std::fputs("xlink-inspect: error: out of memory\n", stderr);
  std::_Exit(xlink::kTrouble);
}

int main(int argc, char **argv) {
  std::set_new_handler(outOfMemory);
  // LLVM's containers do not ask operator new.
  install_bad_alloc_error_handler(
      [](void *, const char *, bool) { outOfMemory(); });
  std::signal(SIGPIPE, SIG_IGN);
  xlink::InspectResult result =
      xlink::inspect(std::vector<std::string>(argv + (argc > 0), argv + argc),
                     nullptr, xlink::executablePath());
  if (result.status != xlink::kTrouble || !result.text.empty())
    if (std::string problem = write(result); !problem.empty()) {
      result.diagnostics.push_back(
          {xlink::Severity::Error, {}, std::move(problem), {}});
      result.status = xlink::kTrouble;
    }
  const bool color = errs().has_colors() && !std::getenv("NO_COLOR");
  for (const xlink::Diagnostic &d : result.diagnostics)
    errs() << xlink::Diagnostics::format(d, color, "xlink-inspect");
  errs().clear_error();
  return result.status;
}
