//===- EhRecords.h - the records of an .eh_frame section ------------------===//
#ifndef XLINK_MODEL_EHRECORDS_H
#define XLINK_MODEL_EHRECORDS_H

#include "model/Ids.h"
#include <cstdint>
#include <vector>

namespace xlink {

/// A CIE, or an FDE, which names its CIE and describes one function's frame.
struct EhRecord {
  uint64_t begin = 0, end = 0; ///< its bytes in the section
  uint32_t cie = kNone;        ///< FDE: index of its CIE's record; kNone: a CIE
  /// Its relocations, a range of ParsedObject::relocations.
  uint32_t relocBegin = 0, relocEnd = 0;
  /// FDE: the relocation of the function's address; kNone: it has none.
  uint32_t function = kNone;
  uint8_t lengthSize = 4; ///< bytes of the length: 4, or 12 in the 64-bit form

  bool isCie() const { return cie == kNone; }
  /// Where the word stands that leads from an FDE to its CIE.
  uint64_t ciePointer() const { return begin + lengthSize; }
};

/// One .eh_frame section of an input, taken apart.
struct EhFrame {
  SectionId section;
  std::vector<EhRecord> records; ///< by offset; terminators left out
  bool terminated = false;       ///< it had a terminator
};

} // namespace xlink
#endif
