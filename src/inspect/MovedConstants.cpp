//===- MovedConstants.cpp -------------------------------------------------===//
//
// Problem: compilers put constants of expressions side by side, without names,
// and code counts to them from a base. Linkers and compilers put them in any
// order. In another order every word of them differs, though nobody changed
// one. But two words that were exchanged may also be a change, if the code that
// reads them is the same.
//
// Method: code is compared first. A field that differs and refers to equal
// constants in both files tells that this one moved. Such a constant is as long
// as the bytes behind it are equal. A word that differs counts as moved if what
// stood there in A is known to stand elsewhere in B, and what stands there in B
// is known to stand elsewhere in A, and no field is known to refer to that
// place in both. A field that holds the base's address may be about the base
// itself.
//
// Cost: a search for each field that refers to such a constant, and one for
// each word of them that differs.
//
//===----------------------------------------------------------------------===//
#include "inspect/MovedConstants.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

/// So long a constant may be.
constexpr uint64_t kMostOfConstant = 256;

bool MovedConstants::areIn(const Side &side, const Chunk &chunk) {
  const LinkedFile::Section &section = side.file.sections[chunk.section];
  return chunk.symbol == Pairs::kNone && !section.isCode() &&
         !(section.flags & (SHF_WRITE | SHF_MERGE));
}

/// The chunk of such constants that an address is in, or null.
static const Chunk *constantsAt(const Side &side, uint64_t address) {
  const uint32_t section = side.sectionAt(address);
  if (section == Pairs::kNone)
    return nullptr;
  const uint32_t chunk =
      side.chunks.at(section, address - side.file.sections[section].address);
  return chunk != Pairs::kNone &&
                 MovedConstants::areIn(side, side.chunks.chunks[chunk])
             ? &side.chunks.chunks[chunk]
             : nullptr;
}

/// The bytes from an address to the end of the chunk; nothing where the address
/// is in none.
static ArrayRef<uint8_t> constantsFrom(const Side &side, uint64_t address) {
  const Chunk *chunk = constantsAt(side, address);
  if (!chunk)
    return {};
  const LinkedFile::Section &section = side.file.sections[chunk->section];
  const uint64_t offset = address - section.address;
  return section.data.empty()
             ? section.data
             : section.data.slice(offset, chunk->end() - offset);
}

/// Whether a field may mean a base itself, and not what stands there. A
/// relocation's symbol tells.
static bool meansBase(const Side &side, const Reference &reference) {
  return reference.symbol == Pairs::kNone
             ? is_contained(side.bases, *reference.address)
             : isBase(side.file, side.file.symbols[reference.symbol]);
}

void MovedConstants::note(const Reference &inA, const Reference &inB,
                          bool probably) {
  if (!inA.address || !inB.address)
    return;
  const uint64_t from = *inA.address, to = *inB.address;
  const Chunk *x = constantsAt(a, from), *y = constantsAt(b, to);
  if (!x || !y)
    return;
  const uint64_t beginA = a.file.sections[x->section].address + x->begin,
                 beginB = b.file.sections[y->section].address + y->begin;
  if (from - beginA == to - beginB) {
    if (!meansBase(a, inA) || !meansBase(b, inB))
      staying.insert(from);
    return;
  }
  // A certain one counts more than one that was guessed.
  auto add = [&](Moves &moves, uint64_t here, uint64_t there) {
    auto [it, fresh] = moves.try_emplace(here, Elsewhere{there, probably});
    if (!fresh && it->second.probably && !probably)
      it->second = {there, probably};
  };
  add(leaving, from, to);
  add(coming, to, from);
}

/// Whether the word at an address is part of a constant that stands elsewhere
/// in the other file; true: probably.
std::optional<bool> MovedConstants::isMoved(const Moves &moves,
                                            const Side &side, const Side &other,
                                            uint64_t address) {
  auto next = moves.upper_bound(address);
  if (next == moves.begin())
    return std::nullopt;
  const auto &[begin, there] = *std::prev(next);
  if (address - begin >= kMostOfConstant)
    return std::nullopt;
  const uint64_t size = address - begin + kConstantBytes;
  const ArrayRef<uint8_t> from = constantsFrom(side, begin),
                          to = constantsFrom(other, there.address);
  if (from.size() < size || to.size() < size ||
      from.take_front(size) != to.take_front(size))
    return std::nullopt;
  return there.probably;
}

MovedConstants::Word MovedConstants::at(const Chunk &x, const Chunk &y,
                                        uint64_t offset) const {
  const uint64_t inA = a.file.sections[x.section].address + x.begin + offset,
                 inB = b.file.sections[y.section].address + y.begin + offset;
  if (staying.count(inA))
    return Word::Changed;
  // Of zeros there is nothing to know, and they are on one side at most.
  auto known = [](const Moves &moves, const Side &side, const Side &other,
                  const Chunk &chunk, uint64_t address) {
    const LinkedFile::Section &section = side.file.sections[chunk.section];
    return side.constantAt(chunk.section, address - section.address)
               ? isMoved(moves, side, other, address)
               : std::optional<bool>(false);
  };
  const std::optional<bool> left = known(leaving, a, b, x, inA),
                            came = known(coming, b, a, y, inB);
  return !left || !came   ? Word::Changed
         : *left || *came ? Word::ProbablyMoved
                          : Word::Moved;
}

MovedConstants::Bytes MovedConstants::in(const Chunk &chunk, bool isA) const {
  Bytes bytes;
  const Side &side = isA ? a : b;
  if (!areIn(side, chunk) || chunk.begin % kConstantBytes)
    return bytes;
  const uint64_t begin =
      side.file.sections[chunk.section].address + chunk.begin;
  for (uint64_t at = 0; chunk.size - at >= kConstantBytes; at += kConstantBytes)
    if (const std::optional<bool> moved =
            isA ? isMoved(leaving, a, b, begin + at)
                : isMoved(coming, b, a, begin + at)) {
      bytes.moved += kConstantBytes;
      bytes.probably += *moved ? kConstantBytes : 0;
    }
  return bytes;
}

} // namespace xlink
