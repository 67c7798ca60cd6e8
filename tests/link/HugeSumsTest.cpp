//===- HugeSumsTest.cpp - each fits, all together do not ------------------===//
//
// Sizes that a reader accepts one by one add up to more than an address space,
// and exactly to one, so that a sum which wraps ends where it began. Such links
// fail; none ends with a small section instead.
//
//===----------------------------------------------------------------------===//
#include "support/LinkHarness.h"
#include <gtest/gtest.h>
#include <ostream>

using namespace llvm;

namespace xlink::test {
namespace {

struct Sum {
  const char *machine;
  unsigned count; ///< of files times of sections or symbols in each
  unsigned each;
  unsigned power; ///< the size of one is 2^power
};

void PrintTo(const Sum &sum, std::ostream *out) {
  *out << sum.machine << ", " << sum.count << " * " << sum.each << " * 2^"
       << sum.power;
}

std::vector<std::pair<std::string, Bytes>> sections(const Sum &sum) {
  std::string body = "Sections:\n";
  for (unsigned i = 0; i < sum.each; ++i)
    body += "  - { Name: '.bss.s" + std::to_string(i) +
            "', Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], Size: " +
            std::to_string(uint64_t(1) << sum.power) + " }\n";
  const Bytes object = machineObject(sum.machine, body);
  std::vector<std::pair<std::string, Bytes>> files;
  for (unsigned i = 0; i < sum.count; ++i)
    files.push_back({std::to_string(i) + ".o", object});
  return files;
}

std::vector<std::pair<std::string, Bytes>> commons(const Sum &sum) {
  std::vector<std::pair<std::string, Bytes>> files;
  for (unsigned f = 0; f < sum.count; ++f) {
    std::string body = "Symbols:\n";
    for (unsigned i = 0; i < sum.each; ++i)
      body += "  - { Name: c" + std::to_string(f) + "_" + std::to_string(i) +
              ", Index: SHN_COMMON, Value: 1, Binding: STB_GLOBAL, Size: " +
              std::to_string(uint64_t(1) << sum.power) + " }\n";
    files.push_back(
        {std::to_string(f) + ".o", machineObject(sum.machine, body)});
  }
  return files;
}

class HugeSums : public testing::TestWithParam<Sum> {
protected:
  void refused(std::vector<std::pair<std::string, Bytes>> files,
               std::vector<std::string> options) {
    files.push_back({"main.o", machineObject(GetParam().machine, R"(
Sections:
  - { Name: .text, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_EXECINSTR ], AddressAlign: 4, Size: 16 }
  - { Name: .data, Type: SHT_PROGBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 16 }
  - { Name: .bss, Type: SHT_NOBITS, Flags: [ SHF_ALLOC, SHF_WRITE ], AddressAlign: 4, Size: 64 }
Symbols:
  - { Name: _start, Section: .text, Binding: STB_GLOBAL }
)")});
    LinkHarness links;
    for (const auto &[name, bytes] : files) {
      links.file(name, bytes);
      options.push_back(name);
    }
    const Linked linked = links.link(options);
    EXPECT_EQ(linked.status, 1);
    EXPECT_NE(linked.errors, "");
    EXPECT_TRUE(linked.files.empty());
  }
};

TEST_P(HugeSums, OfSections) { refused(sections(GetParam()), {}); }
TEST_P(HugeSums, OfSectionsInAnImage) {
  for (const char *format : {"binary", "ihex", "srec", "verilog"})
    refused(sections(GetParam()), {std::string("--oformat=") + format});
}
TEST_P(HugeSums, OfCommonSymbols) { refused(commons(GetParam()), {}); }

INSTANTIATE_TEST_SUITE_P(
    All, HugeSums,
    testing::Values(Sum{"aphelion", 64, 1024, 48}, // 2^64
                    Sum{"aphelion", 65, 1024, 48}, // and more
                    Sum{"nyuzi", 2, 1, 31}, Sum{"nyuzi", 4, 4, 31},
                    Sum{"nyuzi", 16, 256, 20}, Sum{"nyuzi", 2, 2, 30}),
    [](const auto &info) {
      return std::string(info.param.machine) + std::to_string(info.index);
    });

} // namespace
} // namespace xlink::test
