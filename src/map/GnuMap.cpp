//===- GnuMap.cpp - the map of GNU ld, which xlink writes too -------------===//
//
//     Discarded input sections
//
//      .text.unused   0x00000000       0x26 main.o
//
//     Memory Configuration
//
//     FLASH            0x08000000         0x00010000         xr
//
//     Linker script and memory map
//
//     .text           0x08000000       0xd5
//      *(.text .text.*)
//      .text.lib      0x08000062       0x3c lib.a(b.o)
//                     0x08000062                lib
//                     0x0800009e        0x1 BYTE 0x12
//      *fill*         0x0800009f        0x1
//      .rodata.str1.1
//                     0x080000ac       0x25 a.o
//                                      0x17 (size before relaxing)
//
// An output section begins in the first column, its parts in the second; a long
// name has a line of its own. Whatever has an address and no size, or neither,
// is a symbol, a pattern or a statement. Verified with GNU ld 2.26, 2.40, 2.44.
//
//===----------------------------------------------------------------------===//
#include "map/TextMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace xlink {

namespace {

class GnuMapReader {
public:
  explicit GnuMapReader(TextMapBuilder &builder) : builder(builder) {}

  bool run() {
    enum { Head, Discarded, Memory, Layout } chapter = Head;
    for (StringRef line; builder.next(line);) {
      if (line == "Discarded input sections")
        chapter = Discarded;
      else if (line == "Memory Configuration")
        chapter = Memory;
      else if (line == "Linker script and memory map")
        chapter = Layout;
      else if (line == "Cross Reference Table")
        break;
      else if (chapter == Memory ? !takeRegion(line)
                                 : chapter != Head &&
                                       !takeSection(line, chapter == Discarded))
        return false;
    }
    return name.empty() || isOutput ||
           builder.fail(Twine("the map ends behind the name of section ") +
                        name);
  }

private:
  /// Takes a number in front of `text`. False: it begins with none; `good`
  /// false, and an error: with one that has more than 64 bits.
  bool takeNumber(StringRef &text, uint64_t &number) {
    const auto [word, behind] = text.ltrim().split(' ');
    if (!word.starts_with("0x"))
      return false;
    if (word.drop_front(2).getAsInteger(16, number)) {
      good = builder.fail(Twine("'") + word + "' is no number of 64 bits");
      return false;
    }
    text = behind;
    return true;
  }

  bool takeRegion(StringRef line) {
    auto [region, numbers] = line.split(' ');
    if (region.empty() || region == "*default*" || region == "Name")
      return true;
    uint64_t origin = 0, length = 0;
    if (!takeNumber(numbers, origin) || !takeNumber(numbers, length))
      return good && builder.fail(Twine("memory region ") + region +
                                  " has no origin and length");
    return builder.addRegion(region, origin, length);
  }

  /// A line of a section, or any other one.
  bool takeSection(StringRef line, bool discarded) {
    const bool continues = line.starts_with("                ");
    StringRef rest = line;
    if (!continues) {
      if (!name.empty() && !isOutput)
        return builder.fail(Twine("section ") + name +
                            " has no address and size");
      isOutput = !line.starts_with(" ");
      std::tie(name, rest) = line.ltrim().split(' ');
      if (isOutput && !line.empty())
        builder.leaveOutput();
    }
    // A name alone; patterns have parentheses.
    if (!continues && rest.empty() && !name.contains('('))
      return true;
    const StringRef section = std::exchange(name, "");
    uint64_t address = 0, size = 0;
    if (!takeNumber(rest, address))
      return good;
    if (!takeNumber(rest, size))
      return good &&
             (section.empty() || isOutput || section.contains('(') ||
              builder.fail(Twine("section ") + section + " has no size"));
    return add(section, rest.trim(), address, size, discarded);
  }

  bool add(StringRef section, StringRef from, uint64_t address, uint64_t size,
           bool discarded) {
    if (section.empty()) {
      static constexpr StringLiteral kData[] = {"BYTE ", "SHORT ", "LONG ",
                                                "QUAD ", "SQUAD ", "ASCI"};
      const bool data =
          any_of(kData, [&](StringRef word) { return from.starts_with(word); });
      return !data || builder.addPart(MapPart::Data, "", "", address, size);
    }
    if (isOutput)
      return builder.addOutput(section, address, size);
    if (section == "*fill*")
      return builder.addPart(MapPart::Padding, "", "", address, size);
    if (from.empty())
      return builder.fail(Twine("section ") + section + " has no file");
    if (discarded)
      return builder.addDiscarded(section, from, size);
    if (from == "linker stubs" || from == "<internal>")
      return builder.addPart(MapPart::Linker, section, "", address, size);
    return builder.addPart(section == "COMMON" ? MapPart::Common
                                               : MapPart::Input,
                           section, from, address, size);
  }

  TextMapBuilder &builder;
  StringRef name;        ///< of a section whose numbers follow; "": none
  bool isOutput = false; ///< `name` is an output section
  bool good = true;
};

} // namespace

bool readGnuMap(TextMapBuilder &builder) { return GnuMapReader(builder).run(); }

} // namespace xlink
