//===- MakeReport.cpp - the page of a map that no link made ---------------===//
//
// html_report MAP.json BASELINE.json|- OUT.html: for tools/check-html-report,
// whose maps are of programs that are too large or too odd to be linked in a
// test.
//
//===----------------------------------------------------------------------===//
#include "map/HtmlReport.h"
#include <fstream>
#include <iostream>
#include <sstream>

static std::string contentsOf(const char *path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

int main(int count, char **arguments) {
  if (count != 4) {
    std::cerr << "usage: html_report MAP.json BASELINE.json|- OUT.html\n";
    return 2;
  }
  const std::string baseline = arguments[2];
  std::ofstream out(arguments[3], std::ios::binary);
  out << xlink::htmlReport(contentsOf(arguments[1]),
                           baseline == "-" ? "" : contentsOf(arguments[2]),
                           /*demangle=*/true);
  return out.flush() ? 0 : 1;
}
