//===- DiffTest.cpp - diff finds each byte that changes -------------------===//
//
// Hundreds of pairs of files; all else of diff is in diff*.test.
//
//===----------------------------------------------------------------------===//
#include "link/Goldens.h"
#include "support/InspectHarness.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/JSON.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace xlink::test {
namespace {

/// The count of bytes that really differ, of the JSON form.
int64_t bytesThatDiffer(const Bytes &a, const Bytes &b) {
  const Inspected result = inspected({{"a.elf", a}, {"b.elf", b}},
                                     {"diff", "--json", "a.elf", "b.elf"});
  EXPECT_EQ(result.errors, "");
  EXPECT_EQ(result.status, 1);
  Expected<json::Value> value = json::parse(result.text);
  if (!value) {
    ADD_FAILURE() << toString(value.takeError()) << "\n" << result.text;
    return -1;
  }
  const json::Object &object = *value->getAsObject();
  EXPECT_EQ(object.getString("format"), "xlink diff");
  EXPECT_EQ(object.getInteger("version"), 1);
  EXPECT_EQ(object.getBoolean("differ"), true);
  return object.getObject("counts")->getInteger("bytesReal").value_or(0);
}

class DiffOfGolden : public testing::TestWithParam<std::string> {};

// Every byte of the program that changes is found, wherever it is.
TEST_P(DiffOfGolden, OneByte) {
  const Golden golden(GetParam());
  const Linked linked = golden.harness.link(golden.arguments);
  EXPECT_EQ(linked.errors, "");
  const Bytes file = linked.image();
  const OutFile out(file);
  for (const OutSection &section : out.sections) {
    if (!(section.flags & ELF::SHF_ALLOC) || section.bytes.empty())
      continue;
    for (uint64_t at = 0; at < section.size; at += 7) {
      Bytes changed = file;
      changed[section.offset + at] ^= 0x11;
      EXPECT_EQ(bytesThatDiffer(file, changed), 1) << section.name << " " << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, DiffOfGolden, testing::ValuesIn(goldens()),
                         [](const auto &info) {
                           return goldenTestName(info.param);
                         });

} // namespace
} // namespace xlink::test
