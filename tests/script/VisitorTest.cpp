//===- VisitorTest.cpp - walks over commands and expressions --------------===//
#include "model/ScriptVisitor.h"
#include "script/ScriptTestSupport.h"

using namespace llvm;
using namespace xlink;
using namespace xlink::test;
using testing::ElementsAre;

namespace {

/// A command of each kind.
constexpr const char *kScript = R"(
  MEMORY { ram : ORIGIN = origin, LENGTH = length }
  top = 1;
  SECTIONS {
    .a address (TYPE = 9) : AT(lma) ALIGN(align) SUBALIGN(subalign) {
      in_a = va;
      *(.text)
      ASSERT(ca, "m")
      BYTE(ba)
      ASCIZ "text"
      FILL(fa)
    } =fill
    OVERLAY oaddress : AT(olma) {
      .o1 { in_o1 = vo1; }
      .o2 { LONG(bo2) } =ofill2
    } =ofill
    PROVIDE(end = .);
  }
  INSERT AFTER .x
)";

std::string roleName(ExprRole role) {
  static const char *const names[] = {"value", "fill", "section-type"};
  return names[static_cast<unsigned>(role)];
}

} // namespace

TEST(ScriptVisitor, CommandsInOrder) {
  auto parsed = parse(kScript);
  ASSERT_TRUE(parsed->good) << parsed->messages();
  std::vector<std::string> seen;
  auto add = [&](std::string text) { seen.push_back(std::move(text)); };
  forEachCommand(
      parsed->script,
      ScriptVisitor{
          [&](const AssignmentCommand &a) { add(a.name.str()); },
          [&](const AssertCommand &) { add("assert"); },
          [&](const InputDescription &) { add("input"); },
          [&](const DataCommand &d) { add("data" + std::to_string(d.size)); },
          [&](const FillCommand &) { add("fill"); },
          [&](const OutputSectionCommand &s) { add(s.name.str()); },
          [&](const OverlayCommand &) { add("overlay"); },
          [&](const InsertCommand &i) { add("insert " + i.name.str()); }});
  EXPECT_THAT(seen, ElementsAre("top", ".a", "in_a", "input", "assert", "data1",
                                "data5", "fill", "overlay", ".o1", "in_o1",
                                ".o2", "data4", "__load_start_o1",
                                "__load_stop_o1", "__load_start_o2",
                                "__load_stop_o2", "end", "insert .x"));
}

TEST(ScriptVisitor, EntersWhatTheCallbackDoesNotTake) {
  auto parsed = parse(kScript);
  std::vector<std::string> seen;
  forEachCommand(parsed->script, [&](const DataCommand &d) {
    seen.push_back(std::to_string(d.size));
  });
  EXPECT_THAT(seen, ElementsAre("1", "5", "4"));
}

TEST(ScriptVisitor, BaseTypeTakesAll) {
  auto parsed = parse(kScript);
  unsigned all = 0, assignments = 0;
  forEachCommand(parsed->script,
                 ScriptVisitor{[&](const ScriptCommand &) { ++all; },
                               [&](const AssignmentCommand &) {
                                 ++all;
                                 ++assignments;
                               }});
  EXPECT_EQ(all, 19u);
  EXPECT_EQ(assignments, 8u);
}

TEST(ScriptVisitor, OneCommand) {
  auto parsed = parse(kScript);
  unsigned sections = 0, inside = 0;
  auto count = ScriptVisitor{[&](const OutputSectionCommand &) { ++sections; },
                             [&](const AssignmentCommand &) { ++inside; }};
  visitCommand(*parsed->script.commands[1], count);
  EXPECT_EQ(sections, 1u);
  EXPECT_EQ(inside, 0u);
  forEachCommandIn(*parsed->script.commands[1], count);
  EXPECT_EQ(sections, 2u);
  EXPECT_EQ(inside, 1u);
}

TEST(ScriptVisitor, ExpressionsWithTheirRoles) {
  auto parsed = parse(kScript);
  std::vector<std::string> seen;
  auto add = [&](const Expr &e, ExprRole role) {
    // The symbols of an OVERLAY are computed from no symbol.
    if (e.kind == ExprKind::Symbol || role == ExprRole::SectionType)
      seen.push_back(roleName(role) + " " + e.name.str());
  };
  forEachCommand(parsed->script, [&](const ScriptCommand &command) {
    forEachExpression(command, add);
  });
  forEachExpression(parsed->script.memory.front(), add);
  EXPECT_THAT(seen, ElementsAre("value address", "section-type ", "value lma",
                                "value align", "value subalign", "fill fill",
                                "value va", "value ca", "value ba", "fill fa",
                                "value oaddress", "value olma", "fill ofill",
                                "value vo1", "fill ofill2", "value bo2",
                                "value origin", "value length"));
}

TEST(ScriptVisitor, ExpressionsOfOneCommandAlone) {
  auto parsed = parse(kScript);
  unsigned count = 0;
  auto any = [&](const Expr &, ExprRole) { ++count; };
  forEachExpression(*parsed->script.commands[1], any); // .a
  EXPECT_EQ(count, 6u);
  forEachExpression(*parsed->script.commands.back(), any); // INSERT
  EXPECT_EQ(count, 6u);
  forEachExpression(parsed->script.memory.front(), any);
  EXPECT_EQ(count, 8u);
}

TEST(ScriptVisitor, NodesOfAnExpression) {
  auto parsed = parse("x = a + (b ? ADDR(.s) : MAX(c, .)) * 2;");
  const Expr *value =
      static_cast<const AssignmentCommand &>(*parsed->script.commands.front())
          .value.get();
  std::vector<ExprKind> kinds;
  forEachNode(value, [&](const Expr &e) { kinds.push_back(e.kind); });
  EXPECT_THAT(kinds,
              ElementsAre(ExprKind::Add, ExprKind::Symbol, ExprKind::Mul,
                          ExprKind::Conditional, ExprKind::Symbol,
                          ExprKind::Addr, ExprKind::Max, ExprKind::Symbol,
                          ExprKind::Dot, ExprKind::Number));
  std::vector<std::string> names;
  forEachSymbol(value, [&](StringRef name) { names.push_back(name.str()); });
  EXPECT_THAT(names, ElementsAre("a", "b", "c"));
  auto has = [&](ExprKind kind) {
    return anyNode(value, [&](const Expr &e) { return e.kind == kind; });
  };
  EXPECT_TRUE(has(ExprKind::Add));
  EXPECT_TRUE(has(ExprKind::Dot));
  EXPECT_FALSE(has(ExprKind::SizeOf));
}

TEST(ScriptVisitor, NoExpression) {
  const Expr *none = nullptr;
  forEachNode(none, [](const Expr &) { ADD_FAILURE(); });
  forEachSymbol(none, [](StringRef) { ADD_FAILURE(); });
  EXPECT_FALSE(anyNode(none, [](const Expr &) { return true; }));
}
