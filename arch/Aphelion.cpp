//===- Aphelion.cpp - Orbit Systems Aphelion
//-------------------------------===//
//
// ELF for Aphelion is this project's draft supplement. Instruction relocations
// span a sequence of two or four 32-bit words, 16 bits of the value in each;
// one container holds the sequence. Arithmetic is modulo 2^64.
//
// The bias of a call is the producer's: the jump adds to the address of the
// next instruction while the ABI's formula subtracts the place, so a producer
// writes A = -8. Nothing is added here.
//
//===----------------------------------------------------------------------===//

#include "arch/Target.h"

namespace xlink {
namespace {

/// Container bit of bit `bit` of instruction `index` in a sequence.
constexpr uint8_t at(uint8_t index, uint8_t bit) { return 32 * index + bit; }

// A jump's own field counts instructions and is 14 bits wide. The value here is
// the distance or address divided by 4: the ABI's D >> 16 begins at
// its bit 14.
constexpr Field kCall{
    8, 30, kPieceList<Piece{14, 16, at(0, 16)}, Piece{0, 14, at(1, 18)}>};
constexpr Field kFarCall{
    16, 62,
    kPieceList<Piece{46, 16, at(0, 16)}, Piece{30, 16, at(1, 16)},
               Piece{14, 16, at(2, 16)}, Piece{0, 14, at(3, 18)}>};
constexpr Field kLoad{
    16, 64,
    kPieceList<Piece{48, 16, at(0, 16)}, Piece{32, 16, at(1, 16)},
               Piece{16, 16, at(2, 16)}, Piece{0, 16, at(3, 16)}>};

constexpr RelocationRow kRelocations[] = {
    RelocationRow(0, "R_APHELION_NONE", Formula::None, Use::Data),
    RelocationRow(1, "R_APHELION_WORD", Formula::Abs, Use::Data, kField64,
                  {.placeAlign = 8}),
    RelocationRow(2, "R_APHELION_WORD_UNALIGNED", Formula::Abs, Use::Data,
                  kField64),
    RelocationRow(3, "R_APHELION_CALL", Formula::PcRel, Use::Call, kCall,
                  {.placeAlign = 4,
                   .shift = 2,
                   .check = Check::Signed,
                   .hint = "fcall reaches any address"}),
    RelocationRow(4, "R_APHELION_FCALL", Formula::Abs, Use::Call, kFarCall,
                  {.placeAlign = 4, .shift = 2}),
    RelocationRow(5, "R_APHELION_LI", Formula::Abs, Use::Address, kLoad,
                  {.placeAlign = 4}),
};

constexpr uint16_t kMachines[] = {0xA9E1};
constexpr const char *kEntries[] = {"_start"};

/// The ISA version in the low byte of e_flags; 0 is unspecified.
std::optional<uint32_t> isaVersion(const InputHeader &header) {
  uint32_t version = header.flags & 0xff;
  return version ? std::optional(version) : std::nullopt;
}

std::string describeVersion(uint32_t version) {
  return "has version " + std::to_string(version);
}

void configure(const TargetOptions &options,
               llvm::ArrayRef<InputHeader> headers, TargetState &state,
               std::vector<TargetMessage> &messages) {
  chosenCpu("aphelion", {}, options, messages);
  state.machine = kMachines[0];
  if (const InputHeader *first =
          requireSame("incompatible ISA", headers, isaVersion, describeVersion,
                      TargetMessage::Mismatch, messages))
    state.flags = *isaVersion(*first);
  // or zr, zr, zr: an all-zero word is an undefined operation.
  state.codeFill = {0x26, 0, 0, 0};
}

const char kScript[] =
#include "aphelion.ld.inc"
    ;

} // namespace

extern constinit const Target aphelionTarget = {
    .name = "aphelion",
    .description = "Orbit Systems Aphelion",
    .is64 = true,
    .machines = kMachines,
    .relocations = kRelocations,
    .script = kScript,
    .entries = kEntries,
    .maxPageSize = 0x1000,
    .configure = configure,
};

} // namespace xlink
