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
// ReferredSymbols are read once, for the first check that is on and asks for
// them.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_CHECKS_CHECKTABLE_H
#define XLINK_CHECKS_CHECKTABLE_H

#include "base/Diagnostics.h"
#include "model/Link.h"
#include "model/SymbolValues.h"
#include <memory>

namespace xlink {

class ReferredSymbols;

/// A finished link, as checks read it.
struct FinishedLink {
  const Link &link;
  const SymbolValues &values;

  /// It was made of a file: there is no writer that reports its own errors.
  const bool ofFile;

  FinishedLink(const Link &link, const SymbolValues &values,
               bool ofFile = false)
      : link(link), values(values), ofFile(ofFile) {}
  /// Made when the first check asks.
  const ReferredSymbols &references() const;

private:
  mutable std::shared_ptr<const ReferredSymbols> index;
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
void checkLoadSymbols(const FinishedLink &finished, Findings &found);
void checkNeverCopied(const FinishedLink &finished, Findings &found);
void checkCopyOffsets(const FinishedLink &finished, Findings &found);
void checkOutsideMarks(const FinishedLink &finished, Findings &found);
void checkShadowedPatterns(const FinishedLink &finished, Findings &found);
void checkZeroEnds(const FinishedLink &finished, Findings &found);
void checkVectorAlignment(const FinishedLink &finished, Findings &found);
void checkSelfLoads(const FinishedLink &finished, Findings &found);
void checkNoloadPlaces(const FinishedLink &finished, Findings &found);
void checkMangledHandlers(const FinishedLink &finished, Findings &found);
void checkMisspeltHandlers(const FinishedLink &finished, Findings &found);
void checkWeakBeforeArchive(const FinishedLink &finished, Findings &found);

/// Whether a section has bytes that something loads.
bool isLoaded(const OutputView &out);
/// Whether a section is read-only, and not in memory that is written: its load
/// address may be another view of the same flash.
bool isReadInPlace(const Link &link, const OutputView &out);
/// Whether a statement takes sections of all files, whatever their flags.
bool takesAllFiles(const InputDescription &statement);
/// Whether the machine says that a section holds an interrupt table.
bool isVectorTable(const Program &program, llvm::StringRef section);
/// Whether a section is called like a vector table.
bool isNamedLikeVectors(llvm::StringRef name);

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
  const char *reports;  ///< public ones of programs that failed so
};

inline constexpr LinkCheck kChecks[] = {
    {WarningGroup::LoadRange, true, checkLoadRanges, "sections",
     "sections that are loaded beyond the end of a memory region",
     "rust-embedded/cortex-m-rt 86; EdgeTX 3555"},
    {WarningGroup::LoadAlign, false, checkLoadAlignment, "sections",
     "sections whose load address is less aligned than the words that start-up "
     "code copies",
     "cortex-m-rt 87; ArduinoCore-arc32 439; qualcomm/eld 444"},
    {WarningGroup::RegionRights, false, checkRegionRights, "sections",
     "writable sections in a memory region without the attribute w", ""},
    {WarningGroup::RegionOverlap, false, checkRegionOverlaps, "pairs",
     "memory regions that share addresses and both hold sections", ""},
    {WarningGroup::SameAddress, true, checkSameAddress, "pairs",
     "sections outside of OVERLAY that begin at one address", ""},
    {WarningGroup::DroppedTable, false, checkDroppedTables, "sections",
     "tables that hardware or loops read, and --gc-sections drops",
     "apache/nuttx 10074; mynewt-core 2578, 2579; RT-Thread 755"},
    {WarningGroup::GcRoot, true, checkGcRoots, "",
     "--gc-sections that keeps nothing", ""},
    {WarningGroup::ImageGap, false, checkImageGaps, "",
     "images that are mostly filler", ""},
    {WarningGroup::StackRoom, false, checkStackRoom, "places",
     "sections in the room of a stack, a heap or another computed place",
     "lowRISC/opentitan 27933; mbed-ce/mbed-os 592"},
    {WarningGroup::LoadSymbol, false, checkLoadSymbols, "sections",
     "start-up code that copies from beside the load address of a section",
     "FreeRTOS 632, 634; betaflight 15110; tinyusb 2337"},
    {WarningGroup::NeverCopied, false, checkNeverCopied, "sections",
     "sections with initial values that start-up code does not copy, as it "
     "does others",
     "ObKo/stm32-cmake 54; pico-sdk 313; Arduino_Core_STM32 8"},
    {WarningGroup::CopyOffset, false, checkCopyOffsets, "sections",
     "sections that one loop copies, with other distances in flash than in RAM",
     "apache/mynewt-core 2866; zephyr 59667, 62368"},
    {WarningGroup::OutsideMarks, false, checkOutsideMarks, "sections",
     "variables behind the symbols between which start-up code clears or "
     "copies",
     "pico-sdk 313"},
    {WarningGroup::ShadowedPattern, false, checkShadowedPatterns, "patterns",
     "patterns whose sections a less exact one in front of them takes",
     "apache/mynewt-core 3685"},
    {WarningGroup::ZeroEnd, false, checkZeroEnds, "symbols",
     "ends of cleared or copied memory that are no multiple of the machine's "
     "word",
     "TrustedFirmware-M 35; cheribsd 1167"},
    {WarningGroup::VectorAlign, false, checkVectorAlignment, "tables",
     "interrupt tables at addresses that the machine cannot hold",
     "STM32CubeL4 22; mbed-os 7392; zephyr 26800"},
    {WarningGroup::SelfLoad, false, checkSelfLoads, "sections",
     "AT() of a section that reads its own load address",
     "qemu-arm-xpack 12; qemu_stm32 27"},
    {WarningGroup::NoloadBehind, false, checkNoloadPlaces, "sections",
     "(NOLOAD) sections with a load address in flash",
     "pico-sdk 1538; zephyr 59064; libtock-rs 595"},
    {WarningGroup::MangledHandler, false, checkMangledHandlers, "functions",
     "handlers without extern \"C\" beside the weak default in use",
     "mcu-starter-projects 5; LoRaMac-node 974; pico-examples 465"},
    {WarningGroup::MisspeltHandler, false, checkMisspeltHandlers, "functions",
     "functions that nothing refers to, called nearly like a weak default in "
     "use",
     "STM32CubeH7 119; RIOT 5417; betaflight 9700"},
    {WarningGroup::WeakBeforeArchive, false, checkWeakBeforeArchive, "names",
     "weak defaults in use although an archive has the strong definition",
     "RIOT 5757, 12618; contiki 1102; platformio-core 2070"},
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

/// --print-traps: the table.
std::string trapsText();

/// Runs all checks that are on.
void runChecks(const FinishedLink &finished, Diagnostics &diag);

/// --check-script: reports the faults that a script has with any objects, and
/// the names that these have to define.
void checkScript(const Program &program, Diagnostics &diag);

} // namespace xlink
#endif
