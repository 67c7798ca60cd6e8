//===- main.cpp - the tool ------------------------------------------------===//
#include "driver/Driver.h"
#include <cstdio>
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

int main(int argc, char **argv) {
  xlink::handleSignalsOfOutput();
  xlink::LinkRequest request;
  request.arguments.assign(argv + (argc > 0), argv + argc);
  request.leaveMemory = true;
  xlink::LinkResult result = xlink::link(request);

  std::string out = std::move(result.text), err;
  for (const xlink::Diagnostic &d : result.diagnostics) {
    if (d.severity == xlink::Severity::Note)
      out += d.text + "\n";
    else
      err += xlink::Diagnostics::format(d, result.color);
  }
  print(STDOUT_FILENO, out);
  print(STDERR_FILENO, err);
  _exit(result.status);
}
