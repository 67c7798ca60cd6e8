//===- EhFrameReader.h - .eh_frame taken apart ----------------------------===//
#ifndef XLINK_INPUT_EHFRAMEREADER_H
#define XLINK_INPUT_EHFRAMEREADER_H

#include "arch/Target.h"
#include "model/Contributions.h"
#include "model/ObjectFile.h"
#include <optional>
#include <string>

namespace xlink {

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
