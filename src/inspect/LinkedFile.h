//===- LinkedFile.h - a finished ELF file as one value --------------------===//
//
// What anybody's linker made for one of the machines: header, segments,
// sections, symbols, and the relocations that it kept. Every number that stands
// in the file has been checked against what it counts or points into, so
// whoever reads this value needs no test of that kind.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_INSPECT_LINKEDFILE_H
#define XLINK_INSPECT_LINKEDFILE_H

#include "arch/Target.h"
#include "base/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace xlink {

struct LinkedFile {
  /// Of `Symbol::section`: it stands in none.
  static constexpr uint32_t kUndefined = UINT32_MAX;
  static constexpr uint32_t kAbsolute = UINT32_MAX - 1;
  static constexpr uint32_t kCommon = UINT32_MAX - 2;

  struct Section {
    llvm::StringRef name;
    uint32_t type = 0, link = 0, info = 0;
    uint64_t flags = 0, address = 0, offset = 0, size = 0, align = 0,
             entrySize = 0;
    llvm::ArrayRef<uint8_t> data; ///< empty: it has no bytes in the file
    bool isLoaded() const;        ///< takes memory (SHF_ALLOC)
    bool isCode() const;
  };
  struct Segment {
    uint32_t type = 0, flags = 0;
    uint64_t offset = 0, address = 0, loadAddress = 0, fileSize = 0,
             memorySize = 0, align = 0;
  };
  struct Symbol {
    llvm::StringRef name;
    uint64_t value = 0, size = 0;
    uint32_t section = kUndefined; ///< index, or one of the above
    uint8_t type = 0, binding = 0, visibility = 0;
    llvm::StringRef file; ///< the STT_FILE in front of a local one
    bool isIn(const LinkedFile &file) const {
      return section < file.sections.size();
    }
  };
  /// A relocation that the linker kept (-q, -r).
  struct Relocation {
    uint32_t section = 0; ///< that it changes
    uint64_t offset = 0;  ///< in it; the row's bytes lie inside
    uint32_t type = 0, symbol = 0;
    int64_t addend = 0;
    bool hasAddend = true; ///< false: SHT_REL, where linking overwrote it
  };

  std::string name; ///< as messages call it
  llvm::ArrayRef<uint8_t> bytes;
  const Target *target = nullptr;
  uint16_t type = 0, machine = 0;
  uint32_t flags = 0;
  uint8_t osabi = 0, abiVersion = 0;
  uint64_t entry = 0;
  uint64_t programHeaders = 0, sectionHeaders = 0; ///< where they are
  std::vector<Segment> segments;
  /// [0] is the null section. Of a file without section headers, what each
  /// PT_LOAD loads, as "segment N".
  std::vector<Section> sections;
  bool hasSectionHeaders = false;
  std::vector<Symbol> symbols; ///< without the null symbol
  bool symbolsFromMap = false; ///< it has none; they are its map's
  /// By section, then by offset; `symbol` counts in `symbols`, kUndefined being
  /// none.
  std::vector<Relocation> relocations;

  /// Whether sections have addresses: not in what -r makes.
  bool hasAddresses() const;
  /// How far into its section a symbol stands; it must be in one. A damaged
  /// value may lead out of it.
  uint64_t offsetOf(const Symbol &symbol) const {
    return symbol.value - sections[symbol.section].address;
  }
};

/// Reads the ELF file `bytes`, which must outlive the result. What is wrong is
/// reported with `name` and the table in front; then there is no result.
std::optional<LinkedFile> readLinkedFile(std::string name,
                                         llvm::ArrayRef<uint8_t> bytes,
                                         Diagnostics &diag);

} // namespace xlink
#endif
