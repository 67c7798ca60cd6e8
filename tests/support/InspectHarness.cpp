//===- InspectHarness.cpp -------------------------------------------------===//
#include "support/InspectHarness.h"
#include "support/TestFiles.h"

namespace xlink::test {

Inspected inspected(const std::vector<std::pair<std::string, Bytes>> &files,
                    const std::vector<std::string> &arguments) {
  TestFiles fs;
  for (const auto &[path, bytes] : files)
    fs.add(path, bytes);
  Inspected result{inspect(arguments, &fs), ""};
  for (const Diagnostic &d : result.diagnostics)
    result.errors += Diagnostics::format(d, false, "xlink-inspect");
  return result;
}

} // namespace xlink::test
