//===- SymbolReader.cpp - the symbol table --------------------------------===//
//
// One pass, one record a symbol, nothing allocated but the array. Real tools of
// some machines mix local and global symbols and leave the table's sh_info 0,
// so what a symbol is follows from its own st_info alone.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::ELF;
using llvm::object::ELF32LE;
using llvm::object::ELF64LE;

namespace xlink {

/// False when there is no telling what the symbols are.
template <class ELFT> bool ObjectReader::readSymbols() {
  using Sym = typename ELFT::Sym;
  std::vector<ParsedSection> &sections = object->sections;
  std::vector<ParsedSymbol> &symbols = object->symbols;
  if (symbolTable == 0) {
    symbols.resize(1);
    return true;
  }
  const ParsedSection &section = sections[symbolTable];
  ArrayRef<Sym> table(reinterpret_cast<const Sym *>(section.data.data()),
                      section.size / sizeof(Sym));
  if (!symbolNames.assign(sections[section.link].data)) {
    error(headerText(section.link) +
          ": the string table of the symbols does not end in NUL");
    return false;
  }
  ArrayRef<uint8_t> indices;
  if (extendedIndices != 0) {
    indices = sections[extendedIndices].data;
    if (indices.size() / 4 < table.size())
      error(headerText(extendedIndices) + ": sh_size " + hex(indices.size()) +
            " is too small for the " + Twine(table.size()) +
            " symbols of section header " + Twine(symbolTable));
  }
  symbols.resize(std::max<size_t>(table.size(), 1));

  for (uint32_t i = 1, e = table.size(); i < e; ++i) {
    if (saturated())
      return false;
    const Sym &from = table[i];
    ParsedSymbol &to = symbols[i];
    auto fail = [&](const Twine &text) { error(symbolText(i) + ": " + text); };
    auto named = symbolNames.get(from.st_name, names, to.name);
    if (named != NameTable::Result::Ok)
      fail(nameFault(named, symbolNames, "st_name", from.st_name));
    to.value = from.st_value;
    to.size = from.st_size;
    to.type = from.st_info & 0xf;
    to.visibility = from.st_other & 3;
    to.other = from.st_other & ~3;

    to.binding = from.st_info >> 4;
    if (to.binding == STB_GNU_UNIQUE)
      to.binding = STB_GLOBAL; // differs for a dynamic loader only
    switch (to.binding) {
    case STB_LOCAL:
      break;
    case STB_GLOBAL:
    case STB_WEAK:
      if (to.name.empty() && named == NameTable::Result::Ok)
        fail("a global symbol without a name");
      to.hash = xxh3_64bits(to.name);
      break;
    default:
      fail("unknown binding " + Twine(unsigned(to.binding)));
    }

    uint32_t index = from.st_shndx;
    if (index == SHN_XINDEX) {
      if (extendedIndices == 0) {
        fail(
            "st_shndx is SHN_XINDEX, but there is no SHT_SYMTAB_SHNDX section");
        continue;
      }
      if (indices.size() / 4 <= i)
        continue; // the table was reported as too small
      index = support::endian::read32le(indices.data() + 4 * size_t(i));
    } else if (index >= SHN_LORESERVE) {
      switch (index) {
      case SHN_ABS:
        to.place = SymbolPlace::Absolute;
        break;
      case SHN_COMMON:
        to.place = SymbolPlace::Common;
        if (to.binding == STB_LOCAL)
          fail("SHN_COMMON in a local symbol");
        if (to.value > kMaxAlign || (to.value & (to.value - 1)) != 0)
          fail("alignment " + hex(to.value) + " of a common symbol is " +
               (to.value > kMaxAlign ? "too large" : "not a power of two"));
        if (to.size > kMaxSectionSize)
          fail("size " + hex(to.size) + " of a common symbol is too large");
        if (to.value == 0)
          to.value = 1;
        break;
      default:
        fail("st_shndx " + hex(index) +
             " is a reserved index of unknown meaning");
      }
      continue;
    }

    if (index == SHN_UNDEF) {
      // Assemblers leave nameless undefined locals behind; a named one would
      // look for a definition that no other file can give.
      if (to.binding == STB_LOCAL && !to.name.empty())
        fail("local and undefined");
      continue;
    }
    if (index >= sections.size()) {
      fail("st_shndx " + Twine(index) + " is not a section index (" +
           Twine(sections.size()) + " sections)");
      continue;
    }
    to.place = SymbolPlace::Section;
    to.section = index;
    const ParsedSection &home = sections[index];
    // A value beyond its section is odd but has a meaning (an end mark, say);
    // in a mergeable one there is no entry that it could follow.
    if ((home.flags & SHF_MERGE) && home.kind == SectionKind::Regular &&
        to.value > home.size)
      fail("st_value " + hex(to.value) +
           " is beyond the end of mergeable "
           "section " +
           home.name + " (" + hex(home.size) + " bytes)");
  }
  return true;
}

template bool ObjectReader::readSymbols<ELF32LE>();
template bool ObjectReader::readSymbols<ELF64LE>();

} // namespace xlink
