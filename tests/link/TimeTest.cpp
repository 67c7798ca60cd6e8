//===- TimeTest.cpp - a link's progress -----------------------------------===//
//
// time.test has how long the phases of a link take.
//
//===----------------------------------------------------------------------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

// Who shows progress is told of each phase as it begins.
TEST(Time, Progress) {
  std::vector<std::string> seen;
  LinkRequest request;
  request.arguments = {"-m", "nyuzi", "no-such-file.o"};
  request.progress = [&](const char *phase) { seen.push_back(phase); };
  EXPECT_EQ(link(request).status, 1);
  EXPECT_EQ(seen.at(0), "open and parse inputs");
}

} // namespace
} // namespace xlink::test
