//===- InspectHarness.h - xlink-inspect over files in memory --------------===//
#ifndef XLINK_TESTS_SUPPORT_INSPECTHARNESS_H
#define XLINK_TESTS_SUPPORT_INSPECTHARNESS_H

#include "inspect/Inspect.h"
#include "support/ObjectBuilder.h"
#include <string>
#include <utility>
#include <vector>

namespace xlink::test {

struct Inspected : InspectResult {
  std::string errors; ///< all messages as the tool prints them
};

/// Answers a command line about files in memory.
Inspected inspected(const std::vector<std::pair<std::string, Bytes>> &files,
                    const std::vector<std::string> &arguments);

} // namespace xlink::test
#endif
