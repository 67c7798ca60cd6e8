//===- Nyuzi.cpp - the Nyuzi GPGPU
//-----------------------------------------===//
//
// All fields lie in one 32-bit instruction word, and P is the address of that
// word: addends carry no bias for the pc. An address in two instructions is
// exact without a carry, since the low 13 bits are or-ed to the high 19.
//
//===----------------------------------------------------------------------===//

#include "arch/Containers.h"

namespace xlink {
namespace {

constexpr Field kBranch20{4, 20, kPieceList<Piece{0, 20, 5}>};
constexpr Field kBranch25{4, 25, kPieceList<Piece{0, 25, 0}>};
constexpr Field kHigh19{4, 19, kPieceList<Piece{0, 5, 0}, Piece{5, 14, 10}>};
constexpr Field kLow13{4, 13, kPieceList<Piece{0, 13, 10}>};
constexpr Field kGot15{4, 15, kPieceList<Piece{0, 15, 10}>};

/// The distance in words, and advice when it does not reach.
constexpr RelocationRow branch(uint32_t number, const char *name, Use use,
                               const Field &field, const char *hint) {
  return RelocationRow(number, name, Formula::PcRel, use, field,
                       {.wrap = Wrap::Mod32Signed,
                        .shift = 2,
                        .check = Check::Signed,
                        .hint = hint});
}

constexpr RelocationRow kRelocations[] = {
    RelocationRow(0, "R_NYUZI_NONE", Formula::None, Use::Data),
    RelocationRow(1, "R_NYUZI_ABS32", Formula::Abs, Use::Data, kField32,
                  {.check = Check::Either}),
    branch(2, "R_NYUZI_BRANCH20", Use::Branch, kBranch20,
           "BRANCH25 (an unconditional branch) reaches 16777215 words"),
    branch(3, "R_NYUZI_BRANCH25", Use::Call, kBranch25,
           "lea and a branch through the register reach any address"),
    RelocationRow(4, "R_NYUZI_HI19", Formula::Abs, Use::Address, kHigh19,
                  {.shift = 13, .scale = Scale::Floor, .check = Check::Either}),
    RelocationRow(5, "R_NYUZI_IMM_LO13", Formula::Abs, Use::Address, kLow13,
                  {.check = Check::LowPart}),
    RelocationRow(6, "R_NYUZI_GOT", Formula::GotOffset, Use::Address, kGot15,
                  {.check = Check::Signed}),
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
