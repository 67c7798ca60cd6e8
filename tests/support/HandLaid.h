//===- HandLaid.h - layouts of hand-made programs, pass by pass -----------===//
//
// A program with a script, and then the values that the passes of layout make,
// each of them at hand:
//
//     HandLaid laid("nyuzi", "SECTIONS { .text : { *(.text) } }");
//     laid.file("a.o").section(".text", "ax", 16, 4);
//     laid.place();  // placement, contents, facts, the start of geometry
//     laid.settle(); // rounds until one changes nothing
//     EXPECT_EQ(laid.at(".text").address, 0u);
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_TESTS_HANDLAID_H
#define XLINK_TESTS_HANDLAID_H

#include "layout/AddressAssignment.h"
#include "placement/Placement.h"
#include "support/HandMade.h"

namespace xlink::test {

struct HandLaid : HandMade {
  HandLaid(llvm::StringRef machine, std::string script);
  ~HandLaid();

  /// Everything up to the first round.
  void place();
  /// Room for what a round finds, and the facts: again, where a test changes
  /// the placement or the contents.
  void begin();
  Addresses round(const Addresses &before, const RoundOptions &options = {});
  /// Rounds until one changes nothing; how many changed something.
  unsigned settle();
  /// A layout that stands.
  void lay();
  /// What the round that reports says about a layout that stands.
  std::string problems();

  PartialLink partial() const;
  Link link() const;
  OutputId id(llvm::StringRef name) const;
  OutputPlace &at(llvm::StringRef name);
  OutputSectionInfo &of(llvm::StringRef name);
  RegionPlace &region(llvm::StringRef name);
  RegionId regionId(llvm::StringRef name) const;
  /// The value of a symbol in the layout that stands.
  uint64_t value(llvm::StringRef name) const;

  std::optional<Expressions> expressions;
  Placement placement;
  Contributions contributions;
  OutputInfo info;
  Addresses addresses;
};

/// Layouts of .text, .rodata and .data, of 6 bytes each, and .bss of 8, all
/// aligned to 4, on the machine that is the parameter.
struct LaidSections : testing::TestWithParam<const char *> {
  /// Those of the sections that the statements take: there are no orphans.
  void lay(const std::string &memory, const std::string &statements);
  Address load(llvm::StringRef name) { return h->at(name).loadAddress; }
  Address address(llvm::StringRef name) { return h->at(name).address; }

  std::optional<HandLaid> h;
};

} // namespace xlink::test
#endif
