//===- Goldens.h - the small programs of testdata/golden ------------------===//
#ifndef XLINK_TESTS_LINK_GOLDENS_H
#define XLINK_TESTS_LINK_GOLDENS_H

#include "support/LinkHarness.h"
#include <string>
#include <vector>

namespace xlink::test {

/// Names of the golden directories, sorted.
std::vector<std::string> goldens();

/// One golden: its directory, and the inputs that its files describe (see
/// GoldenTest.cpp).
struct Golden {
  std::string directory;
  LinkHarness harness;
  std::vector<std::string> arguments;

  explicit Golden(const std::string &name);
};

/// A golden's name as that of a parametrised test.
std::string goldenTestName(const std::string &golden);

} // namespace xlink::test
#endif
