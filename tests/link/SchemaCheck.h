//===- SchemaCheck.h - whether JSON is as its schema says -----------------===//
#ifndef XLINK_TESTS_LINK_SCHEMACHECK_H
#define XLINK_TESTS_LINK_SCHEMACHECK_H

#include "support/ToolProcess.h"
#include <string>
#include <vector>

namespace xlink::test {

/// Files that xlink wrote for programs, looked at all at once: starting Python
/// for each would take long.
class SchemaCheck {
public:
  /// A file of this name with this text.
  void add(const std::string &name, const std::string &text);
  /// What tools/check-schemas says, members that no schema names being
  /// faults; "" when all is well. Names are without their directory.
  std::string run();
  size_t size() const { return names.size(); }

private:
  TemporaryDirectory directory;
  std::vector<std::string> names;
};

} // namespace xlink::test
#endif
