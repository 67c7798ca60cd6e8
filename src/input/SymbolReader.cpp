//===- SymbolReader.cpp - the symbol table --------------------------------===//
//
// One pass, one record a symbol, nothing allocated but the array. Real tools of
// some machines mix local and global symbols and leave the table's sh_info 0,
// so a symbol's binding follows from its own st_info alone.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::ELF;
using llvm::object::ELF32LE;
using llvm::object::ELF64LE;

namespace xlink {

/// False if the symbols cannot be read.
template <class ELFT> bool ObjectReader::readSymbols() {
  using Sym = typename ELFT::Sym;
  std::vector<ParsedSection> &sections = object->sections;
  std::vector<ParsedSymbol> &symbols = object->symbols;
  if (symbolTable == 0) {
    symbols.resize(1);
    return true;
  }
  const ParsedSection &section = sections[symbolTable];
  ArrayRef<Sym> table(reinterpret_cast<const Sym *>(section.bytes),
                      section.size / sizeof(Sym));
  const uint32_t strings = links[symbolTable].link;
  if (!symbolNames.assign(sections[strings].data())) {
    error(headerText(strings) +
          ": the string table of the symbols does not end in NUL");
    return false;
  }
  object->symbolStrings = toStringRef(sections[strings].data());
  if (extendedIndices != 0) {
    const uint64_t size = sections[extendedIndices].data().size();
    if (size / 4 < table.size())
      error(headerText(extendedIndices) + ": sh_size " + hex(size) +
            " is too small for the " + Twine(table.size()) +
            " symbols of section header " + Twine(symbolTable));
  }
  symbols.reserve(std::max<size_t>(table.size(), 1));
  symbols.emplace_back();
  object->localsEnd = 1;
  for (uint32_t i = 1, e = table.size(); i < e; ++i) {
    if (saturated())
      return false;
    readSymbol<ELFT>(i, table[i]);
  }
  return true;
}

template <class ELFT>
void ObjectReader::readSymbol(uint32_t index, const typename ELFT::Sym &from) {
  ParsedSymbol &to = object->symbols.emplace_back();
  auto named = symbolNames.get(from.st_name, names, to.name);
  if (named != NameTable::Result::Ok)
    symbolError(index, nameFault(named, symbolNames, "st_name", from.st_name));
  to.value = from.st_value;
  to.size = from.st_size;
  to.type = from.st_info & 0xf;
  to.visibility = from.st_other & 3;
  to.other = from.st_other & ~3;
  to.binding = from.st_info >> 4;
  checkBinding(index, named == NameTable::Result::Ok);
  placeSymbol(index, from.st_shndx);
}

/// `named`: the symbol's name could be read.
void ObjectReader::checkBinding(uint32_t index, bool named) {
  ParsedSymbol &symbol = object->symbols[index];
  if (symbol.binding == STB_GNU_UNIQUE)
    symbol.binding = STB_GLOBAL; // differs for a dynamic loader only
  switch (symbol.binding) {
  case STB_LOCAL:
    object->localsEnd = index + 1;
    return;
  case STB_GLOBAL:
  case STB_WEAK:
    if (symbol.name.empty() && named)
      symbolError(index, "a global symbol without a name");
    symbol.hash = xxh3_64bits(symbol.name);
    return;
  default:
    symbolError(index, "unknown binding " + Twine(unsigned(symbol.binding)));
  }
}

/// The section of st_shndx.
void ObjectReader::placeSymbol(uint32_t index, uint32_t shndx) {
  if (shndx == SHN_XINDEX) {
    if (extendedIndices == 0)
      return symbolError(
          index,
          "st_shndx is SHN_XINDEX, but there is no SHT_SYMTAB_SHNDX section");
    ArrayRef<uint8_t> indices = object->sections[extendedIndices].data();
    if (indices.size() / 4 <= index)
      return; // the table was reported as too small
    shndx = support::endian::read32le(indices.data() + 4 * size_t(index));
  } else if (shndx >= SHN_LORESERVE) {
    return placeSpecial(index, shndx);
  }
  if (shndx != SHN_UNDEF)
    return placeInSection(index, shndx);
  // Assemblers leave nameless undefined locals behind; a named one would look
  // for a definition that no other file can give.
  const ParsedSymbol &symbol = object->symbols[index];
  if (symbol.binding == STB_LOCAL && !symbol.name.empty())
    symbolError(index, "local and undefined");
}

/// Absolute and common symbols.
void ObjectReader::placeSpecial(uint32_t index, uint32_t shndx) {
  ParsedSymbol &symbol = object->symbols[index];
  if (shndx == SHN_ABS) {
    symbol.place = SymbolPlace::Absolute;
    return;
  }
  if (shndx != SHN_COMMON)
    return symbolError(index, "st_shndx " + hex(shndx) +
                                  " is a reserved index of unknown meaning");
  symbol.place = SymbolPlace::Common;
  if (symbol.binding == STB_LOCAL)
    symbolError(index, "SHN_COMMON in a local symbol");
  if (const char *fault = alignmentFault(symbol.value))
    symbolError(index, "alignment " + hex(symbol.value) +
                           " of a common symbol" + fault);
  if (symbol.size > kMaxSectionSize)
    symbolError(index, "size " + hex(symbol.size) +
                           " of a common symbol is too large");
  if (symbol.value == 0)
    symbol.value = 1;
}

void ObjectReader::placeInSection(uint32_t index, uint32_t section) {
  ParsedSymbol &symbol = object->symbols[index];
  const std::vector<ParsedSection> &sections = object->sections;
  if (section >= sections.size())
    return symbolError(index, "st_shndx " + Twine(section) +
                                  " is not a section index (" +
                                  Twine(sections.size()) + " sections)");
  symbol.place = SymbolPlace::Section;
  symbol.section = section;
  const ParsedSection &home = sections[section];
  // A value beyond its section is odd but has a meaning (an end mark, say); in
  // a mergeable one there is no entry that it could follow.
  if ((home.flags & SHF_MERGE) && home.kind == SectionKind::Regular &&
      symbol.value > home.size)
    symbolError(index, "st_value " + hex(symbol.value) +
                           " is beyond the end of mergeable section " +
                           home.name + " (" + hex(home.size) + " bytes)");
}

template bool ObjectReader::readSymbols<ELF32LE>();
template bool ObjectReader::readSymbols<ELF64LE>();

} // namespace xlink
