//===- Nyuzi.cpp - the Nyuzi GPGPU
//-----------------------------------------===//
//
// All fields lie in one 32-bit instruction word, and P is the address of that
// word: addends carry no bias for the pc. An address in two instructions is
// exact without a carry, since the low 13 bits are or-ed to the high 19.
//
//===----------------------------------------------------------------------===//

#include "arch/Configure.h"
#include "arch/Containers.h"
#include "arch/Rows.h"

namespace xlink {
namespace {

constexpr Piece kBranch20Pieces[] = {{0, 20, 5}};
constexpr Piece kBranch25Pieces[] = {{0, 25, 0}};
constexpr Piece kHigh19Pieces[] = {{0, 5, 0}, {5, 14, 10}};
constexpr Piece kLow13Pieces[] = {{0, 13, 10}};
constexpr Piece kGot15Pieces[] = {{0, 15, 10}};
constexpr Field kBranch20{4, 20, kBranch20Pieces};
constexpr Field kBranch25{4, 25, kBranch25Pieces};
constexpr Field kHigh19{4, 19, kHigh19Pieces};
constexpr Field kLow13{4, 13, kLow13Pieces};
constexpr Field kGot15{4, 15, kGot15Pieces};

constexpr RelocationRow kRelocations[] = {
    nothing(0, "R_NYUZI_NONE"),
    absolute(1, "R_NYUZI_ABS32", Use::Data, kWord).range(Check::Either),
    pcRelative(2, "R_NYUZI_BRANCH20", Use::Branch, kBranch20)
        .wrap(Wrap::Mod32Signed)
        .scaled(2)
        .range(Check::Signed)
        .hint("BRANCH25 (an unconditional branch) reaches 16777215 words"),
    pcRelative(3, "R_NYUZI_BRANCH25", Use::Call, kBranch25)
        .wrap(Wrap::Mod32Signed)
        .scaled(2)
        .range(Check::Signed)
        .hint("lea and a branch through the register reach any address"),
    absolute(4, "R_NYUZI_HI19", Use::Address, kHigh19)
        .floored(13)
        .range(Check::Either),
    absolute(5, "R_NYUZI_IMM_LO13", Use::Address, kLow13).range(Check::LowPart),
    gotOffset(6, "R_NYUZI_GOT", Use::Address, kGot15).range(Check::Signed),
};

// Start-up code refers to all three in every program, so they exist without a
// slot and without a constructor, too.
constexpr SectionSymbol kSectionSymbols[] = {
    {"_GLOBAL_OFFSET_TABLE_", ".got", false},
    {"__init_array_start", ".init_array", false},
    {"__init_array_end", ".init_array", true},
};

constexpr uint16_t kMachines[] = {9999};
constexpr const char *kEntries[] = {"_start"};
constexpr const Container *kContainers[] = {&readMemHContainer};

void configure(const TargetOptions &options, llvm::ArrayRef<InputHeader>,
               TargetState &state, std::vector<TargetMessage> &messages) {
  chosenCpu("nyuzi", {}, options, messages);
  state.machine = kMachines[0];
  state.codeFill = {0, 0, 0, 0}; // an all-zero word is a nop
}

const char kScript[] =
#include "nyuzi.ld.inc"
    ;

} // namespace

extern constinit const Target nyuziTarget = {
    .name = "nyuzi",
    .description = "Nyuzi GPGPU",
    .machines = kMachines,
    .relocations = kRelocations,
    .script = kScript,
    .entries = kEntries,
    .maxPageSize = 0x1000,
    .sectionSymbols = kSectionSymbols,
    // The tool that turns the program into a memory image copies words.
    .segmentFileAlign = 4,
    .gotSlotSize = 4,
    .containers = kContainers,
    .configure = configure,
};

} // namespace xlink
