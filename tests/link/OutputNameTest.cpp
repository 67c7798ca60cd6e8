//===- OutputNameTest.cpp - outputs that must not overwrite anything ------===//
#include "link/Linking.h"

using namespace llvm;

namespace xlink::test {
namespace {

Bytes defines(const char *name) {
  return nyuzi(std::string(R"(
Sections:
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Content: '01' }
Symbols:
  - { Name: )") +
               name + ", Section: .data, Binding: STB_GLOBAL }\n");
}

TEST(OutputName, InMemory) {
  LinkHarness links;
  links.file("dir/a.o", defines("a"));
  expectFailure(links.linkAsGiven({"-e", "0", "dir/a.o", "-o", "dir/./a.o"}),
                "xlink: error: input file 'dir/a.o' is the same as output "
                "file\n>>> the output file is 'dir/./a.o'\n");
}

} // namespace
} // namespace xlink::test
