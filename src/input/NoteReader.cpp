//===- NoteReader.cpp - which member of a family an object is for ---------===//
//
// Some machines have a note in place of e_flags. Notes are {u32 name size, u32
// description size, u32 type, name, description}, both texts padded to
// multiples of 4, in sequence in SHT_NOTE sections. A note that runs beyond its
// section ends the section: a damaged note is no reason to refuse an object.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using llvm::support::endian::read32le;

namespace xlink {

/// A text without the zeros at its end.
static StringRef textOf(ArrayRef<uint8_t> bytes) {
  return toStringRef(bytes).rtrim('\0');
}

void ObjectReader::readCpuNote() {
  if (!target.cpuNoteName)
    return;
  constexpr uint64_t headerSize = 12;
  for (const ParsedSection &section : object->sections) {
    if (section.type != ELF::SHT_NOTE)
      continue;
    ArrayRef<uint8_t> rest = section.data();
    while (rest.size() >= headerSize) {
      const uint64_t nameSize = read32le(rest.data());
      const uint64_t textAt = headerSize + alignTo<4>(nameSize);
      const uint64_t textSize = read32le(rest.data() + 4);
      if (textAt + textSize > rest.size())
        break;
      if (read32le(rest.data() + 8) == target.cpuNoteType &&
          textOf(rest.slice(headerSize, nameSize)) == target.cpuNoteName) {
        object->cpu = textOf(rest.slice(textAt, textSize));
        return;
      }
      rest = rest.drop_front(
          std::min<uint64_t>(textAt + alignTo<4>(textSize), rest.size()));
    }
  }
}

} // namespace xlink
