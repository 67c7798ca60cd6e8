//===- TypesTest.cpp - a type too long to print ---------------------------===//
#include "link/Linking.h"
#include "support/StatementObject.h"

using namespace llvm;

namespace xlink::test {
namespace {

TEST(Types, VeryLong) {
  std::string members;
  for (int i = 0; i < 1000; ++i)
    members += (i ? "," : "") + ("m(member" + std::to_string(i)) + "){si}";
  LinkHarness links;
  links.file("a.o", statementObject("code _start\ncalls _start x\n"
                                    "typeinfo x \"si\""));
  links.file("b.o",
             statementObject("data x\ntypeinfo x \"s(S){" + members + "}\""));
  Linked linked = links.link({"a.o", "b.o"});
  EXPECT_EQ(linked.status, 0);
  EXPECT_LT(linked.errors.size(), 2200u);
  EXPECT_TRUE(StringRef(linked.errors).contains(" ...\n>>> a.o: int x\n"))
      << linked.errors;
}

} // namespace
} // namespace xlink::test
