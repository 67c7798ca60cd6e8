//===- LinkedFile.h - a finished ELF file as one value --------------------===//
//
// The output of any linker for one of the machines: header, segments, sections,
// symbols, and the relocations that the linker kept. The reader has checked
// each number against the table that it counts or points into, so users of this
// value need no such check.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_LINKEDFILE_H
#define XLINK_INSPECT_LINKEDFILE_H

#include "arch/MachineFile.h"
#include "base/Diagnostics.h"
#include "input/Inflate.h"
#include "map/LinkMap.h"
#include <algorithm>

namespace xlink {

struct LinkedFile;

struct ElfSection {
  llvm::StringRef name;
  uint32_t type = 0, link = 0, info = 0;
  uint64_t flags = 0, address = 0, offset = 0, size = 0, align = 0,
           entrySize = 0;
  llvm::ArrayRef<uint8_t> data; ///< empty: it has no bytes in the file

  bool isLoaded() const { return flags & llvm::ELF::SHF_ALLOC; }
  bool isCode() const { return flags & llvm::ELF::SHF_EXECINSTR; }
  /// Symbols, their names, or relocations.
  bool isTable() const;
};

struct ElfSegment {
  uint32_t type = 0, flags = 0;
  uint64_t offset = 0, address = 0, loadAddress = 0, fileSize = 0,
           memorySize = 0, align = 0;
};

struct ElfSymbol {
  llvm::StringRef name;
  uint64_t value = 0, size = 0;
  uint32_t section = UINT32_MAX; ///< index, or a special value of LinkedFile
  uint8_t type = 0, binding = 0, visibility = 0;
  llvm::StringRef file; ///< of a local symbol: the STT_FILE in front of it

  bool isIn(const LinkedFile &file) const;
  /// A local label that a compiler made: ".Ltmp3", ".text", "$d.12". Each build
  /// has others.
  bool isTemporary() const;
  /// The symbol of a section or of a source file, without a name, or temporary:
  /// no name of the program.
  bool isMark() const;
  /// Whether fields are counted from the symbol. It names no bytes.
  bool isBase(const Target &target) const;
};

/// A relocation that the linker kept (-q, -r).
struct ElfRelocation {
  uint32_t section = 0; ///< that it changes
  uint64_t offset = 0;  ///< in the section; the row's bytes lie inside
  uint32_t type = 0, symbol = 0;
  int64_t addend = 0;
  bool hasAddend = true; ///< false: SHT_REL, where linking overwrote it
};

struct LinkedFile {
  /// Special values of ElfSymbol::section.
  static constexpr uint32_t kUndefined = UINT32_MAX;
  static constexpr uint32_t kAbsolute = UINT32_MAX - 1;
  static constexpr uint32_t kCommon = UINT32_MAX - 2;

  std::string name; ///< as messages call it
  llvm::ArrayRef<uint8_t> bytes;
  const Target *target = nullptr;
  uint16_t type = 0, machine = 0;
  uint32_t flags = 0;
  uint8_t osabi = 0, abiVersion = 0;
  uint64_t entry = 0;
  uint64_t programHeaders = 0, sectionHeaders = 0; ///< their offsets
  std::vector<ElfSegment> segments;
  /// [0] is the null section. Without section headers: the bytes of each
  /// PT_LOAD, as "segment N".
  std::vector<ElfSection> sections;
  bool hasSectionHeaders = false;
  std::vector<ElfSymbol> symbols; ///< without the null symbol
  /// By section, then by offset; `symbol` counts in `symbols`, kNoIndex: none.
  std::vector<ElfRelocation> relocations;

  /// Whether both files are of one machine, which need not be known.
  bool hasMachineOf(const LinkedFile &other) const;
  /// Whether sections have addresses: false for results of -r.
  bool hasAddresses() const { return type != llvm::ELF::ET_REL; }
  /// Whether a symbol of the program is defined here.
  bool hasSymbols() const;
  /// The offset in its section of a symbol that is in one; of a function that
  /// of its first instruction: its value may have bits that no instruction's
  /// address has, as bit 0 in Thumb. A damaged value may lead out of the
  /// section.
  uint64_t offsetOf(const ElfSymbol &symbol) const {
    const uint64_t offset = symbol.value - sections[symbol.section].address;
    if (symbol.type != llvm::ELF::STT_FUNC || !target || !target->instruction)
      return offset;
    return offset - std::min(offset, symbol.value % target->instruction);
  }
  /// Where a section is loaded to, by the first PT_LOAD around it.
  uint64_t loadAddressOf(const ElfSection &section) const;
  /// By its type, or else by its section.
  bool isFunction(const ElfSymbol &symbol) const;
};

/// The parts of a file that are read.
struct LinkedFileParts {
  bool anyMachine = false; ///< else an unknown machine is an error
  bool symbols = true;     ///< and relocations
};

/// Reads the ELF file `bytes` of one of the machines; both must outlive the
/// result. Errors name `name` and the table; then there is no result.
std::optional<LinkedFile> readLinkedFile(std::string name,
                                         llvm::ArrayRef<uint8_t> bytes,
                                         const Machines &machines,
                                         Diagnostics &diag,
                                         LinkedFileParts parts = {});

/// A file's sections of DWARF, inflated where they are compressed.
class DebugSections {
public:
  explicit DebugSections(const LinkedFile &file) : file(file) {}
  /// The contents; "" if there is none of the name, or it cannot be inflated.
  /// Valid as long as this and the file.
  llvm::StringRef get(llvm::StringRef name);

private:
  const LinkedFile &file;
  std::vector<Inflated> inflated;
};

} // namespace xlink
#endif
