//===- PropertyText.h - properties of linked files in words ---------------===//
#ifndef XLINK_INSPECT_PROPERTYTEXT_H
#define XLINK_INSPECT_PROPERTYTEXT_H

#include "inspect/FileDiff.h"
#include <string>

namespace xlink {

/// "executable", or the number.
std::string fileTypeText(uint16_t type);
/// "LOAD", or the number.
std::string segmentTypeText(uint32_t type);
/// "R X"
std::string segmentFlagsText(uint32_t flags);
/// "PROGBITS", or the number.
std::string sectionTypeText(uint32_t type);
/// "WA SHF_DP": letters as of readelf, names of the machine's own, and the rest
/// as a number.
std::string sectionFlagsText(const Target &target, uint64_t flags);
/// "function", "global", "hidden", or the number.
std::string symbolTypeText(uint8_t type);
std::string symbolBindingText(uint8_t binding);
std::string symbolVisibilityText(uint8_t visibility);
/// Where it stands: a section's name, "absolute", "undefined", "common".
std::string symbolSectionText(const LinkedFile &file,
                              const LinkedFile::Symbol &symbol);
/// The build ID in the contents of a note, in hexadecimal digits; of bytes that
/// are none, all of them.
std::string buildIdText(llvm::ArrayRef<uint8_t> note);
/// The strings of .comment, with "; " between them.
std::string commentText(llvm::ArrayRef<uint8_t> comment);

SectionDiff::Kind sectionKind(const LinkedFile::Section &section);
/// By its type, or else by the section that it stands in.
bool isFunction(const LinkedFile &file, const LinkedFile::Symbol &symbol);

} // namespace xlink
#endif
