//===- EhFrameReader.cpp --------------------------------------------------===//
//
// Problem: dropping and sharing records needs their bounds, which follow only
// from their own lengths; a wrong length must not crash the linker.
//
// Method: walk from length to length, each checked against the remaining bytes.
// A record whose second word is 0 is a CIE; of any other, an FDE, that word is
// the distance back to its CIE, which must be an earlier record. The rest of a
// record is for the unwinder. The same walk assigns relocations to records, as
// both are in order of their offsets.
//
// Cost: one step a record and relocation; a bisection for each FDE's CIE.
//
// Format: LSB, "Exception Frames". After 0xffffffff the length has 8 bytes; the
// CIE pointer still has 4 bytes. A length of 0 ends the table for the unwinder;
// the records of another file may follow (ld -r).
//
//===----------------------------------------------------------------------===//
#include "base/ByteOrder.h"
#include "input/ElfReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace xlink {

namespace {

class EhFrameParser {
public:
  EhFrameParser(const ParsedObject &object, const ParsedSection &section,
                const Target &target, EhFrame &frame)
      : object(object), section(section), data(section.data()), target(target),
        frame(frame), nextReloc(section.relocBegin) {}

  std::optional<EhFrameError> run() {
    while (at < data.size() && readRecord())
      ;
    return std::move(failure);
  }

private:
  bool readRecord() {
    const uint64_t left = data.size() - at;
    EhRecord record;
    record.begin = at;
    uint64_t length = left < 4 ? 0 : read32(data.data() + at, target.isBig);
    if (length == 0xffffffff)
      record.lengthSize = 12;
    if (left < record.lengthSize)
      return fail(at, Twine(left) + " bytes are left, a length has " +
                          Twine(unsigned(record.lengthSize)));
    if (record.lengthSize == 12)
      length = read64(data.data() + at + 4, target.isBig);
    if (length > left - record.lengthSize)
      return fail(at, "a record has length " + hex(length) + ", but " +
                          hex(left - record.lengthSize) + " bytes are left");
    record.end = at + record.lengthSize + length;
    at = record.end;
    if (length == 0) {
      frame.terminated = true;
      return skipRelocations(record.end);
    }
    if (length < 4)
      return fail(record.begin, "a record has length " + hex(length) +
                                    ", too short for a CIE pointer");
    if (!findCie(record) || !takeRelocations(record))
      return false;
    frame.records.push_back(record);
    return true;
  }
  bool findCie(EhRecord &record) {
    const uint64_t pointerAt = record.ciePointer();
    const uint64_t distance = read32(data.data() + pointerAt, target.isBig);
    if (distance == 0)
      return true;
    const uint64_t begin = pointerAt - distance;
    const std::vector<EhRecord> &records = frame.records;
    const auto it = partition_point(
        records, [&](const EhRecord &r) { return r.begin < begin; });
    if (distance > pointerAt || it == records.end() || it->begin != begin ||
        !it->isCie())
      return fail(pointerAt, "the CIE pointer " + hex(distance) +
                                 " does not lead to a CIE before it");
    record.cie = uint32_t(it - records.begin());
    return true;
  }
  bool takeRelocations(EhRecord &record) {
    const uint64_t head = record.ciePointer() + 4;
    record.relocBegin = nextReloc;
    for (; nextReloc < section.relocEnd; ++nextReloc) {
      const Relocation &rel = object.relocations[nextReloc];
      if (rel.offset >= record.end)
        break;
      const uint64_t bytes = width(rel);
      if (bytes && rel.offset < head)
        return fail(rel.offset, "a relocation changes a length or CIE pointer");
      if (bytes > record.end - rel.offset)
        return fail(rel.offset, "a relocation changes more than one record");
      if (rel.offset == head && !record.isCie() && record.function == kNone)
        record.function = nextReloc;
    }
    record.relocEnd = nextReloc;
    return true;
  }
  /// Nothing may write to a terminator.
  bool skipRelocations(uint64_t end) {
    for (; nextReloc < section.relocEnd; ++nextReloc) {
      const Relocation &rel = object.relocations[nextReloc];
      if (rel.offset >= end)
        break;
      if (width(rel))
        return fail(rel.offset, "a relocation changes a length");
    }
    return true;
  }
  bool fail(uint64_t offset, const Twine &text) {
    failure = {offset, text.str()};
    return false;
  }
  /// The number of bytes that a relocation changes.
  uint64_t width(const Relocation &rel) const {
    const RelocationRow *row = findRelocation(target, rel.type);
    return !row ? 1 : !row->hasField() ? 0 : row->bytes;
  }

  const ParsedObject &object;
  const ParsedSection &section;
  ArrayRef<uint8_t> data;
  const Target &target;
  EhFrame &frame;
  uint64_t at = 0;
  uint32_t nextReloc;
  std::optional<EhFrameError> failure;
};

} // namespace

std::optional<EhFrameError> readEhFrame(const ParsedObject &object,
                                        const ParsedSection &section,
                                        const Target &target, EhFrame &frame) {
  return EhFrameParser(object, section, target, frame).run();
}

} // namespace xlink
