//===- SymbolReader.cpp - the symbol table, and section groups ------------===//
//
// One pass, one record a symbol, nothing allocated but the array. Real tools of
// some machines mix local and global symbols and leave the table's sh_info 0,
// so a symbol's binding follows from its own st_info alone.
//
// SHT_GROUP is a word of flags and then section indices. Its signature is the
// name of the symbol that sh_info gives; assemblers may use a section symbol
// there: then it is the section's name.
//
//===----------------------------------------------------------------------===//
#include "input/ObjectReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

/// False if the symbols cannot be read.
bool ObjectReader::readSymbols() {
  const std::vector<ParsedSection> &sections = object->sections;
  std::vector<ParsedSymbol> &symbols = object->symbols;
  if (symbolTable == 0) {
    symbols.resize(1);
    return true;
  }
  const ParsedSection &section = sections[symbolTable];
  const uint32_t count = uint32_t(section.size / sizes.symbol);
  const uint32_t strings = headerOf(symbolTable).link;
  if (!symbolNames.assign(sections[strings].data()))
    return headerError(strings,
                       "the string table of the symbols does not end in NUL");
  object->symbolStrings = toStringRef(sections[strings].data());
  if (extendedIndices != 0) {
    const uint64_t size = sections[extendedIndices].data().size();
    if (size / 4 < count)
      headerError(extendedIndices, "sh_size " + hex(size) +
                                       " is too small for the " + Twine(count) +
                                       " symbols of section header " +
                                       Twine(symbolTable));
  }
  symbols.reserve(std::max(count, 1u));
  symbols.emplace_back();
  for (uint32_t i = 1; i < count; ++i) {
    if (saturated())
      return false;
    readSymbol(i, section.bytes + uint64_t(i) * sizes.symbol);
  }
  return true;
}

void ObjectReader::readSymbol(uint32_t index, const uint8_t *from) {
  ParsedSymbol &to = object->symbols.emplace_back();
  RecordReader at(from, target.is64, target.isBig);
  const uint32_t nameOffset = at.number();
  if (!target.is64) {
    to.value = at.word();
    to.size = at.word();
  }
  const uint8_t info = at.byte(), other = at.byte();
  const uint16_t shndx = at.half();
  if (target.is64) {
    to.value = at.word();
    to.size = at.word();
  }
  const std::string fault =
      takeName(symbolNames, "st_name", nameOffset, to.name);
  if (!fault.empty())
    symbolError(index, fault);
  to.type = info & 0xf;
  to.visibility = other & 3;
  to.other = other & ~3;
  to.binding = info >> 4;
  if (to.binding == STB_GNU_UNIQUE)
    to.binding = STB_GLOBAL; // differs for a dynamic loader only
  if (to.binding == STB_GLOBAL || to.binding == STB_WEAK) {
    if (to.name.empty() && fault.empty())
      symbolError(index, "a global symbol without a name");
    to.hash = xxh3_64bits(to.name);
  } else if (to.binding != STB_LOCAL) {
    symbolError(index, "unknown binding " + Twine(unsigned(to.binding)));
  }
  object->hasThreadLocals |= to.type == STT_TLS;
  placeSymbol(index, shndx);
  object->definitions +=
      to.binding == STB_GLOBAL && to.place != SymbolPlace::Undefined;
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
    shndx = read32(indices.data() + 4 * size_t(index), target.isBig);
  } else if (shndx >= SHN_LORESERVE) {
    return placeSpecial(index, shndx);
  }
  ParsedSymbol &symbol = object->symbols[index];
  const std::vector<ParsedSection> &sections = object->sections;
  if (shndx == SHN_UNDEF) {
    // Assemblers leave nameless undefined locals behind; a named one would look
    // for a definition that no other file can give.
    if (symbol.binding == STB_LOCAL && !symbol.name.empty())
      symbolError(index, "local and undefined");
    return;
  }
  if (shndx >= sections.size())
    return symbolError(index, "st_shndx " + Twine(shndx) + noSection());
  symbol.place = SymbolPlace::Section;
  symbol.section = shndx;
  const ParsedSection &home = sections[shndx];
  // A value beyond its section is odd but has a meaning (an end mark, say); in
  // a mergeable one there is no entry that it could follow.
  if ((home.flags & SHF_MERGE) && home.kind == SectionKind::Regular &&
      symbol.value > home.size)
    symbolError(index, "st_value " + hex(symbol.value) +
                           " is beyond the end of mergeable section " +
                           home.name + " (" + hex(home.size) + " bytes)");
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

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

void ObjectReader::readGroups() {
  std::vector<ParsedSection> &sections = object->sections;
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i) {
    const ParsedSection &section = sections[i];
    if (section.kind != SectionKind::Group)
      continue;
    auto fail = [&](const Twine &text) { headerError(i, text); };
    if (section.size < 4 || section.size % 4 != 0) {
      fail("sh_size " + hex(section.size) +
           " of a group is not a positive multiple of 4");
      continue;
    }
    const uint32_t info = headerOf(i).info;
    if (info == 0 || info >= object->symbols.size()) {
      fail("sh_info " + Twine(info) + " of a group is not a symbol index (" +
           Twine(object->symbols.size()) + " symbols)");
      continue;
    }
    ParsedGroup group;
    group.section = i;
    group.symbol = info;
    const ParsedSymbol &symbol = object->symbols[info];
    group.signature = symbol.name;
    if (symbol.name.empty() && symbol.type == STT_SECTION &&
        symbol.place == SymbolPlace::Section)
      group.signature = sections[symbol.section].name;
    if (group.signature.empty())
      fail("the group's signature, symbol " + Twine(info) + ", has no name");
    // A global symbol's name has been hashed; every other one costs the link as
    // much again.
    if (symbol.hash == 0 && !names.take(group.signature.size())) {
      fail("the names of this file are longer together than its size allows");
      continue;
    }

    uint32_t flags = read32(section.bytes, target.isBig);
    if (flags & ~uint32_t(GRP_COMDAT | GRP_MASKOS | GRP_MASKPROC))
      fail("unknown group flags " + hex(flags));
    group.comdat = flags & GRP_COMDAT;

    uint32_t id = object->groups.size() + 1;
    group.members.reserve(section.size / 4 - 1);
    for (uint64_t at = 4; at < section.size && !saturated(); at += 4) {
      uint32_t member = read32(section.bytes + at, target.isBig);
      const std::string text =
          "member " + std::to_string(member) + " at offset " + hex(at);
      if (member == 0 || member >= sections.size()) {
        fail(text + noSection());
        continue;
      }
      if (sections[member].kind == SectionKind::Group) {
        fail(text + " is a group itself");
        continue;
      }
      if (const uint32_t other = sections[member].group) {
        fail(text + " is a member of section header " +
             Twine(other == id ? i : object->groups[other - 1].section) +
             " already");
        continue;
      }
      sections[member].group = id;
      group.members.push_back(member);
    }
    object->groups.push_back(std::move(group));
  }
}

} // namespace xlink
