//===- MapNames.h - words of a map's JSON form ----------------------------===//
//
// Each list is in the order of an enumeration of LinkMap.h. The first word of
// kSymbolKinds, kPartKinds and kLiveReasons is left out where it is meant.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_MAP_MAPNAMES_H
#define XLINK_MAP_MAPNAMES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/BinaryFormat/ELF.h"
#include <cstdint>

namespace xlink {

inline constexpr llvm::StringLiteral kReservationKinds[] = {"heap", "stack",
                                                            "other"};
inline constexpr llvm::StringLiteral kSymbolKinds[] = {
    "none", "function", "object", "tls", "section"};
inline constexpr llvm::StringLiteral kPartKinds[] = {
    "input", "common", "linker", "data", "padding"};
inline constexpr llvm::StringLiteral kLiveReasons[] = {
    "always", "root", "reference", "dependent", "group", "description"};
inline constexpr llvm::StringLiteral kDiscardReasons[] = {
    "unused", "comdat", "script", "folded", "debug", "excluded"};

/// readelf's letters for section flags, in the order in which they are
/// written.
struct SectionFlagLetter {
  char letter;
  uint64_t flag;
};
inline constexpr SectionFlagLetter kSectionFlagLetters[] = {
    {'W', llvm::ELF::SHF_WRITE},      {'A', llvm::ELF::SHF_ALLOC},
    {'X', llvm::ELF::SHF_EXECINSTR},  {'M', llvm::ELF::SHF_MERGE},
    {'S', llvm::ELF::SHF_STRINGS},    {'I', llvm::ELF::SHF_INFO_LINK},
    {'L', llvm::ELF::SHF_LINK_ORDER}, {'O', llvm::ELF::SHF_OS_NONCONFORMING},
    {'G', llvm::ELF::SHF_GROUP},      {'T', llvm::ELF::SHF_TLS},
    {'C', llvm::ELF::SHF_COMPRESSED},
};

} // namespace xlink
#endif
