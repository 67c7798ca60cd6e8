//===- CheckTable.h - likely mistakes in a link that succeeds -------------===//
//
// Problem: a link can succeed and make a program that does not run: initial
// values that the flash cannot hold, a vector table that nothing keeps. The
// linker has all it takes to notice.
//
// Method: a check is a pure function of the finished link, and a row of
// kChecks. Of its Findings the first becomes a message, the others a count, so
// that a mistake costs one message however many sections show it. Checks run on
// a layout without errors: on another one they would repeat them.
//
// A new check takes a file with its function, a row here, a name in
// base/Diagnostics.h and .cpp, a row in driver/OptionTable.cpp, and a test.
//
// Cost: a look at each output section; of members only where one is suspect.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_CHECKS_CHECKTABLE_H
#define XLINK_CHECKS_CHECKTABLE_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"

namespace xlink {

/// A finished link, as checks read it.
struct FinishedLink {
  const Link &link;
  const SymbolValues &values;
};

/// The findings of one check: the first, and how many there are.
class Findings {
public:
  void add(llvm::function_ref<Message()> compose) {
    if (count++ == 0)
      first = compose();
  }
  /// Reports the first; the others are a note that counts `things`.
  void report(WarningGroup group, bool isError, llvm::StringRef things,
              Diagnostics &diag);

private:
  Message first;
  uint64_t count = 0;
};

void checkLoadRanges(const FinishedLink &finished, Findings &found);
void checkLoadAlignment(const FinishedLink &finished, Findings &found);
void checkRegionRights(const FinishedLink &finished, Findings &found);
void checkRegionOverlaps(const FinishedLink &finished, Findings &found);
void checkSameAddress(const FinishedLink &finished, Findings &found);
void checkDroppedTables(const FinishedLink &finished, Findings &found);
void checkGcRoots(const FinishedLink &finished, Findings &found);
void checkImageGaps(const FinishedLink &finished, Findings &found);
void checkStackRoom(const FinishedLink &finished, Findings &found);

/// Whether --gc-sections dropped all that the inputs have for memory.
bool keepsNothing(const Link &link);

/// A check. Its name is that of its group (warningGroupName); Config's
/// disabledWarnings has the groups that are off by default.
struct LinkCheck {
  WarningGroup group;
  bool isError;
  void (*run)(const FinishedLink &finished, Findings &found);
  const char *things;   ///< the further findings, in a note: "sections"
  const char *sentence; ///< in --help
};

inline constexpr LinkCheck kChecks[] = {
    {WarningGroup::LoadRange, true, checkLoadRanges, "sections",
     "sections that are loaded beyond the end of a memory region"},
    {WarningGroup::LoadAlign, false, checkLoadAlignment, "sections",
     "sections whose load address is less aligned than the words that start-up "
     "code copies"},
    {WarningGroup::RegionRights, false, checkRegionRights, "sections",
     "writable sections in a memory region without the attribute w"},
    {WarningGroup::RegionOverlap, false, checkRegionOverlaps, "pairs",
     "memory regions that share addresses and both hold sections"},
    {WarningGroup::SameAddress, true, checkSameAddress, "pairs",
     "sections outside of OVERLAY that begin at one address"},
    {WarningGroup::DroppedTable, false, checkDroppedTables, "sections",
     "vector tables that --gc-sections drops"},
    {WarningGroup::GcRoot, true, checkGcRoots, "",
     "--gc-sections that keeps nothing"},
    {WarningGroup::ImageGap, false, checkImageGaps, "",
     "images that are mostly filler"},
    {WarningGroup::StackRoom, false, checkStackRoom, "places",
     "sections in the room of a stack or a heap"},
};

/// The stack that the script delimits.
struct StackRoom {
  uint64_t bytes;
  std::string name; ///< "_estack - __stack_limit"
};
/// Room between the symbols of the script that are called like both ends of the
/// stack or, where only its top has one, up to there from the section below it.
/// Nothing: there are none, or several.
std::optional<StackRoom> stackRoom(const FinishedLink &finished);

/// The row of a group; --help shows its sentence.
constexpr const LinkCheck &checkOf(WarningGroup group) {
  for (const LinkCheck &check : kChecks)
    if (check.group == group)
      return check;
  return kChecks[0];
}

/// Runs all checks.
void runChecks(const FinishedLink &finished, Diagnostics &diag);

/// --check-script: reports the faults that a script has with any objects, and
/// the names that these have to define.
void checkScript(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
