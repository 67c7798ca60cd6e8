//===- LinkMapJson.h - a LinkMap as JSON, and as a page -------------------===//
#ifndef XLINK_MAP_LINKMAPJSON_H
#define XLINK_MAP_LINKMAPJSON_H

#include "base/Diagnostics.h"
#include "map/LinkMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace llvm::vfs {
class FileSystem;
}

namespace xlink {

/// Words of the JSON form. Each list is in the order of an enumeration of
/// LinkMap.h. The first word of kSymbolKinds, kPartKinds and kLiveReasons is
/// left out where it is meant.
inline constexpr llvm::StringLiteral kReservationKinds[] = {"heap", "stack",
                                                            "other"};
inline constexpr llvm::StringLiteral kSymbolKinds[] = {
    "none", "function", "object", "tls", "section"};
inline constexpr llvm::StringLiteral kPartKinds[] = {
    "input", "common", "linker", "data", "padding"};
inline constexpr llvm::StringLiteral kLiveReasons[] = {
    "always", "root", "reference", "dependent", "group", "description"};
inline constexpr llvm::StringLiteral kDiscardReasons[] = {
    "unused", "comdat", "script", "folded", "debug", "excluded", "unknown"};

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

/// An answer for programs: an object with `format`, `version` and the members
/// that `write` adds. `indent`: of a level, 0: all in one line.
std::string jsonAnswer(llvm::StringRef format,
                       llvm::function_ref<void(llvm::json::OStream &)> write,
                       unsigned indent = 2);

/// Writes --map-json, as README.md here describes it: the same for equal maps.
/// Ends the last line. Bytes of names that are no UTF-8 are replaced.
void writeMapJson(llvm::raw_ostream &out, const LinkMap &map);
/// The same as a string.
std::string mapJson(const LinkMap &map);

/// Reads the text of a map in the form of map/README.md; `file` names it in
/// messages. The first place that is not of that form is an error that names
/// the file and the member, and the result is nothing. In a map that is
/// returned every index is one of its list, parts lie in their output sections
/// in order, and those in the address space. Members that are not known are
/// passed over.
std::optional<LinkMap> readLinkMap(llvm::StringRef file, llvm::StringRef text,
                                   Diagnostics &diag);
/// readLinkMap of a file; null `fs`: the operating system's.
std::optional<LinkMap> readLinkMapFile(llvm::vfs::FileSystem *fs,
                                       llvm::StringRef path, Diagnostics &diag);

// ---- The map as a page (HtmlReport.cpp) ----

/// Writes one HTML file that shows a map: memory to scale, sizes,
/// references, stacks, relocations and, with a baseline, the changes. It needs
/// nothing else and forbids the browser any network. `map`: the JSON of a map.
/// `changes`: comparisonOfPage() of an older link and this one, or empty. Both
/// stand in the page as they are; the page itself says so where one is neither.
/// `names`: of readableNames(), or empty. Equal arguments give equal bytes.
void writeHtmlReport(llvm::raw_ostream &out, llvm::StringRef map,
                     llvm::StringRef changes, llvm::StringRef names);
/// How people read the mangled names of a map and, where there is one, of its
/// baseline: {"_ZN3one3twoEv":"one::two()"}, as JSON.
std::string readableNames(const LinkMap &map, const LinkMap *baseline);

} // namespace xlink
#endif
