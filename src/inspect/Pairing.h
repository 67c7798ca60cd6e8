//===- Pairing.h - what of one file is what of the other ------------------===//
#ifndef XLINK_INSPECT_PAIRING_H
#define XLINK_INSPECT_PAIRING_H

#include "inspect/LinkedFile.h"
#include "map/Pairs.h"
#include <cstdint>
#include <vector>

namespace xlink {

class PartTable;
struct KnownParts;

/// Sections of one name, in the order in which they stand. The null sections
/// have no partner.
Pairs pairSections(const LinkedFile &a, const LinkedFile &b);

/// Symbols of one name. Among several, those of one source file and section
/// come first, then those with equal contents, then their order by address.
/// Names of source files and symbols of sections have no partner.
Pairs pairSymbols(const LinkedFile &a, const LinkedFile &b);
/// Of each type those with equal permissions and addresses, then with equal
/// permissions, then what is left, in order.
Pairs pairSegments(const LinkedFile &a, const LinkedFile &b);

/// What a section or a source file is called in the symbol table, and what
/// compilers number there (isTemporary): no symbol of anybody's program.
bool isMark(const LinkedFile::Symbol &symbol);
/// A local label that a compiler made: ".Ltmp3", ".text", "$d.12". Each build
/// has others.
bool isTemporary(const LinkedFile::Symbol &symbol);
/// Whether fields are counted from the symbol. It names nothing but itself.
bool isBase(const LinkedFile &file, const LinkedFile::Symbol &symbol);

/// A stretch of a section of a loaded program: a function, an object, or what
/// lies between them.
struct Chunk {
  uint32_t section = 0;
  uint64_t begin = 0; ///< in the section
  uint64_t size = 0;
  uint32_t symbol = Pairs::kNone; ///< kNone: nobody's
  uint32_t part = Pairs::kNone;   ///< of the map, of nobody's; kNone: unknown
  uint64_t end() const { return begin + size; }
};

/// All sections with SHF_ALLOC, cut into chunks without gaps.
struct ChunkTable {
  std::vector<Chunk> chunks;     ///< by section, then by place
  std::vector<uint32_t> firstOf; ///< by section, and the end behind the last
  /// The chunk that begins at a symbol, or kNone.
  std::vector<uint32_t> ofSymbol;

  /// The chunk with that place of the section in it, or kNone.
  uint32_t at(uint32_t section, uint64_t offset) const;
  /// The chunk in front of `chunk` in its section, or kNone; the one behind it.
  uint32_t before(uint32_t chunk) const;
  uint32_t behind(uint32_t chunk) const;
};

/// Cuts one of two files. A symbol with a size says how far it goes; one
/// without begins a chunk only where it has a partner, and goes as far as that
/// or to the next symbol. `partner`: of the file's symbols, in `other`.
/// `extra`: symbols without a size that begin a chunk all the same, by index,
/// ascending. `parts`: of the file's map, or null; a chunk is in one part.
ChunkTable makeChunks(const LinkedFile &file,
                      const std::vector<uint32_t> &partner,
                      const LinkedFile &other,
                      llvm::ArrayRef<uint32_t> extra = {},
                      const PartTable *parts = nullptr);

/// Symbols without a size or a partner with which a chunk would be as large as
/// the one that it is a pair with: new ones behind it.
std::vector<uint32_t> symbolsThatEnd(const LinkedFile &file,
                                     const std::vector<uint32_t> &partner,
                                     const ChunkTable &own,
                                     const ChunkTable &others,
                                     const std::vector<uint32_t> &chunkPartner);

/// Cuts a file without symbols, `bare`, as the other one is cut in `table`,
/// where their sections are equally large. Elsewhere both are left whole;
/// `table`, too, is changed to that. `partner`: of the sections of `bare`.
ChunkTable makeChunksLike(const LinkedFile &bare,
                          const std::vector<uint32_t> &partner,
                          const LinkedFile &named, ChunkTable &table);
/// Whether a file has symbols of a program.
bool hasSymbols(const LinkedFile &file);

/// Chunks that begin at symbols which are a pair, and what lies between chunks
/// that are, or parts of the maps that are; null: there are none.
Pairs pairChunks(const LinkedFile &fileA, const LinkedFile &fileB,
                 const ChunkTable &a, const ChunkTable &b, const Pairs &symbols,
                 const Pairs &sections, const KnownParts *known = nullptr);

} // namespace xlink
#endif
