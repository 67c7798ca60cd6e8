//===- MakeReport.cpp - the page of a map that no link made ---------------===//
//
// html_report MAP.json BASELINE.json|- OUT.html: for tools/check-html-report,
// whose maps are of programs that are too large or too odd to be linked in a
// test.
//
//===----------------------------------------------------------------------===//
#include "map/LinkMapJson.h"
#include "map/MapComparison.h"
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
  const std::string map = contentsOf(arguments[1]);
  const std::string baseline =
      std::string(arguments[2]) == "-" ? "" : contentsOf(arguments[2]);
  // Names of maps that cannot be read are shown as they are, and what is no
  // baseline stands where the comparison would.
  xlink::Diagnostics diag;
  const auto read = xlink::readLinkMap(arguments[1], map, diag);
  const auto older = xlink::readLinkMap(arguments[2], baseline, diag);
  const std::string changes =
      read && older ? xlink::comparisonOfPage(xlink::compareMaps(*older, *read))
                    : baseline;
  std::string page;
  llvm::raw_string_ostream out(page);
  xlink::writeHtmlReport(
      out, map, changes,
      read ? xlink::readableNames(*read, older ? &*older : nullptr) : "{}");
  std::ofstream file(arguments[3], std::ios::binary);
  return file.write(page.data(), std::streamsize(page.size())).flush() ? 0 : 1;
}
