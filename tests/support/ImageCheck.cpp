//===- ImageCheck.cpp -----------------------------------------------------===//
#include "support/ImageCheck.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include <algorithm>

using namespace llvm;

namespace xlink::test {

namespace {

struct Section {
  std::string name;
  uint32_t type = 0, link = 0;
  uint64_t flags = 0, address = 0, offset = 0, size = 0, entsize = 0;
  bool hasBytes() const {
    return type != ELF::SHT_NULL && type != ELF::SHT_NOBITS && size;
  }
  bool isAlloc() const { return flags & ELF::SHF_ALLOC; }
};
struct Program {
  uint32_t type = 0;
  uint64_t offset = 0, address = 0, loadAddress = 0, fileSize = 0, memSize = 0;
};

std::string hex(uint64_t value) { return "0x" + utohexstr(value, true); }

class Checker {
public:
  Checker(const Bytes &file, const ImageRules &rules)
      : file(file), rules(rules) {}
  std::vector<std::string> run();

private:
  bool readHeader();
  void readSections();
  void readPrograms();
  void checkSections();
  void checkPlaces();
  void checkSegments();
  void checkCoverage();
  void checkSymbols();

  bool inside(uint64_t at, uint64_t size) const {
    return at <= file.size() && size <= file.size() - at;
  }
  /// Zero outside of the file.
  uint64_t get(uint64_t at, unsigned size) const {
    uint64_t v = 0;
    if (inside(at, size))
      for (unsigned i = 0; i < size; ++i)
        v |= uint64_t(file[at + i]) << 8 * (file[5] == 2 ? size - 1 - i : i);
    return v;
  }
  /// The text at an offset of a string table, which has to end in it.
  std::string text(const Section &strings, uint64_t at) {
    if (at >= strings.size || !inside(strings.offset, strings.size)) {
      flaw("a name at " + hex(at) + " is not in its string table");
      return "";
    }
    const uint8_t *begin = file.data() + strings.offset + at;
    const uint8_t *end = file.data() + strings.offset + strings.size;
    const uint8_t *zero = std::find(begin, end, 0);
    if (zero == end)
      flaw("a name at " + hex(at) + " does not end in its string table");
    return std::string(begin, zero);
  }
  /// Memory addressed by this file; a range may end exactly at its end.
  bool addressable(uint64_t address, uint64_t size) const {
    const uint64_t last = is64 ? ~uint64_t(0) : 0xffffffff;
    return !size || (address <= last && size - 1 <= last - address);
  }
  void flaw(std::string text) { flaws.push_back(std::move(text)); }

