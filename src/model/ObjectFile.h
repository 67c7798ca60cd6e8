//===- ObjectFile.h - a parsed relocatable object -------------------------===//
//
// The contents of one relocatable ELF file, every offset, index and
// string already checked. Immutable after parsing and free of any link's state
// (no liveness, no output offsets), so that several links, also at once in
// several threads, can share it. Strings and bytes point into the file's
// buffer.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MODEL_OBJECTFILE_H
#define XLINK_MODEL_OBJECTFILE_H

#include "model/Relocations.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>
#include <bit>
#include <memory>
#include <string>

namespace xlink {

enum class ExprOp : uint8_t; // arch/Target.h

struct Target;

/// The use of a section before any link decision.
enum class SectionKind : uint8_t {
  Ignored, ///< symbol/string/relocation tables, machine's ignored
  Regular, ///< bytes or NOBITS that may enter the output
  Group,   ///< SHT_GROUP
  Expr,    ///< link-time expressions of the machine
  Types,   ///< type strings of symbols
};

/// A power of two up to 2^63, in a byte. 0 is taken for 1.
class Alignment {
public:
  constexpr Alignment(uint64_t bytes)
      : log(bytes ? uint8_t(std::countr_zero(bytes)) : 0) {}
  constexpr operator uint64_t() const { return uint64_t(1) << log; }

private:
  uint8_t log;
};

/// A section of a file. There are many, so rare fields are in
/// ParsedObject::more.
struct ParsedSection {
  llvm::StringRef name; ///< of a machine's piece: its parent's name
  uint64_t flags = 0;   ///< sh_flags without those that a link ignores
  uint64_t size = 0;    ///< sh_size; uncompressed size if compressed
  const uint8_t *bytes = nullptr; ///< as many as `size`; null for NOBITS
  uint32_t type = 0;              ///< sh_type (of a piece: its parent's)
  uint32_t entsize = 0;           ///< sh_entsize
  uint32_t group = 0;             ///< index + 1 into groups, 0: none
  /// Relocations that apply to it: a range of ParsedObject::relocations, sorted
  /// by offset (stable: two at one place keep their order).
  uint32_t relocBegin = 0, relocEnd = 0;
  Alignment align = 1;
  SectionKind kind = SectionKind::Ignored;
  /// A machine's unnamed piece, or a part that was cut out of a section
  /// (input/Blocks).
  bool isPiece : 1 = false;
  bool hasMore : 1 = false; ///< ParsedObject::more knows it
  // Bits of sh_flags in the file that `flags` has not.
  bool wasMerge : 1 = false, wasInfoLink : 1 = false, wasCompressed : 1 = false;

