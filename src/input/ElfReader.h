//===- ElfReader.h - the door: relocatable ELF files to ParsedObject ------===//
#ifndef XLINK_INPUT_ELFREADER_H
#define XLINK_INPUT_ELFREADER_H

#include "arch/MachineFile.h"
#include "base/Diagnostics.h"
#include "model/Contributions.h"
#include "model/ObjectFile.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>
#include <optional>
#include <string>

namespace xlink {

/// The kind of a file, by its first bytes.
enum class FileKind : uint8_t {
  Empty,
  ElfRelocatable,
  ElfOther,
  Archive,
  ThinArchive,
  Bitcode,
  Text,
  Unknown,
};
FileKind identifyFile(llvm::ArrayRef<uint8_t> bytes);

/// Class, byte order and e_machine of an ELF file, as far as its header can be
/// read.
struct ElfIdentity {
  bool is64 = false, isBig = false;
  uint16_t type = 0, machine = 0;
};
std::optional<ElfIdentity> readIdentity(llvm::ArrayRef<uint8_t> bytes);
/// "0xf3 (riscv)": an e_machine with its best known name, first that of a
/// machine, also of the other byte order.
std::string machineText(const Machines &machines, const ElfIdentity &id);

/// The form of an object's names in messages.
struct ObjectName {
  llvm::StringRef path;    ///< "a.o" or "lib.a(a.o)"
  llvm::StringRef archive; ///< "" or "lib.a"
};

/// Reads and checks one relocatable object for `target`. Every offset, count,
/// index, string, alignment, entry size, group and relocation place is
/// validated here, once. All problems found go to `diag` (file, header or
/// table, offset); returns null if there was an error. `owner` keeps `bytes`
/// alive.
///
/// `justSymbols`: for --just-symbols only the global symbols are read, also of
/// an executable: each definition is absolute, at the address that the file
/// gives it, which in an object is its offset in a section at 0. COMMON symbols
/// have no address and are left out.
std::shared_ptr<const ParsedObject>
parseObject(const ObjectName &name, llvm::ArrayRef<uint8_t> bytes,
            const Target &target, std::shared_ptr<const void> owner,
            DiagnosticBuffer &diag, bool justSymbols = false);

/// The object with every elimination block (ExprOp::Block) as a section of its
/// own, or `object` itself if no block can be cut out.
std::shared_ptr<const ParsedObject>
cutBlocks(std::shared_ptr<const ParsedObject> object, const Target &target);

/// Why a section is not a sequence of records, and where.
struct EhFrameError {
  uint64_t offset;
  std::string text;
};

/// Finds the records of an .eh_frame section with contents and fills
/// `frame.records` and `frame.terminated`. Afterwards records follow each other
/// inside the section, every FDE's CIE is one of them, and every relocation
/// that writes bytes writes inside one record, behind its length and CIE
/// pointer.
std::optional<EhFrameError> readEhFrame(const ParsedObject &object,
                                        const ParsedSection &section,
                                        const Target &target, EhFrame &frame);

} // namespace xlink
#endif
