//===- Colossus.cpp - the Graphcore Colossus IPU
//---------------------------===//
//
// Every relocation is absolute and computed modulo 2^32. Compressed pointers
// are relative to the start of the tile's memory, which differs between
// architectures: it is a property of the machine, not of the image.
//
//===----------------------------------------------------------------------===//

#include "arch/Target.h"

namespace xlink {
namespace {

constexpr Field kLow18{4, 18, kPieceList<Piece{0, 18, 0}>};
constexpr Field kLow19{4, 19, kPieceList<Piece{0, 19, 0}>};
constexpr Field kLow20{4, 20, kPieceList<Piece{0, 20, 0}>};
constexpr Field kLow21{4, 21, kPieceList<Piece{0, 21, 0}>};
constexpr Field kRun{4, 16, kPieceList<Piece{0, 12, 0}, Piece{12, 4, 16}>};

/// An address, or the address divided by 2^shift, in an unsigned field.
constexpr RelocationRow pointer(uint32_t number, const char *name, Use use,
                                const Field &field, uint8_t shift = 0) {
  return RelocationRow(
      number, name, Formula::Abs, use, field,
      {.wrap = Wrap::Mod32, .shift = shift, .check = Check::Unsigned});
}
/// The distance in words from the start of tile memory.
constexpr RelocationRow tileWords(uint32_t number, const char *name, Use use,
                                  const Field &field) {
  return RelocationRow(number, name, Formula::BaseRel, use, field,
                       {.wrap = Wrap::Mod32,
                        .shift = 2,
                        .check = Check::Unsigned,
                        .base = kFieldBase});
}

constexpr RelocationRow kRelocations[] = {
    RelocationRow(0, "R_COLOSSUS_NONE", Formula::None, Use::Data),
    pointer(1, "R_COLOSSUS_8", Use::Data, kField8),
    pointer(2, "R_COLOSSUS_16", Use::Data, kField16),
    pointer(3, "R_COLOSSUS_20", Use::Address, kLow20),
    // Bit 31 may be set: debug information marks discarded code with it.
    RelocationRow(4, "R_COLOSSUS_32", Formula::Abs, Use::Data, kField32,
                  {.wrap = Wrap::Mod32}),
    RelocationRow(5, "R_COLOSSUS_64", Formula::Abs, Use::Data, kField64,
                  {.wrap = Wrap::Mod32Signed}),
    tileWords(6, "R_COLOSSUS_RELATIVE_16_S2", Use::Data, kField16),
    pointer(7, "R_COLOSSUS_18_S2", Use::Data, kLow18, 2),
    pointer(8, "R_COLOSSUS_19_S2", Use::Call, kLow19, 2),
    tileWords(9, "R_COLOSSUS_RUN", Use::Call, kRun),
    pointer(14, "R_COLOSSUS_16_S3", Use::Data, kField16, 3),
    pointer(15, "R_COLOSSUS_16_S4", Use::Data, kField16, 4),
    pointer(16, "R_COLOSSUS_16_S5", Use::Data, kField16, 5),
    pointer(17, "R_COLOSSUS_21", Use::Data, kLow21),
};

constexpr uint16_t kMachines[] = {248};
constexpr const char *kEntries[] = {"_start"};
constexpr const char *kAliases[] = {"ipu"};
constexpr const char *kCpus[] = {"ipu1", "ipu2", "ipu21"};
constexpr uint8_t kStandalone = 255; ///< EI_OSABI of the tools' objects

/// An architecture: its e_flags value and its tile's memory. Only the first
/// region executes; the second is interleaved.
struct Architecture {
  const char *name;
  uint32_t flag;
  uint64_t memory, interleaved, end;
};
constexpr Architecture kArchitectures[] = {
    {"ipu1", 0x01, 0x40000, 0x60000, 0x80000},
    {"ipu2", 0x02, 0x4C000, 0x80000, 0xE8000},
    {"ipu21", 0x21, 0x4C000, 0x80000, 0xE8000},
};

/// The architecture in e_flags; an object without one goes with any.
std::optional<uint32_t> architectureFlag(const InputHeader &header) {
  uint32_t flag = header.flags & 0xff;
  return flag ? std::optional(flag) : std::nullopt;
}

std::string describeFlag(uint32_t flag) {
  for (const Architecture &arch : kArchitectures)
    if (arch.flag == flag)
      return std::string("is for ") + arch.name;
  return "is for the unknown architecture " + hexText(flag);
}

void configure(const TargetOptions &options,
               llvm::ArrayRef<InputHeader> headers, TargetState &state,
               std::vector<TargetMessage> &messages) {
  state.machine = kMachines[0];
  state.osabi = headers.empty() ? kStandalone : headers.front().osabi;
  const InputHeader *decider =
      requireSame("incompatible architectures", headers, architectureFlag,
                  describeFlag, TargetMessage::Warning, messages);
  state.flags = decider ? *architectureFlag(*decider) : 0;

  // --mcpu decides, else the objects, else the first architecture there was.
  const Architecture *chosen = nullptr;
  std::optional<std::string> cpu =
      chosenCpu("colossus", kCpus, options, messages);
  for (const Architecture &arch : kArchitectures)
    if (cpu ? *cpu == arch.name : state.flags == arch.flag)
      chosen = &arch;
  if (!chosen) {
    chosen = &kArchitectures[0];
    if (decider)
      messages.push_back({TargetMessage::Warning,
                          decider->file.str() + " " +
                              describeFlag(state.flags) +
                              "; taking ipu1, --mcpu chooses another"});
  }
  state.cpu = chosen->name;
  state.fieldBase = chosen->memory;
  state.noCode = {chosen->interleaved, chosen->end,
                  "interleaved memory (region 1)"};
  state.executable = {
      {chosen->memory, chosen->interleaved, "executable memory (region 0)"}};
  state.codeFill = {0x00, 0x00, 0xE0, 0x19}; // nop
  state.scriptVariables = {
      {"TILE_BASE", hexText(chosen->memory)},
      {"TILE_SIZE", hexText(chosen->end - chosen->memory)},
      {"REGION0_SIZE", hexText(chosen->interleaved - chosen->memory)}};
}

const char kScript[] =
#include "colossus.ld.inc"
    ;

} // namespace

extern constinit const Target colossusTarget = {
    .name = "colossus",
    .aliases = kAliases,
    .description = "Graphcore Colossus IPU",
    .machines = kMachines,
    .relocations = kRelocations,
    .script = kScript,
    .entries = kEntries,
    .cpus = kCpus,
    .fieldBaseName = "TMEM base",
    .prefetchBytes = 64, // of the supervisor
    .codeFillsRegions = true,
    .stackSizeWithCallees = uint64_t(1) << 31,
    .configure = configure,
};

} // namespace xlink
