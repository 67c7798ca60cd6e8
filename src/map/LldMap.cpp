//===- LldMap.cpp - the map of lld ----------------------------------------===//
//
//          VMA      LMA     Size Align Out     In      Symbol
//      8000000  8000000       d5     4 .text
//      8000000  8000000       62     4         a.o:(.text._start)
//      8000001  8000001       62     1                 _start
//      800009e  800009e        1     1         BYTE(0x12)
//      800009f  800009f        1     1         . = ALIGN(8)
//      80000ac  80000ac       25     1         <internal>:(.rodata.str1.1)
//
// Numbers are hexadecimal but for the alignment. One space behind them and the
// indentation tell output sections, their parts and symbols apart. Verified
// with lld 22, whose maps have no discarded sections.
//
//===----------------------------------------------------------------------===//
#include "map/TextMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

/// A line behind its numbers: 8 or more spaces are in front of a part's text.
static bool takeLine(TextMapBuilder &builder, StringRef text, uint64_t address,
                     uint64_t size) {
  const size_t indentation = text.size() - text.ltrim(' ').size();
  text = text.ltrim(' ');
  if (indentation == 0) // a text with spaces is an assignment
    return text.contains(' ') || builder.addOutput(text, address, size);
  if (indentation != 8)
    return true;
  static constexpr StringLiteral kData[] = {"BYTE(", "SHORT(", "LONG(",
                                            "QUAD("};
  if (any_of(kData, [&](StringRef word) { return text.starts_with(word); }))
    return builder.addPart(MapPart::Data, "", "", address, size);
  const size_t colon = text.rfind(":(");
  if (colon == StringRef::npos || !text.ends_with(")"))
    return true;
  const StringRef from = text.take_front(colon),
                  section = text.drop_front(colon + 2).drop_back();
  if (from == "<internal>")
    return builder.addPart(MapPart::Linker, section, "", address, size);
  return builder.addPart(section == "COMMON" ? MapPart::Common : MapPart::Input,
                         section, from, address, size);
}

bool readLldMap(TextMapBuilder &builder) {
  StringRef line;
  builder.next(line); // the heading
  while (builder.next(line)) {
    if (line == "Cross Reference Table")
      break;
    if (line.empty())
      continue;
    uint64_t numbers[4] = {}; // address, load address, size, alignment
    for (uint64_t &number : numbers) {
      StringRef word;
      std::tie(word, line) = line.ltrim(' ').split(' ');
      if (word.getAsInteger(&number == &numbers[3] ? 10 : 16, number))
        return builder.fail(Twine("'") + word +
                            "' is no number of 64 bits: a line begins with "
                            "address, load address, size and alignment");
    }
    if (line.empty())
      return builder.fail("there is no name behind the numbers");
    if (!takeLine(builder, line, numbers[0], numbers[2]))
      return false;
  }
  return true;
}

} // namespace xlink
