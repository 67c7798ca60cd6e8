//===- DiffSchemaTest.cpp - the JSON of --diff against its schema ---------===//
#include "link/DiffFiles.h"
#include "link/Goldens.h"
#include "link/SchemaCheck.h"

using namespace llvm;

namespace xlink::test {
namespace {

// Of all machines: nothing, one byte, other places, no symbols, no section
// headers, containers.
TEST(DiffSchema, AllMachines) {
  SchemaCheck check;
  auto add = [&](const std::string &name, const Bytes &a, const Bytes &b) {
    const Linked result = diffOf(a, b, {"--diff=json"});
    EXPECT_EQ(result.errors, "");
    check.add(name + ".json", result.text);
  };
  for (const std::string &name : goldens()) {
    auto link = [&](std::vector<std::string> more) {
      const Golden golden(name);
      more.insert(more.begin(), golden.arguments.begin(),
                  golden.arguments.end());
      return golden.harness.link(more).image();
    };
    const Bytes plain = link({"--build-id=0x12"});
    Bytes byte = plain;
    byte[OutFile(plain).section(".text")->offset + 5] ^= 0x11;
    add(name + "-same", plain, plain);
    add(name + "-byte", plain, byte);
    add(name + "-stripped", plain, link({"-s"}));
    add(name + "-kept", link({"-q"}), link({"-q", "--build-id=0x34"}));
    add(name + "-relocatable", link({"-r"}), link({"-r", "-d"}));
  }
  const Golden golden("xs1");
  auto xe = [&](std::vector<std::string> more) {
    more.insert(more.begin(), golden.arguments.begin(), golden.arguments.end());
    return golden.harness.link(more).image();
  };
  add("container", xe({"--oformat=xe"}), xe({"--oformat=xe", "--xe-node=g"}));
  add("format", xe({"--oformat=xe"}), xe({}));
  add("grown", linked({}), linked(wordsOfLongerEarly()));
  add("reference", linked({}, {"-q"}), linked({.constant = "06"}, {"-r"}));
  EXPECT_EQ(check.run(), "");
}

TEST(DiffSchema, Refuses) {
  SchemaCheck check;
  check.add("bad.json",
            R"({"format":"xlink diff","version":1,"a":"a","b":"b","differ":1,)"
            R"("counts":{"grew":0},"programs":[{"sections":[{"name":".text",)"
            R"("only":"a","addressA":"0x0","sizeA":-1}]}]})");
  EXPECT_EQ(check.run(),
            "bad.json: differ: 1 is not of type 'boolean'\n"
            "bad.json: counts.grew: 0 is less than the minimum of 1\n"
            "bad.json: programs[0].sections[0].sizeA: -1 is less than the "
            "minimum of 0\n");
}

} // namespace
} // namespace xlink::test
