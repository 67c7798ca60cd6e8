//===- LinkedFile.cpp -----------------------------------------------------===//
//
// Problem: finished files come from any linker and may be damaged: a table may
// be cut off, point anywhere, or claim to be huge.
//
// Method: LLVM's reader checks the tables themselves; their references are
// checked here, once, before anything indexes with them. Ranges are tested as
// `offset <= end && size <= end - offset`, since sums may wrap. Names come from
// tables with a budget (input/NameTable.h), since offsets may share one long
// string.
//
// Cost: linear in the file. Overlapping sections would let a small file
// describe huge ones, so all of them together must fit into the file, and so
// must the relocations.
//
//===----------------------------------------------------------------------===//
#include "inspect/LinkedFile.h"
#include "input/ElfReader.h"
#include "input/NameTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Object/ELF.h"

using namespace llvm;
using namespace llvm::ELF;

namespace xlink {

bool ElfSection::isTable() const {
  return !isLoaded() &&
         (type == SHT_SYMTAB || type == SHT_STRTAB || type == SHT_RELA ||
          type == SHT_REL || type == SHT_SYMTAB_SHNDX);
}

bool ElfSymbol::isIn(const LinkedFile &in) const {
  return section < in.sections.size();
}

bool ElfSymbol::isTemporary() const {
  if (binding != STB_LOCAL)
    return false;
  if (name.starts_with(".L"))
    return true;
  if (size || type != STT_NOTYPE)
    return false;
  // Assemblers name sections; $a, $d, $s ... state the kind of the bytes that
  // follow.
  StringRef kind = name;
  return kind.starts_with(".") ||
         (kind.consume_front("$") && !kind.empty() && isAlpha(kind.front()) &&
          (kind.size() == 1 || kind[1] == '.'));
}

bool ElfSymbol::isMark() const {
  return type == STT_FILE || type == STT_SECTION || name.empty() ||
         isTemporary();
}

bool ElfSymbol::isBase(const Target &target) const {
  return any_of(target.baseSymbols,
                [&](const BaseSymbol &base) { return name == base.name; });
}

/// A machine of which nothing else is known.
static const Target &unknownMachine(bool is64, bool isBig) {
  static const auto make = [](bool is64, bool isBig) {
    Target target;
    static constexpr uint16_t kNumbers[] = {EM_NONE};
    target.name = "unknown";
    target.machines = kNumbers;
    target.is64 = is64;
    target.isBig = isBig;
    target.word = 1;
    return target;
  };
  static const Target all[] = {make(false, false), make(false, true),
                               make(true, false), make(true, true)};
  return all[is64 * 2 + isBig];
}

bool LinkedFile::hasMachineOf(const LinkedFile &other) const {
  // A machine that is known may have several numbers.
  return target == other.target &&
         (machine == other.machine ||
          target != &unknownMachine(target->is64, target->isBig));
}

bool LinkedFile::hasSymbols() const {
  return any_of(symbols, [](const ElfSymbol &s) {
    return !s.isMark() && s.section != kUndefined;
  });
}

uint64_t LinkedFile::loadAddressOf(const ElfSection &section) const {
  for (const ElfSegment &s : segments)
    if (section.isLoaded() && s.type == PT_LOAD &&
        section.address >= s.address &&
        section.address - s.address < s.memorySize)
      return s.loadAddress + (section.address - s.address);
  return section.address;
}

bool LinkedFile::isFunction(const ElfSymbol &symbol) const {
  return symbol.type == STT_FUNC ||
         (symbol.type == STT_NOTYPE && symbol.isIn(*this) &&
          sections[symbol.section].isCode());
}

namespace {

template <class ELFT> class ElfFileReader {
public:
  ElfFileReader(LinkedFile &file, const object::ELFFile<ELFT> &elf,
                Diagnostics &diag)
      : file(file), elf(elf), diag(diag), names(file.bytes.size()) {}

  bool read(bool withSymbols) {
    readHeader();
    return readSegments() && readSections() &&
           (!withSymbols || (readSymbols() && readRelocations()));
  }

private:
  using Header = typename ELFT::Shdr;

  bool fail(const Twine &text) {
    diag.error((file.name + ": " + text).str());
    return false;
  }
  bool fail(const Twine &table, Error problem) {
    return fail(table + ": " + toString(std::move(problem)));
  }
  std::string sectionText(uint32_t index) const {
    std::string text = "section " + std::to_string(index);
    StringRef name = file.sections[index].name;
    return name.empty() ? text : text + " (" + name.str() + ")";
  }
  bool inside(uint64_t offset, uint64_t size) const {
    return offset <= file.bytes.size() && size <= file.bytes.size() - offset;
  }

  void readHeader() {
    const auto &header = elf.getHeader();
    file.type = header.e_type;
    file.machine = header.e_machine;
    file.flags = header.e_flags;
    file.osabi = header.e_ident[EI_OSABI];
    file.abiVersion = header.e_ident[EI_ABIVERSION];
    file.entry = header.e_entry;
    file.programHeaders = header.e_phoff;
    file.sectionHeaders = header.e_shoff;
  }

  bool readSegments() {
    auto segments = elf.program_headers();
    if (!segments)
      return fail("program headers", segments.takeError());
    for (const auto &from : *segments) {
      const size_t index = file.segments.size();
      if (from.p_type != PT_NULL && !inside(from.p_offset, from.p_filesz))
        return fail("program header " + Twine(index) + ": p_offset " +
                    hex(from.p_offset) + " and p_filesz " + hex(from.p_filesz) +
                    " lead beyond the end of the file (" +
                    hex(file.bytes.size()) + " bytes)");
      file.segments.push_back({from.p_type, from.p_flags, from.p_offset,
                               from.p_vaddr, from.p_paddr, from.p_filesz,
                               from.p_memsz, from.p_align});
    }
    return true;
  }

  /// The bytes that PT_LOADs load, of a file without section headers.
  bool sectionsFromSegments() {
    static constexpr const char *kNames[] = {
        "segment 0", "segment 1", "segment 2", "segment 3", "segment 4",
        "segment 5", "segment 6", "segment 7", "segment 8", "segment 9"};
    file.sections.emplace_back();
    for (size_t i = 0; i < file.segments.size(); ++i) {
      const ElfSegment &from = file.segments[i];
      if (from.type != PT_LOAD)
        continue;
      total += from.fileSize;
      if (total > file.bytes.size())
        return fail("program header " + Twine(i) +
                    ": segments take more bytes together than the file has");
      const uint64_t flags = SHF_ALLOC |
                             (from.flags & PF_X ? uint64_t(SHF_EXECINSTR) : 0) |
                             (from.flags & PF_W ? uint64_t(SHF_WRITE) : 0);
      file.sections.push_back(
          {i < std::size(kNames) ? kNames[i] : "further segment", SHT_PROGBITS,
           /*link=*/0, /*info=*/0, flags, from.address, from.offset,
           from.fileSize, /*align=*/1, /*entrySize=*/0,
           file.bytes.slice(from.offset, from.fileSize)});
    }
    return true;
  }

  bool takeSection(const Header &from, const NameTable &table) {
    const uint32_t index = file.sections.size();
    ElfSection to;
    if (table.get(from.sh_name, names, to.name) != NameTable::Result::Ok)
      return fail("section header " + Twine(index) + ": sh_name " +
                  hex(from.sh_name) + " is not in the table of section names");
    to.type = from.sh_type;
    to.link = from.sh_link;
    to.info = from.sh_info;
    to.flags = from.sh_flags;
    to.address = from.sh_addr;
    to.offset = from.sh_offset;
    to.size = from.sh_size;
    to.align = from.sh_addralign;
    to.entrySize = from.sh_entsize;
    file.sections.push_back(to);
    if (to.size > UINT64_MAX - to.address)
      return fail(sectionText(index) + ": sh_addr " + hex(to.address) +
                  " and sh_size " + hex(to.size) +
                  " lead beyond the end of the address space");
    if (to.type == SHT_NOBITS || to.type == SHT_NULL)
      return true;
    if (!inside(to.offset, to.size))
      return fail(sectionText(index) + ": sh_offset " + hex(to.offset) +
                  " and sh_size " + hex(to.size) +
                  " lead beyond the end of the file (" +
                  hex(file.bytes.size()) + " bytes)");
    total += to.size;
    if (total > file.bytes.size())
      return fail(sectionText(index) +
                  ": sections take more bytes together than the file has");
    file.sections.back().data = file.bytes.slice(to.offset, to.size);
    return true;
  }

  bool readSections() {
    auto found = elf.sections();
    if (!found)
      return fail("section headers", found.takeError());
    headers = *found;
    file.hasSectionHeaders = !headers.empty();
    if (headers.empty())
      return sectionsFromSegments();
    auto strings = elf.getSectionStringTable(headers);
    if (!strings)
      return fail("section names", strings.takeError());
    NameTable table;
    if (!table.assign(arrayRefFromStringRef(*strings)))
      return fail("section names: the table does not end in NUL");
    file.sections.reserve(headers.size());
    for (const Header &from : headers)
      if (!takeSection(from, table))
        return false;
    return true;
  }

  bool tableOf(const Header &of, NameTable &table) {
    const uint32_t index = &of - headers.begin();
    if (of.sh_link >= file.sections.size() ||
        file.sections[of.sh_link].type != SHT_STRTAB)
      return fail(sectionText(index) + ": sh_link " + Twine(of.sh_link) +
                  " is no string table");
    if (!table.assign(file.sections[of.sh_link].data))
      return fail(sectionText(of.sh_link) + ": does not end in NUL");
    return true;
  }

  bool takeSymbol(const typename ELFT::Sym &from, uint32_t index,
                  ArrayRef<typename ELFT::Word> wideIndexes,
                  const NameTable &table, StringRef &source) {
    ElfSymbol to;
    if (table.get(from.st_name, names, to.name) != NameTable::Result::Ok)
      return fail(sectionText(symbolTable) + ": symbol " + Twine(index) +
                  ": st_name " + hex(from.st_name) +
                  " is not in the table of symbol names");
    to.value = from.st_value;
    to.size = from.st_size;
    to.type = from.getType();
    to.binding = from.getBinding();
    to.visibility = from.getVisibility();
    uint32_t section = from.st_shndx;
    if (section == SHN_XINDEX) {
      if (index >= wideIndexes.size())
        return fail(sectionText(symbolTable) + ": symbol " + Twine(index) +
                    ": SHN_XINDEX without an entry in SHT_SYMTAB_SHNDX");
      section = wideIndexes[index];
    } else if (section >= SHN_LORESERVE || section == SHN_UNDEF) {
      to.section = section == SHN_UNDEF    ? LinkedFile::kUndefined
                   : section == SHN_COMMON ? LinkedFile::kCommon
                                           : LinkedFile::kAbsolute;
      section = 0;
    }
    if (section) {
      if (section >= file.sections.size())
        return fail(sectionText(symbolTable) + ": symbol " + Twine(index) +
                    ": section " + Twine(section) + " does not exist");
      to.section = section;
    }
    if (to.type == STT_FILE)
      source = to.name;
    else if (to.binding == STB_LOCAL)
      to.file = source;
    file.symbols.push_back(to);
    return true;
  }

  bool readSymbols() {
    for (uint32_t i = 1; i < headers.size() && !symbolTable; ++i)
      if (headers[i].sh_type == SHT_SYMTAB)
        symbolTable = i;
    if (!symbolTable)
      return true;
    const Header &header = headers[symbolTable];
    auto entries = elf.symbols(&header);
    if (!entries)
      return fail(sectionText(symbolTable), entries.takeError());
    NameTable table;
    if (!tableOf(header, table))
      return false;
    ArrayRef<typename ELFT::Word> wideIndexes;
    for (const Header &other : headers)
      if (other.sh_type == SHT_SYMTAB_SHNDX && other.sh_link == symbolTable) {
        auto indexes = elf.getSHNDXTable(other, headers);
        if (!indexes)
          return fail(sectionText(&other - headers.begin()),
                      indexes.takeError());
        wideIndexes = *indexes;
      }
    file.symbols.reserve(entries->size());
    StringRef source;
    for (uint32_t i = 1; i < entries->size(); ++i)
      if (!takeSymbol((*entries)[i], i, wideIndexes, table, source))
        return false;
    return true;
  }

  template <class Entry>
  bool takeRelocations(const Header &table, uint32_t index) {
    auto entries = elf.template getSectionContentsAsArray<Entry>(table);
    if (!entries)
      return fail(sectionText(index), entries.takeError());
    const ElfSection &place = file.sections[table.sh_info];
    for (const Entry &from : *entries) {
      ElfRelocation to;
      const uint64_t number = &from - entries->begin();
      const uint64_t at = from.r_offset;
      to.section = table.sh_info;
      to.type = from.getType(false);
      const RelocationRow *row = findRelocation(*file.target, to.type);
      const uint64_t size = row ? row->bytes : 0;
      to.offset = file.hasAddresses() ? at - place.address : at;
      if ((file.hasAddresses() && at < place.address) ||
          to.offset > place.size || size > place.size - to.offset)
        return fail(sectionText(index) + ": relocation " + Twine(number) +
                    ": r_offset " + hex(at) + " is not in " +
                    sectionText(table.sh_info));
      const uint32_t symbol = from.getSymbol(false);
      if (symbol > file.symbols.size())
        return fail(sectionText(index) + ": relocation " + Twine(number) +
                    ": symbol " + Twine(symbol) + " does not exist");
      to.symbol = symbol ? symbol - 1 : kNoIndex;
      if constexpr (std::is_same_v<Entry, typename ELFT::Rela>)
        to.addend = from.r_addend;
      else
        to.hasAddend = false;
      file.relocations.push_back(to);
    }
    return true;
  }

  bool readRelocations() {
    for (uint32_t i = 1; i < headers.size(); ++i) {
      const Header &table = headers[i];
      const bool isRela = table.sh_type == SHT_RELA;
      // Without a section they are a loader's, and bytes like any others.
      if ((!isRela && table.sh_type != SHT_REL) || table.sh_info == 0 ||
          table.sh_link != symbolTable || !symbolTable)
        continue;
      if (table.sh_info >= file.sections.size())
        return fail(sectionText(i) + ": sh_info " + Twine(table.sh_info) +
                    " is no section");
      if (isRela ? !takeRelocations<typename ELFT::Rela>(table, i)
                 : !takeRelocations<typename ELFT::Rel>(table, i))
        return false;
    }
    stable_sort(
        file.relocations, [](const ElfRelocation &a, const ElfRelocation &b) {
          return std::tie(a.section, a.offset) < std::tie(b.section, b.offset);
        });
    return true;
  }

  LinkedFile &file;
  const object::ELFFile<ELFT> &elf;
  Diagnostics &diag;
  NameBudget names;
  ArrayRef<Header> headers;
  uint64_t total = 0;       ///< bytes of sections so far
  uint32_t symbolTable = 0; ///< its section; 0: there is none
};

template <class ELFT>
bool readAs(LinkedFile &file, bool withSymbols, Diagnostics &diag) {
  auto elf = object::ELFFile<ELFT>::create(toStringRef(file.bytes));
  if (elf)
    return ElfFileReader<ELFT>(file, *elf, diag).read(withSymbols);
  diag.error(file.name + ": ELF header: " + toString(elf.takeError()));
  return false;
}

} // namespace

std::optional<LinkedFile> readLinkedFile(std::string name,
                                         ArrayRef<uint8_t> bytes,
                                         const Machines &machines,
                                         Diagnostics &diag,
                                         LinkedFileParts parts) {
  LinkedFile file;
  file.name = std::move(name);
  file.bytes = bytes;
  const std::optional<ElfIdentity> id = readIdentity(bytes);
  if (!id) {
    diag.error(file.name + ": ELF header: no ELF file");
    return std::nullopt;
  }
  file.target = machines.find(id->is64, id->isBig, id->machine);
  if (!file.target && parts.anyMachine)
    file.target = &unknownMachine(id->is64, id->isBig);
  if (!file.target) {
    diag.error(file.name + ": ELF header: machine " +
                   machineText(machines, *id) + " of " +
                   (id->isBig ? "big-endian " : "") + "ELF" +
                   (id->is64 ? "64" : "32") + " is none that xlink knows",
               {"-m FILE.machine describes it"});
    return std::nullopt;
  }
  using namespace object;
  const auto read = id->is64    ? id->isBig ? readAs<ELF64BE> : readAs<ELF64LE>
                       : id->isBig ? readAs<ELF32BE>
                                : readAs<ELF32LE>;
  if (!read(file, parts.symbols, diag))
    return std::nullopt;
  return file;
}

StringRef DebugSections::get(StringRef name) {
  for (const ElfSection &section : file.sections) {
    if (section.name != name)
      continue;
    if (!(section.flags & SHF_COMPRESSED))
      return toStringRef(section.data);
    Expected<Inflated> plain =
        inflateSection(section.data, file.target->is64, file.target->isBig);
    if (plain)
      return toStringRef(inflated.emplace_back(std::move(*plain)).data());
    consumeError(plain.takeError());
  }
  return "";
}

} // namespace xlink
