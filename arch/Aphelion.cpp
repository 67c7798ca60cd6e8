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

#include "arch/Configure.h"
#include "arch/Rows.h"

namespace xlink {
namespace {

/// Container bit of bit `bit` of instruction `index` in a sequence.
constexpr uint8_t at(uint8_t index, uint8_t bit) { return 32 * index + bit; }

// A jump's own field counts instructions and is 14 bits wide. The value here is
// the distance or address divided by 4: the ABI's D >> 16 begins at
// its bit 14.
constexpr Piece kCallPieces[] = {{14, 16, at(0, 16)}, {0, 14, at(1, 18)}};
constexpr Piece kFarCallPieces[] = {{46, 16, at(0, 16)},
                                    {30, 16, at(1, 16)},
                                    {14, 16, at(2, 16)},
                                    {0, 14, at(3, 18)}};
constexpr Piece kLoadPieces[] = {{48, 16, at(0, 16)},
                                 {32, 16, at(1, 16)},
                                 {16, 16, at(2, 16)},
                                 {0, 16, at(3, 16)}};
constexpr Field kCall{8, 30, kCallPieces};
constexpr Field kFarCall{16, 62, kFarCallPieces};
constexpr Field kLoad{16, 64, kLoadPieces};

constexpr RelocationRow kRelocations[] = {
    nothing(0, "R_APHELION_NONE"),
    absolute(1, "R_APHELION_WORD", Use::Data, kDouble).placed(8),
    absolute(2, "R_APHELION_WORD_UNALIGNED", Use::Data, kDouble),
    pcRelative(3, "R_APHELION_CALL", Use::Call, kCall)
        .placed(4)
        .scaled(2)
        .range(Check::Signed)
        .hint("fcall reaches any address"),
    absolute(4, "R_APHELION_FCALL", Use::Call, kFarCall).placed(4).scaled(2),
    absolute(5, "R_APHELION_LI", Use::Address, kLoad).placed(4),
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
