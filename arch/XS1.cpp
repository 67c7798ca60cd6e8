//===- XS1.cpp - the code of XMOS XS1 (XCore) -----------------------------===//
//
// xs1.machine has the relocations and the script.
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

constexpr uint16_t kOldMachine = 0xB49E;
constexpr const char *kZKeywords[] = {"xs1-place=offset", "xs1-assert=abi"};
constexpr const Container *kContainers[] = {&xeContainer};

constexpr uint32_t kUnknownCore = ~0u;

/// Index of the core that an object's note names: in capitals.
std::optional<uint32_t> coreOf(const Target &target,
                               const InputHeader &header) {
  if (header.cpu.empty())
    return std::nullopt;
  for (const auto &[i, cpu] : llvm::enumerate(target.cpus))
    if (header.cpu == llvm::StringRef(cpu.name).upper())
      return i;
  return kUnknownCore;
}

/// --mcpu decides, else the objects' notes, else it is the first core there
/// was. Objects that are for another one do not go with it.
const Cpu &chooseCore(const Target &target, llvm::ArrayRef<InputHeader> headers,
                      const Cpu *given, std::vector<TargetMessage> &messages) {
  auto read = [&](const InputHeader &header) { return coreOf(target, header); };
  auto text = [&](uint32_t core) {
    return core == kUnknownCore
               ? "is for a core that is not known"
               : "is for " + llvm::StringRef(target.cpus[core].name).upper();
  };
  if (!given) {
    const InputHeader *first =
        requireSame("incompatible cores", headers, read, text,
                    TargetMessage::Mismatch, messages);
    const uint32_t core = first ? *read(*first) : kUnknownCore;
    return target.cpus[core == kUnknownCore ? 0 : core];
  }
  llvm::SmallVector<uint32_t, 4> seen = {uint32_t(given - target.cpus.data())};
  for (const InputHeader &header : headers) {
    std::optional<uint32_t> core = read(header);
    if (!core || llvm::is_contained(seen, *core))
      continue;
    seen.push_back(*core);
    messages.push_back(
        {TargetMessage::Mismatch, ("incompatible core: " + header.file + " " +
                                   text(*core) + ", --mcpu is " + given->name)
                                      .str()});
  }
  return *given;
}

const Cpu &configureXS1(const Target &target, const TargetOptions &options,
                        llvm::ArrayRef<InputHeader> headers, const Cpu *given,
                        TargetState &state,
                        std::vector<TargetMessage> &messages) {
  if (!headers.empty() && llvm::all_of(headers, [](const InputHeader &header) {
        return header.machine == kOldMachine;
      }))
    state.machine = kOldMachine;
  state.usePlaceBias =
      !llvm::is_contained(options.zKeywords, llvm::StringRef(kZKeywords[0]));
  state.assertsOperand =
      llvm::is_contained(options.zKeywords, llvm::StringRef(kZKeywords[1]));
  return chooseCore(target, headers, given, messages);
}

constexpr Behaviour xs1 = {
    .behaviour = "xs1",
    .zKeywords = kZKeywords,
    .retainFlag = 0, // the bit means something else here
    .exprSectionType = 0x14,
    .exprOperators = kExprOperators,
    .resourceSymbols = kResourceSymbols,
    .typeSection = ".typeinfo",
    .pieceSectionType = 0x60000000,
    .removablePieceFlag = 0x100000,
    .cpuNoteName = "XMOS",
    .cpuNoteType = 2,
    .stackSharesMemory = true,
    .containers = kContainers,
    .thunkMaker = &xs1ThunkMaker,
    .configure = configureXS1,
};

#include "xs1.machine.inc"

} // namespace

extern constinit const Target xs1Target = xs1Machine;

} // namespace xlink