  /// It has no bytes in the file, only a size.
  bool isNoBits() const { return type == llvm::ELF::SHT_NOBITS; }
  /// Empty for NOBITS.
  llvm::ArrayRef<uint8_t> data() const {
    return bytes ? llvm::ArrayRef(bytes, size) : llvm::ArrayRef<uint8_t>();
  }
  void setData(llvm::ArrayRef<uint8_t> data) {
    bytes = data.data();
    size = data.size();
  }
  /// sh_flags as the file has them.
  uint64_t fileFlags() const {
    using namespace llvm::ELF;
    return flags | uint64_t(wasMerge) * SHF_MERGE |
           uint64_t(wasInfoLink) * SHF_INFO_LINK |
           uint64_t(wasCompressed) * SHF_COMPRESSED;
  }
};
static_assert(sizeof(ParsedSection) == 64, "there are many");

/// Whether it is the note that identifies its file (--build-id).
inline bool isBuildId(const ParsedSection &section) {
  return section.type == llvm::ELF::SHT_NOTE &&
         section.name == ".note.gnu.build-id";
}

/// Fields that few sections of a file have.
struct MoreOfSection {
  uint32_t section = 0; ///< the section's index
  /// sh_link of those with SHF_LINK_ORDER; that of SHT_LLVM_ADDRSIG is the
  /// file's.
  uint32_t link = 0;
  uint32_t parent = 0; ///< of a machine's piece: the whole
  /// Of a part that was cut out of a section: the symbol that keeps it alive,
  /// 0: it always stays; and where it stood there.
  uint32_t keeper = 0;
  uint64_t cutAt = 0;
};
inline constexpr MoreOfSection kNothingMore;

/// Where a symbol is defined.
enum class SymbolPlace : uint8_t { Undefined, Section, Absolute, Common };

struct ParsedSymbol {
  llvm::StringRef name;
  uint64_t hash = 0;  ///< xxh3 of the name, globals only
  uint64_t value = 0; ///< offset in section, absolute value, COMMON alignment
  uint64_t size = 0;
  uint32_t section = 0; ///< section index when place is Section
  /// STB_LOCAL, STB_GLOBAL, STB_WEAK (GNU_UNIQUE reads as GLOBAL).
  uint8_t binding : 4 = 0;
  uint8_t type : 4 = 0; ///< STT_*
  SymbolPlace place : 2 = SymbolPlace::Undefined;
  uint8_t visibility : 2 = 0; ///< STV_*
  /// Absolute only because --just-symbols made it so.
  bool wasInSection : 1 = false;
  /// Undefined, named by the object's link-time expressions and by no
  /// relocation: neither an error nor a reason to pull an archive member.
  bool expressionOnly : 1 = false;
  uint8_t other = 0; ///< st_other without the visibility bits
};
static_assert(sizeof(ParsedSymbol) == 48, "there are many");

/// A section group with GRP_COMDAT (others only tie liveness together).
struct ParsedGroup {
  llvm::StringRef signature;
  uint32_t symbol = 0; ///< that names it: an index into symbols
  bool comdat = false;
  std::vector<uint32_t> members; ///< section indices
  uint32_t section = 0;          ///< its own index
};

/// An operand of a link-time expression.
struct ExprOperand {
  enum Kind : uint8_t { Constant, Symbol, String } kind = Constant;
  uint32_t value = 0;     ///< constant, or symbol index
  llvm::StringRef string; ///< kind String
};
/// One entry of a link-time expression section (spec: XS1 ABI, Figure 7).
struct ExprEntry {
  uint32_t op;     ///< operator number
  ExprOp meaning;  ///< of `op` on the object's machine
  uint32_t result; ///< symbol index
  ExprOperand operands[3];
  uint32_t number = 0; ///< its place in the section, all entries counted
};

/// The type that an object states for one of its symbols.
struct TypeEntry {
  llvm::StringRef name;    ///< of the symbol
  llvm::StringRef type;    ///< a type string (input/TypeString), unchecked
  uint32_t symbol = 0;     ///< symbol index, 0: the object has no such symbol
  llvm::StringRef section; ///< where it says so, for messages
  uint32_t entry = 0;      ///< and in which entry
};

struct ParsedObject {
  std::string path;     ///< as given, "lib.a(member.o)" for members
  std::string archive;  ///< path of the archive, empty for plain files
  uint16_t machine = 0; ///< e_machine
  uint32_t flags = 0;   ///< e_flags
  uint8_t osabi = 0;    ///< EI_OSABI
  llvm::StringRef cpu;  ///< of Target::cpuNoteType's note, empty: none
  /// By section index; [0] is null. Tables of relocations, symbols and names
  /// are left out, and the sections behind them numbered anew
  /// (input/RelocationReader).
  std::vector<ParsedSection> sections;
  std::vector<MoreOfSection> more;   ///< of those that have more, in order
  std::vector<ParsedSymbol> symbols; ///< by symbol index; [0] is null
  uint32_t definitions = 0;          ///< of global names, weak ones aside
  Relocations relocations;           ///< grouped by section
  std::vector<ParsedGroup> groups;
  std::vector<ExprEntry> expressions;
  std::vector<TypeEntry> types;
  /// The string table of the symbols, which ends in NUL: expressions and types
  /// point into it. Empty: there is none.
  llvm::StringRef symbolStrings;
  /// --just-symbols: its definitions are absolute, and it has no sections.
  bool justSymbols = false;
  bool hasThreadLocals = false; ///< a symbol is STT_TLS
  bool isBinary = false;        ///< -b binary: it says nothing of any machine
  /// Perhaps a relocation wants a slot of the GOT; if not, surely none does.
  bool mayWantSlots = true;
  /// The same of sections with names that begin with ".gnu.".
  bool mayHaveGnuSections = true;
  uint64_t bytes = 0;                ///< size of the input, a work measure
  std::shared_ptr<const void> owner; ///< keeps the buffer alive

  /// The member's name in its archive; of a plain file its path.
  llvm::StringRef member() const {
    const llvm::StringRef all = path;
    return archive.empty() ? all
                           : all.drop_front(archive.size() + 1).drop_back();
  }
  /// The rare fields of a section.
  const MoreOfSection &moreOf(uint32_t index) const {
    if (!sections[index].hasMore)
      return kNothingMore;
    return *std::lower_bound(more.begin(), more.end(), index,
                             [](const MoreOfSection &m, uint32_t index) {
                               return m.section < index;
                             });
  }
};

} // namespace xlink
#endif
