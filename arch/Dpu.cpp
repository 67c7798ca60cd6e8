//===- Dpu.cpp - the UPMEM DPU
//---------------------------------------------===//
//
// Four memories share one space of link-time addresses, and an instruction
// addresses each from 0. So a relocation computes S + A modulo 2^32, maps it
// out of the link-time space where the place is part of the loaded program, and
// scatters the result over a 64-bit instruction. Fields overlap between rows
// but not within one, and two relocations at one place are normal.
//
//===----------------------------------------------------------------------===//

#include "arch/Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include <initializer_list>

namespace xlink {
namespace {

/// Pieces of a value; many fields extend another one.
struct Pieces {
  Piece list[24] = {};
  size_t count = 0;

  constexpr Pieces(std::initializer_list<Piece> pieces) {
    for (const Piece &piece : pieces)
      list[count++] = piece;
  }
  constexpr Pieces operator+(const Pieces &more) const {
    Pieces all = *this;
    for (size_t i = 0; i < more.count; ++i)
      all.list[all.count++] = more.list[i];
    return all;
  }
  constexpr operator llvm::ArrayRef<Piece>() const { return {list, count}; }
};

// Parts that fields share. Bits 8 to 11 of a value stand in reverse order.
constexpr Pieces kLow4At16{{0, 4, 16}};
constexpr Pieces kLow4At20{{0, 4, 20}};
constexpr Pieces kLow8 = kLow4At20 + Pieces{{4, 4, 16}};
constexpr Pieces kBits8To11{{8, 1, 15}, {9, 1, 14}, {10, 1, 13}, {11, 1, 12}};
constexpr Pieces kBits8To23 = kBits8To11 + Pieces{{12, 12, 0}};
constexpr Pieces kBits8To31 = kBits8To23 + Pieces{{24, 8, 24}};
// Bits 4 to 7 of the forms whose second register field is in use.
constexpr Pieces kLow8Rb = kLow4At20 + Pieces{{4, 3, 39}, {7, 1, 24}};

constexpr Pieces kImm5 = kLow4At20 + Pieces{{4, 1, 28}};
constexpr Field kImm8Dma{4, 8, kPieceList<Piece{0, 8, 24}>};
constexpr Pieces kImm27Pc = kLow8 + Pieces{{8, 3, 39}};
constexpr Pieces kImm28Pc = kImm27Pc + Pieces{{11, 1, 44}};
constexpr Pieces kImm8Str = kLow4At16 + Pieces{{4, 4, 0}};
constexpr Pieces kImm12Str = kLow8Rb + kBits8To11;
constexpr Pieces kImm16Str = kLow4At16 + Pieces{{4, 12, 0}};
constexpr Pieces kImm16Atm = kLow8 + Pieces{{8, 5, 26}, {13, 3, 39}};
constexpr Pieces kImm24 = kLow8 + kBits8To23;
constexpr Pieces kImm24Rb = kLow8Rb + kBits8To23;
constexpr Pieces kImm27 = kImm24 + Pieces{{24, 3, 39}};
constexpr Pieces kImm28 = kImm27 + Pieces{{27, 1, 44}};
constexpr Pieces kImm32 = kLow8 + kBits8To31;
constexpr Pieces kImm32ZeroRb =
    kLow4At20 + Pieces{{4, 3, 34}, {7, 1, 39}} + kBits8To31;
constexpr Pieces kImm32DusRb =
    kLow4At20 + Pieces{{4, 3, 34}, {7, 1, 44}} + kBits8To31;
// The topmost bit once more in each bit up to the 24th: sign extension.
constexpr Pieces kSignTo24{{16, 1, 5}, {16, 1, 6},  {16, 1, 7}, {16, 1, 8},
                           {16, 1, 9}, {16, 1, 10}, {16, 1, 11}};
constexpr Pieces kImm17To24 =
    kLow8 + kBits8To11 + Pieces{{12, 5, 0}} + kSignTo24;

/// S + A modulo 2^32, taken as signed or unsigned unless `rules` say more.
constexpr RelocationRow modular(uint32_t number, const char *name, Use use,
                                const Field &field,
                                RelocationRules rules = {}) {
  rules.wrap = Wrap::Mod32;
  if (field.bits < 32 && rules.check == Check::None)
    rules.check = Check::Either;
  return RelocationRow(number, name, Formula::Abs, use, field, rules);
}

constexpr RelocationRow kRelocations[] = {
    RelocationRow(0, "R_DPU_NONE", Formula::None, Use::Data),
    modular(1, "R_DPU_32", Use::Data, kField32),
    modular(2, "R_DPU_8", Use::Data, kField8),
    modular(3, "R_DPU_16", Use::Data, kField16),
    modular(4, "R_DPU_64", Use::Data, kField64),
    // Only the low two bytes of the instruction belong to it.
    modular(128, "R_DPU_PC", Use::Branch, kField16),
    modular(129, "R_DPU_IMM5", Use::Address, {8, 5, kImm5}),
    // One byte, at P + 3: the rest of the instruction need not be there.
    modular(130, "R_DPU_IMM8_DMA", Use::Address, kImm8Dma),
    // Operands of instructions that also branch; their target has an R_DPU_PC
    // at the same place. The SDK's start-up code has numbers in them.
    modular(131, "R_DPU_IMM24_PC", Use::Address, {8, 8, kLow8}),
    modular(132, "R_DPU_IMM27_PC", Use::Address, {8, 11, kImm27Pc}),
    modular(133, "R_DPU_IMM28_PC_OPC8", Use::Address, {8, 12, kImm28Pc}),
    modular(134, "R_DPU_IMM8_STR", Use::Address, {8, 8, kImm8Str}),
    modular(135, "R_DPU_IMM12_STR", Use::Address, {8, 12, kImm12Str}),
    modular(136, "R_DPU_IMM16_STR", Use::Address, {8, 16, kImm16Str}),
    modular(137, "R_DPU_IMM16_ATM", Use::Address, {8, 16, kImm16Atm}),
    // Arithmetic with short constants has it as well as calls.
    modular(138, "R_DPU_IMM24", Use::Call, {8, 24, kImm24},
            {.takesAddress = true}),
    modular(139, "R_DPU_IMM24_RB", Use::Address, {8, 24, kImm24Rb}),
    modular(140, "R_DPU_IMM27", Use::Address, {8, 27, kImm27}),
    modular(141, "R_DPU_IMM28", Use::Address, {8, 28, kImm28},
            {.alsoJumps = true}),
    modular(142, "R_DPU_IMM32", Use::Address, {8, 32, kImm32}),
    modular(143, "R_DPU_IMM32_ZERO_RB", Use::Address, {8, 32, kImm32ZeroRb}),
    modular(144, "R_DPU_IMM17_24", Use::Address, {8, 17, kImm17To24},
            {.check = Check::Signed}),
    modular(145, "R_DPU_IMM32_DUS_RB", Use::Address, {8, 32, kImm32DusRb}),
};

constexpr uint16_t kMachines[] = {245};
constexpr const char *kEntries[] = {"__bootstrap", "_start"};

/// The two chips.
struct Chip {
  const char *name;
  const char *iram, *wram; ///< bytes
  const char *atomic;      ///< bits
  const char *ownAtomic;   ///< of them, those that the run-time owns
  const char *threads;
};
constexpr Chip kChips[] = {{"v1A", "32768", "65536", "256", "200", "24"},
                           {"v1B", "31744", "63488", "64", "0", "16"}};
constexpr const char *kCpus[] = {kChips[0].name, kChips[1].name};

constexpr uint64_t kIram = 0x80000000, kMram = 0x08000000, kAtomic = 0xf0000000;
constexpr Memory kMemories[] = {
    {"IRAM", kIram, kAtomic, Memory::Code, 8, "instructions"},
    {"WRAM", 0, kMram, Memory::Values},
    {"MRAM", kMram, kIram, Memory::Values},
    {"the atomic memory", kAtomic, uint64_t(1) << 32, Memory::Other}};

/// As the SDK's script and start-up code have them.
constexpr Reservation kReservations[] = {{.kind = Reservation::Stack,
                                          .name = "STACK_SIZE_TASKLET_#",
                                          .begin = "__sys_stack_thread_#",
                                          .size = "STACK_SIZE_TASKLET_#",
                                          .thread = "tasklet",
                                          .count = 24},
                                         {.kind = Reservation::Heap,
                                          .name = "heap",
                                          .begin = "__sys_heap_pointer_reset",
                                          .end = "__sys_heap_pointer_end"}};

constexpr uint32_t kUsualFlags = 0x02800000; ///< ABI version 2
constexpr uint32_t kHasVersion = 1u << 23;
constexpr uint32_t kNoVersion = ~0u; ///< no version is one of its own

std::optional<uint32_t> abiVersion(const InputHeader &header) {
  return header.flags & kHasVersion ? header.flags >> 24 : kNoVersion;
}

std::string describeVersion(uint32_t version) {
  return version == kNoVersion ? "has none"
                               : "has version " + std::to_string(version);
}

/// `.dpu.attributes`: 'A', then a subsection {u32 size, "upmem", {tag 1, u32
/// size, {tag 5, the processor's name}}}, names with their NUL. Sizes count
/// themselves, and the inner one its tag.
std::optional<std::string> attributesIdentity(llvm::ArrayRef<uint8_t> bytes) {
  using llvm::support::endian::read32le;
  constexpr llvm::StringRef vendor("upmem\0", 6);
  auto take = [](llvm::ArrayRef<uint8_t> &from, uint64_t size, uint64_t least) {
    if (size < least || size > from.size())
      return false;
    from = from.take_front(size);
    return true;
  };
  if (bytes.size() < 5 || bytes.front() != 'A')
    return std::nullopt;
  bytes = bytes.drop_front();
  if (!take(bytes, read32le(bytes.data()), 4 + vendor.size()))
    return std::nullopt;
  bytes = bytes.drop_front(4);
  if (llvm::toStringRef(bytes.take_front(vendor.size())) != vendor)
    return std::nullopt;
  bytes = bytes.drop_front(vendor.size());
  if (bytes.size() < 5 || bytes.front() != 1 ||
      !take(bytes, read32le(bytes.data() + 1), 6))
    return std::nullopt;
  bytes = bytes.drop_front(5);
  if (bytes.front() != 5)
    return std::nullopt;
  llvm::StringRef name = llvm::toStringRef(bytes.drop_front());
  size_t end = name.find('\0');
  if (end == llvm::StringRef::npos)
    return std::nullopt;
  return name.take_front(end).str();
}

/// The chip of the first object that states one.
const Chip *chipOfInputs(llvm::ArrayRef<InputHeader> headers,
                         llvm::StringRef &file) {
  for (const InputHeader &header : headers)
    if (std::optional<std::string> name = attributesIdentity(header.attributes))
      for (const Chip &chip : kChips)
        if (*name == chip.name) {
          file = header.file;
          return &chip;
        }
  return nullptr;
}

void configure(const TargetOptions &options,
               llvm::ArrayRef<InputHeader> headers, TargetState &state,
               std::vector<TargetMessage> &messages) {
  llvm::StringRef file;
  const Chip *stated = chipOfInputs(headers, file);
  const Chip *chip = stated ? stated : &kChips[0];
  if (std::optional<std::string> cpu =
          chosenCpu("dpu", kCpus, options, messages)) {
    chip = *cpu == kChips[0].name ? &kChips[0] : &kChips[1];
    if (stated && stated != chip)
      messages.push_back({TargetMessage::Warning,
                          "incompatible attributes: --mcpu is " + *cpu + ", " +
                              file.str() + " is for " + stated->name});
  }
  state.cpu = chip->name;
  state.machine = kMachines[0];
  state.flags = headers.empty() ? kUsualFlags : headers.front().flags;
  state.scriptVariables = {{"CPU", chip->name},
                           {"IRAM", chip->iram},
                           {"WRAM", chip->wram},
                           {"ATOMIC", chip->atomic},
                           {"OWN_ATOMIC", chip->ownAtomic},
                           {"THREADS", chip->threads}};
  requireSame("incompatible ABI", headers, abiVersion, describeVersion,
              TargetMessage::Mismatch, messages);
}

uint64_t mapAddress(uint64_t address) {
  if ((address & kAtomic) == kAtomic)
    return address & ~kAtomic;
  if (address & kIram) {
    // Eight bytes an instruction; the low bits are no bytes but a number of
    // instructions which the assembler put into the addend.
    address &= ~kIram;
    return (address >> 3) + (address & 7);
  }
  return address & ~kMram; // WRAM has nothing to clear
}

constexpr uint32_t kAttributes = 0x70000003;

const char kScript[] =
#include "dpu.ld.inc"
    ;

} // namespace

extern constinit const Target dpuTarget = {
    .name = "dpu",
    .description = "UPMEM DPU",
    .machines = kMachines,
    .relocations = kRelocations,
    .script = kScript,
    .entries = kEntries,
    .maxPageSize = 8,
    .cpus = kCpus,
    // The host's loader copies every segment and finds variables by symbol.
    .noloadInSegments = false,
    .keepSymbolOnlySections = true,
    .gapSectionsHaveBytes = true,
    // The SDK's linker is lld, and its script is written for that.
    .scriptNumbersAbsolute = true,
    .memories = kMemories,
    .reservations = kReservations,
    .startAddress = kIram,
    .startFile = "the SDK's crt0.o",
    .symbolReader = "the host's loader",
    .attributesType = kAttributes,
    .configure = configure,
    .mapAddress = mapAddress,
    .attributesIdentity = attributesIdentity,
};

} // namespace xlink
