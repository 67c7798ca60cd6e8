//===- SysConfigTest.cpp - descriptions of boards -------------------------===//
#include "arch/Containers.h"
#include "gmock/gmock.h"

using namespace xlink;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

SysConfig good(llvm::StringRef text) {
  std::string error;
  std::optional<SysConfig> config = readSysConfig(text, error);
  EXPECT_EQ(error, "");
  return config.value_or(SysConfig());
}
std::string fault(llvm::StringRef text) {
  std::string error;
  EXPECT_FALSE(readSysConfig(text, error));
  return error;
}

// Two nodes with tiles and one without, which comes first in the chain.
TEST(SysConfig, NodesTilesAndChain) {
  SysConfig config = good(R"(<?xml version="1.0" encoding="UTF-8"?>
<!-- <Node number="9"/> -->
<XSystem xmlns:x="http://x" >
  <System>
    <Nodes>
      <Node number="32772" jtagId='0x2633' userId="0x10" note="a > b">
        <Processor number="0"><Node number="7"/></Processor>
      </Node>
      <Node jtagId="0x5633" number="16385"><Switch/><Processor number="0"/><Processor number="3"/></Node>
      <GlxNode number="32774"/>
    </Nodes>
    <Connections></Connections>
    <JtagChain><Node id="32774"/><Node id="32772"/><Node id="16385"/></JtagChain>
    <Pins><Pin node="4"/></Pins>
  </System>
</XSystem>
)");
  ASSERT_EQ(config.nodes.size(), 2u);
  EXPECT_EQ(config.nodes[0].number, 32772u);
  EXPECT_EQ(config.nodes[0].jtagId, 0x2633u);
  EXPECT_EQ(config.nodes[0].userId, 0x10u);
  EXPECT_THAT(config.nodes[0].tiles, ElementsAre(0));
  EXPECT_EQ(config.nodes[1].number, 16385u);
  EXPECT_EQ(config.nodes[1].jtagId, 0x5633u);
  EXPECT_EQ(config.nodes[1].userId, 0u);
  EXPECT_THAT(config.nodes[1].tiles, ElementsAre(0, 3));
  EXPECT_THAT(config.others, ElementsAre(32774));
  EXPECT_THAT(config.chain, ElementsAre(32774, 32772, 16385));
  EXPECT_FALSE(config.hasTile(0, 0)) << "a node without tiles";
  EXPECT_TRUE(config.hasTile(1, 0));
  EXPECT_FALSE(config.hasTile(1, 1));
  EXPECT_TRUE(config.hasTile(2, 3));
  EXPECT_FALSE(config.hasTile(3, 0));
}

std::string system(const std::string &nodes, const std::string &chain) {
  return "<XSystem><System><Nodes>" + nodes + "</Nodes>" + chain +
         "</System></XSystem>";
}

TEST(SysConfig, WhatIsNone) {
  const std::string node = "<Node number='1' jtagId='2'/>";
  const std::string chain = "<JtagChain><Node id='1'/></JtagChain>";
  EXPECT_THAT(good(system(node, chain)).nodes[0].tiles, IsEmpty());
  EXPECT_EQ(fault(""), "it has no XSystem > System > Nodes > Node");
  EXPECT_EQ(fault("text"), "it has no XSystem > System > Nodes > Node");
  EXPECT_EQ(fault("<Network/>"), "it has no XSystem > System > Nodes > Node");
  EXPECT_EQ(fault(system("", chain)),
            "it has no XSystem > System > Nodes > Node");
  EXPECT_EQ(fault(system(node, "")), "it has no XSystem > System > JtagChain");
  EXPECT_EQ(fault(system(node, "<JtagChain><Node id='2'/></JtagChain>")),
            "JtagChain names node 2, which is not among Nodes");
  EXPECT_EQ(fault(system(node, "<JtagChain><Node/></JtagChain>")),
            "a Node has no id");
  EXPECT_EQ(fault(system("<Node jtagId='2'/>", chain)), "a Node has no number");
  EXPECT_EQ(fault(system("<Node number='1'/>", chain)), "a Node has no jtagId");
  EXPECT_EQ(fault(system("<Node number='x' jtagId='2'/>", chain)),
            "number 'x' of a Node is not a number");
  EXPECT_EQ(
      fault(system("<Node number='1' jtagId='2'><Processor/></Node>", chain)),
      "a Processor has no number");
  EXPECT_EQ(fault("<XSystem><System>"), "element 'System' is not closed");
  EXPECT_EQ(fault("<XSystem></System>"),
            "'</System>' ends an element that is not open");
  EXPECT_EQ(fault("</x>"), "'</x>' ends an element that is not open");
  for (const char *text : {"<", "<XSystem a=\"", "<!-- ", "<XSystem a='>"})
    EXPECT_EQ(fault(text), "the file ends inside an element") << text;
}

} // namespace
