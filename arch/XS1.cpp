//===- XS1.cpp - XMOS XS1 (XCore)
//------------------------------------------===//
//
// Instructions have 16 bits, or 32 with a prefix that holds the high part of
// the immediate. A distance is a magnitude with the sign as a bit of the
// opcode. Two registers address data: cp the constants, dp the variables, each
// from the start of the sections that carry its flag.
//
// The ABI's text calls P the place of the storage unit. In the vendor's objects
// the addend is 0 and P is the address of the next instruction, to which
// the processor adds; `-z xs1-place=offset` gives the text's reading.
//
// The vendor's rule for undefined weak symbols is unknown: 321 objects of its
// tools have no relocation to one, and none of 4,506 `ldap` in its executables
// has the distance 0 or means address 0. Here `ldap` gets the distance to
// address 0, calls and branches the distance 0.
//
// Assertions (operator 5) fail when the result is not 0: each of the 99 entries
// in the vendor's files names as its result a value that must be 0. In the
// ABI's text operand 2 is the condition (`-z xs1-assert=abi`). Six entries of
// the form `f.nstackwords = f.nstackwords + 0` in the vendor's executables keep
// a programmer's bound: 300, 100, 2048.
//
//===----------------------------------------------------------------------===//

#include "arch/Containers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace xlink {
namespace {

// Immediates of 6 and 10 bits, alone and with a prefix (the low 16 bits of the
// unit) for 10 more. The ones with a sign have it in bit 10 of the instruction.
constexpr Field kShort6{2, 6, kPieceList<Piece{0, 6, 0}>};
constexpr Field kLong6{4, 16, kPieceList<Piece{0, 6, 16}, Piece{6, 10, 0}>};
constexpr Field kShort10{2, 10, kPieceList<Piece{0, 10, 0}>};
constexpr Field kLong10{4, 20, kPieceList<Piece{0, 10, 16}, Piece{10, 10, 0}>};
constexpr Field kSignedShort6{2, 6, kShort6.pieces, 10};
constexpr Field kSignedLong6{4, 16, kLong6.pieces, 26};
constexpr Field kSignedShort10{2, 10, kShort10.pieces, 10};
constexpr Field kSignedLong10{4, 20, kLong10.pieces, 26};

// Five groups of seven bits; the eighth bit of each byte says that more follow
// and is the assembler's.
constexpr Field kLeb128{
    5, 35,
    kPieceList<Piece{0, 7, 0}, Piece{7, 7, 8}, Piece{14, 7, 16},
               Piece{21, 7, 24}, Piece{28, 7, 32}>};

enum : uint8_t { kCp, kDp }; ///< indices into kBaseSymbols

/// The distance in words from cp or dp.
constexpr RelocationRow fromBase(uint32_t number, const char *name,
                                 const Field &field, uint8_t base,
                                 const char *hint = nullptr) {
  return RelocationRow(number, name, Formula::BaseRel, Use::Address, field,
                       {.shift = 2,
                        .check = Check::Unsigned,
                        .base = base,
                        .hint = hint,
                        .fieldAddend = true});
}
/// The distance from the next instruction in units of 2^shift bytes.
constexpr RelocationRow jump(uint32_t number, const char *name, Use use,
                             const Field &field, uint8_t shift,
                             const char *hint = nullptr,
                             PlaceBias bias = PlaceBias::UnitSize) {
  RelocationRow row(number, name, Formula::PcRel, use, field,
                    {.bias = bias,
                     .wrap = Wrap::Mod32Signed,
                     .shift = shift,
                     .check = Check::Magnitude,
                     .hint = hint,
                     .fieldAddend = true});
  // ldap and bl have the same field; bit 11 of the instruction is set in ldap.
  row.takesAddress = use == Use::Call;
  if (row.takesAddress)
    row.addressBit = field.bytes == 4 ? 27 : 11;
  return row;
}
/// A number, in as many bits as the field has.
constexpr RelocationRow value(uint32_t number, const char *name,
                              const Field &field, Wrap wrap, Check check) {
  return RelocationRow(number, name, Formula::Abs, Use::Data, field,
                       {.wrap = wrap, .check = check, .fieldAddend = true});
}

constexpr RelocationRow kRelocations[] = {
    RelocationRow(0, "R_XCORE1_NONE", Formula::None, Use::Data),
    value(1, "R_XCORE1_ADDR32", kField32, Wrap::None, Check::Either),
    fromBase(2, "R_XCORE1_DP_REL6", kShort6, kDp,
             "DP_REL16 (the form with prefix) reaches 65535 words"),
    fromBase(3, "R_XCORE1_DP_REL16", kLong6, kDp),
    fromBase(4, "R_XCORE1_CP_REL6", kShort6, kCp,
             "CP_REL16 (the form with prefix) reaches 65535 words"),
    fromBase(5, "R_XCORE1_CP_REL16", kLong6, kCp),
    fromBase(6, "R_XCORE1_CP_REL10", kShort10, kCp,
             "CP_REL20 (ldw r11, cp[] with prefix) reaches 1048575 words"),
    fromBase(7, "R_XCORE1_CP_REL20", kLong10, kCp),
    jump(8, "R_XCORE1_REL6", Use::Branch, kSignedShort6, 1,
         "REL16 (the form with prefix) reaches 65535 halfwords"),
    jump(9, "R_XCORE1_REL16", Use::Branch, kSignedLong6, 1),
    jump(10, "R_XCORE1_REL10", Use::Call, kSignedShort10, 1,
         "REL20 (the form with prefix) reaches 1048575 halfwords"),
    jump(11, "R_XCORE1_REL20", Use::Call, kSignedLong10, 1),
    // A size on the stack; the 20 is in the name alone.
    value(12, "R_XCORE1_LSIZE20", kLong6, Wrap::None, Check::Unsigned),
    // The vendor's names of 15, 17 and 22 are not known: these three describe
    // the fields. 15 and 17 hold numbers of 32 bits, such as results of .expr.
    value(15, "R_XCORE1_ADDR16", kField16, Wrap::Mod32, Check::Either),
    value(17, "R_XCORE1_ULEB128", kLeb128, Wrap::Mod32, Check::None),
    // Dual issue: bundles of 4 bytes.
    jump(18, "R_XCORE1_REL6_4", Use::Branch, kSignedShort6, 2,
         "REL16_4 (the form with prefix) reaches 65535 words",
         PlaceBias::NextBundle),
    jump(19, "R_XCORE1_REL16_4", Use::Branch, kSignedLong6, 2),
    jump(20, "R_XCORE1_REL10_4", Use::Call, kSignedShort10, 2,
         "REL20_4 (the form with prefix) reaches 1048575 words",
         PlaceBias::NextBundle),
    jump(21, "R_XCORE1_REL20_4", Use::Call, kSignedLong10, 2),
    // Lies in a piece of code and names the piece that describes it.
    RelocationRow(22, "R_XCORE1_KEEP", Formula::None, Use::Data),
};

constexpr uint64_t kShfDp = 0x10000000, kShfCp = 0x20000000;

constexpr BaseSymbol kBaseSymbols[] = {
    {"_cp", kShfCp, 4, ".cp.rodata", ".large", "cp"},
    {"_dp", kShfDp, 4, ".dp.data", ".large", "dp"},
};

constexpr SectionFlagName kSectionFlags[] = {
    {"SHF_DP", kShfDp},
    {"SHF_CP", kShfCp},
};

constexpr ExprOperator kExprOperators[] = {
    {1, ExprOp::Add},
    {2, ExprOp::Max},
    {3, ExprOp::Mul},
    {4, ExprOp::Sub},
    {5, ExprOp::Assert},
    {6, ExprOp::AlignUp},
    {7, ExprOp::Less},
    {8, ExprOp::Greater},
    {9, ExprOp::LessEqual},
    {10, ExprOp::GreaterEqual},
    {12, ExprOp::Calls},
    {13, ExprOp::Passed},
    {15, ExprOp::Reads},
    {16, ExprOp::Writes},
    {17, ExprOp::StackWords},
    {19, ExprOp::Threads},
    {20, ExprOp::Timers},
    {21, ExprOp::ChannelEnds},
    {23, ExprOp::Statement}, // actnoside
    {24, ExprOp::Statement}, // locnoside
    {25, ExprOp::Parallel},
    {27, ExprOp::VisibleName},
    // 28, 52, 55, 58, 59, 60 and 64: with these the vendor's later start-up
    // code and libraries compute the heap, the reserved stack and the needs of
    // calls through pointers; the values in executables agree with their
    // meanings here.
    {28, ExprOp::Defined},
    {30, ExprOp::Statement}, // actnochandec
    {31, ExprOp::Statement}, // locnochandec
    {33, ExprOp::Block},
    {34, ExprOp::AlignLabel},
    {37, ExprOp::TypeString},
    // Elements of an array that no relocation names: the vendor's executables
    // have them where they have the array.
    {41, ExprOp::KeptBy},
    {43, ExprOp::BelongsTo},
    {52, ExprOp::AlignUp},
    {55, ExprOp::Divide},
    {58, ExprOp::Select},
    {59, ExprOp::Element},
    {60, ExprOp::SetMax},
    {64, ExprOp::SetSum},
};

// Later tools count cores instead of threads.
constexpr ResourceSymbol kResourceSymbols[] = {
    {Resource::StackWords, ".nstackwords"},  {Resource::Threads, ".maxthreads"},
    {Resource::Threads, ".maxcores"},        {Resource::Timers, ".maxtimers"},
    {Resource::ChannelEnds, ".maxchanends"},
};

constexpr uint32_t kExpr = 0x14, kNetInfo = 0x15, kPiece = 0x60000000;
constexpr uint32_t kIgnoredTypes[] = {kNetInfo};

constexpr uint16_t kNewMachine = 203, kOldMachine = 0xB49E;
constexpr uint16_t kMachines[] = {kNewMachine, kOldMachine};
constexpr const char *kEntries[] = {"_start"};
constexpr const char *kCpus[] = {"xs1", "xs2", "xs3"};
constexpr const char *kZKeywords[] = {"xs1-place=offset", "xs1-assert=abi"};
constexpr const Container *kContainers[] = {&xeContainer};

/// A core: its RAM and its shortest nop.
struct Core {
  const char *name; ///< of --mcpu
  const char *note; ///< of the note that an object is for it
  uint64_t ramBase, ramSize;
  uint16_t nop;
};
constexpr Core kCores[] = {
    {"xs1", "XS1", 0x10000, 0x10000, 0x9000},
    {"xs2", "XS2", 0x40000, 0x40000, 0x17FF},
    {"xs3", "XS3", 0x80000, 0x80000, 0x17FF},
};

constexpr uint32_t kUnknownCore = ~0u;

/// Index of the core that an object's note names.
std::optional<uint32_t> coreOf(const InputHeader &header) {
  if (header.cpu.empty())
    return std::nullopt;
  for (uint32_t i = 0; i != std::size(kCores); ++i)
    if (header.cpu == kCores[i].note)
      return i;
  return kUnknownCore;
}
std::string describeCore(uint32_t core) {
  return core == kUnknownCore ? "is for a core that is not known"
                              : std::string("is for ") + kCores[core].note;
}

/// --mcpu decides, else the objects' notes, else it is the first core there
/// was. Objects that are for another one do not go with it.
const Core &chooseCore(const TargetOptions &options,
                       llvm::ArrayRef<InputHeader> headers,
                       std::vector<TargetMessage> &messages) {
  const std::optional<std::string> cpu =
      chosenCpu("xs1", kCpus, options, messages);
  if (!cpu) {
    const InputHeader *first =
        requireSame("incompatible cores", headers, coreOf, describeCore,
                    TargetMessage::Mismatch, messages);
    const uint32_t core = first ? *coreOf(*first) : kUnknownCore;
    return kCores[core == kUnknownCore ? 0 : core];
  }
  uint32_t chosen = 0;
  while (*cpu != kCores[chosen].name)
    ++chosen;
  llvm::SmallVector<uint32_t, 4> seen = {chosen};
  for (const InputHeader &header : headers) {
    std::optional<uint32_t> core = coreOf(header);
    if (!core || llvm::is_contained(seen, *core))
      continue;
    seen.push_back(*core);
    messages.push_back(
        {TargetMessage::Mismatch, ("incompatible core: " + header.file + " " +
                                   describeCore(*core) + ", --mcpu is " + *cpu)
                                      .str()});
  }
  return kCores[chosen];
}

void configure(const TargetOptions &options,
               llvm::ArrayRef<InputHeader> headers, TargetState &state,
               std::vector<TargetMessage> &messages) {
  bool allOld =
      !headers.empty() && llvm::all_of(headers, [](const InputHeader &header) {
        return header.machine == kOldMachine;
      });
  state.machine = allOld ? kOldMachine : kNewMachine;
  state.usePlaceBias =
      !llvm::is_contained(options.zKeywords, llvm::StringRef(kZKeywords[0]));
  state.assertsOperand =
      llvm::is_contained(options.zKeywords, llvm::StringRef(kZKeywords[1]));

  const Core &core = chooseCore(options, headers, messages);
  state.cpu = core.name;
  state.codeFill = {uint8_t(core.nop), uint8_t(core.nop >> 8)};
  state.scriptVariables = {{"RAM_BASE", hexText(core.ramBase)},
                           {"RAM_SIZE", hexText(core.ramSize)}};
}

const char kScript[] =
#include "xs1.ld.inc"
    ;

} // namespace

extern constinit const Target xs1Target = {
    .name = "xs1",
    .description = "XMOS XS1 (XCore)",
    .machines = kMachines,
    .relocations = kRelocations,
    .script = kScript,
    .entries = kEntries,
    .cpus = kCpus,
    .zKeywords = kZKeywords,
    .baseSymbols = kBaseSymbols,
    .sectionFlags = kSectionFlags,
    .retainFlag = 0, // the bit means something else here
    .entrySectionFirst = true,
    .exprSectionType = kExpr,
    .exprOperators = kExprOperators,
    .resourceSymbols = kResourceSymbols,
    .typeSection = ".typeinfo",
    .pieceSectionType = kPiece,
    .removablePieceFlag = 0x100000,
    .cpuNoteName = "XMOS",
    .cpuNoteType = 2,
    .stackSharesMemory = true,
    .ignoredTypes = kIgnoredTypes,
    .containers = kContainers,
    .thunkMaker = &xs1ThunkMaker,
    .configure = configure,
};

} // namespace xlink
