//===- ElfReader.cpp - identity, header and section table -----------------===//
//
// Problem: an object's bytes are untrusted, and every later pass indexes with
// their numbers.
//
// Method: all numbers are checked here, once, against the size of the indexed
// table, before anything is allocated from them; the result needs no further
// test. No sum can wrap: a range is checked as `offset <= end && size <= end -
// offset`. ELF's two classes and two byte orders differ only in the layout of
// records, which RecordReader steps over; all other code works on a model that
// has neither.
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
  return none_of(bytes.take_front(4096), [](uint8_t c) {
    return c == 0x7f || (c < 0x20 && !(c >= '\t' && c <= '\r'));
  });
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
  id.isBig = data == ELFDATA2MSB;
  id.type = read16(bytes.data() + 16, id.isBig);
  id.machine = read16(bytes.data() + 18, id.isBig);
  return id;
}

std::string machineText(const Machines &machines, const ElfIdentity &id) {
  std::string text = hex(id.machine);
  for (bool isBig : {id.isBig, !id.isBig})
    if (const Target *known = machines.find(id.is64, isBig, id.machine))
      return text + " (" + known->name + ")";
  StringRef known = convertEMachineToArchName(id.machine);
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
      object(std::make_shared<ParsedObject>()), sizes(elfSizes(target.is64)),
      names(bytes.size()), justSymbols(justSymbols) {
  storage->file = std::move(owner);
}

//===----------------------------------------------------------------------===//
// Identity
//===----------------------------------------------------------------------===//

bool ObjectReader::checkIdentity() {
  if (!startsWith(bytes, ElfMagic))
    return refuse("ELF header: no ELF file: it does not begin with 0x7f 'ELF'");
  if (bytes.size() < 20)
    return refuse("ELF header: the file ends after " + hex(bytes.size()) +
                  " bytes");
  std::optional<ElfIdentity> id = readIdentity(bytes);
  if (!id) {
    uint8_t fileClass = bytes[EI_CLASS];
    if (fileClass != ELFCLASS32 && fileClass != ELFCLASS64)
      return refuse("ELF header: EI_CLASS " + hex(fileClass) +
                    " at offset 0x4 is neither ELFCLASS32 nor ELFCLASS64");
    return refuse("ELF header: EI_DATA " + hex(bytes[EI_DATA]) +
                  " at offset 0x5 is neither ELFDATA2LSB nor ELFDATA2MSB");
  }
  if (!is_contained(target.machines, id->machine))
    return refuse("machine " + machineText(Machines(), *id) + " is not " +
                  target.name + "'s " + hex(target.machines.front()));
  if (id->isBig != target.isBig)
    return refuse(Twine(orderName(id->isBig)) + " ELF file, but " +
                  target.name + " is " + orderName(target.isBig));
  if (id->is64 != target.is64)
    return refuse(Twine(id->is64 ? "ELF64" : "ELF32") + " file, but " +
                  target.name + " is an " + (target.is64 ? "ELF64" : "ELF32") +
                  " machine");
  const uint16_t type = id->type;
  const bool isExecutable = type == ET_EXEC;
  if (type != ET_REL && !(justSymbols && isExecutable)) {
    if (!justSymbols && (isExecutable || type == ET_DYN))
      return refuse(Twine(isExecutable ? "an executable (ET_EXEC)"
                                       : "a shared object (ET_DYN)") +
                    " cannot be linked, only relocatable objects");
    return refuse("ELF header: e_type " + hex(type) + " at offset 0x10 " +
                  (justSymbols
                       ? "is neither ET_EXEC nor ET_REL: --just-symbols takes "
                         "executables and relocatable objects"
                       : "is not ET_REL: only relocatable objects can be "
                         "linked"));
  }
  if (bytes.size() < sizes.header)
    return refuse("ELF header: the file ends after " + hex(bytes.size()) +
                  " bytes, the header has " + hex(sizes.header));
  object->machine = id->machine;
  object->osabi = bytes[EI_OSABI];
  return true;
}

//===----------------------------------------------------------------------===//
// The section table
//===----------------------------------------------------------------------===//

/// Finds the section headers. With more than 65,279 sections their number and
/// the index of the section with their names stand in header 0 (the "extended
/// numbering"). `nameSection`: that index, 0: there are no names.
bool ObjectReader::findSectionHeaders(uint32_t &nameSection) {
  const uint64_t size = sizes.sectionHeader, end = bytes.size();
  RecordReader header(bytes.data() + 24, target.is64, target.isBig);
  header.word(), header.word(); // e_entry, e_phoff
  const uint64_t offset = header.word();
  object->flags = header.number();
  header.number(), header.half(); // e_ehsize, e_phentsize, e_phnum
  const uint16_t entrySize = header.half();
  uint64_t count = header.half();
  nameSection = header.half();
  if (offset == 0) {
    nameSection = 0;
    return count == 0 || refuse("ELF header: e_shnum is " + Twine(count) +
                                " but e_shoff is 0");
  }
  if (entrySize != size)
    return refuse("ELF header: e_shentsize " + hex(entrySize) + " is not " +
                  hex(size));
  if (!within(offset, size))
    return refuse("ELF header: e_shoff " + hex(offset) +
                  " is beyond the end of the file (" + hex(end) + " bytes)");
  headersAt = offset;
  const SectionHeader first = headerOf(0);
  if (count == 0)
    count = first.size;
  if (count > (end - offset) / size)
    return refuse("ELF header: e_shoff " + hex(offset) + " + " + Twine(count) +
                  " section headers of " + hex(size) +
                  " bytes is beyond the end of the file (" + hex(end) +
                  " bytes)");
  if (count > INT32_MAX) // InputSection::index
    return refuse("ELF header: " + Twine(count) + " sections are too many");
  if (count == 0) {
    nameSection = 0;
    return true;
  }
  const char *field = "ELF header: e_shstrndx ";
  if (nameSection == SHN_XINDEX) {
    nameSection = first.link;
    field = "section header 0: sh_link (e_shstrndx) ";
  }
  if (nameSection >= count)
    return refuse(field + Twine(nameSection) + " is not a section index (" +
                  Twine(count) + " sections)");
  headerCount = uint32_t(count);
  return true;
}

bool ObjectReader::readSectionTable() {
  uint32_t nameSection;
  if (!findSectionHeaders(nameSection))
    return false;
  const uint32_t count = headerCount;
  // The names come first, so that all other messages can use them.
  NameTable sectionNames;
  if (nameSection != 0)
    sectionNames = readSectionNames(nameSection);
  object->mayHaveGnuSections = false;
  // To make all of them first would write each twice.
  object->sections = std::move(roomForSections);
  object->sections.clear();
  object->sections.reserve(std::max(count, 1u));
  object->sections.emplace_back();
  for (uint32_t i = 1; i < count; ++i) {
    if (saturated())
      return false;
    const SectionHeader from = headerOf(i);
    ParsedSection &to = object->sections.emplace_back();
    to.type = from.type;
    to.flags = from.flags;
    to.size = from.size;
    // Too large a number stays too large.
    to.entsize = uint32_t(std::min<uint64_t>(from.entsize, UINT32_MAX));
    if (sectionNames.size() == 0)
      continue; // a broken one has been reported already
    const std::string fault =
        takeName(sectionNames, "sh_name", from.name, to.name);
    object->mayHaveGnuSections |= to.name.starts_with(".gnu.");
    if (!fault.empty())
      headerError(i, fault);
  }
  // Where only symbols count, a section is an index that they may have.
  if (!justSymbols) {
    adoptParents();
    classifySections(nameSection);
  }

  uint64_t total = 0; // of the sections read
  for (uint32_t i = 1; i < count && !saturated(); ++i) {
    const ParsedSection &section = object->sections[i];
    if (section.type == SHT_NULL || !takeData(i))
      continue;
    if (section.kind != SectionKind::Ignored || section.type == SHT_SYMTAB ||
        section.type == SHT_REL || section.type == SHT_RELA)
      total += section.data().size();
    checkLinks(i);
  }
  if (!errors && total > bytes.size())
    error("section table: sections overlap: their sizes add up to " +
          hex(total) + " in a file of " + hex(bytes.size()) + " bytes");
  return errors == 0;
}

/// The table of the sections' names; an empty one when it cannot be read.
NameTable ObjectReader::readSectionNames(uint32_t index) {
  const SectionHeader header = headerOf(index);
  NameTable table;
  if (header.type != SHT_STRTAB)
    headerError(index, "sh_type " + hex(header.type) +
                           " of the section name table is not SHT_STRTAB");
  else if (within(header.offset, header.size) &&
           !table.assign(bytes.slice(header.offset, header.size)))
    headerError(index, "the section name table does not end in NUL");
  return table;
}

/// The bytes of a section, its size and alignment; false when the file does not
/// have the bytes.
bool ObjectReader::takeData(uint32_t index) {
  ParsedSection &section = object->sections[index];
  const SectionHeader header = headerOf(index);
  if (!section.isNoBits()) {
    if (!within(header.offset, section.size))
      return headerError(index, "sh_offset " + hex(header.offset) +
                                    " + sh_size " + hex(section.size) +
                                    " is beyond the end of the file (" +
                                    hex(bytes.size()) + " bytes)");
    section.setData(bytes.slice(header.offset, section.size));
  }
  if (section.kind != SectionKind::Regular)
    return true;
  if (section.size > kMaxSectionSize)
    headerError(index, "sh_size " + hex(section.size) + " is too large");
  if ((section.flags & SHF_MERGE) && header.entsize > UINT32_MAX)
    headerError(index, "sh_entsize " + hex(header.entsize) +
                           " of a section with SHF_MERGE is too large");
  if (const char *fault = alignmentFault(header.align))
    headerError(index, "sh_addralign " + hex(header.align) + fault);
  else
    section.align = header.align;
  return true;
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
    const uint32_t index = headerOf(i).info;
    const std::string field =
        "sh_info " + std::to_string(index) + " of a piece";
    if (index == 0 || index >= sections.size()) {
      headerError(i, field + noSection());
      continue;
    }
    const ParsedSection &parent = sections[index];
    if (parent.isPiece || isBookkeeping(parent)) {
      headerError(i,
                  field + (parent.isPiece ? " is a piece itself"
                                          : " is not a section with contents"));
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
        headerOf(i).link < sections.size())
      ownStrings[headerOf(i).link] = true;
  for (uint32_t i = 1; i < sections.size(); ++i) {
    ParsedSection &section = object->sections[i];
    // Some writers leave an empty .strtab where there is no symbol.
    const bool isOwn = section.type == SHT_STRTAB
                           ? ownStrings[i] || section.name == ".strtab" ||
                                 section.name == ".shstrtab" ||
                                 section.name == ".dynstr"
                           : isBookkeeping(section);
    if (section.type == SHT_GROUP)
      section.kind = SectionKind::Group;
    else if (isOwn)
      section.kind = SectionKind::Ignored;
    else if (target.exprSectionType != 0 &&
             section.type == target.exprSectionType)
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
      normalizeMerge(section);
    }
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

/// sh_link and sh_info where they are section indices, and the entry sizes of
/// the tables that the reader walks through.
void ObjectReader::checkLinks(uint32_t index) {
  const std::vector<ParsedSection> &sections = object->sections;
  const ParsedSection &section = sections[index];
  const SectionHeader header = headerOf(index);
  auto isIndexOf = [&](uint32_t i, uint32_t type) {
    return i != 0 && i < sections.size() && sections[i].type == type;
  };
  auto checkTable = [&](uint64_t entrySize) {
    if (header.entsize != entrySize)
      headerError(index, "sh_entsize " + hex(header.entsize) + " is not " +
                             hex(entrySize));
    else if (section.size % entrySize != 0)
      headerError(index, "sh_size " + hex(section.size) +
                             " is not a multiple of sh_entsize " +
                             hex(entrySize));
  };
  auto checkLinkTo = [&](uint32_t type, const char *kind) {
    if (!isIndexOf(header.link, type))
      headerError(index, "sh_link " + Twine(header.link) +
                             " is not the index of a " + kind);
  };
  auto setOnly = [&](uint32_t &only, const char *kind) {
    if (only != 0)
      headerError(index, Twine("a second ") + kind + "; section header " +
                             Twine(only) + " has one already");
    else
      only = index;
  };

  switch (section.type) {
  case SHT_SYMTAB:
    checkTable(sizes.symbol);
    checkLinkTo(SHT_STRTAB, "string table");
    return setOnly(symbolTable, "symbol table");
  case SHT_SYMTAB_SHNDX:
    checkLinkTo(SHT_SYMTAB, "symbol table");
    return setOnly(extendedIndices, "table of extended section indices");
  case SHT_REL:
  case SHT_RELA: {
    if (section.size == 0)
      return;
    checkTable(section.type == SHT_RELA ? sizes.rela : sizes.rel);
    checkLinkTo(SHT_SYMTAB, "symbol table");
    if (header.info >= sections.size())
      headerError(index, "sh_info " + Twine(header.info) + noSection());
    else if (!justSymbols && isBookkeeping(sections[header.info]))
      headerError(index, "sh_info " + Twine(header.info) +
                             " of relocations is not the index of a section "
                             "with contents");
    return;
  }
  case SHT_CREL:
    if (section.kind == SectionKind::Regular)
      headerError(index, "relocations of type SHT_CREL are not supported; use "
                         "SHT_RELA");
    return;
  case SHT_GROUP:
    return checkLinkTo(SHT_SYMTAB, "symbol table");
  }
  if (section.kind != SectionKind::Expr && section.kind != SectionKind::Types)
    checkLinkOrder(index);
  else if (header.link != 0 && !isIndexOf(header.link, SHT_SYMTAB))
    headerError(index, "sh_link " + Twine(header.link) +
                           " is neither 0 nor the index of a symbol table");
}

/// sh_link of a section that is ordered by another one.
void ObjectReader::checkLinkOrder(uint32_t index) {
  const std::vector<ParsedSection> &sections = object->sections;
  const uint32_t link = headerOf(index).link;
  if (!(sections[index].flags & SHF_LINK_ORDER) || link == 0 || justSymbols)
    return;
  const std::string field = "sh_link " + std::to_string(link) +
                            " of a section with SHF_LINK_ORDER is ";
  if (link == index) { // GNU ld and lld take it
    warn(headerText(index) + ": " + field +
         "its own index; its order is the input's");
  } else if (link >= sections.size() || isBookkeeping(sections[link])) {
    headerError(index, field + "not the index of a section with contents");
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

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
  object->sections.resize(1);
  object->justSymbols = true;
}

std::shared_ptr<const ParsedObject> ObjectReader::run() {
  object->path = name.path.str();
  object->archive = name.archive.str();
  object->bytes = bytes.size();
  if (!checkIdentity() || !readSectionTable())
    return nullptr;
  if (!justSymbols)
    readContents();
  if (!readSymbols())
    return nullptr;
  if (justSymbols) {
    keepJustSymbols();
  } else {
    readGroups();
    readRelocations();
    readExpressions();
    readTypes();
    readCpuNote();
    leaveOutTables();
  }
  if (errors)
    return nullptr;
  object->owner = std::move(storage);
  return object;
}

std::shared_ptr<const ParsedObject>
parseObject(const ObjectName &name, ArrayRef<uint8_t> bytes,
            const Target &target, std::shared_ptr<const void> owner,
            DiagnosticBuffer &diag, bool justSymbols) {
  return ObjectReader(name, bytes, target, std::move(owner), diag, justSymbols)
      .run();
}

} // namespace xlink
