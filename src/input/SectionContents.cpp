//===- SectionContents.cpp - compression, mergeability, notes -------------===//
//
// Compressed sections (debug information, as a rule) are inflated while the
// object is parsed, in the parsing thread: all later passes see plain bytes.
//
// Some machines have a note in place of e_flags. Notes are {u32 name size, u32
// description size, u32 type, name, description}, both texts padded to
// multiples of 4, in sequence in SHT_NOTE sections. A note that runs beyond its
// section ends the section: a damaged note is no reason to refuse an object.
//
//===----------------------------------------------------------------------===//
#include "input/Inflate.h"
#include "input/ObjectReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MathExtras.h"
#include <new>

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

void ObjectReader::inflate(uint32_t index) {
  ParsedSection &section = object->sections[index];
  auto fail = [&](const Twine &text) { headerError(index, text); };
  if (section.flags & SHF_ALLOC)
    return fail("SHF_COMPRESSED and SHF_ALLOC exclude each other");
  if (section.isNoBits())
    return fail("SHF_COMPRESSED in a section without contents");
  Expected<Inflated> inflated =
      inflateSection(section.data(), target.is64, target.isBig);
  if (!inflated)
    return fail(toString(inflated.takeError()));
  section.setData(inflated->data());
  section.align = inflated->align;
  section.flags &= ~uint64_t(SHF_COMPRESSED);
  section.wasCompressed = true;
  storage->inflated.push_back(std::move(inflated->bytes));
}

/// Whether a section consists of whole entries: others are not merged (GNU ld).
static bool hasWholeEntries(const ParsedSection &section) {
  if (section.size % section.entsize != 0)
    return false;
  return !(section.flags & SHF_STRINGS) || section.size == 0 ||
         all_of(section.data().take_back(section.entsize),
                [](uint8_t byte) { return byte == 0; });
}

void ObjectReader::readContents() {
  for (uint32_t i = 1, e = object->sections.size(); i < e && !saturated();
       ++i) {
    ParsedSection &section = object->sections[i];
    // Statements are read as they are in the object that -r makes: inflated.
    const bool states =
        section.kind == SectionKind::Expr || section.kind == SectionKind::Types;
    if (section.kind != SectionKind::Regular && !states)
      continue;
    if (section.flags & SHF_COMPRESSED) {
      unsigned before = errors;
      inflate(i);
      if (errors != before)
        continue;
    }
    if (!states && (section.flags & SHF_MERGE) && !hasWholeEntries(section)) {
      section.flags &= ~uint64_t(SHF_MERGE);
      section.wasMerge = true;
    }
  }
}

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
      const uint64_t nameSize = read32(rest.data(), target.isBig);
      const uint64_t textAt = headerSize + alignTo<4>(nameSize);
      const uint64_t textSize = read32(rest.data() + 4, target.isBig);
      if (textAt + textSize > rest.size())
        break;
      if (read32(rest.data() + 8, target.isBig) == target.cpuNoteType &&
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
