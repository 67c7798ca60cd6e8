//===- main.cpp - the tool xlink-inspect ----------------------------------===//
#include "inspect/Inspect.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <new>

using namespace llvm;

/// Writes the answer; the result is why that failed, or "".
static std::string write(const xlink::InspectResult &result) {
  if (!result.output.empty()) {
    Error problem = writeToOutput(result.output, [&](raw_ostream &out) {
      out << result.text;
      return Error::success();
    });
    return problem ? "cannot write " + result.output + ": " +
                         errorToErrorCode(std::move(problem)).message()
                   : "";
  }
  outs() << result.text;
  outs().flush();
  const std::error_code problem = outs().error();
  outs().clear_error();
  // A reader that closed its end has read all that it wants.
  return problem && problem != std::errc::broken_pipe
             ? "cannot write to standard output: " + problem.message()
             : "";
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
      xlink::inspect(std::vector<std::string>(argv + (argc > 0), argv + argc));
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
