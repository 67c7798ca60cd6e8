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

#include "arch/Configure.h"
#include "arch/Containers.h"
#include "arch/Rows.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

namespace xlink {
namespace {

// Immediates of 6 and 10 bits, alone and with a prefix (the low 16 bits of the
// unit) for 10 more. The ones with a sign have it in bit 10 of the instruction.
constexpr Piece kShort6Pieces[] = {{0, 6, 0}};
constexpr Piece kLong6Pieces[] = {{0, 6, 16}, {6, 10, 0}};
constexpr Piece kShort10Pieces[] = {{0, 10, 0}};
constexpr Piece kLong10Pieces[] = {{0, 10, 16}, {10, 10, 0}};
constexpr Field kShort6{2, 6, kShort6Pieces};
constexpr Field kLong6{4, 16, kLong6Pieces};
constexpr Field kShort10{2, 10, kShort10Pieces};
constexpr Field kLong10{4, 20, kLong10Pieces};
constexpr Field kSignedShort6{2, 6, kShort6Pieces, 10};
constexpr Field kSignedLong6{4, 16, kLong6Pieces, 26};
constexpr Field kSignedShort10{2, 10, kShort10Pieces, 10};
constexpr Field kSignedLong10{4, 20, kLong10Pieces, 26};

// Five groups of seven bits; the eighth bit of each byte says that more follow
// and is the assembler's.
constexpr Piece kLeb128Pieces[] = {
    {0, 7, 0}, {7, 7, 8}, {14, 7, 16}, {21, 7, 24}, {28, 7, 32}};
constexpr Field kLeb128{5, 35, kLeb128Pieces};

enum : uint8_t { kCp, kDp }; ///< indices into kBaseSymbols

/// The distance in words from cp or dp.
constexpr Row fromBase(uint32_t number, const char *name, const Field &field,
                       uint8_t base) {
  return baseRelative(number, name, Use::Address, field, base)
      .scaled(2)
      .range(Check::Unsigned)
      .addendInField();
}
/// The distance from the next instruction in units of 2^shift bytes.
constexpr Row jump(uint32_t number, const char *name, Use use,
                   const Field &field, uint8_t shift,
                   PlaceBias bias = PlaceBias::UnitSize) {
  return pcRelative(number, name, use, field)
      .wrap(Wrap::Mod32Signed)
      .scaled(shift)
      .range(Check::Magnitude)
      .bias(bias)
      .addendInField();
}

constexpr RelocationRow kRelocations[] = {
    nothing(0, "R_XCORE1_NONE"),
    absolute(1, "R_XCORE1_ADDR32", Use::Data, kWord)
        .range(Check::Either)
        .addendInField(),
    fromBase(2, "R_XCORE1_DP_REL6", kShort6, kDp)
        .hint("DP_REL16 (the form with prefix) reaches 65535 words"),
    fromBase(3, "R_XCORE1_DP_REL16", kLong6, kDp),
    fromBase(4, "R_XCORE1_CP_REL6", kShort6, kCp)
        .hint("CP_REL16 (the form with prefix) reaches 65535 words"),
    fromBase(5, "R_XCORE1_CP_REL16", kLong6, kCp),
    fromBase(6, "R_XCORE1_CP_REL10", kShort10, kCp)
        .hint("CP_REL20 (ldw r11, cp[] with prefix) reaches 1048575 words"),
    fromBase(7, "R_XCORE1_CP_REL20", kLong10, kCp),
    jump(8, "R_XCORE1_REL6", Use::Branch, kSignedShort6, 1)
        .hint("REL16 (the form with prefix) reaches 65535 halfwords"),
    jump(9, "R_XCORE1_REL16", Use::Branch, kSignedLong6, 1),
    // ldap and bl have the same field; bit 11 of the instruction is set in
    // ldap.
    jump(10, "R_XCORE1_REL10", Use::Call, kSignedShort10, 1)
        .alsoTakesAddress(11)
        .hint("REL20 (the form with prefix) reaches 1048575 halfwords"),
    jump(11, "R_XCORE1_REL20", Use::Call, kSignedLong10, 1)
        .alsoTakesAddress(27),
    // A size on the stack; the 20 is in the name alone.
    absolute(12, "R_XCORE1_LSIZE20", Use::Data, kLong6)
        .range(Check::Unsigned)
        .addendInField(),
    // The vendor's names of 15, 17 and 22 are not known: these three describe
    // the fields. 15 and 17 hold numbers of 32 bits, such as results of .expr.
    absolute(15, "R_XCORE1_ADDR16", Use::Data, kHalf)
        .wrap(Wrap::Mod32)
        .range(Check::Either)
        .addendInField(),
    absolute(17, "R_XCORE1_ULEB128", Use::Data, kLeb128)
        .wrap(Wrap::Mod32)
        .addendInField(),
    // Dual issue: bundles of 4 bytes.
    jump(18, "R_XCORE1_REL6_4", Use::Branch, kSignedShort6, 2,
         PlaceBias::NextBundle)
        .hint("REL16_4 (the form with prefix) reaches 65535 words"),
    jump(19, "R_XCORE1_REL16_4", Use::Branch, kSignedLong6, 2),
    jump(20, "R_XCORE1_REL10_4", Use::Call, kSignedShort10, 2,
         PlaceBias::NextBundle)
        .alsoTakesAddress(11)
        .hint("REL20_4 (the form with prefix) reaches 1048575 words"),
    jump(21, "R_XCORE1_REL20_4", Use::Call, kSignedLong10, 2)
        .alsoTakesAddress(27),
    // Lies in a piece of code and names the piece that describes it.
    nothing(22, "R_XCORE1_KEEP"),
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
    {1, ExprOp::Add, "sum"},
    {2, ExprOp::Max, "maximum"},
    {3, ExprOp::Mul, "product"},
    {4, ExprOp::Sub, "difference"},
    {5, ExprOp::Assert, "assertion"},
    {6, ExprOp::AlignUp, "alignment"},
    {7, ExprOp::Less, "less"},
    {8, ExprOp::Greater, "greater"},
    {9, ExprOp::LessEqual, "less or equal"},
    {10, ExprOp::GreaterEqual, "greater or equal"},
    {12, ExprOp::Calls, "calls"},
    {13, ExprOp::Passed, "is passed"},
    {15, ExprOp::Reads, "reads"},
    {16, ExprOp::Writes, "writes"},
    {17, ExprOp::StackWords, "stack words"},
    {19, ExprOp::Threads, "threads"},
    {20, ExprOp::Timers, "timers"},
    {21, ExprOp::ChannelEnds, "channel ends"},
    {23, ExprOp::Statement, "actnoside"},
    {24, ExprOp::Statement, "locnoside"},
    {25, ExprOp::Parallel, "may run in parallel"},
    {27, ExprOp::VisibleName, "user-visible name"},
    // 28, 52, 55, 58, 59, 60 and 64: with these the vendor's later start-up
    // code and libraries compute the heap, the reserved stack and the needs of
    // calls through pointers; the values in executables agree with their
    // meanings here.
    {28, ExprOp::Defined, "is defined"},
    {30, ExprOp::Statement, "actnochandec"},
    {31, ExprOp::Statement, "locnochandec"},
    {33, ExprOp::Block, "elimination block"},
    {34, ExprOp::AlignLabel, "alignment"},
    {37, ExprOp::TypeString, "type string"},
    // Elements of an array that no relocation names: the vendor's executables
    // have them where they have the array.
    {41, ExprOp::KeptBy, "is an element"},
    {43, ExprOp::BelongsTo, "belongs to block"},
    {52, ExprOp::AlignUp, "alignment"},
    {55, ExprOp::Divide, "quotient"},
    {58, ExprOp::Select, "choice"},
    {59, ExprOp::Element, "element of a set"},
    {60, ExprOp::SetMax, "maximum of a set"},
    {64, ExprOp::SetSum, "sum of a set"},
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
    .maxPageSize = 4,
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
