//===- ElfReader.cpp - identity, header and section table -----------------===//
//
// Problem: an object's bytes are untrusted, and every later pass indexes with
// their numbers.
//
// Method: all numbers are checked here, once, against the size of the indexed
// table, before anything is allocated from them; the result needs no further
// test. No sum can wrap: a range is checked as `offset <= end && size <= end -
// offset`. ELF's two classes differ only in the width of header fields, so the
// code that reads these is a template; all other code works on the
// class-neutral model.
//
// Cost: linear in the file's size, for any bytes. With overlapping tables a
// small file could describe huge ones; so all sections that are read must fit
// into the file together.
//
//===----------------------------------------------------------------------===//
#include "input/ElfReader.h"
#include "input/ObjectReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"

using namespace llvm;
using namespace llvm::ELF;
using llvm::object::ELF32LE;
using llvm::object::ELF64LE;

namespace xlink {

//===----------------------------------------------------------------------===//
// Kinds of files
//===----------------------------------------------------------------------===//

static bool startsWith(ArrayRef<uint8_t> bytes, StringRef magic) {
  return bytes.size() >= magic.size() &&
         std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

/// The first bytes distinguish linker scripts from unknown binary files.
static bool looksLikeText(ArrayRef<uint8_t> bytes) {
  for (uint8_t c : bytes.take_front(4096))
    if (c == 0x7f || (c < 0x20 && !(c >= '\t' && c <= '\r')))
      return false;
  return true;
}

FileKind identifyFile(ArrayRef<uint8_t> bytes) {
  if (bytes.empty())
    return FileKind::Empty;
  if (startsWith(bytes, ElfMagic)) {
    std::optional<ElfIdentity> id = readIdentity(bytes);
    return id && id->type == ET_REL ? FileKind::ElfRelocatable
                                    : FileKind::ElfOther;
  }
  if (startsWith(bytes, "!<arch>\n"))
    return FileKind::Archive;
  if (startsWith(bytes, "!<thin>\n"))
    return FileKind::ThinArchive;
  if (startsWith(bytes, "BC\xC0\xDE") || startsWith(bytes, "\xDE\xC0\x17\x0B"))
    return FileKind::Bitcode;
  return looksLikeText(bytes) ? FileKind::Text : FileKind::Unknown;
}

std::optional<ElfIdentity> readIdentity(ArrayRef<uint8_t> bytes) {
  // e_type and e_machine stand at 16 and 18 in both classes.
  if (bytes.size() < 20 || !startsWith(bytes, ElfMagic))
    return std::nullopt;
  uint8_t fileClass = bytes[EI_CLASS], data = bytes[EI_DATA];
  if ((fileClass != ELFCLASS32 && fileClass != ELFCLASS64) ||
      (data != ELFDATA2LSB && data != ELFDATA2MSB))
    return std::nullopt;
  ElfIdentity id;
  id.is64 = fileClass == ELFCLASS64;
  id.littleEndian = data == ELFDATA2LSB;
  auto half = [&](size_t at) {
    return id.littleEndian ? uint16_t(bytes[at] | bytes[at + 1] << 8)
                           : uint16_t(bytes[at] << 8 | bytes[at + 1]);
  };
  id.type = half(16);
  id.machine = half(18);
  return id;
}

std::string machineText(bool is64, uint16_t machine) {
  std::string text = hex(machine);
  if (const Target *known = findTarget(is64, machine))
    return text + " (" + known->name + ")";
  StringRef known = convertEMachineToArchName(machine);
  if (!known.empty() && known != "None" && known != "unknown")
    text += " (" + known.str() + ")";
  return text;
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

ObjectReader::ObjectReader(const ObjectName &name, ArrayRef<uint8_t> bytes,
                           const Target &target,
                           std::shared_ptr<const void> owner,
                           DiagnosticBuffer &diag, bool justSymbols)
    : name(name), bytes(bytes), target(target), diag(diag),
      storage(std::make_shared<ObjectStorage>()),
      object(std::make_shared<ParsedObject>()), names(bytes.size()),
      justSymbols(justSymbols) {
  storage->file = std::move(owner);
}

void ObjectReader::report(const Twine &afterPath) {
  if (++errors > kMaxErrors)
    return;
  diag.error((name.path + afterPath).str());
  if (errors == kMaxErrors)
    diag.error(name.path.str() + ": further errors in this file are not shown");
}

void ObjectReader::errorAt(uint32_t section, uint64_t offset,
                           const Twine &text) {
  report(":(" + object->sections[section].name + "+" + hex(offset) +
         "): " + text);
}

void ObjectReader::errorIn(uint32_t section, const Twine &text) {
  report(":(" + object->sections[section].name + "): " + text);
}

void ObjectReader::warn(const Twine &text) {
  diag.warn(WarningGroup::General, (name.path + ": " + text).str());
}

bool ObjectReader::holdsWhole(uint32_t index, uint32_t entrySize,
                              const char *entry) {
  const uint64_t size = object->sections[index].size;
  if (size % entrySize == 0)
    return true;
  error(headerText(index) + ": sh_size " + hex(size) +
        " is not a multiple of " + Twine(entrySize) + ", the size of " + entry);
  return false;
}

std::string ObjectReader::headerText(uint32_t index) const {
  std::string text = "section header " + std::to_string(index);
  // The table of their names is read before there is any section.
  if (index >= object->sections.size() || object->sections[index].name.empty())
    return text;
  return text + " (" + object->sections[index].name.str() + ")";
}

std::string ObjectReader::symbolText(uint32_t index) const {
  std::string text = "symbol " + std::to_string(index);
  StringRef symbol = object->symbols[index].name;
  return symbol.empty() ? text : text + " (" + symbol.str() + ")";
}

std::string ObjectReader::nameFault(NameTable::Result fault,
                                    const NameTable &table, const char *field,
                                    uint64_t offset) {
  std::string text = std::string(field) + " " + hex(offset);
  if (fault == NameTable::Result::OutOfRange)
    return text + " is beyond the end of the string table (" +
           hex(table.size()) + " bytes)";
  return text + ": the names of this file are longer together than its size "
                "allows";
}

//===----------------------------------------------------------------------===//
// Identity
//===----------------------------------------------------------------------===//

bool ObjectReader::checkIdentity() {
  if (!startsWith(bytes, ElfMagic)) {
    error("ELF header: no ELF file: it does not begin with 0x7f 'ELF'");
    return false;
  }
  if (bytes.size() < 20) {
    error("ELF header: the file ends after " + hex(bytes.size()) + " bytes");
    return false;
  }
  std::optional<ElfIdentity> id = readIdentity(bytes);
  if (!id) {
    uint8_t fileClass = bytes[EI_CLASS];
    if (fileClass != ELFCLASS32 && fileClass != ELFCLASS64)
      error("ELF header: EI_CLASS " + hex(fileClass) +
            " at offset 0x4 is neither ELFCLASS32 nor ELFCLASS64");
    else
      error("ELF header: EI_DATA " + hex(bytes[EI_DATA]) +
            " at offset 0x5 is neither ELFDATA2LSB nor ELFDATA2MSB");
    return false;
  }
  if (!is_contained(target.machines, id->machine)) {
    error("machine " + machineText(id->is64, id->machine) + " is not " +
          target.name);
    return false;
  }
  if (!id->littleEndian) {
    error(Twine("big-endian ELF file, but ") + target.name +
          " is little-endian");
    return false;
  }
  if (id->is64 != target.is64) {
    error(Twine(id->is64 ? "ELF64" : "ELF32") + " file, but " + target.name +
          " is an " + (target.is64 ? "ELF64" : "ELF32") + " machine");
    return false;
  }
  if (!checkFileType(id->type))
    return false;
  size_t headerSize = id->is64 ? sizeof(ELF64LE::Ehdr) : sizeof(ELF32LE::Ehdr);
  if (bytes.size() < headerSize) {
    error("ELF header: the file ends after " + hex(bytes.size()) +
          " bytes, the header has " + hex(headerSize));
    return false;
  }
  return true;
}

bool ObjectReader::checkFileType(uint16_t type) {
  if (type == ET_REL || (justSymbols && type == ET_EXEC))
    return true;
  if (justSymbols)
    error("ELF header: e_type " + hex(type) +
          " at offset 0x10 is neither ET_EXEC nor ET_REL: --just-symbols takes "
          "executables and relocatable objects");
  else if (type == ET_EXEC)
    error("an executable (ET_EXEC) cannot be linked, only relocatable objects");
  else if (type == ET_DYN)
    error(
        "a shared object (ET_DYN) cannot be linked, only relocatable objects");
  else
    error("ELF header: e_type " + hex(type) +
          " at offset 0x10 is not ET_REL: only relocatable objects can be "
          "linked");
  return false;
}

//===----------------------------------------------------------------------===//
// The section table
//===----------------------------------------------------------------------===//

/// Where the table lies, and which section holds its names. With more than
/// 65,279 sections both numbers stand in section 0 (the "extended numbering").
template <class ELFT>
ArrayRef<typename ELFT::Shdr>
ObjectReader::locateSectionTable(const typename ELFT::Ehdr &header,
                                 uint32_t &nameSection) {
  using Shdr = typename ELFT::Shdr;
  nameSection = 0;
  uint64_t offset = header.e_shoff, count = header.e_shnum;
  if (offset == 0) {
    if (count != 0)
      error("ELF header: e_shnum is " + Twine(count) + " but e_shoff is 0");
    return {};
  }
  if (header.e_shentsize != sizeof(Shdr)) {
    error("ELF header: e_shentsize " + hex(header.e_shentsize) + " is not " +
          hex(sizeof(Shdr)));
    return {};
  }
  if (offset > bytes.size() || bytes.size() - offset < sizeof(Shdr)) {
    error("ELF header: e_shoff " + hex(offset) +
          " is beyond the end of the file (" + hex(bytes.size()) + " bytes)");
    return {};
  }
  auto *first = reinterpret_cast<const Shdr *>(bytes.data() + offset);
  if (count == 0)
    count = first->sh_size;
  if (count > (bytes.size() - offset) / sizeof(Shdr)) {
    error("ELF header: e_shoff " + hex(offset) + " + " + Twine(count) +
          " section headers of " + hex(sizeof(Shdr)) +
          " bytes is beyond the end of the file (" + hex(bytes.size()) +
          " bytes)");
    return {};
  }
  if (count > INT32_MAX) { // InputSection::index
    error("ELF header: " + Twine(count) + " sections are too many");
    return {};
  }
  if (count == 0)
    return {};
  nameSection = header.e_shstrndx;
  const char *field = "ELF header: e_shstrndx ";
  if (nameSection == SHN_XINDEX) {
    nameSection = first->sh_link;
    field = "section header 0: sh_link (e_shstrndx) ";
  }
  if (nameSection >= count)
    error(field + Twine(nameSection) + " is not a section index (" +
          Twine(count) + " sections)");
  return ArrayRef(first, count);
}

template <class ELFT> bool ObjectReader::readSectionTable() {
  using Shdr = typename ELFT::Shdr;
  auto &header = *reinterpret_cast<const typename ELFT::Ehdr *>(bytes.data());
  object->flags = header.e_flags;
  uint32_t nameSection;
  ArrayRef<Shdr> table = locateSectionTable<ELFT>(header, nameSection);
  if (errors)
    return false;
  std::vector<ParsedSection> &sections = object->sections;

  // The names come first, so that all other messages can use them.
  NameTable sectionNames;
  if (nameSection != 0)
    sectionNames = readSectionNames<ELFT>(nameSection, table[nameSection]);
  // To make all of them first would write each twice.
  sections.reserve(std::max<size_t>(table.size(), 1));
  links.reserve(sections.capacity());
  sections.emplace_back();
  links.emplace_back();
  for (uint32_t i = 1; i < table.size(); ++i) {
    if (saturated())
      return false;
    readSectionHeader<ELFT>(i, table[i], sectionNames);
  }
  // Where only symbols count, a section is an index that they may have.
  if (!justSymbols) {
    adoptParents();
    classifySections(nameSection);
  }

  uint64_t total = 0; // of the sections read
  for (uint32_t i = 1; i < table.size() && !saturated(); ++i) {
    const ParsedSection &section = sections[i];
    if (section.type == SHT_NULL || !takeData(i, table[i].sh_offset))
      continue;
    if (section.kind != SectionKind::Ignored || section.type == SHT_SYMTAB ||
        section.type == SHT_REL || section.type == SHT_RELA)
      total += section.data().size();
    checkSizeAndAlignment(i, table[i].sh_addralign);
    checkLinks(i);
  }
  if (!errors && total > bytes.size())
    error("section table: sections overlap: their sizes add up to " +
          hex(total) + " in a file of " + hex(bytes.size()) + " bytes");
  return errors == 0;
}

/// The table of the sections' names; an empty one when it cannot be read.
template <class ELFT>
NameTable ObjectReader::readSectionNames(uint32_t index,
                                         const typename ELFT::Shdr &header) {
  NameTable table;
  if (header.sh_type != SHT_STRTAB)
    error(headerText(index) + ": sh_type " + hex(header.sh_type) +
          " of the section name table is not SHT_STRTAB");
  else if (within(header.sh_offset, header.sh_size) &&
           !table.assign(bytes.slice(header.sh_offset, header.sh_size)))
    error(headerText(index) + ": the section name table does not end in NUL");
  return table;
}

template <class ELFT>
void ObjectReader::readSectionHeader(uint32_t index,
                                     const typename ELFT::Shdr &from,
                                     const NameTable &sectionNames) {
  ParsedSection &to = object->sections.emplace_back();
  to.type = from.sh_type;
  to.flags = from.sh_flags;
  to.size = from.sh_size;
  // Too large a number stays too large.
  to.entsize = uint32_t(std::min<uint64_t>(from.sh_entsize, UINT32_MAX));
  links.push_back({from.sh_link, from.sh_info, from.sh_entsize});
  if (sectionNames.size() == 0)
    return; // a broken one has been reported already
  auto result = sectionNames.get(from.sh_name, names, to.name);
  if (result != NameTable::Result::Ok)
    error(headerText(index) + ": " +
          nameFault(result, sectionNames, "sh_name", from.sh_name));
}

/// The bytes of a section; false when the file does not have them.
bool ObjectReader::takeData(uint32_t index, uint64_t offset) {
  ParsedSection &section = object->sections[index];
  if (section.isNoBits())
    return true;
  if (!within(offset, section.size)) {
    error(headerText(index) + ": sh_offset " + hex(offset) + " + sh_size " +
          hex(section.size) + " is beyond the end of the file (" +
          hex(bytes.size()) + " bytes)");
    return false;
  }
  section.setData(bytes.slice(offset, section.size));
  return true;
}

void ObjectReader::checkSizeAndAlignment(uint32_t index, uint64_t align) {
  ParsedSection &section = object->sections[index];
  if (section.kind != SectionKind::Regular)
    return;
  if (section.size > kMaxSectionSize)
    error(headerText(index) + ": sh_size " + hex(section.size) +
          " is too large");
  if ((section.flags & SHF_MERGE) && links[index].entsize > UINT32_MAX)
    error(headerText(index) + ": sh_entsize " + hex(links[index].entsize) +
          " of a section with SHF_MERGE is too large");
  if (const char *fault = alignmentFault(align))
    return error(headerText(index) + ": sh_addralign " + hex(align) + fault);
  section.align = align;
}

/// A machine may split a section into unnamed pieces: headers of a type of its
/// own whose sh_info names the section they belong to. From here on they are
/// sections with their parent's name and type, in the order of their headers.
void ObjectReader::adoptParents() {
  if (target.pieceSectionType == 0)
    return;
  std::vector<ParsedSection> &sections = object->sections;
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i)
    sections[i].isPiece = sections[i].type == target.pieceSectionType;
  for (uint32_t i = 1; i < sections.size() && !saturated(); ++i) {
    ParsedSection &piece = sections[i];
    if (!piece.isPiece)
      continue;
    const uint32_t index = links[i].info;
    if (index == 0 || index >= sections.size()) {
      error(headerText(i) + ": sh_info " + Twine(index) +
            " of a piece is not a section index (" + Twine(sections.size()) +
            " sections)");
      continue;
    }
    const ParsedSection &parent = sections[index];
    if (parent.isPiece) {
      error(headerText(i) + ": sh_info " + Twine(index) +
            " of a piece is a piece itself");
      continue;
    }
    switch (parent.type) {
    case SHT_NULL:
    case SHT_SYMTAB:
    case SHT_STRTAB:
    case SHT_REL:
    case SHT_RELA:
    case SHT_GROUP:
    case SHT_SYMTAB_SHNDX:
      error(headerText(i) + ": sh_info " + Twine(index) +
            " of a piece is not a section with contents");
      continue;
    }
    piece.name = parent.name;
    piece.type = parent.type;
    // SHF_INFO_LINK has done its work: sh_info means nothing in the output.
    piece.flags |= parent.flags;
    piece.wasInfoLink = piece.flags & SHF_INFO_LINK;
    piece.flags &= ~uint64_t(SHF_INFO_LINK);
    if (piece.entsize == 0)
      piece.entsize = parent.entsize;
  }
}

void ObjectReader::classifySections(uint32_t nameSection) {
  const std::vector<ParsedSection> &sections = object->sections;
  // A string table that no table here uses is a section like any other, such
  // as .stabstr.
  std::vector<bool> ownStrings(sections.size());
  ownStrings[nameSection < sections.size() ? nameSection : 0] = true;
  for (uint32_t i = 1; i < sections.size(); ++i)
    if (const uint32_t type = sections[i].type;
        (type == SHT_SYMTAB || type == SHT_DYNSYM || type == SHT_DYNAMIC) &&
        links[i].link < sections.size())
      ownStrings[links[i].link] = true;
  object->mayHaveLinkOnce = object->mayHaveWarnings = false;
  for (uint32_t i = 1; i < sections.size(); ++i)
    classify(i, ownStrings[i]);
}

/// `ownStrings`: it holds the names of the object's sections or symbols.
void ObjectReader::classify(uint32_t index, bool ownStrings) {
  ParsedSection &section = object->sections[index];
  switch (section.type) {
  case SHT_NULL:
  case SHT_SYMTAB:
  case SHT_REL:
  case SHT_RELA:
  case SHT_SYMTAB_SHNDX:
    section.kind = SectionKind::Ignored;
    return;
  case SHT_STRTAB:
    // Some writers leave an empty .strtab where there is no symbol.
    if (!ownStrings && section.name != ".strtab" &&
        section.name != ".shstrtab" && section.name != ".dynstr")
      break;
    section.kind = SectionKind::Ignored;
    return;
  case SHT_GROUP:
    section.kind = SectionKind::Group;
    return;
  }
  if (target.exprSectionType != 0 && section.type == target.exprSectionType)
    section.kind = SectionKind::Expr;
  else if (target.typeSection && section.name == target.typeSection &&
           !section.isNoBits() && !(section.flags & SHF_ALLOC))
    section.kind = SectionKind::Types;
  // A list of symbols by index would be wrong in any output: without one, all
  // addresses count as taken. GNU ld's scripts drop .gnu.lto_* too.
  else if (section.type == SHT_LLVM_ADDRSIG ||
           section.name.starts_with(".gnu.lto_") ||
           is_contained(target.ignoredTypes, section.type))
    section.kind = SectionKind::Ignored;
  else {
    section.kind = SectionKind::Regular;
    object->mayHaveLinkOnce |= section.name.starts_with(".gnu.linkonce");
    object->mayHaveWarnings |= section.name.starts_with(".gnu.warning");
    normalizeMerge(section);
  }
}

/// Decides which sections are mergeable; only these keep SHF_MERGE.
void ObjectReader::normalizeMerge(ParsedSection &section) const {
  if (!(section.flags & SHF_MERGE))
    return;
  // Vendors of machines with pieces leave sh_entsize 0 for strings of bytes.
  if (section.entsize == 0 && target.pieceSectionType != 0 &&
      (section.flags & SHF_STRINGS))
    section.entsize = 1;
  // Without a size there are no entries to compare; two equal entries that can
  // be written are not the same; and zeros need no merging.
  section.wasMerge =
      section.entsize == 0 || (section.flags & SHF_WRITE) || section.isNoBits();
  if (section.wasMerge)
    section.flags &= ~uint64_t(SHF_MERGE);
}

/// Whether a section is none to a link: the null section, tables of the file,
/// groups.
static bool isBookkeeping(const ParsedSection &section) {
  switch (section.type) {
  case SHT_NULL:
  case SHT_SYMTAB:
  case SHT_SYMTAB_SHNDX:
  case SHT_REL:
  case SHT_RELA:
  case SHT_GROUP:
    return true;
  default:
    return section.type == SHT_STRTAB && section.kind == SectionKind::Ignored;
  }
}

/// sh_link and sh_info where they are section indices, and the entry sizes of
/// the tables that the reader walks through.
void ObjectReader::checkLinks(uint32_t index) {
  std::vector<ParsedSection> &sections = object->sections;
  const ParsedSection &section = sections[index];
  const uint32_t link = links[index].link, info = links[index].info;
  auto isIndexOf = [&](uint32_t i, uint32_t type) {
    return i != 0 && i < sections.size() && sections[i].type == type;
  };
  auto checkTable = [&](uint64_t entrySize) {
    if (links[index].entsize != entrySize)
      error(headerText(index) + ": sh_entsize " + hex(links[index].entsize) +
            " is not " + hex(entrySize));
    else if (section.size % entrySize != 0)
      error(headerText(index) + ": sh_size " + hex(section.size) +
            " is not a multiple of sh_entsize " + hex(entrySize));
  };
  auto checkLinkTo = [&](uint32_t type, const char *what) {
    if (!isIndexOf(link, type))
      error(headerText(index) + ": sh_link " + Twine(link) +
            " is not the index of a " + what);
  };

  switch (section.type) {
  case SHT_SYMTAB:
    checkTable(target.is64 ? sizeof(ELF64LE::Sym) : sizeof(ELF32LE::Sym));
    checkLinkTo(SHT_STRTAB, "string table");
    if (symbolTable != 0)
      error(headerText(index) + ": a second symbol table; section header " +
            Twine(symbolTable) + " has one already");
    else
      symbolTable = index;
    return;
  case SHT_SYMTAB_SHNDX:
    checkLinkTo(SHT_SYMTAB, "symbol table");
    if (extendedIndices != 0)
      error(headerText(index) +
            ": a second table of extended section indices; section header " +
            Twine(extendedIndices) + " has one already");
    else
      extendedIndices = index;
    return;
  case SHT_REL:
  case SHT_RELA: {
    if (section.size == 0)
      return;
    bool rela = section.type == SHT_RELA;
    checkTable(target.is64
                   ? (rela ? sizeof(ELF64LE::Rela) : sizeof(ELF64LE::Rel))
                   : (rela ? sizeof(ELF32LE::Rela) : sizeof(ELF32LE::Rel)));
    checkLinkTo(SHT_SYMTAB, "symbol table");
    if (info >= sections.size())
      error(headerText(index) + ": sh_info " + Twine(info) +
            " is not a section index (" + Twine(sections.size()) +
            " sections)");
    else if (!justSymbols && isBookkeeping(sections[info]))
      error(headerText(index) + ": sh_info " + Twine(info) +
            " of relocations is not the index of a section with contents");
    return;
  }
  case SHT_CREL:
    if (section.kind == SectionKind::Regular)
      error(headerText(index) + ": relocations of type SHT_CREL are not "
                                "supported; use SHT_RELA");
    return;
  case SHT_GROUP:
    checkLinkTo(SHT_SYMTAB, "symbol table");
    return;
  }
  if (section.kind == SectionKind::Expr || section.kind == SectionKind::Types) {
    if (link != 0 && !isIndexOf(link, SHT_SYMTAB))
      error(headerText(index) + ": sh_link " + Twine(link) +
            " is neither 0 nor the index of a symbol table");
    return;
  }
  checkLinkOrder(index);
}

/// sh_link of a section that is ordered by another one.
void ObjectReader::checkLinkOrder(uint32_t index) {
  const std::vector<ParsedSection> &sections = object->sections;
  const uint32_t link = links[index].link;
  if (!(sections[index].flags & SHF_LINK_ORDER) || link == 0 || justSymbols)
    return;
  if (link == index) { // GNU ld and lld take it
    warn(headerText(index) + ": sh_link " + Twine(link) +
         " of a section with SHF_LINK_ORDER is its own index; its order is the "
         "input's");
    links[index].link = 0;
  } else if (link >= sections.size() || isBookkeeping(sections[link])) {
    error(headerText(index) + ": sh_link " + Twine(link) +
          " of a section with SHF_LINK_ORDER is not the index of a section "
          "with contents");
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

template <class ELFT> void ObjectReader::runSteps() {
  if (!readSectionTable<ELFT>())
    return;
  if (!justSymbols)
    readContents<ELFT>();
  if (!readSymbols<ELFT>())
    return;
  if (justSymbols)
    return keepJustSymbols();
  readGroups();
  readRelocations<ELFT>();
  readExpressions();
  readTypes();
  readCpuNote();
  leaveOutTables();
}

/// Leaves the global symbols, with absolute values. In an executable st_value
/// is an address already; an object's sections stand at 0.
void ObjectReader::keepJustSymbols() {
  if (symbolTable == 0)
    warn("there is no symbol table: --just-symbols finds nothing");
  std::vector<ParsedSymbol> kept(1);
  for (ParsedSymbol &symbol : MutableArrayRef(object->symbols).drop_front()) {
    if (symbol.binding == STB_LOCAL || symbol.place == SymbolPlace::Common)
      continue;
    if (symbol.place == SymbolPlace::Section) {
      symbol.place = SymbolPlace::Absolute;
      symbol.section = 0;
      symbol.wasInSection = true;
    }
    kept.push_back(symbol);
  }
  object->symbols = std::move(kept);
  object->localsEnd = 1;
  object->sections.resize(1);
  object->justSymbols = true;
}

std::shared_ptr<const ParsedObject> ObjectReader::run() {
  object->path = name.path.str();
  object->archive = name.archive.str();
  object->bytes = bytes.size();
  if (!checkIdentity())
    return nullptr;
  object->machine = readIdentity(bytes)->machine;
  object->osabi = bytes[EI_OSABI];
  if (target.is64)
    runSteps<ELF64LE>();
  else
    runSteps<ELF32LE>();
  if (errors)
    return nullptr;
  object->owner = storage->inflated.empty()
                      ? storage->file
                      : std::shared_ptr<const void>(std::move(storage));
  return object;
}

std::shared_ptr<const ParsedObject>
parseObject(const ObjectName &name, ArrayRef<uint8_t> bytes,
            const Target &target, std::shared_ptr<const void> owner,
            DiagnosticBuffer &diag) {
  return ObjectReader(name, bytes, target, std::move(owner), diag).run();
}

std::shared_ptr<const ParsedObject>
parseJustSymbols(const ObjectName &name, ArrayRef<uint8_t> bytes,
                 const Target &target, std::shared_ptr<const void> owner,
                 DiagnosticBuffer &diag) {
  return ObjectReader(name, bytes, target, std::move(owner), diag,
                      /*justSymbols=*/true)
      .run();
}

} // namespace xlink