  const Bytes &file;
  const ImageRules &rules;
  std::vector<std::string> flaws;
  std::vector<Section> sections;
  std::vector<Program> programs;
  bool is64 = false;
  unsigned word = 4;
  uint64_t phoff = 0, shoff = 0, phnum = 0, shnum = 0;
};

} // namespace

bool Checker::readHeader() {
  if (file.size() < 52 || file[0] != 0x7f || file[1] != 'E' || file[2] != 'L' ||
      file[3] != 'F' || (file[4] != 1 && file[4] != 2)) {
    flaw("no ELF file");
    return false;
  }
  is64 = file[4] == 2;
  word = is64 ? 8 : 4;
  phoff = get(24 + word, word);
  shoff = get(24 + 2 * word, word);
  const uint64_t at = 24 + 3 * word;
  phnum = get(at + 8, 2);
  shnum = get(at + 12, 2);
  if (get(at + 6, 2) != (is64 ? 56 : 32) && phnum)
    flaw("program headers of the wrong size");
  if (get(at + 10, 2) != (is64 ? 64 : 40))
    flaw("section headers of the wrong size");
  if (!shnum)
    shnum = get(shoff + (is64 ? 32 : 20), word);
  if (!shnum || shnum > file.size() ||
      !inside(shoff, shnum * (is64 ? 64 : 40))) {
    flaw("the section headers are not in the file");
    return false;
  }
  if (!inside(phoff, phnum * (is64 ? 56 : 32))) {
    flaw("the program headers are not in the file");
    return false;
  }
  return true;
}

void Checker::readSections() {
  uint64_t shstrndx = get(24 + 3 * word + 14, 2);
  if (shstrndx == ELF::SHN_XINDEX)
    shstrndx = get(shoff + (is64 ? 40 : 24), 4);
  std::vector<uint64_t> names;
  for (uint64_t i = 0; i < shnum; ++i) {
    const uint64_t p = shoff + i * (is64 ? 64 : 40);
    Section s;
    names.push_back(get(p, 4));
    s.type = uint32_t(get(p + 4, 4));
    s.flags = get(p + 8, word);
    s.address = get(p + 8 + word, word);
    s.offset = get(p + 8 + 2 * word, word);
    s.size = get(p + 8 + 3 * word, word);
    s.link = uint32_t(get(p + 8 + 4 * word, 4));
    s.entsize = get(p + 16 + 5 * word, word);
    sections.push_back(std::move(s));
  }
  if (shstrndx >= sections.size() || sections[shstrndx].type != ELF::SHT_STRTAB)
    return flaw("no table of section names");
  for (uint64_t i = 1; i < shnum; ++i)
    sections[i].name = text(sections[shstrndx], names[i]);
}

void Checker::readPrograms() {
  for (uint64_t i = 0; i < phnum; ++i) {
    const uint64_t p = phoff + i * (is64 ? 56 : 32);
    const uint64_t first = is64 ? p + 8 : p + 4;
    Program h;
    h.type = uint32_t(get(p, 4));
    h.offset = get(first, word);
    h.address = get(first + word, word);
    h.loadAddress = get(first + 2 * word, word);
    h.fileSize = get(first + 3 * word, word);
    h.memSize = get(first + 4 * word, word);
    programs.push_back(h);
  }
}

void Checker::checkSections() {
  for (size_t i = 1; i < sections.size(); ++i) {
    const Section &s = sections[i];
    const std::string name = "section '" + s.name + "'";
    if (s.hasBytes() && !inside(s.offset, s.size))
      flaw(name + " is not in the file");
    if (s.isAlloc() && !addressable(s.address, s.size))
      flaw(name + " is not in memory: " + hex(s.address) + ", size " +
           hex(s.size));
    if (s.link >= sections.size())
      flaw(name + " links to no section");
  }
}

/// No byte of the file belongs to two.
void Checker::checkPlaces() {
  struct Place {
    uint64_t begin, size;
    std::string what;
  };
  std::vector<Place> places = {
      {0, uint64_t(is64 ? 64 : 52), "the ELF header"},
      {shoff, shnum * (is64 ? 64 : 40), "the section headers"}};
  if (phnum)
    places.push_back({phoff, phnum * (is64 ? 56 : 32), "the program headers"});
  for (const Section &s : sections)
    if (s.hasBytes() && inside(s.offset, s.size))
      places.push_back({s.offset, s.size, "section '" + s.name + "'"});
  std::stable_sort(
      places.begin(), places.end(),
      [](const Place &a, const Place &b) { return a.begin < b.begin; });
  const Place *last = &places.front();
  for (const Place &p : ArrayRef<Place>(places).drop_front()) {
    if (p.begin < last->begin + last->size)
      flaw(p.what + " lies on " + last->what + " in the file, at " +
           hex(p.begin));
    if (p.begin + p.size > last->begin + last->size)
      last = &p;
  }
}

void Checker::checkSegments() {
  for (size_t i = 0; i < programs.size(); ++i) {
    const Program &p = programs[i];
    const std::string name = "program header " + std::to_string(i);
    // Without bytes too: tools refuse other offsets.
    if (!inside(p.offset, p.fileSize))
      flaw(name + " has " + hex(p.fileSize) + " bytes at " + hex(p.offset) +
           ", which are not in the file");
    if (p.type != ELF::PT_LOAD)
      continue;
    if (p.fileSize > p.memSize)
      flaw(name + " has more bytes in the file than in memory");
    if (!addressable(p.address, p.memSize))
      flaw(name + " is not in memory: " + hex(p.address) + ", size " +
           hex(p.memSize));
    // What has no bytes is not loaded.
    if (!addressable(p.loadAddress, p.fileSize))
      flaw(name + " is not loaded into memory: " + hex(p.loadAddress) +
           ", size " + hex(p.fileSize));
  }
}

/// What a loader copies to a section's address is the section.
void Checker::checkCoverage() {
  for (const Section &s : sections) {
    if (!s.isAlloc() || !s.hasBytes() || programs.empty())
      continue;
    if (std::none_of(programs.begin(), programs.end(), [&](const Program &p) {
          return p.type == ELF::PT_LOAD && s.address >= p.address &&
                 s.address - p.address <= p.fileSize &&
                 s.size <= p.fileSize - (s.address - p.address) &&
                 s.offset - p.offset == s.address - p.address;
        }))
      flaw("section '" + s.name + "' at " + hex(s.address) +
           " is not loaded by any program header");
  }
}

void Checker::checkSymbols() {
  for (const Section &s : sections) {
    if (s.type != ELF::SHT_SYMTAB || !inside(s.offset, s.size))
      continue;
    if (s.link >= sections.size() || sections[s.link].type != ELF::SHT_STRTAB)
      return flaw("the symbols have no string table");
    const unsigned size = is64 ? 24 : 16;
    if (s.size % size)
      flaw("half a symbol");
    for (uint64_t p = s.offset; p + size <= s.offset + s.size; p += size) {
      const std::string name = text(sections[s.link], get(p, 4));
      const uint64_t shndx = get(p + (is64 ? 6 : 14), 2);
      if (shndx >= sections.size() && shndx < ELF::SHN_LORESERVE)
        flaw("symbol '" + name + "' is in no section");
    }
  }
}

std::vector<std::string> Checker::run() {
  if (!readHeader())
    return flaws;
  readSections();
  readPrograms();
  checkSections();
  if (rules.apart)
    checkPlaces();
  checkSegments();
  if (rules.covered)
    checkCoverage();
  checkSymbols();
  return std::move(flaws);
}

std::vector<std::string> flawsOf(const Bytes &file, const ImageRules &rules) {
  return Checker(file, rules).run();
}

} // namespace xlink::test
