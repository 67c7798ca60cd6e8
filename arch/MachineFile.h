//===- MachineFile.h - a machine as a file of text ------------------------===//
//
// A machine file is a block `MACHINE NAME { ... }` and the machine's default
// linker script behind it. Its grammar stands at the head of MachineReader.cpp,
// that of relocations at the head of MachineRows.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_ARCH_MACHINEFILE_H
#define XLINK_ARCH_MACHINEFILE_H

#include "arch/Target.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Allocator.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace xlink {

/// An error in a machine file. Lines and columns count from 1.
struct MachineProblem {
  uint32_t line, column;
  std::string text;

  /// "toy.machine:7:12: number '010' begins with 0 ..."
  std::string at(const llvm::Twine &file) const {
    return (file + ":" + llvm::Twine(line) + ":" + llvm::Twine(column) + ": " +
            text)
        .str();
  }
};
/// At most so many are reported.
constexpr size_t kMachineProblems = 20;
/// A machine file is at most this large, in bytes.
constexpr size_t kMachineFileSize = 1 << 20;

/// The words of FlowKind, in its order.
inline constexpr llvm::StringRef kFlowKinds[] = {
    "call", "jump", "return", "pointer-call", "register-jump", "onward"};

/// `TEST R_X: S 0x100, P 0x40, 00000000 -> 3c000000;`
struct MachineTest {
  uint32_t line, column;
  uint32_t row; ///< index into Target::relocations
  RelocationOperands operands;
  bool hasAddend = false; ///< else A is that of the field, if the row has one
  std::vector<uint8_t> before, after; ///< the unit, in the order of memory
  RelocationFault fault =
      RelocationFault::None; ///< expected instead of `after`
  const char *cpu = nullptr; ///< --mcpu, null: the default
};

/// A machine that a file describes, and the memory of all that `target` refers
/// to.
struct Machine {
  Target target;
  bool isExtension = false; ///< it extends another machine
  /// By row of Target::relocations; 0: it is the extended machine's.
  std::vector<uint32_t> rowLines;
  std::vector<MachineTest> tests;
  llvm::BumpPtrAllocator memory;

  void setFile(llvm::StringRef path);
};

/// The machine of a name, or null; `builtIn`: that is built in.
using MachineLookup =
    llvm::function_ref<const Target *(llvm::StringRef name, bool builtIn)>;

/// Whether a file is a machine file: its first word is MACHINE or FORMAT.
bool isMachineFile(llvm::StringRef text);

/// Whether a text is a machine file whose `aliases` have the word.
bool hasAlias(llvm::StringRef text, llvm::StringRef alias);

/// Reads a machine file. Null, and at least one of `problems`, when it is
/// faulty. The script is the text with blanks in place of the block, so that
/// positions in it are those in the file. `builtIn`: the file may name
/// behaviours.
std::unique_ptr<Machine> readMachine(llvm::StringRef text, bool builtIn,
                                     MachineLookup find,
                                     std::vector<MachineProblem> &problems);

/// The machines of a link: those that are built in, and those of files.
class Machines {
public:
  const Target *add(std::unique_ptr<Machine> machine);
  /// That of a file, by its path; null: it was not read.
  const Target *ofFile(llvm::StringRef path) const;
  /// By class, byte order and e_machine, files first; null when unknown.
  const Target *find(bool is64, bool isBig, uint16_t number) const;
  /// The files that were read, in order.
  std::vector<llvm::StringRef> files() const;

private:
  std::vector<std::unique_ptr<Machine>> loaded;
};

/// A machine as canonical text, which reads back equal.
std::string printMachine(const Target &target);

/// For each row the values at and beyond its limits, as lines of
/// testdata/vectors.
std::string printVectors(const Target &target);

/// Runs the TESTs and checks each row by itself: "toy16: 6 relocations, 14
/// tests, 1 without a test". What fails is in `problems`.
std::string checkMachine(const Machine &machine,
                         std::vector<MachineProblem> &problems);

} // namespace xlink
#endif
