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
// Cost: one step a record and relocation; a search for each FDE's CIE, mostly
// the one before it used.
//
// Format: LSB, "Exception Frames". After 0xffffffff the length has 8 bytes; the
// CIE pointer still has 4 bytes. A length of 0 ends the table for the unwinder;
// the records of another file may follow (ld -r).
//
//===----------------------------------------------------------------------===//
#include "input/EhFrameReader.h"
#include "base/Diagnostics.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

using namespace llvm;
using support::endian::read32le;
using support::endian::read64le;

namespace xlink {

namespace {

class Reader {
public:
  Reader(const ParsedObject &object, const ParsedSection &section,
         const Target &target, EhFrame &frame)
      : object(object), section(section), data(section.data()), target(target),
        frame(frame), nextReloc(section.relocBegin) {}
  std::optional<EhFrameError> run();

private:
  using Failure = std::optional<EhFrameError>;
  Failure readRecord();
  Failure findCie(EhRecord &record);
  Failure takeRelocations(EhRecord &record);
  Failure skipRelocations(uint64_t end);
  /// The bytes a relocation changes, 0: none.
  uint64_t width(const Relocation &rel) const;

  const ParsedObject &object;
  const ParsedSection &section;
  ArrayRef<uint8_t> data;
  const Target &target;
  EhFrame &frame;
  uint64_t at = 0;
  uint32_t nextReloc;
  uint32_t lastCie = kNone;
};

} // namespace

uint64_t Reader::width(const Relocation &rel) const {
  const RelocationRow *row = findRelocation(target, rel.type);
  return !row ? 1 : !row->hasField() ? 0 : row->bytes;
}

/// Nothing may write to a terminator.
Reader::Failure Reader::skipRelocations(uint64_t end) {
  for (; nextReloc < section.relocEnd; ++nextReloc) {
    const Relocation &rel = object.relocations[nextReloc];
    if (rel.offset >= end)
      break;
    if (width(rel))
      return EhFrameError{rel.offset, "a relocation changes a length"};
  }
  return std::nullopt;
}

Reader::Failure Reader::takeRelocations(EhRecord &record) {
  const uint64_t head = record.ciePointer() + 4;
  record.relocBegin = nextReloc;
  for (; nextReloc < section.relocEnd; ++nextReloc) {
    const Relocation &rel = object.relocations[nextReloc];
    if (rel.offset >= record.end)
      break;
    uint64_t bytes = width(rel);
    if (bytes && rel.offset < head)
      return EhFrameError{rel.offset,
                          "a relocation changes a length or CIE pointer"};
    if (bytes > record.end - rel.offset)
      return EhFrameError{rel.offset,
                          "a relocation changes more than one record"};
    if (rel.offset == head && !record.isCie() && record.function == kNone)
      record.function = nextReloc;
  }
  record.relocEnd = nextReloc;
  return std::nullopt;
}

Reader::Failure Reader::findCie(EhRecord &record) {
  uint64_t pointerAt = record.ciePointer();
  uint64_t distance = read32le(data.data() + pointerAt);
  if (distance == 0)
    return std::nullopt;
  uint64_t begin = pointerAt - distance;
  const std::vector<EhRecord> &records = frame.records;
  if (lastCie == kNone || records[lastCie].begin != begin) {
    auto it = std::lower_bound(
        records.begin(), records.end(), begin,
        [](const EhRecord &r, uint64_t offset) { return r.begin < offset; });
    if (distance > pointerAt || it == records.end() || it->begin != begin ||
        !it->isCie())
      return EhFrameError{pointerAt, "the CIE pointer " + hex(distance) +
                                         " does not lead to a CIE before it"};
    lastCie = uint32_t(it - records.begin());
  }
  record.cie = lastCie;
  return std::nullopt;
}

Reader::Failure Reader::readRecord() {
  const uint64_t left = data.size() - at;
  auto shorter = [&](uint64_t wanted) {
    return EhFrameError{at, std::to_string(left) +
                                " bytes are left, a length "
                                "has " +
                                std::to_string(wanted)};
  };
  if (left < 4)
    return shorter(4);
  EhRecord record;
  record.begin = at;
  uint64_t length = read32le(data.data() + at);
  if (length == 0xffffffff) {
    if (left < 12)
      return shorter(12);
    record.lengthSize = 12;
    length = read64le(data.data() + at + 4);
  }
  if (length > left - record.lengthSize)
    return EhFrameError{at, "a record has length " + hex(length) + ", but " +
                                hex(left - record.lengthSize) +
                                " bytes are left"};
  record.end = at + record.lengthSize + length;
  at = record.end;
  if (length == 0) {
    frame.terminated = true;
    return skipRelocations(record.end);
  }
  if (length < 4)
    return EhFrameError{record.begin, "a record has length " + hex(length) +
                                          ", too short for a CIE pointer"};
  if (Failure failure = findCie(record))
    return failure;
  if (Failure failure = takeRelocations(record))
    return failure;
  frame.records.push_back(record);
  return std::nullopt;
}

Reader::Failure Reader::run() {
  while (at < data.size())
    if (Failure failure = readRecord())
      return failure;
  return std::nullopt;
}

std::optional<EhFrameError> readEhFrame(const ParsedObject &object,
                                        const ParsedSection &section,
                                        const Target &target, EhFrame &frame) {
  return Reader(object, section, target, frame).run();
}

} // namespace xlink
